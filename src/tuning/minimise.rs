//! The least value of a smooth convex function of many variables: L-BFGS with a line search that halves
//! its step (Nocedal and Wright, *Numerical Optimization*, algorithms 7.4 and 3.1).

use std::collections::VecDeque;
use std::ops::ControlFlow;

/// Steps remembered to stand for the curvature.
const MEMORY: usize = 10;
/// A step has to gain this much of what the slope promises.
const SUFFICIENT: f64 = 1e-4;
/// Halvings of a step before the function counts as level.
const MOST_HALVINGS: usize = 40;
/// A slope is level from here on, and so is a function that a step lowers by no larger part.
const LEVEL: f64 = 1e-9;

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// `a + factor * b`.
fn moved(a: &[f64], factor: f64, b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + factor * b).collect()
}

/// A step that was taken: what it changed in the variables, and in the slope.
struct Step {
    moved: Vec<f64>,
    bent: Vec<f64>,
}

/// The direction in which a step goes: the slope, turned by the curvature that the last steps met.
fn direction(slope: &[f64], steps: &VecDeque<Step>) -> Vec<f64> {
    let mut direction: Vec<f64> = slope.iter().map(|slope| -slope).collect();
    let mut shares = Vec::with_capacity(steps.len());
    for step in steps.iter().rev() {
        let share = dot(&step.moved, &direction) / dot(&step.moved, &step.bent);
        direction = moved(&direction, -share, &step.bent);
        shares.push(share);
    }
    if let Some(last) = steps.back() {
        let scale = dot(&last.moved, &last.bent) / dot(&last.bent, &last.bent);
        direction.iter_mut().for_each(|part| *part *= scale);
    }
    for (step, share) in steps.iter().zip(shares.into_iter().rev()) {
        let back = dot(&step.bent, &direction) / dot(&step.moved, &step.bent);
        direction = moved(&direction, share - back, &step.moved);
    }
    direction
}

/// Goes downhill from `at` until the function is level or `each`, which sees the variables and the
/// value after every step, ends it. The function gives its value and its slope.
pub fn minimise(
    mut at: Vec<f64>,
    mut function: impl FnMut(&[f64]) -> (f64, Vec<f64>),
    mut each: impl FnMut(&[f64], f64) -> ControlFlow<()>,
) {
    let (mut value, mut slope) = function(&at);
    let mut steps: VecDeque<Step> = VecDeque::new();
    while slope.iter().any(|slope| slope.abs() > LEVEL) {
        let towards = direction(&slope, &steps);
        let fall = dot(&slope, &towards);
        let mut length = 1.0;
        let found = (0..MOST_HALVINGS).find_map(|_| {
            let next = moved(&at, length, &towards);
            let (lower, bent) = function(&next);
            let gains = lower <= value + SUFFICIENT * length * fall;
            length /= 2.0;
            gains.then_some((next, lower, bent))
        });
        let Some((next, lower, next_slope)) = found else { return };
        let step = Step { moved: moved(&next, -1.0, &at), bent: moved(&next_slope, -1.0, &slope) };
        // Without curvature a step says nothing about the next direction.
        if dot(&step.moved, &step.bent) > 0.0 {
            steps.push_back(step);
            if steps.len() > MEMORY {
                steps.pop_front();
            }
        }
        let is_level = value - lower <= LEVEL * value.abs();
        (at, value, slope) = (next, lower, next_slope);
        if each(&at, value).is_break() || is_level {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_valley_is_followed_to_its_end() {
        // Steep along some variables, flat along others, and curved: least where the slope is 0.
        let steepness = [1.0, 10.0, 100.0, 1000.0, 10_000.0];
        let function = |at: &[f64]| {
            let sum: f64 = at.iter().sum();
            let squares = at.iter().zip(steepness).map(|(x, k)| k * (x - 1.0).powi(2) / 2.0);
            let value = squares.sum::<f64>() + (sum - 5.0).powi(4);
            let slope = |(x, k): (&f64, f64)| k * (x - 1.0) + 4.0 * (sum - 5.0).powi(3);
            (value, at.iter().zip(steepness).map(slope).collect())
        };
        let mut last = Vec::new();
        let mut steps = 0;
        minimise(vec![-3.0; 5], function, |at, _| {
            last = at.to_vec();
            steps += 1;
            ControlFlow::Continue(())
        });
        assert!(last.iter().all(|part| (part - 1.0).abs() < 1e-6), "{last:?}");
        assert!(steps < 100, "{steps}");
    }
}
