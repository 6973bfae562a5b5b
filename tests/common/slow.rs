//! The bridge between the engine and the slow referee of `tests/oracle`: the same positions, moves
//! and signatures on both sides. Every binary that includes it has the modules `oracle` and
//! `common` at its root.

#![allow(
    dead_code,
    reason = "several test binaries include this module, and each uses only a part of it"
)]

use std::fmt::Write;

use crate::common;
use crate::oracle::actions::{self, Rng};
use crate::oracle::board::{Board as SlowBoard, Colour as SlowColour, Kind, Piece as SlowPiece};
use crate::oracle::moves::Move as SlowMove;
use crate::oracle::position::{Position, Square as SlowSquare};
use lightcone::actions::{Action, GameResult, Limit, report};
use lightcone::board::{Board, Colour, PieceKind, Square};
use lightcone::multiverse::{Move, Multiverse, Place};
use lightcone::notation::write_fen;

/// The colour as the referee names it.
pub fn slow_colour(colour: Colour) -> SlowColour {
    match colour {
        Colour::White => SlowColour::White,
        Colour::Black => SlowColour::Black,
    }
}

/// The position as the referee reads it from the engine's 5DFEN, checked to be the same.
pub fn slow(multiverse: &Multiverse) -> Position {
    let size = multiverse.size();
    let fen = write_fen(multiverse);
    let (width, height) = (size.width.into(), size.height.into());
    let mut position = Position::from_fen(width, height, multiverse.is_even(), &[fen]).unwrap();
    position.side = slow_colour(multiverse.side());
    let kinds = multiverse.promotions().kinds();
    position.promotions = kinds.map(|kind| slow_kind(kind.letter())).collect();
    assert_eq!(signature(&position), common::signature(multiverse));
    position
}

/// As [`common::signature`].
pub fn signature(position: &Position) -> String {
    let mut text = position.to_fen();
    for (&(line, half_turn), board) in &position.boards {
        if let Some((x, y)) = board.en_passant {
            let _ = write!(text, " ep({line},{half_turn}){}{}", (b'a' + x as u8) as char, y + 1);
        }
    }
    text
}

/// A move as the referee has it.
pub fn slow_move(step: &Move) -> SlowMove {
    let square = |place: Place, square: Square| SlowSquare {
        timeline: place.line,
        half_turn: place.half_turn,
        x: square.file().into(),
        y: square.rank().into(),
    };
    SlowMove {
        from: square(step.from, step.from_square),
        to: square(step.to, step.to_square),
        promotion: step.promotion.map(|kind| slow_kind(kind.letter())),
    }
}

/// A move of the referee as the engine has it.
pub fn fast_move(step: SlowMove) -> Move {
    let place = |at: SlowSquare| Place { line: at.timeline, half_turn: at.half_turn };
    let square = |at: SlowSquare| Square::new(at.x as u8, at.y as u8);
    let kind = |kind: Kind| {
        PieceKind::ALL.into_iter().find(|known| known.letter() == kind.letter()).unwrap()
    };
    Move {
        from: place(step.from),
        from_square: square(step.from),
        to: place(step.to),
        to_square: square(step.to),
        promotion: step.promotion.map(kind),
    }
}

/// A board as the referee has it.
pub fn slow_board(board: &Board) -> SlowBoard {
    let size = board.size();
    let mut slow = SlowBoard::empty(size.width.into(), size.height.into());
    for (square, piece) in board.pieces() {
        let kind = slow_kind(piece.kind.letter());
        let colour = slow_colour(piece.colour);
        let piece = SlowPiece { kind, colour, unmoved: piece.unmoved };
        slow.set(square.file().into(), square.rank().into(), Some(piece));
    }
    slow.en_passant = board.en_passant().map(|at| (at.file().into(), at.rank().into()));
    slow
}

fn slow_kind(letter: char) -> Kind {
    Kind::from_letter(letter).expect("the same letters")
}

/// The result in the engine's words.
pub fn result_name(result: actions::GameResult) -> &'static str {
    match result {
        actions::GameResult::Open => GameResult::Open.name(),
        actions::GameResult::Win(SlowColour::White) => GameResult::Win(Colour::White).name(),
        actions::GameResult::Win(SlowColour::Black) => GameResult::Win(Colour::Black).name(),
        actions::GameResult::Draw => GameResult::Draw.name(),
    }
}

/// One of the items.
pub fn pick<T: Copy>(rng: &mut Rng, items: &[T]) -> T {
    items[rng.below(items.len())]
}

/// A random pseudo-legal move: with a chance of `jumps` percent one between boards, otherwise one
/// on its board, where there is a choice.
pub fn random_move(multiverse: &Multiverse, rng: &mut Rng, jumps: usize) -> Option<Move> {
    let moves = multiverse.pseudo_legal_moves();
    let (physical, between): (Vec<Move>, Vec<Move>) =
        moves.into_iter().partition(Move::is_physical);
    let jumps = rng.below(100) < jumps;
    let wanted =
        if jumps && !between.is_empty() || physical.is_empty() { between } else { physical };
    (!wanted.is_empty()).then(|| pick(rng, &wanted))
}

/// The moves of a random legal action: random moves until they can be submitted, a few attempts
/// of that, and then the first action that the engine finds in a bounded time. The position is
/// left as it was.
pub fn random_action(multiverse: &mut Multiverse, rng: &mut Rng, jumps: usize) -> Option<Action> {
    let attempts = (0..6).find_map(|_| try_random_action(multiverse, rng, jumps));
    attempts.or_else(|| {
        let limit = Limit { work: Some(5000), ..Limit::NONE };
        report(multiverse, true, &limit).witness
    })
}

fn try_random_action(multiverse: &mut Multiverse, rng: &mut Rng, jumps: usize) -> Option<Action> {
    let mut action = Vec::new();
    let mut undo = Vec::new();
    // Optional moves are made with a chance of one in four each.
    while !multiverse.present_has_passed() || rng.below(4) == 0 {
        let Some(step) = random_move(multiverse, rng, jumps) else { break };
        undo.push(multiverse.make_move(&step));
        action.push(step);
    }
    let legal = common::may_submit(multiverse);
    for (step, made) in action.iter().zip(undo).rev() {
        multiverse.unmake_move(step, made);
    }
    legal.then_some(action)
}
