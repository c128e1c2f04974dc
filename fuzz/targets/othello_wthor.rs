#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trilith_fuzz::othello_formats::wthor(bytes));
