//! What sliders see behind them: royals on earlier boards of their own timeline.
//!
//! Nothing on a timeline changes behind its latest board, so what is seen there is found once,
//! when a board comes, from what was seen one turn before. Rays the other ways go through other
//! timelines, to which boards may still be added; those are walked ([`super::attacks`]).

use super::attacks::ON_BOARD;
use crate::board::{Board, Colour, shift};

/// For each side and way along a board: the squares from which a slider that stands one turn
/// after a board takes an enemy royal when it goes back, on that board or one before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Behind([[u64; ON_BOARD.len()]; 2]);

impl Behind {
    /// Nothing is seen.
    pub const NOTHING: Behind = Behind([[0; ON_BOARD.len()]; 2]);

    /// What is seen from one turn after `board`, if this is what is seen from the board itself.
    #[inline(always)]
    pub fn beyond(&self, board: &Board) -> Behind {
        let vacant = board.vacant();
        let mut beyond = Behind::NOTHING;
        for by in Colour::BOTH {
            let royals = board.royals(!by);
            let rays = self.0[by.index()].iter().zip(&ON_BOARD);
            for (seen, (&ray, &(dx, dy))) in beyond.0[by.index()].iter_mut().zip(rays) {
                *seen = shift(royals | vacant & ray, -dx, -dy);
            }
        }
        beyond
    }

    /// The squares from which a slider of `by` takes a royal behind it while it moves along none,
    /// one or both of the axes of a board.
    #[inline(always)]
    pub fn onto_royals(&self, by: Colour) -> [u64; 3] {
        let [straight, along @ ..] = &self.0[by.index()];
        let (orthogonal, diagonal) = along.split_at(4);
        let any = |rays: &[u64]| rays.iter().fold(0, |set, ray| set | ray);
        [*straight, any(orthogonal), any(diagonal)]
    }
}
