//! What a caller may say about moves before they are made. The space itself has no opinion.

use crate::board::{Board, Colour, Square, shift};
use crate::multiverse::{Move, Multiverse, Onto, Pieces, Place};

/// The moves along a board that a caller may take into the space at all: the others are not even
/// looked at.
#[derive(Clone, Copy, Debug)]
pub enum Wanted {
    /// Whatever there is.
    Everything,
    /// Nothing.
    Nothing,
    /// What takes a piece on these squares or promotes.
    Forcing(u64),
    /// That, and what may make a board that attacks a royal from the squares told.
    ForcingOrOnto(u64, Onto),
}

impl Wanted {
    /// The squares to which the piece on `from` is wanted to go.
    #[inline(always)]
    pub(super) fn of(&self, board: &Board, from: Square) -> u64 {
        let bit = from.bit();
        let Some(colour) = board.colour_at(from) else { return 0 };
        let promoting = if board.pawn_like() & bit != 0 { board.last_rank(colour) } else { 0 };
        match self {
            Wanted::Everything => u64::MAX,
            Wanted::Nothing => 0,
            Wanted::Forcing(prey) => prey | promoting,
            Wanted::ForcingOrOnto(_, onto) if onto.lines & bit != 0 => u64::MAX,
            Wanted::ForcingOrOnto(prey, onto) => {
                // Castling and en passant move more than one piece: that is not told by a square.
                let castles = board.king_like() & bit;
                let special = shift(castles, 2, 0)
                    | shift(castles, -2, 0)
                    | board.en_passant().map_or(0, Square::bit);
                prey | promoting | special | onto.squares_of(board, from)
            }
        }
    }
}

/// What a caller thinks of moves, before they are made.
pub trait Chooser {
    /// The score of a move, or `None` to leave it out of the space.
    fn score(&mut self, multiverse: &Multiverse, step: &Move, pieces: Pieces) -> Option<i32>;

    /// What the board that a move makes, at a place, adds to the move's score, if that can be told
    /// before it is made. Of a physical move, the board was looked at last.
    #[inline(always)]
    fn foresee(&mut self, multiverse: &Multiverse, step: &Move, place: Place) -> Option<i32> {
        let _ = (multiverse, step, place);
        None
    }

    /// The same, told by the board that has been made.
    #[inline(always)]
    fn score_of_board(&mut self, multiverse: &Multiverse, board: &Board, place: Place) -> i32 {
        let _ = (multiverse, board, place);
        0
    }

    /// Called for each playable board before its physical moves are scored: which of them may be
    /// taken.
    #[inline(always)]
    fn look_at(&mut self, multiverse: &Multiverse, place: Place) -> Wanted {
        let _ = (multiverse, place);
        Wanted::Everything
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

    /// The pieces on a board that `side` may take by jumps.
    #[inline(always)]
    fn prey(&self, board: &Board, side: Colour) -> u64 {
        board.of(!side)
    }

    /// The squares of the board at a place where jumps may be taken that neither take nor promote
    /// anything.
    #[inline(always)]
    fn quiet_landing(&self, multiverse: &Multiverse, place: Place) -> u64 {
        let _ = (multiverse, place);
        u64::MAX
    }

    /// How many timelines an action may open where so many boards are playable.
    fn most_branches(&self, playable: usize) -> usize {
        playable
    }

    /// Looks over the physical moves of one board, scored, and may leave some out.
    fn sift(&mut self, mandatory: bool, moves: &mut Vec<(Move, i32)>) {
        let _ = (mandatory, moves);
    }

    /// What a move of several that are alike, along one board or by jumps from it, loses for being
    /// second best of them in a stream of actions on many boards, the fourth twice that, and so on;
    /// 0 to leave its score as it is. Without that every quiet move of one board would be tried
    /// beside the best moves of the others before anything else is there.
    #[inline(always)]
    fn spread(&self, score: i32, jump: bool) -> i32 {
        let _ = (score, jump);
        0
    }

    /// The score of leaving a playable board alone.
    fn score_of_pass(&mut self, mandatory: bool) -> i32;
}

/// Every move, all alike.
#[derive(Clone, Copy, Debug)]
pub struct Everything;

impl Chooser for Everything {
    #[inline(always)]
    fn score(&mut self, _: &Multiverse, _: &Move, _: Pieces) -> Option<i32> {
        Some(0)
    }

    #[inline(always)]
    fn foresee(&mut self, _: &Multiverse, _: &Move, _: Place) -> Option<i32> {
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
    fn score(&mut self, _: &Multiverse, _: &Move, _: Pieces) -> Option<i32> {
        Some(0)
    }

    #[inline(always)]
    fn foresee(&mut self, _: &Multiverse, _: &Move, _: Place) -> Option<i32> {
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
