//! The legal actions of a position in falling order of their score, lazily.
//!
//! Cells wait in a heap under the bound "sum of each axis's best value". The best cell is popped
//! and its best point tested; the cell is split around the violated slice, or around the box of
//! legal points that was proved with the point ([`super::calm`]), and the parts go back into the
//! heap. A part's bound is never above its parent's, so actions come out in falling order. This is
//! Lawler's and Murty's k-best scheme with slices for the points that are not wanted. The points
//! of a box wait in the same heap, each put there by exactly one other, which scores no less.
//!
//! Where nearly all candidates are illegal, best first is exponential and depth first is not.
//! After some candidates in vain a depth-first walk to any legal action is made, for what it
//! learns, and to know whether there is one at all. [`Stream::next`] keeps its order whatever
//! happens. [`Stream::next_any`] does not: when best first has looked at too many candidates in a
//! row for nothing, the cells that wait are walked depth first, the best one before the others.
//! And where a limit ends it, the action that the walk ahead has found still comes first.
//! What is yielded stays complete and without repetition; [`Stream::is_ordered`] tells.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::chooser::Chooser;
use super::generator::Part;
use super::{Action, Generator, Limit, Step};
use crate::board::Squares;
use crate::multiverse::{Move, Multiverse};

/// Memory for what waits, in 64-bit words, after which the stream stops: 64 MiB.
const MOST_WORDS: usize = 8 << 20;

/// Candidates in a row that best first looks at for nothing before the walk ahead.
const AHEAD_AFTER: u64 = 8;
/// Candidates that the walk ahead may look at.
const AHEAD_WORK: u64 = 400;
/// Candidates in a row that best first may look at for nothing, where order may be given up.
const MOST_IN_VAIN: u64 = 150;

/// What waits in the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    /// A cell; its sets lie in [`Stream::words`].
    Cell { slot: usize },
    /// A legal point of a box: its ranks lie in [`Stream::ranks`]; all behind `last` are 0.
    Point { slot: usize, calm: usize, last: usize },
}

/// A cell or point that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Waiting {
    /// A sum over all axes, of which there may be thousands: more than 32 bits hold.
    bound: i64,
    /// Of equal bounds the newest comes first, which makes the walk depth first among them, and
    /// the same on every run.
    number: u64,
    item: Item,
}

impl Ord for Waiting {
    fn cmp(&self, other: &Waiting) -> Ordering {
        (self.bound, self.number).cmp(&(other.bound, other.number))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Waiting) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A box of legal points: its best one, and the values of each axis that has several by falling
/// score, the axis that loses least by its second value first.
#[derive(Clone, Debug, Default)]
struct Calm {
    best: Vec<usize>,
    axes: Vec<(usize, std::ops::Range<usize>)>,
    values: Vec<usize>,
}

/// The legal actions of a position, best first.
///
/// The position given to each call must be the one the stream was started on. The stream leaves
/// candidate boards in the position's pool until [`Stream::finish`].
#[derive(Clone, Debug, Default)]
pub struct Stream {
    generator: Generator,
    heap: BinaryHeap<Waiting>,
    words: Vec<u64>,
    free: Vec<usize>,
    calms: Vec<Calm>,
    /// How many of the boxes are in use.
    calm_count: usize,
    ranks: Vec<u16>,
    /// How many points of boxes have been taken: they are no candidates, but they take time too.
    taken: u64,
    number: u64,
    /// The bound of the cell under study, when its point has been yielded.
    yielded: Option<i64>,
    score: i64,
    /// Whether a cell is being walked depth first, in place of best first.
    walking: bool,
    ordered: bool,
    /// Candidates looked at when an action was last found.
    work_at_last: u64,
    /// Whether a legal action has been found in order.
    found: bool,
    /// Whether the walk ahead has been made.
    ahead: bool,
    /// The point of the action that the walk ahead found, until it is yielded.
    witness: Vec<usize>,
    /// Whether the witness was yielded out of its turn and has to be passed over there.
    witness_yielded: bool,
}

impl Stream {
    /// A stream to be started; reuse one to reuse its memory.
    pub fn new() -> Stream {
        Stream::default()
    }

