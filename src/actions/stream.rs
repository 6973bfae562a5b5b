//! The legal actions of a position in falling order of their score, lazily.
//!
//! Cells wait in a heap under the bound "sum of each axis's best value". The best cell is popped
//! and its best point tested; the cell is split around the point or around the violated slice,
//! as in [`super::generator`], and the parts go back into the heap. A part's bound is never above
//! its parent's, so actions come out in falling order. This is Lawler's and Murty's k-best scheme
//! with slices for the points that are not wanted.
//!
//! Where nearly all candidates are illegal, best first is exponential and depth first is not. So
//! a walk to any legal action goes ahead, for what it learns; and when best first has looked at
//! too many candidates in a row for nothing, the cells that wait are walked depth first, the best
//! one before the others. What is yielded stays complete and without repetition; from there on it
//! is no longer in order, and [`Stream::is_ordered`] says so.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::chooser::Chooser;
use super::generator::Part;
use super::{Action, Generator, Limit, Step};
use crate::multiverse::Multiverse;

/// Memory for waiting cells, in 64-bit words, after which the stream stops: 64 MiB.
const MOST_WORDS: usize = 8 << 20;

/// Candidates that the walk ahead may look at.
const AHEAD_WORK: u64 = 400;
/// Candidates in a row that best first may look at for nothing.
const MOST_IN_VAIN: u64 = 150;

/// A cell that waits; its sets lie in [`Stream::words`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell {
    bound: i32,
    /// Of equal bounds the newest comes first, which makes the walk depth first among them, and
    /// the same on every run.
    number: u64,
    slot: usize,
}

impl Ord for Cell {
    fn cmp(&self, other: &Cell) -> Ordering {
        (self.bound, self.number).cmp(&(other.bound, other.number))
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Cell) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The legal actions of a position, best first.
///
/// The position given to each call must be the one the stream was started on. The stream leaves
/// candidate boards in the position's pool until [`Stream::finish`].
#[derive(Clone, Debug, Default)]
pub struct Stream {
    generator: Generator,
    heap: BinaryHeap<Cell>,
    words: Vec<u64>,
    free: Vec<usize>,
    number: u64,
    /// The bound of the cell under study, when its point has been yielded.
    yielded: Option<i32>,
    score: i32,
    /// Whether a cell is being walked depth first, in place of best first.
    walking: bool,
    ordered: bool,
    /// Candidates looked at when an action was last found.
    work_at_last: u64,
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
        self.number = 0;
        self.yielded = None;
        self.walking = false;
        self.ordered = true;
        if self.generator.is_list() {
            self.generator.pairs.sort_by_key(|pair| -pair.score);
            return;
        }
        self.generator.rank_values();
        let limit = Limit { work: Some(AHEAD_WORK), ..Limit::NONE };
        let ahead = self.generator.next(multiverse, &limit);
        self.work_at_last = self.generator.work;
        self.witness.clear();
        self.witness_yielded = false;
        if ahead == Step::Done {
            return;
        }
        if ahead == Step::Found {
            self.witness.extend_from_slice(&self.generator.point);
        }
        self.generator.restart_learned();
        if self.generator.drop_dead_values() {
            let bound = self.generator.best_score();
            self.push_cell(bound);
        }
    }

    /// Goes on to the next action.
    pub fn next(&mut self, multiverse: &mut Multiverse, limit: &Limit<'_>) -> Step {
        if self.generator.is_list() {
            let step = self.generator.next(multiverse, limit);
            if step == Step::Found {
                self.score = self.generator.point_score();
            }
            return step;
        }
        loop {
            if let Some(bound) = self.yielded.take() {
                self.generator.slice_begin = 0;
                for axis in 0..self.generator.point.len() {
                    self.generator.singleton_part(axis);
                }
                self.split(bound);
            }
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
            let Some(cell) = self.heap.pop() else { return Step::Done };
            if limit.is_hit(self.generator.work) || self.words.len() > MOST_WORDS {
                self.heap.push(cell);
                return Step::Stopped;
            }
            let width = self.generator.domains.words().len();
            self.generator.domains.load(&self.words[cell.slot..cell.slot + width]);
            self.free.push(cell.slot);
            if self.generator.work - self.work_at_last > MOST_IN_VAIN {
                let first = std::mem::replace(&mut self.ordered, false);
                if first && !self.witness.is_empty() && !self.witness_yielded {
                    self.free.pop();
                    self.heap.push(cell);
                    return self.yield_witness();
                }
                self.walking = true;
                self.generator.enter_cell();
                continue;
            }
            if self.test(multiverse, cell) {
                if self.is_repeated() {
                    continue;
                }
                return Step::Found;
            }
        }
    }

    /// Tests the best point of a cell, which is loaded. Splits the cell if it is not legal.
    fn test(&mut self, multiverse: &mut Multiverse, cell: Cell) -> bool {
        self.generator.work += 1;
        self.generator.pick_best();
        self.generator.slice_begin = 0;
        if self.generator.learned_slice() || self.generator.find_slice(multiverse) {
            self.split(cell.bound);
            return false;
        }
        self.work_at_last = self.generator.work;
        self.yielded = Some(cell.bound);
        self.score = cell.bound;
        true
    }

    /// Yields the action that the walk ahead has found: all that is sure in a position where
    /// best first finds nothing.
    fn yield_witness(&mut self) -> Step {
        self.generator.point.copy_from_slice(&self.witness);
        self.score = self.generator.point_score();
        self.witness_yielded = true;
        Step::Found
    }

    /// Whether the point is the witness: forgotten once it has come in its turn, passed over if
    /// it was yielded before.
    fn is_repeated(&mut self) -> bool {
        if self.witness != self.generator.point {
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
    fn split(&mut self, bound: i32) {
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

    fn push_cell(&mut self, bound: i32) {
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
        self.heap.push(Cell { bound, number: self.number, slot });
    }

    /// How many timelines the action that was found last opens.
    pub fn branches(&self) -> usize {
        self.generator.branches()
    }

    /// The score of the action that was found last.
    pub fn score(&self) -> i32 {
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

    /// The generator, standing at the action that was found last.
    pub fn generator(&self) -> &Generator {
        &self.generator
    }

    /// Ends the stream: its boards leave the position's pool.
    pub fn finish(&mut self, multiverse: &mut Multiverse) {
        self.generator.finish(multiverse);
    }
}
