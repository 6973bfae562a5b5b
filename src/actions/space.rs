//! The space of candidate actions: axes and the values on them.
//!
//! One axis for each timeline whose latest board is the mover's, and one for each timeline that
//! the action could open. A value on an axis is *the board that would stand there* afterwards,
//! so a point of the space is a multiverse, and equal actions are equal points (R23). Which move
//! made a board is kept beside it: one way for a physical move, any number for an arrival.

use std::ops::{ControlFlow, Range};

use super::domains::Domains;
use crate::board::{Board, Colour, Square, Squares};
use crate::multiverse::{BoardId, Move, Multiverse, Place};

/// What a value stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// No board is added: a timeline that is not played on, or one that is not opened.
    Nothing,
    /// The result of a physical move.
    Physical(Move),
    /// The board without the piece that left from this square for another board.
    Departure(Square),
    /// The board with a piece that came from another one, in any of these ways.
    Arrival(Range<usize>),
}

/// A value on an axis.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub kind: Kind,
    /// The board that would stand there; an absent one for [`Kind::Nothing`].
    pub board: BoardId,
    /// Its half-turn.
    pub half_turn: i32,
    /// What the caller thinks of it; an action's score is the sum over its values.
    pub score: i32,
}

/// What a caller thinks of moves, before they are made. The space itself has no opinion.
pub trait Chooser {
    /// The score of a move, or `None` to leave it out of the space.
    fn score(&mut self, multiverse: &Multiverse, step: &Move) -> Option<i32>;

    /// What the board that a move makes, at a place, adds to the move's score.
    #[inline(always)]
    fn score_of_board(&mut self, multiverse: &Multiverse, board: &Board, place: Place) -> i32 {
        let _ = (multiverse, board, place);
        0
    }

    /// Whether to take a move with its final score into the space; `jump` if it leaves its board.
    #[inline(always)]
    fn takes(&mut self, score: i32, jump: bool) -> bool {
        let _ = (score, jump);
        true
    }

    /// How many timelines an action may open where so many boards are playable.
    fn most_branches(&self, playable: usize) -> usize {
        playable
    }

    /// Looks over the physical moves of one board, scored, and may leave some out.
    fn sift(&mut self, mandatory: bool, moves: &mut Vec<(Move, i32)>) {
        let _ = (mandatory, moves);
    }

    /// The score of leaving a playable board alone.
    fn score_of_pass(&mut self, mandatory: bool) -> i32;
}

/// Every move, all alike.
#[derive(Clone, Copy, Debug)]
pub struct Everything;

impl Chooser for Everything {
    #[inline(always)]
    fn score(&mut self, _: &Multiverse, _: &Move) -> Option<i32> {
        Some(0)
    }

    #[inline(always)]
    fn score_of_pass(&mut self, _: bool) -> i32 {
        0
    }
}

/// One way in which an arrival may come about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// The axis of the timeline that the piece leaves.
    pub origin: usize,
    pub step: Move,
    /// For a branch off a board that is still playable: the axis of its timeline, on which
    /// something else must have been played before, or the jump would be a hop (R18).
    pub needs: Option<usize>,
}

impl Way {
    /// Whether the piece comes from this square of this axis's board.
    pub fn is_from(&self, origin: usize, from: Square) -> bool {
        self.origin == origin && self.step.from_square == from
    }
}

/// An axis: a timeline that may be played on, or the next, the one after that, … to be opened.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub line: i32,
    /// The playable board's half-turn; `None` for a timeline to be opened.
    pub half_turn: Option<i32>,
    /// Its values, the one to try first in front. Axes to be opened share theirs.
    pub values: Range<usize>,
}

