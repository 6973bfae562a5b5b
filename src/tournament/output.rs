//! Where results go: the terminal, the file of records, the JSON lines; and how a match resumes.
//!
//! A game is in both files or, after an accident, cut out of both: its record is written first,
//! its JSON line names the length that the file of records has with it.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;

use super::records::{Earlier, header, read_earlier, to_json, to_pgn};
use super::schedule::{Finished, Match, Task};

/// The files of a match.
#[derive(Debug, Default)]
pub struct Files {
    pgn: Option<File>,
    json: Option<File>,
    event: String,
}

impl Files {
    /// Opens the files. With `resume` the games that are there are kept and given, and what is
    /// torn off behind them is cut away; without, records are added to those of earlier matches,
    /// and there may be no JSON lines yet.
    ///
    /// # Errors
    /// If a file cannot be used.
    pub fn open(
        pgn: Option<&Path>,
        json: Option<&Path>,
        resume: bool,
        identity: &Value,
        tasks: &[Task],
        event: &str,
    ) -> Result<(Files, Vec<Earlier>), String> {
        let open = |path: &Path| {
            let file =
                File::options().read(true).write(true).create(true).truncate(false).open(path);
            file.map_err(|error| format!("{}: {error}", path.display()))
        };
        let mut files = Files { event: event.to_owned(), ..Files::default() };
        let mut earlier = Vec::new();
        if let Some(path) = json {
            let named = |error: String| format!("{}: {error}", path.display());
            let mut file = open(path)?;
            let text = std::fs::read(path).map_err(|error| named(error.to_string()))?;
            let text = String::from_utf8_lossy(&text);
            let mut end = 0;
            if resume {
                (earlier, end) = read_earlier(&text, identity, tasks).map_err(named)?;
            } else if !text.is_empty() {
                return Err(named("there already; go on with --resume, or remove it".to_owned()));
            }
            cut(&mut file, end as u64).map_err(|error| named(error.to_string()))?;
            if end == 0 {
                write_line(&mut file, &header(identity, SystemTime::now()).to_string())
                    .map_err(|error| named(error.to_string()))?;
            }
            files.json = Some(file);
        }
        if let Some(path) = pgn {
            let mut file = open(path)?;
            let length = file.metadata().map(|data| data.len()).unwrap_or(0);
            let known = earlier.iter().filter_map(|game| game.pgn_end).max();
            let end = known.map_or(length, |known| known.min(length));
            cut(&mut file, end).map_err(|error| format!("{}: {error}", path.display()))?;
            files.pgn = Some(file);
        }
        Ok((files, earlier))
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If a file cannot be written: a match whose games are lost must not go on.
    pub fn add(&mut self, setting: &Match, finished: &Finished) -> Result<(), String> {
        let now = SystemTime::now();
        let mut end = None;
        let failed = |error: std::io::Error| format!("cannot write the games: {error}");
        if let Some(file) = &mut self.pgn {
            let text = to_pgn(setting, finished, &self.event, now);
            file.write_all(text.as_bytes()).map_err(failed)?;
            end = Some(file.stream_position().map_err(failed)?);
        }
        if let Some(file) = &mut self.json {
            let line = to_json(setting, finished, now, end).to_string();
            write_line(file, &line).map_err(failed)?;
        }
        Ok(())
    }
}

/// Drops everything from `end` on, and goes there.
fn cut(file: &mut File, end: u64) -> std::io::Result<()> {
    file.set_len(end)?;
    file.seek(SeekFrom::Start(end)).map(drop)
}

/// Writes a line in one piece.
fn write_line(file: &mut File, line: &str) -> std::io::Result<()> {
    file.write_all(format!("{line}\n").as_bytes())
}

/// The terminal: a progress bar under the lines if there is one, the lines alone otherwise.
#[derive(Debug)]
pub struct Screen {
    bar: Option<ProgressBar>,
}

impl Screen {
    /// For a match of `games` games, of which `played` are over.
    pub fn new(games: usize, played: usize, terminal: bool) -> Screen {
        let bar = terminal.then(|| {
            let bar = ProgressBar::new(games as u64).with_position(played as u64);
            let template =
                "{bar:30} {pos}/{len} games {elapsed_precise} (left {eta_precise})\n{msg}";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        Screen { bar }
    }

    /// Whether there is a table that is kept up to date.
    pub fn is_live(&self) -> bool {
        self.bar.is_some()
    }

    /// Prints lines that stay.
    pub fn print(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => {
                // Nobody may be reading any more; the match goes on for its files.
                let _ = writeln!(std::io::stdout(), "{text}");
            }
        }
    }

    /// A game is over; shows the table where it is live.
    pub fn advance(&self, table: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(table.to_owned());
            bar.inc(1);
        }
    }

    /// Takes the bar away.
    pub fn close(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
