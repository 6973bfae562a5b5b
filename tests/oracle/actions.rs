//! Owns whole actions: which are legal, check, status, result, perft, random play. It must not
//! know how pieces move; it only tries the moves that `moves.rs` offers.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::board::{Board, Colour};
use super::moves::Move;
use super::position::Position;

/// R17: moves in an order in which they can be played, and the position after submitting them.
#[derive(Clone, Debug)]
pub struct Action {
    pub moves: Vec<Move>,
    pub after: Position,
}

/// All legal actions, or those that were found before the work limit.
#[derive(Clone, Debug)]
pub struct Actions {
    /// R23: one for every different resulting multiverse.
    pub actions: Vec<Action>,
    /// R23, the other convention: sets of (move, number of the timeline it created, or none).
    pub move_sets: usize,
    /// Whether nothing was left out.
    pub finished: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Ongoing,
    Softmate,
    Checkmate,
    Stalemate,
    /// R26a: the work limit was reached first. Also where a legal action is known, but not
    /// whether the position is a softmate.
    Undecided,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    Open,
    Win(Colour),
    Draw,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Status::Ongoing => "ongoing",
            Status::Softmate => "softmate",
            Status::Checkmate => "checkmate",
            Status::Stalemate => "stalemate",
            Status::Undecided => "undecided",
        })
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            GameResult::Open => "*",
            GameResult::Win(Colour::White) => "1-0",
            GameResult::Win(Colour::Black) => "0-1",
            GameResult::Draw => "1/2-1/2",
        })
    }
}

/// Whether to give up an action as soon as the opponent could take a royal of the mover.
///
/// This loses no legal action. Boards never change, and a move only adds boards to timelines
/// whose latest board is the mover's, so a board from which the opponent may move stays playable
/// for the rest of the action. The squares that a capture goes through are on boards that are
/// there already. So a capture of a royal, once possible, is still possible when submitting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pruning {
    HangingRoyal,
    None,
}

/// R23: a move and the number of the timeline it created. A set of these determines the
/// resulting multiverse: a branch is told from a hop, the order of the branches is in their
/// numbers, and the boards that are copied are there from the beginning of the action.
type MoveSet = Vec<(Move, Option<i32>)>;

/// Boards by (timeline, half-turn).
pub type Added = BTreeMap<(i32, i32), Arc<Board>>;

/// The walk through all orders of moves from one position, each set of moves visited once.
struct Walk {
    pruning: Pruning,
    /// Whether moves that create timelines are tried.
    branching: bool,
    work_left: usize,
    finished: bool,
    visited: HashSet<MoveSet>,
    path: Vec<Move>,
}

impl Walk {
    fn new(pruning: Pruning, max_work: usize) -> Walk {
        Walk {
            pruning,
            branching: true,
            work_left: max_work,
            finished: true,
            visited: HashSet::new(),
            path: Vec::new(),
        }
    }

    /// Shows every different set of moves that can be submitted here or later to `found`, until
    /// that breaks off or the work is used up.
    fn visit(
        &mut self,
        here: &Position,
        made: &MoveSet,
        found: &mut dyn FnMut(&Position, &[Move]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.work_left == 0 {
            self.finished = false;
            return ControlFlow::Break(());
        }
        self.work_left -= 1;
        let royal_hangs =
            self.pruning == Pruning::HangingRoyal && here.can_take_royal(here.side.opponent());
        if royal_hangs {
            return ControlFlow::Continue(());
        }
        if here.can_submit() {
            found(here, &self.path)?;
        }
        for mv in here.pseudo_moves() {
            let creates = here.creates_timeline(mv);
            if creates && !self.branching {
                continue;
            }
            let mut set = made.clone();
            set.push((mv, creates.then(|| here.next_timeline(here.side))));
            set.sort();
            if self.visited.insert(set.clone()) {
                self.path.push(mv);
                self.visit(&here.make(mv), &set, found)?;
                self.path.pop();
            }
        }
        ControlFlow::Continue(())
    }
}

impl Position {
    /// R17, R21, R23: all legal actions by brute force; in the middle of an action, all ways to
    /// complete it. `max_work` limits the number of sets of moves that are looked at.
    pub fn legal_actions(&self, max_work: usize) -> Actions {
        self.enumerate(Pruning::HangingRoyal, max_work)
    }

    /// The same without the only shortcut, to test that one.
    pub fn legal_actions_unpruned(&self, max_work: usize) -> Actions {
        self.enumerate(Pruning::None, max_work)
    }

    fn enumerate(&self, pruning: Pruning, max_work: usize) -> Actions {
        let mut actions = BTreeMap::new();
        let mut move_sets = 0;
        let mut walk = Walk::new(pruning, max_work);
        let _ = walk.visit(self, &Vec::new(), &mut |end, path| {
            move_sets += 1;
            actions.entry(self.added(end)).or_insert_with(|| Action {
                moves: path.to_vec(),
                after: end.submit().expect("only ends that can be submitted"),
            });
            ControlFlow::Continue(())
        });
        Actions { actions: actions.into_values().collect(), move_sets, finished: walk.finished }
    }