/// All axes of a position, those of playable timelines first, and all values.
#[derive(Clone, Debug, Default)]
pub(super) struct Space {
    pub axes: Vec<Axis>,
    pub values: Vec<Value>,
    pub ways: Vec<Way>,
    /// Where an axis's values stand, the same values by falling score; equal ones in their order.
    pub by_score: Vec<usize>,
    /// How many axes are playable timelines.
    pub playable: usize,
    /// Whether the opponent can take a royal along a board whatever is played.
    pub hopeless: bool,
    /// By axis and square: where the departure's words in `takers` begin.
    departures: Vec<usize>,
    takers: Vec<u64>,
    takers_width: usize,
    arrivals: Vec<Arrival>,
    jumps: Vec<(usize, Move, Board, i32)>,
    moves: Vec<(Move, i32)>,
}

/// An arrival before equal ones are merged.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    board: Board,
    half_turn: i32,
    way: Way,
    score: i32,
}

impl Space {
    /// Fills the space for the position with the moves that the chooser takes. Boards of values
    /// are added to the pool.
    ///
    /// A board on which the opponent could take a royal along the board is left out: it is
    /// illegal whatever stands elsewhere. If there is one already, nothing is legal.
    pub fn build(&mut self, multiverse: &mut Multiverse, chooser: &mut impl Chooser) {
        let side = multiverse.side();
        self.axes.clear();
        self.values.clear();
        self.ways.clear();
        self.jumps.clear();
        for place in multiverse.lines().filter_map(|line| multiverse.playable(line, side)) {
            let half_turn = Some(place.half_turn);
            self.axes.push(Axis { line: place.line, half_turn, values: 0..0 });
        }
        self.playable = self.axes.len();
        let playable = self.playable;
        self.hopeless = multiverse.attacks_royal_along_boards(!side);
        let present = multiverse.present();
        for axis in 0..self.playable {
            let place = self.place(axis);
            let start = self.values.len();
            // Boards that hold the present must usually be played, others need not.
            let mandatory =
                place.half_turn == present && multiverse.active_lines().contains(&place.line);
            let pass = chooser.score_of_pass(mandatory);
            if !mandatory {
                self.push_nothing(pass);
            }
            self.moves.clear();
            let moves = &mut self.moves;
            let _ = multiverse.physical_moves_from(place, &mut |step| {
                moves.extend(chooser.score(multiverse, &step).map(|score| (step, score)));
                ControlFlow::<()>::Continue(())
            });
            chooser.sift(mandatory, &mut self.moves);
            let board = *multiverse.board(place);
            for i in 0..self.moves.len() {
                let (step, score) = self.moves[i];
                let after = board.moved(step.from_square, step.to_square, step.promotion);
                if after.has_royal_attack(!side) {
                    continue;
                }
                let kind = Kind::Physical(step);
                let half_turn = place.half_turn + 1;
                let made = Place { half_turn, ..place };
                let score = score + chooser.score_of_board(multiverse, &after, made);
                if !chooser.takes(score, false) {
                    continue;
                }
                self.push_board(multiverse, kind, &after, half_turn, score);
            }
            let mut departing = 0u64;
            let mut best = [i32::MIN; 64];
            let first_jump = self.jumps.len();
            let jumps = &mut self.jumps;
            let opened = multiverse.next_line(side, 0);
            let _ = multiverse.jumps_from(place, &mut |step: Move| {
                if let Some(score) = chooser.score(multiverse, &step) {
                    let line = if multiverse.branches(step.to) { opened } else { step.to.line };
                    let made = Place { line, half_turn: step.to.half_turn + 1 };
                    let board = multiverse.arrival(&step, side);
                    let score = score + chooser.score_of_board(multiverse, &board, made);
                    if !chooser.takes(score, true) {
                        return ControlFlow::<()>::Continue(());
                    }
                    let from = step.from_square;
                    departing |= from.bit();
                    best[from.index()] = best[from.index()].max(score);
                    jumps.push((axis, step, board, score));
                }
                ControlFlow::<()>::Continue(())
            });
            // The best that a piece gains by leaving counts where it leaves, and what a worse jump
            // loses against that where it lands: a bound that takes the best of each axis then
            // counts no gain of a piece that does not go.
            for (_, step, _, score) in &mut self.jumps[first_jump..] {
                *score -= best[step.from_square.index()];
            }
            for from in Squares(departing) {
                let after = board.departed(from);
                if after.has_royal_attack(!side) {
                    departing ^= from.bit();
                    continue;
                }
                let (kind, score) = (Kind::Departure(from), best[from.index()]);
                self.push_board(multiverse, kind, &after, place.half_turn + 1, score);
            }
            self.retain_jumps(first_jump, departing);
            if mandatory {
                self.push_nothing(pass);
            }
            self.axes[axis].values = start..self.values.len();
        }
        if !self.jumps.is_empty() {
            self.add_arrivals(multiverse, side, chooser.most_branches(playable));
        }
    }

