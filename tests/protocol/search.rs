//! `go`: its limits, what it prints, and that what it prints is true.

use std::time::{Duration, Instant};

use crate::engine::{Engine, PATIENCE, answers, says, value};
use crate::positions::{
    BRANCHED, EVEN, EXILED, FORCED, MATE_IN_ONE, MATED, PROMOTION, SMALL, STALEMATE, after,
};

/// Reads an `info` line to its end; gives the words of its `pv`.
fn check_info(line: &str) -> Option<String> {
    let mut words = line.strip_prefix("info ").unwrap_or_else(|| panic!("{line}")).split(' ');
    if words.clone().next() == Some("string") {
        return None;
    }
    let is_move = |word: &str| word.starts_with('(') || word == "submit";
    let mut seen = Vec::new();
    let mut pv = None;
    while let Some(word) = words.next() {
        let kind = if word == "score" { words.next() } else { None };
        let mut number = || -> i64 { words.next().unwrap().parse().expect(line) };
        match word {
            "depth" | "seldepth" | "nodes" | "nps" | "time" | "currmovenumber" => {
                assert!(number() >= 0, "{line}");
            }
            "multipv" => assert!(number() >= 1, "{line}"),
            "hashfull" => assert!((0..=1000).contains(&number()), "{line}"),
            "score" => match kind {
                Some("cp") => assert!(number().abs() < 1_000_000_000, "{line}"),
                Some("mate") => assert!(number().abs() < 1000, "{line}"),
                _ => panic!("{line}"),
            },
            "lowerbound" | "upperbound" => assert!(seen.contains(&"score"), "{line}"),
            "currmove" => {
                let moves = words.clone().take_while(|word| is_move(word)).count();
                assert!(moves > 0 && words.nth(moves - 1).is_some(), "{line}");
            }
            "pv" => {
                let moves: Vec<&str> = words.by_ref().collect();
                assert!(moves.iter().all(|word| is_move(word)), "{line}");
                assert_eq!(moves.last(), Some(&"submit"), "{line}");
                pv = Some(moves.join(" "));
            }
            _ => panic!("{word} in {line}"),
        }
        assert!(!seen.contains(&word), "{word} twice in {line}");
        seen.push(word);
    }
    if seen.contains(&"score") {
        for word in ["depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time"] {
            assert!(seen.contains(&word), "{word} is missing in {line}");
        }
    }
    assert!(!seen.is_empty(), "{line}");
    pv
}

/// Checks what a search printed: every line by the grammar, every `pv` by playing it, and that
/// the answer is the head of the last one.
fn check_output(judge: &mut Engine, position: &str, answer: &str, infos: &[String]) {
    let mut last = None;
    for line in infos {
        let Some(pv) = check_info(line) else { continue };
        let faults = judge.ask(&after(position, &pv));
        assert!(faults.is_empty(), "{position}: {pv}: {faults:?}");
        if line.contains(" multipv 1 ") {
            last = Some(pv);
        }
    }
    let best = answer.strip_prefix("bestmove ").unwrap();
    let head = best.strip_suffix("submit").unwrap_or(best).trim().to_owned() + " submit";
    let pv = last.unwrap();
    let head = head.trim();
    assert!(pv == head || pv.starts_with(&format!("{head} ")), "{best} is not the head of {pv}");
}

#[test]
fn info_lines_are_well_formed_and_lines_are_legal() {
    let mut judge = Engine::start();
    let mut engine = Engine::start();
    for position in [
        "startpos",
        SMALL,
        EVEN,
        BRANCHED,
        FORCED,
        MATE_IN_ONE,
        PROMOTION,
        "variant Misc - Timeline Invasion",
        "variant Focused - Just Dragons",
        "variant Small moves (0T1)c2c3 submit",
    ] {
        let (answer, infos) = engine.go(&format!("position {position}\ngo depth 3 movetime 300"));
        check_output(&mut judge, position, &answer, &infos);
    }
}

#[test]
fn a_long_search_names_the_current_action() {
    // Deep and narrow, so that root actions come often.
    let position = "variant Focused - Just Kings";
    let mut engine = Engine::with(&format!("position {position}\ngo infinite"));
    let start = Instant::now();
    let mut infos = vec![engine.line()];
    while !says(&infos, " currmove ") {
        infos.push(engine.line());
    }
    assert!(start.elapsed() > Duration::from_millis(900), "only from the first second on");
    engine.send("stop");
    let (answer, rest) = engine.answer();
    infos.extend(rest);
    check_output(&mut Engine::start(), position, &answer, &infos);
}

#[test]
fn more_lines_and_threads_are_true_as_well() {
    let mut judge = Engine::start();
    let options = "setoption name MultiPV value 3\nsetoption name Threads value 2";
    let mut engine = Engine::with(options);
    for position in [SMALL, BRANCHED, EVEN] {
        let (answer, infos) = engine.go(&format!("position {position}\ngo movetime 300"));
        check_output(&mut judge, position, &answer, &infos);
    }
    // With one line the answer is that of the thread that came deepest.
    engine.send("setoption name MultiPV value 1");
    for position in ["startpos", SMALL, BRANCHED, EVEN].repeat(3) {
        let (answer, infos) = engine.go(&format!("position {position}\ngo movetime 100"));
        check_output(&mut judge, position, &answer, &infos);
    }
}

