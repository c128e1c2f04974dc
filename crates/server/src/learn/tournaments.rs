//! Tournaments of `trilith tournament --out DATA/tournaments`: who stands where, also while games go on.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use serde_json::Value;

use super::{data, is_name, named};
use crate::analyse::aside;
use crate::api::Named;
use crate::app::App;
use crate::fault::Fault;

/// A tournament in a list.
#[derive(Serialize)]
pub(crate) struct ListedTournament {
    name: String,
    title: Value,
    game: Value,
    games: Value,
    planned: Value,
    running: bool,
}

/// A tournament: what `trilith tournament --json` says.
#[derive(Serialize)]
pub(crate) struct Tournament {
    name: String,
    running: bool,
    /// Seconds since the standings were written.
    age: f64,
    standings: Value,
}

/// `GET /api/tournaments`.
pub(crate) async fn list(State(app): State<Arc<App>>) -> Result<Json<Vec<ListedTournament>>, Fault> {
    aside(move || {
        let Some(data) = &app.config.data else { return Ok(Json(Vec::new())) };
        let Ok(entries) = fs::read_dir(folder(data)) else { return Ok(Json(Vec::new())) };
        let name = |entry: fs::DirEntry| Some(entry.file_name().to_str()?.strip_suffix(".json")?.to_owned());
        let mut names: Vec<_> = entries.flatten().filter_map(name).filter(|name| is_name(name)).collect();
        names.sort();
        Ok(Json(names.iter().filter_map(|name| entry(data, name)).collect()))
    })
    .await
}

/// `GET /api/tournaments/NAME`.
pub(crate) async fn look(State(app): State<Arc<App>>, name: Named) -> Result<Json<Tournament>, Fault> {
    let name = name?.0;
    aside(move || {
        let data = data(&app)?;
        let standings = read(data, named(&name)?);
        let none = || Fault::new(StatusCode::NOT_FOUND, "no such tournament");
        Ok(Json(Tournament {
            standings: standings.ok_or_else(none)?,
            age: age(data, &name),
            running: is_running(data, &name),
            name,
        }))
    })
    .await
}

fn folder(data: &Path) -> PathBuf {
    data.join("tournaments")
}

fn path(data: &Path, name: &str) -> PathBuf {
    folder(data).join(format!("{name}.json"))
}

fn read(data: &Path, name: &str) -> Option<Value> {
    serde_json::from_slice(&fs::read(path(data, name)).ok()?).ok()
}

/// None where the clock or the file system does not tell.
fn age(data: &Path, name: &str) -> f64 {
    let written = fs::metadata(path(data, name)).and_then(|file| file.modified());
    written.ok().and_then(|written| written.elapsed().ok()).map_or(0.0, |age| age.as_secs_f64())
}

fn entry(data: &Path, name: &str) -> Option<ListedTournament> {
    let mut standings = read(data, name)?;
    let mut take = |key: &str| standings.get_mut(key).map_or(Value::Null, Value::take);
    Some(ListedTournament {
        title: take("tournament"),
        game: take("game"),
        games: take("games"),
        planned: take("planned"),
        running: is_running(data, name),
        name: name.into(),
    })
}

/// Whether some program holds the journal.
fn is_running(data: &Path, name: &str) -> bool {
    let journal = File::open(folder(data).join(format!("{name}.journal")));
    journal.is_ok_and(|journal| matches!(journal.try_lock(), Err(TryLockError::WouldBlock)))
}
