//! `lightcone match` as others meet it: the built binary, with engines that are small scripts of
//! the shell. Whatever an engine does, its game ends with the right result and reason, the match
//! goes on, and nothing is left running.

#![cfg(unix)]

#[path = "../common/folder.rs"]
mod folder;

mod faults;
mod runner;
mod whole;
