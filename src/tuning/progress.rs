//! How far a long run has come: a bar on a terminal, a line now and then elsewhere; always on
//! standard error. It is gone when the run is over.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Time between two lines where there is no terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(30);

/// Progress towards a known number of steps.
#[derive(Debug)]
pub struct Progress {
    bar: Option<ProgressBar>,
    what: &'static str,
    total: u64,
    done: u64,
    start: Instant,
    said: Instant,
}

impl Progress {
    /// Of `total` steps, called `what` in the plural.
    pub fn new(total: usize, what: &'static str) -> Progress {
        let total = total as u64;
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total);
            let template =
                format!("{{bar:30}} {{pos}}/{{len}} {what} {{elapsed}} (left {{eta}}) {{msg}}");
            if let Ok(style) = ProgressStyle::with_template(&template) {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        let now = Instant::now();
        Progress { bar, what, total, done: 0, start: now, said: now }
    }

    /// Some more steps are done; `message` says what they gave.
    pub fn advance(&mut self, steps: usize, message: impl FnOnce() -> String) {
        self.done += steps as u64;
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
            bar.set_message(message());
        } else if self.said.elapsed() >= BETWEEN_LINES {
            self.said = Instant::now();
            let seconds = self.start.elapsed().as_secs();
            let (done, total, what) = (self.done, self.total, self.what);
            let line = format!("{done} of {total} {what} after {seconds} s {}", message());
            eprintln!("{}", line.trim_end());
        }
    }
}

impl Drop for Progress {
    /// Takes the bar away.
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
