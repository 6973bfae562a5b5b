//! The text of training games: one game a line, in UTF-8.
//!
//! ```text
//! line   = variant TAB result TAB action { " " action } ;
//! result = "1-0" | "0-1" | "1/2-1/2" | "*" ;
//! action = { move " " } score ;
//! score  = integer | "#" integer | "-" ;
//! ```
//!
//! A line begins with the name of a variant and holds the whole game from its start, so that a
//! reader can replay it: nothing depends on what the evaluation counts. Moves are those of the
//! protocol, `(0T1)e2e4`. Behind the moves of an action stands what the search that chose it
//! said, for the side to move: centipawns, or `#N` where it has proved a mate in N actions of its
//! own, `#-N` where it is mated; `-` where chance chose the action. The result is `*` where it
//! could not be decided. Empty lines and lines that begin with `#` say nothing.

use std::fmt::Write;

use crate::actions::{Action, GameResult};
use crate::board::Colour;
use crate::multiverse::Multiverse;
use crate::notation::{move_to_string, parse_move};
use crate::search::Shown;
use crate::session::Game;
use crate::variants;

/// An action, and what the search that chose it said for the side to move, if one did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scored {
    /// Its moves.
    pub action: Action,
    /// None where chance chose.
    pub score: Option<Shown>,
}

/// A game of a training file.
#[derive(Clone, Debug)]
pub struct TrainingGame {
    /// The name of the variant.
    pub variant: String,
    /// Its start.
    pub start: Multiverse,
    /// Everything that was played.
    pub actions: Vec<Scored>,
    /// How it ended; open if that could not be decided.
    pub result: GameResult,
}

/// Every result with its text.
const RESULTS: [GameResult; 4] = [
    GameResult::Win(Colour::White),
    GameResult::Win(Colour::Black),
    GameResult::Draw,
    GameResult::Open,
];

fn score_to_string(score: Option<Shown>) -> String {
    match score {
        None => "-".to_owned(),
        Some(Shown::Centipawns(score)) => score.to_string(),
        Some(Shown::Mate(actions)) => format!("#{actions}"),
    }
}

fn parse_score(token: &str) -> Option<Option<Shown>> {
    if token == "-" {
        return Some(None);
    }
    let score = match token.strip_prefix('#') {
        Some(actions) => Shown::Mate(actions.parse().ok()?),
        None => Shown::Centipawns(token.parse().ok()?),
    };
    Some(Some(score))
}

impl TrainingGame {
    /// The game as a line, without its end.
    pub fn to_line(&self) -> String {
        let mut line = format!("{}\t{}\t", self.variant, self.result.name());
        for (index, Scored { action, score }) in self.actions.iter().enumerate() {
            if index > 0 {
                line.push(' ');
            }
            for step in action {
                let _ = write!(line, "{} ", move_to_string(step));
            }
            line.push_str(&score_to_string(*score));
        }
        line
    }

    /// Reads a line; none if it says nothing.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(line: &str) -> Result<Option<TrainingGame>, String> {
        let line = line.trim_end_matches(['\r', '\n', ' ']);
        if line.is_empty() || line.starts_with('#') {
            return Ok(None);
        }
        let mut fields = line.split('\t');
        let (Some(name), Some(result), Some(moves), None) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            return Err("expected a variant, a result and actions, with tabs between".to_owned());
        };
        let variant =
            variants::find(name).ok_or_else(|| format!("no variant is named {name:?}"))?;
        let start = variant.multiverse().map_err(|error| error.to_string())?;
        let result = *RESULTS
            .iter()
            .find(|known| known.name() == result)
            .ok_or_else(|| format!("{result:?} is no result"))?;
        let mut game = Game::new(variant.name, start.clone());
        let mut scores = Vec::new();
        for token in moves.split_ascii_whitespace() {
            if token.starts_with('(') {
                let text = parse_move(token).map_err(|error| error.to_string())?;
                let step =
                    text.resolve(game.multiverse(), token).map_err(|error| error.to_string())?;
                if game.multiverse().is_full() {
                    return Err(format!("{token}: past the largest timeline or turn supported"));
                }
                game.play(step);
                continue;
            }
            let score = parse_score(token)
                .ok_or_else(|| format!("{token}: expected a move, a score or -"))?;
            let number = scores.len() + 1;
            if !game.may_submit() || game.submit().is_err() {
                return Err(format!("action {number} is not legal"));
            }
            scores.push(score);
        }
        if game.is_unfinished() {
            return Err("the last action has no score".to_owned());
        }
        let actions = game
            .history()
            .iter()
            .zip(scores)
            .map(|(action, score)| Scored { action: action.clone(), score })
            .collect();
        Ok(Some(TrainingGame { variant: variant.name.to_owned(), start, actions, result }))
    }
}
