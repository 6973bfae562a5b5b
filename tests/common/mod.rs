//! Small helpers for the integration tests: positions from text, and sets of moves and actions as
//! text, which compare and print well.

#![allow(
    dead_code,
    reason = "several test binaries include this module, and each uses only a part of it"
)]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use lightcone::actions::{Action, Generator, Limit, Report, Status, Step, report};
use lightcone::multiverse::{Made, Move, Multiverse};
use lightcone::notation::{move_to_string, parse_fen, parse_move, write_fen};

/// The position of some blocks of 5DFEN, size and parity taken from them.
pub fn position(blocks: &str) -> Multiverse {
    parse_fen(blocks, None, None).unwrap_or_else(|error| panic!("{blocks}: {error}"))
}

/// The pseudo-legal move that a word means.
pub fn find_move(multiverse: &Multiverse, word: &str) -> Result<Move, String> {
    let text = parse_move(word).map_err(|error| error.to_string())?;
    text.resolve(multiverse, word).map_err(|error| error.to_string())
}

/// Makes moves and `submit`s, separated by blanks; the position before a submit must allow it,
/// but for royals that can be taken. Returns what each move was.
pub fn play(multiverse: &mut Multiverse, words: &str) -> Vec<Made> {
    let mut made = Vec::new();
    for word in words.split_whitespace() {
        if word == "submit" {
            assert!(multiverse.present_has_passed(), "{words}: cannot submit yet");
            multiverse.set_side(!multiverse.side());
        } else {
            let step = find_move(multiverse, word).unwrap_or_else(|error| panic!("{error}"));
            made.push(multiverse.make_move(&step));
        }
    }
    made
}

/// The position of some blocks after moves and `submit`s.
pub fn played(blocks: &str, words: &str) -> Multiverse {
    let mut multiverse = position(blocks);
    play(&mut multiverse, words);
    multiverse
}

/// The pseudo-legal moves; none may come twice.
pub fn pseudo(multiverse: &Multiverse) -> BTreeSet<String> {
    let moves = multiverse.pseudo_legal_moves();
    let texts: BTreeSet<String> = moves.iter().map(move_to_string).collect();
    assert_eq!(texts.len(), moves.len(), "a move comes twice: {moves:?}");
    texts
}

/// Where a piece may go: what is left of its pseudo-legal moves without `(0T1)d4` in front.
pub fn targets(multiverse: &Multiverse, piece: &str) -> BTreeSet<String> {
    let moves = pseudo(multiverse);
    moves.iter().filter_map(|text| text.strip_prefix(piece)).map(str::to_owned).collect()
}

/// A set of words.
pub fn set(words: &str) -> BTreeSet<String> {
    words.split_whitespace().map(str::to_owned).collect()
}

/// The set of moves and jumps in a list of words.
pub fn jumps(targets: &BTreeSet<String>) -> BTreeSet<String> {
    targets.iter().filter(|target| target.starts_with('(')).cloned().collect()
}

/// Everything that makes a multiverse what it is, but for the side to move: every board with its
/// place and marks, and every en passant right.
pub fn signature(multiverse: &Multiverse) -> String {
    let mut text = write_fen(multiverse);
    for (place, board) in multiverse.boards() {
        if let Some(square) = board.en_passant() {
            let _ = write!(text, " ep({},{}){square}", place.line, place.half_turn);
        }
    }
    text
}

/// A legal action as it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its moves, in an order in which they can be played.
    pub moves: Action,
    /// How many sets of moves make it (R23).
    pub move_sets: u64,
    /// The [`signature`] of the multiverse after it.
    pub after: String,
}

/// Every legal action, or every completion of the action begun.
pub fn legal(multiverse: &mut Multiverse) -> Vec<Found> {
    let mut generator = Generator::new();
    let mut found = Vec::new();
    generator.start(multiverse);
    while generator.next(multiverse, &Limit::NONE) == Step::Found {
        let moves = generator.action();
        let move_sets = generator.move_sets(&Limit::NONE).expect("few are alike");
        generator.make(multiverse);
        let after = signature(multiverse);
        generator.unmake(multiverse);
        found.push(Found { moves, move_sets, after });
    }
    generator.finish(multiverse);
    found
}

/// The legal actions of a copy of the position, each as its moves in alphabetical order.
pub fn actions(multiverse: &Multiverse) -> BTreeSet<String> {
    let found = legal(&mut multiverse.clone());
    let texts: BTreeSet<String> = found.iter().map(|action| action_text(&action.moves)).collect();
    assert_eq!(texts.len(), found.len(), "an action comes twice");
    texts
}

/// The number of legal actions, and of their move sets (R23).
pub fn count(multiverse: &Multiverse) -> (usize, u64) {
    let found = legal(&mut multiverse.clone());
    (found.len(), found.iter().map(|action| action.move_sets).sum())
}

/// The moves of an action in alphabetical order, separated by blanks.
pub fn action_text(action: &[Move]) -> String {
    let mut moves: Vec<String> = action.iter().map(move_to_string).collect();
    moves.sort();
    moves.join(" ")
}

/// Check, status and result with the tournament rule for stalemates.
pub fn state(multiverse: &Multiverse) -> Report {
    report(&mut multiverse.clone(), true, &Limit::NONE)
}

/// Check, status and result in words: `check checkmate 0-1`.
pub fn state_text(multiverse: &Multiverse) -> String {
    let Report { check, status, result, .. } = state(multiverse);
    format!("{}{} {}", if check { "check " } else { "" }, status.name(), result.name())
}

/// The status alone.
pub fn status(multiverse: &Multiverse) -> Status {
    state(multiverse).status
}

/// The present as `T2b`.
pub fn present(multiverse: &Multiverse) -> String {
    let half_turn = multiverse.present();
    format!("T{}{}", half_turn >> 1, if half_turn & 1 == 0 { 'w' } else { 'b' })
}

/// The names of timelines that pass a test, ascending, separated by blanks.
pub fn lines(multiverse: &Multiverse, test: impl Fn(i32) -> bool) -> String {
    let names = multiverse.lines().filter(|&line| test(line));
    names.map(|line| multiverse.line_name(line).to_string()).collect::<Vec<_>>().join(" ")
}

/// The active timelines.
pub fn active(multiverse: &Multiverse) -> String {
    lines(multiverse, |line| multiverse.active_lines().contains(&line))
}

/// The timelines that still hold the present for the mover (R21).
pub fn mandatory(multiverse: &Multiverse) -> String {
    lines(multiverse, |line| {
        multiverse.active_lines().contains(&line)
            && multiverse.playable(line, multiverse.side()).is_some()
            && multiverse.latest_half_turn(line) == Some(multiverse.present())
    })
}

/// Whether the action as it stands may be submitted (R21).
pub fn may_submit(multiverse: &Multiverse) -> bool {
    multiverse.present_has_passed() && !multiverse.can_take_royal(!multiverse.side())
}

/// Whether the long runs are asked for, by the environment variable `LIGHTCONE_LONG`.
pub fn is_long() -> bool {
    std::env::var_os("LIGHTCONE_LONG").is_some()
}

/// A folder or file of the data shared by the project, which may be absent.
pub fn shared(path: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    if !folder.exists() {
        println!("skipped: ../shared is absent");
        return None;
    }
    Some(folder.join(path))
}
