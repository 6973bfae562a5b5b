//! 5DFEN (R30), the moves of the protocol (R31) and promotion letters (R32).

use lightcone::board::{Colour, PieceKind, Size};
use lightcone::notation::{move_to_string, parse_fen, parse_move, write_fen};

use crate::common::{find_move, play, position, pseudo, set, targets};

#[test]
fn r30_positions_are_written_as_they_were_read() {
    for blocks in [
        "[pwkcqy/snrbud/PWKCQY/SNRBUD:0:1:w]",
        "[p*w*k*r*/4/P*W*K*R*:0:1:w]",
        "[k7/8/8/8/8/8/8/7K:0:1:w]",
        "[1k/K1:-1:2:b] [1k/K1:0:1:w] [1k/K1:0:1:b] [1k/K1:1:3:w]",
        "[k:-1:1:w] [k:-0:1:w] [k:+0:1:w] [k:+1:1:w]",
        "[k:0:-2:w] [k:0:-2:b] [k:0:-1:w] [k:0:-1:b] [k:0:0:w]",
    ] {
        assert_eq!(write_fen(&position(blocks)), blocks);
    }
}

#[test]
fn r30_runs_of_empty_squares_may_have_two_digits() {
    assert_eq!(write_fen(&position("[08/k07:0:1:w]")), "[8/k7:0:1:w]");
    assert!(parse_fen("[11:0:1:w]", None, None).is_err(), "eleven squares");
}

#[test]
fn r30_ranks_come_from_the_top_and_marks_follow_their_piece() {
    let start = position("[3/2k/R*2:0:1:w]");
    let board = start.board_at(0, 2);
    let pieces: Vec<String> = board
        .pieces()
        .map(|(square, piece)| format!("{}{square}{}", piece.letter(), piece.unmoved))
        .collect();
    assert_eq!(pieces, ["Ra1true", "kc2false"]);
}

#[test]
fn r30_turns_are_signed() {
    let mut game = position("[1k/2/K1:0:-1:b] [1k/2/K1:0:0:w] [1k/2/K1:0:0:b]");
    assert_eq!(game.span(0), -1..=1);
    // Black enters the board of turn -1; White's board of turn 0 follows it.
    play(&mut game, "(0T0)b3(0T-1)a3 submit (-1T0)a1b1 submit");
    assert!(write_fen(&game).starts_with("[kk/2/K1:-1:0:w] [kk/2/1K:-1:0:b] [1k/2/K1:0:-1:b]"));
}

#[test]
fn r30_the_side_to_move_follows_from_the_present() {
    assert_eq!(position("[k:0:1:w] [k:1:0:b]").side(), Colour::Black);
    assert_eq!(position("[k:0:1:w] [k:1:1:b]").side(), Colour::White);
}

#[test]
fn r30_size_and_parity_follow_from_the_blocks_where_they_are_not_given() {
    let start = position("[3/3:-0:1:w] [3/3:+0:1:w]");
    assert!(start.is_even());
    assert_eq!(start.size(), Size { width: 3, height: 2 });
    assert!(!position("[3/3:-1:1:w] [3/3:0:1:w]").is_even());
    // Given, they may not be contradicted.
    let read = |even, width| parse_fen("[3/3:-1:1:w] [3/3:0:1:w]", Size::new(width, 2), even);
    assert!(read(Some(false), 3).is_ok());
    assert!(read(Some(false), 4).is_err());
    assert!(parse_fen("[3:-0:1:w] [3:+0:1:w]", None, Some(false)).is_err());
}

#[test]
fn r30_in_an_even_start_zero_is_plus_zero() {
    let start = parse_fen("[k:-0:1:w] [q:0:1:w]", None, None).unwrap();
    assert_eq!(write_fen(&start), "[k:-0:1:w] [q:+0:1:w]");
    let given = parse_fen("[k:-0:1:w] [q:0:1:w] [r:1:1:w]", None, Some(true)).unwrap();
    assert_eq!(write_fen(&given), "[k:-0:1:w] [q:+0:1:w] [r:+1:1:w]");
    assert!(parse_fen("[k:-0:1:w] [q:0:1:w] [q:+0:1:w]", None, None).is_err());
}

