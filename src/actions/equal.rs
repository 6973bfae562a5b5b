//! Equal actions made by different moves (R23): the pairings of jumps with the boards they make.
//!
//! At a consistent point each axis that a piece leaves is paired with one that receives a piece.
//! Other pairings of the same axes make the same multiverse if they make equal boards. They are
//! other points; of all that can be played, the one whose jumps have the lowest numbers, axis by
//! axis, is *the* point of the action, and the others are none.
//!
//! There may be factorially many, so they are not gone through: two that can be exchanged are
//! looked for first, and then the best pairing itself, by matching.

use std::collections::HashMap;

use super::generator::{Generator, Limit};
use super::space::{Goal, Jump, Kind, Space};
use crate::board::Square;
use crate::multiverse::Multiverse;

/// Ways to have used senders that are told apart at a time, while pairings are counted.
const MOST_COUNTED: usize = 1 << 16;

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
        for group in alike.chunk_by(|(key, _), (other, _)| key == other) {
            self.find_classes(multiverse, group);
            self.find_shadows(group);
        }
        self.alike = alike;
    }

    /// Finds the classes of jumps with equal keys. There may be as many as there are boards, and
    /// nearly always they are of one class: each is compared with the first of the class only.
    fn find_classes(&mut self, multiverse: &Multiverse, group: &[(u64, usize)]) {
        for (i, &(_, first)) in group.iter().enumerate() {
            let Jump { class, board, half_turn, .. } = self.jumps[first];
            if class != first {
                continue;
            }
            let mut twins = false;
            for &(_, second) in &group[i + 1..] {
                let other = &mut self.jumps[second];
                let equal = || multiverse.pooled(other.board) == multiverse.pooled(board);
                if other.class == second
                    && other.half_turn == half_turn
                    && (other.board == board || equal())
                {
                    other.class = first;
                    // The same board is that of a hop and its branch.
                    twins |= other.board != board;
                }
            }
            for &(_, index) in group.iter().filter(|_| twins) {
                let jump = &mut self.jumps[index];
                jump.twin |= jump.class == first;
            }
        }
    }

    /// Finds those of the jumps with equal keys that another one stands for.
    fn find_shadows(&mut self, group: &[(u64, usize)]) {
        for (i, &(_, first)) in group.iter().enumerate() {
            for &(_, second) in &group[i + 1..] {
                let [a, b] = [first, second].map(|index| self.jumps[index]);
                if a.origin != b.origin {
                    break;
                }
                let same_piece = a.step.from_square == b.step.from_square;
                if a.class != b.class || a.board == b.board || !same_piece {
                    continue;
                }
                match (a.goal, b.goal) {
                    (Goal::Branch { needs: None }, Goal::Branch { .. }) if !a.shadowed => {
                        self.jumps[second].shadowed = true;
                    }
                    (Goal::Branch { .. }, Goal::Branch { needs: None }) if !b.shadowed => {
                        self.jumps[first].shadowed = true;
                    }
                    _ => {}
                }
            }
        }
    }

    /// Whether the piece on a square of another sender could make the board that the jump makes on
    /// the axis, whatever else is played.
    fn stands_in(&self, jump: &Jump, axis: usize, sender: usize, from: Square) -> bool {
        self.jumps[self.axes[sender].jumps.clone()].iter().any(|other| {
            let same = other.class == jump.class && other.step.from_square == from;
            same && !other.shadowed && other.needs().is_none() && self.lands(other, axis)
        })
    }

    /// Whether all jumps of the point make boards that no other move makes.
    fn is_unambiguous(&self, point: &[usize]) -> bool {
        point[..self.playable].iter().all(|&value| self.jump(value).is_none_or(|jump| !jump.twin))
    }
}

impl Generator {
    /// Another point stands for the same action. Adds the parts of a slice of such points; `None`
    /// if a limit was hit before it was known whether there is one.
    pub(super) fn equal_slice(&mut self, limit: &Limit<'_>) -> Option<bool> {
        if self.space.is_unambiguous(&self.point) {
            return Some(false);
        }
        let exchange = Exchange::new(&self.space, &self.point);
        // Two pieces have one other pairing at most.
        if exchange.receivers.len() > 2
            && let Some(swap) = exchange.swap()
        {
            self.swap_slice(swap);
            return Some(true);
        }
        let mut search = Search::new(exchange);
        let found = search.extend(&mut self.work, limit);
        let Search { chosen: least, exchange, .. } = search;
        if found? && least == exchange.here() {
            return Some(false);
        }
        self.pairing_slice(&least);
        Some(true)
    }

