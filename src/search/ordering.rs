//! What to try first: the numbers that the stream of actions is ordered by.

use super::parameters::{JUMP_SPREAD, SPREAD};
use super::table::Tags;
use super::worth::worth;
use crate::actions::{Chooser, Wanted};
use crate::board::{Board, Colour, PieceKind, Square};
use crate::evaluation::Centipawns;
use crate::multiverse::{ByPlace, Move, Multiverse, Onto, Pieces, Place};

/// For the moves of the table's action.
const FROM_TABLE: i32 = 1 << 26;
/// Captures and promotions score from here on, so that no number of quiet moves outweighs one.
const FORCING: i32 = 1_000_000;
/// A quiet move's history is at most this, either way.
const HISTORY_MOST: i32 = 2_000;
/// What a quiet move costs: on a board that need not be played it comes after leaving it alone.
const QUIET: i32 = HISTORY_MOST + 100;
/// What a killer gains: as much as the best history.
const KILLER: i32 = HISTORY_MOST;
/// What a quiet jump costs besides: new timelines come late.
const QUIET_JUMP: i32 = 600;
/// What leaving a board costs that holds the present: legal only with a jump that takes the present
/// back.
const MANDATORY_PASS: i32 = 4 * HISTORY_MOST;
/// What a capture costs that loses more than it wins: it comes after the others.
const LOSING: i32 = FORCING / 4;
/// A royal can only be taken where the opponent left it (R29): before everything.
const ROYAL: i32 = 10_000_000;

/// An action with a score from here on takes or promotes something, or is the table's.
pub const FORCING_ACTION: i32 = FORCING / 2;

/// For a quiet jump that was left out before.
const LEFT_OUT: i32 = 1 << 24;

/// An action with a score from here on, where what was left out comes first, was left out.
pub const LEFT_OUT_ACTION: i64 = LEFT_OUT as i64 / 2;

/// The bit that tells a jump in brief from a move along a board.
const JUMP_TAG: u32 = 2;

/// A move in brief, as [`Tags`] hold it; never 0.
#[inline(always)]
pub fn tag(step: &Move) -> u32 {
    let place = |it: Place| (it.line as u32 as u64) << 32 | it.half_turn as u32 as u64;
    let squares = (step.from_square.index() << 6 | step.to_square.index()) as u64;
    let promotion = step.promotion.map_or(0, |kind| kind.index() as u64 + 1);
    // Odd numbers without a pattern: asked for each move of a node, so no more than that.
    let mixed = place(step.from).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ place(step.to).wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
        ^ (squares << 8 | promotion).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let brief = ((mixed ^ mixed >> 29) >> 8) as u32 | 1;
    if step.is_physical() { brief & !JUMP_TAG } else { brief | JUMP_TAG }
}

/// The moves of an action in brief.
pub fn tags(action: &[Move]) -> Tags {
    let mut tags = [0; 4];
    for (slot, step) in tags.iter_mut().zip(action) {
        *slot = tag(step);
    }
    tags
}

/// How often a quiet move by a kind of piece to a square, on its board or onto another one, was
/// best.
#[derive(Clone, Debug)]
pub struct History(Vec<i32>);

impl History {
    /// No experience.
    pub fn new() -> History {
        History(vec![0; 2 * 2 * 12 * 64])
    }

    fn index(side: Colour, kind: PieceKind, to: Square, physical: bool) -> usize {
        ((side.index() * 2 + usize::from(physical)) * 12 + kind.index()) * 64 + to.index()
    }

    /// Shifts a value by `bonus`, the less the nearer it is to its end.
    fn update(&mut self, index: usize, bonus: i32) {
        let value = &mut self.0[index];
        *value += bonus - *value * bonus.abs() / HISTORY_MOST;
    }

    /// Praises the quiet moves of an action (or blames them, with a negative bonus).
    pub fn learn(&mut self, multiverse: &Multiverse, action: &[Move], bonus: i32) {
        for step in action {
            let board = multiverse.board(step.from);
            let quiet = multiverse.board(step.to).piece_at(step.to_square).is_none();
            if let (Some(piece), true) = (board.piece_at(step.from_square), quiet) {
                let to = step.to_square;
                let index = History::index(piece.colour, piece.kind, to, step.is_physical());
                self.update(index, bonus.clamp(-400, 400));
            }
        }
    }
}

