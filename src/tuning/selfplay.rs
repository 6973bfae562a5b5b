//! One game of the engine against itself, in process.
//!
//! It is a function of its settings and its number: one thread, a bound on nodes and none on time,
//! a table of its own.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::games::{Scored, TrainingGame};
use crate::actions::{Action, GameResult, Limit, Status, make_action, report};
use crate::multiverse::Multiverse;
use crate::search::{self, Limits, Outcomes, Settings, Shown, Silent, Table, shown};
use crate::tournament::openings::{Book, Opening, Random, Start};

/// Size of a game's table in MiB: room for the nodes of a few actions.
const TABLE: usize = 4;
/// Candidates that may be looked at to decide whether a game is over.
const STATUS_WORK: u64 = 1_000_000;
/// So often the same newest boards may stand before the game is drawn. No rule says so, but two
/// programs that shuffle would fill the file with copies of one position.
const MOST_REPEATS: u32 = 3;

/// A number for the newest boards and the side to move, the same if they are.
fn newest_boards(multiverse: &Multiverse) -> u64 {
    let mut hasher = DefaultHasher::new();
    multiverse.side().index().hash(&mut hasher);
    for line in multiverse.lines() {
        let Some(place) = multiverse.latest(line) else { continue };
        (line, place.colour().index(), multiverse.board(place).key()).hash(&mut hasher);
    }
    hasher.finish()
}

/// How games are played.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Where games start, in turn.
    pub starts: Vec<Start>,
    /// What is played from there.
    pub random: Random,
    /// Nodes for each action.
    pub nodes: i64,
    /// A draw after so many actions of both sides, those by chance not counted.
    pub most_actions: usize,
}

impl Setting {
    /// The opening of a game. Where every random line ends the game, as it may on a small board, a
    /// shorter one is taken.
    fn opening(&self, number: usize) -> Result<Opening, String> {
        let mut random = self.random;
        loop {
            let book =
                Book { starts: self.starts.clone(), random: Some(random), exiled_kings: true };
            match book.opening(number) {
                Err(_) if random.actions > 0 => random.actions -= 1,
                opening => return opening,
            }
        }
    }

    fn search(&self, multiverse: &Multiverse, table: &mut Table, stop: &AtomicBool) -> Outcomes {
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let settings = Settings::new(limits);
        search::run(multiverse, &settings, table, stop, &mut Silent)
    }

    /// Plays the game of a number, from 0; none if it was interrupted. Needs the stack of a search,
    /// [`search::STACK`].
    ///
    /// # Errors
    /// If there is no opening.
    pub fn play(&self, number: usize, stop: &AtomicBool) -> Result<Option<TrainingGame>, String> {
        let opening = self.opening(number)?;
        let mut multiverse = opening.start.clone();
        let by_chance = |action: &Action| Scored { action: action.clone(), score: None };
        let mut actions: Vec<Scored> = opening.actions.iter().map(by_chance).collect();
        for action in &opening.actions {
            make_action(&mut multiverse, action);
        }
        let mut table = Table::new(TABLE).unwrap_or_default();
        let mut seen: HashMap<u64, u32> = HashMap::new();
        let most = actions.len() + self.most_actions;
        let result = loop {
            if stop.load(Relaxed) {
                return Ok(None);
            }
            let limit = Limit { work: Some(STATUS_WORK), ..Limit::NONE };
            let report = report(&mut multiverse, true, &limit);
            if report.status == Status::Undecided || report.result != GameResult::Open {
                break report.result;
            }
            let times = seen.entry(newest_boards(&multiverse)).or_default();
            *times += 1;
            if actions.len() >= most || *times >= MOST_REPEATS || multiverse.is_full() {
                break GameResult::Draw;
            }
            let found = self.search(&multiverse, &mut table, stop);
            let Some(action) = found.best.filter(|_| !stop.load(Relaxed)) else { return Ok(None) };
            let side = multiverse.side();
            let score = shown(found.score);
            make_action(&mut multiverse, &action);
            actions.push(Scored { action, score: Some(score) });
            // A mate is proved: nothing that can be learnt comes after it.
            match score {
                Shown::Mate(count) if count > 0 => break GameResult::Win(side),
                Shown::Mate(_) => break GameResult::Win(!side),
                Shown::Centipawns(_) => {}
            }
        };
        Ok(Some(TrainingGame { variant: opening.name, start: opening.start, actions, result }))
    }
}
