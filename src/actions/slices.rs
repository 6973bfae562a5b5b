//! The constraints that make a point playable and legal, and the slice of points around one
//! that breaks a constraint in the same way.
//!
//! A slice is a product of sets of values, one for each axis that matters; axes not mentioned
//! are free. Each function that builds one says why *every* point of it breaks the rule: that,
//! and nothing else, makes taking slices out safe.
//!
//! - fit: every jump lands on one axis that receives it, timelines are opened without a gap, and
//!   branches have an order (R13, R14, R18);
//! - present: a board left unplayed that holds the present for the mover (R21);
//! - royals: a royal that the opponent can take (R21, R22);
//! - equal actions: see [`super::equal`] (R23).
//!
//! A slice may hold points that do not fit, whatever else is true of them: they are no actions.

use std::ops::ControlFlow;

use super::generator::{Generator, Limit, Part};
use super::space::{Goal, Kind, Space};
use crate::board::{Board, Colour, Square, Squares};
use crate::multiverse::{Attack, BoardId, Multiverse, Place};

/// What a board must be for an attack to pass over it, by the board's part in the attack.
#[derive(Clone, Copy, Debug)]
pub(super) enum Role {
    /// The attacker's board: pieces of the kinds that can take the attack's way, on the square.
    Source { attack: Attack },
    /// A board on the way: the square is vacant.
    Between { square: Square },
    /// The royal's board.
    Target { square: Square },
}

impl Role {
    pub(super) fn fits(self, board: &Board, attacker: Colour) -> bool {
        match self {
            Role::Source { attack } => {
                attack.takers(board, attacker) & attack.from_square.bit() != 0
            }
            Role::Between { square } => board.vacant() & square.bit() != 0,
            Role::Target { square } => board.royals(!attacker) & square.bit() != 0,
        }
    }
}

impl Generator {
    /// Looks for a constraint that the point breaks. If there is one, adds the parts of a slice
    /// around the point and returns true; parts that cover all of their axis are left out. `None`
    /// if a limit was hit before that was known.
    pub(super) fn find_slice(
        &mut self,
        multiverse: &mut Multiverse,
        limit: &Limit<'_>,
    ) -> Option<bool> {
        if self.misfit_slice() {
            return Some(true);
        }
        let (broken, present) = multiverse.briefly(|multiverse| {
            self.push_point(multiverse);
            let broken = if multiverse.present_has_passed() {
                let attacker = !multiverse.side();
                let attacked = multiverse.jumps_onto_any_royal(attacker);
                attacked.then(|| self.narrowest_attack(multiverse, attacker))
            } else {
                Some(None)
            };
            let present = multiverse.present();
            self.pop_point(multiverse);
            (broken, present)
        });
        match broken {
            None => self.equal_slice(limit),
            Some(None) => {
                self.present_slice(multiverse, present);
                Some(true)
            }
            Some(Some(attack)) => {
                self.royal_slice(multiverse, attack);
                Some(true)
            }
        }
    }

    /// Looks for a learned slice that holds the point, and adds its parts.
    pub(super) fn learned_slice(&mut self) -> bool {
        let learned = std::mem::take(&mut self.learned);
        let (axes, point) = (&self.space.axes, &self.point);
        let slice = learned.holding(|axis| point[axis] - axes[axis].values.start);
        if let Some(slice) = slice.clone() {
            for (axis, set) in learned.parts(slice) {
                self.set_part(axis, &set[..self.domains.width(axis)]);
            }
        }
        self.learned = learned;
        slice.is_some()
    }

    /// What the point has on an axis.
    #[inline(always)]
    pub(super) fn kind(&self, axis: usize) -> Kind {
        self.space.values[self.point[axis]].kind
    }

    fn is_nothing(&self, axis: usize) -> bool {
        self.kind(axis) == Kind::Nothing
    }

