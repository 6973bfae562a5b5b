//! One thread's search: principal-variation search over whole actions; [`quiescence`] at its ends.

mod quiescence;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::line::{Variation, raise};
use super::ordering::{
    FORCING_ACTION, History, Killers, LEFT_OUT_ACTION, Landings, Look, Mild, Ordering, tags,
};
use super::parameters::{
    FORCING_WIDTHS, PASS_REDUCTION, Parameter, REDUCTION_BASE, REDUCTION_DIVISOR, STATIC_MARGIN,
    WIDTH_BASE, WIDTH_GROWTH,
};
use super::score::{
    INFINITE, MATE_BOUND, Score, UNPROVED, from_table, mated_in, to_table, unproved,
};
use super::table::{Bound, Entry, Table, Tags};
use super::{Line, Listener, Progress, Settings};
use crate::actions::{Action, GameResult, Generator, Limit, Step, Stream, result_without_action};
use crate::evaluation::Evaluator;
use crate::multiverse::{Move, Multiverse};

/// The deepest ply.
pub const MOST_PLIES: usize = 128;
/// Candidates that a node's stream may look at before the search makes do with what it has: so
/// many, and as many more for each ply of depth left.
const STREAM_WORK: u64 = 30;
/// Candidates that the proof of "no legal action" may look at.
const PROOF_WORK: u64 = 3_000;
/// From so many playable boards on, unlikely jumps are left out at first.
pub const WIDE: usize = 4;
/// Actions tried where a check stands that may be mate already.
const MILD_ACTIONS: usize = 3;
/// Candidates that the proof of such a mate may look at.
const MILD_WORK: u64 = 200;
/// Quiet actions tried in vain before one that refutes, for which these are blamed.
const MOST_BLAMED: usize = 16;

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
}

impl Shared<'_> {
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
    evaluator: Evaluator,
    streams: Vec<Stream>,
    prover: Generator,
    /// Best lines by ply.
    lines: Vec<Variation>,
    /// The moves of quiet actions tried in vain at the nodes under search, those of the root first.
    tried: Vec<Move>,
    nodes: u64,
    counted: u64,
    deepest: usize,
    stopped: bool,
}

/// What became of looking for a node's legal actions.
enum End {
    /// There is none: the score of that.
    Over(Score),
    /// Nothing was found in time.
    Unknown,
}

/// By how many plies the action that comes as `count`th, from 1, is searched less deep.
fn reduction_of(depth: i32, count: i32) -> i32 {
    let growth = f64::from(depth.max(1)).ln() * f64::from(count.max(1)).ln();
    let percent = |parameter: &Parameter| f64::from(parameter.get()) / 100.0;
    (percent(&REDUCTION_BASE) + growth / percent(&REDUCTION_DIVISOR)) as i32
}

