//! Names that people see: short, visible, and nobody else's.

use axum::http::StatusCode;

use crate::app::App;
use crate::fault::Fault;
use crate::store::reads;
use crate::token::Asker;

/// The longest name, in characters.
const LONGEST: usize = 20;

/// Letters that show nothing, join others or turn the direction of what follows.
const INVISIBLE: [(u32, u32); 18] = [
    (0x00, 0x1f),
    (0x7f, 0x9f),
    (0xad, 0xad),
    (0x34f, 0x34f),
    (0x61c, 0x61c),
    (0x115f, 0x1160),
    (0x17b4, 0x17b5),
    (0x180b, 0x180f),
    (0x200b, 0x200f),
    (0x2028, 0x202e),
    (0x2060, 0x206f),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xfe00, 0xfe0f),
    (0xfeff, 0xfeff),
    (0xffa0, 0xffa0),
    (0xfff0, 0xfffb),
    (0xe0000, 0xe0fff),
];

fn is_invisible(letter: char) -> bool {
    INVISIBLE.iter().any(|&(first, last)| (first..=last).contains(&(letter as u32)))
}

/// The name that `text` stands for: without spaces around it, at most 20 characters, each of which can be seen.
pub(crate) fn parse(text: &str) -> Result<String, Fault> {
    let name = text.trim();
    if let Some(letter) = name.chars().find(|&letter| is_invisible(letter)) {
        let code = letter as u32;
        return Err(Fault::bad_request(format!(
            "name: U+{code:04X} cannot be seen: expected visible letters"
        )));
    }
    match name.chars().count() {
        0..=LONGEST => Ok(name.into()),
        count => Err(Fault::bad_request(format!("name: {count} characters, expected at most {LONGEST}"))),
    }
}

/// Refuses the name of an account to whom it does not belong.
pub(crate) async fn check_owner(app: &App, asker: &Asker, name: Option<&str>) -> Result<(), Fault> {
    let Some(name) = name else { return Ok(()) };
    let key = parse(name)?.to_ascii_lowercase();
    if asker.account.as_ref() == Some(&key) {
        return Ok(());
    }
    let owner = key.clone();
    match app.store.read(move |db| reads::account(db, &owner)).await? {
        None => Ok(()),
        Some(_) => {
            let error =
                format!("`{key}` is the name of an account: expected another name, or the account's token");
            Err(Fault::new(StatusCode::CONFLICT, error))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_can_be_seen() {
        for (text, name) in [
            (" Anna ", "Anna"),
            ("J\u{fc}rgen", "J\u{fc}rgen"),
            ("", ""),
            ("\u{5d0}\u{5d1}", "\u{5d0}\u{5d1}"),
        ] {
            assert_eq!(parse(text).as_deref(), Ok(name));
        }
        for text in [
            "a\nb",
            "a\u{202e}b",
            "a\u{200b}",
            "\u{feff}x",
            "\u{3164}",
            "a\u{2066}b",
            "a\u{e0041}",
            &"x".repeat(21),
        ] {
            assert!(parse(text).is_err(), "{text:?}");
        }
    }
}
