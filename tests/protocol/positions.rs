//! Positions that several tests share, in the words of `position`.

/// Black is mated on the only board.
pub const MATED: &str = "fen [k1K/1Q1/3:0:1:b]";
/// Black has no action and is not in check.
pub const STALEMATE: &str = "fen [k2/2Q/1K1:0:1:b]";
/// Black has one legal action, `(0T1)a3a2`.
pub const FORCED: &str = "fen [k2/3/1R1:0:1:b]";
/// White mates with its next action.
pub const MATE_IN_ONE: &str = "fen [k1K/3/1Q1:0:1:w]";
/// White has no action that passes the present; its king is on an inactive timeline.
pub const EXILED: &str = "fen [k2/p2/P2:0:1:w] [k2/p2/P2:1:1:w] [3/3/K2:2:5:w]";
/// White may promote on a4.
pub const PROMOTION: &str = "fen [3k/P3/4/K3:0:1:w]";
/// White may castle with the rook two files away: `(0T1)a1c1`.
pub const DISPUTED: &str = "fen [3k/4/4/K*1R*1:0:1:w]";
/// Three timelines after a jump and an answer to it.
pub const BRANCHED: &str = "startpos moves (0T1)g1f3 submit (0T1)g8f6 submit (0T2)f3(0T1)f5 \
                            submit (1T1)g8f6 submit";
/// An even start.
pub const EVEN: &str = "variant Standard - Two Timelines";
/// A small game that is over soon.
pub const SMALL: &str = "variant Very Small - Open";

/// A position and moves behind it.
pub fn after(position: &str, moves: &str) -> String {
    match (moves.is_empty(), position.contains(" moves ")) {
        (true, _) => format!("position {position}"),
        (false, true) => format!("position {position} {moves}"),
        (false, false) => format!("position {position} moves {moves}"),
    }
}
