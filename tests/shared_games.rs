//! The public records in `../shared/data`: each is replayed to its end or refused for the reason
//! that its index gives, and what is written from it reads back as the same game.
//!
//! Looks at replay and counts of actions only.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use lightcone::multiverse::Multiverse;
use lightcone::notation::pgn::{Game, WriteOptions, parse_game, write_game};
use lightcone::variants;

const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared");

fn data(folder: &str) -> Option<PathBuf> {
    let path = Path::new(SHARED).join("data").join(folder);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: ../shared is absent");
    None
}

fn lookup(name: &str) -> Option<Multiverse> {
    variants::find(name).map(|variant| variant.multiverse().unwrap())
}

/// The records of a folder, by file name.
fn records(folder: &Path) -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "5dpgn"))
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned())
        })
        .collect()
}

/// A table with a line of column names: for each first column the values by name.
fn table(path: &Path) -> BTreeMap<String, BTreeMap<String, String>> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split('\t').collect();
    lines
        .map(|line| {
            let cells = names.iter().zip(line.split('\t'));
            let cells: BTreeMap<String, String> =
                cells.map(|(name, cell)| ((*name).to_owned(), cell.to_owned())).collect();
            (line.split('\t').next().unwrap().to_owned(), cells)
        })
        .collect()
}

/// Writes the game, reads it again, and compares.
fn assert_written_back(name: &str, game: &Game) {
    let end = game.position();
    end.audit().unwrap();
    let text = write_game(game, &WriteOptions::default());
    let again =
        parse_game(&text, &lookup).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
    assert_eq!(again.start.key(), game.start.key(), "{name}: start");
    assert_eq!(again.start.promotions(), game.start.promotions(), "{name}");
    assert_eq!(again.actions, game.actions, "{name}\n{text}");
    assert_eq!(again.pending, game.pending, "{name}\n{text}");
    assert_eq!(again.outcome, game.outcome, "{name}");
    assert_eq!(again.position().key(), end.key(), "{name}: end");
    assert!(text.lines().all(|line| line.starts_with('[') || line.len() <= 120), "{name}\n{text}");
}

/// Boards of nine ranks are beyond the size that is supported.
const TOO_LARGE: &str = "5djs-fen-2.5dpgn";

#[test]
fn games_replay_as_far_as_the_index_says() {
    let Some(folder) = data("games") else { return };
    let index = table(&folder.join("index.tsv"));
    let (mut read, mut refused) = (0, 0);
    for (name, text) in records(&folder) {
        let expected = &index[&name];
        let stops = expected["odd"].contains("STOPS");
        let counts: Vec<usize> =
            expected["actions"].split('/').map(|count| count.parse().unwrap()).collect();
        match parse_game(&text, &lookup) {
            Ok(game) => {
                assert!(!stops, "{name} should stop: {}", expected["odd"]);
                assert_eq!(game.actions.len(), counts[0], "{name}");
                assert!(game.pending.is_empty(), "{name}: {:?}", game.pending);
                let lines = game.position().lines().count();
                assert_eq!(
                    lines,
                    expected["timelines"].parse::<usize>().unwrap(),
                    "{name}: timelines"
                );
                assert_written_back(&name, &game);
                read += 1;
            }
            Err(error) => {
                println!("{name}: {error}");
                assert!(stops || name == TOO_LARGE, "{name} is refused: {error}");
                // Syntax is read first, so an error of syntax can come from a later action.
                let index = error.action.map_or(0, |action| action.index);
                assert!(counts.len() == 1 || index == counts[0], "{name}: after {index} actions");
                refused += 1;
            }
        }
    }
    println!("games: {read} read, {refused} refused");
}

#[test]
fn normalized_games_replay_to_the_same_end() {
    let (Some(games), Some(normalized)) = (data("games"), data("normalized")) else { return };
    let originals: BTreeMap<String, String> = records(&games).into_iter().collect();
    let mut read = 0;
    for (name, text) in records(&normalized) {
        let game = match parse_game(&text, &lookup) {
            Ok(game) => game,
            Err(error) => {
                assert_eq!(name, TOO_LARGE, "{error}");
                continue;
            }
        };
        assert!(game.pending.is_empty(), "{name}");
        assert_written_back(&name, &game);
        let original = parse_game(&originals[&name], &lookup).unwrap();
        assert_eq!(game.start.key(), original.start.key(), "{name}: start");
        assert_eq!(game.actions.len(), original.actions.len(), "{name}");
        assert_eq!(game.position().key(), original.position().key(), "{name}: end");
        read += 1;
    }
    println!("normalized: {read} read");
}

