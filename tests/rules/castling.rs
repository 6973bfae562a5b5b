//! Castling (R8) and the marks of pieces that have not moved (R10).

use std::collections::BTreeSet;

use lightcone::notation::{write_board, write_fen};

use crate::common::{play, played, position, set, targets};

/// Where the king on e1, or on another square, castles to: its targets two files away.
fn castlings_from(blocks: &str, king: &str) -> BTreeSet<String> {
    let file = king.as_bytes()[king.len() - 2];
    let far = |target: &String| target.len() == 2 && target.as_bytes()[0].abs_diff(file) == 2;
    targets(&position(blocks), king).into_iter().filter(far).collect()
}

fn castlings(ranks: &str) -> BTreeSet<String> {
    castlings_from(&format!("[{ranks}:0:1:w]"), "(0T1)e1")
}

#[test]
fn r8_the_king_moves_two_files_and_the_rook_lands_on_the_square_it_crossed() {
    let start = "[4k3/8/8/8/8/8/8/R*3K*2R*:0:1:w]";
    assert_eq!(castlings_from(start, "(0T1)e1"), set("g1 c1"));
    let short = played(start, "(0T1)e1g1 submit");
    assert!(write_fen(&short).ends_with("[4k3/8/8/8/8/8/8/R*4RK1:0:1:b]"));
    let long = played(start, "(0T1)e1c1 submit");
    assert!(write_fen(&long).ends_with("[4k3/8/8/8/8/8/8/2KR3R*:0:1:b]"));
    let black = "[r*3k*2r*/8/8/8/8/8/8/4K3:0:1:b]";
    assert_eq!(castlings_from(black, "(0T1)e8"), set("g8 c8"));
    let long = played(black, "(0T1)e8c8 submit");
    assert!(write_fen(&long).ends_with("[2kr3r*/8/8/8/8/8/8/4K3:0:2:w]"));
}

#[test]
fn r8_the_rook_two_files_away_is_near_enough_and_next_to_the_king_is_not() {
    let start = "[4k3/8/8/8/8/8/8/4K*1R*1:0:1:w]";
    assert_eq!(castlings_from(start, "(0T1)e1"), set("g1"));
    let after = played(start, "(0T1)e1g1 submit");
    assert!(write_fen(&after).ends_with("[4k3/8/8/8/8/8/8/5RK1:0:1:b]"));
    assert_eq!(castlings("4k3/8/8/8/8/8/8/4K*R*2"), set(""));
    assert_eq!(castlings("4k3/8/8/8/8/8/8/R*2R*K*3"), set(""));
}

#[test]
fn r8_king_and_rook_may_stand_anywhere_on_a_rank() {
    // Not on the edge, not on the first rank, on a narrow board.
    assert_eq!(castlings("4k3/8/8/8/8/8/8/NR*2K*2R*"), set("c1 g1"));
    let middle = "[k7/8/8/8/R*3K*2R*/8/8/8:0:1:w]";
    assert_eq!(castlings_from(middle, "(0T1)e4"), set("c4 g4"));
    assert_eq!(castlings_from("[3k/4/4/K*2R*:0:1:w]", "(0T1)a1"), set("c1"));
    assert_eq!(castlings_from("[2k/3/K*1R*:0:1:w]", "(0T1)a1"), set("c1"));
    // Black's king on White's first rank.
    assert_eq!(castlings_from("[8/8/8/8/8/8/8/4k*2r*:0:1:b]", "(0T1)e1"), set("g1"));
}

#[test]
fn r8_both_must_be_unmoved_and_of_one_side() {
    assert_eq!(castlings("4k3/8/8/8/8/8/8/R*3K2R*"), set(""));
    assert_eq!(castlings("4k3/8/8/8/8/8/8/R3K*2R*"), set("g1"));
    assert_eq!(castlings("4k3/8/8/8/8/8/8/r*3K*2Q"), set(""));
    let enemy = "[4k3/8/8/8/8/8/8/4K*2r*:0:1:w]";
    assert_eq!(castlings_from(enemy, "(0T1)e1"), set(""));
}

#[test]
fn r8_the_nearest_piece_must_be_the_rook() {
    for first_rank in ["R*N2K*1N1", "R*2nK*3", "R*2RK*3", "R*1R1K*3"] {
        assert_eq!(castlings(&format!("4k3/8/8/8/8/8/8/{first_rank}")), set(""), "{first_rank}");
    }
    // Beyond the rook may stand what will, as long as it does not attack the king's squares.
    assert_eq!(castlings("4k3/8/8/8/8/8/8/4K*1R*b"), set("g1"));
    assert_eq!(castlings("4k3/8/8/8/8/8/8/4K*1R*r"), set(""));
}

