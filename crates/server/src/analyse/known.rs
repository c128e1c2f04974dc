//! What is known for certain or by experience: tables and solvers of the game, the server's own book.
//!
//! Where nothing is known the answer says what is missing and how to get it.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use trilith_arena::known::{Enquiry, Knowledge, Library, Panel};
use trilith_arena::{GameKit, Visitor, with_game};
use trilith_games::{Game, Record};
use trilith_search::Control;

use super::question::{self, Question};
use crate::api::Input;
use crate::app::App;
use crate::caller::Caller;
use crate::engine::{Class, Pool, Situation, learning};
use crate::fault::Fault;

/// The most time that an answer may take.
const TIME: Duration = Duration::from_secs(6);

/// Opened tables, and a thread of their own: everybody in turn.
pub(crate) struct Experts {
    library: Library,
    thread: Pool,
}

/// What an address may ask of the experts in a day.
const BUDGET: Duration = Duration::from_secs(3600);
/// Questions of one address that may wait.
const QUESTIONS: u64 = 4;

impl Default for Experts {
    fn default() -> Experts {
        Experts { library: Library::default(), thread: Pool::new(1, BUDGET) }
    }
}

impl Experts {
    /// Tables are opened anew with the next question.
    pub(super) fn close_tables(&self) {
        self.library.close();
    }
}

#[derive(Serialize, Default)]
pub(crate) struct Known {
    /// By tables and solvers, in games that have them.
    #[serde(flatten)]
    certain: Knowledge,
    book: Option<Panel<Book>>,
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
        app.rated.check(&caller, &situation)?;
        question::table(&situation)?;
        let ask = KnownVisitor { app: &app, situation: &situation, control };
        with_game(&situation.game, ask).map_err(|error| Fault::bad_request(error.to_string()))?.map(Json)
    });
    let broken = || Fault::new(StatusCode::INTERNAL_SERVER_ERROR, "it could not be worked out");
    found.await.ok_or_else(broken)?
}

struct KnownVisitor<'a> {
    app: &'a App,
    situation: &'a Situation,
    control: &'a Control,
}

impl Visitor for KnownVisitor<'_> {
    type Output = Result<Known, Fault>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let record = self.situation.record::<G>()?;
        if record.end().is_some() {
            return Ok(Known::default());
        }
        let library = &self.app.desk.experts.library;
        let enquiry = Enquiry { library, control: self.control, time: TIME };
        let certain = C::known(&enquiry, record.game(), record.position());
        Ok(Known { certain, book: Some(self.book(&record)) })
    }
}

impl KnownVisitor<'_> {
    fn book<G: Game>(&self, record: &Record<G>) -> Panel<Book> {
        let game = record.game();
        let missing = Panel::missing;
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
