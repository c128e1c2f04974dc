//! Learn: heuristics that people make, training runs, reports of studies, tournaments.
//!
//! | request | answer |
//! | --- | --- |
//! | `GET /api/learn/kinds` | what can be trained, with commented configs |
//! | `GET /api/learn/features` | what heuristics of each game can weigh |
//! | `GET, POST /api/learn/heuristics`, `POST .../NAME/delete` | heuristics |
//! | `GET, POST /api/learn/runs`, `GET .../NAME`, `POST .../NAME/stop`, `/resume`, `/delete` | training runs |
//! | `GET /api/learn/runs/NAME/live` | a WebSocket with the run as it goes on |
//! | `GET /api/studies`, `GET /reports/NAME.html`, `/reports/NAME/TABLE.csv` | reports that come with the program |
//! | `GET /api/tournaments`, `GET /api/tournaments/NAME` | tournaments in the data folder |
//!
//! Everything lies in folders of the data folder and is found by name: letters, digits and dashes, never a path. Training is
//! started and stopped only by the administrator.

mod child;
mod examples;
mod features;
mod heuristics;
mod runs;
mod settings;
mod studies;
mod tournaments;
mod training;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use trilith_base::Artifact;
use trilith_learn::run::Folder;

use crate::api::{Input, Named, Nothing};
use crate::app::App;
use crate::caller::Caller;
use crate::fault::Fault;
use crate::room::wish::{TREE_SEARCH, WishedWeights};

pub use child::TrainingProgram;
pub(crate) use heuristics::learned;
pub(crate) use studies::{report, report_table};
pub(crate) use training::School;

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/learn/kinds", get(examples::kinds))
        .route("/learn/features", get(features::features))
        .route("/learn/heuristics", get(heuristics::list).post(heuristics::make))
        .route("/learn/heuristics/{name}/delete", post(heuristics::delete))
        .route("/learn/runs", get(runs::list).post(runs::begin))
        .route("/learn/runs/{name}", get(runs::look))
        .route("/learn/runs/{name}/stop", post(runs::stop))
        .route("/learn/runs/{name}/resume", post(runs::resume))
        .route("/learn/runs/{name}/delete", post(runs::delete))
        .route("/learn/runs/{name}/live", get(runs::live))
        .route("/studies", get(studies::studies))
        .route("/tournaments", get(tournaments::list))
        .route("/tournaments/{name}", get(tournaments::look))
}

/// Whether a text can be the name of something learned: it becomes part of a path.
fn is_name(name: &str) -> bool {
    let is_letter = |letter: u8| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'-';
    (1..=40).contains(&name.len()) && name.bytes().all(is_letter) && !name.starts_with('-')
}

fn named(name: &str) -> Result<&str, Fault> {
    let fault = || {
        Fault::bad_request(format!("name `{}`: expected 1 to 40 of a-z, 0-9 and dashes", name.escape_debug()))
    };
    is_name(name).then_some(name).ok_or_else(fault)
}

/// The data folder, or that there is none.
fn data(app: &App) -> Result<&Path, Fault> {
    let fault = || Fault::new(StatusCode::NOT_FOUND, "this server keeps nothing: start it with `--data DIR`");
    app.config.data.as_deref().ok_or_else(fault)
}

/// The name in an order that only the administrator may give.
fn ordered(caller: &Caller, name: Named, input: Input<Nothing>) -> Result<String, Fault> {
    let Json(Nothing {}) = input?;
    let name = name?.0;
    caller.administrator()?;
    Ok(name)
}

fn run_folder(data: &Path, name: &str) -> PathBuf {
    data.join("runs").join(name)
}

fn heuristic_file(data: &Path, name: &str) -> PathBuf {
    data.join("heuristics").join(format!("{name}.safetensors"))
}

/// What a client calls `run:NAME` or `heuristic:NAME`.
pub(crate) fn weights(data: &Path, text: &str) -> Option<WishedWeights> {
    let (kind, name) = text.split_once(':').filter(|(_, name)| is_name(name))?;
    let path = match kind {
        "run" => run_folder(data, name).join(Folder::ARTIFACT),
        "heuristic" => heuristic_file(data, name),
        _ => return None,
    };
    let header = Artifact::load(&path).ok()?.header;
    let evaluation = evaluation(&header.kind)?;
    let path = if evaluation == "table" { path.with_file_name("table.bin") } else { path };
    Some(WishedWeights { evaluation: evaluation.into(), file: path.to_str()?.into() })
}

/// The evaluation that plays with files of a kind.
fn evaluation(kind: &str) -> Option<&'static str> {
    const BY_KIND: [(&str, &str); 8] = [
        ("dense", "network"),
        ("polynomial", "polynomial"),
        ("mlp", "mlp"),
        ("cnn", "cnn"),
        ("combination", "combination"),
        ("patterns", "patterns"),
        ("table", "table"),
        ("residual", TREE_SEARCH),
    ];
    BY_KIND.iter().find(|(known, _)| *known == kind).map(|(_, evaluation)| *evaluation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_paths() {
        assert!(is_name("my-run-2") && is_name("a"));
        for name in ["", ".", "..", "../x", "a/b", "A", "a b", "-rf", "\u{e4}", "a.b", &"a".repeat(41)] {
            assert!(!is_name(name), "{name}");
        }
        assert!(weights(Path::new("/"), "run:../etc").is_none());
        assert!(weights(Path::new("/nowhere"), "run:x").is_none());
    }
}
