//! What is known for certain or by experience: Morris' tablebases, Othello's exact endgames, the server's own book.
//!
//! Where nothing is known the answer says what is missing and how to get it.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use trilith_arena::{Visitor, with_game};
use trilith_eval::Catalogue;
use trilith_eval::othello::Evaluations;
use trilith_games::morris::{Morris, Position};
use trilith_games::othello::{Othello, Position as OthelloPosition};
use trilith_games::{Game, Record};
use trilith_search::Control;
use trilith_search::othello::{Options, Solver};
use trilith_tablebase::{Expert, FIRST_STONES, TablebaseError, answer, default_folder};

use super::question::{self, Question};
use crate::api::Input;
use crate::app::App;
use crate::caller::Caller;
use crate::engine::{Class, Pool, Situation, learning};
use crate::fault::Fault;
use crate::tables::lock;

/// Empty squares up to which Othello is solved here, and the most time that may take.
const EMPTIES: usize = 20;
const TIME: Duration = Duration::from_secs(6);
/// Positions that may be visited to answer about the placing phase.
const PLACING: u64 = 200_000;

/// Opened tablebases by their rules, and a thread of their own: everybody in turn.
pub(crate) struct Experts {
    opened: Mutex<HashMap<String, Arc<Expert>>>,
    thread: Pool,
}

/// What an address may ask of the experts in a day.
const BUDGET: Duration = Duration::from_secs(3600);
/// Questions of one address that may wait.
const QUESTIONS: u64 = 4;

impl Default for Experts {
    fn default() -> Experts {
        Experts { opened: Mutex::default(), thread: Pool::new(1, BUDGET) }
    }
}

/// One panel: what is known, or why it is not.
#[derive(Serialize)]
#[serde(rename_all = "lowercase", tag = "state")]
enum Panel<T> {
    Known(T),
    Missing { why: String },
}

#[derive(Serialize, Default)]
pub(crate) struct Known {
    /// Only in Morris.
    tablebase: Option<Panel<Table>>,
    book: Option<Panel<Book>>,
    /// Only in Othello.
    solver: Option<Panel<Solved>>,
}

#[derive(Serialize)]
struct Table {
    /// `win`, `draw` or `loss` for the side to move.
    value: &'static str,
    plies: Option<u32>,
    moves: Vec<answer::MoveAnswer>,
}

#[derive(Serialize)]
struct Book {
    moves: Vec<BookMove>,
    /// What the book would play.
    advice: Option<String>,
}

#[derive(Serialize)]
struct BookMove {
    #[serde(rename = "move")]
    mv: String,
    /// Games won, drawn and lost with it by the side to move.
    results: [u32; 3],
    /// The best move that nobody has played yet, with the search's value of it.
    value: Option<f32>,
}

#[derive(Serialize)]
struct Solved {
    /// Discs for the side to move at the end.
    score: i32,
    best: Option<String>,
    nodes: u64,
    seconds: f64,
    moves: Vec<Scored>,
}

#[derive(Serialize)]
struct Scored {
    #[serde(rename = "move")]
    mv: String,
    score: i32,
}

/// `POST /api/known`.
pub(crate) async fn known(
    State(app): State<Arc<App>>,
    caller: Caller,
    input: Input<Question>,
) -> Result<Json<Known>, Fault> {
    let situation = input?.0.situation()?;
    let place = app.limits.asking(&caller, QUESTIONS)?;
    // Not among the engines: a live analysis of the same person has its place there, and this is short.
    let experts = app.desk.experts.thread.clone();
    let client = caller.client();
    let found = experts.run(&client, Class::Analysis, TIME, move |control| {
        let _place = place;
        question::table(&situation)?;
        let ask = Ask { app: &app, situation: &situation, control };
        with_game(&situation.game, ask).map_err(|error| Fault::bad_request(error.to_string()))?.map(Json)
    });
    let broken = || Fault::new(StatusCode::INTERNAL_SERVER_ERROR, "it could not be worked out");
    found.await.ok_or_else(broken)?
}

struct Ask<'a> {
    app: &'a App,
    situation: &'a Situation,
    control: &'a Control,
}

impl Visitor for Ask<'_> {
    type Output = Result<Known, Fault>;

    fn visit<G: Game, C: Catalogue<G>>(self) -> Self::Output {
        let record = self.situation.record::<G>()?;
        if record.end().is_some() {
            return Ok(Known::default());
        }
        let (game, position) = (record.game() as &dyn Any, record.position() as &dyn Any);
        let tablebase = match (game.downcast_ref::<Morris>(), position.downcast_ref::<Position>()) {
            (Some(game), Some(position)) => Some(self.app.desk.experts.ask(game, position)),
            _ => None,
        };
        let solver = match (game.downcast_ref::<Othello>(), position.downcast_ref::<OthelloPosition>()) {
            (Some(game), Some(position)) => Some(solve(game, position, self.control)),
            _ => None,
        };
        Ok(Known { tablebase, book: Some(self.book(&record)), solver })
    }
}

