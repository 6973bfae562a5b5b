//! Who stands where: results of all pairings, added up from single games in any order.

use std::collections::HashMap;

use super::schedule::Task;
use super::sprt::Sprt;
use super::statistics::Tally;
use crate::actions::GameResult;
use crate::board::Colour;

/// The results of a match.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    names: Vec<String>,
    /// By the lower and the higher number of the two engines, from the view of the lower one.
    tallies: HashMap<[usize; 2], Tally>,
    /// Half points of the lower one in pairs of which one game is there.
    open: HashMap<usize, u32>,
}

impl Standings {
    /// Without a game.
    pub fn new(names: Vec<String>) -> Standings {
        Standings { names, ..Standings::default() }
    }

    /// Counts a game.
    pub fn add(&mut self, task: &Task, result: GameResult) {
        let [white, black] = task.players;
        let white_points = match result {
            GameResult::Win(Colour::White) => 2,
            GameResult::Win(Colour::Black) => 0,
            GameResult::Draw | GameResult::Open => 1,
        };
        let points: u32 = if white < black { white_points } else { 2 - white_points };
        let tally = self.tallies.entry([white.min(black), white.max(black)]).or_default();
        tally.add_game(points);
        match self.open.remove(&task.pair) {
            Some(first) => tally.add_pair(first + points),
            None => drop(self.open.insert(task.pair, points)),
        }
    }

    /// What the first engine did against the second.
    pub fn tally(&self, first: usize, second: usize) -> Tally {
        let found = self.tallies.get(&[first.min(second), first.max(second)]);
        let tally = found.copied().unwrap_or_default();
        if first <= second { tally } else { tally.reversed() }
    }

    /// What an engine did against all others.
    pub fn total(&self, engine: usize) -> Tally {
        let mut total = Tally::default();
        for other in (0..self.names.len()).filter(|&other| other != engine) {
            let tally = self.tally(engine, other);
            total.wins += tally.wins;
            total.draws += tally.draws;
            total.losses += tally.losses;
            for (sum, more) in total.pairs.iter_mut().zip(tally.pairs) {
                *sum += more;
            }
        }
        total
    }

    /// Games counted.
    pub fn games(&self) -> u32 {
        self.tallies.values().map(Tally::games).sum()
    }

    /// A table of every engine against all others, with the state of a sequential test between
    /// the first two. Ends without a line break.
    pub fn table(&self, sprt: Option<&Sprt>) -> String {
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
        let mut lines = vec![format!(
            "{:width$} {:>6} {:>6} {:>13} {:>17} {:>7} {:>17}  pairs 0-\u{bd}-1-1\u{bd}-2",
            "engine", "games", "points", "W-D-L", "Elo", "LOS", "nElo"
        )];
        let row = |name: &str, tally: &Tally| {
            let estimate = |value: Option<super::statistics::Estimate>| {
                value.map_or_else(|| "?".to_owned(), |value| value.to_string())
            };
            let superiority = tally
                .superiority()
                .map_or_else(|| "?".to_owned(), |chance| format!("{:.1}%", chance * 100.0));
            format!(
                "{name:width$} {:>6} {:>6} {:>13} {:>17} {superiority:>7} {:>17}  {}",
                tally.games(),
                tally.points(),
                format!("{}-{}-{}", tally.wins, tally.draws, tally.losses),
                estimate(tally.elo()),
                estimate(tally.normalized_elo()),
                tally.pairs.map(|count| count.to_string()).join("-"),
            )
        };
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        let share = |engine: usize| {
            let total = self.total(engine);
            total.points() / f64::from(total.games().max(1))
        };
        order.sort_by(|&a, &b| share(b).total_cmp(&share(a)));
        for engine in order {
            let name = self.names.get(engine).map_or("", String::as_str);
            lines.push(row(name, &self.total(engine)));
        }
        if self.names.len() > 2 {
            let mut meetings: Vec<(&[usize; 2], &Tally)> = self.tallies.iter().collect();
            meetings.sort_by_key(|(players, _)| **players);
            for ([first, second], tally) in meetings {
                let name = |engine: &usize| self.names.get(*engine).map_or("", String::as_str);
                let (points, games) = (tally.points(), tally.games());
                lines.push(format!(
                    "{} against {}: {}-{}-{}, {points} of {games}",
                    name(first),
                    name(second),
                    tally.wins,
                    tally.draws,
                    tally.losses
                ));
            }
        }
        if let Some(sprt) = sprt {
            lines.push(sprt.describe(&self.tally(0, 1).pairs));
        }
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::schedule::{Format, tasks};

    #[test]
    fn pairs_are_counted_when_they_are_complete() {
        let tasks = tasks(Format::RoundRobin, 2, 1, 2);
        let mut standings = Standings::new(vec!["A".to_owned(), "B".to_owned()]);
        let white = GameResult::Win(Colour::White);
        standings.add(&tasks[0], white);
        standings.add(&tasks[2], GameResult::Draw);
        assert_eq!(standings.tally(0, 1).pair_count(), 0);
        // B wins with White: each side has one.
        standings.add(&tasks[1], white);
        standings.add(&tasks[3], GameResult::Win(Colour::Black));
        let tally = standings.tally(0, 1);
        assert_eq!((tally.wins, tally.draws, tally.losses), (2, 1, 1));
        assert_eq!(tally.pairs, [0, 0, 1, 1, 0]);
        assert_eq!(standings.tally(1, 0).pairs, [0, 1, 1, 0, 0]);
        assert_eq!(standings.total(1), standings.tally(1, 0));
        assert_eq!(standings.games(), 4);
        let table = standings.table(None);
        assert_eq!(table.lines().count(), 3);
        assert!(table.lines().nth(1).unwrap().starts_with("A "), "{table}");
    }
}
