//! The lazy walk over all legal actions, each once, depth first.
//!
//! A *cell* is a product of sets of values, one set an axis. The walk picks a point of the cell.
//! If it is legal it is yielded, and the cell is split around a box of legal points that holds it
//! ([`super::calm`]), which are yielded too; if it breaks a constraint, the cell is split around
//! the whole slice of points that break it in the same way ([`super::slices`]). For a slice
//! V1 x V2 x … x Vn the parts are
//!
//! > a1 not in V1;  a1 in V1 and a2 not in V2;  …;  a1 in V1, …, an not in Vn.
//!
//! # Why it is complete and exact
//!
//! - *Nothing twice.* The parts are disjoint, and together they are the cell without the slice: no
//!   point is looked at twice. Of the points that are equal actions all but one break a constraint
//!   ([`super::equal`]). So no action comes twice.
//! - *Nothing lost.* Every action has a point ([`super::space`]). A point disappears without being
//!   yielded only inside a slice, and each function that builds one says why every point of it
//!   breaks the rule.
//! - *What is learned is a slice.* A cell with nothing in it was cut from the whole space by sets
//!   on some axes. What showed it to be empty are slices; what they depend on is the axes they
//!   have parts on, the reason. The sets of the cell on those axes, and everything on the others,
//!   hold nothing either: that product is kept ([`super::learned`]). If the split that made the
//!   cell is not among the reason's axes, the cell it was split from is empty for the same reason,
//!   and its other parts need not be looked at: conflict-directed backjumping, after Prosser.
//! - *It ends.* Every split removes at least the picked point.
//!
//! The method of splitting product sets around violated constraints is known from the mate
//! detectors cwmtt and 5dchess_engine; splitting around an answer is Lawler's scheme.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::Action;
use super::calm::Calm;
use super::chooser::{AlongBoards, Chooser, Everything};
use super::domains::Domains;
use super::learned::Learned;
use super::list::List;
use super::pick::Matching;
use super::slices::Role;
use super::space::{Axis, Kind, Space};
use crate::multiverse::{Attack, BoardId, Move, Multiverse};

/// What bounds a walk. A limit that is hit means *undecided*, never *none*.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limit<'a> {
    /// Candidates to look at, at most.
    pub work: Option<u64>,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// A flag that others may raise.
    pub stop: Option<&'a AtomicBool>,
}

impl Limit<'_> {
    /// No limit.
    pub const NONE: Limit<'static> = Limit { work: None, deadline: None, stop: None };

    #[inline(always)]
    pub(super) fn is_hit(&self, work: u64) -> bool {
        if self.work.is_some_and(|most| work >= most) {
            return true;
        }
        self.is_over(work)
    }

    /// Whether the flag is up or the time over; looked at once in a while of a count that rises.
    #[inline(always)]
    pub fn is_over(&self, count: u64) -> bool {
        // Looking at a candidate costs from under a microsecond to a few hundred of them.
        count & 15 == 0
            && (self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
                || self.deadline.is_some_and(|deadline| Instant::now() >= deadline))
    }
}

/// Candidates without a jump that are looked at before jumps are.
const WORK_ALONG_BOARDS: u64 = 40;

/// How far a walk got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// At one more legal action.
    Found,
    /// At the end: there are no more.
    Done,
    /// At a limit: there may be more.
    Stopped,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The current cell has not been looked at.
    AtCell,
    /// A point has been yielded, its cell not yet split.
    AtPoint,
    /// A point of the box around the last one has been yielded.
    InCalm,
    Done,
}

/// A set of values on one axis, part of a slice; the bits lie in [`Generator::bits`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub axis: usize,
    pub bits: usize,
}

/// A slice being split away.
#[derive(Clone, Copy, Debug)]
struct Frame {
    first_part: usize,
    first_bit: usize,
    /// The part whose complement is under study.
    child: usize,
    /// The trail before the frame did anything.
    base_mark: usize,
    /// The trail with the parts before `child` applied.
    child_mark: usize,
    /// Whether something was yielded inside.
    found: bool,
    /// The work done before the frame was opened.
    work: u64,
}

