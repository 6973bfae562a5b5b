//! The search for the best whole action.
//!
//! Iterative deepening over the legal actions at the root; below, each thread runs its own
//! principal-variation search ([`worker`]) and shares the table. Knows nothing of text: what it
//! finds goes to a [`Listener`].

mod ordering;
mod parameters;
mod resistance;
mod score;
mod table;
mod time;
mod worker;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::actions::{Action, Generator, Limit, Step, Stream};
use crate::multiverse::{Move, Multiverse};
use ordering::{History, Mild, Ordering};
pub use parameters::{PARAMETERS, Parameter};
pub use score::{INFINITE, MATE, MATE_BOUND, Score, Shown, shown};
pub use table::{Bound, Table};
pub use time::{Budget, Clock, Limits};
use worker::{MOST_PLIES, Shared, WIDE, Worker};

/// Root actions looked at, at most, where there are more than anyone can search.
const MOST_ROOT_ACTIONS: usize = 400;
/// Actions that keep a standing check and change little else, looked at first at the root.
const MILD_ROOT_ACTIONS: usize = 20;
/// Candidates that the search for a first legal action looks at before it heeds a stop.
const WITNESS_WORK: u64 = 2_000;
/// Candidates that the collection of root actions may look at.
const ROOT_WORK: u64 = 20_000;

/// Plies searched before a position is given up as lost.
const LEAST_RESISTANCE: i32 = 6;

/// How a search is to be done.
#[derive(Clone, Debug)]
pub struct Settings {
    /// When to end.
    pub limits: Limits,
    /// The clock, started when `go` was read.
    pub clock: Clock,
    /// Search threads.
    pub threads: usize,
    /// Lines to report.
    pub multi_pv: usize,
    /// The tournament rule for stalemates.
    pub exiled_kings: bool,
    /// Whether moves that other programs refuse may be played.
    pub disputed_moves: bool,
    /// Analysis: do not end early.
    pub analyse: bool,
    /// Only these actions may be played, if there are any; they must be legal.
    pub search_moves: Vec<Action>,
}

impl Settings {
    /// Whether an action may be played, as far as moves that other programs refuse go.
    fn allows(&self, multiverse: &Multiverse, action: &[Move]) -> bool {
        self.disputed_moves || !action.iter().any(|step| is_disputed(multiverse, step))
    }
}

/// One reported line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The score for the side to move.
    pub score: Score,
    /// What the score says.
    pub bound: Bound,
    /// The actions, the first one at the root.
    pub actions: Vec<Action>,
}

/// How a search is getting on.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// The nominal depth.
    pub depth: i32,
    /// The deepest ply.
    pub deepest: usize,
    /// From 1.
    pub multi_pv: usize,
    /// The line.
    pub line: &'a Line,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Since the clock was started.
    pub elapsed: Duration,
    /// Per mille.
    pub hashfull: u32,
}

/// Hears what a search finds.
pub trait Listener {
    /// A line of a finished iteration, or a bound while one is running.
    fn progress(&mut self, progress: &Progress<'_>);
    /// The root action that is being searched, its number from 1.
    fn current(&mut self, depth: i32, action: &Action, number: usize);
}

/// Hears nothing.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Listener for Silent {
    fn progress(&mut self, _: &Progress<'_>) {}
    fn current(&mut self, _: i32, _: &Action, _: usize) {}
}

/// What a search has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// The best action; `None` if there is no legal one, or none was found in time.
    pub best: Option<Action>,
    /// Whether it is proved that there is no legal action.
    pub none: bool,
    /// The answer that it expects.
    pub ponder: Option<Action>,
    /// The score of the best action.
    pub score: Score,
    /// Nodes of all threads.
    pub nodes: u64,
    /// The last finished depth.
    pub depth: i32,
}

