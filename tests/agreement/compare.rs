//! One position: everything that the engine says of it against the slow referee.

use std::collections::{BTreeMap, BTreeSet};

use lightcone::actions::{Generator, Limit, Step, report};
use lightcone::board::Colour;
use lightcone::multiverse::Multiverse;
use lightcone::notation::{move_to_string, write_fen};

use crate::bridge::{fast_move, pick, result_name, signature, slow, slow_colour};
use crate::common::{self, Found, legal};
use crate::interrupted::compare_interrupted;
use crate::oracle::actions::{Action, Actions, Rng, Status};
use crate::oracle::position::Position;
use crate::partial::Partial;
use crate::walks::{Best, Opinions, all, first_actions, read_again};

/// Candidates for which a stream has to keep its order.
const WORK_IN_ORDER: u64 = 20_000;
/// A set of at most so many actions is compared as a whole.
const MOST_ACTIONS: usize = 20_000;
/// The squares of White's second rank, which is nobody's last.
const SECOND_RANK: u64 = 0xff << 8;
/// Actions whose order is compared.
const IN_THE_SAME_ORDER: usize = 60;

/// The actions of the referee by the multiverse that they lead to.
type Wanted<'a> = BTreeMap<String, &'a Action>;

/// What was compared.
#[derive(Debug, Default)]
pub struct Tally {
    pub positions: usize,
    /// Those whose whole set of actions was compared.
    pub complete: usize,
    pub actions: usize,
    /// Those where that was too much.
    pub partial: Partial,
    /// Those in the middle of an action.
    pub begun: usize,
    pub terminal: usize,
    pub checks: usize,
    /// Those with an action that several move sets make.
    pub shared_actions: usize,
    /// Those with an action of two branches or more.
    pub double_branches: usize,
    /// Actions passed over as like others, up to a million at a time.
    pub skipped: u64,
    /// Positions by number of timelines.
    pub timelines: BTreeMap<usize, usize>,
}

/// Objects that have been used on other positions before.
#[derive(Debug)]
struct Used {
    generator: Generator,
    best: Best,
}

/// Compares positions, and counts what it has compared.
#[derive(Debug)]
pub struct Comparison {
    pub tally: Tally,
    pub rng: Rng,
    used: Used,
}

impl Comparison {
    pub fn new(rng: Rng) -> Comparison {
        let used = Used { generator: Generator::new(), best: Best::new(WORK_IN_ORDER) };
        Comparison { tally: Tally::default(), rng, used }
    }

    /// Compares everything: the whole set of actions where the referee is done after `work` sets
    /// of moves, some of it elsewhere. `begun` is a position in the middle of an action.
    pub fn compare(&mut self, multiverse: &mut Multiverse, begun: bool, work: usize) {
        let name = format!("{:?} to move, {}", multiverse.side(), write_fen(multiverse));
        let before = (common::signature(multiverse), multiverse.key(), multiverse.pool_mark());
        let referee = slow(multiverse);
        self.tally.positions += 1;
        self.tally.begun += usize::from(begun);
        *self.tally.timelines.entry(multiverse.lines().count()).or_default() += 1;
        compare_position(multiverse, &referee, &name);
        let expected = referee.legal_actions(work);
        if expected.finished && expected.actions.len() <= MOST_ACTIONS {
            self.tally.complete += 1;
            self.tally.actions += expected.actions.len();
            self.compare_actions(multiverse, &referee, &expected, &name);
        } else {
            let partial = &mut self.tally.partial;
            partial.compare(multiverse, &referee, &expected, &name, &mut self.rng);
        }
        self.compare_order(multiverse, &name);
        if !begun {
            self.compare_status(multiverse, &referee, work, &name);
        }
        let after = (common::signature(multiverse), multiverse.key(), multiverse.pool_mark());
        assert_eq!(after, before, "{name}: not restored");
    }

