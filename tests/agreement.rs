//! The engine against the slow referee on thousands of random positions: pseudo-legal moves, the
//! present, activity, check, status and result, and the whole set of legal actions, from the
//! depth-first and from the best-first generator, before an action and in the middle of one.

#[path = "common/slow.rs"]
mod bridge;
mod common;
mod oracle;

use std::collections::{BTreeMap, BTreeSet};

use bridge::{pick, random_action, random_move, result_name, signature, slow, slow_colour};
use common::{Found, find_move, is_long, legal, position};
use lightcone::actions::{Chooser, Everything, Limit, Step, Stream, make_action, report};
use lightcone::board::Colour;
use lightcone::multiverse::{Move, Multiverse};
use lightcone::notation::{move_to_string, write_fen};
use lightcone::variants;
use oracle::actions::{Actions, Rng};
use oracle::position::Position;

/// What was compared.
#[derive(Debug, Default)]
struct Tally {
    positions: usize,
    /// Those whose whole set of actions was compared.
    complete: usize,
    actions: usize,
    /// Those in the middle of an action.
    begun: usize,
    terminal: usize,
    checks: usize,
    /// Those with an action that several move sets make.
    shared_actions: usize,
    /// Those with an action of two branches or more.
    double_branches: usize,
    /// Positions by number of timelines.
    timelines: BTreeMap<usize, usize>,
}

