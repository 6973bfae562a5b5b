//! Random positions of all variants, by their number of timelines, and of small boards.

use std::time::{Duration, Instant};

use lightcone::actions::make_action;
use lightcone::multiverse::Multiverse;
use lightcone::variants;

use crate::bridge::{pick, random_action, random_move};
use crate::common::is_long;
use crate::compare::{Comparison, Tally};
use crate::sample::{like_boards, random_position, reach, seeded};

/// Sets of moves that the referee looks at, by how large the boards are.
fn work(start: &Multiverse) -> usize {
    let small = start.size().squares().count_ones() <= 25;
    match (is_long(), small) {
        (false, true) => 600,
        (false, false) => 120,
        (true, true) => 20_000,
        (true, false) => 6000,
    }
}

/// Compares `count` positions with so many timelines, from random games of all variants in turn,
/// and now and then one in the middle of an action from there.
fn compare_variants(timelines: &[usize], default: usize, long: usize, seed: u64) -> Tally {
    let count = if is_long() { long } else { default };
    let mut comparison = Comparison::new(seeded(seed));
    let all: Vec<_> = variants::all().collect();
    let mut next = comparison.rng.below(all.len());
    let mut shown = Instant::now();
    while comparison.tally.positions < count {
        let start = all[next % all.len()].multiverse().unwrap();
        next += 1;
        let count = pick(&mut comparison.rng, timelines);
        let Some(mut position) = reach(&start, count, &mut comparison.rng) else { continue };
        compare_here(&mut comparison, &mut position, work(&start));
        if shown.elapsed() > Duration::from_secs(300) {
            println!("so far, {timelines:?} timelines: {:?}", comparison.tally);
            shown = Instant::now();
        }
    }
    println!("{timelines:?} timelines: {:?}", comparison.tally);
    comparison.tally
}

/// Compares a position, and now and then one in the middle of an action from there.
pub fn compare_here(comparison: &mut Comparison, multiverse: &mut Multiverse, work: usize) {
    comparison.compare(multiverse, false, work);
    let rng = &mut comparison.rng;
    if rng.below(4) != 0 {
        return;
    }
    let mut begun = multiverse.clone();
    for _ in 0..=rng.below(3) {
        let Some(step) = random_move(&begun, rng, 60) else { return };
        begun.make_move(&step);
    }
    comparison.compare(&mut begun, true, work);
}

/// Compares every position of a random game of up to `length` actions and six timelines.
pub fn compare_game(
    comparison: &mut Comparison,
    mut multiverse: Multiverse,
    length: usize,
    work: usize,
) {
    for _ in 0..length {
        compare_here(comparison, &mut multiverse, work);
        let rng = &mut comparison.rng;
        let jumps = pick(rng, &[10, 50, 90]);
        if multiverse.lines().count() > 6 {
            return;
        }
        let Some(action) = random_action(&mut multiverse, rng, jumps) else { return };
        make_action(&mut multiverse, &action);
    }
}

pub fn times(count: usize) -> usize {
    if is_long() { 20 * count } else { count }
}

#[test]
fn variants_with_one_timeline() {
    let tally = compare_variants(&[1], 300, 5000, 11);
    assert!(10 * tally.complete >= 9 * tally.positions, "{tally:?}");
}

#[test]
fn variants_with_two_timelines() {
    let tally = compare_variants(&[2], 200, 5000, 12);
    assert!(tally.complete > 0 && tally.partial.positions > 0, "{tally:?}");
}

#[test]
fn variants_with_three_timelines() {
    let tally = compare_variants(&[3], 150, 4000, 13);
    assert!(tally.complete > 0 && tally.partial.positions > 0, "{tally:?}");
}

#[test]
fn variants_with_four_timelines() {
    let tally = compare_variants(&[4], 100, 3000, 14);
    assert!(tally.complete > 0 && tally.partial.positions > 0, "{tally:?}");
}

#[test]
fn variants_with_five_timelines() {
    let tally = compare_variants(&[5], 70, 2000, 15);
    assert!(tally.complete > 0 && tally.partial.positions > 0, "{tally:?}");
}

#[test]
fn variants_with_six_timelines() {
    let tally = compare_variants(&[6], 50, 1000, 16);
    assert!(tally.partial.positions > 0, "{tally:?}");
}

#[test]
fn variants_with_seven_to_twelve_timelines() {
    let tally = compare_variants(&[7, 8, 9, 10, 11, 12], 40, 500, 17);
    assert!(tally.timelines.range(7..=12).count() == 6 && tally.partial.positions > 0, "{tally:?}");
}

#[test]
fn small_boards_of_no_game() {
    let mut comparison = Comparison::new(seeded(2));
    for _ in 0..times(1500) {
        let start = random_position(&mut comparison.rng);
        let length = 1 + comparison.rng.below(3);
        compare_game(&mut comparison, start, length, 500);
    }
    let tally = comparison.tally;
    println!("small boards: {tally:?}");
    assert!(tally.positions >= times(1800) && tally.complete >= times(1500), "{tally:?}");
    assert!(tally.double_branches >= times(50) && tally.shared_actions >= times(10), "{tally:?}");
}

#[test]
fn like_boards_with_equal_actions() {
    let mut comparison = Comparison::new(seeded(18));
    for _ in 0..times(300) {
        let mut start = like_boards(&mut comparison.rng);
        compare_here(&mut comparison, &mut start, 2000);
    }
    let tally = comparison.tally;
    println!("like boards: {tally:?}");
    assert!(tally.shared_actions >= times(60), "{tally:?}");
}
