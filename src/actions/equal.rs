//! Equal actions made by different moves (R23): the pairings of jumps with the boards they make.
//!
//! At a consistent point each axis that a piece leaves is paired with one that receives a piece.
//! Other pairings of the same axes make the same multiverse if they make equal boards. They are
//! other points; of all that can be played, the one whose jumps have the lowest numbers, axis by
//! axis, is *the* point of the action, and the others are none.

use super::generator::Generator;
use super::space::{Goal, Jump, Kind, Space};
use crate::multiverse::Multiverse;

impl Space {
    /// Finds the jumps that make equal boards, and those that another one stands for: of two
    /// branches of one piece that make equal boards, one is enough, and one that needs nothing
    /// does whatever the other does. Keys only bring likely equals together; boards are compared
    /// whole, so that no collision loses an action.
    pub(super) fn find_equals(&mut self, multiverse: &Multiverse) {
        let key = |jump: &Jump| {
            let half_turn = jump.half_turn as u64;
            multiverse.pooled(jump.board).key() ^ half_turn.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        };
        let mut alike = std::mem::take(&mut self.alike);
        alike.clear();
        alike.extend(self.jumps.iter().map(key).zip(0..));
        // Most have a number of their own: only those that meet another one are sorted.
        let (mut once, mut twice) = ([0u64; 16], [0u64; 16]);
        let bit = |key: u64| ((key >> 60) as usize, 1 << (key >> 54 & 63));
        for &(key, _) in &alike {
            let (word, bit) = bit(key);
            twice[word] |= once[word] & bit;
            once[word] |= bit;
        }
        alike.retain(|&(key, _)| {
            let (word, bit) = bit(key);
            twice[word] & bit != 0
        });
        alike.sort_unstable();
        for (i, &(key, first)) in alike.iter().enumerate() {
            for &(other, second) in &alike[i + 1..] {
                if other != key {
                    break;
                }
                self.compare(multiverse, first, second);
            }
        }
        self.alike = alike;
    }

    /// Compares two jumps with equal keys, the first of the lower number.
    fn compare(&mut self, multiverse: &Multiverse, first: usize, second: usize) {
        let [a, b] = [first, second].map(|index| self.jumps[index]);
        let boards = [a, b].map(|jump| multiverse.pooled(jump.board));
        if a.half_turn != b.half_turn || a.board != b.board && boards[0] != boards[1] {
            return;
        }
        self.jumps[second].class = self.jumps[first].class;
        if a.board == b.board {
            // A hop and its branch.
            return;
        }
        self.jumps[first].twin = true;
        self.jumps[second].twin = true;
        let same_piece = a.origin == b.origin && a.step.from_square == b.step.from_square;
        match (a.goal, b.goal) {
            (Goal::Branch { needs: None }, Goal::Branch { .. }) if same_piece && !a.shadowed => {
                self.jumps[second].shadowed = true;
            }
            (Goal::Branch { .. }, Goal::Branch { needs: None }) if same_piece && !b.shadowed => {
                self.jumps[first].shadowed = true;
            }
            _ => {}
        }
    }

    /// Visits every pairing that makes the multiverse of a point: for each receiving axis, in
    /// order, the jump.
    fn each_pairing(&self, point: &[usize], visit: &mut impl FnMut(&[usize])) {
        let receivers: Vec<usize> = (0..point.len())
            .filter(|&axis| matches!(self.values[point[axis]].kind, Kind::From(_)))
            .collect();
        let mut chosen = Vec::with_capacity(receivers.len());
        self.extend_pairing(point, &receivers, &mut chosen, visit);
    }

    fn extend_pairing(
        &self,
        point: &[usize],
        receivers: &[usize],
        chosen: &mut Vec<usize>,
        visit: &mut impl FnMut(&[usize]),
    ) {
        let Some(&axis) = receivers.get(chosen.len()) else {
            if self.is_in_order(point, receivers, chosen) {
                visit(chosen);
            }
            return;
        };
        let Kind::From(origin) = self.values[point[axis]].kind else { return };
        let Some(class) = self.jump(point[origin]).map(|jump| jump.class) else { return };
        for &receiver in receivers {
            let Kind::From(origin) = self.values[point[receiver]].kind else { continue };
            let Some(here) = self.jump(point[origin]) else { continue };
            if chosen.iter().any(|&jump| self.jumps[jump].origin == origin) {
                continue;
            }
            for index in self.axes[origin].jumps.clone() {
                let jump = &self.jumps[index];
                let lands = match jump.goal {
                    Goal::Hop(target) => target == axis,
                    Goal::Branch { .. } => axis >= self.playable,
                };
                let same = jump.class == class && jump.step.from_square == here.step.from_square;
                if lands && same {
                    chosen.push(index);
                    self.extend_pairing(point, receivers, chosen, visit);
                    chosen.pop();
                }
            }
        }
    }

    /// Whether jumps have an order (R18): a branch off a playable board comes after another move
    /// on that board's timeline, and if that is a branch too, it gets the lower number.
    fn is_in_order(&self, point: &[usize], receivers: &[usize], jumps: &[usize]) -> bool {
        receivers.iter().zip(jumps).all(|(&axis, &jump)| {
            let Some(needed) = self.jumps[jump].needs() else { return true };
            if self.values[point[needed]].kind == Kind::Nothing {
                return false;
            }
            let other = jumps.iter().position(|&other| self.jumps[other].origin == needed);
            other.is_none_or(|other| receivers[other] < self.playable || receivers[other] < axis)
        })
    }

    /// Whether all jumps of the point make boards that no other move makes.
    fn is_unambiguous(&self, point: &[usize]) -> bool {
        point[..self.playable].iter().all(|&value| self.jump(value).is_none_or(|jump| !jump.twin))
    }
}

impl Generator {
    /// Another point stands for the same action. In the slice the jumps and the axes that receive
    /// them are the same, and something is played wherever the better pairing needs it, so that
    /// it can be played at every point. Not a branch that the point does not have: it might get
    /// too high a number.
    pub(super) fn equal_slice(&mut self) -> bool {
        if self.space.is_unambiguous(&self.point) {
            return false;
        }
        let space = &self.space;
        let mut here: Vec<usize> = Vec::new();
        for &value in &self.point {
            if let Kind::From(origin) = space.values[value].kind
                && let Kind::Jump(jump) = space.values[self.point[origin]].kind
            {
                here.push(jump);
            }
        }
        let mut least = here.clone();
        space.each_pairing(&self.point, &mut |pairing| {
            let shadowed = pairing.iter().any(|&jump| space.jumps[jump].shadowed);
            if !shadowed && *pairing < *least {
                least.clear();
                least.extend_from_slice(pairing);
            }
        });
        if least == here {
            return false;
        }
        for axis in 0..self.point.len() {
            if matches!(self.kind(axis), Kind::From(_) | Kind::Jump(_)) {
                self.singleton_part(axis);
            }
        }
        for jump in least {
            if let Some(needed) = self.space.jumps[jump].needs() {
                let here = self.point[needed];
                self.part(needed, |space, value| {
                    value == here
                        || space.values[value].kind != Kind::Nothing
                            && space.jump(value).is_none_or(|jump| !jump.branches())
                });
            }
        }
        true
    }

    /// How many move sets make the action that was found last: sets of moves, each with the
    /// timeline that it opens or none (R23).
    pub fn move_sets(&self) -> u64 {
        if self.space.is_unambiguous(&self.point) {
            return 1;
        }
        let mut count = 0;
        self.space.each_pairing(&self.point, &mut |_| count += 1);
        count
    }
}
