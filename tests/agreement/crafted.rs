//! Crafted positions, each for themes on which a generator of whole actions may stumble. The
//! theme must really occur; the position is compared like any other, and random games go on from
//! it.

use std::collections::BTreeSet;

use crate::bridge::slow;
use crate::common::{legal, position};
use crate::compare::Comparison;
use crate::oracle::position::Position;
use crate::random::{compare_game, times};
use crate::sample::seeded;
use crate::walks::{Best, Opinions, all};

/// A position and what shows its theme. Actions are moves in an order in which they can be made.
#[derive(Clone, Copy, Debug)]
pub struct Crafted {
    pub blocks: &'static str,
    /// Legal actions, all different.
    legal: &'static [&'static str],
    /// Moves that can be made, but not submitted.
    illegal: &'static [&'static str],
    /// Two legal actions made by different moves, or in another order, that are the same one.
    equal: Option<[&'static str; 2]>,
    /// How many actions there are, and how many sets of moves make them (R23).
    count: (usize, usize),
}

pub const CRAFTED: [Crafted; 34] = [
    // Several branches in one action: three unicorns that may each go back to a board of turn 1,
    // numbered in any order. One of them is enough to move the present.
    Crafted {
        blocks: "[2/2:-1:1:w] [1U/2:-1:2:w] [2/2:0:1:w] [1U/2:0:2:w] [2/2:1:1:w] [1U/2:1:2:w]",
        legal: &[
            "(-1T2)b2(-1T1)a1",
            "(-1T2)b2(-1T1)a1 (0T2)b2(0T1)a1",
            "(-1T2)b2(-1T1)a1 (0T2)b2(0T1)a1 (1T2)b2(1T1)a1",
        ],
        illegal: &[],
        // All past boards are alike, and so are the boards that the unicorns make.
        equal: Some([
            "(-1T2)b2(-1T1)a1 (0T2)b2(0T1)a1 (1T2)b2(1T1)a1",
            "(1T2)b2(1T1)a1 (-1T2)b2(-1T1)a1 (0T2)b2(0T1)a1",
        ]),
        count: (102, 551),
    },
    // Several branches in one action: two kings, numbered in two ways, which are two actions.
    // Equal actions: a king branches off the board that the other one has just left.
    Crafted {
        blocks: "[3/1K1/3:0:1:w] [3/1K1/3:0:2:w] [3/3/3:1:1:w] [3/1K1/3:1:2:w]",
        legal: &[
            "(0T2)b2(0T1)a1 (1T2)b2(1T1)c3",
            "(1T2)b2(1T1)c3 (0T2)b2(0T1)a1",
            "(0T2)b2(1T2)a1",
        ],
        illegal: &["(0T2)b2b3"],
        equal: Some(["(0T2)b2(0T1)b3 (1T2)b2(0T2)b3", "(1T2)b2(0T1)b3 (0T2)b2(1T2)b3"]),
        count: (905, 1330),
    },
    // Several branches in one action, off boards of many turns and timelines.
    Crafted {
        blocks: "[D1k/3/K1D:-0:1:w] [1D1/3/1D1:-0:2:w] [2k/3/K1D:+0:1:w] [D1D/3/D1D:+0:2:w]",
        legal: &[],
        illegal: &[],
        equal: None,
        count: (40, 40),
    },
    // A branch into the past moves the present, and the other board may be left unplayed.
    Crafted {
        blocks: "[k3/4/4/3K:0:2:w] [k3/4/4/1R1K:0:3:w] [k3/4/4/3K:-1:3:w]",
        legal: &["(0T3)b1(0T2)b1", "(0T3)b1(0T2)b1 (-1T3)d1d2"],
        illegal: &["(0T3)b1b2"],
        equal: None,
        count: (149, 158),
    },
    // The same branch is White's second and inactive: it moves nothing.
    Crafted {
        blocks: "[k3/4/4/3K:0:2:w] [k3/4/4/1R1K:0:3:w] [k3/4/4/3K:1:3:w]",
        legal: &["(0T3)b1(0T2)b1 (1T3)d1d2"],
        illegal: &["(0T3)b1(0T2)b1", "(0T3)b1b2"],
        equal: None,
        count: (142, 151),
    },
    // Arrivals on a board already moved on: the rook hops, or it branches off the same board
    // after the king has moved there.
    Crafted {
        blocks: "[k2/3/1RK:0:1:w] [k2/3/2K:1:1:w]",
        legal: &["(0T1)b1(1T1)b1", "(1T1)c1c2 (0T1)b1(1T1)b1", "(1T1)c1c2 (0T1)b1b2"],
        illegal: &["(0T1)b1b2", "(1T1)c1c2"],
        equal: None,
        count: (22, 22),
    },
    // Arrivals on boards already moved on, in a chain: each bishop branches off the board that
    // the next one has left, so there is only one order. In the equal actions the bishop on the
    // middle branches off either of two boards.
    Crafted {
        blocks: "[3/B2:-1:1:w] [3/1B1:0:1:w] [3/2B:1:1:w]",
        legal: &["(1T1)c1b2 (0T1)b1(1T1)a1 (-1T1)a1(0T1)a2"],
        illegal: &["(1T1)c1b2 (0T1)b1(1T1)a1"],
        equal: Some([
            "(-1T1)a1b2 (0T1)b1(-1T1)c1 (1T1)c1b2",
            "(-1T1)a1b2 (1T1)c1b2 (0T1)b1(1T1)a1",
        ]),
        count: (29, 30),
    },
    // Arrivals on a board already moved on: the rook that gives check is taken by a hop, and on
    // the copy of its board it may be taken too, but where the king has moved it remains.
    Crafted {
        blocks: "[R3/4/4/3K:0:1:w] [r2k/4/4/K3:1:1:w]",
        legal: &["(0T1)a4(1T1)a4", "(1T1)a1b1 (0T1)a4(1T1)a4", "(1T1)a1b1 (0T1)a4a3"],
        illegal: &["(1T1)a1a2 (0T1)a4(1T1)a4"],
        equal: None,
        count: (61, 61),
    },
    // Arrivals on a board already moved on: its copy still has the check that the move on it has
    // answered, and what arrives there must answer it again.
    Crafted {
        blocks: "[4/4/2N1/2NK:0:1:w] [r2k/4/4/K3:1:1:w]",
        legal: &["(0T1)c2(1T1)a2", "(1T1)a1b1 (0T1)c2(1T1)a2", "(1T1)a1b1 (0T1)c1a2"],
        illegal: &["(0T1)c1(1T1)c3", "(1T1)a1b1 (0T1)c1(1T1)c3"],
        equal: None,
        count: (55, 55),
    },
    // Jumps between two boards that are both ahead of everything, and back.
    Crafted {
        blocks: "[Q2k/4/4/3K:-0:1:w] [3k/4/4/Q2K:+0:1:w]",
        legal: &[],
        illegal: &[],
        equal: None,
        count: (289, 289),
    },
    // Departure of the piece that guards, on its own board: the knight may leave neither by a
    // move nor by a jump. The king of the other board may come and take the rook.
    Crafted {
        blocks: "[3k/4/4/KN1r:0:1:w] [3k/4/4/3K:1:1:w]",
        legal: &["(0T1)a1a2 (1T1)d1d2", "(1T1)d1(0T1)d1"],
        illegal: &["(0T1)b1c3 (1T1)d1d2", "(0T1)b1(1T1)b3"],
        equal: None,
        count: (10, 10),
    },
    // Departure of the piece that guards, on another timeline: the knight stands between the
    // king and a rook two timelines away, and leaves only with the king.
    Crafted {
        blocks: "[3k/4/4/K2P:0:1:w] [3k/4/4/N3:1:1:w] [3k/4/4/r3:2:1:b]",
        legal: &["(0T1)a1b1 (1T1)a1c2"],
        illegal: &["(0T1)d1d2 (1T1)a1c2", "(1T1)a1(0T1)c1"],
        equal: None,
        count: (15, 15),
    },
    // Departure of pieces that guard: one of two is enough. And no board at all stops the rook
    // as well, so the optional board may be left unplayed.
    Crafted {
        blocks: "[3k/4/4/K2P:0:1:w] [3k/4/4/N2P:1:1:w] [3k/4/4/N2P:2:1:w] [3k/4/4/r3:3:1:b]",
        legal: &[
            "(0T1)d1d2 (1T1)a1c2 (2T1)d1d2",
            "(0T1)d1d2 (1T1)d1d2 (2T1)a1c2",
            "(0T1)d1d2 (1T1)a1c2",
        ],
        illegal: &["(0T1)d1d2 (1T1)a1c2 (2T1)a1c2"],
        equal: None,
        count: (244, 244),
    },
    // Royal in the past, and blocks in time: a king of turn 2 is hit through a board that White
    // has to make. A piece must stand in the way there, from that board or from a later turn.
    Crafted {
        blocks: "[3k/4/4/K3:0:2:b] [3k/4/4/B2K:0:3:w] [3k/4/R3/4:1:2:w] [3k/4/4/r3:2:2:b]",
        legal: &["(1T2)a2a1", "(0T3)a1(1T2)a1", "(0T3)d1c1 (1T2)a2a1"],
        illegal: &["(1T2)a2b2", "(1T2)a2b2 (0T3)a1(1T2)a1"],
        equal: None,
        count: (13, 13),
    },
    // Royal in the past: all boards of the attack are there already, so that nothing helps.
    Crafted {
        blocks: "[3k/4/4/K3:0:1:b] [3k/4/4/3K:0:2:w] [4/4/4/4:1:1:b] [4/4/4/N3:1:2:w] \
                 [3k/4/4/r3:2:1:b]",
        legal: &[],
        illegal: &["(0T2)d1d2 (1T2)a1c2"],
        equal: None,
        count: (0, 0),
    },
    // Royal in the past: a branch is a board from which the opponent moves at once, here with a
    // rook that takes the king of turn 1 if the knight does not land on it.
    Crafted {
        blocks: "[k3/4/4/r3:0:1:w] [k3/4/4/K3:0:1:b] [k3/4/4/2NK:0:2:w]",
        legal: &["(0T2)c1(0T1)a1", "(0T2)d1d2"],
        illegal: &["(0T2)c1(0T1)c3"],
        equal: None,
        count: (6, 6),
    },
    // Royal in the past: kings and rooks on every turn.
    Crafted {
        blocks: "[k3/4/3r/K2R:0:0:w] [k3/4/3r/K2R:0:1:w] [k3/4/3r/K2R:0:2:w]",
        legal: &["(0T2)a1(0T1)b1"],
        illegal: &["(0T2)a1(0T1)a2"],
        equal: None,
        count: (5, 5),
    },
    // Reactivated timelines: White's branch activates Black's second timeline, the present jumps
    // back to it, and White must play there as well.
    Crafted {
        blocks: "[1k2/4/4/3K:0:1:w] [1k2/4/4/R2K:0:2:w] [1k2/4/4/3K:-1:2:w] \
                 [1k2/4/4/3K:-2:1:w]",
        legal: &[
            "(0T2)a1(0T1)a1 (-2T1)d1d2",
            "(0T2)a1a2 (-1T2)d1d2",
            "(0T2)a1a2 (-1T2)d1d2 (-2T1)d1d2",
        ],
        illegal: &["(0T2)a1(0T1)a1", "(0T2)a1(0T1)a1 (-1T2)d1d2", "(-2T1)d1d2"],
        equal: None,
        count: (1099, 1405),
    },
    // Reactivated timelines: the one that becomes active waits for Black, so that the present
    // passes although a board holds it for White, and although the branch is no earlier.
    Crafted {
        blocks: "[1k2/4/4/3K:-0:2:w] [1k2/4/4/R2K:+0:2:w] [1k2/4/4/3K:-1:2:w] \
                 [1k2/4/4/3K:-2:1:b]",
        legal: &["(-1T2)d1d2 (0T2)a1(-1T2)a1", "(-1T2)d1d2 (0T2)a1(-1T2)a1 (-2T2)d1d2"],
        illegal: &["(-1T2)d1d2 (0T2)a1a2"],
        equal: None,
        count: (666, 735),
    },
    // Reactivated timelines: the one that becomes active has no piece to play with, so that no
    // branch is legal.
    Crafted {
        blocks: "[k4/2P2/5/2p2/4K:0:1:w] [k4/2P2/5/2p2/5:0:2:w] [5/2P2/5/2p2/5:-1:1:w] \
                 [5/5/5/5/5:-2:1:w]",
        legal: &["(-1T1)c4c5Q", "(-1T1)c4(-2T1)c4 (0T2)c4c5Q"],
        illegal: &[],
        equal: None,
        count: (4, 4),
    },
    // Two kings on one board: only the capture of the rook saves both.
    Crafted {
        blocks: "[3k1/5/1N3/5/K1r1K:0:1:w]",
        legal: &["(0T1)b3c1"],
        illegal: &["(0T1)a1a2", "(0T1)e1d1"],
        equal: None,
        count: (1, 1),
    },
    // Two kings on two boards, one behind the other as the rook sees them: when the first leaves
    // the line the second must leave it too.
    Crafted {
        blocks: "[3k/4/4/K2P:0:1:w] [3k/4/4/K2P:1:1:w] [3k/4/4/r3:2:1:b]",
        legal: &["(1T1)a1a2 (0T1)a1b1"],
        illegal: &["(1T1)a1a2 (0T1)d1d2", "(1T1)d1d2 (0T1)a1b1", "(1T1)d1d2 (0T1)d1d2"],
        equal: None,
        count: (9, 9),
    },
    // Two kings, one of them a royal queen, and a common king, which may be lost.
    Crafted {
        blocks: "[3k/4/r3/YC1K:0:1:w] [3k/4/4/C3:1:1:w] [3k/4/4/r3:2:1:b]",
        legal: &["(0T1)a1a2 (1T1)a1b1", "(0T1)a1(1T1)b2"],
        illegal: &["(0T1)b1b2 (1T1)a1b1", "(0T1)a1b2 (1T1)a1b1"],
        equal: None,
        count: (12, 12),
    },
    // Equal actions made by different moves: two queens that exchange their targets.
    Crafted {
        blocks: "[4/4/4/Q3:-1:1:w] [4/4/4/4:0:1:w] [4/4/4/4:1:1:w] [Q3/4/4/4:2:1:w]",
        legal: &["(-1T1)a1(0T1)a2 (2T1)a4(1T1)a3"],
        illegal: &[],
        equal: Some(["(-1T1)a1(0T1)a2 (2T1)a4(1T1)a3", "(-1T1)a1(1T1)a3 (2T1)a4(0T1)a2"]),
        count: (31, 32),
    },
    // Equal actions made by different moves: a hop and a branch that exchange roles.
    Crafted {
        blocks: "[K:0:2:w] [1:1:1:w] [1:1:2:w] [K:2:2:w]",
        legal: &[
            "(0T2)a1(1T2)a1",
            "(0T2)a1(1T2)a1 (2T2)a1(1T1)a1",
            "(0T2)a1(1T2)a1 (2T2)a1(1T2)a1",
        ],
        illegal: &[],
        equal: Some(["(0T2)a1(1T2)a1 (2T2)a1(1T1)a1", "(2T2)a1(1T2)a1 (0T2)a1(1T1)a1"]),
        count: (3, 5),
    },
    // Equal actions made by different moves, with three boards to play.
    Crafted {
        blocks: "[R2k/4/4/K3:-1:2:w] [3k/4/4/4:0:1:w] [R2k/4/4/K3:0:2:w] [R2k/4/4/4:1:2:w]",
        legal: &[],
        illegal: &[],
        equal: Some([
            "(-1T2)a1(0T1)b2 (0T2)a1(0T1)b1 (1T2)a4b4",
            "(0T2)a1(0T1)b2 (-1T2)a1(0T1)b1 (1T2)a4b4",
        ]),
        count: (2064, 2260),
    },
    // Equal actions made by different moves: the rook branches off either of two like boards, but
    // off the one that a branch has left only with the higher number.
    Crafted {
        blocks: "[1C:-1:2:w] [1C:-0:2:w] [R1:+0:2:w]",
        legal: &[
            "(-2T2)b1a1 (0T2)a1(-2T2)a1 (-1T2)b1(-2T2)a1",
            "(-2T2)b1a1 (-1T2)b1(-2T2)a1 (0T2)a1(-2T2)a1",
        ],
        illegal: &[],
        equal: Some([
            "(-2T2)b1a1 (-1T2)b1(-2T2)a1 (0T2)a1(-2T2)a1",
            "(-2T2)b1a1 (-1T2)b1(-2T2)a1 (0T2)a1(-1T2)a1",
        ]),
        count: (22, 27),
    },
    // Hardly any candidate is legal, after a few easy ones: a stream may give up its order.
    Crafted {
        blocks: "[2:-2:1:b] [k*1:-2:2:b] [1k*:-1:0:b] [k1:-0:0:b] [kk*:+0:-1:b]",
        legal: &[],
        illegal: &[],
        equal: None,
        count: (184, 252),
    },
    // Pieces of one kind that jump to the same board from squares of their own.
    Crafted {
        blocks: "[2k/3/N1N:0:1:w] [2k/3/NKN:0:2:w] [2k/3/3:1:2:w]",
        legal: &["(0T2)b1(1T2)b1"],
        illegal: &[],
        equal: None,
        count: (8, 8),
    },
    // Black to move, knights that go back in time, on a timeline that is ahead.
    Crafted {
        blocks: "[nk1/3/3/1K1:0:1:b] [nk1/3/1n1/1K1:0:2:b] [3/3/n2/3:-1:1:b]",
        legal: &[],
        illegal: &[],
        equal: None,
        count: (88, 88),
    },
    // Marks that travel: castling, double steps and en passant on two boards.
    Crafted {
        blocks: "[4k/p*p*p*p*p*/5/P*P*P*P*P*/R*K*2R*:0:1:w] \
                 [4k/p*p*p*p*p*/5/P*P*P*P*P*/R*K*2R*:1:1:w]",
        legal: &["(0T1)b1d1 (1T1)b1d1", "(0T1)b1(1T1)c1"],
        illegal: &[],
        equal: None,
        count: (101, 101),
    },
    // Double steps along the timelines, with an even start.
    Crafted {
        blocks: "[1k1/1p*1/3/1P*1/1K1:-0:1:w] [1k1/1p*1/3/1P*1/1K1:+0:1:b]",
        legal: &[],
        illegal: &[],
        equal: None,
        count: (5, 5),
    },
    // Like pieces on like boards, which can be dealt out in many ways over the same timelines.
    Crafted {
        blocks: "[1rK/2N:-1:1:w] [1rK/2N:-1:1:b] [1rK/2N:-1:2:w] [1rK/2N:0:1:w] [1rK/2N:0:1:b] \
                 [1rK/2N:0:2:w] [1rK/2N:1:1:w] [1rK/2N:1:1:b] [1rK/2N:1:2:w]",
        legal: &[],
        illegal: &[],
        equal: None,
        count: (15, 196),
    },
    Crafted {
        blocks: "[K2/N2:-1:1:w] [K2/N2:-1:1:b] [1rN/NK1:-1:2:w] [K2/N2:0:1:w] [K2/N2:0:1:b] \
                 [1rN/NK1:0:2:w] [K2/N2:1:1:w] [K2/N2:1:1:b] [1rN/NK1:1:2:w]",
        legal: &[],
        illegal: &[],
        equal: None,
        count: (274, 6874),
    },
];

