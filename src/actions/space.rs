//! The space of candidate actions: axes and the values on them.
//!
//! One axis for each timeline whose latest board is the mover's, and one for each timeline that
//! the action could open. A value says where the axis's new board comes from:
//!
//! - nothing: there is none;
//! - a physical move;
//! - a whole jump: the board that its piece leaves behind. Where the piece lands is settled by
//!   the same value: on the latest board of another playable timeline (a hop), or on a timeline
//!   to be opened (a branch);
//! - *from* another axis: the board on which the piece lands that jumps from there.
//!
//! So a point in which every jump has one axis that receives it, and every receiving axis a jump,
//! is a multiverse. The numbers of new timelines are nothing but which axis receives which jump:
//! what a jump does and the number that it gets are independent values, and slices about boards
//! hold for all numbers at once. Different points may be equal actions (R23) only if different
//! moves make equal boards: see [`super::equal`].

use std::ops::{ControlFlow, Range};

use super::chooser::{Chooser, Wanted};
use super::ranking::Ranking;
use crate::board::Board;
use crate::multiverse::{Along, BoardId, ByPlace, Move, Multiverse, Pieces, Place};

/// What a value stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// No board is added: a timeline that is not played on, or one that is not opened.
    Nothing,
    /// The result of a physical move.
    Physical(Move),
    /// The board that a jump leaves behind; the jump is an index into [`Space::jumps`].
    Jump(usize),
    /// The board on which the piece lands that jumps from this axis.
    From(usize),
}

/// A value on an axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub kind: Kind,
    /// The board that would stand there; absent for nothing, for what comes from elsewhere, and
    /// where it has not been made yet ([`super::list`]).
    pub board: BoardId,
    /// Its half-turn.
    pub half_turn: i32,
    /// What the caller thinks of it; an action's score is the sum over its values.
    pub score: i32,
}

/// Where the piece of a jump lands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// On the latest board of the timeline of this axis, as the first thing that happens there.
    Hop(usize),
    /// On a board from which a new timeline comes. If that board is playable, on `needs`,
    /// something else must have been played there before, or the jump would be a hop (R18).
    Branch {
        /// The axis of the board.
        needs: Option<usize>,
    },
}

/// A way of a piece to another board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    pub step: Move,
    /// The axis of the board that the piece leaves.
    pub origin: usize,
    pub goal: Goal,
    /// The board on which the piece has landed, and its half-turn.
    pub board: BoardId,
    pub half_turn: i32,
    /// Equal boards at the same half-turn have the same number here.
    pub class: usize,
    /// Whether another move makes an equal board at the same half-turn.
    pub twin: bool,
    /// Whether another jump of the same piece does whatever this one does: it is no value.
    pub shadowed: bool,
    /// What the caller thinks of it.
    pub score: i32,
}

impl Jump {
    /// Whether it opens a timeline.
    #[inline(always)]
    pub fn branches(&self) -> bool {
        matches!(self.goal, Goal::Branch { .. })
    }

