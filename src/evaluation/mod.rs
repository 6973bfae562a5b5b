//! The static value of a position: a sum of documented terms, each a weight of one table times
//! how often its reason occurs. Knows boards and timelines; searches nothing.

mod board;
mod table;
mod timelines;
mod weights;

use crate::board::{Board, Colour, PieceKind, Size, Squares};
use crate::multiverse::Multiverse;
use board::Reason;
use weights::HALF;
pub use weights::{COUNT, GROUPS, UNIT, Weights, group_of, name_of};

/// A score in centipawns.
pub type Centipawns = i32;

/// The weights in force.
pub static WEIGHTS: Weights = table::TABLE;

/// No evaluation is above this, however many boards there are: mate scores lie beyond.
pub const MOST: Centipawns = 100_000;

/// What lines through time onto royals rarely count more than, together: a value that far outside
/// of a window is taken without them.
const LAZY_MARGIN: Centipawns = 500;

/// Active timelines that are many.
const MANY: usize = 5;

/// What a board of an inactive timeline counts beside one of an active timeline, of 256.
const INACTIVE: i32 = 80;

/// What each newest board counts: more boards must not make the same advantage count for more and
/// more, so all active ones together weigh as much as two, or one where there is but one.
#[inline(always)]
fn share_of_board(multiverse: &Multiverse) -> f32 {
    2.0 / (1 + multiverse.active_lines().count()) as f32
}

/// The share of a timeline's newest board.
#[inline(always)]
fn share_of_line(multiverse: &Multiverse, line: i32, share: f32) -> f32 {
    let is_active = multiverse.active_lines().contains(&line);
    if is_active { share } else { share * INACTIVE as f32 / 256.0 }
}

/// How near a position is to one with many active timelines, from 0 with one to 1 with
/// [`MANY`] and more.
#[inline(always)]
fn nearness_to_many(multiverse: &Multiverse) -> f32 {
    let more = multiverse.active_lines().count().saturating_sub(1);
    (more as f32 / (MANY - 1) as f32).min(1.0)
}

/// What weights come to with one active timeline, and with many, in [`UNIT`]s of a centipawn: the
/// first plus 2^32 times the second, so that one addition does for both.
#[derive(Clone, Copy, Debug, Default)]
struct Sums(i64);

/// [`WEIGHTS`] by twos.
static PAIRS: [Sums; HALF] = {
    let mut pairs = [Sums(0); HALF];
    let mut weight = 0;
    while weight < HALF {
        let [one, many] = [table::TABLE[weight], table::TABLE[weight + HALF]];
        pairs[weight] = Sums(one as i64 + ((many as i64) << 32));
        weight += 1;
    }
    pairs
};

impl Sums {
    /// Counts a weight, both for one timeline and for many.
    #[inline(always)]
    fn count(&mut self, weight: usize, count: i32) {
        self.add(count, PAIRS[weight]);
    }

    /// Adds others, so many times.
    #[inline(always)]
    fn add(&mut self, times: i32, other: Sums) {
        self.0 += i64::from(times) * other.0;
    }

    /// What lies between the two, so near to the second.
    #[inline(always)]
    fn at(self, many: f32) -> f32 {
        let one = self.0 as i32;
        let other = ((self.0 - i64::from(one)) >> 32) as i32;
        let [one, other] = [one, other].map(|sum| sum as f32);
        one + many * (other - one)
    }
}

/// Visits every reason of a side: its weight, and how often it occurs, a board's share and the
/// nearness to many timelines counted in.
fn each_count(multiverse: &Multiverse, side: Colour, mut visit: impl FnMut(usize, f32)) {
    let many = nearness_to_many(multiverse);
    let mut visit = |weight: usize, count: f32| {
        visit(weight, (1.0 - many) * count);
        visit(weight + HALF, many * count);
    };
    let share = share_of_board(multiverse);
    for line in multiverse.lines() {
        let Some(place) = multiverse.latest(line) else { continue };
        let share = share_of_line(multiverse, line, share);
        let mut visit = |weight, count: i32| visit(weight, share * count as f32);
        let board = multiverse.board(place);
        let reach = board::each_count(board, side, place.colour(), &mut visit);
        timelines::each_line_count(multiverse, line, side, reach, &mut visit);
    }
    timelines::each_count(multiverse, side, |weight, count| visit(weight, count as f32));
}

