//! An engine as the referee sees it: handshake, options, and one answer for each `go`.
//!
//! Speaks UCI and 5DUCI to a [`Process`]; knows no rule of the game and judges no action.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::clock::Control;
use super::process::{Launch, Line, Log, Process, Silence};

/// How long `uci` may stay unanswered before the engine is taken to speak only 5DUCI.
const UCI_PATIENCE: Duration = Duration::from_secs(2);

/// What an engine speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// UCI, with clocks and options.
    Uci,
    /// 5DUCI alone: no clocks, and `isready` between every pair of commands.
    FiveDUci,
}

/// An engine that takes part.
#[derive(Clone, Debug, Default)]
pub struct Player {
    /// Its name in records and tables.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Where it runs, if not here.
    pub folder: Option<PathBuf>,
    /// Options to set, in order.
    pub options: Vec<(String, String)>,
    /// How its thinking is bounded.
    pub control: Control,
    /// What it speaks: as told, or as found in its first game.
    pub dialect: OnceLock<Dialect>,
}

/// What all engines of a match are told and granted.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Options that say under which rules is played; sent to engines that list them.
    pub options: Vec<(String, String)>,
    /// How long an engine may take for everything but thinking, and how much later than its time
    /// an answer is still waited for.
    pub patience: Duration,
    /// How long a search without a clock may take.
    pub longest_search: Duration,
    /// Where traffic is written.
    pub log: Option<Log>,
}

/// Why an engine gave no answer that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The program cannot be started at all.
    CannotStart(String),
    /// No handshake was answered.
    NoHandshake,
    /// The process ended; how.
    Crashed(String),
    /// No answer came; to what.
    Hung(String),
    /// An answer came too late: time taken and allowed.
    Late(Duration, Duration),
    /// An answer came that nothing asked for.
    AnsweredTwice,
    /// The controls cannot be told to this engine.
    Unsuited(String),
    /// The match is to end.
    Interrupted,
}

/// A score as an engine gives it, from its own view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Its own actions to mate; negative when it is being mated.
    Mate(i32),
}

impl Score {
    /// The score in centipawns, a mate being more than anything else.
    pub fn centipawns(self) -> i32 {
        match self {
            Score::Centipawns(value) => value,
            Score::Mate(actions) if actions > 0 => i32::MAX,
            Score::Mate(_) => -i32::MAX,
        }
    }
}

/// What an engine said of its search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Thought {
    /// The last exact score.
    pub score: Option<Score>,
    /// The depth it belongs to.
    pub depth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
}

/// An answer to `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The moves, none if the engine says that it has no legal action.
    pub moves: Vec<String>,
    /// What it said before.
    pub thought: Thought,
    /// Time from `go` to the answer.
    pub used: Duration,
}

/// A running engine.
#[derive(Debug)]
pub struct Engine<'a> {
    process: Process,
    dialect: Dialect,
    /// Names of the options it lists.
    listed: Vec<String>,
    terms: &'a Terms,
    stop: &'a AtomicBool,
}

