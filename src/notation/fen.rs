//! 5DFEN: boards as `[ranks:timeline:turn:colour]` (R30).

use std::collections::BTreeMap;
use std::fmt::Write;

use super::ParseError;
use crate::board::{Board, Colour, Piece, PieceKind, Size, Square};
use crate::multiverse::{MAX_LINE, MAX_SPAN, MAX_TURN, Multiverse, Place};

/// A timeline as written, before it is known whether the start is even.
#[derive(Clone, Copy)]
struct LineText {
    negative: bool,
    /// `+0` and `-0` exist only with an even start.
    signed_zero: bool,
    number: i32,
}

impl LineText {
    fn parse(text: &str) -> Option<LineText> {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let number = digits.parse().ok()?;
        let signed = digits.len() != text.len();
        Some(LineText {
            negative: text.starts_with('-'),
            signed_zero: signed && number == 0,
            number,
        })
    }

    /// The number in the protocol (R31).
    fn line(self, even: bool) -> i32 {
        match (self.negative, even) {
            (false, _) => self.number,
            (true, false) => self.number.saturating_neg(),
            (true, true) => self.number.saturating_neg().saturating_sub(1),
        }
    }
}

struct Block<'a> {
    text: &'a str,
    ranks: &'a str,
    line: LineText,
    half_turn: i32,
}

fn parse_block(text: &str) -> Result<Block<'_>, ParseError> {
    let error = |expected: &str| ParseError::new(text, expected);
    let mut fields = text.split(':').map(str::trim);
    let (Some(ranks), Some(line), Some(turn), Some(colour), None) =
        (fields.next(), fields.next(), fields.next(), fields.next(), fields.next())
    else {
        return Err(error("expected [ranks:timeline:turn:w|b]"));
    };
    let line = LineText::parse(line).ok_or_else(|| error("expected a timeline number"))?;
    if line.number > MAX_LINE {
        return Err(error(&format!("timelines beyond {MAX_LINE} are not supported")));
    }
    let turn: i32 = turn.parse().map_err(|_| error("expected a turn number"))?;
    if turn.saturating_abs() > MAX_TURN {
        return Err(error(&format!("turns beyond {MAX_TURN} are not supported")));
    }
    let black = match colour {
        "w" | "W" => 0,
        "b" | "B" => 1,
        _ => return Err(error("expected the colour w or b")),
    };
    let half_turn = turn.saturating_mul(2).saturating_add(black);
    Ok(Block { text, ranks, line, half_turn })
}

/// The pieces of one rank, `None` for empty squares.
fn parse_rank(text: &str) -> Result<Vec<Option<Piece>>, &'static str> {
    let mut squares: Vec<Option<Piece>> = Vec::with_capacity(8);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if let Some(digit) = letter.to_digit(10) {
            let mut run = digit;
            while let Some(digit) = letters.peek().and_then(|next| next.to_digit(10)) {
                run = run.saturating_mul(10).saturating_add(digit);
                letters.next();
            }
            if !(1..=8).contains(&run) {
                return Err("expected runs of 1 to 8 empty squares");
            }
            squares.extend((0..run).map(|_| None));
        } else {
            let kind = PieceKind::from_letter(letter.to_ascii_uppercase())
                .ok_or("expected pieces among PWKCQYSNRBUD, digits, * and /")?;
            let colour = if letter.is_ascii_uppercase() { Colour::White } else { Colour::Black };
            let unmoved = letters.next_if_eq(&'*').is_some();
            if unmoved && !kind.keeps_unmoved_mark() {
                return Err("the mark * belongs to P, W, K and R only");
            }
            squares.push(Some(Piece { kind, colour, unmoved }));
        }
        if squares.len() > 8 {
            return Err("ranks have at most 8 squares");
        }
    }
    Ok(squares)
}

fn parse_board(block: &Block<'_>, size: &mut Option<Size>) -> Result<Board, ParseError> {
    let error = |expected: &str| ParseError::new(block.text, expected);
    let mut ranks = Vec::with_capacity(8);
    for rank in block.ranks.split('/') {
        if ranks.len() == 8 {
            return Err(error("boards have at most 8 ranks"));
        }
        ranks.push(parse_rank(rank).map_err(error)?);
    }
    let width = ranks.first().map_or(0, Vec::len);
    if ranks.iter().any(|rank| rank.len() != width) {
        return Err(error("ranks of unequal length"));
    }
    let found = Size::new(width as u8, ranks.len() as u8)
        .ok_or_else(|| error("expected a board of 1x1 to 8x8 squares"))?;
    let size = *size.get_or_insert(found);
    if found != size {
        return Err(error(&format!("a board of {found} where {size} was expected")));
    }
    let mut board = Board::empty(size);
    for (rank, squares) in ranks.iter().rev().enumerate() {
        for (file, piece) in squares.iter().enumerate() {
            if let Some(piece) = piece {
                board.put(Square::new(file as u8, rank as u8), *piece);
            }
        }
    }
    Ok(board)
}

