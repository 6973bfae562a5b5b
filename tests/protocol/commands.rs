//! The terminal commands: scripts read what they print, so it is compared to the letter.

use crate::engine::{Engine, says, value};
use crate::files::{Folder, RECORD, bad_record};
use crate::positions::{BRANCHED, EVEN, EXILED, FORCED, MATED, SMALL, STALEMATE};

const FIELDS: [&str; 17] = [
    "Variant",
    "Size",
    "Timelines",
    "Fen",
    "Side",
    "Present",
    "Active",
    "Inactive",
    "Mandatory",
    "Optional",
    "Waiting",
    "Submit",
    "Key",
    "Check",
    "Checks",
    "Status",
    "Result",
];

/// What `d` shows behind the picture, without `Fen` and `Key`.
fn shown(engine: &mut Engine, position: &str) -> Vec<String> {
    let lines = engine.ask(&format!("position {position}\nd"));
    let at = lines.iter().position(|line| line.starts_with("Variant:")).unwrap();
    let fields = &lines[at..at + FIELDS.len()];
    for (line, field) in fields.iter().zip(FIELDS) {
        assert!(line.starts_with(&format!("{field}:")), "{line} instead of {field}");
        assert_eq!(value(&lines, field), line[field.len() + 1..].trim());
    }
    assert!(lines[at + FIELDS.len()..].iter().all(|line| line.starts_with("info string ")));
    let key = value(&lines, "Key");
    assert!(key.len() == 16 && key.bytes().all(|b| b"0123456789abcdef".contains(&b)), "{key}");
    let kept = |line: &&String| !line.starts_with("Fen:") && !line.starts_with("Key:");
    fields.iter().filter(kept).cloned().collect()
}

#[test]
fn d_shows_every_field_once_and_in_order() {
    let mut engine = Engine::start();
    let check = |engine: &mut Engine, position: &str, expected: &str| {
        let expected: Vec<&str> = expected.trim().lines().map(str::trim).collect();
        assert_eq!(shown(engine, position), expected, "{position}");
    };
    check(
        &mut engine,
        "startpos",
        "Variant: Standard - Turn Zero
         Size: 8x8
         Timelines: odd
         Side: white
         Present: T1w
         Active: 0
         Inactive:
         Mandatory: 0
         Optional:
         Waiting:
         Submit: no
         Check: no
         Checks:
         Status: ongoing
         Result: *",
    );
    // Half an action: the present is White's still, on the other board.
    check(
        &mut engine,
        &format!("{EVEN} moves (0T1)e2e4"),
        "Variant: Standard - Two Timelines
         Size: 8x8
         Timelines: even
         Side: white
         Present: T1w
         Active: -0 +0
         Inactive:
         Mandatory: -0
         Optional:
         Waiting: +0
         Submit: no
         Check: no
         Checks:
         Status: ongoing
         Result: *",
    );
    // All of one, not submitted: the side stays, the present does not.
    check(
        &mut engine,
        "startpos moves (0T1)e2e4",
        "Variant: Standard - Turn Zero
         Size: 8x8
         Timelines: odd
         Side: white
         Present: T1b
         Active: 0
         Inactive:
         Mandatory:
         Optional:
         Waiting: 0
         Submit: yes
         Check: no
         Checks:
         Status: ongoing
         Result: *",
    );
    check(
        &mut engine,
        MATED,
        "Variant: Custom
         Size: 3x3
         Timelines: odd
         Side: black
         Present: T1b
         Active: 0
         Inactive:
         Mandatory: 0
         Optional:
         Waiting:
         Submit: no
         Check: yes
         Checks: (0T2)b2a3
         Status: checkmate
         Result: 1-0",
    );
    check(
        &mut engine,
        EXILED,
        "Variant: Custom
         Size: 3x3
         Timelines: odd
         Side: white
         Present: T1w
         Active: 0 1
         Inactive: 2
         Mandatory: 0 1
         Optional: 2
         Waiting:
         Submit: no
         Check: no
         Checks:
         Status: stalemate
         Result: 0-1",
    );
}

