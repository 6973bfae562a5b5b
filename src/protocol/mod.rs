//! The text protocol: UCI and 5DUCI, and the terminal commands beside them.
//!
//! [`server`] owns the state and answers line by line; [`words`] reads a line into a command and
//! decides nothing; [`output`] is the one writer; [`commands`] prints what scripts parse. Nothing
//! here may panic, whatever is read, and no rule of the game is decided here.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod bench;
mod commands;
mod info;
mod output;
mod picture;
mod records;
mod running;
mod server;
mod words;

pub use output::Output;
pub use server::{Failure, run_command, serve};
