//! Time controls, and the clock of one side.
//!
//! Knows how long a side may think and the words of `go` that say so; starts no timer itself.

use std::time::Duration;

/// How an engine's thinking is bounded. Everything that is given applies at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// Actions in which [`Control::base`] has to do; it is added anew after them. `None`: the base
    /// is for the whole game.
    pub moves: Option<u32>,
    /// The time on the clock at the start; `None` without a clock.
    pub base: Option<Duration>,
    /// Gained with each action.
    pub increment: Duration,
    /// Gained with each action for each timeline that is active when it has been submitted, as on
    /// the game's own clocks.
    pub line_increment: Duration,
    /// The time for each action, without a clock.
    pub move_time: Option<Duration>,
    /// Nodes for each action.
    pub nodes: Option<u64>,
    /// Depth of each search.
    pub depth: Option<u32>,
    /// By how much the time may be overstepped without losing.
    pub margin: Duration,
}

/// Reads a time in seconds.
///
/// # Errors
/// If it is not a number of seconds from 0 to 10 million.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.trim().parse().ok();
    seconds
        .filter(|seconds| (0.0..=1e7).contains(seconds))
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| format!("expected seconds, not {text:?}"))
}

impl Control {
    /// Sets the clock from `[moves/][minutes:]seconds[+increment]`; `inf` is no clock at all.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn set_clock(&mut self, text: &str) -> Result<(), String> {
        if text == "inf" {
            self.base = None;
            return Ok(());
        }
        let (moves, time) = match text.split_once('/') {
            Some((moves, time)) => {
                let moves = moves.parse().ok().filter(|&moves| moves > 0);
                (
                    Some(moves.ok_or_else(|| format!("expected a number of actions in {text:?}"))?),
                    time,
                )
            }
            None => (None, text),
        };
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let base = match base.split_once(':') {
            Some((minutes, seconds)) => {
                let minutes = parse_seconds(minutes)?;
                minutes.saturating_mul(60).saturating_add(parse_seconds(seconds)?)
            }
            None => parse_seconds(base)?,
        };
        if base.is_zero() {
            return Err(format!("expected some time in {text:?}"));
        }
        (self.moves, self.base, self.increment) = (moves, Some(base), parse_seconds(increment)?);
        Ok(())
    }

    /// Whether the controls make sense together.
    ///
    /// # Errors
    /// What does not.
    pub fn check(&self) -> Result<(), String> {
        if self.base.is_some() && self.move_time.is_some() {
            return Err("tc and st exclude each other".to_owned());
        }
        if self.base.is_none() && !self.line_increment.is_zero() {
            return Err("linc needs a clock, tc".to_owned());
        }
        let limited = self.base.is_some()
            || self.move_time.is_some()
            || self.nodes.is_some()
            || self.depth.is_some();
        if limited { Ok(()) } else { Err("expected one of tc, st, nodes, depth".to_owned()) }
    }
}

impl std::fmt::Display for Control {
    /// As the command line takes it: `40/60+0.6`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut words = Vec::new();
        if let Some(base) = self.base {
            let moves = self.moves.map(|moves| format!("{moves}/")).unwrap_or_default();
            let mut text = format!("{moves}{}", base.as_secs_f64());
            if !self.increment.is_zero() {
                text.push_str(&format!("+{}", self.increment.as_secs_f64()));
            }
            if !self.line_increment.is_zero() {
                text.push_str(&format!(" linc={}", self.line_increment.as_secs_f64()));
            }
            words.push(text);
        }
        if let Some(time) = self.move_time {
            words.push(format!("{}/action", time.as_secs_f64()));
        }
        if let Some(nodes) = self.nodes {
            words.push(format!("nodes={nodes}"));
        }
        if let Some(depth) = self.depth {
            words.push(format!("depth={depth}"));
        }
        f.write_str(&words.join(" "))
    }
}

/// The time of one side in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    control: Control,
    left: Duration,
    /// Actions to the next time control.
    to_go: Option<u32>,
}

impl Clock {
    /// The clock at the start of a game.
    pub fn new(control: &Control) -> Clock {
        let left = control.base.unwrap_or_default();
        Clock { control: control.clone(), left, to_go: control.moves }
    }

    /// The time left; `None` without a clock.
    pub fn left(&self) -> Option<Duration> {
        self.control.base.map(|_| self.left)
    }

    /// Within how long the side has to answer now; `None` if time does not matter.
    pub fn allowed(&self) -> Option<Duration> {
        let time = self.left().or(self.control.move_time)?;
        Some(time.saturating_add(self.control.margin))
    }

    /// What the next action adds as things stand, the increment of each active timeline included.
    fn gain(&self, active_lines: u32) -> Duration {
        let lines = self.control.line_increment.saturating_mul(active_lines);
        self.control.increment.saturating_add(lines)
    }

    /// Takes away the time of an action that came within [`Clock::allowed`], and adds what it
    /// gains. `active_lines` counts after submitting.
    pub fn press(&mut self, used: Duration, active_lines: u32) {
        self.left = self.left.saturating_sub(used).saturating_add(self.gain(active_lines));
        if let Some(to_go) = &mut self.to_go {
            *to_go = to_go.saturating_sub(1);
            if *to_go == 0 {
                self.to_go = self.control.moves;
                self.left = self.left.saturating_add(self.control.base.unwrap_or_default());
            }
        }
    }

