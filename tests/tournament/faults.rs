//! Engines that misbehave, each in its own way.

use std::time::{Duration, Instant};

use super::runner::{Folder, sane};

/// A legal first action of White in the variant that is played.
const LEGAL: &str = "echo 'bestmove (0T1)b1b4'";

/// Lets an engine play a pair of games that it must lose. Gives the reason of the one in which it
/// had White.
fn reason_with(name: &str, command: &str, settings: &str, arguments: &[&str]) -> String {
    let folder = Folder::new(name);
    let start = Instant::now();
    fault(&folder, command, settings, arguments);
    assert!(start.elapsed() < Duration::from_secs(30), "{name} took {:?}", start.elapsed());
    let games = folder.games();
    assert_eq!(games.len(), 2, "{name}");
    let mut reason = String::new();
    for game in games {
        let white = game["white"] == "bad";
        let result = if white { "0-1" } else { "1-0" };
        assert_eq!(game["result"], result, "{name}: {game}");
        if white {
            reason = game["reason"].as_str().unwrap().to_owned();
        }
    }
    reason
}

fn fault(folder: &Folder, command: &str, settings: &str, arguments: &[&str]) {
    let bad = format!("name=bad,cmd={command},{settings}");
    let sane = sane("sane");
    let mut words = vec!["-e", &bad, "-e", &sane, "--concurrency", "2", "--patience", "1"];
    words.extend(["--max-actions", "20"]);
    words.extend(arguments);
    if !arguments.contains(&"--fen") {
        words.extend(["--variant", "Very Small - Open"]);
    }
    let output = folder.play(&words);
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{errors}");
    assert_eq!(errors, "");
}

/// The reason for which an engine that does `go` on every `go` loses, at 0.3 s an action.
fn reason(name: &str, go: &str) -> String {
    let folder = Folder::new(&format!("{name}-script"));
    let command = folder.engine(go);
    let reason = reason_with(name, &command, "st=0.3,timemargin=0", &[]);
    assert!(folder.read("pids").lines().count() >= 2, "{name}");
    assert_eq!(folder.survivors(), Vec::<String>::new(), "{name}");
    reason
}

#[test]
fn one_that_never_answers_hangs() {
    assert_eq!(reason("silent", ":"), "hang");
}

#[test]
fn one_that_stops_reading_hangs() {
    assert_eq!(reason("deaf", "exec sleep 1000"), "hang");
}

#[test]
fn one_that_answers_twice_loses() {
    assert_eq!(reason("twice", &format!("{LEGAL}; {LEGAL}")), "answered twice");
}

#[test]
fn illegal_actions_lose() {
    assert_eq!(reason("rook", "echo 'bestmove (0T1)b1b5'"), "illegal action");
    assert_eq!(reason("theirs", "echo 'bestmove (0T1)a4b2'"), "illegal action");
}

#[test]
fn what_is_no_move_loses() {
    assert_eq!(reason("ordinary", "echo 'bestmove e2e4'"), "malformed action");
    assert_eq!(reason("submit", "echo 'bestmove (0T1)b1b4 submit'"), "malformed action");
}

#[test]
fn half_an_action_loses() {
    let folder = Folder::new("half-script");
    let command = folder.engine("echo 'bestmove (0T1)a1b1'");
    let boards = "even fen [2k/3/3/P*2/K2:-0:1:w] [2k/3/3/P*2/K2:+0:1:w]";
    assert_eq!(reason_with("half", &command, "st=0.3", &["--fen", boards]), "unfinished action");
}

#[test]
fn one_that_leaves_its_king_loses() {
    let folder = Folder::new("king-script");
    let command = folder.engine("echo 'bestmove (0T1)c1d1'");
    let boards = "[3qk/5/5/5/2K2:0:1:w]";
    assert_eq!(reason_with("king", &command, "st=0.3", &["--fen", boards]), "illegal action");
}

#[test]
fn one_that_dies_crashes() {
    assert_eq!(reason("exits", "exit 3"), "crash");
    assert_eq!(reason("killed", "kill -SEGV $$"), "crash");
}

#[test]
fn one_that_dies_at_once_crashes() {
    let folder = Folder::new("stillborn-script");
    let command = folder.script("exit 1");
    assert_eq!(reason_with("stillborn", &command, "st=0.3", &[]), "crash");
}

#[test]
fn one_that_never_says_ok_gives_no_handshake() {
    let folder = Folder::new("mute-script");
    let command = folder.script("while read -r line; do :; done");
    assert_eq!(reason_with("mute", &command, "st=0.3", &[]), "no handshake");
}

#[test]
fn wrong_claims_lose() {
    assert_eq!(reason("claim", "echo nobestmove"), "wrong claim");
    assert_eq!(reason("none", "echo 'bestmove (none)'"), "wrong claim");
}

#[test]
fn late_answers_lose_on_time() {
    assert_eq!(reason("late", &format!("sleep 0.6; {LEGAL}")), "time forfeit");
}

#[test]
fn one_that_gives_itself_up_loses() {
    let folder = Folder::new("low-script");
    let command = folder.engine(&format!("echo 'info depth 1 score cp -900'; {LEGAL}"));
    let arguments = ["--resign", "score=900,count=1"];
    assert_eq!(reason_with("low", &command, "st=1", &arguments), "resignation");
}

#[test]
fn floods_are_survived() {
    // The first action comes behind the flood, in time and legal; the second one is the same.
    let flood = "head -c 10000000 /dev/zero | tr '\\000' x; echo";
    let lines = "yes 'info string flood' | head -c 10000000; echo";
    for (name, flood) in [("long", flood), ("many", lines)] {
        let folder = Folder::new(&format!("{name}-script"));
        let command = folder.engine(&format!("{flood}; {LEGAL}"));
        let folder = Folder::new(name);
        fault(&folder, &command, "st=10", &[]);
        let games = folder.games();
        let game = games.iter().find(|game| game["white"] == "bad").unwrap();
        assert_eq!((&game["reason"], &game["result"]), (&"illegal action".into(), &"0-1".into()));
        assert_eq!(game["actions"].as_array().unwrap().len(), 2, "{game}");
    }
}

#[test]
fn endless_floods_hang() {
    assert_eq!(reason("endless", "yes 'info string flood'"), "hang");
}

#[test]
fn one_that_ignores_quit_is_ended_with_what_it_started() {
    let folder = Folder::new("stubborn-script");
    let command = folder.script(&format!(
        "trap '' TERM INT HUP; sleep 1000 & echo $! >> {}
         while read -r line; do case \"$line\" in
         uci) echo uciok ;; isready) echo readyok ;; go*) {LEGAL} ;; esac; done
         while :; do sleep 1; done",
        folder.path("pids")
    ));
    assert_eq!(reason_with("stubborn", &command, "st=0.3", &[]), "illegal action");
    assert_eq!(folder.read("pids").lines().count(), 4);
    assert_eq!(folder.survivors(), Vec::<String>::new());
}
