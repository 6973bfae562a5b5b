//! `info` lines.

use std::fmt::Write;

use super::output::{LONGEST_LINE, Output};
use crate::actions::Action;
use crate::notation::move_to_string;
use crate::search::{Bound, Listener, Progress, Score, Shown, shown};

/// The moves of an action, separated by blanks.
pub fn action_to_string(action: &Action) -> String {
    let moves: Vec<String> = action.iter().map(move_to_string).collect();
    moves.join(" ")
}

/// The action as `bestmove` and lists write it: an empty one, which submits what has been begun,
/// as the word `submit`.
pub fn action_or_submit(action: &Action) -> String {
    if action.is_empty() { "submit".to_owned() } else { action_to_string(action) }
}

/// A line as `pv` writes it: every action ends with `submit`. Cut behind a `submit` before the
/// line grows too long.
pub fn write_pv(text: &mut String, actions: &[Action]) {
    for (i, action) in actions.iter().enumerate() {
        let mut next = if i == 0 { " pv".to_owned() } else { String::new() };
        for step in action {
            next.push(' ');
            next.push_str(&move_to_string(step));
        }
        next.push_str(" submit");
        if text.len() + next.len() > LONGEST_LINE {
            break;
        }
        text.push_str(&next);
    }
}

/// `cp N` or `mate N`.
pub fn score_to_string(score: Score) -> String {
    match shown(score) {
        Shown::Centipawns(value) => format!("cp {value}"),
        Shown::Mate(actions) => format!("mate {actions}"),
    }
}

/// The score at which a side wins as often as not, and by how much more its chances are e times
/// better, both in centipawns: fitted to games of the engine against itself, see `tuning/log.md`.
const WIN_MIDDLE: f64 = 25.0;
const WIN_SCALE: f64 = 750.0;

/// Chances to win, draw and lose, per mille, from a score: logistic curves.
pub fn wdl(score: Score) -> [u32; 3] {
    match shown(score) {
        Shown::Mate(_) if score > 0 => return [1000, 0, 0],
        Shown::Mate(_) => return [0, 0, 1000],
        Shown::Centipawns(_) => {}
    }
    let win = |score: f64| 1000.0 / (1.0 + ((WIN_MIDDLE - score) / WIN_SCALE).exp());
    let (wins, losses) = (win(f64::from(score)) as u32, win(-f64::from(score)) as u32);
    [wins, 1000u32.saturating_sub(wins).saturating_sub(losses), losses]
}

/// Writes what a search finds.
pub struct Reporter {
    /// Where to.
    pub output: Output,
    /// Whether scores come with chances.
    pub show_wdl: bool,
    /// Whether a line with a score has been written.
    pub has_scored: bool,
}

impl Listener for Reporter {
    fn progress(&mut self, progress: &Progress<'_>) {
        self.has_scored = true;
        let milliseconds = progress.elapsed.as_millis();
        let nps = (u128::from(progress.nodes) * 1_000_000_000)
            .checked_div(progress.elapsed.as_nanos())
            .unwrap_or(0);
        let mut text = format!(
            "info depth {} seldepth {} multipv {} score {}",
            progress.depth,
            progress.deepest,
            progress.multi_pv,
            score_to_string(progress.line.score)
        );
        text.push_str(match progress.line.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        });
        if self.show_wdl {
            let [win, draw, loss] = wdl(progress.line.score);
            let _ = write!(text, " wdl {win} {draw} {loss}");
        }
        let _ = write!(
            text,
            " nodes {} nps {nps} hashfull {} time {milliseconds}",
            progress.nodes, progress.hashfull
        );
        write_pv(&mut text, &progress.line.actions);
        self.output.line(&text);
    }

    fn current(&mut self, depth: i32, action: &Action, number: usize) {
        let action = action_or_submit(action);
        self.output.line(&format!("info depth {depth} currmove {action} currmovenumber {number}"));
    }

    fn no_mate(&mut self, actions: usize) {
        self.output.string(&format!("there is no mate in {actions}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::MATE;

    #[test]
    fn lines_are_cut_behind_a_submit() {
        let start = crate::variants::find("Standard").unwrap().multiverse().unwrap();
        let action = vec![start.pseudo_legal_moves()[0]; 1_000];
        let mut text = "info depth 9".to_owned();
        write_pv(&mut text, &vec![action; 9]);
        assert!(text.len() <= LONGEST_LINE && text.len() > LONGEST_LINE - 11_000, "{}", text.len());
        assert!(text.ends_with(" submit"));
        assert_eq!(text.matches("submit").count(), 5);
    }

    #[test]
    fn chances_sum_to_1000_and_grow_with_the_score() {
        let mut last = 0;
        for score in [-MATE, -2000, -300, -20, 0, 20, 300, 2000, MATE] {
            let chances = wdl(score);
            assert_eq!(chances.iter().sum::<u32>(), 1000, "{score}");
            assert!(chances[0] >= last);
            last = chances[0];
        }
    }
}
