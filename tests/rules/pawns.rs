//! Pawns and brawns: straight steps (R4), captures (R5, R6), en passant (R7), promotion (R9).

use std::collections::BTreeSet;

use lightcone::board::{PieceKind, Square};
use lightcone::multiverse::{Made, Multiverse, Promotions};
use lightcone::notation::write_fen;
use lightcone::session::Game;

use crate::common::{find_move, jumps, play, played, position, pseudo, set, targets};

/// Timelines -2 to 2 of empty 3x5 boards of one colour, with a piece on b2 or, for Black, on b4
/// of timeline 0. Some ranks can be replaced: (timeline, ranks).
fn across(piece: &str, colour: char, others: &[(i32, &str)]) -> Multiverse {
    let middle =
        if colour == 'w' { format!("3/3/3/1{piece}1/3") } else { format!("3/1{piece}1/3/3/3") };
    let block = |line: i32| {
        let other = others.iter().find(|(other, _)| *other == line).map(|(_, ranks)| *ranks);
        let ranks = other.unwrap_or(if line == 0 { &middle } else { "3/3/3/3/3" });
        format!("[{ranks}:{line}:1:{colour}]")
    };
    position(&(-2..=2).map(block).collect::<Vec<_>>().join(" "))
}

#[test]
fn r4_pawns_and_brawns_step_forward_along_ranks_and_timelines() {
    for (unmoved, moved) in [("P*", "P"), ("W*", "W")] {
        let start = across(unmoved, 'w', &[]);
        assert_eq!(pseudo(&start).len(), 4);
        assert_eq!(targets(&start, "(0T1)b2"), set("b3 b4 (-1T1)b2 (-2T1)b2"));
        assert_eq!(pseudo(&across(moved, 'w', &[])), set("(0T1)b2b3 (0T1)b2(-1T1)b2"));
    }
    for (unmoved, moved) in [("p*", "p"), ("w*", "w")] {
        let start = across(unmoved, 'b', &[]);
        assert_eq!(targets(&start, "(0T1)b4"), set("b3 b2 (1T1)b4 (2T1)b4"));
        assert_eq!(pseudo(&across(moved, 'b', &[])), set("(0T1)b4b3 (0T1)b4(1T1)b4"));
    }
}

#[test]
fn r4_a_double_step_needs_both_squares() {
    let ranks = |blocks: &str| targets(&position(blocks), "(0T1)a1");
    assert_eq!(ranks("[1/1/1/P*:0:1:w]"), set("a2 a3"));
    assert_eq!(ranks("[1/n/1/P*:0:1:w]"), set("a2"));
    assert_eq!(ranks("[1/1/n/P*:0:1:w]"), set(""));
    assert_eq!(ranks("[1/1/N/P*:0:1:w]"), set(""));
    let lines =
        |line: i32, ranks: &str| jumps(&targets(&across("P*", 'w', &[(line, ranks)]), "(0T1)b2"));
    assert_eq!(lines(-2, "3/3/3/1n1/3"), set("(-1T1)b2"));
    assert_eq!(lines(-1, "3/3/3/1n1/3"), set(""));
    assert_eq!(lines(-1, "3/3/3/1N1/3"), set(""));
    // The board between is not there at this turn.
    let late = position("[1/1/P*:0:1:w] [1/1/1:-1:2:w] [1/1/1:-2:1:w]");
    assert_eq!(jumps(&targets(&late, "(0T1)a1")), set(""));
    // An unmoved pawn may stand on any rank.
    assert_eq!(ranks("[1/1/1/1/P*:0:1:w]"), set("a2 a3"));
    assert_eq!(targets(&position("[1/1/1/P*/1:0:1:w]"), "(0T1)a2"), set("a3 a4"));
}

#[test]
fn r4_straight_steps_never_capture_and_never_go_through_time() {
    let blocked = position("[3/1n1/1P1/3:0:1:w] [3/3/1n1/3:-1:1:w]");
    assert_eq!(pseudo(&blocked), set(""));
    let past = position("[3/3/3/3:0:1:w] [3/3/3/1P*1:0:2:w] [3/3/3/3:1:1:w] [3/3/3/3:1:2:w]");
    assert_eq!(targets(&past, "(0T2)b1"), set("b2 b3"));
}

