//! Reviews: every position of a game is searched for a moment, from the end to the start, and every move judged.
//!
//! Each position is a piece of work of its own in the pool, so a long review never keeps others waiting. A review that nobody
//! asks about any more stops.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use trilith_arena::review::{
    self, JudgedMove, JudgedPosition, PhaseReview, ReviewScale, SideReview, USUAL_NODES, judge,
};
use trilith_arena::table::View;
use trilith_arena::{GameKit, Visitor, with_game};
use trilith_games::{Colour, Game};
use trilith_search::Limits;

use super::analyst::{AnalystChoice, Findings, Talk};
use super::question::{self, Question, aside};
use crate::api::{Input, Named, Nothing};
use crate::app::App;
use crate::caller::Caller;
use crate::engine::{Class, Client, Situation};
use crate::fault::Fault;
use crate::id;
use crate::tables::lock;
use crate::time::now_ms;

/// Milliseconds a position gets: the least and the most.
const TIME: [u64; 2] = [10, 2000];
/// The most nodes that a position gets.
const MOST_NODES: u64 = 2_000_000;
/// No position takes longer, whatever was asked. This is no limit of the search: under a clock an engine hardly thinks where
/// there is one move, and a game would get other values than the command gives it.
const LONGEST: Duration = Duration::from_secs(20);
/// A review stops after so many milliseconds in which nobody asked.
const PATIENCE: u64 = 60_000;
/// Reviews that are kept; then the oldest goes.
const KEPT: usize = 200;

/// All reviews by their unguessable names.
#[derive(Default)]
pub(crate) struct Reviews(Mutex<HashMap<String, Arc<Review>>>);

/// One review.
pub(crate) struct Review {
    created: u64,
    client: Client,
    asked: AtomicU64,
    stopped: AtomicBool,
    situation: Situation,
    plies: Vec<Ply>,
    /// By ply, from the start on.
    phases: Vec<Option<&'static str>>,
    state: Mutex<Work>,
}

#[derive(Default)]
struct Work {
    scale: Option<ReviewScale>,
    unit: &'static str,
    /// By ply, from the start on; filled from the end.
    verdicts: Vec<Option<JudgedPosition>>,
    finished: bool,
    error: Option<String>,
}

/// A position of the game, as far as judging needs it.
#[derive(Clone, Copy)]
struct Ply {
    side: Colour,
    /// There is one legal move.
    is_forced: bool,
}

#[derive(Deserialize)]
pub(crate) struct ReviewRequest {
    #[serde(flatten)]
    question: Question,
    nodes: Option<u64>,
    time_ms: Option<u64>,
}

impl ReviewRequest {
    /// What each position gets: nodes, with the same result everywhere, unless a time is asked for.
    fn limits(&self) -> Limits {
        let nodes = |nodes: u64| Limits::nodes(nodes.clamp(1, MOST_NODES));
        match (self.nodes, self.time_ms) {
            (Some(asked), _) => nodes(asked),
            (None, Some(time)) => Limits::time(Duration::from_millis(time.clamp(TIME[0], TIME[1]))),
            (None, None) => nodes(USUAL_NODES),
        }
    }
}

/// A judged move, with the mark that it gets in the list of moves.
#[derive(Serialize)]
struct Marked {
    #[serde(flatten)]
    judged: JudgedMove,
    mark: Option<&'static str>,
}

/// How far a review is.
#[derive(Serialize)]
pub(crate) struct ReviewReport {
    id: String,
    done: usize,
    of: usize,
    finished: bool,
    stopped: bool,
    error: Option<String>,
    /// What values count.
    unit: &'static str,
    scale: Option<ReviewScale>,
    /// By ply from the start on, for Black.
    values: Vec<Option<JudgedPosition>>,
    plies: Vec<Marked>,
    /// How each side played, as far as its moves are judged.
    black: SideReview,
    white: SideReview,
    /// The same by phases, in games that have some.
    phases: Vec<PhaseReview>,
}

