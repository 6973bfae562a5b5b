//! Start positions: how many legal actions the official ones allow, and whether unusual ones of
//! players (gaps in time, late timelines, thousands of boards) are read, written and counted.

mod common;

use std::collections::BTreeMap;
use std::fs;

use common::{shared, signature, state_text};
use lightcone::actions::{Generator, Limit, Step};
use lightcone::board::Size;
use lightcone::multiverse::Multiverse;
use lightcone::notation::{ParseError, parse_fen, write_fen};
use lightcone::variants;

/// Legal actions at the start of every official variant.
const FIRST_ACTIONS: [(&str, usize); 44] = [
    ("Standard", 20),
    ("Standard - Half Reflected", 20),
    ("Standard - Defended Pawn", 20),
    ("Standard - Princess", 20),
    ("Standard - Turn Zero", 20),
    ("Standard - Two Timelines", 484),
    ("Standard - Reversed Royalty", 20),
    ("Simple - No Bishops", 16),
    ("Simple - No Knights", 12),
    ("Simple - No Rooks", 14),
    ("Simple - No Queens", 18),
    ("Simple - Knights vs. Bishops", 16),
    ("Simple - Simple Set", 14),
    ("Small", 7),
    ("Small - Flipped", 6),
    ("Small - Centered", 7),
    ("Small - Open", 15),
    ("Very Small", 7),
    ("Very Small - Open", 9),
    ("Misc - Timeline Invasion", 231),
    ("Misc - Timeline Formations", 107),
    ("Misc - Timeline Tactician", 12),
    ("Misc - Timeline Strategos", 19),
    ("Misc - Timeline Battleground", 3571),
    ("Misc - Timeline Skirmish", 102),
    ("Misc - Timeline Fragments", 7),
    ("Misc - Timeline Marauders", 120),
    ("Misc - Excessive", 11),
    ("Misc - King of Kings", 13),
    ("Misc - Royal Queen Showdown", 9),
    ("Focused - Just Knights", 9),
    ("Focused - Just Bishops", 12),
    ("Focused - Just Rooks", 12),
    ("Focused - Just Queens", 15),
    ("Focused - Just Pawns", 10),
    ("Focused - Just Kings", 2),
    ("Focused - Just Unicorns", 2),
    ("Focused - Just Dragons", 2),
    ("Focused - Just Brawns", 10),
    ("Checkmate Practice - Knight", 2),
    ("Checkmate Practice - Bishop", 5),
    ("Checkmate Practice - Rook", 10),
    ("Checkmate Practice - Queen", 15),
    ("Checkmate Practice - Pawns", 6),
];

/// Enough to count: the figures of players' starts stop here.
const CAP: usize = 2000;

/// The number of legal actions, or the cap.
fn count_up_to(multiverse: &mut Multiverse, cap: usize) -> usize {
    let mut generator = Generator::new();
    generator.start(multiverse);
    let mut count = 0;
    while count < cap && generator.next(multiverse, &Limit::NONE) == Step::Found {
        count += 1;
    }
    generator.finish(multiverse);
    count
}

/// Written and read again the position must be the same.
fn assert_written_back(multiverse: &Multiverse, name: &str) {
    multiverse.audit().unwrap_or_else(|error| panic!("{name}: {error}"));
    let (size, even) = (multiverse.size(), multiverse.is_even());
    let again = parse_fen(&write_fen(multiverse), Some(size), Some(even)).unwrap();
    assert_eq!(signature(&again), signature(multiverse), "{name}");
    assert_eq!((again.key(), again.side()), (multiverse.key(), multiverse.side()), "{name}");
}

#[test]
fn official_starts_allow_the_known_number_of_actions() {
    for (name, expected) in FIRST_ACTIONS {
        let variant = variants::find(name).unwrap();
        assert!(variant.is_official(), "{name}");
        let mut start = variant.multiverse().unwrap();
        assert_eq!(count_up_to(&mut start, usize::MAX), expected, "{name}");
    }
    let official = variants::all().filter(|variant| variant.is_official());
    assert_eq!(official.count(), FIRST_ACTIONS.len());
}

/// Starts of players that are over before they begin, with what the referee says of them.
const OVER: [(&str, &str); 3] = [
    ("Excessive - Stacked", "check checkmate 0-1"),
    ("T0 Global Warming", "stalemate 1/2-1/2"),
    ("Timeline Invasion Global Warming", "stalemate 1/2-1/2"),
];

#[test]
fn every_start_is_written_back_and_can_be_played() {
    for variant in variants::all() {
        let mut start = variant.multiverse().unwrap();
        assert_written_back(&start, variant.name);
        match OVER.iter().find(|(name, _)| *name == variant.name) {
            None => assert_eq!(count_up_to(&mut start, 1), 1, "{}", variant.name),
            Some((name, state)) => assert_eq!(state_text(&start), *state, "{name}"),
        }
    }
}

/// The blocks and the size of a record that holds nothing but a start.
fn read_start(text: &str, even: bool) -> Result<Multiverse, ParseError> {
    let header = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
    let size = header("[Size \"").unwrap().trim_end_matches("\"]");
    let (width, height) = size.split_once('x').unwrap();
    let is_block = |line: &&str| line.starts_with('[') && !line.contains('"');
    let blocks: Vec<&str> = text.lines().filter(is_block).collect();
    let size = Size::new(width.parse().unwrap(), height.parse().unwrap());
    parse_fen(&blocks.join(" "), size, Some(even))
}

/// The rows of a table with a line of column names, each as value by name.
fn table(text: &str) -> Vec<BTreeMap<&str, &str>> {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split('\t').collect();
    lines.map(|line| names.iter().copied().zip(line.split('\t')).collect()).collect()
}

#[test]
fn starts_of_players_are_read_written_and_counted_as_their_index_says() {
    let Some(folder) = shared("data/community-starts") else { return };
    let index = fs::read_to_string(folder.join("index.tsv")).unwrap();
    let (mut read, mut refused) = (0, 0);
    for row in table(&index) {
        let name = row["file"];
        let text = fs::read_to_string(folder.join(name)).unwrap();
        let start = read_start(&text, row["parity"] == "even");
        if row["notes"].starts_with("refused") {
            assert!(start.is_err(), "{name}");
            refused += 1;
            continue;
        }
        let mut start = start.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(start.size().to_string(), row["size"], "{name}");
        assert_eq!(start.lines().count().to_string(), row["timelines"], "{name}");
        assert_eq!(start.boards().count().to_string(), row["boards"], "{name}");
        assert_eq!(start.side().letter().to_string(), row["to_move"].to_lowercase(), "{name}");
        assert_written_back(&start, name);
        let actions = count_up_to(&mut start, CAP);
        match row["legal_actions_at_start(cap2000)"].strip_prefix(">=") {
            Some(least) => assert!(actions >= least.parse().unwrap(), "{name}: {actions}"),
            None => {
                assert_eq!(actions.to_string(), row["legal_actions_at_start(cap2000)"], "{name}");
            }
        }
        read += 1;
    }
    println!("starts of players: {read} read, {refused} refused");
    assert!(read >= 35 && refused >= 1);
}
