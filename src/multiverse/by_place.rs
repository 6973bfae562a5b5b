//! Notes on places that hold for one position: found once, read often, forgotten all at once
//! without a walk over them.

use std::cell::Cell;

use super::Place;

/// Notes kept at a time. Two places that fall on one slot push each other out, which costs time
/// and nothing else.
const SLOTS: usize = 64;

/// Notes on places. A note holds until everything has been forgotten some four billion times.
#[derive(Clone, Debug)]
pub struct ByPlace<T: Copy> {
    /// By slot: when it was written, the place, and the note.
    slots: Vec<Cell<(u32, Place, T)>>,
    now: Cell<u32>,
}

impl<T: Copy + Default> Default for ByPlace<T> {
    fn default() -> ByPlace<T> {
        let nowhere = Place { line: 0, half_turn: 0 };
        let slots = vec![Cell::new((0, nowhere, T::default())); SLOTS];
        ByPlace { slots, now: Cell::new(1) }
    }
}

impl<T: Copy + Default> ByPlace<T> {
    /// Forgets everything.
    #[inline]
    pub fn forget(&self) {
        self.now.set(self.now.get().wrapping_add(1));
    }

    #[inline(always)]
    fn slot(place: Place) -> usize {
        place.line.wrapping_mul(11).wrapping_add(place.half_turn) as usize % SLOTS
    }

    /// The note on a place, if there still is one.
    #[inline(always)]
    pub fn known(&self, place: Place) -> Option<T> {
        let (written, at, note) = self.slots.get(Self::slot(place))?.get();
        (written == self.now.get() && at == place).then_some(note)
    }

    /// Makes a note on a place.
    #[inline(always)]
    pub fn note(&self, place: Place, note: T) {
        if let Some(slot) = self.slots.get(Self::slot(place)) {
            slot.set((self.now.get(), place, note));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_hold_until_everything_is_forgotten() {
        let notes = ByPlace::default();
        let place = |line, half_turn| Place { line, half_turn };
        notes.note(place(0, 4), 1);
        notes.note(place(-3, -7), 2);
        assert_eq!((notes.known(place(0, 4)), notes.known(place(-3, -7))), (Some(1), Some(2)));
        assert_eq!(notes.known(place(0, 5)), None);
        // The same slot.
        notes.note(place(0, 4 + SLOTS as i32), 3);
        assert_eq!(notes.known(place(0, 4)), None);
        notes.forget();
        assert_eq!(notes.known(place(-3, -7)), None);
    }
}
