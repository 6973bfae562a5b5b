//! Places of boards, and the names of timelines.

use std::fmt;

use crate::board::Colour;

/// Where a board stands: its timeline and its half-turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The timeline's number in the protocol (R31).
    pub line: i32,
    /// Twice the turn, plus 1 for Black.
    pub half_turn: i32,
}

impl Place {
    /// The turn, shared by White's and Black's board.
    #[inline(always)]
    pub const fn turn(self) -> i32 {
        self.half_turn >> 1
    }

    /// The side that moves on the board.
    #[inline(always)]
    pub const fn colour(self) -> Colour {
        Colour::of_half_turn(self.half_turn)
    }

    /// The place `dl` timelines and `dt` full turns away.
    #[inline(always)]
    pub const fn offset(self, dl: i32, dt: i32) -> Place {
        Place {
            line: self.line.wrapping_add(dl),
            half_turn: self.half_turn.wrapping_add(dt.wrapping_mul(2)),
        }
    }
}

impl Colour {
    /// The colour of the boards of a half-turn.
    #[inline(always)]
    pub const fn of_half_turn(half_turn: i32) -> Colour {
        if half_turn & 1 == 0 { Colour::White } else { Colour::Black }
    }
}

/// A timeline as 5DFEN names it: `-1 0 1`, and `-1 -0 +0 +1` with an even start (R30).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineName {
    /// The number in the protocol.
    pub line: i32,
    /// Whether the start was even.
    pub even: bool,
}

impl fmt::Display for LineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.even, self.line) {
            (false, line) => write!(f, "{line}"),
            (true, line) if line >= 0 => write!(f, "+{line}"),
            (true, line) => write!(f, "-{}", -(line + 1)),
        }
    }
}