impl Tally {
    /// Compares everything; the actions only where the referee is done after `work` sets of
    /// moves.
    fn compare(&mut self, multiverse: &mut Multiverse, begun: bool, work: usize, rng: &mut Rng) {
        let name = format!("{:?} to move, {}", multiverse.side(), write_fen(multiverse));
        let before = (common::signature(multiverse), multiverse.key(), multiverse.pool_mark());
        let referee = slow(multiverse);
        self.positions += 1;
        self.begun += usize::from(begun);
        *self.timelines.entry(multiverse.lines().count()).or_default() += 1;
        compare_position(multiverse, &referee, &name);
        let expected = referee.legal_actions(work);
        if expected.finished {
            self.complete += 1;
            self.actions += expected.actions.len();
            self.compare_actions(multiverse, &referee, &expected, &name, rng);
            if !begun {
                self.compare_status(multiverse, &referee, &name);
            }
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
        rng: &mut Rng,
    ) {
        let wanted: BTreeMap<String, &oracle::actions::Action> =
            expected.actions.iter().map(|action| (signature(&action.after), action)).collect();
        assert_eq!(wanted.len(), expected.actions.len());
        let found = legal(multiverse);
        assert_same(&found, &wanted, name);
        let move_sets: u64 = found.iter().map(|action| action.move_sets).sum();
        assert_eq!(move_sets, expected.move_sets as u64, "{name}: move sets");
        self.shared_actions += usize::from(move_sets > found.len() as u64);
        for action in &found {
            assert_replays(multiverse, action, name);
        }
        let branches = |action: &oracle::actions::Action| {
            action.after.timelines().count() - referee.timelines().count()
        };
        self.double_branches += usize::from(expected.actions.iter().any(|a| branches(a) >= 2));

        let mut chooser =
            Opinions { seed: rng.next_u64(), spread: pick(rng, &[1, 4, 1000]), ban: 0 };
        let streamed = stream(multiverse, &mut chooser, name);
        assert_same(&streamed, &wanted, name);
        if rng.below(4) == 0 {
            chooser.ban = pick(rng, &[2, 5]);
            compare_banned(multiverse, &mut chooser, &wanted, name);
        }
    }

    fn compare_status(&mut self, multiverse: &mut Multiverse, referee: &Position, name: &str) {
        for exiled_kings in [true, false] {
            let found = report(multiverse, exiled_kings, &Limit::NONE);
            assert_eq!(found.check, referee.in_check(), "{name}: check");
            let status = referee.status(usize::MAX);
            assert_eq!(found.status.name(), status.to_string(), "{name}: status");
            let result = referee.result(usize::MAX, exiled_kings).expect("no limit");
            assert_eq!(found.result.name(), result_name(result), "{name}: result");
            if exiled_kings {
                self.checks += usize::from(found.check);
                self.terminal += usize::from(found.witness.is_none());
            }
        }
    }

    fn print(&self, what: &str) {
        println!("{what}: {self:?}");
    }
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
    let end = |s: oracle::position::Square| (s.timeline, s.half_turn, s.x, s.y);
    let expected: BTreeSet<_> =
        referee.checks().iter().map(|check| (end(check.from), end(check.to))).collect();
    assert_eq!(checks, expected, "{name}: checks");
}

/// The same multiverses, each once.
fn assert_same(found: &[Found], wanted: &BTreeMap<String, &oracle::actions::Action>, name: &str) {
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

/// Random but fixed scores of moves; one move in `ban` is left out, none if that is 0.
struct Opinions {
    seed: u64,
    spread: usize,
    ban: usize,
}

impl Opinions {
    fn rng(&self, step: &Move) -> Rng {
        let text = move_to_string(step);
        let hash = text
            .bytes()
            .fold(self.seed, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        Rng::new(hash)
    }

    fn bans(&self, step: &Move) -> bool {
        self.ban > 0 && self.rng(step).below(self.ban) == 0
    }
}

impl Chooser for Opinions {
    fn score(&mut self, _: &Multiverse, step: &Move) -> Option<i32> {
        let mut rng = self.rng(step);
        rng.next_u64();
        let score = rng.below(2 * self.spread) as i32 - self.spread as i32;
        (!self.bans(step)).then_some(score)
    }

    fn score_of_pass(&mut self, mandatory: bool) -> i32 {
        if mandatory { -(self.spread as i32) } else { 0 }
    }
}

/// Candidates for which a stream has to keep its order.
const WORK_IN_ORDER: u64 = 20_000;

/// Everything that a stream yields, whose scores must fall: in order for some time, and then
/// whatever way is the quickest, as long as it says so.
fn stream(multiverse: &mut Multiverse, chooser: &mut impl Chooser, name: &str) -> Vec<Found> {
    let mut stream = Stream::new();
    let mut found = Vec::new();
    let mut last = i32::MAX;
    stream.start(multiverse, chooser);
    let in_order = Limit { work: Some(WORK_IN_ORDER), ..Limit::NONE };
    loop {
        let mut step = stream.next(multiverse, &in_order);
        if step == Step::Stopped {
            assert!(stream.is_ordered() || stream.work() >= WORK_IN_ORDER, "{name}");
            step = stream.next_any(multiverse, &Limit::NONE);
        }
        match step {
            Step::Done => break,
            Step::Stopped => panic!("{name}: stopped without a limit"),
            Step::Found => {}
        }
        if stream.is_ordered() {
            assert!(stream.score() <= last, "{name}: {} after {last}", stream.score());
            last = stream.score();
        }
        let moves = stream.action();
        stream.make(multiverse);
        let after = common::signature(multiverse);
        stream.unmake(multiverse);
        found.push(Found { moves, move_sets: 0, after });
    }
    stream.finish(multiverse);
    found
}

/// A stream over some of the moves: nothing but actions made of them, and all of those that the
/// referee has found by them.
fn compare_banned(
    multiverse: &mut Multiverse,
    chooser: &mut Opinions,
    wanted: &BTreeMap<String, &oracle::actions::Action>,
    name: &str,
) {
    let found = stream(multiverse, chooser, name);
    let after: BTreeSet<&str> = found.iter().map(|action| action.after.as_str()).collect();
    assert_eq!(found.len(), after.len(), "{name}: an action comes twice");
    for action in &found {
        assert!(wanted.contains_key(&action.after), "{name}: not legal: {:?}", action.moves);
        let banned = action.moves.iter().find(|step| chooser.bans(step));
        assert_eq!(banned, None, "{name}: left out, but played");
    }
    for (signature, action) in wanted {
        if after.contains(signature.as_str()) {
            continue;
        }
        let mut here = multiverse.clone();
        let banned = action.moves.iter().any(|step| {
            let step = find_move(&here, &step.to_string()).expect("a move of a legal action");
            here.make_move(&step);
            chooser.bans(&step)
        });
        assert!(banned, "{name}: missing: {:?}", action.moves);
    }
}

/// Compares a position, and now and then one in the middle of an action from there.
fn compare_here(tally: &mut Tally, multiverse: &mut Multiverse, work: usize, rng: &mut Rng) {
    tally.compare(multiverse, false, work, rng);
    if rng.below(3) != 0 {
        return;
    }
    let mut begun = multiverse.clone();
    for _ in 0..=rng.below(3) {
        let Some(step) = random_move(&begun, rng, 60) else { return };
        begun.make_move(&step);
    }
    tally.compare(&mut begun, true, work, rng);
}

/// Compares every position of a random game of up to `length` actions and six timelines.
fn compare_game(
    tally: &mut Tally,
    mut multiverse: Multiverse,
    length: usize,
    work: usize,
    rng: &mut Rng,
) {
    for _ in 0..length {
        compare_here(tally, &mut multiverse, work, rng);
        let jumps = pick(rng, &[10, 50, 90]);
        if multiverse.lines().count() > 6 {
            return;
        }
        let Some(action) = random_action(&mut multiverse, rng, jumps) else { return };
        make_action(&mut multiverse, &action);
    }
}

fn times(count: usize) -> usize {
    if is_long() { 20 * count } else { count }
}

#[test]
fn random_games_of_every_variant() {
    let mut tally = Tally::default();
    let mut rng = Rng::new(1);
    for variant in variants::all() {
        let start = variant.multiverse().unwrap();
        // Very large starts have tests of their own.
        if start.boards().count() > 300 {
            continue;
        }
        let small = start.size().squares().count_ones() <= 25;
        let (games, work) = if small { (4, 600) } else { (1, 120) };
        for _ in 0..times(games) {
            compare_game(&mut tally, start.clone(), 8, work, &mut rng);
        }
    }
    tally.print("variants");
    assert!(tally.positions >= times(1000) && tally.complete >= times(300), "{tally:?}");
}

/// A random rank of a board.
fn random_rank(rng: &mut Rng, width: usize, pieces: &[&str], density: usize) -> String {
    let mut rank = String::new();
    let mut vacant = 0;
    for file in 1..=width {
        let piece = (rng.below(100) < density).then(|| pick(rng, pieces));
        vacant += usize::from(piece.is_none());
        if vacant > 0 && (piece.is_some() || file == width) {
            rank += &vacant.to_string();
            vacant = 0;
        }
        rank += piece.unwrap_or_default();
    }
    rank
}

/// A random multiverse of small boards, of no game: one to five timelines that begin anywhere,
/// with gaps in time, royals on some boards, marks anywhere.
fn random_position(rng: &mut Rng) -> Multiverse {
    let (width, height) = (1 + rng.below(5), 1 + rng.below(5));
    let all = [
        "P*", "P", "W*", "W", "K*", "K", "C", "Q", "Y", "S", "N", "R*", "R", "B", "U", "D", "p*",
        "p", "w*", "w", "k*", "k", "c", "q", "y", "s", "n", "r*", "r", "b", "u", "d",
    ];
    // A few kinds at a time, so that like pieces meet.
    let mut pieces: Vec<&str> = (0..2 + rng.below(6)).map(|_| pick(rng, &all)).collect();
    pieces.extend(["K", "k"].iter().take(rng.below(3)));
    let density = pick(rng, &[10, 20, 35]);
    let even = rng.below(3) == 0;
    let (down, up) = pick(rng, &[(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (0, 2), (2, 1), (1, 3)]);
    let lowest = if even { -1 - down } else { -down };
    let mut blocks = Vec::new();
    for line in lowest..=up {
        let name = match (even, line >= 0) {
            (false, _) => line.to_string(),
            (true, true) => format!("+{line}"),
            (true, false) => format!("-{}", -line - 1),
        };
        let mut half_turn = rng.below(6) as i32 - 2;
        for _ in 0..1 + rng.below(4) {
            let ranks: Vec<String> =
                (0..height).map(|_| random_rank(rng, width, &pieces, density)).collect();
            let colour = if half_turn & 1 == 0 { 'w' } else { 'b' };
            blocks.push(format!("[{}:{name}:{}:{colour}]", ranks.join("/"), half_turn >> 1));
            half_turn += pick(rng, &[1, 1, 1, 2, 3]);
        }
    }
    position(&blocks.join(" "))
}

#[test]
fn random_positions_of_small_boards() {
    let mut tally = Tally::default();
    let mut rng = Rng::new(2);
    for _ in 0..times(3000) {
        let start = random_position(&mut rng);
        let length = 1 + rng.below(3);
        compare_game(&mut tally, start, length, 500, &mut rng);
    }
    tally.print("random boards");
    assert!(tally.positions >= times(4000) && tally.complete >= times(3000), "{tally:?}");
    assert!(tally.double_branches >= times(100) && tally.shared_actions >= times(20), "{tally:?}");
}

/// Small positions where equal actions arise from different move sets, where an action holds
/// several branches, and where boards already played on are branched off.
const CRAFTED: [&str; 10] = [
    "[3k/4/4/Q3:-1:1:w] [4/4/4/4:0:1:w] [Q3/4/4/3K:0:2:w]",
    "[2k/3/N1N:0:1:w] [2k/3/NKN:0:2:w] [2k/3/3:1:2:w]",
    "[Q2k/4/4/3K:-0:1:w] [3k/4/4/Q2K:+0:1:w]",
    "[R2k/4/4/K3:-1:2:w] [3k/4/4/4:0:1:w] [R2k/4/4/K3:0:2:w] [R2k/4/4/4:1:2:w]",
    "[nk1/3/3/1K1:0:1:b] [nk1/3/1n1/1K1:0:2:b] [3/3/n2/3:-1:1:b]",
    "[k3/4/3r/K2R:0:0:w] [k3/4/3r/K2R:0:1:w] [k3/4/3r/K2R:0:2:w]",
    "[D1k/3/K1D:-0:1:w] [1D1/3/1D1:-0:2:w] [2k/3/K1D:+0:1:w] [D1D/3/D1D:+0:2:w]",
    "[4k/p*p*p*p*p*/5/P*P*P*P*P*/R*K*2R*:0:1:w] [4k/p*p*p*p*p*/5/P*P*P*P*P*/R*K*2R*:1:1:w]",
    "[1k1/1p*1/3/1P*1/1K1:-0:1:w] [1k1/1p*1/3/1P*1/1K1:+0:1:b]",
    "[k4/2P2/5/2p2/4K:0:1:w] [k4/2P2/5/2p2/5:0:2:w] [5/2P2/5/2p2/5:-1:1:w] [5/5/5/5/5:-2:1:w]",
];

#[test]
fn crafted_positions_and_games_from_them() {
    let mut tally = Tally::default();
    let mut rng = Rng::new(3);
    for blocks in CRAFTED {
        let start = position(blocks);
        tally.compare(&mut start.clone(), false, 20_000, &mut rng);
        for _ in 0..times(6) {
            compare_game(&mut tally, start.clone(), 6, 500, &mut rng);
        }
    }
    tally.print("crafted");
    assert!(tally.complete >= 10 + times(60) && tally.shared_actions >= times(5), "{tally:?}");
    assert!(tally.double_branches >= times(20) && tally.begun >= times(40), "{tally:?}");
}

#[test]
fn a_stream_without_opinions_is_the_whole_set() {
    for blocks in CRAFTED {
        let mut start = position(blocks);
        let expected: BTreeSet<String> = legal(&mut start).into_iter().map(|a| a.after).collect();
        let found = stream(&mut start, &mut Everything, blocks);
        let streamed: BTreeSet<String> = found.into_iter().map(|action| action.after).collect();
        assert_eq!(streamed, expected, "{blocks}");
    }
}
