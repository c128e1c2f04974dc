#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trilith_fuzz::data_files::games_file(bytes));
