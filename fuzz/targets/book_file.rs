#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trilith_fuzz::table_files::book_file(bytes));
