//! The terms that several boards decide together: lines through time and timelines onto royals,
//! and the economy of timelines.

use super::board::Reach;
use super::weights::{
    BOARD_AHEAD, LINE_IN_REACH, LINE_ONTO_ROYAL, MANDATORY, MAY_OPEN, OPENED, OPENED_TOO_MANY,
    TEMPO,
};
use crate::board::Colour;
use crate::multiverse::Multiverse;

/// Visits what counts for a side on the newest board of a timeline, seen from one turn on: the
/// weight and how often it does. `reach` is the side's there.
#[inline(always)]
pub(super) fn each_line_count(
    multiverse: &Multiverse,
    line: i32,
    side: Colour,
    reach: Reach,
    mut visit: impl FnMut(usize, i32),
) {
    let Some(place) = multiverse.latest(line) else { return };
    let board = multiverse.board(place);
    // The board from which the side can next jump after it has moved, or the opponent has.
    let wait = if place.colour() == side { 2 } else { 1 };
    let mut next = place;
    next.half_turn += wait;
    let open = board.vacant() | board.of(!side);
    let lines = multiverse.lines_onto_royals(next, open, side);
    if lines == [0; 4] {
        return;
    }
    for (axes, &squares) in lines.iter().enumerate() {
        if squares != 0 {
            visit(LINE_ONTO_ROYAL + axes, squares.count_ones() as i32);
            let own = squares & reach.sliders[axes.min(2)];
            visit(LINE_IN_REACH + axes, own.count_ones() as i32);
        }
    }
}

/// Visits what counts for a side in the multiverse as a whole.
#[inline(always)]
pub(super) fn each_count(multiverse: &Multiverse, side: Colour, mut visit: impl FnMut(usize, i32)) {
    let (own, other) = (multiverse.created(side), multiverse.created(!side));
    if own <= other {
        visit(MAY_OPEN, 1);
    }
    visit(OPENED, own);
    visit(OPENED_TOO_MANY, (own - other - 1).max(0));
    let present = multiverse.present();
    for place in multiverse.active_lines().filter_map(|line| multiverse.latest(line)) {
        if place.half_turn > present + 1 && place.colour() != side {
            visit(BOARD_AHEAD, 1);
        }
        if place.half_turn == present && place.colour() == side {
            visit(MANDATORY, 1);
        }
    }
    if multiverse.side() == side {
        visit(TEMPO, 1);
    }
}
