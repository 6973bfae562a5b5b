//! The cell under study: for each axis the set of values still allowed, with a trail to undo.

/// Sets of values by axis, as bits relative to the axis's first value.
#[derive(Clone, Debug, Default)]
pub(super) struct Domains {
    words: Vec<u64>,
    /// Where each axis's words begin; one entry more than there are axes.
    starts: Vec<usize>,
    /// Words changed, with what they were.
    trail: Vec<(usize, u64)>,
}

impl Domains {
    /// All values allowed, for axes with these numbers of values.
    pub fn reset(&mut self, sizes: impl Iterator<Item = usize>) {
        self.words.clear();
        self.starts.clear();
        self.trail.clear();
        for size in sizes {
            self.starts.push(self.words.len());
            let full = size / 64;
            self.words.extend(std::iter::repeat_n(u64::MAX, full));
            if size % 64 != 0 {
                self.words.push((1 << (size % 64)) - 1);
            }
        }
        self.starts.push(self.words.len());
    }

    /// How many words the sets of an axis take.
    #[inline(always)]
    pub fn width(&self, axis: usize) -> usize {
        self.starts[axis + 1] - self.starts[axis]
    }

    /// Where the words of an axis lie.
    #[inline(always)]
    pub fn range(&self, axis: usize) -> std::ops::Range<usize> {
        self.starts[axis]..self.starts[axis + 1]
    }

    /// The allowed values of an axis.
    #[inline(always)]
    pub fn of(&self, axis: usize) -> &[u64] {
        &self.words[self.starts[axis]..self.starts[axis + 1]]
    }

    /// Whether a value is allowed on an axis.
    #[inline(always)]
    pub fn has(&self, axis: usize, value: usize) -> bool {
        self.words[self.starts[axis] + value / 64] >> (value % 64) & 1 != 0
    }

    /// Keeps only the values of an axis that are in the set.
    #[inline(always)]
    pub fn retain(&mut self, axis: usize, set: &[u64]) {
        self.change(axis, set, |word, bits| word & bits);
    }

    /// Removes the values of the set from an axis. Returns whether any is left.
    #[inline(always)]
    pub fn exclude(&mut self, axis: usize, set: &[u64]) -> bool {
        self.change(axis, set, |word, bits| word & !bits)
    }

    #[inline(always)]
    fn change(&mut self, axis: usize, set: &[u64], f: impl Fn(u64, u64) -> u64) -> bool {
        let start = self.starts[axis];
        let mut any = 0;
        for (i, &bits) in set.iter().enumerate() {
            let old = self.words[start + i];
            let new = f(old, bits);
            if new != old {
                self.trail.push((start + i, old));
                self.words[start + i] = new;
            }
            any |= new;
        }
        any != 0
    }

    /// All sets, for [`Domains::load`].
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Sets all sets to what [`Domains::words`] once gave.
    pub fn load(&mut self, words: &[u64]) {
        self.words.copy_from_slice(words);
        self.trail.clear();
    }

    /// A point on the trail, for [`Domains::undo`].
    #[inline(always)]
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Undoes every change since the mark.
    #[inline(always)]
    pub fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            if let Some((word, old)) = self.trail.pop() {
                self.words[word] = old;
            }
        }
    }
}
