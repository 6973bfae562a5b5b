//! The multiverse: timelines of boards, whose turn it is, and how boards come and go.
//!
//! Boards never change; a move pushes boards on timelines and taking it back pops them. This
//! layer knows the moves of pieces and the rules of time (R1 to R20), but nothing of whole
//! actions: which sets of moves may be submitted is decided above.

mod along;
mod attacks;
mod behind;
mod by_place;
mod moves;
mod near;
mod onto;
mod place;

use crate::board::{BLACK_TO_MOVE, Board, Colour, PieceKind, Size, mix};
pub use along::Along;
use along::Memory;
pub use attacks::{Attack, Jump};
use behind::Behind;
pub use by_place::ByPlace;
pub use moves::{Made, Move, Pieces};
pub use onto::Onto;
pub use place::{LineName, Place};

/// The largest timeline number that a multiverse may hold, to both sides.
pub const MAX_LINE: i32 = 16_000;
/// The largest turn number, positive or negative.
pub const MAX_TURN: i32 = 1_000_000;
/// The most places a multiverse may span, gaps between boards of a timeline included.
pub const MAX_SPAN: usize = 8_000_000;

/// A board's number in the multiverse's pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardId(u32);

impl BoardId {
    /// The board that is not there.
    pub const ABSENT: BoardId = BoardId(0);
}

/// The kinds that a pawn or brawn may turn into (R9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promotions(u16);

impl Promotions {
    /// The rule of the game itself: a queen and nothing else.
    pub const QUEEN: Promotions = Promotions(1 << PieceKind::Queen.index());

    /// A set of kinds; `None` if it is empty or holds a kind that nothing can turn into.
    pub fn new(kinds: &[PieceKind]) -> Option<Promotions> {
        let allowed = !kinds.is_empty() && kinds.iter().all(|kind| kind.can_be_promoted_to());
        allowed.then(|| Promotions(kinds.iter().fold(0, |set, kind| set | 1 << kind.index())))
    }

    /// Whether the kind is in the set.
    #[inline(always)]
    pub fn contains(self, kind: PieceKind) -> bool {
        self.0 & 1 << kind.index() != 0
    }

    /// The kinds of the set, the queen first.
    #[inline(always)]
    pub fn kinds(self) -> impl Iterator<Item = PieceKind> + Clone {
        PieceKind::ALL.into_iter().filter(move |&kind| self.contains(kind))
    }
}

/// One timeline: its boards from the first half-turn on, gaps as absent boards.
#[derive(Clone, Debug, Default)]
struct Timeline {
    first: i32,
    stops: Vec<Stop>,
}

/// A board in a timeline, or a gap.
#[derive(Clone, Copy, Debug)]
struct Stop {
    board: BoardId,
    /// What is seen from one turn later: an index into [`Multiverse::behind`].
    behind: u32,
}

impl Stop {
    const GAP: Stop = Stop { board: BoardId::ABSENT, behind: 0 };
}

impl Timeline {
    #[inline(always)]
    fn last_half_turn(&self) -> i32 {
        self.first + self.stops.len() as i32 - 1
    }
}

/// All boards of a game, with the side to move.
///
/// Timelines go by their protocol number (R31): with an odd start 0 is the original one, with an
/// even start 0 is +0 and -1 is -0.
#[derive(Clone, Debug)]
pub struct Multiverse {
    size: Size,
    even: bool,
    promotions: Promotions,
    pool: Vec<Board>,
    /// What is seen behind the boards that stand in timelines, in the order in which they came;
    /// nothing in front.
    behind: Vec<Behind>,
    /// By [`slot`], so that both ends can grow.
    timelines: Vec<Timeline>,
    /// Timelines that White and Black have created.
    created: [i32; 2],
    side: Colour,
    /// Exclusive-or of the start's key and every board's mixed with its place.
    boards_key: u64,
    /// Lists no longer in use, for the next pass: passes are too frequent to allocate.
    spare_lines: Vec<Vec<i32>>,
    /// The moves of boards that have been looked at.
    memory: Memory,
    /// Whether boards come for a moment: see [`Multiverse::briefly`].
    brief: bool,
}

