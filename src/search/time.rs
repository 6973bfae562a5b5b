//! When a search has to end.

use std::time::{Duration, Instant};

use super::score::Score;
use crate::actions::Action;

/// The clocks and bounds that `go` gave; all that are given apply, the first reached stops.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Milliseconds left for the side to move; may be zero or below.
    pub clock: Option<i64>,
    /// Milliseconds gained with each action.
    pub increment: i64,
    /// Actions until the next time control.
    pub moves_to_go: Option<i64>,
    /// Milliseconds for this action.
    pub move_time: Option<i64>,
    /// Depth to search to.
    pub depth: Option<i64>,
    /// Nodes to search.
    pub nodes: Option<i64>,
    /// A mate in so many actions ends the search.
    pub mate: Option<i64>,
    /// No answer before `stop`.
    pub infinite: bool,
    /// The opponent's time runs until `ponderhit`.
    pub ponder: bool,
}

/// How long to search: after `soft`, longer or shorter by [`Steadiness::share`], no new iteration
/// begins; at `hard` everything stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// From the start of the clock.
    pub soft: Duration,
    /// From the start of the clock.
    pub hard: Duration,
}

/// The share of time that each board to be played beyond the first adds.
const MORE_FOR_A_BOARD: f64 = 0.15;

impl Budget {
    /// The budget for the limits, if they bound the time at all. `overhead` milliseconds are kept
    /// back. An action on many boards deserves more time: `boards` have to be played.
    pub fn new(limits: &Limits, overhead: u64, boards: usize) -> Option<Budget> {
        let kept = |time: i64| time.max(0).unsigned_abs().saturating_sub(overhead).max(1);
        let fixed = limits.move_time.map(|time| {
            let hard = Duration::from_millis(kept(time));
            Budget { soft: hard, hard }
        });
        let clocked = limits.clock.map(|clock| {
            let left = kept(clock) as f64;
            let increment = limits.increment.max(0) as f64;
            let actions = limits.moves_to_go.filter(|&n| n > 0).map_or(32.0, |n| n.min(50) as f64);
            let share = left / actions + increment * 0.8;
            let share = share * (1.0 + MORE_FOR_A_BOARD * boards.saturating_sub(1).min(4) as f64);
            let soft = (share * 0.7).min(left * 0.5);
            let hard = (share * 2.5).min(left * 0.6);
            let duration = |milliseconds: f64| Duration::from_secs_f64(milliseconds.max(1.0) / 1e3);
            Budget { soft: duration(soft), hard: duration(hard) }
        });
        match (fixed, clocked) {
            (Some(a), Some(b)) => {
                Some(Budget { soft: a.soft.min(b.soft), hard: a.hard.min(b.hard) })
            }
            (a, b) => a.or(b),
        }
    }
}

/// A running clock.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// When `go` was read.
    pub start: Instant,
    /// How long to search, if that is bounded.
    pub budget: Option<Budget>,
}

impl Clock {
    /// When everything stops.
    pub fn deadline(&self) -> Option<Instant> {
        self.budget.and_then(|budget| self.start.checked_add(budget.hard))
    }

    /// When a part of the time that is usually taken is over.
    pub fn part(&self, part: f64) -> Option<Instant> {
        self.budget.and_then(|budget| self.start.checked_add(budget.soft.mul_f64(part)))
    }

    /// Whether it is too late for another iteration, where this search deserves `share` of the
    /// usual time. A budget that was given as a whole is used up.
    pub fn is_late(&self, share: f64) -> bool {
        self.budget.is_some_and(|budget| {
            let fixed = budget.soft == budget.hard;
            let soft = if fixed { budget.hard } else { budget.soft.mul_f64(share) };
            self.start.elapsed() >= soft.min(budget.hard)
        })
    }
}

/// How settled a search is: a best action that stays the same needs less time, one that has just
/// changed, or lost some of its score, more.
#[derive(Clone, Debug, Default)]
pub struct Steadiness {
    best: Option<Action>,
    score: Score,
    /// Depths for which the best action has been the same.
    depths: u32,
    has_dropped: bool,
}

/// A loss of score from one depth to the next that asks for more time, in centipawns.
const DROP: Score = 40;

impl Steadiness {
    /// Hears what a depth has found.
    pub fn hear(&mut self, best: Option<&Action>, score: Score) {
        let same = self.best.as_ref() == best;
        self.depths = if same { self.depths + 1 } else { 0 };
        self.has_dropped = self.best.is_some() && score < self.score - DROP;
        self.best = best.cloned();
        self.score = score;
    }

    /// The share of the usual time that the next depth deserves.
    pub fn share(&self) -> f64 {
        let settled = match self.depths {
            0 => 1.5,
            1 => 1.15,
            2 => 1.0,
            3 => 0.85,
            _ => 0.7,
        };
        if self.has_dropped { settled * 1.4 } else { settled }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_never_pass_the_clock() {
        for clock in [i64::MIN, -5, 0, 1, 10, 50, 1000, 600_000, i64::MAX] {
            for increment in [-10, 0, 10, 5000] {
                for moves_to_go in [None, Some(-1), Some(0), Some(1), Some(40)] {
                    let clock_ = Some(clock);
                    let limits =
                        Limits { clock: clock_, increment, moves_to_go, ..Limits::default() };
                    let budget = Budget::new(&limits, 15, 3).unwrap();
                    let left = Duration::from_millis(clock.max(1).unsigned_abs());
                    assert!(budget.soft <= budget.hard && budget.hard <= left, "{limits:?}");
                }
            }
        }
        assert_eq!(Budget::new(&Limits::default(), 15, 1), None);
    }

    #[test]
    fn every_limit_applies() {
        let limits = Limits { clock: Some(600_000), move_time: Some(100), ..Limits::default() };
        let budget = Budget::new(&limits, 15, 3).unwrap();
        assert_eq!(budget.hard, Duration::from_millis(85));
    }
}
