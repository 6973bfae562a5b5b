//! Opinions about moves, and the two walks over the legal actions: depth first, and in falling
//! order of the scores.

use lightcone::actions::{Action, Chooser, Generator, Limit, Step, Stream};
use lightcone::board::{Board, Colour};
use lightcone::multiverse::{Move, Multiverse, Pieces, Place};
use lightcone::notation::{move_to_string, parse_fen, write_fen};

use crate::common::{self, Found};
use crate::oracle::actions::Rng;

/// Random but fixed scores of moves and of the boards they make.
#[derive(Clone, Debug)]
pub struct Opinions {
    pub seed: u64,
    /// How far the scores go: all are alike with 0, ties are many with 1 and rare with 1000.
    pub spread: usize,
    /// One move in so many is left out; none if that is 0.
    pub ban: usize,
    /// How many timelines an action may open.
    pub branches: usize,
    /// If there is a list, the moves that are not on it are left out: all of them if it is empty.
    pub only: Option<Vec<Move>>,
    /// How far moves that are alike are set apart; then an action is worth less than it says.
    pub apart: i32,
    /// Squares on which no jump lands; none of the last rank.
    pub closed: u64,
}

impl Opinions {
    pub fn new(seed: u64, spread: usize) -> Opinions {
        let branches = usize::MAX;
        Opinions { seed, spread, ban: 0, branches, only: None, apart: 0, closed: 0 }
    }

    fn rng(&self, step: &Move) -> Rng {
        let text = move_to_string(step);
        let hash = text
            .bytes()
            .fold(self.seed, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        Rng::new(hash)
    }

    /// Whether the move is left out.
    pub fn bans(&self, step: &Move) -> bool {
        let closed = !step.is_physical() && self.closed & step.to_square.bit() != 0;
        closed
            || self.only.as_ref().is_some_and(|only| !only.contains(step))
            || self.ban > 0 && self.rng(step).below(self.ban) == 0
    }

    fn score_of_move(&self, step: &Move) -> i32 {
        let mut rng = self.rng(step);
        rng.next_u64();
        self.around_zero(&mut rng)
    }

    fn around_zero(&self, rng: &mut Rng) -> i32 {
        rng.below(2 * self.spread + 1) as i32 - self.spread as i32
    }

    /// What an action is worth: the sum of its moves, their boards and the passes.
    fn score_of_action(&mut self, multiverse: &Multiverse, action: &[Move]) -> i32 {
        let side = multiverse.side();
        let mut played: Vec<i32> = Vec::new();
        let mut sum = 0;
        for step in action {
            played.push(step.from.line);
            let hops = !multiverse.branches(step.to) && !played.contains(&step.to.line);
            if !step.is_physical() && hops {
                played.push(step.to.line);
            }
            let board = if step.is_physical() {
                let board = multiverse.board(step.from);
                board.moved(step.from_square, step.to_square, step.promotion)
            } else {
                multiverse.arrival(step, side)
            };
            let place = Place { half_turn: step.to.half_turn + 1, ..step.to };
            sum += self.score_of_move(step) + self.score_of_board(multiverse, &board, place);
        }
        for line in multiverse.lines().filter(|line| !played.contains(line)) {
            if let Some(place) = multiverse.playable(line, side) {
                let mandatory = place.half_turn == multiverse.present()
                    && multiverse.active_lines().contains(&line);
                sum += self.score_of_pass(mandatory);
            }
        }
        sum
    }
}

impl Chooser for Opinions {
    fn score(&mut self, _: &Multiverse, step: &Move, _: Pieces) -> Option<i32> {
        (!self.bans(step)).then(|| self.score_of_move(step))
    }

    fn score_of_board(&mut self, _: &Multiverse, board: &Board, place: Place) -> i32 {
        let mut rng = Rng::new(self.seed ^ board.key() ^ place.half_turn as u64);
        self.around_zero(&mut rng)
    }

    fn prey(&self, board: &Board, side: Colour) -> u64 {
        board.of(!side) & !self.closed
    }

    fn quiet_landing(&self, multiverse: &Multiverse, place: Place) -> u64 {
        !multiverse.board(place).of(!multiverse.side()) & !self.closed
    }

    fn most_branches(&self, playable: usize) -> usize {
        playable.min(self.branches)
    }

    fn spread(&self, score: i32, _: bool) -> i32 {
        if score < 0 { self.apart } else { self.apart / 2 }
    }

    fn score_of_pass(&mut self, mandatory: bool) -> i32 {
        if mandatory { -(self.spread as i32) } else { 0 }
    }
}

/// A walk over the legal actions, each once.
pub trait Walk {
    fn start(&mut self, multiverse: &mut Multiverse, opinions: &mut Opinions);
    /// Goes on to the next action.
    fn step(&mut self, multiverse: &mut Multiverse, limit: &Limit) -> Step;
    fn action(&self) -> Action;
    fn make(&self, multiverse: &mut Multiverse);
    fn unmake(&self, multiverse: &mut Multiverse);
    fn finish(&mut self, multiverse: &mut Multiverse);
    /// Candidates looked at.
    fn work(&self) -> u64;
}

impl Walk for Generator {
    fn start(&mut self, multiverse: &mut Multiverse, opinions: &mut Opinions) {
        self.start_with(multiverse, opinions);
    }

