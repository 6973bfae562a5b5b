//! Who plays whom, in which order, on how many threads.
//!
//! Hands finished games to its caller one by one; neither counts nor writes them.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use crossbeam_channel::{Sender, unbounded};

use super::engine::{Player, Terms};
use super::openings::{Book, Opening};
use super::referee::{self, Abort, Record, Rules};
use crate::search;

/// Which engines meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Every engine meets every other.
    #[value(name = "roundrobin")]
    RoundRobin,
    /// The first engine meets every other.
    Gauntlet,
}

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// From 1, in the order of the schedule.
    pub number: usize,
    /// From 1.
    pub round: usize,
    /// The pair of games, with colours swapped, that it belongs to; from 1.
    pub pair: usize,
    /// The engines with White and with Black.
    pub players: [usize; 2],
    /// The number of the opening in the book.
    pub opening: usize,
}

/// The schedule: in each round every two engines that meet play `pairs` pairs of games, each pair
/// from one opening with colours swapped. All meetings share the same openings.
pub fn tasks(format: Format, engines: usize, rounds: usize, pairs: usize) -> Vec<Task> {
    let mut tasks = Vec::new();
    let mut pair = 0;
    for round in 0..rounds {
        for index in 0..pairs {
            for first in 0..engines {
                for second in first + 1..engines {
                    if format == Format::Gauntlet && first > 0 {
                        continue;
                    }
                    pair += 1;
                    for players in [[first, second], [second, first]] {
                        tasks.push(Task {
                            number: tasks.len() + 1,
                            round: round + 1,
                            pair,
                            players,
                            opening: round * pairs + index,
                        });
                    }
                }
            }
        }
    }
    tasks
}

/// Everything that playing needs to know.
#[derive(Clone, Debug)]
pub struct Match {
    /// The engines.
    pub players: Vec<Player>,
    /// Where games start.
    pub book: Book,
    /// When games end.
    pub rules: Rules,
    /// What engines are told and granted.
    pub terms: Terms,
    /// Games at a time.
    pub concurrency: usize,
}

/// A game that has been played.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Which.
    pub task: Task,
    /// Where it began.
    pub opening: Opening,
    /// How it went.
    pub record: Record,
}

/// Plays games, in order as threads become free, and hands each over when it has ended, until
/// `finish` gives `false` or `stop` is raised. Games under way then are given up. All engines are
/// gone when this returns.
///
/// # Errors
/// Why the match cannot go on.
pub fn run(
    setting: &Match,
    tasks: &[Task],
    stop: &AtomicBool,
    mut finish: impl FnMut(Finished) -> Result<bool, String>,
) -> Result<(), String> {
    let next = Mutex::new(tasks.iter());
    let (sender, results) = unbounded();
    let work = |sender: Sender<Result<Finished, Abort>>| {
        loop {
            let task = next.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(&task) = task.filter(|_| !stop.load(Relaxed)) else { break };
            let game = play(setting, task, stop);
            let goes_on = game.is_ok();
            if sender.send(game).is_err() || !goes_on {
                break;
            }
        }
    };
    let mut outcome = Ok(());
    std::thread::scope(|scope| {
        let mut workers = 0;
        for _ in 0..setting.concurrency.max(1) {
            let thread = std::thread::Builder::new().name("game".to_owned());
            let (work, sender) = (&work, sender.clone());
            let thread = thread.stack_size(search::STACK);
            match thread.spawn_scoped(scope, move || work(sender)) {
                Ok(_) => workers += 1,
                Err(error) if workers == 0 => outcome = Err(error.to_string()),
                // Fewer games at a time will do.
                Err(error) => log::warn!("cannot start another thread: {error}"),
            }
        }
        // The channel ends with the last worker.
        drop(sender);
        for game in &results {
            let goes_on = match game {
                // What ended while another was handed over is kept as well.
                Ok(finished) if outcome.is_ok() => finish(finished),
                Ok(_) | Err(Abort::Interrupted) => Ok(false),
                Err(Abort::Hopeless(error)) => Err(error),
            };
            // Games under way end at once then.
            match goes_on {
                Ok(true) => {}
                Ok(false) => stop.store(true, Relaxed),
                Err(error) => {
                    stop.store(true, Relaxed);
                    if outcome.is_ok() {
                        outcome = Err(error);
                    }
                }
            }
        }
    });
    outcome
}

fn play(setting: &Match, task: Task, stop: &AtomicBool) -> Result<Finished, Abort> {
    let opening = setting.book.opening(task.opening).map_err(Abort::Hopeless)?;
    let [white, black] = task.players.map(|player| setting.players.get(player));
    let (Some(white), Some(black)) = (white, black) else {
        return Err(Abort::Hopeless("there is no such engine".to_owned()));
    };
    let record = referee::play([white, black], &opening, &setting.rules, &setting.terms, stop)?;
    Ok(Finished { task, opening, record })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_in_pairs_with_colours_swapped() {
        let tasks = tasks(Format::RoundRobin, 3, 2, 2);
        assert_eq!(tasks.len(), 2 * 2 * 3 * 2);
        for pair in tasks.chunks(2) {
            let [one, two] = [pair[0], pair[1]];
            assert_eq!((one.pair, one.opening), (two.pair, two.opening));
            assert_eq!(one.players, [two.players[1], two.players[0]]);
        }
        assert!(tasks.iter().enumerate().all(|(index, task)| task.number == index + 1));
        assert_eq!(tasks.last().unwrap().opening, 3);
    }

    #[test]
    fn in_a_gauntlet_the_first_meets_all() {
        let tasks = tasks(Format::Gauntlet, 4, 1, 1);
        assert_eq!(tasks.len(), 6);
        assert!(tasks.iter().all(|task| task.players.contains(&0)));
    }
}
