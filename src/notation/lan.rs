//! Moves of the protocol: `(0T1)e2e4`, `(0T2)f3(0T1)f5`, `(0T7)a7a8Q` (R31, R32).

use std::fmt::Write;
use std::ops::ControlFlow;

use super::ParseError;
use crate::board::{PieceKind, Square};
use crate::multiverse::{Move, Multiverse, Place};

/// A move as written: syntax only, no position needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveText {
    /// Timeline and turn of the board left.
    pub from: (i32, i32),
    /// The square left.
    pub from_square: Square,
    /// Timeline and turn of the board entered, if written.
    pub to: Option<(i32, i32)>,
    /// The square entered.
    pub to_square: Square,
    /// The promotion letter, if written.
    pub promotion: Option<PieceKind>,
}

/// Reads `e4` off the front of the text.
pub fn parse_square(text: &str) -> Option<(Square, &str)> {
    let mut letters = text.chars();
    let file = letters.next().filter(|file| ('a'..='h').contains(file))?;
    let rank = letters.next().filter(|rank| ('1'..='8').contains(rank))?;
    let file = (file as u8).wrapping_sub(b'a');
    let rank = (rank as u8).wrapping_sub(b'1');
    Some((Square::new(file, rank), letters.as_str()))
}

/// Reads `(0T1)` off the front of the text.
fn parse_board(text: &str) -> Option<((i32, i32), &str)> {
    let (inside, rest) = text.strip_prefix('(')?.split_once(')')?;
    let (line, turn) = inside.split_once('T')?;
    Some(((line.parse().ok()?, turn.parse().ok()?), rest))
}

/// Reads a move.
///
/// # Errors
/// The token, and the form that was expected.
pub fn parse_move(token: &str) -> Result<MoveText, ParseError> {
    let parse = || {
        let (from, rest) = parse_board(token)?;
        let (from_square, rest) = parse_square(rest)?;
        let (to, rest) = match parse_board(rest) {
            Some((to, rest)) => (Some(to), rest),
            None => (None, rest),
        };
        let (to_square, rest) = parse_square(rest)?;
        let mut letters = rest.chars();
        let promotion = match letters.next() {
            None => None,
            Some(letter) => {
                let kind = PieceKind::from_letter(letter.to_ascii_uppercase())?;
                Some(kind).filter(|kind| kind.can_be_promoted_to())
            }
        };
        let well_formed = letters.next().is_none() && promotion.is_some() != rest.is_empty();
        well_formed.then_some(MoveText { from, from_square, to, to_square, promotion })
    };
    parse().ok_or_else(|| {
        ParseError::new(
            token,
            "expected a move such as (0T1)e2e4, (0T2)f3(0T1)f5 or (0T7)a7a8Q, or submit",
        )
    })
}