impl<'a> Engine<'a> {
    /// Starts an engine and makes it ready for a game. Raising `stop` ends every wait.
    ///
    /// # Errors
    /// Why it is not ready.
    pub fn start(
        player: &Player,
        terms: &'a Terms,
        stop: &'a AtomicBool,
    ) -> Result<Engine<'a>, Failure> {
        let mut engine = match player.dialect.get() {
            Some(&dialect) => Engine::greet(player, dialect, terms.patience, terms, stop)?,
            None => match Engine::greet(player, Dialect::Uci, UCI_PATIENCE, terms, stop) {
                Err(Failure::NoHandshake | Failure::Crashed(_)) => {
                    Engine::greet(player, Dialect::FiveDUci, terms.patience, terms, stop)?
                }
                other => other?,
            },
        };
        let _ = player.dialect.set(engine.dialect);
        for (name, value) in &player.options {
            if engine.dialect == Dialect::Uci && !engine.lists(name) {
                log::warn!("{} lists no option {name}", player.name);
            }
            engine.set_option(name, value)?;
        }
        for (name, value) in &terms.options {
            if engine.lists(name) && !player.options.iter().any(|(own, _)| own == name) {
                engine.set_option(name, value)?;
            }
        }
        let gain = player.control.line_increment;
        if engine.knows_lines() {
            engine.set_option(LINE_INCREMENT, &gain.as_millis().to_string())?;
        }
        engine.command(match engine.dialect {
            Dialect::Uci => "ucinewgame",
            Dialect::FiveDUci => "5ducinewgame",
        })?;
        Ok(engine)
    }

    /// A fresh process that has answered a handshake.
    fn greet(
        player: &Player,
        dialect: Dialect,
        patience: Duration,
        terms: &'a Terms,
        stop: &'a AtomicBool,
    ) -> Result<Engine<'a>, Failure> {
        let launch = Launch {
            name: &player.name,
            command: &player.command,
            folder: player.folder.as_deref(),
            log: terms.log.as_ref(),
        };
        let process =
            Process::start(&launch).map_err(|error| Failure::CannotStart(error.to_string()))?;
        let mut engine = Engine { process, dialect, listed: Vec::new(), terms, stop };
        let (word, end) = match dialect {
            Dialect::Uci => ("uci", "uciok"),
            Dialect::FiveDUci => ("5duci", "5duciok"),
        };
        engine.process.send(word);
        let deadline = Instant::now() + patience;
        loop {
            let line = match engine.line(deadline) {
                Err(Failure::Hung(_)) => return Err(Failure::NoHandshake),
                other => other?,
            };
            if line.text == end {
                break;
            }
            if let Some(rest) = line.text.strip_prefix("option name ") {
                let name = rest.split_once(" type ").map_or(rest, |(name, _)| name);
                engine.listed.push(name.to_owned());
            }
        }
        engine.ready()?;
        Ok(engine)
    }

    /// What it speaks.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Whether it adds the increment of each timeline itself.
    pub fn knows_lines(&self) -> bool {
        self.lists(LINE_INCREMENT)
    }

    fn lists(&self, name: &str) -> bool {
        self.listed.iter().any(|listed| listed.eq_ignore_ascii_case(name))
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
        self.command(&format!("setoption name {name}{value}"))
    }

    /// Sends a command and waits until it has been dealt with.
    ///
    /// # Errors
    /// If the engine fails to say so.
    pub fn command(&mut self, line: &str) -> Result<(), Failure> {
        self.process.send(line);
        self.ready()
    }

    /// Waits until the engine is ready; it may not answer anything else than that.
    ///
    /// # Errors
    /// If it is not ready in time, or answers what nobody asked.
    pub fn ready(&mut self) -> Result<(), Failure> {
        self.process.send("isready");
        let deadline = Instant::now() + self.terms.patience;
        loop {
            let line = self.line(deadline)?;
            if line.text == "readyok" {
                return Ok(());
            }
            if parse_answer(&line.text).is_some() {
                return Err(Failure::AnsweredTwice);
            }
        }
    }

    /// Sends a `go` and waits for its answer. `allowed` is the time within which it has to come,
    /// if there is one; `white` says whose view a score "of White" takes.
    ///
    /// # Errors
    /// If there is no answer, or none in time.
    pub fn go(
        &mut self,
        line: &str,
        allowed: Option<Duration>,
        white: bool,
    ) -> Result<Answer, Failure> {
        let start = Instant::now();
        self.process.send(line);
        let time = allowed.unwrap_or(self.terms.longest_search);
        let mut thought = Thought::default();
        let mut deadline = start + time;
        let mut stopped = false;
        loop {
            let line = match self.line(deadline) {
                Err(Failure::Hung(_)) if !stopped => {
                    // Too late already; whether it answers at all is still worth knowing.
                    self.process.send("stop");
                    stopped = true;
                    deadline = Instant::now() + self.terms.patience;
                    continue;
                }
                Err(Failure::Hung(_)) => {
                    let seconds = start.elapsed().as_secs_f64();
                    return Err(Failure::Hung(format!("no answer to go in {seconds:.1} s")));
                }
                other => other?,
            };
            if let Some(moves) = parse_answer(&line.text) {
                let used = line.at.saturating_duration_since(start);
                if used > time {
                    return Err(Failure::Late(used, time));
                }
                return Ok(Answer { moves, thought, used });
            }
            if let Some(rest) = line.text.strip_prefix("info ") {
                thought.read(rest, white);
            }
        }
    }

    /// The next line, if it comes before the deadline.
    fn line(&mut self, deadline: Instant) -> Result<Line, Failure> {
        let hung = || Failure::Hung("no readyok".to_owned());
        match self.process.line(deadline, self.stop) {
            // A flood always has a next line.
            Ok(line) if line.at > deadline && Instant::now() > deadline => {
                if parse_answer(&line.text).is_some() { Ok(line) } else { Err(hung()) }
            }
            Ok(line) => Ok(line),
            Err(Silence::Timeout) => Err(hung()),
            Err(Silence::Ended) => Err(Failure::Crashed(self.process.end())),
            Err(Silence::Interrupted) => Err(Failure::Interrupted),
        }
    }

    /// Asks the engine to quit, and ends it if it does not.
    pub fn quit(self) {
        self.process.quit();
    }
}

