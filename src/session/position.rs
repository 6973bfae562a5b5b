//! The words of `position`: a start, then moves.

use super::{Game, Options};
use crate::actions::Action;
use crate::board::Size;
use crate::notation::{ParseError, parse_fen, parse_move};
use crate::variants;

/// A game, and what there is to say about it.
type Parsed = Result<(Game, Vec<String>), ParseError>;

#[derive(Default)]
struct Words {
    start: Option<Game>,
    size: Option<Size>,
    even: Option<bool>,
    blocks: Vec<String>,
}

/// Reads `startpos | variant NAME | [size WxH] [odd|even] fen BLOCKS`, each with `[moves …]`; the
/// keywords before `moves` come in any order. An unfinished last action is allowed.
///
/// Gives the game and warnings: histories that other programs let through are accepted.
///
/// # Errors
/// The token that is wrong, and why. Nothing is changed by reading.
pub fn parse_position(words: &[&str], options: &Options) -> Parsed {
    let end = words.iter().position(|&word| word == "moves" || word == "move");
    let (start, moves) = match end {
        Some(end) => (words.get(..end), words.get(end.saturating_add(1)..)),
        None => (Some(words), None),
    };
    let mut game = parse_start(start.unwrap_or_default())?;
    game.set_promotions(options.promotions)
        .map_err(|error| ParseError::new("Promotions", error))?;
    let mut warnings = Vec::new();
    if game.can_take_royal() {
        warnings.push("the side to move can take a royal at the start".to_owned());
    }
    for token in moves.unwrap_or_default() {
        play_token(&mut game, token, &mut warnings)?;
    }
    Ok((game, warnings))
}

fn parse_start(words: &[&str]) -> Result<Game, ParseError> {
    let mut found = Words::default();
    let mut rest = words;
    while let Some((&word, after)) = rest.split_first() {
        rest = after;
        match word {
            "startpos" => found.set_start(word, variant(variants::STARTPOS)?)?,
            "variant" => {
                let (name, used) = longest_name(rest)?;
                found.set_start(word, variant(name)?)?;
                rest = rest.get(used..).unwrap_or_default();
            }
            "size" => {
                let text = rest.first().copied().unwrap_or_default();
                found.size = Some(parse_size(text)?);
                rest = rest.get(1..).unwrap_or_default();
            }
            "odd" => found.even = Some(false),
            "even" => found.even = Some(true),
            "fen" => {}
            block if block.starts_with('[') => found.blocks.push(block.to_owned()),
            other => {
                let expected =
                    "expected startpos, variant, size, odd, even, fen, a block [...] or moves";
                return Err(ParseError::new(other, expected));
            }
        }
    }
    if let Some(start) = found.start {
        if !found.blocks.is_empty() || found.size.is_some() || found.even.is_some() {
            let expected = "a named start takes no size, parity or blocks";
            return Err(ParseError::new("position", expected));
        }
        return Ok(start);
    }
    if found.blocks.is_empty() {
        let expected = "expected startpos, variant NAME or fen with its blocks";
        return Err(ParseError::new("position", expected));
    }
    Ok(Game::new("Custom", parse_fen(&found.blocks.join(" "), found.size, found.even)?))
}

impl Words {
    fn set_start(&mut self, word: &str, start: Game) -> Result<(), ParseError> {
        if self.start.is_some() {
            return Err(ParseError::new(word, "the start is given twice"));
        }
        self.start = Some(start);
        Ok(())
    }
}

fn variant(name: &str) -> Result<Game, ParseError> {
    let variant = variants::find(name)
        .ok_or_else(|| ParseError::new(name, "expected the name of a variant"))?;
    Ok(Game::new(variant.name, variant.multiverse()?))
}

/// The longest run of words in front that names a variant, and how many words it takes. Names
/// hold blanks and may hold words that are keywords elsewhere.
fn longest_name(words: &[&str]) -> Result<(&'static str, usize), ParseError> {
    const LONGEST: usize = 16;
    (1..=words.len().min(LONGEST))
        .rev()
        .find_map(|used| {
            let name = words.get(..used)?.join(" ");
            let name = name.trim_matches(['"', '\'']);
            variants::find(name).map(|variant| (variant.name, used))
        })
        .ok_or_else(|| {
            let token = words.get(..words.len().min(4)).unwrap_or_default().join(" ");
            ParseError::new(token, "expected the name of a variant")
        })
}

fn parse_size(text: &str) -> Result<Size, ParseError> {
    let parse = || {
        let (width, height) = text.split_once(['x', 'X'])?;
        Size::new(width.parse().ok()?, height.parse().ok()?)
    };
    parse().ok_or_else(|| ParseError::new(text, "expected a size from 1x1 to 8x8"))
}

/// Makes the move of a token, or submits.
fn play_token(game: &mut Game, token: &str, warnings: &mut Vec<String>) -> Result<(), ParseError> {
    if token != "submit" {
        let step = parse_move(token)?.resolve(game.multiverse(), token)?;
        if game.multiverse().is_full() {
            return Err(ParseError::new(token, "past the largest timeline or turn supported"));
        }
        game.play(step);
        return Ok(());
    }
    game.submit().map_err(|error| ParseError::new(token, error.to_string()))?;
    if game.can_take_royal() {
        let number = game.history().len();
        warnings.push(format!("action {number} leaves a royal that can be taken"));
    }
    Ok(())
}

/// Reads the moves of a legal action, or of what completes an unfinished one.
///
/// # Errors
/// The token that is wrong, and why, or that the action is not legal.
pub fn parse_action(words: &[&str], game: &Game) -> Result<Action, ParseError> {
    let mut game = game.clone();
    let mut action = Action::new();
    for token in words {
        let step = parse_move(token)?.resolve(game.multiverse(), token)?;
        game.play(step);
        action.push(step);
    }
    if game.may_submit() {
        Ok(action)
    } else {
        Err(ParseError::new(words.join(" "), "not a legal action"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Parsed {
        let words: Vec<&str> = text.split_whitespace().collect();
        parse_position(&words, &Options::default())
    }

    #[test]
    fn starts_are_read_in_every_form() {
        for text in [
            "startpos",
            "variant Standard - Turn Zero",
            "variant standard - turn zero moves (0T1)e2e4 submit",
            "fen [nbrk/3p*/P*3/KRBN:0:1:w]",
            "[nbrk/3p*/P*3/KRBN:0:1:w]",
            "odd fen [nbrk/3p*/P*3/KRBN:0:1:w] size 4x4",
            "variant Custom - Who Even Needs Pawns",
            "startpos moves (0T1)e2e4",
        ] {
            assert!(parse(text).is_ok(), "{text}: {:?}", parse(text).err());
        }
    }

    #[test]
    fn faults_name_the_token() {
        let error = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(error(""), "position: expected startpos, variant NAME or fen with its blocks");
        assert_eq!(error("variant Chess 2"), "Chess 2: expected the name of a variant");
        assert_eq!(error("size 9x9 fen [8:0:1:w]"), "9x9: expected a size from 1x1 to 8x8");
        assert_eq!(
            error("startpos moves submit"),
            "submit: the action cannot be submitted: a board still holds the present"
        );
        assert_eq!(error("startpos moves (0T1)e2e5"), "(0T1)e2e5: P on e2 cannot move there");
    }

    #[test]
    fn a_royal_left_to_be_taken_is_a_warning() {
        let text = "fen [3qk/5/5/5/2K2:0:1:w] moves (0T1)c1d1 submit";
        let (_, warnings) = parse(text).unwrap();
        assert_eq!(warnings, ["action 1 leaves a royal that can be taken"]);
    }
}