#[test]
fn lines_cut_short_are_true_as_well() {
    let mut judge = Engine::start();
    let mut engine = Engine::with(&format!("position {BRANCHED}"));
    for milliseconds in [0, 1, 3, 10, 30, 100] {
        engine.send("go infinite");
        std::thread::sleep(Duration::from_millis(milliseconds));
        engine.send("stop");
        let (answer, infos) = engine.answer();
        check_output(&mut judge, BRANCHED, &answer, &infos);
    }
}

#[test]
fn every_limit_stops_alone_and_with_others() {
    let mut engine = Engine::with("position startpos");
    for limits in [
        "depth 1",
        "depth 1 movetime 1000000",
        "movetime 1000000 depth 1",
        "nodes 100",
        "nodes 1 depth 50",
        "mate 1 depth 2",
        "movetime 50",
        "movetime 50 depth 90 nodes 1000000000",
        "wtime 100 btime 100 depth 90",
        "wtime 1000000000 depth 2 huh movestogo",
        "depth 0",
        "depth -1",
        "nodes 0",
        "nodes -5",
        "movetime 0",
        "movetime -100",
        "wtime 1 btime 1",
        "wtime 0 btime 0",
        "wtime -1000 btime -1000 winc -5 binc -5",
        "wtime 100",
        "btime 100",
        "btime 0",
        "wtime 100 winc 10 movestogo 0",
        "wtime 100 movestogo -3",
        "wtime 100 movestogo 1",
        "wtime 200 movestogo 40 winc 1",
        "wtime 99999999999999999999 depth 1",
        "searchmoves (0T1)e2e4 submit depth 1",
        "depth 1 searchmoves (0T1)e2e4",
    ] {
        let start = Instant::now();
        let (answer, infos) = engine.go(&format!("go {limits}"));
        assert!(answer.starts_with("bestmove (0T1)"), "{limits}: {answer}");
        assert!(says(&infos, " score "), "{limits}: {infos:?}");
        assert!(start.elapsed() < Duration::from_secs(15), "{limits}");
    }
    assert!(answers(&engine.rest()).is_empty());
}

#[test]
fn depth_is_obeyed() {
    let mut engine = Engine::with("position startpos");
    let (_, infos) = engine.go("go depth 3");
    assert!(says(&infos, "info depth 3 ") && !says(&infos, "info depth 4 "));
}

#[test]
fn a_mate_that_is_long_enough_ends_the_search() {
    let mut engine = Engine::with(&format!("position {MATE_IN_ONE}"));
    let (answer, infos) = engine.go("go mate 1");
    assert!(infos.last().unwrap().contains(" score mate 1 "), "{infos:?}");
    let best = answer.strip_prefix("bestmove ").unwrap();
    let shown = engine.ask(&format!("{}\nd", after(MATE_IN_ONE, &format!("{best} submit"))));
    assert_eq!(value(&shown, "Status"), "checkmate");
}

#[test]
fn movetime_is_kept_and_used() {
    let mut engine = Engine::with("position startpos");
    let (mut fastest, mut slowest) = (PATIENCE, Duration::ZERO);
    for _ in 0..5 {
        let start = Instant::now();
        engine.go("go movetime 200");
        fastest = fastest.min(start.elapsed());
        slowest = slowest.max(start.elapsed());
    }
    assert!(fastest <= Duration::from_millis(200), "{fastest:?}");
    assert!(slowest >= Duration::from_millis(150), "{slowest:?}");
}

#[test]
fn a_bare_go_waits_for_stop() {
    let mut engine = Engine::start();
    for position in ["startpos", FORCED, MATED, STALEMATE] {
        for go in ["go", "go infinite", "go infinite depth 1 movetime 10", "go huh"] {
            engine.send(&format!("position {position}\n{go}"));
            assert!(engine.gives_no_answer_for(Duration::from_millis(60)), "{position}: {go}");
            engine.send("stop");
            engine.answer();
        }
    }
}

#[test]
fn a_finished_game_is_answered_at_once() {
    let mut engine = Engine::start();
    for (position, score) in [(MATED, "mate 0"), (STALEMATE, "cp 0"), (EXILED, "mate 0")] {
        for go in ["go depth 5", "go movetime 100000", "go wtime 100000 btime 100000", "go mate 2"]
        {
            let start = Instant::now();
            let (answer, infos) = engine.go(&format!("position {position}\n{go}"));
            assert_eq!(answer, "bestmove (none)");
            assert!(says(&infos, "info depth 0 "), "{infos:?}");
            assert!(says(&infos, &format!(" score {score} ")), "{infos:?}");
            assert!(infos.iter().all(|line| check_info(line).is_none()));
            assert!(start.elapsed() < Duration::from_secs(10));
        }
    }
}

