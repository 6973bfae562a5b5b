//! One engine process: lines in, lines out, and its end.
//!
//! The process leads a group of its own, so that whatever it starts ends with it. Reading and
//! writing are done by threads: an engine that floods, or never reads, blocks nobody but itself.
//! What the lines mean is decided elsewhere.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};

/// Bytes of a line that are kept; the rest of a longer one is dropped.
const LONGEST_LINE: usize = 1 << 16;
/// Lines that wait to be read before the engine's output is held up.
const MOST_LINES: usize = 1024;
/// How often a wait looks whether the match is to end.
const TICK: Duration = Duration::from_millis(50);
/// How long an engine may take to end after `quit`.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Where traffic and standard error of all engines are written.
#[derive(Clone, Debug)]
pub struct Log {
    start: Instant,
    file: Arc<Mutex<File>>,
}

impl Log {
    /// Writes to the end of a file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn open(path: &Path) -> io::Result<Log> {
        let file = File::options().create(true).append(true).open(path)?;
        Ok(Log { start: Instant::now(), file: Arc::new(Mutex::new(file)) })
    }

    /// Writes a line; `mark` is `>` for sent, `<` for received, `!` for standard error.
    fn line(&self, name: &str, mark: char, line: &str) {
        let seconds = self.start.elapsed().as_secs_f64();
        let text = format!("{seconds:.3} {name} {mark} {line}\n");
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // A full disk must not end the match.
        let _ = file.write_all(text.as_bytes());
    }
}

/// A line, and when it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The text, without its end and blanks around it.
    pub text: String,
    /// When it had been read.
    pub at: Instant,
}

/// Why no line was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// Nothing came in time.
    Timeout,
    /// The output has ended.
    Ended,
    /// The match is to end.
    Interrupted,
}

/// How a process is named and started.
#[derive(Clone, Debug)]
pub struct Launch<'a> {
    /// The name for the log.
    pub name: &'a str,
    /// The program and its arguments.
    pub command: &'a [String],
    /// Where it runs, if not here.
    pub folder: Option<&'a Path>,
    /// Where traffic is written.
    pub log: Option<&'a Log>,
}

/// A running engine. It is gone, with all that it started, when this is dropped.
#[derive(Debug)]
pub struct Process {
    name: String,
    child: Child,
    input: Option<Sender<String>>,
    lines: Receiver<Line>,
    log: Option<Log>,
    ended: bool,
}

