//! The fit on samples whose answer is known.

use std::ops::ControlFlow;

use lightcone::evaluation::{COUNT, UNIT};
use lightcone::tuning::fit::{Exact, Scales, Settings, fit, fit_scales, loss};
use lightcone::tuning::samples::Sample;

/// Chance, the same on every run: a linear congruential generator's upper bits, from 0 to 1.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

const SCALE: f64 = 50.0;

/// The weights that make the samples: some large, some small, of either sign. Only some are
/// different from where the fit begins.
fn truth() -> Exact {
    std::array::from_fn(|weight| ((weight * 7) % 11) as f64 * 40.0 - 200.0)
}

/// Samples whose results are drawn with the chances that the true weights give, and whose scores
/// are the true values. The last weight never counts.
fn samples(games: usize, chance: &mut Chance) -> Vec<Sample> {
    let truth = truth();
    (0..games * 10)
        .map(|number| {
            let counts: [f32; COUNT] = std::array::from_fn(|weight| {
                let counts = weight + 1 < COUNT && chance.next() < 0.3;
                if counts { (chance.next() * 4.0) as f32 - 2.0 } else { 0.0 }
            });
            let sum: f64 = counts.iter().zip(truth).map(|(&c, weight)| f64::from(c) * weight).sum();
            let score = sum / f64::from(UNIT);
            let win = chance.next() < 1.0 / (1.0 + (-score / SCALE).exp());
            let result = if win { 1.0 } else { 0.0 };
            Sample { counts, score: score as f32, result, game: number / 10 }
        })
        .collect()
}

fn settings(lambda: f64) -> Settings {
    Settings { lambda, l2: 0.0, kept: vec![0], least_games: 5, epochs: 300 }
}

fn run(settings: &Settings) -> (Exact, Vec<f64>) {
    let mut chance = Chance(1);
    let (training, held_out) = (samples(1500, &mut chance), samples(200, &mut chance));
    // The fit begins with the kept weight in its place and all others at nothing.
    let mut initial = [0.0; COUNT];
    initial[0] = truth()[0];
    let scales = Scales { value: SCALE, score: SCALE };
    let mut losses = vec![loss(&held_out, &initial, scales, settings)];
    let weights = fit(&training, &held_out, &initial, scales, settings, |epoch| {
        losses.push(epoch.held_out);
        ControlFlow::Continue(())
    });
    losses.push(loss(&held_out, &weights, scales, settings));
    (weights, losses)
}

#[test]
fn scores_give_the_very_weights_that_made_them() {
    let (weights, losses) = run(&settings(1.0));
    for (weight, truth) in weights.iter().zip(truth()).take(COUNT - 1) {
        assert!((weight - truth).abs() < 1.0, "{weight} {truth}");
    }
    assert_eq!(weights[COUNT - 1], 0.0, "what never counts stays where it was");
    let least = losses.iter().copied().fold(f64::INFINITY, f64::min);
    assert_eq!(losses.last(), Some(&least));
}

#[test]
fn results_give_nearly_those_weights() {
    let (weights, losses) = run(&settings(0.0));
    let off = weights.iter().zip(truth()).take(COUNT - 1).map(|(weight, truth)| weight - truth);
    let mean = off.map(f64::abs).sum::<f64>() / COUNT as f64;
    // As results are chance, 15000 of them fix a weight of 100 or so to within twenty.
    assert!(mean < 30.0, "{mean}");
    assert!(losses.last() < losses.first(), "{losses:?}");
    assert_eq!(weights[0], truth()[0], "kept");
}

#[test]
fn a_strong_pull_keeps_weights_where_they_were() {
    let (weights, _) = run(&Settings { l2: 1e12, ..settings(1.0) });
    assert!(weights.iter().skip(1).all(|weight| weight.abs() < 1.0), "{weights:?}");
}

#[test]
fn the_scale_of_values_is_found() {
    let samples = samples(3000, &mut Chance(2));
    let scales = fit_scales(&samples, &truth());
    for scale in [scales.value, scales.score] {
        assert!((scale - SCALE).abs() < 2.5, "{scale}");
    }
}