/// The phases of a game's positions.
struct Phases<'a>(&'a Situation);

impl Visitor for Phases<'_> {
    type Output = Vec<Option<&'static str>>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        self.0.record::<G>().map_or(Vec::new(), |record| review::phases::<G, C>(&record))
    }
}

/// `POST /api/review`.
pub(crate) async fn begin(
    State(app): State<Arc<App>>,
    caller: Caller,
    input: Input<ReviewRequest>,
) -> Result<(StatusCode, Json<ReviewReport>), Fault> {
    let Json(ask) = input?;
    app.limits.opening(&caller)?;
    let limits = ask.limits();
    let mut situation = ask.question.situation()?;
    if situation.moves.is_empty() {
        return Err(Fault::bad_request("there is no move to review: expected `moves`"));
    }
    let (place, asker) = (Arc::clone(&app), caller.clone());
    let (situation, plies, last, choice) = aside(move || {
        place.rated.check(&asker, &situation)?;
        let (plies, last) = plies(&situation)?;
        situation.moves.clone_from(&last.moves);
        let choice = AnalystChoice::new(&place, &situation.game, 1, None)?;
        Ok((situation, plies, last, choice))
    })
    .await?;
    let id = id::unguessable().map_err(Fault::random)?;
    let phases = with_game(&situation.game, Phases(&situation)).unwrap_or_default();
    let state = Work { verdicts: vec![None; plies.len()], ..Work::default() };
    let review = Arc::new(Review {
        created: now_ms(),
        client: caller.client(),
        asked: AtomicU64::new(now_ms()),
        stopped: AtomicBool::new(false),
        situation,
        plies,
        phases,
        state: Mutex::new(state),
    });
    app.desk.reviews.put(&id, &review);
    let report = review.report(&id);
    let talk = Talk {
        analysts: app.desk.analysts.clone(),
        name: format!("review {id}"),
        client: review.client.clone(),
    };
    tokio::spawn(work(app, review, talk, choice, last, limits));
    Ok((StatusCode::ACCEPTED, Json(report)))
}

/// The positions from the start on, and how the last one looks.
fn plies(situation: &Situation) -> Result<(Vec<Ply>, View), Fault> {
    let ply = |view: &View| Ply { side: view.to_move, is_forced: view.legal.len() == 1 };
    let mut table = question::table(situation)?;
    let last = table.view();
    let mut plies = vec![ply(&last)];
    while table.undo() {
        plies.push(ply(&table.view()));
    }
    plies.reverse();
    Ok((plies, last))
}

/// `GET /api/review/ID`.
pub(crate) async fn look(State(app): State<Arc<App>>, id: Named) -> Result<Json<ReviewReport>, Fault> {
    let id = id?.0;
    let review = app.desk.reviews.find(&id)?;
    review.asked.store(now_ms(), Relaxed);
    Ok(Json(review.report(&id)))
}

/// `POST /api/review/ID/stop`.
pub(crate) async fn stop(
    State(app): State<Arc<App>>,
    id: Named,
    input: Input<Nothing>,
) -> Result<Json<ReviewReport>, Fault> {
    let Json(Nothing {}) = input?;
    let id = id?.0;
    let review = app.desk.reviews.find(&id)?;
    review.stopped.store(true, Relaxed);
    Ok(Json(review.report(&id)))
}

impl Reviews {
    /// Keeps a review. Another of the same client that is under way is told to stop: one at a time.
    fn put(&self, id: &str, review: &Arc<Review>) {
        let mut all = lock(&self.0);
        for other in all.values().filter(|other| other.client == review.client) {
            other.stopped.store(true, Relaxed);
        }
        if all.len() >= KEPT
            && let Some(oldest) =
                all.iter().min_by_key(|(_, review)| review.created).map(|(id, _)| id.clone())
            && let Some(gone) = all.remove(&oldest)
        {
            gone.stopped.store(true, Relaxed);
        }
        all.insert(id.into(), Arc::clone(review));
    }

