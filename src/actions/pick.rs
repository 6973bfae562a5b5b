//! Which point of a cell is looked at: one whose jumps and receiving axes fit together, where
//! that can be had without searching. Whatever is picked, what the walk yields is the same: what
//! does not fit is found out by [`super::slices`].

use super::generator::Generator;
use super::space::{Goal, Kind};
use crate::board::Squares;

/// Which axes send a piece to which timelines to be opened.
#[derive(Clone, Debug, Default)]
pub(super) struct Matching {
    /// By playable axis, a branch that may leave it.
    senders: Vec<Option<usize>>,
    /// By playable axis, the axis that its piece goes to.
    receivers: Vec<Option<usize>>,
    /// The axes of both kinds that a search has come to.
    seen: Vec<bool>,
}

impl Generator {
    /// Picks the first allowed value of each axis, but passes over values that no legal action
    /// holds, and then changes what does not fit together. Returns false if an axis has only such
    /// values: the cell is done, by reason of that axis alone.
    pub(super) fn pick_first(&mut self) -> bool {
        let mut fits = true;
        for axis in 0..self.point.len() {
            let Some(first) = self.live(axis).next() else {
                self.slice_axes[axis / 64] |= 1 << (axis % 64);
                return false;
            };
            self.point[axis] = first;
            fits &= matches!(self.kind(axis), Kind::Nothing | Kind::Physical(_));
        }
        if !fits {
            self.locked.clear();
            self.locked.resize(self.point.len(), false);
            if !self.fit_opened() {
                return false;
            }
            self.fit_receivers();
            self.fit_jumps(0);
        }
        true
    }

    /// Finds for each timeline that must be opened an axis to branch from, a different one for
    /// each, by augmenting paths. Where that fails, some set of new timelines has too few axes to
    /// come from: returns false, with the reason. Slices about two axes at a time would have to
    /// go through every order of those timelines to find that out.
    fn fit_opened(&mut self) -> bool {
        let playable = self.space.playable;
        let opens = |axis: &usize| self.find_live(*axis, |kind| kind == Kind::Nothing).is_none();
        let Some(last) = (playable..self.point.len()).rev().find(opens) else { return true };
        let mut matching = std::mem::take(&mut self.matching);
        matching.senders.clear();
        for axis in 0..playable {
            let branch = self.find_live(axis, |kind| self.is_branch(kind));
            matching.senders.push(branch);
        }
        matching.receivers.clear();
        matching.receivers.resize(playable, None);
        let failed = (playable..=last).find(|&axis| {
            matching.seen.clear();
            matching.seen.resize(self.point.len(), false);
            !self.augment(&mut matching, axis)
        });
        if failed.is_some() {
            // The timelines seen can come from no axis but those seen, one fewer: as they have
            // no other values, as others do not branch, and as the last one must be opened.
            let mut reason = |axis: usize| self.slice_axes[axis / 64] |= 1 << (axis % 64);
            reason(last);
            for axis in (playable..=last).filter(|&axis| matching.seen[axis]) {
                reason(axis);
            }
            for axis in (0..playable).filter(|&axis| matching.senders[axis].is_none()) {
                reason(axis);
            }
        } else {
            for origin in 0..playable {
                let (Some(axis), Some(branch)) =
                    (matching.receivers[origin], matching.senders[origin])
                else {
                    continue;
                };
                if let Some(received) = self.find_live(axis, |kind| kind == Kind::From(origin)) {
                    self.pair((origin, branch), (axis, received));
                }
            }
        }
        self.matching = matching;
        failed.is_none()
    }

    /// Tries to find a sender for the axis, moving others aside. Marks what it sees.
    fn augment(&self, matching: &mut Matching, axis: usize) -> bool {
        matching.seen[axis] = true;
        for value in self.live(axis) {
            let Kind::From(origin) = self.space.values[value].kind else { continue };
            if matching.seen[origin] || matching.senders[origin].is_none() {
                continue;
            }
            matching.seen[origin] = true;
            let free = match matching.receivers[origin] {
                None => true,
                Some(other) => self.augment(matching, other),
            };
            if free {
                matching.receivers[origin] = Some(axis);
                return true;
            }
        }
        false
    }

    fn is_branch(&self, kind: Kind) -> bool {
        matches!(kind, Kind::Jump(jump) if self.space.jumps[jump].branches())
    }

    /// Picks the best allowed value of each axis; no axis of a cell is ever empty. Returns their
    /// score.
    pub(super) fn take_best(&mut self) -> i64 {
        let mut score = 0;
        for axis in 0..self.point.len() {
            let best = self.best_on(axis);
            self.point[axis] = best;
            score += i64::from(self.space.values[best].score);
        }
        score
    }

