//! What each option does, and values that are no values.

use crate::engine::{Engine, says, value};
use crate::files::Folder;
use crate::positions::{DISPUTED, EXILED, FORCED, MATED, PROMOTION, SMALL, STALEMATE};

#[test]
fn bad_options_are_reported_and_change_nothing() {
    let mut engine = Engine::start();
    for text in [
        "setoption",
        "setoption name",
        "setoption name value",
        "setoption name Nonsense value 1",
        "setoption name Hash",
        "setoption name Hash value",
        "setoption name Hash value abc",
        "setoption name Hash value 0",
        "setoption name Hash value -1",
        "setoption name Hash value 65537",
        "setoption name Hash value 1.5",
        "setoption name Hash value 99999999999999999999",
        "setoption name Threads value 257",
        "setoption name MultiPV value 0",
        "setoption name Ponder value maybe",
        "setoption name Promotions value K",
        "setoption name Promotions value",
        "setoption name UCI_Variant value Chess 2",
        "setoption name Debug Log File value /no/such/folder/log",
    ] {
        let lines = engine.ask(text);
        assert_eq!(lines.len(), 1, "{text}: {lines:?}");
        assert!(lines[0].starts_with("info string error: "), "{text}: {lines:?}");
    }
    assert!(engine.go("go depth 1").0.starts_with("bestmove (0T1)"));
}

#[test]
fn good_options_are_taken_in_silence() {
    let mut engine = Engine::start();
    for text in [
        "setoption name Hash value 1",
        "setoption name hash value 2",
        "setoption  name  mOVE   oVERHEAD  value  20",
        "setoption name Clear Hash",
        "setoption name clear hash value",
        "setoption name Threads value 2",
        "setoption name Ponder value True",
        "setoption name Ponder value false",
        "setoption name UCI_AnalyseMode value true",
        "setoption name Promotions value q, n",
        "setoption name Debug Log File value <empty>",
        "setoption name Debug Log File value",
        "setoption name Status Budget value 0",
        "setoption name Timeline Increment value 5000",
        "setoption name uci_variant value very small - open",
        "setoption Hash value 3",
    ] {
        assert_eq!(engine.ask(text), [""; 0], "{text}");
    }
    assert_eq!(value(&engine.ask("d"), "Variant"), "Very Small - Open");
    assert!(engine.go("go wtime 1000 btime 1000").0.starts_with("bestmove (0T1)"));
}

