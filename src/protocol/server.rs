//! The loop that owns the state.
//!
//! One thread reads lines and hands them over; this one answers them in order; a search runs on a
//! thread of its own ([`running`](super::running)).

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crossbeam_channel::{Receiver, never, select, unbounded};

use super::commands::{self, Context};
use super::output::Output;
use super::running::{Dialect, Job, Running};
use super::words::{Command, Go, parse};
use crate::actions::Action;
use crate::search::{Budget, Clock, Settings, Table};
use crate::session::{Change, Game, Kind, Options, parse_action, parse_position, settings};
use crate::variants;

/// Why a command given as arguments did not work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The input was bad; the message is on standard error.
    Input,
    /// There is no such command.
    Usage,
}

struct Server {
    output: Output,
    options: Options,
    dialect: Dialect,
    /// `Disputed Moves` as it was set, if it was: the dialect has its own default.
    disputed_moves: Option<bool>,
    game: Game,
    table: Arc<Mutex<Table>>,
    /// Whether the table has its size.
    prepared: bool,
    running: Option<Running>,
    /// Options set during a search.
    deferred: Vec<(String, Option<String>)>,
    /// When a search that went on pondering has to end.
    timer: Option<Instant>,
    /// Whether the last `position` was refused and no `go` has said so yet.
    refused: bool,
    debug: bool,
    /// Lines that wait for the end of the search, after `wait`.
    backlog: VecDeque<Line>,
    waiting: bool,
}

/// A line of input, and a flag that a later `stop` raises.
struct Line {
    text: String,
    interrupt: Arc<AtomicBool>,
}

/// Answers the lines of `input` until `quit` or its end.
pub fn serve(input: impl Read + Send + 'static, output: Output) {
    let lines = read_lines(input);
    Server::new(output).run(&lines);
}

/// Runs one command, given as words, and waits for its end.
///
/// # Errors
/// If the command or its input was bad.
pub fn run_command(words: &[String], output: Output) -> Result<(), Failure> {
    const POSITION: [&str; 7] = ["startpos", "variant", "size", "odd", "even", "fen", "moves"];
    let mut server = Server::new(output);
    let interrupt = AtomicBool::new(false);
    if let Some((word @ ("load" | "status"), files)) =
        words.split_first().map(|(word, files)| (word.as_str(), files))
    {
        // The names of files may hold blanks.
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        server.terminal(word, &files, &interrupt);
        return server.outcome();
    }
    let line = words.join(" ");
    let words: Vec<&str> = line.split_whitespace().collect();
    let starts = |word: &&str| POSITION.contains(word) || word.starts_with('[');
    let at = match words.split_first() {
        // The first word is the command: `fen` is one too.
        Some((&first, rest)) if first != "position" => {
            rest.iter().position(starts).map_or(words.len(), |at| at + 1)
        }
        _ => words.len(),
    };
    let (command, position) = words.split_at(at);
    let line = command.join(" ");
    let command = parse(&line);
    match &command {
        Command::Unknown(_) | Command::Nothing => return Err(Failure::Usage),
        Command::Go(go) if go.perft.is_none() && (go.is_infinite() || go.limits.ponder) => {
            server.output.error("go: expected a limit, as nothing can stop the search");
        }
        _ => {}
    }
    if server.output.errors() == 0 && !position.is_empty() {
        server.position(position);
    }
    if server.output.errors() == 0 {
        server.answer(command, &interrupt);
        server.wait_for_search();
    }
    server.outcome()
}

