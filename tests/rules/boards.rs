//! Boards, timelines and moves between them: playable boards (R11), physical moves (R12), hops
//! and branches (R13), numbers of timelines (R14), the opponent's boards (R15), turn zero (R16).

use std::collections::BTreeSet;

use lightcone::board::Colour;
use lightcone::multiverse::{Made, Multiverse};
use lightcone::notation::{parse_fen, write_fen};

use crate::common::{find_move, mandatory, play, played, position, pseudo, set, targets};

#[test]
fn r11_only_latest_boards_of_the_own_colour_are_played_on() {
    // Timeline 0 has a past board, timeline 1 is Black's, timeline 2 is ahead.
    let start =
        position("[1/R:0:1:w] [1/R:0:2:w] [1/R:1:2:w] [1/R:1:2:b] [1/R:2:4:w] [1/1:-1:2:w]");
    let origins: Vec<(i32, i32)> =
        start.pseudo_legal_moves().iter().map(|m| (m.from.line, m.from.turn())).collect();
    assert!(origins.contains(&(0, 2)) && origins.contains(&(2, 4)));
    assert!(origins.iter().all(|&origin| origin == (0, 2) || origin == (2, 4)), "{origins:?}");
    for word in ["(0T1)a1a2", "(1T2)a1a2"] {
        assert!(find_move(&start, word).is_err(), "{word}");
    }
    let mut black = start;
    black.set_side(!black.side());
    assert!(black.pseudo_legal_moves().is_empty(), "the rooks are White's");
}

#[test]
fn r12_a_physical_move_adds_the_board_half_a_turn_later() {
    let mut game = position("[1k/2/K1:0:3:w]");
    assert_eq!(play(&mut game, "(0T3)a1b1"), [Made::Physical]);
    assert_eq!(write_fen(&game), "[1k/2/K1:0:3:w] [1k/2/1K:0:3:b]");
    play(&mut game, "submit (0T3)b3a3 submit");
    assert_eq!(write_fen(&game), "[1k/2/K1:0:3:w] [1k/2/1K:0:3:b] [k1/2/1K:0:4:w]");
}

#[test]
fn r13_a_hop_uses_two_boards() {
    let mut game = position("[1k/2/R1:0:1:w] [1k/2/1K:1:1:w]");
    assert_eq!(play(&mut game, "(0T1)a1(1T1)a1"), [Made::Hop]);
    assert_eq!(write_fen(&game), "[1k/2/R1:0:1:w] [1k/2/2:0:1:b] [1k/2/1K:1:1:w] [1k/2/RK:1:1:b]");
    assert!(game.pseudo_legal_moves().is_empty());
}

#[test]
fn r13_a_hop_may_capture() {
    let game = played("[1k/2/R1:0:1:w] [1k/2/nK:1:1:w]", "(0T1)a1(1T1)a1");
    assert!(write_fen(&game).ends_with("[1k/2/RK:1:1:b]"));
}

#[test]
fn r13_a_jump_into_the_past_branches() {
    let mut game = position("[1k/2/RK:0:1:w] [1k/2/RK:0:1:b] [k1/2/RK:0:2:w]");
    assert_eq!(play(&mut game, "(0T2)b1(0T1)a2"), [Made::Branch]);
    assert_eq!(
        write_fen(&game),
        "[1k/2/RK:0:1:w] [1k/2/RK:0:1:b] [k1/2/RK:0:2:w] [k1/2/R1:0:2:b] [1k/K1/RK:1:1:b]"
    );
}

