//! The ways from a board to others, and which of them lead to timelines that there are. This file
//! knows nothing of boards.

use super::Multiverse;

/// The eight directions between boards as (dt, dl).
const BETWEEN: [(i32, i32); 8] =
    [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)];

/// The knight's leaps to other boards: (dt, dl), and whether the rest of the leap on the board is
/// none, one step or two steps along one axis.
const LEAPS: [(i32, i32, usize); 16] = [
    (-1, -2, 0),
    (-1, 2, 0),
    (1, -2, 0),
    (1, 2, 0),
    (-2, -1, 0),
    (-2, 1, 0),
    (2, -1, 0),
    (2, 1, 0),
    (-2, 0, 1),
    (2, 0, 1),
    (0, -2, 1),
    (0, 2, 1),
    (-1, 0, 2),
    (1, 0, 2),
    (0, -1, 2),
    (0, 1, 2),
];

/// What a leap does on the board, if the rest of it there is none, one step or two.
pub(super) const REST_OF_LEAP: [&[(i32, i32)]; 3] =
    [&[(0, 0)], &[(1, 0), (-1, 0), (0, 1), (0, -1)], &[(2, 0), (-2, 0), (0, 2), (0, -2)]];

/// What a leap does on the board that goes so far along one of time and timelines and as far or
/// further along the other, if there is one.
#[inline(always)]
pub(super) fn rest_of_leap(short: i32, long: i32) -> Option<&'static [(i32, i32)]> {
    match (short, long) {
        (1, 2) => Some(REST_OF_LEAP[0]),
        (0, 2) => Some(REST_OF_LEAP[1]),
        (0, 1) => Some(REST_OF_LEAP[2]),
        _ => None,
    }
}

/// A short list.
#[derive(Clone, Copy)]
pub(super) struct Ways<T, const MOST: usize> {
    ways: [T; MOST],
    count: usize,
}

impl<T: Copy, const MOST: usize> Ways<T, MOST> {
    /// No ways; `filler` stands where none is.
    const fn none(filler: T) -> Self {
        Ways { ways: [filler; MOST], count: 0 }
    }

    const fn push(&mut self, way: T) {
        self.ways[self.count] = way;
        self.count += 1;
    }

    /// One after the other.
    #[inline(always)]
    pub fn each(&self) -> impl Iterator<Item = T> {
        self.ways[..self.count].iter().copied()
    }
}

/// Directions between boards as (dt, dl).
type Directions = Ways<(i32, i32), { BETWEEN.len() }>;
/// Leaps as in [`LEAPS`].
type Leaps = Ways<(i32, i32, usize), { LEAPS.len() }>;

/// The ways from a board that lead to timelines that there are: most lead nowhere.
#[derive(Clone, Copy)]
pub(super) struct Near {
    /// Directions.
    pub between: Directions,
    /// Those that leave the timeline.
    pub beside: Directions,
    /// The knight's leaps.
    pub leaps: Leaps,
    /// Those that leave the timeline.
    pub leaps_beside: Leaps,
}

/// By which of the timelines up to two away there are, the lowest as the lowest bit.
static NEAR: [Near; 32] = {
    let (directions, leaps) = (Ways::none((0, 0)), Ways::none((0, 0, 0)));
    let nothing = Near { between: directions, beside: directions, leaps, leaps_beside: leaps };
    let mut table = [nothing; 32];
    let mut there = 0;
    while there < 32 {
        let near = &mut table[there];
        let mut i = 0;
        while i < BETWEEN.len() {
            let (_, dl) = BETWEEN[i];
            if there >> (dl + 2) & 1 != 0 {
                near.between.push(BETWEEN[i]);
                if dl != 0 {
                    near.beside.push(BETWEEN[i]);
                }
            }
            i += 1;
        }
        i = 0;
        while i < LEAPS.len() {
            let (_, dl, _) = LEAPS[i];
            if there >> (dl + 2) & 1 != 0 {
                near.leaps.push(LEAPS[i]);
                if dl != 0 {
                    near.leaps_beside.push(LEAPS[i]);
                }
            }
            i += 1;
        }
        there += 1;
    }
    table
};

impl Multiverse {
    /// The ways to timelines near one.
    #[inline(always)]
    pub(super) fn near(&self, line: i32) -> &'static Near {
        let below = (line - self.lowest_line()).clamp(-3, 2);
        let above = (self.highest_line() - line).clamp(-3, 2);
        // Of the line and two on either side, those that lie between the lowest and the highest.
        let there = 0b11111_usize << (2 - below) & 0b11111 >> (2 - above);
        &NEAR[there & 31]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaps_have_a_rest_by_how_far_they_go() {
        for (dt, dl, rest) in LEAPS {
            let far = [dt.abs().min(dl.abs()), dt.abs().max(dl.abs())];
            assert_eq!(rest_of_leap(far[0], far[1]), Some(REST_OF_LEAP[rest]));
        }
        assert_eq!([(0, 0), (1, 1), (2, 2), (0, 3)].map(|it| rest_of_leap(it.0, it.1)), [None; 4]);
    }

    #[test]
    fn ways_lead_to_timelines_that_there_are() {
        let counts = |there: usize| {
            let near = &NEAR[there];
            [near.between.count, near.beside.count, near.leaps.count, near.leaps_beside.count]
        };
        // The timeline itself, one beside it, two away, and all five.
        assert_eq!(counts(0b00100), [2, 0, 4, 0]);
        assert_eq!(counts(0b01100), [5, 3, 7, 3]);
        assert_eq!(counts(0b10100), [2, 0, 7, 3]);
        assert_eq!(counts(0b11111), [8, 6, 16, 12]);
        for near in NEAR.iter().skip(1) {
            assert!(near.beside.each().all(|(_, dl)| dl != 0));
            assert!(near.leaps_beside.each().all(|(_, dl, _)| dl != 0));
        }
    }
}
