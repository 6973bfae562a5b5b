//! Cuts a record into headers, boards and the written moves of each action.
//!
//! Knows no position: whether a move exists and whose turn it is are questions for the reader.
//! One pass over the text without recursion, so that neither depth nor length can hurt.

use super::super::ParseError;
use super::movetext::{BoardText, MARKS, MoveText, before};
use super::{ActionName, Outcome, PgnError};
use crate::board::Colour;

/// A header: `[Name "value"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// The name as written.
    pub(super) name: String,
    /// The value without its quotes.
    pub(super) value: String,
    /// Its line in the text.
    pub(super) line: usize,
}

/// A move as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    /// The text.
    pub(super) text: &'a str,
    /// Its line in the text.
    pub(super) line: usize,
    /// What it says.
    pub(super) written: MoveText,
}

/// The moves of one action as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ActionText<'a> {
    /// Its number: from the label, or that of the action before.
    pub(super) number: u32,
    /// Whose action the text says it is; `None` before the first label.
    pub(super) side: Option<Colour>,
    /// The moves.
    pub(super) moves: Vec<Token<'a>>,
}

/// A record as written: what stands outside comments and variations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Record<'a> {
    /// The headers in their order.
    pub(super) headers: Vec<Header>,
    /// The boards in 5DFEN with their brackets, each with its line in the text.
    pub(super) blocks: Vec<(&'a str, usize)>,
    /// The actions of the main line; none is empty.
    pub(super) actions: Vec<ActionText<'a>>,
    /// The result after the moves, if written.
    pub(super) outcome: Option<Outcome>,
}

/// Reads the syntax of one record.
///
/// Comments `{…}` and `; …`, and everything in parentheses that is not a board (variations, and
/// remarks such as `(~T1)` and `(>L1)`) are left out.
///
/// # Errors
/// The token that fits nowhere, a bracket that is not closed, or text after the result.
pub(super) fn parse_record(text: &str) -> Result<Record<'_>, PgnError> {
    let mut scanner = Scanner { rest: text.trim_start_matches('\u{feff}'), line: 1 };
    let mut record = Record::default();
    let mut action = ActionText { number: 1, side: None, moves: Vec::new() };
    loop {
        scanner.skip_blanks();
        let (line, rest) = (scanner.line, scanner.rest);
        let error = |token: &str, expected: &str, action: &ActionText<'_>| PgnError {
            action: (record.outcome.is_some() || action.side.is_some() || !action.moves.is_empty())
                .then(|| ActionName {
                    number: action.number,
                    side: action.side.unwrap_or(Colour::White),
                    index: record.actions.len(),
                }),
            line,
            cause: ParseError::new(token, expected),
        };
        let Some(first) = rest.chars().next() else { break };
        match first {
            '{' => {
                if !scanner.skip_comment() {
                    return Err(error(rest, "the comment is not closed by }", &action));
                }
            }
            ';' => {
                scanner.take_until(|letter| letter == '\n');
            }
            '[' => {
                if !record.actions.is_empty() || !action.moves.is_empty() {
                    let expected = "headers and boards belong before the moves";
                    return Err(error(rest, expected, &action));
                }
                match scanner.bracket().map_err(|expected| error(rest, expected, &action))? {
                    Bracket::Header(name, value) => {
                        record.headers.push(Header { name, value, line })
                    }
                    Bracket::Block(block) => record.blocks.push((block, line)),
                }
            }
            '(' if BoardText::parse(rest).is_none() => {
                scanner.skip_parentheses().map_err(|expected| error(rest, expected, &action))?;
            }
            '/' => {
                scanner.bump();
                let number = action.number;
                begin(&mut record, &mut action, number, Colour::Black);
            }
            _ => {
                if let Some((number, side)) = scanner.label() {
                    begin(&mut record, &mut action, number, side);
                    continue;
                }
                if let Some(outcome) = scanner.outcome() {
                    record.outcome = Some(outcome);
                    continue;
                }
                let text = scanner.word();
                // A mark on its own, behind a remark.
                if text.trim_start_matches(MARKS).is_empty() {
                    continue;
                }
                let written = MoveText::parse(text).ok_or_else(|| {
                    error(text, "expected a move such as (0T1)Ng1f3, Nf3 or O-O", &action)
                })?;
                if record.outcome.is_some() {
                    return Err(error(text, "expected nothing after the result", &action));
                }
                action.moves.push(Token { text, line, written });
            }
        }
    }
    if !action.moves.is_empty() {
        record.actions.push(action);
    }
    Ok(record)
}