#[test]
fn r13_a_jump_onto_a_later_board_that_is_not_the_latest_branches_too() {
    // Timeline 1 is at turn 4; the rook of turn 2 enters its board of turn 2 or hops nowhere.
    let blocks = "[2/B1:0:2:w] [2/2:1:2:w] [2/2:1:3:w] [2/2:1:4:w]";
    let start = position(blocks);
    assert_eq!(targets(&start, "(0T2)a1"), set("b2 (1T2)a2 (1T2)b1 (1T3)a1"));
    let mut later = start;
    assert_eq!(play(&mut later, "(0T2)a1(1T3)a1"), [Made::Branch]);
    assert_eq!(later.span(2), 7..=7);
    assert!(write_fen(&later).ends_with("[2/B1:2:3:b]"));
    // The latest board ahead of the origin: a hop.
    let ahead = "[2/B1:0:2:w] [2/2:1:3:w]";
    assert_eq!(play(&mut position(ahead), "(0T2)a1(1T3)a1"), [Made::Hop]);
}

#[test]
fn r13_a_board_used_in_this_action_is_branched_from() {
    let blocks = "[1k/2/1K:0:1:w] [1k/2/R1:1:1:w]";
    assert_eq!(play(&mut position(blocks), "(1T1)a1(0T1)a1"), [Made::Hop]);
    let mut used = position(blocks);
    let made = play(&mut used, "(0T1)b1a1 (1T1)a1(0T1)a1");
    assert_eq!(made, [Made::Physical, Made::Branch]);
    // The branch copies the board as it was before the action's move there.
    assert!(write_fen(&used).ends_with("[1k/2/RK:2:1:b]"));
}

/// The timelines that hops back to the board of turn 1 create, one by one.
fn created(multiverse: &mut Multiverse, words: &[&str]) -> Vec<String> {
    words
        .iter()
        .map(|word| {
            let before: Vec<i32> = multiverse.lines().collect();
            play(multiverse, word);
            let new = multiverse.lines().find(|line| !before.contains(line)).unwrap();
            multiverse.line_name(new).to_string()
        })
        .collect()
}

#[test]
fn r14_new_timelines_are_numbered_outward_on_the_side_of_the_mover() {
    // Knights jump back, White's and Black's in turn; the counters do not know of each other.
    let blocks = "[2n1k/5/5/2N1K:0:1:w] [2n1k/5/5/2N1K:0:1:b] [2n1k/5/5/2N1K:0:2:w]";
    let mut game = position(blocks);
    assert_eq!(created(&mut game, &["(0T2)c1(0T1)c3"]), ["1"]);
    play(&mut game, "submit");
    assert_eq!(created(&mut game, &["(1T1)c4(0T1)c2"]), ["-1"]);
    // White's next is 2, though there are three timelines.
    assert_eq!([game.next_line(Colour::White, 0), game.next_line(Colour::Black, 0)], [2, -2]);
}

#[test]
fn r14_even_starts_number_from_minus_zero_and_plus_zero() {
    let board = |line: &str| {
        format!("[2n1k/5/5/2N1K:{line}:1:w] [2n1k/5/5/2N1K:{line}:1:b] [2n1k/5/5/2N1K:{line}:2:w]")
    };
    let mut game = position(&format!("{} {}", board("-0"), board("+0")));
    assert_eq!(created(&mut game, &["(-1T2)c1(-1T1)c3", "(0T2)c1(0T1)c3"]), ["+1", "+2"]);
    assert_eq!(game.lines(), -1..=2);
    play(&mut game, "submit");
    assert_eq!(created(&mut game, &["(1T1)c4(0T1)c2"]), ["-1"]);
    assert_eq!(game.lines(), -2..=2);
}

#[test]
fn r14_only_the_middle_timelines_count_as_original() {
    let three = position("[1:-1:1:w] [1:0:1:w] [1:1:1:w]");
    let created = |multiverse: &Multiverse| Colour::BOTH.map(|side| multiverse.created(side));
    assert_eq!(created(&three), [1, 1]);
    let even = position("[1:-1:1:w] [1:-0:1:w] [1:+0:1:w] [1:+1:1:w] [1:+2:1:w]");
    assert_eq!(created(&even), [2, 1]);
    assert_eq!(even.lowest_original(), -1);
}

