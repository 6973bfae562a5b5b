//! `lightcone spsa`: whole runs, where the build has parameters to tune.

use crate::runner::{Folder, assert_fails};

#[test]
fn bad_options_of_spsa_are_bad_usage() {
    let folder = Folder::new("spsa-usage");
    for words in [
        "spsa",
        "spsa --json out --pairs 0",
        "spsa --json out --parameter Nonsense",
        "spsa --json out --variant Nonsense",
        "spsa --json out --rate -1",
    ] {
        assert_eq!(folder.run(words).status.code(), Some(2), "{words}");
    }
    assert_eq!(folder.run("spsa --help").status.code(), Some(0));
    assert_eq!(folder.read("out"), "");
}

#[cfg(not(feature = "tuning"))]
#[test]
fn a_build_with_constants_says_so() {
    let folder = Folder::new("constants");
    assert_fails(&folder.run("spsa --json out"), "--features tuning");
    assert_eq!(folder.read("out"), "");
}

#[cfg(feature = "tuning")]
mod with_parameters {
    use std::process::Output;

    use serde_json::Value;

    use super::{Folder, assert_fails};

    const WORDS: &str = "spsa --iterations 4 --pairs 1 --random 2 --most-actions 6 --rate 1 --json";

    fn run(folder: &Folder, words: &str) -> Output {
        let mut command = folder.command(words);
        command.args(["--each", "nodes=30", "option.Hash=1", "--variant", "Very Small - Open"]);
        command.args(["--parameter", "static margin", "--parameter", "Width Base"]);
        command.output().unwrap()
    }

    fn iterations(folder: &Folder, name: &str) -> Vec<Value> {
        let text = folder.read(name);
        text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn a_run_is_logged_and_goes_on_where_it_was_broken_off() {
        let folder = Folder::new("spsa");
        let output = run(&folder, &format!("{WORDS} whole"));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{text}");
        assert!(text.contains("Static Margin") && !text.contains("Pass Reduction"), "{text}");
        let whole = iterations(&folder, "whole");
        assert_eq!(whole.len(), 4);
        for (index, line) in whole.iter().enumerate() {
            assert_eq!(line["iteration"], index + 1);
            let games = ["wins", "draws", "losses"].map(|name| line[name].as_i64().unwrap());
            assert_eq!(games.iter().sum::<i64>(), 2);
            for side in ["plus", "minus"] {
                assert!((30..=600).contains(&line[side]["Static Margin"].as_i64().unwrap()));
            }
            assert_ne!(line["plus"], line["minus"]);
        }
        // As if it had been killed while the third iteration was written.
        let text = folder.read("whole");
        let lines: Vec<&str> = text.lines().collect();
        folder.write("torn", &format!("{}\n{}", lines[..3].join("\n"), &lines[3][..30]));
        assert_fails(&run(&folder, &format!("{WORDS} torn")), "torn: ");
        let other = WORDS.replace("--pairs 1", "--pairs 2");
        assert_fails(&run(&folder, &format!("{other} torn --resume")), "torn:1: ");
        assert!(run(&folder, &format!("{WORDS} torn --resume")).status.success());
        assert_eq!(folder.read("torn"), text);
        folder.write("torn", &format!("{}\nnonsense\n", lines[..3].join("\n")));
        assert_fails(&run(&folder, &format!("{WORDS} torn --resume")), "torn:4: ");
    }
}
