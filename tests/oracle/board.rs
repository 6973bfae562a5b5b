//! Owns pieces and single boards. It must know nothing of timelines, turns or legality.

/// A side; also the side to move on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    White,
    Black,
}

impl Colour {
    pub fn opponent(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }

    /// +1 or −1: where "forward" lies along y; along l it is the opposite sign.
    pub fn forward(self) -> i32 {
        match self {
            Colour::White => 1,
            Colour::Black => -1,
        }
    }

    /// The colour of a board from its half-turn, 2t plus 1 for Black.
    pub fn of_half_turn(half_turn: i32) -> Colour {
        match half_turn.rem_euclid(2) {
            0 => Colour::White,
            _ => Colour::Black,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Pawn,
    Brawn,
    King,
    CommonKing,
    Queen,
    RoyalQueen,
    Princess,
    Knight,
    Rook,
    Bishop,
    Unicorn,
    Dragon,
}

impl Kind {
    /// R30: every kind and its letter.
    const LETTERS: [(Kind, char); 12] = [
        (Kind::Pawn, 'P'),
        (Kind::Brawn, 'W'),
        (Kind::King, 'K'),
        (Kind::CommonKing, 'C'),
        (Kind::Queen, 'Q'),
        (Kind::RoyalQueen, 'Y'),
        (Kind::Princess, 'S'),
        (Kind::Knight, 'N'),
        (Kind::Rook, 'R'),
        (Kind::Bishop, 'B'),
        (Kind::Unicorn, 'U'),
        (Kind::Dragon, 'D'),
    ];

    pub fn letter(self) -> char {
        let entry = Kind::LETTERS.iter().find(|(kind, _)| *kind == self);
        entry.expect("every kind has a letter").1
    }

    /// The kind of an upper case letter.
    pub fn from_letter(letter: char) -> Option<Kind> {
        let entry = Kind::LETTERS.iter().find(|(_, known)| *known == letter);
        entry.map(|(kind, _)| *kind)
    }

    /// R3.
    pub fn is_royal(self) -> bool {
        matches!(self, Kind::King | Kind::RoyalQueen)
    }

    /// Pawn or brawn: the kinds that double-step, promote and capture en passant.
    pub fn is_pawn_like(self) -> bool {
        matches!(self, Kind::Pawn | Kind::Brawn)
    }

    /// R10: the kinds for which it matters whether they have moved.
    pub fn keeps_unmoved_mark(self) -> bool {
        matches!(self, Kind::Pawn | Kind::Brawn | Kind::King | Kind::Rook)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    pub kind: Kind,
    pub colour: Colour,
    pub unmoved: bool,
}

impl Piece {
    pub fn is(self, kind: Kind, colour: Colour) -> bool {
        self.kind == kind && self.colour == colour
    }

    /// R10: a piece that has travelled has lost its unmoved mark.
    pub fn moved(self) -> Piece {
        Piece { unmoved: false, ..self }
    }
}

/// One board. Files and ranks count from 0: a1 is (0, 0).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    width: i32,
    height: i32,
    squares: Vec<Option<Piece>>,
    /// R7: the square that a pawn or brawn crossed in the double step that made this board.
    pub en_passant: Option<(i32, i32)>,
}

impl Board {
    pub fn empty(width: i32, height: i32) -> Board {
        Board { width, height, squares: vec![None; (width * height) as usize], en_passant: None }
    }

    pub fn contains(&self, x: i32, y: i32) -> bool {
        (0..self.width).contains(&x) && (0..self.height).contains(&y)
    }

    pub fn get(&self, x: i32, y: i32) -> Option<Piece> {
        assert!(self.contains(x, y), "no square {x}, {y}");
        self.squares[(y * self.width + x) as usize]
    }

    pub fn set(&mut self, x: i32, y: i32, piece: Option<Piece>) {
        assert!(self.contains(x, y), "no square {x}, {y}");
        self.squares[(y * self.width + x) as usize] = piece;
    }

    /// All pieces with their squares, from a1 along the ranks.
    pub fn pieces(&self) -> Vec<(i32, i32, Piece)> {
        let mut found = Vec::new();
        for y in 0..self.height {
            for x in 0..self.width {
                if let Some(piece) = self.get(x, y) {
                    found.push((x, y, piece));
                }
            }
        }
        found
    }

    /// A copy to be changed into the next board. R7: it has no en passant right of its own.
    pub fn next(&self) -> Board {
        Board { en_passant: None, ..self.clone() }
    }

    pub fn has_royal(&self, colour: Colour) -> bool {
        let royal = |p: &(i32, i32, Piece)| p.2.colour == colour && p.2.kind.is_royal();
        self.pieces().iter().any(royal)
    }
}
