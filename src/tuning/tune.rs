//! The command `lightcone tune`: reads training games, fits the weights, writes the table.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use clap::Parser;

use super::fit::{Exact, Scales, Settings, fit, fit_scales, loss};
use super::parse_amount;
use super::progress::Progress;
use super::samples::{Sample, read};
use super::table;
use crate::evaluation::{COUNT, Centipawns, GROUPS, UNIT, WEIGHTS, Weights, group_of, name_of};
use crate::tournament::openings::Chance;
use crate::tournament::run_command;

/// Fits the weights of the evaluation to games of `lightcone selfplay`, and writes their table.
///
/// Rebuild to play with them. Weights that hardly occur in the games stay as they are, and so do
/// those that are kept.
#[derive(Debug, Parser)]
#[command(name = "lightcone tune", version, about)]
pub struct Arguments {
    /// Files of training games.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The table to write.
    #[arg(long, value_name = "FILE", default_value = "src/evaluation/table.rs")]
    out: PathBuf,
    /// The share of the search's scores in what is learnt; the rest are results of games.
    #[arg(long, default_value_t = 0.3, value_parser = parse_share)]
    lambda: f64,
    /// How strongly weights are drawn to where they were, in samples.
    #[arg(long, default_value_t = 100.0, value_parser = parse_amount)]
    l2: f64,
    /// Centipawns of static value to a logit, in place of those that fit the weights in force: the
    /// fewer, the smaller all weights become.
    #[arg(long, value_name = "CENTIPAWNS", value_parser = parse_scale)]
    scale: Option<f64>,
    /// The most epochs.
    #[arg(long, default_value_t = 200)]
    epochs: usize,
    /// A share of the games that are not learnt from, but say when to stop.
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = parse_share)]
    held_out: f64,
    /// Chooses the games that are held out.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A weight or a group of them that stays as it is. The pawn does unless others are named, so
    /// that a centipawn stays what it is.
    #[arg(long, value_name = "NAME", default_value = "material P", value_parser = parse_kept)]
    keep: Vec<Kept>,
    /// Games in which a weight has to count, or it stays as it is.
    #[arg(long, value_name = "GAMES", default_value_t = 50)]
    least_games: usize,
    /// Positions with a higher score are left out.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 2000)]
    most_score: Centipawns,
}

/// Weights that one name stands for.
#[derive(Clone, Debug)]
struct Kept(Vec<usize>);

fn parse_kept(name: &str) -> Result<Kept, String> {
    let group = |weight: usize| GROUPS.get(group_of(weight)).map_or("", |group| group.name);
    let weights: Vec<usize> =
        (0..COUNT).filter(|&weight| name_of(weight) == name || group(weight) == name).collect();
    if weights.is_empty() && name != "none" {
        return Err("there is no such weight or group; `none` keeps none".to_owned());
    }
    Ok(Kept(weights))
}

fn parse_scale(text: &str) -> Result<f64, String> {
    parse_amount(text).and_then(|scale| {
        if scale > 0.0 { Ok(scale) } else { Err("expected a number above 0".to_owned()) }
    })
}

fn parse_share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// Runs the command on its words, the first of which is its name. The exit status is 0 when the
/// table is written, 1 if it could not be, 2 for bad usage, 130 if it was interrupted.
pub fn main(words: impl IntoIterator<Item = String>) -> ExitCode {
    run_command(words, Arguments::run)
}

fn exact(weights: &Weights) -> Exact {
    weights.map(f64::from)
}

impl Arguments {
    fn run(self, stop: &AtomicBool) -> Result<bool, String> {
        let samples = read(&self.files, self.most_score)?;
        let (held_out, training): (Vec<Sample>, Vec<Sample>) =
            samples.into_iter().partition(|sample| self.is_held_out(sample.game));
        if training.is_empty() {
            return Err("there are no quiet positions to learn from".to_owned());
        }
        println!("{} positions to learn from, {} held out", training.len(), held_out.len());
        let settings = Settings {
            lambda: self.lambda,
            l2: self.l2,
            kept: self.keep.iter().flat_map(|kept| &kept.0).copied().collect(),
            least_games: self.least_games,
            epochs: self.epochs,
        };
        let initial = exact(&WEIGHTS);
        let mut scales = fit_scales(&training, &initial);
        scales.value = self.scale.unwrap_or(scales.value);
        println!(
            "a logit is {:.0} centipawns of static value, {:.0} of the search's score",
            scales.value, scales.score
        );
        let mut progress = Progress::new(self.epochs, "epochs");
        let fitted = fit(&training, &held_out, &initial, scales, &settings, |epoch| {
            progress.advance(1, || {
                format!("loss {:.6}, held out {:.6}", epoch.training, epoch.held_out)
            });
            if stop.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        drop(progress);
        if stop.load(Relaxed) {
            return Ok(false);
        }
        let weights = fitted.map(|weight| weight.round() as i32);
        show_changes(&weights);
        show_losses([&training, &held_out], &weights, scales, &settings);
        std::fs::write(&self.out, table::text(&weights))
            .map_err(|error| format!("{}: {error}", self.out.display()))?;
        println!("the table is in {}; build again to play with it", self.out.display());
        Ok(true)
    }

    /// Whole games are held out, as positions of one game are much alike.
    fn is_held_out(&self, game: usize) -> bool {
        const PARTS: u64 = 1 << 20;
        let part = Chance::new(self.seed, game as u64, 0).below(PARTS);
        (part as f64) < self.held_out * PARTS as f64
    }
}

/// Prints the weights that have changed, in centipawns.
fn show_changes(weights: &Weights) {
    let centipawns = |weight: i32| f64::from(weight) / f64::from(UNIT);
    println!("{:24} {:>9} {:>9}", "centipawns", "before", "after");
    for (weight, (&before, &after)) in WEIGHTS.iter().zip(weights).enumerate() {
        if before != after {
            let (before, after) = (centipawns(before), centipawns(after));
            println!("{:24} {before:9.2} {after:9.2}", name_of(weight));
        }
    }
}

/// Prints the losses before and after.
fn show_losses(
    [training, held_out]: [&[Sample]; 2],
    weights: &Weights,
    scales: Scales,
    settings: &Settings,
) {
    let results = Settings { lambda: 0.0, ..settings.clone() };
    println!("{:24} {:>9} {:>9}", "loss", "before", "after");
    for (name, samples, settings) in [
        ("training", training, settings),
        ("held out", held_out, settings),
        ("held out, results alone", held_out, &results),
    ] {
        if samples.is_empty() {
            continue;
        }
        let [before, after] =
            [&WEIGHTS, weights].map(|weights| loss(samples, &exact(weights), scales, settings));
        println!("{name:24} {before:9.6} {after:9.6}");
    }
}
