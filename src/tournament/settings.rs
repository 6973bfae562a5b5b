//! The `key=value` settings of the command line: engines, openings, thresholds, the test.
//!
//! Reads text only; starts nothing.

use std::path::PathBuf;

use super::clock::parse_seconds;
use super::engine::{Dialect, Player};
use super::openings::Random;
use super::referee::Threshold;
use super::sprt::{Model, Sprt};

/// Cuts `name=A,cmd="x --y",tc=10` at the commas behind which something like a key and `=` follow,
/// unless they stand in quotes: values may hold other commas.
fn split<'a>(text: &'a str, keys: &[&str]) -> Result<Vec<(&'a str, &'a str)>, String> {
    let is_option = |key: &str| key.starts_with("option.") && keys.contains(&"option.");
    let looks_like_key = |key: &str| {
        let letters = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
        is_option(key) || (!key.is_empty() && key.chars().all(letters))
    };
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (key, after) =
            rest.split_once('=').ok_or_else(|| format!("expected key=value, not {rest:?}"))?;
        let key = key.trim();
        if !keys.contains(&key) && !is_option(key) {
            return Err(format!("unknown key {key:?}; there are: {}", keys.join(" ")));
        }
        let mut quote = None;
        let end = after.char_indices().find(|&(at, letter)| {
            match letter {
                '"' | '\'' if quote == Some(letter) => quote = None,
                '"' | '\'' if quote.is_none() => quote = Some(letter),
                _ => {}
            }
            let next = after.get(at + letter.len_utf8()..).and_then(|next| next.split_once('='));
            letter == ','
                && quote.is_none()
                && next.is_some_and(|(key, _)| looks_like_key(key.trim()))
        });
        let (value, next) = match end {
            Some((end, _)) => (after.get(..end), after.get(end + 1..)),
            None => (Some(after), None),
        };
        pairs.push((key, value.unwrap_or_default().trim()));
        rest = next.unwrap_or_default();
    }
    Ok(pairs)
}

fn number<T: std::str::FromStr>(key: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("{key}: expected a number, not {value:?}"))
}

/// The words of an option that takes `key=value`, with commas or blanks between them.
fn joined(words: &[String]) -> String {
    words.join(",")
}

const ENGINE_KEYS: [&str; 12] = [
    "name",
    "cmd",
    "args",
    "dir",
    "proto",
    "tc",
    "st",
    "nodes",
    "depth",
    "linc",
    "timemargin",
    "option.",
];

/// An engine, from the settings of all and its own.
///
/// # Errors
/// Which setting is wrong.
pub fn player(each: &[String], own: &str) -> Result<Player, String> {
    let mut player = Player::default();
    player.control.margin = std::time::Duration::from_millis(100);
    let mut arguments = Vec::new();
    let each = joined(each);
    let own_pairs = split(own, &ENGINE_KEYS)?;
    // An own time control replaces that of all, whatever its kind.
    let of_time = |key: &str| matches!(key, "tc" | "st" | "nodes" | "depth");
    let replaced = own_pairs.iter().any(|(key, _)| of_time(key));
    let mut pairs = split(&each, &ENGINE_KEYS)?;
    pairs.retain(|(key, _)| !(replaced && (of_time(key) || *key == "linc")));
    pairs.extend(own_pairs);
    let words = |key: &str, value: &str| {
        shlex::split(value).ok_or_else(|| format!("{key}: a quote is not closed in {value:?}"))
    };
    for (key, value) in pairs {
        let control = &mut player.control;
        match key {
            "name" => value.clone_into(&mut player.name),
            "cmd" => player.command = words(key, value)?,
            "args" => arguments = words(key, value)?,
            "dir" => player.folder = Some(PathBuf::from(value)),
            "proto" => {
                player.dialect = match value {
                    "uci" => Dialect::Uci.into(),
                    "5duci" => Dialect::FiveDUci.into(),
                    _ => return Err(format!("proto: expected uci or 5duci, not {value:?}")),
                }
            }
            "tc" => control.set_clock(value).map_err(|error| format!("tc: {error}"))?,
            "st" => control.move_time = Some(parse_seconds(value)?),
            "nodes" => control.nodes = Some(number(key, value)?),
            "depth" => control.depth = Some(number(key, value)?),
            "linc" => control.line_increment = parse_seconds(value)?,
            "timemargin" => {
                control.margin = std::time::Duration::from_millis(number(key, value)?);
            }
            option => {
                let name = option.strip_prefix("option.").unwrap_or(option);
                player.options.retain(|(other, _)| other != name);
                player.options.push((name.to_owned(), value.to_owned()));
            }
        }
    }
    player.command.extend(arguments);
    let Some(program) = player.command.first() else {
        return Err(format!("an engine has no cmd: {own}"));
    };
    if player.name.is_empty() {
        let stem = std::path::Path::new(program).file_stem();
        player.name = stem.map_or_else(|| program.clone(), |stem| stem.to_string_lossy().into());
    }
    player.control.check().map_err(|error| format!("{}: {error}", player.name))?;
    Ok(player)
}