/// Whether a move is one that other programs refuse: en passant where the board one full turn
/// earlier is not there, or castling with the rook two files away (R7, R8).
fn is_disputed(multiverse: &Multiverse, step: &Move) -> bool {
    let board = multiverse.board(step.from);
    let Some(piece) = board.piece_at(step.from_square) else { return false };
    if !step.is_physical() {
        return false;
    }
    if piece.kind.is_pawn_like() {
        let diagonal = step.from_square.file() != step.to_square.file();
        let en_passant = diagonal && board.en_passant() == Some(step.to_square);
        return en_passant && !multiverse.board(step.from.offset(0, -1)).is_present();
    }
    let castling = piece.kind == crate::board::PieceKind::King
        && step.from_square.file().abs_diff(step.to_square.file()) == 2;
    castling && board.piece_at(step.to_square).is_some()
}

/// The legal actions at the root, best first by ordering, and whether they are all there are.
fn root_actions(
    multiverse: &mut Multiverse,
    settings: &Settings,
    table: &Table,
    limit: &Limit<'_>,
) -> (Vec<Action>, bool) {
    if !settings.search_moves.is_empty() {
        return (settings.search_moves.clone(), true);
    }
    let mut actions: Vec<Action> = Vec::new();
    let mut disputed = None;
    let history = History::new();
    let tags = table.probe(multiverse.key()).map_or([0; 4], |entry| entry.tags);
    let mut stream = Stream::new();
    let mut complete = false;
    if multiverse.has_standing_check() {
        let mut mild = Mild(Ordering::new(multiverse, tags, &history));
        stream.start(multiverse, &mut mild);
        while actions.len() < MILD_ROOT_ACTIONS && stream.next_any(multiverse, limit) == Step::Found
        {
            let action = stream.action();
            if settings.allows(multiverse, &action) {
                actions.push(action);
            }
        }
        stream.finish(multiverse);
    }
    // With many boards the likely actions first, then as many of all as there is room for.
    let wide = multiverse.count_playable(WIDE) == WIDE;
    let repeats = wide || !actions.is_empty();
    for narrow in if wide { [true, false].iter() } else { [false].iter() } {
        let mut ordering = Ordering::new(multiverse, tags, &history);
        ordering.narrow = *narrow;
        stream.start(multiverse, &mut ordering);
        let step = loop {
            if actions.len() >= MOST_ROOT_ACTIONS {
                break Step::Stopped;
            }
            let step = stream.next_any(multiverse, limit);
            if step != Step::Found {
                break step;
            }
            let action = stream.action();
            if !settings.allows(multiverse, &action) {
                disputed = Some(action);
            } else if !repeats || !actions.contains(&action) {
                actions.push(action);
            }
        };
        stream.finish(multiverse);
        // An action that may not be played could still be the way out of a mate.
        complete = step == Step::Done && !narrow && disputed.is_none();
    }
    if actions.is_empty() {
        actions.extend(disputed);
    }
    (actions, complete)
}

/// Any legal action at once, so that there is always an answer, however little time there is: a
/// stop or the clock does not end it before some work is done, and nearly always it takes
/// microseconds. `Err` says whether there is none, or none was found in time.
fn witness(multiverse: &mut Multiverse, limit: &Limit<'_>) -> Result<Action, Step> {
    let mut generator = Generator::new();
    generator.start(multiverse);
    let mut step = generator.next(multiverse, &Limit { work: Some(WITNESS_WORK), ..Limit::NONE });
    if step == Step::Stopped {
        step = generator.next(multiverse, &Limit { work: None, ..*limit });
    }
    let action = (step == Step::Found).then(|| generator.action());
    generator.finish(multiverse);
    action.ok_or(step)
}

