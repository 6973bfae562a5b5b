//! Lines of play as the search keeps them, by ply: memory that is used again and again.

use crate::actions::Action;
use crate::multiverse::Move;

/// Actions one after the other.
#[derive(Clone, Debug, Default)]
pub struct Variation {
    moves: Vec<Move>,
    /// Where each action ends among the moves.
    ends: Vec<usize>,
}

impl Variation {
    /// Forgets all actions.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.ends.clear();
    }

    /// How many actions it holds.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The moves of the first action; none if there is none.
    pub fn first(&self) -> &[Move] {
        let end = self.ends.first().copied().unwrap_or(0);
        self.moves.get(..end).unwrap_or(&[])
    }

    /// Becomes an action and what follows it.
    pub fn set(&mut self, action: impl IntoIterator<Item = Move>, rest: &Variation) {
        self.clear();
        self.moves.extend(action);
        let first = self.moves.len();
        self.ends.push(first);
        self.moves.extend_from_slice(&rest.moves);
        self.ends.extend(rest.ends.iter().map(|end| first + end));
    }

    /// The actions.
    pub fn actions(&self) -> Vec<Action> {
        let mut begin = 0;
        let action = |&end: &usize| {
            let action = self.moves.get(begin..end).unwrap_or(&[]).to_vec();
            begin = end;
            action
        };
        self.ends.iter().map(action).collect()
    }
}

/// Puts an action in front of the line at the next ply.
pub fn raise(lines: &mut [Variation], ply: usize, action: impl IntoIterator<Item = Move>) {
    let (here, rest) = lines.split_at_mut(ply + 1);
    here[ply].set(action, &rest[0]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::multiverse::Place;

    fn step(to: u8) -> Move {
        let place = Place { line: 0, half_turn: 2 };
        let square = |file| Square::new(file, 0);
        Move {
            from: place,
            from_square: square(0),
            to: place,
            to_square: square(to),
            promotion: None,
        }
    }

    #[test]
    fn actions_of_any_length_are_kept_apart() {
        let mut lines = vec![Variation::default(); 3];
        assert!(lines[0].first().is_empty() && lines[0].actions().is_empty());
        raise(&mut lines, 1, [step(1)]);
        raise(&mut lines, 0, [step(2), step(3)]);
        assert_eq!(lines[0].actions(), [vec![step(2), step(3)], vec![step(1)]]);
        assert_eq!((lines[0].len(), lines[0].first()), (2, &[step(2), step(3)][..]));
        lines[1].clear();
        raise(&mut lines, 0, []);
        assert_eq!(lines[0].actions(), [vec![]]);
    }
}
