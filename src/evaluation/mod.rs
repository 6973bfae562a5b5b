//! The static value of a position: a sum of documented terms, each with its weight in
//! [`weights`]. Knows boards and timelines; searches nothing.

mod weights;

use crate::board::{Board, Colour, PieceKind, Squares};
use crate::multiverse::Multiverse;
pub use weights::WEIGHTS;
use weights::Weights;

/// A score in centipawns.
pub type Centipawns = i32;

/// No evaluation is above this, however many boards there are: mate scores lie beyond.
pub const MOST: Centipawns = 100_000;

/// One term of the evaluation, for both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// What it is.
    pub name: &'static str,
    /// Its value for White and for Black.
    pub value: [Centipawns; 2],
}

/// The worth of a piece, as captures and promotions count it.
#[inline(always)]
pub fn piece_value(kind: PieceKind) -> Centipawns {
    WEIGHTS.material[kind.index()]
}

/// Material and placement of one side on one board.
#[inline(always)]
fn board_value(board: &Board, colour: Colour, weights: &Weights) -> (Centipawns, Centipawns) {
    let own = board.of(colour);
    let mut material = 0;
    let mut placement = 0;
    for square in Squares(own) {
        let Some(piece) = board.piece_at(square) else { continue };
        material += weights.material[piece.kind.index()];
        let size = board.size();
        let far = |at: u8, length: u8| (2 * i32::from(at) + 1 - i32::from(length)).abs();
        let from_centre = far(square.file(), size.width) + far(square.rank(), size.height);
        placement += weights.centre[piece.kind.index()] * (8 - from_centre) / 8;
        if piece.kind.is_pawn_like() {
            let advanced = match colour {
                Colour::White => square.rank(),
                Colour::Black => size.height - 1 - square.rank(),
            };
            placement += weights.advance * i32::from(advanced);
        }
    }
    (material, placement)
}

/// How exposed a side's royals on a board are: vacant fields next to them, by which lines of all
/// dimensions come in.
#[inline(always)]
fn open_fields(board: &Board, colour: Colour) -> i32 {
    let royals = board.royals(colour);
    Squares(royals)
        .map(|square| {
            let around = crate::board::king_reach(square);
            (around & board.vacant()).count_ones() as i32
        })
        .sum()
}

/// Whether the next timeline that the side opens would be active (R19).
fn may_open_active(multiverse: &Multiverse, side: Colour) -> bool {
    multiverse.created(side) <= multiverse.created(!side)
}

/// Every term of the evaluation.
pub fn terms(multiverse: &Multiverse) -> [Term; 6] {
    let weights = &WEIGHTS;
    let term = |name| Term { name, value: [0; 2] };
    let mut material = term("material");
    let mut placement = term("placement");
    let mut shelter = term("shelter");
    let mut economy = term("timelines");
    let mut ahead = term("boards ahead");
    let mut tempo = term("tempo");
    let active = multiverse.active_lines();
    let present = multiverse.present();
    for line in multiverse.lines() {
        let Some(place) = multiverse.latest(line) else { continue };
        let board = multiverse.board(place);
        let is_active = active.contains(&line);
        let share = if is_active { 256 } else { weights.inactive };
        for side in Colour::BOTH {
            let (worth, where_) = board_value(board, side, weights);
            material.value[side.index()] += worth * share / 256;
            placement.value[side.index()] += where_ * share / 256;
            shelter.value[side.index()] -=
                weights.open_field * open_fields(board, side) * share / 256;
        }
        if is_active && place.half_turn > present + 1 {
            ahead.value[(!place.colour()).index()] += weights.board_ahead;
        }
    }
    // More boards must not make the same advantage count for more and more.
    let boards = active.clone().count() as i32;
    for term in [&mut material, &mut placement, &mut shelter] {
        for value in &mut term.value {
            *value = *value * 2 / (1 + boards);
        }
    }
    for side in Colour::BOTH {
        economy.value[side.index()] -= weights.opened * multiverse.created(side);
        if may_open_active(multiverse, side) {
            economy.value[side.index()] += weights.may_open;
        }
    }
    tempo.value[multiverse.side().index()] += weights.tempo;
    [material, placement, shelter, economy, ahead, tempo]
}

/// The value of the position for the side to move.
pub fn evaluate(multiverse: &Multiverse) -> Centipawns {
    let side = multiverse.side().index();
    let sum: i64 = terms(multiverse)
        .iter()
        .map(|term| i64::from(term.value[side]) - i64::from(term.value[1 - side]))
        .sum();
    sum.clamp(-i64::from(MOST), i64::from(MOST)) as Centipawns
}
