//! The options of `setoption`: one table, from which they are listed, read and checked.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::board::PieceKind;
use crate::multiverse::Promotions;
use crate::search::{ELO_OF_LEVEL, FULL_LEVEL, PARAMETERS, Strength};
use crate::variants;

/// What an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Check(bool),
    /// A whole number: default, least, most.
    Spin(i64, i64, i64),
    /// Any text.
    Text(&'static str),
    /// The name of a variant.
    Variant(&'static str),
    /// Nothing: it does something.
    Button,
}

/// An option as the handshake lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name; case does not matter on input.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
}

const fn check(name: &'static str, default: bool) -> Setting {
    Setting { name, kind: Kind::Check(default) }
}

const fn spin(name: &'static str, default: i64, least: i64, most: i64) -> Setting {
    Setting { name, kind: Kind::Spin(default, least, most) }
}

/// The options of every build.
static SETTINGS: [Setting; 18] = [
    spin("Hash", 64, 1, 65_536),
    spin("Threads", 1, 1, 256),
    spin("MultiPV", 1, 1, 500),
    check("Ponder", false),
    spin("Move Overhead", 15, 0, 10_000),
    Setting { name: "Clear Hash", kind: Kind::Button },
    check("UCI_AnalyseMode", false),
    check("UCI_ShowWDL", false),
    Setting { name: "UCI_Variant", kind: Kind::Variant(variants::STARTPOS) },
    Setting { name: "Debug Log File", kind: Kind::Text("") },
    check("Exiled Kings", true),
    Setting { name: "Promotions", kind: Kind::Text("Q") },
    check("Disputed Moves", true),
    spin("Status Budget", 10_000, 0, 86_400_000),
    spin("Timeline Increment", 0, 0, 3_600_000),
    spin("Skill Level", FULL_SKILL, 0, FULL_SKILL),
    check("UCI_LimitStrength", false),
    spin("UCI_Elo", ELO_OF_LEVEL[4], ELO_OF_LEVEL[0], ELO_OF_LEVEL[4]),
];

/// The skill level at which the engine plays as strongly as it can.
const FULL_SKILL: i64 = FULL_LEVEL as i64;

/// Every option. In a build with the feature `tuning` the parameters of the search are among them.
pub fn settings() -> impl Iterator<Item = Setting> {
    let tuned = if cfg!(feature = "tuning") { PARAMETERS } else { &[] };
    let tuned = tuned.iter().map(|parameter| {
        let [default, least, most] = [parameter.default, parameter.least, parameter.most];
        spin(parameter.name, default.into(), least.into(), most.into())
    });
    SETTINGS.iter().copied().chain(tuned)
}

impl Setting {
    /// The line of the handshake that describes it.
    pub fn describe(&self) -> String {
        let kind = match self.kind {
            Kind::Check(default) => format!("check default {default}"),
            Kind::Spin(default, least, most) => {
                format!("spin default {default} min {least} max {most}")
            }
            Kind::Text("") => "string default <empty>".to_owned(),
            Kind::Text(default) => format!("string default {default}"),
            Kind::Variant(default) => {
                let names: String =
                    variants::all().map(|variant| format!(" var {}", variant.name)).collect();
                format!("combo default {default}{names}")
            }
            Kind::Button => "button".to_owned(),
        };
        format!("option name {} type {kind}", self.name)
    }
}

/// The values in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Size of the transposition table in MiB.
    pub hash: usize,
    /// Search threads.
    pub threads: usize,
    /// Lines reported.
    pub multi_pv: usize,
    /// Whether a ponder move is named.
    pub ponder: bool,
    /// Milliseconds kept back for the way of the answer.
    pub move_overhead: u64,
    /// Analysis: a search on the clock does not end early.
    pub analyse_mode: bool,
    /// Whether scores come with chances to win, draw and lose.
    pub show_wdl: bool,
    /// Where to write the traffic; empty for nowhere.
    pub debug_log: String,
    /// The tournament rule for stalemates (R27).
    pub exiled_kings: bool,
    /// What promotion may lead to (R9).
    pub promotions: Promotions,
    /// Whether the engine itself plays moves that other programs refuse.
    pub disputed_moves: bool,
    /// Milliseconds for deciding the status of a position.
    pub status_budget: u64,
    /// Milliseconds gained for each active timeline when submitting; 0 for none.
    pub timeline_increment: u64,
    /// How strongly to play, from 0 to 20.
    pub skill_level: i64,
    /// Whether `elo` bounds the strength.
    pub limit_strength: bool,
    /// The rating to play at.
    pub elo: i64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash: 64,
            threads: 1,
            multi_pv: 1,
            ponder: false,
            move_overhead: 15,
            analyse_mode: false,
            show_wdl: false,
            debug_log: String::new(),
            exiled_kings: true,
            promotions: Promotions::QUEEN,
            disputed_moves: true,
            status_budget: 10_000,
            timeline_increment: 0,
            skill_level: FULL_SKILL,
            limit_strength: false,
            elo: ELO_OF_LEVEL[4],
        }
    }
}

/// What a change of an option asks of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing but to be remembered.
    Plain,
    /// The table gets another size.
    Hash,
    /// Results under the same key change: every cache of them is to be cleared.
    Rules,
    /// The table is to be cleared.
    Clear,
    /// The log file is another one.
    Log,
    /// The position is to be the start of a variant.
    Variant(&'static str),
}

