//! GGF, the format of the Generic Game Server: `(;GM[Othello]PB[name]...BO[8 board side]B[d3//1.2]W[c3]...;)`.
//!
//! A move may carry an evaluation and a time behind slashes; they are kept as a comment such as `+1.25 0.03s`. A text may
//! have any number of games.

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
    let mut comments = Vec::new();
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
        if matches!(property.id.as_str(), "B" | "W") {
            comments.extend(comment(&property.value).map(|text| (record.len() - 1, text)));
        }
    }
    Ok(Sheet { tags, record, comments })
}

/// What stands behind the slashes of a move, `value/time`, in the words of a comment.
fn comment(property: &str) -> Option<String> {
    let mut parts = property.split('/').skip(1).map(str::trim);
    let (value, time) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let is_number = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
    let value = match value {
        "" => String::new(),
        _ if is_number(value) && !value.starts_with(['+', '-']) => format!("+{value}"),
        _ if is_number(value) => value.to_owned(),
        _ => format!("value={value}"),
    };
    let time = match time {
        "" => String::new(),
        _ if is_number(time) => format!("{time}s"),
        _ => format!("time={time}"),
    };
    let text = format!("{value} {time}").trim().to_owned();
    (!text.is_empty()).then_some(text)
}

/// The value and the time of a comment as GGF has them behind a move, and whether anything of it had no place there.
pub fn slashes(comment: &str) -> (String, bool) {
    let (mut value, mut time, mut is_cut) = ("", "", false);
    for word in comment.split_whitespace() {
        let number = word.split('/').next().unwrap_or_default();
        let is_value = number.starts_with(['+', '-']) && number.parse::<f64>().is_ok_and(f64::is_finite);
        if let Some(text) = word.strip_prefix("value=").filter(|_| value.is_empty()) {
            value = text;
        } else if let Some(text) = word.strip_prefix("time=").filter(|_| time.is_empty()) {
            time = text;
        } else if is_value && value.is_empty() {
            value = number.strip_prefix('+').unwrap_or(number);
            is_cut |= number.len() < word.len();
        } else if let Some(seconds) = word.strip_suffix('s').filter(|text| text.parse::<f64>().is_ok()) {
            time = seconds;
        } else {
            is_cut = true;
        }
    }
    let text = match (value, time) {
        ("", "") => String::new(),
        (value, "") => format!("/{value}"),
        (value, time) => format!("/{value}/{time}"),
    };
    (text, is_cut)
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
    for (ply, mv) in record.moves().enumerate() {
        let id = if colour == Colour::Black { "B" } else { "W" };
        let behind = sheet.comment(ply).map_or(String::new(), |comment| slashes(comment).0);
        text.push_str(&property_text(id, &(record.game().move_text(mv) + &behind)));
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
        assert_eq!(again[0].comments, sheets[0].comments);
        assert_eq!(sheets[0].comments, [(0, "4.09s".into()), (1, "+1.00 0.01s".into())]);
        assert_eq!(slashes("+1.25/12 2000n 0.03s good"), ("/1.25/0.03".into(), true));
        assert_eq!(slashes("-2.5"), ("/-2.5".into(), false));
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
