//! The main search at one node: principal-variation search over the stream of whole actions.

use super::joint::Question;
use super::{End, STREAM_WORK, Worker, quiescence};
use crate::actions::{Action, Step};
use crate::multiverse::Move;
use crate::search::line::raise;
use crate::search::ordering::{
    self, Circumstance, FORCING_ACTION, LEFT_OUT_ACTION, Look, Ordering,
};
use crate::search::parameters::{
    FORCING_WIDTHS, PASS_REDUCTION, Parameter, REDUCTION_BASE, REDUCTION_DIVISOR, STATIC_MARGIN,
    WIDTH_BASE, WIDTH_GROWTH,
};
use crate::search::score::{INFINITE, MATE_BOUND, Score, is_lost, mated_in, to_table, unproved};
use crate::search::table::{Bound, Entry, Tags};
use crate::search::worker::MOST_PLIES;

/// From this depth on an action is put off while another thread is at it.
const PUT_OFF_DEPTH: i32 = 2;
/// Up to this depth no timeline is opened, but in check or where the side is being mated.
const STAY_DEPTH: i32 = 1;
/// From this depth on a position that the table does not know is searched a ply less deep.
const UNKNOWN_DEPTH: i32 = 3;
/// From so many playable boards on, unlikely jumps are left out at first.
const NARROW_BOARDS: usize = 3;
/// Quiet actions tried in vain before one that refutes, for which these are blamed.
const MOST_BLAMED: usize = 16;

/// What is known so far at a node under search.
struct Node {
    ply: usize,
    depth: i32,
    beta: Score,
    is_pv: bool,
    check: bool,
    /// Whether one board is playable.
    single: bool,
    /// The best score so far.
    best: Score,
    /// What is to be beaten.
    raised: Score,
    /// Whether something has beaten what was to be beaten at first.
    improved: bool,
    /// Actions searched.
    count: i32,
    /// Quiet actions tried in vain.
    tried: usize,
    /// Actions that another thread was searching when their turn came, each with its number and
    /// whether it is forcing.
    put_off: Vec<(Action, i32, bool)>,
}

/// By how many plies the action that comes as `count`th, from 1, is searched less deep.
fn reduction_of(depth: i32, count: i32) -> i32 {
    let growth = f64::from(depth.max(1)).ln() * f64::from(count.max(1)).ln();
    let percent = |parameter: &Parameter| f64::from(parameter.get()) / 100.0;
    (percent(&REDUCTION_BASE) + growth / percent(&REDUCTION_DIVISOR)) as i32
}

