//! A running program and what can be asked of it.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// A program that says nothing for so long hangs.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// The binary under test.
pub const BINARY: &str = env!("CARGO_BIN_EXE_lightcone");

/// The program in its protocol loop. Killed when dropped.
pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    pub fn start() -> Engine {
        Engine::spawn(&mut Command::new(BINARY))
    }

    /// Starts a program by a command of one's own.
    pub fn spawn(command: &mut Command) -> Engine {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let output = child.stdout.take().unwrap();
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                if sender.send(line.unwrap()).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Engine { child, input, lines }
    }

    /// Starts a program and sends it lines.
    pub fn with(text: &str) -> Engine {
        let mut engine = Engine::start();
        engine.send(text);
        engine
    }

    /// Sends a line, or several in one write.
    pub fn send(&mut self, text: &str) {
        self.send_bytes(format!("{text}\n").as_bytes());
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).and_then(|()| input.flush()).unwrap();
    }

    /// The next line.
    pub fn line(&mut self) -> String {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => panic!("no line came in {PATIENCE:?}"),
            Err(RecvTimeoutError::Disconnected) => panic!("the output ended"),
        }
    }

    /// The lines up to one that starts with `prefix`, that one included.
    pub fn until(&mut self, prefix: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            let last = line.starts_with(prefix);
            lines.push(line);
            if last {
                return lines;
            }
        }
    }

    /// What is printed until everything sent has been dealt with.
    pub fn rest(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        assert_eq!(lines.pop().as_deref(), Some("readyok"));
        lines
    }

    /// What is printed on a line that is answered in turn.
    pub fn ask(&mut self, text: &str) -> Vec<String> {
        self.send(text);
        self.rest()
    }

    /// Sends a `go`, or lines that end with one; the answer, and the lines before it.
    pub fn go(&mut self, text: &str) -> (String, Vec<String>) {
        self.send(text);
        self.answer()
    }

    /// The answer of the search under way, and the lines before it.
    pub fn answer(&mut self) -> (String, Vec<String>) {
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            if line.starts_with("bestmove") || line == "nobestmove" {
                return (line, lines);
            }
            lines.push(line);
        }
    }

    /// Whether nothing but `info` lines comes for a while.
    pub fn gives_no_answer_for(&mut self, time: Duration) -> bool {
        let end = Instant::now() + time;
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            match self.lines.recv_timeout(left) {
                Ok(line) if line.starts_with("info ") => {}
                Ok(_) | Err(RecvTimeoutError::Disconnected) => return false,
                Err(RecvTimeoutError::Timeout) => break,
            }
        }
        true
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Closes the input.
    pub fn end_input(&mut self) {
        self.input = None;
    }

    /// Waits for the end of the program.
    pub fn status(&mut self) -> ExitStatus {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            thread::sleep(Duration::from_millis(1));
        }
        panic!("the program does not end");
    }

    /// The lines still to come, to the end of the output.
    pub fn remaining(&mut self) -> Vec<String> {
        self.status();
        self.lines.iter().collect()
    }

    /// Quits; gives the lines printed since the last one read. The program ends without fault.
    pub fn quit(mut self) -> Vec<String> {
        self.send("quit");
        let lines = self.remaining();
        assert_eq!(self.status().code(), Some(0));
        lines
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How a command given as arguments went.
#[derive(Debug)]
pub struct Outcome {
    pub output: String,
    pub errors: String,
    pub code: Option<i32>,
}

/// Runs the binary to its end on arguments and an input.
pub fn run(arguments: &[&str], input: &[u8]) -> Outcome {
    let mut child = Command::new(BINARY)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A program that needs no input may be gone before it is written.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let mut stdout = child.stdout.take().unwrap();
    let mut stderr = child.stderr.take().unwrap();
    let (sender, ended) = channel();
    let reader = thread::spawn(move || {
        let (mut output, mut errors) = (String::new(), String::new());
        stdout.read_to_string(&mut output).unwrap();
        stderr.read_to_string(&mut errors).unwrap();
        let _ = sender.send(());
        (output, errors)
    });
    if ended.recv_timeout(2 * PATIENCE).is_err() {
        child.kill().unwrap();
        panic!("{arguments:?} does not end");
    }
    let (output, errors) = reader.join().unwrap();
    writer.join().unwrap();
    let code = child.wait().unwrap().code();
    Outcome { output, errors, code }
}

/// The output of a pipe of lines, which ends without fault.
pub fn pipe(text: &str) -> Vec<String> {
    let outcome = run(&[], text.as_bytes());
    assert_eq!((outcome.code, outcome.errors.as_str()), (Some(0), ""), "{text}");
    outcome.output.lines().map(str::to_owned).collect()
}

/// The lines that answer a `go`.
pub fn answers(lines: &[String]) -> Vec<&str> {
    let is_answer = |line: &&str| line.starts_with("bestmove") || *line == "nobestmove";
    lines.iter().map(String::as_str).filter(is_answer).collect()
}

/// The value of a line such as `Key: 0123` that comes exactly once.
pub fn value(lines: &[String], name: &str) -> String {
    let prefix = format!("{name}:");
    let found: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix(&prefix)).collect();
    assert_eq!(found.len(), 1, "{name} in {lines:?}");
    found[0].trim().to_owned()
}

/// Whether some line contains the text.
pub fn says(lines: &[String], text: &str) -> bool {
    lines.iter().any(|line| line.contains(text))
}
