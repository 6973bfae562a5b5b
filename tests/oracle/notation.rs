//! Owns 5DFEN and protocol moves, in and out. It must not decide what is legal.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::board::{Board, Colour, Kind, Piece};
use super::moves::{Move, physical};
use super::position::{Position, Square};

/// Files are single letters.
const MAX_WIDTH: i32 = 26;

/// Far beyond any timeline or turn of a real game.
const MAX_NUMBER: i32 = 1_000_000;

/// R31, R32. Timelines have protocol numbers already.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let board = |s: Square| format!("({}T{})", s.timeline, s.half_turn.div_euclid(2));
        let square = |s: Square| format!("{}{}", (b'a' + s.x as u8) as char, s.y + 1);
        write!(f, "{}{}", board(self.from), square(self.from))?;
        if !self.is_physical() {
            f.write_str(&board(self.to))?;
        }
        f.write_str(&square(self.to))?;
        match self.promotion {
            Some(kind) => write!(f, "{}", kind.letter()),
            None => Ok(()),
        }
    }
}

impl Move {
    /// R31: reads a move of `colour`, whose boards it goes between. A missing promotion letter
    /// stays `None`; only a position can tell whether it means a queen (`Position::find_move`).
    pub fn parse(text: &str, colour: Colour) -> Result<Move, String> {
        parse_move(text, colour).ok_or_else(|| format!("not a move: {text}"))
    }
}

fn parse_move(text: &str, colour: Colour) -> Option<Move> {
    let (from_board, rest) = parse_board(text, colour)?;
    let (from_square, rest) = parse_square(rest)?;
    let (to_board, rest) =
        if rest.starts_with('(') { parse_board(rest, colour)? } else { (from_board, rest) };
    let (to_square, rest) = parse_square(rest)?;
    let promotion = match rest {
        "" => None,
        letter => Some(Kind::from_letter(letter.parse().ok()?)?),
    };
    let square = |(timeline, half_turn), (x, y)| Square { timeline, half_turn, x, y };
    Some(Move { from: square(from_board, from_square), to: square(to_board, to_square), promotion })
}

/// `(<l>T<t>)`, and what follows.
fn parse_board(text: &str, colour: Colour) -> Option<((i32, i32), &str)> {
    let (inside, rest) = text.strip_prefix('(')?.split_once(')')?;
    let (timeline, turn) = inside.split_once('T')?;
    let half_turn = half_turn(parse_number(turn)?, colour);
    Some(((parse_number(timeline)?, half_turn), rest))
}

/// A file letter and a rank number, and what follows.
fn parse_square(text: &str) -> Option<((i32, i32), &str)> {
    let file = text.chars().next().filter(char::is_ascii_lowercase)?;
    let rest = &text[1..];
    let end = rest.find(|c: char| !c.is_ascii_digit());
    let (rank, rest) = rest.split_at(end.unwrap_or(rest.len()));
    let rank: i32 = rank.parse().ok()?;
    Some((((file as u8 - b'a') as i32, rank - 1), rest))
}

/// A timeline or turn number, small enough to calculate with.
fn parse_number(text: &str) -> Option<i32> {
    text.parse().ok().filter(|n| (-MAX_NUMBER..=MAX_NUMBER).contains(n))
}

fn half_turn(turn: i32, colour: Colour) -> i32 {
    match colour {
        Colour::White => 2 * turn,
        Colour::Black => 2 * turn + 1,
    }
}

impl Position {
    /// The pseudo-legal move that the text means. R32: no promotion letter means a queen.
    pub fn find_move(&self, text: &str) -> Result<Move, String> {
        let given = Move::parse(text, self.side)?;
        let queen = Move { promotion: Some(Kind::Queen), ..given };
        let moves = self.pseudo_moves();
        let meant = [given, queen].into_iter().find(|mv| {
            moves.contains(mv) && (given.promotion.is_none() || mv.promotion == given.promotion)
        });
        meant.ok_or_else(|| format!("not a pseudo-legal move: {text}"))
    }

    /// Makes moves and `submit`s, separated by spaces. As with the engine, a history may leave
    /// royals hanging.
    pub fn play(&self, text: &str) -> Result<Position, String> {
        let mut here = self.clone();
        for word in text.split_whitespace() {
            here = match word {
                "submit" => here.submit_hanging()?,
                _ => here.make(here.find_move(word)?),
            };
        }
        Ok(here)
    }

    /// R30: reads 5DFEN blocks of a known size and parity; a string may hold several blocks.
    pub fn from_fen(
        width: i32,
        height: i32,
        even: bool,
        blocks: &[impl AsRef<str>],
    ) -> Result<Position, String> {
        let blocks = split_blocks(blocks)?;
        Position::from_blocks(width, height, even, &blocks)
    }

