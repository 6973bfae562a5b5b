//! Finished games as text: 5DPGN for people and their tools, JSON lines for machines; and what a
//! resumed match reads back.
//!
//! Every JSON line has a `type`. The first is `match`: `version`, `date`, `time` (UTC) and, in
//! `match`, the settings that a resumed match has to share. Each other is a `game`: its number
//! `game`, `round` and `pair` in the schedule, `white`, `black`, `date`, `time`, `start` (a
//! variant or `Custom`) and its 5DFEN `fen`, the `opening` as a list of actions, `actions` (for
//! each its `moves`, `score` as `cp` or `mate` in the mover's view, `depth`, `nodes`, `ms`, each
//! but the first and the last `null` if the engine did not say), `result`, `reason`, `detail`, and
//! `pgn_end`, the length in bytes of the file of records with the game in it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::engine::{Score, Thought};
use super::schedule::{Finished, Match, Task};
use crate::actions::{Action, GameResult};
use crate::notation::{move_to_string, pgn, write_fen};
use crate::variants;

/// Variants that the public tools know by name; for all others the boards are written.
const KNOWN_VARIANTS: [&str; 3] = ["Standard", "Standard - Turn Zero", "Very Small - Open"];

/// The moves of an action, separated by blanks.
fn moves(action: &Action) -> String {
    let words: Vec<String> = action.iter().map(move_to_string).collect();
    words.join(" ")
}

/// `+0.35/8 1.234s`: score, depth and time, as far as the engine gave them.
fn comment(thought: &Thought, used: Duration) -> String {
    let score = match thought.score {
        Some(Score::Centipawns(value)) => format!("{:+.2}", f64::from(value) / 100.0),
        Some(Score::Mate(actions)) if actions > 0 => format!("+M{actions}"),
        Some(Score::Mate(actions)) => format!("-M{}", actions.unsigned_abs()),
        None => String::new(),
    };
    let depth = thought.depth.map(|depth| format!("/{depth}")).unwrap_or_default();
    format!("{score}{depth} {:.3}s", used.as_secs_f64()).trim_start().to_owned()
}

/// A day as `2026.11.30` and a time as `05:25:41`, both UTC.
fn date_and_time(time: SystemTime) -> (String, String) {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Howard Hinnant's civil_from_days, from the year 0000 on, which begins in March.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let leaps = day_of_era / 1_460 + day_of_era / 146_096 - day_of_era / 36_524;
    let year_of_era = (day_of_era - leaps) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year_of_era + next;
    (
        format!("{year:04}.{month:02}.{day:02}"),
        format!("{:02}:{:02}:{:02}", second / 3_600, second / 60 % 60, second % 60),
    )
}

/// A game as 5DPGN, with an empty line behind it.
pub fn to_pgn(setting: &Match, finished: &Finished, event: &str, now: SystemTime) -> String {
    let Finished { task, opening, record } = finished;
    let mut game = pgn::Game::new(opening.start.clone());
    game.actions.extend(opening.actions.iter().cloned());
    game.actions.extend(record.actions.iter().map(|played| played.action.clone()));
    game.outcome = pgn::Outcome::parse(record.ending.result.name()).unwrap_or_default();
    let player = |side: usize| task.players.get(side).and_then(|&i| setting.players.get(i));
    let name = |side| player(side).map_or("?", |player| player.name.as_str()).to_owned();
    let control = |side| player(side).map(|player| player.control.to_string()).unwrap_or_default();
    let (date, time) = date_and_time(now);
    let mut headers = vec![
        ("Event", event.to_owned()),
        ("Site", "?".to_owned()),
        ("Date", date),
        ("Time", time),
        ("Round", format!("{}.{}", task.round, task.number)),
        ("White", name(0)),
        ("Black", name(1)),
    ];
    if control(0) == control(1) {
        headers.push(("TimeControl", control(0)));
    } else {
        headers.push(("WhiteTimeControl", control(0)));
        headers.push(("BlackTimeControl", control(1)));
    }
    if opening.name != "Custom" {
        headers.push(("Start", opening.name.clone()));
    }
    headers.push(("OpeningActions", opening.actions.len().to_string()));
    headers.push(("Actions", game.actions.len().to_string()));
    headers.push(("Termination", record.ending.reason.termination().to_owned()));
    let detail = &record.ending.detail;
    let colon = if detail.is_empty() { "" } else { ": " };
    headers.push(("Reason", format!("{}{colon}{detail}", record.ending.reason.name())));
    game.headers = headers.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let mut comments = vec![String::new(); opening.actions.len()];
    if let Some(last) = comments.last_mut() {
        "opening".clone_into(last);
    }
    comments.extend(record.actions.iter().map(|played| comment(&played.thought, played.used)));
    let variant = KNOWN_VARIANTS
        .into_iter()
        .find(|&name| name == opening.name)
        .and_then(variants::find)
        .map(|variant| variant.name);
    pgn::write_game(&game, &pgn::WriteOptions { variant, comments: &comments }) + "\n"
}

