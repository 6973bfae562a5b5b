//! Slices learned from refutations: products of sets in which no legal action lies, though no
//! single constraint says so.
//!
//! When a cell is found to hold nothing, by reason of the sets of a few axes only, the product of
//! those sets holds nothing either, whatever stands on the other axes. Met again elsewhere, it is
//! taken out at once. A learned set of a single axis makes its values dead everywhere.

use std::ops::Range;

use super::domains::Domains;

/// Axes that a learned slice may have: wider ones are hardly ever met again.
const MOST_AXES: u32 = 8;
/// Candidates that a refutation must have cost to be worth keeping: a single constraint is found
/// anew as fast as it is looked up.
const LEAST_COST: u64 = 8;
/// Slices kept, at most: each is looked at for each candidate.
const MOST_SLICES: usize = 512;

/// Learned slices.
#[derive(Clone, Debug, Default)]
pub(super) struct Learned {
    /// Values in no legal action, laid out as the domains are.
    dead: Vec<u64>,
    /// Each slice's parts.
    slices: Vec<Range<usize>>,
    /// Axis, and where its set begins in `bits`.
    parts: Vec<(usize, usize)>,
    bits: Vec<u64>,
    /// The slice to be given up next for a new one, when there are too many.
    oldest: usize,
}

impl Learned {
    /// Forgets everything, for domains of so many words.
    pub fn reset(&mut self, words: usize) {
        self.dead.clear();
        self.dead.resize(words, 0);
        self.slices.clear();
        self.parts.clear();
        self.bits.clear();
        self.oldest = 0;
    }

    /// The dead values of an axis, given where its words lie.
    #[inline(always)]
    pub fn dead(&self, range: Range<usize>) -> &[u64] {
        &self.dead[range]
    }

    /// Learns that the cell holds nothing by reason of the axes given as bits, which took so many
    /// candidates to find out.
    pub fn learn(&mut self, cell: &Domains, reason: &[u64], cost: u64) {
        let count: u32 = reason.iter().map(|word| word.count_ones()).sum();
        if count == 0 || count > MOST_AXES {
            return;
        }
        let axes = reason.iter().enumerate().flat_map(|(i, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 != 0).map(move |bit| 64 * i + bit)
        });
        if count == 1 {
            for axis in axes {
                let range = cell.range(axis);
                for (dead, word) in self.dead[range].iter_mut().zip(cell.of(axis)) {
                    *dead |= word;
                }
            }
            return;
        }
        if cost < LEAST_COST {
            return;
        }
        let first = self.parts.len();
        for axis in axes {
            self.parts.push((axis, self.bits.len()));
            self.bits.extend_from_slice(cell.of(axis));
        }
        let slice = first..self.parts.len();
        if self.slices.len() < MOST_SLICES {
            self.slices.push(slice);
        } else {
            self.slices[self.oldest] = slice;
            self.oldest = (self.oldest + 1) % MOST_SLICES;
        }
    }

    /// A slice that holds the point, for [`Learned::parts`]. `value` gives the point's value on
    /// an axis, counted from the axis's first.
    pub fn holding(&self, value: impl Fn(usize) -> usize) -> Option<Range<usize>> {
        let holds = |&(axis, bits): &(usize, usize)| {
            let value = value(axis);
            self.bits[bits + value / 64] >> (value % 64) & 1 != 0
        };
        self.slices.iter().find(|slice| self.parts[(*slice).clone()].iter().all(holds)).cloned()
    }

    /// The parts of a slice: for each axis its set, which further words may follow.
    pub fn parts(&self, slice: Range<usize>) -> impl Iterator<Item = (usize, &[u64])> {
        self.parts[slice].iter().map(|&(axis, bits)| (axis, &self.bits[bits..]))
    }
}
