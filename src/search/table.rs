//! The transposition table, shared by all threads without locks.
//!
//! An entry is four words, written and read one by one with relaxed atomics. The first word holds
//! the key xored with the others, so an entry torn by two writers reads as a miss; the idea is
//! Hyatt's and Mann's.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::score::Score;
use crate::multiverse::Promotions;

/// What a stored score says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is not below the stored score.
    Lower,
    /// It is not above the stored score.
    Upper,
    /// It is the stored score.
    Exact,
}

/// Moves of an action in brief: enough to give them precedence, never enough to make them.
pub type Tags = [u32; 4];

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The score, mates counted from the position.
    pub score: Score,
    /// The depth it was searched to.
    pub depth: i32,
    /// What the score says.
    pub bound: Bound,
    /// The best action's moves.
    pub tags: Tags,
}

type Slot = [AtomicU64; 4];

/// Slots of a page of memory. A page that is read before it is written to is given twice by the
/// system, and the second time every thread has to stop: so nothing is read where nothing has been
/// written.
const REGION: usize = 4096 / SLOT_BYTES;

/// Notes that nothing has been written to so many slots.
fn written(slots: usize) -> Box<[AtomicU64]> {
    (0..slots.div_ceil(REGION).div_ceil(64)).map(|_| AtomicU64::new(0)).collect()
}

/// The table.
#[derive(Debug)]
pub struct Table {
    slots: Box<[Slot]>,
    /// A bit for each [`REGION`] of slots that has been written to.
    written: Box<[AtomicU64]>,
    age: u8,
    /// The rules that hold in what it knows: what promotion leads to, and whether exile decides.
    rules: Option<(Promotions, bool)>,
}

const SLOT_BYTES: usize = size_of::<Slot>();

impl Default for Table {
    /// The least there is: one slot.
    fn default() -> Table {
        Table { slots: vec![Slot::default()].into(), written: written(1), age: 0, rules: None }
    }
}

impl Table {
    /// A table of about `megabytes` MiB; `None` if there is no memory for it. The system gives
    /// the memory page by page, as it is written to.
    pub fn new(megabytes: usize) -> Option<Table> {
        let count = ((megabytes << 20) / SLOT_BYTES).max(1);
        let slots = bytemuck::try_zeroed_slice_box(count).ok()?;
        Some(Table { slots, written: written(count), age: 0, rules: None })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        match bytemuck::try_zeroed_slice_box(self.slots.len()) {
            Ok(slots) => self.slots = slots,
            Err(()) => self.slots.iter_mut().for_each(|slot| *slot = Slot::default()),
        }
        self.written = written(self.slots.len());
        self.age = 0;
        self.rules = None;
    }

    /// Begins a new search: older entries give way first. Keys do not tell rules apart, so under
    /// other rules than before everything is forgotten.
    pub fn new_search(&mut self, promotions: Promotions, exiled_kings: bool) {
        let rules = (promotions, exiled_kings);
        if self.rules.is_some_and(|before| before != rules) {
            self.clear();
        }
        self.rules = Some(rules);
        self.age = (self.age + 1) & 63;
    }

    /// Which slot a key belongs to.
    #[inline(always)]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.slots.len() as u128) >> 64) as usize
    }

    /// Where it is noted whether anything has been written near a slot.
    #[inline(always)]
    fn note(&self, index: usize) -> (&AtomicU64, u64) {
        let region = index / REGION;
        (&self.written[region / 64], 1 << (region % 64))
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let index = self.index(key);
        let (note, bit) = self.note(index);
        if note.load(Relaxed) & bit == 0 {
            return None;
        }
        let [check, data, low, high] = &self.slots[index];
        let (data, low, high) = (data.load(Relaxed), low.load(Relaxed), high.load(Relaxed));
        if check.load(Relaxed) ^ data ^ low ^ high != key || data == 0 {
            return None;
        }
        let bound = match data >> 40 & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        };
        let tags = [low as u32, (low >> 32) as u32, high as u32, (high >> 32) as u32];
        Some(Entry { score: data as u32 as Score, depth: (data >> 32) as u8 as i32, bound, tags })
    }

    /// Stores what was found, unless the slot holds something of this search that goes deeper.
    #[inline]
    pub fn store(&self, key: u64, entry: &Entry) {
        let index = self.index(key);
        let [check, data, low, high] = &self.slots[index];
        let (note, bit) = self.note(index);
        let fresh_region = note.load(Relaxed) & bit == 0;
        if fresh_region {
            note.fetch_or(bit, Relaxed);
        }
        let old = if fresh_region { 0 } else { data.load(Relaxed) };
        let same =
            old != 0 && check.load(Relaxed) ^ old ^ low.load(Relaxed) ^ high.load(Relaxed) == key;
        let fresh = (old >> 42) as u8 & 63 == self.age;
        let deeper = (old >> 32) as u8 as i32 > entry.depth + if same { 3 } else { 0 };
        if old != 0 && fresh && deeper && entry.bound != Bound::Exact {
            return;
        }
        let bound = match entry.bound {
            Bound::Lower => 1u64,
            Bound::Upper => 2,
            Bound::Exact => 3,
        };
        let new = u64::from(entry.score as u32)
            | (entry.depth.clamp(0, 255) as u64) << 32
            | bound << 40
            | u64::from(self.age) << 42;
        let [a, b, c, d] = entry.tags.map(u64::from);
        let (new_low, new_high) = (a | b << 32, c | d << 32);
        data.store(new, Relaxed);
        low.store(new_low, Relaxed);
        high.store(new_high, Relaxed);
        check.store(key ^ new ^ new_low ^ new_high, Relaxed);
    }

    /// How full the table is with entries of this search, per mille, by a sample.
    pub fn hashfull(&self) -> u32 {
        let sample = self.slots.len().min(1000);
        let used = |&index: &usize| {
            let (note, bit) = self.note(index);
            let data =
                if note.load(Relaxed) & bit == 0 { 0 } else { self.slots[index][1].load(Relaxed) };
            data != 0 && (data >> 42) as u8 & 63 == self.age
        };
        let used = (0..sample).filter(used).count();
        (used * 1000 / sample.max(1)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_found_again() {
        let table = Table::new(1).unwrap();
        for (i, bound) in [Bound::Lower, Bound::Upper, Bound::Exact].into_iter().enumerate() {
            let entry = Entry { score: -123_456_789, depth: 17, bound, tags: [1, 2, 3, u32::MAX] };
            let key = 0x0123_4567_89ab_cdef ^ (i as u64) << 60;
            table.store(key, &entry);
            assert_eq!(table.probe(key), Some(entry));
            assert_eq!(table.probe(key ^ 1), None);
        }
    }

    #[test]
    fn a_table_of_any_size_works() {
        assert_eq!(Table::new(0).unwrap().probe(7), None);
        let mut table = Table::new(1).unwrap();
        table.store(7, &Entry { score: 1, depth: 1, bound: Bound::Exact, tags: [0; 4] });
        table.clear();
        assert_eq!(table.probe(7), None);
    }
}
