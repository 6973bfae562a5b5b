//! A folder with training files in it, and commands that are run there.

use std::fs;
use std::process::{Command, Output, Stdio};

pub use crate::folder::Folder;

impl Folder {
    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }

    /// The program with words that blanks separate, in the folder.
    pub fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lightcone"));
        command.args(words.split(' ')).current_dir(&self.0);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn run(&self, words: &str) -> Output {
        self.command(words).output().unwrap()
    }

    /// Fast games on small boards; `words` are further options.
    pub fn selfplay(&self, out: &str, words: &str) -> Output {
        let mut command = self.command("selfplay --nodes 60 --random 2 --most-actions 12");
        command.args(["--variant", "Very Small - Open", "--variant", "Small", "--out", out]);
        command.args(words.split(' ')).output().unwrap()
    }
}

/// Checks that a command failed with one line on standard error that holds `text`.
pub fn assert_fails(output: &Output, text: &str) {
    let errors = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert!(errors.contains(text), "{errors}");
}
