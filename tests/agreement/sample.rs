//! Random positions.

use lightcone::actions::make_action;
use lightcone::multiverse::Multiverse;

use crate::bridge::{pick, random_action};
use crate::common::position;
use crate::oracle::actions::Rng;

/// A random number generator for one test; `LIGHTCONE_SEED` gives other positions.
pub fn seeded(number: u64) -> Rng {
    let seed = std::env::var("LIGHTCONE_SEED").ok().and_then(|text| text.parse().ok());
    Rng::new(number + 1000 * seed.unwrap_or(0))
}

/// A random rank of a board.
fn random_rank(rng: &mut Rng, width: usize, pieces: &[&str], density: usize) -> String {
    let mut rank = String::new();
    let mut vacant = 0;
    for file in 1..=width {
        let piece = (rng.below(100) < density).then(|| pick(rng, pieces));
        vacant += usize::from(piece.is_none());
        if vacant > 0 && (piece.is_some() || file == width) {
            rank += &vacant.to_string();
            vacant = 0;
        }
        rank += piece.unwrap_or_default();
    }
    rank
}

/// A random multiverse of small boards, of no game: one to five timelines that begin anywhere,
/// with gaps in time, royals on some boards, marks anywhere, and in some of them like boards.
pub fn random_position(rng: &mut Rng) -> Multiverse {
    let (width, height) = (1 + rng.below(5), 1 + rng.below(5));
    let all = [
        "P*", "P", "W*", "W", "K*", "K", "C", "Q", "Y", "S", "N", "R*", "R", "B", "U", "D", "p*",
        "p", "w*", "w", "k*", "k", "c", "q", "y", "s", "n", "r*", "r", "b", "u", "d",
    ];
    // A few kinds at a time, so that like pieces meet.
    let mut pieces: Vec<&str> = (0..2 + rng.below(6)).map(|_| pick(rng, &all)).collect();
    pieces.extend(["K", "k"].iter().take(rng.below(3)));
    let density = pick(rng, &[10, 20, 35]);
    let even = rng.below(3) == 0;
    let (down, up) = pick(rng, &[(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (0, 2), (2, 1), (1, 3)]);
    let lowest = if even { -1 - down } else { -down };
    // Where boards are alike, different moves make equal actions.
    let alike = pick(rng, &[0, 0, 30, 70]);
    let mut boards: Vec<String> = Vec::new();
    let mut blocks = Vec::new();
    for line in lowest..=up {
        let name = match (even, line >= 0) {
            (false, _) => line.to_string(),
            (true, true) => format!("+{line}"),
            (true, false) => format!("-{}", -line - 1),
        };
        let mut half_turn = rng.below(6) as i32 - 2;
        for _ in 0..1 + rng.below(4) {
            if boards.is_empty() || rng.below(100) >= alike {
                let ranks: Vec<String> =
                    (0..height).map(|_| random_rank(rng, width, &pieces, density)).collect();
                boards.push(ranks.join("/"));
            }
            let known = rng.below(boards.len());
            let board =
                if rng.below(100) < alike { &boards[known] } else { &boards[boards.len() - 1] };
            let colour = if half_turn & 1 == 0 { 'w' } else { 'b' };
            blocks.push(format!("[{board}:{name}:{}:{colour}]", half_turn >> 1));
            half_turn += pick(rng, &[1, 1, 1, 2, 3]);
        }
    }
    position(&blocks.join(" "))
}

/// Tiny boards, nearly all alike, on two to four timelines that one side has to play on: many
/// actions are made by several sets of moves, in orders that depend on each other.
pub fn like_boards(rng: &mut Rng) -> Multiverse {
    let (width, height) = pick(rng, &[(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2)]);
    let kinds = [pick(rng, &["C", "R", "B", "N", "Q", "U"]), pick(rng, &["C", "K", "R", "Q"])];
    let side = rng.below(2) as i32;
    let kinds = kinds.map(|kind| if side == 0 { kind.into() } else { kind.to_lowercase() });
    let kinds = [kinds[0].as_str(), kinds[1].as_str()];
    let [one, other] = [(); 2].map(|()| {
        let ranks = (0..height).map(|_| random_rank(rng, width, &kinds, 40));
        ranks.collect::<Vec<_>>().join("/")
    });
    let even = rng.below(2) == 0;
    let (down, up) = pick(rng, &[(1, 0), (0, 1), (1, 1), (1, 2), (2, 1)]);
    let mut blocks = Vec::new();
    for line in -down - i32::from(even)..=up {
        let name = match (even, line >= 0) {
            (false, _) => line.to_string(),
            (true, true) => format!("+{line}"),
            (true, false) => format!("-{}", -line - 1),
        };
        let latest = 4 + pick(rng, &[0, 0, 0, 2]);
        for turn in latest / 2 - rng.below(3) as i32..=latest / 2 {
            let board = if rng.below(5) == 0 { &other } else { &one };
            let colour = if side == 0 { 'w' } else { 'b' };
            blocks.push(format!("[{board}:{name}:{turn}:{colour}]"));
        }
    }
    position(&blocks.join(" "))
}

/// A position with so many timelines from a random game, if a few games come to one.
pub fn reach(start: &Multiverse, timelines: usize, rng: &mut Rng) -> Option<Multiverse> {
    (0..10).find_map(|_| try_to_reach(start, timelines, rng))
}

fn try_to_reach(start: &Multiverse, timelines: usize, rng: &mut Rng) -> Option<Multiverse> {
    let mut game = start.clone();
    let mut more = rng.below(8);
    for _ in 0..40 {
        let count = game.lines().count();
        if count > timelines || count == timelines && more == 0 {
            break;
        }
        let mut jumps = pick(rng, &[10, 50, 90]);
        if count == timelines {
            more -= 1;
            jumps = pick(rng, &[0, 10]);
        }
        let Some(action) = random_action(&mut game, rng, jumps) else { break };
        let mut next = game.clone();
        make_action(&mut next, &action);
        // An action that opens too many is not made, and another one is drawn.
        if next.lines().count() <= timelines {
            game = next;
        }
    }
    (game.lines().count() == timelines).then_some(game)
}
