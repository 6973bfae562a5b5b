//! The rulings one by one: every ruling of the rules has tests named after it, `r7_…`, on small
//! positions made by hand.

#[path = "../common/mod.rs"]
mod common;

mod actions;
mod boards;
mod castling;
mod endings;
mod notation;
mod pawns;
mod pieces;
mod time;
