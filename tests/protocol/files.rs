//! Files that a test needs, and game records to put into them.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder for one test, removed at its end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("lightcone {name} {}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file; gives its path.
    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A game of five actions.
pub const RECORD: &str = "[Board \"Very Small - Open\"]\n\n1. (0T1)Bc1b2 / (0T1)Na4b2\n\
                          2. (0T2)Nd1b2 / (0T2)Bb4c3\n3. (0T3)a2a3\n";
/// The same, with a last move that no piece can make.
pub fn bad_record() -> String {
    RECORD.replace("(0T3)a2a3", "(0T3)a2b4")
}