/// The walk over the legal actions of a position.
///
/// With one playable board the space is a plain list of moves, and the walk goes through that.
///
/// The position given to each call must be the one the walk was started on. The walk leaves
/// candidate boards in the position's pool until [`Generator::finish`].
#[derive(Clone, Debug)]
pub struct Generator {
    pub(super) space: Space,
    pub(super) domains: Domains,
    pub(super) parts: Vec<Part>,
    pub(super) bits: Vec<u64>,
    frames: Vec<Frame>,
    /// By frame: the axes whose restrictions explain why nothing was found inside, as bits.
    reasons: Vec<u64>,
    /// The axes of the slice being built, those of parts left out included.
    pub(super) slice_axes: Vec<u64>,
    pub(super) learned: Learned,
    /// The picked value of each axis, as an index into the space's values.
    pub(super) point: Vec<usize>,
    /// Where the parts of the slice being built begin.
    pub(super) slice_begin: usize,
    /// Axes that have been made to fit, while a point is picked.
    pub(super) locked: Vec<bool>,
    pub(super) matching: Matching,
    pub(super) calm: Calm,
    pub(super) attacks: Vec<Attack>,
    /// The boards of an attack: axis, half-turn and part.
    pub(super) roles: Vec<(usize, i32, Role)>,
    /// The candidates where one board is playable.
    pub(super) list: List,
    state: State,
    pool_mark: usize,
    pub(super) work: u64,
}

impl Default for Generator {
    fn default() -> Generator {
        Generator::new()
    }
}

impl Generator {
    /// A generator to be started; reuse one to reuse its memory.
    pub fn new() -> Generator {
        Generator {
            space: Space::default(),
            domains: Domains::default(),
            parts: Vec::new(),
            bits: Vec::new(),
            frames: Vec::new(),
            reasons: Vec::new(),
            slice_axes: Vec::new(),
            learned: Learned::default(),
            point: Vec::new(),
            slice_begin: 0,
            locked: Vec::new(),
            matching: Matching::default(),
            calm: Calm::default(),
            attacks: Vec::new(),
            roles: Vec::new(),
            list: List::default(),
            state: State::Done,
            pool_mark: 0,
            work: 0,
        }
    }

    /// Starts a walk over the legal actions of the position: of the whole action, or in the
    /// middle of one of its completions.
    pub fn start(&mut self, multiverse: &mut Multiverse) {
        self.start_with(multiverse, &mut Everything);
    }

    /// Starts a walk over the legal actions made of the moves that the chooser takes.
    pub fn start_with(&mut self, multiverse: &mut Multiverse, chooser: &mut impl Chooser) {
        self.pool_mark = multiverse.pool_mark();
        self.space.build(multiverse, chooser);
        self.restart();
    }

    /// Looks for any legal action without a jump among a few candidates: most positions have one,
    /// and most of the work is in the jumps. Only [`Step::Found`] tells something.
    pub fn seek_along_boards(&mut self, multiverse: &mut Multiverse, limit: &Limit<'_>) -> Step {
        let work = Some(limit.work.map_or(WORK_ALONG_BOARDS, |work| work.min(WORK_ALONG_BOARDS)));
        self.start_with(multiverse, &mut AlongBoards);
        self.next(multiverse, &Limit { work, ..*limit })
    }

    /// Starts again over the same position.
    pub fn restart(&mut self) {
        let space = &self.space;
        self.parts.clear();
        self.bits.clear();
        self.frames.clear();
        self.reasons.clear();
        self.slice_axes.clear();
        self.slice_axes.resize(space.axes.len().div_ceil(64), 0);
        self.point.clear();
        self.point.extend(space.axes.iter().map(|axis| axis.values.start));
        self.work = 0;
        self.state = State::AtCell;
        if space.hopeless {
            self.list.pairs.clear();
            self.domains.reset(std::iter::empty());
            self.state = State::Done;
        } else if self.is_list() {
            self.fill_list();
        } else {
            self.domains.reset(space.axes.iter().map(|axis| axis.values.len()));
            self.learned.reset(self.domains.words().len());
        }
    }