/// For a move after which the opponent, if it only passed, would lose a royal.
const CHECK: i32 = 1_500_000;
/// Taken off a quiet move that only counts if it is such a one.
const UNLESS_CHECK: i32 = 600_000;
/// The share of a capture's worth on a board ahead of the present, in percent: it can wait.
const AHEAD_PERCENT: i32 = 70;

/// Orders the moves of a node.
pub struct Ordering<'a> {
    /// Look for checks: worth its time where much is searched below.
    pub checks: bool,
    /// Which actions there are at all.
    pub look: Look,
    /// Whether a board may stand that attacks a royal if it is left as it is
    /// ([`Multiverse::has_standing_check`]); false only if it is known that none does.
    pub standing: bool,
    /// The active timelines.
    pub active: std::ops::RangeInclusive<i32>,
    /// The half-turn of the present.
    pub present: i32,
    /// The table's action.
    pub tags: Tags,
    /// What has worked.
    pub history: &'a History,
    /// With quiet moves left out, still take those that attack a royal.
    pub quiet_checks: bool,
    /// Leave quiet moves out, but for the best few on boards that must be played beside others.
    pub forcing_only: bool,
    /// With quiet moves left out, so are captures of what is worth less.
    pub least: Centipawns,
    /// Timelines that an action may open, at most.
    pub branches: usize,
    /// Whether one board is playable, so that no quiet move is needed beside a forcing one.
    pub single: bool,
    /// Which moves of the board looked at last may attack a royal.
    pub suspects: Suspects,
    /// Which pieces that land on a board may attack a royal there.
    pub landings: &'a Landings,
    /// Moves that were best at nodes as far from the root; they count if they are quiet here.
    pub killers: Killers,
}

/// Which actions of a node are looked at: the likely ones first, the rest if they do not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// With many boards to play, and in quiescence: only jumps that take or attack something, one new
    /// timeline, and nothing quiet where nothing must be played. The others are too many to be
    /// sorted out.
    Narrow,
    /// Jumps that neither take nor attack anything are left out.
    WithoutQuietJumps,
    /// Those that were left out come first; one new timeline.
    LeftOut,
    /// Everything.
    Everything,
}

/// What decides how much of a node is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Circumstance {
    /// The side to move is in check.
    Check,
    /// The end of depth is near.
    End,
    /// Neither.
    Inner,
}

impl Look {
    /// Whether this is a first look, which leaves quiet jumps out.
    #[inline(always)]
    fn is_first(self) -> bool {
        matches!(self, Look::Narrow | Look::WithoutQuietJumps)
    }

    /// What to look at after this, in vain so far, and whether the side is `lost` by what it found.
    pub fn next(self, at: Circumstance, lost: bool) -> Option<Look> {
        match self {
            Look::Narrow | Look::WithoutQuietJumps if at == Circumstance::End => {
                lost.then_some(Look::Everything)
            }
            Look::Narrow if at == Circumstance::Check => Some(Look::LeftOut),
            Look::WithoutQuietJumps => Some(Look::LeftOut),
            Look::Narrow | Look::LeftOut if lost => Some(Look::Everything),
            _ => None,
        }
    }
}

/// Which pieces that land on a board attack a royal there, by that board.
pub type Landings = ByPlace<Suspects>;

/// The first moves, in brief, of the actions that refuted last and last but one at a ply; 0 for
/// none.
pub type Killers = [u32; 2];

/// Which moves along a board may make one that attacks a royal.
#[derive(Clone, Copy, Debug, Default)]
pub enum Suspects {
    /// None.
    #[default]
    None,
    /// All.
    All,
    /// Those that these squares tell.
    Some(Onto),
}

/// Quiet moves kept on a board that must be played beside a forcing move elsewhere.
const QUIET_KEPT: usize = 2;

