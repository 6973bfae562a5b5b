//! The grammar of one written move: `(0T2)Ng1>>x(0T1)f3+`, `exd6`, `O-O`, `a8=Q`.
//!
//! Syntax only; what a text means is decided by the resolver.

use super::super::parse_square;
use crate::board::{PieceKind, Square};

/// A timeline as written, before it is known whether the start is even.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineText {
    negative: bool,
    number: i32,
}

impl LineText {
    /// The number in the protocol (R31): with an even start `0` reads as `+0` and `-0` is -1.
    pub fn line(self, even: bool) -> i32 {
        match (self.negative, even) {
            (false, _) => self.number,
            (true, false) => self.number.saturating_neg(),
            (true, true) => self.number.saturating_neg().saturating_sub(1),
        }
    }
}

/// A board as written: `(0T1)`, `(L-1T5)`, `(+0T3)`, and with only one of the two `(L-1)`, `(T5)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardText {
    /// The timeline, if written.
    pub line: Option<LineText>,
    /// The turn, if written.
    pub turn: Option<i32>,
}

/// What stands before `rest`, the end of `text`. Compares no letters, so it costs nothing on long
/// texts.
pub fn before<'a>(text: &'a str, rest: &str) -> &'a str {
    text.get(..text.len().saturating_sub(rest.len())).unwrap_or_default()
}

/// Reads a number with its sign off the front: whether a minus stands there, and the digits.
fn parse_signed(text: &str) -> Option<(bool, i32, &str)> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let rest = digits.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let number = before(digits, rest).parse().ok()?;
    Some((text.starts_with('-'), number, rest))
}

impl BoardText {
    /// Reads a board off the front of the text.
    pub fn parse(text: &str) -> Option<(BoardText, &str)> {
        let mut board = BoardText { line: None, turn: None };
        let mut rest = text.strip_prefix('(')?;
        let named = rest.strip_prefix(['L', 'l']);
        rest = named.unwrap_or(rest);
        if let Some((negative, number, after)) = parse_signed(rest) {
            board.line = Some(LineText { negative, number });
            rest = after;
        } else if named.is_some() {
            return None;
        }
        if let Some(turn) = rest.strip_prefix(['T', 't']) {
            let (negative, number, after) = parse_signed(turn)?;
            board.turn = Some(if negative { number.saturating_neg() } else { number });
            rest = after;
        }
        // A number alone could be anything.
        let clear = named.is_some() || board.turn.is_some();
        rest.strip_prefix(')').filter(|_| clear).map(|rest| (board, rest))
    }
}

/// The mark between the squares of a move that leaves its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JumpMark {
    /// `>`
    Hop,
    /// `>>`
    Branch,
}

/// What a move does, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `0000`
    Pass,
    /// `O-O` towards the higher files, `O-O-O` towards the lower ones.
    Castling {
        /// Files that the king crosses, with the direction.
        files: i32,
    },
    /// Anything else.
    Piece(PieceText),
}

/// A move of a piece, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceText {
    /// The piece, if written.
    pub kind: Option<PieceKind>,
    /// The file left, if written.
    pub file: Option<u8>,
    /// The rank left, if written.
    pub rank: Option<u8>,
    /// `>` or `>>`, if written.
    pub jump: Option<JumpMark>,
    /// Whether `x` is written.
    pub capture: bool,
    /// The board entered, if written.
    pub board: Option<BoardText>,
    /// The square entered.
    pub to: Square,
    /// The promotion letter, if written.
    pub promotion: Option<PieceKind>,
}

/// One written move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveText {
    /// The board left, if written.
    pub board: Option<BoardText>,
    /// What it does there.
    pub shape: Shape,
}

/// Marks that say nothing about which move is meant; `=` and `~` are offers and time travel.
pub const MARKS: [char; 7] = ['!', '?', '+', '#', '*', '~', '='];

impl MoveText {
    /// Reads a whole token.
    pub fn parse(token: &str) -> Option<MoveText> {
        let (board, text) = match BoardText::parse(token) {
            Some((board, rest)) => (Some(board), rest.trim_start()),
            None => (None, token),
        };
        let text = text.trim_end_matches(MARKS);
        let shape = match text {
            "0000" => Shape::Pass,
            "O-O" | "0-0" | "o-o" => Shape::Castling { files: 2 },
            "O-O-O" | "0-0-0" | "o-o-o" => Shape::Castling { files: -2 },
            _ => Shape::Piece(PieceText::parse(text)?),
        };
        Some(MoveText { board, shape })
    }
}

/// Takes one character that `read` accepts off the front.
fn take<'a, T>(text: &mut &'a str, read: impl Fn(char) -> Option<T>) -> Option<T> {
    let mut rest: std::str::Chars<'a> = text.chars();
    let value = rest.next().and_then(read)?;
    *text = rest.as_str();
    Some(value)
}

/// The index of a character in a range of eight.
fn index_from(first: u8, letter: char) -> Option<u8> {
    u8::try_from(letter).ok()?.checked_sub(first).filter(|&index| index < 8)
}

