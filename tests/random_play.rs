//! Random games in every variant, with every check that a position can make of itself: keys,
//! 5DFEN, mirrors, taking back, other orders of the moves, and actions that the slow referee
//! accepts.
//!
//! By default a few games, for half a minute. With the environment variable `LIGHTCONE_LONG` 20
//! games in every variant to the end or 80 actions, then, for as many seconds as the variable
//! says, games in random variants to the end, 300 actions or 60 timelines. `LIGHTCONE_SEED`
//! chooses other games.

#[path = "common/slow.rs"]
mod bridge;
mod common;
mod oracle;

use std::time::{Duration, Instant};

use bridge::{pick, random_action, slow};
use common::{is_long, signature};
use lightcone::actions::{
    Action, Chooser, GameResult, Limit, Report, Status, Step, Stream, is_legal_action, make_action,
    report, unmake_action,
};
use lightcone::board::Board;
use lightcone::multiverse::{Made, Move, Multiverse, Pieces, Place};
use lightcone::notation::{move_to_string, parse_fen, write_fen};
use lightcone::variants::{self, Variant};
use oracle::actions::Rng;

/// What was played and checked.
#[derive(Debug, Default)]
struct Tally {
    games: usize,
    actions: usize,
    moves: usize,
    /// Other orders of the same moves that could be played, and those of another multiverse.
    orders: usize,
    other_multiverses: usize,
    most_timelines: usize,
    most_boards: usize,
    checkmates: usize,
    stalemates: usize,
    /// Games broken off after the most actions, and those broken off with too many timelines.
    too_long: usize,
    too_wide: usize,
    /// Games that ended as neither a legal action nor its absence was found.
    undecided: usize,
}

/// How far a game goes.
#[derive(Clone, Copy)]
struct Length {
    actions: usize,
    timelines: usize,
}

/// Random scores: the best action of a stream is a random one, with jumps as rare as wanted.
struct Dice {
    rng: Rng,
    jumps: usize,
}

impl Chooser for Dice {
    fn score(&mut self, _: &Multiverse, step: &Move, _: Pieces) -> Option<i32> {
        let most = if step.is_physical() { 1000 } else { 10 * self.jumps };
        Some(self.rng.below(most) as i32)
    }

    fn score_of_pass(&mut self, _: bool) -> i32 {
        self.rng.below(1000) as i32
    }
}

/// The moves of a random legal action, if one was found: drawn move by move, or the best of a
/// stream with random scores. `jumps` is how many moves in a hundred go between boards, roughly.
fn draw(multiverse: &mut Multiverse, jumps: usize, rng: &mut Rng) -> Option<Action> {
    if rng.below(3) > 0 {
        return random_action(multiverse, rng, jumps);
    }
    let mut stream = Stream::new();
    stream.start(multiverse, &mut Dice { rng: Rng::new(rng.next_u64()), jumps });
    let step = stream.next(multiverse, &Limit { work: Some(5000), ..Limit::NONE });
    let action = (step == Step::Found).then(|| stream.action());
    stream.finish(multiverse);
    action
}

/// Everything that must hold of a position between two actions.
fn check_position(multiverse: &mut Multiverse, name: &str) {
    multiverse.audit().unwrap_or_else(|error| panic!("{name}: {error}"));
    let (size, even) = (multiverse.size(), multiverse.is_even());
    let again = parse_fen(&write_fen(multiverse), Some(size), Some(even)).unwrap();
    assert_eq!(signature(&again), signature(multiverse), "{name}: read back");
    assert_eq!((again.key(), again.side()), (multiverse.key(), multiverse.side()), "{name}: key");

    let mut flipped = multiverse.flipped();
    flipped.audit().unwrap_or_else(|error| panic!("{name}: flipped: {error}"));
    // Flipped twice every board is a whole turn later, and nothing else has changed.
    let back = flipped.flipped();
    let boards = |multiverse: &Multiverse, later: i32| -> Vec<(Place, Board)> {
        multiverse.boards().map(|(place, board)| (place.offset(0, later), *board)).collect()
    };
    assert!(boards(&back, 0) == boards(multiverse, 1), "{name}: flipped twice");
    assert_eq!(back.side(), multiverse.side(), "{name}: flipped twice");
    assert_eq!(flipped.present(), multiverse.present() + 1, "{name}: flipped: present");
    assert_eq!(flipped.in_check(), multiverse.in_check(), "{name}: flipped: check");
    let moves = multiverse.pseudo_legal_moves().len();
    assert_eq!(flipped.pseudo_legal_moves().len(), moves, "{name}: flipped: moves");
}

