#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trilith_fuzz::data_files::positions_file(bytes));
