//! Owns how pieces move: pseudo-legal moves, what a move does to the multiverse, submitting.
//! It must not ask whether a whole action is legal beyond the rule of submitting itself.

use std::sync::{Arc, LazyLock};

use super::board::{Board, Colour, Kind, Piece};
use super::position::{Position, Square};

/// R8: how near the rook may stand for castling. At 2 the king lands on the rook's square;
/// some programs want 3.
pub const CASTLING_MIN_ROOK_DISTANCE: i32 = 2;

/// One move of one piece. Castling is the king's move (R31).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    pub from: Square,
    pub to: Square,
    pub promotion: Option<Kind>,
}

impl Move {
    /// R12, R13: physical moves stay on their board.
    pub fn is_physical(self) -> bool {
        self.from.board() == self.to.board()
    }
}

/// R1: a vector in files, ranks, turns and timelines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub dx: i32,
    pub dy: i32,
    pub dt: i32,
    pub dl: i32,
}

impl Step {
    fn new(dx: i32, dy: i32, dt: i32, dl: i32) -> Step {
        Step { dx, dy, dt, dl }
    }

    /// The square `times` steps away. A step in time is a full turn, two half-turns.
    pub fn from(self, square: Square, times: i32) -> Square {
        Square {
            timeline: square.timeline + times * self.dl,
            half_turn: square.half_turn + times * 2 * self.dt,
            x: square.x + times * self.dx,
            y: square.y + times * self.dy,
        }
    }

    fn entries(self) -> [i32; 4] {
        [self.dx, self.dy, self.dt, self.dl]
    }

    /// Along how many axes it goes.
    fn axes(self) -> usize {
        self.entries().iter().filter(|entry| **entry != 0).count()
    }

    /// All vectors with entries from −reach to reach, but not the zero vector.
    fn all(reach: i32) -> Vec<Step> {
        let mut steps = Vec::new();
        for dx in -reach..=reach {
            for dy in -reach..=reach {
                for dt in -reach..=reach {
                    for dl in -reach..=reach {
                        steps.push(Step::new(dx, dy, dt, dl));
                    }
                }
            }
        }
        steps.retain(|step| step.axes() > 0);
        steps
    }
}

/// R1: along how many axes a slider may go; `None` for the other kinds.
fn slider_axes(kind: Kind) -> Option<std::ops::RangeInclusive<usize>> {
    match kind {
        Kind::Rook => Some(1..=1),
        Kind::Bishop => Some(2..=2),
        Kind::Unicorn => Some(3..=3),
        Kind::Dragon => Some(4..=4),
        Kind::Princess => Some(1..=2),
        Kind::Queen | Kind::RoyalQueen => Some(1..=4),
        _ => None,
    }
}

/// R1: one step along any number of axes; the directions of the sliders too.
static KING_STEPS: LazyLock<Vec<Step>> = LazyLock::new(|| Step::all(1));

/// R1: two along one axis and one along another.
static KNIGHT_STEPS: LazyLock<Vec<Step>> = LazyLock::new(|| {
    let two_and_one = |step: &Step| {
        let mut lengths = step.entries().map(i32::abs);
        lengths.sort();
        lengths == [0, 0, 1, 2]
    };
    Step::all(2).into_iter().filter(two_and_one).collect()
});

/// R1: the steps of the pieces that take one step of a fixed shape.
fn leaper_steps(kind: Kind) -> &'static [Step] {
    match kind {
        Kind::King | Kind::CommonKing => &KING_STEPS,
        Kind::Knight => &KNIGHT_STEPS,
        _ => &[],
    }
}

/// R4: the straight steps of pawn and brawn: forward along y, forward along l.
fn straight_steps(colour: Colour) -> [Step; 2] {
    let forward = colour.forward();
    [Step::new(0, forward, 0, 0), Step::new(0, 0, 0, -forward)]
}

