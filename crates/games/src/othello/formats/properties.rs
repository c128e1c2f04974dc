//! The brackets that GGF and SGF share: `(;ID[value]ID[value][value];ID[value])`.
//!
//! Only the main line is kept: the first variation at each branch. Nothing here calls itself, so that no depth of
//! parentheses can exhaust the stack.

use super::cursor::Cursor;
use crate::error::FormatError;

/// An identifier with one of its values; an identifier with several values gives several of these.
pub(super) struct Property {
    /// Capital letters; small ones, which old files have for people, are left out.
    pub(super) id: String,
    /// Without escapes.
    pub(super) value: String,
    /// Byte where the value begins.
    pub(super) at: usize,
}

/// The properties of each game of a text. What stands between games is skipped.
pub(super) fn parse_games(text: &str) -> Result<Vec<Vec<Property>>, FormatError> {
    let mut cursor = Cursor::new(text);
    let mut games = Vec::new();
    while seek_game(&mut cursor) {
        games.push(main_line(&mut cursor)?);
    }
    match games.is_empty() {
        true => Err(cursor.expected("`(;` to begin a game")),
        false => Ok(games),
    }
}

/// Goes to the next `(` that a `;` follows.
fn seek_game(cursor: &mut Cursor) -> bool {
    while let Some(letter) = cursor.peek() {
        if letter == '(' && cursor.rest()[1..].trim_start().starts_with(';') {
            return true;
        }
        cursor.next();
    }
    false
}

/// The first variation of the tree that begins here.
fn main_line(cursor: &mut Cursor) -> Result<Vec<Property>, FormatError> {
    let mut properties = Vec::new();
    let (mut depth, mut first) = (0_usize, true);
    loop {
        match cursor.peek() {
            Some('(') => depth += 1,
            Some(')') => (depth, first) = (depth - 1, false),
            Some(';') => {}
            Some('A'..='Z' | 'a'..='z') => {
                let found = property(cursor)?;
                if first {
                    properties.extend(found);
                }
                cursor.skip_space();
                continue;
            }
            _ => return Err(cursor.expected("`;`, `(`, `)` or a property such as `B[d3]`")),
        }
        cursor.next();
        if depth == 0 {
            return Ok(properties);
        }
        cursor.skip_space();
    }
}

/// An identifier and all its values.
fn property(cursor: &mut Cursor) -> Result<Vec<Property>, FormatError> {
    let mut id = String::new();
    while let Some(letter) = cursor.peek().filter(char::is_ascii_alphabetic) {
        if letter.is_ascii_uppercase() {
            id.push(letter);
        }
        cursor.next();
    }
    let mut values = Vec::new();
    loop {
        let before = cursor.clone();
        cursor.skip_space();
        if !cursor.eat('[') {
            *cursor = before;
            break;
        }
        let at = cursor.at();
        values.push(Property { id: id.clone(), value: value(cursor)?, at });
    }
    match values.is_empty() {
        true => Err(cursor.expected(format!("`[` and a value for `{id}`"))),
        false => Ok(values),
    }
}

/// Up to the closing bracket; a backslash takes the next character as it is.
fn value(cursor: &mut Cursor) -> Result<String, FormatError> {
    let mut value = String::new();
    loop {
        match cursor.next() {
            Some(']') => return Ok(value),
            Some('\\') => match cursor.next() {
                Some('\n') | None => {}
                Some(letter) => value.push(letter),
            },
            Some(letter) => value.push(letter),
            None => return Err(cursor.expected("`]` to close the value")),
        }
    }
}

/// `ID[value]` with escapes.
pub(super) fn property_text(id: &str, value: &str) -> String {
    format!("{id}[{}]", value.replace('\\', "\\\\").replace(']', "\\]"))
}