    /// The axis on which something must be played first.
    #[inline(always)]
    pub fn needs(&self) -> Option<usize> {
        match self.goal {
            Goal::Branch { needs } => needs,
            Goal::Hop(_) => None,
        }
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
    /// The jumps that leave it.
    pub jumps: Range<usize>,
    /// The best score among the values that are not from elsewhere.
    pub best: i32,
    /// The earliest half-turn of a board that a branch from here makes.
    pub earliest_branch: i32,
}

/// All axes of a position, those of playable timelines first, and all values.
#[derive(Clone, Debug, Default)]
pub(super) struct Space {
    pub axes: Vec<Axis>,
    pub values: Vec<Value>,
    /// Every jump, by origin.
    pub jumps: Vec<Jump>,
    /// The values of each axis by falling score, for a stream.
    pub ranking: Ranking,
    /// How many axes are playable timelines.
    pub playable: usize,
    /// Whether the opponent can take a royal along a board whatever is played.
    pub hopeless: bool,
    /// Whether there is one timeline: then all its physical moves here are legal.
    pub alone: bool,
    /// The physical moves of a board, scored.
    moves: Vec<(Move, i32)>,
    /// Its jumps.
    ways: Vec<Move>,
    /// The values before what comes from elsewhere was added.
    old: Vec<Value>,
    /// Whether a branch leaves an axis.
    branching: Vec<bool>,
    /// Whether there is a hop from one axis to another, by their numbers.
    hops: Vec<bool>,
    /// By axis: the squares of its board where jumps are wanted, if no timeline may be opened.
    landing: Vec<u64>,
    /// Jumps by half-turn and key of their board, which are mixed to one number.
    pub alike: Vec<(u64, usize)>,
    /// By the board on which pieces land: whether the opponent attacks no royal along it.
    calm_landings: ByPlace<bool>,
}

/// The score of a move with what its board adds to it, which was foreseen or is asked for now;
/// `None` if it is not taken.
#[inline(always)]
fn taken(
    multiverse: &Multiverse,
    chooser: &mut impl Chooser,
    step: &Move,
    score: i32,
    foreseen: Option<i32>,
    board: &Board,
    place: Place,
) -> Option<i32> {
    if let Some(gain) = foreseen {
        debug_assert_eq!(chooser.score_of_board(multiverse, board, place), gain, "{step:?}");
        return Some(score + gain);
    }
    let score = score + chooser.score_of_board(multiverse, board, place);
    chooser.takes(score, !step.is_physical()).then_some(score)
}

/// The squares of a board where jumps may land that the chooser takes.
#[inline(always)]
fn landing_squares(
    multiverse: &Multiverse,
    chooser: &impl Chooser,
    to: Place,
    target: &Board,
) -> u64 {
    let side = multiverse.side();
    let quiet = chooser.quiet_landing(multiverse, to);
    chooser.prey(target, side) | target.last_rank(side) | quiet
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
        self.jumps.clear();
        for place in multiverse.lines().filter_map(|line| multiverse.playable(line, side)) {
            let half_turn = Some(place.half_turn);
            self.axes.push(Axis {
                line: place.line,
                half_turn,
                values: 0..0,
                jumps: 0..0,
                best: 0,
                earliest_branch: i32::MAX,
            });
        }
        self.playable = self.axes.len();
        self.alone = multiverse.has_one_line();
        self.hopeless = multiverse.attacks_royal_along_boards(!side);
        if self.hopeless {
            return;
        }
        self.calm_landings.forget();
        self.hops.clear();
        self.hops.resize(self.playable * self.playable, false);
        let branches = chooser.most_branches(self.playable);
        let hops = chooser.jumps() && self.playable > 1;
        self.landing.clear();
        if hops && branches == 0 {
            for axis in 0..self.playable {
                let to = self.place(axis);
                let squares = landing_squares(multiverse, chooser, to, multiverse.board(to));
                self.landing.push(squares);
            }
        }
        let present = multiverse.present();
        let active = multiverse.active_lines();
        for axis in 0..self.playable {
            let start = self.values.len();
            let Place { line, half_turn } = self.place(axis);
            // Boards that hold the present must usually be played, others need not.
            let mandatory = half_turn == present && active.contains(&line);
            let nothing = Value {
                kind: Kind::Nothing,
                board: BoardId::ABSENT,
                half_turn: i32::MIN,
                score: chooser.score_of_pass(mandatory),
            };
            if !mandatory {
                self.values.push(nothing);
            }
            self.add_physical(multiverse, chooser, axis, mandatory);
            let first_jump = self.jumps.len();
            if hops || chooser.jumps() && branches > 0 {
                self.add_jumps(multiverse, chooser, axis, branches > 0);
            }
            let jumps = first_jump..self.jumps.len();
            let branches = self.jumps[jumps.clone()].iter().filter(|jump| jump.branches());
            let earliest = branches.map(|jump| jump.half_turn).min().unwrap_or(i32::MAX);
            self.axes[axis].earliest_branch = earliest;
            self.axes[axis].jumps = jumps;
            if mandatory {
                self.values.push(nothing);
            }
            self.axes[axis].values = start..self.values.len();
        }
        if !self.jumps.is_empty() {
            self.find_equals(multiverse);
            self.add_receivers(multiverse, branches);
        }
    }