#[test]
fn r14_timelines_must_have_no_gap_and_hold_the_original_ones() {
    let error = |blocks: &str, even: Option<bool>| parse_fen(blocks, None, even).err();
    for (blocks, even) in [
        ("[1:0:1:w] [1:2:1:w]", None),
        ("[1:-2:1:w] [1:0:1:w]", None),
        ("[1:1:1:w]", None),
        ("[1:-1:1:w]", None),
        ("[1:+0:1:w] [1:+1:1:w]", None),
        ("[1:-0:1:w]", None),
        ("[1:0:1:w]", Some(true)),
        ("[1:-0:1:w] [1:+0:1:w] [1:+2:1:w]", None),
    ] {
        let error = error(blocks, even).unwrap_or_else(|| panic!("{blocks} is accepted"));
        assert!(error.token.contains("timeline"), "{blocks}: {error}");
    }
    // Gaps in time, late and early timelines are allowed.
    assert!(error("[1:0:1:w] [1:0:9:w] [1:1:5:b] [1:-1:-4:w]", None).is_none());
}

#[test]
fn r14_thousands_of_boards_are_allowed() {
    let blocks: Vec<String> = (1..=4000).map(|turn| format!("[1:0:{turn}:w]")).collect();
    let start = position(&format!("{} [R:0:4001:w]", blocks.join(" ")));
    assert_eq!(start.boards().count(), 4001);
    assert_eq!(start.pseudo_legal_moves().len(), 4000);
}

#[test]
fn r15_boards_of_the_opponents_colour_are_never_entered() {
    let start = position(
        "[3/3/Q2:0:1:w] [3/3/Q2:0:1:b] [3/3/1Q1:0:2:w] [3/3/3:1:1:b] [3/3/3:1:2:w] \
         [3/3/3:1:2:b] [3/3/3:-1:1:b] [3/3/3:-1:2:w]",
    );
    let moves = start.pseudo_legal_moves();
    assert!(moves.iter().all(|m| m.to.colour() == Colour::White));
    let entered: BTreeSet<(i32, i32)> = moves.iter().map(|m| (m.to.line, m.to.turn())).collect();
    assert_eq!(entered, [(-1, 2), (0, 1), (0, 2), (1, 2)].into());
}

#[test]
fn r15_earlier_boards_of_a_timeline_that_waits_are_entered_and_branch() {
    // Timeline 1 shows Black's board; White enters the one before.
    let mut game = position("[1k/2/RK:0:1:w] [1k/2/2:1:1:w] [1k/2/2:1:1:b]");
    assert!(game.playable(1, game.side()).is_none());
    assert!(targets(&game, "(0T1)a1").contains("(1T1)a1"));
    assert_eq!(play(&mut game, "(0T1)a1(1T1)a1"), [Made::Branch]);
    assert!(write_fen(&game).ends_with("[1k/2/R1:2:1:b]"));
}

#[test]
fn r16_black_may_enter_turn_zero_and_white_moves_first_there() {
    let mut game = played("[1k/2/1K:0:0:b] [1k/2/1K:0:1:w]", "(0T1)b1a1 submit");
    assert!(targets(&game, "(0T1)b3").contains("(0T0)a3"));
    assert_eq!(play(&mut game, "(0T1)b3(0T0)a3"), [Made::Branch]);
    assert_eq!(
        write_fen(&game),
        "[kk/2/1K:-1:1:w] [1k/2/1K:0:0:b] [1k/2/1K:0:1:w] [1k/2/K1:0:1:b] [2/2/K1:0:2:w]"
    );
    play(&mut game, "submit");
    assert_eq!(mandatory(&game), "-1");
    assert!(targets(&game, "(-1T1)b1").contains("a1"));
}

#[test]
fn r16_without_a_turn_zero_board_black_has_no_past_on_turn_one() {
    let game = played("[1k/2/1K:0:1:w]", "(0T1)b1a1 submit");
    assert!(pseudo(&game).iter().all(|word| word.matches('(').count() == 1));
}
