//! The command: plays the games of each iteration with two processes of this program.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Parser;
use serde_json::json;

use super::journal::{Journal, Tally};
use super::{Gains, Trial, Variable, learn, trial};
use crate::actions::GameResult;
use crate::board::Colour;
use crate::search::{PARAMETERS, Parameter};
use crate::tournament::engine::{Dialect, Player, Terms};
use crate::tournament::openings::{Book, Random, Start};
use crate::tournament::referee::Rules;
use crate::tournament::run_command;
use crate::tournament::schedule::{self, Format, Match};
use crate::tournament::settings::player;
use crate::tuning::progress::Progress;
use crate::tuning::{parse_amount, parse_variant};
use crate::variants;

/// The most centipawns that a short search may give either side of an opening.
const BALANCE: u32 = 200;

/// Tunes the parameters of the search by games (SPSA). Needs a build with the feature `tuning`.
#[derive(Debug, Parser)]
#[command(name = "lightcone spsa", version, about)]
pub struct Arguments {
    /// Iterations of the whole run.
    #[arg(long, default_value_t = 500)]
    iterations: u32,
    /// Pairs of games in an iteration, with colours swapped.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,
    /// How the thinking of both sides is bounded, as `lightcone match` takes it: tc=5+0.05.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., default_value = "nodes=3000")]
    each: Vec<String>,
    /// A parameter to tune; all if none is named.
    #[arg(long, value_name = "NAME", value_parser = parse_parameter)]
    parameter: Vec<&'static Parameter>,
    /// How much of its step a parameter moves for each game won, in the last iteration.
    #[arg(long, default_value_t = 0.01, value_parser = parse_amount)]
    rate: f64,
    /// A variant to start from; several are taken in turn.
    #[arg(long, value_name = "NAME", value_parser = parse_variant, default_value = variants::STARTPOS)]
    variant: Vec<Start>,
    /// Actions by chance at the start of a game.
    #[arg(long, value_name = "ACTIONS", default_value_t = 4)]
    random: usize,
    /// Where chance begins.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A draw after so many actions of both sides.
    #[arg(long, value_name = "ACTIONS", default_value_t = 200)]
    most_actions: u32,
    /// Games at a time; all cores if it is not given.
    #[arg(long, value_name = "GAMES")]
    concurrency: Option<usize>,
    /// The file of iterations to write, as JSON lines.
    #[arg(long, value_name = "FILE")]
    json: PathBuf,
    /// Goes on with the run in that file, under the same settings.
    #[arg(long)]
    resume: bool,
}

fn parse_parameter(name: &str) -> Result<&'static Parameter, String> {
    let found = PARAMETERS.iter().find(|parameter| parameter.name.eq_ignore_ascii_case(name));
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = PARAMETERS.iter().map(|parameter| parameter.name).collect();
        format!("there are: {}", names.join(", "))
    })
}

/// Runs the command on its words, the first of which is its name. The exit status is 0 when all
/// iterations are done, 1 if they could not be, 2 for bad usage, 130 if it was interrupted.
pub fn main(words: impl IntoIterator<Item = String>) -> ExitCode {
    run_command(words, Arguments::run)
}

impl Arguments {
    fn variables(&self) -> Vec<Variable> {
        let chosen = if self.parameter.is_empty() { PARAMETERS } else { &self.parameter };
        let variable = |parameter: &&Parameter| Variable {
            name: parameter.name.to_owned(),
            value: parameter.default.into(),
            least: parameter.least,
            most: parameter.most,
            step: parameter.step.into(),
        };
        chosen.iter().map(variable).collect()
    }

