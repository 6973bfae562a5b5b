//! Writes a game in one dialect that leaves nothing out and that public programs read.

use std::fmt::Write;

use super::super::write_board;
use super::resolve::board_name;
use super::{Game, Outcome, is_pass};
use crate::board::{Colour, PieceKind};
use crate::multiverse::{Move, Multiverse, Promotions};

/// What to write besides the game itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct WriteOptions<'a> {
    /// The name of the start position, if it is a named one; else the boards are written.
    pub variant: Option<&'a str>,
    /// A comment for each action, in their order; empty ones are not written.
    pub comments: &'a [String],
}

/// Lines are broken before they grow longer, between moves.
const LINE_WIDTH: usize = 100;

/// Headers that the writer decides itself.
const OWN_HEADERS: [&str; 7] =
    ["Mode", "Board", "Variant", "Size", "Timeline", "Promotions", "Result"];

/// Writes a game: headers, boards unless the start is named, the actions with every board, piece
/// and square, and the result.
///
/// [`super::parse_game`] reads the same game back; pending moves that could already be submitted
/// come back as an action. The moves must be playable from the start, as they are in a game that
/// was read.
pub fn write_game(game: &Game, options: &WriteOptions<'_>) -> String {
    let mut text = String::new();
    write_headers(&mut text, game, options.variant);
    if options.variant.is_none() {
        for (place, board) in game.start.boards() {
            let name = game.start.line_name(place.line);
            let (turn, colour) = (place.turn(), place.colour().letter());
            let _ = writeln!(text, "[{}:{name}:{turn}:{colour}]", write_board(board));
        }
    }
    let mut body = Body { text, width: 0 };
    let mut multiverse = game.start.clone();
    let mut number = 1u32;
    let pending = (!game.pending.is_empty()).then_some(&game.pending);
    for (index, action) in game.actions.iter().chain(pending).enumerate() {
        match (multiverse.side(), index) {
            (Colour::White, _) => body.start_line(&format!("{number}.")),
            (Colour::Black, 0) => body.start_line(&format!("{number}b.")),
            (Colour::Black, _) => body.word("/"),
        }
        for step in action {
            body.word(&move_text(&multiverse, step));
            multiverse.make_move(step);
        }
        if let Some(comment) = options.comments.get(index).filter(|comment| !comment.is_empty()) {
            body.comment(comment);
        }
        if multiverse.side() == Colour::Black {
            number = number.saturating_add(1);
        }
        multiverse.set_side(!multiverse.side());
    }
    if game.outcome != Outcome::Unknown {
        body.word(game.outcome.as_str());
    }
    body.text.push('\n');
    body.text
}