/// Timelines -1 to 1 and White's or Black's boards of turns 1 to 3, full of enemies but for
/// timeline 0, which ends with turn 2, where a piece stands on b2 among them.
fn among_enemies(piece: &str, colour: char) -> BTreeSet<[i32; 4]> {
    let enemy = if colour == 'w' { "n" } else { "N" };
    let row = enemy.repeat(3);
    let mut blocks = Vec::new();
    for line in -1..=1 {
        for turn in 1..=3 {
            let middle =
                if (line, turn) == (0, 2) { format!("{enemy}{piece}{enemy}") } else { row.clone() };
            if line != 0 || turn <= 2 {
                blocks.push(format!("[{row}/{middle}/{row}:{line}:{turn}:{colour}]"));
            }
        }
    }
    let multiverse = position(&blocks.join(" "));
    let moves = multiverse.pseudo_legal_moves();
    let steps: BTreeSet<[i32; 4]> = moves
        .iter()
        .map(|m| {
            let dx = i32::from(m.to_square.file()) - 1;
            let dy = i32::from(m.to_square.rank()) - 1;
            [m.to.line, m.to.turn() - 2, dx, dy]
        })
        .collect();
    assert_eq!(steps.len(), moves.len());
    steps
}

#[test]
fn r5_a_pawn_captures_along_two_axes_and_no_others() {
    let white = [[0, 0, -1, 1], [0, 0, 1, 1], [-1, -1, 0, 0], [-1, 1, 0, 0]];
    assert_eq!(among_enemies("P", 'w'), white.into());
    assert_eq!(among_enemies("P*", 'w'), white.into());
    let black = [[0, 0, -1, -1], [0, 0, 1, -1], [1, -1, 0, 0], [1, 1, 0, 0]];
    assert_eq!(among_enemies("p", 'b'), black.into());
}

#[test]
fn r5_the_square_must_hold_an_enemy() {
    let vacant = "[3/3/3/3:-1:1:w] [3/3/3/3:-1:3:w] [3/3/1P1/3:0:2:w]";
    assert_eq!(pseudo(&position(vacant)), set("(0T2)b2b3"));
    let own = "[3/3/1N1/3:-1:1:w] [3/3/3/3:-1:3:w] [3/N1N/1P1/3:0:2:w]";
    assert_eq!(targets(&position(own), "(0T2)b2"), set("b3"));
    let enemy = "[3/3/1n1/3:-1:1:w] [3/3/3/3:-1:3:w] [3/n1n/1P1/3:0:2:w]";
    assert_eq!(targets(&position(enemy), "(0T2)b2"), set("a3 b3 c3 (-1T1)b2"));
}

#[test]
fn r6_a_brawn_captures_forward_along_any_two_axes() {
    // As in the ruling, but for the step into the future of its own timeline.
    let white = [
        [0, 0, -1, 1],
        [0, 0, 1, 1],
        [0, -1, 0, 1],
        [-1, 0, 0, 1],
        [-1, 0, -1, 0],
        [-1, 0, 1, 0],
        [-1, -1, 0, 0],
        [-1, 1, 0, 0],
    ];
    assert_eq!(among_enemies("W", 'w'), white.into());
    assert_eq!(among_enemies("W*", 'w'), white.into());
    let black = white.map(|[dl, dt, dx, dy]| [-dl, dt, dx, -dy]);
    assert_eq!(among_enemies("w", 'b'), black.into());
}

#[test]
fn r6_a_brawn_moves_to_vacant_squares_as_a_pawn_does() {
    for (brawn, pawn, colour) in [("W*", "P*", 'w'), ("W", "P", 'w'), ("w*", "p*", 'b')] {
        assert_eq!(pseudo(&across(brawn, colour, &[])), pseudo(&across(pawn, colour, &[])));
    }
}

