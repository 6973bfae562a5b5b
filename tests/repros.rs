//! Small positions from public bug reports and disputes over rules, each with its right answer.

mod common;

use common::{
    Found, actions, count, find_move, legal, may_submit, play, played, position, present, pseudo,
    set, state_text,
};
use lightcone::actions::{GameResult, Limit, report};
use lightcone::multiverse::{Made, Multiverse};
use lightcone::variants;

/// The position of a variant after moves and `submit`s.
fn variant(name: &str, words: &str) -> Multiverse {
    let mut multiverse = variants::find(name).unwrap().multiverse().unwrap();
    play(&mut multiverse, words);
    multiverse
}

fn standard(words: &str) -> Multiverse {
    variant("Standard", words)
}

/// A whole action may be played and submitted.
fn assert_legal(multiverse: &mut Multiverse, words: &str) {
    let mut after = multiverse.clone();
    play(&mut after, words);
    assert!(may_submit(&after), "{words}");
    let after = common::signature(&after);
    assert!(legal(multiverse).iter().any(|action| action.after == after), "{words}");
}

fn assert_illegal_move(multiverse: &Multiverse, word: &str) {
    assert!(find_move(multiverse, word).is_err(), "{word}");
    let squares = |text: &str| text.trim_end_matches(char::is_uppercase).to_owned();
    assert!(!pseudo(multiverse).iter().any(|text| squares(text) == word), "{word}");
}

/// White's first three actions and Black's first two of a game with a branch to timeline 1.
const TWO_LINES: &str = "(0T1)g1f3 submit (0T1)g8f6 submit (0T2)f3(0T1)f5 submit \
    (1T1)g8f6 submit (1T2)e2e3 submit";

#[test]
fn a01_fools_mate_on_the_standard_start_is_a_softmate() {
    let end = standard("(0T1)f2f3 submit (0T1)e7e6 submit (0T2)g2g4 submit (0T2)d8h4 submit");
    assert_eq!(actions(&end), set("(0T3)e1(0T2)f2"));
    assert_eq!(state_text(&end), "check softmate *");
}

#[test]
fn a02_fools_mate_with_turn_zero_is_mate() {
    let end = variant(
        "Standard - Turn Zero",
        "(0T1)f2f3 submit (0T1)e7e6 submit (0T2)g2g4 submit (0T2)d8h4 submit",
    );
    assert_eq!(count(&end), (0, 0));
    assert_eq!(state_text(&end), "check checkmate 0-1");
}

#[test]
fn a03_mate_in_three_actions() {
    let end = standard(
        "(0T1)e2e3 submit (0T1)f7f6 submit (0T2)d1e2 submit (0T2)b8c6 submit (0T3)e2h5 submit",
    );
    assert_eq!(state_text(&end), "check checkmate 1-0");
}

#[test]
fn a04_the_same_pattern_with_a_knight_that_takes_the_queen() {
    let end = standard(
        "(0T1)a2a3 submit (0T1)a7a6 submit (0T2)e2e3 submit (0T2)f7f5 submit \
         (0T3)d1e2 submit (0T3)g8f6 submit (0T4)e2h5 submit",
    );
    assert_eq!(actions(&end), set("(0T4)f6h5"));
    assert_eq!(state_text(&end), "check ongoing *");
}

#[test]
fn a05_a_claimed_draw_that_is_none() {
    let end = variant(
        "Misc - Timeline Tactician",
        "(0T1)c1(-1T1)c3 submit (-1T1)a4(0T1)b4 submit (-1T2)c3a4 (0T2)d2d4Q submit \
         (-1T2)a3a1Q (0T2)b4(-1T1)c3 submit",
    );
    assert_eq!(actions(&end), set_of(["(0T3)d4(0T1)b4", "(0T3)d4(0T1)d4"]));
    for (word, state) in
        [("(0T3)d4(0T1)b4", "check checkmate 1-0"), ("(0T3)d4(0T1)d4", "stalemate 1/2-1/2")]
    {
        let mut after = end.clone();
        play(&mut after, &format!("{word} submit"));
        assert_eq!(state_text(&after), state, "{word}");
    }
}

