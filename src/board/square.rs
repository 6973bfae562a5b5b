//! Squares and sets of squares on one board.
//!
//! Every board, whatever its size, lives in the lower left corner of an 8x8 grid: bit
//! `8 * rank + file`. Squares outside the board are simply never empty and never occupied.

use std::fmt;

/// A square of a board: file 0 to 7 (a to h) and rank 0 to 7 (1 to 8).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square of a file and a rank, both 0 to 7; higher bits are cut off.
    #[inline(always)]
    pub const fn new(file: u8, rank: u8) -> Square {
        Square((rank & 7) << 3 | (file & 7))
    }

    /// The square of a bit number; higher bits are cut off.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Square {
        Square((index & 63) as u8)
    }

    /// 0 to 63.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// 0 for the a-file.
    #[inline(always)]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 for the first rank.
    #[inline(always)]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The set that holds only this square.
    #[inline(always)]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// The square `dx` files and `dy` ranks away, if it is on the grid.
    #[inline(always)]
    pub fn offset(self, dx: i32, dy: i32) -> Option<Square> {
        let (file, rank) = (i32::from(self.file()) + dx, i32::from(self.rank()) + dy);
        ((0..8).contains(&file) && (0..8).contains(&rank))
            .then(|| Square::new(file as u8, rank as u8))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The size of every board of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// Files, 1 to 8.
    pub width: u8,
    /// Ranks, 1 to 8.
    pub height: u8,
}

impl Size {
    /// A size, if both numbers are from 1 to 8.
    pub fn new(width: u8, height: u8) -> Option<Size> {
        ((1..=8).contains(&width) && (1..=8).contains(&height)).then_some(Size { width, height })
    }

    /// The squares that exist.
    #[inline(always)]
    pub const fn squares(self) -> u64 {
        let row = (1u64 << self.width) - 1;
        let rows = u64::MAX >> (64 - 8 * self.height as u32);
        (row * 0x0101_0101_0101_0101) & rows
    }

    /// Whether the square exists.
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        square.file() < self.width && square.rank() < self.height
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// The squares of a set, lowest bit first.
#[derive(Clone, Copy)]
pub struct Squares(pub u64);

impl Iterator for Squares {
    type Item = Square;
    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::from_index(self.0.trailing_zeros() as usize);
        self.0 &= self.0 - 1;
        Some(square)
    }
}

/// For a shift by -2 to 2 files, the squares that can be reached without leaving the grid.
const LANDS_ON_GRID: [u64; 5] = [
    0x3f3f_3f3f_3f3f_3f3f,
    0x7f7f_7f7f_7f7f_7f7f,
    u64::MAX,
    0xfefe_fefe_fefe_fefe,
    0xfcfc_fcfc_fcfc_fcfc,
];

/// The set moved by `dx` files and `dy` ranks, each -2 to 2; what leaves the grid is lost.
#[inline(always)]
pub const fn shift(set: u64, dx: i32, dy: i32) -> u64 {
    let by = 8 * dy + dx;
    let moved = if by >= 0 { set << by } else { set >> -by };
    moved & LANDS_ON_GRID[(dx + 2) as usize]
}

/// The eight directions on a board, the four of a rook first.
pub const DIRECTIONS: [(i32, i32); 8] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)];

const fn leap_table(steps: &[(i32, i32)]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < steps.len() {
            table[square] |= shift(1 << square, steps[i].0, steps[i].1);
            i += 1;
        }
        square += 1;
    }
    table
}

const KNIGHT: [u64; 64] =
    leap_table(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
const KING: [u64; 64] = leap_table(&DIRECTIONS);
const PAWN: [[u64; 64]; 2] = [leap_table(&[(-1, 1), (1, 1)]), leap_table(&[(-1, -1), (1, -1)])];

const RAYS: [[u64; 64]; 8] = {
    let mut rays = [[0; 64]; 8];
    let mut direction = 0;
    while direction < 8 {
        let (dx, dy) = DIRECTIONS[direction];
        let mut square = 0;
        while square < 64 {
            let mut set = shift(1 << square, dx, dy);
            while set != 0 {
                rays[direction][square] |= set;
                set = shift(set, dx, dy);
            }
            square += 1;
        }
        direction += 1;
    }
    rays
};

/// The squares a knight's leap away on the same board.
#[inline(always)]
pub const fn knight_reach(square: Square) -> u64 {
    KNIGHT[square.index()]
}

/// The squares a king's step away on the same board.
#[inline(always)]
pub const fn king_reach(square: Square) -> u64 {
    KING[square.index()]
}

/// The squares that a pawn or brawn of the colour index attacks on its own board.
#[inline(always)]
pub const fn pawn_reach(colour: usize, square: Square) -> u64 {
    PAWN[colour & 1][square.index()]
}

#[inline(always)]
fn ray(direction: usize, square: Square, blockers: u64) -> u64 {
    let ray = RAYS[direction][square.index()];
    let (dx, dy) = DIRECTIONS[direction];
    // From the corner that the ray heads for nothing more is reached: it stands for no blocker.
    let first = if 8 * dy + dx > 0 {
        (ray & blockers | 1 << 63).trailing_zeros()
    } else {
        63 - (ray & blockers | 1).leading_zeros()
    };
    ray ^ RAYS[direction][(first & 63) as usize]
}

/// The squares a rook reaches on the same board, the first blocker of each ray included.
#[inline(always)]
pub fn rook_reach(square: Square, blockers: u64) -> u64 {
    ray(0, square, blockers)
        | ray(1, square, blockers)
        | ray(2, square, blockers)
        | ray(3, square, blockers)
}

/// The squares a bishop reaches on the same board, the first blocker of each ray included.
#[inline(always)]
pub fn bishop_reach(square: Square, blockers: u64) -> u64 {
    ray(4, square, blockers)
        | ray(5, square, blockers)
        | ray(6, square, blockers)
        | ray(7, square, blockers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_never_wrap() {
        for square in Squares(u64::MAX) {
            for dx in -2..=2 {
                for dy in -2..=2 {
                    let expected = square.offset(dx, dy).map_or(0, Square::bit);
                    assert_eq!(shift(square.bit(), dx, dy), expected, "{square} {dx} {dy}");
                }
            }
        }
    }

    #[test]
    fn rays_stop_at_the_first_blocker() {
        for square in Squares(u64::MAX) {
            for (direction, &(dx, dy)) in DIRECTIONS.iter().enumerate() {
                for blockers in [0, u64::MAX, 0x00ff_0042_1800_8100, 0x8100_0018_4200_ff00] {
                    let (mut expected, mut at) = (0, square);
                    while let Some(next) = at.offset(dx, dy) {
                        expected |= next.bit();
                        at = next;
                        if blockers & next.bit() != 0 {
                            break;
                        }
                    }
                    assert_eq!(ray(direction, square, blockers), expected, "{square} {dx} {dy}");
                }
            }
        }
    }

    #[test]
    fn sizes_count_their_squares() {
        for width in 1..=8 {
            for height in 1..=8 {
                let size = Size { width, height };
                assert_eq!(size.squares().count_ones(), u32::from(width) * u32::from(height));
                assert!(Squares(size.squares()).all(|square| size.contains(square)));
            }
        }
        assert_eq!(Size::new(9, 8), None);
        assert_eq!(Size::new(3, 0), None);
    }
}
