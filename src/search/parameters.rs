//! The numbers of the search that are worth tuning, in one table.
//!
//! They are constants, and cost no more than if they were written where they are used. In a build
//! with the feature `tuning` each is an option of the protocol instead, for `lightcone spsa` to
//! turn; all searches of a process share them then.

#[cfg(feature = "tuning")]
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// A whole number of the search.
#[derive(Debug)]
pub struct Parameter {
    /// Its name, as the option has it.
    pub name: &'static str,
    /// Its value, if it is not tuned.
    pub default: i32,
    /// The least value that makes sense.
    pub least: i32,
    /// The greatest.
    pub most: i32,
    /// What is tried on either side at the end of a run of SPSA: a change that games may notice.
    pub step: i32,
    #[cfg(feature = "tuning")]
    value: AtomicI32,
}

impl Parameter {
    const fn new(name: &'static str, default: i32, range: [i32; 2], step: i32) -> Parameter {
        let [least, most] = range;
        assert!(0 <= least && least <= default && default <= most && step > 0);
        Parameter {
            name,
            default,
            least,
            most,
            step,
            #[cfg(feature = "tuning")]
            value: AtomicI32::new(default),
        }
    }

    /// Its value.
    #[inline(always)]
    pub fn get(&self) -> i32 {
        #[cfg(feature = "tuning")]
        return self.value.load(Relaxed);
        #[cfg(not(feature = "tuning"))]
        return self.default;
    }

    /// Sets it for all searches to come. Without the feature `tuning` nothing changes.
    pub fn set(&self, value: i32) {
        #[cfg(feature = "tuning")]
        self.value.store(value.clamp(self.least, self.most), Relaxed);
        #[cfg(not(feature = "tuning"))]
        let _ = value;
    }
}

/// Makes the parameters and the list of them.
macro_rules! parameters {
    ($($(#[$about:meta])* $item:ident = $name:literal, $default:literal, $range:expr, $step:literal;)*) => {
        $($(#[$about])* pub static $item: Parameter =
            Parameter::new($name, $default, $range, $step);)*

        /// Every parameter, in the order of the table.
        pub static PARAMETERS: &[&Parameter] = &[$(&$item),*];
    };
}

parameters! {
    /// Plies that a late action is searched less deep, at least, in percent of a ply.
    REDUCTION_BASE = "Reduction Base", 60, [0, 200], 15;
    /// What the logarithms of depth and number, multiplied, are divided by, in percent.
    REDUCTION_DIVISOR = "Reduction Divisor", 180, [100, 500], 20;
    /// Centipawns for each ply of depth by which the static value is trusted to stay good enough.
    STATIC_MARGIN = "Static Margin", 145, [30, 600], 25;
    /// Plies that a pass is searched less deep.
    PASS_REDUCTION = "Pass Reduction", 4, [2, 6], 1;
    /// Quiet actions tried at a node, at least.
    WIDTH_BASE = "Width Base", 8, [1, 24], 2;
    /// How many more, times the square of the depth, in tenths.
    WIDTH_GROWTH = "Width Growth", 20, [0, 120], 8;
    /// How many actions are tried where these take, promote or check, in percent of that.
    FORCING_WIDTHS = "Forcing Widths", 200, [100, 800], 50;
    /// By how much the second best quiet move of one of several boards falls behind the best, the
    /// fourth twice that, and so on, in percent of the bonus for a capture.
    SPREAD = "Spread", 200, [0, 400], 40;
    /// The same for jumps that leave one board, capturing or not.
    JUMP_SPREAD = "Jump Spread", 300, [0, 400], 50;
    /// Captures tried at a node of quiescence.
    QUIESCENCE_WIDTH = "Quiescence Width", 3, [1, 32], 2;
    /// Centipawns by which a capture there may fail to bring the static value up to the window.
    QUIESCENCE_MARGIN = "Quiescence Margin", 135, [0, 1000], 50;
    /// Actions tried there in check.
    QUIESCENCE_CHECK_WIDTH = "Quiescence Check Width", 3, [2, 48], 3;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_its_default_and_a_name_of_its_own() {
        let mut names: Vec<&str> = PARAMETERS.iter().map(|parameter| parameter.name).collect();
        assert!(PARAMETERS.iter().all(|parameter| parameter.get() == parameter.default));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), PARAMETERS.len());
    }
}
