#![no_main]

// The reader alone: the server would bring a database and a web framework into every fuzz build.
#[allow(dead_code)]
#[path = "../../crates/server/src/backup/tar.rs"]
mod tar;

use std::io::Read;

// A file that is said to be a backup: no panic, no endless reading, and never more content than there are bytes.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
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
});