    /// Two axes that could have had each other's pieces, had they not been dealt out the wrong way
    /// round. In the slice each of the two senders makes a board that the other could have made
    /// there, and nothing else needs what then comes later: so each point has a better one.
    fn swap_slice(&mut self, Swap { receivers, senders, from }: Swap) {
        for one in [0, 1] {
            let (axis, sender, other) = (receivers[one], senders[one], 1 - one);
            self.singleton_part(axis);
            self.part(sender, |space, value| {
                space.jump_to(value, axis).is_some_and(|jump| {
                    let same = jump.step.from_square == from[one];
                    same && space.stands_in(jump, axis, senders[other], from[other])
                })
            });
        }
        let needs = |jump: &Jump| jump.needs() == Some(senders[0]);
        for axis in 0..self.space.playable {
            let jumps = self.space.axes[axis].jumps.clone();
            if !senders.contains(&axis) && self.space.jumps[jumps].iter().any(needs) {
                self.part(axis, |space, value| !space.jump(value).is_some_and(needs));
            }
        }
    }

    /// A better pairing of the same axes. In the slice the jumps and the axes that receive them
    /// are the same, and something is played wherever the better pairing needs it, so that it can
    /// be played at every point. Not a branch that the point does not have: it might get too high
    /// a number.
    fn pairing_slice(&mut self, better: &[usize]) {
        for axis in 0..self.point.len() {
            if matches!(self.kind(axis), Kind::From(_) | Kind::Jump(_)) {
                self.singleton_part(axis);
            }
        }
        for &jump in better {
            if let Some(needed) = self.space.jumps[jump].needs() {
                let here = self.point[needed];
                self.part(needed, |space, value| {
                    value == here
                        || space.values[value].kind != Kind::Nothing
                            && space.jump(value).is_none_or(|jump| !jump.branches())
                });
            }
        }
    }

    /// How many move sets make the action that was found last: sets of moves, each with the
    /// timeline that it opens or none (R23). `None` if that could not be counted within the limit,
    /// or in little memory.
    pub fn move_sets(&self, limit: &Limit<'_>) -> Option<u64> {
        if self.space.is_unambiguous(&self.point) {
            return Some(1);
        }
        Exchange::new(&self.space, &self.point).count(limit)
    }
}

/// Two axes that receive pieces, the lower one from the higher sender, with the squares that the
/// pieces leave.
#[derive(Clone, Copy, Debug)]
struct Swap {
    receivers: [usize; 2],
    senders: [usize; 2],
    from: [Square; 2],
}

/// What the pairings of a point are made of: the axes that receive a piece and those that send
/// one. Numbers of receivers and senders count along these, both in order.
struct Exchange<'a> {
    space: &'a Space,
    point: &'a [usize],
    receivers: Vec<usize>,
    senders: Vec<usize>,
}