    /// Starts over the legal actions made of the moves that the chooser takes, in the order of
    /// the scores it gives.
    pub fn start(&mut self, multiverse: &mut Multiverse, chooser: &mut impl Chooser) {
        self.generator.start_with(multiverse, chooser);
        self.heap.clear();
        self.words.clear();
        self.free.clear();
        self.calm_count = 0;
        self.ranks.clear();
        self.taken = 0;
        self.number = 0;
        self.yielded = None;
        self.walking = false;
        self.ordered = true;
        self.work_at_last = 0;
        self.found = false;
        self.ahead = false;
        self.witness.clear();
        self.witness_yielded = false;
        if self.generator.is_list() {
            self.generator.take_best_of_list_first();
        } else if self.generator.is_open() {
            self.generator.space.rank(chooser);
            let bound = self.generator.take_best();
            self.push_cell(bound);
        }
    }

    /// Goes on to the next action, whose score is not above any yielded before.
    pub fn next(&mut self, multiverse: &mut Multiverse, limit: &Limit<'_>) -> Step {
        self.next_within(multiverse, limit, u64::MAX)
    }

    /// Goes on to the next action, in order as long as that is not too much work. Where the limit
    /// ends the search for a first one, the action that a walk ahead has found comes before that is
    /// said.
    pub fn next_any(&mut self, multiverse: &mut Multiverse, limit: &Limit<'_>) -> Step {
        self.next_within(multiverse, limit, MOST_IN_VAIN)
    }

    fn next_within(
        &mut self,
        multiverse: &mut Multiverse,
        limit: &Limit<'_>,
        patience: u64,
    ) -> Step {
        if self.generator.is_list() {
            let step = self.generator.next(multiverse, limit);
            if step == Step::Found {
                self.score = self.generator.point_score();
            }
            return step;
        }
        if let Some(bound) = self.yielded.take() {
            self.split_around_box(multiverse, bound);
        }
        loop {
            if self.walking {
                match self.generator.next(multiverse, limit) {
                    Step::Found if self.is_repeated() => continue,
                    Step::Found => {
                        self.score = self.generator.point_score();
                        return Step::Found;
                    }
                    Step::Stopped => return Step::Stopped,
                    Step::Done => self.walking = false,
                }
            }
            let Some(waiting) = self.heap.pop() else { return Step::Done };
            if self.memory() > MOST_WORDS {
                self.heap.push(waiting);
                return Step::Stopped;
            }
            let slot = match waiting.item {
                Item::Point { slot, calm, last } => {
                    if limit.is_over(self.taken) {
                        self.heap.push(waiting);
                        return Step::Stopped;
                    }
                    self.taken += 1;
                    self.take_point(waiting.bound, slot, calm, last);
                    if self.is_repeated() {
                        continue;
                    }
                    return Step::Found;
                }
                Item::Cell { slot } => slot,
            };
            if limit.is_hit(self.generator.work) {
                self.heap.push(waiting);
                if patience < u64::MAX && self.has_witness() {
                    return self.yield_witness();
                }
                return Step::Stopped;
            }
            let in_vain = self.generator.work - self.work_at_last;
            if in_vain >= AHEAD_AFTER && !self.ahead {
                if self.walk_ahead(multiverse, limit) == Step::Done {
                    self.heap.clear();
                    return Step::Done;
                }
                self.heap.push(waiting);
                continue;
            }
            if in_vain > patience {
                self.ordered = false;
                if self.has_witness() {
                    self.heap.push(waiting);
                    return self.yield_witness();
                }
            }
            let width = self.generator.domains.words().len();
            self.generator.domains.load(&self.words[slot..slot + width]);
            self.free.push(slot);
            if self.ahead && !self.generator.drop_dead_values() {
                continue;
            }
            if in_vain > patience {
                self.walking = true;
                self.generator.enter_cell();
            } else {
                match self.test(multiverse, waiting.bound, limit) {
                    Some(true) if !self.is_repeated() => return Step::Found,
                    Some(_) => {}
                    None => {
                        self.push_cell(waiting.bound);
                        return Step::Stopped;
                    }
                }
            }
        }
    }

    /// Memory of what waits, in 64-bit words.
    fn memory(&self) -> usize {
        let item = size_of::<Waiting>() / size_of::<u64>();
        self.words.len() + self.ranks.len() / 4 + item * self.heap.len()
    }

