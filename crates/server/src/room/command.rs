//! What clients ask of a table, as HTTP bodies and as messages over a WebSocket.

use serde::Deserialize;
use serde_json::{Map, Value};
use trilith_games::Colour;

/// Something to be done at a table.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Command {
    /// `ply` is how many moves the client has seen.
    Move {
        #[serde(rename = "move")]
        mv: String,
        ply: usize,
    },
    Undo {
        ply: usize,
    },
    Redo {
        ply: usize,
    },
    /// Offers a draw, or accepts the other's offer.
    Draw {
        #[serde(default)]
        ply: Option<usize>,
    },
    Decline {},
    /// `as` is for who holds both seats.
    Resign {
        #[serde(default, rename = "as")]
        side: Option<Colour>,
    },
    /// Ends a game that has hardly begun, without a winner.
    Abort {},
    Pause {},
    Continue {},
    /// Asks for the last move back, or grants it to the other.
    Takeback {
        ply: usize,
    },
    /// Wants to play again; the next game is opened as soon as both do.
    Rematch {},
}

impl Command {
    /// How many moves the client has seen, where it matters.
    pub(crate) fn ply(&self) -> Option<usize> {
        match self {
            Command::Move { ply, .. }
            | Command::Undo { ply }
            | Command::Redo { ply }
            | Command::Takeback { ply } => Some(*ply),
            Command::Draw { ply } => *ply,
            _ => None,
        }
    }
}

/// One message of a client over a WebSocket.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ClientMessage {
    /// Who it is.
    Token(String),
    Ping,
    Do(Command),
}

/// The longest message that is read.
pub(crate) const LONGEST: usize = 4096;

impl ClientMessage {
    /// Reads a message and the number it wants echoed, whatever else is wrong with it.
    pub(crate) fn parse(text: &str) -> (Option<Value>, Result<ClientMessage, String>) {
        if text.len() > LONGEST {
            return (None, Err(format!("the message is longer than {LONGEST} bytes")));
        }
        let mut map: Map<String, Value> = match serde_json::from_str(text) {
            Ok(map) => map,
            Err(error) => return (None, Err(format!("expected a JSON object: {error}"))),
        };
        let nr = map.remove("nr").filter(|nr| nr.is_number() || nr.is_string());
        (nr, ClientMessage::read(map))
    }

    fn read(map: Map<String, Value>) -> Result<ClientMessage, String> {
        match (map.get("token"), map.get("do").and_then(Value::as_str)) {
            (Some(Value::String(token)), None) => Ok(ClientMessage::Token(token.clone())),
            (None, Some("ping")) => Ok(ClientMessage::Ping),
            (None, Some(_)) => serde_json::from_value(Value::Object(map))
                .map(ClientMessage::Do)
                .map_err(|error| error.to_string()),
            _ => Err("expected {\"token\": ...} or {\"do\": ...}".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_with_their_numbers() {
        let (nr, said) = ClientMessage::parse(r#"{"do":"move","move":"f5","ply":0,"nr":7}"#);
        assert_eq!(nr, Some(7.into()));
        assert_eq!(said, Ok(ClientMessage::Do(Command::Move { mv: "f5".into(), ply: 0 })));
        assert_eq!(ClientMessage::parse(r#"{"token":"x"}"#).1, Ok(ClientMessage::Token("x".into())));
        assert_eq!(ClientMessage::parse(r#"{"do":"ping"}"#).1, Ok(ClientMessage::Ping));
        assert_eq!(
            ClientMessage::parse(r#"{"do":"resign"}"#).1,
            Ok(ClientMessage::Do(Command::Resign { side: None }))
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, expected) in [
            ("", "JSON object"),
            ("[]", "JSON object"),
            ("{}", "expected {\"token\""),
            (r#"{"do":"fly"}"#, "unknown variant `fly`"),
            (r#"{"do":"move","move":"f5"}"#, "missing field `ply`"),
            (r#"{"do":"resign","force":1}"#, "unknown field `force`"),
            (r#"{"do":7}"#, "expected {\"token\""),
        ] {
            let error = ClientMessage::parse(text).1.unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
        assert!(ClientMessage::parse(&"x".repeat(5000)).1.unwrap_err().contains("4096"));
        assert_eq!(ClientMessage::parse(r#"{"do":"fly","nr":3}"#).0, Some(3.into()));
    }
}
