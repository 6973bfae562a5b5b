//! How weights are found: `lightcone selfplay`, `lightcone tune` and `lightcone spsa`.
//!
//! Beside the protocol, as [`crate::tournament`] is. From the bottom up: [`progress`] says how far
//! a long run has come; [`games`] is the text of a training game, [`selfplay`] plays one,
//! [`generate`] plays many and is the command; [`samples`] takes positions out of games, [`minimise`]
//! finds the least of a function, [`fit`] the weights that explain the samples best, [`table`]
//! writes them, and [`tune`] is the command. [`spsa`] tunes the parameters of the search, by games.
//! Whatever a file holds, nothing here may panic.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod fit;
pub mod games;
mod generate;
mod minimise;
mod progress;
pub mod samples;
mod selfplay;
mod spsa;
pub mod table;
mod tune;

pub use generate::main as selfplay_main;
pub use spsa::main as spsa_main;
pub use tune::main as tune_main;

use crate::tournament::openings::Start;
use crate::variants;

/// The start of a variant that an option names.
fn parse_variant(name: &str) -> Result<Start, String> {
    let variant = variants::find(name).ok_or("there is no such variant")?;
    let multiverse = variant.multiverse().map_err(|error| error.to_string())?;
    Ok(Start { name: variant.name.to_owned(), multiverse })
}

/// A number that an option gives.
fn parse_amount(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "expected a number that is not below 0".to_owned())
}
