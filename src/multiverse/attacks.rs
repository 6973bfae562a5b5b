//! How pieces reach other boards: the one place that walks rays through time and timelines.
//!
//! A whole class of sliders travels at once: in direction (dx, dy, dt, dl) the set is shifted by
//! (dx, dy) for each board stepped to at (dt, dl) and masked by that board's vacant squares. A
//! hit's origin is found by going back the same way. Used by the move generator, by check and by
//! the action generator alike.

use std::ops::ControlFlow;

use super::near::{REST_OF_LEAP, rest_of_leap};
use super::{Multiverse, Place};
use crate::board::{Board, Colour, Square, Squares, shift};

/// The nine directions on a board as (dx, dy): none, the rook's four, the bishop's four.
pub(super) const ON_BOARD: [(i32, i32); 9] =
    [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)];

/// The squares exactly n steps away, 1 to 7, along ranks and files, and along diagonals.
static STEPS_AWAY: [[[u64; 64]; 8]; 2] = {
    let mut table = [[[0; 64]; 8]; 2];
    let mut direction = 1;
    while direction < 9 {
        let (dx, dy) = ON_BOARD[direction];
        let mut square = 0;
        while square < 64 {
            let mut set = shift(1 << square, dx, dy);
            let mut distance = 1;
            while distance < 8 {
                table[(direction - 1) / 4][distance][square] |= set;
                set = shift(set, dx, dy);
                distance += 1;
            }
            square += 1;
        }
        direction += 1;
    }
    table
};

/// The squares exactly `distance` steps from a square: along ranks and files with `kind` 0, along
/// diagonals with 1. None beyond seven steps.
#[inline(always)]
pub(super) fn steps_away(kind: usize, distance: i32, square: Square) -> u64 {
    if distance > 7 { 0 } else { STEPS_AWAY[kind & 1][(distance & 7) as usize][square.index()] }
}

/// A set and all squares next to it.
#[inline(always)]
pub(super) fn neighbourhood(set: u64) -> u64 {
    let row = set | shift(set, 1, 0) | shift(set, -1, 0);
    row | shift(row, 0, 1) | shift(row, 0, -1)
}

/// A piece's way from one board to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jump {
    /// The square it leaves.
    pub from: Square,
    /// The board it lands on.
    pub to: Place,
    /// The square it lands on.
    pub to_square: Square,
    /// How often the step was taken; the boards between must exist and be vacant there.
    pub distance: i32,
}

/// A pseudo-legal capture of a royal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attack {
    /// The attacker's board.
    pub from: Place,
    /// The attacker's square.
    pub from_square: Square,
    /// The royal's board.
    pub to: Place,
    /// The royal's square.
    pub to_square: Square,
    /// How many equal steps lead there; 1 for leaps, and for captures along the board, whose
    /// way is a matter of that board alone.
    pub distance: i32,
}

impl Attack {
    /// The places and squares strictly between the attacker and a royal on another board.
    pub fn between(self) -> impl Iterator<Item = (Place, Square)> {
        let n = self.distance.max(1);
        let step = move |from: i32, to: i32, i: i32| from + (to - from) / n * i;
        (1..n).map(move |i| {
            let place = Place {
                line: step(self.from.line, self.to.line, i),
                half_turn: step(self.from.half_turn, self.to.half_turn, i),
            };
            let file = step(self.from_square.file().into(), self.to_square.file().into(), i);
            let rank = step(self.from_square.rank().into(), self.to_square.rank().into(), i);
            (place, Square::new(file as u8, rank as u8))
        })
    }
}

impl Attack {
    /// The pieces of `by` on a board that could go the attack's way to another board, as far as
    /// their kind goes.
    pub fn takers(self, board: &Board, by: Colour) -> u64 {
        let n = self.distance.max(1);
        let dl = (self.to.line - self.from.line) / n;
        let dt = (self.to.half_turn - self.from.half_turn) / 2 / n;
        let dx = (i32::from(self.to_square.file()) - i32::from(self.from_square.file())) / n;
        let dy = (i32::from(self.to_square.rank()) - i32::from(self.from_square.rank())) / n;
        let own = board.of(by);
        if [dl, dt, dx, dy].iter().any(|step| step.abs() == 2) {
            return board.knights() & own;
        }
        let axes = [dl, dt, dx, dy].iter().filter(|&&step| step != 0).count();
        let mut set = board.sliders(axes) & own;
        if n == 1 {
            set |= board.king_like() & own;
            for (pawns, px, py) in pawn_captures(board, own, by, dt, dl) {
                if (px, py) == (dx, dy) {
                    set |= pawns;
                }
            }
        }
        set
    }
}

