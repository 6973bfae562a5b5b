//! Named start positions.
//!
//! The table holds facts only: names, sizes and boards. Where sources of a start differ, the
//! reading with the most support was taken.

mod community;
mod official;

use crate::board::Size;
use crate::multiverse::Multiverse;
use crate::notation::{ParseError, parse_fen};

/// The name of the start position that `position startpos` means.
pub const STARTPOS: &str = "Standard - Turn Zero";

/// A named start position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Its official name.
    pub name: &'static str,
    /// The menu it belongs to; `Community` for those that players made.
    pub group: &'static str,
    /// Other names it goes by.
    pub aliases: &'static [&'static str],
    /// Files, 1 to 8.
    pub width: u8,
    /// Ranks, 1 to 8.
    pub height: u8,
    /// Whether it starts with an even number of timelines.
    pub even: bool,
    /// Its boards as blocks of 5DFEN.
    pub boards: &'static [&'static str],
}

impl Variant {
    /// The start position.
    ///
    /// # Errors
    /// Never for the variants of the table; a test reads them all.
    pub fn multiverse(&self) -> Result<Multiverse, ParseError> {
        parse_fen(&self.boards.join(" "), Size::new(self.width, self.height), Some(self.even))
    }

    /// Whether the variant is one of the game's own.
    pub fn is_official(&self) -> bool {
        self.group != "Community"
    }
}

/// All variants, the official ones first.
pub fn all() -> impl Iterator<Item = &'static Variant> {
    official::OFFICIAL.iter().chain(&community::COMMUNITY)
}

/// The variant of a name or an alias; case does not matter.
pub fn find(name: &str) -> Option<&'static Variant> {
    let name = name.trim();
    all().find(|variant| {
        std::iter::once(&variant.name)
            .chain(variant.aliases)
            .any(|known| known.eq_ignore_ascii_case(name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::write_fen;

    #[test]
    fn every_variant_loads_and_is_written_back() {
        for variant in all() {
            let start = variant.multiverse().unwrap();
            start.audit().unwrap();
            let again = parse_fen(&write_fen(&start), None, Some(variant.even)).unwrap();
            assert_eq!(again.key(), start.key(), "{}", variant.name);
        }
        assert_eq!(official::OFFICIAL.len(), 44);
    }

    #[test]
    fn names_and_aliases_are_unique_and_found_in_any_case() {
        let mut seen = std::collections::BTreeSet::new();
        for variant in all() {
            for name in std::iter::once(&variant.name).chain(variant.aliases) {
                assert!(seen.insert(name.to_ascii_lowercase()) || *name == variant.name, "{name}");
                assert_eq!(find(&name.to_ascii_uppercase()), Some(variant));
            }
        }
        assert!(find(STARTPOS).is_some());
        assert_eq!(find("no such variant"), None);
    }
}
