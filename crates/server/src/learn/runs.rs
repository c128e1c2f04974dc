//! Training runs over HTTP and WebSocket: begin, watch, stop, resume, delete.

use std::fs::{self, File, TryLockError};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::json;
use trilith_base::{Artifact, files};
use trilith_learn::run::{Folder, RunConfig};

use super::training::Progress;
use super::{data, evaluation, is_name, named, ordered, run_folder, settings};
use crate::analyse::aside;
use crate::api::{Input, Named, Nothing};
use crate::app::App;
use crate::caller::Caller;
use crate::fault::Fault;
use crate::socket::{self, Incoming, Socket, Upgrade};

/// What the client sent, beside the complete config of the runner.
const SENT: &str = "sent.toml";
/// Lines of the log that are shown, and rows of curves.
const LINES: usize = 40;
const ROWS: usize = 500;
/// How often a watched run is looked at.
const PAUSE: Duration = Duration::from_millis(400);

/// A run as it is shown in lists.
#[derive(Serialize)]
pub(crate) struct RunSummary {
    name: String,
    /// `running`, `elsewhere` (another program trains it), `stopped`, `finished` or `failed`.
    state: &'static str,
    kind: String,
    game: String,
    progress: Option<Progress>,
    error: Option<String>,
    /// How an engine's wish names what was learned, once there is something.
    eval: Option<String>,
}

/// A run with all that is known of it.
#[derive(Serialize)]
pub(crate) struct Run {
    #[serde(flatten)]
    summary: RunSummary,
    config: String,
    /// The first is the step.
    columns: Vec<String>,
    rows: Vec<Vec<Option<f64>>>,
    log: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Begin {
    name: String,
    config: String,
}

/// `GET /api/learn/runs`.
pub(crate) async fn list(State(app): State<Arc<App>>) -> Result<Json<Vec<RunSummary>>, Fault> {
    aside(move || {
        let Some(data) = &app.config.data else { return Ok(Json(Vec::new())) };
        Ok(Json(names(data).iter().filter_map(|name| summary(&app, data, name)).collect()))
    })
    .await
}

/// `POST /api/learn/runs`.
pub(crate) async fn begin(
    State(app): State<Arc<App>>,
    caller: Caller,
    input: Input<Begin>,
) -> Result<(StatusCode, Json<Run>), Fault> {
    let Json(Begin { name, config: text }) = input?;
    caller.administrator()?;
    app.limits.opening(&caller)?;
    aside(move || {
        let data = data(&app)?;
        let folder = run_folder(data, named(&name)?);
        if folder.exists() {
            return Err(Fault::new(StatusCode::CONFLICT, format!("there is a run `{name}` already")));
        }
        let config = settings::checked(&text, data)?;
        fs::create_dir_all(&folder).map_err(|error| broken(&error))?;
        files::write_whole(&folder.join(SENT), text.as_bytes()).map_err(|error| broken(&error))?;
        if let Err(fault) = app.school.begin(&name, config, folder.clone(), false, app.config.trainer.clone())
        {
            let _ = fs::remove_dir_all(&folder);
            return Err(fault);
        }
        Ok((StatusCode::CREATED, Json(read(&app, data, &name)?)))
    })
    .await
}

/// `GET /api/learn/runs/NAME`.
pub(crate) async fn look(State(app): State<Arc<App>>, name: Named) -> Result<Json<Run>, Fault> {
    let name = name?.0;
    aside(move || read(&app, data(&app)?, named(&name)?).map(Json)).await
}

/// `POST /api/learn/runs/NAME/stop`: after the step at hand, with a checkpoint.
pub(crate) async fn stop(
    State(app): State<Arc<App>>,
    caller: Caller,
    name: Named,
    input: Input<Nothing>,
) -> Result<Json<Run>, Fault> {
    let name = ordered(&caller, name, input)?;
    let pupil = app.school.find(&name).filter(|pupil| pupil.goes_on());
    let fault = || Fault::new(StatusCode::CONFLICT, "this run does not go on here");
    pupil.ok_or_else(fault)?.stop();
    aside(move || read(&app, data(&app)?, named(&name)?).map(Json)).await
}

/// `POST /api/learn/runs/NAME/resume`.
pub(crate) async fn resume(
    State(app): State<Arc<App>>,
    caller: Caller,
    name: Named,
    input: Input<Nothing>,
) -> Result<Json<Run>, Fault> {
    let name = ordered(&caller, name, input)?;
    aside(move || {
        let data = data(&app)?;
        let folder = run_folder(data, named(&name)?);
        if folder.join(Folder::ARTIFACT).exists() {
            return Err(Fault::new(StatusCode::CONFLICT, "this run is finished"));
        }
        let text = fs::read_to_string(folder.join("config.toml")).or(fs::read_to_string(folder.join(SENT)));
        let text = text.map_err(|_| Fault::new(StatusCode::NOT_FOUND, "no such run"))?;
        // The folder's own config was checked when the run began, or is the command line's.
        let config = RunConfig::parse(&text).map_err(|error| Fault::bad_request(error.to_string()))?;
        let config = RunConfig { threads: 1, ..config };
        app.school.begin(&name, config, folder, true, app.config.trainer.clone())?;
        read(&app, data, &name).map(Json)
    })
    .await
}

/// `POST /api/learn/runs/NAME/delete`.
pub(crate) async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    name: Named,
    input: Input<Nothing>,
) -> Result<Json<Vec<RunSummary>>, Fault> {
    let name = ordered(&caller, name, input)?;
    aside(move || {
        let data = data(&app)?;
        let folder = run_folder(data, named(&name)?);
        let conflict = |error: &str| Err(Fault::new(StatusCode::CONFLICT, error));
        if app.school.find(&name).is_some_and(|pupil| pupil.goes_on()) || is_elsewhere(&folder) {
            return conflict("this run goes on: stop it first");
        }
        if !folder.exists() {
            return Err(Fault::new(StatusCode::NOT_FOUND, "no such run"));
        }
        app.school.forget(&name);
        fs::remove_dir_all(&folder).map_err(|error| broken(&error))?;
        Ok(Json(names(data).iter().filter_map(|name| summary(&app, data, name)).collect()))
    })
    .await
}

