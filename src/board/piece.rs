//! Colours and pieces, with their letters (rules R1, R30).

/// A side, and also the colour of a board: the side that moves on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Colour {
    /// Moves first on every turn.
    White,
    /// Moves second on every turn.
    Black,
}

impl Colour {
    /// Both colours, White first.
    pub const BOTH: [Colour; 2] = [Colour::White, Colour::Black];

    /// 0 for White, 1 for Black.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter of 5DFEN and of the protocol: `w` or `b`.
    pub const fn letter(self) -> char {
        match self {
            Colour::White => 'w',
            Colour::Black => 'b',
        }
    }

    /// Direction of forward along the ranks: +1 for White, -1 for Black. Forward along the
    /// timelines is the opposite sign (White's pawns head for Black's timelines).
    #[inline(always)]
    pub const fn forward(self) -> i32 {
        match self {
            Colour::White => 1,
            Colour::Black => -1,
        }
    }
}

impl std::ops::Not for Colour {
    type Output = Colour;
    #[inline(always)]
    fn not(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }
}

/// The twelve kinds of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum PieceKind {
    /// Steps forward along y or l, captures along (x, y) or (l, t) (R4, R5).
    Pawn,
    /// A pawn with more captures (R6).
    Brawn,
    /// Royal; one step along any axes; castles.
    King,
    /// A king that is not royal and does not castle.
    CommonKing,
    /// Slides along any number of axes.
    Queen,
    /// A queen that is royal.
    RoyalQueen,
    /// Slides along one or two axes.
    Princess,
    /// Slides along one axis; takes part in castling.
    Rook,
    /// Slides along two axes.
    Bishop,
    /// Two along one axis and one along another.
    Knight,
    /// Slides along three axes.
    Unicorn,
    /// Slides along all four axes.
    Dragon,
}

impl PieceKind {
    /// Every kind, in the order of the discriminants.
    pub const ALL: [PieceKind; 12] = [
        PieceKind::Pawn,
        PieceKind::Brawn,
        PieceKind::King,
        PieceKind::CommonKing,
        PieceKind::Queen,
        PieceKind::RoyalQueen,
        PieceKind::Princess,
        PieceKind::Rook,
        PieceKind::Bishop,
        PieceKind::Knight,
        PieceKind::Unicorn,
        PieceKind::Dragon,
    ];

    /// 0 to 11.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The capital letter of 5DFEN.
    pub const fn letter(self) -> char {
        match self {
            PieceKind::Pawn => 'P',
            PieceKind::Brawn => 'W',
            PieceKind::King => 'K',
            PieceKind::CommonKing => 'C',
            PieceKind::Queen => 'Q',
            PieceKind::RoyalQueen => 'Y',
            PieceKind::Princess => 'S',
            PieceKind::Rook => 'R',
            PieceKind::Bishop => 'B',
            PieceKind::Knight => 'N',
            PieceKind::Unicorn => 'U',
            PieceKind::Dragon => 'D',
        }
    }

    /// The kind of a capital letter, if it is one of the twelve.
    pub fn from_letter(letter: char) -> Option<PieceKind> {
        PieceKind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// Kings and royal queens: losing one loses the game (R3).
    #[inline(always)]
    pub const fn is_royal(self) -> bool {
        matches!(self, PieceKind::King | PieceKind::RoyalQueen)
    }

    /// Pawns and brawns.
    #[inline(always)]
    pub const fn is_pawn_like(self) -> bool {
        matches!(self, PieceKind::Pawn | PieceKind::Brawn)
    }

    /// The kinds for which having moved matters (R10).
    #[inline(always)]
    pub const fn keeps_unmoved_mark(self) -> bool {
        matches!(self, PieceKind::Pawn | PieceKind::Brawn | PieceKind::King | PieceKind::Rook)
    }

    /// Whether a pawn may turn into it where the record or the option allows it (R9).
    pub const fn can_be_promoted_to(self) -> bool {
        !self.is_royal() && !self.is_pawn_like()
    }
}

/// A piece on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// What it is.
    pub kind: PieceKind,
    /// Whose it is.
    pub colour: Colour,
    /// Never moved, for the kinds where that matters; false for the others.
    pub unmoved: bool,
}

impl Piece {
    /// The letter of 5DFEN, capital for White, without the mark.
    pub fn letter(self) -> char {
        match self.colour {
            Colour::White => self.kind.letter(),
            Colour::Black => self.kind.letter().to_ascii_lowercase(),
        }
    }
}
