//! The command `lightcone match`: reads its words, plays the match, prints what comes of it.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use clap::Parser;
use serde_json::json;

use super::clock::parse_seconds;
use super::engine::Terms;
use super::openings::{Book, Start};
use super::output::{Files, Screen};
use super::process::Log;
use super::records::identity;
use super::referee::Rules;
use super::schedule::{Finished, Format, Match, run, tasks};
use super::settings;
use super::sprt::Verdict;
use super::standings::Standings;
use crate::session::{Options, parse_position};
use crate::variants;

/// Plays engines against each other, by the rules, with clocks, openings and statistics.
///
/// Engines speak UCI or 5DUCI, found by handshake. Keys of an engine: name, cmd, args, dir,
/// proto=uci|5duci, tc=[moves/]seconds[+increment], linc=SECONDS gained for each active timeline,
/// st=SECONDS for each action, nodes, depth, timemargin=MILLISECONDS, option.NAME=VALUE.
#[derive(Debug, Parser)]
#[command(name = "lightcone match", version, about)]
pub struct Arguments {
    /// An engine: name=A,cmd=PROGRAM --ITS-ARGUMENTS,option.Hash=16; at least two. Quotes keep
    /// blanks and commas together.
    #[arg(short, long = "engine", value_name = "KEY=VALUE,…", required = true)]
    engine: Vec<String>,
    /// Settings of every engine that does not say otherwise: tc=10+0.1.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    each: Vec<String>,
    /// Games for every two engines that meet, in each round; made even, for colours are swapped.
    #[arg(long, default_value_t = 2)]
    games: usize,
    /// How often everything is played, each time from new openings.
    #[arg(long, default_value_t = 1)]
    rounds: usize,
    /// Which engines meet.
    #[arg(long, value_enum, default_value = "roundrobin")]
    tournament: Format,
    /// Games at a time.
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// A variant to start from; several are taken in turn.
    #[arg(long, value_name = "NAME")]
    variant: Vec<String>,
    /// A position to start from, the words behind `position` of the protocol.
    #[arg(long, value_name = "5DFEN")]
    fen: Vec<String>,
    /// A file of starts, one a line: names of variants, or positions.
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Random lines from the starts: random=ACTIONS,seed=NUMBER,balance=CENTIPAWNS|off.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    openings: Vec<String>,
    /// A sequential test of the first two engines ends the match:
    /// elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized|logistic.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    sprt: Vec<String>,
    /// A side loses that gives itself -SCORE or less COUNT times running: score=600,count=4.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    resign: Vec<String>,
    /// A draw if both see no more than SCORE for COUNT actions each: score=10,count=8,number=40.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    draw: Vec<String>,
    /// A draw after so many actions of both sides; 0 for none.
    #[arg(long, value_name = "ACTIONS", default_value_t = 300)]
    max_actions: u32,
    /// Every stalemate is a draw, whatever became of the kings.
    #[arg(long)]
    plain_stalemate: bool,
    /// The kinds that pawns may promote to.
    #[arg(long, value_name = "LETTERS", default_value = "Q")]
    promotions: String,
    /// How long an engine may take for all but thinking, and beyond its time before it is hung.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    patience: Duration,
    /// How long a search without a clock may take.
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = parse_seconds)]
    longest_search: Duration,
    /// Games are added to this file as 5DPGN.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Games are written to this file as JSON lines.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Goes on with the match in the JSON lines, under the same settings.
    #[arg(long, requires = "json")]
    resume: bool,
    /// Traffic and standard error of all engines are added to this file.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// The tag Event of the games.
    #[arg(long, default_value = "Lightcone match")]
    event: String,
    /// Games after which the table is printed, where it is not always there.
    #[arg(long, value_name = "GAMES", default_value_t = 10)]
    ratinginterval: usize,
}

/// Runs the command on its words, the first of which is its name. The exit status is 0 when the
/// match is over, 1 if it could not be played, 2 for bad usage, 130 if it was interrupted.
pub fn main(words: impl IntoIterator<Item = String>) -> ExitCode {
    run_command(words, Arguments::play)
}

/// Reads the words of a command and runs it, with a flag that an interrupt raises. The exit status
/// is 0 if it came to its end, 1 and a line if it could not, 2 for bad usage, 130 if it was
/// interrupted.
pub fn run_command<A: Parser>(
    words: impl IntoIterator<Item = String>,
    run: impl FnOnce(A, &AtomicBool) -> Result<bool, String>,
) -> ExitCode {
    let arguments = match A::try_parse_from(words) {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    if let Err(error) = ctrlc::set_handler(move || flag.store(true, Relaxed)) {
        log::warn!("an interrupt will end everything at once: {error}");
    }
    match run(arguments, &interrupted) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(130),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(1)
        }
    }
}