/// White's pawn has come beside two black ones, and makes a double step: Black may take it so.
const STEP: &str = "[4k/5/1p1p1/5/2P*2/4K:0:1:w]";

/// Whether the latest board of any timeline bears an en passant right.
fn has_right(multiverse: &Multiverse) -> bool {
    multiverse.lines().any(|line| right_on(multiverse, line).is_some())
}

/// The square where a pawn may be taken en passant on the latest board of a timeline.
fn right_on(multiverse: &Multiverse, line: i32) -> Option<Square> {
    multiverse.board(multiverse.latest(line).unwrap()).en_passant()
}

#[test]
fn r7_en_passant_takes_the_pawn_that_has_just_made_a_double_step() {
    let start = played(STEP, "(0T1)c2c4 submit");
    assert_eq!(targets(&start, "(0T1)b4"), set("b3 c3"));
    assert_eq!(targets(&start, "(0T1)d4"), set("d3 c3"));
    let mut taken = start;
    play(&mut taken, "(0T1)b4c3 submit");
    assert!(write_fen(&taken).ends_with("[4k/5/3p1/2p2/5/4K:0:2:w]"), "{}", write_fen(&taken));
    assert!(!has_right(&taken));
}

#[test]
fn r7_a_single_step_gives_no_right() {
    let start = played("[4k/5/5/1p3/2P*2/5/4K:0:1:w]", "(0T1)c3c4 submit");
    assert!(!has_right(&start));
    assert_eq!(targets(&start, "(0T1)b4"), set("b3"));
}

#[test]
fn r7_brawns_take_and_are_taken_en_passant() {
    for pieces in [("P*", "w"), ("W*", "p"), ("W*", "w")] {
        let blocks = format!("[4k/5/1{}3/5/2{}2/4K:0:1:w]", pieces.1, pieces.0);
        let start = played(&blocks, "(0T1)c2c4 submit");
        assert_eq!(targets(&start, "(0T1)b4"), set("b3 c3"), "{pieces:?}");
    }
    // Other pieces do not take so: a bishop goes there and takes nothing.
    let bishop = played("[4k/5/1b3/5/2P*2/4K:0:1:w]", "(0T1)c2c4 submit (0T1)b4c3 submit");
    assert!(write_fen(&bishop).ends_with("[4k/5/2P2/2b2/5/4K:0:2:w]"));
}

#[test]
fn r7_en_passant_right_is_lost_after_any_other_move_on_the_timeline() {
    let start = played(STEP, "(0T1)c2c4 submit");
    assert!(has_right(&start));
    let mut other = start;
    play(&mut other, "(0T1)e6e5 submit");
    assert!(!has_right(&other));
    play(&mut other, "(0T2)e1d1 submit");
    assert_eq!(targets(&other, "(0T2)b4"), set("b3"));
}

#[test]
fn r7_en_passant_right_is_lost_by_arrival_departure_and_branch() {
    let blocks = "[n3k/5/1p1p1/5/2P*2/4K:0:1:w] [n3k/5/5/5/5/4K:1:1:w]";
    let start = played(blocks, "(0T1)c2c4 (1T1)e1d1 submit");
    assert!(has_right(&start));
    // A knight comes, or goes.
    for word in ["(1T1)a6(0T1)c6", "(0T1)a6(1T1)c6"] {
        let mut after = start.clone();
        assert_eq!(play(&mut after, word), [Made::Hop], "{word}");
        assert_eq!(right_on(&after, 0), None, "{word}");
    }
    // A branch from the board with the right, which is no longer the latest.
    let mut branch = start;
    let made = play(&mut branch, "(0T1)e6e5 (1T1)a6(0T1)c6");
    assert_eq!(made, [Made::Physical, Made::Branch]);
    assert_eq!(right_on(&branch, -1), None);
}