/// `GET /api/learn/runs/NAME/live`: the run, again whenever it has changed.
pub(crate) async fn live(
    State(app): State<Arc<App>>,
    caller: Caller,
    name: Named,
    headers: HeaderMap,
    upgrade: Upgrade,
) -> Result<Response, Fault> {
    let name = name?.0;
    let (place, sought) = (Arc::clone(&app), name.clone());
    aside(move || read(&place, data(&place)?, named(&sought)?).map(drop)).await?;
    let place = Arc::clone(&app);
    socket::begin(app, upgrade, &headers, &caller, move |socket| watch(place, name, socket))
}

async fn watch(app: Arc<App>, name: String, mut socket: Socket) {
    let mut seen = None;
    let mut pause = tokio::time::interval(PAUSE);
    loop {
        tokio::select! {
            _ = pause.tick() => {
                let pupil = app.school.find(&name);
                let now = pupil.map(|pupil| (pupil.goes_on(), pupil.version()));
                if seen == Some(now) {
                    continue;
                }
                seen = Some(now);
                let (place, sought) = (Arc::clone(&app), name.clone());
                let run = aside(move || read(&place, data(&place)?, &sought)).await;
                let goes_on = match run {
                    Ok(run) => socket.say(&json!({ "event": "run", "run": run })).await,
                    Err(fault) => { socket.refuse(fault.message(), None).await; false }
                };
                if !goes_on {
                    return;
                }
            }
            heard = socket.hear() => match heard {
                Incoming::Gone => return,
                Incoming::Wrong(error) => drop(socket.refuse(&error, None).await),
                Incoming::Text(_) => {}
            },
        }
    }
}

fn broken(error: &std::io::Error) -> Fault {
    tracing::error!(%error, "runs");
    Fault::new(StatusCode::INTERNAL_SERVER_ERROR, "the run's folder could not be written")
}

/// The names of all runs, in order.
pub(super) fn names(data: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(data.join("runs")) else { return Vec::new() };
    let name = |entry: fs::DirEntry| entry.file_name().to_str().map(str::to_owned);
    let mut names: Vec<_> = entries.flatten().filter_map(name).filter(|name| is_name(name)).collect();
    names.sort();
    names
}

