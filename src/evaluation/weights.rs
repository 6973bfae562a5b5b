//! The weights of the evaluation, all in one table, in centipawns where nothing else is said.

/// The table's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// By kind of piece, in the order of [`crate::board::PieceKind::ALL`].
    pub material: [i32; 12],
    /// For a piece in the centre rather than in a corner, by kind.
    pub centre: [i32; 12],
    /// For each rank that a pawn has gone.
    pub advance: i32,
    /// Against each vacant field next to a royal.
    pub open_field: i32,
    /// The share of an inactive timeline's board, of 256.
    pub inactive: i32,
    /// For the right to open an active timeline.
    pub may_open: i32,
    /// Against each timeline that a side has created.
    pub opened: i32,
    /// For a board that waits for the opponent ahead of the present.
    pub board_ahead: i32,
    /// For being to move.
    pub tempo: i32,
}

/// The weights in force.
pub static WEIGHTS: Weights = Weights {
    material: [100, 140, 0, 250, 1100, 700, 700, 450, 350, 350, 280, 180],
    centre: [4, 4, -12, 6, 6, 6, 10, 2, 12, 24, 10, 6],
    advance: 4,
    open_field: 9,
    inactive: 80,
    may_open: 150,
    opened: 320,
    board_ahead: 15,
    tempo: 15,
};
