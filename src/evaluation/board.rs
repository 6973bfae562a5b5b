//! The terms that one board decides alone. Knows nothing of timelines, so that what it finds can
//! be kept by the board's key.

use super::weights::{
    CENTRE, GUARDED_PAWN, MATERIAL, MOBILITY, OPEN_FIELD, PASSED_PAWN, PAWN_TO_GO, PREY,
    PREY_TO_COME, RING_ATTACK,
};
use crate::board::{Board, Colour, PieceKind, Size, Square, Squares, king_reach, shift};

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

/// What a side's pieces reach along a board.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reach {
    /// The squares that sliders along one axis, two, and three or four reach.
    pub sliders: [u64; 3],
    /// The enemy pieces that are attacked, royals too; what could be taken en passant is not among
    /// them.
    pub hits: u64,
}

/// What a side's pieces do to other pieces along a board.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Grip {
    /// The own pieces that others guard.
    guarded: u64,
    /// The enemy pieces that are attacked, but no royals.
    attacked: u64,
    /// Those of them that something attacks that is worth less.
    dearer: u64,
}

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

/// Visits what counts for a side on a board, prey apart.
#[inline(always)]
pub(super) fn each_reason(
    board: &Board,
    side: Colour,
    mut visit: impl FnMut(Reason),
) -> (Reach, Grip) {
    let own = board.of(side);
    let pawns = board.pawn_like() & own;
    let enemy_pawns = board.pawn_like() & board.of(!side);
    for square in Squares(pawns) {
        visit(Reason::Place(board.kind_at(square), square));
        if IN_FRONT[side.index()][square.index()] & enemy_pawns == 0 {
            visit(Reason::Weight(PASSED_PAWN + to_go(board.size(), side, square), 1));
        }
    }
    let forward = side.forward();
    let by_pawns = shift(pawns, 1, forward) | shift(pawns, -1, forward);
    visit(Reason::Weight(GUARDED_PAWN, (pawns & by_pawns).count_ones() as i32));
    let enemy = board.of(!side) & !board.royals(!side);
    // What is worth more than a pawn, a knight and the like, a rook, a princess.
    let heavy = enemy & board.sliders(1);
    let dearer = [enemy & !enemy_pawns, heavy, heavy & board.sliders(2), heavy & board.sliders(3)];
    let ring = Squares(board.royals(!side)).fold(0, |set, square| set | king_reach(square));
    let open = board.vacant() | board.of(!side);
    let mut reach = Reach::default();
    let mut covered = by_pawns;
    let mut dear = by_pawns & dearer[0];
    for kind in PieceKind::ALL {
        let pieces = board.of_kind(kind) & own & !pawns;
        if pieces == 0 {
            continue;
        }
        let mut all = 0;
        let (mut mobility, mut near_royal) = (0, 0);
        for square in Squares(pieces) {
            visit(Reason::Place(kind, square));
            let covers = board.covers(square);
            all |= covers;
            mobility += (covers & open).count_ones();
            near_royal += (covers & open & ring).count_ones();
        }
        visit(Reason::Weight(MOBILITY + kind.index(), mobility as i32));
        visit(Reason::Weight(RING_ATTACK + kind.index(), near_royal as i32));
        covered |= all;
        dear |= match kind {
            PieceKind::Knight | PieceKind::Bishop | PieceKind::Unicorn | PieceKind::Dragon => {
                all & dearer[1]
            }
            PieceKind::Rook => all & dearer[2],
            PieceKind::Princess => all & dearer[3],
            _ => 0,
        };
        for (axes, squares) in (1..).zip(&mut reach.sliders) {
            if board.sliders(axes) & pieces != 0 {
                *squares |= all & open;
            }
        }
    }
    for square in Squares(board.royals(side)) {
        let open = (king_reach(square) & board.vacant()).count_ones() as i32;
        visit(Reason::Weight(OPEN_FIELD, open));
    }
    reach.hits = covered & board.of(!side);
    (reach, Grip { guarded: covered & own, attacked: covered & enemy, dearer: dear })
}

/// Visits the enemy pieces that a side takes along a board with profit, by kind: those that are
/// worth more than what takes them, and those that are not guarded.
#[inline(always)]
pub(super) fn each_prey(board: &Board, grip: Grip, enemy: Grip, mut visit: impl FnMut(PieceKind)) {
    for square in Squares(grip.dearer | grip.attacked & !enemy.guarded) {
        visit(board.kind_at(square));
    }
}

/// The weight of an enemy piece of a kind that a side takes with profit, where the side of `mover`
/// is to move.
#[inline(always)]
pub(super) fn prey_weight(kind: PieceKind, side: Colour, mover: Colour) -> usize {
    kind.index() + if side == mover { PREY } else { PREY_TO_COME }
}

/// Visits what counts for a side on a board on which `mover` is to move: the weight and how often it
/// does. Returns the side's reach.
pub(super) fn each_count(
    board: &Board,
    side: Colour,
    mover: Colour,
    mut visit: impl FnMut(usize, i32),
) -> Reach {
    let (reach, grip) = each_reason(board, side, |reason| match reason {
        Reason::Weight(weight, count) => visit(weight, count),
        Reason::Place(kind, square) => {
            each_place_count(board.size(), side, kind, square, &mut visit);
        }
    });
    let (_, enemy) = each_reason(board, !side, |_| {});
    each_prey(board, grip, enemy, |kind| visit(prey_weight(kind, side, mover), 1));
    reach
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
