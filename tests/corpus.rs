//! A corpus of positions with expected values, on which several independent programs agreed: the
//! latest boards, the present, active timelines, pseudo-legal moves, check, status, result and the
//! number of legal actions.
//!
//! `tests/data/corpus.jsonl` holds the hand-made labs and random playouts, one record a line:
//! `start` in 5DFEN, `actions` made from there, moves `pending` in an unfinished one, and what to
//! `expect`. Timelines of even starts are written `+0 -0 +1 -1`, promotion letters are left out.
//! The shared corpus adds positions of public games.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use common::{active, count, find_move, may_submit, present, pseudo, shared, state};
use lightcone::actions::{Report, is_exiled};
use lightcone::board::{Colour, Size};
use lightcone::multiverse::Multiverse;
use lightcone::notation::{parse_fen, write_board};
use serde_json::Value;

/// How often each field was compared.
type Tally = BTreeMap<&'static str, usize>;

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("not a text: {value}"))
}

/// The texts of a list; none where the field is absent.
fn texts(value: &Value) -> Vec<&str> {
    value.as_array().map(|list| list.iter().map(text).collect()).unwrap_or_default()
}

/// A move with the timelines as the protocol numbers them (R31).
fn protocol(word: &str, even: bool) -> String {
    if !even {
        return word.to_owned();
    }
    let boards = word.split('(').map(|part| match part.split_once('T') {
        None => part.to_owned(),
        Some((line, rest)) => match line.strip_prefix('-') {
            Some(number) => format!("{}T{rest}", -1 - number.parse::<i32>().unwrap()),
            None => format!("{}T{rest}", line.trim_start_matches('+')),
        },
    });
    boards.collect::<Vec<_>>().join("(")
}

/// A move without the letter of its promotion.
fn without_promotion(word: &str) -> String {
    word.trim_end_matches(|letter: char| letter.is_ascii_uppercase()).to_owned()
}

fn start(record: &Value) -> Multiverse {
    let (width, height) = text(&record["size"]).split_once('x').unwrap();
    let size = Size::new(width.parse().unwrap(), height.parse().unwrap());
    let blocks = texts(&record["start"]).join(" ");
    parse_fen(&blocks, size, record["even"].as_bool()).unwrap()
}

/// The position that a record is about.
fn replay(record: &Value) -> Multiverse {
    let id = text(&record["id"]);
    let even = record["even"].as_bool().unwrap();
    let mut multiverse = start(record);
    let make = |multiverse: &mut Multiverse, words: Vec<&str>| {
        for word in words {
            let step = find_move(multiverse, &protocol(word, even));
            multiverse.make_move(&step.unwrap_or_else(|error| panic!("{id}: {error}")));
        }
    };
    for action in record["actions"].as_array().unwrap() {
        make(&mut multiverse, texts(action));
        assert!(multiverse.present_has_passed(), "{id}: cannot submit");
        multiverse.set_side(!multiverse.side());
    }
    make(&mut multiverse, texts(&record["pending"]));
    multiverse
}

fn last_boards(multiverse: &Multiverse) -> Vec<String> {
    let latest = multiverse.lines().map(|line| multiverse.latest(line).unwrap());
    latest
        .map(|place| {
            let ranks = write_board(multiverse.board(place));
            let name = multiverse.line_name(place.line);
            format!("[{ranks}:{name}:{}:{}]", place.turn(), place.colour().letter())
        })
        .collect()
}

/// Compares the position itself: boards, time, moves.
fn check_position(record: &Value, multiverse: &Multiverse, tally: &mut Tally) {
    let id = text(&record["id"]);
    let expect = &record["expect"];
    let even = record["even"].as_bool().unwrap();
    let mut check = |field: &'static str, got: String, wanted: String| {
        *tally.entry(field).or_default() += 1;
        assert_eq!(got, wanted, "{id}: {field}");
    };
    let mut boards = texts(&expect["last_boards"]);
    let mut found = last_boards(multiverse);
    boards.sort_unstable();
    found.sort_unstable();
    check("last boards", found.join(" "), boards.join(" "));
    let side = multiverse.side().letter().to_string();
    check("side", side, text(&record["side"]).to_owned());
    let moment = &expect["present"];
    let wanted = format!("T{}{}", moment["turn"], text(&moment["colour"]));
    check("present", present(multiverse), wanted);
    check("active", active(multiverse), texts(&expect["active"]).join(" "));
    let moves = pseudo(multiverse);
    if let Some(count) = expect["pseudo"].as_u64() {
        check("pseudo", moves.len().to_string(), count.to_string());
    }
    let moves: BTreeSet<String> = moves.iter().map(|word| without_promotion(word)).collect();
    if record["pseudo_moves"].is_array() {
        let wanted: BTreeSet<String> =
            texts(&record["pseudo_moves"]).iter().map(|word| protocol(word, even)).collect();
        check("moves", format!("{moves:?}"), format!("{wanted:?}"));
    }
    for (field, allowed) in [("must_allow", true), ("must_forbid", false)] {
        for word in texts(&record[field]) {
            let found = moves.contains(&protocol(word, even));
            check(field, format!("{word} {found}"), format!("{word} {allowed}"));
        }
    }
}