/// The referee must let the action be played and submitted. Of what comes before its end, and of
/// the same moves the other way round, the referee and the quick test must think alike.
fn check_by_referee(multiverse: &mut Multiverse, action: &[Move], name: &str) {
    let referee = slow(multiverse);
    let judge = |moves: &[Move]| {
        let words: Vec<String> = moves.iter().map(move_to_string).collect();
        referee.play(&words.join(" ")).map(|end| end.can_submit())
    };
    assert_eq!(judge(action), Ok(true), "{name}: {action:?} cannot be submitted");
    let reversed: Vec<Move> = action.iter().rev().copied().collect();
    for moves in (0..=action.len()).map(|end| &action[..end]).chain([&reversed[..]]) {
        let is_legal = judge(moves) == Ok(true);
        assert_eq!(is_legal_action(multiverse, moves), is_legal, "{name}: {moves:?}");
    }
}

/// What a move did: the timeline that it opened, if it did.
fn make_noting(multiverse: &mut Multiverse, step: &Move) -> (Made, Option<i32>) {
    let next = multiverse.next_line(multiverse.side(), 0);
    let made = multiverse.make_move(step);
    (made, (made == Made::Branch).then_some(next))
}

/// What the moves of an action lead to.
struct End {
    /// The set of moves, each with the timeline that it opened.
    set: Vec<(String, Option<i32>)>,
    key: u64,
    signature: String,
}

/// Plays the moves in the order given, or in a random one that can be played, and takes them all
/// back; `None` if that runs into a dead end.
fn play_in_order(
    multiverse: &mut Multiverse,
    action: &[Move],
    shuffle: Option<&mut Rng>,
) -> Option<End> {
    let mut left = action.to_vec();
    let mut done: Vec<(Move, Made)> = Vec::new();
    let mut set = Vec::new();
    let mut rng = shuffle;
    while !left.is_empty() {
        let playable: Vec<usize> =
            (0..left.len()).filter(|&i| multiverse.is_pseudo_legal(&left[i])).collect();
        let next = match (&mut rng, playable.as_slice()) {
            (_, []) => break,
            (Some(rng), _) => pick(rng, &playable),
            (None, _) => 0,
        };
        let step = left.remove(next);
        let (made, opened) = make_noting(multiverse, &step);
        done.push((step, made));
        set.push((move_to_string(&step), opened));
    }
    set.sort();
    let end = End { set, key: multiverse.key(), signature: signature(multiverse) };
    for (step, made) in done.into_iter().rev() {
        multiverse.unmake_move(&step, made);
    }
    left.is_empty().then_some(end)
}

/// Plays the moves of an action in other orders. Where each opens the same timeline as before,
/// the multiverse and its key are the same (R18); equal keys always mean equal multiverses.
fn check_orders(
    multiverse: &mut Multiverse,
    action: &[Move],
    tally: &mut Tally,
    rng: &mut Rng,
    name: &str,
) {
    let end = play_in_order(multiverse, action, None).expect("a playable order");
    if action.len() < 2 {
        return;
    }
    for _ in 0..3 {
        let Some(other) = play_in_order(multiverse, action, Some(rng)) else { continue };
        let same = other.signature == end.signature;
        tally.orders += 1;
        tally.other_multiverses += usize::from(!same);
        assert!(same || other.set != end.set, "{name}: order matters: {action:?}");
        assert_eq!(other.key == end.key, same, "{name}: keys: {action:?}");
    }
}

/// Makes an action, takes it back, and makes it again.
fn make_checked(multiverse: &mut Multiverse, action: &[Move], name: &str) {
    let before = (multiverse.key(), signature(multiverse), multiverse.pool_mark());
    let made = make_action(multiverse, action);
    let after = (multiverse.key(), signature(multiverse));
    unmake_action(multiverse, action, &made);
    let restored = (multiverse.key(), signature(multiverse), multiverse.pool_mark());
    assert_eq!(restored, before, "{name}: not restored");
    make_action(multiverse, action);
    assert_eq!((multiverse.key(), signature(multiverse)), after, "{name}: made again");
    assert_ne!(after.0, before.0, "{name}: the key did not change");
}

