//! The random numbers behind keys, fixed at compile time so that keys are the same on every
//! run and machine.

use super::piece::{Colour, PieceKind};
use super::square::Square;

/// One step of the splitmix64 generator's output function: a well mixed image of `x`.
#[inline(always)]
pub const fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

const fn number(index: u64) -> u64 {
    mix((index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

const fn row(start: u64) -> [u64; 64] {
    let mut row = [0; 64];
    let mut i = 0;
    while i < 64 {
        row[i] = number(start + i as u64);
        i += 1;
    }
    row
}

static PIECES: [[u64; 64]; 24] = {
    let mut table = [[0; 64]; 24];
    let mut i = 0;
    while i < 24 {
        table[i] = row(64 * i as u64);
        i += 1;
    }
    table
};
static UNMOVED: [u64; 64] = row(64 * 24);
static EN_PASSANT: [u64; 64] = row(64 * 25);

/// Part of every board's key, so that an empty board is not nothing.
pub const BOARD: u64 = number(64 * 26);
/// Part of the multiverse's key when Black is to move.
pub const BLACK_TO_MOVE: u64 = number(64 * 26 + 1);

/// The number of a piece on a square, its unmoved mark left out.
#[inline(always)]
pub fn piece(kind: PieceKind, colour: Colour, square: Square) -> u64 {
    PIECES[kind.index() * 2 + colour.index()][square.index()]
}

/// The number of an unmoved mark.
#[inline(always)]
pub fn unmoved(square: Square) -> u64 {
    UNMOVED[square.index()]
}

/// The number of an en passant target.
#[inline(always)]
pub fn en_passant(square: Square) -> u64 {
    EN_PASSANT[square.index()]
}