#[test]
fn r7_en_passant_right_stays_as_long_as_nothing_happens_on_the_timeline() {
    // Timeline 1 is ahead and waits, while the game goes on elsewhere.
    let mut start =
        position("[k4/5/5/5/5/4K:0:1:b] [k4/5/1p3/5/2P*2/4K:1:3:w] [k4/5/1pP2/5/5/4K:1:3:b]");
    assert!(targets(&start, "(1T3)b4").contains("c3"));
    play(&mut start, "(0T1)a6b6 submit (0T2)e1d1 submit (0T2)b6a6 submit (0T3)d1e1 submit");
    assert_eq!(targets(&start, "(1T3)b4"), set("b3 c3"));
}

#[test]
fn r7_a_double_step_along_the_timelines_gives_no_right() {
    let start = "[3k/4/3p/P*2K:0:1:w] [3k/4/1p2/3K:-1:1:w] [3k/4/1p2/3K:-2:1:w]";
    let after = played(start, "(0T1)a1(-2T1)a1 (-1T1)d1c1 submit");
    assert!(!has_right(&after));
}

#[test]
fn r7_en_passant_is_possible_at_once_on_a_branch_and_on_turn_one() {
    // Black branches to White's board of turn 1, and White's double step there is the first
    // thing that happens on the new timeline.
    let blocks = "[n3k/5/1p3/5/2P*2/4K:0:0:b] [n3k/5/1p3/5/2P*2/4K:0:1:w]";
    let first = played(blocks, "(0T1)c2c4 submit");
    assert_eq!(targets(&first, "(0T1)b4"), set("b3 c3"));
    let mut branch = played(blocks, "(0T1)e1d1 submit");
    play(&mut branch, "(0T1)a6(0T0)a4 submit (-1T1)c2c4 submit");
    assert_eq!(targets(&branch, "(-1T1)b4"), set("b3 c3"));
}

#[test]
fn r7_a_double_step_that_promotes_gives_no_right() {
    let after = played("[1k/1p/P*K:0:1:w]", "(0T1)a1a3 submit");
    assert!(write_fen(&after).ends_with("[Qk/1p/1K:0:1:b]"), "{}", write_fen(&after));
    assert!(!has_right(&after));
}

#[test]
fn r7_reading_finds_the_right_in_two_boards_half_a_turn_apart() {
    let pair = |before: &str, after: &str| {
        has_right(&position(&format!("[{before}:0:1:w] [{after}:0:1:b]")))
    };
    assert!(pair("k/1/1/1/P*", "k/1/P/1/1"));
    // The mark is still there, another piece moved too, the pawn was not unmoved, it was two.
    assert!(!pair("k/1/1/1/P*", "k/1/P*/1/1"));
    assert!(!pair("k1/2/2/2/P*1", "1k/2/P1/2/2"));
    assert!(!pair("k/1/1/1/P", "k/1/P/1/1"));
    assert!(!pair("k1/2/2/2/P*P*", "k1/2/PP/2/2"));
    // The square between was held.
    assert!(!pair("k/1/1/n/P*", "k/1/P/n/1"));
    // Half a turn is missing, or the earlier board stands on another timeline.
    assert!(!has_right(&position("[k/1/1/1/P*:0:0:w] [k/1/P/1/1:0:1:b]")));
    assert!(!has_right(&position("[k/1/1/1/P*:0:1:w] [k/1/P/1/1:1:1:b]")));
    // Black's double step, from Black's board to White's.
    assert!(has_right(&position("[p*/1/1/1/K:0:1:b] [1/1/p/1/K:0:2:w]")));
}

#[test]
fn r9_a_pawn_that_reaches_the_last_rank_becomes_a_queen() {
    for pawn in ["P", "W"] {
        let start = position(&format!("[1n1k/{pawn}3/4/3K:0:1:w]"));
        assert_eq!(targets(&start, "(0T1)a3"), set("a4Q b4Q"));
        let after = played(&write_fen(&start), "(0T1)a3b4 submit");
        assert!(write_fen(&after).ends_with("[1Q1k/4/4/3K:0:1:b]"));
    }
    let black = position("[3k/4/p3/1N1K:0:1:b]");
    assert_eq!(targets(&black, "(0T1)a2"), set("a1Q b1Q"));
}