    /// R30: size and parity from the blocks themselves.
    pub fn from_bare_fen(blocks: &[impl AsRef<str>]) -> Result<Position, String> {
        let blocks = split_blocks(blocks)?;
        let first = blocks.first().ok_or("no boards")?;
        let ranks: Vec<&str> = first.ranks.split('/').collect();
        let width = parse_rank(ranks[0])?.len();
        let even = blocks.iter().any(|b| ["+0", "-0"].contains(&b.timeline));
        Position::from_blocks(width as i32, ranks.len() as i32, even, &blocks)
    }

    fn from_blocks(
        width: i32,
        height: i32,
        even: bool,
        blocks: &[Block],
    ) -> Result<Position, String> {
        if !(1..=MAX_WIDTH).contains(&width) || height < 1 {
            return Err(format!("impossible size {width}x{height}"));
        }
        let mut pieces = BTreeMap::new();
        for block in blocks {
            let key = (block.timeline(even)?, block.half_turn()?);
            let board = parse_ranks(width, height, block.ranks)?;
            if pieces.insert(key, board).is_some() {
                return Err(format!("board given twice: {block:?}"));
            }
        }
        check_timelines(&pieces, even)?;

        let boards = pieces.iter().map(|(&(timeline, half_turn), board)| {
            let mut board = board.clone();
            if let Some(before) = pieces.get(&(timeline, half_turn - 1)) {
                board.en_passant = double_step_between(before, &board, (timeline, half_turn - 1));
            }
            ((timeline, half_turn), Arc::new(board))
        });
        let mut position = Position {
            width,
            height,
            even,
            side: Colour::White,
            boards: boards.collect(),
            promotions: vec![Kind::Queen],
        };
        position.side = Colour::of_half_turn(position.present());
        Ok(position)
    }

    /// R30: all boards, by timeline, then time, separated by spaces. R7: the en passant rights
    /// follow from the boards, and R14 the mover from the present, except amid an action.
    pub fn to_fen(&self) -> String {
        let blocks = self.boards.iter().map(|(&(timeline, half_turn), board)| {
            format!(
                "[{}:{}:{}:{}]",
                self.write_ranks(board),
                self.timeline_name(timeline),
                half_turn.div_euclid(2),
                colour_letter(Colour::of_half_turn(half_turn)),
            )
        });
        blocks.collect::<Vec<_>>().join(" ")
    }

    /// The timeline as 5DFEN writes it.
    pub fn timeline_name(&self, timeline: i32) -> String {
        match (self.even, timeline) {
            (false, l) => l.to_string(),
            (true, l) if l >= 0 => format!("+{l}"),
            (true, l) => format!("-{}", -(l + 1)),
        }
    }

    /// The present as `T2b`.
    pub fn present_name(&self) -> String {
        let present = self.present();
        let letter = colour_letter(Colour::of_half_turn(present));
        format!("T{}{letter}", present.div_euclid(2))
    }

    fn write_ranks(&self, board: &Board) -> String {
        let ranks = (0..self.height).rev().map(|y| {
            let mut text = String::new();
            let mut vacant = 0;
            for x in 0..self.width {
                match board.get(x, y) {
                    None => vacant += 1,
                    Some(piece) => {
                        if vacant > 0 {
                            text += &vacant.to_string();
                            vacant = 0;
                        }
                        text += &write_piece(piece);
                    }
                }
            }
            if vacant > 0 {
                text += &vacant.to_string();
            }
            text
        });
        ranks.collect::<Vec<_>>().join("/")
    }
}

fn colour_letter(colour: Colour) -> char {
    match colour {
        Colour::White => 'w',
        Colour::Black => 'b',
    }
}

fn write_piece(piece: Piece) -> String {
    let letter = match piece.colour {
        Colour::White => piece.kind.letter(),
        Colour::Black => piece.kind.letter().to_ascii_lowercase(),
    };
    let mark = if piece.unmoved { "*" } else { "" };
    format!("{letter}{mark}")
}

/// The four fields of a 5DFEN block.
#[derive(Debug)]
struct Block<'a> {
    ranks: &'a str,
    timeline: &'a str,
    turn: &'a str,
    colour: &'a str,
}