impl Process {
    /// Starts a process.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn start(launch: &Launch<'_>) -> io::Result<Process> {
        let Some((program, arguments)) = launch.command.split_first() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the command is empty"));
        };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(if launch.log.is_some() { Stdio::piped() } else { Stdio::null() });
        if let Some(folder) = launch.folder {
            command.current_dir(folder);
        }
        own_group(&mut command);
        let mut child = command.spawn()?;
        let (sender, lines) = bounded(MOST_LINES);
        let (input, to_write) = unbounded::<String>();
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (name, log) = (launch.name.to_owned(), launch.log.cloned());
        // From here on the process ends with `process`, whatever fails.
        let process =
            Process { name: name.clone(), child, input: Some(input), lines, log, ended: false };
        spawn(move || {
            let Some(mut stdin) = stdin else { return };
            for line in to_write {
                if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        })?;
        let log = launch.log.cloned();
        spawn(move || {
            let Some(stdout) = stdout else { return };
            each_line(stdout, |text| {
                let at = Instant::now();
                if let Some(log) = &log {
                    log.line(&name, '<', &text);
                }
                sender.send(Line { text, at }).is_ok()
            });
        })?;
        if let (Some(stderr), Some(log)) = (stderr, launch.log.cloned()) {
            let name = launch.name.to_owned();
            spawn(move || {
                each_line(stderr, |text| {
                    log.line(&name, '!', &text);
                    true
                });
            })?;
        }
        Ok(process)
    }

    /// Sends a line. Never waits; if the engine is gone, nothing happens.
    pub fn send(&self, line: &str) {
        if let Some(log) = &self.log {
            log.line(&self.name, '>', line);
        }
        if let Some(input) = &self.input {
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// The next line, if one came before the deadline.
    ///
    /// # Errors
    /// Why there is none.
    pub fn line(&self, deadline: Instant, stop: &AtomicBool) -> Result<Line, Silence> {
        loop {
            if stop.load(Relaxed) {
                return Err(Silence::Interrupted);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(TICK)) {
                // What came too late is left to be read with a later deadline.
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended),
                Err(RecvTimeoutError::Timeout) if left <= TICK => return Err(Silence::Timeout),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Asks the engine to quit, and ends it if it does not.
    pub fn quit(mut self) {
        self.send("quit");
        // The writer closes the engine's input when it has written that.
        self.input = None;
        let deadline = Instant::now() + LAST_WORDS;
        let never = AtomicBool::new(false);
        while self.line(deadline, &never).is_ok() && Instant::now() < deadline {}
        self.end();
    }

    /// Ends the engine and everything in its group; says how the engine itself ended.
    pub fn end(&mut self) -> String {
        if self.ended {
            return "ended".to_owned();
        }
        self.ended = true;
        self.input = None;
        // A process that has closed its output is about to end: its own status says more.
        // It is not reaped before the group is killed, so its number cannot be another's yet.
        if matches!(self.lines.try_recv(), Err(crossbeam_channel::TryRecvError::Disconnected)) {
            std::thread::sleep(Duration::from_millis(20));
        }
        kill_group(&mut self.child);
        match self.child.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

fn spawn(run: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name("engine".to_owned()).spawn(run).map(drop)
}

#[cfg(unix)]
fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn own_group(_: &mut Command) {}

#[cfg(unix)]
fn kill_group(child: &mut Child) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    let group = i32::try_from(child.id()).ok().filter(|&group| group > 1);
    if group.is_none_or(|group| killpg(Pid::from_raw(group), Signal::SIGKILL).is_err()) {
        let _ = child.kill();
    }
}

#[cfg(not(unix))]
fn kill_group(child: &mut Child) {
    let _ = child.kill();
}

/// Cuts a stream into lines, without ever holding more than [`LONGEST_LINE`] of one. Ends with the
/// stream, or when nobody wants more.
fn each_line(stream: impl Read, mut take: impl FnMut(String) -> bool) {
    let mut reader = BufReader::new(stream);
    let mut line: Vec<u8> = Vec::new();
    let mut text = |line: &mut Vec<u8>| {
        let text = String::from_utf8_lossy(line).trim().to_owned();
        line.clear();
        take(text)
    };
    loop {
        let chunk = match io::BufRead::fill_buf(&mut reader) {
            Ok([]) | Err(_) => break,
            Ok(chunk) => chunk,
        };
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = chunk.get(..end.unwrap_or(chunk.len())).unwrap_or_default();
        let room = LONGEST_LINE.saturating_sub(line.len()).min(part.len());
        line.extend_from_slice(part.get(..room).unwrap_or_default());
        let used = end.map_or(chunk.len(), |end| end + 1);
        io::BufRead::consume(&mut reader, used);
        if end.is_some() && !text(&mut line) {
            return;
        }
    }
    if !line.is_empty() {
        text(&mut line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_cut_into_bounded_lines() {
        let long = "x".repeat(3 * LONGEST_LINE);
        let text = format!("one\r\n\n{long}\ntwo \u{e9}\nlast");
        let mut lines = Vec::new();
        each_line(text.as_bytes(), |line| {
            lines.push(line);
            true
        });
        assert_eq!(lines.len(), 5);
        assert_eq!((lines[0].as_str(), lines[1].as_str()), ("one", ""));
        assert_eq!(lines[2].len(), LONGEST_LINE);
        assert_eq!((lines[3].as_str(), lines[4].as_str()), ("two \u{e9}", "last"));
    }
}