    /// Adds the values of physical moves on an axis.
    fn add_physical(
        &mut self,
        multiverse: &mut Multiverse,
        chooser: &mut impl Chooser,
        axis: usize,
        mandatory: bool,
    ) {
        let side = multiverse.side();
        let place = self.place(axis);
        self.moves.clear();
        let wanted = chooser.look_at(multiverse, place);
        let board = *multiverse.board(place);
        let moves = &mut self.moves;
        let recalled = multiverse.recall(place, matches!(wanted, Wanted::Everything));
        let wanted = |from| wanted.of(&board, from);
        let half_turn = place.half_turn + 1;
        let new = Place { half_turn, ..place };
        // What takes a royal behind it on the only timeline has to be taken itself.
        let takers = if self.alone { multiverse.takers_behind(&board, new, !side) } else { 0 };
        let mut consider = |step: Move, pieces: Pieces| {
            if takers & !board.taken_by(step.from_square, step.to_square) != 0 {
                return;
            }
            if let Some(score) = chooser.score(multiverse, &step, pieces) {
                moves.push((step, score));
            }
        };
        let mut guarded = 0;
        if let Some(recalled) = recalled {
            let mut last = None;
            let mut squares = 0;
            for &Along { from, to, promotion, pieces } in multiverse.recalled(recalled) {
                if last != Some(from) {
                    last = Some(from);
                    squares = wanted(from);
                }
                if squares & to.bit() != 0 {
                    let (from_square, to_square) = (from, to);
                    let step = Move { from: place, from_square, to: place, to_square, promotion };
                    consider(step, pieces);
                }
            }
        } else {
            guarded = board.guarded(side);
            let _ = multiverse.physical_moves_from(place, wanted, &mut |step| {
                consider(step, Pieces::of(&board, &board, &step));
                ControlFlow::<()>::Continue(())
            });
        }
        chooser.sift(mandatory, &mut self.moves);
        // Of a list most boards are never needed.
        let is_list = self.playable == 1;
        for &(step, score) in &self.moves {
            let foreseen = chooser.foresee(multiverse, &step, new);
            if foreseen.is_some_and(|gain| !chooser.takes(score + gain, false)) {
                continue;
            }
            let kind = Kind::Physical(step);
            let safe = guarded & step.from_square.bit() == 0;
            let after = || board.moved(step.from_square, step.to_square, step.promotion);
            debug_assert!(!safe || !after().has_royal_attack(!side));
            if let (Some(gain), true, true) = (foreseen, safe, is_list) {
                debug_assert_eq!(
                    chooser.score_of_board(multiverse, &after(), new),
                    gain,
                    "{step:?}"
                );
                let score = score + gain;
                self.values.push(Value { kind, board: BoardId::ABSENT, half_turn, score });
                continue;
            }
            let after = after();
            if !safe && after.has_royal_attack(!side) {
                continue;
            }
            let Some(score) = taken(multiverse, chooser, &step, score, foreseen, &after, new)
            else {
                continue;
            };
            let board = multiverse.add_to_pool(after);
            self.values.push(Value { kind, board, half_turn, score });
        }
    }

