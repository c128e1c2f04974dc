#![no_main]

// The seals alone: the queue would bring NATS into every fuzz build.
#[allow(dead_code)]
#[path = "../../crates/queue/src/seal.rs"]
mod seal;

use seal::{SealKey, Sort};

// Whatever comes over the wire is refused or is exactly what somebody with the key has sealed.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let key = SealKey::new("a key");
    let subject = "trilith.jobs.batch.id";
    assert!(seal::open(Some(&key), Sort::Job, subject, bytes).is_err(), "nobody guesses a seal");
    if let Ok(content) = seal::open(None, Sort::Job, subject, bytes) {
        assert_eq!(content, bytes);
    }
    let sealed = seal::seal(Some(&key), Sort::Answer, subject, bytes.to_vec());
    assert_eq!(seal::open(Some(&key), Sort::Answer, subject, &sealed), Ok(bytes));
    assert!(seal::open(Some(&key), Sort::Job, subject, &sealed).is_err());
});
