//! What results say about strength: pairs, Elo with its error, likelihood of superiority.
//!
//! Pure arithmetic; knows neither engines nor games. Formulas and their names are those of
//! fastchess (`matchmaking/elo`), so that figures can be compared.

/// The 97.5 % quantile of the normal distribution: half the width of a 95 % interval.
const Z95: f64 = 1.959_963_984_540_054;

/// Points in half points that a pair of games can bring, as shares of the pair.
pub const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Points of a game, as shares.
const GAME_SCORES: [f64; 3] = [0.0, 0.5, 1.0];

/// Results of one side against another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Complete pairs by their points: 0, 1/2, 1, 3/2 and 2. Games of pairs that are not complete
    /// are in none.
    pub pairs: [u32; 5],
}

/// A figure and half the width of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// To be added and taken away; not a number where there is too little to tell.
    pub error: f64,
}

impl std::fmt::Display for Estimate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // There is a zero below zero, too.
        let value = self.value + 0.0;
        if self.error.is_finite() {
            write!(f, "{value:.1} +/- {:.1}", self.error)
        } else if self.value.is_finite() {
            write!(f, "{value:.1} +/- ?")
        } else {
            f.write_str(if self.value > 0.0 { "+inf" } else { "-inf" })
        }
    }
}

/// The mean and the variance of values under weights that add up to 1.
pub fn moments<const N: usize>(values: &[f64; N], weights: &[f64; N]) -> (f64, f64) {
    let mean: f64 = values.iter().zip(weights).map(|(value, weight)| value * weight).sum();
    let square = |value: f64| (value - mean) * (value - mean);
    let variance = values.iter().zip(weights).map(|(&value, weight)| square(value) * weight).sum();
    (mean, variance)
}

/// The expected score of a logistic difference in Elo.
pub fn elo_to_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The logistic difference in Elo of a score; infinite at 0 and 1.
pub fn score_to_elo(score: f64) -> f64 {
    match score {
        score if score <= 0.0 => f64::NEG_INFINITY,
        score if score >= 1.0 => f64::INFINITY,
        score => -400.0 * (1.0 / score - 1.0).log10(),
    }
}

/// The complementary error function, by Chebyshev fitting (Numerical Recipes, `erfcc`): exact to
/// 1.2e-7 of its value.
fn erfc(x: f64) -> f64 {
    const C: [f64; 10] = [
        -1.265_512_23,
        1.000_023_68,
        0.374_091_96,
        0.096_784_18,
        -0.186_288_06,
        0.278_868_07,
        -1.135_203_98,
        1.488_515_87,
        -0.822_152_23,
        0.170_872_77,
    ];
    let t = 1.0 / (1.0 + 0.5 * x.abs());
    let sum = C.iter().rev().fold(0.0, |sum, c| sum * t + c);
    let value = t * (sum - x * x).exp();
    if x >= 0.0 { value } else { 2.0 - value }
}

impl Tally {
    /// Games counted.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Complete pairs counted.
    pub fn pair_count(&self) -> u32 {
        self.pairs.iter().sum()
    }

