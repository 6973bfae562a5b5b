//! The weights that explain samples best.
//!
//! The value of a position, divided by a scale, is the logit of White's chance: the loss is the
//! cross-entropy of that chance and a target, a mixture of the result and of the chance that the
//! search's score stands for. It is convex in the weights, so that there is one answer.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::minimise::minimise;
use super::samples::Sample;
use crate::evaluation::{COUNT, UNIT};

/// Samples whose losses are added up at a time: always the same ones, so that sums do not depend on
/// the number of cores.
const CHUNK: usize = 2048;
/// Epochs without a better loss on what is held out before the fit ends.
const PATIENCE: usize = 12;
/// Scales between which the right one is looked for, in centipawns.
const SCALES: (f64, f64) = (10.0, 10_000.0);

/// Weights that need not be whole numbers.
pub type Exact = [f64; COUNT];

/// How to fit.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The share of the search's score in the target; the rest is the result.
    pub lambda: f64,
    /// How strongly weights are drawn to where they were: as so many samples would that each say
    /// so by a logit.
    pub l2: f64,
    /// Weights that stay as they are.
    pub kept: Vec<usize>,
    /// A weight stays as it is if it counts in fewer games.
    pub least_games: usize,
    /// The most epochs.
    pub epochs: usize,
}

/// The scales that turn values into logits, in centipawns.
#[derive(Clone, Copy, Debug)]
pub struct Scales {
    /// For static values.
    pub value: f64,
    /// For scores of the search, which know more.
    pub score: f64,
}

/// Where a fit stands.
#[derive(Clone, Copy, Debug)]
pub struct Epoch {
    /// From 1.
    pub number: usize,
    /// The loss on what is trained on, and what the pull to the initial weights adds.
    pub training: f64,
    /// The loss on what is held out.
    pub held_out: f64,
}

/// The static value of a sample in centipawns.
fn value_of(sample: &Sample, weights: &Exact) -> f64 {
    let sum: f64 =
        sample.counts.iter().zip(weights).map(|(&count, weight)| f64::from(count) * weight).sum();
    sum / f64::from(UNIT)
}