    /// Starts again over the same position, keeping what has been learned and counted.
    pub(super) fn restart_learned(&mut self) {
        let (learned, work) = (std::mem::take(&mut self.learned), self.work);
        self.restart();
        (self.learned, self.work) = (learned, work);
    }

    /// Takes the values that are in no legal action out of the cell. Returns whether every axis
    /// has some left.
    pub(super) fn drop_dead_values(&mut self) -> bool {
        (0..self.space.axes.len()).all(|axis| {
            let dead = self.learned.dead(self.domains.range(axis));
            self.domains.exclude(axis, dead)
        })
    }

    /// Starts a walk over the cell that the domains hold, keeping what has been learned.
    pub(super) fn enter_cell(&mut self) {
        self.frames.clear();
        self.reasons.clear();
        self.parts.clear();
        self.bits.clear();
        self.state = State::AtCell;
    }

    /// Whether the walk is neither at its end nor hopeless from the start.
    pub(super) fn is_open(&self) -> bool {
        self.state != State::Done
    }

    /// Whether the space is a plain list of moves.
    #[inline(always)]
    pub(super) fn is_list(&self) -> bool {
        self.space.playable == 1
    }

    /// Allows only actions that open no timeline. To be called right after a start.
    pub fn forbid_branches(&mut self) {
        if self.state == State::Done {
            return;
        }
        if self.is_list() {
            self.list.pairs.retain(|pair| pair.second.is_none());
            return;
        }
        for axis in self.space.playable..self.space.axes.len() {
            let mut nothing = vec![0; self.domains.width(axis)];
            let values = &self.space.values[self.space.axes[axis].values.clone()];
            if let Some(value) = values.iter().position(|value| value.kind == Kind::Nothing) {
                nothing[value / 64] |= 1 << (value % 64);
            }
            self.domains.retain(axis, &nothing);
        }
    }

    /// Ends the walk: its boards leave the position's pool.
    pub fn finish(&mut self, multiverse: &mut Multiverse) {
        multiverse.shrink_pool(self.pool_mark);
        self.state = State::Done;
    }

    /// Candidates looked at since the start.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Goes on to the next legal action.
    pub fn next(&mut self, multiverse: &mut Multiverse, limit: &Limit<'_>) -> Step {
        if self.is_list() {
            return if self.state == State::Done {
                Step::Done
            } else {
                self.next_on_list(multiverse, limit)
            };
        }
        match self.state {
            State::Done => return Step::Done,
            State::AtCell => {}
            State::AtPoint | State::InCalm => {
                if self.state == State::AtPoint {
                    self.spread_calm(multiverse);
                    self.state = State::InCalm;
                }
                if self.calm.left > 0 {
                    if limit.is_hit(self.work) {
                        return Step::Stopped;
                    }
                    self.work += 1;
                    self.next_in_calm();
                    return Step::Found;
                }
                self.leave_calm();
                if self.state == State::Done {
                    return Step::Done;
                }
            }
        }
        loop {
            if limit.is_hit(self.work) {
                return Step::Stopped;
            }
            self.work += 1;
            let begin = self.used();
            self.slice_begin = begin.0;
            self.slice_axes.fill(0);
            if self.pick_first() && !self.learned_slice() {
                match self.find_slice(multiverse, limit) {
                    Some(true) => {}
                    Some(false) => {
                        self.state = State::AtPoint;
                        return Step::Found;
                    }
                    None => return Step::Stopped,
                }
            }
            if !self.split(begin, false) {
                self.state = State::Done;
                return Step::Done;
            }
        }
    }

    /// Takes the box around the last legal point out of the cell.
    fn leave_calm(&mut self) {
        let begin = self.used();
        self.slice_begin = begin.0;
        self.add_calm_parts();
        self.state = if self.split(begin, true) { State::AtCell } else { State::Done };
    }

