//! The one writer: whole lines, flushed, and a broken pipe is a quit.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The longest line of the protocol; some clients give up on longer ones.
pub const LONGEST_LINE: usize = 60_000;

/// Where lines go: standard output, or a buffer in tests; and the log file, if one is set.
#[derive(Clone)]
pub struct Output(Arc<Mutex<Sink>>);

struct Sink {
    to: Box<dyn Write + Send>,
    log: Option<File>,
    /// Errors go to standard error: a command of the terminal, not the protocol.
    errors_aside: bool,
    /// The errors reported, for commands that end with an exit status.
    errors: usize,
}

/// The longest text of an `info string` in characters.
const LONGEST_STRING: usize = 1_000;

fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(LONGEST_STRING) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()).into(),
        None => text.into(),
    }
}

impl Output {
    /// Writes the protocol to a sink.
    pub fn new(to: Box<dyn Write + Send>) -> Output {
        Output(Arc::new(Mutex::new(Sink { to, log: None, errors_aside: false, errors: 0 })))
    }

    /// Writes the results of one command to a sink, and errors to standard error.
    pub fn for_command(to: Box<dyn Write + Send>) -> Output {
        Output(Arc::new(Mutex::new(Sink { to, log: None, errors_aside: true, errors: 0 })))
    }

    fn sink(&self) -> MutexGuard<'_, Sink> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes one line, or several at once, whole and flushed. Ends the process when nobody
    /// reads any more.
    pub fn line(&self, line: &str) {
        let mut sink = self.sink();
        let mut bytes = Vec::with_capacity(line.len() + 1);
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
        if sink.to.write_all(&bytes).and_then(|()| sink.to.flush()).is_err() {
            std::process::exit(0);
        }
        if let Some(log) = &mut sink.log {
            let lines: String = line.lines().map(|line| format!("< {line}\n")).collect();
            let _ = log.write_all(lines.as_bytes());
        }
    }

    /// An `info string` line; what was read may be part of it, so it is cut where it grows too
    /// long.
    pub fn string(&self, text: &str) {
        self.line(&format!("info string {}", shortened(text)));
    }

    /// An error line.
    pub fn error(&self, text: &str) {
        let aside = {
            let mut sink = self.sink();
            sink.errors += 1;
            sink.errors_aside
        };
        if aside {
            let _ = writeln!(io::stderr(), "{}", shortened(text));
        } else {
            self.string(&format!("error: {text}"));
        }
    }

    /// How many error lines were written.
    pub fn errors(&self) -> usize {
        self.sink().errors
    }

    /// Notes a line that was read.
    pub fn log_input(&self, line: &str) {
        if let Some(log) = &mut self.sink().log {
            let _ = writeln!(log, "> {line}");
        }
    }

    /// Writes the traffic to a file from now on, behind what it holds; an empty path stops that.
    ///
    /// # Errors
    /// If the file cannot be opened; the log stays as it was.
    pub fn set_log(&self, path: &str) -> io::Result<()> {
        let log = if path.is_empty() {
            None
        } else {
            Some(File::options().create(true).append(true).open(path)?)
        };
        self.sink().log = log;
        Ok(())
    }
}
