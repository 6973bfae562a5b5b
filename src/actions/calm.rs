//! Boxes of legal actions: what is proved for one action is proved for all that differ from it
//! in physical moves that matter to no rule.
//!
//! Around a legal point the walk takes as many values on each axis as it can, physical moves and
//! nothing played, such that every point of the product is legal:
//!
//! - jumps, and what receives them, stay as they are, so that every point fits;
//! - nothing is played only where the present does not ask for more, so that it stays passed;
//! - no royal can be taken: each axis is given the *blend* of its boards, on which every piece of
//!   any of them stands and every square is vacant that is vacant on any. An attack in one of the
//!   multiverses is an attack among the blends. Each attack found there takes values off an axis
//!   on which the legal point does not fit it; what is left has none.
//!
//! The box is yielded point by point without another test, and then taken out of the cell like a
//! slice.

use std::ops::ControlFlow;

use super::generator::Generator;
use super::space::Kind;
use crate::board::Squares;
use crate::multiverse::{BoardId, Multiverse};

/// The box around a legal point.
#[derive(Clone, Debug, Default)]
pub(super) struct Calm {
    /// The sets of values, laid out as the domains are.
    pub words: Vec<u64>,
    /// The axes with more than one value.
    pub loose: Vec<usize>,
    /// The legal point.
    home: Vec<usize>,
    /// Points not yet yielded.
    pub left: u64,
    /// Each axis's blend.
    blends: Vec<Option<(BoardId, i32)>>,
}

impl Generator {
    /// Spreads a box around the point, which is legal.
    pub(super) fn spread_calm(&mut self, multiverse: &mut Multiverse) {
        let mut calm = std::mem::take(&mut self.calm);
        self.fill_calm(multiverse, &mut calm);
        if !calm.loose.is_empty() {
            self.keep_royals_safe(multiverse, &mut calm);
        }
        calm.home.clear();
        calm.home.extend_from_slice(&self.point);
        calm.left = 1;
        calm.loose.retain(|&axis| {
            let words = &calm.words[self.domains.range(axis)];
            let count: u32 = words.iter().map(|word| word.count_ones()).sum();
            calm.left = calm.left.saturating_mul(count.into());
            count > 1
        });
        calm.left -= 1;
        self.calm = calm;
    }

    /// Takes all values that keep every rule but the safety of royals.
    fn fill_calm(&mut self, multiverse: &mut Multiverse, calm: &mut Calm) {
        let space = &self.space;
        calm.words.clear();
        calm.words.resize(self.domains.words().len(), 0);
        calm.loose.clear();
        // Whether such a jump can be made, or stands for an equal one, depends on where something
        // is played.
        let delicate = self.point[..space.playable].iter().any(|&value| {
            space.jump(value).is_some_and(|jump| jump.twin || jump.needs().is_some())
        });
        let (present, active) = multiverse.briefly(|multiverse| {
            self.push_point(multiverse);
            let seen = (multiverse.present(), multiverse.active_lines());
            self.pop_point(multiverse);
            seen
        });
        for axis in 0..self.point.len() {
            let range = self.domains.range(axis);
            let start = space.axes[axis].values.start;
            let here = self.point[axis] - start;
            calm.words[range.start + here / 64] |= 1 << (here % 64);
            let kind = self.kind(axis);
            if !matches!(kind, Kind::Nothing | Kind::Physical(_)) {
                continue;
            }
            let Some(half_turn) = space.axes[axis].half_turn else { continue };
            let nothing = kind == Kind::Nothing;
            let may_pass =
                !delicate && (half_turn > present || !active.contains(&space.axes[axis].line));
            let dead = self.learned.dead(range.clone());
            let live = self.domains.of(axis).iter().zip(dead).map(|(&word, &dead)| word & !dead);
            for (i, word) in live.enumerate() {
                for bit in Squares(word) {
                    let takes = match space.values[start + 64 * i + bit.index()].kind {
                        Kind::Physical(_) => !(nothing && delicate),
                        Kind::Nothing => may_pass,
                        Kind::Jump(_) | Kind::From(_) => false,
                    };
                    if takes {
                        calm.words[range.start + i] |= bit.bit();
                    }
                }
            }
            calm.loose.push(axis);
        }
    }

