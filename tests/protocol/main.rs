//! The protocol as others meet it: the built binary, driven through pipes.
//!
//! Nothing here looks inside the program. Upper bounds of time are generous, since machines are
//! busy: [`engine::PATIENCE`] says when a program counts as hung. Where speed itself is promised,
//! the best of several tries has to keep the promise.

mod arguments;
mod commands;
mod engine;
mod files;
mod handshake;
mod input;
mod memory;
mod options;
mod positions;
mod search;
mod states;
mod transcripts;
