//! The terms that one board decides alone. Knows nothing of timelines, so that what it finds can
//! be kept by the board's key.

use super::weights::{
    CENTRE, GUARDED_PAWN, MATERIAL, MOBILITY, OPEN_FIELD, PASSED_PAWN, PAWN_TO_GO, PREY,
    PREY_TO_COME, RING_ATTACK,
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
    /// An enemy piece of a kind that it takes along the board with profit.
    Prey(PieceKind),
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
    let enemy = board.of(!side) & !board.royals(!side);
    // What is worth more than a pawn, a knight and the like, a rook, a princess.
    let heavy = enemy & board.sliders(1);
    let dearer = [enemy & !enemy_pawns, heavy, heavy & board.sliders(2), heavy & board.sliders(3)];
    let attacked_by_pawns =
        Squares(pawns).fold(0, |set, square| set | pawn_reach(side.index(), square));
    let mut attacked = attacked_by_pawns & enemy;
    let mut prey = attacked & dearer[0];
    let mut reaches = [0; 3];
    for square in Squares(own & !pawns) {
        let kind = board.kind_at(square);
        visit(Reason::Place(kind, square));
        let reach = board.reach(square, side);
        visit(Reason::Weight(MOBILITY + kind.index(), reach.count_ones() as i32));
        let hits = reach & enemy;
        if hits != 0 {
            attacked |= hits;
            prey |= match kind {
                PieceKind::Knight | PieceKind::Bishop | PieceKind::Unicorn | PieceKind::Dragon => {
                    hits & dearer[1]
                }
                PieceKind::Rook => hits & dearer[2],
                PieceKind::Princess => hits & dearer[3],
                _ => 0,
            };
        }
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
    let loose = |square: &Square| !board.attacks_square(!side, *square);
    prey |= Squares(attacked & !prey).filter(loose).fold(0, |set, square| set | square.bit());
    for square in Squares(prey) {
        visit(Reason::Prey(board.kind_at(square)));
    }
    for square in Squares(board.royals(side)) {
        let open = (king_reach(square) & board.vacant()).count_ones() as i32;
        visit(Reason::Weight(OPEN_FIELD, open));
    }
    reaches
}

/// The weight of an enemy piece of a kind that a side takes with profit, where the side of `mover`
/// is to move.
#[inline(always)]
pub(super) fn prey_weight(kind: PieceKind, side: Colour, mover: Colour) -> usize {
    kind.index() + if side == mover { PREY } else { PREY_TO_COME }
}

/// Visits what counts for a side on a board on which `mover` is to move: the weight and how often it
/// does. Returns the reach of the side's sliders.
pub(super) fn each_count(
    board: &Board,
    side: Colour,
    mover: Colour,
    mut visit: impl FnMut(usize, i32),
) -> Reach {
    each_reason(board, side, |reason| match reason {
        Reason::Prey(kind) => visit(prey_weight(kind, side, mover), 1),
        Reason::Weight(weight, count) => visit(weight, count),
        Reason::Place(kind, square) => {
            each_place_count(board.size(), side, kind, square, &mut visit);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Piece;

    /// White's prey on a board of kings and these pieces, as kinds.
    fn prey(pieces: &[(u8, u8, PieceKind, Colour)], mover: Colour, group: usize) -> Vec<PieceKind> {
        let mut board = Board::empty(Size { width: 8, height: 8 });
        let kings =
            [(0, 0, PieceKind::King, Colour::White), (7, 7, PieceKind::King, Colour::Black)];
        for &(file, rank, kind, colour) in kings.iter().chain(pieces) {
            board.put(Square::new(file, rank), Piece { kind, colour, unmoved: false });
        }
        let mut found = Vec::new();
        each_count(&board, Colour::White, mover, |weight, count| {
            let kind = weight.checked_sub(group).and_then(|kind| PieceKind::ALL.get(kind));
            found.extend(kind.map(|&kind| (kind, count)));
        });
        assert!(found.iter().all(|&(_, count)| count == 1));
        found.into_iter().map(|(kind, _)| kind).collect()
    }

    #[test]
    fn prey_is_dearer_or_unguarded() {
        use Colour::{Black, White};
        use PieceKind::{Knight, Pawn, Queen, Rook};
        let pawn = (3, 3, Pawn, White);
        let (rook, guard) = ((4, 4, Rook, Black), (4, 0, Rook, Black));
        assert_eq!(prey(&[pawn, rook, guard], White, PREY), [Rook]);
        assert_eq!(prey(&[pawn, rook, guard], Black, PREY), []);
        assert_eq!(prey(&[pawn, rook, guard], Black, PREY_TO_COME), [Rook]);
        let (own_rook, knight) = ((2, 4, Rook, White), (4, 4, Knight, Black));
        assert_eq!(prey(&[own_rook, knight], White, PREY), [Knight]);
        assert_eq!(prey(&[own_rook, knight, guard], White, PREY), []);
        assert_eq!(prey(&[own_rook, (4, 4, Queen, Black), guard], White, PREY), [Queen]);
        assert_eq!(prey(&[(3, 3, Pawn, White), (4, 4, Pawn, Black), guard], White, PREY), []);
    }
}
