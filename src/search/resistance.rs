//! Which action to play when all are lost: the one after which most of the opponent's answers let
//! the game go on, and well, in place of the one that loses last.

use super::score::{MATE, Score, is_lost, plies_to_mate};
use super::worker::{Turn, Worker};
use crate::actions::Action;

/// Answers looked at after each action, the likely ones first.
const MOST_ANSWERS: usize = 64;
/// Plies from the root that answers are searched, at most.
const ANSWER_DEPTH: i32 = 6;
/// A score at which a game is half won.
const HALF_WON: f64 = 400.0;

/// How much likelier than another an answer is found that is worth `score` to the mover: a mate at
/// once is hardly overlooked.
fn likelihood(score: Score) -> f64 {
    match plies_to_mate(score).filter(|_| is_lost(score)) {
        Some(..=2) => 8.0,
        Some(..=4) => 3.0,
        _ => 1.0,
    }
}

/// What may be hoped for at a score, from 0 to 1.
fn hope(score: Score) -> f64 {
    if is_lost(score) { 0.0 } else { 1.0 / (1.0 + (-f64::from(score) / HALF_WON).exp()) }
}

/// Of the actions, all of which are lost, the one that promises most against an opponent that
/// plays any answer, likely ones more often; and its score. Searches for as long as the worker
/// may, `depth` plies deep, and chooses among the actions that it came to.
pub fn most_resistant(
    worker: &mut Worker<'_>,
    actions: &[Action],
    depth: i32,
) -> Option<(usize, Score)> {
    let mut best: Option<(f64, Score, usize)> = None;
    for (index, action) in actions.iter().enumerate() {
        let (lowest, highest) = (-MATE - 1, MATE + 1);
        let score = worker.search_action(action, depth, lowest, highest, Turn::First);
        let Some(score) = score else { break };
        if worker.is_stopped() || !is_lost(score) {
            break;
        }
        let (mut hopes, mut all) = (0.0, 0.0);
        let ended = worker.each_answer(action, depth.min(ANSWER_DEPTH), MOST_ANSWERS, |answer| {
            all += likelihood(answer);
            hopes += hope(answer) * likelihood(answer);
        });
        if !ended {
            break;
        }
        let hope = if all > 0.0 { hopes / all } else { 0.0 };
        log::debug!("resistance: action {index}, score {score}, hope {hope:.3}");
        if best.is_none_or(|(most, longest, _)| (hope, score) > (most, longest)) {
            best = Some((hope, score, index));
        }
    }
    best.map(|(_, score, index)| (index, score))
}
