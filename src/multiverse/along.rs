//! The moves along a board that leave no royal to be taken along it, remembered by board: at the
//! nodes of a search the same boards stand beside each other in ever new ways.
//!
//! What a board allows along itself depends on nothing else, so it is found once. Boards are
//! compared whole: two that fall on one slot push each other out, which costs time alone.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::{Multiverse, Pieces, Place};
use crate::board::{Board, Colour, PieceKind, Square};

/// Boards remembered.
const SLOTS: usize = 2048;
/// Moves of a board that has more are not remembered.
const MOST: usize = 96;

/// A move along a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Along {
    /// The square that the piece leaves.
    pub from: Square,
    /// The square that it goes to.
    pub to: Square,
    /// What it becomes, where it is promoted.
    pub promotion: Option<PieceKind>,
    /// What it moves and takes.
    pub pieces: Pieces,
}

/// What is known of a board.
#[derive(Clone, Debug)]
struct Slot {
    board: Board,
    side: Colour,
    moves: ArrayVec<Along, MOST>,
    /// Whether these are all moves: not where there are too many.
    is_complete: bool,
}

/// Moves by board. A copy of a multiverse begins without any.
#[derive(Debug, Default)]
pub(super) struct Memory(Vec<Slot>);

impl Clone for Memory {
    fn clone(&self) -> Memory {
        Memory::default()
    }
}

impl Multiverse {
    /// Where the moves of the playable board at a place are remembered. Where they are not, they
    /// are found if all of them are needed; else `None`.
    pub fn recall(&mut self, place: Place, all: bool) -> Option<usize> {
        let side = place.colour();
        if self.memory.0.is_empty() {
            let board = Board::ABSENT;
            let empty = Slot { board, side, moves: ArrayVec::new(), is_complete: false };
            self.memory.0.resize(SLOTS, empty);
        }
        let board = self.board(place);
        let at = (board.key() as usize ^ side.index()) % SLOTS;
        let slot = self.memory.0.get(at)?;
        let known = slot.side == side && slot.board == *board;
        if !known {
            if !all {
                return None;
            }
            let board = *board;
            let mut memory = std::mem::take(&mut self.memory);
            if let Some(slot) = memory.0.get_mut(at) {
                (slot.board, slot.side) = (board, side);
                slot.is_complete = self.find_safe_along(place, &mut slot.moves);
            }
            self.memory = memory;
        }
        self.memory.0.get(at)?.is_complete.then_some(at)
    }

    /// The moves that [`Multiverse::recall`] has found.
    pub fn recalled(&self, at: usize) -> &[Along] {
        self.memory.0.get(at).map_or(&[], |slot| &slot.moves)
    }

    /// Forgets all moves: to be called when what is allowed along a board changes.
    pub(super) fn forget_moves(&mut self) {
        self.memory.0.clear();
    }

    /// Finds the moves along a board that leave no royal to be taken along it. Returns whether all
    /// of them can be remembered.
    fn find_safe_along(&self, place: Place, moves: &mut ArrayVec<Along, MOST>) -> bool {
        let board = self.board(place);
        let side = place.colour();
        let guarded = board.guarded(side);
        moves.clear();
        let every = |_| u64::MAX;
        let walk = self.physical_moves_from(place, every, &mut |step| {
            let (from, to, promotion) = (step.from_square, step.to_square, step.promotion);
            let guards = guarded & from.bit() != 0;
            if guards && board.exposes_royal(from, to, side) {
                return ControlFlow::Continue(());
            }
            let pieces = Pieces::of(board, board, &step);
            match moves.try_push(Along { from, to, promotion, pieces }) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        walk.is_continue()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Piece, Size};
    use crate::multiverse::Promotions;

    const PLACE: Place = Place { line: 0, half_turn: 2 };

    /// One board of 4x4 with White to move.
    fn multiverse(pieces: &[(u8, u8, PieceKind, Colour)]) -> Multiverse {
        let size = Size { width: 4, height: 4 };
        let mut board = Board::empty(size);
        for &(file, rank, kind, colour) in pieces {
            board.put(Square::new(file, rank), Piece { kind, colour, unmoved: false });
        }
        let mut multiverse = Multiverse::new(size, false);
        multiverse.found_timeline(0, &[(PLACE.half_turn, board)]);
        multiverse
    }

    fn recalled(multiverse: &mut Multiverse, all: bool) -> Option<Vec<Along>> {
        assert_eq!(multiverse.playable(0, Colour::White), Some(PLACE));
        let at = multiverse.recall(PLACE, all)?;
        Some(multiverse.recalled(at).to_vec())
    }

    #[test]
    fn a_board_is_remembered_once_all_was_asked_for() {
        let king = (0, 0, PieceKind::King, Colour::White);
        let mut first = multiverse(&[king, (3, 3, PieceKind::King, Colour::Black)]);
        assert_eq!(recalled(&mut first, false), None);
        let moves = recalled(&mut first, true).unwrap();
        assert_eq!(moves.len(), 3);
        assert_eq!(recalled(&mut first, false), Some(moves.clone()));
        let mut copy = first.clone();
        assert_eq!(recalled(&mut copy, false), None);
        first.forget_moves();
        assert_eq!(recalled(&mut first, false), None);
        assert_eq!(recalled(&mut first, true), Some(moves));
    }

    #[test]
    fn what_exposes_a_royal_is_not_remembered() {
        let mut pinned = multiverse(&[
            (1, 0, PieceKind::King, Colour::White),
            (1, 1, PieceKind::Rook, Colour::White),
            (1, 3, PieceKind::Rook, Colour::Black),
        ]);
        let moves = recalled(&mut pinned, true).unwrap();
        let rook: Vec<_> =
            moves.iter().filter(|step| step.pieces.moving == PieceKind::Rook).collect();
        assert_eq!(rook.len(), 2);
        assert!(rook.iter().all(|step| step.to.file() == 1));
        let takes = |step: &&&Along| step.pieces.taken == Some(PieceKind::Rook);
        assert_eq!(rook.iter().filter(takes).count(), 1);
    }

    #[test]
    fn other_promotions_are_other_moves() {
        let mut pawn = multiverse(&[(0, 2, PieceKind::Pawn, Colour::White)]);
        assert_eq!(recalled(&mut pawn, true).unwrap().len(), 1);
        let kinds = [PieceKind::Queen, PieceKind::Knight];
        pawn.set_promotions(Promotions::new(&kinds).unwrap());
        assert_eq!(recalled(&mut pawn, true).unwrap().len(), 2);
    }
}
