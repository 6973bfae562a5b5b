//! Where pieces go along their own board, and what is attacked along it (R2 to R8).

use super::{
    Board, Colour, NO_SQUARE, PieceKind, Square, Squares, bishop_reach, king_reach, knight_reach,
    pawn_reach, rook_reach, shift,
};

/// Castling with the rook exactly two files away, the king landing on the rook's square, is
/// allowed (R8).
const CASTLING_ROOK_TWO_AWAY: bool = true;

impl Board {
    /// The squares that the piece on `from` reaches along the board, castling left out: vacant
    /// or held by the enemy, straight steps and captures of pawns included.
    #[inline(always)]
    pub fn reach(&self, from: Square, colour: Colour) -> u64 {
        let bit = from.bit();
        if self.pawn_like & bit != 0 {
            let forward = colour.forward();
            let straight = shift(bit, 0, forward) & self.empty;
            let mut set = straight;
            if self.unmoved & bit != 0 {
                set |= shift(straight, 0, forward) & self.empty;
            }
            let mut targets = self.of(!colour);
            if self.en_passant != NO_SQUARE {
                targets |= 1 << (self.en_passant & 63);
            }
            return set | pawn_reach(colour.index(), from) & targets;
        }
        self.covers(from) & (self.empty | self.of(!colour))
    }

    /// The squares that the piece on `from`, no pawn or brawn, goes to or guards along the board.
    #[inline(always)]
    pub fn covers(&self, from: Square) -> u64 {
        let (bit, blockers) = (from.bit(), !self.empty);
        let mut set = 0;
        if self.knights & bit != 0 {
            set |= knight_reach(from);
        }
        if self.king_like & bit != 0 {
            set |= king_reach(from);
        }
        if self.rook_like & bit != 0 {
            set |= rook_reach(from, blockers);
        }
        if self.bishop_like & bit != 0 {
            set |= bishop_reach(from, blockers);
        }
        set
    }

    /// Where the kings of `colour` may go by castling: pairs of the king's squares before and
    /// after (R8).
    pub fn castlings(&self, colour: Colour) -> impl Iterator<Item = (Square, Square)> + '_ {
        let kings = self.king_like & self.royals(colour) & self.unmoved;
        Squares(kings).flat_map(move |king| {
            [1, -1].into_iter().filter_map(move |step| {
                self.castling_rook(king, step)?;
                let (crossed, target) = (king.offset(step, 0)?, king.offset(2 * step, 0)?);
                let safe = [king, crossed, target]
                    .into_iter()
                    .all(|square| !self.attacks_square(!colour, square));
                safe.then_some((king, target))
            })
        })
    }

    /// The unmoved rook of its own side with which an unmoved king on `king` could castle in the
    /// direction `step` (R8); attacks are not looked at.
    pub(super) fn castling_rook(&self, king: Square, step: i32) -> Option<Square> {
        let mut at = king.offset(step, 0)?;
        while self.empty & at.bit() != 0 {
            at = at.offset(step, 0)?;
        }
        let rook = self.piece_at(at)?;
        let own = self.piece_at(king)?.colour == rook.colour;
        let distance = at.file().abs_diff(king.file());
        let near = if CASTLING_ROOK_TWO_AWAY { 2 } else { 3 };
        let fits = own && rook.kind == PieceKind::Rook && rook.unmoved && distance >= near;
        fits.then_some(at)
    }

    /// The pieces of `by` on this board that attack the square along the board.
    #[inline(always)]
    pub fn attackers(&self, by: Colour, square: Square) -> u64 {
        self.attackers_among(!self.empty, by, square)
    }

    /// The same if of all pieces only those on the squares `left` were there.
    #[inline(always)]
    pub(super) fn attackers_among(&self, left: u64, by: Colour, square: Square) -> u64 {
        let own = self.of(by) & left;
        let mut set = knight_reach(square) & self.knights
            | king_reach(square) & self.king_like
            | pawn_reach((!by).index(), square) & self.pawn_like;
        set &= own;
        let rooks = self.rook_like & own;
        if rooks != 0 {
            set |= rook_reach(square, left) & rooks;
        }
        let bishops = self.bishop_like & own;
        if bishops != 0 {
            set |= bishop_reach(square, left) & bishops;
        }
        set
    }

    /// Whether a piece of `by` on this board attacks the square along the board.
    #[inline(always)]
    pub fn attacks_square(&self, by: Colour, square: Square) -> bool {
        self.attackers(by, square) != 0
    }

    /// Whether a piece of `by` on this board attacks a royal of the other side along the board.
    #[inline]
    pub fn has_royal_attack(&self, by: Colour) -> bool {
        Squares(self.royals(!by)).any(|square| self.attacks_square(by, square))
    }

    /// Whether the piece of `colour` on `from`, once it has moved to `to` along the board, leaves a
    /// royal of its side attacked along it. The move must be pseudo-legal.
    #[inline(always)]
    pub fn exposes_royal(&self, from: Square, to: Square, colour: Colour) -> bool {
        let (leaves, taken) = (from.bit(), self.taken_by(from, to));
        let castles = self.king_like & leaves != 0 && from.file().abs_diff(to.file()) == 2;
        if castles {
            return self.moved(from, to, None).has_royal_attack(!colour);
        }
        let left = !self.empty & !(leaves | taken) | to.bit();
        let mut royals = self.royals(colour);
        if royals & leaves != 0 {
            royals ^= leaves | to.bit();
        }
        let exposes =
            Squares(royals).any(|royal| self.attackers_among(left, !colour, royal) & !taken != 0);
        debug_assert_eq!(exposes, self.moved(from, to, None).has_royal_attack(!colour));
        exposes
    }

    /// The squares from which a piece of `colour` cannot move without the board being looked at
    /// for attacks on its royals: those of the royals themselves, of whatever may stand between
    /// one and an enemy slider, and of what may take en passant, which takes a piece off a third
    /// square; everything if a royal is attacked.
    pub fn guarded(&self, colour: Colour) -> u64 {
        if self.has_royal_attack(!colour) {
            return u64::MAX;
        }
        let en_passant = self
            .en_passant()
            .map_or(0, |crossed| pawn_reach((!colour).index(), crossed) & self.pawn_like);
        let (own, enemy) = (self.of(colour), self.of(!colour));
        let (rooks, bishops) = (self.rook_like & enemy, self.bishop_like & enemy);
        Squares(self.royals(colour)).fold(en_passant, |set, square| {
            let mut shields = 0;
            if rook_reach(square, 0) & rooks != 0 {
                shields |= rook_reach(square, !self.empty);
            }
            if bishop_reach(square, 0) & bishops != 0 {
                shields |= bishop_reach(square, !self.empty);
            }
            set | square.bit() | shields & own
        })
    }
}
