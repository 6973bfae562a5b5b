//! Bad input of every kind: it is survived, reported, and changes nothing.

use std::time::Duration;

use crate::engine::{Engine, answers, pipe, run, says, value};
use crate::positions::{BRANCHED, PROMOTION};

#[test]
fn lines_may_be_written_in_any_way() {
    let mut engine = Engine::start();
    engine.send_bytes(
        b"isready\r\n\tisready \t\r\n\n   \n\r\n\0isready\0\nisready\0now\n# isready\n",
    );
    let mut lines = vec![engine.line(), engine.line(), engine.line(), engine.line()];
    lines.extend(engine.rest());
    assert_eq!(lines, ["readyok"; 4]);
    engine.send_bytes(b"position\tstartpos  moves\t(0T1)e2e4\0submit\r\n");
    assert_eq!(value(&engine.ask("d"), "Side"), "black");
}

#[test]
fn bytes_that_are_no_text_are_survived() {
    let mut bytes: Vec<u8> = (0..=255).cycle().take(10_000).collect();
    bytes.extend(b"\nposition fen \xff\xfe\n\xc3\x28 \x00\n\xf0\x9f\nisready\n");
    let outcome = run(&[], &bytes);
    assert_eq!(outcome.code, Some(0));
    assert_eq!(outcome.output.lines().last(), Some("readyok"));
    assert_eq!(outcome.errors, "");
    assert!(outcome.output.lines().all(|line| line == "readyok" || line.starts_with("info ")));
}

#[test]
fn a_line_of_a_megabyte_is_answered_shortly() {
    let long = "x".repeat(1 << 20);
    let many = "x ".repeat(1 << 19);
    let moves = "(0T1)e2e4 submit ".repeat(60_000);
    for text in [
        long.clone(),
        many.clone(),
        format!("position {long}"),
        format!("position fen [{long}]"),
        format!("position startpos moves {long}"),
        format!("position startpos moves {moves}"),
        format!("setoption name {long} value 1"),
        format!("setoption name {many}"),
        format!("setoption name Promotions value {long}"),
        format!("setoption name Debug Log File value /no/such/folder/{long}"),
        format!("perft {long}"),
        format!("load {long}"),
        format!("go searchmoves ({long} depth 1"),
        format!("debug on\ngo depth 1 {many}"),
    ] {
        let lines = pipe(&format!("{text}\nwait\nisready\n"));
        let shown: String = text.chars().take(40).collect();
        assert!(lines.len() > 1, "nothing is said on {shown}");
        let longest = lines.iter().map(String::len).max().unwrap();
        assert!(longest <= 60_000, "a line of {longest} on {shown}");
    }
}

#[test]
fn unknown_commands_are_reported_once_each() {
    let lines = pipe("hello\nPOSITION startpos\nquit2\n");
    assert_eq!(lines.len(), 3);
    assert!(lines.iter().all(|line| line.starts_with("info string error: ")), "{lines:?}");
}

#[test]
fn a_refused_position_leaves_the_old_one() {
    let mut engine = Engine::with(&format!("position {BRANCHED}"));
    let key = value(&engine.ask("d"), "Key");
    for (bad, why) in [
        ("position", "expected startpos"),
        ("position nonsense", "nonsense: expected"),
        ("position variant Chess 2", "expected the name of a variant"),
        ("position startpos fen [k:0:1:w]", "a named start takes"),
        ("position startpos startpos", "given twice"),
        ("position fen", "expected startpos"),
        ("position fen [", "not closed"),
        ("position fen [k2/3/K2:0:1:w", "not closed"),
        ("position fen [k2/3/K2:0:1]", "expected [ranks:timeline:turn:w|b]"),
        ("position fen [k2/3/K2:0:1:x]", "colour"),
        ("position fen [k2/3/K3:0:1:w]", "unequal length"),
        ("position fen [k2/3/Z2:0:1:w]", "expected pieces"),
        ("position fen [k2/3/K2:0:1:w] [k2/3/K2:0:1:w]", "given twice"),
        ("position fen [k2/3/K2:0:1:w] [k2/3/K2:2:1:w]", "without a gap"),
        ("position fen [k2/3/K2:1:1:w]", "missing"),
        ("position even fen [k2/3/K2:+0:1:w]", "missing"),
        ("position odd fen [k2/3/K2:+0:1:w] [k2/3/K2:-0:1:w]", "even start"),
        ("position size 4x4 fen [k2/3/K2:0:1:w]", "3x3 where 4x4"),
        ("position size 9x9 fen [k2/3/K2:0:1:w]", "1x1 to 8x8"),
        ("position fen [k2/3/K2:0:99999999:w]", "not supported"),
        ("position fen [k2/3/K2:0:99999999999999999999:w]", "turn number"),
        ("position startpos moves (0T1)e2e4 (0T1)e2e4", "is the opponent's"),
        ("position startpos moves (0T1)e2e5", "cannot move there"),
        ("position startpos moves (0T1)e7e5", "belongs to the opponent"),
        ("position startpos moves (0T1)e2e4 submit (0T1)d2d4", "belongs to the opponent"),
        ("position startpos moves (0T1)e2e4 submit (0T0)e7e5", "not the latest board"),
        ("position startpos moves (0T1)e4e5", "no piece"),
        ("position startpos moves (1T1)e2e4", "no timeline 1"),
        ("position startpos moves submit", "cannot be submitted"),
        ("position startpos moves (0T1)e2e4 submit submit", "cannot be submitted"),
        ("position startpos moves e2e4", "expected a move"),
        ("position startpos moves (0T1)e2e4K", "expected a move"),
    ] {
        let lines = engine.ask(bad);
        assert_eq!(lines.len(), 1, "{bad}: {lines:?}");
        assert!(lines[0].starts_with("info string error: position: "), "{}", lines[0]);
        assert!(lines[0].contains(why), "{bad}: {}", lines[0]);
        assert_eq!(value(&engine.ask("d"), "Key"), key, "{bad}");
    }
    let says_so = |lines: &[String]| says(lines, "info string the last position was refused");
    let (answer, infos) = engine.go("go depth 1");
    assert!(says_so(&infos) && answer.starts_with("bestmove (1T2)"), "{answer} {infos:?}");
    assert!(!says_so(&engine.go("go depth 1").1), "once");
    engine.ask("position nonsense\nposition startpos");
    assert!(!says_so(&engine.go("go depth 1").1), "a good position came after it");
}

