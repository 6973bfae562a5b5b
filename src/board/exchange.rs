//! What a capture wins once all have taken back on its square.

use super::{Board, Colour, PieceKind, Square, Squares};

/// More pieces than can take on one square.
const MOST: usize = 40;

impl Board {
    /// What `by` wins by taking on `to` with a piece of the kind, if both sides go on taking there
    /// along the board with their least pieces for as long as that is good for them. The piece
    /// comes from the square `from` of this board, or from another board. Attacks on royals and
    /// what other boards may do are not looked at.
    ///
    /// The swap algorithm of chess programs.
    pub fn exchange(
        &self,
        to: Square,
        kind: PieceKind,
        from: Option<Square>,
        by: Colour,
        value: impl Fn(PieceKind) -> i32,
    ) -> i32 {
        let mut gains = [0; MOST];
        gains[0] = self.piece_at(to).map_or(0, |victim| value(victim.kind));
        let mut left = !self.empty & !from.map_or(0, Square::bit);
        let (mut at_stake, mut side, mut depth) = (value(kind), !by, 0);
        while depth + 1 < MOST {
            let takers = Squares(self.attackers_among(left, side, to));
            let least = takers.min_by_key(|taker| value(self.kind_of(taker.bit())));
            let Some(taker) = least else { break };
            depth += 1;
            gains[depth] = at_stake - gains[depth - 1];
            at_stake = value(self.kind_of(taker.bit()));
            left &= !taker.bit();
            side = !side;
        }
        // Nobody has to go on.
        for i in (1..=depth).rev() {
            gains[i - 1] = -gains[i].max(-gains[i - 1]);
        }
        gains[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Piece, Size};

    fn board(ranks: &[&str]) -> Board {
        let mut board = Board::empty(Size { width: 8, height: 8 });
        for (rank, text) in ranks.iter().rev().enumerate() {
            for (file, letter) in text.chars().enumerate().filter(|(_, letter)| *letter != '.') {
                let kind = match letter.to_ascii_uppercase() {
                    'P' => PieceKind::Pawn,
                    'N' => PieceKind::Knight,
                    'B' => PieceKind::Bishop,
                    'R' => PieceKind::Rook,
                    'Q' => PieceKind::Queen,
                    _ => PieceKind::King,
                };
                let colour = if letter.is_uppercase() { Colour::White } else { Colour::Black };
                let square = Square::new(file as u8, rank as u8);
                board.put(square, Piece { kind, colour, unmoved: false });
            }
        }
        board
    }

    fn value(kind: PieceKind) -> i32 {
        match kind {
            PieceKind::Pawn => 1,
            PieceKind::Knight | PieceKind::Bishop => 3,
            PieceKind::Rook => 5,
            PieceKind::Queen => 9,
            _ => 100,
        }
    }

    #[test]
    fn exchanges_end_where_they_should() {
        let e5 = Square::new(4, 4);
        let from = |file, rank| Some(Square::new(file, rank));
        let undefended = board(&["....k...", "........", "........", "....p...", "....R..."]);
        let on =
            |board: &Board, to, kind, from| board.exchange(to, kind, from, Colour::White, value);
        assert_eq!(on(&undefended, Square::new(4, 1), PieceKind::Rook, from(4, 0)), 1);

        let defended = board(&[
            "....k...", "........", "...p....", "....p...", "........", "........", "........",
            "....R...",
        ]);
        assert_eq!(on(&defended, e5, PieceKind::Rook, from(4, 0)), -4);
        // Where a knight comes from another board, the rook takes back.
        assert_eq!(on(&defended, e5, PieceKind::Knight, None), -1);

        // The second rook stands behind the first, and Black's queen behind his knight.
        let battery = board(&[
            "....q...", "........", "........", "....p...", "..n.....", "........", "....R...",
            "....R...",
        ]);
        assert_eq!(on(&battery, e5, PieceKind::Rook, from(4, 1)), -4);

        // A royal does not take what is guarded.
        let guarded = board(&[
            "........", "........", "....k...", "....p...", "........", "........", "....Q...",
            "....R...",
        ]);
        assert_eq!(on(&guarded, e5, PieceKind::Queen, from(4, 1)), 1);
    }
}
