//! Which moves make a point, and whether any can: departures and arrivals are matched one to one
//! (R13), and the branches among them put in an order (R18).
//!
//! Like [`super::slices`], where the other constraints are: what breaks a constraint is a slice,
//! and each function that builds one says why every point of it breaks the rule.

use super::generator::Generator;
use super::space::{Kind, Way};
use crate::board::Square;

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

impl Generator {
    /// Departures and arrivals must match one to one. Matches them by augmenting paths; where
    /// that fails, some set of departures (or of arrivals) has too few partners.
    pub(super) fn pairing_slice(&mut self) -> bool {
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
            broken = self.count_slice(&pairing)
                || self.match_departures(&mut pairing)
                || self.match_arrivals(&pairing);
        }
        self.pairing = pairing;
        broken
    }

    /// Finds out which moves make the point, which is known to be playable: the walk through a
    /// list has not needed that.
    pub(super) fn pair_point(&mut self) {
        if self.is_list() {
            self.pair_anew();
        }
    }

    /// Pairs the point, which is known to be playable, anew.
    pub(super) fn pair_anew(&mut self) {
        let unpaired = self.pairing_slice() || self.order_slice();
        debug_assert!(!unpaired);
    }

    /// More arrivals than departures, with no more axes left in the cell that could supply one.
    /// In the slice as many axes hold arrivals and no further axis departs, whatever the pieces:
    /// counting says in one slice what pairing would say in very many. Of the timelines to be
    /// opened only the last is named: the others cannot but be opened too.
    fn count_slice(&mut self, pairing: &Pairing) -> bool {
        let (departures, arrivals) = (pairing.departures.len(), pairing.arrivals.len());
        if arrivals <= departures {
            return false;
        }
        let playable = self.space.playable;
        let may_depart = |axis: &usize| {
            self.domains.any(*axis, |value| {
                let value = self.space.axes[*axis].values.start + value;
                matches!(self.space.values[value].kind, Kind::Departure(_))
            })
        };
        if (0..playable).filter(may_depart).count() > arrivals {
            return false;
        }
        for axis in 0..playable {
            match self.value(axis).kind {
                Kind::Departure(_) => {}
                Kind::Arrival(_) => self.part(axis, |space, value| {
                    matches!(space.values[value].kind, Kind::Arrival(_))
                }),
                Kind::Nothing | Kind::Physical(_) => self.part(axis, |space, value| {
                    !matches!(space.values[value].kind, Kind::Departure(_))
                }),
            }
        }
        if let Some(&last) = pairing.arrivals.last().filter(|&&axis| axis >= playable) {
            self.part(last, |space, value| space.values[value].kind != Kind::Nothing);
        }
        true
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
                    self.refusing_part(axis, &stuck);
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
    pub(super) fn order_slice(&mut self) -> bool {
        let mut pairing = std::mem::take(&mut self.pairing);
        let in_order = pairing.arrivals.iter().all(|&axis| {
            pairing.ways[axis]
                .is_some_and(|way| self.is_in_order(&pairing, axis, &self.space.ways[way]))
        });
        let broken = !in_order
            && (pairing.arrivals.iter().any(|&axis| self.hopeless_branch_slice(axis))
                || !self.pair_in_order(&mut pairing) && {
                    self.disorder_slice(&pairing);
                    true
                });
        self.pairing = pairing;
        broken
    }

    /// Whether some axis whose arrival would come before a branch on `axis` takes this departure.
    fn leaves_before(&self, axis: usize, origin: usize, from: Square) -> bool {
        (0..axis).any(|before| self.space.accepts(self.point[before], origin, from))
    }

    /// A branch on `axis` none of whose ways can be used, whatever the pairing: each either needs
    /// a timeline on which nothing is played, or one that a piece leaves for a later timeline, or
    /// its own piece does not leave at all. In the slice the axis holds any arrival of which that
    /// can be said for the same timelines and pieces, and what makes it so stays: nothing played;
    /// the piece leaving, with no hop and no earlier branch to take it; the piece not leaving.
    fn hopeless_branch_slice(&mut self, axis: usize) -> bool {
        if axis < self.space.playable {
            return false;
        }
        let mut unplayed: Vec<usize> = Vec::new();
        let mut late: Vec<(usize, Square)> = Vec::new();
        let mut absent: Vec<(usize, Square)> = Vec::new();
        for way in self.space.ways_of(self.point[axis]) {
            let source = (way.origin, way.step.from_square);
            let needed = way.needs.map(|needed| (needed, &self.value(needed).kind));
            match needed {
                Some((needed, Kind::Nothing)) => unplayed.push(needed),
                Some((needed, &Kind::Departure(from)))
                    if !self.leaves_before(axis, needed, from) =>
                {
                    late.push((needed, from));
                }
                _ if self.value(source.0).kind != Kind::Departure(source.1) => absent.push(source),
                _ => return false,
            }
        }
        self.part(axis, |space, value| {
            let ways = space.ways_of(value);
            let hopeless = |way: &Way| {
                let blocked = way.needs.is_some_and(|needed| {
                    unplayed.contains(&needed) || late.iter().any(|&(late, _)| late == needed)
                });
                blocked || absent.contains(&(way.origin, way.step.from_square))
            };
            !ways.is_empty() && ways.iter().all(hopeless)
        });
        for other in (0..self.space.axes.len()).filter(|&other| other != axis) {
            let is_unplayed = unplayed.contains(&other);
            let leaving = late.iter().find(|&&(late, _)| late == other).map(|&(_, from)| from);
            let stays = absent.iter().any(|&(origin, _)| origin == other);
            let before = other < axis && !late.is_empty();
            if !(is_unplayed || leaving.is_some() || stays || before) {
                continue;
            }
            self.part(other, |space, value| {
                let kind = &space.values[value].kind;
                (!is_unplayed || *kind == Kind::Nothing)
                    && leaving.is_none_or(|from| *kind == Kind::Departure(from))
                    && match *kind {
                        Kind::Departure(from) => !absent.contains(&(other, from)),
                        _ => true,
                    }
                    && !(before
                        && late.iter().any(|&(origin, from)| space.accepts(value, origin, from)))
            });
        }
        true
    }

    /// No pairing of the departures and arrivals here has an order. Fewer ways to arrive and
    /// fewer boards played on make none possible, so the slice holds, on the axis of an arrival,
    /// every arrival with no other ways than here; where a physical move is made, that or
    /// nothing; and no departure or arrival besides.
    fn disorder_slice(&mut self, pairing: &Pairing) {
        for axis in 0..self.space.axes.len() {
            match self.value(axis).kind.clone() {
                Kind::Departure(_) => self.singleton_part(axis),
                Kind::Arrival(here) => self.part(axis, |space, value| {
                    let ways = space.ways_of(value);
                    let known = |way: &Way| {
                        space.ways[here.clone()].iter().any(|other| {
                            other.is_from(way.origin, way.step.from_square)
                                && other.needs == way.needs
                        })
                    };
                    !ways.is_empty() && ways.iter().all(known)
                }),
                kind => {
                    let needed = kind == Kind::Nothing
                        && pairing.arrivals.iter().any(|&arrival| {
                            let ways = self.space.ways_of(self.point[arrival]);
                            ways.iter().any(|way| way.needs == Some(axis))
                        });
                    self.part(axis, |space, value| match space.values[value].kind {
                        Kind::Nothing => true,
                        Kind::Physical(_) => !needed,
                        Kind::Departure(_) | Kind::Arrival(_) => false,
                    });
                }
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
}
