//! Both handshakes and the list of options.

use lightcone::search::PARAMETERS;

use crate::engine::{Engine, pipe, says};

const OPTIONS: [&str; 18] = [
    "Hash type spin default 64 min 1 max 65536",
    "Threads type spin default 1 min 1 max 256",
    "MultiPV type spin default 1 min 1 max 500",
    "Ponder type check default false",
    "Move Overhead type spin default 15 min 0 max 10000",
    "Clear Hash type button",
    "UCI_AnalyseMode type check default false",
    "UCI_ShowWDL type check default false",
    "UCI_Variant type combo default Standard - Turn Zero var Standard var ",
    "Debug Log File type string default <empty>",
    "Exiled Kings type check default true",
    "Promotions type string default Q",
    "Disputed Moves type check default true",
    "Status Budget type spin default 10000 min 0 max 86400000",
    "Timeline Increment type spin default 0 min 0 max 3600000",
    "Skill Level type spin default 20 min 0 max 20",
    "UCI_LimitStrength type check default false",
    "UCI_Elo type spin default ",
];

fn check_handshake(lines: &[String], last: &str) {
    let name = format!("id name Lightcone {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(lines[0], name);
    assert!(lines[1].starts_with("id author "), "{}", lines[1]);
    assert_eq!(lines.last().unwrap(), last);
    let options = &lines[2..lines.len() - 1];
    let parameters = if cfg!(feature = "tuning") { PARAMETERS.len() } else { 0 };
    assert_eq!(options.len(), OPTIONS.len() + parameters);
    for (line, option) in options.iter().zip(OPTIONS) {
        let option = if last == "5duciok" && option.starts_with("Disputed Moves") {
            option.replace("true", "false")
        } else {
            option.to_owned()
        };
        assert!(line.starts_with(&format!("option name {option}")), "{line}");
    }
}

#[test]
fn nothing_is_printed_unasked() {
    assert!(pipe("").is_empty());
    assert!(pipe("\n\n").is_empty());
}

#[test]
fn each_handshake_is_answered_every_time() {
    let mut engine = Engine::start();
    for _ in 0..2 {
        engine.send("uci");
        check_handshake(&engine.until("uciok"), "uciok");
        engine.send("5duci");
        check_handshake(&engine.until("5duciok"), "5duciok");
    }
    assert!(engine.rest().is_empty());
}

#[test]
fn the_combo_lists_what_variants_lists() {
    let mut engine = Engine::start();
    let handshake = engine.ask("uci");
    let combo = handshake.iter().find(|line| line.contains("UCI_Variant")).unwrap();
    let names: Vec<&str> = combo.split(" var ").skip(1).collect();
    let listed = engine.ask("variants");
    assert_eq!(names.len(), listed.len());
    assert!(names.contains(&"Standard - Turn Zero"));
    for (name, line) in names.iter().zip(&listed) {
        assert!(line.starts_with(&format!("{name} (")), "{name}: {line}");
    }
}

#[test]
fn a_handshake_in_the_middle_of_a_search_disturbs_nothing() {
    let mut engine = Engine::with("5duci\nposition startpos\ngo infinite\nuci");
    assert!(says(&engine.until("uciok"), "5duciok"));
    engine.send("stop");
    assert!(engine.answer().0.starts_with("bestmove (0T1)"));
    assert!(engine.quit().is_empty(), "the dialect is uci, without bye");
}

#[test]
fn the_last_handshake_decides_the_dialect() {
    let mated = "position fen [k1K/1Q1/3:0:1:b]";
    let mut engine = Engine::start();
    assert_eq!(engine.go(&format!("{mated}\ngo depth 1")).0, "bestmove (none)");
    engine.ask("5duci");
    assert_eq!(engine.go("go depth 1").0, "nobestmove");
    engine.ask("uci");
    assert_eq!(engine.go("go depth 1").0, "bestmove (none)");
    engine.ask("5duci");
    assert_eq!(engine.quit(), ["bye"]);
}
