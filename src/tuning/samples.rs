//! Positions taken out of training games.
//!
//! A position is taken where a search chose an action, if it is quiet: the side to move is not in
//! check and the best action captures and promotes nothing, so that the static value is one that a
//! search would ask for. Where several boards are playable nearly every action takes something
//! somewhere, and what is hanging is a part of the value: there only checks are left out. Decided
//! positions teach nothing and are left out as well.

use std::path::PathBuf;

use rayon::prelude::*;

use super::games::TrainingGame;
use super::progress::Progress;
use crate::actions::{GameResult, make_action};
use crate::board::Colour;
use crate::evaluation::{COUNT, Centipawns, coefficients};
use crate::multiverse::{Move, Multiverse};
use crate::search::Shown;

/// Lines that are read at a time.
const LINES: usize = 256;

/// A position as a fit sees it. Everything is as White sees it.
#[derive(Clone, Debug)]
pub struct Sample {
    /// How often each weight counts.
    pub counts: [f32; COUNT],
    /// What the search said, in centipawns.
    pub score: f32,
    /// How the game ended: 1 for a win, 0.5 for a draw.
    pub result: f32,
    /// The number of the game, from 0 in the first file.
    pub game: usize,
}

/// Whether a move takes or promotes something.
fn is_forcing(multiverse: &Multiverse, step: &Move) -> bool {
    let takes = multiverse.board(step.to).piece_at(step.to_square);
    let takes = takes.is_some_and(|piece| piece.colour != multiverse.side());
    let moves = multiverse.board(step.from).piece_at(step.from_square);
    // A pawn that leaves its file along its board takes something, be it in passing.
    let diagonal = moves.is_some_and(|piece| piece.kind.is_pawn_like())
        && step.is_physical()
        && step.from_square.file() != step.to_square.file();
    takes || diagonal || step.promotion.is_some()
}

/// The quiet positions of a game whose scores are no more than `most_score`; none of a game
/// without a result.
pub fn samples_of(game: &TrainingGame, number: usize, most_score: Centipawns) -> Vec<Sample> {
    let result = match game.result {
        GameResult::Win(Colour::White) => 1.0,
        GameResult::Draw => 0.5,
        GameResult::Win(Colour::Black) => 0.0,
        GameResult::Open => return Vec::new(),
    };
    let mut multiverse = game.start.clone();
    let mut samples = Vec::new();
    for scored in &game.actions {
        if let Some(Shown::Centipawns(score)) = scored.score
            && score.abs() <= most_score
            && (multiverse.count_playable(2) > 1
                || !scored.action.iter().any(|step| is_forcing(&multiverse, step)))
            && !multiverse.in_check()
        {
            let sign = if multiverse.side() == Colour::White { 1 } else { -1 };
            let counts = coefficients(&multiverse);
            samples.push(Sample { counts, score: (sign * score) as f32, result, game: number });
        }
        make_action(&mut multiverse, &scored.action);
    }
    samples
}

/// The samples of all games of some files.
///
/// # Errors
/// The file, the line and what is wrong with it.
pub fn read(paths: &[PathBuf], most_score: Centipawns) -> Result<Vec<Sample>, String> {
    let mut samples = Vec::new();
    let mut games = 0;
    for path in paths {
        let text = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.lines().collect();
        let mut progress = Progress::new(lines.len(), "games read");
        for (chunk, lines) in lines.chunks(LINES).enumerate() {
            let read: Vec<_> = lines
                .par_iter()
                .enumerate()
                .map(|(index, line)| {
                    let game = TrainingGame::parse(line)?;
                    Ok(game.map(|game| samples_of(&game, games + index, most_score)))
                })
                .collect();
            for (index, found) in read.into_iter().enumerate() {
                let line = chunk * LINES + index + 1;
                let found =
                    found.map_err(|error: String| format!("{}:{line}: {error}", path.display()))?;
                samples.extend(found.unwrap_or_default());
            }
            games += lines.len();
            progress.advance(lines.len(), || format!("{} positions", samples.len()));
        }
    }
    Ok(samples)
}
