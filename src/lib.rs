//! Lightcone: an engine for *5D Chess With Multiverse Time Travel*.
//!
//! The layers, from the bottom up; each knows only those below it:
//!
//! - [`board`]: one board and what a move does to it;
//! - [`multiverse`]: timelines, moves between boards, the present;
//! - [`actions`]: whole actions, legality, the end of the game;
//! - [`notation`]: 5DFEN, the protocol's moves, game records;
//! - [`variants`]: named start positions;
//! - [`evaluation`]: the static value of a position;
//! - [`search`]: the best action;
//! - [`session`]: a game in progress, options;
//! - [`protocol`]: lines in, lines out;
//! - [`tournament`]: matches between engines, beside the protocol;
//! - [`tuning`]: training games, the fit of the weights to them, SPSA, beside that.

pub mod actions;
pub mod board;
pub mod evaluation;
pub mod multiverse;
pub mod notation;
pub mod protocol;
pub mod search;
pub mod session;
pub mod tournament;
pub mod tuning;
pub mod variants;
