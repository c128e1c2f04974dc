//! Endgame tables that are built from the page: what there is, and one build at a time, at low priority, on all cores.
//!
//! A build can be stopped at any time and goes on where it was, also after the program has ended. It changes the machine, so
//! only the administrator begins or stops one.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use trilith_arena::tablebase::{BuildStatus, TableSet, Tablebase};
use trilith_arena::{GameKit, Visitor, with_game};
use trilith_games::Game;

use super::aside;
use crate::api::{Input, Nothing};
use crate::app::App;
use crate::caller::Caller;
use crate::fault::Fault;
use crate::tables::lock;

/// How much the scheduler puts everything else before a build: less than before training, since somebody waits for it.
const NICE: i32 = 5;
/// How long a build may take to stop when the program ends.
const LAST_ROUND: Duration = Duration::from_secs(10);

/// The build that goes on, or the last one.
#[derive(Default)]
pub(crate) struct Builder(Mutex<Option<Arc<Build>>>);

struct Build {
    game: String,
    rules: String,
    stones: u32,
    stop: AtomicBool,
    state: Mutex<BuildState>,
}

#[derive(Clone, Default, Serialize)]
struct BuildState {
    has_ended: bool,
    status: Option<BuildStatus>,
    error: Option<String>,
}

/// Which tables.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Which {
    game: String,
    #[serde(default)]
    rules: String,
}

/// Which of them to build.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Order {
    game: String,
    #[serde(default)]
    rules: String,
    stones: u32,
}

/// The tables of a game.
#[derive(Serialize)]
pub(crate) struct Shown {
    /// None in a game without tables.
    sets: Vec<TableSet>,
    build: Option<ShownBuild>,
}

/// A build that goes on or has just ended.
#[derive(Serialize)]
struct ShownBuild {
    game: String,
    rules: String,
    stones: u32,
    running: bool,
    /// Whether it was told to stop.
    stopping: bool,
    status: Option<BuildStatus>,
    error: Option<String>,
}

/// `POST /api/tablebases`: what there is and what goes on.
pub(crate) async fn look(State(app): State<Arc<App>>, input: Input<Which>) -> Result<Json<Shown>, Fault> {
    let Json(Which { game, rules }) = input?;
    aside(move || shown(&app, &game, &rules).map(Json)).await
}

/// `POST /api/tablebases/build`: begins, or goes on.
pub(crate) async fn build(
    State(app): State<Arc<App>>,
    caller: Caller,
    input: Input<Order>,
) -> Result<Json<Shown>, Fault> {
    let Json(order) = input?;
    caller.administrator()?;
    app.limits.opening(&caller)?;
    aside(move || {
        let tablebase = tablebase(&order.game, &order.rules)?.ok_or_else(|| none(&order.game))?;
        let sets = tablebase.sets().map_err(|error| Fault::new(StatusCode::CONFLICT, error))?;
        if !sets.iter().any(|set| set.stones == order.stones) {
            let known: Vec<_> = sets.iter().map(|set| set.stones.to_string()).collect();
            let error = format!("stones: {}, expected one of {}", order.stones, known.join(", "));
            return Err(Fault::bad_request(error));
        }
        let (game, rules) = (order.game.clone(), order.rules.clone());
        app.desk.builder.begin(&app, order, tablebase)?;
        shown(&app, &game, &rules).map(Json)
    })
    .await
}

/// `POST /api/tablebases/stop`: after the round at hand.
pub(crate) async fn stop(
    State(app): State<Arc<App>>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<StatusCode, Fault> {
    let Json(Nothing {}) = input?;
    caller.administrator()?;
    app.desk.builder.stop();
    Ok(StatusCode::NO_CONTENT)
}

fn none(game: &str) -> Fault {
    Fault::new(StatusCode::NOT_FOUND, format!("{game} has no tables"))
}

struct Find<'a>(&'a str);

impl Visitor for Find<'_> {
    type Output = Result<Option<Box<dyn Tablebase>>, Fault>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let rules = self.0.parse::<G::Rules>().map_err(|error| Fault::bad_request(error.to_string()))?;
        Ok(C::tablebase(&rules))
    }
}

fn tablebase(game: &str, rules: &str) -> Result<Option<Box<dyn Tablebase>>, Fault> {
    with_game(game, Find(rules)).map_err(|error| Fault::bad_request(error.to_string()))?
}

fn shown(app: &App, game: &str, rules: &str) -> Result<Shown, Fault> {
    let sets = match tablebase(game, rules)? {
        Some(tablebase) => tablebase.sets().map_err(|error| Fault::new(StatusCode::CONFLICT, error))?,
        None => Vec::new(),
    };
    Ok(Shown { sets, build: app.desk.builder.shown() })
}

impl Builder {
    fn begin(&self, app: &Arc<App>, order: Order, tablebase: Box<dyn Tablebase>) -> Result<(), Fault> {
        let mut kept = lock(&self.0);
        if kept.as_ref().is_some_and(|build| build.goes_on()) {
            return Err(Fault::new(StatusCode::CONFLICT, "tables are being built already"));
        }
        let Order { game, rules, stones } = order;
        let build =
            Arc::new(Build { game, rules, stones, stop: AtomicBool::new(false), state: Mutex::default() });
        let (app, mine) = (Arc::downgrade(app), Arc::clone(&build));
        let begun = thread::Builder::new().name("tablebase".into()).spawn(move || {
            #[cfg(unix)]
            let _ = rustix::process::nice(NICE);
            mine.work(&*tablebase);
            // What was opened before does not know what is there now.
            if let Some(app) = app.upgrade() {
                app.desk.experts.close_tables();
            }
            lock(&mine.state).has_ended = true;
        });
        begun.map_err(|_| Fault::new(StatusCode::SERVICE_UNAVAILABLE, "no thread to build tables in"))?;
        *kept = Some(build);
        Ok(())
    }

    /// Tells the build that goes on to stop.
    pub(crate) fn stop(&self) {
        if let Some(build) = lock(&self.0).as_ref() {
            build.stop.store(true, Relaxed);
        }
    }

    /// Waits until nothing is built, but not for ever: what was written stays.
    pub(crate) fn wait(&self) {
        let start = Instant::now();
        let goes_on = || lock(&self.0).as_ref().is_some_and(|build| build.goes_on());
        while goes_on() && start.elapsed() < LAST_ROUND {
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn shown(&self) -> Option<ShownBuild> {
        let build = lock(&self.0).clone()?;
        let BuildState { has_ended, status, error } = lock(&build.state).clone();
        Some(ShownBuild {
            game: build.game.clone(),
            rules: build.rules.clone(),
            stones: build.stones,
            running: !has_ended,
            stopping: !has_ended && build.stop.load(Relaxed),
            status,
            error,
        })
    }
}

impl Build {
    fn goes_on(&self) -> bool {
        !lock(&self.state).has_ended
    }

    fn work(&self, tablebase: &dyn Tablebase) {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let mut note = |status: &BuildStatus| lock(&self.state).status = Some(status.clone());
        let work = || tablebase.build(self.stones, threads, &self.stop, &mut note);
        let built = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        let built = built.unwrap_or_else(|_| Err("the tables could not be built".into()));
        if let Err(error) = built {
            tracing::error!(error, "tables");
            lock(&self.state).error = Some(error);
        }
    }
}