impl Worker<'_> {
    /// Searches the position at `ply` to `depth` plies. Mate scores are proved: at every node of
    /// the losing side every legal action was looked at.
    pub(super) fn search(&mut self, ply: usize, depth: i32, alpha: Score, beta: Score) -> Score {
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
        let together = self.shared.busy.is_some() && depth >= PUT_OFF_DEPTH;
        if together && self.is_answered_above() {
            return 0;
        }
        let key = self.multiverse.key();
        let entry = self.shared.table.probe(key);
        let is_pv = beta - alpha > 1;
        let question = Question { key, ply, depth, alpha, beta };
        let hint = entry.map_or([0; 4], |entry| entry.tags);
        if !is_pv && let Some(score) = entry.and_then(|entry| question.answer(&entry)) {
            return score;
        }
        // Without an action to begin with, order is poor: a ply less now will give one for the next
        // time (internal iterative reductions, after Schröder).
        let depth = depth - i32::from(entry.is_none() && depth >= UNKNOWN_DEPTH);
        let question = Question { depth, ..question };
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
            let good_enough = self.prune(ply, depth, beta);
            if self.stopped {
                return 0;
            }
            if let Some(score) = good_enough {
                return score;
            }
        }
        let boards = self.multiverse.count_playable(NARROW_BOARDS);
        let single = boards == 1;
        if !is_pv && !single && hint == [0; 4] {
            let search = |it: &mut Self| -it.search(ply + 1, depth - 1, -beta, 1 - beta);
            if let Some(score) = self.try_refutation(ply, beta, search) {
                let tags = ordering::tags(self.lines[ply].first());
                self.store(&question, score, Bound::Lower, tags);
                return score;
            }
        }
        let narrow = boards == NARROW_BOARDS;
        let mut look = if narrow { Look::Narrow } else { Look::WithoutQuietJumps };
        let mut stream = self.take_stream();
        let mut ordering = Ordering::new(&self.multiverse, hint, &self.history, &self.landings);
        ordering.look = look;
        ordering.standing = standing;
        ordering.killers = self.killers[ply];
        let at = if check {
            Circumstance::Check
        } else if depth <= STAY_DEPTH && !is_pv {
            Circumstance::End
        } else {
            Circumstance::Inner
        };
        if at == Circumstance::End {
            ordering.branches = 0;
        }
        stream.start(&mut self.multiverse, &mut ordering);
        let limit = self.limit(STREAM_WORK * (1 + depth as u64));
        let mut node = Node {
            ply,
            depth,
            beta,
            is_pv,
            check,
            single,
            best: -INFINITE,
            raised: alpha,
            improved: false,
            count: 0,
            tried: 0,
            put_off: Vec::new(),
        };
        let first_tried = self.tried.len();
        let asks = together && !is_pv;
        if asks {
            self.asked.push(question);
        }
        let growth = WIDTH_GROWTH.get() * depth * depth / 10;
        let widest = WIDTH_BASE.get() + growth + if is_pv { 16 } else { 0 };
        // Actions searched before this look.
        let mut before = 0;
        let mut step;
        loop {
            step = stream.next_any(&mut self.multiverse, &limit);
            if step == Step::Stopped {
                // By the end of the search as well as by its own work.
                self.poll();
            }
            if self.stopped {
                break;
            }
            let found = step == Step::Found;
            let forcing = look != Look::LeftOut && stream.score() >= FORCING_ACTION.into();
            // A side that is not being mated may leave the tail of a long list alone. On many boards
            // there are so many ways to take something somewhere that these come to an end, too.
            let most = if forcing || check { widest * FORCING_WIDTHS.get() / 100 } else { widest };
            let full = node.count - before >= most && !is_lost(node.best);
            let seen = look == Look::LeftOut && stream.score() < LEFT_OUT_ACTION;
            if !found || full || seen {
                if self.search_put_off(&mut node) || found && full && !check {
                    break;
                }
                // What comes again is in the table.
                let lost = is_lost(node.best);
                let Some(next) = look.next(at, lost) else { break };
                (look, before) = (next, node.count);
                stream.finish(&mut self.multiverse);
                let mut ordering =
                    Ordering::new(&self.multiverse, [0; 4], &self.history, &self.landings);
                ordering.look = look;
                ordering.standing = standing;
                ordering.single = single;
                stream.start(&mut self.multiverse, &mut ordering);
                continue;
            }
            node.count += 1;
            stream.make(&mut self.multiverse);
            let can_wait = node.count > 1 && depth >= PUT_OFF_DEPTH;
            if can_wait && self.shared.is_searched(self.multiverse.key()) {
                stream.unmake(&mut self.multiverse);
                node.put_off.push((stream.action(), node.count, forcing));
                continue;
            }
            let score = self.search_child(&node, node.count, forcing);
            stream.unmake(&mut self.multiverse);
            if self.hear(&mut node, score, forcing, stream.steps()) {
                break;
            }
        }
        if node.count == 0 && !self.stopped {
            match self.end_of(step, ply) {
                End::Over(score) => node.best = score,
                End::Known(action) => {
                    node.count = 1;
                    node.put_off.push((action, 1, true));
                    self.search_put_off(&mut node);
                }
                End::Unknown if self.stopped => {}
                End::Unknown => node.best = self.evaluator.evaluate(&self.multiverse),
            }
        }
        stream.finish(&mut self.multiverse);
        self.streams.push(stream);
        if asks {
            self.asked.pop();
        }
        if node.count > 0 && step == Step::Stopped && node.best <= -MATE_BOUND {
            // Not every action was looked at: no mate is proved.
            node.best = unproved(node.best);
        }
        if !self.stopped && node.count > 0 {
            self.learn(&question, &node, first_tried, hint);
        }
        self.tried.truncate(first_tried);
        if self.stopped { self.take_answer(ply).unwrap_or(0) } else { node.best }
    }

    /// The score of a position that is good enough for its side without a search of its actions:
    /// by far as it stands (reverse futility), or still after a pass (null-move pruning).
    fn prune(&mut self, ply: usize, depth: i32, beta: Score) -> Option<Score> {
        let value = self.evaluator.evaluate_in(&self.multiverse, beta - 1, beta);
        if depth <= 3 && value - STATIC_MARGIN.get() * depth >= beta {
            return Some(value);
        }
        if depth < 2 || value < beta || !self.can_pass() {
            return None;
        }
        let score = unproved(self.search_pass(ply, depth - PASS_REDUCTION.get(), beta));
        (score >= beta).then_some(score)
    }

    /// Keeps what came out at a node: for the table, and if an action refuted it, for the order of
    /// other nodes. `hint` is the table's action from before.
    fn learn(&mut self, question: &Question, node: &Node, first_tried: usize, hint: Tags) {
        let &Question { ply, depth, alpha, beta, .. } = question;
        let best = node.best;
        let bound = if best >= beta {
            Bound::Lower
        } else if best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let mut tags = hint;
        if node.improved {
            let action = self.lines[ply].first();
            tags = ordering::tags(action);
            if best >= beta {
                let killers = &mut self.killers[ply];
                if killers[0] != tags[0] {
                    *killers = [tags[0], killers[0]];
                }
                let bonus = 16 * depth * depth;
                self.history.learn(&self.multiverse, action, bonus);
                self.history.learn(&self.multiverse, &self.tried[first_tried..], -bonus);
                if !node.single {
                    let refutation = &mut self.refutations[ply];
                    refutation.clear();
                    refutation.extend_from_slice(action);
                }
            }
        }
        self.store(question, best, bound, tags);
    }

    /// Stores what is known of a node in the table.
    fn store(&self, question: &Question, score: Score, bound: Bound, tags: Tags) {
        let &Question { key, ply, depth, .. } = question;
        self.shared.table.store(key, &Entry { score: to_table(score, ply), depth, bound, tags });
    }

    /// Searches the position that an action leads to, the `count`th of the node, for the node's
    /// mover.
    fn search_child(&mut self, node: &Node, count: i32, forcing: bool) -> Score {
        let &Node { ply, depth, beta, is_pv, check, raised, .. } = node;
        if count == 1 {
            return -self.search(ply + 1, depth - 1, -beta, -raised);
        }
        let mut reduction = 0;
        if depth >= 2 && count > 2 && !forcing {
            let less = i32::from(check) + i32::from(is_pv);
            reduction = (reduction_of(depth, count) - less).clamp(0, depth - 1);
        }
        let (shared, key) = (self.shared, self.multiverse.key());
        let mut search = || {
            let mut score = -self.search(ply + 1, depth - 1 - reduction, -raised - 1, -raised);
            if score > raised && reduction > 0 && !self.stopped {
                score = -self.search(ply + 1, depth - 1, -raised - 1, -raised);
            }
            if score > raised && score < beta && !self.stopped {
                score = -self.search(ply + 1, depth - 1, -beta, -raised);
            }
            score
        };
        if depth >= PUT_OFF_DEPTH { shared.announced(key, search) } else { search() }
    }

    /// Takes the score of an action of a node. Returns whether that is the end of it.
    fn hear(
        &mut self,
        node: &mut Node,
        score: Score,
        forcing: bool,
        action: impl Iterator<Item = Move>,
    ) -> bool {
        if self.stopped {
            return true;
        }
        node.best = node.best.max(score);
        if score > node.raised {
            node.raised = score;
            node.improved = true;
            raise(&mut self.lines, node.ply, action);
        } else if !forcing && node.tried < MOST_BLAMED {
            self.tried.extend(action);
            node.tried += 1;
        }
        score >= node.beta
    }

    /// Searches what was put off at a node. Returns whether that is the end of it.
    fn search_put_off(&mut self, node: &mut Node) -> bool {
        for (action, count, forcing) in std::mem::take(&mut node.put_off) {
            let score = self.after(&action, |it| it.search_child(node, count, forcing));
            if self.hear(node, score, forcing, action.into_iter()) {
                return true;
            }
        }
        false
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
