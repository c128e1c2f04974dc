#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| trilith_fuzz::jobs::import_text(text));