    /// Adds the jumps from an axis, and a value for each.
    fn add_jumps(
        &mut self,
        multiverse: &mut Multiverse,
        chooser: &mut impl Chooser,
        origin: usize,
        may_branch: bool,
    ) {
        let side = multiverse.side();
        let place = self.place(origin);
        self.ways.clear();
        let ways = &mut self.ways;
        let mut found = |step: Move| {
            ways.push(step);
            ControlFlow::<()>::Continue(())
        };
        if may_branch {
            let wanted =
                |to: Place, target: &Board| landing_squares(multiverse, chooser, to, target);
            let _ = multiverse.jumps_from(place, wanted, &mut found);
        } else {
            for (axis, &wanted) in self.landing.iter().enumerate() {
                if wanted != 0 && axis != origin {
                    let Axis { line, half_turn, .. } = self.axes[axis];
                    let to = Place { line, half_turn: half_turn.unwrap_or(i32::MIN) };
                    let _ = multiverse.jumps_onto_from(place, to, wanted, &mut found);
                }
            }
            debug_assert!(self.found_hops(multiverse, origin));
        }
        if self.ways.is_empty() {
            return;
        }
        // By the square that the piece leaves: the board that it leaves behind, if it may leave.
        let mut left: [Option<BoardId>; 64] = [None; 64];
        let mut stays = 0u64;
        let opened = multiverse.next_line(side, 0);
        let board = *multiverse.board(place);
        let guarded = board.guarded(side);
        let royals = board.royals(side);
        for index in 0..self.ways.len() {
            let step = self.ways[index];
            let from = step.from_square;
            if stays & from.bit() != 0 {
                continue;
            }
            let branches = may_branch && multiverse.branches(step.to);
            let pieces = Pieces::of(&board, multiverse.board(step.to), &step);
            let Some(score) = chooser.score(multiverse, &step, pieces) else { continue };
            let half_turn = step.to.half_turn + 1;
            let line = if branches { opened } else { step.to.line };
            let new = Place { line, half_turn };
            let foreseen = chooser.foresee(multiverse, &step, new);
            if foreseen.is_some_and(|gain| !chooser.takes(score + gain, true)) {
                continue;
            }
            let arrived = multiverse.arrival(&step, side);
            // Where no royal is attacked, only a royal can come to be by landing.
            let calm = self.calm_landings.known(step.to).unwrap_or_else(|| {
                let calm = !multiverse.board(step.to).has_royal_attack(!side);
                self.calm_landings.note(step.to, calm);
                calm
            });
            let safe = calm && royals & from.bit() == 0;
            debug_assert!(!safe || !arrived.has_royal_attack(!side));
            if !safe && arrived.has_royal_attack(!side) {
                continue;
            }
            let Some(score) = taken(multiverse, chooser, &step, score, foreseen, &arrived, new)
            else {
                continue;
            };
            let behind = match left[from.index()] {
                Some(behind) => behind,
                None => {
                    let after = board.departed(from);
                    if guarded & from.bit() != 0 && after.has_royal_attack(!side) {
                        stays |= from.bit();
                        continue;
                    }
                    let behind = multiverse.add_to_pool(after);
                    left[from.index()] = Some(behind);
                    behind
                }
            };
            let arrived = multiverse.add_to_pool(arrived);
            let target = if branches { None } else { self.axis_of_line(step.to.line) };
            let goal = target.map_or(Goal::Branch { needs: None }, Goal::Hop);
            let jump = Jump {
                step,
                origin,
                goal,
                board: arrived,
                half_turn,
                class: 0,
                twin: false,
                shadowed: false,
                score,
            };
            self.push_jump(jump, behind);
            if let Some(target) = target {
                self.hops[origin * self.playable + target] = true;
                if may_branch {
                    let goal = Goal::Branch { needs: Some(target) };
                    self.push_jump(Jump { goal, ..jump }, behind);
                }
            }
        }
    }

    /// Whether the ways found board by board are those found direction by direction.
    fn found_hops(&self, multiverse: &Multiverse, origin: usize) -> bool {
        let lands = |step: &Move| {
            let wanted = self.axis_of_line(step.to.line).and_then(|axis| self.landing.get(axis));
            let here = wanted.is_some_and(|wanted| wanted & step.to_square.bit() != 0);
            here && !multiverse.branches(step.to)
        };
        let mut hops = Vec::new();
        let mut visit = |step: Move| {
            hops.extend(lands(&step).then_some(step));
            ControlFlow::<()>::Continue(())
        };
        let _ = multiverse.jumps_from(self.place(origin), |_, _| u64::MAX, &mut visit);
        hops.len() == self.ways.len() && hops.iter().all(|step| self.ways.contains(step))
    }

    fn push_jump(&mut self, jump: Jump, left: BoardId) {
        let kind = Kind::Jump(self.jumps.len());
        let half_turn = jump.step.from.half_turn + 1;
        self.values.push(Value { kind, board: left, half_turn, score: jump.score });
        self.jumps.push(Jump { class: self.jumps.len(), ..jump });
    }

