//! What players say to each other: phrases that everybody understands, and free words only where the owner allows them.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use trilith_games::Colour;

use crate::fault::Fault;

/// Phrases by their keys; each page says them in its own language.
pub(crate) const PHRASES: [&str; 8] =
    ["hello", "luck", "well-played", "thanks", "sorry", "moment", "again", "bye"];

/// The most letters of free words.
const LONGEST: usize = 200;

/// How long a player is quiet between two sayings, at least.
pub(crate) const PAUSE: Duration = Duration::from_millis(1500);

/// What a client asks to be said.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub(crate) enum Words {
    Phrase { phrase: String },
    Free { text: String },
}

impl Words {
    /// Refuses what may not be said here.
    pub(crate) fn check(&self, may_chat: bool) -> Result<(), Fault> {
        match self {
            Words::Phrase { phrase } if PHRASES.contains(&phrase.as_str()) => Ok(()),
            Words::Phrase { phrase } => {
                let known = PHRASES.join(", ");
                Err(Fault::bad_request(format!("phrase `{phrase}`: expected one of {known}")))
            }
            Words::Free { .. } if !may_chat => {
                let status = axum::http::StatusCode::FORBIDDEN;
                Err(Fault::new(status, "this server has phrases only: its owner has not allowed free words"))
            }
            Words::Free { text } if text.trim().is_empty() || text.chars().count() > LONGEST => {
                Err(Fault::bad_request(format!("text: expected 1 to {LONGEST} letters")))
            }
            Words::Free { .. } => Ok(()),
        }
    }

    /// What those at the table hear.
    pub(crate) fn event(&self, side: Colour) -> Arc<str> {
        let event = match self {
            Words::Phrase { phrase } => json!({ "event": "said", "side": side, "phrase": phrase }),
            Words::Free { text } => {
                let text: String = text
                    .trim()
                    .chars()
                    .map(|letter| if letter.is_control() { ' ' } else { letter })
                    .collect();
                json!({ "event": "said", "side": side, "text": text })
            }
        };
        event.to_string().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_always_and_free_words_only_where_they_are_allowed() {
        let words = |json: &str| serde_json::from_str::<Words>(json).unwrap();
        assert!(words(r#"{"phrase":"hello"}"#).check(false).is_ok());
        assert!(words(r#"{"phrase":"insult"}"#).check(true).is_err());
        let free = words(r#"{"text":" well\nthen "}"#);
        assert!(free.check(false).is_err() && free.check(true).is_ok());
        assert!(Words::Free { text: "x".repeat(201) }.check(true).is_err());
        assert_eq!(&*free.event(Colour::Black), r#"{"event":"said","side":"black","text":"well then"}"#);
    }
}
