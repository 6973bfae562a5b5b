//! Mates in so many actions, proved or refuted: every legal action of both sides is looked at, so
//! that the answer is certain, and nothing else is asked.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use super::line::{Variation, raise};
use super::ordering::{History, Landings, Look, Mild, Ordering, tags};
use super::root::WIDE;
use super::score::Score;
use super::table::{Bound, Entry, Tags};
use super::worker::Shared;
use super::{MATE, Settings};
use crate::actions::{Action, GameResult, Limit, Step, Stream, result_without_action};
use crate::multiverse::Multiverse;

/// Keeps what is found here apart from what the search stores under the same key.
const SALT: u64 = 0x6d61_7465_6d61_7465;
/// What an entry of the table says by its score: there is no mate in as many actions as its depth,
/// there is one, or only which action was the best answer.
const NO_MATE: Score = 0;
const IS_MATE: Score = 1;
const ANSWER: Score = 2;
/// Actions that change little, tried first where a check stands.
const MILD_ACTIONS: usize = 20;
/// Nodes between two looks at the clock.
const NODES_BETWEEN_POLLS: u64 = 64;

/// What is known of a mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The shortest mate's score, and a line to it.
    Mate(Score, Vec<Action>),
    /// There is none.
    None,
    /// The search was ended before.
    Unknown,
}

/// The search was ended from outside.
struct Ended;

/// Which actions to look at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// A few that change little.
    Mild,
    /// Those with at most one likely jump that opens a timeline.
    Narrow,
    /// All.
    All,
}

/// A search for mates.
pub struct MateSearch<'a> {
    shared: &'a Shared<'a>,
    settings: &'a Settings,
    multiverse: Multiverse,
    history: History,
    landings: Landings,
    streams: Vec<Stream>,
    /// The line found last, by ply.
    lines: Vec<Variation>,
    nodes: u64,
}

