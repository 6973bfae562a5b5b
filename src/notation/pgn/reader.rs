//! From the syntax of a record to a game: the start position and the moves that are meant.

use super::super::{ParseError, parse_fen};
use super::resolve::{BUDGET, Reading, resolve_action};
use super::syntax::{ActionText, Header, Record, parse_record};
use super::{ActionName, Game, Outcome, PgnError};
use crate::board::{Colour, PieceKind, Size};
use crate::multiverse::{Multiverse, Promotions};

/// Reads a game record. `lookup` knows the named start positions; it is asked where the record
/// gives no boards, for the name in `Board` or `Variant`, or for `Standard` where there is neither.
///
/// Boards that are given decide, whatever the name says. The header `Promotions` sets what pawns
/// may turn into; without it the start's own set holds. Numbers of actions are not checked.
///
/// # Errors
/// The first thing that cannot be read: syntax anywhere in the text, then the start, then the
/// moves in their order. An action that is followed by another must be complete (R21); only the
/// last may stop in the middle, and is then [`Game::pending`].
pub fn parse_game(
    text: &str,
    lookup: &dyn Fn(&str) -> Option<Multiverse>,
) -> Result<Game, PgnError> {
    let record = parse_record(text)?;
    let start = start(&record, lookup)?;
    let mut game = Game::new(start);
    let mut multiverse = game.start.clone();
    let mut budget = BUDGET;
    for (index, action) in record.actions.iter().enumerate() {
        let last = index.saturating_add(1) == record.actions.len();
        match read_action(&mut multiverse, action, index, last, &mut budget)? {
            Reading::Complete(moves) => game.actions.push(moves),
            Reading::Unfinished(moves) => game.pending = moves,
        }
    }
    let header = record.headers.iter().find(|header| header.is("Result"));
    let told = header.and_then(|header| Outcome::parse(header.value.trim()));
    game.outcome = record.outcome.or(told).unwrap_or_default();
    game.headers = record.headers.into_iter().map(|header| (header.name, header.value)).collect();
    Ok(game)
}

/// Reads one action and plays it; a complete one is submitted.
fn read_action(
    multiverse: &mut Multiverse,
    action: &ActionText<'_>,
    index: usize,
    last: bool,
    budget: &mut usize,
) -> Result<Reading, PgnError> {
    let side = multiverse.side();
    let error = |text: usize, cause: ParseError| PgnError {
        action: Some(ActionName {
            number: action.number,
            side: action.side.unwrap_or(side),
            index,
        }),
        line: action.moves.get(text).map_or(1, |token| token.line),
        cause,
    };
    let first = action.moves.first().map_or("", |token| token.text);
    if action.side.is_some_and(|written| written != side) {
        let expected = match side {
            Colour::White => "it is White's turn",
            Colour::Black => "it is Black's turn",
        };
        return Err(error(0, ParseError::new(first, expected)));
    }
    if multiverse.is_full() {
        let expected = "the game is too long or has too many timelines";
        return Err(error(0, ParseError::new(first, expected)));
    }
    let reading = resolve_action(multiverse, &action.moves, last, budget)
        .map_err(|(text, cause)| error(text, cause))?;
    if matches!(reading, Reading::Complete(_)) {
        multiverse.set_side(!side);
    }
    Ok(reading)
}

impl Header {
    fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    fn error(&self, expected: impl Into<String>) -> PgnError {
        let cause = ParseError::new(format!("[{} \"{}\"]", self.name, self.value), expected);
        PgnError { action: None, line: self.line, cause }
    }

    /// Whether the value names no start position but announces one.
    fn is_custom(&self) -> bool {
        self.value.trim().get(..6).is_some_and(|start| start.eq_ignore_ascii_case("custom"))
    }
}

/// The position that the record starts from.
fn start(
    record: &Record<'_>,
    lookup: &dyn Fn(&str) -> Option<Multiverse>,
) -> Result<Multiverse, PgnError> {
    let find = |name: &str| record.headers.iter().find(|header| header.is(name));
    let size = find("Size").map(read_size).transpose()?;
    let name =
        [find("Board"), find("Variant")].into_iter().flatten().find(|name| !name.is_custom());
    let mut multiverse = if record.blocks.is_empty() {
        let custom = find("Board").or(find("Variant"));
        match (name, custom) {
            (Some(name), _) => lookup(name.value.trim())
                .ok_or_else(|| name.error("unknown variant, and no boards are given"))?,
            (None, Some(custom)) => return Err(custom.error("no boards are given")),
            (None, None) => lookup("Standard").ok_or_else(|| PgnError {
                action: None,
                line: 1,
                cause: ParseError::new("Board", "expected the name of a variant, or boards"),
            })?,
        }
    } else {
        let blocks: Vec<&str> = record.blocks.iter().map(|(block, _)| *block).collect();
        parse_fen(&blocks.join(" "), size, parity(record)?).map_err(|cause| {
            let at = record.blocks.iter().find(|(block, _)| block.contains(&cause.token));
            PgnError { action: None, line: at.map_or(1, |(_, line)| *line), cause }
        })?
    };
    if let (Some(header), Some(size)) = (find("Size"), size)
        && size != multiverse.size()
    {
        let expected = format!("the boards have {} squares", multiverse.size());
        return Err(header.error(expected));
    }
    if let Some(header) = find("Promotions") {
        multiverse.set_promotions(read_promotions(header)?);
    }
    Ok(multiverse)
}

/// Whether the start is even, if `Timeline "even"` or a name such as `Custom - Even` says so.
fn parity(record: &Record<'_>) -> Result<Option<bool>, PgnError> {
    let read = |word: &str| match word.trim().to_ascii_lowercase().as_str() {
        "even" => Some(true),
        "odd" => Some(false),
        _ => None,
    };
    let mut headers = record.headers.iter();
    if let Some(header) = headers.clone().find(|header| header.is("Timeline")) {
        let even = read(&header.value);
        return even.map(Some).ok_or_else(|| header.error("expected odd or even"));
    }
    let custom = headers.find(|header| header.is("Board") && header.is_custom());
    Ok(custom.and_then(|header| read(header.value.rsplit('-').next().unwrap_or_default())))
}

fn read_size(header: &Header) -> Result<Size, PgnError> {
    let size = header.value.split_once(['x', 'X', '*']).and_then(|(width, height)| {
        Size::new(width.trim().parse().ok()?, height.trim().parse().ok()?)
    });
    size.ok_or_else(|| header.error("expected a size from 1x1 to 8x8"))
}

fn read_promotions(header: &Header) -> Result<Promotions, PgnError> {
    let letters = header.value.split([',', ' ']).filter(|letter| !letter.is_empty());
    let kinds: Option<Vec<PieceKind>> = letters
        .map(|text| {
            let mut letters = text.chars();
            let kind = letters
                .next()
                .and_then(|letter| PieceKind::from_letter(letter.to_ascii_uppercase()));
            kind.filter(|_| letters.next().is_none())
        })
        .collect();
    kinds
        .and_then(|kinds| Promotions::new(&kinds))
        .ok_or_else(|| header.error("expected pieces such as Q,R,B,N"))
}