/// `random=4,seed=1,balance=200`: lines of so many random actions, that a short search gives
/// neither side more than so many centipawns; `balance=off` takes every line.
///
/// # Errors
/// Which setting is wrong.
pub fn openings(words: &[String]) -> Result<Option<Random>, String> {
    if words.is_empty() {
        return Ok(None);
    }
    let mut random = Random { actions: 0, seed: 1, balance: Some(200) };
    for (key, value) in split(&joined(words), &["random", "seed", "balance"])? {
        match key {
            "random" => random.actions = number(key, value)?,
            "seed" => random.seed = number(key, value)?,
            _ if value == "off" => random.balance = None,
            _ => random.balance = Some(number(key, value)?),
        }
    }
    Ok((random.actions > 0).then_some(random))
}

/// `score=600,count=4,number=0`: a threshold of centipawns, how often in a row, and from which
/// action on.
///
/// # Errors
/// Which setting is wrong.
pub fn threshold(words: &[String]) -> Result<Option<Threshold>, String> {
    if words.is_empty() {
        return Ok(None);
    }
    let mut threshold = Threshold { score: -1, count: 1, number: 0 };
    for (key, value) in split(&joined(words), &["score", "count", "number"])? {
        match key {
            "score" => threshold.score = number(key, value)?,
            "count" => threshold.count = number(key, value)?,
            _ => threshold.number = number(key, value)?,
        }
    }
    if threshold.score < 0 || threshold.count == 0 {
        return Err("expected a score of 0 or more, and a count of 1 or more".to_owned());
    }
    Ok(Some(threshold))
}

/// `elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized`.
///
/// # Errors
/// Which setting is wrong.
pub fn sprt(words: &[String]) -> Result<Option<Sprt>, String> {
    if words.is_empty() {
        return Ok(None);
    }
    let (mut elo0, mut elo1, mut alpha, mut beta) = (0.0, f64::NAN, 0.05, 0.05);
    let mut model = Model::Normalized;
    for (key, value) in split(&joined(words), &["elo0", "elo1", "alpha", "beta", "model"])? {
        match key {
            "elo0" => elo0 = number(key, value)?,
            "elo1" => elo1 = number(key, value)?,
            "alpha" => alpha = number(key, value)?,
            "beta" => beta = number(key, value)?,
            _ => {
                model = match value {
                    "normalized" => Model::Normalized,
                    "logistic" => Model::Logistic,
                    _ => {
                        let text = format!("model: normalized or logistic, not {value:?}");
                        return Err(text);
                    }
                }
            }
        }
    }
    Sprt::new(elo0, elo1, alpha, beta, model).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn an_engine_is_read_from_common_and_own_settings() {
        let each = words("tc=10+0.1 option.Hash=8,timemargin=50");
        let own = "name=A B,cmd=\"/x y/z\" --list 1,2 '--of=a,b=c',dir=/tmp,option.Hash=16,option.Move Overhead=5";
        let player = player(&each, own).unwrap();
        assert_eq!(player.name, "A B");
        assert_eq!(player.command, ["/x y/z", "--list", "1,2", "--of=a,b=c"]);
        assert_eq!(player.folder.as_deref(), Some(std::path::Path::new("/tmp")));
        let options = [("Hash", "16"), ("Move Overhead", "5")];
        let options = options.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(player.options, options);
        assert_eq!(player.control.base, Some(Duration::from_secs(10)));
        assert_eq!(player.control.margin, Duration::from_millis(50));
        assert_eq!(player.dialect.get(), None);
    }

    #[test]
    fn an_own_time_control_replaces_the_common_one() {
        let own = player(&words("tc=10"), "cmd=/a/b/engine.sh,st=0.5,proto=5duci").unwrap();
        assert_eq!(
            (own.control.base, own.control.move_time),
            (None, Some(Duration::from_millis(500)))
        );
        assert_eq!((own.name.as_str(), own.dialect.get()), ("engine", Some(&Dialect::FiveDUci)));
    }

    #[test]
    fn wrong_settings_are_named() {
        for own in [
            "cmd=x",
            "name=A,tc=1",
            "cmd=x,tc=y",
            "cmd=x,tc=1,proto=xboard",
            "x",
            "cmd=x,foo=1,tc=1",
            "foo=1",
        ] {
            assert!(player(&[], own).is_err(), "{own}");
        }
        assert!(threshold(&words("count=3")).is_err());
        assert!(sprt(&words("elo0=1")).is_err());
        assert!(openings(&words("random=x")).is_err());
    }

    #[test]
    fn other_settings_are_read() {
        let random = openings(&words("random=4,seed=9")).unwrap().unwrap();
        assert_eq!(random, Random { actions: 4, seed: 9, balance: Some(200) });
        assert_eq!(openings(&words("random=4 balance=off")).unwrap().unwrap().balance, None);
        assert_eq!(openings(&[]).unwrap(), None);
        let resign = threshold(&words("score=600 count=4")).unwrap().unwrap();
        assert_eq!(resign, Threshold { score: 600, count: 4, number: 0 });
        assert!(
            sprt(&words("elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic")).unwrap().is_some()
        );
    }
}
