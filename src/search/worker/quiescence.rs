//! The search where depth has come to its end: only what forces, so that no value is taken in the
//! middle of an exchange, and no timeline opened but at its first ply by a side that would be mated
//! else. Changes neither the transposition table nor the history.

use super::{End, STREAM_WORK, Worker};
use crate::actions::{Chooser, Step};
use crate::board::shift;
use crate::evaluation::Evaluator;
use crate::multiverse::Multiverse;
use crate::search::line::raise;
use crate::search::ordering::{FORCING_ACTION, Look, Ordering};
use crate::search::parameters::{QUIESCENCE_CHECK_WIDTH, QUIESCENCE_MARGIN, QUIESCENCE_WIDTH};
use crate::search::score::{INFINITE, Score, is_lost, mated_in, unproved};
use crate::search::worker::MOST_PLIES;

/// Plies of quiescence.
pub(super) const PLIES: i32 = 6;

impl Worker<'_> {
    /// Searches captures and promotions until the position is quiet; in check, at the first two
    /// plies, some of the likely answers, and at the first every action where those are lost.
    pub(super) fn quiescence(&mut self, ply: usize, left: i32, alpha: Score, beta: Score) -> Score {
        self.count_node(ply);
        self.lines[ply].clear();
        if self.stopped {
            return 0;
        }
        if ply >= MOST_PLIES {
            return self.evaluator.evaluate(&self.multiverse);
        }
        let standing = left < PLIES || self.multiverse.has_standing_check();
        if left == PLIES
            && standing
            && let Some(mate) = self.mate_by_standing_check()
        {
            self.lines[ply + 1].clear();
            raise(&mut self.lines, ply, mate);
            return -mated_in(ply + 1);
        }
        let check = left > PLIES - 2 && self.multiverse.in_check();
        let mut best = -INFINITE;
        let mut raised = alpha;
        if !check {
            best = self.evaluator.evaluate_in(&self.multiverse, alpha, beta);
            if best >= beta || left <= 0 {
                return best;
            }
            raised = raised.max(best);
        }
        let single = self.multiverse.count_playable(2) == 1;
        if !single {
            let search = |it: &mut Self| -it.quiescence(ply + 1, left - 1, -beta, -raised);
            if let Some(score) = self.try_refutation(ply, beta, search) {
                return score;
            }
        }
        let mut look = Look::Narrow;
        let mut stream = self.take_stream();
        let mut ordering = Ordering {
            checks: left == PLIES,
            quiet_checks: left == PLIES && !check,
            look,
            standing,
            forcing_only: !check,
            branches: 0,
            least: if check { 0 } else { (alpha - best).saturating_sub(QUIESCENCE_MARGIN.get()) },
            single,
            ..Ordering::new(&self.multiverse, [0; 4], &self.history, &self.landings)
        };
        // Most ends are quiet, and that is told sooner than moves are made up.
        if single
            && !check
            && left < PLIES
            && is_quiet(&self.multiverse, &mut self.evaluator, &ordering)
        {
            self.streams.push(stream);
            return best;
        }
        stream.start(&mut self.multiverse, &mut ordering);
        let limit = self.limit(STREAM_WORK);
        let mut count = 0;
        let mut step;
        loop {
            step = stream.next_any(&mut self.multiverse, &limit);
            if step == Step::Stopped {
                // By the end of the search as well as by its own work.
                self.poll();
            }
            let narrow = look == Look::Narrow && left == PLIES;
            if step != Step::Found && check && narrow && is_lost(best) && !self.stopped {
                // Nothing among the likely answers to check: now everything counts.
                look = Look::Everything;
                stream.finish(&mut self.multiverse);
                let mut ordering = Ordering {
                    checks: left == PLIES,
                    standing,
                    ..Ordering::new(&self.multiverse, [0; 4], &self.history, &self.landings)
                };
                stream.start(&mut self.multiverse, &mut ordering);
                continue;
            }
            if step != Step::Found || self.stopped {
                break;
            }
            let widest = QUIESCENCE_WIDTH.get();
            if !check && (stream.score() < FORCING_ACTION.into() || count >= widest) {
                break;
            }
            if check && count >= QUIESCENCE_CHECK_WIDTH.get() && !is_lost(best) {
                break;
            }
            count += 1;
            stream.make(&mut self.multiverse);
            let score = -self.quiescence(ply + 1, left - 1, -beta, -raised);
            stream.unmake(&mut self.multiverse);
            if self.stopped {
                break;
            }
            best = best.max(score);
            if score > raised {
                raised = score;
                raise(&mut self.lines, ply, stream.steps());
                if score >= beta {
                    if !single {
                        let refutation = &mut self.refutations[ply];
                        refutation.clear();
                        refutation.extend(stream.steps());
                    }
                    break;
                }
            }
        }
        stream.finish(&mut self.multiverse);
        self.streams.push(stream);
        if check && count == 0 && look == Look::Everything && !self.stopped {
            best = match self.end_of(step, ply) {
                End::Over(score) => return score,
                End::Known(action) => {
                    let search = |it: &mut Self| it.quiescence(ply + 1, left - 1, -beta, -raised);
                    let score = -self.after(&action, search);
                    if score > raised {
                        raise(&mut self.lines, ply, action);
                    }
                    score
                }
                End::Unknown => self.evaluator.evaluate(&self.multiverse),
            };
        }
        if self.stopped {
            return 0;
        }
        if check && (step == Step::Stopped || look == Look::Narrow) && is_lost(best) {
            // Not every action was looked at, so no mate is proved.
            best = unproved(best.max(mated_in(ply)));
        }
        best
    }
}

/// Whether no move along the only playable board promotes or takes something that the ordering wants
/// taken.
fn is_quiet(multiverse: &Multiverse, evaluator: &mut Evaluator, ordering: &Ordering<'_>) -> bool {
    let side = multiverse.side();
    let Some(place) = multiverse.lines().find_map(|line| multiverse.playable(line, side)) else {
        return true;
    };
    let board = multiverse.board(place);
    let pawns = board.pawn_like() & board.of(side);
    let forward = side.forward();
    let ahead = shift(pawns, 0, forward) | shift(pawns & board.unmoved(), 0, 2 * forward);
    let promoting = ahead & board.last_rank(side) != 0;
    let prey = ordering.prey(board, side);
    let takes = evaluator.attacked(board, side) & prey != 0;
    let quiet = !takes && !promoting && board.en_passant().is_none();
    debug_assert!(
        !quiet
            || multiverse.pseudo_legal_moves().iter().all(|step| {
                let forces = step.promotion.is_some() || step.to_square.bit() & prey != 0;
                !step.is_physical() || !forces
            })
    );
    quiet
}
