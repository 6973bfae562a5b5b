//! What the threads of a search save each other at the nodes they search together: once one of
//! them has finished with a node, the others learn from the table what came out, and leave what
//! they are at below it. Makes no action.

use super::Worker;
use crate::search::score::{Score, from_table};
use crate::search::table::{Bound, Entry};

/// A node in a null window, and how deep it is to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    pub key: u64,
    pub ply: usize,
    pub depth: i32,
    pub alpha: Score,
    pub beta: Score,
}

impl Question {
    /// The score of the node, if what the table knows of it settles on which side of the window
    /// that is.
    pub fn answer(&self, entry: &Entry) -> Option<Score> {
        let score = from_table(entry.score, self.ply);
        let settles = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score >= self.beta,
            Bound::Upper => score <= self.alpha,
        };
        (settles && entry.depth >= self.depth).then_some(score)
    }
}

impl Worker<'_> {
    /// Whether another thread has answered what this one is asking at a node above. If so, it
    /// stops until it is back there.
    pub(super) fn is_answered_above(&mut self) -> bool {
        let answer = |question: &Question| {
            let entry = self.shared.table.probe(question.key)?;
            Some((question.ply, question.answer(&entry)?))
        };
        self.answered = self.asked.iter().find_map(answer);
        self.stopped |= self.answered.is_some();
        self.answered.is_some()
    }

    /// The score of the node at `ply`, if it was for that node's sake that the search has stopped;
    /// it goes on then, unless it is over meanwhile.
    pub(super) fn take_answer(&mut self, ply: usize) -> Option<Score> {
        let (_, score) = self.answered.take_if(|(at, _)| *at == ply)?;
        self.stopped = false;
        self.poll();
        Some(score)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64};

    use super::*;
    use crate::board::{Board, Size};
    use crate::multiverse::Multiverse;
    use crate::search::table::Table;
    use crate::search::worker::Shared;

    const QUESTION: Question = Question { key: 7, ply: 3, depth: 4, alpha: 10, beta: 11 };

    fn entry(score: Score, depth: i32, bound: Bound) -> Entry {
        Entry { score, depth, bound, tags: [0; 4] }
    }

    #[test]
    fn an_answer_settles_the_side_of_the_window_as_deep_as_asked() {
        for (score, depth, bound, settles) in [
            (11, 4, Bound::Lower, true),
            (10, 4, Bound::Lower, false),
            (10, 5, Bound::Upper, true),
            (11, 5, Bound::Upper, false),
            (500, 4, Bound::Exact, true),
            (500, 3, Bound::Exact, false),
        ] {
            let answer = QUESTION.answer(&entry(score, depth, bound));
            assert_eq!(answer, settles.then_some(score), "{score} {depth} {bound:?}");
        }
    }

    #[test]
    fn a_worker_stops_until_it_is_back_where_the_answer_belongs() {
        let (table, stop, nodes) =
            (Table::new(1).unwrap(), AtomicBool::new(false), AtomicU64::new(0));
        let shared = Shared {
            table: &table,
            stop: &stop,
            deadline: None,
            nodes: &nodes,
            most_nodes: None,
            exiled_kings: true,
            busy: None,
        };
        let size = Size { width: 4, height: 4 };
        let mut multiverse = Multiverse::new(size, false);
        multiverse.found_timeline(0, &[(2, Board::empty(size))]);
        let mut worker = Worker::new(&shared, multiverse);
        worker.asked.extend([QUESTION, Question { key: 8, ply: 4, ..QUESTION }]);
        assert!(!worker.is_answered_above() && !worker.stopped);
        table.store(8, &entry(12, 4, Bound::Lower));
        table.store(7, &entry(9, 4, Bound::Upper));
        assert!(worker.is_answered_above() && worker.stopped);
        assert_eq!(worker.take_answer(4), None);
        assert!(worker.stopped);
        assert_eq!(worker.take_answer(3), Some(9));
        assert!(!worker.stopped);
        assert_eq!(worker.take_answer(3), None);
    }
}