#[test]
fn a_single_action_takes_no_thought() {
    let mut engine = Engine::with(&format!("position {FORCED}"));
    let start = Instant::now();
    let (answer, _) = engine.go("go wtime 100000000 btime 100000000");
    assert_eq!(answer, "bestmove (0T1)a3a2");
    assert!(start.elapsed() < Duration::from_secs(15));
}

#[test]
fn searchmoves_restricts_the_root() {
    let mut engine = Engine::with("position startpos");
    for go in [
        "go searchmoves (0T1)a2a3 submit depth 2",
        "go depth 2 searchmoves (0T1)a2a3 submit",
        "go nodes 500 searchmoves (0T1)a2a3 movetime 5000",
        "go searchmoves (0T1)a2(0T1)a3 submit depth 2",
    ] {
        assert_eq!(engine.go(go).0, "bestmove (0T1)a2a3", "{go}");
    }
    let several = "go depth 1 searchmoves (0T1)a2a3 submit (0T1)h2h4 submit";
    let (_, infos) = engine.go(&format!("setoption name MultiPV value 9\n{several}"));
    assert!(says(&infos, "multipv 2") && !says(&infos, "multipv 3"), "{infos:?}");
}

#[test]
fn searchmoves_compares_outcomes() {
    let mut engine = Engine::with(&format!("position {EVEN}"));
    for moves in ["(0T1)a2a3 (-1T1)h2h4", "(-1T1)h2h4 (0T1)a2a3"] {
        let (answer, _) = engine.go(&format!("go depth 1 searchmoves {moves} submit"));
        let mut played: Vec<&str> = answer.split(' ').skip(1).collect();
        played.sort_unstable();
        assert_eq!(played, ["(-1T1)h2h4", "(0T1)a2a3"]);
    }
    // One move of the two is no action.
    let (answer, infos) = engine.go("go depth 1 searchmoves (0T1)a2a3 submit");
    assert!(says(&infos, "error: searchmoves: (0T1)a2a3: not a legal action"), "{infos:?}");
    assert!(answer.starts_with("bestmove "));
}

#[test]
fn searchmoves_that_cannot_be_played_are_named() {
    let mut engine = Engine::with("position startpos");
    let (answer, infos) =
        engine.go("go depth 1 searchmoves (0T1)e2e5 submit (0T1)a2a3 submit (0T9)a2a3 submit");
    assert_eq!(answer, "bestmove (0T1)a2a3");
    let errors = infos.iter().filter(|line| line.contains("error: searchmoves: (0T")).count();
    assert_eq!(errors, 2, "{infos:?}");
}

#[test]
fn pondering_waits_for_ponderhit_or_stop() {
    let mut engine = Engine::with("position startpos");
    for go in ["go ponder depth 1", "go ponder movetime 1", "go ponder wtime 1 btime 1"] {
        engine.send(go);
        assert!(engine.gives_no_answer_for(Duration::from_millis(100)), "{go}");
        engine.send("ponderhit");
        assert!(engine.answer().0.starts_with("bestmove (0T1)"));
        engine.send(go);
        engine.send("stop");
        assert!(engine.answer().0.starts_with("bestmove (0T1)"));
    }
    assert!(answers(&engine.ask("ponderhit")).is_empty());
}

#[test]
fn the_clock_starts_at_ponderhit() {
    let mut engine = Engine::with("position startpos");
    engine.send("go ponder movetime 200");
    std::thread::sleep(Duration::from_millis(300));
    engine.send("ponderhit");
    let start = Instant::now();
    assert!(engine.gives_no_answer_for(Duration::from_millis(100)));
    engine.answer();
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn ponderhit_without_a_limit_leaves_an_infinite_search() {
    let mut engine = Engine::with(&format!("position {MATED}\ngo ponder\nponderhit"));
    assert!(engine.gives_no_answer_for(Duration::from_millis(100)));
    engine.send("stop");
    assert_eq!(engine.answer().0, "bestmove (none)");
}

#[test]
fn an_unfinished_action_is_completed() {
    let mut judge = Engine::start();
    let mut engine = Engine::start();
    for (position, first) in [(EVEN, "(0T1)e2e4"), (EVEN, "(-1T1)e2e4"), ("startpos", "(0T1)e2e4")]
    {
        let begun = format!("{position} moves {first}");
        let (answer, infos) = engine.go(&format!("position {begun}\ngo depth 2"));
        check_output(&mut judge, &begun, &answer, &infos);
        if position == EVEN {
            let other = if first.starts_with("(0") { "(-1T1)" } else { "(0T1)" };
            assert!(answer.starts_with(&format!("bestmove {other}")), "{answer}");
        } else {
            assert_eq!(answer, "bestmove submit");
        }
    }
    // One that nothing can complete: the king has left its board to the queen.
    let dead = "fen [3qk/5/5/5/2K2:0:1:w] moves (0T1)c1d1";
    let (answer, infos) = engine.go(&format!("position {dead}\ngo depth 2"));
    assert_eq!(answer, "bestmove (none)");
    assert!(!says(&infos, "mate"), "{infos:?}");
    let lines = engine.ask("legal\nd");
    assert!(says(&lines, "Legal actions: 0"));
    assert_eq!(value(&lines, "Status"), "ongoing");
}