    /// Walks depth first to any legal action.
    fn walk_ahead(&mut self, multiverse: &mut Multiverse, limit: &Limit<'_>) -> Step {
        self.ahead = true;
        let work = self.generator.work;
        let limit = Limit { work: Some(work + AHEAD_WORK), ..*limit };
        self.generator.restart_learned();
        let step = self.generator.next(multiverse, &limit);
        // It may be an action that has been yielded, and where there is one no witness is needed.
        if step == Step::Found && !self.found {
            self.witness.extend_from_slice(&self.generator.point);
        }
        self.generator.restart_learned();
        self.work_at_last += self.generator.work - work;
        step
    }

    /// Tests the best point of a cell, which is loaded. Splits the cell if it is not legal. `None`
    /// if a limit was hit before that was known.
    fn test(&mut self, multiverse: &mut Multiverse, bound: i64, limit: &Limit<'_>) -> Option<bool> {
        // Without the values that are known to be dead the cell may be worth less.
        let best = self.generator.take_best();
        if best < bound {
            self.push_cell(best);
            return Some(false);
        }
        self.generator.work += 1;
        self.generator.fit_best();
        self.generator.slice_begin = 0;
        if self.generator.learned_slice() || self.generator.find_slice(multiverse, limit)? {
            self.split(bound);
            return Some(false);
        }
        debug_assert_eq!(self.generator.point_score(), bound);
        self.work_at_last = self.generator.work;
        self.found = true;
        self.score = bound;
        // A witness passed over still has to be taken out of its cell.
        if self.witness_yielded && self.witness == self.generator.point {
            self.split_around_box(multiverse, bound);
        } else {
            self.yielded = Some(bound);
        }
        Some(true)
    }

    /// Pushes the parts of the cell under study around the box of its point, and the box.
    fn split_around_box(&mut self, multiverse: &mut Multiverse, bound: i64) {
        self.generator.spread_calm(multiverse);
        self.generator.add_calm_parts();
        if self.generator.calm.left > 0 {
            self.push_box(bound);
        }
        self.split(bound);
    }

    /// Takes over the box around the point, which is its best.
    fn push_box(&mut self, bound: i64) {
        if self.calm_count == self.calms.len() {
            self.calms.push(Calm::default());
        }
        let generator = &self.generator;
        let calm = &mut self.calms[self.calm_count];
        calm.best.clear();
        calm.best.extend_from_slice(&generator.point);
        calm.axes.clear();
        calm.values.clear();
        let score = |value: usize| generator.space.values[value].score;
        for &axis in &generator.calm.loose {
            let begin = calm.values.len();
            let start = generator.space.axes[axis].values.start;
            let here = generator.point[axis];
            calm.values.push(here);
            for (i, &word) in generator.calm.words[generator.domains.range(axis)].iter().enumerate()
            {
                let values = Squares(word).map(|bit| start + 64 * i + bit.index());
                calm.values.extend(values.filter(|&value| value != here));
            }
            calm.values[begin..].sort_by_key(|&value| -score(value));
            debug_assert_eq!(score(calm.values[begin]), score(here));
            calm.axes.push((axis, begin..calm.values.len()));
        }
        let values = &calm.values;
        let loss = |range: &std::ops::Range<usize>| {
            i64::from(score(values[range.start])) - i64::from(score(values[range.start + 1]))
        };
        calm.axes.sort_by_key(|(_, range)| loss(range));
        let first = calm.axes.first().cloned();
        if let Some((_, range)) = first {
            let slot = self.ranks.len();
            self.ranks.resize(slot + calm.axes.len(), 0);
            self.ranks[slot] = 1;
            let bound = bound - loss(&range);
            self.number += 1;
            let item = Item::Point { slot, calm: self.calm_count, last: 0 };
            self.heap.push(Waiting { bound, number: self.number, item });
            self.calm_count += 1;
        }
    }

