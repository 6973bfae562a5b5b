//! Whole actions: which sets of moves of a position may be submitted (R17 to R23).
//!
//! The candidates form a product space ([`space`]); what makes a candidate illegal is a *slice*
//! of that space ([`slices`]). Two front ends take slices out of it: [`generator`] walks depth first
//! to any legal action, [`stream`] goes best first by a [`ranking`]. What is proved for one legal
//! action is proved for a box of them ([`calm`]); where one board is playable all of this is a plain
//! list ([`list`]). Terminal status is the question whether the walk finds anything ([`status`]).
//! This layer knows nothing of scores but the numbers that a [`Chooser`] hands it.

mod calm;
mod chooser;
mod domains;
mod equal;
mod generator;
mod learned;
mod list;
mod perft;
mod pick;
mod ranking;
mod slices;
mod space;
mod status;
mod stream;

pub use chooser::{Chooser, Everything, Wanted};
pub use generator::{Generator, Limit, Step};
pub use perft::count_leaves;
pub use status::{GameResult, Report, Status, is_exiled, report, result_of, result_without_action};
pub use stream::Stream;

use crate::multiverse::{Made, Move, Multiverse};

/// A whole action: its moves in an order in which they can be played.
pub type Action = Vec<Move>;

/// Makes every move of an action and submits.
pub fn make_action(multiverse: &mut Multiverse, action: &[Move]) -> Vec<Made> {
    let made = action.iter().map(|step| multiverse.make_move(step)).collect();
    multiverse.set_side(!multiverse.side());
    made
}

/// Whether moves, in that order, are a legal action of the side to move (R21): for an action of
/// another position that may do here as well.
pub fn is_legal_action(multiverse: &mut Multiverse, action: &[Move]) -> bool {
    let Some((step, rest)) = action.split_first() else {
        let opponent = !multiverse.side();
        return multiverse.present_has_passed() && !multiverse.can_take_royal(opponent);
    };
    if !multiverse.is_pseudo_legal(step) {
        return false;
    }
    let made = multiverse.make_move(step);
    let is_legal = is_legal_action(multiverse, rest);
    multiverse.unmake_move(step, made);
    is_legal
}

/// Takes back an action made by [`make_action`].
pub fn unmake_action(multiverse: &mut Multiverse, action: &[Move], made: &[Made]) {
    multiverse.set_side(!multiverse.side());
    for (step, &made) in action.iter().zip(made).rev() {
        multiverse.unmake_move(step, made);
    }
}