/// How often each weight counts, White's less Black's: their sum, each times its weight, is the
/// value for White in [`UNIT`]s of a centipawn.
pub fn coefficients(multiverse: &Multiverse) -> [f32; COUNT] {
    let mut counts = [0.0; COUNT];
    each_count(multiverse, Colour::White, |weight, count| counts[weight] += count);
    each_count(multiverse, Colour::Black, |weight, count| counts[weight] -= count);
    counts
}

/// The value for White in [`UNIT`]s of a centipawn, by the definition.
fn slow_sum(multiverse: &Multiverse) -> f32 {
    let counts = coefficients(multiverse);
    counts.iter().zip(WEIGHTS).map(|(count, weight)| count * weight as f32).sum()
}

/// The value of each group of weights, in the order of [`GROUPS`], for White and for Black, in
/// centipawns.
pub fn terms(multiverse: &Multiverse) -> [[Centipawns; 2]; GROUPS.len()] {
    let mut terms = [[0.0; 2]; GROUPS.len()];
    for side in Colour::BOTH {
        each_count(multiverse, side, |weight, count| {
            let value = count * WEIGHTS[weight] as f32 / UNIT as f32;
            terms[group_of(weight)][side.index()] += value;
        });
    }
    terms.map(|sides| sides.map(|value: f32| value.round() as Centipawns))
}

/// What a side's counts are taken times for White's value.
#[inline(always)]
fn sign_of(side: Colour) -> i32 {
    if side == Colour::White { 1 } else { -1 }
}

/// What is known of a board alone.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    key: u64,
    /// Its value for White, by the side that is to move there.
    values: [Sums; 2],
    /// What each side reaches.
    reach: [board::Reach; 2],
}

impl Known {
    #[inline(never)]
    fn of(board: &Board, places: &Places) -> Known {
        let mut values = [Sums::default(); 2];
        let found = Colour::BOTH.map(|side| {
            let places = &places.values[side.index()];
            let mut sum = Sums::default();
            let found = board::each_reason(board, side, |reason| match reason {
                Reason::Weight(weight, count) => sum.count(weight, count),
                Reason::Place(kind, square) => sum.add(1, places[kind.index()][square.index()]),
            });
            values.iter_mut().for_each(|value| value.add(sign_of(side), sum));
            found
        });
        for side in Colour::BOTH {
            let [(_, grip), (_, enemy)] = [side, !side].map(|side| found[side.index()]);
            board::each_prey(board, grip, enemy, |kind| {
                for mover in Colour::BOTH {
                    let weight = board::prey_weight(kind, side, mover);
                    values[mover.index()].count(weight, sign_of(side));
                }
            });
        }
        Known { key: board.key(), values, reach: found.map(|(reach, _)| reach) }
    }
}

/// What the pieces of either side count for where they stand, on boards of one size.
#[derive(Clone, Debug)]
struct Places {
    size: Size,
    /// By side, kind and square.
    values: Box<[[[Sums; 64]; PieceKind::ALL.len()]; 2]>,
}

impl Places {
    fn of(size: Size) -> Places {
        let mut values = Box::new([[[Sums::default(); 64]; PieceKind::ALL.len()]; 2]);
        for side in Colour::BOTH {
            for kind in PieceKind::ALL {
                for square in Squares(size.squares()) {
                    let value = &mut values[side.index()][kind.index()][square.index()];
                    board::each_place_count(size, side, kind, square, |weight, count| {
                        value.count(weight, count);
                    });
                }
            }
        }
        Places { size, values }
    }
}

