//! Matches between engines that behave: what is played, written, counted and resumed.

use std::fs;
use std::time::{Duration, Instant};

use lightcone::actions::{Limit, report};
use lightcone::notation::pgn;
use lightcone::variants;

use super::runner::{Folder, sane};

const VARIANT: [&str; 2] = ["--variant", "Very Small - Open"];

/// Every game of the file of records, read and checked: as many as the JSON lines hold.
fn read_records(folder: &Folder) -> Vec<pgn::Game> {
    let text = folder.read("out.5dpgn");
    let lookup = |name: &str| variants::find(name)?.multiverse().ok();
    let starts: Vec<usize> = text.match_indices("[Mode ").map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let parts = starts.iter().zip(ends).map(|(&start, end)| &text[start..end]);
    parts
        .map(|part| {
            pgn::parse_game(part, &lookup).unwrap_or_else(|error| panic!("{error}\n{part}"))
        })
        .collect()
}

#[test]
fn a_match_is_written_for_people_and_machines() {
    let folder = Folder::new("whole");
    let (a, b) = (sane("A"), sane("B"));
    let mut words = vec!["-e", &a, "-e", &b, "--games", "4", "--concurrency", "2"];
    words.extend(["--openings", "random=2,seed=3", "--max-actions", "12"]);
    words.extend(VARIANT);
    let output = folder.play(&words);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("game ")).count(), 4, "{text}");
    assert!(text.contains("W-D-L") && !text.contains('\u{1b}'), "{text}");
    let games = folder.games();
    assert_eq!(games.len(), 4);
    for pair in [[1, 2], [3, 4]] {
        let [one, two] =
            pair.map(|number| games.iter().find(|game| game["game"] == number).unwrap());
        assert_eq!((&one["opening"], &one["white"]), (&two["opening"], &two["black"]));
        assert_eq!(one["opening"].as_array().unwrap().len(), 2);
        assert_ne!(one["actions"][0]["score"], serde_json::Value::Null, "{one}");
    }
    let records = read_records(&folder);
    assert_eq!(records.len(), 4);
    for record in &records {
        for name in ["Event", "Date", "Round", "White", "Black", "TimeControl", "Termination"] {
            assert!(record.header(name).is_some_and(|value| !value.is_empty()), "{name}");
        }
        assert_eq!(record.header("Board"), Some("Very Small - Open"));
        let result = report(&mut record.position(), true, &Limit::NONE).result;
        let adjudicated = record.header("Termination") == Some("adjudication");
        assert!(adjudicated || result.name() == record.outcome.as_str());
    }
}

#[test]
fn an_interrupted_match_goes_on() {
    let folder = Folder::new("resume");
    let (a, b) = (sane("A"), sane("B"));
    let mut words = vec!["-e", &a, "-e", &b, "--games", "4", "--max-actions", "6"];
    words.extend(["--openings", "random=2,seed=3", "--variant", "Standard - Half Reflected"]);
    assert!(folder.play(&words).status.success());
    let whole = folder.games();
    // As if it had been killed while the third game was written.
    let json = folder.read("out.jsonl");
    let lines: Vec<&str> = json.lines().collect();
    let torn = format!("{}\n{}", lines[..3].join("\n"), &lines[3][..40]);
    fs::write(folder.path("out.jsonl"), torn).unwrap();
    assert!(!folder.play(&words).status.success(), "it is there already");
    let mut other = words.clone();
    other.extend(["--resume", "--plain-stalemate"]);
    assert!(!folder.play(&other).status.success(), "other rules");
    words.push("--resume");
    let output = folder.play(&words);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("game ")).count(), 2, "{text}");
    let games = folder.games();
    assert_eq!(games.len(), 4);
    assert_eq!(read_records(&folder).len(), 4);
    for (again, before) in games.iter().zip(&whole) {
        assert_eq!((&again["game"], &again["opening"]), (&before["game"], &before["opening"]));
    }
}

