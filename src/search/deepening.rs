//! Iterative deepening at the root: which depth, which window, which action is best so far, and
//! whether to go on. Knows nothing of what lies below the root but its scores.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::resistance;
use super::score::{self, INFINITE, MATE, MATE_BOUND, Score, UNPROVED};
use super::table::Bound;
use super::time::{Limits, Steadiness};
use super::worker::{MOST_PLIES, Shared, Turn, Worker};
use super::{Line, Listener, Outcomes, Settings};
use crate::actions::Action;
use crate::multiverse::Multiverse;

/// Plies searched before a position is given up as lost.
const LEAST_RESISTANCE: i32 = 6;
/// The depth from which on the score of the depth before is taken for a guess.
const ASPIRATION_DEPTH: i32 = 4;
/// Half the width of the first window around the guess, in centipawns.
const ASPIRATION: Score = 40;
/// Root actions searched at depth 1 in a game, twice as many at each depth after: where there are
/// hundreds, a look at the likely ones two plies deep tells more than one at all of them.
const FIRST_WIDTH: usize = 64;
/// Actions beyond those listed that are looked at where all of these are lost.
const UNLISTED: usize = 10_000;
/// Windows are announced only once somebody may be waiting.
const ANNOUNCED_AFTER: Duration = Duration::from_secs(1);

/// A search from the root, deeper and deeper.
pub(super) struct Deepening<'a> {
    worker: Worker<'a>,
    shared: &'a Shared<'a>,
    /// The root's actions, the most promising first.
    actions: Vec<Action>,
    /// Whether these are all there are.
    complete: bool,
    settings: &'a Settings,
    listener: &'a mut dyn Listener,
    steadiness: Steadiness,
    /// The best actions of finished depths.
    former: Vec<Action>,
    /// Actions that the depth under search has found lost.
    lost: Vec<Action>,
}