static ABSENT: Board = Board::ABSENT;

/// The index of a timeline: 0, -1, 1, -2, 2, …
#[inline(always)]
fn slot(line: i32) -> usize {
    (line << 1 ^ line >> 31) as u32 as usize
}

#[inline(always)]
fn place_key(board: u64, line: i32, half_turn: i32) -> u64 {
    let place = (line as u32 as u64) << 32 | half_turn as u32 as u64;
    mix(board ^ place.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The key of a multiverse without boards: pieces on the same squares of boards of another size, or
/// of timelines numbered in another way, are another position.
const fn start_key(size: Size, even: bool) -> u64 {
    mix((size.width as u64) << 16 | (size.height as u64) << 8 | even as u64)
}

impl Multiverse {
    /// A multiverse without boards; White is to move.
    pub fn new(size: Size, even: bool) -> Multiverse {
        Multiverse {
            size,
            even,
            promotions: Promotions::QUEEN,
            pool: vec![Board::ABSENT],
            behind: vec![Behind::NOTHING],
            timelines: Vec::new(),
            created: [0; 2],
            side: Colour::White,
            boards_key: start_key(size, even),
            spare_lines: Vec::new(),
            memory: Memory::default(),
            brief: false,
        }
    }

    /// Files and ranks of every board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Whether the game started with an even number of timelines (R14).
    pub fn is_even(&self) -> bool {
        self.even
    }

    /// The side to move.
    #[inline(always)]
    pub fn side(&self) -> Colour {
        self.side
    }

    /// Sets the side to move: what submitting does.
    #[inline(always)]
    pub fn set_side(&mut self, side: Colour) {
        self.side = side;
    }

    /// The kinds that promotion may lead to.
    #[inline(always)]
    pub fn promotions(&self) -> Promotions {
        self.promotions
    }

    /// Sets the kinds that promotion may lead to.
    pub fn set_promotions(&mut self, promotions: Promotions) {
        self.promotions = promotions;
        self.forget_moves();
    }

    /// The key of the whole multiverse: every board at its place, the size of boards, whether the
    /// start was even, and the side to move.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        match self.side {
            Colour::White => self.boards_key,
            Colour::Black => self.boards_key ^ BLACK_TO_MOVE,
        }
    }

    /// The lowest original timeline: 0, or -1 (named -0) with an even start.
    #[inline(always)]
    pub fn lowest_original(&self) -> i32 {
        if self.even { -1 } else { 0 }
    }

    /// The lowest timeline.
    #[inline(always)]
    pub fn lowest_line(&self) -> i32 {
        self.lowest_original() - self.created[1]
    }

    /// The highest timeline.
    #[inline(always)]
    pub fn highest_line(&self) -> i32 {
        self.created[0]
    }

    /// All timelines, ascending.
    #[inline(always)]
    pub fn lines(&self) -> std::ops::RangeInclusive<i32> {
        self.lowest_line()..=self.highest_line()
    }

    /// Whether there is a single timeline.
    #[inline(always)]
    pub fn has_one_line(&self) -> bool {
        self.lowest_line() == self.highest_line()
    }

    /// The active timelines (R19), ascending: always one range.
    #[inline(always)]
    pub fn active_lines(&self) -> std::ops::RangeInclusive<i32> {
        self.active_lines_with(self.side, 0)
    }

    /// The timelines that would be active after `side` had created `more` others.
    #[inline(always)]
    pub fn active_lines_with(&self, side: Colour, more: i32) -> std::ops::RangeInclusive<i32> {
        let mut created = self.created;
        created[side.index()] += more;
        let highest = created[0].min(created[1] + 1);
        let lowest = self.lowest_original() - created[1].min(created[0] + 1);
        lowest..=highest
    }

    /// How many timelines a side has created (R14).
    #[inline(always)]
    pub fn created(&self, side: Colour) -> i32 {
        self.created[side.index()]
    }

    /// The number that the next timeline created by `side` gets (R14), after `more` others.
    #[inline(always)]
    pub fn next_line(&self, side: Colour, more: i32) -> i32 {
        match side {
            Colour::White => self.created[0] + 1 + more,
            Colour::Black => self.lowest_original() - self.created[1] - 1 - more,
        }
    }

    /// The name of a timeline as 5DFEN writes it.
    pub fn line_name(&self, line: i32) -> LineName {
        LineName { line, even: self.even }
    }

    #[inline(always)]
    fn timeline(&self, line: i32) -> Option<&Timeline> {
        self.timelines.get(slot(line))
    }

    /// The board at a place; an absent one where there is none.
    #[inline(always)]
    pub fn board_at(&self, line: i32, half_turn: i32) -> &Board {
        self.pooled(self.stop(line, half_turn).board)
    }

    #[inline(always)]
    fn stop(&self, line: i32, half_turn: i32) -> Stop {
        let Some(timeline) = self.timelines.get(slot(line)) else { return Stop::GAP };
        let index = half_turn.wrapping_sub(timeline.first) as u32 as usize;
        timeline.stops.get(index).copied().unwrap_or(Stop::GAP)
    }

    /// What sliders at a place see behind them; nothing needs to stand there.
    #[inline(always)]
    fn seen_behind(&self, place: Place) -> &Behind {
        let stop = self.stop(place.line, place.half_turn.wrapping_sub(2));
        self.behind.get(stop.behind as usize).unwrap_or(&Behind::NOTHING)
    }

    /// Runs `f`, which puts boards on the ends of timelines only to see what can be taken at once
    /// from the latest ones, and takes them off again. The key and what is seen behind the new
    /// boards are not kept up, which is most of the work.
    #[inline(always)]
    pub fn briefly<R>(&mut self, f: impl FnOnce(&mut Multiverse) -> R) -> R {
        let before = std::mem::replace(&mut self.brief, true);
        let result = f(self);
        self.brief = before;
        result
    }

    /// Makes the stop of a board at a place: what is seen from beyond comes with it.
    #[inline(always)]
    fn stop_at(&mut self, place: Place, id: BoardId) -> Stop {
        if self.brief {
            return Stop { board: id, ..Stop::GAP };
        }
        let beyond = self.seen_behind(place).beyond(self.pooled(id));
        self.behind.push(beyond);
        Stop { board: id, behind: self.behind.len() as u32 - 1 }
    }

    /// The board at a place; an absent one where there is none.
    #[inline(always)]
    pub fn board(&self, place: Place) -> &Board {
        self.board_at(place.line, place.half_turn)
    }

    /// A board of the pool.
    #[inline(always)]
    pub fn pooled(&self, id: BoardId) -> &Board {
        self.pool.get(id.0 as usize).unwrap_or(&ABSENT)
    }

    /// Adds a board to the pool without putting it anywhere. Boards leave the pool in the
    /// opposite order, by [`Multiverse::shrink_pool`].
    #[inline(always)]
    pub fn add_to_pool(&mut self, board: Board) -> BoardId {
        let id = BoardId(self.pool.len() as u32);
        self.pool.push(board);
        id
    }

    /// The size of the pool, for [`Multiverse::shrink_pool`].
    #[inline(always)]
    pub fn pool_mark(&self) -> usize {
        self.pool.len()
    }

    /// Forgets the boards that were added to the pool since the mark was taken. None of them may
    /// stand in a timeline any more.
    #[inline(always)]
    pub fn shrink_pool(&mut self, mark: usize) {
        self.pool.truncate(mark);
    }

    /// The half-turn of a timeline's latest board; `None` if there is no such timeline.
    #[inline(always)]
    pub fn latest_half_turn(&self, line: i32) -> Option<i32> {
        let timeline = self.timeline(line)?;
        (!timeline.stops.is_empty()).then(|| timeline.last_half_turn())
    }

    /// The place of a timeline's latest board.
    #[inline(always)]
    pub fn latest(&self, line: i32) -> Option<Place> {
        self.latest_half_turn(line).map(|half_turn| Place { line, half_turn })
    }

    /// The latest board of a timeline, if it shows `side`'s colour: the boards that `side` may
    /// move on (R11).
    #[inline(always)]
    pub fn playable(&self, line: i32, side: Colour) -> Option<Place> {
        self.latest(line).filter(|place| place.colour() == side)
    }

    /// How many boards the side to move may play on, `most` or more as `most`.
    #[inline]
    pub fn count_playable(&self, most: usize) -> usize {
        let playable = |line: &i32| self.playable(*line, self.side).is_some();
        self.lines().filter(playable).take(most).count()
    }

    /// The half-turns of a timeline from its first to its latest board.
    pub fn span(&self, line: i32) -> std::ops::RangeInclusive<i32> {
        match self.timeline(line) {
            Some(timeline) => timeline.first..=timeline.last_half_turn(),
            #[expect(clippy::reversed_empty_ranges, reason = "no half-turn at all")]
            None => 1..=0,
        }
    }

    /// Every board, by timeline, then by time.
    pub fn boards(&self) -> impl Iterator<Item = (Place, &Board)> + '_ {
        self.lines().flat_map(move |line| {
            self.span(line)
                .map(move |half_turn| (Place { line, half_turn }, self.board_at(line, half_turn)))
                .filter(|(_, board)| board.is_present())
        })
    }

    /// The half-turn of the present (R20): the earliest latest board over the active timelines.
    #[inline(always)]
    pub fn present(&self) -> i32 {
        self.active_lines().filter_map(|line| self.latest_half_turn(line)).min().unwrap_or(0)
    }

    /// Whether the side to move has to play on a timeline, or take the present elsewhere, before
    /// it may submit: an active one whose latest board holds the present and is its own.
    pub fn is_mandatory(&self, line: i32) -> bool {
        self.active_lines().contains(&line)
            && self.playable(line, self.side).is_some_and(|it| it.half_turn == self.present())
    }

    /// Whether the present shows the opponent's colour, the first condition for submitting (R21).
    #[inline(always)]
    pub fn present_has_passed(&self) -> bool {
        Colour::of_half_turn(self.present()) != self.side
    }

    /// Counts a board at a place into the key, or out of it.
    #[inline(always)]
    fn change_key(&mut self, line: i32, half_turn: i32, id: BoardId) {
        if !self.brief {
            self.boards_key ^= place_key(self.pooled(id).key(), line, half_turn);
        }
    }

    /// Puts a board of the pool on the end of a timeline, one half-turn after the latest.
    #[inline(always)]
    pub fn push(&mut self, line: i32, id: BoardId) {
        let Some(latest) = self.timeline(line).map(Timeline::last_half_turn) else { return };
        let half_turn = latest + 1;
        self.change_key(line, half_turn, id);
        let stop = self.stop_at(Place { line, half_turn }, id);
        if let Some(timeline) = self.timelines.get_mut(slot(line)) {
            timeline.stops.push(stop);
        }
    }

    /// Takes the latest board off a timeline: the one that came last of all.
    #[inline(always)]
    pub fn pop(&mut self, line: i32) {
        if let Some(timeline) = self.timelines.get_mut(slot(line)) {
            let half_turn = timeline.last_half_turn();
            if let Some(stop) = timeline.stops.pop() {
                self.change_key(line, half_turn, stop.board);
                if !self.brief {
                    debug_assert_eq!(stop.behind as usize + 1, self.behind.len());
                    self.behind.pop();
                }
            }
        }
    }

    /// Opens the next timeline of `side` with a board of the pool at `half_turn` (R13, R14).
    /// Returns its number.
    #[inline(always)]
    pub fn open(&mut self, side: Colour, half_turn: i32, id: BoardId) -> i32 {
        let line = self.next_line(side, 0);
        self.created[side.index()] += 1;
        let slot = slot(line);
        if slot >= self.timelines.len() {
            self.timelines.resize_with(slot + 1, Timeline::default);
        }
        self.change_key(line, half_turn, id);
        let stop = self.stop_at(Place { line, half_turn }, id);
        if let Some(timeline) = self.timelines.get_mut(slot) {
            timeline.first = half_turn;
            timeline.stops.clear();
            timeline.stops.push(stop);
        }
        line
    }

    /// Takes back the newest timeline of `side`, which must hold one board.
    #[inline(always)]
    pub fn close(&mut self, side: Colour) {
        let line = match side {
            Colour::White => self.highest_line(),
            Colour::Black => self.lowest_line(),
        };
        debug_assert_eq!(self.timeline(line).map(|timeline| timeline.stops.len()), Some(1));
        self.pop(line);
        self.created[side.index()] -= 1;
    }

    /// Builds a timeline from boards with their half-turns, ascending: what reading a position
    /// does. Timelines are created outward from the original ones, without a gap.
    pub(crate) fn found_timeline(&mut self, line: i32, boards: &[(i32, Board)]) {
        let Some(&(first, _)) = boards.first() else { return };
        self.created[0] = self.created[0].max(line);
        self.created[1] = self.created[1].max(self.lowest_original() - line);
        let slot = slot(line);
        if slot >= self.timelines.len() {
            self.timelines.resize_with(slot + 1, Timeline::default);
        }
        self.timelines[slot] = Timeline { first, stops: Vec::new() };
        for &(half_turn, board) in boards {
            self.boards_key ^= place_key(board.key(), line, half_turn);
            let id = self.add_to_pool(board);
            // Knights leap over a gap, so something may be seen behind one.
            for at in self.timelines[slot].last_half_turn() + 1..half_turn {
                let gap = self.stop_at(Place { line, half_turn: at }, BoardId::ABSENT);
                self.timelines[slot].stops.push(gap);
            }
            let stop = self.stop_at(Place { line, half_turn }, id);
            self.timelines[slot].stops.push(stop);
        }
    }

    /// The multiverse with colours swapped, ranks and timelines mirrored and every board half a
    /// turn later; nothing but the names of things changes.
    pub fn flipped(&self) -> Multiverse {
        let mut flipped = Multiverse::new(self.size, self.even);
        flipped.promotions = self.promotions;
        for line in self.lines() {
            let boards: Vec<(i32, Board)> = self
                .span(line)
                .map(|half_turn| (half_turn + 1, self.board_at(line, half_turn)))
                .filter(|(_, board)| board.is_present())
                .map(|(half_turn, board)| (half_turn, board.mirrored()))
                .collect();
            flipped.found_timeline(self.lowest_original() - line, &boards);
        }
        flipped.set_side(!self.side);
        flipped
    }

    /// Checks every derived value against one computed anew.
    ///
    /// # Errors
    /// What differs, in words.
    pub fn audit(&self) -> Result<(), String> {
        let mut key = start_key(self.size, self.even);
        for (place, board) in self.boards() {
            board.audit().map_err(|error| format!("{place:?}: {error}"))?;
            if board.size() != self.size {
                return Err(format!("{place:?}: board of another size"));
            }
            key ^= place_key(board.key(), place.line, place.half_turn);
            let seen = self.seen_behind(place.offset(0, 1));
            if *seen != self.seen_behind(place).beyond(board) {
                return Err(format!("{place:?}: what is seen behind is wrong"));
            }
        }
        if key != self.boards_key {
            return Err(format!("key is {:016x}, should be {key:016x}", self.boards_key));
        }
        for line in self.lines() {
            if self.latest(line).is_none_or(|place| !self.board(place).is_present()) {
                return Err(format!("timeline {line} has no latest board"));
            }
        }
        let open = self.timelines.iter().filter(|timeline| !timeline.stops.is_empty()).count();
        if open != self.lines().count() {
            return Err(format!("{open} timelines hold boards, {} should", self.lines().count()));
        }
        Ok(())
    }

    /// In debug builds, panics when a derived value is wrong.
    #[inline(always)]
    pub fn debug_audit(&self) {
        #[cfg(debug_assertions)]
        if let Err(error) = self.audit() {
            panic!("{error}");
        }
    }
}
