//! Plays one game between two engines by the rules of the library.
//!
//! Every fault of an engine ends its game with a reason; none may disturb the match. What is
//! legal, and when the game is over, is asked of [`crate::session`] and [`crate::actions`]: there
//! is no second rule book here.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::clock::{self, Clock};
use super::engine::{Answer, Dialect, Engine, Failure, Player, Terms, Thought};
use super::openings::Opening;
use crate::actions::{Action, GameResult, Limit, Status};
use crate::board::Colour;
use crate::notation::{move_to_string, parse_move, write_fen};
use crate::session::Game;

/// How long it may take to decide whether a position is over. Undecided ones are played on.
const STATUS_BUDGET: Duration = Duration::from_secs(10);

/// A bound on scores that has to hold for some actions in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// Centipawns.
    pub score: i32,
    /// Actions in a row, of each side concerned.
    pub count: u32,
    /// Not before so many actions of both sides have been played.
    pub number: u32,
}

/// When a game ends, besides by the rules.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The tournament rule for stalemates.
    pub exiled_kings: bool,
    /// A draw after so many actions of both sides, the opening not counted.
    pub most_actions: Option<u32>,
    /// A side that gives itself no more than minus the score has lost.
    pub resign: Option<Threshold>,
    /// A draw when neither side gives more than the score to either.
    pub draw: Option<Threshold>,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// By the rules.
    Checkmate,
    /// By the rules.
    Stalemate,
    /// Stalemate, decided by the rule for exiled kings.
    ExiledKings,
    /// A move that cannot be played, or an action that leaves a royal to be taken.
    IllegalAction,
    /// Something that is no move.
    MalformedAction,
    /// An action that leaves a board of the present to be played.
    UnfinishedAction,
    /// The answer came too late.
    TimeForfeit,
    /// The process ended.
    Crash,
    /// No answer came.
    Hang,
    /// The handshake was not answered.
    NoHandshake,
    /// "No legal action" where there is one.
    WrongClaim,
    /// Two answers to one question.
    AnsweredTwice,
    /// Adjudicated: the most actions were played.
    Length,
    /// Adjudicated: both sides saw no advantage.
    DrawScore,
    /// Adjudicated: the side gave itself up.
    Resignation,
}

impl Reason {
    /// The word for records and machines.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::ExiledKings => "exiled kings",
            Reason::IllegalAction => "illegal action",
            Reason::MalformedAction => "malformed action",
            Reason::UnfinishedAction => "unfinished action",
            Reason::TimeForfeit => "time forfeit",
            Reason::Crash => "crash",
            Reason::Hang => "hang",
            Reason::NoHandshake => "no handshake",
            Reason::WrongClaim => "wrong claim",
            Reason::AnsweredTwice => "answered twice",
            Reason::Length => "length",
            Reason::DrawScore => "draw by score",
            Reason::Resignation => "resignation",
        }
    }

    /// The value of the tag Termination.
    pub fn termination(self) -> &'static str {
        match self {
            Reason::Checkmate | Reason::Stalemate | Reason::ExiledKings => "normal",
            Reason::TimeForfeit => "time forfeit",
            Reason::Length | Reason::DrawScore | Reason::Resignation => "adjudication",
            Reason::Crash | Reason::Hang | Reason::NoHandshake => "abandoned",
            _ => "rules infraction",
        }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who has won.
    pub result: GameResult,
    /// Why.
    pub reason: Reason,
    /// What exactly, for people; may be empty.
    pub detail: String,
}

/// An action that an engine played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Its moves.
    pub action: Action,
    /// What the engine said.
    pub thought: Thought,
    /// The time it took.
    pub used: Duration,
}

/// A game that has been played.
#[derive(Clone, Debug)]
pub struct Record {
    /// The actions after the opening.
    pub actions: Vec<Played>,
    /// How it ended.
    pub ending: Ending,
}

/// Why there is no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Abort {
    /// The match is to end.
    Interrupted,
    /// The match cannot go on: an engine cannot be started, or not under its controls.
    Hopeless(String),
}

/// Plays a game, White's engine first. Both engines are gone when it returns.
///
/// # Errors
/// If there is no result, through no fault of an engine in play.
pub fn play(
    players: [&Player; 2],
    opening: &Opening,
    rules: &Rules,
    terms: &Terms,
    stop: &AtomicBool,
) -> Result<Record, Abort> {
    let mut table = Table {
        players,
        engines: [None, None],
        clocks: players.map(|player| Clock::new(&player.control)),
        game: opening.game(),
        start: start_words(opening),
        moves: String::new(),
        low: [0; 2],
        level: 0,
        played: Vec::new(),
    };
    for action in &opening.actions {
        table.note_moves(action);
    }
    let ending = table.run(rules, terms, stop);
    for engine in table.engines.iter_mut().filter_map(Option::take) {
        engine.quit();
    }
    Ok(Record { actions: table.played, ending: ending? })
}

/// The start as `position` takes it, in the form that every engine knows.
fn start_words(opening: &Opening) -> String {
    let parity = if opening.start.is_even() { "even" } else { "odd" };
    format!("position size {} {parity} fen {}", opening.start.size(), write_fen(&opening.start))
}

