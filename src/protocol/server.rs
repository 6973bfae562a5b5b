//! The loop that owns the state.
//!
//! One thread reads lines and hands them over; this one answers them in order; searches run on a
//! thread of their own with a flag each, so that a `stop` ends the search it was meant for,
//! however early or late it comes.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, never, select, unbounded};

use super::commands::{self, Context};
use super::info::{Reporter, action_or_submit, score_to_string, write_pv};
use super::output::Output;
use super::words::{Command, Go, parse};
use crate::actions::Action;
use crate::evaluation::evaluate;
use crate::notation::parse_move;
use crate::search::{self, Budget, Clock, MATE, Settings, Table};
use crate::session::{Change, Game, Options, SETTINGS, parse_position};
use crate::variants;

/// Why a command given as arguments did not work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The input was bad; the message is on standard error.
    Input,
    /// There is no such command.
    Usage,
}

/// Which handshake was last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Uci,
    FiveDUci,
}

/// Whether a finished search may answer yet.
#[derive(Default)]
struct Gate {
    open: Mutex<bool>,
    changed: Condvar,
}

impl Gate {
    fn open(&self) {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_all();
    }

    fn wait(&self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        while !*open {
            open = self.changed.wait(open).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A search under way.
struct Running {
    stop: Arc<AtomicBool>,
    gate: Arc<Gate>,
    thread: JoinHandle<()>,
    done: Receiver<()>,
    /// What the clock would allow from `ponderhit` on.
    budget: Option<Budget>,
    pondering: bool,
    /// No answer before `stop`.
    endless: bool,
}

impl Running {
    fn stop(&self) {
        self.stop.store(true, Relaxed);
        self.gate.open();
    }
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
    backlog: VecDeque<String>,
    waiting: bool,
    interrupt: Arc<AtomicBool>,
}

/// Answers the lines of `input` until `quit` or its end.
pub fn serve(input: impl Read + Send + 'static, output: Output) {
    let interrupt = Arc::new(AtomicBool::new(false));
    let lines = read_lines(input, Arc::clone(&interrupt));
    let mut server = Server::new(output, interrupt);
    server.run(&lines);
}

/// Runs one command, given as words, and waits for its end.
///
/// # Errors
/// If the command or its input was bad.
pub fn run_command(words: &[String], output: Output) -> Result<(), Failure> {
    const POSITION: [&str; 7] = ["startpos", "variant", "size", "odd", "even", "fen", "moves"];
    let line = words.join(" ");
    let words: Vec<&str> = line.split_whitespace().collect();
    let takes_files = matches!(words.first(), Some(&("load" | "status")));
    let at = words
        .iter()
        .position(|word| POSITION.contains(word) || word.starts_with('['))
        .filter(|_| !takes_files && words.first() != Some(&"position"));
    let (command, position) = match at {
        Some(at) => words.split_at(at),
        None => (words.as_slice(), [].as_slice()),
    };
    let mut server = Server::new(output, Arc::new(AtomicBool::new(false)));
    if !position.is_empty() {
        server.position(position);
    }
    if server.output.errors() == 0 {
        let line = command.join(" ");
        let command = parse(&line);
        if matches!(command, Command::Unknown(_) | Command::Nothing) {
            return Err(Failure::Usage);
        }
        server.answer(command);
        server.wait_for_search();
    }
    if server.output.errors() == 0 { Ok(()) } else { Err(Failure::Input) }
}

/// Reads lines on a thread of its own. Bytes that are no text become replacement characters. A
/// `stop` is noticed here at once too, for commands that run on the server's own thread.
fn read_lines(input: impl Read + Send + 'static, interrupt: Arc<AtomicBool>) -> Receiver<String> {
    let (sender, receiver) = unbounded();
    let read = move || {
        let mut input = BufReader::new(input);
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            match input.read_until(b'\n', &mut bytes) {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
            let line = String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_owned();
            if line.trim() == "stop" {
                interrupt.store(true, Relaxed);
            }
            if sender.send(line).is_err() {
                break;
            }
        }
    };
    // Without a thread to read there is no input: the loop ends at once.
    let _ = std::thread::Builder::new().name("input".to_owned()).spawn(read);
    receiver
}

impl Server {
    fn new(output: Output, interrupt: Arc<AtomicBool>) -> Server {
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
            table: Arc::new(Mutex::new(Table::new(0))),
            prepared: false,
            options,
            running: None,
            deferred: Vec::new(),
            timer: None,
            refused: false,
            debug: false,
            backlog: VecDeque::new(),
            waiting: false,
            interrupt,
        }
    }

    fn run(&mut self, lines: &Receiver<String>) {
        loop {
            if !self.waiting
                && let Some(line) = self.backlog.pop_front()
            {
                if !self.line(&line) {
                    return;
                }
                continue;
            }
            let done = self.running.as_ref().map_or_else(never, |running| running.done.clone());
            let timer = match self.timer {
                Some(at) => crossbeam_channel::at(at),
                None => never(),
            };
            select! {
                recv(lines) -> line => match line {
                    Ok(line) => {
                        self.output.log_input(&line);
                        if self.waiting && !is_urgent(&line) {
                            self.backlog.push_back(line);
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

    /// The end of input is a quit; but what `wait` has kept back is still done.
    fn end_of_input(&mut self) {
        if self.waiting {
            if self.running.as_ref().is_some_and(|running| running.endless) {
                self.stop();
            }
            self.wait_for_search();
            while let Some(line) = self.backlog.pop_front() {
                if !self.line(&line) {
                    return;
                }
                if self.waiting {
                    self.wait_for_search();
                }
            }
        }
        self.quit();
    }

    /// Answers a line. Returns false after `quit`.
    fn line(&mut self, line: &str) -> bool {
        let command = parse(line);
        if command == Command::Quit {
            self.quit();
            return false;
        }
        self.answer(command);
        true
    }

    fn answer(&mut self, command: Command<'_>) {
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
                if self.running.is_some() {
                    self.output
                        .string(&format!("option {name} will be set when the search has ended"));
                    self.deferred.push((name, value));
                } else {
                    self.set_option(&name, value.as_deref());
                }
            }
            Command::Position(words) => self.position(&words),
            Command::Go(go) => self.go(go),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Debug(on) => self.debug = on,
            Command::Wait => self.waiting = self.running.is_some(),
            Command::Terminal(word, words) => self.terminal(word, &words),
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
            *self.lock_table() = Table::new(self.options.hash);
            self.prepared = true;
        }
    }

    fn handshake(&mut self, dialect: Dialect) {
        self.prepare();
        self.dialect = dialect;
        self.output.line(&format!("id name Lightcone {}", env!("CARGO_PKG_VERSION")));
        self.output.line("id author the Lightcone developers");
        for setting in &SETTINGS {
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

    fn lock_table(&self) -> std::sync::MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let mut options = self.options.clone();
        let change = match options.set(name, value) {
            Ok(change) => change,
            Err(error) => return self.output.error(&error),
        };
        if options.promotions != self.options.promotions
            && let Err(error) = self.game.set_promotions(options.promotions)
        {
            return self.output.error(&format!("option Promotions keeps its value: {error}"));
        }
        match change {
            Change::Plain => {}
            Change::Hash => {
                *self.lock_table() = Table::new(options.hash);
                self.prepared = true;
            }
            Change::Rules | Change::Clear => self.lock_table().clear(),
            Change::Log => {
                if let Err(error) = self.output.set_log(&options.debug_log) {
                    let path = &options.debug_log;
                    return self.output.error(&format!("cannot write to {path:?}: {error}"));
                }
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
        if self.running.is_some() {
            self.search_ended();
        }
    }

    /// Cleans up after a search that has answered, or will without being asked.
    fn search_ended(&mut self) {
        if let Some(running) = self.running.take() {
            let _ = running.thread.join();
        }
        self.timer = None;
        self.waiting = false;
        for (name, value) in std::mem::take(&mut self.deferred) {
            self.output.string(&format!("option {name} is set now"));
            self.set_option(&name, value.as_deref());
        }
    }

    fn ponder_hit(&mut self) {
        let Some(running) = &mut self.running else { return };
        if !std::mem::take(&mut running.pondering) {
            return;
        }
        running.endless = false;
        running.gate.open();
        // The clock starts now; a search that pondered has a head start.
        self.timer =
            running.budget.map(|budget| Instant::now() + budget.soft.max(Duration::from_millis(1)));
    }

    fn go(&mut self, go: Go<'_>) {
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
            return self.terminal("perft", &[&depth.to_string()]);
        }
        let settings = self.settings(&go, start);
        self.start_search(settings);
    }

    fn settings(&mut self, go: &Go<'_>, start: Instant) -> Settings {
        let side = self.game.side().index();
        let mut limits = go.limits.clone();
        limits.clock = go.time.get(side).copied().flatten();
        limits.increment = go.increment.get(side).copied().unwrap_or(0);
        if self.options.timeline_increment > 0 {
            let active = self.game.multiverse().active_lines().count() as i64;
            let each = i64::try_from(self.options.timeline_increment).unwrap_or(0);
            limits.increment = limits.increment.saturating_add(each.saturating_mul(active));
        }
        let bounded = limits.clock.is_some()
            || limits.move_time.is_some()
            || limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.mate.is_some();
        limits.infinite |= !bounded && !limits.ponder;
        let default = self.dialect == Dialect::Uci;
        Settings {
            clock: Clock { start, budget: Budget::new(&limits, self.options.move_overhead) },
            limits,
            threads: self.options.threads,
            multi_pv: self.options.multi_pv,
            exiled_kings: self.options.exiled_kings,
            disputed_moves: self.disputed_moves.unwrap_or(default),
            analyse: self.options.analyse_mode,
            search_moves: self.search_moves(&go.search_moves),
        }
    }

    /// The outcomes of the actions behind `searchmoves`; what cannot be played is left out, with
    /// a line that says so.
    fn search_moves(&self, actions: &[Vec<&str>]) -> Vec<search::Outcome> {
        let mut outcomes = Vec::new();
        for words in actions {
            let mut multiverse = self.game.multiverse().clone();
            let mut action = Action::new();
            let mut fault = None;
            for token in words {
                let step = parse_move(token).and_then(|text| text.resolve(&multiverse, token));
                match step {
                    Ok(step) => {
                        multiverse.make_move(&step);
                        action.push(step);
                    }
                    Err(error) => {
                        fault = Some(error);
                        break;
                    }
                }
            }
            match fault {
                Some(error) => self.output.error(&format!("searchmoves: {error}")),
                None => {
                    let mut start = self.game.multiverse().clone();
                    outcomes.push(search::outcome(&mut start, &action));
                }
            }
        }
        outcomes
    }

    fn start_search(&mut self, mut settings: Settings) {
        let stop = Arc::new(AtomicBool::new(false));
        let gate = Arc::new(Gate::default());
        let (sender, done) = unbounded();
        let budget = settings.clock.budget;
        let pondering = settings.limits.ponder;
        let endless = settings.limits.infinite || pondering;
        if pondering || settings.limits.infinite {
            settings.clock.budget = None;
        } else {
            gate.open();
        }
        let job = Job {
            game: self.game.clone(),
            settings,
            table: Arc::clone(&self.table),
            stop: Arc::clone(&stop),
            gate: Arc::clone(&gate),
            output: self.output.clone(),
            dialect: self.dialect,
            ponder: self.options.ponder,
            show_wdl: self.options.show_wdl,
            done: sender,
        };
        let thread = std::thread::Builder::new()
            .name("search".to_owned())
            .stack_size(search::STACK)
            .spawn(move || job.run());
        match thread {
            Ok(thread) => {
                self.running =
                    Some(Running { stop, gate, thread, done, budget, pondering, endless });
            }
            Err(error) => {
                self.output.error(&format!("cannot start a search: {error}"));
                self.output.line(no_action(self.dialect));
            }
        }
    }

    fn terminal(&mut self, word: &str, words: &[&str]) {
        self.interrupt.store(false, Relaxed);
        let context =
            Context { output: &self.output, options: &self.options, interrupt: &self.interrupt };
        if let Err(error) = commands::run(&context, &mut self.game, word, words) {
            self.output.error(&format!("{word}: {error}"));
        }
    }
}

/// Lines that are answered even while `wait` keeps others back.
fn is_urgent(line: &str) -> bool {
    matches!(
        parse(line),
        Command::Stop | Command::IsReady | Command::Quit | Command::PonderHit | Command::Nothing
    )
}

fn no_action(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Uci => "bestmove (none)",
        Dialect::FiveDUci => "nobestmove",
    }
}

/// A search on its own thread.
struct Job {
    game: Game,
    settings: Settings,
    table: Arc<Mutex<Table>>,
    stop: Arc<AtomicBool>,
    gate: Arc<Gate>,
    output: Output,
    dialect: Dialect,
    ponder: bool,
    show_wdl: bool,
    done: Sender<()>,
}

impl Job {
    fn run(self) {
        let mut reporter = Reporter { output: self.output.clone(), show_wdl: self.show_wdl };
        let outcomes = {
            let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
            let multiverse = self.game.multiverse();
            search::run(multiverse, &self.settings, &mut table, &self.stop, &mut reporter)
        };
        if outcomes.best.is_none() {
            self.report_end();
        } else if outcomes.depth == 0 {
            self.report_unsearched(outcomes.best.as_ref());
        }
        self.gate.wait();
        match &outcomes.best {
            None => self.output.line(no_action(self.dialect)),
            Some(best) => {
                let mut line = format!("bestmove {}", action_or_submit(best));
                if self.ponder
                    && self.dialect == Dialect::Uci
                    && let Some(ponder) = &outcomes.ponder
                {
                    line.push_str(" ponder ");
                    line.push_str(&action_or_submit(ponder));
                }
                self.output.line(&line);
            }
        }
        let _ = self.done.send(());
    }

    /// There is no legal action: says what that means.
    fn report_end(&self) {
        if self.game.is_unfinished() {
            return self.output.string("the unfinished action cannot be completed");
        }
        let report = self.game.report(self.settings.exiled_kings, &crate::actions::Limit::NONE);
        let lost = report.result == crate::actions::GameResult::Win(!self.game.side());
        let score = if lost { -MATE } else { 0 };
        self.output.line(&format!(
            "info depth 0 seldepth 0 multipv 1 score {} nodes 0 nps 0 hashfull 0 time {}",
            score_to_string(score),
            self.settings.clock.start.elapsed().as_millis()
        ));
    }

    /// Stopped before the first iteration ended: a line all the same.
    fn report_unsearched(&self, best: Option<&Action>) {
        let score = evaluate(self.game.multiverse());
        let time = self.settings.clock.start.elapsed().as_millis();
        let mut text = format!(
            "info depth 0 seldepth 0 multipv 1 score {} nodes 0 nps 0 hashfull 0 time {time}",
            score_to_string(score)
        );
        if let Some(best) = best {
            write_pv(&mut text, std::slice::from_ref(best));
        }
        self.output.line(&text);
    }
}
