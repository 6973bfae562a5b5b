//! What a run of SPSA has done, as JSON lines, from which it goes on.
//!
//! The first line is `{"type": "spsa", "settings": …}`; a run that goes on has to share the
//! settings. Every other is an iteration: its number `iteration`, the values tried `plus` and
//! `minus`, the games that plus has won, drawn and lost as `wins`, `draws` and `losses`, and the
//! `values` after it.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::{Trial, Variable};

/// Games as plus sees them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Won.
    pub wins: i32,
    /// Drawn.
    pub draws: i32,
    /// Lost.
    pub losses: i32,
}

/// The file of a run.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
}

/// An object of the variables' names and something of each.
fn by_name<T: Into<Value>>(variables: &[Variable], of: impl IntoIterator<Item = T>) -> Value {
    let pairs = variables.iter().zip(of).map(|(variable, of)| (variable.name.clone(), of.into()));
    Value::Object(pairs.collect::<Map<_, _>>())
}

impl Journal {
    /// Opens the file. With `resume` the variables are put where its last iteration left them, what
    /// is torn off behind it is cut away, and the number of iterations is given; without, there
    /// may be no such file yet.
    ///
    /// # Errors
    /// If the file cannot be used.
    pub fn open(
        path: &Path,
        resume: bool,
        settings: &Value,
        variables: &mut [Variable],
    ) -> Result<(Journal, u32), String> {
        let named = |error: String| format!("{}: {error}", path.display());
        let failed = |error: std::io::Error| named(error.to_string());
        let mut options = File::options();
        options.read(true).write(true);
        let file =
            if resume { options.create(true).truncate(false) } else { options.create_new(true) };
        let mut journal = Journal { file: file.open(path).map_err(failed)?, path: path.to_owned() };
        let text = std::fs::read(path).map_err(failed)?;
        let text = String::from_utf8_lossy(&text);
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut done = 0;
        for (index, line) in text.get(..whole).unwrap_or_default().lines().enumerate() {
            let bad = |error: &str| format!("{}:{}: {error}", path.display(), index + 1);
            let value: Value =
                serde_json::from_str(line).map_err(|error| bad(&error.to_string()))?;
            if index == 0 {
                if value.get("settings") != Some(settings) {
                    return Err(bad("not a run with these settings"));
                }
            } else {
                done = read_iteration(&value, variables)
                    .filter(|&number| number == done + 1)
                    .ok_or_else(|| bad("not the next iteration of this run"))?;
            }
        }
        journal.file.set_len(whole as u64).map_err(failed)?;
        journal.file.seek(SeekFrom::Start(whole as u64)).map_err(failed)?;
        if whole == 0 {
            journal.line(&json!({ "type": "spsa", "settings": settings }))?;
        }
        Ok((journal, done))
    }

    fn line(&mut self, value: &Value) -> Result<(), String> {
        let written = self.file.write_all(format!("{value}\n").as_bytes());
        written.map_err(|error| format!("{}: {error}", self.path.display()))
    }

    /// Adds an iteration, from 1, with the variables as it has left them.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(
        &mut self,
        iteration: u32,
        trial: &Trial,
        tally: Tally,
        variables: &[Variable],
    ) -> Result<(), String> {
        let Tally { wins, draws, losses } = tally;
        self.line(&json!({
            "type": "iteration",
            "iteration": iteration,
            "plus": by_name(variables, trial.plus.iter().copied()),
            "minus": by_name(variables, trial.minus.iter().copied()),
            "wins": wins,
            "draws": draws,
            "losses": losses,
            "values": by_name(variables, variables.iter().map(|variable| variable.value)),
        }))
    }
}

/// Puts the variables where an iteration left them; gives its number.
fn read_iteration(value: &Value, variables: &mut [Variable]) -> Option<u32> {
    let values = value.get("values")?;
    for variable in variables {
        variable.value = values.get(&variable.name)?.as_f64()?;
    }
    u32::try_from(value.get("iteration")?.as_u64()?).ok()
}
