//! Several boards at once: what any of them shows, so that one walk along rays answers for all.

use super::{Board, PieceKind, Square};

impl Board {
    /// Adds what another board of the same size shows: every piece of either stands, and every
    /// square is vacant that is vacant on either. Not a board of the game; rays through it find
    /// whatever they find on any of the boards that it was blended from.
    #[inline(always)]
    pub fn blend(&mut self, other: &Board) {
        self.colours[0] |= other.colours[0];
        self.colours[1] |= other.colours[1];
        self.empty |= other.empty;
        self.rook_like |= other.rook_like;
        self.bishop_like |= other.bishop_like;
        self.unicorn_like |= other.unicorn_like;
        self.dragon_like |= other.dragon_like;
        self.knights |= other.knights;
        self.king_like |= other.king_like;
        self.pawn_like |= other.pawn_like;
        self.brawns |= other.brawns;
        self.royals |= other.royals;
    }

    /// Adds what the board shows that a move along `base` makes, which is blended in already.
    pub fn blend_move(
        &mut self,
        base: &Board,
        from: Square,
        to: Square,
        promotion: Option<PieceKind>,
    ) {
        let castles = base.king_like & from.bit() != 0 && from.file().abs_diff(to.file()) == 2;
        let takes_en_passant = base.pawn_like & from.bit() != 0 && base.en_passant() == Some(to);
        if castles || takes_en_passant || promotion.is_some() {
            // More than a piece that goes from one square to another.
            self.blend(&base.moved(from, to, promotion));
            return;
        }
        let there = |set: u64| (set >> from.index() & 1) << to.index();
        self.empty |= from.bit();
        self.colours[0] |= there(base.colours[0]);
        self.colours[1] |= there(base.colours[1]);
        self.rook_like |= there(base.rook_like);
        self.bishop_like |= there(base.bishop_like);
        self.unicorn_like |= there(base.unicorn_like);
        self.dragon_like |= there(base.dragon_like);
        self.knights |= there(base.knights);
        self.king_like |= there(base.king_like);
        self.pawn_like |= there(base.pawn_like);
        self.brawns |= there(base.brawns);
        self.royals |= there(base.royals);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Colour, Piece, Size};

    #[test]
    fn a_move_is_blended_as_the_board_it_makes() {
        let mut base = Board::empty(Size { width: 8, height: 8 });
        let mut put = |file, rank, kind, colour, unmoved| {
            base.put(Square::new(file, rank), Piece { kind, colour, unmoved });
        };
        // Every kind; a pawn to promote, one to take en passant, and a king to castle.
        for (file, &kind) in (0..).zip(PieceKind::ALL.iter()) {
            put(file % 8, 1 + file / 8, kind, Colour::White, false);
        }
        put(4, 0, PieceKind::King, Colour::White, true);
        put(7, 0, PieceKind::Rook, Colour::White, true);
        put(1, 6, PieceKind::Pawn, Colour::White, false);
        put(5, 4, PieceKind::Pawn, Colour::White, false);
        put(6, 4, PieceKind::Pawn, Colour::Black, false);
        base.set_en_passant(Some(Square::new(6, 5)));
        let mut tried = 0;
        for (from, piece) in base.pieces().filter(|(_, piece)| piece.colour == Colour::White) {
            for to in (0..8).flat_map(|file| (0..8).map(move |rank| Square::new(file, rank))) {
                if base.colour_at(to) == Some(Colour::White) {
                    continue;
                }
                let last = piece.kind.is_pawn_like() && to.rank() == 7;
                let promotion = last.then_some(PieceKind::Knight);
                let (mut short, mut long) = (base.passed(), base.passed());
                short.blend_move(&base, from, to, promotion);
                long.blend(&base.moved(from, to, promotion));
                assert_eq!(short, long, "{} {from}{to}", piece.kind.letter());
                tried += 1;
            }
        }
        assert!(tried > 500);
    }
}