    fn compare_actions(
        &mut self,
        multiverse: &mut Multiverse,
        referee: &Position,
        expected: &Actions,
        name: &str,
    ) {
        let wanted: Wanted =
            expected.actions.iter().map(|action| (signature(&action.after), action)).collect();
        assert_eq!(wanted.len(), expected.actions.len());
        let found = legal(multiverse);
        assert_same(&found, &wanted, name);
        let move_sets: u64 = found.iter().map(|action| action.move_sets).sum();
        assert_eq!(move_sets, expected.move_sets as u64, "{name}: move sets");
        self.tally.shared_actions += usize::from(move_sets > found.len() as u64);
        for action in &found {
            assert_replays(multiverse, action, name);
        }
        let double = |action: &Action| branches(referee, action) >= 2;
        self.tally.double_branches += usize::from(expected.actions.iter().any(double));

        let rng = &mut self.rng;
        let mut opinions = Opinions::new(rng.next_u64(), pick(rng, &[1, 4, 1000]));
        opinions.apart = pick(rng, &[0, 0, 1, 300]);
        assert_same(&all(multiverse, &mut self.used.best, &opinions), &wanted, name);
        self.used.best.work_in_order = pick(rng, &[0, 20, 200, WORK_IN_ORDER]);
        let generator = &mut self.used.generator;
        match rng.below(4) {
            0 => {
                opinions.ban = pick(rng, &[0, 2, 5]);
                opinions.branches = pick(rng, &[0, 1, 2, usize::MAX]);
                opinions.closed = pick(rng, &[0, SECOND_RANK]) & rng.next_u64();
                let found = all(multiverse, &mut self.used.best, &opinions);
                compare_chosen(&found, &opinions, referee, &wanted, name);
                let found = all(multiverse, generator, &opinions);
                compare_chosen(&found, &opinions, referee, &wanted, name);
            }
            1 => {
                let wanted: BTreeSet<String> = wanted.keys().cloned().collect();
                compare_interrupted(multiverse, &opinions, &wanted, name, rng);
            }
            _ => {}
        }
    }

    /// The order does not depend on the run: neither on what the objects have been used for
    /// before, nor on the way to the position. And what a generator passes over as like the last
    /// action is what would have come one by one.
    fn compare_order(&mut self, multiverse: &mut Multiverse, name: &str) {
        let rng = &mut self.rng;
        let opinions = Opinions::new(rng.next_u64(), pick(rng, &[1, 4, 1000]));
        let Used { generator, best } = &mut self.used;
        let mut again = read_again(multiverse);
        let limit = Limit { work: Some(1000), ..Limit::NONE };
        let (o, l, count) = (&opinions, &limit, IN_THE_SAME_ORDER);
        let first = first_actions(multiverse, best, o, count, l);
        let second = first_actions(&mut again, &mut Best::new(best.work_in_order), o, count, l);
        assert_eq!(first, second, "{name}: another order");
        let first = first_actions(multiverse, generator, o, count, l);
        let second = first_actions(&mut again, &mut Generator::new(), o, count, l);
        assert_eq!(first, second, "{name}: another order");

        let actions = first_actions(multiverse, generator, o, 20 * count, l);
        self.tally.skipped += compare_skipping(multiverse, generator, o, l, &actions, name, rng);
    }

    fn compare_status(
        &mut self,
        multiverse: &mut Multiverse,
        referee: &Position,
        work: usize,
        name: &str,
    ) {
        // What one walk of the referee could list, a few of them can decide.
        let expected = referee.status(2 * work);
        for exiled_kings in [true, false] {
            let limit = Limit { work: Some(200_000), ..Limit::NONE };
            let found = report(multiverse, exiled_kings, &limit);
            assert_eq!(found.check, referee.in_check(), "{name}: check");
            if expected == Status::Undecided {
                continue;
            }
            assert_eq!(found.status.name(), expected.to_string(), "{name}: status");
            let result = referee.result(2 * work, exiled_kings).expect("the status is known");
            assert_eq!(found.result.name(), result_name(result), "{name}: result");
            if exiled_kings {
                self.tally.checks += usize::from(found.check);
                self.tally.terminal += usize::from(found.witness.is_none());
            }
        }
    }
}

/// How many timelines an action opens.
fn branches(referee: &Position, action: &Action) -> usize {
    action.after.timelines().count() - referee.timelines().count()
}

