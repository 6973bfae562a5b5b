//! The constraints that make a point playable and legal, and the slice of points around one
//! that breaks a constraint in the same way.
//!
//! A slice is a product of sets of values, one for each axis that matters; axes not mentioned
//! are free. Each function that builds one says why *every* point of it breaks the rule: that,
//! and nothing else, makes taking slices out safe.
//!
//! - numbering: a timeline opened while the one before it is not (R14);
//! - pairing: departures and arrivals that cannot be matched one to one (R13);
//! - order: branches that would have to be made in a circle (R18);
//! - present: a board left unplayed that holds the present for the mover (R21);
//! - royals: a royal that the opponent can take (R21, R22).

use super::generator::{Generator, Part};
use super::space::{Kind, Space, Value, Way};
use crate::board::{Board, Colour, Square};
use crate::multiverse::{Attack, Multiverse, Place};

/// Which departure supplies which arrival at the current point.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairing {
    /// By axis of the arrival: the way that is used.
    ways: Vec<Option<usize>>,
    /// By axis of the departure: the axis where the piece arrives.
    partners: Vec<Option<usize>>,
    departures: Vec<(usize, Square)>,
    arrivals: Vec<usize>,
    visited_departures: Vec<bool>,
    visited_arrivals: Vec<bool>,
}

