//! Training games: written, interrupted, read back.

use lightcone::actions::{GameResult, Limit, make_action, report};
use lightcone::board::Colour;
use lightcone::search::Shown;
use lightcone::tuning::games::TrainingGame;
use lightcone::tuning::samples::samples_of;

use crate::runner::{Folder, assert_fails};

fn parse(text: &str) -> Vec<TrainingGame> {
    text.lines().map(|line| TrainingGame::parse(line).unwrap().unwrap()).collect()
}

#[test]
fn the_same_seed_gives_the_same_file_on_any_number_of_cores() {
    let folder = Folder::new("seed");
    for (name, words) in [
        ("one", "--games 12 --seed 3 --concurrency 1"),
        ("two", "--games 12 --seed 3 --concurrency 2"),
        ("other", "--games 12 --seed 4 --concurrency 2"),
    ] {
        let output = folder.selfplay(name, words);
        assert!(output.status.success(), "{output:?}");
    }
    let [one, two, other] = ["one", "two", "other"].map(|name| folder.read(name));
    assert_eq!(one.lines().count(), 12);
    assert_eq!(one, two);
    assert_ne!(one, other);
}

#[test]
fn what_is_written_is_read_again_and_replays() {
    let folder = Folder::new("replay");
    assert!(folder.selfplay("games", "--games 12").status.success());
    let text = folder.read("games");
    let games = parse(&text);
    assert_eq!(games[0].variant, "Very Small - Open");
    assert_eq!(games[1].variant, "Small");
    for (game, line) in games.iter().zip(text.lines()) {
        assert_eq!(game.to_line(), line);
        assert!(game.actions.len() > 2 && game.actions.len() <= 14, "{line}");
        assert!(game.actions.iter().take(2).all(|scored| scored.score.is_none()));
        let mut multiverse = game.start.clone();
        for scored in &game.actions {
            let limit = Limit { work: Some(100_000), ..Limit::NONE };
            assert_eq!(report(&mut multiverse, true, &limit).result, GameResult::Open, "{line}");
            make_action(&mut multiverse, &scored.action);
        }
        let last = game.actions.last().unwrap().score;
        if let Some(Shown::Mate(count)) = last {
            let mover = if game.actions.len() % 2 == 1 { Colour::White } else { Colour::Black };
            let winner = if count > 0 { mover } else { !mover };
            assert_eq!(game.result, GameResult::Win(winner), "{line}");
        }
    }
}

#[test]
fn samples_are_quiet_and_seen_by_white() {
    let game = |result: &str, moves: &str| {
        TrainingGame::parse(&format!("Standard\t{result}\t{moves}")).unwrap().unwrap()
    };
    // The opening says nothing, a capture is not quiet, a mate no number, 900 too much.
    let moves = "(0T1)e2e4 - (0T1)d7d5 20 (0T2)e4d5 110 (0T2)d8d6 -90 (0T3)a2a3 900 \
                 (0T3)a7a6 #3 (0T4)b2b3 12";
    let samples = samples_of(&game("0-1", moves), 7, 500);
    let scores: Vec<f32> = samples.iter().map(|sample| sample.score).collect();
    assert_eq!(scores, [-20.0, 90.0, 12.0]);
    assert!(samples.iter().all(|sample| sample.result == 0.0 && sample.game == 7));
    assert!(samples_of(&game("*", moves), 7, 500).is_empty());
    // In check nothing is quiet.
    let moves = "(0T1)e2e4 - (0T1)d7d5 - (0T2)f1b5 0 (0T2)c7c6 0";
    let scores = samples_of(&game("1/2-1/2", moves), 0, 500);
    assert_eq!(scores.len(), 1);
    assert!((scores[0].result - 0.5).abs() < f32::EPSILON);
}

#[test]
fn lines_that_say_nothing_are_passed_over() {
    for line in ["", "  ", "# a note", "\r"] {
        assert!(TrainingGame::parse(line).unwrap().is_none(), "{line:?}");
    }
}

#[test]
fn the_example_of_the_documentation_is_one() {
    let text = include_str!("../../tuning/README.md");
    let example: Vec<&str> = text.lines().filter(|line| line.contains('\t')).collect();
    assert_eq!(example.len(), 1);
    let game = TrainingGame::parse(example[0]).unwrap().unwrap();
    assert_eq!(game.actions.last().unwrap().score, Some(Shown::Mate(4)));
}

#[test]
fn faults_are_named() {
    let fault = |line: &str| TrainingGame::parse(line).unwrap_err();
    for (line, text) in [
        ("Standard 1-0", "tabs"),
        ("Standard\t1-0\t\t", "tabs"),
        ("Chess 2\t1-0\t", "Chess 2"),
        ("Standard\t2-0\t", "2-0"),
        ("Standard\t1-0\t(0T1)e2e5 -", "(0T1)e2e5"),
        ("Standard\t1-0\t(0T1)e2e4", "no score"),
        ("Standard\t1-0\t(0T1)e2e4 #", "#"),
        ("Standard\t1-0\t(0T1)e2e4 fine", "fine"),
        ("Standard\t1-0\t(0T1)e2e4 99999999999", "99999999999"),
        ("Standard\t1-0\t12", "action 1"),
        ("Standard\t1-0\t(0T1)f2f3 0 (0T1)e7e5 0 (0T2)g2g4 0 (0T2)d8h4 0 (0T3)a2a3 0", "action 5"),
    ] {
        assert!(fault(line).contains(text), "{line}: {}", fault(line));
    }
}

#[test]
fn a_file_that_is_there_is_kept() {
    let folder = Folder::new("there");
    folder.write("games", "precious");
    assert_fails(&folder.selfplay("games", "--games 1"), "games: ");
    assert_eq!(folder.read("games"), "precious");
    assert_fails(&folder.selfplay("nowhere/games", "--games 1"), "nowhere/games: ");
}

#[test]
fn bad_options_are_bad_usage() {
    let folder = Folder::new("usage");
    for words in [
        "selfplay",
        "selfplay --out games --games many",
        "selfplay --out games --nodes 0",
        "selfplay --out games --variant Nonsense",
        "selfplay --out games --castle",
        "tune",
        "tune games --lambda 1.5",
        "tune games --l2 -1",
        "tune games --scale 0",
        "tune games --keep nonsense",
        "tune games --held-out x",
    ] {
        assert_eq!(folder.run(words).status.code(), Some(2), "{words}");
    }
    assert_eq!(folder.read("games"), "");
    for words in ["selfplay --help", "tune --help"] {
        assert_eq!(folder.run(words).status.code(), Some(0), "{words}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_whole_games() {
    use std::time::{Duration, Instant};

    let folder = Folder::new("break");
    let mut command = folder.command("selfplay --out games --games 1000000 --nodes 60 --variant");
    let mut child = command.arg("Very Small - Open").spawn().unwrap();
    let start = Instant::now();
    while folder.read("games").lines().count() < 3 {
        assert!(start.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = child.id().to_string();
    let status = std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(status.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let text = folder.read("games");
    assert!(text.ends_with('\n'));
    assert!(parse(&text).len() >= 3);
}