impl Ask<'_> {
    fn book<G: Game>(&self, record: &Record<G>) -> Panel<Book> {
        let game = record.game();
        let missing = |why: &str| Panel::Missing { why: why.into() };
        let Some(data) = &self.app.config.data else { return missing("this server keeps no books") };
        let rules = game.rules().to_string();
        let path = learning::book_path(data, G::NAME, &rules);
        if !path.exists() {
            return missing("no book yet: every game against the learning computer is written into it");
        }
        let Some(reading) = learning::look(&path, record) else {
            return missing("this position has not been played against the learning computer");
        };
        let played = reading.successors.iter().map(|next| BookMove {
            mv: game.move_text(next.mv),
            results: next.results,
            value: None,
        });
        let other = reading.alternative.map(|(mv, value)| BookMove {
            mv: game.move_text(mv),
            results: [0; 3],
            value: Some(value).filter(|value| value.is_finite()),
        });
        Panel::Known(Book {
            moves: played.chain(other).collect(),
            advice: reading.advice.map(|advice| game.move_text(advice.mv)),
        })
    }
}

impl Experts {
    fn open(&self, game: &Morris) -> Result<Arc<Expert>, TablebaseError> {
        let folder = default_folder(game.rules());
        let key = folder.to_string_lossy().into_owned();
        if let Some(known) = lock(&self.opened).get(&key) {
            return Ok(Arc::clone(known));
        }
        let expert = Arc::new(Expert::open(&folder, game, FIRST_STONES)?);
        lock(&self.opened).insert(key, Arc::clone(&expert));
        Ok(expert)
    }

    fn ask(&self, game: &Morris, position: &Position) -> Panel<Table> {
        let rules = game.rules();
        let build = |stones: u32| {
            format!("`trilith tablebase build morris --rules {rules} --stones {stones}` makes it")
        };
        let Ok(expert) = self.open(game) else {
            return Panel::Missing { why: format!("there are no tables: {}", build(FIRST_STONES)) };
        };
        if position.in_hand() > 0 {
            expert.allow(PLACING);
            return match placing(&expert, game, position) {
                Some(table) => Panel::Known(table),
                None if expert.tables().is_complete() => {
                    Panel::Missing { why: "not found within the time allowed".into() }
                }
                None => Panel::Missing {
                    why: format!("while stones are placed all tables are needed: {}", build(18)),
                },
            };
        }
        match trilith_tablebase::answer(expert.tables(), game, position) {
            Ok(answer) => {
                Panel::Known(Table { value: answer.value, plies: answer.plies, moves: answer.moves })
            }
            // The error itself names folders of this machine.
            Err(TablebaseError::Missing { subspace, .. }) => {
                Panel::Missing { why: format!("no table for {subspace}: {}", build(subspace.stones())) }
            }
            Err(_) => Panel::Missing { why: "the tables cannot be read".into() },
        }
    }
}

/// The placing phase, by search into complete tables.
fn placing(expert: &Expert, game: &Morris, position: &Position) -> Option<Table> {
    let moves = expert.moves(game, position).ok()?;
    let (_, best) = moves.first()?;
    let value = answer::word(best.outcome);
    let name = |(mv, value): &(_, trilith_tablebase::Value)| answer::MoveAnswer {
        mv: game.move_text(*mv),
        value: answer::word(value.outcome),
        plies: value.plies,
    };
    Some(Table { value, plies: best.plies, moves: moves.iter().map(name).collect() })
}

fn solve(game: &Othello, position: &OthelloPosition, control: &Control) -> Panel<Solved> {
    let empties = (!(position.own | position.other)).count_ones() as usize;
    if empties > EMPTIES {
        let why = format!("solved from {EMPTIES} empty squares on; here are {empties}");
        return Panel::Missing { why };
    }
    if *game.rules() != <Othello as Game>::Rules::default() {
        return Panel::Missing { why: "solved only where the winner gets the empty squares".into() };
    }
    let options = Options { table_mebibytes: 32, ..Options::default() };
    let mut solver = Solver::new(Evaluations::production(), options);
    let Some(solutions) = solver.solve_moves(position, control) else {
        return Panel::Missing { why: format!("not solved within {} s", TIME.as_secs()) };
    };
    let mut moves: Vec<Scored> = solutions
        .iter()
        .filter_map(|solution| Some(Scored { mv: game.move_text(solution.best?), score: solution.score }))
        .collect();
    moves.sort_by_key(|scored| std::cmp::Reverse(scored.score));
    Panel::Known(Solved {
        score: moves.first().map_or(0, |scored| scored.score),
        best: moves.first().map(|scored| scored.mv.clone()),
        nodes: solutions.iter().map(|solution| solution.nodes).sum(),
        seconds: solutions.iter().map(|solution| solution.seconds).sum(),
        moves,
    })
}
