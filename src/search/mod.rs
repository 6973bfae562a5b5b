//! The search for the best whole action.
//!
//! Iterative deepening over the legal actions at the root; below, each thread runs its own
//! principal-variation search ([`worker`]) and shares the table. Knows nothing of text: what it
//! finds goes to a [`Listener`].

mod busy;
mod deepening;
mod line;
mod mate;
mod ordering;
mod parameters;
mod resistance;
mod root;
mod score;
mod strength;
mod table;
mod time;
mod worker;
mod worth;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::actions::{Action, Limit, Step};
use crate::multiverse::{Move, Multiverse};
use busy::Busy;
use deepening::Deepening;
use mate::{MateSearch, Verdict};
pub use parameters::{PARAMETERS, Parameter};
use root::{is_disputed, root_actions, witness};
use score::UNPROVED;
pub use score::{INFINITE, MATE, MATE_BOUND, Score, Shown, shown};
pub use strength::{ELO_OF_LEVEL, FULL_LEVEL, Strength};
pub use table::{Bound, Table};
pub use time::{Budget, Clock, Limits};
use worker::{MOST_PLIES, Shared};

/// Candidates that the collection of root actions may look at.
const ROOT_WORK: u64 = 20_000;
/// The depth that is searched for an action where the mate that was asked for is not there.
const DEPTH_WITHOUT_MATE: i64 = 4;

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
    /// How strongly to play, if not as strongly as can be.
    pub strength: Option<Strength>,
}

impl Settings {
    /// A search by one thread for one line within limits other than time, by the tournament rules.
    pub fn new(limits: Limits) -> Settings {
        Settings {
            limits,
            clock: Clock { start: Instant::now(), budget: None },
            threads: 1,
            multi_pv: 1,
            exiled_kings: true,
            disputed_moves: true,
            analyse: false,
            search_moves: Vec::new(),
            strength: None,
        }
    }

    /// Lines to search: more than are reported where a weaker one may be chosen.
    fn lines(&self) -> usize {
        if self.strength.is_some() { self.multi_pv.max(strength::LINES) } else { self.multi_pv }
    }

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
    /// It is proved that there is no mate in so many actions.
    fn no_mate(&mut self, actions: usize);
}

/// Hears nothing.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Listener for Silent {
    fn progress(&mut self, _: &Progress<'_>) {}
    fn current(&mut self, _: i32, _: &Action, _: usize) {}
    fn no_mate(&mut self, _: usize) {}
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
    /// The lines of that depth, best first.
    pub lines: Vec<Line>,
}

impl Outcomes {
    /// Takes a line for the best one.
    fn choose(&mut self, line: &Line) {
        self.best = line.actions.first().cloned();
        self.ponder = line.actions.get(1).cloned();
        self.score = line.score;
    }

    /// The best line of another thread, if that has come deeper and this has found nothing final.
    fn outdone_by<'b>(&self, other: &'b Outcomes, settings: &Settings) -> Option<&'b Line> {
        let open = settings.lines() == 1 && self.score.abs() < UNPROVED;
        other.lines.first().filter(|_| open && other.depth > self.depth)
    }
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
    table.new_search(multiverse.promotions(), settings.exiled_kings);
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
    let weaker = settings.strength.map(|strength| strength.apply(settings));
    let settings = weaker.as_ref().unwrap_or(settings);
    let nodes = AtomicU64::new(0);
    let helpers_stop = AtomicBool::new(false);
    let busy = (settings.threads > 1).then(Busy::new);
    let shared = Shared {
        table,
        stop,
        deadline,
        nodes: &nodes,
        most_nodes: settings.limits.nodes.map(|nodes| nodes.max(1).unsigned_abs()),
        exiled_kings: settings.exiled_kings,
        busy: busy.as_ref(),
    };
    let mut after_mates = None;
    if let Some(most) = settings.limits.mate.and_then(|most| usize::try_from(most).ok())
        && most > 0
    {
        let most = settings
            .limits
            .depth
            .map_or(most, |depth| most.min((depth.max(1) as usize).div_ceil(2)));
        let most = most.min(MOST_PLIES / 2);
        let verdict = MateSearch::new(&shared, settings, root.clone()).run(most);
        if verdict == Verdict::None {
            listener.no_mate(most);
        }
        match verdict {
            Verdict::Mate(score, actions) => {
                let depth = MATE - score;
                let line = Line { score, bound: Bound::Exact, actions };
                shared.report(settings, listener, depth, depth as usize, 1, &line);
                let nodes = nodes.load(Relaxed);
                let mut outcomes = Outcomes { nodes, depth, ..Outcomes::default() };
                outcomes.choose(&line);
                outcomes.lines.push(line);
                return outcomes;
            }
            Verdict::None | Verdict::Unknown => {
                let mut settings = settings.clone();
                let depth = settings.limits.depth.unwrap_or(DEPTH_WITHOUT_MATE);
                settings.limits.depth = Some(depth.min(DEPTH_WITHOUT_MATE));
                after_mates = Some(settings);
            }
        }
    }
    let settings = after_mates.as_ref().unwrap_or(settings);
    std::thread::scope(|scope| {
        let helper_shared = Shared { stop: &helpers_stop, most_nodes: None, ..shared };
        let spawn = |helper: usize| {
            let (actions, root) = (actions.clone(), root.clone());
            let helper_shared = Shared { ..helper_shared };
            std::thread::Builder::new()
                .name(format!("search-{helper}"))
                .stack_size(STACK)
                .spawn_scoped(scope, move || {
                    let listener = &mut Silent;
                    Deepening::new(&helper_shared, root, actions, complete, settings, listener)
                        .run(1 + helper as i32 % 2)
                })
                .ok()
        };
        let helpers: Vec<_> = (1..settings.threads.max(1)).map_while(spawn).collect();
        let deepening =
            Deepening::new(&shared, root.clone(), actions.clone(), complete, settings, listener);
        let mut outcomes = deepening.run(1);
        helpers_stop.store(true, Relaxed);
        let helped = helpers.into_iter().filter_map(|helper| helper.join().ok());
        let deepest = helped.max_by_key(|helped| helped.depth);
        if let Some(deepest) = deepest
            && let Some(line) = outcomes.outdone_by(&deepest, settings)
        {
            shared.report(settings, listener, deepest.depth, line.actions.len(), 1, line);
            outcomes.choose(line);
            outcomes.depth = deepest.depth;
            outcomes.lines.clone_from(&deepest.lines);
        }
        outcomes.nodes = nodes.load(Relaxed);
        let chosen = settings.strength.and_then(|it| it.choose(&outcomes.lines, &actions));
        if let Some(line) = chosen {
            shared.report(settings, listener, outcomes.depth, line.actions.len(), 1, &line);
            outcomes.choose(&line);
        }
        outcomes
    })
}

/// Stack of a search thread in bytes: enough for the deepest ply.
pub const STACK: usize = 32 << 20;
