//! The values of a space by falling score, and how those that are alike are set apart first.
//!
//! A stream takes the sums of scores as they are. With many boards to play, the best capture on
//! one board would so be tried beside every quiet move of another before the next capture is. That
//! is why a chooser may have like values of a board set apart by their rank.

use std::ops::Range;

use super::chooser::Chooser;
use super::space::{Kind, Space};

/// What stands where the values of a space stand: the same values, by falling score.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranking {
    by_score: Vec<usize>,
    /// What they are sorted by; equal scores stay in the order of their values.
    keys: Vec<i64>,
}

impl Ranking {
    /// The values of an axis by falling score.
    #[inline(always)]
    pub fn of(&self, values: Range<usize>) -> &[usize] {
        &self.by_score[values]
    }

    /// Ranks one more axis.
    fn add(&mut self, space: &Space, values: Range<usize>) {
        self.keys.clear();
        let key = |value: usize| (-i64::from(space.values[value].score) << 32) + value as i64;
        self.keys.extend(values.map(key));
        self.keys.sort_unstable();
        self.by_score.extend(self.keys.iter().map(|&key| key as u32 as usize));
    }
}

/// A factor times the binary logarithm of a count from 1 on, straight between powers of two.
fn times_log2(factor: i32, count: i32) -> i32 {
    let whole = count.ilog2();
    let rest = (i64::from(factor) * i64::from(count - (1 << whole))) >> whole;
    factor * whole as i32 + rest as i32
}

impl Space {
    /// Fills [`Space::ranking`], once all values are there.
    pub fn rank(&mut self, chooser: &impl Chooser) {
        let mut ranking = std::mem::take(&mut self.ranking);
        ranking.by_score.clear();
        for axis in 0..self.axes.len() {
            let values = self.axes[axis].values.clone();
            if values.start < ranking.by_score.len() {
                // Axes to be opened share theirs.
                continue;
            }
            ranking.add(self, values.clone());
            if axis < self.playable && self.set_apart(ranking.of(values.clone()), chooser) {
                ranking.by_score.truncate(values.start);
                ranking.add(self, values);
            }
        }
        self.ranking = ranking;
    }

    /// Sets ranked values of an axis apart ([`Chooser::spread`]). Returns whether any score may
    /// have changed.
    fn set_apart(&mut self, ranked: &[usize], chooser: &impl Chooser) -> bool {
        // Moves along the board, jumps.
        let mut counts = [1; 2];
        for &value in ranked {
            let value = &mut self.values[value];
            let jump = match value.kind {
                Kind::Physical(_) => false,
                Kind::Jump(_) => true,
                Kind::Nothing | Kind::From(_) => continue,
            };
            let each = chooser.spread(value.score, jump);
            if each > 0 {
                let count = &mut counts[usize::from(jump)];
                value.score -= times_log2(each, *count);
                *count += 1;
            }
        }
        counts.iter().any(|&count| count > 2)
    }
}

#[cfg(test)]
mod tests {
    use super::times_log2;

    #[test]
    fn logarithms_are_exact_at_powers_of_two_and_rise_between() {
        for (count, expected) in [(1, 0), (2, 100), (3, 150), (4, 200), (6, 250), (8, 300)] {
            assert_eq!(times_log2(100, count), expected, "{count}");
        }
        assert!(
            (1..300).all(|count| times_log2(3_000_000, count) < times_log2(3_000_000, count + 1))
        );
    }
}
