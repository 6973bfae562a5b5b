//! Check (R24), mate and stalemate (R25), softmate (R26), limits (R26a), exiled kings (R27), what
//! does not end a game (R28), and positions that no game reaches (R29).

use lightcone::actions::{GameResult, Limit, Status, is_exiled, report};
use lightcone::board::Colour;
use lightcone::multiverse::Multiverse;

use crate::common::{actions, count, play, played, position, pseudo, set, state_text, status};

fn in_check(blocks: &str) -> bool {
    position(blocks).in_check()
}

#[test]
fn r24_check_is_a_threat_after_a_pass_on_the_present_boards() {
    assert!(in_check("[1r1/3/1K1:0:1:w]"));
    assert!(!in_check("[r2/3/1K1:0:1:w]"));
    // Through timelines: Black's rook of timeline 1 goes to the king's square on timeline 0.
    assert!(in_check("[k2/3/1K1:0:1:w] [k2/3/1r1:1:1:w]"));
    // Through time: the board after the pass is seen from turn 1 of Black.
    assert!(in_check("[3/3/1K1:0:1:b] [k2/3/1r1:0:2:w]"));
}

#[test]
fn r24_boards_ahead_of_the_present_are_not_passed_on() {
    // A rook attacks the king on a board where it is White's turn, but not yet.
    assert!(!in_check("[k2/3/2K:0:1:w] [k2/3/r1K:1:2:w]"));
    assert!(in_check("[k2/3/2K:0:1:w] [k2/3/r1K:1:1:w]"));
    // Nor on inactive timelines.
    assert!(!in_check("[k2/3/2K:0:2:w] [k2/3/2K:1:2:w] [k2/3/r1K:2:2:w]"));
    assert!(in_check("[k2/3/2K:0:2:w] [k2/3/2K:1:2:w] [k2/3/r1K:2:2:w] [k2/3/2K:-1:2:w]"));
}

#[test]
fn r24_a_side_without_royals_is_never_in_check() {
    assert!(!in_check("[1r1/3/1C1:0:1:w]"));
    assert!(!in_check("[1r1/3/1Q1:0:1:w]"));
    assert!(in_check("[1r1/3/1Y1:0:1:w]"));
}

#[test]
fn r25_no_legal_action_is_mate_in_check_and_stalemate_otherwise() {
    for (blocks, state) in [
        ("[2k/1q1/K2:0:1:w]", "check checkmate 0-1"),
        ("[k2/1Q1/2K:0:1:b]", "check checkmate 1-0"),
        ("[1q1/2k/K2:0:1:w]", "stalemate 1/2-1/2"),
        ("[k2/2K/1Q1:0:1:b]", "stalemate 1/2-1/2"),
        // The queen is not protected.
        ("[3k/4/1q2/K3:0:1:w]", "check ongoing *"),
    ] {
        assert_eq!(state_text(&position(blocks)), state, "{blocks}");
    }
}

#[test]
fn r25_a_royal_queen_is_mated_and_a_common_king_is_not() {
    // It can take the first rook, and the second one would take it.
    assert_eq!(state_text(&position("[r/r/Y:0:1:w]")), "check checkmate 0-1");
    assert_eq!(actions(&position("[r/r/C:0:1:w]")), set("(0T1)a1a2"));
}

#[test]
fn r25_a_board_without_moves_on_the_present_is_the_end() {
    // The pawn of timeline 0 is blocked; that timeline 1 has moves does not help.
    let stuck = position("[1n1/1P1/2n:0:1:w] [3/3/2P:1:1:w]");
    assert_eq!(pseudo(&stuck), set("(1T1)c1c2"));
    assert_eq!(state_text(&stuck), "stalemate 1/2-1/2");
    // A turn ahead of the present the board would be optional.
    assert_eq!(actions(&position("[3/3/2P:0:1:w] [1n1/1P1/3:1:2:w]")), set("(0T1)c1c2"));
}

/// On its board the king is mated; from the board of turn 1 it has one square to flee to.
const SOFTMATE: &str = "[1r1k/3r/4/K3:0:1:w] [3k/4/2r1/K2r:0:2:w]";
const MATE: &str = "[3k/4/2r1/K2r:0:2:w]";

#[test]
fn r26_softmate_is_check_that_only_new_timelines_answer() {
    let softmate = position(SOFTMATE);
    assert_eq!(actions(&softmate), set("(0T2)a1(0T1)a2"));
    assert_eq!(state_text(&softmate), "check softmate *");
    assert_eq!(state_text(&position(MATE)), "check checkmate 0-1");
    // One answer on the board is enough, and without check there is no softmate.
    let answer = "[1r1k/3r/4/K3:0:1:w] [3k/4/2r1/K1Rr:0:2:w]";
    assert_eq!(state_text(&position(answer)), "ongoing *");
    let capture = "[1r1k/3r/4/K3:0:1:w] [3k/4/2r1/KR1r:0:2:w]";
    assert_eq!(state_text(&position(capture)), "ongoing *");
    let taken = "[1r1k/3r/4/K3:0:1:w] [3k/3R/2r1/K2r:0:2:w]";
    assert_eq!(state_text(&position(taken)), "check ongoing *");
}