/// A game under way.
struct Table<'a> {
    players: [&'a Player; 2],
    /// Those in order; one that failed is taken away and so ended.
    engines: [Option<Engine<'a>>; 2],
    clocks: [Clock; 2],
    game: Game,
    start: String,
    /// The words of `moves`, all with a blank before them.
    moves: String,
    /// Actions in a row by which each side gave itself up.
    low: [u32; 2],
    /// Actions in a row by which neither side saw an advantage.
    level: u32,
    played: Vec<Played>,
}

/// What ends a game before the next action.
enum End {
    Game(Ending),
    Abort(Abort),
}

impl From<Abort> for End {
    fn from(abort: Abort) -> End {
        End::Abort(abort)
    }
}

/// The end of a game that `side` loses.
fn lost(side: Colour, reason: Reason, detail: impl Into<String>) -> End {
    End::Game(Ending { result: GameResult::Win(!side), reason, detail: detail.into() })
}

fn drawn(reason: Reason, detail: impl Into<String>) -> End {
    End::Game(Ending { result: GameResult::Draw, reason, detail: detail.into() })
}

impl<'a> Table<'a> {
    fn run(
        &mut self,
        rules: &Rules,
        terms: &'a Terms,
        stop: &'a AtomicBool,
    ) -> Result<Ending, Abort> {
        let end = match self.start(terms, stop) {
            Err(end) => end,
            Ok(()) => loop {
                if let Err(end) = self.turn(rules) {
                    break end;
                }
            },
        };
        match end {
            End::Game(ending) => Ok(ending),
            End::Abort(abort) => Err(abort),
        }
    }

    fn start(&mut self, terms: &'a Terms, stop: &'a AtomicBool) -> Result<(), End> {
        for (side, player) in Colour::BOTH.into_iter().zip(self.players) {
            match Engine::start(player, terms, stop) {
                Ok(engine) => {
                    if let Some(place) = self.engines.get_mut(side.index()) {
                        *place = Some(engine);
                    }
                }
                Err(failure) => return Err(self.failed(side, failure)),
            }
        }
        Ok(())
    }

    /// What a failure of a side's engine means.
    fn failed(&mut self, side: Colour, failure: Failure) -> End {
        // Whatever it did, nothing is to be expected of it any more.
        self.engines.get_mut(side.index()).map(Option::take);
        let seconds = |time: Duration| time.as_secs_f64();
        let name = self.players.get(side.index()).map_or("", |player| player.name.as_str());
        match failure {
            Failure::CannotStart(error) | Failure::Unsuited(error) => {
                End::Abort(Abort::Hopeless(format!("{name}: {error}")))
            }
            Failure::Interrupted => End::Abort(Abort::Interrupted),
            Failure::NoHandshake => lost(side, Reason::NoHandshake, ""),
            Failure::Crashed(status) => lost(side, Reason::Crash, status),
            Failure::Hung(what) => lost(side, Reason::Hang, what),
            Failure::AnsweredTwice => lost(side, Reason::AnsweredTwice, ""),
            Failure::Late(used, allowed) => {
                let text = format!("{:.3} s of {:.3} s", seconds(used), seconds(allowed));
                lost(side, Reason::TimeForfeit, text)
            }
        }
    }

    /// One action of the side to move.
    fn turn(&mut self, rules: &Rules) -> Result<(), End> {
        let side = self.game.side();
        let number = u32::try_from(self.played.len()).unwrap_or(u32::MAX);
        if rules.most_actions.is_some_and(|most| number >= most) {
            return Err(drawn(Reason::Length, format!("{number} actions")));
        }
        let answer = self.ask(side).map_err(|failure| self.failed(side, failure))?;
        if answer.moves.is_empty() {
            return Err(self.judge_claim(side, rules));
        }
        let action = self.judge(side, &answer.moves)?;
        self.note_moves(&action);
        let active = self.active_lines();
        if let Some(clock) = self.clocks.get_mut(side.index()) {
            clock.press(answer.used, active);
        }
        let Answer { thought, used, .. } = answer;
        self.played.push(Played { action, thought, used });
        self.judge_position(rules)?;
        self.adjudicate(side, thought, number + 1, rules)?;
        // Had it more to say? Not asked before, so that a mate stands whatever follows.
        let engine = self.engines.get_mut(side.index()).and_then(Option::as_mut);
        engine.map_or(Ok(()), Engine::ready).map_err(|failure| self.failed(side, failure))
    }

    fn active_lines(&self) -> u32 {
        u32::try_from(self.game.multiverse().active_lines().count()).unwrap_or(u32::MAX)
    }

    /// Lets an engine think.
    fn ask(&mut self, side: Colour) -> Result<Answer, Failure> {
        let active = self.active_lines();
        let moves = if self.moves.is_empty() { "" } else { " moves" };
        let position = format!("{}{moves}{}", self.start, self.moves);
        let ended = || Failure::Crashed("not running".to_owned());
        let clock = self.clocks.get(side.index()).ok_or_else(ended)?;
        let engine = self.engines.get_mut(side.index()).and_then(Option::as_mut);
        let engine = engine.ok_or_else(ended)?;
        let go = match engine.dialect() {
            Dialect::Uci => clock::go(&self.clocks, side.index(), active, engine.knows_lines()),
            Dialect::FiveDUci => clock.go_simple(active).map_err(Failure::Unsuited)?,
        };
        engine.command(&position)?;
        engine.go(&go, clock.allowed(), side == Colour::White)
    }

    /// Adds an action to the words of `moves`.
    fn note_moves(&mut self, action: &Action) {
        for step in action {
            self.moves.push(' ');
            self.moves.push_str(&move_to_string(step));
        }
        self.moves.push_str(" submit");
    }

    /// Plays an action if it is legal.
    fn judge(&mut self, side: Colour, moves: &[String]) -> Result<Action, End> {
        let shown = || shorten(&moves.join(" "));
        let mut action = Action::new();
        for token in moves {
            let text = parse_move(token)
                .map_err(|error| lost(side, Reason::MalformedAction, error.to_string()))?;
            let step = text
                .resolve(self.game.multiverse(), token)
                .map_err(|error| lost(side, Reason::IllegalAction, error.to_string()))?;
            if self.game.multiverse().is_full() {
                return Err(drawn(Reason::Length, "the multiverse is as large as supported"));
            }
            self.game.play(step);
            action.push(step);
        }
        if !self.game.multiverse().present_has_passed() {
            return Err(lost(side, Reason::UnfinishedAction, shown()));
        }
        if !self.game.may_submit() {
            let detail = format!("{} leaves a royal to be taken", shown());
            return Err(lost(side, Reason::IllegalAction, detail));
        }
        match self.game.submit() {
            Ok(()) => Ok(action),
            Err(error) => Err(lost(side, Reason::UnfinishedAction, error.to_string())),
        }
    }

    /// Ends the game if the rules say so.
    fn judge_position(&self, rules: &Rules) -> Result<(), End> {
        let limit = Limit { deadline: Instant::now().checked_add(STATUS_BUDGET), ..Limit::NONE };
        let report = self.game.report(rules.exiled_kings, &limit);
        match report.status {
            Status::Checkmate | Status::Stalemate => {
                Err(End::Game(over(report.status, report.result, "")))
            }
            Status::Ongoing | Status::Softmate | Status::Undecided => Ok(()),
        }
    }

    /// An engine says that it has no legal action. The game would have ended before if that was
    /// known, so it is wrong, or could not be decided.
    fn judge_claim(&self, side: Colour, rules: &Rules) -> End {
        let limit = Limit { deadline: Instant::now().checked_add(STATUS_BUDGET), ..Limit::NONE };
        let report = self.game.report(rules.exiled_kings, &limit);
        if let Some(action) = &report.witness {
            let moves: Vec<String> = action.iter().map(move_to_string).collect();
            let detail = format!("{} is legal", shorten(&moves.join(" ")));
            return lost(side, Reason::WrongClaim, detail);
        }
        let status = match report.status {
            Status::Undecided if report.check => Status::Checkmate,
            Status::Undecided => Status::Stalemate,
            status => status,
        };
        let result = crate::actions::result_of(self.game.multiverse(), status, rules.exiled_kings);
        End::Game(over(status, result, "claimed by the engine"))
    }

    /// Ends the game if the scores say so.
    fn adjudicate(
        &mut self,
        side: Colour,
        thought: Thought,
        number: u32,
        rules: &Rules,
    ) -> Result<(), End> {
        let score = thought.score.map(super::engine::Score::centipawns);
        if let (Some(rule), Some(low)) = (rules.resign, self.low.get_mut(side.index())) {
            let gives_up = score.is_some_and(|score| score <= -rule.score);
            *low = if gives_up { *low + 1 } else { 0 };
            if *low >= rule.count && number >= rule.number {
                let detail = format!("{} cp or less, {} times", -rule.score, rule.count);
                return Err(lost(side, Reason::Resignation, detail));
            }
        }
        if let Some(rule) = rules.draw {
            let is_level =
                score.is_some_and(|score| score.unsigned_abs() <= rule.score.unsigned_abs());
            self.level = if is_level { self.level + 1 } else { 0 };
            if self.level >= rule.count.saturating_mul(2) && number >= rule.number {
                let detail = format!("{} cp or less, {} times each", rule.score, rule.count);
                return Err(drawn(Reason::DrawScore, detail));
            }
        }
        Ok(())
    }
}

/// The end by a status of the side to move.
fn over(status: Status, result: GameResult, detail: &str) -> Ending {
    let reason = match (status, result) {
        (Status::Checkmate, _) => Reason::Checkmate,
        (_, GameResult::Win(_)) => Reason::ExiledKings,
        _ => Reason::Stalemate,
    };
    Ending { result, reason, detail: detail.to_owned() }
}

/// A text of readable length.
fn shorten(text: &str) -> String {
    const LONGEST: usize = 120;
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
