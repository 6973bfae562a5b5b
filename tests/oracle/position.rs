//! Owns the multiverse: boards by timeline and half-turn, which timelines are active, where the
//! present is. It must not know how pieces move.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::board::{Board, Colour, Kind, Piece};

/// A square of the multiverse. The half-turn is 2t, plus 1 on Black's boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    pub timeline: i32,
    pub half_turn: i32,
    pub x: i32,
    pub y: i32,
}

impl Square {
    /// The board it lies on, as a key of [`Position::boards`].
    pub fn board(self) -> (i32, i32) {
        (self.timeline, self.half_turn)
    }
}

/// All boards, and the side whose action it is: before the action, or in the middle of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub width: i32,
    pub height: i32,
    /// Even number of original timelines (−0 and +0, here −1 and 0) instead of the one 0.
    pub even: bool,
    /// The mover; only submitting changes it.
    pub side: Colour,
    /// By (timeline, half-turn). A board never changes once it is there, so copies may share it.
    pub boards: BTreeMap<(i32, i32), Arc<Board>>,
    /// R9: what pawns and brawns may become; a queen by default.
    pub promotions: Vec<Kind>,
}

impl Position {
    /// What stands on a square: `None` where the board or the square does not exist.
    pub fn look(&self, square: Square) -> Option<Option<Piece>> {
        let board = self.boards.get(&square.board())?;
        board.contains(square.x, square.y).then(|| board.get(square.x, square.y))
    }

    /// All timelines, ascending. R14: their numbers have no gap.
    pub fn timelines(&self) -> std::ops::RangeInclusive<i32> {
        let first = self.boards.keys().next().expect("a position has boards").0;
        let last = self.boards.keys().next_back().expect("as above").0;
        first..=last
    }

    /// The half-turn of the latest board of a timeline.
    pub fn latest(&self, timeline: i32) -> i32 {
        let boards = self.boards.range((timeline, i32::MIN)..=(timeline, i32::MAX));
        boards.last().expect("no such timeline").0.1
    }

    /// R11: the latest board of its timeline, and it shows this side's colour.
    pub fn is_playable(&self, (timeline, half_turn): (i32, i32), colour: Colour) -> bool {
        self.timelines().contains(&timeline)
            && self.latest(timeline) == half_turn
            && Colour::of_half_turn(half_turn) == colour
    }

    /// R14: how many timelines a side has created, those given in a 5DFEN included.
    pub fn created(&self, colour: Colour) -> i32 {
        match colour {
            Colour::White => *self.timelines().end(),
            Colour::Black => self.lowest_original() - self.timelines().start(),
        }
    }

    /// R14: the number that the side's next new timeline gets.
    pub fn next_timeline(&self, colour: Colour) -> i32 {
        match colour {
            Colour::White => self.timelines().end() + 1,
            Colour::Black => self.timelines().start() - 1,
        }
    }

    /// Timelines above 0 are White's, those below this one Black's.
    pub fn lowest_original(&self) -> i32 {
        if self.even { -1 } else { 0 }
    }

    /// R19: original, or the k-th of a side whose opponent has created at least k − 1.
    pub fn is_active(&self, timeline: i32) -> bool {
        if timeline > 0 {
            self.created(Colour::Black) >= timeline - 1
        } else if timeline < self.lowest_original() {
            let k = self.lowest_original() - timeline;
            self.created(Colour::White) >= k - 1
        } else {
            true
        }
    }

    pub fn active(&self) -> Vec<i32> {
        self.timelines().filter(|&l| self.is_active(l)).collect()
    }

    pub fn inactive(&self) -> Vec<i32> {
        self.timelines().filter(|&l| !self.is_active(l)).collect()
    }

    /// R20: the half-turn of the earliest latest-board over the active timelines.
    pub fn present(&self) -> i32 {
        let latest = self.active().into_iter().map(|l| self.latest(l));
        latest.min().expect("the original timelines are active")
    }

    /// R21: the timelines that still hold the present for the mover.
    pub fn mandatory(&self) -> Vec<i32> {
        let present = self.present();
        let holds = |&l: &i32| self.is_active(l) && self.latest(l) == present;
        self.playable().into_iter().filter(holds).collect()
    }

    /// R21: the other timelines that the mover may play on.
    pub fn optional(&self) -> Vec<i32> {
        let mandatory = self.mandatory();
        let free = |l: &i32| !mandatory.contains(l);
        self.playable().into_iter().filter(free).collect()
    }

    /// The timelines whose latest board is the opponent's.
    pub fn waiting(&self) -> Vec<i32> {
        let playable = self.playable();
        self.timelines().filter(|l| !playable.contains(l)).collect()
    }

    /// The timelines that the mover may play on.
    pub fn playable(&self) -> Vec<i32> {
        self.timelines().filter(|&l| self.is_playable((l, self.latest(l)), self.side)).collect()
    }

    /// R27: royals on latest boards of inactive timelines, and none on those of active ones.
    pub fn is_exiled(&self, colour: Colour) -> bool {
        let has_royal = |&l: &i32| self.boards[&(l, self.latest(l))].has_royal(colour);
        self.inactive().iter().any(has_royal) && !self.active().iter().any(has_royal)
    }
}
