//! GGF, the format of the Generic Game Server: `(;GM[Othello]PB[name]...BO[8 board side]B[d3//1.2]W[c3]...;)`.
//!
//! A move may carry an evaluation and a time behind slashes, which are not kept. A text may have any number of games.

use super::Sheet;
use super::cursor::{line_of, syntax};
use super::properties::{Property, parse_games, property_text};
use super::transcript::pass_if_forced;
use crate::error::FormatError;
use crate::game::{Colour, Game};
use crate::othello::{Othello, Position};
use crate::record::Record;

/// Reads all games of a text.
pub fn parse_ggf(game: &Othello, text: &str) -> Result<Vec<Sheet>, FormatError> {
    parse_games(text)?.iter().map(|properties| sheet(game, text, properties)).collect()
}

/// A game a line, as [`parse_ggf`] reads it.
pub fn ggf_text(sheets: &[Sheet]) -> String {
    sheets.iter().map(sheet_text).collect()
}

fn sheet(game: &Othello, text: &str, properties: &[Property]) -> Result<Sheet, FormatError> {
    let mut tags = Vec::new();
    let mut record = Record::new(game.clone());
    for property in properties {
        match property.id.as_str() {
            "GM" if property.value.eq_ignore_ascii_case("othello") => {}
            "GM" => return Err(syntax(text, property.at, "`Othello`")),
            "BO" if record.is_empty() => record = start(game, text, property)?,
            "BO" => return Err(syntax(text, property.at, "the board before the moves")),
            "B" => push(&mut record, Colour::Black, text, property)?,
            "W" => push(&mut record, Colour::White, text, property)?,
            _ => tags.push((property.id.clone(), property.value.clone())),
        }
    }
    Ok(Sheet { tags, record })
}

fn start(game: &Othello, text: &str, property: &Property) -> Result<Record<Othello>, FormatError> {
    let value = property.value.trim_start();
    let Some(board) = value.strip_prefix("8 ") else {
        return Err(syntax(text, property.at, "board size `8`"));
    };
    Position::parse(board)
        .and_then(|position| Record::from_position(game.clone(), position))
        .map_err(|source| FormatError::Position { line: line_of(text, property.at), source })
}

fn push(
    record: &mut Record<Othello>,
    colour: Colour,
    text: &str,
    property: &Property,
) -> Result<(), FormatError> {
    let mv = property.value.split('/').next().unwrap_or("").trim();
    push_of(record, colour, mv, text, property.at)
}

/// Plays a move of `colour`, after a pass of its opponent if that is forced and was not written.
pub(super) fn push_of(
    record: &mut Record<Othello>,
    colour: Colour,
    mv: &str,
    text: &str,
    at: usize,
) -> Result<(), FormatError> {
    if record.position().to_move != colour {
        pass_if_forced(record);
    }
    if record.position().to_move != colour && record.end().is_none() {
        return Err(syntax(text, at, format!("a move of {}", !colour)));
    }
    let ply = record.len() + 1;
    record.push_text(mv).map_err(|source| FormatError::Move { line: line_of(text, at), ply, source })
}

fn sheet_text(sheet: &Sheet) -> String {
    let mut text = String::from("(;GM[Othello]");
    text.extend(sheet.tags.iter().map(|(id, value)| property_text(id, value)));
    let record = &sheet.record;
    text.push_str(&format!("BO[8 {}]", record.start().text().replace('X', "*")));
    let mut colour = record.start().to_move;
    for mv in record.moves() {
        let id = if colour == Colour::Black { "B" } else { "W" };
        text.push_str(&property_text(id, &record.game().move_text(mv)));
        colour = !colour;
    }
    text.push_str(";)\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]";

    fn read(text: &str) -> Result<Vec<Sheet>, FormatError> {
        parse_ggf(&Othello::default(), text)
    }

    #[test]
    fn several_games_with_times_and_tags_round_trip() {
        let text = format!(
            "2 (;GM[Othello]PC[GGS/os]PB[a\\]b]PW[w]RE[+2.00:r]TY[8]{BOARD}B[F5//4.09]W[D6/1.00/0.01]B[c3];)\n\
             (;GM[othello]PB[x]{BOARD};)"
        );
        let sheets = read(&text).unwrap();
        assert_eq!(sheets.len(), 2);
        assert_eq!(
            (sheets[0].tag("PB"), sheets[0].tag("PC"), sheets[0].tag("XX")),
            (Some("a]b"), Some("GGS/os"), None)
        );
        assert_eq!((sheets[0].record.len(), sheets[1].record.len()), (3, 0));
        let again = read(&ggf_text(&sheets)).unwrap();
        assert_eq!(ggf_text(&again), ggf_text(&sheets));
        assert_eq!(again[0].tags, sheets[0].tags);
        assert_eq!(again[0].record.position(), sheets[0].record.position());
    }

    #[test]
    fn errors_say_where() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(error("no game"), "line 1, column 8: expected `(;` to begin a game");
        assert_eq!(error("(;GM[Othello]PB[x"), "line 1, column 18: expected `]` to close the value");
        assert_eq!(error("(;GM[Amazons];)"), "line 1, column 6: expected `Othello`");
        assert_eq!(error("(;BO[10 --];)"), "line 1, column 6: expected board size `8`");
        assert_eq!(error("(;\nW[f5];)"), "line 2, column 3: expected a move of black");
        assert!(error("(;B[f5]\nW[a1];)").starts_with("line 2, ply 2: `a1` is not legal here"));
        assert!(error("(;BO[8 -- *];)").starts_with("line 1: position, column"));
        assert!(error("(;B").starts_with("line 1, column 4: expected `[`"));
    }

    #[test]
    fn no_depth_of_parentheses_exhausts_the_stack() {
        let text = "(;".repeat(100_000);
        assert!(read(&text).is_err());
    }
}