/// Reads lines on a thread of its own. Bytes that are no text become replacement characters.
///
/// A `stop` is noticed here at once too, for commands that run on the server's own thread: it cuts
/// short those before it, back to the last `go`, which is what it is meant for otherwise.
fn read_lines(input: impl Read + Send + 'static) -> Receiver<Line> {
    let (sender, receiver) = unbounded();
    let read = move || {
        let mut input = BufReader::new(input);
        let mut bytes = Vec::new();
        let mut interrupt = Arc::new(AtomicBool::new(false));
        loop {
            bytes.clear();
            match input.read_until(b'\n', &mut bytes) {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
            let text = String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_owned();
            match parse(&text) {
                Command::Stop => {
                    interrupt.store(true, Relaxed);
                    interrupt = Arc::default();
                }
                Command::Go(_) => interrupt = Arc::default(),
                _ => {}
            }
            if sender.send(Line { text, interrupt: Arc::clone(&interrupt) }).is_err() {
                break;
            }
        }
    };
    // Without a thread to read there is no input: the loop ends at once.
    let _ = std::thread::Builder::new().name("input".to_owned()).spawn(read);
    receiver
}

impl Server {
    fn new(output: Output) -> Server {
        let options = Options::default();
        let start =
            variants::find(variants::STARTPOS).and_then(|variant| variant.multiverse().ok());
        let empty =
            crate::multiverse::Multiverse::new(crate::board::Size { width: 8, height: 8 }, false);
        Server {
            output,
            dialect: Dialect::Uci,
            disputed_moves: None,
            game: Game::new(variants::STARTPOS, start.unwrap_or(empty)),
            table: Arc::new(Mutex::new(Table::default())),
            prepared: false,
            options,
            running: None,
            deferred: Vec::new(),
            timer: None,
            refused: false,
            debug: false,
            backlog: VecDeque::new(),
            waiting: false,
        }
    }

    fn run(&mut self, lines: &Receiver<Line>) {
        loop {
            if !self.waiting
                && let Some(line) = self.backlog.pop_front()
            {
                if !self.line(&line) {
                    return;
                }
                continue;
            }
            let done = self.running.as_ref().map_or_else(never, Running::done);
            let timer = match self.timer {
                Some(at) => crossbeam_channel::at(at),
                None => never(),
            };
            select! {
                recv(lines) -> line => match line {
                    Ok(line) => {
                        self.output.log_input(&line.text);
                        if self.waiting && !is_urgent(&line.text) {
                            let last = parse(&line.text) == Command::Quit;
                            self.backlog.push_back(line);
                            if last {
                                return self.end_of_input();
                            }
                        } else if !self.line(&line) {
                            return;
                        }
                    }
                    Err(_) => return self.end_of_input(),
                },
                recv(done) -> _ => self.search_ended(),
                recv(timer) -> _ => {
                    self.timer = None;
                    if let Some(running) = &self.running {
                        running.stop();
                    }
                }
            }
        }
    }

    /// The end of input is a quit; but what `wait` has kept back is still done, and no search is
    /// waited for that would not end.
    fn end_of_input(&mut self) {
        loop {
            if self.waiting {
                if self.running.as_ref().is_some_and(Running::is_endless) {
                    self.stop();
                }
                self.wait_for_search();
            }
            match self.backlog.pop_front() {
                Some(line) if self.line(&line) => {}
                Some(_) => return,
                None => return self.quit(),
            }
        }
    }

    /// Answers a line. Returns false after `quit`.
    fn line(&mut self, line: &Line) -> bool {
        if self.running.as_ref().is_some_and(|running| running.done().try_recv().is_ok()) {
            self.search_ended();
        }
        let command = parse(&line.text);
        if command == Command::Quit {
            self.quit();
            return false;
        }
        self.answer(command, &line.interrupt);
        true
    }

    fn answer(&mut self, command: Command<'_>, interrupt: &AtomicBool) {
        match command {
            Command::Nothing | Command::Quit => {}
            Command::Uci => self.handshake(Dialect::Uci),
            Command::FiveDUci => self.handshake(Dialect::FiveDUci),
            Command::IsReady => {
                self.prepare();
                self.output.line("readyok");
            }
            Command::NewGame => {
                self.finish_search();
                self.prepare();
                self.lock_table().clear();
            }
            Command::SetOption { name, value } => {
                // A variant is a position, which disturbs no search.
                if self.running.is_some() && !name.eq_ignore_ascii_case("UCI_Variant") {
                    let text = format!("option {name} will be set when the search has ended");
                    self.output.string(&text);
                    self.deferred.push((name, value));
                } else if let Err(error) = self.set_option(&name, value.as_deref()) {
                    self.output.error(&error);
                }
            }
            Command::Position(words) => self.position(&words),
            Command::Go(go) => self.go(&go, interrupt),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Debug(on) => self.debug = on,
            Command::Wait => self.waiting = self.running.is_some(),
            Command::Terminal(word, words) => self.terminal(word, &words, interrupt),
            Command::Unknown(word) => {
                let word: String = word.chars().take(40).collect();
                self.output.error(&format!("{word:?} is not a command; try help"));
            }
        }
    }

    /// Allocates the table if that has not been done: not at the very start, so that commands
    /// which need none are quick, but before a clock runs.
    fn prepare(&mut self) {
        if !self.prepared && self.running.is_none() {
            *self.lock_table() = Table::new(self.options.hash).unwrap_or_default();
            self.prepared = true;
        }
    }

    fn handshake(&mut self, dialect: Dialect) {
        self.prepare();
        self.dialect = dialect;
        self.output.line(&format!("id name Lightcone {}", env!("CARGO_PKG_VERSION")));
        self.output.line("id author the Lightcone developers");
        for mut setting in settings() {
            if setting.name == "Disputed Moves" {
                setting.kind = Kind::Check(dialect.plays_disputed_moves());
            }
            self.output.line(&setting.describe());
        }
        self.output.line(match dialect {
            Dialect::Uci => "uciok",
            Dialect::FiveDUci => "5duciok",
        });
    }

    fn quit(&mut self) {
        self.finish_search();
        if self.dialect == Dialect::FiveDUci {
            self.output.line("bye");
        }
    }

    /// How a command given as arguments went.
    fn outcome(&self) -> Result<(), Failure> {
        if self.output.errors() == 0 { Ok(()) } else { Err(Failure::Input) }
    }

    fn lock_table(&self) -> std::sync::MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        let mut options = self.options.clone();
        let change = options.set(name, value)?;
        if options.promotions != self.options.promotions {
            self.game
                .set_promotions(options.promotions)
                .map_err(|error| format!("option Promotions keeps its value: {error}"))?;
        }
        match change {
            Change::Plain => {}
            Change::Hash => {
                *self.lock_table() = Table::new(options.hash)
                    .ok_or_else(|| format!("there is no memory for a Hash of {}", options.hash))?;
                self.prepared = true;
            }
            Change::Rules | Change::Clear => self.lock_table().clear(),
            Change::Log => {
                let path = &options.debug_log;
                self.output
                    .set_log(path)
                    .map_err(|error| format!("cannot write to {path:?}: {error}"))?;
            }
            Change::Variant(name) => {
                let mut words = vec!["variant"];
                words.extend(name.split_whitespace());
                self.position(&words);
            }
        }
        if name.eq_ignore_ascii_case("Disputed Moves") {
            self.disputed_moves = Some(options.disputed_moves);
        }
        self.options = options;
        Ok(())
    }

    fn position(&mut self, words: &[&str]) {
        match parse_position(words, &self.options) {
            Ok((game, warnings)) => {
                self.game = game;
                self.refused = false;
                for warning in warnings {
                    self.output.string(&format!("warning: {warning}"));
                }
            }
            Err(error) => {
                self.refused = true;
                self.output.error(&format!("position: {error}"));
            }
        }
    }

    fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.stop();
        }
    }

    /// Ends the search, its answer included.
    fn finish_search(&mut self) {
        self.stop();
        self.wait_for_search();
    }

    /// Waits until the search has answered.
    fn wait_for_search(&mut self) {
        let Some(running) = &self.running else { return };
        if let Some(end) = self.timer
            && running.done().recv_deadline(end).is_err()
        {
            running.stop();
        }
        self.search_ended();
    }

    /// Cleans up after a search that has answered, or will without being asked.
    fn search_ended(&mut self) {
        if let Some(running) = self.running.take() {
            running.join();
        }
        self.timer = None;
        self.waiting = false;
        for (name, value) in std::mem::take(&mut self.deferred) {
            match self.set_option(&name, value.as_deref()) {
                Ok(()) => self.output.string(&format!("option {name} is set now")),
                Err(error) => self.output.error(&error),
            }
        }
    }

    fn ponder_hit(&mut self) {
        if let Some(running) = &mut self.running
            && let Some(end) = running.ponder_hit()
        {
            self.timer = Some(end);
        }
    }

    fn go(&mut self, go: &Go<'_>, interrupt: &AtomicBool) {
        let start = Instant::now();
        self.finish_search();
        self.prepare();
        if std::mem::take(&mut self.refused) {
            self.output.string("the last position was refused; this is the one before it");
        }
        if self.debug && !go.unknown.is_empty() {
            self.output.string(&format!("go: passed over {}", go.unknown.join(" ")));
        }
        if let Some(depth) = go.perft {
            return self.terminal("perft", &[&depth.to_string()], interrupt);
        }
        let settings = self.settings(go, start);
        self.start_search(settings);
    }

    fn settings(&mut self, go: &Go<'_>, start: Instant) -> Settings {
        let side = self.game.side().index();
        let mut limits = go.limits.clone();
        // Where only the opponent's clock is given, it is the best guess there is.
        let own = go.time.get(side).copied().flatten();
        limits.clock = own.or_else(|| go.time.iter().copied().flatten().next());
        limits.increment = go.increment.get(side).copied().unwrap_or(0);
        if self.options.timeline_increment > 0 {
            let active = self.game.multiverse().active_lines().count() as i64;
            let each = i64::try_from(self.options.timeline_increment).unwrap_or(0);
            limits.increment = limits.increment.saturating_add(each.saturating_mul(active));
        }
        limits.infinite = go.is_infinite();
        let default = self.dialect.plays_disputed_moves();
        let multiverse = self.game.multiverse();
        let mandatory = multiverse.lines().filter(|&line| multiverse.is_mandatory(line)).count();
        Settings {
            clock: Clock {
                start,
                budget: Budget::new(&limits, self.options.move_overhead, mandatory),
            },
            limits,
            threads: self.options.threads,
            multi_pv: self.options.multi_pv,
            exiled_kings: self.options.exiled_kings,
            disputed_moves: self.disputed_moves.unwrap_or(default),
            analyse: self.options.analyse_mode,
            search_moves: self.search_moves(&go.search_moves),
            strength: self.options.strength(),
        }
    }

    /// The actions behind `searchmoves`; what is not legal is left out, with a line that says so.
    fn search_moves(&self, actions: &[Vec<&str>]) -> Vec<Action> {
        let mut legal = Vec::new();
        for words in actions {
            match parse_action(words, &self.game) {
                Ok(action) => legal.push(action),
                Err(error) => self.output.error(&format!("searchmoves: {error}")),
            }
        }
        legal
    }

    fn start_search(&mut self, settings: Settings) {
        let job = Job {
            game: self.game.clone(),
            settings,
            table: Arc::clone(&self.table),
            output: self.output.clone(),
            dialect: self.dialect,
            ponder: self.options.ponder,
            show_wdl: self.options.show_wdl,
        };
        match Running::start(job) {
            Ok(running) => self.running = Some(running),
            Err(error) => {
                self.output.error(&format!("cannot start a search: {error}"));
                self.output.line(self.dialect.no_action());
            }
        }
    }

    fn terminal(&mut self, word: &str, words: &[&str], interrupt: &AtomicBool) {
        let context = Context { output: &self.output, options: &self.options, interrupt };
        match commands::run(&context, &mut self.game, word, words) {
            Ok(()) if matches!(word, "load" | "flip") => self.refused = false,
            Ok(()) => {}
            Err(error) => self.output.error(&format!("{word}: {error}")),
        }
    }
}

/// Lines that are answered even while `wait` keeps others back.
fn is_urgent(line: &str) -> bool {
    matches!(parse(line), Command::Stop | Command::IsReady | Command::PonderHit | Command::Nothing)
}