    /// Changes what does not fit together of the values picked as the best where that costs
    /// nothing.
    pub(super) fn fit_best(&mut self) {
        let jumps = |&value: &usize| {
            !matches!(self.space.values[value].kind, Kind::Nothing | Kind::Physical(_))
        };
        if !self.point.iter().any(jumps) {
            return;
        }
        self.locked.clear();
        self.locked.resize(self.point.len(), false);
        let playable = self.space.playable;
        for axis in 0..playable {
            let Some(jump) = self.space.jump(self.point[axis]) else { continue };
            let Goal::Hop(target) = jump.goal else { continue };
            if self.locked[axis] || self.locked[target] {
                continue;
            }
            let received = self.find_live(target, |kind| kind == Kind::From(axis));
            if let Some(received) = received
                && i64::from(self.space.values[received].score) == self.score_of_point_on(target)
            {
                self.pair((axis, self.point[axis]), (target, received));
            }
        }
        self.fit_jumps(playable);
    }

    /// The allowed values of an axis that some legal action may hold.
    fn live(&self, axis: usize) -> impl Iterator<Item = usize> {
        let start = self.space.axes[axis].values.start;
        let dead = self.learned.dead(self.domains.range(axis));
        self.domains.of(axis).iter().zip(dead).enumerate().flat_map(move |(i, (&word, &dead))| {
            Squares(word & !dead).map(move |bit| start + 64 * i + bit.index())
        })
    }

    /// The first of those that is of a kind.
    fn find_live(&self, axis: usize, test: impl Fn(Kind) -> bool) -> Option<usize> {
        self.live(axis).find(|&value| test(self.space.values[value].kind))
    }

    /// Makes an axis send its piece to another one, and both stay so.
    fn pair(&mut self, (origin, sent): (usize, usize), (axis, received): (usize, usize)) {
        self.point[origin] = sent;
        self.point[axis] = received;
        self.locked[origin] = true;
        self.locked[axis] = true;
    }

    /// For each axis that must receive a piece, one that sends it.
    fn fit_receivers(&mut self) {
        for axis in (0..self.point.len()).rev() {
            if self.locked[axis] || !matches!(self.kind(axis), Kind::From(_)) {
                continue;
            }
            let found = self.live(axis).find_map(|value| {
                let Kind::From(origin) = self.space.values[value].kind else { return None };
                if self.locked[origin] {
                    return None;
                }
                let mut sent = self.live(origin);
                let sent = sent.find(|&sent| self.space.jump_to(sent, axis).is_some())?;
                Some(((origin, sent), (axis, value)))
            });
            if let Some((sender, receiver)) = found {
                self.pair(sender, receiver);
            }
        }
    }

    /// For each jump that nothing receives yet an axis that does; with `from` 0 on any axis, with
    /// the number of playable axes on timelines to be opened only.
    fn fit_jumps(&mut self, from: usize) {
        let playable = self.space.playable;
        for axis in 0..playable {
            if self.locked[axis] || !matches!(self.kind(axis), Kind::Jump(_)) {
                continue;
            }
            let found = if from == playable {
                let sent = self.point[axis];
                self.fit_branch(axis, sent).map(|receiver| (sent, receiver))
            } else {
                self.live(axis).find_map(|sent| {
                    let receiver = match self.space.jump(sent)?.goal {
                        Goal::Hop(target) => self.fit_hop(axis, target),
                        Goal::Branch { .. } => self.fit_branch(axis, sent),
                    };
                    Some((sent, receiver?))
                })
            };
            if let Some((sent, receiver)) = found {
                self.pair((axis, sent), receiver);
            }
        }
    }

    /// The target of a hop from the axis, and its value that receives it.
    fn fit_hop(&self, axis: usize, target: usize) -> Option<(usize, usize)> {
        if self.locked[target] {
            return None;
        }
        let received = self.find_live(target, |kind| kind == Kind::From(axis))?;
        Some((target, received))
    }

    /// The next timeline to be opened, and its value that receives a branch from the axis.
    fn fit_branch(&self, axis: usize, sent: usize) -> Option<(usize, usize)> {
        let needs = self.space.jump(sent).and_then(|jump| jump.needs());
        if needs.is_some_and(|needed| self.kind(needed) == Kind::Nothing) {
            return None;
        }
        let next = (self.space.playable..self.point.len())
            .find(|&next| self.kind(next) == Kind::Nothing)?;
        let received = self.find_live(next, |kind| kind == Kind::From(axis))?;
        Some((next, received))
    }
}
