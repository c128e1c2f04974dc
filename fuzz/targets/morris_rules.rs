#![no_main]

use trilith_games::morris::Morris;

libfuzzer_sys::fuzz_target!(|text: &str| trilith_fuzz::rules::<Morris>(text));