impl<'a> Ordering<'a> {
    /// An order for every move of the position.
    pub fn new(
        multiverse: &Multiverse,
        tags: Tags,
        history: &'a History,
        landings: &'a Landings,
    ) -> Ordering<'a> {
        landings.forget();
        Ordering {
            checks: true,
            look: Look::Everything,
            standing: true,
            active: multiverse.active_lines(),
            present: multiverse.present(),
            tags,
            history,
            quiet_checks: false,
            forcing_only: false,
            least: 0,
            branches: usize::MAX,
            single: false,
            suspects: Suspects::None,
            landings,
            killers: [0; 2],
        }
    }

    /// Whether a new board at a place is looked at for attacks on royals: only boards on the next
    /// present are passed in what defines check (R24).
    #[inline(always)]
    fn looks_for_checks(&self, multiverse: &Multiverse, place: Place) -> bool {
        let far = place.half_turn > self.present + 1
            || !self.active.contains(&place.line) && multiverse.latest(place.line).is_some();
        self.checks && !(far && self.look == Look::Narrow)
    }

    /// Which pieces attack a royal once they have landed where a jump leads.
    #[inline(always)]
    fn suspects_landing(&self, multiverse: &Multiverse, to: Place) -> Suspects {
        if let Some(suspects) = self.landings.known(to) {
            return suspects;
        }
        let Place { line, half_turn } = to;
        let opened = multiverse.next_line(multiverse.side(), 0);
        let line = if multiverse.branches(to) { opened } else { line };
        let after = Place { line, half_turn: half_turn + 1 };
        let suspects = self.suspects_of(multiverse, multiverse.board(to), after, true);
        self.landings.note(to, suspects);
        suspects
    }

    /// What the board that a jump makes adds to its score, if the suspects tell.
    #[inline(always)]
    fn foresee_jump(&self, multiverse: &Multiverse, step: &Move) -> Option<i32> {
        match self.suspects_landing(multiverse, step.to) {
            Suspects::None => Some(0),
            Suspects::All => None,
            Suspects::Some(onto) => foresee_on(&onto, multiverse.board(step.from), step),
        }
    }

    /// Which pieces, put on a board or moved along it, may make one at the place that attacks a
    /// royal; `standing` is false if it is known that the board as it is attacks none elsewhere.
    #[inline(always)]
    fn suspects_of(
        &self,
        multiverse: &Multiverse,
        board: &Board,
        after: Place,
        standing: bool,
    ) -> Suspects {
        let side = multiverse.side();
        let after_pass = Place { half_turn: after.half_turn + 1, ..after };
        if !self.looks_for_checks(multiverse, after) {
            Suspects::None
        } else if board.has_royal_attack(side)
            || standing && multiverse.board_jumps_onto_royal(board, after_pass, side)
        {
            // Whatever else moves leaves that attack where it is.
            Suspects::All
        } else {
            Suspects::Some(multiverse.onto_royals(board, after_pass, side))
        }
    }
}

/// What it adds to the score of a move that its piece comes to stand where it does, if that can
/// be told: of a pawn, and of what it becomes, only that it attacks nothing.
#[inline(always)]
fn foresee_on(onto: &Onto, board: &Board, step: &Move) -> Option<i32> {
    if step.promotion.is_some() {
        return None;
    }
    let from = step.from_square;
    if onto.squares_of(board, from) & step.to_square.bit() == 0 {
        return Some(0);
    }
    (board.pawn_like() & from.bit() == 0).then_some(CHECK)
}

/// Whether a capture loses more than it wins, as far as the board tells on which it is made.
#[inline(always)]
fn loses(multiverse: &Multiverse, step: &Move, moving: PieceKind, victim: PieceKind) -> bool {
    let stake = |kind: PieceKind| if kind.is_royal() { ROYAL } else { worth(kind) };
    if stake(moving) <= stake(victim) {
        return false;
    }
    let target = multiverse.board(step.to);
    let from = step.is_physical().then_some(step.from_square);
    target.exchange(step.to_square, moving, from, multiverse.side(), stake) < 0
}

