//! The static value of a position: a sum of documented terms, each a weight of one table times
//! how often its reason occurs. Knows boards and timelines; searches nothing.

mod board;
mod table;
mod timelines;
mod weights;

use crate::board::{Board, Colour, PieceKind, Size, Squares};
use crate::multiverse::Multiverse;
use board::Reason;
use weights::MATERIAL;
pub use weights::{COUNT, GROUPS, UNIT, Weights, group_of, name_of};

/// A score in centipawns.
pub type Centipawns = i32;

/// The weights in force.
pub static WEIGHTS: Weights = table::TABLE;

/// No evaluation is above this, however many boards there are: mate scores lie beyond.
pub const MOST: Centipawns = 100_000;

/// What lines through time onto royals are taken to count at most, together.
const LAZY_MARGIN: Centipawns = 300;

/// What a board of an inactive timeline counts beside one of an active timeline, of 256.
const INACTIVE: i32 = 80;

/// The worth of a piece, as captures and promotions count it.
#[inline(always)]
pub fn piece_value(kind: PieceKind) -> Centipawns {
    WEIGHTS[MATERIAL + kind.index()] / UNIT
}

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

/// Visits every reason of a side: its weight, and how often it occurs, a board's share counted in.
fn each_count(multiverse: &Multiverse, side: Colour, mut visit: impl FnMut(usize, f32)) {
    let share = share_of_board(multiverse);
    for line in multiverse.lines() {
        let Some(place) = multiverse.latest(line) else { continue };
        let share = share_of_line(multiverse, line, share);
        let mut visit = |weight, count: i32| visit(weight, share * count as f32);
        let board = multiverse.board(place);
        let reach = board::each_count(board, side, &mut visit);
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

/// What is known of a board alone.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    key: u64,
    /// Its value for White, in [`UNIT`]s of a centipawn.
    value: i32,
    /// The squares that each side's sliders reach.
    reach: [board::Reach; 2],
}

impl Known {
    #[inline(never)]
    fn of(board: &Board, places: &Places) -> Known {
        let mut value = 0;
        let reach = Colour::BOTH.map(|side| {
            let places = &places.values[side.index()];
            let mut sum = 0;
            let reach = board::each_reason(board, side, |reason| {
                sum += match reason {
                    Reason::Weight(weight, count) => WEIGHTS[weight] * count,
                    Reason::Place(kind, square) => places[kind.index()][square.index()],
                };
            });
            value += if side == Colour::White { sum } else { -sum };
            reach
        });
        Known { key: board.key(), value, reach }
    }
}

/// What the pieces of either side count for where they stand, on boards of one size, in
/// [`UNIT`]s of a centipawn.
#[derive(Clone, Debug)]
struct Places {
    size: Size,
    /// By side, kind and square.
    values: Box<[[[i32; 64]; PieceKind::ALL.len()]; 2]>,
}

impl Places {
    fn of(size: Size) -> Places {
        let mut values = Box::new([[[0; 64]; PieceKind::ALL.len()]; 2]);
        for side in Colour::BOTH {
            for kind in PieceKind::ALL {
                for square in Squares(size.squares()) {
                    let value = &mut values[side.index()][kind.index()][square.index()];
                    board::each_place_count(size, side, kind, square, |weight, count| {
                        *value += WEIGHTS[weight] * count;
                    });
                }
            }
        }
        Places { size, values }
    }
}

/// The value for White of what counts in the multiverse as a whole, in [`UNIT`]s of a centipawn.
#[inline(always)]
fn whole(multiverse: &Multiverse) -> i32 {
    let mut whole = 0;
    for (side, sign) in [(Colour::White, 1), (Colour::Black, -1)] {
        timelines::each_count(multiverse, side, |weight, count| {
            whole += sign * WEIGHTS[weight] * count;
        });
    }
    whole
}

/// What the sum over the boards and the whole are worth to the side to move.
#[inline(always)]
fn for_mover(multiverse: &Multiverse, boards: f32, whole: i32) -> Centipawns {
    let white = ((boards + whole as f32) / UNIT as f32) as Centipawns;
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
        let whole = whole(multiverse);
        let mut sum = 0.0;
        for line in multiverse.lines() {
            let Some(place) = multiverse.latest(line) else { continue };
            let value = self.board(multiverse.board(place)).value;
            sum += share_of_line(multiverse, line, share) * value as f32;
        }
        let value = for_mover(multiverse, sum, whole);
        if value - LAZY_MARGIN >= beta || value + LAZY_MARGIN <= alpha {
            return value;
        }
        for line in multiverse.lines() {
            let Some(place) = multiverse.latest(line) else { continue };
            let reach = self.board(multiverse.board(place)).reach;
            let mut value = 0;
            for (side, sign) in [(Colour::White, 1), (Colour::Black, -1)] {
                let reach = reach[side.index()];
                timelines::each_line_count(multiverse, line, side, reach, |weight, count| {
                    value += sign * WEIGHTS[weight] * count;
                });
            }
            sum += share_of_line(multiverse, line, share) * value as f32;
        }
        for_mover(multiverse, sum, whole)
    }
}

/// The value of the position for the side to move.
pub fn evaluate(multiverse: &Multiverse) -> Centipawns {
    Evaluator::new(multiverse.size()).evaluate(multiverse)
}
