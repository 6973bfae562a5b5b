//! The command `lightcone selfplay`: plays games on all cores and writes them in the order of
//! their numbers, so that the file depends on the settings alone.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use clap::Parser;
use crossbeam_channel::{Receiver, unbounded};

use super::parse_variant;
use super::progress::Progress;
use super::selfplay::Setting;
use crate::search;
use crate::tournament::openings::{Random, Start};
use crate::tournament::run_command;

/// What is played where nothing is asked for: the standard ones most, small boards, several
/// timelines at the start, and every kind of piece somewhere.
const VARIANTS: [&str; 20] = [
    "Standard - Turn Zero",
    "Standard",
    "Very Small - Open",
    "Standard - Two Timelines",
    "Small",
    "Standard - Turn Zero",
    "Standard - Princess",
    "Simple - Simple Set",
    "Misc - Timeline Invasion",
    "Standard - Half Reflected",
    "Standard - Turn Zero",
    "Standard",
    "Standard - Reversed Royalty",
    "Very Small",
    "Focused - Just Unicorns",
    "Standard - Turn Zero",
    "Misc - Excessive",
    "Standard - Defended Pawn",
    "Focused - Just Dragons",
    "Focused - Just Brawns",
];

/// Writes games of the engine against itself, for `lightcone tune` to learn from.
///
/// The same settings and seed give the same file, whatever the number of cores.
#[derive(Debug, Parser)]
#[command(name = "lightcone selfplay", version, about)]
pub struct Arguments {
    /// Games to play.
    #[arg(long, default_value_t = 1000)]
    games: usize,
    /// Where chance begins.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to write; it must not be there yet.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Nodes for each action.
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(i64).range(1..))]
    nodes: i64,
    /// A variant to start from; several are taken in turn. Without one, a mixture.
    #[arg(long, value_name = "NAME", value_parser = parse_variant)]
    variant: Vec<Start>,
    /// Actions by chance at the start.
    #[arg(long, value_name = "ACTIONS", default_value_t = 6)]
    random: usize,
    /// The most centipawns that a short search may give either side after those.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 600)]
    balance: u32,
    /// A draw after so many actions of both sides.
    #[arg(long, value_name = "ACTIONS", default_value_t = 200)]
    most_actions: usize,
    /// Games at a time; all cores if it is not given.
    #[arg(long, value_name = "GAMES")]
    concurrency: Option<usize>,
}

/// Runs the command on its words, the first of which is its name. The exit status is 0 when all
/// games are written, 1 if they could not be, 2 for bad usage, 130 if it was interrupted.
pub fn main(words: impl IntoIterator<Item = String>) -> ExitCode {
    run_command(words, Arguments::run)
}

/// A game as a line; none if it was interrupted.
type Line = Result<Option<String>, String>;

impl Arguments {
    fn setting(&self) -> Result<Setting, String> {
        let mut starts = self.variant.clone();
        if starts.is_empty() {
            starts = VARIANTS.iter().map(|name| parse_variant(name)).collect::<Result<_, _>>()?;
        }
        Ok(Setting {
            starts,
            random: Random { actions: self.random, seed: self.seed, balance: Some(self.balance) },
            nodes: self.nodes,
            most_actions: self.most_actions,
        })
    }

    fn run(self, stop: &AtomicBool) -> Result<bool, String> {
        let setting = self.setting()?;
        let named = |error: std::io::Error| format!("{}: {error}", self.out.display());
        let mut file = File::create_new(&self.out).map_err(named)?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.concurrency.unwrap_or(cores).clamp(1, self.games.max(1));
        let next = AtomicUsize::new(0);
        let (sender, lines) = unbounded();
        let work = |sender: crossbeam_channel::Sender<(usize, Line)>| {
            loop {
                let number = next.fetch_add(1, Relaxed);
                if number >= self.games || stop.load(Relaxed) {
                    break;
                }
                let game = setting.play(number, stop);
                let line = game.map(|game| game.map(|game| game.to_line()));
                if sender.send((number, line)).is_err() {
                    break;
                }
            }
        };
        let written = std::thread::scope(|scope| {
            for worker in 0..threads {
                let thread = std::thread::Builder::new().name("selfplay".to_owned());
                let thread = thread.stack_size(search::STACK);
                let (work, sender) = (&work, sender.clone());
                match thread.spawn_scoped(scope, move || work(sender)) {
                    Ok(_) => {}
                    Err(error) if worker == 0 => return Err(error.to_string()),
                    // Fewer games at a time will do.
                    Err(error) => log::warn!("cannot start another thread: {error}"),
                }
            }
            // The channel ends with the last worker.
            drop(sender);
            let written = self.write(&mut file, &lines, named);
            // Whatever is under way when the file cannot be written is of no use.
            stop.fetch_or(written.is_err(), Relaxed);
            written
        })?;
        println!("{written} games are in {}", self.out.display());
        Ok(written == self.games)
    }

    /// Writes games in their order as they come, each in one piece; gives how many.
    fn write(
        &self,
        file: &mut File,
        lines: &Receiver<(usize, Line)>,
        named: impl Fn(std::io::Error) -> String,
    ) -> Result<usize, String> {
        let mut progress = Progress::new(self.games, "games");
        let mut early = BTreeMap::new();
        let mut written = 0;
        for (number, line) in lines {
            let Some(line) = line? else { continue };
            early.insert(number, line);
            let before = written;
            while let Some(line) = early.remove(&written) {
                file.write_all(format!("{line}\n").as_bytes()).map_err(&named)?;
                written += 1;
            }
            progress.advance(written - before, String::new);
        }
        Ok(written)
    }
}