    /// Keeps, of the jumps from `first` on, those of pieces that may leave.
    fn retain_jumps(&mut self, first: usize, departing: u64) {
        let mut kept = first;
        for i in first..self.jumps.len() {
            if departing & self.jumps[i].1.from_square.bit() != 0 {
                self.jumps[kept] = self.jumps[i];
                kept += 1;
            }
        }
        self.jumps.truncate(kept);
    }

    /// Fills [`Space::by_score`].
    pub fn rank_by_score(&mut self) {
        self.by_score.clear();
        self.by_score.extend(0..self.values.len());
        let mut last = 0..0;
        for axis in &self.axes {
            if axis.values != last {
                let values = &self.values;
                self.by_score[axis.values.clone()].sort_by_key(|&value| -values[value].score);
                last = axis.values.clone();
            }
        }
    }

    fn push_nothing(&mut self, score: i32) {
        let (kind, board) = (Kind::Nothing, BoardId::ABSENT);
        self.values.push(Value { kind, board, half_turn: i32::MIN, score });
    }

    fn push_board(
        &mut self,
        multiverse: &mut Multiverse,
        kind: Kind,
        board: &Board,
        half_turn: i32,
        score: i32,
    ) {
        let board = multiverse.add_to_pool(*board);
        self.values.push(Value { kind, board, half_turn, score });
    }

    /// The place of the playable board of an axis.
    pub fn place(&self, axis: usize) -> Place {
        let Axis { line, half_turn, .. } = self.axes[axis];
        Place { line, half_turn: half_turn.unwrap_or(i32::MIN) }
    }

    /// Turns the jumps into hops on the playable axes and branches on axes to be opened.
    fn add_arrivals(&mut self, multiverse: &mut Multiverse, side: Colour, most: usize) {
        let mut hops: Vec<Vec<Arrival>> = vec![Vec::new(); self.playable];
        self.arrivals.clear();
        let mut branching_origins = 0;
        let mut last_origin = usize::MAX;
        for &(origin, step, board, score) in &self.jumps {
            if board.has_royal_attack(!side) {
                continue;
            }
            let half_turn = step.to.half_turn + 1;
            let needs = if multiverse.branches(step.to) {
                None
            } else {
                self.axes[..self.playable].iter().position(|axis| axis.line == step.to.line)
            };
            let way = Way { origin, step, needs };
            if let Some(target) = needs {
                let way = Way { needs: None, ..way };
                hops[target].push(Arrival { board, half_turn, way, score });
            }
            // A hop's board branches when its timeline has been played on before; that takes a
            // second playable board.
            self.arrivals.push(Arrival { board, half_turn, way, score });
            if last_origin != origin {
                last_origin = origin;
                branching_origins += 1;
            }
        }
        for (axis, hops) in hops.iter_mut().enumerate() {
            if hops.is_empty() {
                continue;
            }
            // The axis's values stay together: they move to the end, with the arrivals behind.
            let old = self.axes[axis].values.clone();
            let start = self.values.len();
            self.values.extend_from_within(old);
            self.push_merged(multiverse, hops);
            self.axes[axis].values = start..self.values.len();
        }
        let start = self.values.len();
        self.push_nothing(0);
        let mut arrivals = std::mem::take(&mut self.arrivals);
        self.push_merged(multiverse, &mut arrivals);
        self.arrivals = arrivals;
        let values = start..self.values.len();
        for number in 0..branching_origins.min(i32::try_from(most).unwrap_or(i32::MAX)) {
            let line = multiverse.next_line(side, number);
            self.axes.push(Axis { line, half_turn: None, values: values.clone() });
        }
    }