#[test]
fn d_draws_the_newest_boards() {
    let mut engine = Engine::with("position variant Very Small - Open");
    let lines = engine.ask("d");
    for row in ["| n b r k |", "| . . . p |", "| P . . . |", "| K R B N |"] {
        assert!(says(&lines, row), "{lines:#?}");
    }
    assert!(!lines.iter().any(|line| line.contains('\u{1b}')), "no colours in a pipe");
}

#[test]
fn d_says_that_pending_moves_are_no_part_of_a_5dfen() {
    let mut engine = Engine::with("position startpos moves (0T1)e2e4");
    assert!(says(&engine.ask("d"), "info string the moves of the unfinished action are not"));
    engine.send("position startpos moves (0T1)e2e4 submit");
    assert!(!says(&engine.ask("d"), "info string"));
}

#[test]
fn a_fen_leads_back_to_the_same_multiverse() {
    let mut engine = Engine::start();
    for position in ["startpos", BRANCHED, EVEN, EXILED, "variant Misc - Timeline Fragments"] {
        let first = engine.ask(&format!("position {position}\nd"));
        let fen = value(&first, "Fen");
        assert_eq!(engine.ask("fen").join(" "), fen);
        let second = engine.ask(&format!("position fen {fen}\nd"));
        assert_eq!(value(&second, "Key"), value(&first, "Key"), "{position}");
        assert_eq!(value(&second, "Fen"), fen);
    }
}

#[test]
fn keys_are_the_same_on_every_run() {
    let key = |engine: &mut Engine| value(&engine.ask("d"), "Key");
    let (mut one, mut two) = (Engine::start(), Engine::start());
    assert_eq!(key(&mut one), key(&mut two));
    // And on every machine.
    assert_eq!(key(&mut one), "71162d77378db4e1");
    one.send("position fen [k1K/1Q1/3:0:1:b]");
    two.send("position fen [k1K/1Q1/3:0:1:w]");
    assert_ne!(key(&mut one), key(&mut two));
    // The same squares of larger boards, and the same timelines after an even start.
    one.send("position fen [4/k1K1/1Q2/4:0:1:w]");
    two.send("position fen [5/5/k1K2/1Q3/5:0:1:w]");
    assert_ne!(key(&mut one), key(&mut two));
    one.send("position fen [k1K/1Q1/3:-1:1:w] [k1K/1Q1/3:0:1:w]");
    two.send("position fen [k1K/1Q1/3:-0:1:w] [k1K/1Q1/3:+0:1:w]");
    assert_ne!(key(&mut one), key(&mut two));
}

#[test]
fn moves_and_actions_are_listed() {
    let mut engine = Engine::with(&format!("position {SMALL}"));
    let actions = [
        "(0T1)a2a3",
        "(0T1)b1b2",
        "(0T1)b1b3",
        "(0T1)b1b4",
        "(0T1)c1a3",
        "(0T1)c1b2",
        "(0T1)c1d2",
        "(0T1)d1b2",
        "(0T1)d1c3",
    ];
    // The list in any order, then the totals.
    let list = |engine: &mut Engine, command: &str, totals: usize| -> (Vec<String>, Vec<String>) {
        let mut lines = engine.ask(command);
        let totals = lines.split_off(lines.len() - totals);
        lines.sort();
        (lines, totals)
    };
    let (listed, totals) = list(&mut engine, "legal", 2);
    assert_eq!(listed, actions);
    assert_eq!(totals, ["Legal actions: 9", "Move sets: 9"]);
    let (listed, totals) = list(&mut engine, "pseudo", 1);
    assert_eq!(listed.len(), 10);
    assert!(listed.contains(&"(0T1)a1b2".to_owned()), "the king may step into check");
    assert_eq!(totals, ["Pseudo-legal moves: 10"]);
    let (listed, totals) = list(&mut engine, "perft 1", 1);
    assert_eq!(listed, actions.map(|action| format!("{action}: 1")));
    assert_eq!(totals, ["Nodes searched: 9"]);
}