/// R5, R6: the capturing steps of pawn and brawn.
fn capture_steps(kind: Kind, colour: Colour) -> Vec<Step> {
    let y = colour.forward();
    let l = -y;
    let mut steps = vec![
        Step::new(-1, y, 0, 0),
        Step::new(1, y, 0, 0),
        Step::new(0, 0, -1, l),
        Step::new(0, 0, 1, l),
    ];
    if kind == Kind::Brawn {
        steps.extend([
            Step::new(0, y, -1, 0),
            Step::new(0, y, 1, 0),
            Step::new(0, y, 0, l),
            Step::new(-1, 0, 0, l),
            Step::new(1, 0, 0, l),
        ]);
    }
    steps
}

/// Pseudo-legal moves: royal safety is ignored, kings may be taken.
impl Position {
    /// R17: the moves with which the mover may begin or go on with the action.
    pub fn pseudo_moves(&self) -> Vec<Move> {
        self.pseudo_moves_of(self.side)
    }

    /// The moves of a side from every board that is playable for it, sorted.
    pub fn pseudo_moves_of(&self, colour: Colour) -> Vec<Move> {
        let mut moves = Vec::new();
        for timeline in self.timelines() {
            let half_turn = self.latest(timeline);
            if Colour::of_half_turn(half_turn) != colour {
                continue;
            }
            for (x, y, piece) in self.boards[&(timeline, half_turn)].pieces() {
                let from = Square { timeline, half_turn, x, y };
                if piece.colour == colour {
                    for to in self.targets(from, piece) {
                        self.push_moves(from, to, piece, &mut moves);
                    }
                }
            }
        }
        moves.sort();
        moves
    }

    /// R17: whether the mover may begin or go on with this move: as `pseudo_moves`, for one piece.
    pub fn is_pseudo_move(&self, mv: Move) -> bool {
        if !self.is_playable(mv.from.board(), self.side) {
            return false;
        }
        let Some(Some(piece)) = self.look(mv.from) else { return false };
        let mut moves = Vec::new();
        self.push_moves(mv.from, mv.to, piece, &mut moves);
        piece.colour == self.side
            && self.targets(mv.from, piece).contains(&mv.to)
            && moves.contains(&mv)
    }

    /// R9: one move, or one for each allowed promotion.
    fn push_moves(&self, from: Square, to: Square, piece: Piece, moves: &mut Vec<Move>) {
        let last_rank = match piece.colour {
            Colour::White => self.height - 1,
            Colour::Black => 0,
        };
        if piece.kind.is_pawn_like() && to.y == last_rank {
            for &kind in &self.promotions {
                let promotion = Some(kind);
                moves.push(Move { from, to, promotion });
            }
        } else {
            let promotion = None;
            moves.push(Move { from, to, promotion });
        }
    }

    /// Where a piece that stands on a playable board may go.
    fn targets(&self, from: Square, piece: Piece) -> Vec<Square> {
        let mut targets = Vec::new();
        if let Some(axes) = slider_axes(piece.kind) {
            for &step in KING_STEPS.iter() {
                if axes.contains(&step.axes()) {
                    self.slide(from, step, piece.colour, &mut targets);
                }
            }
        }
        for step in leaper_steps(piece.kind) {
            let to = step.from(from, 1);
            if self.may_enter(to, piece.colour) {
                targets.push(to);
            }
        }
        if piece.kind.is_pawn_like() {
            self.pawn_targets(from, piece, &mut targets);
        }
        if piece.kind == Kind::King && piece.unmoved {
            self.castling_targets(from, piece.colour, &mut targets);
        }
        targets
    }

    /// R2: the square exists and does not hold a piece of its own side.
    fn may_enter(&self, to: Square, colour: Colour) -> bool {
        match self.look(to) {
            Some(Some(piece)) => piece.colour != colour,
            Some(None) => true,
            None => false,
        }
    }

    fn is_vacant(&self, square: Square) -> bool {
        self.look(square) == Some(None)
    }

    fn holds_colour(&self, square: Square, colour: Colour) -> bool {
        matches!(self.look(square), Some(Some(piece)) if piece.colour == colour)
    }

    /// R2: on until the first piece, or the first square or board that is not there.
    fn slide(&self, from: Square, step: Step, colour: Colour, targets: &mut Vec<Square>) {
        for distance in 1.. {
            let to = step.from(from, distance);
            if self.may_enter(to, colour) {
                targets.push(to);
            }
            if !self.is_vacant(to) {
                break;
            }
        }
    }