#[test]
fn an_interrupt_keeps_what_was_played() {
    let folder = Folder::new("interrupt");
    let sane = sane("sane");
    // Loses as White at once, thinks for ever as Black.
    let command =
        folder.engine("case \"$line\" in *winc*) echo nobestmove ;; *) sleep 1000 ;; esac");
    let bad = format!("name=bad,cmd={command},tc=1000");
    let script = format!("{bad},proto=uci");
    let mut words = vec!["-e", &script, "-e", &sane, "--games", "4", "--patience", "1"];
    words.extend(VARIANT);
    let mut child = folder.begin(&words);
    let start = Instant::now();
    while folder.read("out.jsonl").lines().count() < 2 {
        assert!(start.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = child.id().to_string();
    let status = std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(status.success());
    let code = child.wait().unwrap().code();
    assert_eq!(code, Some(130));
    assert!(start.elapsed() < Duration::from_secs(20));
    assert!(!folder.games().is_empty());
    assert_eq!(folder.survivors(), Vec::<String>::new());
}

#[test]
fn a_sequential_test_ends_the_match() {
    let folder = Folder::new("sprt");
    let command = folder.engine("echo nobestmove");
    let (bad, sane) = (format!("name=bad,cmd={command},st=1,proto=uci"), sane("sane"));
    let mut words = vec!["-e", &sane, "-e", &bad, "--games", "400", "--sprt", "elo0=0", "elo1=200"];
    words.extend(VARIANT);
    let output = folder.play(&words);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("H1 accepted"), "{text}");
    assert!(folder.games().len() < 60, "{text}");
}

#[test]
fn games_end_in_draws_by_length_and_by_score() {
    let (a, b) = (sane("A"), sane("B"));
    for (rule, reason, actions) in [
        (["--max-actions", "3"], "length", 3),
        (["--draw", "score=9000,count=2,number=2"], "draw by score", 4),
    ] {
        let folder = Folder::new(reason);
        let mut words = vec!["-e", &a, "-e", &b];
        words.extend(rule);
        assert!(folder.play(&words).status.success());
        for game in folder.games() {
            assert_eq!((&game["result"], &game["reason"]), (&"1/2-1/2".into(), &reason.into()));
            assert_eq!(game["actions"].as_array().unwrap().len(), actions, "{game}");
        }
    }
}

#[test]
fn one_that_speaks_only_5duci_gets_movetime_and_is_asked_whether_it_is_ready() {
    let folder = Folder::new("5duci");
    let heard = folder.path("heard");
    let command = folder.script(&format!(
        "while read -r line; do echo \"$line\" >> {heard}; case \"$line\" in
         5duci) echo 5duciok ;; isready) echo readyok ;; quit) echo bye; exit 0 ;;
         go*) echo 'info mcts_score average=0.5'; echo 'bestmove (0T1)b1b4' ;; esac; done"
    ));
    let own = format!("name=old,cmd={command},tc=3+0.5,option.debug=false");
    let sane = sane("sane");
    let mut words = vec!["-e", &own, "-e", &sane];
    words.extend(VARIANT);
    assert!(folder.play(&words).status.success());
    let heard = folder.read("heard");
    let mut lines = heard.lines();
    assert_eq!(lines.next(), Some("uci"));
    let rest: Vec<&str> = lines.collect();
    let begin = ["5duci", "isready", "setoption name debug value false", "isready"];
    assert_eq!(rest[..4], begin, "{heard}");
    assert_eq!(rest[4..6], ["5ducinewgame", "isready"], "{heard}");
    assert!(rest[6].starts_with("position size 4x4 odd fen ["), "{heard}");
    assert_eq!(rest[7..9], ["isready", "go movetime 480"], "{heard}");
    let games = folder.games();
    let game = games.iter().find(|game| game["white"] == "old").unwrap();
    assert_eq!(game["actions"][0]["score"]["cp"], 190, "{game}");
}

#[test]
fn wrong_words_are_refused() {
    let folder = Folder::new("words");
    let (a, b) = (sane("A"), sane("B"));
    let gone = "name=C,cmd=/no/such/program,st=1";
    for (words, code) in [
        (vec!["-e", &a], 1),
        (vec![], 2),
        (vec!["-e", &a, "-e", &a], 1),
        (vec!["-e", &a, "-e", &b, "--variant", "Chess 2"], 1),
        (vec!["-e", &a, "-e", &b, "--sprt", "elo0=5,elo1=0"], 1),
        (vec!["-e", &a, "-e", gone], 1),
    ] {
        let output = folder.play(&words);
        assert_eq!(output.status.code(), Some(code), "{words:?}");
        assert!(!output.stderr.is_empty(), "{words:?}");
        let _ = fs::remove_file(folder.path("out.jsonl"));
    }
}
