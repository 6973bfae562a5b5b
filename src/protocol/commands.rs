//! The terminal commands: what they print is fixed, because scripts read it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::info::action_or_submit;
use super::output::Output;
use super::{bench, picture, records};
use crate::actions::{Generator, Limit, Step, count_leaves};
use crate::board::Colour;
use crate::evaluation;
use crate::multiverse::{Attack, Move, Multiverse, Place};
use crate::notation::{move_to_string, write_fen};
use crate::session::{Game, Options};
use crate::variants;

/// Actions that `legal` lists, unless it is told otherwise.
const LISTED: u64 = 10_000;

/// The depth that `perft` walks to at most: every ply takes room on the stack.
const DEEPEST: u32 = 1_000;

/// What a command works with.
pub struct Context<'a> {
    /// Where it prints.
    pub output: &'a Output,
    /// The options in force.
    pub options: &'a Options,
    /// Raised to cut it short.
    pub interrupt: &'a AtomicBool,
}

/// Runs a terminal command.
///
/// # Errors
/// What is wrong with its words; the game stays as it was.
pub fn run(
    context: &Context<'_>,
    game: &mut Game,
    word: &str,
    words: &[&str],
) -> Result<(), String> {
    let taken = match word {
        "legal" | "count" | "perft" => 1,
        "load" | "status" => usize::MAX,
        _ => 0,
    };
    if let Some(word) = words.get(taken) {
        return Err(format!("did not expect {word:?}"));
    }
    match word {
        "d" => display(context, game),
        "fen" => context.output.line(&write_fen(game.multiverse())),
        "pseudo" => pseudo(context, game),
        "legal" => legal(context, game, Some(number(words, LISTED)?), true),
        "count" => {
            let cap = words.first().map(|_| number(words, 0)).transpose()?;
            legal(context, game, cap, false);
        }
        "perft" => {
            let depth = u32::try_from(number(words, 1)?).ok().filter(|&depth| depth <= DEEPEST);
            perft(context, game, depth.ok_or(format!("expected a depth up to {DEEPEST}"))?);
        }
        "eval" => eval(context, game),
        "flip" if game.is_unfinished() => return Err("the action is not submitted".to_owned()),
        "flip" => *game = game.flipped(),
        "bench" => bench::run(context.output),
        "load" => return records::load(context, game, words),
        "pgn" => records::write(context, game),
        "status" => return records::status(context, words),
        "variants" => list_variants(context),
        "help" => help(context),
        _ => return Err("not a command".to_owned()),
    }
    Ok(())
}

fn number(words: &[&str], default: u64) -> Result<u64, String> {
    match words.first() {
        None => Ok(default),
        Some(word) => word.parse().map_err(|_| format!("expected a number, not {word:?}")),
    }
}

fn names(multiverse: &Multiverse, keep: impl Fn(i32) -> bool) -> String {
    let names: Vec<String> = multiverse
        .lines()
        .filter(|&line| keep(line))
        .map(|line| multiverse.line_name(line).to_string())
        .collect();
    names.join(" ")
}

fn yes(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}

/// The capture that makes a check, as a move of the opponent.
fn check_to_string(multiverse: &Multiverse, attack: &Attack) -> String {
    let by = attack.from.colour();
    let board = multiverse.board(attack.from);
    let pawn = board.pawn_like() & attack.from_square.bit() != 0;
    let promotes = pawn && multiverse.board(attack.to).last_rank(by) & attack.to_square.bit() != 0;
    let promotion = promotes.then(|| multiverse.promotions().kinds().next()).flatten();
    move_to_string(&Move {
        from: attack.from,
        from_square: attack.from_square,
        to: attack.to,
        to_square: attack.to_square,
        promotion,
    })
}

fn display(context: &Context<'_>, game: &Game) {
    let multiverse = game.multiverse();
    let output = context.output;
    output.line(&picture::draw(multiverse, picture::colours_wanted()));
    let side = game.side();
    let present = multiverse.present();
    let active = multiverse.active_lines();
    let playable = |line: i32| multiverse.playable(line, side).is_some();
    let size = multiverse.size();
    let present_place = Place { line: 0, half_turn: present };
    let deadline = Instant::now().checked_add(Duration::from_millis(context.options.status_budget));
    let limit = Limit { work: None, deadline, stop: Some(context.interrupt) };
    let report = game.report(context.options.exiled_kings, &limit);
    let mut before = game.before_pending();
    let checks: Vec<String> = before.with_check(|passed, attacks| {
        attacks.iter().map(|attack| check_to_string(passed, attack)).collect()
    });
    let turn = present_place.turn();
    let colour = present_place.colour().letter();
    let side_name = match side {
        Colour::White => "white",
        Colour::Black => "black",
    };
    let parity = if multiverse.is_even() { "even" } else { "odd" };
    let lines = [
        format!("Variant: {}", game.name()),
        format!("Size: {size}"),
        format!("Timelines: {parity}"),
        format!("Fen: {}", write_fen(multiverse)),
        format!("Side: {side_name}"),
        format!("Present: T{turn}{colour}"),
        format!("Active: {}", names(multiverse, |line| active.contains(&line))),
        format!("Inactive: {}", names(multiverse, |line| !active.contains(&line))),
        format!("Mandatory: {}", names(multiverse, |line| multiverse.is_mandatory(line))),
        format!(
            "Optional: {}",
            names(multiverse, |line| playable(line) && !multiverse.is_mandatory(line))
        ),
        format!("Waiting: {}", names(multiverse, |line| !playable(line))),
        format!("Submit: {}", yes(game.may_submit())),
        format!("Key: {:016x}", multiverse.key()),
        format!("Check: {}", yes(report.check)),
        format!("Checks: {}", checks.join(" ")),
        format!("Status: {}", report.status.name()),
        format!("Result: {}", report.result.name()),
    ];
    output.line(&lines.map(|line| line.trim_end().to_owned()).join("\n"));
    if game.is_unfinished() {
        output.string("the moves of the unfinished action are not part of a 5DFEN");
    }
    if game.can_take_royal() && !game.is_unfinished() {
        output.string("the side to move can take a royal");
    }
}