    fn find(&self, id: &str) -> Result<Arc<Review>, Fault> {
        let found = lock(&self.0).get(id).cloned();
        found.ok_or_else(|| Fault::new(StatusCode::NOT_FOUND, "no such review"))
    }
}

impl Review {
    fn is_wanted(&self) -> bool {
        !self.stopped.load(Relaxed) && now_ms().saturating_sub(self.asked.load(Relaxed)) < PATIENCE
    }

    /// Takes over what was found about the position at `ply`.
    fn note(&self, ply: usize, findings: &Findings) {
        let mut state = lock(&self.state);
        state.scale.get_or_insert_with(|| ReviewScale::of(findings.unit));
        state.unit = findings.unit;
        state.verdicts[ply] = Some(findings.judged.clone());
    }

    fn end(&self, error: Option<String>) {
        let mut state = lock(&self.state);
        (state.finished, state.error) = (error.is_none(), error);
        drop(state);
        self.stopped.store(true, Relaxed);
    }

    fn report(&self, id: &str) -> ReviewReport {
        let state = lock(&self.state);
        let judged = state.scale.map_or(Vec::new(), |scale| self.judged(&state.verdicts, scale));
        let side = |colour| SideReview::of("", colour, &judged);
        let (black, white) = (side(Colour::Black), side(Colour::White));
        let phases = PhaseReview::all(&self.phases, &judged);
        let mark = |judged: &JudgedMove| state.scale.and_then(|scale| scale.mark(judged.loss));
        ReviewReport {
            id: id.into(),
            done: state.verdicts.iter().flatten().count(),
            of: state.verdicts.len(),
            finished: state.finished,
            stopped: self.stopped.load(Relaxed) && !state.finished,
            error: state.error.clone(),
            unit: state.unit,
            scale: state.scale,
            values: state.verdicts.clone(),
            plies: judged.into_iter().map(|judged| Marked { mark: mark(&judged), judged }).collect(),
            black,
            white,
            phases,
        }
    }

    /// All moves with a verdict before and after.
    fn judged(&self, verdicts: &[Option<JudgedPosition>], scale: ReviewScale) -> Vec<JudgedMove> {
        let pairs = verdicts.windows(2).zip(&self.situation.moves).enumerate();
        pairs
            .filter_map(|(at, (pair, mv))| {
                let pair = (pair[0].as_ref()?, pair[1].as_ref()?);
                let Ply { side, is_forced } = self.plies[at];
                Some(judge(scale, at, mv, side, is_forced, pair))
            })
            .collect()
    }
}

/// From the last position to the first: what is remembered of later ones helps with earlier ones.
async fn work(
    app: Arc<App>,
    review: Arc<Review>,
    talk: Talk,
    choice: AnalystChoice,
    last: View,
    limits: Limits,
) {
    let count = review.plies.len();
    for ply in (0..count).rev() {
        if ply + 1 == count && last.end.is_some() {
            continue;
        }
        if !review.is_wanted() {
            return review.end(Some("stopped".into()));
        }
        let mut situation = review.situation.clone();
        situation.moves.truncate(ply);
        let (talk, choice) = (talk.clone(), choice.clone());
        let cap = limits.time.map_or(LONGEST, |time| time + Duration::from_millis(200));
        let found = app.pool.run(&review.client, Class::Analysis, cap, move |control| {
            talk.analyse(&choice, &situation, limits, control, &mut |_| ())
        });
        match found.await {
            Some(Ok(findings)) => review.note(ply, &findings),
            Some(Err(error)) => return review.end(Some(error)),
            None => return review.end(Some("the engine broke down".into())),
        }
        // The unit of the ended position is known once another one has been searched.
        if let Some(end) = last.end.as_ref().filter(|_| ply + 2 == count) {
            let mut state = lock(&review.state);
            if let Some(scale) = state.scale {
                state.verdicts[count - 1] = Some(scale.ended(end.end.winner, end.margin));
            }
        }
    }
    review.end(None);
}
