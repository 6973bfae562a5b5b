//! Single moves: what they are, which are pseudo-legal, and how they are made and taken back.

use std::ops::ControlFlow;

use super::{Attack, Jump, MAX_LINE, MAX_TURN, Multiverse, Place};
use crate::board::{Board, Colour, PieceKind, Square, Squares};

/// One move of one piece (R12, R13). Castling is the king's move, en passant the pawn's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The board that the piece leaves.
    pub from: Place,
    /// The square that the piece leaves.
    pub from_square: Square,
    /// The board that the piece lands on: the same one for a physical move.
    pub to: Place,
    /// The square that the piece lands on.
    pub to_square: Square,
    /// What it becomes, where it is promoted.
    pub promotion: Option<PieceKind>,
}

impl Move {
    /// Whether the move stays on its board.
    #[inline(always)]
    pub fn is_physical(&self) -> bool {
        self.from == self.to
    }
}

/// What a move moves and what stands where it goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// The kind of the piece that moves, before it is promoted.
    pub moving: PieceKind,
    /// The kind of the enemy piece on the square it goes to; what is taken en passant stands
    /// elsewhere.
    pub taken: Option<PieceKind>,
}

impl Pieces {
    /// Of a move from one board to another, or along it.
    #[inline(always)]
    pub fn of(from: &Board, to: &Board, step: &Move) -> Pieces {
        let taken = to.piece_at(step.to_square).map(|piece| piece.kind);
        Pieces { moving: from.kind_at(step.from_square), taken }
    }
}

/// What making a move did, needed to take it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// One board more on the move's timeline.
    Physical,
    /// One board more on the timelines left and entered (R13).
    Hop,
    /// One board more on the timeline left, and a new timeline.
    Branch,
}

impl Multiverse {
    /// Whether a jump of the side to move onto the board at `to` branches: always, but onto the
    /// latest board of a timeline (R13).
    #[inline(always)]
    pub fn branches(&self, to: Place) -> bool {
        self.latest_half_turn(to.line) != Some(to.half_turn)
    }

    /// Visits the pseudo-legal moves of the side to move from one playable board, until the
    /// visitor breaks: safety of royals is not looked at; each promotion is a move of its own.
    #[inline]
    pub fn moves_from<B>(
        &self,
        place: Place,
        visit: impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut visit = visit;
        self.physical_moves_from(place, |_| u64::MAX, &mut visit)?;
        self.jumps_from(place, |_, _| u64::MAX, &mut visit)
    }