    /// One time for the next action, for engines that know no clock: an even share of what is
    /// left and most of what is gained, never more than half of what is left.
    fn share(&self, active_lines: u32) -> Option<Duration> {
        /// Actions that the time of a whole game should last for.
        const HORIZON: u32 = 30;
        /// Kept back for the way of the answer.
        const OVERHEAD: Duration = Duration::from_millis(20);
        let left = self.left()?;
        let share = left / self.to_go.unwrap_or(HORIZON).clamp(1, HORIZON);
        let share = share.saturating_add(self.gain(active_lines).mul_f64(0.8)).min(left / 2);
        Some(share.saturating_sub(OVERHEAD).max(Duration::from_millis(1)))
    }

    /// The `go` of an engine that speaks only 5DUCI and knows `movetime` and `depth`.
    ///
    /// # Errors
    /// If it could not know when to end.
    pub fn go_simple(&self, active_lines: u32) -> Result<String, String> {
        if let Some(time) = self.share(active_lines).or(self.control.move_time) {
            return Ok(format!("go movetime {}", time.as_millis().max(1)));
        }
        match self.control.depth {
            Some(depth) => Ok(format!("go depth {depth}")),
            None => Err("an engine that speaks only 5DUCI knows no limit of nodes".to_owned()),
        }
    }
}

/// The `go` of an engine that speaks UCI, whose clock is that of `side`: 0 for White. The engine
/// adds the increment of each timeline itself if it `knows_lines`.
pub fn go(clocks: &[Clock; 2], side: usize, active_lines: u32, knows_lines: bool) -> String {
    let mut text = "go".to_owned();
    for (clock, names) in clocks.iter().zip([("wtime", "winc"), ("btime", "binc")]) {
        if let Some(left) = clock.left() {
            let increment =
                if knows_lines { clock.control.increment } else { clock.gain(active_lines) };
            let (time, gain) = (left.as_millis(), increment.as_millis());
            text.push_str(&format!(" {} {time} {} {gain}", names.0, names.1));
        }
    }
    let Some(own) = clocks.get(side) else { return text };
    if let Some(to_go) = own.to_go.filter(|_| own.control.base.is_some()) {
        text.push_str(&format!(" movestogo {to_go}"));
    }
    if let Some(time) = own.control.move_time {
        text.push_str(&format!(" movetime {}", time.as_millis().max(1)));
    }
    if let Some(nodes) = own.control.nodes {
        text.push_str(&format!(" nodes {nodes}"));
    }
    if let Some(depth) = own.control.depth {
        text.push_str(&format!(" depth {depth}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(text: &str) -> Control {
        let mut control = Control::default();
        control.set_clock(text).unwrap();
        control
    }

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn clocks_are_read_and_shown() {
        let full = control("40/60+0.6");
        assert_eq!((full.moves, full.base, full.increment), (Some(40), Some(ms(60_000)), ms(600)));
        assert_eq!(full.to_string(), "40/60+0.6");
        assert_eq!(control("1:30").base, Some(ms(90_000)));
        assert_eq!(control("10+0.1").to_string(), "10+0.1");
        assert_eq!(control("inf").base, None);
        for text in ["", "x", "0", "-1", "0/10", "10+", "10+-1", "nan", "1e99", "40/"] {
            assert!(Control::default().set_clock(text).is_err(), "{text}");
        }
    }

    #[test]
    fn controls_are_checked() {
        assert!(Control::default().check().is_err());
        assert!(control("10").check().is_ok());
        let both = Control { move_time: Some(ms(1)), ..control("10") };
        assert!(both.check().is_err());
        let lines = Control { line_increment: ms(1), nodes: Some(1), ..Control::default() };
        assert!(lines.check().is_err());
    }

    #[test]
    fn time_is_taken_and_gained() {
        let mut clock = Clock::new(&Control { line_increment: ms(100), ..control("2/10+1") });
        assert_eq!(clock.allowed(), Some(ms(10_000)));
        clock.press(ms(4_000), 3);
        assert_eq!(clock.left(), Some(ms(7_300)));
        clock.press(ms(8_000), 1);
        assert_eq!(clock.left(), Some(ms(11_100)));
        let mut fixed = Clock::new(&Control { move_time: Some(ms(50)), ..Control::default() });
        fixed.press(ms(40), 1);
        assert_eq!((fixed.left(), fixed.allowed()), (None, Some(ms(50))));
    }

    #[test]
    fn go_says_what_is_left() {
        let lines = Control { line_increment: ms(100), ..control("10+1") };
        let clocks = [Clock::new(&lines), Clock::new(&control("40/60"))];
        assert_eq!(go(&clocks, 0, 2, false), "go wtime 10000 winc 1200 btime 60000 binc 0");
        assert_eq!(go(&clocks, 0, 2, true), "go wtime 10000 winc 1000 btime 60000 binc 0");
        assert!(go(&clocks, 1, 2, true).ends_with(" movestogo 40"));
        let plain = Control { nodes: Some(5), depth: Some(3), ..Control::default() };
        let clock = Clock::new(&plain);
        assert_eq!(go(&[clock.clone(), clock.clone()], 0, 1, false), "go nodes 5 depth 3");
        assert_eq!(clock.go_simple(1).unwrap(), "go depth 3");
        let nodes = Control { nodes: Some(5), ..Control::default() };
        assert!(Clock::new(&nodes).go_simple(1).is_err());
    }

    #[test]
    fn a_share_never_oversteps() {
        for left in [1, 30, 500, 10_000] {
            let clock = Clock { left: ms(left), ..Clock::new(&control("2/10+5")) };
            assert!(clock.share(4).unwrap() <= ms(left).max(ms(1)), "{left}");
        }
        assert_eq!(Clock::new(&control("30+1")).go_simple(1).unwrap(), "go movetime 1780");
    }
}