fn pseudo(context: &Context<'_>, game: &Game) {
    let moves = game.multiverse().pseudo_legal_moves();
    for step in &moves {
        context.output.line(&move_to_string(step));
    }
    context.output.line(&format!("Pseudo-legal moves: {}", moves.len()));
}

/// Lists or counts the legal actions, `cap` of them at most.
fn legal(context: &Context<'_>, game: &Game, cap: Option<u64>, list: bool) {
    let mut multiverse = game.multiverse().clone();
    let mut generator = Generator::new();
    generator.start(&mut multiverse);
    let limit = Limit { stop: Some(context.interrupt), ..Limit::NONE };
    let (mut actions, mut sets, mut uncounted) = (0u64, 0u64, false);
    let cut = loop {
        match generator.next(&mut multiverse, &limit) {
            Step::Done => break false,
            Step::Stopped => break true,
            Step::Found if cap.is_some_and(|cap| actions >= cap) => break true,
            Step::Found => {}
        }
        let more = if list || cap.is_some() { 0 } else { generator.skip_alike(&mut multiverse) };
        actions = actions.saturating_add(1 + more);
        let each = generator.move_sets(&limit);
        uncounted |= each.is_none();
        sets = sets.saturating_add(each.unwrap_or(1).saturating_mul(1 + more));
        if list {
            context.output.line(&action_or_submit(&generator.action()));
        }
    };
    let more = if cut { "+" } else { "" };
    let more_sets = if cut || uncounted { "+" } else { "" };
    context.output.line(&format!("Legal actions: {actions}{more}\nMove sets: {sets}{more_sets}"));
}

fn perft(context: &Context<'_>, game: &Game, depth: u32) {
    let mut multiverse = game.multiverse().clone();
    let mut generators = Vec::new();
    let limit = Limit { stop: Some(context.interrupt), ..Limit::NONE };
    let mut total = 0;
    if depth == 0 {
        total = 1;
    } else {
        let mut generator = Generator::new();
        generator.start(&mut multiverse);
        while generator.next(&mut multiverse, &limit) == Step::Found {
            generator.make(&mut multiverse);
            let leaves = count_leaves(&mut multiverse, depth - 1, &mut generators, &limit);
            generator.unmake(&mut multiverse);
            total += leaves;
            let action = action_or_submit(&generator.action());
            context.output.line(&format!("{action}: {leaves}"));
        }
    }
    let more = if context.interrupt.load(Relaxed) { "+" } else { "" };
    context.output.line(&format!("Nodes searched: {total}{more}"));
}

fn eval(context: &Context<'_>, game: &Game) {
    let multiverse = game.multiverse();
    context.output.line(&format!("{:<16} {:>9} {:>9} {:>9}", "term", "white", "black", "sum"));
    let mut total = 0;
    for (group, [white, black]) in evaluation::GROUPS.iter().zip(evaluation::terms(multiverse)) {
        let sum = white - black;
        total += sum;
        context.output.line(&format!("{:<16} {white:>9} {black:>9} {sum:>9}", group.name));
    }
    context.output.line(&format!("{:<16} {total:>29}", "total for white"));
    let value = evaluation::evaluate(multiverse);
    context.output.line(&format!("Evaluation: {value}"));
}

fn list_variants(context: &Context<'_>) {
    for variant in variants::all() {
        let parity = if variant.even { "even" } else { "odd" };
        let mut line = format!(
            "{} ({}, {}x{}, {parity})",
            variant.name, variant.group, variant.width, variant.height
        );
        if !variant.aliases.is_empty() {
            line.push_str(&format!(" also: {}", variant.aliases.join(", ")));
        }
        context.output.line(&line);
    }
}

fn help(context: &Context<'_>) {
    const TEXT: &str = "\
Lightcone plays 5D Chess With Multiverse Time Travel. It speaks UCI and 5DUCI.

  uci, 5duci            handshake
  isready               answers readyok
  setoption name N value V
  ucinewgame            forgets what it has learnt
  position startpos | variant NAME | [size WxH] [odd|even] fen BLOCKS  [moves ...]
  go [movetime N] [wtime N btime N winc N binc N movestogo N] [depth N] [nodes N]
     [mate N] [infinite] [ponder] [searchmoves ACTION submit ...] [perft N]
  stop, ponderhit, quit

  d                     the multiverse, its 5DFEN and its state
  pseudo                pseudo-legal moves
  legal [CAP]           legal whole actions
  count [CAP]           their number only
  perft N               leaves N actions deep
  eval                  the terms of the evaluation
  flip                  the position with colours swapped
  status FILE...        the state after each action of game records
  load FILE [N]         a game record, N actions of it
  pgn                   the game so far as a record
  fen                   the position as 5DFEN
  variants              named start positions
  bench                 a fixed search, its signature last
  wait                  until the search has ended
  debug on|off          more info strings

Each of these can be given as arguments, with the words of position behind it:
  lightcone go movetime 1000 variant Standard";
    context.output.line(TEXT);
}