/// What needs no actions: moves, the present, activity, attacks on royals.
fn compare_position(multiverse: &mut Multiverse, referee: &Position, name: &str) {
    let moves: BTreeSet<String> = referee.pseudo_moves().iter().map(|m| m.to_string()).collect();
    assert_eq!(common::pseudo(multiverse), moves, "{name}: pseudo-legal moves");
    assert_eq!(multiverse.present(), referee.present(), "{name}: present");
    let active: Vec<i32> = multiverse.active_lines().collect();
    assert_eq!(active, referee.active(), "{name}: active");
    for colour in Colour::BOTH {
        let slow = slow_colour(colour);
        assert_eq!(multiverse.created(colour), referee.created(slow), "{name}: created");
        assert_eq!(multiverse.next_line(colour, 0), referee.next_timeline(slow), "{name}: next");
        let can_take = referee.can_take_royal(slow);
        assert_eq!(multiverse.can_take_royal(colour), can_take, "{name}: {colour:?} takes a royal");
        assert_eq!(multiverse.royal_attacks(colour).is_empty(), !can_take, "{name}: {colour:?}");
    }
    let playable: Vec<i32> = multiverse
        .lines()
        .filter(|&line| multiverse.playable(line, multiverse.side()).is_some())
        .collect();
    assert_eq!(playable, referee.playable(), "{name}: playable");
    assert_eq!(multiverse.in_check(), referee.in_check(), "{name}: check");
    let checks: BTreeSet<_> = multiverse.with_check(|_, attacks| {
        let end = |place: lightcone::multiverse::Place, square: lightcone::board::Square| {
            (place.line, place.half_turn, i32::from(square.file()), i32::from(square.rank()))
        };
        let all: Vec<_> =
            attacks.iter().map(|a| (end(a.from, a.from_square), end(a.to, a.to_square))).collect();
        let distinct: BTreeSet<_> = all.iter().copied().collect();
        assert_eq!(distinct.len(), all.len(), "{name}: a check comes twice");
        distinct
    });
    let end = |s: crate::oracle::position::Square| (s.timeline, s.half_turn, s.x, s.y);
    let expected: BTreeSet<_> =
        referee.checks().iter().map(|check| (end(check.from), end(check.to))).collect();
    assert_eq!(checks, expected, "{name}: checks");
}

/// The same multiverses, each once.
fn assert_same(found: &[Found], wanted: &Wanted, name: &str) {
    let after: BTreeSet<&str> = found.iter().map(|action| action.after.as_str()).collect();
    for action in found {
        let text = common::action_text(&action.moves);
        assert!(wanted.contains_key(&action.after), "{name}: not legal: {text}");
    }
    for (signature, action) in wanted {
        assert!(after.contains(signature.as_str()), "{name}: missing: {:?}", action.moves);
    }
    assert_eq!(found.len(), after.len(), "{name}: an action comes twice");
}

/// Plays the moves of an action in the order given.
fn assert_replays(multiverse: &mut Multiverse, action: &Found, name: &str) {
    let mut undo = Vec::new();
    for step in &action.moves {
        assert!(multiverse.is_pseudo_legal(step), "{name}: {}", move_to_string(step));
        undo.push((*step, multiverse.make_move(step)));
    }
    assert!(common::may_submit(multiverse), "{name}: {:?}", action.moves);
    assert_eq!(common::signature(multiverse), action.after, "{name}");
    for (step, made) in undo.into_iter().rev() {
        multiverse.unmake_move(&step, made);
    }
}

/// A walk over some of the moves, with so many branches at most: nothing but actions made of
/// those moves, and all of those that the referee has found by them.
fn compare_chosen(
    found: &[Found],
    opinions: &Opinions,
    referee: &Position,
    wanted: &Wanted,
    name: &str,
) {
    let after: BTreeSet<&str> = found.iter().map(|action| action.after.as_str()).collect();
    assert_eq!(found.len(), after.len(), "{name}: an action comes twice");
    for action in found {
        let Some(known) = wanted.get(&action.after) else {
            panic!("{name}: not legal: {:?}", action.moves);
        };
        let banned = action.moves.iter().find(|step| opinions.bans(step));
        assert_eq!(banned, None, "{name}: left out, but played");
        assert!(branches(referee, known) <= opinions.branches, "{name}: {:?}", action.moves);
    }
    for (signature, action) in wanted {
        let left_out = branches(referee, action) > opinions.branches
            || action.moves.iter().any(|&step| opinions.bans(&fast_move(step)));
        let missing = !left_out && !after.contains(signature.as_str());
        assert!(!missing, "{name}: missing: {:?}", action.moves);
    }
}

/// Walks over actions that are known, passing over what is like the last one now and then: the
/// count must be the number of those that are missing. Returns how many were passed over.
fn compare_skipping(
    multiverse: &mut Multiverse,
    generator: &mut Generator,
    opinions: &Opinions,
    limit: &Limit,
    actions: &[lightcone::actions::Action],
    name: &str,
    rng: &mut Rng,
) -> u64 {
    let often = pick(rng, &[1, 2, 5]);
    let mut skipped = 0;
    let mut next = 0;
    generator.start_with(multiverse, &mut opinions.clone());
    while next < actions.len() as u64 {
        assert_eq!(generator.next(multiverse, limit), Step::Found, "{name}: {next} found");
        assert_eq!(generator.action(), actions[next as usize], "{name}: {next} found");
        next += 1;
        if rng.below(often) == 0 {
            let alike = generator.skip_alike(multiverse);
            assert_eq!(generator.action(), actions[next as usize - 1], "{name}: moved on");
            skipped += alike.min(1_000_000);
            next = next.saturating_add(alike);
        }
    }
    generator.finish(multiverse);
    skipped
}
