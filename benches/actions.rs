//! How fast legal whole actions are found: `cargo bench`.
//!
//! - status of the final position, and of all positions, of recorded games that end where listing
//!   actions would never end;
//! - the first 10,000 legal actions of a position, proved but not made, in any order and in the
//!   order of their scores;
//! - perft, every action made and unmade.
//!
//! The games are third-party and are read where they lie, beside the project; without them only
//! the project's own positions are measured.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use lightcone::actions::{
    Chooser, Everything, Generator, Limit, Step, Stream, count_leaves, make_action, report,
};
use lightcone::multiverse::{Move, Multiverse, Pieces};
use lightcone::notation::pgn;
use lightcone::variants;

/// Where the recorded games are, from the package's root.
const GAMES: &str = "../shared/data/normalized";
/// Games that are hard for mate detectors.
const HARD: [&str; 13] = [
    "100_timelines",
    "NP",
    "NP0",
    "manyChecks",
    "wide",
    "silly",
    "ctp1",
    "futures",
    "exiledKings",
    "another",
    "many2",
    "test1",
    "standard",
];
/// Actions taken from a position.
const FIRST: u64 = 10_000;

/// Every position of a recorded game, the start first; `None` where the file is not there.
fn positions(name: &str) -> Option<Vec<Multiverse>> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(GAMES).join(format!("cwmtt-{name}.5dpgn"));
    let text = std::fs::read_to_string(path).ok()?;
    let lookup = |name: &str| variants::find(name)?.multiverse().ok();
    let game = pgn::parse_game(&text, &lookup).ok()?;
    let mut position = game.start.clone();
    let mut positions = vec![position.clone()];
    for action in &game.actions {
        make_action(&mut position, action);
        positions.push(position.clone());
    }
    Some(positions)
}

fn group<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    group
}

fn statuses(criterion: &mut Criterion) {
    for name in HARD {
        let Some(positions) = positions(name) else {
            eprintln!("skipped: {GAMES} has no game {name}");
            continue;
        };
        let decide = |positions: &mut [Multiverse]| {
            for position in positions {
                black_box(report(position, true, &Limit::NONE));
            }
        };
        let mut last = positions[positions.len() - 1..].to_vec();
        let mut all = positions;
        group(criterion, "status of the final position")
            .bench_function(name, |bencher| bencher.iter(|| decide(&mut last)));
        group(criterion, "status of all positions")
            .bench_function(name, |bencher| bencher.iter(|| decide(&mut all)));
    }
}

/// Scores of no meaning that differ from move to move.
struct Mixed;

impl Chooser for Mixed {
    fn score(&mut self, _: &Multiverse, step: &Move, _: Pieces) -> Option<i32> {
        let squares = step.from_square.index() * 64 + step.to_square.index();
        Some(((squares * 2_654_435_761) >> 7 & 1023) as i32)
    }

    fn score_of_pass(&mut self, _: bool) -> i32 {
        100
    }
}

fn in_any_order(position: &mut Multiverse, generator: &mut Generator) -> u64 {
    generator.start(position);
    let mut found = 0;
    while found < FIRST && generator.next(position, &Limit::NONE) == Step::Found {
        found += 1;
    }
    generator.finish(position);
    found
}

fn in_order(position: &mut Multiverse, stream: &mut Stream, chooser: &mut impl Chooser) -> u64 {
    stream.start(position, chooser);
    let mut found = 0;
    while found < FIRST && stream.next(position, &Limit::NONE) == Step::Found {
        found += 1;
    }
    stream.finish(position);
    found
}

fn first_actions(criterion: &mut Criterion) {
    for name in ["another", "exiledKings"] {
        let (mut generator, mut stream) = (Generator::new(), Stream::new());
        // The last position that has so many.
        let enough =
            |position: &mut Multiverse| in_any_order(position, &mut Generator::new()) == FIRST;
        let Some(mut position) = positions(name).and_then(|mut all| {
            all.iter_mut().rev().find_map(|position| enough(position).then(|| position.clone()))
        }) else {
            eprintln!("skipped: {GAMES} has no game {name} with {FIRST} actions");
            continue;
        };
        let mut group = group(criterion, "first 10,000 actions");
        group.throughput(Throughput::Elements(FIRST));
        group.bench_function(format!("{name}, any order"), |bencher| {
            bencher.iter(|| in_any_order(&mut position, &mut generator));
        });
        group.bench_function(format!("{name}, by score"), |bencher| {
            bencher.iter(|| in_order(&mut position, &mut stream, &mut Mixed));
        });
        group.bench_function(format!("{name}, by score, all alike"), |bencher| {
            bencher.iter(|| in_order(&mut position, &mut stream, &mut Everything));
        });
    }
}

/// The legal actions of positions with one timeline, each made and unmade.
fn leaves(positions: &mut [Multiverse], generators: &mut Vec<Generator>) -> u64 {
    positions.iter_mut().map(|position| count_leaves(position, 1, generators, &Limit::NONE)).sum()
}

/// The legal actions of a position, none of them made.
fn yielded(position: &mut Multiverse, generator: &mut Generator) -> u64 {
    generator.start(position);
    let mut count = 0;
    while generator.next(position, &Limit::NONE) == Step::Found {
        count += 1;
    }
    generator.finish(position);
    count
}

/// The positions `depth` actions on that have one timeline, a hundred of them at most.
fn collect_narrow(position: &mut Multiverse, depth: u32, narrow: &mut Vec<Multiverse>) {
    if depth == 0 {
        narrow.push(position.clone());
        return;
    }
    let mut generator = Generator::new();
    generator.start(position);
    while narrow.len() < 100 && generator.next(position, &Limit::NONE) == Step::Found {
        if generator.action().iter().all(Move::is_physical) {
            generator.make(position);
            collect_narrow(position, depth - 1, narrow);
            generator.unmake(position);
        }
    }
    generator.finish(position);
}

fn perft(criterion: &mut Criterion) {
    let start = || variants::find("Standard").and_then(|variant| variant.multiverse().ok());
    let Some(mut position) = start() else { return };
    let mut generators = Vec::new();
    let mut group = group(criterion, "perft");
    group.throughput(Throughput::Elements(count_leaves(
        &mut position,
        4,
        &mut generators,
        &Limit::NONE,
    )));
    group.bench_function("Standard, depth 4", |bencher| {
        bencher.iter(|| count_leaves(&mut position, 4, &mut generators, &Limit::NONE));
    });
    // The nodes above the leaves of that perft that have one timeline.
    let mut narrow = Vec::new();
    collect_narrow(&mut position, 3, &mut narrow);
    group.throughput(Throughput::Elements(leaves(&mut narrow, &mut generators)));
    group.bench_function("nodes of one timeline of that", |bencher| {
        bencher.iter(|| leaves(&mut narrow, &mut generators));
    });
    let mut generator = Generator::new();
    group.bench_function("nodes of one timeline of that, yielded only", |bencher| {
        bencher.iter(|| narrow.iter_mut().map(|it| yielded(it, &mut generator)).sum::<u64>());
    });
}

criterion_group!(benches, statuses, first_actions, perft);
criterion_main!(benches);