#[test]
fn counts_are_cut_at_the_cap() {
    let mut engine = Engine::with(&format!("position {SMALL}"));
    let totals = |count: &str| [format!("Legal actions: {count}"), format!("Move sets: {count}")];
    assert_eq!(engine.ask("count"), totals("9"));
    assert_eq!(engine.ask("count 9"), totals("9"));
    assert_eq!(engine.ask("count 8"), totals("8+"));
    assert_eq!(engine.ask("count 0"), totals("0+"));
    let lines = engine.ask("legal 4");
    assert_eq!(lines.len(), 6);
    assert_eq!(lines[4..], totals("4+"));
    // Two queens that exchange their boards: one outcome of two sets of moves.
    engine.send("position fen [4/4/4/Q3:-1:1:w] [4/4/4/4:0:1:w] [4/4/4/4:1:1:w] [Q3/4/4/4:2:1:w]");
    assert_eq!(engine.ask("count"), ["Legal actions: 31", "Move sets: 32"]);
    assert_eq!(engine.ask("legal").len(), 33);
}

#[test]
fn known_counts_are_met() {
    let mut engine = Engine::start();
    for (position, counts) in [
        ("variant Standard", &[1, 20, 400, 9822][..]),
        ("startpos", &[1, 20, 440]),
        (SMALL, &[1, 9, 71, 714]),
        (MATED, &[1, 0, 0]),
        (STALEMATE, &[1, 0, 0]),
        (FORCED, &[1, 1]),
    ] {
        engine.send(&format!("position {position}"));
        for (depth, count) in counts.iter().enumerate() {
            let lines = engine.ask(&format!("perft {depth}"));
            let (total, list) = lines.split_last().unwrap();
            assert_eq!(*total, format!("Nodes searched: {count}"), "{position} {depth}");
            let leaves = |line: &String| line.split(": ").nth(1).unwrap().parse::<u64>().unwrap();
            let sum: u64 = list.iter().map(leaves).sum();
            assert_eq!(sum, if depth == 0 { 0 } else { *count }, "{position} {depth}");
            assert_eq!(engine.ask(&format!("go perft {depth}")), lines);
        }
    }
}

#[test]
fn lists_of_an_unfinished_action_hold_what_completes_it() {
    let mut engine = Engine::with("position startpos moves (0T1)e2e4");
    assert_eq!(engine.ask("legal"), ["submit", "Legal actions: 1", "Move sets: 1"]);
    assert_eq!(engine.ask("perft 1"), ["submit: 1", "Nodes searched: 1"]);
    assert_eq!(engine.ask("perft 2").last().unwrap(), "Nodes searched: 22");
    assert_eq!(engine.ask("pseudo"), ["Pseudo-legal moves: 0"]);
    engine.send(&format!("position {EVEN} moves (0T1)e2e4"));
    let lines = engine.ask("legal");
    // Twenty moves on the board, and two knights that may go back to the one just left.
    assert_eq!(lines[lines.len() - 2..], ["Legal actions: 22", "Move sets: 22"]);
    assert!(lines[..22].iter().all(|line| line.starts_with("(-1T1)")), "{lines:?}");
    assert_eq!(engine.ask("pseudo").last().unwrap(), "Pseudo-legal moves: 22");
}

#[test]
fn stop_cuts_long_commands_short() {
    // Six boards: a hundred million actions.
    const BOARD: &str = "r*nbqk*bnr*/p*p*p*p*p*p*p*p*/8/8/8/8/P*P*P*P*P*P*P*P*/R*NBQK*BNR*";
    let boards: Vec<String> = ["-2", "-1", "-0", "+0", "+1", "+2"]
        .iter()
        .map(|timeline| format!("[{BOARD}:{timeline}:1:w]"))
        .collect();
    let mut engine = Engine::with(&format!("position fen {}", boards.join(" ")));
    for command in ["count", "perft 1", "perft 9", "go perft 9"] {
        engine.send(&format!("{command}\nstop"));
        let early = engine.rest();
        assert!(early.last().unwrap().ends_with('+'), "{command}: {early:?}");
        engine.send(command);
        std::thread::sleep(std::time::Duration::from_millis(50));
        engine.send("stop");
        let late = engine.rest();
        assert!(late.last().unwrap().ends_with('+'), "{command}: {late:?}");
    }
    // A stop for a search leaves what came before it alone.
    let mut engine = Engine::with("perft 3\ngo infinite\nstop");
    assert_eq!(engine.until("Nodes").last().unwrap(), "Nodes searched: 33114");
    engine.answer();
}