    /// Adds the part of an axis whose values pass the test, among those still allowed; where the
    /// slice has a part of the axis already, both tests must be passed. A part that is all that
    /// is allowed is left out: its complement would be empty.
    pub(super) fn part(&mut self, axis: usize, test: impl Fn(&Space, usize) -> bool) {
        self.slice_axes[axis / 64] |= 1 << (axis % 64);
        let start = self.space.axes[axis].values.start;
        let older = self.parts[self.slice_begin..].iter().find(|part| part.axis == axis);
        if let Some(&Part { bits, .. }) = older {
            for i in 0..self.domains.width(axis) {
                let passed = |bit: &Square| test(&self.space, start + 64 * i + bit.index());
                self.bits[bits + i] =
                    Squares(self.bits[bits + i]).filter(passed).fold(0, |set, bit| set | bit.bit());
            }
            return;
        }
        let begin = self.bits.len();
        let mut all = true;
        for (i, &word) in self.domains.of(axis).iter().enumerate() {
            let passed = |bit: &Square| test(&self.space, start + 64 * i + bit.index());
            let bits = Squares(word).filter(passed).fold(0, |set, bit| set | bit.bit());
            all &= bits == word;
            self.bits.push(bits);
        }
        if all {
            self.bits.truncate(begin);
        } else {
            self.parts.push(Part { axis, bits: begin });
        }
    }

    /// Adds a part that is known: of the values still allowed, those of the set.
    pub(super) fn set_part(&mut self, axis: usize, set: &[u64]) {
        self.slice_axes[axis / 64] |= 1 << (axis % 64);
        let allowed = self.domains.of(axis);
        if allowed != set {
            self.parts.push(Part { axis, bits: self.bits.len() });
            self.bits.extend(allowed.iter().zip(set).map(|(allowed, set)| allowed & set));
        }
    }

    /// Adds the part of an axis that is the point's own value.
    pub(super) fn singleton_part(&mut self, axis: usize) {
        let here = self.point[axis];
        self.part(axis, |_, value| value == here);
    }

    /// What does not fit together, from axis to axis: see the functions that build the slices.
    fn misfit_slice(&mut self) -> bool {
        let playable = self.space.playable;
        for axis in 0..self.point.len() {
            match self.kind(axis) {
                Kind::Physical(_) => {}
                Kind::Nothing => {
                    if axis >= playable && axis + 1 < self.point.len() && !self.is_nothing(axis + 1)
                    {
                        self.gap_slice(axis);
                        return true;
                    }
                }
                Kind::From(origin) => {
                    if self.space.jump_to(self.point[origin], axis).is_none() {
                        self.unsent_slice(axis, origin);
                        return true;
                    }
                }
                Kind::Jump(jump) => {
                    if self.unreceived_slice(axis, self.space.jumps[jump].goal) {
                        return true;
                    }
                }
            }
        }
        (0..playable).any(|axis| match self.space.jump(self.point[axis]).map(|jump| jump.goal) {
            Some(Goal::Branch { needs: Some(needed) }) => self.order_slice(axis, needed),
            _ => false,
        })
    }

    /// A timeline is opened while the one before it, on `axis`, is not: no numbering allows that,
    /// whatever else is played (R14).
    fn gap_slice(&mut self, axis: usize) {
        self.part(axis, |space, value| space.values[value].kind == Kind::Nothing);
        self.part(axis + 1, |space, value| space.values[value].kind != Kind::Nothing);
    }

    /// The axis receives a piece from an origin that sends it none (R13).
    fn unsent_slice(&mut self, axis: usize, origin: usize) {
        self.part(axis, |space, value| space.values[value].kind == Kind::From(origin));
        self.part(origin, |space, value| space.jump_to(value, axis).is_none());
    }

    /// A jump from the axis that lands nowhere, or on two timelines at once (R13).
    ///
    /// Nowhere: in the slice any jump with the same goal leaves the axis, and no axis that could
    /// receive it does. Twice: two axes receive it.
    fn unreceived_slice(&mut self, axis: usize, goal: Goal) -> bool {
        let playable = self.space.playable;
        if let Goal::Hop(target) = goal {
            if self.kind(target) == Kind::From(axis) {
                return false;
            }
            self.part(axis, |space, value| space.jump(value).is_some_and(|jump| jump.goal == goal));
            self.part(target, |space, value| space.values[value].kind != Kind::From(axis));
            return true;
        }
        let receives = |&new: &usize| self.kind(new) == Kind::From(axis);
        let mut receivers = (playable..self.point.len()).filter(receives);
        match (receivers.next(), receivers.next()) {
            (Some(_), None) => false,
            (Some(first), Some(second)) => {
                for twice in [first, second] {
                    self.part(twice, |space, value| space.values[value].kind == Kind::From(axis));
                }
                true
            }
            (None, _) => {
                self.branch_part(axis);
                for new in playable..self.point.len() {
                    self.part(new, |space, value| space.values[value].kind != Kind::From(axis));
                }
                true
            }
        }
    }