    /// Adds the values of what comes from elsewhere, and the axes of timelines to be opened.
    ///
    /// A hop takes away the target's own choice. The best that the target gives up is counted
    /// against the hop, and given back where the piece lands: so the sum of each axis's best
    /// score counts no board twice.
    fn add_receivers(&mut self, multiverse: &Multiverse, branches: usize) {
        let side = multiverse.side();
        let playable = self.playable;
        for axis in 0..playable {
            let own = self.axes[axis].values.clone().map(|value| &self.values[value]);
            let stays = own.filter(|value| match value.kind {
                Kind::Jump(jump) => !matches!(self.jumps[jump].goal, Goal::Hop(_)),
                _ => true,
            });
            self.axes[axis].best = stays.map(|value| value.score).max().unwrap_or(0);
        }
        let old = std::mem::take(&mut self.old);
        self.old = std::mem::replace(&mut self.values, old);
        self.values.clear();
        let from = |origin: usize, score: i32| Value {
            kind: Kind::From(origin),
            board: BoardId::ABSENT,
            half_turn: i32::MIN,
            score,
        };
        let mut branching = 0;
        self.branching.clear();
        for axis in 0..playable {
            let start = self.values.len();
            let mut branches = false;
            for &value in &self.old[self.axes[axis].values.clone()] {
                let mut value = value;
                if let Kind::Jump(jump) = value.kind {
                    let jump = &self.jumps[jump];
                    if jump.shadowed {
                        continue;
                    }
                    match jump.goal {
                        Goal::Hop(target) => value.score -= self.axes[target].best,
                        Goal::Branch { .. } => branches = true,
                    }
                }
                self.values.push(value);
            }
            for origin in (0..playable).filter(|&origin| self.hops[origin * playable + axis]) {
                self.values.push(from(origin, self.axes[axis].best));
            }
            self.axes[axis].values = start..self.values.len();
            self.branching.push(branches);
            branching += usize::from(branches);
        }
        let start = self.values.len();
        let nothing = Value { kind: Kind::Nothing, ..from(0, 0) };
        self.values.push(nothing);
        self.values.extend((0..playable).filter(|&axis| self.branching[axis]).map(|o| from(o, 0)));
        let values = start..self.values.len();
        for number in 0..branching.min(branches) {
            let line = multiverse.next_line(side, i32::try_from(number).unwrap_or(i32::MAX));
            self.axes.push(Axis {
                line,
                half_turn: None,
                values: values.clone(),
                jumps: 0..0,
                best: 0,
                earliest_branch: i32::MAX,
            });
        }
    }

    /// The place of the playable board of an axis.
    pub fn place(&self, axis: usize) -> Place {
        let Axis { line, half_turn, .. } = self.axes[axis];
        Place { line, half_turn: half_turn.unwrap_or(i32::MIN) }
    }

    /// The axis of a playable timeline.
    pub fn axis_of_line(&self, line: i32) -> Option<usize> {
        self.axes[..self.playable].binary_search_by_key(&line, |axis| axis.line).ok()
    }

    /// The jump of a value, if it is one.
    #[inline(always)]
    pub fn jump(&self, value: usize) -> Option<&Jump> {
        match self.values[value].kind {
            Kind::Jump(jump) => self.jumps.get(jump),
            _ => None,
        }
    }

    /// The jump of a value whose piece `axis` may receive.
    #[inline(always)]
    pub fn jump_to(&self, value: usize, axis: usize) -> Option<&Jump> {
        self.jump(value).filter(|jump| self.lands(jump, axis))
    }

    /// Whether the piece of a jump may land on an axis.
    #[inline(always)]
    pub fn lands(&self, jump: &Jump, axis: usize) -> bool {
        match jump.goal {
            Goal::Hop(target) => target == axis,
            Goal::Branch { .. } => axis >= self.playable,
        }
    }

    /// The board and half-turn that stand on an axis at a point, if any is added there. Absent
    /// too where a piece should come from an axis from which none comes.
    #[inline(always)]
    pub fn placed(&self, point: &[usize], axis: usize) -> Option<(BoardId, i32)> {
        let value = &self.values[point[axis]];
        match value.kind {
            Kind::Nothing => None,
            Kind::Physical(_) | Kind::Jump(_) => Some((value.board, value.half_turn)),
            Kind::From(origin) => {
                self.jump_to(point[origin], axis).map(|jump| (jump.board, jump.half_turn))
            }
        }
    }
}