    /// Makes a waiting point of a box the current one, and pushes those that come after it: the
    /// next value on the axis changed last; the second value on the axis after that; and the
    /// same in place of the second value here. Each point but the first has one such parent.
    fn take_point(&mut self, bound: i64, slot: usize, calm: usize, last: usize) {
        let Stream { generator, calms, ranks, .. } = self;
        let box_of = &calms[calm];
        generator.point.copy_from_slice(&box_of.best);
        for (rank, (axis, range)) in ranks[slot..].iter().zip(&box_of.axes) {
            generator.point[*axis] = box_of.values[range.start + usize::from(*rank)];
        }
        self.score = bound;
        debug_assert_eq!(generator.point_score(), bound);
        let count = box_of.axes.len();
        let score = |axis: usize, rank: u16| {
            let (_, range) = &box_of.axes[axis];
            let value = box_of.values.get(range.start + usize::from(rank));
            let value = value.filter(|_| usize::from(rank) < range.len());
            value.map(|&value| i64::from(generator.space.values[value].score))
        };
        let rank = ranks[slot + last];
        let at = |axis: usize, rank: u16| score(axis, rank).unwrap_or(0);
        let mut children = [None; 3];
        if let Some(next) = score(last, rank + 1) {
            children[0] = Some((bound - at(last, rank) + next, last, rank, rank + 1));
        }
        if last + 1 < count {
            let loss = at(last + 1, 0) - at(last + 1, 1);
            children[1] = Some((bound - loss, last + 1, rank, 1));
            if rank == 1 {
                let gain = at(last, 0) - at(last, 1);
                children[2] = Some((bound - loss + gain, last + 1, 0, 1));
            }
        }
        for (bound, axis, here, there) in children.into_iter().flatten() {
            let child = ranks.len();
            ranks.extend_from_within(slot..slot + count);
            ranks[child + last] = here;
            ranks[child + axis] = there;
            self.number += 1;
            let item = Item::Point { slot: child, calm, last: axis };
            self.heap.push(Waiting { bound, number: self.number, item });
        }
    }

    /// Whether the walk ahead has found an action that has not been yielded.
    fn has_witness(&self) -> bool {
        !self.witness.is_empty() && !self.witness_yielded
    }

    /// Yields the action that the walk ahead has found: all that is sure in a position where
    /// best first finds nothing.
    fn yield_witness(&mut self) -> Step {
        self.ordered = false;
        self.generator.point.copy_from_slice(&self.witness);
        self.score = self.generator.point_score();
        self.witness_yielded = true;
        Step::Found
    }

    /// Whether the point is the witness: forgotten once it has come in its turn, passed over if
    /// it was yielded before.
    fn is_repeated(&mut self) -> bool {
        if self.witness.is_empty() || self.witness != self.generator.point {
            return false;
        }
        self.witness.clear();
        self.witness_yielded
    }

    /// Whether everything yielded so far came in falling order of its score.
    pub fn is_ordered(&self) -> bool {
        self.ordered
    }

    /// Pushes the parts of the cell under study around the slice whose parts were just added.
    fn split(&mut self, bound: i64) {
        for i in 0..self.generator.parts.len() {
            let Part { axis, bits } = self.generator.parts[i];
            let bits = bits..bits + self.generator.domains.width(axis);
            let mark = self.generator.domains.mark();
            if self.generator.domains.exclude(axis, &self.generator.bits[bits.clone()]) {
                let bound = bound - self.generator.score_of_point_on(axis)
                    + self.generator.best_score_on(axis);
                self.push_cell(bound);
            }
            self.generator.domains.undo(mark);
            self.generator.domains.retain(axis, &self.generator.bits[bits]);
        }
        self.generator.parts.clear();
        self.generator.bits.clear();
    }

    fn push_cell(&mut self, bound: i64) {
        let words = self.generator.domains.words();
        let slot = match self.free.pop() {
            Some(slot) => {
                self.words[slot..slot + words.len()].copy_from_slice(words);
                slot
            }
            None => {
                self.words.extend_from_slice(words);
                self.words.len() - words.len()
            }
        };
        self.number += 1;
        self.heap.push(Waiting { bound, number: self.number, item: Item::Cell { slot } });
    }

    /// The score of the action that was found last.
    pub fn score(&self) -> i64 {
        self.score
    }

    /// Candidates looked at since the start.
    pub fn work(&self) -> u64 {
        self.generator.work
    }

    /// Makes the action that was found last and submits.
    pub fn make(&self, multiverse: &mut Multiverse) {
        self.generator.make(multiverse);
    }

    /// Takes back what [`Stream::make`] made, while the stream still stands at that action.
    pub fn unmake(&self, multiverse: &mut Multiverse) {
        self.generator.unmake(multiverse);
    }

    /// The moves of the action that was found last, in an order in which they can be played.
    pub fn action(&self) -> Action {
        self.generator.action()
    }

    /// The same one by one.
    pub fn steps(&self) -> impl Iterator<Item = Move> + '_ {
        self.generator.steps()
    }

    /// Ends the stream: its boards leave the position's pool.
    pub fn finish(&mut self, multiverse: &mut Multiverse) {
        self.generator.finish(multiverse);
    }
}