    /// Points, a draw being half of one.
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + 0.5 * f64::from(self.draws)
    }

    /// The same from the other side.
    pub fn reversed(&self) -> Tally {
        let mut pairs = self.pairs;
        pairs.reverse();
        Tally { wins: self.losses, draws: self.draws, losses: self.wins, pairs }
    }

    /// Counts a game by its half points: 0, 1 or 2.
    pub fn add_game(&mut self, half_points: u32) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Counts a complete pair by its half points: 0 to 4.
    pub fn add_pair(&mut self, half_points: u32) {
        if let Some(count) = self.pairs.get_mut(half_points as usize) {
            *count += 1;
        }
    }

    /// Mean, variance and number of independent trials: the complete pairs if there are any, the
    /// single games otherwise. Third, how many games make a trial.
    fn trials(&self) -> Option<(f64, f64, f64, f64)> {
        let weights = |count: u32, total: u32| f64::from(count) / f64::from(total);
        let pairs = self.pair_count();
        if pairs > 0 {
            let (mean, variance) =
                moments(&PAIR_SCORES, &self.pairs.map(|count| weights(count, pairs)));
            return Some((mean, variance, f64::from(pairs), 2.0));
        }
        let games = self.games();
        let counts = [self.losses, self.draws, self.wins];
        (games > 0).then(|| {
            let (mean, variance) =
                moments(&GAME_SCORES, &counts.map(|count| weights(count, games)));
            (mean, variance, f64::from(games), 1.0)
        })
    }

    /// The logistic Elo difference; `None` without games.
    pub fn elo(&self) -> Option<Estimate> {
        let (mean, variance, trials, _) = self.trials()?;
        let width = Z95 * (variance / trials).sqrt();
        let error = (score_to_elo(mean + width) - score_to_elo(mean - width)) / 2.0;
        let error = if trials < 2.0 || variance == 0.0 { f64::NAN } else { error };
        Some(Estimate { value: score_to_elo(mean), error })
    }

    /// The normalized Elo difference: by how many deviations of a game the score is off even.
    pub fn normalized_elo(&self) -> Option<Estimate> {
        let (mean, variance, trials, games) = self.trials()?;
        if variance == 0.0 {
            let value = if mean == 0.5 { 0.0 } else { (mean - 0.5) * f64::INFINITY };
            return Some(Estimate { value, error: f64::NAN });
        }
        let scale = 800.0 / std::f64::consts::LN_10 / (games * variance).sqrt();
        let width = Z95 * (variance / trials).sqrt();
        Some(Estimate { value: (mean - 0.5) * scale, error: width * scale })
    }

    /// The likelihood of superiority: how sure it is that this side is the stronger one, from 0
    /// to 1; `None` without games.
    pub fn superiority(&self) -> Option<f64> {
        let (mean, variance, trials, _) = self.trials()?;
        let deviation = (variance / trials).sqrt();
        if deviation == 0.0 {
            return Some(if mean > 0.5 {
                1.0
            } else if mean < 0.5 {
                0.0
            } else {
                0.5
            });
        }
        Some(erfc(-(mean - 0.5) / (std::f64::consts::SQRT_2 * deviation)) / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs as fastchess's tests list them.
    fn pairs(pairs: [u32; 5]) -> Tally {
        Tally { pairs, ..Tally::default() }
    }

    fn near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} is not near {expected}");
    }

    /// The values of fastchess's own tests (`app/tests/elo_test.cpp` at 74deac2).
    #[test]
    fn pairs_agree_with_the_published_values() {
        let first = pairs([34, 54, 63, 64, 75]);
        near(first.normalized_elo().unwrap().value, 57.94, 0.006);
        near(first.normalized_elo().unwrap().error, 28.28, 0.006);
        near(first.elo().unwrap().value, 55.58, 0.006);
        near(first.elo().unwrap().error, 27.65, 0.006);
        let second = pairs([332, 433, 498, 333, 334]);
        near(second.elo().unwrap().value, -8.64, 0.006);
        near(second.elo().unwrap().error, 10.33, 0.006);
        near(second.superiority().unwrap(), 0.0505, 0.00006);
        let third = pairs([7895, 8757, 5685, 568, 9999]);
        near(third.normalized_elo().unwrap().value, -19.01, 0.006);
        near(third.elo().unwrap().error, 2.95, 0.006);
    }

    #[test]
    fn games_agree_with_the_published_values() {
        let games = |wins, losses, draws| Tally { wins, losses, draws, ..Tally::default() };
        let first = games(76, 89, 123);
        near(first.normalized_elo().unwrap().value, -20.76, 0.006);
        near(first.normalized_elo().unwrap().error, 40.13, 0.006);
        near(first.superiority().unwrap(), 0.1553, 0.00006);
        let second = games(136, 96, 111);
        near(second.elo().unwrap().value, 40.70, 0.006);
        near(second.elo().unwrap().error, 30.43, 0.006);
        near(second.superiority().unwrap(), 0.9960, 0.00006);
        near(games(34, 356, 0).normalized_elo().unwrap().value, -508.44, 0.006);
    }

    #[test]
    fn little_says_little() {
        assert_eq!(Tally::default().elo(), None);
        assert_eq!(Tally::default().superiority(), None);
        let mut tally = Tally::default();
        tally.add_game(2);
        tally.add_game(2);
        tally.add_pair(4);
        assert_eq!(tally.elo().unwrap().to_string(), "+inf");
        assert_eq!(tally.reversed().elo().unwrap().to_string(), "-inf");
        assert_eq!(tally.superiority(), Some(1.0));
        assert_eq!((tally.points(), tally.reversed().points()), (2.0, 0.0));
        let even = pairs([0, 0, 1, 0, 0]);
        assert_eq!(even.elo().unwrap().to_string(), "0.0 +/- ?");
        assert_eq!(even.superiority(), Some(0.5));
    }

    #[test]
    fn elo_and_score_are_inverse() {
        for elo in [-700.0, -3.0, 0.0, 12.5, 400.0] {
            near(score_to_elo(elo_to_score(elo)), elo, 1e-9);
        }
        near(elo_to_score(400.0), 10.0 / 11.0, 1e-12);
        near(erfc(0.0), 1.0, 2e-7);
        near(erfc(-1.0), 1.842_700_792_949_715, 4e-7);
    }
}