    /// The boards that `later` has and this position has not: they tell the multiverses apart
    /// that one action can lead to, as all other boards are the same.
    pub fn added(&self, later: &Position) -> Added {
        let mut boards = later.boards.clone();
        boards.retain(|key, _| !self.boards.contains_key(key));
        boards
    }

    /// Whether a legal action exists; `None` if neither was proved.
    pub fn has_legal_action(&self, max_work: usize) -> Option<bool> {
        self.finds_action(Walk::new(Pruning::HangingRoyal, max_work))
    }

    /// R26: whether a legal action exists that creates no timeline; `None` if neither was proved.
    pub fn has_action_without_branch(&self, max_work: usize) -> Option<bool> {
        let mut walk = Walk::new(Pruning::HangingRoyal, max_work);
        walk.branching = false;
        self.finds_action(walk)
    }

    fn finds_action(&self, mut walk: Walk) -> Option<bool> {
        let mut found = false;
        let _ = walk.visit(self, &Vec::new(), &mut |_, _| {
            found = true;
            ControlFlow::Break(())
        });
        if found || walk.finished { Some(found) } else { None }
    }

    /// R24: the captures of royals that the opponent would have after a pass.
    pub fn checks(&self) -> Vec<Move> {
        self.pass().royal_captures(self.side.opponent())
    }

    /// R24.
    pub fn in_check(&self) -> bool {
        !self.checks().is_empty()
    }

    /// R25, R26, for a position before an action.
    pub fn status(&self, max_work: usize) -> Status {
        match (self.has_legal_action(max_work), self.in_check()) {
            (None, _) => Status::Undecided,
            (Some(false), true) => Status::Checkmate,
            (Some(false), false) => Status::Stalemate,
            (Some(true), false) => Status::Ongoing,
            (Some(true), true) => match self.has_action_without_branch(max_work) {
                None => Status::Undecided,
                Some(false) => Status::Softmate,
                Some(true) => Status::Ongoing,
            },
        }
    }

    /// R25, R27; with `exiled_kings` off every stalemate is a draw. `None` if neither an end nor
    /// a legal action was proved: R26a, an engine then shows no result either.
    pub fn result(&self, max_work: usize, exiled_kings: bool) -> Option<GameResult> {
        if self.has_legal_action(max_work)? {
            return Some(GameResult::Open);
        }
        let opponent = self.side.opponent();
        if self.in_check() {
            return Some(GameResult::Win(opponent));
        }
        Some(match (self.is_exiled(self.side), self.is_exiled(opponent)) {
            (true, false) if exiled_kings => GameResult::Win(opponent),
            (false, true) if exiled_kings => GameResult::Win(self.side),
            _ => GameResult::Draw,
        })
    }

    /// Leaves of the tree of actions of this depth. `None` if one node needs more than the work.
    pub fn perft(&self, depth: u32, max_work: usize) -> Option<u64> {
        if depth == 0 {
            return Some(1);
        }
        let legal = self.legal_actions(max_work);
        if !legal.finished {
            return None;
        }
        if depth == 1 {
            return Some(legal.actions.len() as u64);
        }
        let leaves = legal.actions.iter().map(|a| a.after.perft(depth - 1, max_work));
        leaves.sum()
    }

    /// A legal action for random playouts: random moves until they can be submitted, tried up to
    /// `tries` times; then a random one of those that `max_work` of enumeration finds. Where a
    /// branching jump is drawn it is drawn again, once, with a chance of `avoid_branches` percent,
    /// to keep the multiverse small. `None` if no action was found.
    pub fn random_legal_action(
        &self,
        rng: &mut Rng,
        avoid_branches: u64,
        tries: usize,
        max_work: usize,
    ) -> Option<Action> {
        for _ in 0..tries {
            if let Some(action) = self.try_random_action(rng, avoid_branches) {
                return Some(action);
            }
        }
        let mut found = self.legal_actions(max_work).actions;
        if found.is_empty() {
            return None;
        }
        let index = rng.below(found.len());
        Some(found.swap_remove(index))
    }

    fn try_random_action(&self, rng: &mut Rng, avoid_branches: u64) -> Option<Action> {
        let mut here = self.clone();
        let mut moves = Vec::new();
        loop {
            // Optional moves are made with a chance of one in four each.
            if here.can_submit() && rng.below(4) != 0 {
                let after = here.submit().expect("just asked");
                return Some(Action { moves, after });
            }
            let candidates = here.pseudo_moves();
            if candidates.is_empty() || here.can_take_royal(here.side.opponent()) {
                return None;
            }
            let mut mv = candidates[rng.below(candidates.len())];
            if here.creates_timeline(mv) && (rng.below(100) as u64) < avoid_branches {
                mv = candidates[rng.below(candidates.len())];
            }
            here = here.make(mv);
            moves.push(mv);
        }
    }
}

/// A small deterministic random number generator (splitmix64), the same on every machine.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `bound` − 1; the small bias does not matter in tests.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next_u64() % bound as u64) as usize
    }
}