#[test]
fn positions_and_starts_are_read() {
    for folder in ["positions", "community-starts"] {
        let Some(folder) = data(folder) else { return };
        let index = table(&folder.join("index.tsv"));
        let (mut read, mut refused) = (0, 0);
        for (name, text) in records(&folder) {
            let row: String = index[&name].values().map(String::as_str).collect();
            match parse_game(&text, &lookup) {
                Ok(game) => {
                    assert!(!row.contains("refused"), "{name}");
                    assert!(game.actions.is_empty() || row.contains("STOPS"), "{name}");
                    assert_written_back(&name, &game);
                    read += 1;
                }
                Err(error) => {
                    println!("{name}: {error}");
                    assert!(row.contains("STOPS") || row.contains("refused"), "{name}: {error}");
                    refused += 1;
                }
            }
        }
        println!("{}: {read} read, {refused} refused", folder.display());
    }
}

#[test]
fn repros_stop_where_they_should() {
    let Some(folder) = data("repros") else { return };
    let index = table(&folder.join("index.tsv"));
    let (mut read, mut refused) = (0, 0);
    for (name, text) in records(&folder) {
        let row = &index[name.trim_end_matches(".5dpgn")];
        let stops = row["replay5d"].strip_prefix("stops: ");
        match parse_game(&text, &lookup) {
            Ok(game) if game.pending.is_empty() => {
                assert_eq!(stops, None, "{name}");
                assert_written_back(&name, &game);
                let lines = row["timelines"].parse::<usize>().unwrap();
                assert_eq!(game.position().lines().count(), lines, "{name}: timelines");
                read += 1;
            }
            // The record ends before the present has passed.
            Ok(_) => assert!(stops.unwrap().ends_with("present not advanced"), "{name}"),
            Err(error) => {
                println!("{name}: {error}");
                let stops = stops.unwrap_or_else(|| panic!("{name} is refused: {error}"));
                let action = error.action.unwrap();
                assert!(stops.starts_with(&action.to_string()), "{name}: {error}");
                refused += 1;
            }
        }
    }
    println!("repros: {read} read, {refused} refused");
}

/// Just enough JSON for the puzzles.
#[derive(Debug)]
enum Json {
    Text(String),
    List(Vec<Json>),
    Map(BTreeMap<String, Json>),
    Other,
}

impl Json {
    fn read(text: &mut &str) -> Json {
        *text = text.trim_start();
        let mut letters = text.chars();
        match letters.next().unwrap() {
            '"' => {
                let mut value = String::new();
                loop {
                    match letters.next().unwrap() {
                        '"' => break,
                        '\\' => match letters.next().unwrap() {
                            'u' => value.extend(letters.by_ref().take(4)),
                            letter => value.push(letter),
                        },
                        letter => value.push(letter),
                    }
                }
                *text = letters.as_str();
                Json::Text(value)
            }
            open @ ('[' | '{') => {
                *text = letters.as_str();
                let mut items = Vec::new();
                loop {
                    *text = text.trim_start().trim_start_matches([',', ':']).trim_start();
                    if text.starts_with([']', '}']) {
                        *text = &text[1..];
                        break;
                    }
                    items.push(Json::read(text));
                }
                if open == '[' {
                    return Json::List(items);
                }
                let mut map = BTreeMap::new();
                let mut items = items.into_iter();
                while let (Some(Json::Text(key)), Some(value)) = (items.next(), items.next()) {
                    map.insert(key, value);
                }
                Json::Map(map)
            }
            _ => {
                let end = text.find([',', ']', '}']).unwrap_or(text.len());
                *text = &text[end..];
                Json::Other
            }
        }
    }

    fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Map(map) => map.get(key),
            _ => None,
        }
    }

    fn text(&self) -> &str {
        match self {
            Json::Text(text) => text,
            _ => "",
        }
    }

    fn texts(&self) -> Vec<&str> {
        match self {
            Json::List(items) => items.iter().map(Json::text).collect(),
            _ => Vec::new(),
        }
    }
}

#[test]
fn lines_of_puzzles_lead_to_the_side_that_solves() {
    let Some(path) = data("puzzles.json") else { return };
    let text = fs::read_to_string(path).unwrap();
    let Json::List(puzzles) = Json::read(&mut text.as_str()) else { panic!("no list") };
    for puzzle in &puzzles {
        let field = |name: &str| puzzle.get(name).map_or("", Json::text);
        let boards = puzzle.get("boards").unwrap().texts().join("\n");
        let record = format!("[Timeline \"{}\"]\n{boards}\n{}", field("timelines"), field("line"));
        let id = field("id");
        let game = parse_game(&record, &lookup).unwrap_or_else(|error| panic!("{id}: {error}"));
        assert!(game.pending.is_empty(), "{id}");
        let side = game.position().side().letter();
        assert_eq!(side.to_string(), field("side_to_move"), "{id}");
        assert_written_back(id, &game);
    }
    println!("puzzles: {} lines read", puzzles.len());
}
