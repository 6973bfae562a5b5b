//! How the pieces move in four dimensions (R1), what stops them (R2), and which are royal (R3).

use std::collections::BTreeSet;

use lightcone::board::Colour;
use lightcone::multiverse::Multiverse;

use crate::common::{jumps, position, pseudo, set, targets};

/// Steps in files, ranks, turns and timelines.
type Step = [i32; 4];

/// An empty 5x5 multiverse of timelines -2 to 2 and White's boards of turns 1 to 5, but that
/// timeline 0 ends with turn 3, where one piece stands on c3.
fn around(piece: &str) -> Multiverse {
    let mut blocks = Vec::new();
    for line in -2..=2 {
        for turn in 1..=5 {
            let ranks = if (line, turn) == (0, 3) {
                format!("5/5/2{piece}2/5/5")
            } else {
                "5/5/5/5/5".to_owned()
            };
            if line != 0 || turn <= 3 {
                blocks.push(format!("[{ranks}:{line}:{turn}:w]"));
            }
        }
    }
    position(&blocks.join(" "))
}

/// Where the piece in the middle may go.
fn steps(piece: &str) -> BTreeSet<Step> {
    let moves = around(piece).pseudo_legal_moves();
    let step = |from: u8, to: u8| i32::from(to) - i32::from(from);
    moves
        .iter()
        .map(|m| {
            let dx = step(m.from_square.file(), m.to_square.file());
            let dy = step(m.from_square.rank(), m.to_square.rank());
            [dx, dy, m.to.turn() - m.from.turn(), m.to.line - m.from.line]
        })
        .collect()
}

/// All steps of up to two along each axis to boards that are there, that pass a test.
fn steps_that(test: impl Fn([i32; 4]) -> bool) -> BTreeSet<Step> {
    let mut all = BTreeSet::new();
    for dx in -2..=2 {
        for dy in -2..=2 {
            for dt in -2..=2 {
                for dl in -2..=2 {
                    let step = [dx, dy, dt, dl];
                    if step != [0; 4] && (dl != 0 || dt <= 0) && test(step.map(i32::abs)) {
                        all.insert(step);
                    }
                }
            }
        }
    }
    all
}

/// Equal steps along some of these numbers of axes.
fn slides(axes: &[usize]) -> BTreeSet<Step> {
    steps_that(|step| {
        let longest = *step.iter().max().unwrap();
        let along = step.iter().filter(|&&part| part != 0).count();
        axes.contains(&along) && step.iter().all(|&part| part == 0 || part == longest)
    })
}

fn assert_steps(piece: &str, expected: &BTreeSet<Step>, count: usize) {
    assert_eq!(steps(piece), *expected, "{piece}");
    assert_eq!(expected.len(), count, "{piece}");
}

#[test]
fn r1_a_rook_slides_along_one_axis() {
    // Two steps in eight directions, but for the future of its own timeline.
    assert_steps("R", &slides(&[1]), 14);
}

#[test]
fn r1_a_bishop_slides_along_two_axes() {
    // Six planes of four directions, less the two of (x, +t) and (y, +t) on its timeline.
    assert_steps("B", &slides(&[2]), 2 * (24 - 4));
}

#[test]
fn r1_a_unicorn_slides_along_three_axes() {
    assert_steps("U", &slides(&[3]), 2 * (32 - 4));
}

#[test]
fn r1_a_dragon_slides_along_four_axes() {
    assert_steps("D", &slides(&[4]), 2 * 16);
}

#[test]
fn r1_a_princess_is_a_rook_and_a_bishop() {
    assert_steps("S", &slides(&[1, 2]), 14 + 40);
}

#[test]
fn r1_a_queen_and_a_royal_queen_slide_along_any_number_of_axes() {
    let expected = slides(&[1, 2, 3, 4]);
    assert_steps("Q", &expected, 14 + 40 + 56 + 32);
    assert_steps("Y", &expected, 142);
}

#[test]
fn r1_kings_step_along_any_number_of_axes() {
    let expected = steps_that(|step| step.iter().all(|&part| part <= 1));
    assert_steps("K", &expected, 71);
    assert_steps("C", &expected, 71);
    // An unmoved king without rooks has no other moves.
    assert_steps("K*", &expected, 71);
}

#[test]
fn r1_a_knight_leaps_two_along_one_axis_and_one_along_another() {
    let expected = steps_that(|mut step| {
        step.sort_unstable();
        step == [0, 0, 1, 2]
    });
    // Twelve pairs of axes with four leaps each, less those into its own future.
    assert_steps("N", &expected, 48 - 8);
}