/// Whole actions, each one text.
fn set_of<const N: usize>(texts: [&str; N]) -> std::collections::BTreeSet<String> {
    texts.into_iter().map(str::to_owned).collect()
}

#[test]
fn a07_a_jump_onto_a_board_already_played_branches() {
    let start = standard(&format!("{TWO_LINES} (0T2)e7e6 (1T2)e7e6 submit"));
    let mut hop = start.clone();
    assert_eq!(play(&mut hop, "(1T3)g1(0T3)g3"), [Made::Hop]);
    assert_eq!(hop.lines().count(), 2);
    let mut branch = start;
    assert_eq!(play(&mut branch, "(0T3)e2e3 (1T3)g1(0T3)g3"), [Made::Physical, Made::Branch]);
    assert_eq!(branch.lines().count(), 3);
    assert!(may_submit(&branch));
}

#[test]
fn a08_two_orders_of_two_branches_make_one_multiverse() {
    let end =
        variant("Focused - Just Kings", "(0T1)a1a2 submit (0T1)c3c2 submit (0T2)a2(0T1)a2 submit");
    assert_eq!(count(&end), (26, 27));
}

#[test]
fn a11_no_castling_out_of_check_from_the_same_board() {
    let start = position("[4rk2/8/8/8/8/8/8/4K*2R*:0:1:w]");
    assert_illegal_move(&start, "(0T1)e1g1");
}

#[test]
fn a12_no_castling_through_a_square_attacked_on_the_same_board() {
    let start = position("[5rk1/8/8/8/8/8/8/4K*2R*:0:1:w]");
    assert_illegal_move(&start, "(0T1)e1g1");
}

#[test]
fn a13_only_the_squares_of_the_king_matter_for_castling() {
    let start = "[kr6/8/8/8/8/8/8/R*3K*3:0:1:w]";
    assert_legal(&mut position(start), "(0T1)e1c1");
    assert_eq!(count(&played(start, "(0T1)e1c1 submit")), (15, 15));
}

#[test]
fn a15_en_passant() {
    let mut start = standard("(0T1)e2e4 submit (0T1)a7a6 submit (0T2)e4e5 submit (0T2)d7d5 submit");
    assert_legal(&mut start, "(0T3)e5d6");
    play(&mut start, "(0T3)e5d6 submit");
    assert_eq!(count(&start), (30, 30));
}

#[test]
fn a17_a_double_step_along_the_timelines_gives_no_en_passant_right() {
    let start = "[4k/5/5/5/4K:-2:1:w] [4k/5/5/5/4K:-1:1:w] [4k/5/3p1/P*4/4K:0:1:w]";
    assert_legal(&mut position(start), "(0T1)a2(-2T1)a2 (-1T1)e1d1");
    let end = played(start, "(0T1)a2(-2T1)a2 (-1T1)e1d1 submit");
    assert!(end.boards().all(|(_, board)| board.en_passant().is_none()));
    assert_eq!(count(&end), (369, 405));
}

#[test]
fn a18_a_double_step_along_the_timelines_is_blocked_in_the_middle() {
    let start = position("[4k/5/5/5/4K:-2:1:w] [4k/5/5/P4/4K:-1:1:w] [4k/5/3p1/P*4/4K:0:1:w]");
    assert_illegal_move(&start, "(0T1)a2(-2T1)a2");
    assert_illegal_move(&start, "(0T1)a2(-1T1)a2");
}

#[test]
fn a20_one_move_may_serve_two_timelines() {
    let mut start = variant("Standard - Two Timelines", "");
    assert_legal(&mut start, "(-1T1)b1(0T1)b3");
    play(&mut start, "(-1T1)b1(0T1)b3 submit");
    assert_eq!(count(&start), (484, 484));
}

#[test]
fn a21_a_new_active_timeline_moves_the_present_back() {
    let mut start = standard(TWO_LINES);
    assert_legal(&mut start, "(0T2)f6(0T1)f4");
    play(&mut start, "(0T2)f6(0T1)f4 submit");
    assert_eq!(count(&start), (674, 676));
}

