//! The legal actions at the root: which of them are searched, and in which order. Makes no action
//! and knows no depth.

use std::time::Instant;

use super::Settings;
use super::ordering::{History, Landings, Look, Mild, Ordering};
use super::table::Table;
use crate::actions::{Action, Generator, Limit, Step, Stream};
use crate::multiverse::{Move, Multiverse};

/// From so many playable boards on, likely actions are looked at before all of them are.
pub const WIDE: usize = 4;
/// Root actions looked at, at most, where there are more than anyone can search.
const MOST_ROOT_ACTIONS: usize = 400;
/// Root actions that are enough once the time for listing them is over.
const ENOUGH: usize = 64;
/// The part of the time in which root actions are listed, at most.
const LISTING_PART: f64 = 0.1;
/// Actions that keep a standing check and change little else, looked at first at the root.
const MILD_ROOT_ACTIONS: usize = 20;
/// Candidates that the search for a first legal action looks at before it heeds a stop.
const WITNESS_WORK: u64 = 2_000;

/// The legal actions at the root, best first by ordering, and whether they are all there are.
pub(super) fn root_actions(
    multiverse: &mut Multiverse,
    settings: &Settings,
    table: &Table,
    limit: &Limit<'_>,
) -> (Vec<Action>, bool) {
    if !settings.search_moves.is_empty() {
        return (settings.search_moves.clone(), true);
    }
    let listing = settings.clock.part(LISTING_PART);
    let mut actions: Vec<Action> = Vec::new();
    let mut disputed = None;
    let (history, landings) = (History::new(), Landings::default());
    let tags = table.probe(multiverse.key()).map_or([0; 4], |entry| entry.tags);
    let mut stream = Stream::new();
    let mut complete = false;
    if !limit.is_over(0) && multiverse.has_standing_check() {
        let mut mild = Mild(Ordering::new(multiverse, tags, &history, &landings));
        stream.start(multiverse, &mut mild);
        while actions.len() < MILD_ROOT_ACTIONS && stream.next_any(multiverse, limit) == Step::Found
        {
            let action = stream.action();
            if settings.allows(multiverse, &action) {
                actions.push(action);
            }
        }
        stream.finish(multiverse);
    }
    // With many boards the likely actions first, then as many of all as there is room for.
    let wide = multiverse.count_playable(WIDE) == WIDE;
    let repeats = wide || !actions.is_empty();
    for narrow in if wide { [true, false].iter() } else { [false].iter() } {
        let late = || listing.is_some_and(|listing| Instant::now() >= listing);
        let enough = |count: usize| count >= MOST_ROOT_ACTIONS || count >= ENOUGH && late();
        // On many boards it takes time even to begin.
        if enough(actions.len()) || limit.is_over(0) {
            break;
        }
        let mut ordering = Ordering::new(multiverse, tags, &history, &landings);
        if *narrow {
            ordering.look = Look::Narrow;
        }
        stream.start(multiverse, &mut ordering);
        let step = loop {
            if enough(actions.len()) {
                break Step::Stopped;
            }
            let step = stream.next_any(multiverse, limit);
            if step != Step::Found {
                break step;
            }
            let action = stream.action();
            if !settings.allows(multiverse, &action) {
                disputed = Some(action);
            } else if !repeats || !actions.contains(&action) {
                actions.push(action);
            }
        };
        stream.finish(multiverse);
        // An action that may not be played could still be the way out of a mate.
        complete = step == Step::Done && !narrow && disputed.is_none();
    }
    if actions.is_empty() {
        actions.extend(disputed);
    }
    (actions, complete)
}

/// Any legal action at once, so that there is always an answer, however little time there is: a
/// stop or the clock does not end it before some work is done, and nearly always it takes
/// microseconds. `Err` says whether there is none, or none was found in time.
pub(super) fn witness(multiverse: &mut Multiverse, limit: &Limit<'_>) -> Result<Action, Step> {
    let mut generator = Generator::new();
    // Most positions have one without a jump, and making the jumps takes most of the time.
    if generator.seek_along_boards(multiverse, &Limit::NONE) == Step::Found {
        let action = generator.action();
        generator.finish(multiverse);
        return Ok(action);
    }
    generator.finish(multiverse);
    generator.start(multiverse);
    let mut step = generator.next(multiverse, &Limit { work: Some(WITNESS_WORK), ..Limit::NONE });
    if step == Step::Stopped {
        step = generator.next(multiverse, &Limit { work: None, ..*limit });
    }
    let action = (step == Step::Found).then(|| generator.action());
    generator.finish(multiverse);
    action.ok_or(step)
}

/// Whether a move is one that other programs refuse: en passant where the board one full turn
/// earlier is not there, or castling with the rook two files away (R7, R8).
pub(super) fn is_disputed(multiverse: &Multiverse, step: &Move) -> bool {
    let board = multiverse.board(step.from);
    let Some(piece) = board.piece_at(step.from_square) else { return false };
    if !step.is_physical() {
        return false;
    }
    if piece.kind.is_pawn_like() {
        let diagonal = step.from_square.file() != step.to_square.file();
        let en_passant = diagonal && board.en_passant() == Some(step.to_square);
        return en_passant && !multiverse.board(step.from.offset(0, -1)).is_present();
    }
    let castling = piece.kind == crate::board::PieceKind::King
        && step.from_square.file().abs_diff(step.to_square.file()) == 2;
    castling && board.piece_at(step.to_square).is_some()
}