/// The option of engines that add the increment of each timeline themselves.
const LINE_INCREMENT: &str = "Timeline Increment";

/// The moves of an answer line; none if it says that there is no legal action.
fn parse_answer(line: &str) -> Option<Vec<String>> {
    let mut words = line.split_whitespace();
    match words.next()? {
        "nobestmove" => return Some(Vec::new()),
        "bestmove" => {}
        _ => return None,
    }
    let moves: Vec<String> =
        words.take_while(|&word| word != "ponder").map(str::to_owned).collect();
    let none = matches!(moves.as_slice(), [word] if word == "(none)" || word == "0000");
    Some(if none { Vec::new() } else { moves })
}

impl Thought {
    /// Takes what an `info` line says. Lines of other than the first variation, and bounds, say
    /// nothing that counts.
    fn read(&mut self, text: &str, white: bool) {
        if let Some(rest) = text.strip_prefix("mcts_score ") {
            let average = rest.split_whitespace().find_map(|word| word.strip_prefix("average="));
            let average: Option<f64> = average.and_then(|average| average.parse().ok());
            self.score = average.map(|average| from_average(average, white)).or(self.score);
            return;
        }
        if let Some(rest) = text.strip_prefix("mcts_stats ") {
            let count = rest.split_whitespace().find_map(|word| word.strip_prefix("iterations="));
            self.nodes = count.and_then(|count| count.parse().ok()).or(self.nodes);
            return;
        }
        let mut words = text.split_whitespace();
        let mut found = Thought::default();
        while let Some(word) = words.next() {
            match word {
                "pv" | "string" => break,
                "depth" => found.depth = words.next().and_then(|word| word.parse().ok()),
                "nodes" => found.nodes = words.next().and_then(|word| word.parse().ok()),
                "multipv" if words.next() != Some("1") => return,
                "lowerbound" | "upperbound" => return,
                "score" => {
                    let kind = words.next();
                    let value = words.next().and_then(|word| word.parse().ok());
                    found.score = match kind {
                        Some("cp") => value.map(Score::Centipawns),
                        Some("mate") => value.map(Score::Mate),
                        _ => None,
                    };
                }
                _ => {}
            }
        }
        if found.score.is_some() {
            *self = Thought { nodes: found.nodes.or(self.nodes), ..found };
        }
    }
}

/// The mean result of playouts, from -1 to 1 in White's view, as centipawns of the mover: the
/// difference in Elo that this would be the score of.
fn from_average(average: f64, white: bool) -> Score {
    let score = f64::midpoint(average.clamp(-0.999, 0.999), 1.0);
    let value = super::statistics::score_to_elo(score);
    Score::Centipawns((if white { value } else { -value }) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read() {
        let moves = |line: &str| parse_answer(line).map(|moves| moves.join(" "));
        assert_eq!(moves("bestmove (0T1)e2e4 ponder (0T1)e7e5").as_deref(), Some("(0T1)e2e4"));
        assert_eq!(moves("bestmove a b").as_deref(), Some("a b"));
        for line in ["nobestmove", "bestmove", "bestmove (none)"] {
            assert_eq!(moves(line).as_deref(), Some(""), "{line}");
        }
        for line in ["", "info bestmove", "bestmoves a"] {
            assert_eq!(moves(line), None, "{line}");
        }
    }

    #[test]
    fn thoughts_are_those_of_the_first_exact_line() {
        let mut thought = Thought::default();
        for line in [
            "depth 4 seldepth 9 multipv 1 score cp 35 nodes 100 pv (0T1)e2e4 depth 99",
            "depth 4 multipv 2 score cp -9 nodes 101",
            "depth 5 score cp 900 lowerbound nodes 110",
            "string depth 77 score cp 1",
            "depth 6 currmove (0T1)e2e4",
        ] {
            thought.read(line, true);
        }
        let score = Some(Score::Centipawns(35));
        assert_eq!(thought, Thought { score, depth: Some(4), nodes: Some(100) });
        thought.read("depth 7 score mate -2", true);
        assert_eq!(thought.score.unwrap().centipawns(), -i32::MAX);
        thought.read("mcts_stats elapsed_seconds=0.3 iterations=311 ips=1", false);
        thought.read("mcts_score average=0.5 detailed=0.5", false);
        assert_eq!((thought.nodes, thought.score), (Some(311), Some(Score::Centipawns(-190))));
    }
}