/// The sliders that can go in the direction (dt, dl) between boards while they move none, one or
/// both of the ways along a board.
#[inline(always)]
fn sliders_between(board: &Board, own: u64, dt: i32, dl: i32) -> [u64; 3] {
    let axes = ((dt & 1) + (dl & 1)) as usize;
    [0, 1, 2].map(|more| board.sliders(axes + more) & own)
}

/// The squares that pawns and brawns capture on, one step in (dt, dl) away (R5, R6).
#[inline(always)]
fn pawn_captures(
    board: &Board,
    own: u64,
    colour: Colour,
    dt: i32,
    dl: i32,
) -> [(u64, i32, i32); 3] {
    let forward = colour.forward();
    let pawns = board.pawn_like() & own;
    let brawns = board.brawns() & own;
    if dl == -forward {
        if dt != 0 {
            return [(pawns, 0, 0), (0, 0, 0), (0, 0, 0)];
        }
        return [(brawns, 0, forward), (brawns, 1, 0), (brawns, -1, 0)];
    }
    if dl == 0 {
        return [(brawns, 0, forward), (0, 0, 0), (0, 0, 0)];
    }
    [(0, 0, 0); 3]
}

impl Multiverse {
    /// Visits every jump of `colour`'s pieces on the board at `place` to squares
    /// that `wanted` gives for the target board, until the visitor breaks. Pawns and brawns only
    /// capture here; their straight steps are the move generator's business.
    #[inline(always)]
    pub(super) fn jumps<B>(
        &self,
        place: Place,
        colour: Colour,
        wanted: impl Fn(Place, &Board) -> u64,
        mut visit: impl FnMut(Jump) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let board = self.board(place);
        let own = board.of(colour);
        let kings = board.king_like() & own;
        let pawns = board.pawn_like() & own;
        let near = self.near(place.line);
        for (dt, dl) in near.between.each() {
            let mut at = place.offset(dl, dt);
            let mut target = self.board(at);
            if !target.is_present() {
                continue;
            }
            let sliders = sliders_between(board, own, dt, dl);
            let mut travellers = [(0u64, 0i32, 0i32); 9];
            let mut count = 0;
            for (i, &(dx, dy)) in ON_BOARD.iter().enumerate() {
                let set = sliders[i.div_ceil(4)];
                if set != 0 {
                    travellers[count] = (set, dx, dy);
                    count += 1;
                }
            }
            let mut want = wanted(at, target);
            if want != 0 {
                if kings != 0 {
                    for (dx, dy) in ON_BOARD {
                        for to_square in Squares(shift(kings, dx, dy) & want) {
                            let Some(from) = to_square.offset(-dx, -dy) else { continue };
                            visit(Jump { from, to: at, to_square, distance: 1 })?;
                        }
                    }
                }
                if pawns != 0 {
                    for (set, dx, dy) in pawn_captures(board, own, colour, dt, dl) {
                        let hits = shift(set, dx, dy) & want & target.of(!colour);
                        for to_square in Squares(hits) {
                            let Some(from) = to_square.offset(-dx, -dy) else { continue };
                            visit(Jump { from, to: at, to_square, distance: 1 })?;
                        }
                    }
                }
            }
            let mut distance = 1;
            while count > 0 {
                let vacant = target.vacant();
                let mut kept = 0;
                for i in 0..count {
                    let (set, dx, dy) = travellers[i];
                    let moved = shift(set, dx, dy);
                    for to_square in Squares(moved & want) {
                        let from = to_square.offset(-dx * distance, -dy * distance);
                        let Some(from) = from else { continue };
                        visit(Jump { from, to: at, to_square, distance })?;
                    }
                    let going = moved & vacant;
                    if going != 0 {
                        travellers[kept] = (going, dx, dy);
                        kept += 1;
                    }
                }
                count = kept;
                at = at.offset(dl, dt);
                target = self.board(at);
                if !target.is_present() {
                    break;
                }
                distance += 1;
                want = wanted(at, target);
            }
        }
        let knights = board.knights() & own;
        if knights != 0 {
            for (dt, dl, rest) in near.leaps.each() {
                let at = place.offset(dl, dt);
                let target = self.board(at);
                if !target.is_present() {
                    continue;
                }
                let want = wanted(at, target);
                if want == 0 {
                    continue;
                }
                for &(dx, dy) in REST_OF_LEAP[rest] {
                    for to_square in Squares(shift(knights, dx, dy) & want) {
                        let Some(from) = to_square.offset(-dx, -dy) else { continue };
                        visit(Jump { from, to: at, to_square, distance: 1 })?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits those of them that lead to one board of another timeline, to wanted squares: what
    /// [`Multiverse::jumps`] finds on many boards, found by what lies between the two.
    #[inline(always)]
    pub(super) fn jumps_onto<B>(
        &self,
        place: Place,
        to: Place,
        colour: Colour,
        want: u64,
        mut visit: impl FnMut(Jump) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let board = self.board(place);
        let own = board.of(colour);
        let (dt, dl) = ((to.half_turn - place.half_turn) / 2, to.line - place.line);
        let (short, long) = (dt.abs().min(dl.abs()), dt.abs().max(dl.abs()));
        let mut hits = |set: u64, (dx, dy): (i32, i32), distance: i32| {
            for to_square in Squares(set & want) {
                let from = to_square.offset(-dx * distance, -dy * distance);
                let Some(from) = from else { continue };
                visit(Jump { from, to, to_square, distance })?;
            }
            ControlFlow::Continue(())
        };
        if short == 0 || short == long {
            let (distance, dt, dl) = (long, dt.signum(), dl.signum());
            let sliders = sliders_between(board, own, dt, dl);
            for (i, &(dx, dy)) in ON_BOARD.iter().enumerate() {
                let mut set = sliders[i.div_ceil(4)];
                for step in 1..distance {
                    let between = self.board(place.offset(dl * step, dt * step));
                    set = shift(set, dx, dy) & between.vacant();
                    if set == 0 {
                        break;
                    }
                }
                hits(shift(set, dx, dy), (dx, dy), distance)?;
            }
            if distance == 1 {
                let kings = board.king_like() & own;
                if kings != 0 {
                    for (dx, dy) in ON_BOARD {
                        hits(shift(kings, dx, dy), (dx, dy), 1)?;
                    }
                }
                let prey = self.board(to).of(!colour);
                for (set, dx, dy) in pawn_captures(board, own, colour, dt, dl) {
                    hits(shift(set, dx, dy) & prey, (dx, dy), 1)?;
                }
            }
        }
        let knights = board.knights() & own;
        if knights != 0
            && let Some(rest) = rest_of_leap(short, long)
        {
            for &(dx, dy) in rest {
                hits(shift(knights, dx, dy), (dx, dy), 1)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits the captures of royals that `by` could make from the board at `place`.
    #[inline(always)]
    fn attacks_from<B>(
        &self,
        place: Place,
        by: Colour,
        mut visit: impl FnMut(Attack) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let board = self.board(place);
        for to_square in Squares(board.royals(!by)) {
            for from_square in Squares(board.attackers(by, to_square)) {
                visit(Attack { from: place, from_square, to: place, to_square, distance: 1 })?;
            }
        }
        self.jump_attacks_from(place, by, visit)
    }

    /// Those of them that are jumps.
    #[inline(always)]
    fn jump_attacks_from<B>(
        &self,
        place: Place,
        by: Colour,
        mut visit: impl FnMut(Attack) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let wanted = |_: Place, target: &Board| target.royals(!by);
        self.jumps(place, by, wanted, |jump| {
            let Jump { from, to, to_square, distance } = jump;
            visit(Attack { from: place, from_square: from, to, to_square, distance })
        })
    }

    /// Whether `by` could take a royal from any board playable for it (R22).
    #[inline]
    pub fn can_take_royal(&self, by: Colour) -> bool {
        self.attacks_royal_along_boards(by) || self.jumps_onto_any_royal(by)
    }

    /// Whether `by` could take a royal by a move along a board.
    #[inline]
    pub fn attacks_royal_along_boards(&self, by: Colour) -> bool {
        self.lines()
            .filter_map(|line| self.playable(line, by))
            .any(|place| self.board(place).has_royal_attack(by))
    }

    /// Whether `by` could take a royal by a jump.
    #[inline]
    pub fn jumps_onto_any_royal(&self, by: Colour) -> bool {
        let found = self
            .lines()
            .filter_map(|line| self.playable(line, by))
            .any(|place| self.jumps_onto_royal(place, by));
        debug_assert_eq!(
            found,
            self.royal_attacks(by).iter().any(|attack| attack.from != attack.to),
            "the quick test and the walk along rays differ"
        );
        found
    }

    /// Whether a piece of `by` on the board at `place` could take a royal on another board. The
    /// same question as [`Multiverse::royal_attacks`] answers for jumps, turned round for speed:
    /// on each board that lies in a direction between boards, are there royals, and would a slider
    /// have to start where one stands?
    #[inline]
    pub fn jumps_onto_royal(&self, place: Place, by: Colour) -> bool {
        self.board_jumps_onto_royal(self.board(place), place, by)
    }

    /// Whether the side to move attacks a royal that stays attacked if it leaves a board as it is:
    /// from where that board stands a full turn later, as in the definition of check (R24).
    pub fn has_standing_check(&self) -> bool {
        let side = self.side();
        self.lines().filter_map(|line| self.playable(line, side)).any(|place| {
            let later = place.offset(0, 1);
            self.board_jumps_onto_royal(self.board(place), later, side)
        })
    }

    /// The pieces of `by` on a board that could take a royal on an earlier board of the timeline,
    /// if the board stood at the place, behind which there is nothing. What happens on the board
    /// itself changes nothing about that but who is there.
    #[inline(always)]
    pub fn takers_behind(&self, board: &Board, place: Place, by: Colour) -> u64 {
        self.seen_behind(place).of(by).takers(board, by)
    }

    /// [`Multiverse::jumps_onto_royal`] for a board that need not stand at the place, which must
    /// not lie before the latest board of its timeline.
    #[inline]
    pub fn board_jumps_onto_royal(&self, board: &Board, place: Place, by: Colour) -> bool {
        if self.takers_behind(board, place, by) != 0 {
            return true;
        }
        let own = board.of(by);
        let kings = board.king_like() & own;
        let pawns = board.pawn_like() & own;
        let near = self.near(place.line);
        for (dt, dl) in near.beside.each() {
            let mut at = place.offset(dl, dt);
            let mut target = self.board(at);
            if !target.is_present() {
                continue;
            }
            let [straight, orthogonal, diagonal] = sliders_between(board, own, dt, dl);
            let royals = target.royals(!by);
            if royals != 0 {
                if kings != 0 && neighbourhood(royals) & kings != 0 {
                    return true;
                }
                if pawns != 0 {
                    for (set, dx, dy) in pawn_captures(board, own, by, dt, dl) {
                        if shift(set, dx, dy) & royals != 0 {
                            return true;
                        }
                    }
                }
            }
            if straight | orthogonal | diagonal == 0 {
                continue;
            }
            let mut going = straight;
            let mut distance = 1;
            loop {
                for royal in Squares(target.royals(!by)) {
                    let from = straight & royal.bit()
                        | orthogonal & steps_away(0, distance, royal)
                        | diagonal & steps_away(1, distance, royal);
                    for from in Squares(from) {
                        let to_square = royal;
                        let attack =
                            Attack { from: place, from_square: from, to: at, to_square, distance };
                        let open = attack
                            .between()
                            .all(|(place, square)| self.board(place).vacant() & square.bit() != 0);
                        if open {
                            return true;
                        }
                    }
                }
                going &= target.vacant();
                distance += 1;
                // Beyond the length of a board only what stays on its square goes on.
                if distance > 7 && going == 0 {
                    break;
                }
                at = at.offset(dl, dt);
                target = self.board(at);
                if !target.is_present() {
                    break;
                }
            }
        }
        let knights = board.knights() & own;
        if knights != 0 {
            for (dt, dl, rest) in near.leaps_beside.each() {
                let royals = self.board(place.offset(dl, dt)).royals(!by);
                for royal in Squares(royals) {
                    let from =
                        if rest == 0 { royal.bit() } else { steps_away(0, rest as i32, royal) };
                    if from & knights != 0 {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Visits every capture of a royal that `by` could make by a jump, by the attacker's timeline,
    /// until the visitor breaks.
    pub fn each_jump_attack<B>(
        &self,
        by: Colour,
        mut visit: impl FnMut(Attack) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for place in self.lines().filter_map(|line| self.playable(line, by)) {
            if !self.jumps_onto_royal(place, by) {
                continue;
            }
            self.jump_attacks_from(place, by, &mut visit)?;
        }
        ControlFlow::Continue(())
    }

    /// Every capture of a royal that `by` could make, by the attacker's timeline.
    pub fn royal_attacks(&self, by: Colour) -> Vec<Attack> {
        let mut attacks = Vec::new();
        for place in self.lines().filter_map(|line| self.playable(line, by)) {
            let _ = self.attacks_from(place, by, |attack| {
                attacks.push(attack);
                ControlFlow::<()>::Continue(())
            });
        }
        attacks
    }
}
