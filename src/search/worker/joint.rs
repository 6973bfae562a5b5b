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