    fn step(&mut self, multiverse: &mut Multiverse, limit: &Limit) -> Step {
        self.next(multiverse, limit)
    }

    fn action(&self) -> Action {
        self.action()
    }

    fn make(&self, multiverse: &mut Multiverse) {
        self.make(multiverse);
    }

    fn unmake(&self, multiverse: &mut Multiverse) {
        self.unmake(multiverse);
    }

    fn finish(&mut self, multiverse: &mut Multiverse) {
        self.finish(multiverse);
    }

    fn work(&self) -> u64 {
        self.work()
    }
}

/// A stream that keeps its order for some work, and then goes whatever way is the quickest. While
/// it says that it is ordered, no score may be above the one before; and every score must be that
/// of the action.
#[derive(Debug)]
pub struct Best {
    stream: Stream,
    /// Candidates for which the order has to be kept.
    pub work_in_order: u64,
    last: i64,
    opinions: Opinions,
}

impl Best {
    pub fn new(work_in_order: u64) -> Best {
        Best { stream: Stream::new(), work_in_order, last: 0, opinions: Opinions::new(0, 1) }
    }
}

impl Walk for Best {
    fn start(&mut self, multiverse: &mut Multiverse, opinions: &mut Opinions) {
        self.stream.start(multiverse, opinions);
        self.last = i64::MAX;
        self.opinions = opinions.clone();
    }

    fn step(&mut self, multiverse: &mut Multiverse, limit: &Limit) -> Step {
        let work = limit.work.unwrap_or(u64::MAX).min(self.work_in_order);
        let in_order = Limit { work: Some(work), ..*limit };
        let mut step = Step::Stopped;
        if self.stream.work() < self.work_in_order {
            let ordered = self.stream.is_ordered();
            step = self.stream.next(multiverse, &in_order);
            assert_eq!(self.stream.is_ordered(), ordered, "the order was given up unasked");
        }
        if step == Step::Stopped {
            step = self.stream.next_any(multiverse, limit);
        }
        if step == Step::Found {
            let score = self.stream.score();
            let action = self.stream.action();
            let worth = self.opinions.score_of_action(multiverse, &action).into();
            let apart = self.opinions.apart > 0;
            assert!(score == worth || apart && score < worth, "{score}, {worth}: {action:?}");
            if self.stream.is_ordered() {
                assert!(score <= self.last, "{score} after {}: {action:?}", self.last);
                self.last = score;
            }
        }
        step
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

/// Everything that a walk yields.
pub fn all(multiverse: &mut Multiverse, walk: &mut impl Walk, opinions: &Opinions) -> Vec<Found> {
    let mut found = Vec::new();
    walk.start(multiverse, &mut opinions.clone());
    loop {
        match walk.step(multiverse, &Limit::NONE) {
            Step::Done => break,
            Step::Stopped => panic!("stopped without a limit"),
            Step::Found => {}
        }
        let moves = walk.action();
        walk.make(multiverse);
        let after = common::signature(multiverse);
        walk.unmake(multiverse);
        found.push(Found { moves, move_sets: 0, after });
    }
    walk.finish(multiverse);
    found
}

/// The first actions that a walk yields, in its order.
pub fn first_actions(
    multiverse: &mut Multiverse,
    walk: &mut impl Walk,
    opinions: &Opinions,
    count: usize,
    limit: &Limit,
) -> Vec<Action> {
    let mut actions = Vec::new();
    walk.start(multiverse, &mut opinions.clone());
    while actions.len() < count && walk.step(multiverse, limit) == Step::Found {
        actions.push(walk.action());
    }
    walk.finish(multiverse);
    actions
}

/// The same position as read from its 5DFEN: other numbers of boards, other memory.
pub fn read_again(multiverse: &Multiverse) -> Multiverse {
    let (size, even) = (multiverse.size(), multiverse.is_even());
    let mut again = parse_fen(&write_fen(multiverse), Some(size), Some(even)).unwrap();
    again.set_promotions(multiverse.promotions());
    again.set_side(multiverse.side());
    again
}

/// Thinks much of every move along a board.
struct Dear;

/// What it thinks.
const DEAR: i32 = 1 << 27;

impl Chooser for Dear {
    fn score(&mut self, _: &Multiverse, _: &Move, _: Pieces) -> Option<i32> {
        Some(DEAR)
    }

    fn jumps(&self) -> bool {
        false
    }

    fn score_of_pass(&mut self, _: bool) -> i32 {
        0
    }
}

#[test]
fn scores_of_many_boards_add_up_beyond_32_bits() {
    let blocks: Vec<String> = (-20..=20).map(|line| format!("[2/K1:{line}:1:w]")).collect();
    let mut multiverse = common::position(&blocks.join(" "));
    let mut stream = Stream::new();
    stream.start(&mut multiverse, &mut Dear);
    for _ in 0..100 {
        assert_eq!(stream.next(&mut multiverse, &Limit::NONE), Step::Found);
        assert_eq!(stream.score(), 41 * i64::from(DEAR));
    }
    stream.finish(&mut multiverse);
}