/// R30: all blocks, in the order given.
fn split_blocks(texts: &[impl AsRef<str>]) -> Result<Vec<Block<'_>>, String> {
    let mut blocks = Vec::new();
    for text in texts {
        let mut rest = text.as_ref().trim();
        while !rest.is_empty() {
            let bad = || format!("not a 5DFEN block: {rest}");
            let inside = rest.strip_prefix('[').and_then(|r| r.split_once(']'));
            let (block, after) = inside.ok_or_else(bad)?;
            let fields: Vec<&str> = block.split(':').collect();
            let [ranks, timeline, turn, colour] = fields[..] else {
                return Err(bad());
            };
            blocks.push(Block { ranks, timeline, turn, colour });
            rest = after.trim_start();
        }
    }
    Ok(blocks)
}

impl Block<'_> {
    /// R30, R31: the protocol number. Only even starts know −0 from +0; there a bare 0 is +0.
    fn timeline(&self, even: bool) -> Result<i32, String> {
        let bad = || format!("not a timeline: {}", self.timeline);
        let number = parse_number(self.timeline).ok_or_else(bad)?;
        match (even, self.timeline.starts_with('-')) {
            (true, true) => Ok(number - 1),
            (false, _) if ["+0", "-0"].contains(&self.timeline) => Err(bad()),
            _ => Ok(number),
        }
    }

    fn half_turn(&self) -> Result<i32, String> {
        let bad = || format!("not a turn: {}:{}", self.turn, self.colour);
        let turn = parse_number(self.turn).ok_or_else(bad)?;
        match self.colour {
            "w" => Ok(half_turn(turn, Colour::White)),
            "b" => Ok(half_turn(turn, Colour::Black)),
            _ => Err(bad()),
        }
    }
}

fn parse_ranks(width: i32, height: i32, text: &str) -> Result<Board, String> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != height as usize {
        return Err(format!("not {height} ranks: {text}"));
    }
    let mut board = Board::empty(width, height);
    for (y, rank) in (0..height).rev().zip(ranks) {
        let squares = parse_rank(rank)?;
        if squares.len() != width as usize {
            return Err(format!("not {width} files: {rank}"));
        }
        for (x, piece) in (0..width).zip(squares) {
            board.set(x, y, piece);
        }
    }
    Ok(board)
}

/// The squares of one rank, from the a-file.
fn parse_rank(text: &str) -> Result<Vec<Option<Piece>>, String> {
    let bad = || format!("not a rank: {text}");
    let mut squares = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit());
            let (number, after) = rest.split_at(end.unwrap_or(rest.len()));
            let vacant = number.parse().ok().filter(|n| (1..=MAX_WIDTH).contains(n));
            squares.extend((0..vacant.ok_or_else(bad)?).map(|_| None));
            rest = after;
        } else {
            let kind = Kind::from_letter(first.to_ascii_uppercase()).ok_or_else(bad)?;
            let colour = match first.is_ascii_uppercase() {
                true => Colour::White,
                false => Colour::Black,
            };
            let after = &rest[1..];
            let unmoved = after.starts_with('*');
            if unmoved && !kind.keeps_unmoved_mark() {
                return Err(bad());
            }
            squares.push(Some(Piece { kind, colour, unmoved }));
            rest = after.strip_prefix('*').unwrap_or(after);
        }
    }
    Ok(squares)
}

/// R14: no gap in the numbers, and the original timelines are there.
fn check_timelines(boards: &BTreeMap<(i32, i32), Board>, even: bool) -> Result<(), String> {
    let mut numbers: Vec<i32> = boards.keys().map(|key| key.0).collect();
    numbers.dedup();
    if numbers.windows(2).any(|pair| pair[1] != pair[0] + 1) {
        return Err(format!("a gap in the timelines {numbers:?}"));
    }
    let original = if even { vec![-1, 0] } else { vec![0] };
    if !original.iter().all(|l| numbers.contains(l)) {
        return Err(format!("no original timeline among {numbers:?}"));
    }
    Ok(())
}

/// R7: the crossed square, if the two boards differ by one double step along y and nothing else.
/// Every double step on the first board is tried; one that promotes gives no right.
fn double_step_between(
    before: &Board,
    after: &Board,
    (timeline, half_turn): (i32, i32),
) -> Option<(i32, i32)> {
    let mover = Colour::of_half_turn(half_turn);
    for (x, y, piece) in before.pieces() {
        let (one, two) = (y + mover.forward(), y + 2 * mover.forward());
        let may_double_step = piece.colour == mover
            && piece.kind.is_pawn_like()
            && piece.unmoved
            && before.contains(x, two)
            && before.contains(x, two + mover.forward())
            && before.get(x, one).is_none()
            && before.get(x, two).is_none();
        if may_double_step {
            let square = |y| Square { timeline, half_turn, x, y };
            let mv = Move { from: square(y), to: square(two), promotion: None };
            let made = physical(before, mv, piece.moved());
            if made.pieces() == after.pieces() {
                return made.en_passant;
            }
        }
    }
    None
}
