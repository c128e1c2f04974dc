#![no_main]

// The parser alone: the whole server would bring a database and a web framework into every fuzz build.
#[allow(dead_code)]
#[path = "../../crates/server/src/room/command.rs"]
mod command;

use command::ClientMessage;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let (nr, said) = ClientMessage::parse(text);
    assert!(nr.is_none_or(|nr| nr.is_number() || nr.is_string()));
    match said {
        Err(error) => assert!(!error.is_empty()),
        Ok(_) => assert!(text.len() <= command::LONGEST),
    }
});