/// A label or a slash: the action before it is over, unless it has no moves.
fn begin<'a>(record: &mut Record<'a>, action: &mut ActionText<'a>, number: u32, side: Colour) {
    let next = ActionText { number, side: Some(side), moves: Vec::new() };
    let before = std::mem::replace(action, next);
    if !before.moves.is_empty() {
        record.actions.push(before);
    }
}

enum Bracket<'a> {
    Header(String, String),
    Block(&'a str),
}

struct Scanner<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Scanner<'a> {
    /// Takes everything before `rest`, which is the end of what is left.
    fn advance_to(&mut self, rest: &'a str) -> &'a str {
        let taken = before(self.rest, rest);
        let lines = taken.bytes().filter(|&byte| byte == b'\n').count();
        self.line = self.line.saturating_add(lines);
        self.rest = rest;
        taken
    }

    fn take_until(&mut self, stop: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest.trim_start_matches(|letter| !stop(letter));
        self.advance_to(rest)
    }

    fn bump(&mut self) {
        let mut letters = self.rest.chars();
        letters.next();
        self.advance_to(letters.as_str());
    }

    fn skip_blanks(&mut self) {
        self.take_until(|letter| !letter.is_whitespace());
    }

    /// Skips `{…}`; comments do not nest.
    fn skip_comment(&mut self) -> bool {
        self.take_until(|letter| letter == '}');
        let closed = !self.rest.is_empty();
        self.bump();
        closed
    }

    /// Skips a variation or a remark, up to the parenthesis that closes it.
    fn skip_parentheses(&mut self) -> Result<(), &'static str> {
        self.bump();
        self.skip_blanks();
        // A board with a slip of the pen must not pass as a variation.
        let mut inside = Scanner { rest: self.rest, line: self.line };
        if !self.rest.starts_with(['~', '>', '{']) && inside.label().is_none() {
            return Err("expected a board such as (0T1), or a variation with its number");
        }
        let mut depth = 1usize;
        while depth > 0 {
            self.take_until(|letter| matches!(letter, '(' | ')' | '{'));
            match self.rest.chars().next() {
                Some('{') => {
                    self.skip_comment();
                    continue;
                }
                Some('(') => depth = depth.saturating_add(1),
                Some(_) => depth = depth.saturating_sub(1),
                None => return Err("the variation is not closed by )"),
            }
            self.bump();
        }
        Ok(())
    }

    /// Takes `[Name "value"]` or a block of 5DFEN. A header that ends at its quote, without the
    /// bracket, is read all the same.
    fn bracket(&mut self) -> Result<Bracket<'a>, &'static str> {
        let open = self.rest;
        let inside = open.strip_prefix('[').unwrap_or(open);
        let end = inside.find([']', '"', '\n']).and_then(|end| inside.split_at_checked(end));
        let Some((before, rest)) = end else { return Err("the bracket is not closed by ]") };
        let Some(mut value_text) = rest.strip_prefix('"') else {
            let (_, rest) = open.split_once(']').ok_or("the bracket is not closed by ]")?;
            return Ok(Bracket::Block(self.advance_to(rest)));
        };
        let mut value = String::new();
        loop {
            let mut letters = value_text.chars();
            match letters.next() {
                None | Some('\n') => return Err("the value is not closed by a quote"),
                Some('"') => {
                    value_text = letters.as_str();
                    break;
                }
                Some('\\') if letters.as_str().starts_with(['"', '\\']) => {
                    value.extend(letters.next());
                }
                Some(letter) => value.push(letter),
            }
            value_text = letters.as_str();
        }
        let closed = value_text.trim_start_matches([' ', '\t']).strip_prefix(']');
        self.advance_to(closed.unwrap_or(value_text));
        let name = before.trim();
        if name.is_empty() {
            return Err("expected a header [Name \"value\"]");
        }
        Ok(Bracket::Header(name.to_owned(), value))
    }

    /// Takes `7.`, `7w.`, `7b.` or `7...`.
    fn label(&mut self) -> Option<(u32, Colour)> {
        let after = self.rest.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let digits = before(self.rest, after);
        let letter = after.chars().next().filter(|letter| matches!(letter, 'w' | 'b'));
        let dots = letter.map_or(after, |letter| after.trim_start_matches(letter));
        let rest = dots.trim_start_matches('.');
        let count = dots.len().saturating_sub(rest.len());
        if count == 0 || digits.is_empty() {
            return None;
        }
        let side = match letter {
            Some('b') => Colour::Black,
            None if count > 1 => Colour::Black,
            _ => Colour::White,
        };
        self.advance_to(rest);
        Some((digits.parse().unwrap_or(u32::MAX), side))
    }

    fn outcome(&mut self) -> Option<Outcome> {
        let known = [Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw, Outcome::Unknown];
        let (outcome, rest) = known.into_iter().find_map(|outcome| {
            let rest = self.rest.strip_prefix(outcome.as_str())?;
            let over =
                rest.chars().next().is_none_or(|next| !next.is_alphanumeric() && next != '-');
            over.then_some((outcome, rest))
        })?;
        self.advance_to(rest);
        Some(outcome)
    }

    /// Takes a move: up to a blank, but boards in parentheses belong to it, and so does what
    /// follows the board it starts with. Takes at least one character.
    fn word(&mut self) -> &'a str {
        let mut rest = self.rest;
        if let Some((_, after)) = BoardText::parse(rest) {
            rest = after.trim_start_matches([' ', '\t']);
        }
        loop {
            if let Some((_, after)) = BoardText::parse(rest) {
                rest = after;
                continue;
            }
            let mut letters = rest.chars();
            match letters.next() {
                Some(letter) if !ends_word(letter) => rest = letters.as_str(),
                _ => break,
            }
        }
        if rest.len() == self.rest.len() {
            let start = self.rest;
            self.bump();
            return before(start, self.rest);
        }
        self.advance_to(rest)
    }
}

