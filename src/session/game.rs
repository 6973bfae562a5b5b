//! A game: its start, the actions played, and the moves of an unfinished action.

use crate::actions::{self, Action, Limit, Report};
use crate::board::Colour;
use crate::multiverse::{Made, Move, Multiverse};

/// Why an action cannot be submitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubmitError {
    /// The present still shows the mover's colour (R21).
    PresentNotPassed,
}

impl std::fmt::Display for SubmitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the action cannot be submitted: a board still holds the present")
    }
}

/// A game from its start to now.
#[derive(Clone, Debug)]
pub struct Game {
    name: String,
    start: Multiverse,
    multiverse: Multiverse,
    history: Vec<Action>,
    pending: Vec<(Move, Made)>,
}

impl Game {
    /// A game at its start; `name` is the variant's, or `Custom`.
    pub fn new(name: &str, start: Multiverse) -> Game {
        Game {
            name: name.to_owned(),
            multiverse: start.clone(),
            start,
            history: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// The name of the variant, or `Custom`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The position at the start.
    pub fn start(&self) -> &Multiverse {
        &self.start
    }

    /// The position now, the moves of an unfinished action made.
    pub fn multiverse(&self) -> &Multiverse {
        &self.multiverse
    }

    /// The actions played.
    pub fn history(&self) -> &[Action] {
        &self.history
    }

    /// The moves of the unfinished action.
    pub fn pending(&self) -> impl Iterator<Item = &Move> + '_ {
        self.pending.iter().map(|(step, _)| step)
    }

    /// Whether an action has been begun.
    pub fn is_unfinished(&self) -> bool {
        !self.pending.is_empty()
    }

    /// The side to move; stays the mover while an action is unfinished.
    pub fn side(&self) -> Colour {
        self.multiverse.side()
    }

    /// The position before the unfinished action.
    pub fn before_pending(&self) -> Multiverse {
        let mut multiverse = self.multiverse.clone();
        for (step, made) in self.pending.iter().rev() {
            multiverse.unmake_move(step, *made);
        }
        multiverse
    }

    /// Makes one pseudo-legal move of the action.
    pub fn play(&mut self, step: Move) {
        let made = self.multiverse.make_move(&step);
        self.pending.push((step, made));
    }

    /// Submits the action. Whether it leaves a royal to be taken is not looked at: see
    /// [`Game::can_take_royal`].
    ///
    /// # Errors
    /// If the present has not passed to the opponent.
    pub fn submit(&mut self) -> Result<(), SubmitError> {
        if !self.multiverse.present_has_passed() {
            return Err(SubmitError::PresentNotPassed);
        }
        self.history.push(self.pending.drain(..).map(|(step, _)| step).collect());
        self.multiverse.set_side(!self.multiverse.side());
        Ok(())
    }

    /// Whether the side to move could take a royal at once, so that the last action was not
    /// legal, or the start was not a position of a game (R29).
    pub fn can_take_royal(&self) -> bool {
        self.multiverse.can_take_royal(self.side())
    }

    /// Whether the action as it stands may be submitted (R21).
    pub fn may_submit(&self) -> bool {
        self.multiverse.present_has_passed() && !self.multiverse.can_take_royal(!self.side())
    }

    /// Sets the kinds that promotion may lead to, for the whole game.
    ///
    /// # Errors
    /// If a promotion of the game would not have been legal; nothing is changed then.
    pub fn set_promotions(
        &mut self,
        promotions: crate::multiverse::Promotions,
    ) -> Result<(), &'static str> {
        let moves = self.history.iter().flatten().chain(self.pending());
        if moves.filter_map(|step| step.promotion).any(|kind| !promotions.contains(kind)) {
            return Err("a promotion of the game would not be allowed");
        }
        self.start.set_promotions(promotions);
        self.multiverse.set_promotions(promotions);
        Ok(())
    }

    /// Check, status and result. With an unfinished action they are those of the position before
    /// it.
    pub fn report(&self, exiled_kings: bool, limit: &Limit<'_>) -> Report {
        actions::report(&mut self.before_pending(), exiled_kings, limit)
    }

    /// The game with colours swapped, ranks and timelines mirrored and every board half a turn
    /// later. It starts anew from there.
    pub fn flipped(&self) -> Game {
        Game::new("Custom", self.multiverse.flipped())
    }
}
