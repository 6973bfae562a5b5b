//! What sliders see behind them: royals on earlier boards of their own timeline.
//!
//! Nothing on a timeline changes behind its latest board, so what is seen there is found once,
//! when a board comes, from what was seen one turn before. Rays the other ways go through other
//! timelines, to which boards may still be added; those are walked ([`super::attacks`]).

use super::attacks::{ON_BOARD, neighbourhood};
use crate::board::{Board, Colour, shift};

/// What one side's pieces see that stand one turn after a board: the squares from which they take
/// an enemy royal when they go back, on that board or one before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// For sliders, by their way along a board.
    rays: [u64; ON_BOARD.len()],
    /// For knights.
    pub knights: u64,
    /// For knights that stand one turn later still.
    knights_later: u64,
    /// For kings and common kings.
    pub kings: u64,
    /// For brawns.
    pub brawns: u64,
}

/// What either side sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Behind([Seen; 2]);

/// The squares so many steps away from a set along ranks and files.
#[inline(always)]
fn orthogonally(set: u64, steps: i32) -> u64 {
    shift(set, steps, 0) | shift(set, -steps, 0) | shift(set, 0, steps) | shift(set, 0, -steps)
}

impl Seen {
    /// Nothing is seen.
    const NOTHING: Seen =
        Seen { rays: [0; ON_BOARD.len()], knights: 0, knights_later: 0, kings: 0, brawns: 0 };

    /// [`Behind::beyond`] for one side.
    #[inline(always)]
    fn beyond(&self, board: &Board, by: Colour) -> Seen {
        let (royals, vacant) = (board.royals(!by), board.vacant());
        let mut rays = self.rays;
        for (ray, &(dx, dy)) in rays.iter_mut().zip(&ON_BOARD) {
            *ray = shift(royals | vacant & *ray, -dx, -dy);
        }
        Seen {
            rays,
            knights: orthogonally(royals, 2) | self.knights_later,
            knights_later: orthogonally(royals, 1),
            kings: neighbourhood(royals),
            brawns: shift(royals, 0, -by.forward()),
        }
    }

    /// The squares for sliders that move along none, one or both of the axes of a board.
    #[inline(always)]
    pub fn sliders(&self) -> [u64; 3] {
        let [straight, along @ ..] = &self.rays;
        let (orthogonal, diagonal) = along.split_at(4);
        let any = |rays: &[u64]| rays.iter().fold(0, |set, ray| set | ray);
        [*straight, any(orthogonal), any(diagonal)]
    }

    /// The pieces of `by` on a board that stands there that take a royal.
    #[inline(always)]
    pub fn takers(&self, board: &Board, by: Colour) -> u64 {
        let [straight, orthogonal, diagonal] = self.sliders();
        let takers = board.sliders(1) & straight
            | board.sliders(2) & orthogonal
            | board.sliders(3) & diagonal
            | board.knights() & self.knights
            | board.king_like() & self.kings
            | board.brawns() & self.brawns;
        takers & board.of(by)
    }
}

impl Behind {
    /// Nothing is seen.
    pub const NOTHING: Behind = Behind([Seen::NOTHING; 2]);

    /// What is seen from one turn after `board`, if this is what is seen from the board itself.
    #[inline(always)]
    pub fn beyond(&self, board: &Board) -> Behind {
        let [white, black] = &self.0;
        Behind([white.beyond(board, Colour::White), black.beyond(board, Colour::Black)])
    }

    /// What a side sees.
    #[inline(always)]
    pub fn of(&self, by: Colour) -> &Seen {
        &self.0[by.index()]
    }
}