    /// Takes values away until no royal can be taken among the blends.
    fn keep_royals_safe(&mut self, multiverse: &mut Multiverse, calm: &mut Calm) {
        let side = multiverse.side();
        let mark = multiverse.pool_mark();
        calm.blends.clear();
        multiverse.briefly(|multiverse| {
            for axis in 0..self.point.len() {
                let blend = if calm.loose.contains(&axis) {
                    self.blend(multiverse, calm, axis)
                } else {
                    self.space.placed(&self.point, axis)
                };
                if let Some(placed) = blend {
                    self.put(multiverse, axis, placed);
                }
                calm.blends.push(blend);
            }
            let mut attacks = std::mem::take(&mut self.attacks);
            attacks.clear();
            let _ = multiverse.each_jump_attack(!side, |attack| {
                attacks.push(attack);
                ControlFlow::<()>::Continue(())
            });
            for &attack in &attacks {
                self.refuse(multiverse, calm, attack);
            }
            self.attacks = attacks;
            for axis in (0..self.point.len()).rev() {
                if calm.blends[axis].is_some() {
                    self.take_off(multiverse, axis);
                }
            }
        });
        multiverse.shrink_pool(mark);
    }

    /// The blend of the boards of an axis.
    fn blend(
        &self,
        multiverse: &mut Multiverse,
        calm: &Calm,
        axis: usize,
    ) -> Option<(BoardId, i32)> {
        let start = self.space.axes[axis].values.start;
        let words = &calm.words[self.domains.range(axis)];
        let values = words.iter().enumerate().flat_map(|(i, &word)| {
            Squares(word).map(move |bit| &self.space.values[start + 64 * i + bit.index()])
        });
        let mut boards = values.filter(|value| value.kind != Kind::Nothing);
        let first = boards.next()?;
        let mut blend = *multiverse.pooled(first.board);
        for value in boards {
            blend.blend(multiverse.pooled(value.board));
        }
        Some((multiverse.add_to_pool(blend), first.half_turn))
    }

    /// Takes values off one axis such that the attack, found among the blends, cannot be.
    fn refuse(&self, multiverse: &Multiverse, calm: &mut Calm, attack: crate::multiverse::Attack) {
        let attacker = !multiverse.side();
        // The axis on which the fewest values fit the attack, of those whose own value does not.
        let mut best: Option<(usize, usize)> = None;
        let mut possible = true;
        self.each_role(multiverse, attack, |axis, half_turn, role| {
            let fits = |board: BoardId| role.fits(multiverse.pooled(board), attacker);
            let here = self.space.placed(&self.point, axis);
            let here_fits = here.is_some_and(|(board, at)| at == half_turn && fits(board));
            if !calm.loose.contains(&axis) {
                possible &= here_fits;
                return;
            }
            let start = self.space.axes[axis].values.start;
            let words = &calm.words[self.domains.range(axis)];
            let count = words
                .iter()
                .enumerate()
                .map(|(i, &word)| {
                    let value = |bit: &crate::board::Square| {
                        &self.space.values[start + 64 * i + bit.index()]
                    };
                    Squares(word).filter(|bit| fits(value(bit).board)).count()
                })
                .sum::<usize>();
            possible &= count > 0;
            if !here_fits && best.is_none_or(|(least, _)| count < least) {
                best = Some((count, axis));
            }
        });
        let Some((_, axis)) = best.filter(|_| possible) else { return };
        let range = self.domains.range(axis);
        let start = self.space.axes[axis].values.start;
        self.each_role(multiverse, attack, |other, _, role| {
            if other != axis {
                return;
            }
            for (i, word) in calm.words[range.clone()].iter_mut().enumerate() {
                for bit in Squares(*word) {
                    let board = self.space.values[start + 64 * i + bit.index()].board;
                    if role.fits(multiverse.pooled(board), attacker) {
                        *word &= !bit.bit();
                    }
                }
            }
        });
    }

    /// Adds the parts of the box.
    pub(super) fn add_calm_parts(&mut self) {
        self.slice_begin = self.parts.len();
        let calm = std::mem::take(&mut self.calm);
        for axis in 0..self.point.len() {
            self.set_part(axis, &calm.words[self.domains.range(axis)]);
        }
        self.calm = calm;
    }

    /// Goes on to the next point of the box, of which some are left.
    pub(super) fn next_in_calm(&mut self) {
        self.calm.left -= 1;
        for &axis in &self.calm.loose {
            let words = &self.calm.words[self.domains.range(axis)];
            let start = self.space.axes[axis].values.start;
            let here = self.point[axis] - start;
            let above = words[here / 64] & (u64::MAX << (here % 64) << 1);
            let mut next = (above != 0).then_some((here / 64, above));
            if next.is_none() {
                let words = words.iter().copied().enumerate();
                let mut rest = words.clone().skip(here / 64 + 1).chain(words);
                next = rest.find(|&(_, word)| word != 0);
            }
            let Some((word, bits)) = next else { return };
            self.point[axis] = start + 64 * word + bits.trailing_zeros() as usize;
            if self.point[axis] != self.calm.home[axis] {
                return;
            }
        }
    }
}
