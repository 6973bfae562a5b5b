//! What one search leaves in the table is true for the next, and what a search that was cut off
//! says is true as far as it goes.

use crate::engine::{Engine, says};
use crate::files::Folder;

#[test]
fn no_mate_among_some_actions_refutes_none_of_the_others() {
    let fen = "fen [1k2/4/R2R/2K1:0:1:w]";
    let moves = "moves (0T1)d2b2 submit (0T1)b4c3 submit";
    let mut engine = Engine::with(&format!("position {fen} {moves}"));
    let (_, infos) = engine.go("go mate 2 searchmoves (0T2)c1b1 submit");
    assert!(says(&infos, "there is no mate in 2"), "{infos:?}");
    let (_, infos) = engine.go(&format!("position {fen}\ngo mate 3 searchmoves (0T1)d2b2 submit"));
    assert!(says(&infos, " score mate 3 "), "{infos:?}");
}

#[test]
fn a_mate_on_small_boards_is_none_on_large_ones() {
    let mut engine = Engine::with("position fen [4/1k2/R1RK/4:0:1:w]");
    let (_, infos) = engine.go("go mate 2");
    assert!(says(&infos, " score mate 2 "), "{infos:?}");
    let large = "fen [8/8/8/8/8/1k6/R1RK4/8:0:1:w]";
    let (_, infos) = engine.go(&format!("position {large}\ngo mate 2"));
    assert!(says(&infos, "there is no mate in 2"), "{infos:?}");
}

#[test]
fn lines_of_a_search_that_was_cut_off_are_those_of_their_depth() {
    let position = "position startpos moves (0T1)e2e4 submit (0T1)e7e5 submit";
    let line = |info: &String| {
        let (depth, rest) = info.strip_prefix("info depth ")?.split_once(" seldepth ")?;
        let (_, rest) = rest.split_once(" multipv ")?;
        let (score, pv) = rest.split_once(" nodes ")?;
        let (_, pv) = pv.split_once(" pv ")?;
        Some(format!("{depth}: {score}: {pv}"))
    };
    let mut engine = Engine::with(&format!("{position}\nsetoption name MultiPV value 4"));
    let (_, whole) = engine.go("go depth 4");
    let whole: Vec<String> = whole.iter().filter_map(line).collect();
    for nodes in [100, 300, 600, 900, 1200, 1500, 2000, 3000] {
        engine.send("ucinewgame");
        let (_, infos) = engine.go(&format!("go nodes {nodes}"));
        for said in infos.iter().filter_map(line) {
            let known = whole.contains(&said) || said.contains("bound");
            assert!(known, "{nodes} nodes: {said}, but {whole:?}");
        }
    }
}

#[test]
fn no_mate_is_announced_where_not_all_actions_were_listed() {
    // 4096 actions and more, of which the first few hundred lose to the queens.
    let rows = ["pppp/4/4/P*P*P*P*"; 4].iter().zip([2, -2, 3, -3]);
    let others: Vec<String> = rows.map(|(rows, line)| format!("[{rows}:{line}:1:w]")).collect();
    let fen = format!(
        "fen [1n2/1qK1/q3/4:0:1:w] [r3/4/4/4:-1:1:b] [r3/4/4/4:1:1:b] {}",
        others.join(" ")
    );
    let mut engine = Engine::with(&format!("position {fen}"));
    let (answer, infos) = engine.go("go movetime 500");
    assert!(answer.starts_with("bestmove ("), "{answer}");
    assert!(!says(&infos, " score mate -"), "{infos:?}");
}

#[test]
fn other_promotions_than_before_are_another_game() {
    // A knight on c8 mates, a queen does not, and only the header of the record allows it.
    let fen = "[dd6/kp6/ppP5/p7/P7/8/7p/7K:0:1:w]";
    let header = "[Board \"Custom\"]\n[Promotions \"Q,N\"]\n";
    let folder = Folder::new("promotions");
    let path = folder.write("knight.5dpgn", &format!("{header}{fen}\n"));
    let mut engine = Engine::with(&format!("load {path}"));
    let (_, infos) = engine.go("go mate 2");
    assert!(says(&infos, " score mate 2 "), "{infos:?}");
    let (_, infos) = engine.go(&format!("position fen {fen}\ngo mate 2"));
    assert!(says(&infos, "there is no mate in 2"), "{infos:?}");
}
