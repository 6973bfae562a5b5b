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
/// What a mate that is not proved counts at least, either way: more than any material, far from a
/// proved mate.
pub const UNPROVED: Score = MOST + 50_000;
/// What it counts more than [`UNPROVED`] if it is at once; a ply later counts 1 less.
const UNPROVED_SPAN: Score = 1_000;

const _: () = assert!(UNPROVED + UNPROVED_SPAN < MATE_BOUND);

/// The score of being without a legal action, in check or by exile, `ply` plies from the root.
#[inline(always)]
pub const fn mated_in(ply: usize) -> Score {
    -MATE + ply as Score
}

/// A mate score, proved or not, as seen from a node, for the table, which knows no distance from
/// the root.
#[inline(always)]
pub const fn to_table(score: Score, ply: usize) -> Score {
    if score >= UNPROVED {
        score + ply as Score
    } else if score <= -UNPROVED {
        score - ply as Score
    } else {
        score
    }
}

/// The reverse of [`to_table`].
#[inline(always)]
pub const fn from_table(score: Score, ply: usize) -> Score {
    if score >= UNPROVED {
        score - ply as Score
    } else if score <= -UNPROVED {
        score + ply as Score
    } else {
        score
    }
}

/// A score that is not a proved mate. Of those that are not, too, nearer ones count more.
#[inline(always)]
pub fn unproved(score: Score) -> Score {
    match plies_to_mate(score) {
        Some(plies) if score.abs() >= MATE_BOUND => {
            score.signum() * (UNPROVED + UNPROVED_SPAN - plies.min(UNPROVED_SPAN))
        }
        _ => score,
    }
}

/// The plies from the root to the mate that a score tells of, proved or not; `None` if it tells of
/// none.
#[inline(always)]
pub fn plies_to_mate(score: Score) -> Option<i32> {
    let score = score.abs();
    if score >= MATE_BOUND {
        Some(MATE - score)
    } else {
        (score >= UNPROVED).then_some(UNPROVED + UNPROVED_SPAN - score)
    }
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
        Shown::Mate(-((MATE + score + 1) / 2))
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
        // By an action of one's own that leaves the opponent none, with one's kings in exile.
        assert_eq!(shown(mated_in(1)), Shown::Mate(-1));
        assert_eq!(shown(35), Shown::Centipawns(35));
    }

    #[test]
    fn the_table_keeps_distances_from_the_node() {
        for score in [MATE - 7, mated_in(8), 12, -300, unproved(MATE - 7), unproved(mated_in(8))] {
            assert_eq!(from_table(to_table(score, 5), 5), score);
            assert_eq!(plies_to_mate(to_table(score, 5)), plies_to_mate(score).map(|it| it - 5));
        }
    }

    #[test]
    fn what_is_not_proved_keeps_its_distance() {
        for score in [MATE - 7, mated_in(8)] {
            let weaker = unproved(score);
            assert!(weaker.abs() >= UNPROVED && weaker.abs() < MATE_BOUND);
            assert_eq!(plies_to_mate(weaker), plies_to_mate(score));
            assert_eq!(unproved(weaker), weaker);
        }
        assert!(unproved(mated_in(8)) > unproved(mated_in(6)));
        assert_eq!(unproved(250), 250);
        assert_eq!(plies_to_mate(-250), None);
    }
}
