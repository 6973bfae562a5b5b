//! One board: pieces on at most 8x8 squares, as sets of squares by mover class.
//!
//! A board never changes once it stands in a multiverse: a move makes a new one from it. This
//! layer knows nothing of timelines and turns; what a move does to one board (R7 to R10) is
//! decided here, which boards a move touches is decided above.

mod blend;
mod exchange;
mod piece;
mod reach;
mod square;
mod zobrist;

pub use piece::{Colour, Piece, PieceKind};
pub use square::{
    DIRECTIONS, Size, Square, Squares, bishop_reach, king_reach, knight_reach, pawn_reach,
    rook_reach, shift,
};
pub use zobrist::{BLACK_TO_MOVE, mix};

const NO_SQUARE: u8 = 64;

/// The pieces of one board, with its key. Absent boards are all zero: no square of them is empty
/// and none is occupied, so nothing passes through or lands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    colours: [u64; 2],
    empty: u64,
    /// Moves along one axis: rooks, princesses, queens, royal queens.
    rook_like: u64,
    /// Moves along two axes: bishops, princesses, queens, royal queens.
    bishop_like: u64,
    /// Moves along three axes: unicorns, queens, royal queens.
    unicorn_like: u64,
    /// Moves along four axes: dragons, queens, royal queens.
    dragon_like: u64,
    knights: u64,
    /// Kings and common kings.
    king_like: u64,
    /// Pawns and brawns.
    pawn_like: u64,
    brawns: u64,
    /// Kings and royal queens.
    royals: u64,
    unmoved: u64,
    key: u64,
    en_passant: u8,
    width: u8,
    height: u8,
}

impl Board {
    /// The board that is not there.
    pub const ABSENT: Board = Board {
        colours: [0; 2],
        empty: 0,
        rook_like: 0,
        bishop_like: 0,
        unicorn_like: 0,
        dragon_like: 0,
        knights: 0,
        king_like: 0,
        pawn_like: 0,
        brawns: 0,
        royals: 0,
        unmoved: 0,
        key: 0,
        en_passant: NO_SQUARE,
        width: 0,
        height: 0,
    };

    /// A board without pieces.
    pub fn empty(size: Size) -> Board {
        Board {
            empty: size.squares(),
            key: zobrist::BOARD,
            width: size.width,
            height: size.height,
            ..Board::ABSENT
        }
    }

    /// Whether there is a board at all.
    #[inline(always)]
    pub fn is_present(&self) -> bool {
        self.width != 0
    }

    /// Files and ranks.
    pub fn size(&self) -> Size {
        Size { width: self.width, height: self.height }
    }

    /// The key: equal boards have equal keys.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The squares without a piece.
    #[inline(always)]
    pub fn vacant(&self) -> u64 {
        self.empty
    }

    /// The pieces of a colour.
    #[inline(always)]
    pub fn of(&self, colour: Colour) -> u64 {
        self.colours[colour.index()]
    }

    /// The kings and royal queens of a colour.
    #[inline(always)]
    pub fn royals(&self, colour: Colour) -> u64 {
        self.royals & self.of(colour)
    }

    /// The pieces that move along exactly `axes` axes (1 to 4), of both colours.
    #[inline(always)]
    pub fn sliders(&self, axes: usize) -> u64 {
        [self.rook_like, self.bishop_like, self.unicorn_like, self.dragon_like][(axes + 3) & 3]
    }

    /// The knights of both colours.
    #[inline(always)]
    pub fn knights(&self) -> u64 {
        self.knights
    }

    /// The kings and common kings of both colours.
    #[inline(always)]
    pub fn king_like(&self) -> u64 {
        self.king_like
    }

    /// The pawns and brawns of both colours.
    #[inline(always)]
    pub fn pawn_like(&self) -> u64 {
        self.pawn_like
    }

    /// The brawns of both colours.
    #[inline(always)]
    pub fn brawns(&self) -> u64 {
        self.brawns
    }

    /// The pieces that have never moved, of the kinds for which that matters.
    #[inline(always)]
    pub fn unmoved(&self) -> u64 {
        self.unmoved
    }