/// Whether another program trains here.
fn is_elsewhere(folder: &Path) -> bool {
    File::open(folder.join("run.lock"))
        .is_ok_and(|lock| matches!(lock.try_lock(), Err(TryLockError::WouldBlock)))
}

fn config(folder: &Path) -> Option<(String, RunConfig)> {
    let complete = fs::read_to_string(folder.join("config.toml")).ok();
    let sent = fs::read_to_string(folder.join(SENT)).ok();
    let parsed = RunConfig::parse(complete.as_deref().or(sent.as_deref())?).ok()?;
    Some((sent.or(complete)?, parsed))
}

fn summary(app: &App, data: &Path, name: &str) -> Option<RunSummary> {
    let folder = run_folder(data, name);
    let (_, config) = config(&folder)?;
    let pupil = app.school.find(name);
    let (progress, _, error) = pupil.as_ref().map_or((None, String::new(), None), |pupil| pupil.shown());
    let artifact = folder.join(Folder::ARTIFACT);
    let kind = || Artifact::load(&artifact).ok().map(|artifact| artifact.header.kind);
    let eval = kind().and_then(|kind| evaluation(&kind)).map(|_| format!("run:{name}"));
    let state = match &pupil {
        Some(pupil) if pupil.goes_on() => "running",
        _ if artifact.exists() => "finished",
        Some(_) if error.is_some() => "failed",
        None if is_elsewhere(&folder) => "elsewhere",
        _ => "stopped",
    };
    Some(RunSummary { name: name.into(), state, kind: config.kind, game: config.game, progress, error, eval })
}

fn read(app: &App, data: &Path, name: &str) -> Result<Run, Fault> {
    let none = || Fault::new(StatusCode::NOT_FOUND, "no such run");
    let folder = run_folder(data, name);
    let summary = summary(app, data, name).ok_or_else(none)?;
    let (config, _) = config(&folder).ok_or_else(none)?;
    let curves = match app.school.find(name) {
        Some(pupil) => pupil.shown().1,
        None => fs::read_to_string(folder.join("curves.csv")).unwrap_or_default(),
    };
    let log = fs::read_to_string(folder.join("log.txt")).unwrap_or_default();
    let lines: Vec<&str> = log.lines().collect();
    let log = lines[lines.len().saturating_sub(LINES)..].iter().map(|line| (*line).to_owned()).collect();
    let (columns, rows) = table(&curves);
    Ok(Run { summary, config, columns, rows, log })
}

/// Curves as numbers, at most [`ROWS`] of them, evenly spread and the last one too.
fn table(csv: &str) -> (Vec<String>, Vec<Vec<Option<f64>>>) {
    let mut lines = csv.lines();
    let columns: Vec<String> = lines.next().unwrap_or("step").split(',').map(Into::into).collect();
    let columns: Vec<String> = columns.into_iter().filter(|column| !column.is_empty()).collect();
    let all: Vec<&str> = lines.collect();
    let apart = all.len().div_ceil(ROWS).max(1);
    let is_kept = |number: usize| number.is_multiple_of(apart) || number + 1 == all.len();
    let row = |line: &str| line.split(',').map(|cell| cell.parse().ok()).collect::<Vec<Option<f64>>>();
    let rows = all.iter().enumerate().filter(|(number, _)| is_kept(*number)).map(|(_, line)| row(line));
    let rows = rows.filter(|row| row.len() == columns.len()).collect();
    (columns, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_curves_are_thinned_but_keep_their_last_row() {
        let mut csv = String::from("step,loss\n");
        (0..2001).for_each(|step| csv += &format!("{step},{}\n", f64::from(step) / 2.0));
        let (columns, rows) = table(&csv);
        assert_eq!(columns, ["step", "loss"]);
        assert!(rows.len() <= ROWS + 1);
        assert_eq!(rows.last(), Some(&vec![Some(2000.0), Some(1000.0)]));
        assert_eq!(table("step,\n").1.len(), 0);
        assert_eq!(table("step,a\n1,\n").1, [[Some(1.0), None]]);
    }
}
