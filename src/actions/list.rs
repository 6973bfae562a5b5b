//! The legal actions of a position with one playable board: a plain list of moves, no cells and
//! no slices.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use super::generator::{Generator, Limit, Step};
use super::slices::Role;
use super::space::Kind;
use crate::multiverse::{BoardId, Multiverse, Place};

/// Moves along the board that are tested one by one before all are tested together.
const ONE_BY_ONE: u32 = 3;

/// How many candidates are picked one by one, best first, before the rest is sorted.
const PICKED: usize = 8;

/// A candidate: a value on the axis and, for a branch, one on that of the timeline to be opened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    first: usize,
    pub second: Option<usize>,
    score: i32,
}

impl Pair {
    /// What is tried first is greatest: the best, and among equals the first.
    fn rank(&self) -> i64 {
        (i64::from(self.score) << 32) - self.first as i64
    }
}

/// What is known of all moves along the board together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// Nothing yet, but of so many.
    Few(u32),
    /// Those are legal whose board plays none of [`List::roles`].
    Roles,
    /// None is legal.
    None,
}

/// The candidates.
#[derive(Clone, Debug)]
pub(super) struct List {
    pub pairs: Vec<Pair>,
    cursor: usize,
    /// Whether the best candidates come first, not the first ones.
    by_score: bool,
    /// The value that opens no timeline, where there is an axis for that.
    nothing_branch: usize,
    known: Known,
    /// The parts that the new board could play in an attack on a royal.
    roles: Vec<Role>,
}

impl Default for List {
    fn default() -> List {
        List {
            pairs: Vec::new(),
            cursor: 0,
            by_score: false,
            nothing_branch: 0,
            known: Known::Few(0),
            roles: Vec::new(),
        }
    }
}

impl Generator {
    /// Lists every value on its own, every jump with the timeline it opens.
    pub(super) fn fill_list(&mut self) {
        let (list, space) = (&mut self.list, &self.space);
        list.pairs.clear();
        list.cursor = 0;
        list.by_score = false;
        list.known = Known::Few(0);
        let mut second = None;
        if let Some(branches) = space.axes.get(1) {
            for index in branches.values.clone() {
                match space.values[index].kind {
                    Kind::Nothing => list.nothing_branch = index,
                    _ => second = Some(index),
                }
            }
        }
        for first in space.axes[0].values.clone() {
            let value = &space.values[first];
            let second = if let Kind::Jump(_) = value.kind { second } else { None };
            list.pairs.push(Pair { first, second, score: value.score });
        }
    }

    /// From here on the best candidates come first.
    pub(super) fn take_best_of_list_first(&mut self) {
        self.list.by_score = true;
    }

    /// The next candidate. Most lists are left after a few.
    #[inline(always)]
    fn next_pair(&mut self) -> Option<Pair> {
        let List { pairs, cursor, by_score, .. } = &mut self.list;
        let at = *cursor;
        *cursor += 1;
        if *by_score && at <= PICKED {
            let rest = pairs.get_mut(at..)?;
            if at == PICKED {
                rest.sort_unstable_by_key(|pair| Reverse(pair.rank()));
            } else {
                let best = (0..rest.len()).max_by_key(|&i| rest[i].rank())?;
                rest.swap(0, best);
            }
        }
        pairs.get(at).copied()
    }

    /// Makes the board of a move along the board, if it has not been made yet.
    #[inline(always)]
    fn ensure_board(&mut self, multiverse: &mut Multiverse, index: usize) {
        let value = &mut self.space.values[index];
        if let (Kind::Physical(step), BoardId::ABSENT) = (value.kind, value.board) {
            let board = multiverse.board(step.from);
            let after = board.moved(step.from_square, step.to_square, step.promotion);
            value.board = multiverse.add_to_pool(after);
        }
    }

    /// Goes on to the next legal action of the list.
    pub(super) fn next_on_list(&mut self, multiverse: &mut Multiverse, limit: &Limit<'_>) -> Step {
        while self.list.cursor < self.list.pairs.len() {
            if limit.is_hit(self.work) {
                return Step::Stopped;
            }
            let Some(pair) = self.next_pair() else { break };
            self.work += 1;
            self.ensure_board(multiverse, pair.first);
            self.point[0] = pair.first;
            if let Some(second) = self.point.get_mut(1) {
                *second = pair.second.unwrap_or(self.list.nothing_branch);
            }
            let value = &self.space.values[pair.first];
            let legal = if let Kind::Physical(_) = value.kind {
                debug_assert!(!self.space.alone || self.is_legal(multiverse));
                match self.list.known {
                    _ if self.space.alone => true,
                    Known::Few(count) if count < ONE_BY_ONE => {
                        self.list.known = Known::Few(count + 1);
                        self.is_legal(multiverse)
                    }
                    Known::Few(_) => {
                        self.learn_list(multiverse);
                        self.is_known_legal(multiverse)
                    }
                    _ => self.is_known_legal(multiverse),
                }
            } else {
                self.is_legal(multiverse)
            };
            if legal {
                return Step::Found;
            }
        }
        Step::Done
    }

    /// Whether the point, known to fit together, may be submitted (R21).
    fn is_legal(&self, multiverse: &mut Multiverse) -> bool {
        let attacker = !multiverse.side();
        multiverse.briefly(|multiverse| {
            self.push_point(multiverse);
            let legal =
                multiverse.present_has_passed() && !multiverse.jumps_onto_any_royal(attacker);
            self.pop_point(multiverse);
            legal
        })
    }

    /// The same for a move along the board, once [`Generator::learn_list`] has been at work.
    fn is_known_legal(&self, multiverse: &mut Multiverse) -> bool {
        let board = multiverse.pooled(self.space.values[self.point[0]].board);
        let attacker = !multiverse.side();
        let legal = self.list.known == Known::Roles
            && !self.list.roles.iter().any(|role| role.fits(board, attacker));
        debug_assert_eq!(legal, self.is_legal(multiverse));
        legal
    }

    /// Tests all moves along the board together: an attack on a royal among whatever stands on
    /// any of the new boards is one on that board that plays its part in it; see
    /// [`super::calm`]. The present is the same after each.
    fn learn_list(&mut self, multiverse: &mut Multiverse) {
        let attacker = !multiverse.side();
        let Place { line, half_turn } = self.space.place(0);
        let new = Place { line, half_turn: half_turn + 1 };
        let board = multiverse.board(self.space.place(0));
        let mut blend = board.passed();
        for value in &self.space.values[self.space.axes[0].values.clone()] {
            if let Kind::Physical(step) = value.kind {
                blend.blend_move(board, step.from_square, step.to_square, step.promotion);
            }
        }
        let mark = multiverse.pool_mark();
        let blend = multiverse.add_to_pool(blend);
        self.list.roles.clear();
        self.list.known = Known::Roles;
        let List { roles, known, .. } = &mut self.list;
        multiverse.briefly(|multiverse| {
            multiverse.push(line, blend);
            if !multiverse.present_has_passed() {
                *known = Known::None;
            }
            let _ = multiverse.each_jump_attack(attacker, |attack| {
                let role = if attack.from == new {
                    Some(Role::Source { attack })
                } else if attack.to == new {
                    Some(Role::Target { square: attack.to_square })
                } else {
                    let mut between = attack.between().filter(|&(place, _)| place == new);
                    between.next().map(|(_, square)| Role::Between { square })
                };
                match role {
                    Some(role) => roles.push(role),
                    None => *known = Known::None,
                }
                ControlFlow::<()>::Continue(())
            });
            multiverse.pop(line);
        });
        multiverse.shrink_pool(mark);
    }
}