impl Options {
    /// How strongly to play, `None` for as strongly as can be. A rating goes before a level.
    pub fn strength(&self) -> Option<Strength> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let seed = now.as_nanos() as u64;
        if self.limit_strength {
            Strength::of_elo(self.elo, seed)
        } else {
            Strength::of_level(self.skill_level as f64, seed)
        }
    }

    /// Sets an option. The old value stays on an error.
    ///
    /// # Errors
    /// What is wrong with the name or the value.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Change, String> {
        let setting = settings()
            .find(|setting| setting.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| format!("there is no option named {name:?}"))?;
        let name = setting.name;
        let value = match (setting.kind, value) {
            (Kind::Button, _) => "",
            (Kind::Text(_), None) => "",
            (_, Some(value)) => value.trim(),
            (_, None) => return Err(format!("option {name} needs a value")),
        };
        let flag = || match value.to_ascii_lowercase().as_str() {
            "true" | "on" | "1" => Ok(true),
            "false" | "off" | "0" => Ok(false),
            _ => Err(format!("option {name} takes true or false, not {value:?}")),
        };
        let number = || match setting.kind {
            Kind::Spin(_, least, most) => value
                .parse::<i64>()
                .ok()
                .filter(|number| (least..=most).contains(number))
                .map(i64::unsigned_abs)
                .ok_or_else(|| {
                    format!("option {name} takes a number from {least} to {most}, not {value:?}")
                }),
            _ => Err(format!("option {name} takes no number")),
        };
        let mut change = Change::Plain;
        match name {
            "Hash" => {
                self.hash = number()? as usize;
                change = Change::Hash;
            }
            "Threads" => self.threads = number()? as usize,
            "MultiPV" => self.multi_pv = number()? as usize,
            "Ponder" => self.ponder = flag()?,
            "Move Overhead" => self.move_overhead = number()?,
            "Clear Hash" => change = Change::Clear,
            "UCI_AnalyseMode" => self.analyse_mode = flag()?,
            "UCI_ShowWDL" => self.show_wdl = flag()?,
            "UCI_Variant" => {
                let variant = variants::find(value)
                    .ok_or_else(|| format!("there is no variant named {value:?}"))?;
                change = Change::Variant(variant.name);
            }
            "Debug Log File" => {
                self.debug_log = if value == "<empty>" { String::new() } else { value.to_owned() };
                change = Change::Log;
            }
            "Exiled Kings" => {
                let on = flag()?;
                if on != self.exiled_kings {
                    change = Change::Rules;
                }
                self.exiled_kings = on;
            }
            "Promotions" => {
                let promotions = parse_promotions(value)?;
                if promotions != self.promotions {
                    change = Change::Rules;
                }
                self.promotions = promotions;
            }
            "Disputed Moves" => self.disputed_moves = flag()?,
            "Status Budget" => self.status_budget = number()?,
            "Timeline Increment" => self.timeline_increment = number()?,
            "Skill Level" => self.skill_level = number()? as i64,
            "UCI_LimitStrength" => self.limit_strength = flag()?,
            "UCI_Elo" => self.elo = number()? as i64,
            _ => {
                let parameter = PARAMETERS.iter().find(|parameter| parameter.name == name);
                let parameter =
                    parameter.ok_or_else(|| format!("there is no option named {name:?}"))?;
                parameter.set(i32::try_from(number()?).unwrap_or(parameter.most));
            }
        }
        Ok(change)
    }
}

/// Reads `Q`, `QNRB` or `Q,N,R,B`.
fn parse_promotions(value: &str) -> Result<Promotions, String> {
    let letters = value.chars().filter(|letter| !letter.is_whitespace() && *letter != ',');
    let kinds: Option<Vec<PieceKind>> =
        letters.map(|letter| PieceKind::from_letter(letter.to_ascii_uppercase())).collect();
    kinds.and_then(|kinds| Promotions::new(&kinds)).ok_or_else(|| {
        format!("option Promotions takes letters among Q, N, R, B, S, U, D and C, not {value:?}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_lists_the_defaults_that_are_in_force() {
        let mut options = Options::default();
        for setting in settings() {
            let value = match setting.kind {
                Kind::Check(default) => default.to_string(),
                Kind::Spin(default, ..) => default.to_string(),
                Kind::Text(default) | Kind::Variant(default) => default.to_owned(),
                Kind::Button => String::new(),
            };
            options.set(setting.name, Some(&value)).unwrap();
        }
        assert_eq!(options, Options::default());
    }

    #[test]
    fn bad_values_leave_the_old_ones() {
        let mut options = Options::default();
        for (name, value) in [
            ("Hash", "0"),
            ("Hash", "99999999999999999999"),
            ("hash", "abc"),
            ("Threads", "-1"),
            ("Ponder", "maybe"),
            ("Promotions", "K"),
            ("Promotions", ""),
            ("UCI_Variant", "Chess 2"),
            ("No Such Option", "1"),
        ] {
            assert!(options.set(name, Some(value)).is_err(), "{name} {value}");
        }
        assert!(options.set("Hash", None).is_err());
        assert_eq!(options, Options::default());
    }

    #[test]
    fn names_and_values_are_read_in_any_case() {
        let mut options = Options::default();
        assert_eq!(options.set("mOVE oVERHEAD", Some("20")), Ok(Change::Plain));
        assert_eq!(options.move_overhead, 20);
        assert_eq!(options.set("exiled kings", Some("False")), Ok(Change::Rules));
        assert_eq!(options.set("promotions", Some("q,n")), Ok(Change::Rules));
        assert!(options.promotions.contains(PieceKind::Knight));
    }
}