impl Arguments {
    /// Where games start.
    fn starts(&self, options: &Options) -> Result<Vec<Start>, String> {
        let mut texts: Vec<String> =
            self.variant.iter().map(|name| format!("variant {name}")).collect();
        texts.extend(self.fen.iter().cloned());
        if let Some(path) = &self.positions {
            let text = std::fs::read_to_string(path)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            let lines = text.lines().map(str::trim);
            for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
                let named = variants::find(line).is_some();
                texts.push(if named { format!("variant {line}") } else { line.to_owned() });
            }
        }
        if texts.is_empty() {
            texts.push("startpos".to_owned());
        }
        let start = |text: String| {
            let words: Vec<&str> = text.split_whitespace().collect();
            let (game, _) = parse_position(&words, options).map_err(|error| error.to_string())?;
            if game.is_unfinished() || !game.history().is_empty() {
                return Err(format!("{text}: a start has no moves"));
            }
            Ok(Start { name: game.name().to_owned(), multiverse: game.multiverse().clone() })
        };
        texts.into_iter().map(start).collect()
    }

    fn setting(&self) -> Result<Match, String> {
        let players: Result<Vec<_>, _> =
            self.engine.iter().map(|own| settings::player(&self.each, own)).collect();
        let players = players?;
        for (index, player) in players.iter().enumerate() {
            if players.iter().take(index).any(|other| other.name == player.name) {
                return Err(format!("two engines are named {}", player.name));
            }
        }
        if players.len() < 2 {
            return Err("a match takes at least two engines".to_owned());
        }
        let mut options = Options::default();
        options.set("Promotions", Some(&self.promotions))?;
        let exiled_kings = !self.plain_stalemate;
        let log = self
            .log
            .as_ref()
            .map(|path| Log::open(path).map_err(|error| format!("{}: {error}", path.display())));
        Ok(Match {
            players,
            book: Book {
                starts: self.starts(&options)?,
                random: settings::openings(&self.openings)
                    .map_err(|error| format!("--openings: {error}"))?,
                exiled_kings,
            },
            rules: Rules {
                exiled_kings,
                most_actions: (self.max_actions > 0).then_some(self.max_actions),
                resign: settings::threshold(&self.resign)
                    .map_err(|error| format!("--resign: {error}"))?,
                draw: settings::threshold(&self.draw)
                    .map_err(|error| format!("--draw: {error}"))?,
            },
            terms: Terms {
                options: vec![
                    ("Exiled Kings".to_owned(), exiled_kings.to_string()),
                    ("Promotions".to_owned(), self.promotions.clone()),
                ],
                patience: self.patience,
                longest_search: self.longest_search,
                log: log.transpose()?,
            },
            concurrency: self.concurrency,
        })
    }

    /// Plays; gives whether it came to an end.
    fn play(self, stop: &AtomicBool) -> Result<bool, String> {
        let setting = self.setting()?;
        let sprt = settings::sprt(&self.sprt).map_err(|error| format!("--sprt: {error}"))?;
        let pairs = self.games.div_ceil(2).max(1);
        let schedule =
            json!([format!("{:?}", self.tournament), self.rounds, pairs, self.promotions]);
        let all = tasks(self.tournament, setting.players.len(), self.rounds.max(1), pairs);
        let identity = identity(&setting, &schedule);
        let (mut files, earlier) = Files::open(
            self.pgn.as_deref(),
            self.json.as_deref(),
            self.resume,
            &identity,
            &all,
            &self.event,
        )?;
        let names = setting.players.iter().map(|player| player.name.clone()).collect();
        let mut standings = Standings::new(names);
        for game in &earlier {
            if let Some(task) = game.number.checked_sub(1).and_then(|index| all.get(index)) {
                standings.add(task, game.result);
            }
        }
        let left: Vec<_> = all
            .iter()
            .filter(|task| earlier.iter().all(|game| game.number != task.number))
            .copied()
            .collect();
        let decided = |standings: &Standings| {
            let pairs = standings.tally(0, 1).pairs;
            sprt.is_some_and(|sprt| sprt.verdict(&pairs) != Verdict::Open)
        };
        let screen = Screen::new(all.len(), earlier.len(), std::io::stdout().is_terminal());
        if !earlier.is_empty() {
            screen.print(&format!("{} of {} games have been played", earlier.len(), all.len()));
        }
        let mut is_over = left.is_empty() || decided(&standings);
        if !is_over {
            let mut shown = standings.games() as usize;
            let result = run(&setting, &left, stop, |finished| {
                files.add(&setting, &finished)?;
                standings.add(&finished.task, finished.record.ending.result);
                screen.print(&self.line(&setting, &finished));
                let games = standings.games() as usize;
                screen.advance(&standings.table(sprt.as_ref()));
                if !screen.is_live() && games >= shown + self.ratinginterval.max(1) {
                    shown = games;
                    screen.print(&standings.table(sprt.as_ref()));
                }
                is_over = games == all.len() || decided(&standings);
                Ok(!is_over)
            });
            if let Err(error) = result {
                screen.close();
                return Err(error);
            }
        }
        screen.close();
        println!("{}", standings.table(sprt.as_ref()));
        if !is_over {
            let (games, all) = (standings.games(), all.len());
            let hint = if self.json.is_some() { "; go on with --resume" } else { "" };
            println!("interrupted after {games} of {all} games{hint}");
        }
        Ok(is_over)
    }

    /// A game in one line.
    fn line(&self, setting: &Match, finished: &Finished) -> String {
        let Finished { task, opening, record } = finished;
        let name =
            |player: usize| setting.players.get(player).map_or("?", |player| player.name.as_str());
        let [white, black] = task.players.map(name);
        let detail = &record.ending.detail;
        let colon = if detail.is_empty() { "" } else { ": " };
        format!(
            "game {}: {white} - {black} {} ({}{colon}{detail}), {} actions, {}",
            task.number,
            record.ending.result.name(),
            record.ending.reason.name(),
            record.actions.len(),
            opening.name
        )
    }
}
