//! A folder with scripts in it, and matches that are played there.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// The binary under test.
pub const BINARY: &str = env!("CARGO_BIN_EXE_lightcone");

pub use crate::folder::Folder;

impl Folder {
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// A script that answers `uci`, `isready` and `quit`, and does `go` on every `go`. It notes
    /// its number in `pids`.
    pub fn engine(&self, go: &str) -> String {
        self.script(&format!(
            "while read -r line; do case \"$line\" in
             uci) echo uciok ;; isready) echo readyok ;; quit) exit 0 ;;
             go*) {go} ;; esac; done"
        ))
    }

    /// A script; gives the command that runs it.
    pub fn script(&self, text: &str) -> String {
        let path = self.path("engine.sh");
        fs::write(&path, format!("#!/bin/sh\necho $$ >> {}\n{text}\n", self.path("pids"))).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        format!("/bin/sh {path}")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(BINARY);
        command.arg("match").args(arguments).arg("--json").arg(self.path("out.jsonl"));
        command.args(["--pgn", &self.path("out.5dpgn")]).current_dir(&self.0);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Plays a match to its end.
    pub fn play(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Begins a match.
    pub fn begin(&self, arguments: &[&str]) -> Child {
        self.command(arguments).spawn().unwrap()
    }

    /// The games in the JSON lines.
    pub fn games(&self) -> Vec<Value> {
        let text = self.read("out.jsonl");
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.filter(|value| value["type"] == "game").collect()
    }

    /// The numbers of processes that the scripts noted, of those that still run.
    pub fn survivors(&self) -> Vec<String> {
        let is_running = |pid: &&str| {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            // Dead ones may wait for their new parent.
            let state = stat.rsplit(") ").next().and_then(|rest| rest.chars().next());
            !matches!(state, None | Some('Z' | 'X'))
        };
        let survivors = || -> Vec<String> {
            self.read("pids").lines().filter(is_running).map(str::to_owned).collect()
        };
        // A process that was killed still takes its time to go where the machine is busy.
        for _ in 0..100 {
            if survivors().is_empty() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        survivors()
    }
}

/// An engine that plays well enough.
pub fn sane(name: &str) -> String {
    format!("name={name},cmd={BINARY},proto=uci,depth=1,option.Hash=1")
}