#[test]
fn histories_that_others_let_through_are_accepted_with_a_warning() {
    let mut engine = Engine::start();
    // The king walks next to a queen.
    let lines = engine.ask("position fen [3qk/5/5/5/2K2:0:1:w] moves (0T1)c1d1 submit");
    assert_eq!(lines.len(), 1);
    assert!(lines[0].starts_with("info string warning: "), "{lines:?}");
    assert_eq!(value(&engine.ask("d"), "Side"), "black");
    // The capture of a royal is a capture, and the best there is.
    let (answer, _) = engine.go("go depth 2");
    assert_eq!(answer, "bestmove (0T1)d5d1");
    let lines = engine.ask("position fen [3qk/5/5/5/3K1:0:1:b]");
    assert!(lines[0].starts_with("info string warning: "), "{lines:?}");
    assert!(says(&engine.ask("d"), "info string the side to move can take a royal"));
}

#[test]
fn a_game_goes_on_without_its_kings() {
    let lines = pipe("position fen [2q/3/Q2:0:1:w]\nd\ngo depth 2\nwait\n");
    assert_eq!(value(&lines, "Check"), "no");
    assert!(answers(&lines)[0].starts_with("bestmove (0T1)a1"), "{lines:?}");
    // A king that was taken, and one that still stands on a past board.
    let taken = "position fen [3qk/5/5/5/2K2:0:1:w] moves (0T1)c1d1 submit (0T1)d5d1 submit";
    assert_eq!(answers(&pipe(&format!("{taken}\ngo depth 2\nwait\n"))).len(), 1);
}

#[test]
fn promotions_are_read_as_others_write_them() {
    let mut engine = Engine::start();
    for (letter, fault) in [("", ""), ("Q", ""), ("q", ""), ("N", "not allowed"), ("P", "expected")]
    {
        let lines = engine.ask(&format!("position {PROMOTION} moves (0T1)a3a4{letter} submit"));
        assert_eq!(lines.is_empty(), fault.is_empty(), "{letter}: {lines:?}");
        assert!(fault.is_empty() || says(&lines, fault), "{letter}: {lines:?}");
    }
    // A letter on a move that does not promote is passed over.
    assert!(engine.ask(&format!("position {PROMOTION} moves (0T1)a1b1Q submit")).is_empty());
    // So is a second board that is the first.
    assert!(engine.ask("position startpos moves (0T1)e2(0T1)e4 submit").is_empty());
}

#[test]
fn a_broken_pipe_ends_the_program() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    for text in ["", "go infinite\n"] {
        let mut child = Command::new(crate::engine::BINARY)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        let mut status = None;
        for _ in 0..3000 {
            let _ = stdin.write_all(format!("{text}isready\n").as_bytes());
            status = child.try_wait().unwrap();
            if status.is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let Some(status) = status else {
            child.kill().unwrap();
            panic!("the program goes on, though nobody reads");
        };
        assert_eq!(status.code(), Some(0));
        let mut errors = String::new();
        std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut errors).unwrap();
        assert_eq!(errors, "");
    }
}
