//! The sequential test: from complete pairs, whether to go on, and which hypothesis holds.
//!
//! The generalized sequential probability ratio test on pentanomial results, as fastchess does it
//! (`matchmaking/sprt/sprt.cpp`). The sources are Michel Van den Bergh, *Comparing the
//! approximations for the generalized log likelihood ratio of a multinomial distribution*
//! (<https://www.cantate.be/Fishtest/comparing_approximations.pdf>), Proposition 1.1, for logistic
//! Elo, and *Comments on normalized Elo*
//! (<https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>), Section 4.1, for normalized
//! Elo. Pure arithmetic; knows neither engines nor games.

use super::statistics::{PAIR_SCORES, elo_to_score, moments};

/// In which unit the hypotheses are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Normalized Elo: the difference in deviations of a game.
    Normalized,
    /// Ordinary, logistic Elo.
    Logistic,
}

/// What the test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Too early to tell.
    Open,
    /// The difference is `elo0` rather than `elo1`.
    AcceptsH0,
    /// The difference is `elo1` rather than `elo0`.
    AcceptsH1,
}

/// The hypotheses, and how often the test may be wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

impl Sprt {
    /// A test of "the difference is `elo0`" against "it is `elo1`". `alpha` is the chance of
    /// accepting `elo1` where `elo0` is true, `beta` the reverse.
    ///
    /// # Errors
    /// Which of the figures makes no sense.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Sprt, String> {
        let is_chance = |chance: f64| chance > 0.0 && chance < 1.0;
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            Err("elo0 must be less than elo1".to_owned())
        } else if !(is_chance(alpha) && is_chance(beta) && alpha + beta < 1.0) {
            Err("alpha and beta must be above 0, and below 1 together".to_owned())
        } else {
            Ok(Sprt { elo0, elo1, alpha, beta, model })
        }
    }

    /// The log-likelihood ratios at which `elo0` and `elo1` are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of complete pairs, counted by their points from 0 to 2 in halves.
    pub fn ratio(&self, pairs: &[u32; 5]) -> f64 {
        // Without pairs the regularisation would be all there is.
        if pairs.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let counts = pairs.map(|count| if count == 0 { 1e-3 } else { f64::from(count) });
        let total: f64 = counts.iter().sum();
        let found = counts.map(|count| count / total);
        let [under0, under1] = [self.elo0, self.elo1].map(|elo| match self.model {
            Model::Logistic => likeliest_with_mean(&found, elo_to_score(elo)),
            Model::Normalized => {
                let t = std::f64::consts::SQRT_2 * elo / (800.0 / std::f64::consts::LN_10);
                likeliest_with_t(&found, t)
            }
        });
        let logs = under0.iter().zip(&under1).map(|(p0, p1)| p1.ln() - p0.ln());
        total * logs.zip(&found).map(|(log, weight)| log * weight).sum::<f64>()
    }

    /// What complete pairs say.
    pub fn verdict(&self, pairs: &[u32; 5]) -> Verdict {
        let (lower, upper) = self.bounds();
        match self.ratio(pairs) {
            ratio if ratio >= upper => Verdict::AcceptsH1,
            ratio if ratio <= lower => Verdict::AcceptsH0,
            _ => Verdict::Open,
        }
    }

    /// The state of the test in one line.
    pub fn describe(&self, pairs: &[u32; 5]) -> String {
        let (lower, upper) = self.bounds();
        let verdict = match self.verdict(pairs) {
            Verdict::Open => "open",
            Verdict::AcceptsH0 => "H0 accepted",
            Verdict::AcceptsH1 => "H1 accepted",
        };
        let model = match self.model {
            Model::Normalized => "normalized",
            Model::Logistic => "logistic",
        };
        format!(
            "SPRT: LLR {:.2} ({lower:.2}, {upper:.2}) [{:.2}, {:.2}] {model}, {verdict}",
            self.ratio(pairs),
            self.elo0,
            self.elo1
        )
    }
}

/// The root of `Σ found·value / (1 + x·value)`, which falls from +∞ to -∞ between the poles next
/// to 0.
fn solve(found: &[f64; 5], values: &[f64; 5]) -> f64 {
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let x = f64::midpoint(low, high);
        let terms =
            found.iter().zip(values).map(|(weight, value)| weight * value / (1.0 + x * value));
        if terms.sum::<f64>() > 0.0 {
            low = x;
        } else {
            high = x;
        }
    }
    f64::midpoint(low, high)
}

/// The distribution that makes what was found likeliest among those that fulfil
/// `Σ p·value = 0`.
fn tilt(found: &[f64; 5], values: &[f64; 5]) -> [f64; 5] {
    let theta = solve(found, values);
    let mut tilted = *found;
    for (weight, value) in tilted.iter_mut().zip(values) {
        *weight /= 1.0 + theta * value;
    }
    tilted
}