impl<'a> Worker<'a> {
    /// A worker at a position.
    pub fn new(shared: &'a Shared<'a>, multiverse: Multiverse) -> Worker<'a> {
        Worker {
            shared,
            multiverse,
            history: History::new(),
            landings: Landings::default(),
            killers: vec![[0; 2]; MOST_PLIES + 2],
            evaluator: Evaluator::default(),
            streams: Vec::new(),
            prover: Generator::new(),
            lines: vec![Variation::default(); MOST_PLIES + 2],
            tried: Vec::new(),
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
    /// mover's at the root; the line behind the action comes with it.
    pub fn search_action(
        &mut self,
        action: &Action,
        depth: i32,
        alpha: Score,
        beta: Score,
        first: bool,
    ) -> Score {
        let made = crate::actions::make_action(&mut self.multiverse, action);
        let score = if first {
            -self.search(1, depth - 1, -beta, -alpha)
        } else {
            let score = -self.search(1, depth - 1, -alpha - 1, -alpha);
            if score > alpha && score < beta && !self.stopped {
                -self.search(1, depth - 1, -beta, -alpha)
            } else {
                score
            }
        };
        crate::actions::unmake_action(&mut self.multiverse, action, &made);
        score
    }

    /// Sorts root actions by the static value of the positions they lead to, the best first.
    pub fn sort_by_value(&mut self, actions: &mut [Action]) {
        actions.sort_by_cached_key(|action| {
            let made = crate::actions::make_action(&mut self.multiverse, action);
            let value = self.evaluator.evaluate(&self.multiverse);
            crate::actions::unmake_action(&mut self.multiverse, action, &made);
            value
        });
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
        let made = crate::actions::make_action(&mut self.multiverse, action);
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
        crate::actions::unmake_action(&mut self.multiverse, action, &made);
        !self.stopped
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
        if step != Step::Done {
            return End::Unknown;
        }
        End::Over(self.score_of_end(ply))
    }

    /// An action that mates at once, where the opponent has left a check standing: any that keeps
    /// the check and changes little else may do. Among all actions those are hard to find, as they
    /// take nothing. No node of which the table knows was one.
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
            let is_mate = self.multiverse.in_check() && self.prove(MILD_WORK) == Step::Done;
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

    fn take_stream(&mut self) -> Stream {
        self.streams.pop().unwrap_or_default()
    }

    /// Searches the position at `ply` to `depth` plies. Mate scores are proved: at every node of
    /// the losing side every legal action was looked at.
    fn search(&mut self, ply: usize, depth: i32, alpha: Score, beta: Score) -> Score {
        if depth <= 0 || ply >= MOST_PLIES {
            return self.quiescence(ply, quiescence::PLIES, alpha, beta);
        }
        self.count_node(ply);
        self.lines[ply].clear();
        if self.stopped {
            return 0;
        }
        let alpha = alpha.max(mated_in(ply));
        let beta = beta.min(-mated_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }
        let key = self.multiverse.key();
        let entry = self.shared.table.probe(key);
        let is_pv = beta - alpha > 1;
        let mut hint: Tags = [0; 4];
        if let Some(entry) = entry {
            hint = entry.tags;
            let score = from_table(entry.score, ply);
            let cuts = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if !is_pv && entry.depth >= depth && cuts {
                return score;
            }
        }
        let standing = self.multiverse.has_standing_check();
        if standing
            && entry.is_none()
            && let Some(mate) = self.mate_by_standing_check()
        {
            self.lines[ply + 1].clear();
            raise(&mut self.lines, ply, mate);
            return -mated_in(ply + 1);
        }
        let check = self.multiverse.in_check();
        if !is_pv && !check && beta.abs() < MATE_BOUND {
            let value = self.evaluator.evaluate_in(&self.multiverse, beta - 1, beta);
            if depth <= 3 && value - STATIC_MARGIN.get() * depth >= beta {
                return value;
            }
            if depth >= 2 && value >= beta && self.can_pass() {
                let score = self.search_pass(ply, depth - PASS_REDUCTION.get(), beta);
                if self.stopped {
                    return 0;
                }
                if score >= beta {
                    return unproved(score);
                }
            }
        }
        let boards = self.multiverse.count_playable(WIDE);
        let mut look = if boards == WIDE { Look::Narrow } else { Look::WithoutQuietJumps };
        let mut stream = self.take_stream();
        let mut ordering = Ordering::new(&self.multiverse, hint, &self.history, &self.landings);
        ordering.look = look;
        ordering.standing = standing;
        ordering.killers = self.killers[ply];
        stream.start(&mut self.multiverse, &mut ordering);
        let limit = self.limit(STREAM_WORK * (1 + depth as u64));
        let mut best = -INFINITE;
        let mut improved = false;
        let mut raised = alpha;
        let mut count = 0;
        let (mut full, mut before) = (false, 0);
        let (first_tried, mut tried) = (self.tried.len(), 0);
        let growth = WIDTH_GROWTH.get() * depth * depth;
        let widest = WIDTH_BASE.get() + growth + if is_pv { 16 } else { 0 };
        let mut step;
        loop {
            step = stream.next_any(&mut self.multiverse, &limit);
            if step == Step::Stopped {
                // By the end of the search as well as by its own work.
                self.poll();
            }
            let seen = full || look == Look::LeftOut && stream.score() < LEFT_OUT_ACTION;
            if (step != Step::Found || seen) && !self.stopped {
                // What comes again is in the table.
                let Some(next) = look.next(check, best <= -MATE_BOUND) else { break };
                look = next;
                (full, before) = (false, count);
                stream.finish(&mut self.multiverse);
                let mut ordering =
                    Ordering::new(&self.multiverse, [0; 4], &self.history, &self.landings);
                ordering.look = look;
                ordering.standing = standing;
                ordering.single = boards == 1;
                stream.start(&mut self.multiverse, &mut ordering);
                continue;
            }
            if step != Step::Found || self.stopped {
                break;
            }
            let forcing = look != Look::LeftOut && stream.score() >= FORCING_ACTION;
            // A side that is not being mated may leave the tail of a long list alone. On many boards
            // there are so many ways to take something somewhere that these come to an end, too.
            let safe = best > -MATE_BOUND;
            let most = if forcing || check { widest * FORCING_WIDTHS.get() } else { widest };
            if count - before >= most && safe {
                if !check || look == Look::LeftOut {
                    break;
                }
                full = true;
                continue;
            }
            count += 1;
            stream.make(&mut self.multiverse);
            let mut score;
            if count == 1 {
                score = -self.search(ply + 1, depth - 1, -beta, -raised);
            } else {
                let mut reduction = 0;
                if depth >= 2 && count > 2 && !forcing {
                    let less = i32::from(check) + i32::from(is_pv);
                    reduction = (reduction_of(depth, count) - less).clamp(0, depth - 1);
                }
                score = -self.search(ply + 1, depth - 1 - reduction, -raised - 1, -raised);
                if score > raised && reduction > 0 && !self.stopped {
                    score = -self.search(ply + 1, depth - 1, -raised - 1, -raised);
                }
                if score > raised && score < beta && !self.stopped {
                    score = -self.search(ply + 1, depth - 1, -beta, -raised);
                }
            }
            stream.unmake(&mut self.multiverse);
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
            }
            if score > raised {
                raised = score;
                raise(&mut self.lines, ply, stream.steps());
                improved = true;
                if score >= beta {
                    break;
                }
            } else if !forcing && tried < MOST_BLAMED {
                self.tried.extend(stream.steps());
                tried += 1;
            }
        }
        stream.finish(&mut self.multiverse);
        self.streams.push(stream);
        if self.stopped {
            self.tried.truncate(first_tried);
            return 0;
        }
        if count == 0 {
            return match self.end_of(step, ply) {
                End::Over(score) => score,
                End::Unknown if self.stopped => 0,
                End::Unknown => self.evaluator.evaluate(&self.multiverse),
            };
        }
        if step == Step::Stopped && best <= -MATE_BOUND {
            // Not every action was looked at: no mate is proved.
            best = unproved(best);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if improved {
            let action = self.lines[ply].first();
            hint = tags(action);
            if best >= beta {
                let killers = &mut self.killers[ply];
                if killers[0] != hint[0] {
                    *killers = [hint[0], killers[0]];
                }
                let bonus = 16 * depth * depth;
                self.history.learn(&self.multiverse, action, bonus);
                self.history.learn(&self.multiverse, &self.tried[first_tried..], -bonus);
            }
        }
        self.tried.truncate(first_tried);
        let entry = Entry { score: to_table(best, ply), depth, bound, tags: hint };
        self.shared.table.store(key, &entry);
        best
    }

    /// A pass tells something only where the side has more than royals and pawns to move.
    fn can_pass(&self) -> bool {
        let side = self.multiverse.side();
        self.multiverse.active_lines().filter_map(|line| self.multiverse.latest(line)).any(
            |place| {
                let board = self.multiverse.board(place);
                board.of(side) & !board.royals(side) & !board.pawn_like() != 0
            },
        )
    }

    /// The score after the side to move has passed on the present boards, in a null window.
    fn search_pass(&mut self, ply: usize, depth: i32, beta: Score) -> Score {
        let lines = self.multiverse.begin_pass();
        let score = -self.search(ply + 1, depth, -beta, -beta + 1);
        self.multiverse.end_pass(lines);
        score
    }
}
