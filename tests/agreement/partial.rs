//! Positions with too many actions for the slow referee to list: each of the first actions that a
//! walk yields is judged alone, and actions that the referee found at random must be contained.

use std::collections::HashSet;
use std::sync::Arc;

use lightcone::actions::{Generator, Limit, Step};
use lightcone::multiverse::{Move, Multiverse};

use crate::bridge::{fast_move, pick, slow_board, slow_move};
use crate::common;
use crate::oracle::actions::{Action, Actions, Added, Rng};
use crate::oracle::position::Position;
use crate::walks::{Best, Opinions, Walk};

/// How much is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Quota {
    /// The first actions of each walk.
    pub yields: usize,
    /// Actions of the referee.
    pub members: usize,
    /// Candidates that a walk may look at.
    pub work: u64,
    /// Sets of moves for the referee where both walks came to their end.
    pub last_try: usize,
}

impl Quota {
    /// The long one, or what `LIGHTCONE_YIELDS` asks for.
    pub fn of_this_run() -> Quota {
        let yields = std::env::var("LIGHTCONE_YIELDS").ok().and_then(|text| text.parse().ok());
        let yields: usize = yields.unwrap_or(if common::is_long() { 10_000 } else { 200 });
        Quota {
            yields,
            members: yields / 10,
            work: 20 * (yields as u64).max(1000),
            last_try: 1500.max(5 * yields),
        }
    }
}

/// Timelines that an action to be looked for opens: they can be numbered in many ways, each an
/// action, and the one that is wanted may come last.
const MOST_BRANCHES: usize = 5;

/// What came of it.
#[derive(Debug, Default)]
pub struct Partial {
    pub positions: usize,
    /// Actions judged legal and new.
    pub judged: usize,
    /// Actions of the referee found among the engine's.
    pub members: usize,
    /// Positions whose walks came to their end, with the same set of actions.
    pub whole: usize,
    /// Of those the ones where that is the referee's set, found by a last try of it.
    pub whole_by_referee: usize,
    /// Of those the ones without an action.
    pub empty: usize,
    /// Walks that came to their limit of work.
    pub stopped: usize,
}

/// The boards that the action made in the multiverse has added to those of the referee.
fn added(referee: &Position, multiverse: &Multiverse) -> Added {
    let mut added = Added::new();
    let mut boards = 0;
    for (place, board) in multiverse.boards() {
        boards += 1;
        let key = (place.line, place.half_turn);
        if !referee.boards.contains_key(&key) {
            added.insert(key, Arc::new(slow_board(board)));
        }
    }
    assert_eq!(boards, referee.boards.len() + added.len(), "a board has gone");
    added
}

/// Lets the referee play the moves of an action in their order and submit.
fn judge(referee: &Position, action: &[Move], name: &str) -> Added {
    let mut here = referee.clone();
    for step in action {
        let step = slow_move(step);
        assert!(here.is_pseudo_move(step), "{name}: {step} of {action:?} cannot be made");
        here = here.make(step);
    }
    assert!(here.can_submit(), "{name}: not legal: {action:?}");
    referee.added(&here)
}

/// What a walk yielded first.
struct Prefix {
    actions: HashSet<Added>,
    end: Step,
}

/// Judges the first actions of a walk one by one.
fn walk_prefix(
    multiverse: &mut Multiverse,
    referee: &Position,
    walk: &mut impl Walk,
    opinions: &mut Opinions,
    quota: Quota,
    name: &str,
) -> Prefix {
    let limit = Limit { work: Some(quota.work), ..Limit::NONE };
    let mut actions = HashSet::new();
    walk.start(multiverse, opinions);
    let mut end = Step::Found;
    while actions.len() < quota.yields {
        end = walk.step(multiverse, &limit);
        if end != Step::Found {
            break;
        }
        let action = walk.action();
        let after = judge(referee, &action, name);
        walk.make(multiverse);
        assert_eq!(added(referee, multiverse), after, "{name}: {action:?} is made wrongly");
        walk.unmake(multiverse);
        assert!(actions.insert(after), "{name}: comes twice: {action:?}, {opinions:?}");
    }
    walk.finish(multiverse);
    Prefix { actions, end }
}

/// Whether a walk over nothing but the moves of an action contains it: made of all these moves,
/// with the branches in the same order, or at last in any way.
fn contains(
    multiverse: &mut Multiverse,
    referee: &Position,
    walk: &mut impl Walk,
    opinions: &Opinions,
    action: &Action,
) -> bool {
    let only: Vec<Move> = action.moves.iter().map(|&step| fast_move(step)).collect();
    let opinions = Opinions { only: Some(only), ..opinions.clone() };
    let branches = branches_in_order(referee, action);
    let alike = |found: &[Move]| {
        let found_branches = found.iter().filter(|step| branches.contains(step));
        found.len() == action.moves.len() && found_branches.eq(&branches)
    };
    let wanted = referee.added(&action.after);
    finds(multiverse, referee, walk, &opinions, &wanted, alike)
        || finds(multiverse, referee, walk, &opinions, &wanted, |_| true)
}

