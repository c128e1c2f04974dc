#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| trilith_fuzz::othello_formats::sgf(text));