    /// The square that a pawn has just crossed by a double step, where it may be taken (R7).
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        (self.en_passant != NO_SQUARE).then(|| Square::from_index(self.en_passant.into()))
    }

    /// The last rank of a colour, where its pawns and brawns are promoted (R9).
    #[inline(always)]
    pub fn last_rank(&self, colour: Colour) -> u64 {
        match colour {
            Colour::White => 0xff << (8 * (self.height.wrapping_sub(1) & 7)),
            Colour::Black => 0xff,
        }
    }

    /// The pieces of one kind, of both colours.
    #[inline(always)]
    pub fn of_kind(&self, kind: PieceKind) -> u64 {
        let queens = self.rook_like & self.unicorn_like;
        match kind {
            PieceKind::Pawn => self.pawn_like & !self.brawns,
            PieceKind::Brawn => self.brawns,
            PieceKind::King => self.king_like & self.royals,
            PieceKind::CommonKing => self.king_like & !self.royals,
            PieceKind::Queen => queens & !self.royals,
            PieceKind::RoyalQueen => queens & self.royals,
            PieceKind::Princess => self.rook_like & self.bishop_like & !queens,
            PieceKind::Rook => self.rook_like & !self.bishop_like,
            PieceKind::Bishop => self.bishop_like & !self.rook_like,
            PieceKind::Knight => self.knights,
            PieceKind::Unicorn => self.unicorn_like & !queens,
            PieceKind::Dragon => self.dragon_like & !queens,
        }
    }

    /// The kind of the piece on a square, which must be occupied.
    #[inline(always)]
    pub fn kind_at(&self, square: Square) -> PieceKind {
        debug_assert!(self.empty & square.bit() == 0);
        self.kind_of(square.bit())
    }

    /// The kind of the piece on a square that is known to be occupied.
    #[inline(always)]
    fn kind_of(&self, bit: u64) -> PieceKind {
        let on = |set: u64| set & bit != 0;
        if on(self.pawn_like) {
            if on(self.brawns) { PieceKind::Brawn } else { PieceKind::Pawn }
        } else if on(self.king_like) {
            if on(self.royals) { PieceKind::King } else { PieceKind::CommonKing }
        } else if on(self.knights) {
            PieceKind::Knight
        } else if on(self.rook_like) {
            if on(self.unicorn_like) {
                if on(self.royals) { PieceKind::RoyalQueen } else { PieceKind::Queen }
            } else if on(self.bishop_like) {
                PieceKind::Princess
            } else {
                PieceKind::Rook
            }
        } else if on(self.bishop_like) {
            PieceKind::Bishop
        } else if on(self.unicorn_like) {
            PieceKind::Unicorn
        } else {
            PieceKind::Dragon
        }
    }

    /// The colour of the piece on a square.
    #[inline(always)]
    pub fn colour_at(&self, square: Square) -> Option<Colour> {
        let bit = square.bit();
        if self.colours[0] & bit != 0 {
            Some(Colour::White)
        } else if self.colours[1] & bit != 0 {
            Some(Colour::Black)
        } else {
            None
        }
    }

    /// The piece on a square.
    #[inline(always)]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let bit = square.bit();
        let colour = self.colour_at(square)?;
        Some(Piece { kind: self.kind_of(bit), colour, unmoved: self.unmoved & bit != 0 })
    }

    /// The pieces, by square.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Squares(self.colours[0] | self.colours[1])
            .filter_map(|square| self.piece_at(square).map(|piece| (square, piece)))
    }

    /// Flips the membership of `bit` in every set that a kind belongs to.
    #[inline(always)]
    fn toggle_classes(&mut self, kind: PieceKind, bit: u64) {
        match kind {
            PieceKind::Pawn => self.pawn_like ^= bit,
            PieceKind::Brawn => {
                self.pawn_like ^= bit;
                self.brawns ^= bit;
            }
            PieceKind::King => {
                self.king_like ^= bit;
                self.royals ^= bit;
            }
            PieceKind::CommonKing => self.king_like ^= bit,
            PieceKind::Queen | PieceKind::RoyalQueen => {
                self.rook_like ^= bit;
                self.bishop_like ^= bit;
                self.unicorn_like ^= bit;
                self.dragon_like ^= bit;
                if kind.is_royal() {
                    self.royals ^= bit;
                }
            }
            PieceKind::Princess => {
                self.rook_like ^= bit;
                self.bishop_like ^= bit;
            }
            PieceKind::Rook => self.rook_like ^= bit,
            PieceKind::Bishop => self.bishop_like ^= bit,
            PieceKind::Knight => self.knights ^= bit,
            PieceKind::Unicorn => self.unicorn_like ^= bit,
            PieceKind::Dragon => self.dragon_like ^= bit,
        }
    }

    /// Puts a piece on a vacant square.
    #[inline(always)]
    pub fn put(&mut self, square: Square, piece: Piece) {
        let bit = square.bit();
        debug_assert!(self.empty & bit != 0, "{square} is not vacant");
        self.empty ^= bit;
        self.colours[piece.colour.index()] ^= bit;
        self.toggle_classes(piece.kind, bit);
        self.key ^= zobrist::piece(piece.kind, piece.colour, square);
        if piece.unmoved && piece.kind.keeps_unmoved_mark() {
            self.unmoved ^= bit;
            self.key ^= zobrist::unmoved(square);
        }
    }

    /// Takes the piece off a square; a vacant square stays as it is.
    #[inline(always)]
    pub fn remove(&mut self, square: Square) {
        if let Some(piece) = self.piece_at(square) {
            self.lift(square, piece);
        }
    }

    /// Takes a piece off the square on which it stands.
    #[inline(always)]
    fn lift(&mut self, square: Square, piece: Piece) {
        let bit = square.bit();
        self.empty ^= bit;
        self.colours[piece.colour.index()] ^= bit;
        self.toggle_classes(piece.kind, bit);
        self.key ^= zobrist::piece(piece.kind, piece.colour, square);
        if piece.unmoved {
            self.unmoved ^= bit;
            self.key ^= zobrist::unmoved(square);
        }
    }

    /// Sets or clears the en passant right.
    #[inline(always)]
    pub fn set_en_passant(&mut self, target: Option<Square>) {
        if let Some(old) = self.en_passant() {
            self.key ^= zobrist::en_passant(old);
        }
        self.en_passant = NO_SQUARE;
        if let Some(new) = target {
            self.en_passant = new.index() as u8;
            self.key ^= zobrist::en_passant(new);
        }
    }

    /// The kind that stands on the target after a move of `kind` there: promotion on the last
    /// rank (R9), to a queen where nothing else is asked for.
    #[inline(always)]
    pub fn promoted(
        &self,
        kind: PieceKind,
        colour: Colour,
        to: Square,
        promotion: Option<PieceKind>,
    ) -> PieceKind {
        if kind.is_pawn_like() && self.last_rank(colour) & to.bit() != 0 {
            promotion.unwrap_or(PieceKind::Queen)
        } else {
            kind
        }
    }

    /// The board after a pass: the same pieces, the en passant right gone.
    #[inline(always)]
    pub fn passed(&self) -> Board {
        let mut board = *self;
        board.set_en_passant(None);
        board
    }

    /// The board that the piece on `from` leaves behind when it goes elsewhere (R13).
    #[inline(always)]
    pub fn departed(&self, from: Square) -> Board {
        let mut board = self.passed();
        board.remove(from);
        board
    }

    /// The board that a piece from elsewhere makes by landing on `to`, capturing what stands
    /// there (R13); `kind` is what it is after the move.
    #[inline(always)]
    pub fn arrived(&self, to: Square, kind: PieceKind, colour: Colour) -> Board {
        let mut board = self.passed();
        board.remove(to);
        board.put(to, Piece { kind, colour, unmoved: false });
        board
    }

    /// The board after the piece on `from` has moved to `to` on this board, with all that
    /// belongs to it: capture, en passant, the right that a double step gives, castling,
    /// promotion. The move must be pseudo-legal; a vacant `from` changes nothing.
    #[inline(always)]
    pub fn moved(&self, from: Square, to: Square, promotion: Option<PieceKind>) -> Board {
        let mut board = self.passed();
        let Some(piece) = self.piece_at(from) else { return board };
        board.lift(from, piece);
        let mut kind = piece.kind;
        if kind.is_pawn_like() {
            if self.en_passant() == Some(to) && from.file() != to.file() {
                board.remove(Square::new(to.file(), from.rank()));
            }
            kind = self.promoted(kind, piece.colour, to, promotion);
        } else if kind == PieceKind::King && from.file().abs_diff(to.file()) == 2 {
            let step = if to.file() > from.file() { 1 } else { -1 };
            let crossed = from.offset(step, 0);
            if let (Some(rook), Some(crossed)) = (self.castling_rook(from, step), crossed) {
                board.remove(rook);
                let kind = PieceKind::Rook;
                board.put(crossed, Piece { kind, colour: piece.colour, unmoved: false });
            }
        }
        board.remove(to);
        board.put(to, Piece { kind, colour: piece.colour, unmoved: false });
        if kind.is_pawn_like() && from.rank().abs_diff(to.rank()) == 2 {
            board.set_en_passant(from.offset(0, piece.colour.forward()));
        }
        board
    }

    /// The square from which a move along the board takes a piece, if it takes one.
    #[inline(always)]
    pub fn taken_by(&self, from: Square, to: Square) -> u64 {
        if self.en_passant() == Some(to) && self.pawn_like & from.bit() != 0 {
            to.bit() | Square::new(to.file(), from.rank()).bit()
        } else {
            to.bit()
        }
    }

    /// The board with colours swapped and ranks mirrored.
    pub fn mirrored(&self) -> Board {
        let mut board = Board::empty(self.size());
        let turn = |square: Square| {
            Square::new(square.file(), self.height.wrapping_sub(1).wrapping_sub(square.rank()))
        };
        for (square, piece) in self.pieces() {
            board.put(turn(square), Piece { colour: !piece.colour, ..piece });
        }
        board.set_en_passant(self.en_passant().map(turn));
        board
    }

    /// Checks every derived value against a board built anew from its pieces.
    ///
    /// # Errors
    /// What differs, in words.
    pub fn audit(&self) -> Result<(), String> {
        if !self.is_present() {
            return Err("an absent board stands in a timeline".to_owned());
        }
        if self.colours[0] & self.colours[1] != 0 {
            return Err("a square holds two pieces".to_owned());
        }
        let mut fresh = Board::empty(self.size());
        for (square, piece) in self.pieces() {
            fresh.put(square, piece);
        }
        fresh.set_en_passant(self.en_passant());
        if fresh != *self {
            return Err(format!("board differs from its pieces: {self:?} against {fresh:?}"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size { width: 8, height: 8 };

    fn piece(kind: PieceKind, colour: Colour, unmoved: bool) -> Piece {
        Piece { kind, colour, unmoved }
    }

    #[test]
    fn every_kind_is_told_apart() {
        for kind in PieceKind::ALL {
            for colour in Colour::BOTH {
                let mut board = Board::empty(SIZE);
                let put = piece(kind, colour, kind.keeps_unmoved_mark());
                board.put(Square::new(3, 4), put);
                assert_eq!(board.piece_at(Square::new(3, 4)), Some(put));
                let kinds = PieceKind::ALL.into_iter();
                let holding: Vec<_> = kinds.filter(|&kind| board.of_kind(kind) != 0).collect();
                assert_eq!(holding, [kind]);
                board.audit().unwrap();
                board.remove(Square::new(3, 4));
                assert_eq!(board, Board::empty(SIZE));
            }
        }
    }

    #[test]
    fn a_double_step_gives_a_right_and_every_other_board_clears_it() {
        let mut board = Board::empty(SIZE);
        board.put(Square::new(4, 1), piece(PieceKind::Pawn, Colour::White, true));
        let after = board.moved(Square::new(4, 1), Square::new(4, 3), None);
        assert_eq!(after.en_passant(), Some(Square::new(4, 2)));
        assert_eq!(after.passed().en_passant(), None);
        assert_eq!(after.departed(Square::new(4, 3)).en_passant(), None);
        let arrival = after.arrived(Square::new(0, 0), PieceKind::Knight, Colour::Black);
        assert_eq!(arrival.en_passant(), None);
    }

    #[test]
    fn a_double_step_that_promotes_gives_no_right() {
        let size = Size { width: 4, height: 3 };
        let mut board = Board::empty(size);
        board.put(Square::new(0, 0), piece(PieceKind::Pawn, Colour::White, true));
        let after = board.moved(Square::new(0, 0), Square::new(0, 2), None);
        assert_eq!(after.en_passant(), None);
        let queen = after.piece_at(Square::new(0, 2)).map(|piece| piece.kind);
        assert_eq!(queen, Some(PieceKind::Queen));
    }
}