impl<'a> Deepening<'a> {
    /// A search that has not begun.
    pub fn new(
        shared: &'a Shared<'a>,
        root: Multiverse,
        actions: Vec<Action>,
        complete: bool,
        settings: &'a Settings,
        listener: &'a mut dyn Listener,
    ) -> Deepening<'a> {
        let worker = Worker::new(shared, root);
        let steadiness = Steadiness::default();
        Deepening {
            worker,
            shared,
            actions,
            complete,
            settings,
            listener,
            steadiness,
            former: Vec::new(),
            lost: Vec::new(),
        }
    }

    /// Searches from a depth on until a limit is reached.
    pub fn run(mut self, first_depth: i32) -> Outcomes {
        let mut outcomes = Outcomes { best: self.actions.first().cloned(), ..Outcomes::default() };
        let most_depth = self
            .settings
            .limits
            .depth
            .map_or(MOST_PLIES as i64 - 1, |depth| depth.clamp(1, MOST_PLIES as i64 - 1));
        if self.actions.len() > self.width(1) {
            self.worker.sort_by_value(&mut self.actions);
        }
        for depth in first_depth..=most_depth as i32 {
            let score_before = outcomes.score;
            let lines = self.iterate(depth, &outcomes);
            if let Some(line) = lines.first() {
                outcomes.choose(line);
            }
            let deepest = self.worker.take_deepest();
            // A depth that was cut off before it found anything leaves the lines as they are, but
            // the last report tells all the nodes and the whole time.
            let cut_off = lines.is_empty();
            let (shown, at) =
                if cut_off { (&outcomes.lines, outcomes.depth) } else { (&lines, depth) };
            for (i, line) in shown.iter().take(self.settings.multi_pv.max(1)).enumerate() {
                self.report(at, deepest.max(line.actions.len()), i + 1, line);
            }
            outcomes.nodes = self.shared.nodes.load(Relaxed);
            if self.worker.is_stopped() {
                if outcomes.depth > 0 && !score::is_lost(score_before) {
                    self.avoid_loss(score_before, &mut outcomes);
                }
                break;
            }
            outcomes.depth = depth;
            self.former.extend(outcomes.best.clone());
            self.steadiness.hear(outcomes.best.as_ref(), outcomes.score);
            let front = lines.iter().filter_map(|line| line.actions.first());
            bring_to_front(&mut self.actions, front);
            outcomes.lines = lines;
            if self.plays_on_time() {
                if depth >= LEAST_RESISTANCE && score::is_lost(outcomes.score) {
                    if self.look_further() {
                        continue;
                    }
                    self.resist(depth, &mut outcomes);
                    break;
                }
                if is_proved(outcomes.score, depth) && (self.complete || outcomes.score > 0) {
                    break;
                }
            }
            if self.is_enough() {
                break;
            }
        }
        self.worker.publish_nodes();
        outcomes.nodes = self.shared.nodes.load(Relaxed);
        outcomes
    }

    /// One depth: its lines, best first; fewer than asked for if the search was ended before.
    fn iterate(&mut self, depth: i32, last: &Outcomes) -> Vec<Line> {
        self.lost.clear();
        let wanted = self.settings.lines().clamp(1, self.actions.len().max(1));
        let mut lines: Vec<Line> = Vec::with_capacity(wanted);
        let mut done: Vec<usize> = Vec::with_capacity(wanted);
        while lines.len() < wanted {
            let guess = (wanted == 1 && depth >= ASPIRATION_DEPTH).then_some(last.score);
            let Some((index, mut line)) = self.search_in_windows(depth, guess, &done) else {
                break;
            };
            if self.worker.is_stopped() && self.settings.multi_pv > 1 {
                // Of some of the actions only the best is known: no less than that.
                line.bound = Bound::Lower;
                if last.depth == 0 && lines.is_empty() {
                    lines.push(line);
                }
                break;
            }
            done.push(index);
            lines.push(line);
            if self.worker.is_stopped() {
                break;
            }
        }
        self.worker.publish_nodes();
        lines.sort_by_key(|line| -line.score);
        lines
    }

    /// The best action but those in `done`, searched in a narrow window around a guess, which
    /// grows on the side where the score is found to lie, until the score lies in it.
    fn search_in_windows(
        &mut self,
        depth: i32,
        guess: Option<Score>,
        done: &[usize],
    ) -> Option<(usize, Line)> {
        let mut width = ASPIRATION;
        let (mut alpha, mut beta) = match guess {
            Some(guess) if guess.abs() < UNPROVED => (guess - width, guess + width),
            _ => (-INFINITE, INFINITE),
        };
        let mut last_raised = None;
        loop {
            let Some((index, line)) = self.search_root(depth, alpha, beta, done) else {
                return last_raised;
            };
            if self.worker.is_stopped() {
                // An action that is only known not to reach the window says nothing.
                let lowered = line.bound == Bound::Upper;
                return if lowered { last_raised } else { Some((index, line)) };
            }
            width = width.saturating_mul(3);
            match line.bound {
                Bound::Exact => return Some((index, line)),
                Bound::Upper => {
                    alpha = if width > UNPROVED / 8 { -INFINITE } else { line.score - width };
                }
                Bound::Lower => {
                    beta = if width > UNPROVED / 8 { INFINITE } else { line.score + width };
                    self.actions[..=index].rotate_right(1);
                }
            }
            if self.settings.clock.start.elapsed() >= ANNOUNCED_AFTER {
                self.worker.publish_nodes();
                self.report(depth, line.actions.len(), 1, &line);
            }
            if line.bound == Bound::Lower {
                last_raised = Some((0, line));
            }
        }
    }

    /// One pass over the root actions but those in `done`; the best of them and its line. `None`
    /// if the search was ended before the first was searched.
    fn search_root(
        &mut self,
        depth: i32,
        alpha: Score,
        beta: Score,
        done: &[usize],
    ) -> Option<(usize, Line)> {
        let mut raised = alpha;
        let mut best: Option<(usize, Line)> = None;
        let mut number = 0;
        let mut width = self.width(depth);
        let mut order: Vec<usize> =
            (0..self.actions.len()).filter(|index| !done.contains(index)).collect();
        // What another thread is at comes once more behind these.
        let all = order.len();
        let mut at = 0;
        while let Some(&index) = order.get(at) {
            let put_off = at >= all;
            at += 1;
            if index >= width && !put_off {
                // If the likely actions are all lost, every action counts that is listed.
                if best.as_ref().is_none_or(|(_, line)| score::is_lost(line.score)) {
                    width = self.actions.len();
                } else {
                    at = all;
                    continue;
                }
            }
            let action = &self.actions[index];
            number += 1;
            if self.settings.clock.start.elapsed() >= ANNOUNCED_AFTER {
                self.listener.current(depth, action, number);
            }
            let turn = match number {
                1 => Turn::First,
                _ if put_off => Turn::PutOff,
                _ => Turn::Later,
            };
            let Some(score) = self.worker.search_action(action, depth, raised, beta, turn) else {
                number -= 1;
                order.push(index);
                continue;
            };
            if self.worker.is_stopped() {
                break;
            }
            if score::is_lost(score) {
                self.lost.push(action.clone());
            }
            if score > raised || best.is_none() {
                let bound = match score {
                    _ if score <= alpha => Bound::Upper,
                    _ if score >= beta => Bound::Lower,
                    _ => Bound::Exact,
                };
                raised = raised.max(score);
                let mut actions = vec![action.clone()];
                actions.extend(self.worker.line());
                best = Some((index, Line { score, bound, actions }));
                if score >= beta {
                    break;
                }
            } else if let Some((_, line)) = &mut best
                && line.bound == Bound::Upper
            {
                line.score = line.score.max(score);
            }
        }
        let all_searched = width >= self.actions.len() && !self.worker.is_stopped();
        if !(self.complete && all_searched)
            && let Some((_, line)) = &mut best
            && line.score <= -MATE_BOUND
        {
            // What was not looked at may be a way out.
            line.score = score::unproved(line.score);
        }
        best
    }

    /// How many of the root actions listed are searched at a depth. In analysis all are.
    fn width(&self, depth: i32) -> usize {
        let Settings { limits, analyse, .. } = self.settings;
        let all =
            *analyse || limits.infinite || limits.depth.is_some() || self.settings.lines() > 1;
        let doublings = (depth - 1).clamp(0, 16) as u32;
        if all { usize::MAX } else { FIRST_WIDTH << doublings }
    }

    /// Where all actions that are listed are lost, looks for others. Returns whether there are any
    /// that hold out for longer.
    fn look_further(&mut self) -> bool {
        if self.complete {
            return false;
        }
        let settings = self.settings;
        let found = self.worker.find_unlost(&self.actions, UNLISTED, |multiverse, action| {
            settings.allows(multiverse, action)
        });
        let any = !found.is_empty();
        self.actions.splice(0..0, found);
        any
    }

    /// In a lost position, chooses the action after which the opponent goes wrong most easily.
    fn resist(&mut self, depth: i32, outcomes: &mut Outcomes) {
        let chosen = resistance::most_resistant(&mut self.worker, &self.actions, depth);
        let Some((index, score)) = chosen else { return };
        // It is mated only if the others are, too.
        let proved = outcomes.score <= -MATE_BOUND;
        let score = if proved { score } else { score::unproved(score) };
        let line = Line { score, bound: Bound::Exact, actions: vec![self.actions[index].clone()] };
        self.change_to(line, depth, outcomes);
    }

    /// Where the time was over while the best action was found lost: chooses one that was not, the
    /// best of a depth before if there is one, worth no more than the best was then.
    fn avoid_loss(&mut self, score_before: Score, outcomes: &mut Outcomes) {
        let is_open = |action: &&Action| !self.lost.contains(action);
        if self.settings.lines() > 1 || outcomes.best.iter().any(|best| is_open(&best)) {
            return;
        }
        let other = self.former.iter().rev().chain(&self.actions).find(is_open);
        let Some(action) = other.cloned() else { return };
        let line = Line { score: score_before, bound: Bound::Upper, actions: vec![action] };
        self.change_to(line, outcomes.depth, outcomes);
    }

    /// Plays another action than the one that was found best.
    fn change_to(&mut self, line: Line, depth: i32, outcomes: &mut Outcomes) {
        if outcomes.best.as_ref() == line.actions.first() {
            return;
        }
        outcomes.choose(&line);
        self.worker.publish_nodes();
        self.report(depth, depth as usize, 1, &line);
    }

    fn report(&mut self, depth: i32, deepest: usize, multi_pv: usize, line: &Line) {
        self.shared.report(self.settings, self.listener, depth, deepest, multi_pv, line);
    }

    /// Whether this is a game, in which one action is wanted and time is all that counts.
    fn plays_on_time(&self) -> bool {
        let Limits { clock, move_time, depth, nodes, mate, infinite, ponder, .. } =
            self.settings.limits;
        let timed = clock.is_some() || move_time.is_some();
        let more = depth.is_some() || nodes.is_some() || mate.is_some() || infinite || ponder;
        timed && !more && !self.settings.analyse && self.settings.lines() <= 1
    }

    /// Whether another depth would be of no use, or too late.
    fn is_enough(&self) -> bool {
        let Settings { limits, clock, analyse, .. } = self.settings;
        if limits.infinite || limits.ponder {
            return false;
        }
        let only = self.actions.len() == 1 && limits.clock.is_some() && !analyse;
        only || clock.is_late(self.steadiness.share())
    }
}

/// Whether a mate that was searched for so deep that none is nearer has been found.
fn is_proved(score: Score, depth: i32) -> bool {
    score.abs() >= MATE_BOUND && depth >= MATE - score.abs()
}

fn bring_to_front<'b>(actions: &mut [Action], front: impl Iterator<Item = &'b Action>) {
    for (i, action) in front.enumerate() {
        if let Some(at) = actions.iter().position(|other| other == action)
            && at >= i
        {
            actions[i..=at].rotate_right(1);
        }
    }
}
