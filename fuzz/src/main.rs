//! All fuzz targets in one program, since linking it once takes minutes less than one program each. The variable
//! `TRILITH_FUZZ` names the target; `list` prints all names. A target is one function with the property that it tries.

#![no_main]

mod files;
mod messages;
mod othello_formats;
mod text;

use std::sync::OnceLock;

use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;
use trilith_games::othello::Othello;

/// What is done with an input.
enum Target {
    Text(fn(&str)),
    Bytes(fn(&[u8])),
}

use Target::{Bytes, Text};

const TARGETS: [(&str, Target); 32] = [
    ("othello_rules", Text(text::rules::<Othello>)),
    ("othello_position", Text(text::position::<Othello>)),
    ("othello_moves", Text(text::moves::<Othello>)),
    ("othello_game_text", Text(text::game_text::<Othello>)),
    ("morris_rules", Text(text::rules::<Morris>)),
    ("morris_position", Text(text::position::<Morris>)),
    ("morris_moves", Text(text::moves::<Morris>)),
    ("morris_game_text", Text(text::game_text::<Morris>)),
    ("abalone_rules", Text(text::rules::<Abalone>)),
    ("abalone_position", Text(text::position::<Abalone>)),
    ("abalone_moves", Text(text::moves::<Abalone>)),
    ("abalone_game_text", Text(text::game_text::<Abalone>)),
    ("othello_transcripts", Text(othello_formats::transcripts)),
    ("othello_problems", Text(othello_formats::problems)),
    ("othello_ggf", Text(othello_formats::ggf)),
    ("othello_sgf", Text(othello_formats::sgf)),
    ("othello_wthor", Bytes(othello_formats::wthor)),
    ("table_load", Text(messages::table_load)),
    ("server_message", Text(messages::server_message)),
    ("queue_message", Bytes(messages::queue_message)),
    ("queue_job", Bytes(messages::queue_job)),
    ("player_spec", Text(messages::player_spec)),
    ("run_config", Text(messages::run_config)),
    ("artifact", Bytes(files::artifact)),
    ("artifact_foreign", Bytes(files::foreign_artifact)),
    ("backup_file", Bytes(files::backup)),
    ("tablebase_file", Bytes(files::table)),
    ("placing_proof", Bytes(files::placing)),
    ("book_node", Bytes(files::book_node)),
    ("book_file", Bytes(files::book)),
    ("games_file", Bytes(files::games)),
    ("positions_file", Bytes(files::positions)),
];

static CHOSEN: OnceLock<&Target> = OnceLock::new();

fn chosen() -> &'static Target {
    CHOSEN.get_or_init(|| {
        let name = std::env::var("TRILITH_FUZZ").unwrap_or_default();
        if name == "list" {
            TARGETS.iter().for_each(|(name, _)| println!("{name}"));
            std::process::exit(0);
        }
        let found = TARGETS.iter().find(|(known, _)| *known == name);
        let Some((_, target)) = found else {
            eprintln!(
                "TRILITH_FUZZ=`{name}` is no target: expected one of those that TRILITH_FUZZ=list prints"
            );
            std::process::exit(2);
        };
        target
    })
}

libfuzzer_sys::fuzz_target!(
    init: drop(chosen()),
    |bytes: &[u8]| match chosen() {
        Bytes(target) => target(bytes),
        // A text ends where it stops to be one.
        Text(target) => {
            let valid = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
            target(std::str::from_utf8(&bytes[..valid]).expect("it was checked to here"));
        }
    }
);
