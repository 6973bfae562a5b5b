//! Whole conversations: a match as existing runners play it, and the examples of
//! `engine-protocol.md`.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::engine::{BINARY, Engine, says, value};
use crate::files::Folder;

/// A board such as `(-1T3)` off the front of a move.
fn without_board(text: &str) -> Option<&str> {
    let (inside, rest) = text.strip_prefix('(')?.split_once(')')?;
    let (line, turn) = inside.split_once('T')?;
    let whole = |number: &str| {
        let digits = number.strip_prefix('-').unwrap_or(number);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    (whole(line) && whole(turn)).then_some(rest)
}

fn without_square(text: &str) -> Option<&str> {
    let text = text.strip_prefix(|file| ('a'..='h').contains(&file))?;
    text.strip_prefix(|rank| ('1'..='8').contains(&rank))
}

/// Whether a runner reads the token as a move.
fn is_move(token: &str) -> bool {
    let read = || {
        let rest = without_square(without_board(token)?)?;
        let rest = without_square(without_board(rest).unwrap_or(rest))?;
        Some(rest.is_empty() || "QNRBSUDCW".contains(rest) && rest.len() == 1)
    };
    read().unwrap_or(false)
}

/// Plays a match against itself the way a runner drives it: the whole game in every `position`,
/// nothing but `go movetime`.
fn play(start: &str, actions: usize) -> Vec<String> {
    const MOVE_TIME: Duration = Duration::from_millis(40);
    const GRACE: Duration = Duration::from_secs(2);
    let mut engine = Engine::with("5duci");
    engine.until("5duciok");
    assert!(engine.rest().is_empty());
    assert!(engine.ask("5ducinewgame").is_empty());
    let mut judge = Engine::start();
    let mut history: Vec<String> = Vec::new();
    while history.len() < actions {
        let moves = if history.is_empty() { String::new() } else { " moves ".to_owned() };
        let position = format!("position {start}{moves}{}", history.join(" "));
        assert!(judge.ask(&position).is_empty(), "refused or illegal: {position}");
        let begin = Instant::now();
        let (answer, infos) =
            engine.go(&format!("{position}\ngo movetime {}", MOVE_TIME.as_millis()));
        assert!(begin.elapsed() < MOVE_TIME + GRACE, "forfeit: {position}");
        assert!(infos.iter().all(|line| line.starts_with("info ") && line.len() < 60_000));
        if answer == "nobestmove" {
            let status = value(&judge.ask("d"), "Status");
            assert!(status == "checkmate" || status == "stalemate", "{status}: {position}");
            break;
        }
        let played = answer.strip_prefix("bestmove ").unwrap();
        assert!(played.split(' ').all(is_move), "{answer}");
        history.push(format!("{played} submit"));
    }
    assert_eq!(engine.quit(), ["bye"]);
    history
}

#[test]
fn matches_are_played_to_their_end() {
    let odd = "size 4x4 odd fen [nbrk/3p*/P*3/KRBN:0:1:w]";
    assert!(play(odd, 24).len() > 4);
    let even = "size 5x5 even fen [p*p*p*p*p*/5/5/P*P*P*P*P*/NBK*R*B:+0:1:w] \
                [nbk*r*b/p*p*p*p*p*/5/5/P*P*P*P*P*:-0:1:w]";
    let history = play(even, 8);
    assert!(history.len() > 2);
    assert!(history[0].contains("(-1T1)"), "timeline -0 is -1 in moves: {}", history[0]);
    // The history of a game that was over: nothing more is said of it than nobestmove.
    let mated = "size 3x3 odd fen [k1K/3/1Q1:0:1:w] moves (0T1)b1a1 submit";
    let mut engine = Engine::with("5duci");
    assert_eq!(engine.go(&format!("position {mated}\ngo movetime 40")).0, "nobestmove");
}

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-protocol.md");

/// The fenced blocks of the page with a label.
fn blocks(label: &str) -> Vec<Vec<String>> {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line == format!("```{label}") {
            let block = lines.by_ref().take_while(|line| *line != "```");
            blocks.push(block.map(str::to_owned).collect());
        }
    }
    blocks
}