impl<'a> Exchange<'a> {
    fn new(space: &'a Space, point: &'a [usize]) -> Exchange<'a> {
        let kind = |axis: usize| space.values[point[axis]].kind;
        let receives = |&axis: &usize| matches!(kind(axis), Kind::From(_));
        let sends = |&axis: &usize| matches!(kind(axis), Kind::Jump(_));
        let receivers = (0..point.len()).filter(receives).collect();
        let senders = (0..space.playable).filter(sends).collect();
        Exchange { space, point, receivers, senders }
    }

    /// The jump of the point that a receiver gets.
    fn jump_here(&self, receiver: usize) -> Option<usize> {
        let Kind::From(origin) = self.space.values[self.point[self.receivers[receiver]]].kind
        else {
            return None;
        };
        match self.space.values[self.point[origin]].kind {
            Kind::Jump(jump) => Some(jump),
            _ => None,
        }
    }

    /// The pairing of the point: by receiver, the jump.
    fn here(&self) -> Vec<usize> {
        (0..self.receivers.len()).filter_map(|receiver| self.jump_here(receiver)).collect()
    }

    /// The jumps by which a sender makes the board of a receiver, and leaves the one it leaves
    /// here, in order.
    fn ways(&self, sender: usize, receiver: usize) -> impl Iterator<Item = usize> {
        let Exchange { space, point, .. } = self;
        let origin = self.senders[sender];
        let axis = self.receivers[receiver];
        let class = self.jump_here(receiver).map(|jump| space.jumps[jump].class);
        let from = space.jump(point[origin]).map(|jump| jump.step.from_square);
        space.axes[origin].jumps.clone().filter(move |&index| {
            let jump = &space.jumps[index];
            let same = Some(jump.class) == class && Some(jump.step.from_square) == from;
            same && space.lands(jump, axis)
        })
    }

    /// Whether a jump may come next once the senders for which `gone` holds have made theirs
    /// (R18): a branch off a playable board comes after another move on that board's timeline, and
    /// if that is a branch too, it gets the lower number.
    fn is_in_order(&self, jump: usize, gone: impl Fn(usize) -> bool) -> bool {
        let Some(needed) = self.space.jumps[jump].needs() else { return true };
        match self.space.values[self.point[needed]].kind {
            Kind::Nothing => false,
            Kind::Jump(_) => self.senders.binary_search(&needed).is_ok_and(gone),
            Kind::Physical(_) | Kind::From(_) => true,
        }
    }

    /// Two receivers whose pieces can be exchanged for a better pairing. Most pairings that are
    /// not the best have such a pair, and a slice around one holds all that have the same pair.
    fn swap(&self) -> Option<Swap> {
        let jumps: Vec<&Jump> = self.here().iter().map(|&jump| &self.space.jumps[jump]).collect();
        for (i, first) in jumps.iter().enumerate() {
            let needed = |jump: &&Jump| jump.needs() == Some(first.origin);
            for (j, second) in jumps.iter().enumerate().skip(i + 1) {
                let receivers = [self.receivers[i], self.receivers[j]];
                let senders = [first.origin, second.origin];
                let from = [first.step.from_square, second.step.from_square];
                let stands_in = |jump: &Jump, one: usize, other: usize| {
                    jump.twin
                        && self.space.stands_in(jump, receivers[one], senders[other], from[other])
                };
                let others = || jumps.iter().enumerate().filter(|&(at, _)| at != j);
                if senders[1] < senders[0]
                    && stands_in(first, 0, 1)
                    && stands_in(second, 1, 0)
                    && !others().any(|(_, jump)| needed(jump))
                {
                    return Some(Swap { receivers, senders, from });
                }
            }
        }
        None
    }

    /// Counts the pairings, receiver by receiver: all that matters for the rest is how many of
    /// those senders that are alike have been used.
    fn count(&self, limit: &Limit<'_>) -> Option<u64> {
        let count = self.senders.len();
        let group = self.groups();
        let mut layer = HashMap::from([(vec![0; count], 1u64)]);
        let mut steps = 0;
        for receiver in 0..self.receivers.len() {
            let mut next: HashMap<Vec<usize>, u64> = HashMap::new();
            for (used, sets) in layer {
                steps += 1;
                if limit.is_over(steps) || next.len() > MOST_COUNTED {
                    return None;
                }
                for sender in (0..count).filter(|&sender| group[sender] == sender) {
                    let size = group.iter().filter(|&&first| first == sender).count();
                    // What another jump needs is alone in its group.
                    let gone = |needed: usize| used[needed] > 0;
                    let ways = self.ways(sender, receiver);
                    let ways = ways.filter(|&jump| self.is_in_order(jump, gone)).count();
                    let ways = (ways * (size - used[sender])) as u64;
                    if ways > 0 {
                        let mut used = used.clone();
                        used[sender] += 1;
                        let total = next.entry(used).or_default();
                        *total = total.saturating_add(sets.saturating_mul(ways));
                    }
                }
            }
            layer = next;
        }
        Some(layer.into_values().fold(0, u64::saturating_add))
    }

    /// By sender, the first one that is like it: that can do the same for each receiver, and is
    /// needed as little.
    fn groups(&self) -> Vec<usize> {
        let needs = |jump: usize| self.space.jumps[jump].needs();
        let all = || 0..self.senders.len();
        let jumps: Vec<Vec<Vec<Option<usize>>>> = all()
            .map(|sender| {
                let needs = |receiver| self.ways(sender, receiver).map(needs).collect();
                (0..self.receivers.len()).map(needs).collect()
            })
            .collect();
        let is_needed = |sender: usize| {
            jumps.iter().flatten().flatten().any(|&needed| needed == Some(self.senders[sender]))
        };
        let like = |sender: usize, first: usize| {
            jumps[first] == jumps[sender] && !is_needed(first) && !is_needed(sender)
        };
        all()
            .map(|sender| (0..sender).find(|&first| like(sender, first)).unwrap_or(sender))
            .collect()
    }
}

