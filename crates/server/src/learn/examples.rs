//! What can be trained: the learners, each with the commented configs of `configs/`.

use axum::Json;
use rust_embed::RustEmbed;
use serde::Serialize;
use trilith_learn::run::{KINDS, RunConfig};

#[derive(RustEmbed)]
#[folder = "../../configs"]
struct Configs;

/// A learner.
#[derive(Serialize)]
pub(crate) struct LearnerExample {
    name: &'static str,
    about: &'static str,
    games: &'static [&'static str],
    /// Whether it can be trained from the page; if not, it reads files that only the command line can name.
    here: bool,
    examples: Vec<Example>,
}

/// A run to begin with.
#[derive(Serialize)]
struct Example {
    name: String,
    game: String,
    /// The first line of its comment.
    about: String,
    /// The whole file.
    config: String,
}

/// `GET /api/learn/kinds`.
pub(crate) async fn kinds() -> Json<Vec<LearnerExample>> {
    let learner = |kind: &trilith_learn::run::LearnerKind| LearnerExample {
        name: kind.name,
        about: kind.about,
        games: kind.games,
        here: kind.name != super::settings::BY_FILES,
        examples: examples()
            .into_iter()
            .filter(|(of, _)| of == kind.name)
            .map(|(_, example)| example)
            .collect(),
    };
    Json(KINDS.iter().map(learner).collect())
}

/// All configs with their learner's name, quick ones first.
fn examples() -> Vec<(String, Example)> {
    let mut files: Vec<_> = Configs::iter().filter(|file| !is_grid(file)).collect();
    files.sort_by_key(|file| (!file.starts_with("quick"), file.to_string()));
    files.iter().filter_map(|file| read(file)).collect()
}

/// A grid is many runs in one file, for `trilith train --grid`.
fn is_grid(file: &str) -> bool {
    file.ends_with("-grid.toml")
}

fn read(file: &str) -> Option<(String, Example)> {
    let config = String::from_utf8(Configs::get(file)?.data.into_owned()).ok()?;
    let RunConfig { kind, game, .. } = RunConfig::parse(&config).ok()?;
    let about = config.lines().next().unwrap_or_default().trim_start_matches(['#', ' ']).to_owned();
    Some((kind, Example { name: file.trim_end_matches(".toml").into(), game, about, config }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_config_is_an_example_of_a_learner_and_every_learner_has_one() {
        let all = examples();
        assert_eq!(all.len(), Configs::iter().filter(|file| !is_grid(file)).count());
        for kind in KINDS {
            assert!(all.iter().any(|(of, _)| of == kind.name), "{}", kind.name);
        }
        assert!(all.iter().all(|(_, example)| !example.about.is_empty()));
    }
}