/// The text between each pair of brackets.
fn split_blocks(text: &str) -> Result<Vec<&str>, ParseError> {
    let mut blocks = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let Some(open) = rest.strip_prefix('[') else {
            let token = rest.split_whitespace().next().unwrap_or(rest);
            return Err(ParseError::new(token, "expected a block [ranks:timeline:turn:w|b]"));
        };
        let Some((block, after)) = open.split_once(']') else {
            return Err(ParseError::new(rest, "the block is not closed by ]"));
        };
        blocks.push(block);
        rest = after.trim_start();
    }
    Ok(blocks)
}

/// Reads a position from its blocks. Size and parity follow from the blocks where they are not
/// given; the side to move follows from the present (R30). A board has an en passant right
/// exactly if the board half a turn earlier is given too and the two differ by one double step
/// (R7).
///
/// # Errors
/// The block that is wrong, and why: syntax, a contradiction with the given size or parity, a
/// board given twice, timelines with a gap between them (R14), or a documented limit.
pub fn parse_fen(
    text: &str,
    size: Option<Size>,
    even: Option<bool>,
) -> Result<Multiverse, ParseError> {
    let blocks: Vec<Block<'_>> =
        split_blocks(text)?.into_iter().map(parse_block).collect::<Result<_, _>>()?;
    let Some(first) = blocks.first() else {
        return Err(ParseError::new("fen", "expected at least one block"));
    };
    let signed_zero = blocks.iter().find(|block| block.line.signed_zero);
    if let (Some(false), Some(block)) = (even, signed_zero) {
        return Err(ParseError::new(block.text, "+0 and -0 exist only with an even start"));
    }
    let even = even.unwrap_or(signed_zero.is_some());
    let mut size = size;
    let mut boards: BTreeMap<Place, Board> = BTreeMap::new();
    for block in &blocks {
        let board = parse_board(block, &mut size)?;
        let place = Place { line: block.line.line(even), half_turn: block.half_turn };
        if boards.insert(place, board).is_some() {
            return Err(ParseError::new(block.text, "the board is given twice"));
        }
    }
    let size = size.ok_or_else(|| ParseError::new(first.text, "expected a board"))?;
    let mut multiverse = Multiverse::new(size, even);
    check_lines(&multiverse, &boards)?;
    let mut timelines: BTreeMap<i32, Vec<(i32, Board)>> = BTreeMap::new();
    for (place, board) in &boards {
        let before = Place { half_turn: place.half_turn.saturating_sub(1), ..*place };
        let board = boards.get(&before).map_or(*board, |before_board| {
            with_en_passant_right(before_board, before.colour(), *board)
        });
        timelines.entry(place.line).or_default().push((place.half_turn, board));
    }
    for (line, boards) in timelines {
        multiverse.found_timeline(line, &boards);
    }
    multiverse.set_side(Colour::of_half_turn(multiverse.present()));
    Ok(multiverse)
}

fn check_lines(empty: &Multiverse, boards: &BTreeMap<Place, Board>) -> Result<(), ParseError> {
    let mut spans: BTreeMap<i32, (i32, i32)> = BTreeMap::new();
    for place in boards.keys() {
        let span = spans.entry(place.line).or_insert((place.half_turn, place.half_turn));
        *span = (span.0.min(place.half_turn), span.1.max(place.half_turn));
    }
    let name = |line: i32| format!("timeline {}", empty.line_name(line));
    for original in empty.lowest_original()..=0 {
        if !spans.contains_key(&original) {
            return Err(ParseError::new(name(original), "the original timeline is missing"));
        }
    }
    let lowest = spans.keys().next().copied().unwrap_or(0);
    let highest = spans.keys().next_back().copied().unwrap_or(0);
    if let Some(gap) = (lowest..=highest).find(|line| !spans.contains_key(line)) {
        return Err(ParseError::new(name(gap), "timelines must be numbered without a gap"));
    }
    let places = spans.values().fold(0usize, |sum, (first, last)| {
        sum.saturating_add(first.abs_diff(*last) as usize).saturating_add(1)
    });
    if places > MAX_SPAN {
        let limit = format!("timelines that span over {MAX_SPAN} half-turns are not supported");
        return Err(ParseError::new("fen", limit));
    }
    Ok(())
}

/// `board`, with the right that it has if it comes from `before` by one double step.
fn with_en_passant_right(before: &Board, mover: Colour, board: Board) -> Board {
    let stepped = before.pieces().find_map(|(from, piece)| {
        if piece.colour != mover || !piece.unmoved || !piece.kind.is_pawn_like() {
            return None;
        }
        let to = from.offset(0, mover.forward().saturating_mul(2))?;
        if before.reach(from, mover) & to.bit() == 0 {
            return None;
        }
        let after = before.moved(from, to, None);
        (after.en_passant().is_some() && after.passed() == board).then_some(after)
    });
    stepped.unwrap_or(board)
}

