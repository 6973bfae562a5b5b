//! Scores: centipawns in the middle, proved mates at the ends.

use crate::evaluation::MOST;

/// A score from the side to move: centipawns, or near [`MATE`] a proved mate.
pub type Score = i32;

/// The score of having won at the root. A mate in n plies is `MATE - n`. It lies above any sum
/// of material.
pub const MATE: Score = 1_000_000_000;
/// Scores from here on are mates.
pub const MATE_BOUND: Score = MATE - 100_000;
/// Above every score.
pub const INFINITE: Score = MATE + 1;
/// What a mate that is not proved counts, either way: more than any material, far from a mate.
pub const UNPROVED: Score = MOST + 50_000;

const _: () = assert!(UNPROVED < MATE_BOUND);

/// The score of being without a legal action, in check or by exile, `ply` plies from the root.
#[inline(always)]
pub const fn mated_in(ply: usize) -> Score {
    -MATE + ply as Score
}

/// A mate score as seen from a node, for the table, which knows no distance from the root.
#[inline(always)]
pub const fn to_table(score: Score, ply: usize) -> Score {
    if score >= MATE_BOUND {
        score + ply as Score
    } else if score <= -MATE_BOUND {
        score - ply as Score
    } else {
        score
    }
}

/// The reverse of [`to_table`].
#[inline(always)]
pub const fn from_table(score: Score, ply: usize) -> Score {
    if score >= MATE_BOUND {
        score - ply as Score
    } else if score <= -MATE_BOUND {
        score + ply as Score
    } else {
        score
    }
}

/// A score that is not a proved mate.
#[inline(always)]
pub fn unproved(score: Score) -> Score {
    if score.abs() < MATE_BOUND { score } else { UNPROVED * score.signum() }
}

/// Whether the side is being mated, proved or not.
#[inline(always)]
pub fn is_lost(score: Score) -> bool {
    score <= -UNPROVED
}

/// What `score` prints: the mover's own actions to mate, or centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Centipawns.
    Centipawns(i32),
    /// Actions of the mover to mate; negative when being mated, 0 when it is over.
    Mate(i32),
}

/// How a score is shown.
pub fn shown(score: Score) -> Shown {
    if score >= MATE_BOUND {
        Shown::Mate((MATE - score + 1) / 2)
    } else if score <= -MATE_BOUND {
        Shown::Mate(-((MATE + score) / 2))
    } else {
        Shown::Centipawns(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_the_movers_own_actions() {
        assert_eq!(shown(MATE - 1), Shown::Mate(1));
        assert_eq!(shown(MATE - 3), Shown::Mate(2));
        assert_eq!(shown(mated_in(2)), Shown::Mate(-1));
        assert_eq!(shown(mated_in(4)), Shown::Mate(-2));
        assert_eq!(shown(mated_in(0)), Shown::Mate(0));
        assert_eq!(shown(35), Shown::Centipawns(35));
    }

    #[test]
    fn the_table_keeps_distances_from_the_node() {
        for score in [MATE - 7, mated_in(8), 12, -300] {
            assert_eq!(from_table(to_table(score, 5), 5), score);
        }
    }
}
