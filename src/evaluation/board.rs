//! The terms that one board decides alone. Knows nothing of timelines, so that what it finds can
//! be kept by the board's key.

use super::weights::{
    CENTRE, GUARDED_PAWN, MATERIAL, MOBILITY, OPEN_FIELD, PASSED_PAWN, PAWN_TO_GO, RING_ATTACK,
};
use crate::board::{Board, Colour, Square, Squares, king_reach, pawn_reach, shift};

/// Twice the way from the middle of the board: along files and ranks together.
#[inline(always)]
fn from_centre(board: &Board, square: Square) -> i32 {
    let far = |at: u8, length: u8| (2 * i32::from(at) + 1 - i32::from(length)).abs();
    far(square.file(), board.size().width) + far(square.rank(), board.size().height)
}

/// By colour: the squares on which an enemy pawn could stop a pawn, those ahead of it on its own
/// file and the files beside it.
static IN_FRONT: [[u64; 64]; 2] = {
    let mut table = [[0; 64]; 2];
    let mut square = 0;
    while square < 64 {
        let own = 1 << square;
        let row = own | shift(own, 1, 0) | shift(own, -1, 0);
        let (mut up, mut down) = (row, row);
        let mut rank = 1;
        while rank < 8 {
            (up, down) = (shift(up, 0, 1), shift(down, 0, -1));
            table[0][square] |= up;
            table[1][square] |= down;
            rank += 1;
        }
        square += 1;
    }
    table
};

/// The squares that a side's sliders along one axis, two, and three or four reach on a board.
pub(super) type Reach = [u64; 3];

/// Visits what counts for a side on a board: the weight and how often it does. Returns the reach
/// of the side's sliders.
#[inline(always)]
pub(super) fn each_count(board: &Board, side: Colour, mut visit: impl FnMut(usize, i32)) -> Reach {
    let ring = Squares(board.royals(!side)).fold(0, |set, square| set | king_reach(square));
    let own = board.of(side);
    let pawns = board.pawn_like() & own;
    let enemy_pawns = board.pawn_like() & board.of(!side);
    for square in Squares(pawns) {
        let kind = board.kind_at(square).index();
        visit(MATERIAL + kind, 1);
        visit(CENTRE + kind, 8 - from_centre(board, square));
        let to_go = match side {
            Colour::White => board.size().height.saturating_sub(1 + square.rank()),
            Colour::Black => square.rank(),
        };
        let index = usize::from(to_go.clamp(1, 6)) - 1;
        visit(PAWN_TO_GO + index, 1);
        if IN_FRONT[side.index()][square.index()] & enemy_pawns == 0 {
            visit(PASSED_PAWN + index, 1);
        }
        if pawn_reach((!side).index(), square) & pawns != 0 {
            visit(GUARDED_PAWN, 1);
        }
    }
    let mut reaches = [0; 3];
    for square in Squares(own & !pawns) {
        let kind = board.kind_at(square).index();
        visit(MATERIAL + kind, 1);
        visit(CENTRE + kind, 8 - from_centre(board, square));
        let reach = board.reach(square, side);
        visit(MOBILITY + kind, reach.count_ones() as i32);
        visit(RING_ATTACK + kind, (reach & ring).count_ones() as i32);
        for (axes, all) in (1..).zip(&mut reaches) {
            if board.sliders(axes) & square.bit() != 0 {
                *all |= reach;
            }
        }
    }
    for square in Squares(board.royals(side)) {
        visit(OPEN_FIELD, (king_reach(square) & board.vacant()).count_ones() as i32);
    }
    reaches
}
