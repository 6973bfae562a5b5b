//! Text in and out: 5DFEN, the protocol's moves, game records.
//!
//! Reads what people and programs write, so nothing here may panic, whatever the input. It knows
//! the multiverse and its moves; it decides no rule.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::unreachable,
    clippy::arithmetic_side_effects
)]

mod fen;
mod lan;
pub mod pgn;

pub use fen::{parse_fen, write_board, write_fen};
pub use lan::{MoveText, move_to_string, parse_move, parse_square};

use std::fmt;

/// Why a piece of text was refused: the token, and what was expected in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The token as it was read, cut to a readable length.
    pub token: String,
    /// What would have been right, or what is wrong with it.
    pub expected: String,
}

impl ParseError {
    /// An error about `token`.
    #[cold]
    pub fn new(token: impl AsRef<str>, expected: impl Into<String>) -> ParseError {
        const LONGEST: usize = 80;
        let mut shown: String = token.as_ref().chars().take(LONGEST).collect();
        if shown.len() < token.as_ref().len() {
            shown.push('…');
        }
        let token = shown.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
        ParseError { token, expected: expected.into() }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.token, self.expected)
    }
}

impl std::error::Error for ParseError {}