/// The state of the game, with more patience where a little does not decide.
fn decide(multiverse: &mut Multiverse) -> Report {
    let limit = |work| Limit { work: Some(work), ..Limit::NONE };
    let found = report(multiverse, true, &limit(5000));
    if found.status != Status::Undecided {
        return found;
    }
    report(multiverse, true, &limit(200_000))
}

fn play_game(variant: &Variant, length: Length, tally: &mut Tally, rng: &mut Rng) {
    let mut multiverse = variant.multiverse().unwrap();
    let jumps = pick(rng, &[2, 10, 40]);
    tally.games += 1;
    for number in 0..length.actions {
        if multiverse.lines().count() > length.timelines {
            tally.too_wide += 1;
            return;
        }
        let name = format!("{}, action {number}: {}", variant.name, write_fen(&multiverse));
        tally.most_timelines = tally.most_timelines.max(multiverse.lines().count());
        tally.most_boards = tally.most_boards.max(multiverse.boards().count());
        check_position(&mut multiverse, &name);
        let Report { check, status, result, witness } = decide(&mut multiverse);
        assert_eq!(check, multiverse.in_check(), "{name}");
        let is_over = matches!(status, Status::Checkmate | Status::Stalemate);
        assert_eq!(result != GameResult::Open, is_over, "{name}");
        tally.checkmates += usize::from(status == Status::Checkmate);
        tally.stalemates += usize::from(status == Status::Stalemate);
        if let Some(witness) = &witness {
            check_by_referee(&mut multiverse, witness, &name);
        }
        let drawn = draw(&mut multiverse, jumps, rng);
        assert!(!is_over || (witness.is_none() && drawn.is_none()), "{name}: {status:?}");
        let Some(action) = drawn.or(witness) else {
            if !is_over {
                println!("undecided: {name}");
                tally.undecided += 1;
            }
            return;
        };
        check_by_referee(&mut multiverse, &action, &name);
        check_orders(&mut multiverse, &action, tally, rng, &name);
        make_checked(&mut multiverse, &action, &name);
        assert!(!multiverse.can_take_royal(multiverse.side()), "{name}: {action:?}");
        tally.actions += 1;
        tally.moves += action.len();
    }
    tally.too_long += 1;
}

fn rng() -> Rng {
    let seed = std::env::var("LIGHTCONE_SEED").ok().and_then(|seed| seed.parse().ok());
    Rng::new(seed.unwrap_or(5))
}

#[test]
fn games_in_every_variant() {
    let mut tally = Tally::default();
    let mut rng = rng();
    let games = if is_long() { 20 } else { 2 };
    for variant in variants::all() {
        let started = Instant::now();
        let timelines = if is_long() { 100 } else { 15 };
        let length = Length { actions: 80, timelines };
        for _ in 0..games {
            play_game(variant, length, &mut tally, &mut rng);
        }
        if is_long() {
            println!("{}: {games} games in {:?}", variant.name, started.elapsed());
        }
    }
    println!("every variant: {tally:?}");
    assert_eq!(tally.games, games * variants::all().count());
    assert!(tally.actions >= 10 * tally.games && tally.orders > 100, "{tally:?}");
    assert!(tally.other_multiverses > 0 && tally.checkmates > 0, "{tally:?}");
}

#[test]
fn long_games_in_random_variants() {
    let seconds = std::env::var("LIGHTCONE_LONG").ok().and_then(|text| text.parse().ok());
    let end = Instant::now() + Duration::from_secs(seconds.unwrap_or(6));
    let all: Vec<&Variant> = variants::all().collect();
    let mut tally = Tally::default();
    let mut rng = rng();
    let mut shown = Instant::now();
    while Instant::now() < end {
        let variant = pick(&mut rng, &all);
        play_game(variant, Length { actions: 300, timelines: 60 }, &mut tally, &mut rng);
        if shown.elapsed() > Duration::from_secs(300) {
            println!("so far: {tally:?}");
            shown = Instant::now();
        }
    }
    println!("random variants: {tally:?}");
    assert!(tally.games > 0 && tally.actions > 0, "{tally:?}");
}
