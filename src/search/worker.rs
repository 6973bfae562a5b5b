//! One thread of a search: what it keeps from node to node and what it asks the root. The main
//! search is in [`node`], what comes at its ends in [`quiescence`], what it learns at once from
//! other threads in [`joint`].

mod joint;
mod node;
mod quiescence;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::busy::Busy;
use super::line::{Variation, raise};
use super::ordering::{History, Killers, Landings, Mild, Ordering};
use super::score::{Score, UNPROVED, is_lost, mated_in};
use super::table::Table;
use super::{Line, Listener, Progress, Settings};
use crate::actions::{
    Action, GameResult, Generator, Limit, Step, Stream, is_legal_action, make_action,
    result_without_action, unmake_action,
};
use crate::evaluation::Evaluator;
use crate::multiverse::{Move, Multiverse};
use joint::Question;

/// The deepest ply.
pub const MOST_PLIES: usize = 128;
/// Candidates that a node's stream may look at before the search makes do with what it has: so
/// many, and as many more for each ply of depth left.
const STREAM_WORK: u64 = 30;
/// Candidates that the proof of "no legal action" may look at.
const PROOF_WORK: u64 = 3_000;
/// How deep the answers to an action are searched that may be a way out of a lost root.
const UNLOST_DEPTH: i32 = 2;
/// Such actions that are enough.
const UNLOST_ENOUGH: usize = 8;
/// Actions tried where a check stands that may be mate already.
const MILD_ACTIONS: usize = 3;
/// Candidates that the proof of such a mate may look at.
const MILD_WORK: u64 = 200;

/// What all threads of a search share.
pub struct Shared<'a> {
    /// The transposition table.
    pub table: &'a Table,
    /// Raised to end the search.
    pub stop: &'a AtomicBool,
    /// When to end it.
    pub deadline: Option<Instant>,
    /// Nodes of all threads, added up now and then.
    pub nodes: &'a AtomicU64,
    /// Nodes to search, at most.
    pub most_nodes: Option<u64>,
    /// The tournament rule for stalemates.
    pub exiled_kings: bool,
    /// What the threads are at, where there are several.
    pub busy: Option<&'a Busy>,
}

impl Shared<'_> {
    /// Whether another thread searches the position with this key.
    pub fn is_searched(&self, key: u64) -> bool {
        self.busy.is_some_and(|busy| busy.holds(key))
    }

    /// Runs a search of the position with this key, of which other threads shall know.
    fn announced(&self, key: u64, search: impl FnOnce() -> Score) -> Score {
        let Some(busy) = self.busy else { return search() };
        busy.enter(key);
        let score = search();
        busy.leave(key);
        score
    }

    /// Reports a line.
    pub fn report(
        &self,
        settings: &Settings,
        listener: &mut dyn Listener,
        depth: i32,
        deepest: usize,
        multi_pv: usize,
        line: &Line,
    ) {
        listener.progress(&Progress {
            depth,
            deepest,
            multi_pv,
            line,
            nodes: self.nodes.load(Relaxed),
            elapsed: settings.clock.start.elapsed(),
            hashfull: self.table.hashfull(),
        });
    }
}

/// One thread's search.
pub struct Worker<'a> {
    shared: &'a Shared<'a>,
    multiverse: Multiverse,
    history: History,
    landings: Landings,
    /// By ply.
    killers: Vec<Killers>,
    /// By ply: the action that last was too good on several boards, if any.
    refutations: Vec<Action>,
    evaluator: Evaluator,
    streams: Vec<Stream>,
    prover: Generator,
    /// The answer that refuted a mate by a standing check last: it often refutes the next.
    answer: Action,
    /// Best lines by ply.
    lines: Vec<Variation>,
    /// The moves of quiet actions tried in vain at the nodes under search, those of the root first.
    tried: Vec<Move>,
    /// The nodes above that are searched together with other threads, the root's side first.
    asked: Vec<Question>,
    /// The ply and score of one that another thread has finished with, until this one is back
    /// there.
    answered: Option<(usize, Score)>,
    nodes: u64,
    counted: u64,
    deepest: usize,
    stopped: bool,
}