    /// R4, R5, R6, R7.
    fn pawn_targets(&self, from: Square, pawn: Piece, targets: &mut Vec<Square>) {
        for step in straight_steps(pawn.colour) {
            let (one, two) = (step.from(from, 1), step.from(from, 2));
            if self.is_vacant(one) {
                targets.push(one);
                if pawn.unmoved && self.is_vacant(two) {
                    targets.push(two);
                }
            }
        }
        for step in capture_steps(pawn.kind, pawn.colour) {
            let to = step.from(from, 1);
            let en_passant = to.board() == from.board()
                && self.boards[&from.board()].en_passant == Some((to.x, to.y));
            if self.holds_colour(to, pawn.colour.opponent()) || en_passant {
                targets.push(to);
            }
        }
    }

    /// R8, for an unmoved king.
    fn castling_targets(&self, from: Square, colour: Colour, targets: &mut Vec<Square>) {
        for dx in [-1, 1] {
            let towards = Step::new(dx, 0, 0, 0);
            let vacant_files = (1..).take_while(|&n| self.is_vacant(towards.from(from, n))).count();
            let distance = vacant_files as i32 + 1;
            let Some(Some(nearest)) = self.look(towards.from(from, distance)) else {
                continue;
            };
            let own_unmoved_rook = nearest.is(Kind::Rook, colour) && nearest.unmoved;
            let safe = |n: i32| !self.is_attacked_on_board(towards.from(from, n), colour);
            let far_enough = distance >= CASTLING_MIN_ROOK_DISTANCE;
            if own_unmoved_rook && far_enough && (0..=2).all(safe) {
                targets.push(towards.from(from, 2));
            }
        }
    }

    /// R8: whether an enemy piece on the same board attacks the square: whether it could take a
    /// piece of `colour` there if it were to move on this board.
    fn is_attacked_on_board(&self, square: Square, colour: Colour) -> bool {
        let pieces = self.boards[&square.board()].pieces();
        pieces.into_iter().filter(|p| p.2.colour != colour).any(|(x, y, enemy)| {
            let from = Square { x, y, ..square };
            let steps = match enemy.kind {
                Kind::Pawn | Kind::Brawn => capture_steps(enemy.kind, enemy.colour),
                Kind::King | Kind::CommonKing | Kind::Knight => leaper_steps(enemy.kind).to_vec(),
                _ => KING_STEPS.to_vec(),
            };
            let mut physical = steps.into_iter().filter(|step| step.dt == 0 && step.dl == 0);
            physical.any(|step| self.attacks_along(from, step, enemy, square))
        })
    }

    /// Whether the piece, going along the step, comes to the target with nothing between.
    fn attacks_along(&self, from: Square, step: Step, piece: Piece, target: Square) -> bool {
        let Some(axes) = slider_axes(piece.kind) else {
            return step.from(from, 1) == target;
        };
        let mut distance = 1;
        while step.from(from, distance) != target && self.is_vacant(step.from(from, distance)) {
            distance += 1;
        }
        axes.contains(&step.axes()) && step.from(from, distance) == target
    }
}

/// What moves do.
impl Position {
    /// R13: whether the move leaves its board for one that cannot be hopped onto. Boards used in
    /// this action are no longer the latest of their timelines, so they are branched from.
    pub fn creates_timeline(&self, mv: Move) -> bool {
        !mv.is_physical() && !self.is_playable(mv.to.board(), self.side)
    }

    /// The position after one move of the mover. The move must be pseudo-legal, as `find_move`
    /// makes sure; here only that piece and board are the mover's.
    pub fn make(&self, mv: Move) -> Position {
        assert!(self.is_playable(mv.from.board(), self.side), "R17: {mv}");
        let origin = &self.boards[&mv.from.board()];
        let piece = origin.get(mv.from.x, mv.from.y).expect("an empty square");
        assert_eq!(piece.colour, self.side, "R17: {mv}");
        let landed = match mv.promotion {
            Some(kind) => Piece { kind, ..piece }.moved(),
            None => piece.moved(),
        };

        let mut after = self.clone();
        if mv.is_physical() {
            // R12.
            after.add(mv.from.timeline, mv.from.half_turn + 1, physical(origin, mv, landed));
            return after;
        }

        // R13. The copy of the target board is taken from a board that no move changes.
        let mut left = origin.next();
        left.set(mv.from.x, mv.from.y, None);
        after.add(mv.from.timeline, mv.from.half_turn + 1, left);

        let mut entered = self.boards[&mv.to.board()].next();
        entered.set(mv.to.x, mv.to.y, Some(landed));
        let timeline =
            if self.creates_timeline(mv) { self.next_timeline(self.side) } else { mv.to.timeline };
        after.add(timeline, mv.to.half_turn + 1, entered);
        after
    }

