//! The engine against the slow referee on thousands of random positions: pseudo-legal moves, the
//! present, activity, check, status and result, and the legal actions, from the depth-first and
//! from the best-first generator, before an action and in the middle of one.
//!
//! Where the referee can list all actions the sets must be the same. Elsewhere each of the first
//! actions that the engine yields is judged by the referee, and actions that the referee draws
//! must be among the engine's.
//!
//! By default about two thousand positions of variants; 20,000 with the environment variable
//! `LIGHTCONE_LONG`, which takes hours. `LIGHTCONE_SEED` chooses others, and `LIGHTCONE_YIELDS`
//! how many actions of a walk are judged where the referee cannot list all: 200, or 10,000 in a
//! long run. 10,000 take about half a minute for each position.

#[path = "../common/slow.rs"]
mod bridge;
#[path = "../common/mod.rs"]
mod common;
#[path = "../oracle/mod.rs"]
mod oracle;

mod compare;
mod crafted;
mod interrupted;
mod partial;
mod random;
mod sample;
mod walks;
