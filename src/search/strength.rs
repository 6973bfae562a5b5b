//! Playing worse than possible, as an opponent for people: fewer nodes, scores seen through a
//! fog, and now and then an action without any thought. What is played is always legal.

use super::table::Bound;
use super::{Line, Settings};
use crate::actions::Action;
use crate::board::mix;

/// The highest level: as strong as can be.
pub const FULL_LEVEL: u32 = 20;

/// The rating of every fifth level, from 0 to [`FULL_LEVEL`], on a scale on which a player that plays
/// any legal action has 500; measured by games, see `tuning/log.md`.
pub const ELO_OF_LEVEL: [i64; 5] = [620, 860, 1160, 1440, 1700];

/// Lines that are weighed against each other.
pub(super) const LINES: usize = 6;

/// A strength below the full one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// From 0 to 20; parts of a level count.
    level: f64,
    /// Where chance comes from.
    seed: u64,
}

impl Strength {
    /// A level, `None` for the full strength or more.
    pub fn of_level(level: f64, seed: u64) -> Option<Strength> {
        (level < f64::from(FULL_LEVEL)).then_some(Strength { level: level.max(0.0), seed })
    }

    /// The level that has a rating, by what lies between those that were measured.
    pub fn of_elo(elo: i64, seed: u64) -> Option<Strength> {
        let above = ELO_OF_LEVEL.iter().position(|&other| other > elo)?;
        let Some(below) = above.checked_sub(1) else { return Strength::of_level(0.0, seed) };
        let (low, high) = (ELO_OF_LEVEL[below] as f64, ELO_OF_LEVEL[above] as f64);
        Strength::of_level(5.0 * (below as f64 + (elo as f64 - low) / (high - low)), seed)
    }

    /// How much is missing to full strength, from 1 to 0.
    fn missing(self) -> f64 {
        1.0 - self.level / f64::from(FULL_LEVEL)
    }

    /// Nodes that are searched: from 20 on, half as many again with each level.
    fn nodes(self) -> i64 {
        (20.0 * 1.5f64.powf(self.level)) as i64
    }

    /// The chance of an action without any thought.
    fn blunders(self) -> f64 {
        0.5 * self.missing().powi(3)
    }

    /// The depth of the fog, in centipawns.
    fn fog(self) -> f64 {
        300.0 * self.missing().powf(1.5)
    }

    /// The settings of a search at this strength.
    pub(super) fn apply(self, settings: &Settings) -> Settings {
        let mut weaker = settings.clone();
        let nodes = weaker.limits.nodes.unwrap_or(i64::MAX);
        weaker.limits.nodes = Some(nodes.min(self.nodes()));
        weaker.threads = 1;
        weaker
    }

    /// A number from 0 to 1, another one for each `index`.
    fn chance(self, index: u64) -> f64 {
        let number = mix(self.seed ^ mix(index.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        (number >> 11) as f64 / (1u64 << 53) as f64
    }

    /// The line to play: the one that looks best through the fog, or any action at all.
    pub(super) fn choose(self, lines: &[Line], actions: &[Action]) -> Option<Line> {
        if self.chance(0) < self.blunders() {
            let index = (self.chance(1) * actions.len() as f64) as usize;
            let action = actions.get(index)?;
            let known = lines.iter().find(|line| line.actions.first() == Some(action));
            // Of an action that was not searched nothing better is known than the last line.
            let score = known.or(lines.last()).map_or(0, |line| line.score);
            return Some(Line { score, bound: Bound::Upper, actions: vec![action.clone()] });
        }
        // The sum of two chances is nearly never far from the middle.
        let seen = |(index, line): (usize, &Line)| {
            let number = 2 + 2 * index as u64;
            let drift = self.chance(number) + self.chance(number + 1) - 1.0;
            f64::from(line.score) + 2.0 * drift * self.fog()
        };
        let best = lines.iter().enumerate().max_by(|&a, &b| seen(a).total_cmp(&seen(b)));
        best.map(|(_, line)| line.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_grow_with_levels() {
        assert!(ELO_OF_LEVEL.is_sorted());
        let level = |elo| Strength::of_elo(elo, 0).map(|strength| strength.level);
        assert_eq!(level(ELO_OF_LEVEL[0] - 1), Some(0.0));
        assert_eq!(level(ELO_OF_LEVEL[2]), Some(10.0));
        assert_eq!(level(ELO_OF_LEVEL[4]), None);
    }

    #[test]
    fn chances_lie_between_nothing_and_certainty() {
        let strength = Strength { level: 3.0, seed: 5 };
        assert!((0..1000).all(|index| (0.0..1.0).contains(&strength.chance(index))));
    }
}