    fn add(&mut self, timeline: i32, half_turn: i32, board: Board) {
        let before = self.boards.insert((timeline, half_turn), Arc::new(board));
        assert!(before.is_none(), "a board never changes");
    }

    /// R24: the side to move passes on every active board of the present. R7: nobody has just
    /// made a double step on the boards that this makes.
    pub fn pass(&self) -> Position {
        let present = self.present();
        let mut after = self.clone();
        for timeline in self.active() {
            if self.latest(timeline) == present {
                let next = self.boards[&(timeline, present)].next();
                after.add(timeline, present + 1, next);
            }
        }
        after.side = self.side.opponent();
        after
    }

    /// R22: the moves by which a side could take a royal, from any board playable for it.
    pub fn royal_captures(&self, by: Colour) -> Vec<Move> {
        let takes_royal = |mv: &Move| match self.look(mv.to) {
            Some(Some(target)) => target.colour != by && target.kind.is_royal(),
            _ => false,
        };
        let moves = self.pseudo_moves_of(by);
        moves.into_iter().filter(takes_royal).collect()
    }

    /// R22.
    pub fn can_take_royal(&self, by: Colour) -> bool {
        !self.royal_captures(by).is_empty()
    }

    /// The first half of R21: the present shows the opponent's colour.
    pub fn present_has_passed(&self) -> bool {
        Colour::of_half_turn(self.present()) != self.side
    }

    /// R21: the present shows the opponent's colour and no royal of the mover can be taken.
    pub fn can_submit(&self) -> bool {
        self.present_has_passed() && !self.can_take_royal(self.side.opponent())
    }

    /// R21: hands over to the opponent.
    pub fn submit(&self) -> Result<Position, String> {
        if self.can_take_royal(self.side.opponent()) {
            return Err("cannot submit: a royal can be taken".to_string());
        }
        self.submit_hanging()
    }

    /// As `submit`, but with royals left hanging, as histories of games may have it.
    pub fn submit_hanging(&self) -> Result<Position, String> {
        if !self.present_has_passed() {
            return Err("cannot submit: the present has not passed".to_string());
        }
        let side = self.side.opponent();
        Ok(Position { side, ..self.clone() })
    }
}

/// R12: the board that a move within the board makes. `landed` is the piece as it arrives.
pub fn physical(origin: &Board, mv: Move, landed: Piece) -> Board {
    let (from, to) = (mv.from, mv.to);
    let mut board = origin.next();
    board.set(from.x, from.y, None);

    let (dx, dy) = (to.x - from.x, to.y - from.y);
    if landed.kind == Kind::King && dx.abs() == 2 {
        // R8. The rook is lifted before the king lands, which may be on its square.
        let mut x = from.x + dx.signum();
        while origin.get(x, from.y).is_none() {
            x += dx.signum();
        }
        let rook = origin.get(x, from.y).map(Piece::moved);
        board.set(x, from.y, None);
        board.set(from.x + dx.signum(), from.y, rook);
    }

    let is_pawn = origin.get(from.x, from.y).is_some_and(|p| p.kind.is_pawn_like());
    if is_pawn && dx != 0 && origin.get(to.x, to.y).is_none() {
        // R7: only an en passant capture goes diagonally to a vacant square.
        board.set(to.x, from.y, None);
    }
    if is_pawn && dy.abs() == 2 && mv.promotion.is_none() {
        // R7: promotion gives no right.
        board.en_passant = Some((from.x, from.y + dy.signum()));
    }

    board.set(to.x, to.y, Some(landed));
    board
}
