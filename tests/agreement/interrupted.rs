//! Limits: a walk that hits one says so, and goes on afterwards as if nothing had been.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use lightcone::actions::{Action, Generator, Limit, Step, Stream};
use lightcone::multiverse::Multiverse;

use crate::bridge::pick;
use crate::common::{self, legal, position};
use crate::crafted::CRAFTED;
use crate::oracle::actions::Rng;
use crate::walks::{Opinions, Walk};

/// What may end a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Work,
    Flag,
    Deadline,
    Nothing,
}

impl Kind {
    /// Hands on a limit of this kind that is reached: at so much work, by a flag that is up, by
    /// an instant that is over.
    fn with<R>(self, work: u64, run: impl FnOnce(&Limit) -> R) -> R {
        let flag = AtomicBool::new(true);
        run(&match self {
            Kind::Work => Limit { work: Some(work), ..Limit::NONE },
            Kind::Flag => Limit { stop: Some(&flag), ..Limit::NONE },
            Kind::Deadline => {
                let past = Instant::now().checked_sub(Duration::from_millis(1));
                Limit { deadline: Some(past.unwrap_or_else(Instant::now)), ..Limit::NONE }
            }
            Kind::Nothing => Limit::NONE,
        })
    }
}

/// A stream that goes on in order and in any order, in turn.
#[derive(Debug, Default)]
struct Wavering {
    stream: Stream,
    steps: usize,
}

impl Walk for Wavering {
    fn start(&mut self, multiverse: &mut Multiverse, opinions: &mut Opinions) {
        self.stream.start(multiverse, opinions);
    }

    fn step(&mut self, multiverse: &mut Multiverse, limit: &Limit) -> Step {
        self.steps += 1;
        if self.steps.is_multiple_of(2) {
            self.stream.next(multiverse, limit)
        } else {
            self.stream.next_any(multiverse, limit)
        }
    }

    fn action(&self) -> Action {
        self.stream.action()
    }

    fn make(&self, multiverse: &mut Multiverse) {
        self.stream.make(multiverse);
    }

    fn unmake(&self, multiverse: &mut Multiverse) {
        self.stream.unmake(multiverse);
    }

    fn finish(&mut self, multiverse: &mut Multiverse) {
        self.stream.finish(multiverse);
    }

    fn work(&self) -> u64 {
        self.stream.work()
    }
}

/// Walks both ways under limits of all kinds to the whole set of actions, each once.
pub fn compare_interrupted(
    multiverse: &mut Multiverse,
    opinions: &Opinions,
    wanted: &BTreeSet<String>,
    name: &str,
    rng: &mut Rng,
) {
    walk_in_pieces(multiverse, &mut Generator::new(), opinions, wanted, name, rng);
    walk_in_pieces(multiverse, &mut Wavering::default(), opinions, wanted, name, rng);
}

fn walk_in_pieces(
    multiverse: &mut Multiverse,
    walk: &mut impl Walk,
    opinions: &Opinions,
    wanted: &BTreeSet<String>,
    name: &str,
    rng: &mut Rng,
) {
    let mut found = BTreeSet::new();
    walk.start(multiverse, &mut opinions.clone());
    for kind in [Kind::Work, Kind::Flag, Kind::Deadline] {
        let step = kind.with(0, |limit| walk.step(multiverse, limit));
        // Where the beginning shows that there is no action, nothing has to be looked at.
        let known = step == Step::Done && wanted.is_empty();
        assert!(step == Step::Stopped || known, "{name}: {step:?} at once in spite of {kind:?}");
    }
    loop {
        let kind = pick(rng, &[Kind::Work, Kind::Flag, Kind::Deadline, Kind::Nothing]);
        let work = walk.work() + rng.below(3) as u64;
        match kind.with(work, |limit| walk.step(multiverse, limit)) {
            Step::Done => break,
            Step::Stopped => assert_ne!(kind, Kind::Nothing, "{name}: stopped without a limit"),
            Step::Found => {
                walk.make(multiverse);
                let new = found.insert(common::signature(multiverse));
                walk.unmake(multiverse);
                assert!(new, "{name}: comes twice: {:?}", walk.action());
            }
        }
    }
    let step = walk.step(multiverse, &Limit::NONE);
    assert_eq!(step, Step::Done, "{name}: goes on behind its end");
    walk.finish(multiverse);
    assert_eq!(found, *wanted, "{name}: not the same set in pieces");
}

#[test]
fn interrupted_walks_lose_nothing() {
    let mut rng = Rng::new(6);
    for crafted in CRAFTED {
        let mut start = position(crafted.blocks);
        let wanted: BTreeSet<String> = legal(&mut start).into_iter().map(|a| a.after).collect();
        for _ in 0..3 {
            let opinions = Opinions::new(rng.next_u64(), pick(&mut rng, &[1, 4, 1000]));
            compare_interrupted(&mut start, &opinions, &wanted, crafted.blocks, &mut rng);
        }
    }
}

/// A walk looks at its flag and its clock every few candidates, and every few actions of a box.
#[test]
fn a_raised_flag_ends_a_walk_soon() {
    // Three full boards: millions of actions.
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let blocks = format!("[{board}:0:1:w] [{board}:1:1:w] [{board}:-1:1:w]");
    let mut multiverse = position(&blocks);
    for kind in [Kind::Flag, Kind::Deadline] {
        for before in [0, 1, 5, 1000] {
            soon(&mut multiverse, &mut Generator::new(), kind, before);
            soon(&mut multiverse, &mut Wavering::default(), kind, before);
        }
    }
}

fn soon(multiverse: &mut Multiverse, walk: &mut impl Walk, kind: Kind, before: usize) {
    walk.start(multiverse, &mut Opinions::new(7, 100));
    for _ in 0..before {
        assert_eq!(walk.step(multiverse, &Limit::NONE), Step::Found);
    }
    let goes_on = |_: &u32| kind.with(0, |limit| walk.step(multiverse, limit)) == Step::Found;
    let more = (0..1000).take_while(goes_on).count();
    assert!(more <= 32, "{more} actions after {before} in spite of {kind:?}");
    walk.finish(multiverse);
}

/// Eleven boards whose pieces can be dealt out over the same timelines in more ways than could ever
/// be gone through.
#[test]
fn like_pieces_on_many_boards_take_no_time() {
    let block = |line: i32| {
        let board = "k2r/4/4/KN1R";
        format!("[{board}:{line}:1:w] [{board}:{line}:1:b] [{board}:{line}:2:w]")
    };
    let blocks: Vec<String> = (-5..=5).map(block).collect();
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut multiverse = position(&blocks.join(" "));
        let limit = Limit { work: Some(20_000), ..Limit::NONE };
        let mut generator = Generator::new();
        generator.start(&mut multiverse);
        for _ in 0..100 {
            assert_eq!(generator.next(&mut multiverse, &limit), Step::Found);
            assert!(generator.move_sets(&Limit::NONE).is_some_and(|sets| sets > 0));
        }
        generator.finish(&mut multiverse);
        let mut stream = Stream::new();
        stream.start(&mut multiverse, &mut Opinions::new(7, 100));
        // The order that these opinions ask for is mostly one of actions that are not legal.
        let found = (0..100).filter(|_| stream.next_any(&mut multiverse, &limit) == Step::Found);
        assert!(found.count() > 0);
        let _ = sender.send(());
    });
    let outcome = receiver.recv_timeout(Duration::from_secs(120));
    assert!(outcome.is_ok(), "{outcome:?}");
}
