#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trilith_fuzz::jobs::learned_network(bytes));
