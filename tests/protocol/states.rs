//! What a command does in the middle of a search, and how everything ends.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::engine::{Engine, PATIENCE, answers, pipe, says};
use crate::positions::{MATED, SMALL};

/// Two searches that cannot have the same answer: White's and Black's.
const WHITE: &str = "position startpos";
const BLACK: &str = "position startpos moves (0T1)e2e4 submit";

fn is_blacks(answer: &str) -> bool {
    let mut engine = Engine::start();
    let moves = answer.strip_prefix("bestmove ").unwrap();
    !says(&engine.ask(&format!("{BLACK} {moves} submit")), "error")
}

#[test]
fn isready_is_answered_at_once_during_a_search() {
    let mut engine = Engine::with("position startpos\ngo infinite");
    let mut fastest = PATIENCE;
    for _ in 0..20 {
        let start = Instant::now();
        assert!(engine.rest().iter().all(|line| line.starts_with("info ")));
        fastest = fastest.min(start.elapsed());
    }
    assert!(fastest < Duration::from_millis(20), "{fastest:?}");
    engine.send("stop");
    engine.answer();
    assert!(engine.rest().is_empty());
}

#[test]
fn a_storm_of_isready_is_answered_line_by_line() {
    let mut engine = Engine::with("go infinite");
    engine.send(&"isready\n".repeat(2000));
    let mut ready = 0;
    while ready < 2000 {
        match engine.line().as_str() {
            "readyok" => ready += 1,
            line => assert!(line.starts_with("info "), "{line}"),
        }
    }
    engine.send("stop");
    engine.answer();
}

#[test]
fn stop_is_never_lost_however_soon_it_comes() {
    let mut engine = Engine::with("position startpos");
    for microseconds in [0, 100, 1000, 5000] {
        for _ in 0..40 {
            engine.send("go infinite");
            if microseconds > 0 {
                sleep(Duration::from_micros(microseconds));
            }
            engine.send("stop");
            let (answer, before) = engine.answer();
            assert!(answer.starts_with("bestmove (0T1)"), "{answer}");
            assert!(before.iter().any(|line| line.contains(" score ")), "{before:?}");
        }
    }
    for _ in 0..40 {
        engine.send("go infinite\nstop");
        engine.answer();
    }
    assert!(answers(&engine.rest()).is_empty(), "one answer for each go");
}

#[test]
fn stop_is_answered_soon() {
    let mut engine = Engine::with("position startpos");
    let mut fastest = PATIENCE;
    for _ in 0..5 {
        engine.send("go infinite");
        sleep(Duration::from_millis(50));
        let start = Instant::now();
        engine.send("stop");
        engine.answer();
        fastest = fastest.min(start.elapsed());
    }
    assert!(fastest < Duration::from_millis(100), "{fastest:?}");
}

#[test]
fn stop_and_ponderhit_when_idle_are_harmless() {
    let mut engine = Engine::start();
    assert!(engine.ask("stop\nponderhit\nstop").is_empty());
    let (_, infos) = engine.go("position startpos\nstop\ngo depth 2");
    assert!(says(&infos, "info depth 2 "), "the next go was poisoned: {infos:?}");
    assert!(engine.ask("stop").is_empty());
}

#[test]
fn end_of_input_ends_the_program_in_every_state() {
    for text in [
        "",
        "uci",
        "go infinite",
        "go",
        "go movetime 100000",
        "go wtime 1000000000 btime 1000000000",
        "go depth 100",
        "go ponder wtime 100000 btime 100000",
        "go ponder",
        "go infinite\nwait",
        "go ponder\nwait",
        "go ponder infinite movetime 10\nponderhit\nwait",
        "go infinite\nwait\ngo infinite\nwait\ngo infinite",
        "position fen [k1K/1Q1/3:0:1:b]\ngo infinite",
        "position fen [k1K/1Q1/3:0:1:b]\ngo infinite\nwait",
        "go infinite\nsetoption name Hash value 2\nposition startpos",
    ] {
        let searches = text.matches("go").count();
        let start = Instant::now();
        let lines = pipe(&format!("{text}\n"));
        assert!(start.elapsed() < Duration::from_secs(10), "{text}");
        assert_eq!(answers(&lines).len(), searches, "{text}: {lines:?}");
    }
}

#[test]
fn end_of_input_ends_a_search_that_is_well_under_way() {
    for go in ["go infinite", "go movetime 100000", "go ponder movetime 100", "go\nwait"] {
        let mut engine = Engine::with(go);
        engine.until("info depth 2 ");
        engine.end_input();
        assert_eq!(answers(&engine.remaining()).len(), 1, "{go}");
        assert_eq!(engine.status().code(), Some(0), "{go}");
    }
}

#[test]
fn a_last_line_without_its_end_counts() {
    assert_eq!(pipe("isready"), ["readyok"]);
}

#[test]
fn quit_ends_the_program_at_once() {
    let mut fastest = PATIENCE;
    for text in ["isready", "go infinite", "go movetime 100000", "go ponder", "isready"] {
        let mut engine = Engine::with(&format!("{text}\nisready"));
        engine.until("readyok");
        let start = Instant::now();
        let lines = engine.quit();
        fastest = fastest.min(start.elapsed());
        assert_eq!(answers(&lines).len(), usize::from(text.starts_with("go")), "{text}");
    }
    assert!(fastest < Duration::from_millis(100), "{fastest:?}");
}

