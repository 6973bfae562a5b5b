//! `go mate` against the obvious: every action of both sides in turn.

use std::sync::atomic::AtomicBool;

use lightcone::actions::{
    Action, GameResult, Generator, Limit, Step, make_action, report, unmake_action,
};
use lightcone::board::{Colour, mix};
use lightcone::multiverse::Multiverse;
use lightcone::search::{Limits, Listener, MATE, Outcomes, Progress, Settings, Table, run};
use lightcone::variants;

/// Positions of the side that may be mated looked at for one answer.
const MOST_NODES: usize = 20_000;

/// Numbers by chance, the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 += 1;
        (mix(mix(self.0)) % most.max(1) as u64) as usize
    }
}

/// More actions than this are not looked through.
const MOST_ACTIONS: usize = 2_000;

/// Every legal action, unless there are too many.
fn actions(position: &mut Multiverse) -> Option<Vec<Action>> {
    let mut generator = Generator::new();
    generator.start(position);
    let mut actions = Vec::new();
    while actions.len() <= MOST_ACTIONS && generator.next(position, &Limit::NONE) == Step::Found {
        actions.push(generator.action());
    }
    generator.finish(position);
    (actions.len() <= MOST_ACTIONS).then_some(actions)
}

/// Whether the side to move mates in so many actions at most, unless that takes too long to tell.
fn mates_in(position: &mut Multiverse, most: usize, nodes: &mut usize) -> Option<bool> {
    let side = position.side();
    let actions = actions(position)?;
    if actions.is_empty() {
        // By exile, if at all.
        return Some(report(position, true, &Limit::NONE).result == GameResult::Win(side));
    }
    for action in actions {
        let made = make_action(position, &action);
        let mates = is_mated_in(position, most - 1, side, nodes);
        unmake_action(position, &action, &made);
        if mates? {
            return Some(true);
        }
    }
    Some(false)
}

/// Whether every answer lets `winner` mate in so many actions.
fn is_mated_in(
    position: &mut Multiverse,
    most: usize,
    winner: Colour,
    nodes: &mut usize,
) -> Option<bool> {
    *nodes = nodes.checked_sub(1)?;
    let answers = actions(position)?;
    if answers.is_empty() {
        let result = report(position, true, &Limit::NONE).result;
        return Some(result == GameResult::Win(winner));
    }
    for answer in answers {
        if most == 0 {
            return Some(false);
        }
        let made = make_action(position, &answer);
        let mates = mates_in(position, most, nodes);
        unmake_action(position, &answer, &made);
        if !mates? {
            return Some(false);
        }
    }
    Some(true)
}

/// Hears that there is no mate.
#[derive(Default)]
struct Ear {
    refuted: bool,
}

impl Listener for Ear {
    fn progress(&mut self, _: &Progress<'_>) {}
    fn current(&mut self, _: i32, _: &Action, _: usize) {}
    fn no_mate(&mut self, _: usize) {
        self.refuted = true;
    }
}

fn go_mate(position: &Multiverse, most: usize) -> (Outcomes, bool) {
    let settings = Settings::new(Limits { mate: Some(most as i64), ..Limits::default() });
    let mut ear = Ear::default();
    let outcomes =
        run(position, &settings, &mut Table::new(4).unwrap(), &AtomicBool::new(false), &mut ear);
    (outcomes, ear.refuted)
}

#[test]
fn a_mate_is_found_where_there_is_one_and_refuted_where_there_is_none() {
    let mut random = Random(5);
    let mut found = [0; 3];
    for name in ["Very Small - Open", "Very Small", "Misc - Timeline Battle 1"] {
        let Some(variant) = variants::find(name) else { continue };
        for _ in 0..60 {
            let mut position = variant.multiverse().unwrap();
            for _ in 0..random.below(14) {
                match actions(&mut position) {
                    Some(actions) if !actions.is_empty() => {
                        make_action(&mut position, &actions[random.below(actions.len())]);
                    }
                    _ => break,
                }
            }
            if actions(&mut position).is_none_or(|actions| actions.is_empty()) {
                continue;
            }
            let mut nodes = MOST_NODES;
            let mut mates = |most| mates_in(&mut position, most, &mut nodes);
            let shortest = match (mates(1), mates(2)) {
                (Some(true), _) => Some(1),
                (Some(false), Some(true)) => Some(2),
                (Some(false), Some(false)) => None,
                _ => continue,
            };
            let (outcomes, refuted) = go_mate(&position, 2);
            assert_eq!(refuted, shortest.is_none(), "{name}");
            if let Some(shortest) = shortest {
                assert_eq!(outcomes.score, MATE - (2 * shortest as i32 - 1), "{name}");
            }
            assert!(outcomes.best.is_some());
            found[shortest.unwrap_or(0)] += 1;
        }
    }
    assert!(found.iter().all(|&count| count >= 3), "{found:?}");
}
