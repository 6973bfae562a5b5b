//! The terms that one board decides alone. Knows nothing of timelines, so that what it finds can
//! be kept by the board's key.

use super::weights::{
    CENTRE, GUARDED_PAWN, MATERIAL, MOBILITY, OPEN_FIELD, PASSED_PAWN, PAWN_TO_GO, RING_ATTACK,
};
use crate::board::{
    Board, Colour, PieceKind, Size, Square, Squares, king_reach, pawn_reach, shift,
};

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

/// What counts for a side on a board.
pub(super) enum Reason {
    /// A weight, and how often it counts.
    Weight(usize, i32),
    /// All that a piece of a kind counts for standing where it does: [`each_place_count`].
    Place(PieceKind, Square),
}

/// Visits what a side's piece of a kind counts for on a square of a board of a size, whatever else
/// is there: the weight and how often it does.
#[inline(always)]
pub(super) fn each_place_count(
    size: Size,
    side: Colour,
    kind: PieceKind,
    square: Square,
    mut visit: impl FnMut(usize, i32),
) {
    visit(MATERIAL + kind.index(), 1);
    let nearness = |length: u8, at: u8| 4 - (2 * i32::from(at) + 1 - i32::from(length)).abs();
    let to_centre = nearness(size.width, square.file()) + nearness(size.height, square.rank());
    visit(CENTRE + kind.index(), to_centre);
    if kind.is_pawn_like() {
        visit(PAWN_TO_GO + to_go(size, side, square), 1);
    }
}

/// The ranks that a pawn has to go, less one, as far as they are told apart.
#[inline(always)]
fn to_go(size: Size, side: Colour, square: Square) -> usize {
    let to_go = match side {
        Colour::White => size.height.saturating_sub(1 + square.rank()),
        Colour::Black => square.rank(),
    };
    usize::from(to_go.clamp(1, 6)) - 1
}

/// Visits what counts for a side on a board. Returns the reach of the side's sliders.
#[inline(always)]
pub(super) fn each_reason(board: &Board, side: Colour, mut visit: impl FnMut(Reason)) -> Reach {
    let ring = Squares(board.royals(!side)).fold(0, |set, square| set | king_reach(square));
    let own = board.of(side);
    let pawns = board.pawn_like() & own;
    let enemy_pawns = board.pawn_like() & board.of(!side);
    for square in Squares(pawns) {
        visit(Reason::Place(board.kind_at(square), square));
        if IN_FRONT[side.index()][square.index()] & enemy_pawns == 0 {
            visit(Reason::Weight(PASSED_PAWN + to_go(board.size(), side, square), 1));
        }
        if pawn_reach((!side).index(), square) & pawns != 0 {
            visit(Reason::Weight(GUARDED_PAWN, 1));
        }
    }
    let mut reaches = [0; 3];
    for square in Squares(own & !pawns) {
        let kind = board.kind_at(square);
        visit(Reason::Place(kind, square));
        let reach = board.reach(square, side);
        visit(Reason::Weight(MOBILITY + kind.index(), reach.count_ones() as i32));
        let near_royal = reach & ring;
        if near_royal != 0 {
            let count = near_royal.count_ones() as i32;
            visit(Reason::Weight(RING_ATTACK + kind.index(), count));
        }
        for (axes, all) in (1..).zip(&mut reaches) {
            if board.sliders(axes) & square.bit() != 0 {
                *all |= reach;
            }
        }
    }
    for square in Squares(board.royals(side)) {
        let open = (king_reach(square) & board.vacant()).count_ones() as i32;
        visit(Reason::Weight(OPEN_FIELD, open));
    }
    reaches
}

/// Visits what counts for a side on a board: the weight and how often it does. Returns the reach
/// of the side's sliders.
pub(super) fn each_count(board: &Board, side: Colour, mut visit: impl FnMut(usize, i32)) -> Reach {
    each_reason(board, side, |reason| match reason {
        Reason::Weight(weight, count) => visit(weight, count),
        Reason::Place(kind, square) => {
            each_place_count(board.size(), side, kind, square, &mut visit);
        }
    })
}
