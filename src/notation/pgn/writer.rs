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
