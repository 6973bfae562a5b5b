//! Which positions the threads of a search are at: who comes to one that another thread searches
//! already looks at the others first, and finds it in the table later. Weill's ABDADA as Kerrigan
//! simplified it: notes beside the table, and nothing waits.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Positions noted at a time, at most.
const SLOTS: usize = 1 << 12;

/// Positions under search.
pub struct Busy(Vec<AtomicU64>);

impl Busy {
    /// Nothing is under search.
    pub fn new() -> Busy {
        Busy((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    #[inline(always)]
    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.0[key as usize % SLOTS]
    }

    /// Whether a thread searches the position.
    #[inline(always)]
    pub fn holds(&self, key: u64) -> bool {
        self.slot(key).load(Relaxed) == key
    }

    /// Notes that the position is searched from now on, unless its slot is taken.
    #[inline(always)]
    pub fn enter(&self, key: u64) {
        let _ = self.slot(key).compare_exchange(0, key, Relaxed, Relaxed);
    }

    /// Notes that the position is searched no longer.
    #[inline(always)]
    pub fn leave(&self, key: u64) {
        let _ = self.slot(key).compare_exchange(key, 0, Relaxed, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_held_between_entering_and_leaving() {
        let (busy, key) = (Busy::new(), 77);
        let same_slot = key + SLOTS as u64;
        busy.enter(key);
        assert!(busy.holds(key) && !busy.holds(same_slot));
        busy.enter(same_slot);
        busy.leave(same_slot);
        assert!(busy.holds(key) && !busy.holds(same_slot));
        busy.leave(key);
        assert!(!busy.holds(key));
    }
}