#[test]
fn a22_a_new_inactive_timeline_does_not() {
    let start = standard(&format!("{TWO_LINES} (0T2)e7e6 (1T2)e7e6 submit"));
    let mut begun = start;
    assert_eq!(play(&mut begun, "(0T3)b1(0T2)b3"), [Made::Branch]);
    assert_eq!(begun.lines(), 0..=2);
    assert!(!begun.active_lines().contains(&2));
    assert_eq!(present(&begun), "T3w");
    assert!(!may_submit(&begun));
    // Every completion plays on (1T3).
    let completions = legal(&mut begun);
    assert!(!completions.is_empty());
    for Found { moves, .. } in completions {
        assert!(moves.iter().any(|step| step.from.line == 1 || step.to.line == 1));
    }
}

#[test]
fn a22b_a_new_active_timeline_completes_the_action() {
    let mut start = standard("(0T1)g1f3 submit (0T1)g8f6 submit (0T2)e2e3 submit (0T2)e7e6 submit");
    assert_legal(&mut start, "(0T3)b1(0T2)b3");
    play(&mut start, "(0T3)b1(0T2)b3");
    assert_eq!(present(&start), "T2b");
    play(&mut start, "submit");
    assert_eq!(count(&start), (1105, 1116));
}

#[test]
fn a24_stalemate_on_three_by_three() {
    let start = position("[1q1/2k/K2:0:1:w]");
    assert_eq!(count(&start), (0, 0));
    assert_eq!(state_text(&start), "stalemate 1/2-1/2");
}

#[test]
fn a25_both_kings_evade() {
    let mut start = position("[r2k/4/4/K3:0:1:w] [r2k/4/4/K3:1:1:w]");
    assert_eq!(state_text(&start), "check ongoing *");
    let found = legal(&mut start);
    assert_eq!(found.len(), 4);
    for Found { moves, .. } in found {
        let from: Vec<String> =
            moves.iter().map(|step| format!("{}{}", step.from.line, step.from_square)).collect();
        assert_eq!(from, ["0a1", "1a1"]);
    }
}

#[test]
fn a26_a_stalemate_of_exiled_kings_is_lost_by_the_tournament_rule() {
    let mut end = standard(
        "(0T1)e2e3 submit (0T1)e7e6 submit (0T2)d1h5 submit (0T2)g8f6 submit (0T3)h5f3 submit \
         (0T3)b8c6 submit (0T4)f1c4 submit (0T4)f8c5 submit (0T5)f3(0T1)f7 submit \
         (1T1)e8f7 submit (1T2)g1f3 submit (1T2)g8f6 submit (1T3)f3(1T2)f5 submit \
         (1T3)d7d5 submit (1T4)e2e3 submit (1T4)g7g6 submit (1T5)e1(0T4)d1 submit \
         (0T5)c6d4 (1T5)c8g4 submit (0T6)g1h3 (1T6)f1e2 submit (0T6)f6e4 (1T6)d8d7 submit \
         (1T7)h1e1 (0T7)e1(1T6)e1 submit (0T7)d4c2 (1T7)b8c6 submit (1T8)f2f3 (0T8)c4d3 submit \
         (0T8)c2a1 (1T8)g4f5 submit (1T9)a1(0T9)a1 submit (0T9)e4g5 (1T9)c6b4 submit \
         (0T10)h3f4 (1T10)a2a3 submit (1T10)f5c2 (0T10)c5e3 submit (1T11)d1c2 (0T11)d2e3 submit \
         (1T11)b4c2 (0T11)d8e7 submit (0T12)c1(1T12)c2 submit (0T12)e7b4 (1T12)d7c6 submit \
         (1T13)e2d3 (0T13)f4e6 submit (0T13)f7e6 (1T13)f8g7 submit (1T14)d3g6 (0T14)f2f4 submit \
         (1T14)h7g6 (0T14)g5e4 submit (1T15)c2g6 (0T15)b1c3 submit (1T15)f7f8 (0T15)e4c3 submit \
         (1T16)g6e8 (0T16)h1e1 submit (1T16)f8e8 (0T16)b4b2 submit (1T17)b1c3 (0T17)a1b1 submit \
         (0T17)b2a2 (1T17)h8h2 submit (0T18)g2g4 (1T18)g2g4 submit (1T18)c6c3 (0T18)c3b1 submit \
         (0T19)g4g5 (1T19)g4g5 submit (1T19)c3(0T19)d3 submit (0T20)e1e2 (1T20)a3a4 submit \
         (0T20)d3(1T20)d2 submit (0T21)e2a2 (1T21)f3f4 submit (1T21)d2e1 (0T21)b1c3 submit \
         (1T22)g5g6 (0T22)g5g6 submit (1T22)e1c1 (0T22)c3a2 submit (1T23)f4f5 (0T23)f4f5 submit \
         (0T23)e8e7 (1T23)c1b2 submit (1T24)e3e4 (0T24)e3e4 submit (1T24)e7e5 (0T24)e7f6 submit \
         (1T25)a4(0T25)a4 submit (1T25)d5d4 (0T25)a2c3 submit",
    );
    assert_eq!(end.lines().count(), 5);
    assert_eq!(state_text(&end), "stalemate 0-1");
    assert_eq!(report(&mut end, false, &Limit::NONE).result, GameResult::Draw);
}

