//! The constraints that make a point playable and legal, and the slice of points around one
//! that breaks a constraint in the same way.
//!
//! A slice is a product of sets of values, one for each axis that matters; axes not mentioned
//! are free. Each function that builds one says why *every* point of it breaks the rule: that,
//! and nothing else, makes taking slices out safe.
//!
//! - numbering: a timeline opened while the one before it is not (R14);
//! - pairing and order of jumps: see [`super::pairing`] (R13, R18);
//! - present: a board left unplayed that holds the present for the mover (R21);
//! - royals: a royal that the opponent can take (R21, R22).

use super::generator::{Generator, Part};
use super::space::{Kind, Space, Value};
use crate::board::{Board, Colour, Square};
use crate::multiverse::{Attack, Multiverse, Place};

/// What a board must be for an attack to pass over it, by the board's part in the attack.
#[derive(Clone, Copy)]
enum Role {
    /// Attacker and royal stand on it.
    Both,
    /// The attacker's board: pieces of the kinds that can take the attack's way, on the square.
    Source { attack: Attack },
    /// A board on the way: the square is vacant.
    Between { square: Square },
    /// The royal's board.
    Target { square: Square },
}

impl Role {
    fn fits(self, board: &Board, attacker: Colour) -> bool {
        match self {
            Role::Both => board.has_royal_attack(attacker),
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
    /// around the point and returns true; parts that cover all of their axis are left out.
    pub(super) fn find_slice(&mut self, multiverse: &mut Multiverse) -> bool {
        if self.numbering_slice() || self.pairing_slice() || self.order_slice() {
            return true;
        }
        self.push_point(multiverse);
        let broken = if multiverse.present_has_passed() {
            let attacker = !multiverse.side();
            let attacked = multiverse.jumps_onto_any_royal(attacker);
            if attacked {
                let attack = self.narrowest_attack(multiverse, attacker);
                Some(attack)
            } else {
                None
            }
        } else {
            Some(None)
        };
        let present = multiverse.present();
        self.pop_point(multiverse);
        match broken {
            None => false,
            Some(None) => {
                self.present_slice(multiverse, present);
                true
            }
            Some(Some(attack)) => {
                self.royal_slice(multiverse, attack);
                true
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
                let start = self.space.axes[axis].values.start;
                self.part(axis, |_, value| {
                    set[(value - start) / 64] >> ((value - start) % 64) & 1 != 0
                });
            }
        }
        self.learned = learned;
        slice.is_some()
    }

    pub(super) fn value(&self, axis: usize) -> &Value {
        &self.space.values[self.point[axis]]
    }

    fn is_nothing(&self, axis: usize) -> bool {
        self.value(axis).kind == Kind::Nothing
    }

    /// Adds the part of an axis whose values pass the test, among those still allowed. A part
    /// that is all of them is left out: its complement would be empty.
    pub(super) fn part(&mut self, axis: usize, test: impl Fn(&Space, usize) -> bool) {
        self.slice_axes[axis / 64] |= 1 << (axis % 64);
        let begin = self.bits.len();
        let start = self.space.axes[axis].values.start;
        let mut all = true;
        for (i, &word) in self.domains.of(axis).iter().enumerate() {
            let mut bits = 0;
            let mut rest = word;
            while rest != 0 {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                if test(&self.space, start + 64 * i + bit) {
                    bits |= 1 << bit;
                }
            }
            all &= bits == word;
            self.bits.push(bits);
        }
        if all {
            self.bits.truncate(begin);
        } else {
            self.parts.push(Part { axis, bits: begin });
        }
    }

    /// Adds the part of an axis whose values accept none of these departures.
    pub(super) fn refusing_part(&mut self, axis: usize, departures: &[(usize, Square)]) {
        self.slice_axes[axis / 64] |= 1 << (axis % 64);
        let begin = self.bits.len();
        self.bits.extend_from_slice(self.domains.of(axis));
        let mut all = true;
        for &(origin, from) in departures {
            let takers = self.space.takers(&self.domains, axis, origin, from);
            for (bits, &taker) in self.bits[begin..].iter_mut().zip(takers) {
                all &= *bits & taker == 0;
                *bits &= !taker;
            }
        }
        if all {
            self.bits.truncate(begin);
        } else {
            self.parts.push(Part { axis, bits: begin });
        }
    }

    /// Adds the part of an axis that is the point's own value.
    pub(super) fn singleton_part(&mut self, axis: usize) {
        self.slice_axes[axis / 64] |= 1 << (axis % 64);
        if self.domains.count(axis) == 1 {
            return;
        }
        let begin = self.bits.len();
        let value = self.point[axis] - self.space.axes[axis].values.start;
        self.bits.resize(begin + self.domains.width(axis), 0);
        self.bits[begin + value / 64] |= 1 << (value % 64);
        self.parts.push(Part { axis, bits: begin });
    }

    /// Timeline k opened and k - 1 not: no numbering allows that, whatever else is played.
    fn numbering_slice(&mut self) -> bool {
        let gap = (self.space.playable + 1..self.space.axes.len())
            .find(|&axis| self.is_nothing(axis - 1) && !self.is_nothing(axis));
        let Some(axis) = gap else { return false };
        self.part(axis - 1, |space, value| space.values[value].kind == Kind::Nothing);
        self.part(axis, |space, value| space.values[value].kind != Kind::Nothing);
        true
    }

    /// A board left unplayed holds the present, at the half-turn `present`, for the mover.
    ///
    /// In the slice that board stays unplayed and active, and nothing moves the present before
    /// it: no timeline opened that counts ends earlier, and not so many are opened that an
    /// inactive timeline of the opponent with an earlier end becomes active (R19).
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
        for number in 1..=earlier.unwrap_or(new) {
            let axis = playable + number - 1;
            let counts = active(number).contains(&self.space.axes[axis].line);
            let last = Some(number) == earlier;
            self.part(axis, |space, value| {
                let value = &space.values[value];
                if value.kind == Kind::Nothing {
                    number != needed
                } else {
                    !last && (!counts || value.half_turn > present)
                }
            });
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

    /// The attack on a royal that depends on the fewest axes: its slice is the largest. The
    /// point's boards stand in the multiverse.
    fn narrowest_attack(&self, multiverse: &Multiverse, attacker: Colour) -> Option<Attack> {
        let made = |place: Place| {
            multiverse.latest(place.line) == Some(place)
                && self.space.axes.iter().zip(&self.point).any(|(axis, &value)| {
                    axis.line == place.line && self.space.values[value].kind != Kind::Nothing
                })
        };
        multiverse.royal_attacks(attacker).into_iter().min_by_key(|attack| {
            let between = attack.between().filter(|&(place, _)| made(place)).count();
            let ends = if attack.from == attack.to { 0 } else { usize::from(made(attack.to)) };
            between + ends + usize::from(made(attack.from))
        })
    }

    /// An attack on a royal: in the slice every board that the action makes on its way plays the
    /// same part in the same place, so that the attack stands.
    fn royal_slice(&mut self, multiverse: &Multiverse, attack: Attack) {
        let attacker = !multiverse.side();
        let mut roles: Vec<(Place, Role)> = Vec::new();
        if attack.from == attack.to {
            roles.push((attack.from, Role::Both));
        } else {
            roles.push((attack.from, Role::Source { attack }));
            roles.push((attack.to, Role::Target { square: attack.to_square }));
            roles.extend(attack.between().map(|(place, square)| (place, Role::Between { square })));
        }
        for (place, role) in roles {
            if let Some(axis) = self.axis_of(multiverse, place) {
                self.part(axis, |space, value| {
                    let value = &space.values[value];
                    value.half_turn == place.half_turn
                        && role.fits(multiverse.pooled(value.board), attacker)
                });
            }
        }
    }
}
