//! From which squares of a board royals could be taken: the question of
//! [`super::attacks`] asked the other way round, for pieces that are not there yet.

use super::attacks::{BETWEEN, LEAPS, ON_BOARD, neighbourhood, steps_away};
use super::{Multiverse, Place};
use crate::board::{
    Board, Colour, Square, Squares, bishop_reach, king_reach, knight_reach, pawn_reach, rook_reach,
    shift,
};

/// The squares of a board from which royals could be taken, by mover class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Onto {
    /// For what moves along one axis, two, three and four.
    pub sliders: [u64; 4],
    /// For knights.
    pub knights: u64,
    /// For kings and common kings.
    pub kings: u64,
    /// For pawns and brawns; perhaps more than they can take from.
    pub pawns: u64,
    /// The squares whose vacating may open a line along the board onto a royal.
    pub lines: u64,
}

impl Onto {
    /// Whether a piece of the class of the one that stands on `from` could take a royal from `to`.
    #[inline(always)]
    pub fn holds(&self, board: &Board, from: Square, to: Square) -> bool {
        let (bit, to) = (from.bit(), to.bit());
        let slides =
            |axes: usize| board.sliders(axes) & bit != 0 && self.sliders[axes - 1] & to != 0;
        board.pawn_like() & bit != 0 && self.pawns & to != 0
            || board.knights() & bit != 0 && self.knights & to != 0
            || board.king_like() & bit != 0 && self.kings & to != 0
            || slides(1)
            || slides(2)
            || slides(3)
            || slides(4)
    }
}

impl Multiverse {
    /// Those of the squares `starts` of a board at `place` from which a slider of `by` that moves
    /// along one axis, two, three or four would take a royal on another board; what stands at
    /// `place` itself is not looked at.
    #[inline]
    pub fn lines_onto_royals(&self, place: Place, starts: u64, by: Colour) -> [u64; 4] {
        let mut lines = [0; 4];
        for (dt, dl) in BETWEEN {
            let first = place.offset(dl, dt);
            if !self.board(first).is_present() {
                continue;
            }
            for (i, &(dx, dy)) in ON_BOARD.iter().enumerate() {
                let axes = ((dt & 1) + (dl & 1)) as usize + i.div_ceil(4);
                let (mut at, mut set, mut distance) = (first, starts, 1);
                while set != 0 {
                    let board = self.board(at);
                    set = shift(set, dx, dy);
                    let hits = set & board.royals(!by);
                    if hits != 0 {
                        // Back to the start, which is on the grid as every step was.
                        let way = (8 * dy + dx) * distance;
                        lines[axes - 1] |= if way >= 0 { hits >> way } else { hits << -way };
                    }
                    set &= board.vacant();
                    at = at.offset(dl, dt);
                    distance += 1;
                }
            }
        }
        lines
    }

    /// From which squares of `board` pieces of `by` that come to stand there could take a royal,
    /// along it or, if it stood at `place`, by a jump.
    pub fn onto_royals(&self, board: &Board, place: Place, by: Colour) -> Onto {
        let mut onto = Onto {
            sliders: self.lines_onto_royals(place, board.size().squares(), by),
            ..Onto::default()
        };
        for (dt, dl) in BETWEEN {
            let around = neighbourhood(self.board(place.offset(dl, dt)).royals(!by));
            onto.kings |= around;
            onto.pawns |= around;
        }
        for (dt, dl, rest) in LEAPS {
            for royal in Squares(self.board(place.offset(dl, dt)).royals(!by)) {
                onto.knights |= if rest == 0 { royal.bit() } else { steps_away(0, rest, royal) };
            }
        }
        let blockers = !board.vacant();
        for royal in Squares(board.royals(!by)) {
            let [straight, diagonal] = [rook_reach(royal, blockers), bishop_reach(royal, blockers)];
            onto.sliders[0] |= straight;
            onto.sliders[1] |= diagonal;
            onto.knights |= knight_reach(royal);
            onto.kings |= king_reach(royal);
            onto.pawns |= pawn_reach((!by).index(), royal);
            onto.lines |= straight | diagonal;
        }
        onto
    }
}