/// What makes a match the same when it is resumed: everything that decides results and numbers.
pub fn identity(setting: &Match, schedule: &Value) -> Value {
    let players: Vec<Value> = setting
        .players
        .iter()
        .map(|player| {
            json!({
                "name": player.name,
                "command": player.command,
                "options": player.options,
                "control": player.control.to_string(),
            })
        })
        .collect();
    let starts: Vec<String> = setting
        .book
        .starts
        .iter()
        .map(|start| format!("{} {}", start.name, write_fen(&start.multiverse)))
        .collect();
    json!({
        "engines": players,
        "starts": starts,
        "random": setting.book.random.map(|random| format!("{random:?}")),
        "rules": format!("{:?}", setting.rules),
        "schedule": schedule,
    })
}

/// The first JSON line.
pub fn header(identity: &Value, now: SystemTime) -> Value {
    let (date, time) = date_and_time(now);
    json!({
        "type": "match",
        "version": env!("CARGO_PKG_VERSION"),
        "date": date,
        "time": time,
        "match": identity,
    })
}

/// A game as a JSON line. `pgn_end` is the length of the file of records with the game in it.
pub fn to_json(
    setting: &Match,
    finished: &Finished,
    now: SystemTime,
    pgn_end: Option<u64>,
) -> Value {
    let Finished { task, opening, record } = finished;
    let name = |side: usize| {
        let player = task.players.get(side).and_then(|&index| setting.players.get(index));
        player.map_or("?", |player| player.name.as_str())
    };
    let actions: Vec<Value> = record
        .actions
        .iter()
        .map(|played| {
            let Thought { score, depth, nodes } = played.thought;
            let score = score.map(|score| match score {
                Score::Centipawns(value) => json!({ "cp": value }),
                Score::Mate(actions) => json!({ "mate": actions }),
            });
            json!({
                "moves": moves(&played.action),
                "score": score,
                "depth": depth,
                "nodes": nodes,
                "ms": u64::try_from(played.used.as_millis()).unwrap_or(u64::MAX),
            })
        })
        .collect();
    let (date, time) = date_and_time(now);
    json!({
        "type": "game",
        "game": task.number,
        "round": task.round,
        "pair": task.pair,
        "white": name(0),
        "black": name(1),
        "date": date,
        "time": time,
        "start": opening.name,
        "fen": write_fen(&opening.start),
        "opening": opening.actions.iter().map(moves).collect::<Vec<String>>(),
        "actions": actions,
        "result": record.ending.result.name(),
        "reason": record.ending.reason.name(),
        "detail": record.ending.detail,
        "pgn_end": pgn_end,
    })
}

/// A game of an interrupted match, as far as standings need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Earlier {
    /// Its number in the schedule.
    pub number: usize,
    /// How it ended.
    pub result: GameResult,
    /// The length of the file of records with it.
    pub pgn_end: Option<u64>,
}

