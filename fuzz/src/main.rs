//! One program for all fuzz targets, so that all of them are linked once: `FUZZ_TARGET=morris_rules trilith-fuzz
//! [libFuzzer's options] CORPUS`, or without a target their names. Built with `FUZZ_ONLY=morris_rules` it is that one.
//! `fuzz/run` and `fuzz/long` do the rest.
//!
//! What every target tries to break: nothing panics, and what was read is written and read back the same.
#![no_main]

mod data_files;
mod edits;
mod games;
mod jobs;
mod messages;
mod table_files;

use std::sync::LazyLock;

use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;
use trilith_games::othello::Othello;

#[derive(Clone, Copy)]
enum Target {
    Text(fn(&str)),
    Bytes(fn(&[u8])),
}

use Target::{Bytes, Text};

const TARGETS: [(&str, Target); 34] = [
    ("abalone_game_text", Text(games::game_text::<Abalone>)),
    ("abalone_moves", Text(games::moves::<Abalone>)),
    ("abalone_position", Text(games::position::<Abalone>)),
    ("abalone_rules", Text(games::rules::<Abalone>)),
    ("artifact", Bytes(data_files::artifact)),
    ("backup_file", Bytes(messages::backup_file)),
    ("book_file", Bytes(table_files::book_file)),
    ("book_node", Bytes(table_files::book_node)),
    ("games_file", Bytes(data_files::games_file)),
    ("import_text", Text(jobs::import_text)),
    ("learned_network", Bytes(jobs::learned_network)),
    ("morris_game_text", Text(games::game_text::<Morris>)),
    ("morris_moves", Text(games::moves::<Morris>)),
    ("morris_position", Text(games::position::<Morris>)),
    ("morris_rules", Text(games::rules::<Morris>)),
    ("othello_game_text", Text(games::game_text::<Othello>)),
    ("othello_ggf", Text(games::othello_formats::ggf)),
    ("othello_moves", Text(games::moves::<Othello>)),
    ("othello_position", Text(games::position::<Othello>)),
    ("othello_problems", Text(games::othello_formats::problems)),
    ("othello_rules", Text(games::rules::<Othello>)),
    ("othello_sgf", Text(games::othello_formats::sgf)),
    ("othello_transcripts", Text(games::othello_formats::transcripts)),
    ("othello_wthor", Bytes(games::othello_formats::wthor)),
    ("placing_file", Bytes(table_files::placing_file)),
    ("player_spec", Text(jobs::player_spec)),
    ("positions_file", Bytes(data_files::positions_file)),
    ("queue_job", Text(jobs::queue_job)),
    ("queue_message", Bytes(messages::queue_message)),
    ("run_config", Text(jobs::run_config)),
    ("server_message", Text(messages::server_message)),
    ("table_file", Bytes(table_files::table_file)),
    ("table_load", Text(jobs::table_load)),
    ("value_table_file", Bytes(table_files::value_table_file)),
];

/// The only target of this program, if it was built for one: libFuzzer looks at all counters of a program after every
/// input, and those of 34 targets cost ten times what a quick one does itself.
const ONLY: Option<Target> = match option_env!("FUZZ_ONLY") {
    Some(name) => Some(TARGETS[place(name)].1),
    None => None,
};

/// Where a target is in the list.
const fn place(name: &str) -> usize {
    let mut at = 0;
    while !same(TARGETS[at].0.as_bytes(), name.as_bytes()) {
        at += 1;
    }
    at
}

/// Whether two names are the same, asked by the compiler.
const fn same(one: &[u8], two: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < two.len() && one[at] == two[at] {
        at += 1;
    }
    at == one.len() && at == two.len()
}

/// The target that was asked for.
static CHOSEN: LazyLock<Target> = LazyLock::new(|| match ONLY {
    Some(only) => only,
    None => asked(),
});

/// By its name; without one all names are printed.
fn asked() -> Target {
    let asked = std::env::var("FUZZ_TARGET").unwrap_or_default();
    let found = TARGETS.into_iter().find(|(name, _)| *name == asked);
    found.map(|(_, target)| target).unwrap_or_else(|| {
        TARGETS.iter().for_each(|(name, _)| println!("{name}"));
        std::process::exit(i32::from(!asked.is_empty()))
    })
}

libfuzzer_sys::fuzz_target!(
    init: { LazyLock::force(&CHOSEN); },
    |bytes: &[u8]| match *CHOSEN {
        Bytes(job) => job(bytes),
        // As much of it as is text.
        Text(job) => job(bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid())),
    }
);
