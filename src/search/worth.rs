//! What pieces are worth where captures and promotions are put in order. Not what they are worth to
//! the evaluation: there mobility and place count apart from material, and with many timelines all of
//! it counts for something else. Knows no position.

use crate::board::PieceKind;
use crate::evaluation::Centipawns;

/// By kind, in the order of [`PieceKind::ALL`].
const WORTH: [Centipawns; PieceKind::ALL.len()] =
    [100, 389, 16, 250, 921, 700, 795, 380, 386, 277, 243, 167];

/// The worth of a piece to whoever takes it.
#[inline(always)]
pub fn worth(kind: PieceKind) -> Centipawns {
    WORTH[kind.index()]
}
