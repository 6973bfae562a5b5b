//! `lightcone spsa`: tunes the parameters of the search by games.
//!
//! Simultaneous perturbation stochastic approximation (Spall): in each iteration every parameter
//! is moved at once, by chance up or down; the engine so moved plays one moved the other way, and
//! all parameters follow the better one by a little. Gains fall as Spall advises, and are given by
//! where they end, as in other testing frameworks for chess. [`journal`] keeps what was done,
//! [`command`] plays.

mod command;
mod journal;

pub use command::main;

use crate::tournament::openings::Chance;

/// How fast steps become smaller.
const ALPHA: f64 = 0.602;
/// How fast what is tried becomes narrower.
const GAMMA: f64 = 0.101;
/// Iterations by which the first steps are delayed, as a share of all.
const STABILITY: f64 = 0.1;

/// What is tuned.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Where it stands. Games are played with whole numbers.
    pub value: f64,
    /// The least it may be.
    pub least: i32,
    /// The most.
    pub most: i32,
    /// How far from the value is tried in the last iteration.
    pub step: f64,
}

/// How a run goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gains {
    /// How many iterations it has.
    pub iterations: u32,
    /// How much of its step a variable moves for each game that is won more than lost, in the last
    /// iteration; more before.
    pub rate: f64,
}

impl Gains {
    /// What a step is multiplied with to be tried in an iteration, from 1.
    fn reach(self, iteration: u32) -> f64 {
        (f64::from(self.iterations) / f64::from(iteration.max(1))).powf(GAMMA)
    }

    /// What a step is multiplied with to be taken for a game won.
    fn stride(self, iteration: u32) -> f64 {
        let delay = STABILITY * f64::from(self.iterations);
        let from_end = (delay + f64::from(self.iterations)) / (delay + f64::from(iteration));
        self.rate * from_end.powf(ALPHA) / self.reach(iteration)
    }
}

/// What is tried in an iteration: a direction, and the values on either side.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// 1 for up or -1 for down, for each variable.
    signs: Vec<f64>,
    /// The values in that direction.
    pub plus: Vec<i32>,
    /// Those in the other.
    pub minus: Vec<i32>,
}

/// A whole number near a value, by chance above or below, so that it is the value on average.
fn whole(value: f64, variable: &Variable, chance: &mut Chance) -> i32 {
    const PARTS: u64 = 1 << 32;
    let part = chance.below(PARTS) as f64 / PARTS as f64;
    ((value + part).floor() as i32).clamp(variable.least, variable.most)
}

/// What an iteration, from 1, tries. It depends on nothing but what is given.
pub fn trial(variables: &[Variable], gains: Gains, iteration: u32, seed: u64) -> Trial {
    let mut chance = Chance::new(seed, iteration.into(), u64::MAX);
    let (mut signs, mut plus, mut minus) = (Vec::new(), Vec::new(), Vec::new());
    for variable in variables {
        let sign = if chance.below(2) == 0 { 1.0 } else { -1.0 };
        let reach = sign * variable.step * gains.reach(iteration);
        signs.push(sign);
        plus.push(whole(variable.value + reach, variable, &mut chance));
        minus.push(whole(variable.value - reach, variable, &mut chance));
    }
    Trial { signs, plus, minus }
}

/// Moves the variables by what the games of a trial say: those that plus has won, less those that
/// it has lost.
pub fn learn(
    variables: &mut [Variable],
    gains: Gains,
    iteration: u32,
    trial: &Trial,
    balance: i32,
) {
    let stride = gains.stride(iteration) * f64::from(balance);
    for (variable, sign) in variables.iter_mut().zip(&trial.signs) {
        let value = variable.value + stride * variable.step * sign;
        variable.value = value.clamp(variable.least.into(), variable.most.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(name: &str, value: f64, step: f64) -> Variable {
        Variable { name: name.to_owned(), value, least: 0, most: 400, step }
    }

    #[test]
    fn noisy_games_lead_to_the_strongest_values() {
        let mut variables = [
            variable("far", 100.0, 15.0),
            variable("near", 205.0, 15.0),
            variable("flat", 50.0, 5.0),
        ];
        // Best at 200 and 200; the third is of no use.
        let strength = |values: &[i32]| -> f64 {
            values.iter().take(2).map(|value| -f64::from(value - 200).powi(2) / 40.0).sum()
        };
        let gains = Gains { iterations: 1500, rate: 0.02 };
        let mut chance = Chance::new(5, 0, 0);
        for iteration in 1..=gains.iterations {
            let trial = trial(&variables, gains, iteration, 9);
            let elo = strength(&trial.plus) - strength(&trial.minus);
            let wins = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
            let balance =
                (0..8).map(|_| if (chance.below(1000) as f64) < 1000.0 * wins { 1 } else { -1 });
            learn(&mut variables, gains, iteration, &trial, balance.sum());
        }
        let [far, near, _] = variables.map(|variable| variable.value);
        assert!((far - 200.0).abs() < 15.0 && (near - 200.0).abs() < 15.0, "{far} {near}");
    }

    #[test]
    fn whole_numbers_are_tried_within_the_range() {
        let gains = Gains { iterations: 100, rate: 0.1 };
        let mut variables = [variable("low", 1.0, 3.0), variable("half", 7.5, 1e-9)];
        let mut sums = [0; 2];
        for iteration in 1..=100 {
            let trial = trial(&variables, gains, iteration, 1);
            assert_eq!(trial, super::trial(&variables, gains, iteration, 1));
            assert!(trial.plus.iter().chain(&trial.minus).all(|value| (0..=9).contains(value)));
            sums[0] += trial.plus[1];
            sums[1] += trial.minus[1];
        }
        assert!(sums.iter().all(|sum| (720..780).contains(sum)), "{sums:?}");
        let first = trial(&variables, gains, 1, 1);
        learn(&mut variables, gains, 1, &first, 1_000_000);
        assert!([0.0, 400.0].contains(&variables[0].value), "{variables:?}");
    }
}
