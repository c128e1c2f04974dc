#![no_main]

use trilith_games::abalone::Abalone;

libfuzzer_sys::fuzz_target!(|text: &str| trilith_fuzz::position::<Abalone>(text));