    /// Adds the arrivals as values, equal boards at the same half-turn as one. Keys only bring
    /// likely equals together; boards are compared whole, so that no collision loses an action.
    fn push_merged(&mut self, multiverse: &mut Multiverse, arrivals: &mut [Arrival]) {
        arrivals.sort_by_key(|arrival| (arrival.half_turn, arrival.board.key()));
        let mut rest = &arrivals[..];
        while let Some(first) = rest.first() {
            let run = rest
                .iter()
                .take_while(|other| {
                    (other.half_turn, other.board.key()) == (first.half_turn, first.board.key())
                })
                .count();
            let (group, after) = rest.split_at(run);
            rest = after;
            let mut done = vec![false; if run > 1 { run } else { 0 }];
            for (i, leader) in group.iter().enumerate() {
                if done.get(i) == Some(&true) {
                    continue;
                }
                let start = self.ways.len();
                let mut score = leader.score;
                self.ways.push(leader.way);
                for (j, other) in group.iter().enumerate().skip(i + 1) {
                    if !done[j] && other.board == leader.board {
                        done[j] = true;
                        score = score.max(other.score);
                        self.ways.push(other.way);
                    }
                }
                let kind = Kind::Arrival(start..self.ways.len());
                self.push_board(multiverse, kind, &leader.board, leader.half_turn, score);
            }
        }
    }

    /// The ways of a value: empty but for arrivals.
    pub fn ways_of(&self, value: usize) -> &[Way] {
        match &self.values[value].kind {
            Kind::Arrival(ways) => &self.ways[ways.clone()],
            _ => &[],
        }
    }

    /// Prepares [`Space::takers`]: for every departure the values that accept its piece, as bits
    /// laid out like the domains, the axes to be opened sharing one copy.
    pub fn index_takers(&mut self, domains: &Domains) {
        self.departures.clear();
        self.departures.resize(self.playable * 64, usize::MAX);
        self.takers.clear();
        let shared = if self.axes.len() > self.playable { domains.width(self.playable) } else { 0 };
        self.takers_width = domains.first_word(self.playable) + shared;
        let mut count = 0;
        for axis in 0..self.playable {
            for value in self.axes[axis].values.clone() {
                if let Kind::Departure(from) = self.values[value].kind {
                    self.departures[axis * 64 + from.index()] = count * self.takers_width;
                    count += 1;
                }
            }
        }
        self.takers.resize(count * self.takers_width, 0);
        let axes = self.axes.len().min(self.playable + 1);
        for axis in 0..axes {
            let start = self.axes[axis].values.start;
            let words = domains.first_word(axis);
            for value in self.axes[axis].values.clone() {
                let Kind::Arrival(ways) = &self.values[value].kind else { continue };
                for way in &self.ways[ways.clone()] {
                    let at = self.departures[way.origin * 64 + way.step.from_square.index()];
                    let value = value - start;
                    if let Some(word) = self.takers.get_mut(at.wrapping_add(words + value / 64)) {
                        *word |= 1 << (value % 64);
                    }
                }
            }
        }
    }

    /// The values of an axis that accept the piece leaving `from` on the axis `origin`, as bits.
    #[inline(always)]
    pub fn takers(&self, domains: &Domains, axis: usize, origin: usize, from: Square) -> &[u64] {
        let words = domains.first_word(axis.min(self.playable));
        let at = self.departures[origin * 64 + from.index()].saturating_add(words);
        self.takers.get(at..at.saturating_add(domains.width(axis))).unwrap_or(&[])
    }

    /// Whether the value is an arrival that this departure could supply.
    pub fn accepts(&self, value: usize, origin: usize, from: Square) -> bool {
        self.ways_of(value).iter().any(|way| way.is_from(origin, from))
    }
}
