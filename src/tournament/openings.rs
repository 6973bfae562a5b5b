//! Where games start: variants, given positions, and random lines from them.
//!
//! A book is a function of its settings and a number: nothing is stored, and a resumed match meets
//! the same openings. Lines are made of legal actions of the library.

use std::sync::atomic::AtomicBool;

use crate::actions::{Action, Chooser, Limit, Status, Step, Stream, report};
use crate::multiverse::{Move, Multiverse, Pieces};
use crate::search::{self, Limits, Settings, Silent, Table};
use crate::session::Game;

/// Tries to find a line that is balanced before the best of them is taken.
const MOST_TRIES: u64 = 40;
/// Nodes and depth of the search that says whether a line is balanced.
const JUDGE_NODES: i64 = 10_000;
const JUDGE_DEPTH: i64 = 5;

/// A start position.
#[derive(Clone, Debug)]
pub struct Start {
    /// The name of the variant, or `Custom`.
    pub name: String,
    /// The position.
    pub multiverse: Multiverse,
}

/// Random lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Random {
    /// Actions of both sides.
    pub actions: usize,
    /// Where chance begins.
    pub seed: u64,
    /// The most centipawns that a short search may give either side; none to take every line.
    pub balance: Option<u32>,
}

/// Where the games of a match start.
#[derive(Clone, Debug)]
pub struct Book {
    /// In turn.
    pub starts: Vec<Start>,
    /// What is played from there, if anything.
    pub random: Option<Random>,
    /// The tournament rule for stalemates.
    pub exiled_kings: bool,
}

/// One opening.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The name of the variant, or `Custom`.
    pub name: String,
    /// The start.
    pub start: Multiverse,
    /// The actions that have been played from there.
    pub actions: Vec<Action>,
}

impl Opening {
    /// The game after the opening.
    pub fn game(&self) -> Game {
        let mut game = Game::new(&self.name, self.start.clone());
        for action in &self.actions {
            for step in action {
                game.play(*step);
            }
            if game.submit().is_err() {
                debug_assert!(false, "openings are made of legal actions");
            }
        }
        game
    }
}

impl Book {
    /// The opening of a number, from 0. Needs the stack of a search, [`search::STACK`].
    ///
    /// # Errors
    /// If no line of that length ends in a game that goes on.
    pub fn opening(&self, number: usize) -> Result<Opening, String> {
        let start = number.checked_rem(self.starts.len()).and_then(|index| self.starts.get(index));
        let start = start.ok_or("there is no start position")?;
        let (name, multiverse) = (start.name.clone(), start.multiverse.clone());
        let Some(random) = self.random else {
            return Ok(Opening { name, start: multiverse, actions: Vec::new() });
        };
        let mut best: Option<(u32, Vec<Action>)> = None;
        for attempt in 0..MOST_TRIES {
            let mut chance = Chance::new(random.seed, number as u64, attempt);
            let Some((actions, end)) = self.line(&multiverse, random.actions, &mut chance) else {
                continue;
            };
            let Some(most) = random.balance else {
                best = Some((0, actions));
                break;
            };
            let off = judge(&end, self.exiled_kings);
            if best.as_ref().is_none_or(|(least, _)| off < *least) {
                best = Some((off, actions));
            }
            if off <= most {
                break;
            }
        }
        let (_, actions) = best.ok_or_else(|| {
            format!("{name}: every random line of {} actions ends the game", random.actions)
        })?;
        Ok(Opening { name, start: multiverse, actions })
    }

    /// A random line, and where it ends; none if the game does not go on there.
    fn line(
        &self,
        start: &Multiverse,
        actions: usize,
        chance: &mut Chance,
    ) -> Option<(Vec<Action>, Multiverse)> {
        let mut multiverse = start.clone();
        let mut line = Vec::new();
        for _ in 0..actions {
            let action = random_action(&mut multiverse, chance)?;
            crate::actions::make_action(&mut multiverse, &action);
            line.push(action);
        }
        let limit = Limit { work: Some(100_000), ..Limit::NONE };
        let report = report(&mut multiverse, self.exiled_kings, &limit);
        matches!(report.status, Status::Ongoing | Status::Softmate).then_some((line, multiverse))
    }
}

