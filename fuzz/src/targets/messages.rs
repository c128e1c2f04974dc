//! What comes over the wire. The readers alone: whole crates would bring a database, a web framework and NATS into the
//! fuzz build.

use std::io::Read;

#[allow(dead_code)]
#[path = "../../../crates/server/src/room/command.rs"]
mod command;
#[allow(dead_code)]
#[path = "../../../crates/queue/src/seal.rs"]
mod seal;
#[allow(dead_code)]
#[path = "../../../crates/server/src/backup/tar.rs"]
mod tar;

use command::ClientMessage;
use seal::{SealKey, Sort};

/// A file that is said to be a backup: no panic, no endless reading, and never more content than there are bytes.
pub fn backup_file(bytes: &[u8]) {
    let mut reader = tar::Reader::new(bytes);
    let mut total = 0;
    while let Ok(Some((_, size))) = reader.next() {
        let mut content = Vec::new();
        if reader.content(size).read_to_end(&mut content).is_err() {
            break;
        }
        total += content.len();
        assert!(total <= bytes.len());
    }
}

/// Whatever comes is refused or is exactly what somebody with the key has sealed.
pub fn queue_message(bytes: &[u8]) {
    let key = SealKey::new("a key");
    let subject = "trilith.jobs.batch.id";
    assert!(seal::open(Some(&key), Sort::Job, subject, bytes).is_err(), "nobody guesses a seal");
    if let Ok(content) = seal::open(None, Sort::Job, subject, bytes) {
        assert_eq!(content, bytes);
    }
    let sealed = seal::seal(Some(&key), Sort::Answer, subject, bytes.to_vec());
    assert_eq!(seal::open(Some(&key), Sort::Answer, subject, &sealed), Ok(bytes));
    assert!(seal::open(Some(&key), Sort::Job, subject, &sealed).is_err());
}

/// What a page sends.
pub fn server_message(text: &str) {
    let (nr, said) = ClientMessage::parse(text);
    assert!(nr.is_none_or(|nr| nr.is_number() || nr.is_string()));
    match said {
        Err(error) => assert!(!error.is_empty()),
        Ok(_) => assert!(text.len() <= command::LONGEST),
    }
}
