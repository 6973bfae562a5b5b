//! The picture of a multiverse that `d` shows: timelines as rows, turns as columns, the newest
//! board of each timeline in full, older ones as a mark.

use std::fmt::Write;
use std::io::IsTerminal;

use crate::board::{Colour, Square};
use crate::multiverse::{Multiverse, Place};

/// Half-turns shown before the newest; what is older is left out.
const COLUMNS: i32 = 24;
/// Width of a column that holds only marks.
const NARROW: usize = 5;

/// Whether colours make sense: only on a terminal.
pub fn colours_wanted() -> bool {
    std::io::stdout().is_terminal()
}

/// Escape sequences, or nothing.
struct Paint(bool);

impl Paint {
    fn wrap(&self, code: &str, text: &str) -> String {
        if self.0 { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Draws the multiverse.
pub fn draw(multiverse: &Multiverse, colours: bool) -> String {
    let paint = Paint(colours);
    let newest: Vec<Place> =
        multiverse.lines().filter_map(|line| multiverse.latest(line)).collect();
    let last = newest.iter().map(|place| place.half_turn).max().unwrap_or(0);
    let first = multiverse
        .lines()
        .map(|line| *multiverse.span(line).start())
        .min()
        .unwrap_or(0)
        .max(last.saturating_sub(COLUMNS));
    let size = multiverse.size();
    let full = 2 * usize::from(size.width) + 3;
    let width = |half_turn: i32| {
        if newest.iter().any(|place| place.half_turn == half_turn) { full } else { NARROW }
    };
    let present = multiverse.present();
    let mut text = format!("{:>6} ", "");
    for half_turn in first..=last {
        let place = Place { line: 0, half_turn };
        let mut label = format!("T{}{}", place.turn(), place.colour().letter());
        if half_turn == present {
            label.push('*');
        }
        let label = format!("{label:^width$}", width = width(half_turn));
        let label = if half_turn == present { paint.wrap("1;33", &label) } else { label };
        text.push_str(&label);
    }
    let active = multiverse.active_lines();
    for line in multiverse.lines() {
        let is_active = active.contains(&line);
        text.push('\n');
        for row in (0..size.height).rev() {
            let middle = row == size.height / 2;
            let name = if middle {
                let name = multiverse.line_name(line).to_string();
                if is_active { name } else { format!("({name})") }
            } else {
                String::new()
            };
            let _ = write!(text, "\n{name:>6} ");
            for half_turn in first..=last {
                let board = multiverse.board_at(line, half_turn);
                let width = width(half_turn);
                if !board.is_present() {
                    let _ = write!(text, "{:width$}", "");
                } else if multiverse.latest_half_turn(line) == Some(half_turn) {
                    let cell = draw_row(multiverse, Place { line, half_turn }, row, &paint);
                    text.push_str(&cell);
                } else if middle {
                    let mark = match Colour::of_half_turn(half_turn) {
                        Colour::White => "w",
                        Colour::Black => "b",
                    };
                    let _ = write!(text, "{mark:^width$}");
                } else {
                    let _ = write!(text, "{:width$}", "");
                }
            }
        }
    }
    let trimmed: Vec<&str> = text.lines().map(str::trim_end).collect();
    let mut text = trimmed.join("\n");
    text.push_str("\n\n* the present   (n) inactive timeline");
    text
}

fn draw_row(multiverse: &Multiverse, place: Place, rank: u8, paint: &Paint) -> String {
    let size = multiverse.size();
    let board = multiverse.board(place);
    let edge = match place.colour() {
        Colour::White => "|",
        Colour::Black => ":",
    };
    let mut text = format!("{edge} ");
    for file in 0..size.width {
        match board.piece_at(Square::new(file, rank)) {
            None => text.push('.'),
            Some(piece) => {
                let letter = piece.letter().to_string();
                let code = match piece.colour {
                    Colour::White => "1;37",
                    Colour::Black => "1;36",
                };
                text.push_str(&paint.wrap(code, &letter));
            }
        }
        text.push(' ');
    }
    text.push_str(edge);
    text
}