    /// How many legal actions have been proved with the one that was found last, that one and
    /// those that have been yielded since included in neither: the walk goes past them.
    pub fn skip_alike(&mut self, multiverse: &mut Multiverse) -> u64 {
        if self.is_list() || self.state != State::AtPoint {
            return 0;
        }
        self.spread_calm(multiverse);
        self.state = State::InCalm;
        std::mem::take(&mut self.calm.left)
    }

    /// Where the parts and bits in use end.
    fn used(&self) -> (usize, usize) {
        (self.parts.len(), self.bits.len())
    }

    /// Splits the cell around the slice whose parts were added since `begin`, and enters the next
    /// cell. Returns false when none is left.
    fn split(&mut self, begin: (usize, usize), found: bool) -> bool {
        if !found && self.parts.len() > begin.0 + 1 {
            self.order_parts(begin.0);
        }
        let mark = self.domains.mark();
        self.frames.push(Frame {
            first_part: begin.0,
            first_bit: begin.1,
            child: begin.0,
            base_mark: mark,
            child_mark: mark,
            found,
            work: self.work,
        });
        self.reasons.extend_from_slice(&self.slice_axes);
        self.enter_next_cell()
    }

    /// Puts the parts of a slice, from `first` on, in the order of how few values lie outside
    /// them: what leaves the least to try is tried first.
    fn order_parts(&mut self, first: usize) {
        let (domains, bits) = (&self.domains, &self.bits);
        self.parts[first..].sort_by_key(|part| {
            let inside = &bits[part.bits..];
            let outside = |(word, bits): (&u64, &u64)| (word & !bits).count_ones();
            domains.of(part.axis).iter().zip(inside).map(outside).sum::<u32>()
        });
    }

    /// Enters the next cell that is not empty, closing frames that have none left.
    fn enter_next_cell(&mut self) -> bool {
        while let Some(frame) = self.frames.last_mut() {
            self.domains.undo(frame.child_mark);
            if frame.child > frame.first_part {
                let Part { axis, bits } = self.parts[frame.child - 1];
                let width = self.domains.width(axis);
                self.domains.retain(axis, &self.bits[bits..bits + width]);
                frame.child_mark = self.domains.mark();
            }
            if let Some(&Part { axis, bits }) = self.parts.get(frame.child) {
                frame.child += 1;
                let width = self.domains.width(axis);
                if self.domains.exclude(axis, &self.bits[bits..bits + width]) {
                    return true;
                }
            } else {
                self.close_frame();
            }
        }
        false
    }

    /// Closes the last frame: its cell is done. If nothing was found there, and the reasons why
    /// have nothing to do with what made it a part of its parent's cell, they hold for the whole
    /// of that cell, and the parent is closed too: conflict-directed backjumping, after Prosser.
    /// Where that ends, the reasons are learned as a slice of their own, to be met elsewhere.
    fn close_frame(&mut self) {
        let words = self.slice_axes.len();
        while let Some(frame) = self.frames.pop() {
            self.domains.undo(frame.base_mark);
            self.parts.truncate(frame.first_part);
            self.bits.truncate(frame.first_bit);
            let at = self.frames.len() * words;
            let reason = &self.reasons[at..at + words];
            let cost = self.work - frame.work;
            let Some(parent) = self.frames.last_mut() else {
                if !frame.found {
                    self.learned.learn(&self.domains, reason, cost);
                }
                self.reasons.clear();
                return;
            };
            parent.found |= frame.found;
            let depends = frame.found
                || self.parts[parent.first_part..parent.child]
                    .iter()
                    .any(|part| reason[part.axis / 64] >> (part.axis % 64) & 1 != 0);
            let jumps = !depends && !parent.found;
            if !jumps && !frame.found {
                self.learned.learn(&self.domains, reason, cost);
            }
            for word in 0..words {
                let reason = self.reasons[at + word];
                let parents = &mut self.reasons[at - words + word];
                *parents = if jumps { reason } else { *parents | reason };
            }
            self.reasons.truncate(at);
            if !jumps {
                return;
            }
        }
    }