/// Reads the JSON lines of an interrupted match: its games, and how many bytes of the text are
/// whole lines.
///
/// # Errors
/// If it is another match, or no match at all.
pub fn read_earlier(
    text: &str,
    identity: &Value,
    tasks: &[Task],
) -> Result<(Vec<Earlier>, usize), String> {
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let mut games = Vec::new();
    for (index, line) in text.get(..whole).unwrap_or_default().lines().enumerate() {
        let bad = |what: &str| format!("line {}: {what}", index + 1);
        let value: Value = serde_json::from_str(line).map_err(|error| bad(&error.to_string()))?;
        let kind = value.get("type").and_then(Value::as_str);
        if index == 0 {
            if kind != Some("match") {
                return Err(bad("not the record of a match"));
            }
            if value.get("match") != Some(identity) {
                return Err(bad("the match was played under other settings"));
            }
        } else if kind == Some("game") {
            let number = value.get("game").and_then(Value::as_u64);
            let number = number.and_then(|number| usize::try_from(number).ok());
            let task = number.and_then(|number| tasks.get(number.checked_sub(1)?));
            let result = value.get("result").and_then(Value::as_str);
            let (Some(task), Some(result)) = (task, result.and_then(result_of)) else {
                return Err(bad("not a game of this match"));
            };
            let pgn_end = value.get("pgn_end").and_then(Value::as_u64);
            games.push(Earlier { number: task.number, result, pgn_end });
        }
    }
    Ok((games, whole))
}

fn result_of(text: &str) -> Option<GameResult> {
    use crate::board::Colour;
    [
        GameResult::Win(Colour::White),
        GameResult::Win(Colour::Black),
        GameResult::Draw,
        GameResult::Open,
    ]
    .into_iter()
    .find(|result| result.name() == text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::schedule::{Format, tasks};

    #[test]
    fn days_are_counted_right() {
        let day = |seconds| date_and_time(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(day(0), ("1970.01.01".to_owned(), "00:00:00".to_owned()));
        assert_eq!(day(951_782_399), ("2000.02.28".to_owned(), "23:59:59".to_owned()));
        assert_eq!(day(951_782_400).0, "2000.02.29");
        assert_eq!(day(4_107_542_399).0, "2100.02.28");
        assert_eq!(day(4_107_542_400).0, "2100.03.01");
    }

    #[test]
    fn comments_hold_what_is_known() {
        let used = Duration::from_millis(1234);
        let thought = |score, depth| Thought { score, depth, nodes: None };
        assert_eq!(
            comment(&thought(Some(Score::Centipawns(-35)), Some(8)), used),
            "-0.35/8 1.234s"
        );
        assert_eq!(comment(&thought(Some(Score::Mate(-3)), Some(8)), used), "-M3/8 1.234s");
        assert_eq!(comment(&thought(None, None), used), "1.234s");
    }

    #[test]
    fn earlier_games_are_read_up_to_the_last_whole_line() {
        let identity = json!({ "a": 1 });
        let tasks = tasks(Format::RoundRobin, 2, 1, 1);
        let head = header(&identity, SystemTime::now());
        let game = json!({ "type": "game", "game": 2, "result": "0-1", "pgn_end": 7 });
        let text = format!("{head}\n{game}\n{{\"type\":\"ga");
        let (games, whole) = read_earlier(&text, &identity, &tasks).unwrap();
        let result = GameResult::Win(crate::board::Colour::Black);
        assert_eq!(games, [Earlier { number: 2, result, pgn_end: Some(7) }]);
        assert_eq!(whole, text.rfind('\n').unwrap() + 1);
        assert!(read_earlier(&text, &json!({ "a": 2 }), &tasks).is_err());
        assert!(read_earlier("{}\n", &identity, &tasks).is_err());
        assert!(read_earlier(&format!("{head}\nx\n"), &identity, &tasks).is_err());
        let other = json!({ "type": "game", "game": 3, "result": "0-1" });
        assert!(read_earlier(&format!("{head}\n{other}\n"), &identity, &tasks).is_err());
    }
}
