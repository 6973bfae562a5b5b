//! `bench`: a fixed search whose node count is the engine's signature.
//!
//! The count says whether a change altered behaviour: one thread, fixed depths, an empty table
//! for each position. It is the same on every run and machine.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::output::Output;
use crate::search::{Limits, Settings, Silent, Table, run as search};
use crate::session::{Game, Options, parse_position};

/// Positions, in the words of `position`, and the depth each is searched to.
const POSITIONS: [(&str, i64); 8] = [
    ("startpos", 7),
    ("variant Standard", 7),
    ("variant Very Small - Open", 8),
    ("variant Small", 7),
    ("variant Standard - Two Timelines", 4),
    ("variant Misc - Timeline Invasion", 4),
    ("variant Focused - Just Brawns", 7),
    ("startpos moves (0T1)g1f3 submit (0T1)g8f6 submit (0T2)f3(0T1)f5 submit (1T1)g8f6 submit", 4),
];

/// Searches every position and prints the signature as the last line: `N nodes M nps`.
pub fn run(output: &Output) {
    let options = Options::default();
    let start = Instant::now();
    let mut nodes = 0;
    for (position, depth) in POSITIONS {
        let words: Vec<&str> = position.split_whitespace().collect();
        let game: Option<Game> = parse_position(&words, &options).ok().map(|(game, _)| game);
        let Some(game) = game else {
            output.error(&format!("bench position cannot be read: {position}"));
            continue;
        };
        let settings = Settings {
            analyse: true,
            ..Settings::new(Limits { depth: Some(depth), ..Limits::default() })
        };
        let mut table = Table::new(16).unwrap_or_default();
        let stop = AtomicBool::new(false);
        let outcomes = search(game.multiverse(), &settings, &mut table, &stop, &mut Silent);
        output.line(&format!("{} nodes: depth {depth} of {position}", outcomes.nodes));
        nodes += outcomes.nodes;
    }
    let nps =
        (u128::from(nodes) * 1_000_000_000).checked_div(start.elapsed().as_nanos()).unwrap_or(0);
    output.line(&format!("{nodes} nodes {nps} nps"));
}