#[test]
fn weaker_levels_answer_at_once_and_end_with_the_line_they_play() {
    let mut engine = Engine::start();
    for option in [
        "setoption name Skill Level value 0",
        "setoption name Skill Level value 10",
        "setoption name UCI_LimitStrength value true",
        "setoption name UCI_Elo value 1000",
    ] {
        assert_eq!(engine.ask(option), [""; 0], "{option}");
        for position in [SMALL, "startpos", "variant Standard moves (0T1)e2e4 submit"] {
            assert_eq!(engine.ask(&format!("position {position}")), [""; 0]);
            let start = std::time::Instant::now();
            let (answer, infos) = engine.go("go movetime 3000");
            assert!(start.elapsed().as_secs() < 15, "{option}");
            let action = answer.trim_start_matches("bestmove ");
            let last = infos.iter().rfind(|line| line.contains(" multipv 1 ")).unwrap();
            assert!(last.contains(&format!(" pv {action} submit")), "{answer}: {last}");
            assert!(!infos.iter().any(|line| line.contains(" multipv 2 ")), "{infos:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_table_that_finds_no_room_is_refused() {
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -v 4000000; exec \"$0\"", crate::engine::BINARY]);
    let mut engine = Engine::spawn(&mut command);
    let lines = engine.ask("setoption name Hash value 65536");
    assert_eq!(lines, ["info string error: there is no memory for a Hash of 65536"]);
    assert!(engine.go("go depth 2").0.starts_with("bestmove (0T1)"));
}

#[test]
fn multipv_shows_whole_sets_of_lines() {
    let mut engine = Engine::with(&format!("setoption name MultiPV value 4\nposition {SMALL}"));
    let (answer, infos) = engine.go("go depth 3");
    let lines: Vec<&String> = infos.iter().filter(|line| line.contains(" multipv ")).collect();
    assert_eq!(lines.len(), 12);
    for (i, line) in lines.iter().enumerate() {
        let start = format!("info depth {} ", i / 4 + 1);
        assert!(line.starts_with(&start), "{line}");
        assert!(line.contains(&format!(" multipv {} ", i % 4 + 1)), "{line}");
    }
    let head = |line: &str| -> String {
        let pv = line.split(" pv ").nth(1).unwrap();
        pv.split(" submit").next().unwrap().to_owned()
    };
    let mut last: Vec<String> = lines[8..].iter().map(|line| head(line)).collect();
    assert_eq!(format!("bestmove {}", last[0]), answer);
    last.sort();
    last.dedup();
    assert_eq!(last.len(), 4, "four different actions");
    // No more lines than there are actions.
    let (_, infos) = engine.go(&format!("position {FORCED}\ngo depth 2"));
    assert!(!says(&infos, "multipv 2"), "{infos:?}");
}

#[test]
fn chances_sum_to_a_thousand() {
    let mut engine = Engine::with("setoption name UCI_ShowWDL value true");
    for position in [SMALL, FORCED, MATED, STALEMATE, EXILED, "startpos"] {
        let (_, infos) = engine.go(&format!("position {position}\ngo depth 2"));
        let scored: Vec<&String> = infos.iter().filter(|line| line.contains(" score ")).collect();
        assert!(!scored.is_empty());
        for line in scored {
            let chances = line.split(" wdl ").nth(1).unwrap_or_else(|| panic!("{line}"));
            let chances: Vec<u32> =
                chances.split(' ').take(3).map(|number| number.parse().unwrap()).collect();
            assert_eq!(chances.iter().sum::<u32>(), 1000, "{line}");
        }
    }
    engine.send("setoption name UCI_ShowWDL value false");
    assert!(!says(&engine.go("go depth 1").1, " wdl "));
}

#[test]
fn ponder_moves_are_named_only_where_they_are_wanted() {
    let mut engine = Engine::with("position startpos");
    assert!(!engine.go("go depth 3").0.contains("ponder"));
    engine.send("setoption name Ponder value true");
    let (answer, _) = engine.go("go depth 3");
    let (best, ponder) = answer.split_once(" ponder ").unwrap();
    let best = best.strip_prefix("bestmove ").unwrap();
    let judged =
        engine.ask(&format!("position startpos moves {best} submit {ponder} submit\nlegal 1"));
    assert!(says(&judged, "Legal actions: 1") && !says(&judged, "info"), "{judged:?}");
    engine.ask("5duci");
    assert!(!engine.go("go depth 3").0.contains("ponder"));
}

/// The actions that the engine looks at: all lines of a first iteration.
fn looked_at(engine: &mut Engine) -> Vec<String> {
    let (_, infos) = engine.go("setoption name MultiPV value 500\ngo depth 1");
    infos.iter().filter_map(|line| Some(line.split(" pv ").nth(1)?.to_owned())).collect()
}

#[test]
fn disputed_moves_are_left_to_others_where_they_are_refused() {
    let castles = |engine: &mut Engine| says(&looked_at(engine), "(0T1)a1c1");
    let mut engine = Engine::with(&format!("position {DISPUTED}"));
    assert!(castles(&mut engine));
    engine.ask("setoption name Disputed Moves value false");
    assert!(!castles(&mut engine));
    engine.ask("setoption name Disputed Moves value true\n5duci");
    assert!(castles(&mut engine), "what was set holds in both dialects");
    let mut engine = Engine::with("5duci\nisready");
    engine.until("readyok");
    engine.ask(&format!("position {DISPUTED}"));
    assert!(!castles(&mut engine), "off by default");
    assert!(says(&engine.ask("legal"), "(0T1)a1c1"), "it is legal all the same");
    let lines = engine.ask(&format!("position {DISPUTED} moves (0T1)a1c1 submit"));
    assert!(lines.is_empty(), "others may play it: {lines:?}");
}

#[test]
fn exiled_kings_decide_stalemates() {
    let mut engine = Engine::with(&format!("5duci\nposition {EXILED}"));
    let mut check = |rule: &str, result: &str, score: &str| {
        engine.rest();
        let shown = engine.ask(&format!("setoption name Exiled Kings value {rule}\nd"));
        assert_eq!(value(&shown, "Status"), "stalemate");
        assert_eq!(value(&shown, "Result"), result);
        let (answer, infos) = engine.go("go depth 3");
        assert_eq!(answer, "nobestmove");
        assert!(says(&infos, score), "{infos:?}");
        value(&shown, "Key")
    };
    let key = check("true", "0-1", "score mate 0");
    assert_eq!(check("false", "1/2-1/2", "score cp 0"), key);
    assert_eq!(check("true", "0-1", "score mate 0"), key);
}

#[test]
fn promotions_are_those_of_the_option() {
    let promotions = |lines: &[String]| -> Vec<String> {
        lines.iter().filter_map(|line| line.strip_prefix("(0T1)a3a4")).map(str::to_owned).collect()
    };
    let mut engine = Engine::with(&format!("position {PROMOTION}"));
    assert_eq!(promotions(&engine.ask("pseudo")), ["Q"]);
    engine.send("setoption name Promotions value Q,N,R,B");
    let mut four = promotions(&engine.ask("pseudo"));
    four.sort();
    assert_eq!(four, ["B", "N", "Q", "R"]);
    assert!(engine.ask(&format!("position {PROMOTION} moves (0T1)a3a4N submit")).is_empty());
    let lines = engine.ask("setoption name Promotions value Q");
    assert!(says(&lines, "error: option Promotions keeps its value"), "{lines:?}");
    assert_eq!(value(&engine.ask("d"), "Fen").matches('N').count(), 1);
    // Without the queen the letter has to be written.
    engine.send(&format!("position {PROMOTION}\nsetoption name Promotions value NR"));
    let lines = engine.ask(&format!("position {PROMOTION} moves (0T1)a3a4 submit"));
    assert!(says(&lines, "a promotion letter is needed"), "{lines:?}");
    assert!(engine.ask(&format!("position {PROMOTION} moves (0T1)a3a4R submit")).is_empty());
    // The table forgot the queen.
    engine.send(&format!("position {PROMOTION}\nsetoption name Promotions value Q"));
    assert_eq!(engine.go("go depth 2").0, "bestmove (0T1)a3a4Q");
    engine.send("setoption name Promotions value N");
    assert_ne!(engine.go("go depth 2").0, "bestmove (0T1)a3a4Q");
}

#[test]
fn uci_variant_is_position_variant() {
    let mut engine = Engine::start();
    let set = engine.ask("setoption name UCI_Variant value Standard - Two Timelines\nd");
    let positioned = engine.ask("position variant Standard - Two Timelines\nd");
    assert_eq!(set, positioned);
    assert_eq!(value(&set, "Variant"), "Standard - Two Timelines");
}

#[test]
fn the_traffic_is_written_to_the_log_file() {
    let folder = Folder::new("log");
    let path = folder.write("the log.txt", "");
    let mut engine = Engine::with(&format!("setoption name Debug Log File value {path}"));
    engine.ask(&format!("position {SMALL}\nperft 1"));
    engine.ask("setoption name Debug Log File value\nfen");
    engine.quit();
    let log = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines[0], format!("> position {SMALL}"));
    assert_eq!(lines[1], "> perft 1");
    assert!(lines.contains(&"< Nodes searched: 9") && lines.contains(&"< readyok"), "{log}");
    assert!(lines.iter().all(|line| line.starts_with("> ") || line.starts_with("< ")), "{log}");
    assert!(!log.contains("fen"), "the log ended before that: {log}");
}
