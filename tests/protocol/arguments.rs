//! Commands given as arguments, and exit statuses.

use crate::engine::{Outcome, run};
use crate::files::{Folder, RECORD, bad_record};

/// Runs a command of blank-separated words that has to succeed; its lines.
fn good(arguments: &str) -> Vec<String> {
    let words: Vec<&str> = arguments.split(' ').collect();
    check_good(run(&words, b""), arguments)
}

fn check_good(outcome: Outcome, arguments: &str) -> Vec<String> {
    assert_eq!(outcome.code, Some(0), "{arguments}: {outcome:?}");
    assert_eq!(outcome.errors, "", "{arguments}");
    outcome.output.lines().map(str::to_owned).collect()
}

fn last(arguments: &str) -> String {
    good(arguments).pop().unwrap()
}

#[test]
fn commands_run_on_the_position_behind_them() {
    assert_eq!(last("perft 2 startpos"), "Nodes searched: 440");
    assert_eq!(last("perft 2"), "Nodes searched: 440");
    assert_eq!(last("perft 2 variant Standard"), "Nodes searched: 400");
    assert_eq!(last("go perft 2 variant Very Small - Open"), "Nodes searched: 71");
    assert_eq!(last("perft 1 startpos moves (0T1)e2e4 submit"), "Nodes searched: 22");
    assert_eq!(last("legal 50 fen [k2/3/1R1:0:1:b]"), "Move sets: 1");
    assert_eq!(last("legal 50 size 3x3 odd fen [k2/3/1R1:0:1:b]"), "Move sets: 1");
    assert_eq!(last("count [k2/3/1R1:0:1:b]"), "Move sets: 1");
    assert_eq!(last("pseudo startpos"), "Pseudo-legal moves: 20");
    assert_eq!(last("d fen [k1K/1Q1/3:0:1:b]"), "Result: 1-0");
    assert_eq!(last("fen [k1K/1Q1/3:0:1:b]"), "[k1K/1Q1/3:0:1:b]");
    assert_eq!(last("fen fen [k1K/1Q1/3:0:1:b]"), "[k1K/1Q1/3:0:1:b]");
    assert_eq!(last("go depth 3 fen [k2/3/1R1:0:1:b]"), "bestmove (0T1)a3a2");
    assert_eq!(last("go depth 3 fen [k1K/1Q1/3:0:1:b]"), "bestmove (none)");
    assert_eq!(last("go searchmoves (0T1)a2a3 submit depth 1 startpos"), "bestmove (0T1)a2a3");
    assert!(last("go movetime 50 variant Standard").starts_with("bestmove (0T1)"));
    assert!(last("eval startpos").starts_with("Evaluation: "));
    assert!(good("pgn startpos moves (0T1)e2e4 submit").join(" ").contains("e2e4"));
    assert_eq!(good("variants")[0], "Standard (Standard, 8x8, odd) also: Standard (Default)");
    assert!(last("help").contains("lightcone"));
    for silent in ["flip", "wait", "debug on", "stop", "quit", "position startpos"] {
        assert!(good(silent).is_empty(), "{silent}");
    }
    assert_eq!(good("isready"), ["readyok"]);
}

#[test]
fn a_quoted_name_is_one_argument() {
    let words = ["perft", "1", "variant", "Very Small - Open"];
    assert_eq!(check_good(run(&words, b""), "quoted").pop().unwrap(), "Nodes searched: 9");
    let words = ["perft", "1", "variant", "\"Very Small - Open\""];
    assert_eq!(check_good(run(&words, b""), "quoted").pop().unwrap(), "Nodes searched: 9");
}

#[test]
fn warnings_are_no_failures() {
    let lines = good("d fen [3qk/5/5/5/2K2:0:1:w] moves (0T1)c1d1 submit");
    assert!(lines[0].starts_with("info string warning: "), "{lines:?}");
}

#[test]
fn bad_input_is_status_1_with_a_message_aside() {
    for arguments in [
        "d variant Chess 2",
        "d fen [k2/3/K3:0:1:w]",
        "d startpos moves (0T1)e2e5",
        "d startposs",
        "perft x startpos",
        "perft 2 3 startpos",
        "legal -5",
        "load",
        "load /no/such/file",
        "status",
        "status /no/such/file",
        "setoption name Nonsense value 1",
        "go searchmoves (0T1)e2e5 submit depth 1",
        "go",
        "go infinite startpos",
        "go ponder movetime 10",
    ] {
        let words: Vec<&str> = arguments.split(' ').collect();
        let outcome = run(&words, b"");
        assert_eq!(outcome.code, Some(1), "{arguments}: {outcome:?}");
        assert_eq!(outcome.errors.lines().count(), 1, "{arguments}: {outcome:?}");
        assert!(!outcome.output.contains("error"), "{arguments}: {outcome:?}");
    }
}

#[test]
fn bad_usage_is_status_2() {
    for words in [&["nonsense"][..], &["--nonsense"], &["startpos"], &["D"], &[""]] {
        let outcome = run(words, b"");
        assert_eq!(outcome.code, Some(2), "{words:?}: {outcome:?}");
        assert_eq!(outcome.output, "");
        assert!(!outcome.errors.is_empty());
    }
}

#[test]
fn the_version_and_a_summary_are_shown() {
    let outcome = run(&["--version"], b"");
    assert_eq!(outcome.output, format!("lightcone {}\n", env!("CARGO_PKG_VERSION")));
    let outcome = run(&["--help"], b"");
    assert_eq!(outcome.code, Some(0));
    assert!(outcome.output.contains("lightcone [COMMAND]"), "{}", outcome.output);
}

#[test]
fn records_are_read_from_files() {
    let folder = Folder::new("arguments");
    let good_file = folder.write("a game.5dpgn", RECORD);
    let bad_file = folder.write("bad.5dpgn", &bad_record());
    let one = check_good(run(&["status", &good_file], b""), "status");
    assert_eq!(one.len(), 6);
    assert_eq!(one[0], "0\tw\tongoing");
    assert!(check_good(run(&["load", &good_file, "2"], b""), "load").is_empty());
    let two = run(&["status", &good_file, &bad_file, &good_file], b"");
    assert_eq!(two.code, Some(1));
    let expected = format!("# {good_file}\n{}\n", one.join("\n"));
    assert_eq!(two.output, format!("{expected}# {bad_file}\n{expected}"));
    let message = format!("{bad_file}: action 5: 3w (0T3)a2b4: ");
    assert!(two.errors.starts_with(&message), "{}", two.errors);
    assert_eq!(two.errors.lines().count(), 1);
}

#[test]
fn without_arguments_the_protocol_is_spoken() {
    let outcome = run(&[], b"5duci\nquit\n");
    assert_eq!(outcome.code, Some(0));
    assert!(outcome.output.ends_with("5duciok\nbye\n"));
}