/// The likeliest distribution whose mean is `mean`.
fn likeliest_with_mean(found: &[f64; 5], mean: f64) -> [f64; 5] {
    tilt(found, &PAIR_SCORES.map(|score| score - mean))
}

/// The likeliest distribution whose mean is off 1/2 by `t` standard deviations: by iteration from
/// the uniform one.
fn likeliest_with_t(found: &[f64; 5], t: f64) -> [f64; 5] {
    let mut p = [0.2; 5];
    for _ in 0..50 {
        let (mean, variance) = moments(&PAIR_SCORES, &p);
        let deviation = variance.sqrt();
        let values = PAIR_SCORES.map(|score| {
            let z = (score - mean) / deviation;
            score - 0.5 - 0.5 * t * deviation * (1.0 + z * z)
        });
        let next = tilt(found, &values);
        let change = p.iter().zip(&next).map(|(old, new)| (old - new).abs()).fold(0.0, f64::max);
        p = next;
        if change < 1e-9 {
            break;
        }
    }
    p
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(elo0: f64, elo1: f64, model: Model, pairs: [u32; 5]) -> f64 {
        Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap().ratio(&pairs)
    }

    fn near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} is not near {expected}");
    }

    /// The values of fastchess's own tests (`app/tests/sprt_test.cpp` at 74deac2).
    #[test]
    fn ratios_agree_with_the_published_values() {
        let normalized = Model::Normalized;
        near(ratio(0.0, 2.0, normalized, [365, 16618, 36229, 16974, 390]), 2.25, 0.006);
        near(ratio(-1.75, 0.25, normalized, [127, 4883, 10712, 5150, 104]), 3.01, 0.006);
        near(ratio(0.0, 5.0, normalized, [0, 0, 0, 0, 5550]), 111.82, 0.6);
        let logistic = Model::Logistic;
        near(ratio(0.5, 2.5, logistic, [223, 9863, 21279, 10037, 246]), -3.07, 0.006);
        near(ratio(0.0, 2.0, logistic, [871, 26175, 55983, 26678, 821]), -4.98, 0.006);
    }

    /// Against an independent calculation: the likelihoods maximised by Newton's method on the
    /// conditions of Lagrange, in 30 digits (mpmath).
    #[test]
    fn ratios_agree_with_an_independent_calculation() {
        let cases = [
            (
                [3, 10, 25, 17, 5],
                [0.537_932_437_1, 0.398_184_128, 0.630_879_507_1, 0.447_123_813_8],
            ),
            ([12, 40, 90, 61, 17], [1.431_782_346, 1.081_528_21, 1.783_631_503, 1.262_113_031]),
            (
                [40, 130, 260, 120, 30],
                [-2.933_456_129, -1.757_903_752, -1.891_001_081, -1.278_242_941],
            ),
        ];
        for (pairs, expected) in cases {
            let found = [(0.0, 10.0), (-5.0, 5.0)].map(|(elo0, elo1)| {
                [Model::Logistic, Model::Normalized].map(|model| ratio(elo0, elo1, model, pairs))
            });
            for (value, expected) in found.as_flattened().iter().zip(expected) {
                near(*value, expected, 1e-7);
            }
        }
    }

    #[test]
    fn the_test_is_symmetric_and_ends() {
        let sprt = Sprt::new(-5.0, 5.0, 0.05, 0.05, Model::Logistic).unwrap();
        let (lower, upper) = sprt.bounds();
        near(upper, 2.944_438_979_166_44, 1e-12);
        near(lower, -upper, 1e-12);
        near(sprt.ratio(&[5, 9, 20, 9, 5]), 0.0, 1e-9);
        near(sprt.ratio(&[5, 9, 20, 12, 7]), -sprt.ratio(&[7, 12, 20, 9, 5]), 1e-9);
        assert_eq!(sprt.verdict(&[0; 5]), Verdict::Open);
        assert_eq!(sprt.verdict(&[0, 200, 400, 500, 100]), Verdict::AcceptsH1);
        assert_eq!(sprt.verdict(&[100, 500, 400, 200, 0]), Verdict::AcceptsH0);
    }

    #[test]
    fn senseless_tests_are_refused() {
        for (elo0, elo1, alpha, beta) in
            [(5.0, 0.0, 0.05, 0.05), (0.0, 5.0, 0.0, 0.05), (0.0, 5.0, 0.6, 0.5)]
        {
            assert!(Sprt::new(elo0, elo1, alpha, beta, Model::Logistic).is_err());
        }
    }
}
