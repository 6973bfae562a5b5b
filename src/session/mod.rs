//! A game in progress and the settings it is played under: what the protocol talks about.
//!
//! Knows the rules and the search, and the words of `position` and `setoption`; prints nothing.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod game;
mod options;
mod position;

pub use game::{Game, SubmitError};
pub use options::{Change, Kind, Options, Setting, settings};
pub use position::{parse_action, parse_position};