#[test]
fn r30_faults_are_errors_that_name_the_block() {
    for blocks in [
        "",
        "[k:0:1:w",
        "k:0:1:w]",
        "[k:0:1]",
        "[k:0:1:w:w]",
        "[k:0:1:x]",
        "[k:x:1:w]",
        "[k:0:x:w]",
        "[x:0:1:w]",
        "[:0:1:w]",
        "[2k/2:0:1:w]",
        "[9:0:1:w]",
        "[0k:0:1:w]",
        "[Q*:0:1:w]",
        "[k:0:1:w] [k:0:1:w]",
        "[2/2:0:1:w] [3/3:1:1:w]",
        "[k:0:1:w] x",
    ] {
        let error = parse_fen(blocks, None, None).err();
        let error = error.unwrap_or_else(|| panic!("{blocks} is accepted"));
        assert!(!error.token.is_empty() && !error.expected.is_empty(), "{blocks}");
    }
}

#[test]
fn r31_moves_name_their_boards_and_squares() {
    let start = position("[1k/2/RK:0:1:w] [1k/2/RK:0:2:w] [1k/2/2:1:2:w]");
    assert_eq!(targets(&start, "(0T2)a1"), set("a2 a3 (1T2)a1"));
    for step in start.pseudo_legal_moves() {
        let text = move_to_string(&step);
        assert_eq!(find_move(&start, &text), Ok(step), "{text}");
    }
    // Both boards may be written for a move that stays on its own.
    assert_eq!(find_move(&start, "(0T2)a1(0T2)a2"), find_move(&start, "(0T2)a1a2"));
    assert!(find_move(&start, "(0T2)a1a2").is_ok());
}

#[test]
fn r31_castling_is_the_kings_move_and_en_passant_the_pawns() {
    let castling = position("[3k/4/4/K*2R*:0:1:w]");
    assert!(pseudo(&castling).contains("(0T1)a1c1"));
    let mut game = position("[3k/4/1p2/4/P*2K:0:1:w]");
    play(&mut game, "(0T1)a1a3 submit");
    assert!(pseudo(&game).contains("(0T1)b3a2"));
}

#[test]
fn r31_even_starts_count_the_lower_timelines_from_minus_one() {
    let start = position("[1k/K1:-1:1:w] [1k/K1:-0:1:w] [1k/K1:+0:1:w] [1k/K1:+1:1:w]");
    let moves = pseudo(&start);
    for word in ["(-2T1)a1a2", "(-1T1)a1a2", "(0T1)a1a2", "(1T1)a1a2"] {
        assert!(moves.contains(word), "{word}");
    }
    let names: Vec<String> = start.lines().map(|line| start.line_name(line).to_string()).collect();
    assert_eq!(names, ["-1", "-0", "+0", "+1"]);
}

#[test]
fn r32_promotion_letters_are_written_in_upper_case_and_may_be_missing() {
    let start = position("[3k/P3/4/3K:0:1:w]");
    assert_eq!(targets(&start, "(0T1)a3"), set("a4Q"));
    let queen = find_move(&start, "(0T1)a3a4Q").unwrap();
    assert_eq!(queen.promotion, Some(PieceKind::Queen));
    for word in ["(0T1)a3a4", "(0T1)a3a4q"] {
        assert_eq!(find_move(&start, word), Ok(queen), "{word}");
    }
    for word in ["(0T1)a3a4K", "(0T1)a3a4P", "(0T1)a3a4x", "(0T1)a3a4QQ"] {
        assert!(parse_move(word).is_err(), "{word}");
    }
    assert!(find_move(&start, "(0T1)a3a4R").is_err());
}
