//! The terminal commands that read and write game records: `load`, `pgn`, `status`.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::commands::Context;
use crate::actions::{GameResult, Limit, report};
use crate::board::Colour;
use crate::multiverse::Multiverse;
use crate::notation::pgn;
use crate::session::Game;
use crate::variants;

/// Reads a record, without the name of its file in errors.
fn read(path: &str) -> Result<pgn::Game, String> {
    let text = fs::read(path).map_err(|error| error.to_string())?;
    let lookup = |name: &str| variants::find(name)?.multiverse().ok();
    pgn::parse_game(&String::from_utf8_lossy(&text), &lookup).map_err(|error| error.to_string())
}

/// `load FILE [N]`: makes a record the game, `N` actions of it, or all with what is begun.
///
/// # Errors
/// Why the file cannot be read; the game stays.
pub fn load(context: &Context<'_>, game: &mut Game, words: &[&str]) -> Result<(), String> {
    let whole = words.join(" ");
    let (path, most) = match words.split_last() {
        None => return Err("expected a file".to_owned()),
        Some((last, rest)) if !rest.is_empty() && !Path::new(&whole).exists() => {
            let most = last.parse().map_err(|_| format!("{whole}: no such file"))?;
            (rest.join(" "), Some(most))
        }
        Some(_) => (whole, None),
    };
    let record = read(&path).map_err(|error| format!("{path}: {error}"))?;
    let most: usize = most.unwrap_or(usize::MAX);
    let name = ["Board", "Variant"].iter().find_map(|header| record.header(header));
    let name = name.and_then(variants::find).map_or("Custom", |variant| variant.name);
    let same = variants::find(name)
        .and_then(|variant| variant.multiverse().ok())
        .is_some_and(|start| start.key() == record.start.key());
    let mut loaded = Game::new(if same { name } else { "Custom" }, record.start.clone());
    let mut warnings = 0;
    for action in record.actions.iter().take(most) {
        for step in action {
            loaded.play(*step);
        }
        loaded.submit().map_err(|error| format!("{path}: {error}"))?;
        warnings += usize::from(loaded.can_take_royal());
    }
    if most > record.actions.len() {
        for step in &record.pending {
            loaded.play(*step);
        }
    }
    *game = loaded;
    if warnings > 0 {
        let text = format!("warning: actions that leave a royal to be taken: {warnings}");
        context.output.string(&text);
    }
    Ok(())
}

/// `pgn`: the game so far as a record.
pub fn write(context: &Context<'_>, game: &Game) {
    let mut record = pgn::Game::new(game.start().clone());
    record.actions = game.history().to_vec();
    record.pending = game.pending().copied().collect();
    record.outcome = match game.report(context.options.exiled_kings, &limit(context)).result {
        GameResult::Win(Colour::White) => pgn::Outcome::WhiteWins,
        GameResult::Win(Colour::Black) => pgn::Outcome::BlackWins,
        GameResult::Draw => pgn::Outcome::Draw,
        GameResult::Open => pgn::Outcome::Unknown,
    };
    let variant = Some(game.name()).filter(|name| variants::find(name).is_some());
    let options = pgn::WriteOptions { variant, comments: &[] };
    context.output.line(pgn::write_game(&record, &options).trim_end());
}

fn limit<'a>(context: &'a Context<'_>) -> Limit<'a> {
    let deadline = Instant::now().checked_add(Duration::from_millis(context.options.status_budget));
    Limit { work: None, deadline, stop: Some(context.interrupt) }
}

/// `status FILE…`: the state after each action of records, the start included.
///
/// A refused record is an error line; the others are still read.
///
/// # Errors
/// If no file is named.
pub fn status(context: &Context<'_>, words: &[&str]) -> Result<(), String> {
    let whole = words.join(" ");
    let files: Vec<&str> =
        if Path::new(&whole).exists() { vec![whole.as_str()] } else { words.to_vec() };
    if files.is_empty() || whole.is_empty() {
        return Err("expected files".to_owned());
    }
    for file in &files {
        if files.len() > 1 {
            context.output.line(&format!("# {file}"));
        }
        match read(file) {
            Ok(record) => status_of(context, &record),
            Err(error) => context.output.error(&format!("{file}: {error}")),
        }
    }
    Ok(())
}

fn status_of(context: &Context<'_>, record: &pgn::Game) {
    let mut multiverse = record.start.clone();
    let line = |number: usize, multiverse: &mut Multiverse| {
        let side = multiverse.side().letter();
        let report = report(multiverse, context.options.exiled_kings, &limit(context));
        context.output.line(&format!("{number}\t{side}\t{}", report.status.name()));
    };
    line(0, &mut multiverse);
    for (i, action) in record.actions.iter().enumerate() {
        for step in action {
            multiverse.make_move(step);
        }
        multiverse.set_side(!multiverse.side());
        line(i + 1, &mut multiverse);
    }
}