#[test]
fn r8_the_squares_of_the_king_must_not_be_attacked_on_the_board() {
    // The king's own square, the crossed square, the landing square; then the rook's squares.
    assert_eq!(castlings("4r3/8/8/8/8/8/8/R*3K*2R*"), set(""));
    assert_eq!(castlings("5r2/8/8/8/8/8/8/R*3K*2R*"), set("c1"));
    assert_eq!(castlings("6r1/8/8/8/8/8/8/R*3K*2R*"), set("c1"));
    assert_eq!(castlings("1r5r/8/8/8/8/8/8/R*3K*2R*"), set("c1 g1"));
    assert_eq!(castlings("r7/8/8/8/8/8/8/R*3K*2R*"), set("c1 g1"));
    // By every kind that attacks along the board, and not by those that only attack others.
    for (ranks, allowed) in [
        ("8/8/8/8/8/8/6p1/R*3K*2R*", "c1"),
        ("8/8/8/8/8/8/6w1/R*3K*2R*", "c1"),
        ("8/8/8/8/8/8/5p2/R*3K*2R*", ""),
        ("8/8/8/8/8/8/7k/R*3K*2R*", "c1"),
        ("8/8/8/8/8/8/7c/R*3K*2R*", "c1"),
        ("8/8/8/8/8/6n1/8/R*3K*2R*", "c1"),
        ("8/8/8/8/2b5/8/8/R*3K*2R*", "c1"),
        ("8/8/8/8/2r5/8/8/R*3K*2R*", "g1"),
        ("8/8/8/8/2s5/8/8/R*3K*2R*", ""),
        ("8/8/8/8/2q5/8/8/R*3K*2R*", ""),
        ("8/8/8/8/2y5/8/8/R*3K*2R*", ""),
        ("8/8/8/8/2u5/8/8/R*3K*2R*", "c1 g1"),
        ("8/8/8/8/2d5/8/8/R*3K*2R*", "c1 g1"),
    ] {
        assert_eq!(castlings(ranks), set(allowed), "{ranks}");
    }
    // A blocked attack is none.
    assert_eq!(castlings("5r2/8/8/8/8/8/5P2/R*3K*2R*"), set("c1 g1"));
}

#[test]
fn r8_attacks_from_other_boards_do_not_matter() {
    // Rooks stand over the king's three squares on the next timeline, to move there next.
    let blocks = "[8/8/8/8/8/8/8/4K*2R*:0:1:w] [8/8/8/8/8/8/8/4rrr1:1:1:w]";
    assert_eq!(castlings_from(blocks, "(0T1)e1"), set("g1"));
    // Nor does check elsewhere.
    let check = "[k7/8/8/8/8/8/8/4K*2R*:0:1:w] [k3r3/8/8/8/8/8/8/4K3:1:1:w]";
    assert_eq!(castlings_from(check, "(0T1)e1"), set("g1"));
}

/// The latest board of a timeline, its marks included.
fn latest(multiverse: &lightcone::multiverse::Multiverse, line: i32) -> String {
    write_board(multiverse.board(multiverse.latest(line).unwrap()))
}

#[test]
fn r10_any_move_clears_the_mark_of_the_mover() {
    for (word, after) in [
        ("(0T1)a2a3", "3k/P3/4/R*2K*"),
        ("(0T1)a1b1", "3k/4/P*3/1R1K*"),
        ("(0T1)d1c1", "3k/4/P*3/R*1K1"),
        ("(0T1)d1b1", "3k/4/P*3/1KR1"),
    ] {
        let start = "[3k/4/P*3/R*2K*:0:1:w]";
        assert_eq!(latest(&played(start, word), 0), after, "{word}");
    }
}

#[test]
fn r10_a_journey_clears_the_mark_and_the_others_keep_theirs() {
    let start = "[3k/4/P*3/R*2K*:0:1:w] [3k/4/4/3K*:1:1:w] [3k/4/4/3K*:-1:1:w]";
    let hop = played(start, "(0T1)a1(1T1)a1");
    assert_eq!(latest(&hop, 0), "3k/4/P*3/3K*");
    assert_eq!(latest(&hop, 1), "3k/4/4/R2K*");
    let pawn = played(start, "(0T1)a2(-1T1)a2");
    assert_eq!(latest(&pawn, -1), "3k/4/P3/3K*");
    let king = played(start, "(0T1)d1(1T1)c2");
    assert_eq!(latest(&king, 1), "3k/4/2K1/3K*");
}

#[test]
fn r10_a_branch_keeps_the_marks_of_what_did_not_travel() {
    // King and rook move on timeline 0; on the branch from turn 1 they have not.
    let blocks = "[n3k3/8/8/8/8/8/7P*/4K*2R*:0:1:w] [n3k3/8/8/8/8/8/7P*/4K*2R*:0:1:b]";
    let mut game = position(blocks);
    play(&mut game, "(0T1)e8d8 submit (0T2)e1e2 submit (0T2)a8(0T1)a6 submit");
    assert_eq!(latest(&game, -1), "n3k3/8/n7/8/8/8/7P*/4K*2R*");
    assert!(targets(&game, "(-1T2)e1").contains("g1"));
    assert!(targets(&game, "(-1T2)h2").contains("h4"));
    assert!(!targets(&game, "(0T3)e2").contains("g2"));
}
