//! Whole actions: which moves they may hold (R17), what their order means (R18), which royals can
//! be taken (R22), and which actions are the same (R23).

use lightcone::board::Colour;
use lightcone::multiverse::{Made, Multiverse};

use crate::common::{
    actions, count, find_move, legal, may_submit, play, played, position, set, signature,
};

#[test]
fn r17_each_board_is_played_once_and_new_boards_not_at_all() {
    let blocks = "[k2/3/2K:0:1:w] [k2/3/2K:1:1:w]";
    let begun = played(blocks, "(0T1)c1b1");
    for word in ["(0T1)b1a1", "(0T1)c1b1", "(0T2)b1a1"] {
        assert!(find_move(&begun, word).is_err(), "{word}");
    }
    assert!(find_move(&begun, "(1T1)c1b1").is_ok());
    // The timelines of a hop are used up, and a branch is the opponent's.
    let hop = played("[k1/2/RK:0:1:w] [k1/2/1K:1:1:w]", "(0T1)a1(1T1)a1");
    assert!(hop.pseudo_legal_moves().is_empty());
    let branch = played("[k1/2/RK:0:1:w] [k1/2/RK:0:2:w]", "(0T2)b1(0T1)b2");
    assert!(branch.pseudo_legal_moves().is_empty());
}

#[test]
fn r17_the_first_move_starts_on_a_board_of_the_mover() {
    let start = position("[k2/3/2K:0:1:w] [k2/3/2K:1:1:b]");
    for word in ["(1T1)c1b1", "(1T1)a3a2"] {
        assert!(find_move(&start, word).is_err(), "{word}");
    }
}

/// Two boards of turn 2 from which a king each may go back.
const TWO: &str = "[3/1K1/3:0:1:w] [3/1K1/3:0:2:w] [3/3/3:1:1:w] [3/1K1/3:1:2:w]";

#[test]
fn r18_branches_are_numbered_in_the_order_made() {
    let (one, other) = ("(0T2)b2(0T1)a1", "(1T2)b2(1T1)c3");
    let first = played(TWO, &format!("{one} {other}"));
    let second = played(TWO, &format!("{other} {one}"));
    let board = |multiverse: &Multiverse, line: i32| {
        lightcone::notation::write_board(multiverse.board(multiverse.latest(line).unwrap()))
    };
    assert_eq!(board(&first, 2), "3/1K1/K2");
    assert_eq!(board(&first, 3), "2K/3/3");
    assert_eq!(board(&second, 2), board(&first, 3));
    assert_eq!(board(&second, 3), board(&first, 2));
    assert_ne!(first.key(), second.key());
    // Both are actions of their own.
    let found = legal(&mut position(TWO));
    for multiverse in [&first, &second] {
        assert!(found.iter().any(|action| action.after == signature(multiverse)));
    }
}

#[test]
fn r18_a_jump_onto_a_board_already_played_branches_and_before_it_hops() {
    let blocks = "[k2/3/1RK:0:1:w] [k2/3/2K:1:1:w]";
    assert_eq!(play(&mut position(blocks), "(0T1)b1(1T1)b1"), [Made::Hop]);
    let mut later = position(blocks);
    assert_eq!(play(&mut later, "(1T1)c1c2 (0T1)b1(1T1)b1"), [Made::Physical, Made::Branch]);
}

#[test]
fn r18_otherwise_the_order_does_not_matter() {
    let blocks = "[k2/3/2K:0:1:w] [k2/3/1RK:1:1:w] [k2/3/2K:2:1:w]";
    let words = ["(0T1)c1c2", "(1T1)b1(2T1)b1"];
    let first = played(blocks, &words.join(" "));
    let second = played(blocks, &format!("{} {}", words[1], words[0]));
    assert_eq!((first.key(), signature(&first)), (second.key(), signature(&second)));
}

#[test]
fn r22_a_royal_can_be_taken_from_every_board_that_the_opponent_may_play() {
    for (blocks, can) in [
        // From the board itself, from a board ahead, from an inactive timeline.
        ("[1r1/3/1K1:0:1:b]", true),
        ("[2r/3/1K1:0:1:b]", false),
        ("[3/3/1K1:0:1:b] [3/3/1r1:1:1:b]", true),
        ("[3/3/1K1:0:1:b] [3/3/3:1:2:b] [3/3/1b1:2:3:b]", true),
        ("[3/3/1K1:0:1:b] [3/3/1r1:0:2:b]", true),
        // Not from a board that shows the other colour, nor from one that is past.
        ("[3/3/1K1:0:1:b] [3/3/1r1:1:1:w]", false),
        ("[3/3/1K1:0:1:b] [3/3/1r1:1:1:b] [3/3/3:1:2:b]", false),
    ] {
        assert_eq!(position(blocks).can_take_royal(Colour::Black), can, "{blocks}");
    }
}

#[test]
fn r22_only_the_state_at_submit_counts() {
    // In check on timeline 0, White may play the other board first, or the king.
    let blocks = "[k3/4/3r/3K:0:1:w] [k3/4/4/3R:1:1:w]";
    assert!(position(blocks).in_check());
    for (first, second) in [("(1T1)d1d2", "(0T1)d1c1"), ("(0T1)d1c1", "(1T1)d1d2")] {
        let mut game = played(blocks, first);
        assert!(!may_submit(&game), "the other board holds the present");
        play(&mut game, second);
        assert!(may_submit(&game));
        let found = legal(&mut position(blocks));
        assert!(found.iter().any(|action| action.after == signature(&game)));
    }
    // A king may be put on an attacked square, but the action cannot be submitted.
    let hanging = played(blocks, "(1T1)d1d2 (0T1)d1c2");
    assert!(hanging.present_has_passed() && !may_submit(&hanging));
}

#[test]
fn r23_like_pieces_that_exchange_targets_make_one_action() {
    // Lone queens on (-1T1)a1 and (2T1)a4, empty boards between.
    let start = position("[4/4/4/Q3:-1:1:w] [4/4/4/4:0:1:w] [4/4/4/4:1:1:w] [Q3/4/4/4:2:1:w]");
    assert_eq!(count(&start), (31, 32));
}

#[test]
fn r23_two_kings_that_branch_to_like_boards_make_one_action() {
    let mut start = position("[2k*/3/K*2:0:1:w]");
    play(&mut start, "(0T1)a1a2 submit (0T1)c3c2 submit (0T2)a2(0T1)a2 submit");
    assert_eq!(count(&start), (26, 27));
}

#[test]
fn r23_marks_and_rights_tell_multiverses_apart() {
    // The same pieces on the same squares, but for a mark.
    let marked = position("[2k/3/R*1K:0:1:w]");
    let plain = position("[2k/3/R1K:0:1:w]");
    assert_ne!(marked.key(), plain.key());
    // A double step, and two single ones that end alike: a right more.
    let right = position("[k1/2/2/2/P*K:0:1:w] [k1/2/P1/2/1K:0:1:b]");
    let none = position("[k1/2/2/2/PK:0:1:w] [k1/2/P1/2/1K:0:1:b]");
    assert_ne!(signature(&right), signature(&none));
    let latest = |multiverse: &Multiverse| *multiverse.board_at(0, 3);
    assert_ne!(latest(&right).key(), latest(&none).key());
}

#[test]
fn r23_one_board_with_one_pawn_has_as_many_actions_as_moves() {
    let start = position("[2k/3/3/P*1K:0:1:w]");
    assert_eq!(actions(&start), set("(0T1)a1a2 (0T1)a1a3 (0T1)c1b1 (0T1)c1b2 (0T1)c1c2"));
}