/// Searches the position until a limit or `stop`. In the middle of an action it searches the
/// completions.
pub fn run(
    multiverse: &Multiverse,
    settings: &Settings,
    table: &mut Table,
    stop: &AtomicBool,
    listener: &mut dyn Listener,
) -> Outcomes {
    table.new_search();
    let table = &*table;
    let mut root = multiverse.clone();
    let deadline = settings.clock.deadline();
    let limit = Limit { work: Some(ROOT_WORK), deadline, stop: Some(stop) };
    let witness = match witness(&mut root, &limit) {
        Ok(action) => action,
        Err(step) => return Outcomes { none: step == Step::Done, ..Outcomes::default() },
    };
    let (mut actions, complete) = root_actions(&mut root, settings, table, &limit);
    if actions.is_empty() {
        actions.push(witness);
    }
    let nodes = AtomicU64::new(0);
    let helpers_stop = AtomicBool::new(false);
    let shared = Shared {
        table,
        stop,
        deadline,
        nodes: &nodes,
        most_nodes: settings.limits.nodes.map(|nodes| nodes.max(1).unsigned_abs()),
        exiled_kings: settings.exiled_kings,
    };
    std::thread::scope(|scope| {
        let helper_shared = Shared { stop: &helpers_stop, most_nodes: None, ..shared };
        for helper in 1..settings.threads.max(1) {
            let mut actions = actions.clone();
            let helper_shared = Shared { ..helper_shared };
            let root = root.clone();
            let spawned = std::thread::Builder::new()
                .name(format!("search-{helper}"))
                .stack_size(STACK)
                .spawn_scoped(scope, move || help(&helper_shared, root, &mut actions, helper));
            if spawned.is_err() {
                break;
            }
        }
        let outcomes = deepen(&shared, root.clone(), &mut actions, complete, settings, listener);
        helpers_stop.store(true, Relaxed);
        outcomes
    })
}

/// Stack of a search thread in bytes: enough for the deepest ply.
pub const STACK: usize = 32 << 20;

/// A helper thread: deepens on its own, for what it leaves in the table.
fn help(shared: &Shared<'_>, root: Multiverse, actions: &mut [Action], number: usize) {
    let mut worker = Worker::new(shared, root);
    for depth in (1 + number as i32 % 2).. {
        if depth as usize >= MOST_PLIES {
            break;
        }
        let mut alpha = -INFINITE;
        let mut best = 0;
        for (i, action) in actions.iter().enumerate() {
            let score = worker.search_action(action, depth, alpha, INFINITE, i == 0);
            if worker.is_stopped() {
                worker.publish_nodes();
                return;
            }
            if score > alpha {
                alpha = score;
                best = i;
            }
        }
        actions[..=best].rotate_right(1);
    }
    worker.publish_nodes();
}

/// Iterative deepening with `multi_pv` lines.
fn deepen(
    shared: &Shared<'_>,
    root: Multiverse,
    actions: &mut [Action],
    complete: bool,
    settings: &Settings,
    listener: &mut dyn Listener,
) -> Outcomes {
    let mut worker = Worker::new(shared, root);
    let mut outcomes = Outcomes { best: actions.first().cloned(), ..Outcomes::default() };
    let most_depth =
        settings.limits.depth.map_or(MOST_PLIES as i64 - 1, |depth| depth.max(1)) as i32;
    let multi_pv = settings.multi_pv.clamp(1, actions.len());
    for depth in 1..=most_depth.min(MOST_PLIES as i32 - 1) {
        let mut lines: Vec<Line> = Vec::with_capacity(multi_pv);
        let mut done: BTreeSet<usize> = BTreeSet::new();
        for _ in 0..multi_pv {
            let searched = search_root(&mut worker, actions, depth, &done, settings, listener);
            let Some((index, mut line)) = searched else { break };
            if !complete && line.score <= -MATE_BOUND {
                line.score = score::unproved(line.score);
            }
            done.insert(index);
            lines.push(line);
            if worker.is_stopped() {
                break;
            }
        }
        worker.publish_nodes();
        let deepest = worker.take_deepest();
        lines.sort_by_key(|line| -line.score);
        if let Some(line) = lines.first() {
            outcomes.best = line.actions.first().cloned();
            outcomes.ponder = line.actions.get(1).cloned();
            outcomes.score = line.score;
        }
        for (i, line) in lines.iter().enumerate() {
            listener.progress(&Progress {
                depth,
                deepest: deepest.max(line.actions.len()),
                multi_pv: i + 1,
                line,
                nodes: shared.nodes.load(Relaxed),
                elapsed: settings.clock.start.elapsed(),
                hashfull: shared.table.hashfull(),
            });
        }
        outcomes.nodes = shared.nodes.load(Relaxed);
        if worker.is_stopped() {
            break;
        }
        outcomes.depth = depth;
        // The best actions come first in the next iteration.
        let mut order: Vec<usize> = done.into_iter().collect();
        order.sort_by_key(|&index| {
            lines.iter().position(|line| line.actions.first() == Some(&actions[index]))
        });
        let front: Vec<Action> = order.iter().map(|&index| actions[index].clone()).collect();
        bring_to_front(actions, &front);
        if plays_on_time(settings) {
            if depth >= LEAST_RESISTANCE && score::is_lost(outcomes.score) {
                resist(&mut worker, actions, depth, &mut outcomes, settings, listener);
                break;
            }
            if is_proved(outcomes.score, depth) && (complete || outcomes.score > 0) {
                break;
            }
        }
        if is_enough(settings, outcomes.score, actions.len()) {
            break;
        }
    }
    worker.publish_nodes();
    outcomes.nodes = shared.nodes.load(Relaxed);
    outcomes
}