    fn run(self, stop: &AtomicBool) -> Result<bool, String> {
        if !cfg!(feature = "tuning") {
            return Err("the parameters of this build are constants; \
                        build it with --features tuning"
                .to_owned());
        }
        let gains = Gains { iterations: self.iterations, rate: self.rate };
        let mut variables = self.variables();
        let starts: Vec<&str> = self.variant.iter().map(|start| start.name.as_str()).collect();
        let settings = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "iterations": self.iterations, "pairs": self.pairs, "each": self.each,
            "rate": self.rate, "variants": starts, "random": self.random, "seed": self.seed,
            "most_actions": self.most_actions,
            "parameters": variables.iter().map(|variable| json!([
                variable.name, variable.value, variable.least, variable.most, variable.step
            ])).collect::<Vec<_>>(),
        });
        let mut setting = self.setting()?;
        let (mut journal, done) =
            Journal::open(&self.json, self.resume, &settings, &mut variables)?;
        let mut progress = Progress::new(self.iterations as usize, "iterations");
        progress.advance(done as usize, String::new);
        for iteration in done + 1..=self.iterations {
            let trial = trial(&variables, gains, iteration, self.seed);
            let Some(tally) = self.play(&mut setting, iteration, &trial, &variables, stop)? else {
                drop(progress);
                println!(
                    "interrupted after {} of {} iterations; go on with --resume",
                    iteration - 1,
                    self.iterations
                );
                return Ok(false);
            };
            learn(&mut variables, gains, iteration, &trial, tally.wins - tally.losses);
            journal.add(iteration, &trial, tally, &variables)?;
            progress.advance(1, || {
                let values = variables.iter().map(|variable| format!("{:.1}", variable.value));
                values.collect::<Vec<_>>().join(" ")
            });
        }
        drop(progress);
        println!("{:24} {:>9} {:>9}", "parameter", "before", "after");
        for (variable, before) in variables.iter().zip(self.variables()) {
            println!("{:24} {:9} {:9.1}", variable.name, before.value, variable.value);
        }
        Ok(true)
    }

    /// A match of this program against itself; the parameters are still to be set.
    fn setting(&self) -> Result<Match, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let program = program.to_str().ok_or("the path of this program is not UTF-8")?;
        let side = |name: &str| -> Result<Player, String> {
            let own = format!("name={name},cmd={name},proto=uci");
            let mut player =
                player(&self.each, &own).map_err(|error| format!("--each: {error}"))?;
            player.command = vec![program.to_owned()];
            player.dialect = Dialect::Uci.into();
            Ok(player)
        };
        let random = Random { actions: self.random, seed: self.seed, balance: Some(BALANCE) };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Match {
            players: vec![side("plus")?, side("minus")?],
            book: Book { starts: self.variant.clone(), random: Some(random), exiled_kings: true },
            rules: Rules {
                exiled_kings: true,
                most_actions: Some(self.most_actions),
                resign: None,
                draw: None,
            },
            terms: Terms {
                options: Vec::new(),
                patience: Duration::from_secs(10),
                longest_search: Duration::from_secs(600),
                log: None,
            },
            concurrency: self.concurrency.unwrap_or(cores),
        })
    }

    /// Plays the games of an iteration; none if it was interrupted.
    fn play(
        &self,
        setting: &mut Match,
        iteration: u32,
        trial: &Trial,
        variables: &[Variable],
        stop: &AtomicBool,
    ) -> Result<Option<Tally>, String> {
        for (player, values) in setting.players.iter_mut().zip([&trial.plus, &trial.minus]) {
            player.options.retain(|(name, _)| variables.iter().all(|other| other.name != *name));
            let options = variables.iter().zip(values);
            let options =
                options.map(|(variable, value)| (variable.name.clone(), value.to_string()));
            player.options.extend(options);
        }
        // No opening is played in two iterations.
        let pairs = self.pairs as usize;
        let mut tasks = schedule::tasks(Format::RoundRobin, 2, 1, pairs);
        for task in &mut tasks {
            task.opening += (iteration as usize - 1) * pairs;
        }
        let mut tally = Tally::default();
        let mut played = 0;
        schedule::run(setting, &tasks, stop, |finished| {
            let plus = if finished.task.players == [0, 1] { Colour::White } else { Colour::Black };
            match finished.record.ending.result {
                GameResult::Win(winner) if winner == plus => tally.wins += 1,
                GameResult::Win(_) => tally.losses += 1,
                GameResult::Draw | GameResult::Open => tally.draws += 1,
            }
            played += 1;
            Ok(true)
        })?;
        Ok((played == tasks.len()).then_some(tally))
    }
}