impl<'a> MateSearch<'a> {
    /// A search from a position.
    pub fn new(
        shared: &'a Shared<'a>,
        settings: &'a Settings,
        multiverse: Multiverse,
    ) -> MateSearch<'a> {
        MateSearch {
            shared,
            settings,
            multiverse,
            history: History::new(),
            landings: Landings::default(),
            streams: Vec::new(),
            lines: Vec::new(),
            nodes: 0,
        }
    }

    /// Looks for a mate in `most` actions of the side to move, the shortest there is.
    pub fn run(&mut self, most: usize) -> Verdict {
        self.lines.resize(2 * most + 2, Variation::default());
        let mut verdict = Verdict::None;
        for actions in 1..=most {
            match self.attack(actions, 0) {
                Ok(true) => {
                    let score = MATE - (2 * actions - 1) as Score;
                    verdict = Verdict::Mate(score, self.lines[0].actions());
                    break;
                }
                Ok(false) => {}
                Err(Ended) => {
                    verdict = Verdict::Unknown;
                    break;
                }
            }
        }
        self.shared.nodes.fetch_add(self.nodes % NODES_BETWEEN_POLLS, Relaxed);
        verdict
    }

    fn count_node(&mut self) -> Result<(), Ended> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_BETWEEN_POLLS) {
            self.shared.nodes.fetch_add(NODES_BETWEEN_POLLS, Relaxed);
        }
        let most = self.shared.most_nodes.unwrap_or(u64::MAX);
        let late = || self.shared.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let polls = self.nodes % NODES_BETWEEN_POLLS == 1;
        let ended = self.nodes >= most || polls && (self.shared.stop.load(Relaxed) || late());
        if ended { Err(Ended) } else { Ok(()) }
    }

    fn limit(&self) -> Limit<'a> {
        Limit { work: None, deadline: self.shared.deadline, stop: Some(self.shared.stop) }
    }

    /// Whether the side to move mates in so many actions.
    fn attack(&mut self, actions: usize, ply: usize) -> Result<bool, Ended> {
        let key = self.multiverse.key() ^ SALT;
        let entry = self.shared.table.probe(key);
        let known = entry.and_then(|entry| match entry.score {
            IS_MATE if entry.depth as usize <= actions && ply > 0 => Some(true),
            NO_MATE if entry.depth as usize >= actions && ply > 0 => Some(false),
            _ => None,
        });
        if let Some(known) = known {
            self.lines[ply].clear();
            return Ok(known);
        }
        let hint = entry.map_or([0; 4], |entry| entry.tags);
        let (mut any, mut mates) = (false, false);
        let best = self.each_action(hint, ply == 0, |search, action| {
            any = true;
            mates = search.defend(actions - 1, ply + 1)?;
            if mates {
                raise(&mut search.lines, ply, action.iter().copied());
            }
            Ok(mates)
        })?;
        if !any && ply > 0 {
            // An opponent whose kings are all exiled has lost, too.
            self.lines[ply].clear();
            let result = result_without_action(&mut self.multiverse, self.shared.exiled_kings);
            return Ok(result == GameResult::Win(self.multiverse.side()));
        }
        // Of the root some actions only may have been looked at, which refutes nothing.
        if mates || ply > 0 {
            let verdict = if mates { IS_MATE } else { NO_MATE };
            self.store(key, verdict, actions, best.as_ref());
        }
        Ok(mates)
    }

    /// Whether the side to move is mated in so many more actions of the other, whatever it plays.
    fn defend(&mut self, actions: usize, ply: usize) -> Result<bool, Ended> {
        let key = self.multiverse.key() ^ SALT;
        let hint = self.shared.table.probe(key).map_or([0; 4], |entry| entry.tags);
        let mut any = false;
        self.lines[ply].clear();
        let escape = self.each_action(hint, false, |search, action| {
            any = true;
            if actions == 0 {
                return Ok(true);
            }
            let mated = search.attack(actions, ply + 1)?;
            if mated && search.lines[ply].len() <= search.lines[ply + 1].len() {
                raise(&mut search.lines, ply, action.iter().copied());
            }
            Ok(!mated)
        })?;
        if !any {
            let result = result_without_action(&mut self.multiverse, self.shared.exiled_kings);
            return Ok(result == GameResult::Win(!self.multiverse.side()));
        }
        if escape.is_some() {
            self.store(key, ANSWER, actions, escape.as_ref());
        }
        Ok(escape.is_none())
    }

    /// Makes every legal action in turn until the visitor says that one is enough: that one.
    fn each_action(
        &mut self,
        hint: Tags,
        is_root: bool,
        mut visit: impl FnMut(&mut Self, &Action) -> Result<bool, Ended>,
    ) -> Result<Option<Action>, Ended> {
        if is_root && !self.settings.search_moves.is_empty() {
            for action in &self.settings.search_moves {
                let made = crate::actions::make_action(&mut self.multiverse, action);
                let enough = self.count_node().and_then(|()| visit(self, action));
                crate::actions::unmake_action(&mut self.multiverse, action, &made);
                if enough? {
                    return Ok(Some(action.clone()));
                }
            }
            return Ok(None);
        }
        // Where a check stands that the opponent did not answer, what changes little may mate; on
        // many boards the likely actions come first. What comes again is in the table.
        let standing = self.multiverse.has_standing_check();
        let wide = self.multiverse.count_playable(WIDE) == WIDE;
        for (pass, due) in [(Pass::Mild, standing), (Pass::Narrow, wide), (Pass::All, true)] {
            if due {
                let found = self.each_of(pass, hint, is_root, &mut visit)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }

    /// The same for some of the actions, or all.
    fn each_of(
        &mut self,
        pass: Pass,
        hint: Tags,
        is_root: bool,
        visit: &mut impl FnMut(&mut Self, &Action) -> Result<bool, Ended>,
    ) -> Result<Option<Action>, Ended> {
        let mut stream = self.streams.pop().unwrap_or_default();
        let mut ordering = Ordering::new(&self.multiverse, hint, &self.history, &self.landings);
        if pass == Pass::Narrow {
            ordering.look = Look::Narrow;
        }
        if pass == Pass::Mild {
            stream.start(&mut self.multiverse, &mut Mild(ordering));
        } else {
            stream.start(&mut self.multiverse, &mut ordering);
        }
        let limit = self.limit();
        let mut left = if pass == Pass::Mild { MILD_ACTIONS } else { usize::MAX };
        let found = loop {
            if left == 0 {
                break Ok(None);
            }
            left -= 1;
            match stream.next_any(&mut self.multiverse, &limit) {
                Step::Found => {}
                Step::Done => break Ok(None),
                Step::Stopped => break Err(Ended),
            }
            let action = stream.action();
            if is_root && !self.settings.allows(&self.multiverse, &action) {
                continue;
            }
            stream.make(&mut self.multiverse);
            let enough = self.count_node().and_then(|()| visit(self, &action));
            stream.unmake(&mut self.multiverse);
            match enough {
                Ok(false) => {}
                Ok(true) => break Ok(Some(action)),
                Err(ended) => break Err(ended),
            }
        };
        stream.finish(&mut self.multiverse);
        self.streams.push(stream);
        found
    }

    fn store(&self, key: u64, score: Score, actions: usize, best: Option<&Action>) {
        let tags = best.map_or([0; 4], |action| tags(action));
        let entry = Entry { score, depth: actions as i32, bound: Bound::Exact, tags };
        self.shared.table.store(key, &entry);
    }
}