/// When an action of the root is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Before all others.
    First,
    /// After another one.
    Later,
    /// After all others, as another thread was at it before.
    PutOff,
}

/// What became of looking for a node's legal actions.
enum End {
    /// There is none: the score of that.
    Over(Score),
    /// There is this one at least.
    Known(Action),
    /// Nothing was found in time.
    Unknown,
}

impl<'a> Worker<'a> {
    /// A worker at a position.
    pub fn new(shared: &'a Shared<'a>, multiverse: Multiverse) -> Worker<'a> {
        Worker {
            shared,
            evaluator: Evaluator::new(multiverse.size()),
            multiverse,
            history: History::new(),
            landings: Landings::default(),
            killers: vec![[0; 2]; MOST_PLIES + 2],
            refutations: vec![Action::new(); MOST_PLIES + 2],
            streams: Vec::new(),
            prover: Generator::new(),
            answer: Action::new(),
            lines: vec![Variation::default(); MOST_PLIES + 2],
            tried: Vec::new(),
            asked: Vec::new(),
            answered: None,
            nodes: 0,
            counted: 0,
            deepest: 0,
            stopped: false,
        }
    }

    /// Whether the search was ended from outside.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// The deepest ply reached since the last call.
    pub fn take_deepest(&mut self) -> usize {
        std::mem::take(&mut self.deepest)
    }

    /// Adds this thread's nodes to the shared count.
    pub fn publish_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.counted, Relaxed);
        self.counted = self.nodes;
    }

    #[inline]
    fn count_node(&mut self, ply: usize) {
        self.nodes += 1;
        self.deepest = self.deepest.max(ply);
        if self.nodes & 63 == 0 || self.shared.most_nodes.is_some() {
            self.publish_nodes();
            self.poll();
        }
    }

    /// Looks at everything that may end the search.
    pub fn poll(&mut self) {
        let spent =
            self.shared.most_nodes.is_some_and(|most| self.shared.nodes.load(Relaxed) >= most);
        let late = self.shared.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if spent || late || self.shared.stop.load(Relaxed) {
            self.stopped = true;
        }
    }

    fn limit(&self, work: u64) -> Limit<'a> {
        Limit { work: Some(work), deadline: self.shared.deadline, stop: Some(self.shared.stop) }
    }

    /// Searches a position reached by an action from the root, within a window; by the first action
    /// in all of it, by a later one in all of it only if it is better. The score is the
    /// mover's at the root; the line behind the action comes with it. `None` if it may be put off
    /// and another thread is at it.
    pub fn search_action(
        &mut self,
        action: &Action,
        depth: i32,
        alpha: Score,
        beta: Score,
        turn: Turn,
    ) -> Option<Score> {
        self.after(action, |worker| {
            let (shared, key) = (worker.shared, worker.multiverse.key());
            match turn {
                Turn::First => Some(-worker.search(1, depth - 1, -beta, -alpha)),
                Turn::Later if shared.is_searched(key) => None,
                Turn::Later | Turn::PutOff => Some(shared.announced(key, || {
                    let score = -worker.search(1, depth - 1, -alpha - 1, -alpha);
                    if score > alpha && score < beta && !worker.stopped {
                        -worker.search(1, depth - 1, -beta, -alpha)
                    } else {
                        score
                    }
                })),
            }
        })
    }

    /// Runs `search` on the position that an action leads to.
    fn after<R>(&mut self, action: &[Move], search: impl FnOnce(&mut Self) -> R) -> R {
        let made = make_action(&mut self.multiverse, action);
        let result = search(self);
        unmake_action(&mut self.multiverse, action, &made);
        result
    }

    /// Tries the action that last refuted something at this ply before any other is made up: its
    /// score by `search`, if that refutes this, too.
    fn try_refutation(
        &mut self,
        ply: usize,
        beta: Score,
        search: impl FnOnce(&mut Self) -> Score,
    ) -> Option<Score> {
        let action = std::mem::take(&mut self.refutations[ply]);
        let mut refutes = None;
        if !action.is_empty() && is_legal_action(&mut self.multiverse, &action) {
            let score = self.after(&action, search);
            if score >= beta && !self.stopped {
                raise(&mut self.lines, ply, action.iter().copied());
                refutes = Some(score);
            }
        }
        self.refutations[ply] = action;
        refutes
    }

    /// Sorts root actions by the static value of the positions they lead to, the best first.
    pub fn sort_by_value(&mut self, actions: &mut [Action]) {
        actions.sort_by_cached_key(|action| {
            self.after(action, |worker| worker.evaluator.evaluate(&worker.multiverse))
        });
    }

    /// Legal actions beside those that are known after which the side is not being mated within
    /// sight, a few of them; looks at `most` candidates at most, and only at what is `allowed`.
    pub fn find_unlost(
        &mut self,
        known: &[Action],
        most: usize,
        allowed: impl Fn(&Multiverse, &[Move]) -> bool,
    ) -> Vec<Action> {
        let mut found = Vec::new();
        let mut stream = self.take_stream();
        let mut ordering = Ordering::new(&self.multiverse, [0; 4], &self.history, &self.landings);
        stream.start(&mut self.multiverse, &mut ordering);
        let limit = self.limit(most as u64);
        for _ in 0..most {
            let enough = self.stopped || found.len() == UNLOST_ENOUGH;
            if enough || stream.next_any(&mut self.multiverse, &limit) != Step::Found {
                break;
            }
            let action = stream.action();
            if known.contains(&action) || !allowed(&self.multiverse, &action) {
                continue;
            }
            let score =
                self.after(&action, |it| -it.search(1, UNLOST_DEPTH, UNPROVED - 1, UNPROVED));
            if !self.stopped && !is_lost(score) {
                found.push(action);
            }
        }
        stream.finish(&mut self.multiverse);
        self.streams.push(stream);
        found
    }

    /// Visits the opponent's answers to an action, `most` of them at most: what each is worth to
    /// the mover at the root, `depth` plies from the root on.
    /// Returns false if the search was ended before.
    pub fn each_answer(
        &mut self,
        action: &Action,
        depth: i32,
        most: usize,
        mut visit: impl FnMut(Score),
    ) -> bool {
        self.after(action, |worker| worker.visit_answers(depth, most, &mut visit));
        !self.stopped
    }

    /// The same from the position after that action, where the answers are legal.
    fn visit_answers(&mut self, depth: i32, most: usize, visit: &mut impl FnMut(Score)) {
        let mut stream = self.take_stream();
        let mut ordering = Ordering::new(&self.multiverse, [0; 4], &self.history, &self.landings);
        stream.start(&mut self.multiverse, &mut ordering);
        let limit = self.limit(PROOF_WORK);
        for _ in 0..most {
            if self.stopped || stream.next_any(&mut self.multiverse, &limit) != Step::Found {
                break;
            }
            stream.make(&mut self.multiverse);
            let score = self.search(2, depth - 2, -UNPROVED, UNPROVED);
            stream.unmake(&mut self.multiverse);
            if !self.stopped {
                visit(score);
            }
        }
        stream.finish(&mut self.multiverse);
        self.streams.push(stream);
    }

    /// The line that followed the action searched last.
    pub fn line(&self) -> Vec<Action> {
        self.lines[1].actions()
    }

    /// The score where there is no legal action.
    fn score_of_end(&mut self, ply: usize) -> Score {
        match result_without_action(&mut self.multiverse, self.shared.exiled_kings) {
            GameResult::Win(winner) if winner == self.multiverse.side() => -mated_in(ply),
            GameResult::Win(_) => mated_in(ply),
            GameResult::Draw | GameResult::Open => 0,
        }
    }

    /// Looks for any legal action, at so many candidates at most.
    fn prove(&mut self, work: u64) -> Step {
        let limit = self.limit(work);
        let mut step = self.prover.seek_along_boards(&mut self.multiverse, &limit);
        self.prover.finish(&mut self.multiverse);
        if step != Step::Found {
            self.prover.start(&mut self.multiverse);
            step = self.prover.next(&mut self.multiverse, &limit);
            self.prover.finish(&mut self.multiverse);
        }
        step
    }

    /// Decides a node whose stream has yielded nothing.
    fn end_of(&mut self, step: Step, ply: usize) -> End {
        let mut step = step;
        if step == Step::Stopped && !self.stopped {
            step = self.prove(PROOF_WORK);
            self.poll();
        }
        match step {
            Step::Done => End::Over(self.score_of_end(ply)),
            Step::Found => End::Known(self.prover.action()),
            Step::Stopped => End::Unknown,
        }
    }

    /// An action that mates at once, where the opponent has left a check standing: any that keeps
    /// the check and changes little else may do. Among all actions those are hard to find, as they
    /// take nothing. Not asked where the table knows the position: it would know the mate, too.
    fn mate_by_standing_check(&mut self) -> Option<Action> {
        let mut stream = self.take_stream();
        let mut mild = Mild(Ordering::new(&self.multiverse, [0; 4], &self.history, &self.landings));
        stream.start(&mut self.multiverse, &mut mild);
        let limit = self.limit(STREAM_WORK);
        let mut mate = None;
        for _ in 0..MILD_ACTIONS {
            if stream.next_any(&mut self.multiverse, &limit) != Step::Found {
                break;
            }
            stream.make(&mut self.multiverse);
            let is_mate = self.multiverse.in_check() && self.is_mated();
            stream.unmake(&mut self.multiverse);
            if is_mate {
                mate = Some(stream.action());
                break;
            }
        }
        stream.finish(&mut self.multiverse);
        self.streams.push(stream);
        mate
    }

    /// Whether little work proves that the side to move, which is in check, has no legal action.
    fn is_mated(&mut self) -> bool {
        if is_legal_action(&mut self.multiverse, &self.answer) {
            return false;
        }
        let step = self.prove(MILD_WORK);
        if step == Step::Found {
            self.answer.clear();
            self.answer.extend(self.prover.steps());
        }
        step == Step::Done
    }

    fn take_stream(&mut self) -> Stream {
        self.streams.pop().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::notation::parse_fen;

    #[test]
    fn ways_out_of_a_mate_are_found_among_other_actions() {
        let table = Table::new(1).unwrap();
        let (stop, nodes) = (AtomicBool::new(false), AtomicU64::new(0));
        let shared = Shared {
            table: &table,
            stop: &stop,
            deadline: None,
            nodes: &nodes,
            most_nodes: None,
            exiled_kings: true,
            busy: None,
        };
        // The rook threatens to mate on the first rank; a pawn on the right does not help.
        let multiverse = parse_fen("[k6r/8/8/8/8/8/PP4P1/K7:0:1:w]", None, None).unwrap();
        let mut worker = Worker::new(&shared, multiverse);
        let mut ways_out = |known: &[Action], forbidden: Option<Square>| {
            let allowed = |_: &Multiverse, action: &[Move]| {
                action.iter().all(|step| Some(step.to_square) != forbidden)
            };
            let found = worker.find_unlost(known, 100, allowed);
            assert!(found.iter().flatten().all(|step| step.from_square.file() < 2), "{found:?}");
            found
        };
        let all = ways_out(&[], None);
        // A step of either pawn, or the king's to the side.
        assert_eq!(all.len(), 3, "{all:?}");
        assert_eq!(ways_out(&all[..1], None), all[1..]);
        assert_eq!(ways_out(&all[..1], Some(all[2][0].to_square)), all[1..2]);
    }
}