fn write_headers(text: &mut String, game: &Game, variant: Option<&str>) {
    let start = &game.start;
    let custom = if start.is_even() { "Custom - Even" } else { "Custom" };
    let mut header = |name: &str, value: &str| {
        let value: String = value
            .chars()
            .flat_map(|letter| {
                let escape = matches!(letter, '"' | '\\').then_some('\\');
                escape.into_iter().chain([if letter.is_control() { ' ' } else { letter }])
            })
            .collect();
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    header("Mode", "5D");
    header("Board", variant.unwrap_or(custom));
    header("Size", &start.size().to_string());
    if start.promotions() != Promotions::QUEEN {
        let kinds = start.promotions().kinds();
        let letters: Vec<String> = kinds.map(|kind| kind.letter().to_string()).collect();
        header("Promotions", &letters.join(","));
    }
    header("Result", game.outcome.as_str());
    for (name, value) in &game.headers {
        let own = OWN_HEADERS.iter().any(|own| own.eq_ignore_ascii_case(name));
        let plain = |letter: char| letter.is_alphanumeric() || "_-.".contains(letter);
        if !own && !name.is_empty() && name.chars().all(plain) {
            header(name, value);
        }
    }
}

/// `(0T2)Ng1>>(0T1)f3`, before the move is made.
fn move_text(multiverse: &Multiverse, step: &Move) -> String {
    let mut text = board_name(multiverse, step.from);
    if is_pass(step) {
        text.push_str("0000");
        return text;
    }
    let piece = multiverse.board(step.from).piece_at(step.from_square);
    if let Some(piece) = piece.filter(|piece| piece.kind != PieceKind::Pawn) {
        text.push(piece.kind.letter());
    }
    let _ = write!(text, "{}", step.from_square);
    if !step.is_physical() {
        text.push_str(if multiverse.branches(step.to) { ">>" } else { ">" });
        text.push_str(&board_name(multiverse, step.to));
    }
    let _ = write!(text, "{}", step.to_square);
    if let Some(kind) = step.promotion {
        let _ = write!(text, "={}", kind.letter());
    }
    text
}

/// The moves, with the width of the line that is being written.
struct Body {
    text: String,
    width: usize,
}

impl Body {
    fn start_line(&mut self, word: &str) {
        self.text.push('\n');
        self.text.push_str(word);
        self.width = word.len();
    }

    fn word(&mut self, word: &str) {
        let width = word.chars().count();
        self.width = self.width.saturating_add(width).saturating_add(1);
        if self.width > LINE_WIDTH {
            self.text.push('\n');
            self.width = width;
        } else {
            self.text.push(' ');
        }
        self.text.push_str(word);
    }

    /// Braces and line breaks inside are made harmless.
    fn comment(&mut self, comment: &str) {
        let plain = comment.replace('{', "(").replace('}', ")");
        let mut words = plain.split_whitespace().peekable();
        let mut open = "{";
        while let Some(word) = words.next() {
            let close = if words.peek().is_none() { "}" } else { "" };
            self.word(&format!("{open}{word}{close}"));
            open = "";
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]
    #![allow(clippy::arithmetic_side_effects)]
    use super::*;
    use crate::notation::parse_fen;
    use crate::notation::pgn::parse_game;

    const STANDARD: &str =
        "[r*nbqk*bnr*/p*p*p*p*p*p*p*p*/8/8/8/8/P*P*P*P*P*P*P*P*/R*NBQK*BNR*:0:1:w]";

    fn read(text: &str) -> Game {
        let lookup = |_: &str| Some(parse_fen(STANDARD, None, None).unwrap());
        parse_game(text, &lookup).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    fn assert_written_back(game: &Game, options: &WriteOptions<'_>) {
        let text = write_game(game, options);
        let again = read(&text);
        assert_eq!(again.start.key(), game.start.key(), "{text}");
        assert_eq!(again.start.promotions(), game.start.promotions(), "{text}");
        assert_eq!((&again.actions, &again.pending), (&game.actions, &game.pending), "{text}");
        assert_eq!(again.position().key(), game.position().key(), "{text}");
        assert_eq!(again.outcome, game.outcome, "{text}");
    }

    #[test]
    fn a_game_in_the_full_dialect() {
        let text = "[Event \"a \\\"b\\\" \\\\\"] [board \"standard\"]
            1. Nf3 / Nf6 2. N>>f5 / (1T1)e6 3. (1T2)Nxg7+ / (0T2)Nf6>(1T2)h6 1-0";
        let game = read(text);
        let comments = ["a } b {".to_owned(), String::new(), "two  words\n".to_owned()];
        let options = WriteOptions { variant: Some("Standard"), comments: &comments };
        assert_eq!(
            write_game(&game, &options),
            "[Mode \"5D\"]
[Board \"Standard\"]
[Size \"8x8\"]
[Result \"1-0\"]
[Event \"a \\\"b\\\" \\\\\"]

1. (0T1)Ng1f3 {a ) b (} / (0T1)Ng8f6
2. (0T2)Nf3>>(0T1)f5 {two words} / (1T1)e7e6
3. (1T2)Nf5g7 / (0T2)Nf6>(1T2)h6 1-0
"
        );
        assert_written_back(&game, &options);
        assert_written_back(&game, &WriteOptions::default());
    }

    #[test]
    fn boards_parity_promotions_and_a_start_of_black() {
        let game = read(
            "[Timeline \"even\"] [Promotions \"R,N\"] [Result \"0-1\"]
            [2k/P1p/K2:-0:3:b] [2k/3/K2:+0:3:b] 1b. (-0T3)c1=N (+0T3)Kb2 /
            2. (-0T4)a3=R (+0T4)Kb1",
        );
        let text = write_game(&game, &WriteOptions::default());
        let written = "[Mode \"5D\"]
[Board \"Custom - Even\"]
[Size \"3x3\"]
[Promotions \"R,N\"]
[Result \"0-1\"]
[2k/P1p/K2:-0:3:b]
[2k/3/K2:+0:3:b]

1b. (-0T3)c2c1=N (+0T3)Kc3b2
2. (-0T4)a2a3=R (+0T4)Ka1b1 0-1
";
        assert_eq!(text, written);
        assert_written_back(&game, &WriteOptions::default());
    }

    #[test]
    fn lines_are_broken_between_moves() {
        let boards: Vec<String> = (-5..=5).map(|line| format!("[2k/3/K2:{line}:1:w]")).collect();
        let moves: Vec<String> = (-5..=5).map(|line| format!("({line}T1)0000")).collect();
        let game = read(&format!("{} 1. {}", boards.join(" "), moves.join(" ")));
        let text = write_game(&game, &WriteOptions::default());
        assert!(text.lines().all(|line| line.len() <= LINE_WIDTH));
        assert_written_back(&game, &WriteOptions::default());
    }

    /// xorshift64
    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 % limit as u64) as usize
        }
    }

    fn random_game(start: &Multiverse, random: &mut Random) -> Game {
        let mut game = Game::new(start.clone());
        let mut multiverse = start.clone();
        for _ in 0..random.below(12) {
            while !multiverse.present_has_passed() || random.below(3) == 0 {
                let moves = multiverse.pseudo_legal_moves();
                if moves.is_empty() {
                    break;
                }
                let step = moves[random.below(moves.len())];
                multiverse.make_move(&step);
                game.pending.push(step);
            }
            if !multiverse.present_has_passed() || random.below(12) == 0 {
                break;
            }
            game.actions.push(std::mem::take(&mut game.pending));
            multiverse.set_side(!multiverse.side());
        }
        if multiverse.present_has_passed() && !game.pending.is_empty() {
            game.actions.push(std::mem::take(&mut game.pending));
        }
        game
    }

    const STARTS: [&str; 5] = [
        STANDARD,
        "[nbrk/3p*/P*3/KRBN:0:0:b] [nbrk/3p*/P*3/KRBN:0:1:w]",
        "[k*bnr*/p*p*p*p*/4/4:-0:1:w] [4/4/P*P*P*P*/K*BNR*:+0:1:w]",
        "[w*w*wk/1P2/p1W1/KW*YS:0:2:w] [dcuk/1P2/p1W1/KDCU:1:1:b] [k3/4/4/3K:-1:-1:b]",
        "[2k/3/K2:0:1:w]",
    ];

    #[test]
    fn random_games_are_written_back() {
        let mut random = Random(0x5dc4e55);
        for start in STARTS {
            for round in 0..40 {
                let mut start = parse_fen(start, None, None).unwrap();
                if round % 2 == 0 {
                    let kinds = [PieceKind::Queen, PieceKind::Knight, PieceKind::Unicorn];
                    start.set_promotions(Promotions::new(&kinds).unwrap());
                }
                let mut game = random_game(&start, &mut random);
                game.outcome = [Outcome::Draw, Outcome::Unknown][round / 2 % 2];
                assert_written_back(&game, &WriteOptions::default());
                // And from where it ended, whoever is to move there.
                let end = game.position();
                if game.pending.is_empty() {
                    let mut next = random_game(&end, &mut random);
                    next.headers.push(("Round".to_owned(), "a\nb".to_owned()));
                    assert_written_back(&next, &WriteOptions::default());
                }
            }
        }
    }

    #[test]
    fn nothing_makes_the_reader_panic() {
        let lookup = |_: &str| parse_fen(STANDARD, None, None).ok();
        let mut random = Random(0xbad);
        let pieces = [
            "1.",
            "2w.",
            "/",
            "(0T1)",
            "(L-1)",
            ">>",
            ">",
            "x",
            "Nf3",
            "e4",
            "e2e4",
            "O-O",
            "0000",
            "=Q",
            "[",
            "]",
            "\"",
            "{",
            "}",
            "(",
            ")",
            "1-0",
            "*",
            "\n",
            " ",
            " ",
            "é",
            "0",
            "T",
            "-",
            "[Board \"custom\"]",
            "[2k/3/K2:0:1:w]",
            "[Size \"3x3\"]",
            "9999999999",
        ];
        for _ in 0..3000 {
            let count = random.below(30);
            let soup: String = (0..count).map(|_| pieces[random.below(pieces.len())]).collect();
            let _ = parse_game(&soup, &lookup);
        }
        for start in STARTS {
            let start = parse_fen(start, None, None).unwrap();
            for _ in 0..60 {
                let game = random_game(&start, &mut random);
                let text = write_game(&game, &WriteOptions::default());
                let mut letters: Vec<char> = text.chars().collect();
                for _ in 0..=random.below(3) {
                    let at = random.below(letters.len());
                    let other = letters[random.below(letters.len())];
                    match random.below(3) {
                        0 => letters[at] = other,
                        1 => letters.insert(at, other),
                        _ => letters.truncate(at.max(1)),
                    }
                }
                let _ = parse_game(&letters.into_iter().collect::<String>(), &lookup);
            }
        }
    }
}
