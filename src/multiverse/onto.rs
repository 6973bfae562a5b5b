//! From which squares of a board royals could be taken: the question of
//! [`super::attacks`] asked the other way round, for pieces that are not there yet.

use super::attacks::{ON_BOARD, neighbourhood, steps_away};
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
    /// All the squares from which any piece could take a royal.
    #[inline(always)]
    pub fn squares(&self) -> u64 {
        let [one, two, three, four] = self.sliders;
        one | two | three | four | self.knights | self.kings | self.pawns
    }

    /// The squares from which a piece of the class of the one that stands on `from` could take a
    /// royal.
    #[inline(always)]
    pub fn squares_of(&self, board: &Board, from: Square) -> u64 {
        let bit = from.bit();
        let mut set = 0;
        if board.pawn_like() & bit != 0 {
            set |= self.pawns;
        }
        if board.knights() & bit != 0 {
            set |= self.knights;
        }
        if board.king_like() & bit != 0 {
            set |= self.kings;
        }
        for (axes, squares) in self.sliders.iter().enumerate() {
            if board.sliders(axes + 1) & bit != 0 {
                set |= squares;
            }
        }
        set
    }
}

impl Multiverse {
    /// Those of the squares `starts` of a board at `place` from which a slider of `by` that moves
    /// along one axis, two, three or four would take a royal on another board; what stands at
    /// `place` itself is not looked at; it must not lie before the latest board of its timeline.
    #[inline]
    pub fn lines_onto_royals(&self, place: Place, starts: u64, by: Colour) -> [u64; 4] {
        let [straight, orthogonal, diagonal] = self.seen_behind(place).of(by).sliders();
        let mut lines = [straight & starts, orthogonal & starts, diagonal & starts, 0];
        for (dt, dl) in self.near(place.line).beside.each() {
            let mut at = place.offset(dl, dt);
            let mut board = self.board(at);
            // What travels each way along a board while it goes from board to board.
            let mut rays = [starts; ON_BOARD.len()];
            let mut distance = 1;
            while board.is_present() {
                let (royals, vacant) = (board.royals(!by), board.vacant());
                let mut going = 0;
                for (i, (ray, &(dx, dy))) in rays.iter_mut().zip(&ON_BOARD).enumerate() {
                    let moved = shift(*ray, dx, dy);
                    let hits = moved & royals;
                    if hits != 0 {
                        let axes = ((dt & 1) + (dl & 1)) as usize + i.div_ceil(4);
                        // Back to the start, which is on the grid as every step was.
                        let way = (8 * dy + dx) * distance;
                        lines[axes - 1] |= if way >= 0 { hits >> way } else { hits << -way };
                    }
                    *ray = moved & vacant;
                    going |= *ray;
                }
                if going == 0 {
                    break;
                }
                at = at.offset(dl, dt);
                board = self.board(at);
                distance += 1;
            }
        }
        lines
    }

    /// From which squares of `board` pieces of `by` that come to stand there could take a royal,
    /// along it or, if it stood at `place`, by a jump.
    pub fn onto_royals(&self, board: &Board, place: Place, by: Colour) -> Onto {
        let seen = self.seen_behind(place).of(by);
        let mut onto = Onto {
            sliders: self.lines_onto_royals(place, board.size().squares(), by),
            knights: seen.knights,
            kings: seen.kings,
            pawns: seen.brawns,
            lines: 0,
        };
        let near = self.near(place.line);
        for (dt, dl) in near.beside.each() {
            let around = neighbourhood(self.board(place.offset(dl, dt)).royals(!by));
            onto.kings |= around;
            onto.pawns |= around;
        }
        for (dt, dl, rest) in near.leaps_beside.each() {
            for royal in Squares(self.board(place.offset(dl, dt)).royals(!by)) {
                onto.knights |=
                    if rest == 0 { royal.bit() } else { steps_away(0, rest as i32, royal) };
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
