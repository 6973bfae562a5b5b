//! What a caller may say about moves before they are made. The space itself has no opinion.

use crate::board::Board;
use crate::multiverse::{Move, Multiverse, Place};

/// What a caller thinks of moves, before they are made.
pub trait Chooser {
    /// The score of a move, or `None` to leave it out of the space.
    fn score(&mut self, multiverse: &Multiverse, step: &Move) -> Option<i32>;

    /// What the board that a move makes, at a place, adds to the move's score.
    #[inline(always)]
    fn score_of_board(&mut self, multiverse: &Multiverse, board: &Board, place: Place) -> i32 {
        let _ = (multiverse, board, place);
        0
    }

    /// Called for each playable board before its physical moves are scored.
    #[inline(always)]
    fn look_at(&mut self, multiverse: &Multiverse, place: Place) {
        let _ = (multiverse, place);
    }

    /// Whether [`Chooser::score_of_board`] could be other than 0 for the board that a physical
    /// move makes of `board`, the one looked at last.
    #[inline(always)]
    fn minds(&self, board: &Board, step: &Move) -> bool {
        let _ = (board, step);
        true
    }

    /// Whether to take a move with its final score into the space; `jump` if it leaves its board.
    #[inline(always)]
    fn takes(&mut self, score: i32, jump: bool) -> bool {
        let _ = (score, jump);
        true
    }

    /// Whether pieces may leave their boards.
    #[inline(always)]
    fn jumps(&self) -> bool {
        true
    }

    /// How many timelines an action may open where so many boards are playable.
    fn most_branches(&self, playable: usize) -> usize {
        playable
    }

    /// Looks over the physical moves of one board, scored, and may leave some out.
    fn sift(&mut self, mandatory: bool, moves: &mut Vec<(Move, i32)>) {
        let _ = (mandatory, moves);
    }

    /// The score of leaving a playable board alone.
    fn score_of_pass(&mut self, mandatory: bool) -> i32;
}

/// Every move, all alike.
#[derive(Clone, Copy, Debug)]
pub struct Everything;

impl Chooser for Everything {
    #[inline(always)]
    fn score(&mut self, _: &Multiverse, _: &Move) -> Option<i32> {
        Some(0)
    }

    #[inline(always)]
    fn score_of_pass(&mut self, _: bool) -> i32 {
        0
    }
}

/// Moves along boards, all alike.
#[derive(Clone, Copy, Debug)]
pub(super) struct AlongBoards;

impl Chooser for AlongBoards {
    #[inline(always)]
    fn score(&mut self, _: &Multiverse, _: &Move) -> Option<i32> {
        Some(0)
    }

    fn jumps(&self) -> bool {
        false
    }

    #[inline(always)]
    fn score_of_pass(&mut self, _: bool) -> i32 {
        0
    }
}