#[test]
fn r26a_a_limit_never_decides() {
    let two_boards = format!("{MATE} [3k/4/2r1/K2r:1:2:w]");
    for (blocks, decided) in [
        (MATE, Status::Checkmate),
        (two_boards.as_str(), Status::Checkmate),
        ("[1q1/2k/K2:0:1:w]", Status::Stalemate),
        (SOFTMATE, Status::Softmate),
        ("[k2/3/2K:0:1:w] [k2/3/2K:1:1:w]", Status::Ongoing),
    ] {
        let mut multiverse = position(blocks);
        assert_eq!(status(&multiverse), decided, "{blocks}");
        for work in 0..60 {
            let limit = Limit { work: Some(work), ..Limit::NONE };
            let found = report(&mut multiverse, true, &limit);
            match (found.status, &found.witness) {
                (Status::Undecided, witness) => {
                    assert!(witness.is_none(), "{blocks}: {work}");
                    assert_eq!(found.result, GameResult::Open, "{blocks}: {work}");
                }
                // A legal action is known, and not yet whether all of them branch.
                (Status::Ongoing, Some(_)) => assert_eq!(found.result, GameResult::Open),
                (status, _) => assert_eq!(status, decided, "{blocks}: {work}"),
            }
        }
        let nothing = Limit { work: Some(0), ..Limit::NONE };
        let found = report(&mut multiverse, true, &nothing);
        assert_eq!((found.status, found.result), (Status::Undecided, GameResult::Open));
    }
}

/// White is stalemated by a pawn on timeline 0; timeline 1 waits, timeline 2 is inactive.
fn stalemate(zero: &str, one: &str, two: &str) -> Multiverse {
    position(&format!("[{zero}/3/p2/P2:0:1:w] [{one}/3/3/3:1:1:b] [{two}/3/3/3:2:1:b]"))
}

#[test]
fn r27_a_stalemate_is_lost_by_the_only_side_that_is_exiled() {
    for (zero, one, two, result) in [
        // White's king is exiled, Black's is not; the other way round; both; none.
        ("2k", "3", "K2", "0-1"),
        ("3", "K2", "2k", "1-0"),
        ("3", "3", "K1k", "1/2-1/2"),
        ("2k", "K2", "K1k", "1/2-1/2"),
        // Royal queens count, other pieces do not, and no royal at all is not exile.
        ("2k", "3", "Y2", "0-1"),
        ("2k", "3", "C2", "1/2-1/2"),
        ("2k", "3", "3", "1/2-1/2"),
        ("3", "3", "K2", "0-1"),
    ] {
        let mut multiverse = stalemate(zero, one, two);
        let name = format!("{zero} {one} {two}");
        assert_eq!(state_text(&multiverse), format!("stalemate {result}"), "{name}");
        let plain = report(&mut multiverse, false, &Limit::NONE);
        assert_eq!((plain.status, plain.result), (Status::Stalemate, GameResult::Draw), "{name}");
    }
}

#[test]
fn r27_only_latest_boards_count_for_exile() {
    let exiled = |multiverse: &Multiverse| Colour::BOTH.map(|side| is_exiled(multiverse, side));
    assert_eq!(exiled(&stalemate("2k", "3", "K2")), [true, false]);
    assert_eq!(exiled(&stalemate("2k", "K2", "K2")), [false, false]);
    // The king has left an active timeline, and another one an inactive timeline.
    let left = "[3/3:0:0:w] [3/3:0:1:w] [3/K2:1:0:w] [3/3:1:1:w] [3/3:2:0:w] [3/K2:2:1:w]";
    assert_eq!(exiled(&position(left)), [true, false]);
    let gone = "[3/3:0:1:w] [3/3:1:1:w] [3/K2:2:0:w] [3/3:2:1:w]";
    assert_eq!(exiled(&position(gone)), [false, false]);
}

#[test]
fn r27_exile_does_not_matter_as_long_as_there_is_an_action() {
    let game = position("[2k/3/3/P2:0:1:w] [3/3/3/3:1:1:b] [K2/3/3/3:2:1:b]");
    assert!(is_exiled(&game, Colour::White));
    assert_eq!(state_text(&game), "ongoing *");
}

#[test]
fn r28_neither_repetition_nor_length_ends_a_game() {
    let mut game = position("[2k/3/K2:0:1:w]");
    for turn in (1..=60).step_by(2) {
        let next = turn + 1;
        play(
            &mut game,
            &format!(
                "(0T{turn})a1b1 submit (0T{turn})c3b3 submit \
                 (0T{next})b1a1 submit (0T{next})b3c3 submit"
            ),
        );
        assert_eq!(status(&game), Status::Ongoing, "turn {turn}");
    }
}

#[test]
fn r29_a_royal_that_can_be_taken_at_once_is_taken_like_any_piece() {
    let game = position("[1r1/3/1K1:0:1:b]");
    assert!(game.can_take_royal(Colour::Black));
    assert_eq!(state_text(&game), "ongoing *");
    assert_eq!(actions(&game), set("(0T1)b3a3 (0T1)b3c3 (0T1)b3b2 (0T1)b3b1"));
    // The king still stands on the past board, where it can be taken once more (R3).
    let after = played("[1r1/3/1K1:0:1:b]", "(0T1)b3b1 submit");
    assert_eq!(count(&after), (0, 0));
    assert_eq!(state_text(&after), "check checkmate 0-1");
}

#[test]
fn r29_a_side_without_royals_can_mate() {
    let game = position("[k2/1Q1/1R1:0:1:b]");
    assert_eq!(state_text(&game), "check checkmate 1-0");
}
