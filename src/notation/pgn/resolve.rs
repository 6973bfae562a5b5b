//! Finds the moves that a written action means, by the rules in the module's description.
//!
//! A search over the readings of the whole action, with an explicit stack and a budget: a text
//! that can be read in very many ways is refused instead of tried to the end.

use std::ops::ControlFlow;

use super::super::ParseError;
use super::movetext::{BoardText, JumpMark, MoveText, PieceText, Shape};
use super::syntax::Token;
use crate::board::{PieceKind, Squares};
use crate::multiverse::{LineName, Made, Move, Multiverse, Place};

/// What an action was found to be.
pub enum Reading {
    /// It can be submitted.
    Complete(Vec<Move>),
    /// Moves are missing before it could be.
    Unfinished(Vec<Move>),
}

/// An error, and the index of the text at fault.
pub type Fault = (usize, ParseError);

/// How many moves may be tried in one record beyond the ones that are written.
pub const BUDGET: usize = 50_000;

/// One text of the action on the stack: the moves that fit, and the one that is made.
struct Level {
    fitting: std::vec::IntoIter<Move>,
    made: Option<(Move, Made)>,
}

/// The readings of one rank: the first, and one that makes another multiverse.
#[derive(Default)]
struct Readings {
    first: Option<(u64, Vec<Move>)>,
    other: Option<Vec<Move>>,
}

impl Readings {
    fn add(&mut self, key: u64, levels: &[Level]) {
        let moves = || levels.iter().filter_map(|level| level.made.map(|(step, _)| step)).collect();
        match &self.first {
            None => self.first = Some((key, moves())),
            Some((first, _)) if *first == key => {}
            Some(_) => {
                self.other.get_or_insert_with(moves);
            }
        }
    }

