//! What comes over the wire or from a person: no panic, and nothing is believed that should not be.

// The parsers alone: server and queue would bring a database, a web framework and NATS into the fuzz build.
#[allow(dead_code)]
#[path = "../../crates/server/src/room/command.rs"]
mod command;
#[allow(dead_code)]
#[path = "../../crates/queue/src/seal.rs"]
mod seal;

use command::Said;
use seal::{Key, Sort};
use serde::Serialize;
use serde::de::DeserializeOwned;
use trilith_arena::PlayerSpec;
use trilith_arena::book::JudgeJob;
use trilith_arena::contest::GameJob;
use trilith_arena::review::ReviewJob;
use trilith_learn::run::Config;

/// A table as clients send it.
pub fn table_load(text: &str) {
    if let Ok(table) = trilith_arena::table::load(text) {
        let again = trilith_arena::table::load(&table.text()).map(|table| table.view());
        assert_eq!(again, Ok(table.view()));
    }
}

/// A message on the socket of a table.
pub fn server_message(text: &str) {
    let (nr, said) = Said::parse(text);
    assert!(nr.is_none_or(|nr| nr.is_number() || nr.is_string()));
    match said {
        Err(error) => assert!(!error.is_empty()),
        Ok(_) => assert!(text.len() <= command::LONGEST),
    }
}

/// Whatever comes from a queue is refused or is exactly what somebody with the key has sealed.
pub fn queue_message(bytes: &[u8]) {
    let key = Key::new("a key");
    let subject = "trilith.jobs.batch.id";
    assert!(seal::open(Some(&key), Sort::Job, subject, bytes).is_err(), "nobody guesses a seal");
    if let Ok(content) = seal::open(None, Sort::Job, subject, bytes) {
        assert_eq!(content, bytes);
    }
    let sealed = seal::seal(Some(&key), Sort::Answer, subject, bytes.to_vec());
    assert_eq!(seal::open(Some(&key), Sort::Answer, subject, &sealed), Ok(bytes));
    assert!(seal::open(Some(&key), Sort::Job, subject, &sealed).is_err());
}

/// A job that was believed: it is read or refused, and means the same when it is sent on.
pub fn queue_job(bytes: &[u8]) {
    fn same<J: Serialize + DeserializeOwned>(bytes: &[u8]) {
        let Ok(job) = serde_json::from_slice::<J>(bytes) else { return };
        let written = serde_json::to_value(&job).expect("jobs are plain data");
        let again: J = serde_json::from_value(written.clone()).expect("what was written can be read");
        assert_eq!(serde_json::to_value(&again).expect("jobs are plain data"), written);
    }
    same::<GameJob>(bytes);
    same::<ReviewJob>(bytes);
    same::<JudgeJob>(bytes);
}

/// A player's text.
pub fn player_spec(text: &str) {
    let Ok(spec) = text.parse::<PlayerSpec>() else { return };
    assert_eq!(spec.to_string().parse().as_ref(), Ok(&spec), "{spec}");
}

/// A run file.
pub fn run_config(text: &str) {
    let Ok(config) = Config::parse(text) else { return };
    assert!(!config.kind.is_empty() && !config.game.is_empty());
}
