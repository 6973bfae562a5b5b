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
            let at = at.or(record.blocks.first());
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]
    use super::*;
    use crate::multiverse::Move;
    use crate::notation::move_to_string;
    use crate::notation::pgn::is_pass;

    const STANDARD: &str =
        "[r*nbqk*bnr*/p*p*p*p*p*p*p*p*/8/8/8/8/P*P*P*P*P*P*P*P*/R*NBQK*BNR*:0:1:w]";

    fn lookup(name: &str) -> Option<Multiverse> {
        let known = name.eq_ignore_ascii_case("standard");
        known.then(|| parse_fen(STANDARD, None, None).unwrap())
    }

    fn read(text: &str) -> Game {
        parse_game(text, &lookup).unwrap_or_else(|error| panic!("{error}"))
    }

    fn fault(text: &str) -> String {
        parse_game(text, &lookup).unwrap_err().to_string()
    }

    fn show(action: &[Move]) -> String {
        action.iter().map(move_to_string).collect::<Vec<_>>().join(" ")
    }

    fn last(text: &str) -> String {
        show(read(text).actions.last().unwrap())
    }

    /// A game on two timelines: White, to move on (1T2), has to answer on (1T2) alone.
    const TWO: &str = "1. e3 / e6 2. (0T2)Nb1>>(0T1)b3 / (1T1)e6 ";
    /// The same, with both boards to be played by Black.
    const BOTH: &str = "1. e3 / e6 2. (0T2)Nb1>>(0T1)b3 / (1T1)e6 3. (1T2)Nf3 / ";

    #[test]
    fn short_moves_of_ordinary_chess() {
        assert_eq!(last("1. e4 / a6 2. e5 / d5 3. exd6"), "(0T3)e5d6");
        assert_eq!(last("1. Nf3 / Nf6 2. Ng1"), "(0T2)f3g1");
        assert_eq!(last("1. d4 / d5 2. Nc3 / e6 3. Nf3 / Be7 4. Nd2"), "(0T4)f3d2");
        assert_eq!(last("1. e3 / e6 2. Be2 / a6 3. Nf3 / a5 4. O-O"), "(0T4)e1g1");
        assert_eq!(last("1. e3 / e6 2. Be2 / a6 3. Nf3 / a5 4. (0T4)0-0+"), "(0T4)e1g1");
        assert_eq!(last("1. e3 / e6 2. Be2 / a6 3. Nf3 / a5 4. Kg1"), "(0T4)e1g1");
        assert_eq!(last("1. a4 / b5 2. ab5"), "(0T2)a4b5");
        assert_eq!(last("1w.e2e4 {x} (1b. e6) 1b. Pe7(0T1)e5"), "(0T1)e7e5");
        assert_eq!(last("1. d3 / c6 2. Nf3 / (0T2)d8a5"), "(0T2)d8a5");
    }

    #[test]
    fn jumps_with_and_without_boards() {
        assert_eq!(last("1. Nf3 / Nf6 2. N>>f5"), "(0T2)f3(0T1)f5");
        assert_eq!(last("1. Nf3 / Nf6 2. (L0)Nf3>>(T1)f5 (~T2) (>L+1)"), "(0T2)f3(0T1)f5");
        assert_eq!(last("1. Nf3 / Nf6 2. Nf3(0T1)f5"), "(0T2)f3(0T1)f5");
        let capture = "1. e3 / Nf6 2. Bb5 / e6 3. c3 / Ne4 4. Qb3 / Qf6 5. ";
        for text in ["Q>>xf7+~", "Qb3>>x(0T1)f7", "Qb3>>(0T1)x(0T1)f7", "Q>(0T1)f7"] {
            assert_eq!(last(&format!("{capture}{text}")), "(0T5)b3(0T1)f7", "{text}");
        }
        assert_eq!(
            fault(&format!("{capture}(0T5)Qb3>>(0T2)f7")),
            "action 9: 5w (0T5)Qb3>>(0T2)f7: no Q can go there"
        );
    }

    #[test]
    fn a_missing_board_is_the_one_that_must_be_played() {
        assert_eq!(last(&format!("{TWO} 3. Nf3")), "(1T2)g1f3");
        assert_eq!(last(&format!("{BOTH} (1T2)d5 a6")), "(1T2)d7d5 (0T2)a7a6");
        // Two orders of one action are one reading.
        assert_eq!(last(&format!("{BOTH} d5 d5")), "(0T2)d7d5 (1T2)d7d5");
        assert_eq!(
            fault(&format!("{BOTH} a6 d5")),
            "action 6: 3b a6: ambiguous: (0T2)a7a6 or (1T2)a7a6"
        );
        // The move fits on both boards, but then the other text would have none.
        assert_eq!(last(&format!("{BOTH} (0T2)a6 (1T2)a6 4. e4 (1T3)a3")), "(0T3)e3e4 (1T3)a2a3");
    }

    #[test]
    fn a_reading_that_keeps_the_royals_safe_is_preferred() {
        let pinned = "[3k4/4r3/8/8/4N3/8/4K3/N7:0:1:w] 1. ";
        assert_eq!(last(&format!("[Board \"custom\"] {pinned} Nc5")), "(0T1)e4c5");
        let pinned = "[3k4/4r3/8/8/4N3/8/N7/4K3:0:1:w] 1. ";
        assert_eq!(last(&format!("[Board \"custom\"] {pinned} Nc3")), "(0T1)a2c3");
        let free = "[3k4/8/8/8/4N3/8/N7/4K3:0:1:w] 1. ";
        assert_eq!(
            fault(&format!("[Board \"custom\"] {free} Nc3")),
            "action 1: 1w Nc3: ambiguous: (0T1)a2c3 or (0T1)e4c3"
        );
        // Alone, it is read although it loses the king.
        assert_eq!(last("1. f3 / e5 2. g4 / Qh4 3. a3"), "(0T3)a2a3");
    }

    #[test]
    fn the_last_action_may_stop_in_the_middle() {
        let game = read(&format!("{BOTH} (1T2)d5"));
        assert_eq!((game.actions.len(), show(&game.pending).as_str()), (5, "(1T2)d7d5"));
        assert_eq!(game.position().side(), Colour::Black);
        let error = parse_game(&format!("{BOTH}\n(1T2)d5 4. e4"), &lookup).unwrap_err();
        assert_eq!(
            error.to_string(),
            "action 6: 3b (1T2)d5: the action is not complete, (0T2) must still be played"
        );
        assert_eq!((error.action.unwrap().index, error.line), (5, 2));
        assert_eq!(
            fault(&format!("{BOTH} d5")),
            "action 6: 3b d5: ambiguous: (0T2)d7d5 or (1T2)d7d5"
        );
        assert_eq!(read("1. e4 / e5 2. /").actions.len(), 2);
    }

    #[test]
    fn promotion_letters() {
        let start = "[Board \"Custom\"] [Promotions \"q, N\"] [4k/P4/5/5/4K:0:1:w] 1. ";
        assert_eq!(last(&format!("{start} a5")), "(0T1)a4a5Q");
        assert_eq!(last(&format!("{start} a5=N")), "(0T1)a4a5N");
        assert_eq!(last(&format!("{start} (0T1)a4a5N+")), "(0T1)a4a5N");
        let refused = "action 1: 1w a5=R: promotion to R is not allowed here";
        assert_eq!(fault(&format!("{start} a5=R")), refused);
        assert_eq!(
            fault(&format!("{start} Kd1=Q")),
            "action 1: 1w Kd1=Q: the move does not promote"
        );
        let knights = start.replace("q, N", "N");
        assert_eq!(
            fault(&format!("{knights} a5")),
            "action 1: 1w a5: a promotion letter is needed here"
        );
    }

    #[test]
    fn passes_make_the_same_board() {
        let game = read("[Board \"custom\"] [2k/3/K2:0:1:w] 1. (0T1)0000 / 0000 2. Ka2");
        assert!(is_pass(&game.actions[0][0]) && !is_pass(&game.actions[2][0]));
        let end = game.position();
        assert_eq!(end.board_at(0, 4).key(), end.board_at(0, 2).key());
        let full = "[Board \"custom\"] [pk/KP:0:1:w] 1. 0000";
        assert_eq!(
            fault(full),
            "action 1: 1w 0000: no square is vacant, so the board cannot be passed"
        );
    }

    #[test]
    fn the_start_comes_from_boards_or_names() {
        let blocks = "[2k/3/K2:0:7:w] [2k/3/K2:1:7:w]";
        for header in ["", "[board \"custom\"]", "[Board \"Nowhere\"]", "[Board \"Standard\"]"] {
            let game = read(&format!("{header} [size \"3x3\"] {blocks} 1. (0T7)Kb1"));
            assert_eq!((game.start.size().width, game.start.is_even()), (3, false), "{header}");
        }
        let even = "[k2/3/K2:-0:1:w] [k2/3/K2:+0:1:w] 1. (L-0)Kb1 (0T1)Kb2";
        assert_eq!(last(&format!("[Board \"Custom - Even\"] {even}")), "(-1T1)a1b1 (0T1)a1b2");
        assert!(read(&format!("[Timeline \"Even\"] {even}")).start.is_even());
        assert_eq!(read("[VARIANT \"standard\"] [Board \"Custom\"]").start.size().width, 8);
        assert_eq!(read("").header("Board"), None);
        let fault = |text: &str| fault(text);
        assert_eq!(fault("[Board \"Custom\"]"), "[Board \"Custom\"]: no boards are given");
        assert_eq!(
            fault("[Board \"Odd\"]"),
            "[Board \"Odd\"]: unknown variant, and no boards are given"
        );
        assert_eq!(fault("[Size \"9x9\"]"), "[Size \"9x9\"]: expected a size from 1x1 to 8x8");
        assert_eq!(fault("[Size \"5x5\"]"), "[Size \"5x5\"]: the boards have 8x8 squares");
        assert!(fault(&format!("[Size \"4x4\"] {blocks}")).ends_with("where 4x4 was expected"));
        assert!(fault(&format!("[Timeline \"odd\"] {even}")).ends_with("with an even start"));
        assert!(fault("[Timeline \"new\"] [k:0:1:w]").ends_with("expected odd or even"));
        assert!(fault("[Promotions \"K\"]").ends_with("expected pieces such as Q,R,B,N"));
    }

    #[test]
    fn refused_moves_say_why() {
        assert_eq!(fault("1. e4 / e5 2. e5"), "action 3: 2w e5: no pawn can go there");
        assert_eq!(fault("1. (1T1)e4"), "action 1: 1w (1T1)e4: there is no timeline 1");
        assert_eq!(
            fault("1. (0T2)e4"),
            "action 1: 1w (0T2)e4: the board to play on that timeline is (0T1)"
        );
        assert_eq!(
            fault("1. e4 (0T1)d4"),
            "action 1: 1w (0T1)d4: the latest board of timeline 0 is the opponent's"
        );
        assert_eq!(
            fault("1. (T2)e4"),
            "action 1: 1w (T2)e4: no such board can be played by the side to move"
        );
        assert_eq!(fault("1. O-O"), "action 1: 1w O-O: castling is not possible here");
        assert_eq!(fault("1. e2e5"), "action 1: 1w e2e5: no piece there can go there");
        assert_eq!(fault("1. e4 2. e5"), "action 2: 2w e5: it is Black's turn");
        assert_eq!(fault("1... e5"), "action 1: 1b e5: it is White's turn");
    }

    #[test]
    fn results_from_the_moves_or_the_header() {
        assert_eq!(read("[Result \"1-0\"] 1. e4 0-1").outcome, Outcome::BlackWins);
        assert_eq!(read("[result \"1/2-1/2\"] 1. e4").outcome, Outcome::Draw);
        assert_eq!(read("[Result \"stuck\"] 1. e4").outcome, Outcome::Unknown);
    }

    #[test]
    fn too_many_readings_are_refused_in_time() {
        let boards: Vec<String> = (-9..=9).map(|line| format!("[4/4/N3/K3:{line}:1:w]")).collect();
        let text = format!("{} 1. {}", boards.join(" "), "Nb4 ".repeat(19));
        assert_eq!(fault(&text), "action 1: 1w Nb4: too many readings; write the boards");
    }
}
