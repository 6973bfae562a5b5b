//! A line of input as a command: syntax only.

use crate::search::Limits;

/// What a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// Nothing: a blank line or a comment.
    Nothing,
    /// `uci`.
    Uci,
    /// `5duci`.
    FiveDUci,
    /// `isready`.
    IsReady,
    /// `ucinewgame` or `5ducinewgame`.
    NewGame,
    /// `setoption name N [value V]`.
    SetOption { name: String, value: Option<String> },
    /// `position …`, the words behind it.
    Position(Vec<&'a str>),
    /// `go …`.
    Go(Go<'a>),
    /// `stop`.
    Stop,
    /// `ponderhit`.
    PonderHit,
    /// `quit`.
    Quit,
    /// `debug on|off`.
    Debug(bool),
    /// `wait`.
    Wait,
    /// A command for people and scripts, with the words behind it.
    Terminal(&'a str, Vec<&'a str>),
    /// `d`, `legal` and the like are known; this is not.
    Unknown(&'a str),
}

/// The words of `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go<'a> {
    /// White's and Black's clock in milliseconds.
    pub time: [Option<i64>; 2],
    /// White's and Black's increment.
    pub increment: [i64; 2],
    /// Everything else that bounds the search.
    pub limits: Limits,
    /// The actions allowed, each a list of moves.
    pub search_moves: Vec<Vec<&'a str>>,
    /// `perft N` instead of a search.
    pub perft: Option<i64>,
    /// Words that were not understood.
    pub unknown: Vec<&'a str>,
}

impl Go<'_> {
    /// Whether only `stop` ends the search: asked for, or because nothing else would.
    pub fn is_infinite(&self) -> bool {
        let limits = &self.limits;
        let bounded = self.time.iter().any(Option::is_some)
            || limits.move_time.is_some()
            || limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.mate.is_some();
        limits.infinite || !bounded
    }
}

/// The terminal commands.
pub const TERMINAL: [&str; 14] = [
    "d", "pseudo", "legal", "count", "perft", "eval", "flip", "bench", "load", "pgn", "status",
    "variants", "help", "fen",
];

/// Reads a line.
pub fn parse(line: &str) -> Command<'_> {
    let words: Vec<&str> = line.split(|c: char| c.is_whitespace() || c == '\0').collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let Some((&first, rest)) = words.split_first() else { return Command::Nothing };
    if first.starts_with('#') {
        return Command::Nothing;
    }
    match first {
        "uci" => Command::Uci,
        "5duci" => Command::FiveDUci,
        "isready" => Command::IsReady,
        "ucinewgame" | "5ducinewgame" => Command::NewGame,
        "setoption" => parse_option(rest),
        "position" => Command::Position(rest.to_vec()),
        "go" => Command::Go(parse_go(rest)),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" | "exit" => Command::Quit,
        "debug" => Command::Debug(rest.first() != Some(&"off")),
        "wait" => Command::Wait,
        word if TERMINAL.contains(&word) => Command::Terminal(word, rest.to_vec()),
        word => Command::Unknown(word),
    }
}

/// Names and values may hold blanks; the name ends at the word `value`.
fn parse_option<'a>(words: &[&'a str]) -> Command<'a> {
    let words = if words.first() == Some(&"name") { words.get(1..) } else { Some(words) };
    let words = words.unwrap_or_default();
    let at = words.iter().position(|&word| word == "value");
    let (name, value) = match at {
        Some(at) => (words.get(..at), words.get(at + 1..).map(|value| value.join(" "))),
        None => (Some(words), None),
    };
    Command::SetOption { name: name.unwrap_or_default().join(" "), value }
}

fn parse_go<'a>(words: &[&'a str]) -> Go<'a> {
    let mut go = Go::default();
    let mut rest = words.iter().copied().peekable();
    while let Some(word) = rest.next() {
        match word {
            "infinite" => go.limits.infinite = true,
            "ponder" => go.limits.ponder = true,
            "searchmoves" => {
                let mut action = Vec::new();
                while let Some(word) =
                    rest.next_if(|word| word.starts_with('(') || ["submit", "0000"].contains(word))
                {
                    if word == "submit" {
                        go.search_moves.push(std::mem::take(&mut action));
                    } else if word != "0000" {
                        action.push(word);
                    }
                }
                if !action.is_empty() {
                    go.search_moves.push(action);
                }
            }
            "wtime" | "btime" | "winc" | "binc" | "movestogo" | "depth" | "nodes" | "mate"
            | "movetime" | "perft" => {
                let Some(number) = rest.peek().and_then(|text| parse_number(text)) else {
                    go.unknown.push(word);
                    continue;
                };
                rest.next();
                let [white_time, black_time] = &mut go.time;
                let [white_increment, black_increment] = &mut go.increment;
                match word {
                    "wtime" => *white_time = Some(number),
                    "btime" => *black_time = Some(number),
                    "winc" => *white_increment = number,
                    "binc" => *black_increment = number,
                    "movestogo" => go.limits.moves_to_go = Some(number),
                    "depth" => go.limits.depth = Some(number),
                    "nodes" => go.limits.nodes = Some(number),
                    "mate" => go.limits.mate = Some(number),
                    "movetime" => go.limits.move_time = Some(number),
                    _ => go.perft = Some(number),
                }
            }
            other => go.unknown.push(other),
        }
    }
    go
}

/// A whole number; what is out of range counts as the end of it.
fn parse_number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(text.parse().unwrap_or(if text.starts_with('-') { i64::MIN } else { i64::MAX }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_hold_blanks() {
        let name = "Move Overhead".to_owned();
        let value = Some("20".to_owned());
        let wanted = Command::SetOption { name, value };
        assert_eq!(parse("setoption name Move Overhead value 20"), wanted);
        assert_eq!(parse("  setoption\tname Move  Overhead value 20\r"), wanted);
    }

    #[test]
    fn every_limit_of_go_is_read_in_any_order() {
        let Command::Go(go) = parse(
            "go searchmoves (0T1)e2e4 submit (0T1)d2d4 submit wtime 5 btime -3 depth 4 nodes \
             99999999999999999999 huh movetime x ponder",
        ) else {
            panic!("not a go");
        };
        assert_eq!(go.search_moves, [["(0T1)e2e4"], ["(0T1)d2d4"]]);
        assert_eq!(go.time, [Some(5), Some(-3)]);
        assert_eq!(go.limits.depth, Some(4));
        assert_eq!(go.limits.nodes, Some(i64::MAX));
        assert_eq!(go.unknown, ["huh", "movetime", "x"]);
        assert!(go.limits.ponder);
    }

    #[test]
    fn blank_lines_and_comments_are_nothing() {
        assert_eq!(parse(""), Command::Nothing);
        assert_eq!(parse(" \t\0 "), Command::Nothing);
        assert_eq!(parse("# quit"), Command::Nothing);
    }
}