    /// The physical moves among [`Multiverse::moves_from`] to the squares that are wanted of a
    /// piece, by the square that it leaves.
    #[inline(always)]
    pub fn physical_moves_from<B>(
        &self,
        place: Place,
        wanted: impl Fn(Square) -> u64,
        visit: &mut impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let board = self.board(place);
        let side = place.colour();
        let promoting = board.pawn_like() & board.of(side);
        let last_rank = board.last_rank(side);
        for from_square in Squares(board.of(side)) {
            let wanted = wanted(from_square);
            if wanted == 0 {
                continue;
            }
            for to_square in Squares(board.reach(from_square, side) & wanted) {
                let step = Move { from: place, from_square, to: place, to_square, promotion: None };
                if promoting & from_square.bit() != 0 && last_rank & to_square.bit() != 0 {
                    self.each_promotion(step, visit)?;
                } else {
                    visit(step)?;
                }
            }
        }
        for (from_square, to_square) in board.castlings(side) {
            if wanted(from_square) & to_square.bit() != 0 {
                visit(Move { from: place, from_square, to: place, to_square, promotion: None })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The superphysical moves among [`Multiverse::moves_from`], but for those to squares of a board
    /// that are not wanted; straight steps of pawns and brawns come in any case.
    #[inline(always)]
    pub fn jumps_from<B>(
        &self,
        place: Place,
        wanted: impl Fn(Place, &Board) -> u64,
        visit: &mut impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let side = place.colour();
        let open =
            |to: Place, target: &Board| (target.vacant() | target.of(!side)) & wanted(to, target);
        self.jumps(place, side, open, |jump| self.each_of_jump(place, jump, visit))?;
        for distance in 1..=2 {
            let (to, walking) = self.walking(place, distance);
            for from in Squares(walking) {
                self.each_of_jump(place, Jump { from, to, to_square: from, distance }, visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The superphysical moves among [`Multiverse::moves_from`] onto the board of another timeline,
    /// to wanted squares.
    #[inline(always)]
    pub fn jumps_onto_from<B>(
        &self,
        place: Place,
        to: Place,
        wanted: u64,
        visit: &mut impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let side = place.colour();
        let target = self.board(to);
        let open = (target.vacant() | target.of(!side)) & wanted;
        self.jumps_onto(place, to, side, open, |jump| self.each_of_jump(place, jump, visit))?;
        let distance = (place.line - to.line) * side.forward();
        if (1..=2).contains(&distance) && place.half_turn == to.half_turn {
            for from in Squares(self.walking(place, distance).1 & wanted) {
                self.each_of_jump(place, Jump { from, to, to_square: from, distance }, visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The pawns and brawns that may go so far, 1 or 2, straight along the timelines, and where to:
    /// forward is -1 for White, two from an unmoved pawn (R4).
    #[inline(always)]
    fn walking(&self, place: Place, distance: i32) -> (Place, u64) {
        let (board, side) = (self.board(place), place.colour());
        let at = |distance: i32| place.offset(-side.forward() * distance, 0);
        let mut walking = board.pawn_like() & board.of(side) & self.board(at(1)).vacant();
        if distance == 2 {
            walking &= self.board(at(2)).vacant() & board.unmoved();
        }
        (at(distance), walking)
    }

    /// Visits the moves that a jump stands for: several if it promotes.
    #[inline(always)]
    fn each_of_jump<B>(
        &self,
        place: Place,
        jump: Jump,
        visit: &mut impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (board, side) = (self.board(place), place.colour());
        let Jump { from, to, to_square, .. } = jump;
        let step = Move { from: place, from_square: from, to, to_square, promotion: None };
        let promotes =
            board.pawn_like() & from.bit() != 0 && board.last_rank(side) & to_square.bit() != 0;
        if promotes { self.each_promotion(step, visit) } else { visit(step) }
    }

    #[inline(always)]
    fn each_promotion<B>(
        &self,
        step: Move,
        visit: &mut impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for kind in self.promotions().kinds() {
            visit(Move { promotion: Some(kind), ..step })?;
        }
        ControlFlow::Continue(())
    }

    /// Every pseudo-legal move of the side to move, by timeline.
    pub fn pseudo_legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for place in self.lines().filter_map(|line| self.playable(line, self.side())) {
            let _ = self.moves_from(place, |step| {
                moves.push(step);
                ControlFlow::<()>::Continue(())
            });
        }
        moves
    }

    /// Whether the move is pseudo-legal for the side to move.
    pub fn is_pseudo_legal(&self, step: &Move) -> bool {
        let playable = self.playable(step.from.line, self.side()) == Some(step.from);
        playable
            && self
                .moves_from(step.from, |other| {
                    if other == *step { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                })
                .is_break()
    }

    /// Whether one more move could pass the limits on timelines and turns. Callers that make
    /// moves from outside refuse to go on then.
    pub fn is_full(&self) -> bool {
        let turn = self.lines().filter_map(|line| self.latest(line)).map(Place::turn).max();
        self.highest_line() >= MAX_LINE
            || self.lowest_line() <= -MAX_LINE
            || turn.is_some_and(|turn| turn >= MAX_TURN)
    }

    /// Makes one pseudo-legal move of the side to move. The boards are added to the pool.
    pub fn make_move(&mut self, step: &Move) -> Made {
        let side = self.side();
        let board = *self.board(step.from);
        if step.is_physical() {
            let id =
                self.add_to_pool(board.moved(step.from_square, step.to_square, step.promotion));
            self.push(step.from.line, id);
            self.debug_audit();
            return Made::Physical;
        }
        let made = if self.branches(step.to) { Made::Branch } else { Made::Hop };
        let arrival = self.arrival(step, side);
        let left = self.add_to_pool(board.departed(step.from_square));
        let entered = self.add_to_pool(arrival);
        self.push(step.from.line, left);
        if made == Made::Hop {
            self.push(step.to.line, entered);
        } else {
            self.open(side, step.to.half_turn + 1, entered);
        }
        self.debug_audit();
        made
    }

    /// The board that a jump makes where it lands.
    #[inline(always)]
    pub fn arrival(&self, step: &Move, side: Colour) -> Board {
        let target = self.board(step.to);
        let kind = self.board(step.from).piece_at(step.from_square);
        let kind = kind.map_or(PieceKind::Queen, |piece| piece.kind);
        let kind = target.promoted(kind, side, step.to_square, step.promotion);
        target.arrived(step.to_square, kind, side)
    }

    /// Takes back the move made last.
    pub fn unmake_move(&mut self, step: &Move, made: Made) {
        match made {
            Made::Physical => {}
            Made::Hop => self.pop(step.to.line),
            Made::Branch => self.close(self.side()),
        }
        self.pop(step.from.line);
        let boards = if made == Made::Physical { 1 } else { 2 };
        self.shrink_pool(self.pool_mark() - boards);
        self.debug_audit();
    }

    /// Passes for the side to move on every active board of the present, as the definition of
    /// check wants it (R24), and gives the turn to the opponent. Returns the timelines, for
    /// [`Multiverse::end_pass`].
    pub fn begin_pass(&mut self) -> Vec<i32> {
        let present = self.present();
        let active = self.active_lines();
        let mut lines = self.spare_lines.pop().unwrap_or_default();
        lines.extend(active.filter(|&line| self.latest_half_turn(line) == Some(present)));
        for &line in &lines {
            let board = self.board_at(line, present).passed();
            let id = self.add_to_pool(board);
            self.push(line, id);
        }
        self.set_side(!self.side());
        lines
    }

    /// Takes a pass back.
    pub fn end_pass(&mut self, mut lines: Vec<i32>) {
        self.set_side(!self.side());
        for &line in lines.iter().rev() {
            self.pop(line);
        }
        self.shrink_pool(self.pool_mark() - lines.len());
        lines.clear();
        self.spare_lines.push(lines);
    }

    /// Runs `f` on the position after a pass, and restores it.
    pub fn with_pass<R>(&mut self, f: impl FnOnce(&mut Multiverse) -> R) -> R {
        let lines = self.begin_pass();
        let result = f(self);
        self.end_pass(lines);
        result
    }

    /// Whether the side to move is in check (R24).
    pub fn in_check(&mut self) -> bool {
        let side = self.side();
        if self.has_one_line()
            && let Some(place) = self.playable(self.lowest_line(), side)
        {
            // Nothing is attacked from elsewhere, so the board after the pass need not stand there.
            let (board, half_turn) = (self.board(place), place.half_turn + 1);
            let found = board.has_royal_attack(!side)
                || self.takers_behind(board, Place { half_turn, ..place }, !side) != 0;
            debug_assert_eq!(found, self.with_pass(|passed| passed.can_take_royal(!side)));
            return found;
        }
        self.briefly(|it| it.with_pass(|passed| passed.can_take_royal(!side)))
    }

    /// Runs `f` on the position after the pass that defines check (R24), with the captures of
    /// royals that the opponent has there: none if there is no check.
    pub fn with_check<R>(&mut self, f: impl FnOnce(&Multiverse, &[Attack]) -> R) -> R {
        let side = self.side();
        self.with_pass(|passed| {
            let attacks = passed.royal_attacks(!side);
            f(passed, &attacks)
        })
    }
}