fn ends_word(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '/' | '{' | '}' | '[' | ']' | '(' | ')' | ';')
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Actions as `number side moves…`.
    fn actions(text: &str) -> Vec<String> {
        let record = parse_record(text).unwrap();
        let show = |action: &ActionText<'_>| {
            let moves: Vec<&str> = action.moves.iter().map(|token| token.text).collect();
            let side = action.side.map_or('?', Colour::letter);
            format!("{}{side} {}", action.number, moves.join(" "))
        };
        record.actions.iter().map(show).collect()
    }

    #[test]
    fn labels_slashes_and_lines() {
        assert_eq!(actions("1. e3 / Nf6\n2. Bb5\n/ e6 3."), ["1w e3", "1b Nf6", "2w Bb5", "2b e6"]);
        assert_eq!(actions("1.e3/Nf6 2.Bb5/e6"), ["1w e3", "1b Nf6", "2w Bb5", "2b e6"]);
        assert_eq!(actions("1w.e3 1b.Nf6 2w. Bb5 /"), ["1w e3", "1b Nf6", "2w Bb5"]);
        assert_eq!(actions("3... d5 4. / e6"), ["3b d5", "4b e6"]);
        assert_eq!(actions("e3 / e6"), ["1? e3", "1b e6"]);
        assert_eq!(
            actions("1.{1:48}(0T1)e2e4 / {5:10}(0T1)e7e6"),
            ["1w (0T1)e2e4", "1b (0T1)e7e6"]
        );
        assert_eq!(actions("1. (0T1) e4 (1T1)\td4"), ["1w (0T1) e4 (1T1)\td4"]);
        assert_eq!(actions("7. 0-0 / 0-0-0 8. (0T1)0000"), ["7w 0-0", "7b 0-0-0", "8w (0T1)0000"]);
    }

    #[test]
    fn comments_variations_and_remarks_are_left_out() {
        assert_eq!(
            actions("1w.e3 ( 1b. e6 {a ) b}2.f3 (2b. e5 (3. c4)) / Nf6)(1b. c6) 1b.Nf6 {x} ; y\n/"),
            ["1w e3", "1b Nf6"]
        );
        assert_eq!(actions("1. Nf3>>(0T1)f5 (~T2) (>L-1)~"), ["1w Nf3>>(0T1)f5"]);
        assert_eq!(actions("(1. e4) 1. d4(>L1)"), ["1w d4"]);
    }

    #[test]
    fn headers_and_blocks() {
        let text =
            "[Mode \"5D\"] [a_1 \"x \\\"y\\\" ]\"]\r\n[k:0:1:w] [Open \"z\"\n[K:0:1:b]\n1. Ka1 1-0";
        let record = parse_record(text).unwrap();
        let headers: Vec<_> =
            record.headers.iter().map(|h| (h.name.as_str(), h.value.as_str(), h.line)).collect();
        assert_eq!(headers, [("Mode", "5D", 1), ("a_1", "x \"y\" ]", 1), ("Open", "z", 2)]);
        assert_eq!(record.blocks, [("[k:0:1:w]", 2), ("[K:0:1:b]", 3)]);
        assert_eq!(record.outcome, Some(Outcome::WhiteWins));
    }

    #[test]
    fn results() {
        let outcome = |text: &str| parse_record(text).unwrap().outcome;
        assert_eq!(outcome("1. e4 0-1"), Some(Outcome::BlackWins));
        assert_eq!(outcome("1. e4 / 1/2-1/2 {agreed}"), Some(Outcome::Draw));
        assert_eq!(outcome("1. e4 *"), Some(Outcome::Unknown));
        assert_eq!(outcome("1. Qe4*"), None);
    }

    #[test]
    fn faults_are_named() {
        let fault = |text: &str| {
            let error = parse_record(text).unwrap_err();
            (error.to_string(), error.line)
        };
        assert_eq!(fault("1. e4 {x\n").0, "action 1: 1w {x?: the comment is not closed by }");
        assert_eq!(
            fault("\n1. e4 (1w. d4").0,
            "action 1: 1w (1w. d4: the variation is not closed by )"
        );
        assert_eq!(
            fault("1. (OT1)e4").0,
            "action 1: 1w (OT1)e4: expected a board such as (0T1), or a variation with its number"
        );
        assert_eq!(
            fault("1. e4 / e5\n2. BRa1"),
            ("action 3: 2w BRa1: expected a move such as (0T1)Ng1f3, Nf3 or O-O".into(), 2)
        );
        assert_eq!(fault("[Mode \"5D\n").0, "[Mode \"5D?: the value is not closed by a quote");
        assert_eq!(fault("[8/8").0, "[8/8: the bracket is not closed by ]");
        assert_eq!(fault("[\"x\"]").0, "[\"x\"]: expected a header [Name \"value\"]");
        assert_eq!(fault("1. e4 1-0 e5").0, "action 1: 1w e5: expected nothing after the result");
        assert!(
            fault("1. e4 [Mode \"5D\"]").0.ends_with("headers and boards belong before the moves")
        );
        for text in ["}", ")", "]", "1. e4 )", "é", "…"] {
            assert!(parse_record(text).is_err(), "{text}");
        }
    }

    #[test]
    fn depth_and_length_do_no_harm() {
        for part in ["(", "(1.", "((1.", "{", "[", "1.", "/", "(0T1)", "(0T1", ">", "[x \"", "e4 "]
        {
            let _ = parse_record(&part.repeat(200_000));
        }
        let deep = format!("1. e4 {}{} / e5", "(1. ".repeat(100_000), ")".repeat(100_000));
        assert_eq!(parse_record(&deep).unwrap().actions.len(), 2);
    }
}
