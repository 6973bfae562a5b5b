//! A search under way: its thread, the flag that stops it, and the gate that its answer waits
//! behind.
//!
//! Every search prints exactly one answer, and an `info` line with a score before it.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::info::{Reporter, action_or_submit};
use super::output::Output;
use crate::actions::{Action, GameResult, Limit};
use crate::evaluation::evaluate;
use crate::search::{self, Bound, Budget, Line, Listener, MATE, Progress, Score, Settings, Table};
use crate::session::Game;

/// Which handshake was last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `uci`.
    Uci,
    /// `5duci`.
    FiveDUci,
}

impl Dialect {
    /// Whether the engine plays disputed moves unless it is told otherwise: the programs that
    /// speak 5DUCI refuse them.
    pub fn plays_disputed_moves(self) -> bool {
        self == Dialect::Uci
    }

    /// The answer where there is no legal action.
    pub fn no_action(self) -> &'static str {
        match self {
            Dialect::Uci => "bestmove (none)",
            Dialect::FiveDUci => "nobestmove",
        }
    }
}

/// Whether a finished search may answer yet.
#[derive(Default)]
struct Gate {
    open: Mutex<bool>,
    changed: Condvar,
}

impl Gate {
    fn open(&self) {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_all();
    }

    fn wait(&self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        while !*open {
            open = self.changed.wait(open).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// What to search, and how the answer is written.
pub struct Job {
    /// The game, as it was when `go` was read.
    pub game: Game,
    /// How to search.
    pub settings: Settings,
    /// The table, which the search holds until it ends.
    pub table: Arc<Mutex<Table>>,
    /// Where the answer goes.
    pub output: Output,
    /// How it is written.
    pub dialect: Dialect,
    /// Whether it names the action to ponder on.
    pub ponder: bool,
    /// Whether scores come with chances.
    pub show_wdl: bool,
}

/// A search under way.
pub struct Running {
    stop: Arc<AtomicBool>,
    gate: Arc<Gate>,
    thread: JoinHandle<()>,
    done: Receiver<()>,
    /// What the clock allows from `ponderhit` on.
    budget: Option<Budget>,
    pondering: bool,
    infinite: bool,
}

impl Running {
    /// Starts a search on a thread of its own.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn start(mut job: Job) -> io::Result<Running> {
        let stop = Arc::new(AtomicBool::new(false));
        let gate = Arc::new(Gate::default());
        let (sender, done) = unbounded();
        let budget = job.settings.clock.budget;
        let pondering = job.settings.limits.ponder;
        let infinite = job.settings.limits.infinite;
        if pondering || infinite {
            job.settings.clock.budget = None;
        } else {
            gate.open();
        }
        let (its_stop, its_gate) = (Arc::clone(&stop), Arc::clone(&gate));
        let thread = std::thread::Builder::new()
            .name("search".to_owned())
            .stack_size(search::STACK)
            .spawn(move || job.run(&its_stop, &its_gate, &sender))?;
        Ok(Running { stop, gate, thread, done, budget, pondering, infinite })
    }

    /// Ends the search: it answers as soon as it can.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
        self.gate.open();
    }

    /// Whether there is no answer before `stop` or `ponderhit`.
    pub fn is_endless(&self) -> bool {
        self.pondering || self.infinite
    }

    /// The awaited action was played: from now on the clock runs. Gives the moment when the
    /// search has to end, if there is one.
    pub fn ponder_hit(&mut self) -> Option<Instant> {
        if !std::mem::take(&mut self.pondering) || self.infinite {
            return None;
        }
        self.gate.open();
        // A search that pondered has a head start: it ends where no new iteration would begin.
        let budget = self.budget?;
        Instant::now().checked_add(budget.soft.max(Duration::from_millis(1)))
    }

    /// Hears that the answer comes now.
    pub fn done(&self) -> Receiver<()> {
        self.done.clone()
    }

    /// Waits for the answer.
    pub fn join(self) {
        // A search that panicked has said so on standard error.
        let _ = self.thread.join();
    }
}

impl Job {
    fn run(self, stop: &AtomicBool, gate: &Gate, done: &Sender<()>) {
        let mut reporter =
            Reporter { output: self.output.clone(), show_wdl: self.show_wdl, has_scored: false };
        let outcomes = {
            let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
            let multiverse = self.game.multiverse();
            log::debug!("search begins: {:?}", self.settings.limits);
            search::run(multiverse, &self.settings, &mut table, stop, &mut reporter)
        };
        log::debug!("search ends: depth {}, {} nodes", outcomes.depth, outcomes.nodes);
        match &outcomes.best {
            None if outcomes.none => self.report_end(&mut reporter),
            None => self.output.string("no legal action was found in time; there may be one"),
            // Stopped before the first iteration found anything.
            Some(best) if !reporter.has_scored => {
                let score = evaluate(self.game.multiverse());
                self.report(&mut reporter, score, vec![best.clone()]);
            }
            Some(_) => {}
        }
        gate.wait();
        // In this order, so that whoever reads the answer finds the search ended.
        let _ = done.send(());
        self.output.line(&self.answer(outcomes.best.as_ref(), outcomes.ponder.as_ref()));
    }

    fn answer(&self, best: Option<&Action>, ponder: Option<&Action>) -> String {
        let Some(best) = best else { return self.dialect.no_action().to_owned() };
        let best = action_or_submit(best);
        match ponder.filter(|_| self.ponder && self.dialect == Dialect::Uci) {
            Some(ponder) => format!("bestmove {best} ponder {}", action_or_submit(ponder)),
            None => format!("bestmove {best}"),
        }
    }

    /// There is no legal action: says what that means.
    fn report_end(&self, reporter: &mut Reporter) {
        if self.game.is_unfinished() {
            return self.output.string("the unfinished action cannot be completed");
        }
        let report = self.game.report(self.settings.exiled_kings, &Limit::NONE);
        let lost = report.result == GameResult::Win(!self.game.side());
        self.report(reporter, if lost { -MATE } else { 0 }, Vec::new());
    }

    /// A line of depth 0.
    fn report(&self, reporter: &mut Reporter, score: Score, actions: Vec<Action>) {
        reporter.progress(&Progress {
            depth: 0,
            deepest: 0,
            multi_pv: 1,
            line: &Line { score, bound: Bound::Exact, actions },
            nodes: 0,
            elapsed: self.settings.clock.start.elapsed(),
            hashfull: 0,
        });
    }
}
