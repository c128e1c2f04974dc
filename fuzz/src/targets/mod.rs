//! What fuzzing tries to break: nothing panics, and what was read is written and read back the same. The program of `fuzz/`
//! and the test `crates/trilith/tests/fuzzed.rs` try the same targets.

pub mod data_files;
pub mod edits;
pub mod games;
pub mod jobs;
pub mod messages;
pub mod table_files;

use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;
use trilith_games::othello::Othello;

/// One reader of what comes from outside.
#[derive(Clone, Copy)]
pub enum Target {
    /// Of text.
    Text(fn(&str)),
    /// Of anything.
    Bytes(fn(&[u8])),
}

impl Target {
    /// Reads it; panics at a fault.
    pub fn try_input(self, bytes: &[u8]) {
        match self {
            Bytes(job) => job(bytes),
            // As much of it as is text.
            Text(job) => job(bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid())),
        }
    }
}

use Target::{Bytes, Text};

/// All of them, by name.
pub const TARGETS: [(&str, Target); 34] = [
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
