//! Activity (R19), the present (R20), and when an action may be submitted (R21).

use lightcone::multiverse::{Made, Multiverse};

use crate::common::{
    actions, active, lines, mandatory, may_submit, play, played, position, present, set,
};

/// Timelines from the lowest to the highest, each with one bare board at turn 1.
fn bare(names: &[&str]) -> Multiverse {
    let blocks: Vec<String> = names.iter().map(|name| format!("[1/1:{name}:1:w]")).collect();
    position(&blocks.join(" "))
}

#[test]
fn r19_a_created_timeline_is_active_if_the_opponent_has_created_one_less() {
    for (names, expected) in [
        (vec!["0"], "0"),
        (vec!["0", "1"], "0 1"),
        (vec!["0", "1", "2"], "0 1"),
        (vec!["0", "1", "2", "3"], "0 1"),
        (vec!["-1", "0", "1", "2"], "-1 0 1 2"),
        (vec!["-1", "0", "1", "2", "3"], "-1 0 1 2"),
        (vec!["-2", "-1", "0"], "-1 0"),
        (vec!["-3", "-2", "-1", "0", "1"], "-2 -1 0 1"),
    ] {
        assert_eq!(active(&bare(&names)), expected, "{names:?}");
    }
}

#[test]
fn r19_with_an_even_start_both_middle_timelines_are_original() {
    for (names, expected) in [
        (vec!["-0", "+0"], "-0 +0"),
        (vec!["-0", "+0", "+1"], "-0 +0 +1"),
        (vec!["-0", "+0", "+1", "+2"], "-0 +0 +1"),
        (vec!["-1", "-0", "+0", "+1", "+2"], "-1 -0 +0 +1 +2"),
        (vec!["-2", "-1", "-0", "+0"], "-1 -0 +0"),
    ] {
        assert_eq!(active(&bare(&names)), expected, "{names:?}");
    }
}

/// White is two timelines up, so that timeline 2 is inactive and still at turn 1; Black's knight
/// on timeline 1 can go back a turn.
const AHEAD: &str = "[n1k/3/3/2K:0:1:b] [n1k/3/3/2K:0:2:w] [n1k/3/3/2K:0:2:b] [2k/3/3/2K:1:3:b] \
    [2k/3/3/2K:2:1:w]";

#[test]
fn r19_a_branch_activates_an_older_timeline_of_the_opponent() {
    let mut game = position(AHEAD);
    assert_eq!(active(&game), "0 1");
    assert_eq!(present(&game), "T2b");
    assert_eq!(play(&mut game, "(0T2)a4(0T1)a2"), [Made::Branch]);
    assert_eq!(active(&game), "-1 0 1 2");
    // The present has jumped back to White's board of turn 1 there.
    assert_eq!(present(&game), "T1w");
    assert!(may_submit(&game));
}

#[test]
fn r20_the_present_is_the_earliest_latest_board_of_the_active_timelines() {
    for (blocks, expected) in [
        ("[1:0:1:w] [1:0:5:w]", "T5w"),
        ("[1:0:3:w] [1:1:2:b]", "T2b"),
        ("[1:0:3:b] [1:1:3:w]", "T3w"),
        ("[1:0:3:w] [1:1:4:w] [1:2:1:w]", "T3w"),
        ("[1:0:3:w] [1:1:4:w] [1:2:1:w] [1:-1:9:b]", "T1w"),
        ("[1:-0:3:b] [1:+0:2:b]", "T2b"),
        ("[1:0:-3:b] [1:1:0:w]", "T-3b"),
    ] {
        assert_eq!(present(&position(blocks)), expected, "{blocks}");
    }
}

#[test]
fn r20_the_side_to_move_follows_from_the_present() {
    for (blocks, letter) in [
        ("[1:0:3:w] [1:1:2:b]", 'b'),
        ("[1:0:3:b] [1:1:3:w]", 'w'),
        ("[1:0:0:b] [1:0:1:w]", 'w'),
        ("[1:0:-1:b]", 'b'),
    ] {
        assert_eq!(position(blocks).side().letter(), letter, "{blocks}");
    }
}