/// The moves of an action that open timelines.
fn branches_in_order(referee: &Position, action: &Action) -> Vec<Move> {
    let mut here = referee.clone();
    let mut branches = Vec::new();
    for &step in &action.moves {
        if here.creates_timeline(step) {
            branches.push(fast_move(step));
        }
        here = here.make(step);
    }
    branches
}

/// Whether a walk yields what is wanted, by an action that passes the test.
fn finds(
    multiverse: &mut Multiverse,
    referee: &Position,
    walk: &mut impl Walk,
    opinions: &Opinions,
    wanted: &Added,
    test: impl Fn(&[Move]) -> bool,
) -> bool {
    let mut found = false;
    walk.start(multiverse, &mut opinions.clone());
    while !found && walk.step(multiverse, &Limit::NONE) == Step::Found {
        if test(&walk.action()) {
            walk.make(multiverse);
            found = added(referee, multiverse) == *wanted;
            walk.unmake(multiverse);
        }
    }
    walk.finish(multiverse);
    found
}

/// An action of the referee: drawn move by move, or one of those that it has listed.
fn draw(referee: &Position, listed: &Actions, rng: &mut Rng) -> Option<Action> {
    let avoid_branches = pick(rng, &[0, 50, 90, 99]);
    if listed.actions.is_empty() || rng.below(4) > 0 {
        let drawn = referee.random_legal_action(rng, avoid_branches, 3, 0);
        if drawn.is_some() {
            return drawn;
        }
    }
    let index = rng.below(listed.actions.len().max(1));
    listed.actions.get(index).cloned()
}

impl Partial {
    /// Compares what can be compared where `listed` is only some of the legal actions.
    pub fn compare(
        &mut self,
        multiverse: &mut Multiverse,
        referee: &Position,
        listed: &Actions,
        name: &str,
        rng: &mut Rng,
    ) {
        let quota = Quota::of_this_run();
        let mut opinions = Opinions::new(rng.next_u64(), pick(rng, &[1, 4, 1000]));
        let work_in_order = pick(rng, &[0, 20, 200, quota.work / 10]);
        let (mut depth, mut best) = (Generator::new(), Best::new(work_in_order));
        let [first, second] = [
            walk_prefix(multiverse, referee, &mut depth, &mut opinions, quota, name),
            walk_prefix(multiverse, referee, &mut best, &mut opinions, quota, name),
        ];
        self.positions += 1;
        self.judged += first.actions.len() + second.actions.len();
        for (one, other) in [(&first, &second), (&second, &first)] {
            self.stopped += usize::from(one.end == Step::Stopped);
            if one.end == Step::Done {
                assert!(other.actions.is_subset(&one.actions), "{name}: one walk has more");
            }
        }
        let ends = [first.end, second.end];
        if ends == [Step::Done; 2] {
            assert_eq!(first.actions.len(), second.actions.len(), "{name}: a walk has more");
            self.whole += 1;
            self.empty += usize::from(first.actions.is_empty());
            let listed = referee.legal_actions(quota.last_try);
            if listed.finished {
                let all = listed.actions.iter().map(|action| referee.added(&action.after));
                assert_eq!(all.collect::<HashSet<Added>>(), first.actions, "{name}: whole set");
                self.whole_by_referee += 1;
            }
        }

        for number in 0..quota.members {
            let Some(action) = draw(referee, listed, rng) else { continue };
            let moves = &action.moves;
            if branches_in_order(referee, &action).len() > MOST_BRANCHES {
                continue;
            }
            let contained = if number % 2 == 0 {
                contains(multiverse, referee, &mut depth, &opinions, &action)
            } else {
                contains(multiverse, referee, &mut best, &opinions, &action)
            };
            assert!(contained, "{name}: missing: {moves:?}");
            if let Some(whole) = [&first, &second].into_iter().find(|one| one.end == Step::Done) {
                let after = referee.added(&action.after);
                assert!(whole.actions.contains(&after), "{name}: missing in the walk: {moves:?}");
            }
            self.members += 1;
        }
        // The list is part of the truth, and no action at all is an easy answer to get wrong.
        let none = ends.contains(&Step::Done) && first.actions.is_empty();
        assert!(!none || listed.actions.is_empty(), "{name}: an action exists");
    }
}