/// Whether this is a game, in which one action is wanted and time is all that counts.
fn plays_on_time(settings: &Settings) -> bool {
    let Limits { clock, move_time, depth, nodes, mate, infinite, ponder, .. } = settings.limits;
    let timed = clock.is_some() || move_time.is_some();
    let more = depth.is_some() || nodes.is_some() || mate.is_some() || infinite || ponder;
    timed && !more && !settings.analyse && settings.multi_pv <= 1
}

/// Whether a mate that was searched for so deep that none is nearer has been found.
fn is_proved(score: Score, depth: i32) -> bool {
    score.abs() >= MATE_BOUND && depth >= MATE - score.abs()
}

/// In a lost position, chooses the action after which the opponent goes wrong most easily.
fn resist(
    worker: &mut Worker<'_>,
    actions: &[Action],
    depth: i32,
    outcomes: &mut Outcomes,
    settings: &Settings,
    listener: &mut dyn Listener,
) {
    let chosen = resistance::most_resistant(worker, actions, depth);
    let Some((index, score)) = chosen else { return };
    if outcomes.best.as_ref() == Some(&actions[index]) {
        return;
    }
    outcomes.best = Some(actions[index].clone());
    outcomes.ponder = None;
    outcomes.score = score;
    let line = Line { score, bound: Bound::Exact, actions: vec![actions[index].clone()] };
    worker.publish_nodes();
    listener.progress(&Progress {
        depth,
        deepest: depth as usize,
        multi_pv: 1,
        line: &line,
        nodes: worker.nodes_of_all(),
        elapsed: settings.clock.start.elapsed(),
        hashfull: worker.hashfull(),
    });
}

fn bring_to_front(actions: &mut [Action], front: &[Action]) {
    for (i, action) in front.iter().enumerate() {
        if let Some(at) = actions.iter().position(|other| other == action)
            && at >= i
        {
            actions[i..=at].rotate_right(1);
        }
    }
}

/// Whether another iteration would be of no use, or too late.
fn is_enough(settings: &Settings, score: Score, actions: usize) -> bool {
    let limits = &settings.limits;
    if let Some(mate) = limits.mate
        && score >= MATE_BOUND
        && i64::from((MATE - score + 1) / 2) <= mate
    {
        return true;
    }
    if limits.infinite || limits.ponder {
        return false;
    }
    let only = actions == 1 && limits.clock.is_some() && !settings.analyse;
    only || settings.clock.is_late()
}

/// One pass over the root actions but those in `done`; the best of them and its line. `None` if
/// the search was ended before the first was searched.
fn search_root(
    worker: &mut Worker<'_>,
    actions: &[Action],
    depth: i32,
    done: &BTreeSet<usize>,
    settings: &Settings,
    listener: &mut dyn Listener,
) -> Option<(usize, Line)> {
    let mut alpha = -INFINITE;
    let mut best: Option<(usize, Line)> = None;
    let mut number = 0;
    for (index, action) in actions.iter().enumerate() {
        if done.contains(&index) {
            continue;
        }
        number += 1;
        if settings.clock.start.elapsed() >= Duration::from_secs(1) {
            listener.current(depth, action, number);
        }
        let score = worker.search_action(action, depth, alpha, INFINITE, number == 1);
        if worker.is_stopped() {
            break;
        }
        if score > alpha || best.is_none() {
            alpha = score;
            let mut line = vec![action.clone()];
            line.extend_from_slice(worker.line());
            best = Some((index, Line { score, bound: Bound::Exact, actions: line }));
        }
    }
    best
}