#[test]
fn r21_an_action_ends_when_the_present_shows_the_opponents_colour() {
    let mut game = position("[k2/3/2K:0:1:w] [k2/3/2K:1:1:w] [k2/3/2K:-1:2:w]");
    assert_eq!(mandatory(&game), "0 1");
    assert!(!may_submit(&game));
    play(&mut game, "(0T1)c1b1");
    assert_eq!(mandatory(&game), "1");
    assert!(!may_submit(&game));
    play(&mut game, "(1T1)c1b1");
    assert_eq!(mandatory(&game), "");
    assert!(may_submit(&game));
    // The board ahead may still be played, after the present has passed.
    play(&mut game, "(-1T2)c1b1");
    assert!(may_submit(&game));
}

#[test]
fn r21_optional_boards_ahead_or_inactive_may_be_played_or_not() {
    // One pawn on each board, with one move; timeline 1 is ahead, timeline 2 inactive.
    let ahead = position("[1p/2/P1/1p:0:1:w] [1p/2/P1/1p:1:2:w]");
    assert_eq!(mandatory(&ahead), "0");
    assert_eq!(actions(&ahead), ["(0T1)a2a3", "(0T1)a2a3 (1T2)a2a3"].map(str::to_owned).into());
    let inactive = position("[2/2/P1/2:0:1:w] [2/P1/2/2:1:2:w] [2/P1/2/2:2:1:w]");
    assert_eq!(mandatory(&inactive), "0");
    let found = actions(&inactive);
    assert!(found.contains("(0T1)a2a3"));
    assert!(found.contains("(0T1)a2a3 (2T1)a3a4Q"));
    assert!(!found.contains("(2T1)a3a4Q"));
}

#[test]
fn r21_a_hop_serves_two_boards_and_a_branch_moves_the_present_back() {
    let hop = played("[k2/3/R1K:0:1:w] [k2/3/2K:1:1:w]", "(0T1)a1(1T1)a1");
    assert_eq!(mandatory(&hop), "");
    assert!(hop.present_has_passed());
    // Black has two boards of turn 2; the rook goes back to turn 1 and leaves one unplayed.
    let blocks = "[r2/3/3/2K:0:1:b] [r2/3/3/2K:0:2:w] [1r1/3/3/2K:0:2:b] [3/3/3/2K:-1:2:b]";
    let mut branch = position(blocks);
    assert_eq!(mandatory(&branch), "-1 0");
    assert_eq!(play(&mut branch, "(0T2)b4(0T1)b4"), [Made::Branch]);
    assert_eq!(active(&branch), "-1 0");
    assert_eq!(mandatory(&branch), "-1");
    assert!(!may_submit(&branch), "-2 is inactive: the present stays");
    let mut active_branch = position(&format!("{blocks} [3/3/3/2K:1:2:b]"));
    assert_eq!(mandatory(&active_branch), "-1 0 1");
    play(&mut active_branch, "(0T2)b4(0T1)b4");
    assert_eq!(active(&active_branch), "-2 -1 0 1");
    assert!(may_submit(&active_branch));
    assert_eq!(present(&active_branch), "T2w");
    assert_eq!(
        lines(&active_branch, |line| active_branch.playable(line, active_branch.side()).is_some()),
        "-1 1"
    );
}

#[test]
fn r21_no_royal_may_be_left_to_be_taken() {
    let start = position("[1r1/3/K2:0:1:w]");
    assert_eq!(actions(&start), set("(0T1)a1a2"));
    assert!(!may_submit(&played("[1r1/3/K2:0:1:w]", "(0T1)a1b1")));
    assert!(may_submit(&played("[1r1/3/K2:0:1:w]", "(0T1)a1a2")));
}