/// By how much a short search holds a position for unbalanced, in centipawns.
fn judge(multiverse: &Multiverse, exiled_kings: bool) -> u32 {
    let limits = Limits { nodes: Some(JUDGE_NODES), depth: Some(JUDGE_DEPTH), ..Limits::default() };
    let settings = Settings { exiled_kings, disputed_moves: false, ..Settings::new(limits) };
    let never = AtomicBool::new(false);
    let mut table = Table::new(1).unwrap_or_default();
    let found = search::run(multiverse, &settings, &mut table, &never, &mut Silent);
    found.score.unsigned_abs()
}

/// A legal action by chance. Most have no jump, as in games between people.
fn random_action(multiverse: &mut Multiverse, chance: &mut Chance) -> Option<Action> {
    chance.jumps = chance.below(8) == 0;
    let found = first_action(multiverse, chance);
    if found.is_some() || chance.jumps {
        return found;
    }
    chance.jumps = true;
    first_action(multiverse, chance)
}

fn first_action(multiverse: &mut Multiverse, chance: &mut Chance) -> Option<Action> {
    let limit = Limit { work: Some(100_000), ..Limit::NONE };
    let mut stream = Stream::new();
    stream.start(multiverse, chance);
    let found = stream.next_any(multiverse, &limit) == Step::Found;
    let action = found.then(|| stream.action());
    stream.finish(multiverse);
    action
}

/// Chance, the same for the same seed: SplitMix64. As a chooser it likes moves at random.
#[derive(Clone, Debug)]
pub struct Chance {
    state: u64,
    jumps: bool,
}

impl Chance {
    /// A stream of its own for each three numbers.
    pub fn new(seed: u64, number: u64, attempt: u64) -> Chance {
        let mut chance = Chance { state: seed, jumps: false };
        for part in [number, attempt] {
            chance.state = chance.next() ^ part;
        }
        chance
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `count`, which is above 0.
    pub fn below(&mut self, count: u64) -> u64 {
        self.next() % count
    }
}

impl Chooser for Chance {
    fn score(&mut self, _: &Multiverse, _: &Move, _: Pieces) -> Option<i32> {
        i32::try_from(self.below(1000)).ok()
    }

    fn jumps(&self) -> bool {
        self.jumps
    }

    fn score_of_pass(&mut self, _: bool) -> i32 {
        // The best of a board's moves is near 1000: passing and playing are about as likely.
        if self.below(2) == 0 { 1000 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::move_to_string;

    fn book(actions: usize, seed: u64, balance: Option<u32>) -> Book {
        let names = ["Standard - Turn Zero", "Very Small - Open"];
        let starts = names.map(|name| Start {
            name: name.to_owned(),
            multiverse: crate::variants::find(name).unwrap().multiverse().unwrap(),
        });
        let random = Some(Random { actions, seed, balance });
        Book { starts: starts.to_vec(), random, exiled_kings: true }
    }

    fn text(opening: &Opening) -> String {
        let words: Vec<String> = opening.actions.iter().flatten().map(move_to_string).collect();
        words.join(" ")
    }

    #[test]
    fn lines_are_legal_different_and_the_same_again() {
        let lines = |seed| -> Vec<String> {
            let book = book(4, seed, None);
            (0..12)
                .map(|number| {
                    let opening = book.opening(number).unwrap();
                    assert_eq!(opening.actions.len(), 4);
                    let game = opening.game();
                    assert!(!game.can_take_royal());
                    assert_eq!(game.name(), book.starts[number % 2].name);
                    text(&opening)
                })
                .collect()
        };
        let first = lines(1);
        assert_eq!(first, lines(1));
        assert_ne!(first, lines(2));
        let mut unique = first.clone();
        unique.sort();
        unique.dedup();
        assert!(unique.len() >= 11, "{first:?}");
    }

    #[test]
    fn balanced_lines_are_balanced() {
        let check = || {
            for number in (0..8).step_by(2) {
                let opening = book(6, 7, Some(100)).opening(number).unwrap();
                assert!(judge(opening.game().multiverse(), true) <= 100, "{}", text(&opening));
            }
        };
        let thread = std::thread::Builder::new().stack_size(search::STACK).spawn(check).unwrap();
        thread.join().unwrap();
    }
}