impl Chooser for Ordering<'_> {
    #[inline(always)]
    fn score(&mut self, multiverse: &Multiverse, step: &Move, pieces: Pieces) -> Option<i32> {
        let Pieces { moving, taken } = pieces;
        let mut score = 0;
        // Only where there is something to compare it with; killers count if they are quiet here.
        let compares = self.tags[0] != 0 || self.killers[0] != 0 && taken.is_none();
        let brief = if compares { tag(step) } else { 0 };
        let from_table = compares && self.tags.contains(&brief);
        let killer = compares && self.killers.contains(&brief);
        let is_active =
            self.active.contains(&step.from.line) || self.active.contains(&step.to.line);
        if let Some(victim) =
            taken.filter(|&victim| worth(victim) >= self.least || victim.is_royal())
        {
            score += FORCING + 8 * worth(victim) - worth(moving);
            if loses(multiverse, step, moving, victim) {
                score -= LOSING;
            }
            if step.from.half_turn > self.present {
                score = score / 100 * AHEAD_PERCENT;
            }
            if victim.is_royal() {
                score += ROYAL;
            }
        }
        if let Some(kind) = step.promotion {
            score += FORCING + 4 * worth(kind);
        }
        if score > 0 && !is_active && score < ROYAL / 2 {
            // What happens on an inactive timeline is nothing to hurry about.
            if self.forcing_only {
                return None;
            }
            score = score / FORCING - QUIET;
        } else if score == 0 {
            let physical = step.is_physical();
            let left_out = self.forcing_only && (self.single || !physical);
            if left_out && !self.quiet_checks {
                return None;
            }
            let dull = !physical && (left_out || self.look.is_first()) && !from_table && !killer;
            if dull && self.foresee_jump(multiverse, step) == Some(0) {
                return None;
            }
            let index = History::index(multiverse.side(), moving, step.to_square, physical);
            score = self.history.0[index] - QUIET;
            if killer {
                score += KILLER;
            }
            if left_out {
                score -= UNLESS_CHECK;
            }
            if !physical {
                score -= QUIET_JUMP;
                if self.look == Look::LeftOut && self.foresee_jump(multiverse, step) == Some(0) {
                    score += LEFT_OUT;
                }
            }
        }
        if from_table {
            score += FROM_TABLE;
        }
        Some(score)
    }

    fn look_at(&mut self, multiverse: &Multiverse, place: Place) -> Wanted {
        let after = Place { half_turn: place.half_turn + 1, ..place };
        let board = multiverse.board(place);
        self.suspects = self.suspects_of(multiverse, board, after, self.standing);
        let mandatory = place.half_turn == self.present && self.active.contains(&place.line);
        if self.look == Look::LeftOut && self.single {
            return Wanted::Nothing;
        }
        if !self.forcing_only || mandatory && !self.single {
            return Wanted::Everything;
        }
        let prey = self.prey(board, multiverse.side());
        match self.suspects {
            Suspects::All if self.quiet_checks => Wanted::Everything,
            Suspects::Some(onto) if self.quiet_checks => Wanted::ForcingOrOnto(prey, onto),
            _ => Wanted::Forcing(prey),
        }
    }

    #[inline(always)]
    fn prey(&self, board: &Board, side: Colour) -> u64 {
        let mut prey = board.of(!side);
        if self.forcing_only && self.least > 0 {
            for kind in PieceKind::ALL {
                if worth(kind) < self.least && !kind.is_royal() {
                    prey &= !board.of_kind(kind);
                }
            }
        }
        prey
    }

    #[inline(always)]
    fn quiet_landing(&self, multiverse: &Multiverse, place: Place) -> u64 {
        if self.forcing_only && !self.quiet_checks {
            return 0;
        }
        let first = self.forcing_only || self.look.is_first();
        let named = self.tags.iter().chain(&self.killers).any(|tag| tag & JUMP_TAG != 0);
        if !first || named {
            return u64::MAX;
        }
        match self.suspects_landing(multiverse, place) {
            Suspects::None => 0,
            Suspects::All => u64::MAX,
            Suspects::Some(onto) => onto.squares(),
        }
    }

    #[inline(always)]
    fn foresee(&mut self, multiverse: &Multiverse, step: &Move, _: Place) -> Option<i32> {
        if !step.is_physical() {
            return self.foresee_jump(multiverse, step);
        }
        let onto = match &self.suspects {
            Suspects::None => return Some(0),
            Suspects::All => return None,
            Suspects::Some(onto) => onto,
        };
        let board = multiverse.board(step.from);
        let (from, to) = (step.from_square, step.to_square);
        let castles = board.king_like() & from.bit() != 0 && from.file().abs_diff(to.file()) == 2;
        // What moves a second piece, or opens a line along the board, is looked at when it is made.
        if onto.lines & from.bit() != 0 || castles || board.en_passant() == Some(to) {
            return None;
        }
        foresee_on(onto, board, step)
    }

    #[inline(always)]
    fn score_of_board(&mut self, multiverse: &Multiverse, board: &Board, place: Place) -> i32 {
        if !self.looks_for_checks(multiverse, place) {
            return 0;
        }
        let side = multiverse.side();
        let after_pass = Place { half_turn: place.half_turn + 1, ..place };
        let attacks = board.has_royal_attack(side)
            || multiverse.board_jumps_onto_royal(board, after_pass, side);
        if attacks { CHECK } else { 0 }
    }

    #[inline(always)]
    fn takes(&mut self, score: i32, jump: bool) -> bool {
        let forcing = score >= FORCING_ACTION;
        let narrow = self.look == Look::Narrow;
        forcing || if jump { !narrow && !self.quiet_checks } else { score > -UNLESS_CHECK / 2 }
    }

    fn most_branches(&self, playable: usize) -> usize {
        let most = match self.look {
            Look::Narrow | Look::LeftOut => 1,
            Look::WithoutQuietJumps | Look::Everything => playable,
        };
        most.min(self.branches)
    }

    fn sift(&mut self, mandatory: bool, moves: &mut Vec<(Move, i32)>) {
        let narrow = self.look == Look::Narrow;
        if self.forcing_only && self.single || !self.forcing_only && !narrow {
            return;
        }
        // On a board that must be played the best quiet moves stay, beside a forcing one elsewhere;
        // in a narrow search of an action all of them do.
        let kept = match (mandatory, self.forcing_only) {
            (false, _) => 0,
            (true, true) => QUIET_KEPT,
            (true, false) => return,
        };
        let mut best = [i32::MIN; QUIET_KEPT];
        for &(_, score) in moves.iter().filter(|(_, score)| *score < FORCING_ACTION) {
            if score > best[1] {
                best = if score > best[0] { [score, best[0]] } else { [best[0], score] };
            }
        }
        let mut left = kept;
        moves.retain_mut(|(_, score)| {
            if *score >= FORCING_ACTION {
                return true;
            }
            if left > 0 && *score >= best[1] {
                left -= 1;
                return true;
            }
            *score -= UNLESS_CHECK;
            self.quiet_checks
        });
    }

    /// Captures along a board come one after the other, and so do moves of the table's action.
    /// What was left out falls behind [`LEFT_OUT_ACTION`] after the best few jumps of a board.
    #[inline(always)]
    fn spread(&self, score: i32, jump: bool) -> i32 {
        match jump {
            false if score < FORCING_ACTION => FORCING / 100 * SPREAD.get(),
            true if score < FROM_TABLE / 2 => FORCING / 100 * JUMP_SPREAD.get(),
            _ => 0,
        }
    }

    #[inline(always)]
    fn score_of_pass(&mut self, mandatory: bool) -> i32 {
        if mandatory { -MANDATORY_PASS } else { 0 }
    }
}

/// Orders moves along boards: those that give check first, and then whatever changes least.
pub struct Mild<'a>(pub Ordering<'a>);

impl Chooser for Mild<'_> {
    fn score(&mut self, multiverse: &Multiverse, step: &Move, pieces: Pieces) -> Option<i32> {
        let index = History::index(multiverse.side(), pieces.moving, step.to_square, true);
        let history = self.0.history.0[index];
        Some(if pieces.taken.is_none() && step.promotion.is_none() {
            history - QUIET
        } else {
            -4 * QUIET
        })
    }

    fn look_at(&mut self, multiverse: &Multiverse, place: Place) -> Wanted {
        self.0.look_at(multiverse, place)
    }

    fn foresee(&mut self, multiverse: &Multiverse, step: &Move, place: Place) -> Option<i32> {
        self.0.foresee(multiverse, step, place)
    }

    fn score_of_board(&mut self, multiverse: &Multiverse, board: &Board, place: Place) -> i32 {
        self.0.score_of_board(multiverse, board, place)
    }

    fn jumps(&self) -> bool {
        false
    }

    fn score_of_pass(&mut self, mandatory: bool) -> i32 {
        self.0.score_of_pass(mandatory)
    }
}