fn sigmoid(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// The cross-entropy of a chance, given as a logit, and a target.
fn cross_entropy(logit: f64, target: f64) -> f64 {
    logit.max(0.0) + (-logit.abs()).exp().ln_1p() - target * logit
}

impl Settings {
    /// What a sample's chance ought to be.
    fn target(&self, sample: &Sample, scales: Scales) -> f64 {
        let of_score = sigmoid(f64::from(sample.score) / scales.score);
        self.lambda * of_score + (1.0 - self.lambda) * f64::from(sample.result)
    }
}

/// The mean loss of weights on samples.
pub fn loss(samples: &[Sample], weights: &Exact, scales: Scales, settings: &Settings) -> f64 {
    let sums: Vec<f64> = samples
        .par_chunks(CHUNK)
        .map(|chunk| {
            let losses = chunk.iter().map(|sample| {
                let logit = value_of(sample, weights) / scales.value;
                cross_entropy(logit, settings.target(sample, scales))
            });
            losses.sum()
        })
        .collect();
    sums.iter().sum::<f64>() / samples.len().max(1) as f64
}

/// The mean loss of weights on samples, and its slope along each weight.
fn loss_and_slope(
    samples: &[Sample],
    weights: &Exact,
    scales: Scales,
    settings: &Settings,
) -> (f64, Exact) {
    let sums: Vec<(f64, Exact)> = samples
        .par_chunks(CHUNK)
        .map(|chunk| {
            let (mut loss, mut slope) = (0.0, [0.0; COUNT]);
            for sample in chunk {
                let logit = value_of(sample, weights) / scales.value;
                let target = settings.target(sample, scales);
                loss += cross_entropy(logit, target);
                let off = sigmoid(logit) - target;
                for (slope, &count) in slope.iter_mut().zip(&sample.counts) {
                    *slope += off * f64::from(count);
                }
            }
            (loss, slope)
        })
        .collect();
    let (mut loss, mut slope) = (0.0, [0.0; COUNT]);
    for (part, slopes) in &sums {
        loss += part;
        slope.iter_mut().zip(slopes).for_each(|(sum, part)| *sum += part);
    }
    let count = samples.len().max(1) as f64;
    let unit = count * f64::from(UNIT) * scales.value;
    (loss / count, slope.map(|slope| slope / unit))
}

/// The scale with which values predict results best, by golden sections of its logarithm.
fn fit_scale(pairs: &[(f64, f64)]) -> f64 {
    let loss = |logarithm: f64| -> f64 {
        let scale = logarithm.exp();
        let sums: Vec<f64> = pairs
            .par_chunks(CHUNK)
            .map(|chunk| {
                chunk.iter().map(|(value, result)| cross_entropy(value / scale, *result)).sum()
            })
            .collect();
        sums.iter().sum()
    };
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (SCALES.0.ln(), SCALES.1.ln());
    while high - low > 1e-4 {
        let (one, two) = (high - golden * (high - low), low + golden * (high - low));
        if loss(one) < loss(two) {
            high = two;
        } else {
            low = one;
        }
    }
    ((low + high) / 2.0).exp()
}

/// The scales with which the initial weights, and the search's scores, predict results best.
pub fn fit_scales(samples: &[Sample], weights: &Exact) -> Scales {
    let pairs = |value: &(dyn Fn(&Sample) -> f64 + Sync)| -> Vec<(f64, f64)> {
        samples.par_iter().map(|sample| (value(sample), f64::from(sample.result))).collect()
    };
    Scales {
        value: fit_scale(&pairs(&|sample| value_of(sample, weights))),
        score: fit_scale(&pairs(&|sample| f64::from(sample.score))),
    }
}

/// A weight that may change: its place in the table, and how much of a logit its contribution
/// typically is.
#[derive(Clone, Copy, Debug)]
struct Free {
    weight: usize,
    strength: f64,
}

/// The weights that may change: not kept, and met in enough games.
fn free_weights(samples: &[Sample], scales: Scales, settings: &Settings) -> Vec<Free> {
    let mut squares = [0.0; COUNT];
    let mut games = [0; COUNT];
    let mut last = [None; COUNT];
    for sample in samples {
        let tallies = squares.iter_mut().zip(&mut games).zip(&mut last);
        for (((square, games), last), &count) in tallies.zip(&sample.counts) {
            *square += f64::from(count) * f64::from(count);
            if count != 0.0 && *last != Some(sample.game) {
                *last = Some(sample.game);
                *games += 1;
            }
        }
    }
    let unit = f64::from(UNIT) * scales.value;
    let each = squares.iter().zip(games).enumerate();
    each.filter(|(weight, (_, games))| {
        *games >= settings.least_games.max(1) && !settings.kept.contains(weight)
    })
    .map(|(weight, (square, _))| {
        let typical = (square / samples.len().max(1) as f64).sqrt();
        Free { weight, strength: typical / unit }
    })
    .collect()
}

/// Fits the weights, beginning with `initial`; gives those with the least loss on what is held
/// out. `each` sees every epoch and may end the fit.
pub fn fit(
    training: &[Sample],
    held_out: &[Sample],
    initial: &Exact,
    scales: Scales,
    settings: &Settings,
    mut each: impl FnMut(Epoch) -> ControlFlow<()>,
) -> Exact {
    let free = free_weights(training, scales, settings);
    let unit = f64::from(UNIT) * scales.value;
    // The variables are contributions in logits, so that all are of one size.
    let weights_at = |at: &[f64]| {
        let mut weights = *initial;
        for (free, part) in free.iter().zip(at) {
            if let Some(weight) = weights.get_mut(free.weight) {
                *weight += part / free.strength;
            }
        }
        weights
    };
    let pull = settings.l2 / training.len().max(1) as f64;
    let function = |at: &[f64]| {
        let (mut value, slopes) = loss_and_slope(training, &weights_at(at), scales, settings);
        let slope = free.iter().zip(at).map(|(free, part)| {
            let per_unit = free.strength * unit;
            let moved = part / per_unit;
            value += pull * moved * moved / 2.0;
            let slope = slopes.get(free.weight).copied().unwrap_or_default();
            slope / free.strength + pull * moved / per_unit
        });
        let slope = slope.collect();
        (value, slope)
    };
    let mut best = (loss(held_out, initial, scales, settings), 0, *initial);
    let mut number = 0;
    minimise(vec![0.0; free.len()], function, |at, training| {
        number += 1;
        let weights = weights_at(at);
        let held_out_loss = loss(held_out, &weights, scales, settings);
        let epoch = Epoch { number, training, held_out: held_out_loss };
        if epoch.held_out < best.0 || held_out.is_empty() {
            best = (epoch.held_out, number, weights);
        }
        each(epoch)?;
        if number >= settings.epochs || number >= best.1 + PATIENCE {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    best.2
}