#[test]
fn wait_lets_a_pipe_finish_its_searches() {
    for end in ["", "quit\n"] {
        let text =
            format!("{WHITE}\ngo depth 3\nwait\n{BLACK}\ngo depth 2\nwait\nposition {MATED}\nd\n");
        let lines = pipe(&format!("{text}{end}"));
        let answers = answers(&lines);
        assert_eq!(answers.len(), 2);
        assert!(!is_blacks(answers[0]) && is_blacks(answers[1]));
        assert!(says(&lines, "info depth 3 ") && says(&lines, "Status: checkmate"), "{lines:?}");
    }
}

#[test]
fn wait_is_over_when_it_should_be() {
    let mut engine = Engine::start();
    assert!(!engine.ask("wait\nfen").is_empty(), "nothing to wait for");
    engine.send("position startpos\ngo infinite\nwait\nfen");
    engine.until("info depth 1 ");
    assert!(!says(&engine.rest(), "[r*"), "isready is urgent, fen is not");
    engine.send("stop");
    let lines = engine.until("[r*");
    assert_eq!(answers(&lines).len(), 1, "the answer comes before what was kept back");
}

#[test]
fn a_position_during_a_search_is_for_the_next_go() {
    let mut engine = Engine::with(WHITE);
    engine.send("go infinite");
    engine.until("info depth 1 ");
    engine.send(BLACK);
    engine.rest();
    engine.send("stop");
    let (first, _) = engine.answer();
    let (second, _) = engine.go("go depth 1");
    assert!(!is_blacks(&first) && is_blacks(&second), "{first} {second}");
}

#[test]
fn go_during_a_search_ends_it_first() {
    let mut engine = Engine::with(WHITE);
    engine.send(&format!("go infinite\n{BLACK}\ngo infinite\n{WHITE}\ngo depth 1"));
    let whose = [engine.answer().0, engine.answer().0, engine.answer().0];
    assert_eq!(whose.map(|answer| is_blacks(&answer)), [false, true, false]);
    assert!(engine.rest().is_empty());
}

#[test]
fn a_new_game_ends_the_search() {
    for command in ["ucinewgame", "5ducinewgame"] {
        let mut engine = Engine::with("go infinite");
        engine.until("info depth 1 ");
        let lines = engine.ask(command);
        assert_eq!(answers(&lines).len(), 1, "{lines:?}");
        let (_, infos) = engine.go("go depth 1");
        assert!(says(&infos, " score "));
    }
}

#[test]
fn a_new_game_makes_searches_repeatable() {
    let mut engine = Engine::with(&format!("position {SMALL}"));
    let mut run = || {
        engine.send("ucinewgame");
        let (answer, infos) = engine.go("go depth 4");
        let last = infos.last().unwrap();
        let nodes = last.split(" nodes ").nth(1).unwrap().split(' ').next().unwrap();
        (answer, nodes.to_owned())
    };
    let first = run();
    assert_eq!(run(), first);
    assert_eq!(run(), first);
}

#[test]
fn options_set_during_a_search_wait_for_its_end() {
    let mut engine = Engine::with("position startpos\ngo infinite");
    engine.until("info depth 1 ");
    let lines = engine.ask("setoption name MultiPV value 3\nsetoption name hash value none");
    assert!(says(&lines, "info string option MultiPV will be set"), "{lines:?}");
    assert!(lines.iter().all(|line| !line.contains("multipv 2")));
    engine.send("stop");
    engine.answer();
    let lines = engine.rest();
    assert!(says(&lines, "info string option MultiPV is set now"), "{lines:?}");
    assert!(!says(&lines, "hash is set now") && says(&lines, "error: option Hash"), "{lines:?}");
    assert!(says(&engine.go("go depth 1").1, "multipv 3"));
}

#[test]
fn a_variant_set_during_a_search_is_a_position() {
    let mut engine = Engine::with("go infinite\nsetoption name UCI_Variant value Small");
    engine.send("position variant Very Small\nstop");
    engine.answer();
    assert!(says(&engine.ask("d"), "Variant: Very Small"), "the later one holds");
}

#[cfg(target_os = "linux")]
mod at_rest {
    use super::*;

    /// Time on a processor, in ticks of 10 ms.
    fn ticks(engine: &Engine) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", engine.id())).unwrap();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    }

    fn check(text: &str) {
        let mut engine = Engine::with(text);
        engine.rest();
        sleep(Duration::from_millis(50));
        let before = ticks(&engine);
        assert!(engine.gives_no_answer_for(Duration::from_millis(400)), "{text}");
        let spent = ticks(&engine) - before;
        assert!(spent <= 5, "{spent} ticks of 40: {text}");
    }

    #[test]
    fn waiting_costs_nothing() {
        check("position startpos");
        check(&format!("position {MATED}\ngo infinite"));
        check(&format!("position {MATED}\ngo ponder depth 1"));
        check(&format!("position {MATED}\ngo infinite\nwait"));
    }
}