impl MoveText {
    /// The pseudo-legal move of the side to move that is meant. A missing promotion letter means
    /// the queen (R32); one on a move that does not promote is passed over, as other programs
    /// do.
    ///
    /// # Errors
    /// Why there is no such move.
    pub fn resolve(&self, multiverse: &Multiverse, token: &str) -> Result<Move, ParseError> {
        let error = |expected: String| ParseError::new(token, expected);
        let side = multiverse.side();
        let place = |(line, turn): (i32, i32)| Place {
            line,
            half_turn: turn.saturating_mul(2).saturating_add(side.index() as i32),
        };
        let from = place(self.from);
        let to = self.to.map_or(from, place);
        let board_name = |(line, turn): (i32, i32)| format!("({line}T{turn})");
        if multiverse.playable(from.line, side) != Some(from) {
            let name = board_name(self.from);
            return Err(error(match multiverse.latest(from.line) {
                None => format!("there is no timeline {}", from.line),
                Some(latest) if latest.half_turn < from.half_turn => {
                    format!("there is no board {name} for the side to move yet")
                }
                Some(latest) if latest.colour() != side => {
                    format!("the latest board of timeline {} is the opponent's", from.line)
                }
                Some(_) => format!("{name} is not the latest board of its timeline"),
            }));
        }
        let board = multiverse.board(from);
        let Some(piece) = board.piece_at(self.from_square) else {
            return Err(error(format!("no piece stands on {}", self.from_square)));
        };
        if piece.colour != side {
            return Err(error(format!(
                "the piece on {} belongs to the opponent",
                self.from_square
            )));
        }
        if !multiverse.board(to).is_present() {
            return Err(error(format!(
                "there is no board {} for the side to move",
                board_name(self.to.unwrap_or(self.from))
            )));
        }
        let wanted = self.promotion.unwrap_or(PieceKind::Queen);
        let mut reached = false;
        let found = multiverse.moves_from(from, |step| {
            let squares = (step.from_square, step.to, step.to_square)
                == (self.from_square, to, self.to_square);
            reached |= squares;
            if squares && step.promotion.is_none_or(|kind| kind == wanted) {
                ControlFlow::Break(step)
            } else {
                ControlFlow::Continue(())
            }
        });
        found.break_value().ok_or_else(|| {
            error(match (reached, self.promotion) {
                (true, Some(kind)) => {
                    format!("promotion to {} is not allowed here", kind.letter())
                }
                (true, None) => "a promotion letter is needed here".to_owned(),
                (false, _) => {
                    format!("{} on {} cannot move there", piece.kind.letter(), self.from_square)
                }
            })
        })
    }
}

/// The move in the protocol's form.
pub fn move_to_string(step: &Move) -> String {
    let mut text = String::with_capacity(24);
    let (from, to) = (step.from, step.to);
    let _ = write!(text, "({}T{}){}", from.line, from.turn(), step.from_square);
    if !step.is_physical() {
        let _ = write!(text, "({}T{})", to.line, to.turn());
    }
    let _ = write!(text, "{}", step.to_square);
    if let Some(kind) = step.promotion {
        text.push(kind.letter());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_fen;

    const START: &str = "[r*nbqk*bnr*/p*p*p*p*p*p*p*p*/8/8/8/8/P*P*P*P*P*P*P*P*/R*NBQK*BNR*:0:1:w]";

    #[test]
    fn every_pseudo_legal_move_reads_back() {
        let multiverse = parse_fen(START, None, None).unwrap();
        let moves = multiverse.pseudo_legal_moves();
        assert_eq!(moves.len(), 20);
        for step in moves {
            let text = move_to_string(&step);
            assert_eq!(parse_move(&text).unwrap().resolve(&multiverse, &text), Ok(step));
        }
    }

    #[test]
    fn malformed_moves_are_refused() {
        for token in [
            "",
            "e2e4",
            "(0T1)",
            "(0T1)e2",
            "(0T1)e2e9",
            "(0T1)e2e4QQ",
            "(0T1)e2e4K",
            "(T)e2e4",
            "(0T1)e2(0T1",
            "(99999999999T1)e2e4",
            "(0T1)é2e4",
            "submit",
        ] {
            assert!(parse_move(token).is_err(), "{token}");
        }
    }

    #[test]
    fn refused_moves_say_why() {
        let multiverse = parse_fen(START, None, None).unwrap();
        let why = |token: &str| {
            parse_move(token).unwrap().resolve(&multiverse, token).unwrap_err().expected
        };
        assert_eq!(why("(0T1)e2e5"), "P on e2 cannot move there");
        assert_eq!(why("(0T1)e4e5"), "no piece stands on e4");
        assert_eq!(why("(0T1)e7e5"), "the piece on e7 belongs to the opponent");
        assert_eq!(why("(1T1)e2e4"), "there is no timeline 1");
        assert_eq!(why("(0T2)e2e4"), "there is no board (0T2) for the side to move yet");
        assert_eq!(why("(0T1)e2(0T0)e3"), "there is no board (0T0) for the side to move");
    }
}
