//! How weights are found: `lightcone selfplay` and `lightcone tune`.
//!
//! Beside the protocol, as [`crate::tournament`] is. From the bottom up: [`progress`] says how far
//! a long run has come; [`games`] is the text of a training game, [`selfplay`] plays one,
//! [`generate`] plays many and is the command; [`samples`] takes positions out of games, [`minimise`]
//! finds the least of a function, [`fit`] the weights that explain the samples best, [`table`]
//! writes them, and [`tune`] is the command. Whatever a file holds, nothing here may panic.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod fit;
pub mod games;
mod generate;
mod minimise;
mod progress;
pub mod samples;
mod selfplay;
pub mod table;
mod tune;

pub use generate::main as selfplay_main;
pub use tune::main as tune_main;
