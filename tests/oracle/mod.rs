//! The oracle: a slow, obvious referee for 5D chess, against which the fast engine is tested.
//!
//! It owns its own reading of the rules (the rulings R1..R32 of the project's rules page, named
//! where they are implemented) and shares no code with the engine: it must never import it, or a
//! mistake made there could hide itself here. It favours clarity: every position is a full copy,
//! every question is answered by trying everything. Only the standard library is used.
//!
//! | file | owns |
//! |---|---|
//! | `board.rs` | pieces and one board |
//! | `position.rs` | the multiverse: boards by timeline and half-turn, activity, present |
//! | `moves.rs` | pseudo-legal moves, making a move, submitting |
//! | `actions.rs` | whole actions, check, status, result, perft, random play |
//! | `notation.rs` | 5DFEN and protocol moves, in and out |
//!
//! Timelines carry protocol numbers everywhere (R31): with an even start +n is n, −n is −(n + 1).

#![allow(
    dead_code,
    reason = "several test binaries include this module, and each uses only a part of it"
)]

pub mod actions;
pub mod board;
pub mod moves;
pub mod notation;
pub mod position;
