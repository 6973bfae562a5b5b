//! Which point of a cell is looked at: one whose jumps and receiving axes fit together, where
//! that can be had without searching. Whatever is picked, what the walk yields is the same: what
//! does not fit is found out by [`super::slices`].

use super::generator::Generator;
use super::space::{Goal, Kind};

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
            let dead = self.learned.dead(self.domains.range(axis));
            let first = self.domains.of(axis).iter().zip(dead).enumerate().find_map(
                |(i, (&word, &dead))| {
                    let live = word & !dead;
                    (live != 0).then(|| 64 * i + live.trailing_zeros() as usize)
                },
            );
            let Some(first) = first else {
                self.slice_axes[axis / 64] |= 1 << (axis % 64);
                return false;
            };
            self.point[axis] = self.space.axes[axis].values.start + first;
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
                    self.point[axis] = received;
                    self.point[origin] = branch;
                    self.locked[axis] = true;
                    self.locked[origin] = true;
                }
            }
        }
        self.matching = matching;
        failed.is_none()
    }

    /// Tries to find a sender for the axis, moving others aside. Marks what it sees.
    fn augment(&self, matching: &mut Matching, axis: usize) -> bool {
        matching.seen[axis] = true;
        let start = self.space.axes[axis].values.start;
        let range = self.domains.range(axis);
        for word in 0..self.domains.width(axis) {
            let live = self.domains.of(axis)[word] & !self.learned.dead(range.clone())[word];
            for bit in crate::board::Squares(live) {
                let value = start + 64 * word + bit.index();
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
        }
        false
    }

    fn is_branch(&self, kind: Kind) -> bool {
        matches!(kind, Kind::Jump(jump)
            if matches!(self.space.jumps[jump].goal, Goal::Branch { .. }))
    }

    /// Picks the best allowed value of each axis. No axis of a cell is ever empty. Then changes
    /// what does not fit together where that costs nothing.
    pub(super) fn pick_best(&mut self) {
        let mut fits = true;
        for axis in 0..self.point.len() {
            self.point[axis] = self.best_on(axis);
            fits &= matches!(self.kind(axis), Kind::Nothing | Kind::Physical(_));
        }
        if fits {
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
                && self.space.values[received].score == self.score_of_point_on(target)
            {
                self.point[target] = received;
                self.locked[target] = true;
                self.locked[axis] = true;
            }
        }
        self.fit_jumps(playable);
    }

    /// The first allowed value of an axis that passes the test and that some legal action may
    /// hold.
    fn find_live(&self, axis: usize, test: impl Fn(Kind) -> bool) -> Option<usize> {
        let start = self.space.axes[axis].values.start;
        let dead = self.learned.dead(self.domains.range(axis));
        self.domains.of(axis).iter().zip(dead).enumerate().find_map(|(i, (&word, &dead))| {
            crate::board::Squares(word & !dead)
                .map(|bit| start + 64 * i + bit.index())
                .find(|&value| test(self.space.values[value].kind))
        })
    }

    /// For each axis that must receive a piece, one that sends it.
    fn fit_receivers(&mut self) {
        for axis in (0..self.point.len()).rev() {
            let Kind::From(_) = self.kind(axis) else { continue };
            if self.locked[axis] {
                continue;
            }
            let start = self.space.axes[axis].values.start;
            'words: for word in 0..self.domains.width(axis) {
                let range = self.domains.range(axis);
                let live = self.domains.of(axis)[word] & !self.learned.dead(range)[word];
                for bit in crate::board::Squares(live) {
                    let value = start + 64 * word + bit.index();
                    let Kind::From(origin) = self.space.values[value].kind else { continue };
                    if self.locked[origin] {
                        continue;
                    }
                    let space = &self.space;
                    let sent = self.find_live(origin, |kind| match kind {
                        Kind::Jump(jump) => match space.jumps[jump].goal {
                            Goal::Hop(target) => target == axis,
                            Goal::Branch { .. } => axis >= space.playable,
                        },
                        _ => false,
                    });
                    if let Some(sent) = sent {
                        self.point[axis] = value;
                        self.point[origin] = sent;
                        self.locked[axis] = true;
                        self.locked[origin] = true;
                        break 'words;
                    }
                }
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
            if from == playable {
                self.fit_branch(axis, self.point[axis]);
                continue;
            }
            let start = self.space.axes[axis].values.start;
            'words: for word in 0..self.domains.width(axis) {
                let range = self.domains.range(axis);
                let live = self.domains.of(axis)[word] & !self.learned.dead(range)[word];
                for bit in crate::board::Squares(live) {
                    let value = start + 64 * word + bit.index();
                    let Some(jump) = self.space.jump(value) else { continue };
                    let fits = match jump.goal {
                        Goal::Hop(target) => self.fit_hop(axis, value, target),
                        Goal::Branch { .. } => self.fit_branch(axis, value),
                    };
                    if fits {
                        break 'words;
                    }
                }
            }
        }
    }

    /// Lets the target of a hop receive it.
    fn fit_hop(&mut self, axis: usize, value: usize, target: usize) -> bool {
        if self.locked[target] {
            return false;
        }
        let Some(received) = self.find_live(target, |kind| kind == Kind::From(axis)) else {
            return false;
        };
        self.point[axis] = value;
        self.point[target] = received;
        self.locked[axis] = true;
        self.locked[target] = true;
        true
    }

    /// Lets the next timeline to be opened receive a branch.
    fn fit_branch(&mut self, axis: usize, value: usize) -> bool {
        let playable = self.space.playable;
        let needs = self.space.jump(value).and_then(|jump| jump.needs());
        if needs.is_some_and(|needed| self.kind(needed) == Kind::Nothing) {
            return false;
        }
        let next = (playable..self.point.len()).find(|&next| self.kind(next) == Kind::Nothing);
        let Some(next) = next else { return false };
        let Some(received) = self.find_live(next, |kind| kind == Kind::From(axis)) else {
            return false;
        };
        self.point[axis] = value;
        self.point[next] = received;
        self.locked[axis] = true;
        self.locked[next] = true;
        true
    }
}
