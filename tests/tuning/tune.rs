//! `lightcone tune` from files to a table.

use lightcone::evaluation::{COUNT, GROUPS, WEIGHTS};

use crate::runner::{Folder, assert_fails};

/// The numbers of a table, as they stand in its text.
fn numbers(table: &str) -> Vec<i32> {
    let lines = table.lines().skip_while(|line| !line.contains("TABLE")).skip(1);
    let lines = lines.filter(|line| !line.contains("//") && !line.contains(']'));
    let words = lines.flat_map(|line| line.split(','));
    words.map(str::trim).filter(|word| !word.is_empty()).map(|word| word.parse().unwrap()).collect()
}

#[test]
fn games_make_a_table() {
    let folder = Folder::new("table");
    assert!(folder.selfplay("one", "--games 80 --seed 1").status.success());
    assert!(folder.selfplay("two", "--games 80 --seed 2").status.success());
    let words = "tune one two --out table.rs --least-games 5 --epochs 30";
    let output = folder.run(words);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    let losses = |name: &str| -> Vec<f64> {
        let line = text.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap();
        line.split_whitespace().filter_map(|word| word.parse().ok()).collect()
    };
    let (training, held_out) = (losses("training"), losses("held out "));
    assert!(training[1] <= training[0] && held_out[1] <= held_out[0], "{text}");
    let table = folder.read("table.rs");
    for group in &GROUPS {
        assert!(table.contains(&format!("    // {}\n", group.name)), "{}", group.name);
    }
    let weights = numbers(&table);
    assert_eq!(weights.len(), COUNT);
    assert_ne!(weights, WEIGHTS);
    // The pawn is kept; a unicorn has been on none of these boards.
    assert_eq!(weights[0], WEIGHTS[0]);
    let unchanged = weights.iter().zip(&WEIGHTS).filter(|(new, old)| new == old).count();
    assert!(unchanged >= 8, "{text}");
    // The same again, and nothing at all where everything is kept.
    assert!(folder.run(&words.replace("table.rs", "again.rs")).status.success());
    assert_eq!(folder.read("again.rs"), table);
    let mut command = folder.command("tune one --out kept.rs");
    for group in &GROUPS {
        command.args(["--keep", group.name]);
    }
    assert!(command.output().unwrap().status.success());
    assert_eq!(numbers(&folder.read("kept.rs")), WEIGHTS);
}

#[test]
fn a_broken_file_is_named_with_its_line() {
    let folder = Folder::new("broken");
    let good = "# a note\nStandard\t1-0\t(0T1)e2e4 20 (0T1)e7e5 10\n";
    folder.write("good", good);
    for (line, fault) in [
        ("Standard\t1-0\t(0T1)e2e4 20 (0T1)e2e4 10", "bad:3: (0T1)e2e4"),
        ("Standard\t1-0\t(0T1)e2e4 20 (0T1)e7", "bad:3: (0T1)e7"),
        ("nonsense", "bad:3: expected"),
        ("\u{0}\t\t", "bad:3: no variant"),
    ] {
        folder.write("bad", &format!("{good}{line}\n{good}"));
        assert_fails(&folder.run("tune good bad --out table.rs"), fault);
    }
    assert_fails(&folder.run("tune nowhere --out table.rs"), "nowhere: ");
    folder.write("empty", "# nothing\n");
    assert_fails(&folder.run("tune empty --out table.rs"), "no quiet positions");
    assert_fails(&folder.run("tune good --held-out 0 --out no/table.rs"), "no/table.rs: ");
    assert_eq!(folder.read("table.rs"), "");
}
