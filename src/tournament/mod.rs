//! Matches between engines: `lightcone match`.
//!
//! A user of the library beside the protocol: what is legal, and when a game is over, is asked of
//! the layers below, and there is no second rule book here. From the bottom up: [`process`] is one
//! running program, [`engine`] speaks to it, [`clock`] bounds its thinking, [`openings`] says
//! where a game starts, [`referee`] plays one, [`schedule`] plays many, [`statistics`], [`sprt`]
//! and [`standings`] say what they prove, [`records`] and [`output`] keep them, [`settings`] and
//! [`command`] are the command line. Whatever an engine does, nothing here may panic.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod clock;
mod command;
pub(crate) mod engine;
pub(crate) mod openings;
mod output;
mod process;
mod records;
pub(crate) mod referee;
pub(crate) mod schedule;
pub(crate) mod settings;
mod sprt;
mod standings;
mod statistics;

pub use command::{main, run_command};