/// Whether a line is what the page shows, where `…` stands for anything.
fn matches(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('…');
    let first = parts.next().unwrap();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[test]
fn patterns_mean_what_they_say() {
    for (pattern, line, expected) in [
        ("a b", "a b", true),
        ("a b", "a b c", false),
        ("a … c", "a b c", true),
        ("a … c", "a b d", false),
        ("a…", "a", true),
        ("…b…", "abc", true),
        ("…b…", "ac", false),
    ] {
        assert_eq!(matches(pattern, line), expected, "{pattern}, {line}");
    }
}

#[test]
fn the_conversations_of_the_page_are_real() {
    let blocks = blocks("session");
    assert!(blocks.len() >= 6, "{}", blocks.len());
    for block in blocks {
        let mut engine = Engine::start();
        let mut skipping = false;
        for line in &block {
            let (mark, text) = line.split_at(1);
            let text = text.strip_prefix(' ').unwrap_or(text);
            match mark {
                ">" => engine.send(text),
                "<" if text == "…" => skipping = true,
                "<" => loop {
                    let answer = engine.line();
                    if matches(text, &answer) {
                        skipping = false;
                        break;
                    }
                    assert!(skipping, "the page has {text:?}, the engine {answer:?}");
                },
                _ => panic!("{line:?} is neither sent nor expected"),
            }
        }
        assert!(block.contains(&"> quit".to_owned()), "{block:?}");
        assert_eq!(engine.status().code(), Some(0));
        let left = engine.remaining();
        assert!(left.is_empty(), "the page leaves out {left:?} in {block:#?}");
    }
}

/// The words of a command line, double quotes taken off.
fn shell_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in line.split('"').enumerate() {
        if i % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// Runs a command of the page; what it prints, standard error behind standard output.
fn shell(line: &str, folder: &Path, status: &mut i32) -> Vec<String> {
    if line == "echo $?" {
        return vec![status.to_string()];
    }
    let (line, file) = line.split_once(" > ").map_or((line, None), |(line, to)| (line, Some(to)));
    let words = shell_words(line);
    assert_eq!(words[0], "lightcone");
    let output = Command::new(BINARY).args(&words[1..]).current_dir(folder).output().unwrap();
    *status = output.status.code().unwrap();
    let mut text = String::new();
    match file {
        Some(file) => std::fs::write(folder.join(file), &output.stdout).unwrap(),
        None => text.push_str(&String::from_utf8(output.stdout).unwrap()),
    }
    text.push_str(&String::from_utf8(output.stderr).unwrap());
    text.lines().map(str::to_owned).collect()
}

#[test]
fn the_command_lines_of_the_page_are_real() {
    let folder = Folder::new("page");
    let blocks = blocks("shell");
    assert!(!blocks.is_empty());
    for block in blocks {
        let mut status = 0;
        for part in block.join("\n").split("$ ").skip(1) {
            let (command, expected) = part.split_once('\n').unwrap_or((part, ""));
            let printed = shell(command, folder.path(), &mut status);
            let mut lines = printed.iter();
            let mut skipping = false;
            for pattern in expected.trim_end_matches('\n').lines() {
                if pattern == "…" {
                    skipping = true;
                    continue;
                }
                let found = lines.find(|line| matches(pattern, line) || !skipping);
                let found = found.unwrap_or_else(|| panic!("{command}: no {pattern:?}"));
                assert!(matches(pattern, found), "{command}: {found:?} instead of {pattern:?}");
                skipping = false;
            }
            assert!(skipping || lines.next().is_none(), "{command}: {printed:?}");
        }
    }
}

#[cfg_attr(feature = "tuning", ignore = "the parameters of the search are not on the page")]
#[test]
fn the_options_of_the_page_are_those_of_the_handshake() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    for line in Engine::start().ask("uci") {
        let Some(option) = line.strip_prefix("option name ") else { continue };
        let (name, rest) = option.split_once(" type ").unwrap();
        let rest = rest.split(" var ").next().unwrap();
        let row = rows.iter().find(|row| row[0] == format!("`{name}`"));
        let row = row.unwrap_or_else(|| panic!("{name} is not on the page"));
        let (kind, bounds) = rest.split_once(" default ").unwrap_or((rest, ""));
        let default = bounds.split(" min ").next().unwrap();
        assert_eq!((row[1], row[2].trim_matches('`')), (kind, default), "{name}");
        if let Some((_, range)) = bounds.split_once(" min ") {
            assert_eq!(row[3], range.replace(" max ", "–"), "{name}");
        }
    }
}

#[test]
fn every_command_of_the_help_is_on_the_page() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let help = Engine::start().ask("help");
    assert!(says(&help, "position"));
    for line in help.iter().filter(|line| line.starts_with("  ")) {
        let word = line.split_whitespace().next().unwrap().trim_end_matches(',');
        let known = page.contains(&format!("`{word}")) || page.contains(&format!("\"{word}\""));
        assert!(known || word.starts_with('['), "{word}");
    }
}