#[test]
fn r9_a_double_step_that_lands_there_promotes_too() {
    let start = position("[2k/3/P*1K:0:1:w]");
    assert_eq!(targets(&start, "(0T1)a1"), set("a2 a3Q"));
}

#[test]
fn r9_promotion_on_another_board_and_on_a_new_one() {
    // Forward along timelines and ranks at once: the brawn arrives on the last rank.
    let across = "[n1k/3/3/2K:-1:1:w] [2k/W2/3/2K:0:1:w]";
    assert!(targets(&position(across), "(0T1)a3").contains("(-1T1)a4Q"));
    let after = played(across, "(0T1)a3(-1T1)a4Q submit");
    assert!(write_fen(&after).contains("[Q1k/3/3/2K:-1:1:b]"), "{}", write_fen(&after));
    // Back in time and forward in rank: a new timeline.
    let back = "[n1k/3/3/2K:0:1:w] [2k/W2/3/2K:0:2:w]";
    let after = played(back, "(0T2)a3(0T1)a4Q submit");
    assert!(write_fen(&after).ends_with("[Q1k/3/3/2K:1:1:b]"), "{}", write_fen(&after));
    // A pawn that stands on the last rank already and steps along the timelines.
    let along = position("[2k/3/3/2K:-1:1:w] [P1k/3/3/2K:0:1:w]");
    assert_eq!(targets(&along, "(0T1)a4"), set("(-1T1)a4Q"));
}

#[test]
fn r9_other_pieces_only_where_they_are_allowed() {
    let mut start = position("[3k/P3/4/3K:0:1:w]");
    assert!(find_move(&start, "(0T1)a3a4N").unwrap_err().contains("not allowed"));
    start.set_promotions(Promotions::new(&[PieceKind::Queen, PieceKind::Knight]).unwrap());
    assert_eq!(targets(&start, "(0T1)a3"), set("a4Q a4N"));
    assert!(find_move(&start, "(0T1)a3a4R").is_err());
    let knight = find_move(&start, "(0T1)a3a4N").unwrap();
    start.make_move(&knight);
    assert!(write_fen(&start).ends_with("[N2k/4/4/3K:0:1:b]"));
}

#[test]
fn r9_the_letter_is_compulsory_where_the_queen_is_not_allowed() {
    let mut start = position("[3k/P3/4/3K:0:1:w]");
    start.set_promotions(Promotions::new(&[PieceKind::Rook, PieceKind::Knight]).unwrap());
    assert_eq!(targets(&start, "(0T1)a3"), set("a4R a4N"));
    assert!(find_move(&start, "(0T1)a3a4").unwrap_err().contains("letter is needed"));
    assert!(find_move(&start, "(0T1)a3a4R").is_ok());
}

#[test]
fn r9_royals_and_pawns_are_never_in_the_set() {
    for kind in [PieceKind::King, PieceKind::RoyalQueen, PieceKind::Pawn, PieceKind::Brawn] {
        assert_eq!(Promotions::new(&[PieceKind::Queen, kind]), None, "{kind:?}");
    }
    assert_eq!(Promotions::new(&[]), None);
    assert!(Promotions::new(&[PieceKind::CommonKing, PieceKind::Dragon]).is_some());
}

#[test]
fn r9_a_change_that_would_make_the_history_illegal_is_refused() {
    let mut game = Game::new("Custom", position("[3k/P3/4/3K:0:1:w]"));
    let step = find_move(game.multiverse(), "(0T1)a3a4").unwrap();
    game.play(step);
    game.submit().unwrap();
    assert!(game.set_promotions(Promotions::new(&[PieceKind::Rook]).unwrap()).is_err());
    assert_eq!(game.multiverse().promotions(), Promotions::QUEEN);
    let more = Promotions::new(&[PieceKind::Rook, PieceKind::Queen]).unwrap();
    assert!(game.set_promotions(more).is_ok());
    assert_eq!(game.multiverse().promotions(), more);
}