    /// The only reading; an error if there are two.
    fn only(
        self,
        multiverse: &Multiverse,
        texts: &[Token<'_>],
    ) -> Option<Result<Vec<Move>, Fault>> {
        let (_, first) = self.first?;
        let Some(other) = self.other else { return Some(Ok(first)) };
        let mut pairs = first.iter().zip(&other).enumerate();
        let differing = pairs.find(|(_, (one, two))| one != two);
        let index = differing.map_or(0, |(index, _)| index);
        let expected = match differing {
            Some((_, (one, two))) => {
                let (one, two) = (describe(multiverse, one), describe(multiverse, two));
                format!("ambiguous: {one} or {two}")
            }
            None => "ambiguous".to_owned(),
        };
        Some(Err((index, error_at(texts, index, expected))))
    }
}

fn error_at(texts: &[Token<'_>], index: usize, expected: String) -> ParseError {
    ParseError::new(texts.get(index).map_or("", |token| token.text), expected)
}

/// A board as errors and records write it.
pub fn board_name(multiverse: &Multiverse, place: Place) -> String {
    format!("({}T{})", multiverse.line_name(place.line), place.turn())
}

fn describe(multiverse: &Multiverse, step: &Move) -> String {
    let from = format!("{}{}", board_name(multiverse, step.from), step.from_square);
    let promotion = step.promotion.map(|kind| format!("={}", kind.letter())).unwrap_or_default();
    if step.is_physical() {
        return format!("{from}{}{promotion}", step.to_square);
    }
    format!("{from}>{}{}{promotion}", board_name(multiverse, step.to), step.to_square)
}

/// Resolves the texts of one action of the side to move and makes its moves. `last` says that no
/// other action follows, so that this one may be unfinished. `budget` is what is left of
/// [`BUDGET`].
pub fn resolve_action(
    multiverse: &mut Multiverse,
    texts: &[Token<'_>],
    last: bool,
    budget: &mut usize,
) -> Result<Reading, Fault> {
    let side = multiverse.side();
    let (mut safe, mut complete, mut unfinished) =
        (Readings::default(), Readings::default(), Readings::default());
    let mut missing = None;
    let mut fault: Option<Fault> = None;
    let mut levels: Vec<Level> = Vec::with_capacity(texts.len());
    *budget = budget.saturating_add(texts.len());
    loop {
        if let Some(token) = texts.get(levels.len()) {
            let full = multiverse.is_full();
            let fitting = if full { Vec::new() } else { candidates(multiverse, &token.written) };
            let deepest = fault.as_ref().is_none_or(|(index, _)| *index < levels.len());
            if fitting.is_empty() && deepest {
                let why = if full {
                    "the game is too long or has too many timelines".to_owned()
                } else {
                    why_none(multiverse, &token.written)
                };
                fault = Some((levels.len(), ParseError::new(token.text, why)));
            }
            levels.push(Level { fitting: fitting.into_iter(), made: None });
        } else {
            let key = multiverse.key();
            if !multiverse.present_has_passed() {
                missing = missing.or_else(|| mandatory(multiverse));
                unfinished.add(key, &levels);
            } else {
                complete.add(key, &levels);
                if !multiverse.can_take_royal(!side) {
                    safe.add(key, &levels);
                }
            }
        }
        if safe.other.is_some() || !advance(multiverse, &mut levels, budget) {
            break;
        }
    }
    while let Some(level) = levels.pop() {
        if let Some((step, made)) = level.made {
            multiverse.unmake_move(&step, made);
        }
    }
    if *budget == 0 {
        let expected = "too many readings; write the boards".to_owned();
        return Err((0, error_at(texts, 0, expected)));
    }
    let found = safe.only(multiverse, texts).or_else(|| complete.only(multiverse, texts));
    let reading = match (found, missing) {
        (Some(moves), _) => Reading::Complete(moves?),
        (None, Some(place)) if !last => {
            let index = texts.len().saturating_sub(1);
            let board = board_name(multiverse, place);
            let expected = format!("the action is not complete, {board} must still be played");
            return Err((index, error_at(texts, index, expected)));
        }
        (None, _) => match unfinished.only(multiverse, texts) {
            Some(moves) => Reading::Unfinished(moves?),
            None => {
                let nothing = || (0, error_at(texts, 0, "expected a move".to_owned()));
                return Err(fault.unwrap_or_else(nothing));
            }
        },
    };
    let (Reading::Complete(moves) | Reading::Unfinished(moves)) = &reading;
    for step in moves {
        multiverse.make_move(step);
    }
    Ok(reading)
}

/// Goes on to the next reading: takes back what has been looked at and makes the next move that
/// fits. False when there is none, or no budget for it.
fn advance(multiverse: &mut Multiverse, levels: &mut Vec<Level>, budget: &mut usize) -> bool {
    while let Some(level) = levels.last_mut() {
        if let Some((step, made)) = level.made.take() {
            multiverse.unmake_move(&step, made);
        }
        let Some(step) = level.fitting.next() else {
            levels.pop();
            continue;
        };
        *budget = budget.saturating_sub(1);
        if *budget == 0 {
            return false;
        }
        level.made = Some((step, multiverse.make_move(&step)));
        return true;
    }
    false
}

/// A board that holds the present for the side to move.
fn mandatory(multiverse: &Multiverse) -> Option<Place> {
    let present = multiverse.present();
    multiverse
        .active_lines()
        .filter_map(|line| multiverse.latest(line))
        .find(|place| place.half_turn == present)
}

/// Whether nothing that is written about a board contradicts the place.
fn names(board: Option<BoardText>, place: Place, even: bool) -> bool {
    board.is_none_or(|board| {
        board.line.is_none_or(|line| line.line(even) == place.line)
            && board.turn.is_none_or(|turn| turn == place.turn())
    })
}

/// The playable boards that a move may leave.
fn boards_left(multiverse: &Multiverse, board: Option<BoardText>) -> Vec<Place> {
    let even = multiverse.is_even();
    let playable = |line: i32| multiverse.playable(line, multiverse.side());
    match board.and_then(|board| board.line) {
        Some(line) => playable(line.line(even)).into_iter().collect::<Vec<_>>(),
        None => multiverse.lines().filter_map(playable).collect(),
    }
    .into_iter()
    .filter(|&place| names(board, place, even))
    .collect()
}

/// The moves that fit a text.
fn candidates(multiverse: &Multiverse, text: &MoveText) -> Vec<Move> {
    let boards = boards_left(multiverse, text.board);
    if text.shape == Shape::Pass {
        return boards.into_iter().filter_map(|place| pass(multiverse, place)).collect();
    }
    let promotes = |step: &Move| match text.shape {
        Shape::Piece(PieceText { promotion: Some(kind), .. }) => step.promotion == Some(kind),
        _ => step.promotion.is_none_or(|kind| kind == PieceKind::Queen),
    };
    let mut moves = moves_where(multiverse, &boards, |step| {
        fits(multiverse, &text.shape, step) && promotes(step)
    });
    if let Shape::Piece(piece) = &text.shape {
        if let Some(mark) = piece.jump {
            narrow(&mut moves, |step| {
                let branches = !step.is_physical() && multiverse.branches(step.to);
                branches == (mark == JumpMark::Branch)
            });
        }
        if piece.capture {
            narrow(&mut moves, |step| captures(multiverse, step));
        }
    }
    moves
}

/// A pass on a board, as [`super::is_pass`] knows it.
fn pass(multiverse: &Multiverse, place: Place) -> Option<Move> {
    let square = Squares(multiverse.board(place).vacant()).next()?;
    Some(Move { from: place, from_square: square, to: place, to_square: square, promotion: None })
}

fn moves_where(
    multiverse: &Multiverse,
    boards: &[Place],
    wanted: impl Fn(&Move) -> bool,
) -> Vec<Move> {
    let mut moves = Vec::new();
    for &place in boards {
        let _ = multiverse.moves_from(place, |step| {
            if wanted(&step) {
                moves.push(step);
            }
            ControlFlow::<()>::Continue(())
        });
    }
    moves
}

/// Whether nothing that is written contradicts the move; the promotion, `>` and `x` apart.
fn fits(multiverse: &Multiverse, shape: &Shape, step: &Move) -> bool {
    let kind = || multiverse.board(step.from).piece_at(step.from_square).map(|piece| piece.kind);
    let (from, to) = (step.from_square, step.to_square);
    match shape {
        Shape::Pass => false,
        Shape::Castling { files } => {
            let crossed = i32::from(to.file()).saturating_sub(i32::from(from.file()));
            step.is_physical()
                && crossed == *files
                && kind() == Some(PieceKind::King)
                && from.rank() == to.rank()
        }
        Shape::Piece(piece) => {
            let stays = piece.board.is_some() || step.is_physical() == piece.jump.is_none();
            let whole_square = piece.file.is_some() && piece.rank.is_some();
            stays
                && to == piece.to
                && piece.file.is_none_or(|file| file == from.file())
                && piece.rank.is_none_or(|rank| rank == from.rank())
                && names(piece.board, step.to, multiverse.is_even())
                && match piece.kind {
                    None if whole_square => true,
                    None => kind() == Some(PieceKind::Pawn),
                    wanted => kind() == wanted,
                }
        }
    }
}

/// Keeps what a mark asks for, or everything if that would leave nothing.
fn narrow(moves: &mut Vec<Move>, wanted: impl Fn(&Move) -> bool) {
    if moves.iter().any(&wanted) {
        moves.retain(wanted);
    }
}

fn captures(multiverse: &Multiverse, step: &Move) -> bool {
    let pawn_like = multiverse.board(step.from).pawn_like() & step.from_square.bit() != 0;
    let en_passant =
        step.is_physical() && pawn_like && step.from_square.file() != step.to_square.file();
    en_passant || multiverse.board(step.to).piece_at(step.to_square).is_some()
}

/// Why nothing fits, in words.
fn why_none(multiverse: &Multiverse, text: &MoveText) -> String {
    let boards = boards_left(multiverse, text.board);
    if boards.is_empty() {
        return why_no_board(multiverse, text.board);
    }
    let piece = match &text.shape {
        Shape::Pass => return "no square is vacant, so the board cannot be passed".to_owned(),
        Shape::Castling { .. } => return "castling is not possible here".to_owned(),
        Shape::Piece(piece) => piece,
    };
    let reached = moves_where(multiverse, &boards, |step| fits(multiverse, &text.shape, step));
    let promoting = reached.iter().any(|step| step.promotion.is_some());
    match (reached.is_empty(), piece.promotion) {
        (false, Some(_)) if !promoting => "the move does not promote".to_owned(),
        (false, Some(kind)) => format!("promotion to {} is not allowed here", kind.letter()),
        (false, None) => "a promotion letter is needed here".to_owned(),
        (true, _) => match piece.kind {
            Some(kind) => format!("no {} can go there", kind.letter()),
            None if piece.file.is_some() && piece.rank.is_some() => {
                "no piece there can go there".to_owned()
            }
            None => "no pawn can go there".to_owned(),
        },
    }
}

fn why_no_board(multiverse: &Multiverse, board: Option<BoardText>) -> String {
    let Some(line) = board.and_then(|board| board.line) else {
        return "no such board can be played by the side to move".to_owned();
    };
    let line = line.line(multiverse.is_even());
    match multiverse.latest(line) {
        None => {
            let name = LineName { line, even: multiverse.is_even() };
            format!("there is no timeline {name}")
        }
        Some(latest) if latest.colour() != multiverse.side() => {
            let name = multiverse.line_name(line);
            format!("the latest board of timeline {name} is the opponent's")
        }
        Some(latest) => {
            format!("the board to play on that timeline is {}", board_name(multiverse, latest))
        }
    }
}