#[test]
fn a27b_a_stalemate_with_both_sides_exiled_is_a_draw() {
    let mut start = position("[5/5/5/p4/P4:0:1:w] [5/5/5/5/5:1:1:b] [k4/5/5/5/4K:2:1:b]");
    assert_eq!(state_text(&start), "stalemate 1/2-1/2");
    assert_eq!(report(&mut start, false, &Limit::NONE).result, GameResult::Draw);
}

#[test]
fn a32_mate_of_a_royal_queen() {
    let end = variant(
        "Standard - Reversed Royalty",
        "(0T1)d2d4 submit (0T1)g8f6 submit (0T2)c1f4 submit (0T2)d7d5 submit (0T3)f4c7 submit \
         (0T3)d8c7 submit (0T4)b1c3 submit (0T4)c8d7 submit (0T5)c3(0T4)c5 submit \
         (0T5)c7(0T2)c4 submit (-1T3)e2e3 submit (-1T3)c4a4 submit (-1T4)b1c3 submit",
    );
    assert_eq!(end.lines().count(), 3);
    assert_eq!(state_text(&end), "check checkmate 1-0");
}

#[test]
fn a33_brawns_capture_and_are_captured_en_passant() {
    let mut game = position("[w*w*w*w*k/5/5/5/KW*W*W*W*:0:1:w]");
    // Both players end on c4: White en passant, Black by an ordinary capture.
    play(
        &mut game,
        "(0T1)d1d3 submit (0T1)a5a3 submit (0T2)c1c3 submit (0T2)d5d4 submit (0T3)b1b2 submit \
         (0T3)d4c3 submit (0T4)b2a3 submit (0T4)c3c2 submit (0T5)a1b2 submit (0T5)c5c3 submit",
    );
    assert_legal(&mut game, "(0T6)d3c4");
    play(&mut game, "(0T6)d3c4 submit");
    assert_legal(&mut game, "(0T6)b5c4");
    play(&mut game, "(0T6)b5c4 submit");
    assert_eq!(count(&game), (9, 9));
}

#[test]
fn a34_a_brawn_captures_back_in_time_and_forward_in_rank() {
    let mut game =
        played("[ww*2/4/4/WW2:0:1:w]", "(0T1)a1a2 submit (0T1)a4a3 submit (0T2)b1b2 submit");
    assert_legal(&mut game, "(0T2)a3(0T1)a2");
    play(&mut game, "(0T2)a3(0T1)a2 submit");
    assert_eq!(count(&game), (11, 11));
}

#[test]
fn a35_a_pawn_does_not() {
    let game = played("[pp*2/4/4/PP2:0:1:w]", "(0T1)a1a2 submit (0T1)a4a3 submit (0T2)b1b2 submit");
    assert_illegal_move(&game, "(0T2)a3(0T1)a2");
}

#[test]
fn a36_no_castling_with_an_adjacent_rook() {
    let start = position("[k7/8/8/8/8/8/8/K*R*6:0:1:w]");
    assert_illegal_move(&start, "(0T1)a1c1");
}