#[test]
fn r1_a_step_in_time_is_a_full_turn() {
    let start = position("[1/1:0:0:w] [1/1:0:0:b] [1/1:0:1:w] [1/1:0:1:b] [1/R:0:2:w]");
    assert_eq!(pseudo(&start), set("(0T2)a1a2 (0T2)a1(0T1)a1 (0T2)a1(0T0)a1"));
}

#[test]
fn r2_sliders_stop_at_the_first_piece() {
    let start = position("[3/1p1/R1B:0:1:w]");
    assert_eq!(targets(&start, "(0T1)a1"), set("a2 a3 b1"));
    assert_eq!(targets(&start, "(0T1)c1"), set("b2"));
    // The same along time: an enemy is taken, a piece of the own side is not.
    let taken = position("[1/r:0:0:w] [1/r:0:1:w] [1/1:0:2:w] [1/R:0:3:w]");
    assert_eq!(jumps(&targets(&taken, "(0T3)a1")), set("(0T2)a1 (0T1)a1"));
    let kept = position("[1/1:0:0:w] [1/N:0:1:w] [1/1:0:2:w] [1/R:0:3:w]");
    assert_eq!(jumps(&targets(&kept, "(0T3)a1")), set("(0T2)a1"));
}

#[test]
fn r2_sliders_stop_at_a_board_that_is_not_there() {
    let start = position("[1/1:0:0:w] [1/1:0:1:w] [1/R:0:3:w]");
    assert_eq!(pseudo(&start), set("(0T3)a1a2"));
    // Timeline 1 begins too late for the way from timeline 2 to timeline 0.
    let late = "[1/1:0:1:w] [1/1:0:3:w] [1/1:1:3:w] [1/B:2:3:w]";
    assert_eq!(jumps(&targets(&position(late), "(2T3)a1")), set("(1T3)a2"));
    let there = position(&format!("{late} [1/1:1:2:w]"));
    assert_eq!(jumps(&targets(&there, "(2T3)a1")), set("(1T3)a2 (1T2)a1 (0T1)a1"));
}

#[test]
fn r2_leapers_only_need_the_board_they_land_on() {
    let start = position("[1/1:0:1:w] [1/N:0:3:w]");
    // Two turns back and one rank up; the board of turn 2 is not needed.
    assert_eq!(pseudo(&start), set("(0T3)a1(0T1)a2"));
    let over = position("[3/1P1/PPN:0:1:w]");
    assert_eq!(targets(&over, "(0T1)c1"), set("a2 b3"));
}

#[test]
fn r2_nothing_enters_a_square_of_its_own_side() {
    let start = position("[PP/KP:0:1:w] [P1/2:1:1:w]");
    assert_eq!(targets(&start, "(0T1)a1"), set("(1T1)a1 (1T1)b1 (1T1)b2"));
    let knight = position("[3/2P/N2:0:1:w]");
    assert_eq!(targets(&knight, "(0T1)a1"), set("b3"));
}

#[test]
fn r2_nothing_passes_the_edge_of_the_board() {
    let start = position("[1/1/K:0:1:w] [1/1/1:1:1:w]");
    assert_eq!(pseudo(&start), set("(0T1)a1a2 (0T1)a1(1T1)a1 (0T1)a1(1T1)a2"));
}

#[test]
fn r3_kings_and_royal_queens_are_royal_and_the_common_king_is_not() {
    for (piece, royal) in [("k", true), ("y", true), ("c", false), ("q", false)] {
        let start = position(&format!("[{piece}1/R1:0:1:w]"));
        assert!(targets(&start, "(0T1)a1").contains("a2"));
        assert_eq!(start.can_take_royal(Colour::White), royal, "{piece}");
    }
}

#[test]
fn r3_every_royal_counts_on_every_board() {
    // One of two kings is attacked, on the board itself, on another timeline, on a past board.
    for blocks in
        ["[k1/1k/R1:0:1:w]", "[1k/2/R1:0:1:w] [1k/2/k1:1:1:w]", "[1k/2/k1:0:1:w] [1k/2/R1:0:2:w]"]
    {
        assert!(position(blocks).can_take_royal(Colour::White), "{blocks}");
    }
    assert!(!position("[1k/1k/R1:0:1:w] [1k/2/2:1:1:w]").can_take_royal(Colour::White));
}

#[test]
fn r3_the_common_king_does_not_castle() {
    // It bears no mark of being unmoved; beside it stands a king that castles.
    let start = position("[8/8/8/8/8/8/4C2R*/4K*2R*:0:1:w]");
    assert!(targets(&start, "(0T1)e1").contains("g1"));
    assert!(!targets(&start, "(0T1)e2").contains("g2"));
}