/// Compares what comes of the position: check, status, result, legal actions.
fn check_outcome(record: &Value, multiverse: &Multiverse, tally: &mut Tally) {
    let id = text(&record["id"]);
    let expect = &record["expect"];
    let mut check = |field: &'static str, got: String, wanted: String| {
        *tally.entry(field).or_default() += 1;
        assert_eq!(got, wanted, "{id}: {field}");
    };
    if let Some(wanted) = expect["can_submit"].as_bool() {
        check("can submit", may_submit(multiverse).to_string(), wanted.to_string());
    }
    if record["pending"].is_array() {
        return;
    }
    let Report { check: in_check, status, result, witness } = state(multiverse);
    if let Some(wanted) = expect["check"].as_bool() {
        check("check", in_check.to_string(), wanted.to_string());
    }
    if let Some(wanted) = expect["legal_action"].as_bool() {
        check("legal action", witness.is_some().to_string(), wanted.to_string());
    }
    if let Some(wanted) = expect["status"].as_str() {
        let wanted = if wanted == "none" { "ongoing" } else { wanted };
        check("status", status.name().to_owned(), wanted.to_owned());
    }
    if let Some(wanted) = expect["result"].as_str() {
        check("result", result.name().to_owned(), wanted.to_owned());
    }
    for (side, colour) in [("w", Colour::White), ("b", Colour::Black)] {
        if let Some(wanted) = record["exiled"][side].as_bool() {
            check("exiled", is_exiled(multiverse, colour).to_string(), wanted.to_string());
        }
    }
    if let Some(wanted) = expect["actions"].as_u64() {
        check("actions", count(multiverse).0.to_string(), wanted.to_string());
    }
}

/// Checks every record of a corpus; `moves` are lists of moves by record where those stand apart.
fn check_corpus(corpus: &str, moves: &BTreeMap<String, Value>) -> (usize, Tally) {
    let mut tally = Tally::new();
    let mut records = 0;
    for line in corpus.lines() {
        let mut record: Value = serde_json::from_str(line).unwrap();
        if let Some(list) = moves.get(text(&record["id"])) {
            record["pseudo_moves"] = list.clone();
        }
        let multiverse = replay(&record);
        check_position(&record, &multiverse, &mut tally);
        check_outcome(&record, &multiverse, &mut tally);
        records += 1;
    }
    println!("{records} records, {} fields: {tally:?}", tally.values().sum::<usize>());
    (records, tally)
}

#[test]
fn every_field_of_the_corpus_is_as_expected() {
    let (records, tally) = check_corpus(include_str!("data/corpus.jsonl"), &BTreeMap::new());
    assert_eq!(records, 1075);
    assert!(tally["actions"] >= 630 && tally["moves"] >= 1060 && tally["status"] >= 950);
}

#[test]
fn every_field_of_the_shared_corpus_is_as_expected() {
    let (Some(corpus), Some(moves)) =
        (shared("data/corpus.jsonl"), shared("data/corpus-moves.jsonl"))
    else {
        return;
    };
    let moves: BTreeMap<String, Value> = fs::read_to_string(moves)
        .unwrap()
        .lines()
        .map(|line| {
            let mut record: Value = serde_json::from_str(line).unwrap();
            (text(&record["id"]).to_owned(), record["pseudo_moves"].take())
        })
        .collect();
    let (records, _) = check_corpus(&fs::read_to_string(corpus).unwrap(), &moves);
    assert!(records >= 1075);
}