#[test]
fn a38_one_capture_is_en_passant_and_the_other_is_not() {
    let start = standard("(0T1)e2e4 submit (0T1)d7d5 submit (0T2)e4e5 submit (0T2)f7f5 submit");
    assert_illegal_move(&start, "(0T3)e5d6");
    let mut end = start;
    play(&mut end, "(0T3)e5f6 submit (0T3)g8f6 submit");
    assert_eq!(count(&end), (35, 35));
}

#[test]
fn a39_two_mandatory_boards() {
    let game = standard(
        "(0T1)g1f3 submit (0T1)g8f6 submit (0T2)f3(0T1)f5 submit (1T1)e7e6 submit \
         (1T2)b1c3 submit (0T2)e7e6 (1T2)d7d6 submit",
    );
    assert_eq!(common::mandatory(&game), "0 1");
    assert_eq!(count(&game), (1140, 1140));
}

#[test]
fn a40_every_royal_on_every_board_counts() {
    let game = standard(
        "(0T1)e2e3 submit (0T1)e7e6 submit (0T2)e1e2 submit (0T2)e8e7 submit \
         (0T3)e2(0T2)e2 submit",
    );
    let royals = |game: &Multiverse, line: i32| {
        let latest = game.latest(line).unwrap();
        game.board(latest).royals(lightcone::board::Colour::White).count_ones()
    };
    assert_eq!((royals(&game, 0), royals(&game, 1)), (0, 2));
    assert_eq!(count(&game), (1281, 1285));
}

#[test]
fn a42_a_bishop_is_stopped_by_a_board_that_is_not_there() {
    let blocks = "[7k/8/8/8/8/8/8/K7:0:1:w] [7k/8/8/8/8/8/8/K7:0:1:b] \
        [7k/8/8/8/3B4/8/8/K7:0:2:w] [7k/8/8/8/3B4/8/8/K7:0:2:b] [7k/8/8/8/3B4/8/8/K7:0:3:w] \
        [7k/8/8/8/8/8/8/K7:1:3:w] [7k/8/8/8/8/8/8/K7:2:1:w] [7k/8/8/8/8/8/8/K7:2:1:b] \
        [7k/8/8/8/8/8/8/K7:2:2:w] [7k/8/8/8/8/8/8/K7:2:2:b] [7k/8/8/8/8/8/8/K7:2:3:w]";
    assert_illegal_move(&position(blocks), "(0T3)d4(2T1)d4");
    let complete = format!("{blocks} [7k/8/8/8/8/8/8/K7:1:2:w]");
    assert!(pseudo(&position(&complete)).contains("(0T3)d4(2T1)d4"));
}

#[test]
fn a44_two_branches_in_one_action_have_one_order() {
    let start = standard(&format!("{TWO_LINES} (0T2)e7e6 (1T2)e7e6 submit"));
    assert_legal(&mut start.clone(), "(0T3)b1(0T2)b3 (1T3)b1(0T3)b3");
    let mut game = start.clone();
    let made = play(&mut game, "(0T3)b1(0T2)b3 (1T3)b1(0T3)b3");
    assert_eq!(made, [Made::Branch, Made::Branch]);
    let begins = |line: i32| *game.span(line).start();
    assert_eq!((begins(2), begins(3)), (5, 7), "from (0T2) and from (0T3)");
    let mut reverse = start;
    assert_eq!(play(&mut reverse, "(1T3)b1(0T3)b3"), [Made::Hop]);
    assert_illegal_move(&reverse, "(0T3)b1(0T2)b3");
}

#[test]
fn a46_a_move_that_two_boards_allow_does_not_complete_the_action() {
    let game = standard(
        "(0T1)e2e3 submit (0T1)e7e6 submit (0T2)b1(0T1)b3 submit (1T1)e7e6 submit \
         (1T2)g1f3 submit",
    );
    for word in ["(0T2)d7d5", "(1T2)d7d5"] {
        let mut begun = game.clone();
        play(&mut begun, word);
        assert!(!may_submit(&begun), "{word}");
    }
}