    /// The line and board of the point if it is a move along the only playable board.
    #[inline(always)]
    fn only_board(&self) -> Option<(i32, BoardId)> {
        let value = &self.space.values[*self.point.first()?];
        let only = self.is_list() && matches!(value.kind, Kind::Physical(_));
        only.then(|| (self.space.axes[0].line, value.board))
    }

    /// Adds the boards of the point to the position, without submitting.
    pub(super) fn push_point(&self, multiverse: &mut Multiverse) {
        if let Some((line, board)) = self.only_board() {
            multiverse.push(line, board);
            return;
        }
        for axis in 0..self.point.len() {
            if let Some(placed) = self.space.placed(&self.point, axis) {
                self.put(multiverse, axis, placed);
            }
        }
    }

    /// Adds a board at a half-turn on an axis.
    #[inline(always)]
    pub(super) fn put(&self, multiverse: &mut Multiverse, axis: usize, placed: (BoardId, i32)) {
        let (board, at) = placed;
        let Axis { line, half_turn, .. } = self.space.axes[axis];
        if half_turn.is_some() {
            multiverse.push(line, board);
        } else {
            multiverse.open(multiverse.side(), at, board);
        }
    }

    /// Takes the board that was added last off an axis.
    #[inline(always)]
    pub(super) fn take_off(&self, multiverse: &mut Multiverse, axis: usize) {
        let Axis { line, half_turn, .. } = self.space.axes[axis];
        if half_turn.is_some() {
            multiverse.pop(line);
        } else {
            multiverse.close(multiverse.side());
        }
    }

    /// Takes the boards of the point off again.
    pub(super) fn pop_point(&self, multiverse: &mut Multiverse) {
        if let Some((line, _)) = self.only_board() {
            multiverse.pop(line);
            return;
        }
        for axis in (0..self.point.len()).rev() {
            if self.kind(axis) != Kind::Nothing {
                self.take_off(multiverse, axis);
            }
        }
    }

    /// Makes the action that was found last and submits.
    pub fn make(&self, multiverse: &mut Multiverse) {
        self.push_point(multiverse);
        multiverse.set_side(!multiverse.side());
        multiverse.debug_audit();
    }

    /// Takes back what [`Generator::make`] made, while the walk still stands at that action.
    pub fn unmake(&self, multiverse: &mut Multiverse) {
        multiverse.set_side(!multiverse.side());
        self.pop_point(multiverse);
        multiverse.debug_audit();
    }

    /// The best allowed score of an axis.
    pub(super) fn best_score_on(&self, axis: usize) -> i64 {
        self.space.values[self.best_on(axis)].score.into()
    }

    /// The best allowed value of an axis.
    pub(super) fn best_on(&self, axis: usize) -> usize {
        let values = self.space.axes[axis].values.clone();
        let ranked = self.space.ranking.of(values.clone());
        let best = ranked.iter().find(|&&value| self.domains.has(axis, value - values.start));
        debug_assert!(best.is_some());
        best.copied().unwrap_or(values.start)
    }

    /// The score of the point's value on an axis.
    pub(super) fn score_of_point_on(&self, axis: usize) -> i64 {
        self.space.values[self.point[axis]].score.into()
    }

    /// The score of the point.
    pub(super) fn point_score(&self) -> i64 {
        self.point.iter().map(|&value| i64::from(self.space.values[value].score)).sum()
    }

    /// The moves of the action that was found last, in an order in which they can be played:
    /// first those that stay on their board or hop, then the branches by the number of the
    /// timeline they open.
    pub fn action(&self) -> Action {
        self.steps().collect()
    }

    /// The same one by one.
    pub fn steps(&self) -> impl Iterator<Item = Move> + '_ {
        let step = move |(axis, &value): (usize, &usize)| match self.space.values[value].kind {
            Kind::Physical(step) => Some(step),
            Kind::From(origin) => {
                self.space.jump_to(self.point[origin], axis).map(|jump| jump.step)
            }
            Kind::Nothing | Kind::Jump(_) => None,
        };
        self.point.iter().enumerate().filter_map(step)
    }
}
