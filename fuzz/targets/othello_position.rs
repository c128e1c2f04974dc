#![no_main]

use trilith_games::othello::Othello;

libfuzzer_sys::fuzz_target!(|text: &str| trilith_fuzz::position::<Othello>(text));
