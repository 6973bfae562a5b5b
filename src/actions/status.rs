//! The state of a game: check, checkmate, stalemate, softmate, exiled kings (R24 to R27).

use super::{Action, Generator, Limit, Step};
use crate::board::Colour;
use crate::multiverse::Multiverse;

/// The state of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// There is a legal action.
    Ongoing,
    /// In check, and every legal action creates a timeline (R26).
    Softmate,
    /// In check without a legal action.
    Checkmate,
    /// Not in check and without a legal action.
    Stalemate,
    /// A limit was hit before anything was proved (R26a).
    Undecided,
}

impl Status {
    /// The word of the protocol.
    pub fn name(self) -> &'static str {
        match self {
            Status::Ongoing => "ongoing",
            Status::Softmate => "softmate",
            Status::Checkmate => "checkmate",
            Status::Stalemate => "stalemate",
            Status::Undecided => "undecided",
        }
    }
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// No result yet.
    Open,
    /// The side has won.
    Win(Colour),
    /// Nobody has won.
    Draw,
}

impl GameResult {
    /// `*`, `1-0`, `0-1` or `1/2-1/2`.
    pub fn name(self) -> &'static str {
        match self {
            GameResult::Open => "*",
            GameResult::Win(Colour::White) => "1-0",
            GameResult::Win(Colour::Black) => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }
}

/// What is known about the end of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Whether the side to move is in check.
    pub check: bool,
    /// Its state.
    pub status: Status,
    /// The result that follows.
    pub result: GameResult,
    /// A legal action, if one was found.
    pub witness: Option<Action>,
}

/// Whether a side is exiled (R27): royals on latest boards of inactive timelines, none on the
/// latest board of an active one.
pub fn is_exiled(multiverse: &Multiverse, side: Colour) -> bool {
    let active = multiverse.active_lines();
    let has_royal = |line: i32| {
        multiverse.latest(line).is_some_and(|place| multiverse.board(place).royals(side) != 0)
    };
    multiverse.lines().any(has_royal) && !active.into_iter().any(has_royal)
}

/// Decides the status of the side to move, by any legal action, looking for no more than is
/// needed: most positions have an action without a jump, and most of the work is in the jumps.
/// `exiled_kings` is the tournament rule for stalemates (R27).
pub fn report(multiverse: &mut Multiverse, exiled_kings: bool, limit: &Limit<'_>) -> Report {
    let mut generator = Generator::new();
    let check = multiverse.in_check();
    let plain = generator.seek_along_boards(multiverse, limit);
    let mut witness = (plain == Step::Found).then(|| generator.action());
    generator.finish(multiverse);
    let status = if witness.is_some() {
        Status::Ongoing
    } else {
        generator.start(multiverse);
        let step = generator.next(multiverse, limit);
        witness = (step == Step::Found).then(|| generator.action());
        let status = match (step, check) {
            (Step::Done, true) => Status::Checkmate,
            (Step::Done, false) => Status::Stalemate,
            (Step::Stopped, _) => Status::Undecided,
            (Step::Found, false) => Status::Ongoing,
            (Step::Found, true) => {
                generator.restart();
                generator.forbid_branches();
                match generator.next(multiverse, limit) {
                    Step::Done => Status::Softmate,
                    Step::Found | Step::Stopped => Status::Ongoing,
                }
            }
        };
        generator.finish(multiverse);
        status
    };
    let result = result_of(multiverse, status, exiled_kings);
    Report { check, status, result, witness }
}

/// The result where the side to move has no legal action, for whoever has proved that.
pub fn result_without_action(multiverse: &mut Multiverse, exiled_kings: bool) -> GameResult {
    let check = multiverse.in_check();
    let status = if check { Status::Checkmate } else { Status::Stalemate };
    result_of(multiverse, status, exiled_kings)
}

/// The result that follows from a status of the side to move.
pub fn result_of(multiverse: &Multiverse, status: Status, exiled_kings: bool) -> GameResult {
    let side = multiverse.side();
    match status {
        Status::Checkmate => GameResult::Win(!side),
        Status::Stalemate => {
            let exiled = Colour::BOTH.map(|side| exiled_kings && is_exiled(multiverse, side));
            match exiled {
                [true, false] => GameResult::Win(Colour::Black),
                [false, true] => GameResult::Win(Colour::White),
                _ => GameResult::Draw,
            }
        }
        Status::Ongoing | Status::Softmate | Status::Undecided => GameResult::Open,
    }
}