impl PieceText {
    fn parse(text: &str) -> Option<PieceText> {
        let mut rest = text;
        let kind = take(&mut rest, PieceKind::from_letter);
        let mut file = take(&mut rest, |letter| index_from(b'a', letter));
        let mut rank = take(&mut rest, |letter| index_from(b'1', letter));
        let (mut jump, mut capture, mut board) = (None, false, None);
        loop {
            if let Some(after) = rest.strip_prefix('>').filter(|_| jump.is_none()) {
                let branch = after.strip_prefix('>');
                jump = Some(if branch.is_some() { JumpMark::Branch } else { JumpMark::Hop });
                rest = branch.unwrap_or(after);
            } else if let Some(after) = rest.strip_prefix('x') {
                capture = true;
                rest = after;
            } else if let Some((found, after)) = BoardText::parse(rest) {
                // Some write the board twice, before the capture and after it.
                if board.is_some_and(|other| other != found) {
                    return None;
                }
                board = Some(found);
                rest = after;
            } else {
                break;
            }
        }
        let joined = jump.is_some() || capture || board.is_some();
        let to = match parse_square(rest) {
            Some((square, after)) => {
                rest = after;
                square
            }
            // What looked like the square left was the one entered.
            None if !joined => Square::new(file.take()?, rank.take()?),
            None => return None,
        };
        let promotion = match rest.strip_prefix('=').unwrap_or(rest) {
            "" => None,
            letter => {
                let mut letter = letter;
                let kind = take(&mut letter, PieceKind::from_letter)?;
                if !letter.is_empty() {
                    return None;
                }
                Some(kind)
            }
        };
        Some(PieceText { kind, file, rank, jump, capture, board, to, promotion })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    fn piece(token: &str) -> PieceText {
        match MoveText::parse(token).unwrap().shape {
            Shape::Piece(piece) => piece,
            other => panic!("{token}: {other:?}"),
        }
    }

    #[test]
    fn boards_in_every_spelling() {
        let lines = |text: &str| {
            let (board, rest) = BoardText::parse(text).unwrap();
            assert_eq!(rest, "e4");
            let line = board.line.map(|line| (line.line(false), line.line(true)));
            (line, board.turn)
        };
        assert_eq!(lines("(0T1)e4"), (Some((0, 0)), Some(1)));
        assert_eq!(lines("(+0T1)e4"), (Some((0, 0)), Some(1)));
        assert_eq!(lines("(-0T1)e4"), (Some((0, -1)), Some(1)));
        assert_eq!(lines("(L-2T-3)e4"), (Some((-2, -3)), Some(-3)));
        assert_eq!(lines("(L+2)e4"), (Some((2, 2)), None));
        assert_eq!(lines("(T7)e4"), (None, Some(7)));
        for text in ["", "(", "()", "(0)", "(L)", "(LT1)", "(0T)", "(0T1", "(~T1)", "(>L1)"] {
            assert_eq!(BoardText::parse(text), None, "{text}");
        }
        assert_eq!(BoardText::parse("(99999999999T1)"), None);
    }

    #[test]
    fn short_and_full_moves() {
        let knight = piece("Nbd7");
        assert_eq!(
            (knight.kind, knight.file, knight.rank),
            (Some(PieceKind::Knight), Some(1), None)
        );
        assert_eq!(knight.to.to_string(), "d7");
        assert_eq!((piece("R5g2").file, piece("R5g2").rank), (None, Some(4)));
        assert_eq!((piece("K1h1").rank, piece("K1h1").to.to_string()), (Some(0), "h1".into()));
        assert_eq!((piece("Nf3").file, piece("Nf3").to.to_string()), (None, "f3".into()));
        assert_eq!((piece("e2e4").file, piece("e2e4").rank), (Some(4), Some(1)));
        assert!(piece("exf6").capture);
        assert_eq!(piece("b7xc8=Q").promotion, Some(PieceKind::Queen));
        assert_eq!(piece("a8N+").promotion, Some(PieceKind::Knight));
        assert_eq!(piece("a8=").promotion, None);
        let jump = piece("(0T6)Qg5>>x(0T4)g3+~");
        assert_eq!((jump.jump, jump.capture), (Some(JumpMark::Branch), true));
        assert_eq!(jump.board.unwrap().turn, Some(4));
        assert_eq!(piece("Q>>xf7+~").board, None);
        assert_eq!(piece("(0T1)Ng1>>(0T1)x(0T1)f3").board, piece("Ng1>>x(0T1)f3").board);
        assert_eq!(piece("B>x(1T9)d2").jump, Some(JumpMark::Hop));
        assert_eq!(piece("g>>xg2").file, Some(6));
        assert_eq!(piece("(0T1)Pe2(0T1)e3!?").jump, None);
        assert_eq!(MoveText::parse("(0T4)O-O-O+").unwrap().shape, Shape::Castling { files: -2 });
        assert_eq!(MoveText::parse("0-0").unwrap().shape, Shape::Castling { files: 2 });
        assert_eq!(MoveText::parse("(-2T1)0000").unwrap().shape, Shape::Pass);
    }

    #[test]
    fn malformed_moves_are_refused() {
        for token in [
            "",
            "(0T1)",
            "N",
            "e",
            "4",
            "e9",
            "i4",
            "BRa1",
            "Nf3f",
            "e4QQ",
            "exx",
            "x",
            ">>",
            "é4",
            "e2(0T1)(1T1)e3",
            "e2e4e5",
            "0-0-0-0",
            "00",
            "e2>>>e4",
            "(0T1",
            "e4=q",
        ] {
            assert_eq!(MoveText::parse(token), None, "{token}");
        }
    }
}