    /// Adds the part of an axis that is all its branches.
    fn branch_part(&mut self, axis: usize) {
        self.part(axis, |space, value| space.jump(value).is_some_and(|jump| jump.branches()));
    }

    /// A branch from the axis off the board of `needed`, which must have been played on before
    /// (R18), is not in order. Either nothing is played there; or what is played is a branch
    /// itself, which needs the lower number: in the slice it gets none of those.
    fn order_slice(&mut self, axis: usize, needed: usize) -> bool {
        let playable = self.space.playable;
        let needs = |space: &Space, value: usize| {
            space.jump(value).is_some_and(|jump| jump.needs() == Some(needed))
        };
        if self.is_nothing(needed) {
            self.part(axis, needs);
            self.part(needed, |space, value| space.values[value].kind == Kind::Nothing);
            return true;
        }
        let Some(other) = self.space.jump(self.point[needed]) else { return false };
        if matches!(other.goal, Goal::Hop(_)) {
            return false;
        }
        if other.needs() == Some(axis) {
            self.part(axis, needs);
            self.part(needed, |space, value| {
                space.jump(value).is_some_and(|jump| jump.needs() == Some(axis))
            });
            return true;
        }
        let number = |origin: usize| {
            (playable..self.point.len()).find(|&new| self.kind(new) == Kind::From(origin))
        };
        let (Some(own), Some(others)) = (number(axis), number(needed)) else { return false };
        if others < own {
            return false;
        }
        self.part(axis, needs);
        self.branch_part(needed);
        self.part(own, |space, value| space.values[value].kind == Kind::From(axis));
        for lower in playable..own {
            self.part(lower, |space, value| space.values[value].kind != Kind::From(needed));
        }
        true
    }

    /// A board left unplayed holds the present, at the half-turn `present`, for the mover.
    ///
    /// In the slice that board stays unplayed and active, and nothing moves the present before
    /// it: no branch so far into the past opens a timeline that counts, and not so many are
    /// opened that an inactive timeline of the opponent with an earlier end becomes active (R19).
    fn present_slice(&mut self, multiverse: &Multiverse, present: i32) {
        let side = multiverse.side();
        let playable = self.space.playable;
        let opened =
            (playable..self.space.axes.len()).filter(|&axis| !self.is_nothing(axis)).count();
        let active = |more: usize| multiverse.active_lines_with(side, more as i32);
        let holder = (0..playable).find(|&axis| {
            self.space.axes[axis].half_turn == Some(present)
                && self.is_nothing(axis)
                && active(opened).contains(&self.space.axes[axis].line)
        });
        let Some(holder) = holder else {
            debug_assert!(false, "the present is the mover's, but no board holds it");
            return;
        };
        let holder_line = self.space.axes[holder].line;
        self.part(holder, |space, value| space.values[value].kind == Kind::Nothing);
        let new = self.space.axes.len() - playable;
        // So many must be opened for the board to count, and from so many on an earlier timeline
        // counts.
        let needed = (0..=opened).find(|&more| active(more).contains(&holder_line)).unwrap_or(0);
        let earlier = (opened + 1..=new).find(|&more| {
            active(more).any(|line| {
                !active(opened).contains(&line)
                    && multiverse.latest_half_turn(line).is_some_and(|end| end < present)
            })
        });
        // A branch so far into the past that it moves the present, were it to count.
        let early = |space: &Space, value: usize| {
            space.jump_to(value, playable).is_some_and(|jump| jump.half_turn < present)
        };
        let mut counted = false;
        for number in 1..=earlier.unwrap_or(new) {
            let axis = playable + number - 1;
            let counts = active(number).contains(&self.space.axes[axis].line);
            let last = Some(number) == earlier;
            counted |= counts && !last;
            let point = std::mem::take(&mut self.point);
            self.part(axis, |space, value| match space.values[value].kind {
                Kind::From(origin) => !last && (!counts || !early(space, point[origin])),
                _ => number != needed,
            });
            self.point = point;
        }
        for origin in 0..playable {
            if counted
                && self.space.axes[origin].earliest_branch < present
                && !early(&self.space, self.point[origin])
            {
                self.part(origin, |space, value| !early(space, value));
            }
        }
    }