/// The search for the best pairing. Receiver by receiver takes the lowest jump after which, the
/// order of jumps aside, the others can still be paired: so it fails only by the order of jumps.
struct Search<'a> {
    exchange: Exchange<'a>,
    /// By receiver, then by sender: whether the one may get its piece from the other.
    serves: Vec<bool>,
    /// A pairing, order aside: by receiver, the sender.
    sender_of: Vec<usize>,
    /// The same by sender.
    receiver_of: Vec<usize>,
    /// The senders that have been looked at for a new pairing.
    seen: Vec<bool>,
    /// The jumps of the first receivers, which are settled.
    chosen: Vec<usize>,
}

impl<'a> Search<'a> {
    fn new(exchange: Exchange<'a>) -> Search<'a> {
        let count = exchange.senders.len();
        let mut serves = Vec::with_capacity(count * count);
        for receiver in 0..count {
            serves.extend((0..count).map(|sender| {
                let mut ways = exchange.ways(sender, receiver);
                ways.any(|jump| !exchange.space.jumps[jump].shadowed)
            }));
        }
        let sender_of: Vec<usize> = (0..count)
            .filter_map(|receiver| exchange.jump_here(receiver))
            .map(|jump| exchange.space.jumps[jump].origin)
            .filter_map(|origin| exchange.senders.binary_search(&origin).ok())
            .collect();
        let mut receiver_of = vec![0; count];
        for (receiver, &sender) in sender_of.iter().enumerate() {
            receiver_of[sender] = receiver;
        }
        let (seen, chosen) = (vec![false; count], Vec::with_capacity(count));
        Search { exchange, serves, sender_of, receiver_of, seen, chosen }
    }

    /// Settles the receivers that are left, if that can be done. Each failure counts as work.
    fn extend(&mut self, work: &mut u64, limit: &Limit<'_>) -> Option<bool> {
        let receiver = self.chosen.len();
        let count = self.sender_of.len();
        if receiver == count {
            return Some(true);
        }
        for sender in 0..count {
            if self.receiver_of[sender] < receiver {
                continue;
            }
            let Some(jump) = self.lowest(sender, receiver) else { continue };
            if !self.settle(sender, receiver) {
                continue;
            }
            self.chosen.push(jump);
            if self.extend(work, limit)? {
                return Some(true);
            }
            self.chosen.pop();
            *work += 1;
            if limit.is_hit(*work) {
                return None;
            }
        }
        Some(false)
    }

    /// The lowest jump by which a sender may serve the receiver that is next.
    fn lowest(&self, sender: usize, receiver: usize) -> Option<usize> {
        let gone = |needed: usize| self.receiver_of[needed] < receiver;
        let shadowed = |jump: usize| self.exchange.space.jumps[jump].shadowed;
        let mut ways = self.exchange.ways(sender, receiver);
        ways.find(|&jump| !shadowed(jump) && self.exchange.is_in_order(jump, gone))
    }

    /// Gives a receiver that sender, if those behind it can then be paired anew.
    fn settle(&mut self, sender: usize, receiver: usize) -> bool {
        let robbed = self.receiver_of[sender];
        if robbed == receiver {
            return true;
        }
        let free = self.sender_of[receiver];
        self.seen.fill(false);
        self.seen[sender] = true;
        let paired = self.pair_anew(robbed, receiver, free);
        if paired {
            self.sender_of[receiver] = sender;
            self.receiver_of[sender] = receiver;
        }
        paired
    }

    /// Finds a receiver behind those that are settled another sender, by an augmenting path to the
    /// free one.
    fn pair_anew(&mut self, receiver: usize, settled: usize, free: usize) -> bool {
        let count = self.sender_of.len();
        for sender in 0..count {
            let other = self.receiver_of[sender];
            let is_open = sender == free || other > settled;
            if !is_open || self.seen[sender] || !self.serves[receiver * count + sender] {
                continue;
            }
            self.seen[sender] = true;
            if sender == free || self.pair_anew(other, settled, free) {
                self.sender_of[receiver] = sender;
                self.receiver_of[sender] = receiver;
                return true;
            }
        }
        false
    }
}