#[test]
fn the_evaluation_has_the_same_terms_on_both_sides() {
    let mut engine = Engine::start();
    for position in [
        "startpos",
        "startpos moves (0T1)e2e4 submit (0T1)f7f5 submit (0T2)e4f5 submit",
        BRANCHED,
        EVEN,
        SMALL,
        "variant Misc - Timeline Invasion",
    ] {
        let lines = engine.ask(&format!("position {position}\neval"));
        let side = value(&engine.ask("d"), "Side");
        let words = |line: &str| -> Vec<String> {
            line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(words(&lines[0]), ["term", "white", "black", "sum"]);
        let number = |word: &String| word.parse::<i64>().unwrap();
        let mut total = 0;
        for line in &lines[1..lines.len() - 2] {
            let words = words(line);
            let [sum, black, white] = [1, 2, 3].map(|i| number(&words[words.len() - i]));
            assert_eq!(white - black, sum, "{line}");
            total += sum;
        }
        let [.., last, value] = &lines[..] else { panic!("{lines:?}") };
        assert!(last.starts_with("total for white "), "{last}");
        assert_eq!(number(words(last).last().unwrap()), total);
        let for_mover: i64 = value.strip_prefix("Evaluation: ").unwrap().parse().unwrap();
        let for_white = match side.as_str() {
            "white" => for_mover,
            "black" => -for_mover,
            _ => panic!("{side}"),
        };
        // Each term is rounded for either side.
        assert!((for_white - total).abs() <= lines.len() as i64, "{for_white}, {total}");
    }
}

#[test]
fn flip_changes_sides_and_nothing_else() {
    let mut engine = Engine::start();
    for position in [
        "startpos",
        "startpos moves (0T1)e2e4 submit",
        BRANCHED,
        EVEN,
        SMALL,
        EXILED,
        "variant Focused - Just Brawns",
    ] {
        let mut facts = |command: &str| {
            let lines = engine.ask(command);
            let shown = engine.ask("d");
            let counts = engine.ask("count 500");
            let evaluation = engine.ask("eval").pop().unwrap();
            assert!(!says(&lines, "error"), "{lines:?}");
            (value(&shown, "Side"), evaluation, counts, value(&shown, "Status"))
        };
        let before = facts(&format!("position {position}"));
        let after = facts("flip");
        assert_ne!(before.0, after.0, "{position}");
        assert_eq!((before.1, before.2, before.3), (after.1, after.2, after.3), "{position}");
    }
    engine.send("position fen [k2/2p/K*2:0:1:w]\nflip");
    assert_eq!(engine.ask("fen"), ["[k*2/2P/K2:0:1:b]"]);
    engine.send("position fen [k2/3/K2:0:1:b]\nflip");
    assert_eq!(engine.ask("fen"), ["[k2/3/K2:0:2:w]"]);
    let lines = engine.ask("position startpos moves (0T1)e2e4\nflip");
    assert!(lines[0].starts_with("info string error: flip: "), "{lines:?}");
}

#[test]
fn words_that_a_command_does_not_take_are_refused() {
    let mut engine = Engine::start();
    for command in [
        "d startpos",
        "legal x",
        "legal 5 5",
        "perft -1",
        "go perft -1",
        "perft 1001",
        "perft 4294967296",
        "count 1.5",
        "eval 1",
        "load",
    ] {
        let lines = engine.ask(command);
        assert_eq!(lines.len(), 1, "{command}: {lines:?}");
        assert!(lines[0].starts_with("info string error: "), "{command}: {lines:?}");
    }
}

#[test]
fn help_names_every_command() {
    let help = Engine::start().ask("help").join("\n");
    for command in [
        "uci",
        "5duci",
        "isready",
        "setoption",
        "ucinewgame",
        "position",
        "go",
        "stop",
        "ponderhit",
        "quit",
        "d ",
        "pseudo",
        "legal",
        "count",
        "perft",
        "eval",
        "flip",
        "status",
        "load",
        "pgn",
        "fen",
        "variants",
        "bench",
        "wait",
        "debug",
        "moves",
        "searchmoves",
    ] {
        assert!(help.contains(command), "{command}");
    }
}

#[test]
fn debug_names_what_go_passed_over() {
    let mut engine = Engine::with("go depth 1 hurry");
    assert!(!says(&engine.answer().1, "hurry"));
    assert!(engine.ask("debug on").is_empty());
    assert!(says(&engine.go("go depth 1 hurry").1, "info string go: passed over hurry"));
    assert!(engine.ask("debug off").is_empty());
    assert!(!says(&engine.go("go depth 1 hurry").1, "hurry"));
}

#[test]
fn variants_can_all_be_set() {
    let mut engine = Engine::start();
    let listed = engine.ask("variants");
    assert!(listed.len() >= 44);
    for line in listed {
        let (line, _) = line.split_once(" also: ").unwrap_or((&line, ""));
        let (name, facts) = line.rsplit_once(" (").unwrap();
        let facts: Vec<&str> = facts.trim_end_matches(')').rsplit(", ").collect();
        let shown = engine.ask(&format!("setoption name UCI_Variant value {name}\nd"));
        assert_eq!(value(&shown, "Variant"), name);
        assert_eq!(value(&shown, "Timelines"), facts[0], "{name}");
        assert_eq!(value(&shown, "Size"), facts[1], "{name}");
    }
}

#[test]
fn bench_has_the_same_signature_every_time() {
    let mut engine = Engine::start();
    let mut signature = || {
        let lines = engine.ask("bench");
        let words: Vec<&str> = lines.last().unwrap().split(' ').collect();
        let [nodes, "nodes", nps, "nps"] = words[..] else { panic!("{lines:?}") };
        assert!(nps.parse::<u64>().unwrap() > 0);
        nodes.parse::<u64>().unwrap()
    };
    let first = signature();
    assert!(first > 0);
    assert_eq!(signature(), first);
}

#[test]
fn records_are_loaded_and_written() {
    let folder = Folder::new("load");
    let path = folder.write("a game.5dpgn", RECORD);
    let mut engine = Engine::start();
    assert!(engine.ask(&format!("load {path}")).is_empty());
    let shown = engine.ask("d");
    assert_eq!(value(&shown, "Present"), "T3b");
    assert_eq!(value(&shown, "Variant"), "Very Small - Open");
    let written = engine.ask("pgn").join("\n") + "\n";
    for (actions, present) in [(0, "T1w"), (1, "T1b"), (4, "T3w"), (99, "T3b")] {
        assert!(engine.ask(&format!("load {path} {actions}")).is_empty());
        assert_eq!(value(&engine.ask("d"), "Present"), present);
    }
    // What is written leads back to the same game.
    let again = folder.write("again.5dpgn", &written);
    assert!(engine.ask(&format!("load {again}")).is_empty());
    assert_eq!(value(&engine.ask("d"), "Key"), value(&shown, "Key"));
    assert_eq!(engine.ask("pgn").join("\n") + "\n", written);
    // A refused record leaves the game.
    let bad = folder.write("bad.5dpgn", &bad_record());
    for path in [bad.as_str(), "/no/such/file", "/"] {
        let lines = engine.ask(&format!("load {path}"));
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].starts_with("info string error: load: "), "{lines:?}");
        assert_eq!(value(&engine.ask("d"), "Key"), value(&shown, "Key"));
    }
}

#[test]
fn status_follows_a_record() {
    let folder = Folder::new("status");
    let path = folder.write("game.5dpgn", RECORD);
    let mut engine = Engine::start();
    let expected = [
        "0\tw\tongoing",
        "1\tb\tongoing",
        "2\tw\tongoing",
        "3\tb\tongoing",
        "4\tw\tongoing",
        "5\tb\tongoing",
    ];
    assert_eq!(engine.ask(&format!("status {path}")), expected);
    let mate =
        folder.write("mate.5dpgn", "[Board \"Custom\"]\n[k1K/3/1Q1:0:1:w]\n\n1. (0T1)Qb1a1\n");
    assert_eq!(engine.ask(&format!("status {mate}")), ["0\tw\tongoing", "1\tb\tcheckmate"]);
}