    /// The axis on which the board at a place is made at the current point, if it is not there
    /// already.
    fn axis_of(&self, multiverse: &Multiverse, place: Place) -> Option<usize> {
        let playable = self.space.playable;
        let axes = &self.space.axes;
        if let Ok(axis) = axes[..playable].binary_search_by_key(&place.line, |axis| axis.line) {
            return (place.half_turn > axes[axis].half_turn.unwrap_or(i32::MAX)).then_some(axis);
        }
        let first = multiverse.next_line(multiverse.side(), 0);
        let beyond = match multiverse.side() {
            Colour::White => place.line - first,
            Colour::Black => first - place.line,
        };
        (beyond >= 0).then(|| playable + beyond as usize)
    }

    /// How many axes an attack depends on, which tells how large its slice is. The point's
    /// boards stand in the multiverse.
    fn width(&self, multiverse: &Multiverse, attack: &Attack) -> usize {
        let made = |place: Place| {
            if multiverse.latest(place.line) != Some(place) {
                return 0;
            }
            match self.axis_of(multiverse, place).map(|axis| self.kind(axis)) {
                None | Some(Kind::Nothing) => 0,
                Some(Kind::Physical(_) | Kind::Jump(_)) => 1,
                Some(Kind::From(_)) => 2,
            }
        };
        let between = attack.between().map(|(place, _)| made(place)).sum::<usize>();
        between + made(attack.from) + made(attack.to)
    }

    /// The attack on a royal that depends on the fewest axes: its slice is the largest. The
    /// point's boards stand in the multiverse.
    fn narrowest_attack(&mut self, multiverse: &Multiverse, attacker: Colour) -> Option<Attack> {
        let mut narrowest: Option<(usize, Attack)> = None;
        let _ = multiverse.each_jump_attack(attacker, |attack| {
            let width = self.width(multiverse, &attack);
            if narrowest.is_none_or(|(least, _)| width < least) {
                narrowest = Some((width, attack));
            }
            // None is narrower: what no new board has a part in stands from the start.
            if width <= 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        narrowest.map(|(_, attack)| attack)
    }

    /// Visits the boards of an attack that the action makes: axis, half-turn, and the part that
    /// the board plays.
    pub(super) fn each_role(
        &self,
        multiverse: &Multiverse,
        attack: Attack,
        mut visit: impl FnMut(usize, i32, Role),
    ) {
        let mut at = |place: Place, role: Role| {
            if let Some(axis) = self.axis_of(multiverse, place) {
                visit(axis, place.half_turn, role);
            }
        };
        at(attack.from, Role::Source { attack });
        at(attack.to, Role::Target { square: attack.to_square });
        for (place, square) in attack.between() {
            at(place, Role::Between { square });
        }
    }

    /// An attack on a royal: in the slice every board that the action makes on its way plays the
    /// same part in the same place, so that the attack stands. Where such a board is one on which
    /// a piece lands, the slice holds the axis that the piece comes from, and all jumps from there
    /// that land so; what is no jump to the axis lands nowhere, and may stay in the slice.
    fn royal_slice(&mut self, multiverse: &Multiverse, attack: Attack) {
        let attacker = !multiverse.side();
        let mut roles = std::mem::take(&mut self.roles);
        roles.clear();
        self.each_role(multiverse, attack, |axis, half_turn, role| {
            roles.push((axis, half_turn, role));
        });
        for &(axis, half_turn, role) in &roles {
            let fits = |at: i32, board: BoardId| {
                at == half_turn && role.fits(multiverse.pooled(board), attacker)
            };
            if let Kind::From(origin) = self.kind(axis) {
                self.part(axis, |space, value| space.values[value].kind == Kind::From(origin));
                self.part(origin, |space, value| {
                    space.jump_to(value, axis).is_none_or(|jump| fits(jump.half_turn, jump.board))
                });
            } else {
                self.part(axis, |space, value| {
                    let value = &space.values[value];
                    fits(value.half_turn, value.board)
                });
            }
        }
        self.roles = roles;
    }
}
