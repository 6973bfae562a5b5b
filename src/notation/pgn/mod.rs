//! Game records: reading and writing 5DPGN.
//!
//! Three steps: the syntax cuts a text into headers, boards and the written moves of each action
//! without knowing any position; the reader resolves each written move among the pseudo-legal
//! ones; the writer puts a game into one full, unambiguous dialect. It decides no rule and knows
//! no table of variants: the caller hands in a look-up by name.
//!
//! # What a written move may leave out
//!
//! A text fits a pseudo-legal move if nothing that is written contradicts it: board left, piece
//! (none: a pawn; with the whole square left given: any), file and rank left, board and square
//! entered, promotion (none: the queen). Without a board entered and without `>` the move stays
//! on its board; with `>` or `>>` it leaves it. Castling may be written `O-O`, `O-O-O` (towards
//! the higher and the lower files) or as the king's move. Then, in this order:
//!
//! 1. `>` (a hop), `>>` (a branch) and `x` (a capture) narrow the choice where that leaves
//!    something, and are passed over where they contradict all that fits: they say nothing that
//!    the squares and the order of the moves do not say, and people get them wrong. That `x` is
//!    missing says nothing.
//! 2. Where several moves fit, all readings of the whole action are looked at. Those after which
//!    the action can be submitted beat the others: so a text without a board means the board that
//!    must still be played.
//! 3. Among these, readings that leave no royal to be taken beat the others, as in ordinary
//!    algebraic notation.
//! 4. Readings that make the same multiverse are one (R23). If two different ones are left, the
//!    text is ambiguous and refused.
//!
//! Where only one move fits, nothing of this matters: an action that loses a royal is read as it
//! stands, for the caller to judge.
//!
//! # Passes
//!
//! The rules know no pass, but test records and analyses write `0000` for one. It is read as the
//! same board half a turn later, and stands in [`Game::actions`] as a "move" from a vacant square
//! to itself, which [`Multiverse::make_move`] turns into just that; see [`is_pass`]. A board
//! without a vacant square cannot be passed.

mod movetext;
mod reader;
mod resolve;
mod syntax;
mod writer;

use std::fmt;

pub use reader::parse_game;
pub use writer::{WriteOptions, write_game};

use super::ParseError;
use crate::board::Colour;
use crate::multiverse::{Move, Multiverse};

/// A game as recorded.
#[derive(Clone, Debug)]
pub struct Game {
    /// The headers in their order, as name and value.
    pub headers: Vec<(String, String)>,
    /// The position before the first action.
    pub start: Multiverse,
    /// The actions, each of which could be submitted as far as the present goes (R21); whether a
    /// royal can be taken afterwards is not looked at.
    pub actions: Vec<Vec<Move>>,
    /// Moves of a last action that could not be submitted yet.
    pub pending: Vec<Move>,
    /// How the game ended: from the end of the moves, or from the header.
    pub outcome: Outcome,
}

impl Game {
    /// A game that begins at `start`.
    pub fn new(start: Multiverse) -> Game {
        Game {
            headers: Vec::new(),
            start,
            actions: Vec::new(),
            pending: Vec::new(),
            outcome: Outcome::Unknown,
        }
    }

    /// The value of the first header of that name, in any case of letters.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The position after all actions and the pending moves.
    pub fn position(&self) -> Multiverse {
        let mut multiverse = self.start.clone();
        for action in &self.actions {
            for step in action {
                multiverse.make_move(step);
            }
            multiverse.set_side(!multiverse.side());
        }
        for step in &self.pending {
            multiverse.make_move(step);
        }
        multiverse
    }
}

/// How a recorded game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`, or nothing that can be read.
    #[default]
    Unknown,
}

impl Outcome {
    /// The text of records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Outcome::WhiteWins => "1-0",
            Outcome::BlackWins => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::Unknown => "*",
        }
    }

    /// Reads one of the four texts.
    pub fn parse(text: &str) -> Option<Outcome> {
        [Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw, Outcome::Unknown]
            .into_iter()
            .find(|outcome| outcome.as_str() == text)
    }
}

/// Whether an entry of [`Game::actions`] is a pass and no move of a piece.
pub fn is_pass(step: &Move) -> bool {
    step.is_physical() && step.from_square == step.to_square
}

/// Which action an error is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionName {
    /// The number that the record gives it; White's and Black's action share it.
    pub number: u32,
    /// Whose action it is.
    pub side: Colour,
    /// How many actions were read before it.
    pub index: usize,
}

impl fmt::Display for ActionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number, self.side.letter())
    }
}

/// Why a record was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnError {
    /// The action at fault; `None` before the moves.
    pub action: Option<ActionName>,
    /// The line of the text, from 1.
    pub line: usize,
    /// The token, and what was expected in its place.
    pub cause: ParseError,
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.action {
            Some(action) => {
                write!(f, "action {}: {action} {}", action.index.saturating_add(1), self.cause)
            }
            None => write!(f, "{}", self.cause),
        }
    }
}

impl std::error::Error for PgnError {}