/// The position after an action, submitted; an error if it cannot be.
fn submitted(start: &Position, words: &str) -> Result<Position, String> {
    start.play(words).and_then(|after| after.submit())
}

#[test]
fn the_themes_occur() {
    for Crafted { blocks, legal, illegal, equal, count } in CRAFTED {
        let start = slow(&position(blocks));
        let found = start.legal_actions(1_000_000);
        assert!(found.finished);
        assert_eq!((found.actions.len(), found.move_sets), count, "{blocks}");
        let after: BTreeSet<&Position> = found.actions.iter().map(|action| &action.after).collect();
        let shown: BTreeSet<Position> =
            legal.iter().map(|words| submitted(&start, words).unwrap()).collect();
        assert_eq!(shown.len(), legal.len(), "{blocks}: the same action twice");
        for position in &shown {
            assert!(after.contains(position), "{blocks}");
        }
        for words in illegal {
            assert!(start.play(words).is_ok(), "{blocks}: {words}");
            assert!(submitted(&start, words).is_err(), "{blocks}: {words}");
        }
        if let Some(equal) = equal {
            let [one, other] = equal.map(|words| submitted(&start, words).unwrap());
            assert_eq!(one, other, "{blocks}");
            assert!(after.contains(&one), "{blocks}");
        }
    }
}