impl Pairing {
    /// The way in which the arrival on the axis comes about.
    pub fn way(&self, axis: usize) -> Option<usize> {
        self.ways.get(axis).copied().flatten()
    }
}

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
            let attacked = multiverse.royal_attack(attacker).is_some();
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

    fn value(&self, axis: usize) -> &Value {
        &self.space.values[self.point[axis]]
    }

    fn is_nothing(&self, axis: usize) -> bool {
        self.value(axis).kind == Kind::Nothing
    }

    /// Adds the part of an axis whose values pass the test, among those still allowed. A part
    /// that is all of them is left out: its complement would be empty.
    fn part(&mut self, axis: usize, test: impl Fn(&Space, usize) -> bool) {
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

    /// Departures and arrivals must match one to one. Matches them by augmenting paths; where
    /// that fails, some set of departures (or of arrivals) has too few partners.
    fn pairing_slice(&mut self) -> bool {
        let mut pairing = std::mem::take(&mut self.pairing);
        let space = &self.space;
        pairing.departures.clear();
        pairing.arrivals.clear();
        for (axis, &value) in self.point.iter().enumerate() {
            match space.values[value].kind {
                Kind::Departure(from) => pairing.departures.push((axis, from)),
                Kind::Arrival(_) => pairing.arrivals.push(axis),
                Kind::Nothing | Kind::Physical(_) => {}
            }
        }
        pairing.ways.clear();
        pairing.ways.resize(space.axes.len(), None);
        pairing.partners.clear();
        pairing.partners.resize(space.axes.len(), None);
        let mut broken = false;
        if !pairing.departures.is_empty() || !pairing.arrivals.is_empty() {
            broken = self.match_departures(&mut pairing) || self.match_arrivals(&pairing);
        }
        self.pairing = pairing;
        broken
    }

    /// Finds out which moves make the point, which is known to be playable: the walk through a
    /// list has not needed that.
    pub(super) fn pair_point(&mut self) {
        if self.is_list() {
            let unpaired = self.pairing_slice() || self.order_slice();
            debug_assert!(!unpaired);
        }
    }

    /// Tries to find an arrival for the departure, moving others aside. Marks what it visits.
    fn augment(&self, pairing: &mut Pairing, departure: usize) -> bool {
        let (origin, from) = pairing.departures[departure];
        pairing.visited_departures[departure] = true;
        for i in 0..pairing.arrivals.len() {
            let axis = pairing.arrivals[i];
            if pairing.visited_arrivals[i] {
                continue;
            }
            let ways = self.space.ways_of(self.point[axis]);
            let Some(way) = ways.iter().position(|way| way.is_from(origin, from)) else { continue };
            pairing.visited_arrivals[i] = true;
            let holder = pairing.ways[axis].map(|way| self.space.ways[way].origin);
            let free = match holder {
                None => true,
                Some(holder) => {
                    let other = pairing.departures.iter().position(|&(axis, _)| axis == holder);
                    other.is_some_and(|other| self.augment(pairing, other))
                }
            };
            if free {
                let Kind::Arrival(ways) = &self.value(axis).kind else { continue };
                pairing.ways[axis] = Some(ways.start + way);
                pairing.partners[origin] = Some(axis);
                return true;
            }
        }
        false
    }

    /// Matches every departure, or adds the slice of a set D of departures that can only go to
    /// the arrivals N on other axes, one fewer than D. In the slice the axes of D depart as they
    /// do here and every axis outside N takes none of D, so D never finds enough places.
    fn match_departures(&mut self, pairing: &mut Pairing) -> bool {
        for departure in 0..pairing.departures.len() {
            pairing.visited_departures.clear();
            pairing.visited_departures.resize(pairing.departures.len(), false);
            pairing.visited_arrivals.clear();
            pairing.visited_arrivals.resize(pairing.arrivals.len(), false);
            if self.augment(pairing, departure) {
                continue;
            }
            let stuck: Vec<(usize, Square)> = (0..pairing.departures.len())
                .filter(|&i| pairing.visited_departures[i])
                .map(|i| pairing.departures[i])
                .collect();
            for &(axis, from) in &stuck {
                self.part(axis, |space, value| space.values[value].kind == Kind::Departure(from));
            }
            for axis in 0..self.space.axes.len() {
                let arrival = pairing.arrivals.iter().position(|&arrival| arrival == axis);
                let taken = arrival.is_some_and(|i| pairing.visited_arrivals[i]);
                if !taken && !stuck.iter().any(|&(stuck, _)| stuck == axis) {
                    self.part(axis, |space, value| {
                        !stuck.iter().any(|&(axis, from)| space.accepts(value, axis, from))
                    });
                }
            }
            return true;
        }
        false
    }

    /// With every departure matched, looks for an arrival without one. If there is any, adds the
    /// slice of a set A of arrivals that only the departures N here could supply, one fewer than
    /// A: in the slice the axes of A hold arrivals with no other source, but for sources that do
    /// not depart.
    fn match_arrivals(&mut self, pairing: &Pairing) -> bool {
        let unmatched = pairing.arrivals.iter().find(|&&axis| pairing.ways[axis].is_none());
        let Some(&first) = unmatched else { return false };
        let mut set = vec![first];
        let mut sources: Vec<(usize, Square)> = Vec::new();
        let mut next = 0;
        while let Some(&axis) = set.get(next) {
            next += 1;
            for way in self.space.ways_of(self.point[axis]) {
                let source = (way.origin, way.step.from_square);
                if sources.contains(&source) {
                    continue;
                }
                sources.push(source);
                if pairing.departures.contains(&source)
                    && let Some(partner) = pairing.partners[way.origin]
                    && !set.contains(&partner)
                {
                    set.push(partner);
                }
            }
        }
        for &axis in &set {
            self.part(axis, |space, value| {
                let ways = space.ways_of(value);
                !ways.is_empty()
                    && ways.iter().all(|way| sources.contains(&(way.origin, way.step.from_square)))
            });
        }
        for origin in 0..self.space.playable {
            let absent = |from: Square| {
                sources.contains(&(origin, from)) && !pairing.departures.contains(&(origin, from))
            };
            if sources.iter().any(|&(axis, from)| axis == origin && absent(from)) {
                self.part(origin, |space, value| match space.values[value].kind {
                    Kind::Departure(from) => !absent(from),
                    _ => true,
                });
            }
        }
        true
    }

    /// Whether the way can be used by the arrival on `axis` as far as order goes: a branch off a
    /// playable board comes after another move on that board's timeline, and if that move is a
    /// branch too, the timeline it opens has the lower number (R18).
    fn is_in_order(&self, pairing: &Pairing, axis: usize, way: &Way) -> bool {
        if axis < self.space.playable {
            return true;
        }
        let Some(needed) = way.needs else { return true };
        match self.value(needed).kind {
            Kind::Nothing => false,
            Kind::Departure(_) => pairing.partners[needed]
                .is_some_and(|partner| partner < self.space.playable || partner < axis),
            Kind::Physical(_) | Kind::Arrival(_) => true,
        }
    }

    /// The branches must have an order.
    fn order_slice(&mut self) -> bool {
        let mut pairing = std::mem::take(&mut self.pairing);
        let broken = pairing.arrivals.iter().copied().find(|&axis| {
            !pairing.ways[axis]
                .is_some_and(|way| self.is_in_order(&pairing, axis, &self.space.ways[way]))
        });
        let Some(axis) = broken else {
            self.pairing = pairing;
            return false;
        };
        let ambiguous = pairing
            .arrivals
            .iter()
            .any(|&axis| matches!(&self.value(axis).kind, Kind::Arrival(ways) if ways.len() > 1));
        if ambiguous {
            let found = self.pair_in_order(&mut pairing);
            if !found {
                self.exact_slice(&pairing);
            }
            self.pairing = pairing;
            return !found;
        }
        self.circle_slice(&pairing, axis);
        self.pairing = pairing;
        true
    }

    /// The arrival on `axis` has one way only, a branch that needs something played on another
    /// timeline before. In the slice it is an arrival that in all its ways needs that, and there
    /// nothing is played, or a piece leaves that can only be the one opening a later timeline.
    fn circle_slice(&mut self, pairing: &Pairing, axis: usize) {
        let Some(needed) = self.space.ways_of(self.point[axis])[0].needs else { return };
        self.part(axis, |space, value| {
            let ways = space.ways_of(value);
            !ways.is_empty() && ways.iter().all(|way| way.needs == Some(needed))
        });
        let Kind::Departure(from) = self.value(needed).kind else {
            self.part(needed, |space, value| space.values[value].kind == Kind::Nothing);
            return;
        };
        self.part(needed, |space, value| space.values[value].kind == Kind::Departure(from));
        if let Some(later) = pairing.partners[needed] {
            self.part(later, |space, value| {
                let ways = space.ways_of(value);
                !ways.is_empty() && ways.iter().all(|way| way.is_from(needed, from))
            });
        }
    }

    /// The slice of the departures, arrivals and needed timelines exactly as they are, with no
    /// departure or arrival besides: no pairing of them has an order. Rare, so it may be narrow.
    fn exact_slice(&mut self, pairing: &Pairing) {
        for axis in 0..self.space.axes.len() {
            let jumps = pairing.arrivals.contains(&axis)
                || pairing.departures.iter().any(|&(departing, _)| departing == axis);
            let needed = pairing.arrivals.iter().any(|&arrival| {
                self.space.ways_of(self.point[arrival]).iter().any(|way| way.needs == Some(axis))
            });
            if jumps || needed {
                self.singleton_part(axis);
            } else {
                self.part(axis, |space, value| {
                    !matches!(space.values[value].kind, Kind::Departure(_) | Kind::Arrival(_))
                });
            }
        }
    }

    /// Finds a pairing that has an order, by trying all.
    fn pair_in_order(&self, pairing: &mut Pairing) -> bool {
        let mut found = None;
        let mut trial = pairing.clone();
        self.each_pairing(&mut trial, 0, &mut |pairing| {
            found.get_or_insert_with(|| pairing.clone());
        });
        match found {
            Some(found) => {
                *pairing = found;
                true
            }
            None => false,
        }
    }

    /// Visits every choice of ways, one an arrival, that uses each departure once and has an
    /// order.
    fn each_pairing(
        &self,
        pairing: &mut Pairing,
        arrival: usize,
        visit: &mut impl FnMut(&Pairing),
    ) {
        if arrival == 0 {
            pairing.partners.fill(None);
            pairing.ways.fill(None);
        }
        let Some(&axis) = pairing.arrivals.get(arrival) else {
            let ordered = pairing.arrivals.iter().all(|&axis| {
                pairing.ways[axis]
                    .is_some_and(|way| self.is_in_order(pairing, axis, &self.space.ways[way]))
            });
            if ordered {
                visit(pairing);
            }
            return;
        };
        let Kind::Arrival(ways) = &self.value(axis).kind else { return };
        for index in ways.clone() {
            let way = self.space.ways[index];
            let departs = self.value(way.origin).kind == Kind::Departure(way.step.from_square);
            if departs && pairing.partners[way.origin].is_none() {
                pairing.partners[way.origin] = Some(axis);
                pairing.ways[axis] = Some(index);
                self.each_pairing(pairing, arrival + 1, visit);
                pairing.partners[way.origin] = None;
                pairing.ways[axis] = None;
            }
        }
    }

    /// How many pairings the point has: its move sets.
    pub(super) fn count_pairings(&mut self) -> u64 {
        let ambiguous =
            self.pairing.arrivals.iter().any(
                |&axis| matches!(&self.value(axis).kind, Kind::Arrival(ways) if ways.len() > 1),
            );
        if !ambiguous {
            return 1;
        }
        let mut sets: Vec<Vec<(crate::multiverse::Move, bool, usize)>> = Vec::new();
        let mut trial = self.pairing.clone();
        let playable = self.space.playable;
        self.each_pairing(&mut trial, 0, &mut |pairing| {
            let mut set: Vec<_> = pairing
                .arrivals
                .iter()
                .filter_map(|&axis| {
                    let step = self.space.ways[pairing.ways[axis]?].step;
                    Some((step, axis >= playable, if axis >= playable { axis } else { 0 }))
                })
                .collect();
            set.sort_by_key(|(step, branch, axis)| {
                (step.from, step.from_square, step.to, step.to_square, *branch, *axis)
            });
            if !sets.contains(&set) {
                sets.push(set);
            }
        });
        sets.len() as u64
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
