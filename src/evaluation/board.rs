//! The terms that one board decides alone. Knows nothing of timelines, so that what it finds can
//! be kept by the board's key.

use super::weights::{
    CENTRE, GUARDED_PAWN, MATERIAL, MOBILITY, OPEN_FIELD, PASSED_PAWN, PAWN_TO_GO, RING_ATTACK,
};
use crate::board::{Board, Colour, Square, Squares, king_reach, shift};

/// Twice the way from the middle of the board: along files and ranks together.
#[inline(always)]
fn from_centre(board: &Board, square: Square) -> i32 {
    let far = |at: u8, length: u8| (2 * i32::from(at) + 1 - i32::from(length)).abs();
    far(square.file(), board.size().width) + far(square.rank(), board.size().height)
}

/// The squares on which an enemy pawn could stop a pawn: ahead of it on its own file and those
/// beside it.
fn in_front(square: Square, colour: Colour) -> u64 {
    let mut set = square.bit() | shift(square.bit(), 1, 0) | shift(square.bit(), -1, 0);
    let forward = colour.forward();
    let mut all = 0;
    for _ in 0..7 {
        set = shift(set, 0, forward);
        all |= set;
    }
    all
}

/// Visits what counts for a side on a board: the weight and how often it does.
#[inline(always)]
pub(super) fn each_count(board: &Board, side: Colour, mut visit: impl FnMut(usize, i32)) {
    let ring = Squares(board.royals(!side)).fold(0, |set, square| set | king_reach(square));
    let pawns = board.pawn_like() & board.of(side);
    for square in Squares(board.of(side)) {
        let Some(piece) = board.piece_at(square) else { continue };
        let kind = piece.kind.index();
        visit(MATERIAL + kind, 1);
        visit(CENTRE + kind, 8 - from_centre(board, square));
        if piece.kind.is_pawn_like() {
            let to_go = match side {
                Colour::White => board.size().height.saturating_sub(1 + square.rank()),
                Colour::Black => square.rank(),
            };
            let index = usize::from(to_go.clamp(1, 6)) - 1;
            visit(PAWN_TO_GO + index, 1);
            if in_front(square, side) & board.pawn_like() & board.of(!side) == 0 {
                visit(PASSED_PAWN + index, 1);
            }
            if crate::board::pawn_reach((!side).index(), square) & pawns != 0 {
                visit(GUARDED_PAWN, 1);
            }
            continue;
        }
        let reach = board.reach(square, side);
        visit(MOBILITY + kind, reach.count_ones() as i32);
        visit(RING_ATTACK + kind, (reach & ring).count_ones() as i32);
    }
    for square in Squares(board.royals(side)) {
        visit(OPEN_FIELD, (king_reach(square) & board.vacant()).count_ones() as i32);
    }
}

/// The squares that a side's sliders along one axis, two, and three or four reach on a board.
pub(super) type Reach = [u64; 3];

/// Finds the reach of a side's sliders.
#[inline(always)]
pub(super) fn reach_of_sliders(board: &Board, side: Colour) -> Reach {
    let own = board.of(side);
    let of = |set: u64| Squares(set & own).fold(0, |all, square| all | board.reach(square, side));
    let queens = of(board.sliders(1) & board.sliders(3));
    let rooks = of(board.sliders(1) & !board.sliders(3));
    let bishops = of(board.sliders(2) & !board.sliders(3));
    [rooks | queens, bishops | queens, queens]
}