/// The value for White of what counts in the multiverse as a whole.
#[inline(always)]
fn whole(multiverse: &Multiverse) -> Sums {
    let mut whole = Sums::default();
    for side in Colour::BOTH {
        let sign = sign_of(side);
        timelines::each_count(multiverse, side, |weight, count| whole.count(weight, sign * count));
    }
    whole
}

/// What White's sum, in [`UNIT`]s of a centipawn, is worth to the side to move.
#[inline(always)]
fn for_mover(multiverse: &Multiverse, sum: f32) -> Centipawns {
    let white = (sum / UNIT as f32) as Centipawns;
    let value = if multiverse.side() == Colour::White { white } else { -white };
    value.clamp(-MOST, MOST)
}

/// Evaluates positions and remembers what it found for their boards.
#[derive(Clone, Debug)]
pub struct Evaluator {
    boards: Vec<Known>,
    places: Places,
}

/// Boards remembered.
const REMEMBERED: usize = 1 << 14;

impl Evaluator {
    /// An evaluator of positions whose boards are of a size.
    pub fn new(size: Size) -> Evaluator {
        Evaluator { boards: vec![Known::default(); REMEMBERED], places: Places::of(size) }
    }

    #[inline(always)]
    fn board(&mut self, board: &Board) -> &Known {
        let slot = &mut self.boards[board.key() as usize % REMEMBERED];
        if slot.key != board.key() {
            debug_assert_eq!(board.size(), self.places.size);
            *slot = Known::of(board, &self.places);
        }
        slot
    }

    /// The pieces of the other side that `by` attacks along a board, those apart that it could take
    /// en passant.
    pub fn attacked(&mut self, board: &Board, by: Colour) -> u64 {
        self.board(board).reach[by.index()].hits
    }

    /// The value of the position for the side to move.
    pub fn evaluate(&mut self, multiverse: &Multiverse) -> Centipawns {
        self.evaluate_in(multiverse, -MOST - LAZY_MARGIN, MOST + LAZY_MARGIN)
    }

    /// The same, if it may lie within a window. If not, what is quickly told: a value on the same
    /// side of the window, as far as lines through time count no more than [`LAZY_MARGIN`].
    pub fn evaluate_in(
        &mut self,
        multiverse: &Multiverse,
        alpha: Centipawns,
        beta: Centipawns,
    ) -> Centipawns {
        let share = share_of_board(multiverse);
        let many = nearness_to_many(multiverse);
        let mut sum = whole(multiverse).at(many);
        for line in multiverse.lines() {
            let Some(place) = multiverse.latest(line) else { continue };
            let value = self.board(multiverse.board(place)).values[place.colour().index()];
            sum += share_of_line(multiverse, line, share) * value.at(many);
        }
        let value = for_mover(multiverse, sum);
        if value - LAZY_MARGIN >= beta || value + LAZY_MARGIN <= alpha {
            return value;
        }
        for line in multiverse.lines() {
            let Some(place) = multiverse.latest(line) else { continue };
            let reach = self.board(multiverse.board(place)).reach;
            let mut value = Sums::default();
            for side in Colour::BOTH {
                let (reach, sign) = (reach[side.index()], sign_of(side));
                timelines::each_line_count(multiverse, line, side, reach, |weight, count| {
                    value.count(weight, sign * count);
                });
            }
            sum += share_of_line(multiverse, line, share) * value.at(many);
        }
        debug_assert!(
            (sum - slow_sum(multiverse)).abs() <= UNIT as f32 * (1.0 + sum.abs() / 1e4),
            "the sums of boards and the sum of all reasons differ: {sum}, {}",
            slow_sum(multiverse)
        );
        for_mover(multiverse, sum)
    }
}

/// The value of the position for the side to move.
pub fn evaluate(multiverse: &Multiverse) -> Centipawns {
    Evaluator::new(multiverse.size()).evaluate(multiverse)
}
