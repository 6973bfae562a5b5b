//! The table of weights as a source file.

use std::fmt::Write;

use crate::evaluation::{GROUPS, Weights};

/// Weights in a line.
const IN_LINE: usize = 12;

const HEADER: &str = "\
//! The values of the weights, written by `lightcone tune`; [`super::weights`] says what each is
//! for.

use super::weights::Weights;

#[rustfmt::skip]
pub(super) const TABLE: Weights = [
";

/// The text of `src/evaluation/table.rs` with these weights.
pub fn text(weights: &Weights) -> String {
    let mut text = HEADER.to_owned();
    let mut rest = weights.as_slice();
    for part in ["    // With one active timeline.\n", "\n    // With many.\n"] {
        text.push_str(part);
        for group in &GROUPS {
            let (own, others) = rest.split_at_checked(group.length).unwrap_or((rest, &[]));
            rest = others;
            let _ = writeln!(text, "    // {}", group.name);
            for line in own.chunks(IN_LINE) {
                let numbers: Vec<String> = line.iter().map(i32::to_string).collect();
                let _ = writeln!(text, "    {},", numbers.join(", "));
            }
        }
    }
    text.push_str("];\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::WEIGHTS;

    #[test]
    fn the_table_in_force_is_written_as_it_stands() {
        assert_eq!(text(&WEIGHTS), include_str!("../evaluation/table.rs"));
    }
}
