#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| trilith_fuzz::jobs::queue_job(text));