/// The ranks of a board, from the top, as a block holds them.
pub fn write_board(board: &Board) -> String {
    let size = board.size();
    let mut text = String::with_capacity(72);
    for rank in (0..size.height).rev() {
        let mut run = 0u8;
        for file in 0..size.width {
            let Some(piece) = board.piece_at(Square::new(file, rank)) else {
                run = run.saturating_add(1);
                continue;
            };
            if run > 0 {
                let _ = write!(text, "{run}");
                run = 0;
            }
            text.push(piece.letter());
            if piece.unmoved {
                text.push('*');
            }
        }
        if run > 0 {
            let _ = write!(text, "{run}");
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

/// All boards as 5DFEN in one line, by timeline, then by time.
pub fn write_fen(multiverse: &Multiverse) -> String {
    let mut text = String::new();
    for (place, board) in multiverse.boards() {
        let separator = if text.is_empty() { "" } else { " " };
        let name = multiverse.line_name(place.line);
        let (turn, colour) = (place.turn(), place.colour().letter());
        let _ = write!(text, "{separator}[{}:{name}:{turn}:{colour}]", write_board(board));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(text: &str) {
        let multiverse = parse_fen(text, None, None).unwrap();
        multiverse.audit().unwrap();
        assert_eq!(write_fen(&multiverse), text);
    }

    #[test]
    fn writing_what_was_read_is_identity() {
        round_trip("[nbrk/3p*/P*3/KRBN:0:1:w]");
        round_trip("[2k*/3/K*2:-0:1:w] [2k*/3/K*2:+0:1:w]");
        round_trip("[2k/3/K2:-1:-3:b] [2k/3/K2:0:-3:b] [2k/3/K2:0:7:w] [2k/3/K2:1:0:w]");
    }

    #[test]
    fn en_passant_rights_come_from_two_boards() {
        let text = "[4k3/8/8/8/3p4/8/4P*3/4K3:0:1:w] [4k3/8/8/8/3pP3/8/8/4K3:0:1:b]";
        let multiverse = parse_fen(text, None, None).unwrap();
        assert_eq!(multiverse.board_at(0, 3).en_passant(), Some(Square::new(4, 2)));
        let late = parse_fen("[4k3/8/8/8/3pP3/8/8/4K3:0:1:b]", None, None).unwrap();
        assert_eq!(late.board_at(0, 3).en_passant(), None);
        // An unmoved pawn whose double step would leave the board.
        let edge = parse_fen("[2k/P*2/K2:0:1:w] [2k/P*2/K2:0:1:b]", None, None).unwrap();
        assert_eq!(edge.board_at(0, 3).en_passant(), None);
    }

    #[test]
    fn faults_are_named() {
        let fault = |text: &str| parse_fen(text, None, None).unwrap_err().expected;
        assert_eq!(fault(""), "expected at least one block");
        assert_eq!(fault("[2k/3/K2:0:1:w"), "the block is not closed by ]");
        assert_eq!(fault("x"), "expected a block [ranks:timeline:turn:w|b]");
        assert_eq!(fault("[2k/3/K2:0:1]"), "expected [ranks:timeline:turn:w|b]");
        assert_eq!(fault("[2k/3/K2:0:1:x]"), "expected the colour w or b");
        assert_eq!(fault("[2k/3/K2:a:1:w]"), "expected a timeline number");
        assert_eq!(fault("[2k/3/K2:0:z:w]"), "expected a turn number");
        assert_eq!(fault("[2k/3/K1:0:1:w]"), "ranks of unequal length");
        assert_eq!(fault("[2k/3/K9:0:1:w]"), "expected runs of 1 to 8 empty squares");
        assert_eq!(fault("[2k/3/N*2:0:1:w]"), "the mark * belongs to P, W, K and R only");
        assert_eq!(fault("[2k/3/K2:0:1:w] [2k/3/K2:0:1:w]"), "the board is given twice");
        assert_eq!(
            fault("[2k/3/K2:0:1:w] [2k/3/K2:2:1:w]"),
            "timelines must be numbered without a gap"
        );
        assert_eq!(fault("[2k/3/K2:1:1:w]"), "the original timeline is missing");
        assert_eq!(fault("[2k/3/K2:+0:1:w]"), "the original timeline is missing");
        assert_eq!(
            fault("[2k/3/K2:0:1:w] [4/4/4/4:1:1:w]"),
            "a board of 4x4 where 3x3 was expected"
        );
        assert_eq!(fault("[k:0:1:w] [k:0:9999999:w]"), "turns beyond 1000000 are not supported");
    }
}