#[test]
fn crafted_positions_and_games_from_them() {
    let mut comparison = Comparison::new(seeded(3));
    for crafted in CRAFTED {
        let start = position(crafted.blocks);
        for _ in 0..3 {
            comparison.compare(&mut start.clone(), false, 20_000);
        }
        for _ in 0..times(2) {
            compare_game(&mut comparison, start.clone(), 6, 400);
        }
    }
    let tally = comparison.tally;
    println!("crafted: {tally:?}");
    assert!(tally.complete >= 90 && tally.shared_actions >= 15, "{tally:?}");
    assert!(tally.double_branches >= 20 && tally.begun >= times(20), "{tally:?}");
}

#[test]
fn streams_of_all_opinions_are_the_whole_set() {
    let mut rng = seeded(4);
    for Crafted { blocks, count, .. } in CRAFTED {
        let mut start = position(blocks);
        let expected: BTreeSet<String> = legal(&mut start).into_iter().map(|a| a.after).collect();
        // Where all scores are alike, what comes first hangs on the order of the values alone.
        for spread in [0, 1, 4, 1000] {
            let mut work_in_order = vec![0, 20, 60, 200, 1_000_000];
            work_in_order.truncate(if count.0 > 500 { 1 } else { 5 });
            for work_in_order in work_in_order {
                let opinions = Opinions::new(rng.next_u64(), spread);
                let found = all(&mut start, &mut Best::new(work_in_order), &opinions);
                let streamed: BTreeSet<String> = found.iter().map(|a| a.after.clone()).collect();
                assert_eq!(streamed, expected, "{blocks}: {opinions:?}");
                assert_eq!(streamed.len(), found.len(), "{blocks}: {opinions:?}: one comes twice");
            }
        }
    }
}
