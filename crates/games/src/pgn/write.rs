//! Writing a game text.

use super::tokens::is_tag_name;
use super::{GAME, POSITION, PgnResult, RESULT, RULES, TERMINATION, first_colour};
use crate::game::{Colour, Game};
use crate::record::Record;

/// Lines of moves are broken before they get longer.
const WIDTH: usize = 80;

/// The text of a game, ending in a line break; texts of several games may follow each other.
///
/// `tags` come after those that the record gives. A `Result` among them counts only while the record itself has not
/// ended, such as after a resignation, and so does a `Termination`. `Game`, `Rules` and `Position` among them, and
/// names that are not letters, digits and underscores, are left out; control characters in values become spaces.
pub fn write<G: Game>(record: &Record<G>, tags: &[(String, String)]) -> String {
    write_with(record, tags, &|_| None)
}

/// The same text with comments: `comment` gives the one that follows the move of a ply, counted from 0, if there is one.
/// Closing braces in it become parentheses, control characters spaces.
pub fn write_with<G: Game>(
    record: &Record<G>,
    tags: &[(String, String)],
    comment: &dyn Fn(usize) -> Option<String>,
) -> String {
    let game = record.game();
    let result = result(record, tags);
    let mut text = tag(GAME, G::NAME) + &tag(RULES, &game.rules().to_string());
    if *record.start() != game.start() {
        text += &tag(POSITION, &game.position_text(record.start()));
    }
    text += &tag(RESULT, result.text(first_colour(game)));
    let end = record.end();
    if let Some(end) = &end {
        text += &tag(TERMINATION, &end.reason);
    }
    for (name, value) in tags.iter().filter(|(name, _)| is_free(name, end.is_some())) {
        text += &tag(name, value);
    }
    text.push('\n');
    text + &moves(record, result.text(first_colour(game)), comment)
}

fn result<G: Game>(record: &Record<G>, tags: &[(String, String)]) -> PgnResult {
    let stated = tags.iter().find(|(name, _)| name == RESULT);
    let stated = stated.and_then(|(_, value)| PgnResult::read(value, first_colour(record.game())));
    match PgnResult::of(record) {
        PgnResult::Open => stated.unwrap_or(PgnResult::Open),
        ended => ended,
    }
}

fn is_free(name: &str, has_ended: bool) -> bool {
    match name {
        GAME | RULES | POSITION | RESULT => false,
        TERMINATION => !has_ended,
        _ => is_tag_name(name),
    }
}

fn tag(name: &str, value: &str) -> String {
    let mut escaped = String::new();
    for letter in value.chars() {
        match letter {
            '"' | '\\' => escaped.extend(['\\', letter]),
            _ if letter.is_control() => escaped.push(' '),
            _ => escaped.push(letter),
        }
    }
    format!("[{name} \"{escaped}\"]\n")
}

fn moves<G: Game>(record: &Record<G>, result: &str, comment: &dyn Fn(usize) -> Option<String>) -> String {
    let mut words = Vec::new();
    let first = first_colour(record.game());
    let mut number = 1;
    let mut previous: Option<Colour> = None;
    let mut is_interrupted = false;
    for (ply, mv) in record.moves().enumerate() {
        let position = record.position_after(ply).expect("a position before each move");
        let colour = record.game().to_move(position);
        number += u32::from(colour == first && previous.is_some());
        let mv = record.game().move_text(mv);
        words.push(match colour {
            _ if colour == first => format!("{number}. {mv}"),
            _ if previous != Some(first) || is_interrupted => format!("{number}... {mv}"),
            _ => mv,
        });
        previous = Some(colour);
        let comment = comment(ply);
        is_interrupted = comment.is_some();
        words.extend(comment.map(|comment| format!("{{{}}}", comment_text(&comment))));
    }
    words.push(result.into());
    fill(&words)
}

/// A comment that nothing in it ends.
fn comment_text(comment: &str) -> String {
    let letter = |letter: char| match letter {
        '{' => '(',
        '}' => ')',
        _ if letter.is_control() => ' ',
        _ => letter,
    };
    comment.trim().chars().map(letter).collect()
}

/// Words in lines, each ended.
fn fill(words: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text.push('\n');
    text
}
