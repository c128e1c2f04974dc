//! Opening a table: from what a client wishes to a room on disk.

use std::sync::Arc;

use axum::http::StatusCode;
use serde::Deserialize;
use tokio::sync::Semaphore;
use trilith_arena::TableError;
use trilith_arena::table::{self, Table};
use trilith_base::Seed;
use trilith_games::End;

use crate::app::App;
use crate::caller::Caller;
use crate::engine::{self, Client};
use crate::fault::Fault;
use crate::id;
use crate::names;
use crate::room::wish::{self, Wish};
use crate::room::{ClockSetup, Holder, Kind, Room, Seat, Setup, Sides};
use crate::store::{StoreError, TableRow, Write};
use crate::time::now_ms;
use crate::token;

/// The most moves that a table is opened with.
const LONGEST: usize = 2000;

/// What a client asks for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Open {
    game: Option<String>,
    rules: Option<String>,
    position: Option<String>,
    /// Moves already played from there, as an imported game has them.
    #[serde(default)]
    moves: Vec<String>,
    text: Option<String>,
    players: Option<Sides<Wish>>,
    clock: Option<ClockSetup>,
    #[serde(default)]
    rated: bool,
    #[serde(default)]
    public: bool,
}

impl Open {
    /// The table, and how a loaded game had ended if not by the rules.
    fn table(&self) -> Result<(Box<dyn Table>, Option<End>), Fault> {
        match self {
            Open { game: Some(game), rules, position, moves, text: None, .. } => {
                let mut table = table::open(game, rules.as_deref().unwrap_or(""), position.as_deref())?;
                if moves.len() > LONGEST {
                    let count = moves.len();
                    return Err(Fault::bad_request(format!("{count} moves: expected at most {LONGEST}")));
                }
                for (number, mv) in moves.iter().enumerate() {
                    table.play(mv).map_err(|source| TableError::Move { ply: number + 1, source })?;
                }
                Ok((table, None))
            }
            Open { game: None, rules: None, position: None, text: Some(text), .. } => {
                Ok(table::load_ended(text)?)
            }
            _ => Err(Fault::bad_request("expected `game` with `rules` and `position` if wanted, or `text`")),
        }
    }
}

/// A game to be played: its rules, where it begins and the moves already made.
pub(crate) struct NewTable {
    pub(crate) seats: Sides<Seat>,
    pub(crate) clock: Option<ClockSetup>,
    pub(crate) rated: bool,
    pub(crate) public: bool,
    /// The hash of the opener's token.
    pub(crate) owner: Option<String>,
    /// How the game had ended before it was loaded, if not by the rules.
    pub(crate) over: Option<End>,
}

/// What was opened: its name, and the token that holds the opener's seats.
pub(crate) struct Opened {
    pub(crate) id: String,
    pub(crate) token: String,
    pub(crate) seats: Sides<bool>,
}

/// Opens a table as a client asks for it.
pub(crate) async fn open(app: &Arc<App>, caller: &Caller, wish: Open) -> Result<Opened, Fault> {
    let (table, over) = wish.table()?;
    let token = token::for_seat().map_err(Fault::random)?;
    let account = caller.asker.account.clone();
    let holder = Holder { token: Some(token::hash(&token)), account };
    let person = || Wish::Human { name: None };
    let wishes = wish.players.unwrap_or(Sides { black: person(), white: person() });
    for name in [wishes.black.name(), wishes.white.name()] {
        names::check_owner(app, &caller.asker, name).await?;
    }
    let shown = caller.asker.shown.as_deref();
    let seats =
        Sides { black: wishes.black.seat(&holder, shown)?, white: wishes.white.seat(&holder, shown)? };
    check(&seats, wish.clock, wish.rated, caller)?;
    if wish.rated {
        check_usual(&*table)?;
    }
    if wish.public {
        caller.expect_heard()?;
    }
    app.quota(caller).await?;
    check_engines(app, table.view().game, &seats).await?;
    let held = Sides::from_fn(|side| seats[side].kind == Kind::Human);
    let owner = holder.token;
    let plan = NewTable { seats, clock: wish.clock, rated: wish.rated, public: wish.public, owner, over };
    let id = place(app, table, plan, caller.client(), Vec::new()).await.map_err(Fault::from)?;
    Ok(Opened { id, token, seats: held })
}

fn check(seats: &Sides<Seat>, clock: Option<ClockSetup>, rated: bool, caller: &Caller) -> Result<(), Fault> {
    if clock.is_some_and(|clock| !clock.is_sound()) {
        return Err(Fault::bad_request(
            "clock: expected a second to a week, and at most an hour of increment",
        ));
    }
    let kinds = [seats.black.kind, seats.white.kind];
    if rated
        && (caller.asker.account.is_none() || !kinds.contains(&Kind::Human) || !kinds.contains(&Kind::Open))
    {
        let fault = "a rated game needs an account and an open seat for another";
        return Err(Fault::new(StatusCode::BAD_REQUEST, fault));
    }
    Ok(())
}

/// Rated games begin as the game usually does: from another position one side may have won already.
fn check_usual(table: &dyn Table) -> Result<(), Fault> {
    let view = table.view();
    let usual = table::open(view.game, "", None)?.view();
    match (view.rules == usual.rules, view.position == usual.position && view.moves.is_empty()) {
        (true, true) => Ok(()),
        (false, _) => {
            Err(Fault::bad_request(format!("rated games have the usual rules: expected `{}`", usual.rules)))
        }
        (true, false) => Err(Fault::bad_request("rated games begin with the usual position and no moves")),
    }
}

/// Engines that are made only to see whether they can be: so many at a time, since each takes memory.
static TRIALS: Semaphore = Semaphore::const_new(2);

/// Makes each engine once, so that what is wrong with it is said now. Off the threads that answer: weights are read.
async fn check_engines(app: &Arc<App>, game: &str, seats: &Sides<Seat>) -> Result<(), Fault> {
    for spec in [&seats.black, &seats.white].into_iter().filter_map(|seat| seat.spec.clone()) {
        let (app, game) = (Arc::clone(app), game.to_owned());
        let closed = |_| Fault::new(StatusCode::SERVICE_UNAVAILABLE, "the server is stopping");
        let _turn = TRIALS.acquire().await.map_err(closed)?;
        let made = tokio::task::spawn_blocking(move || {
            let spec = wish::resolved(&wish::checked(&spec)?, &|file| app.resolve_file(file))?;
            engine::make(&game, &spec, Seed(1), None)
                .map(drop)
                .map_err(|error| Fault::bad_request(error.to_string()))
        });
        made.await.map_err(|_| Fault::bad_request("this player cannot be made"))??;
    }
    Ok(())
}

/// Why a table was not opened.
#[derive(Debug)]
pub(crate) enum Refused {
    /// Somebody else was first.
    Taken,
    Fault(Fault),
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Refused {
        Refused::Fault(fault)
    }
}

impl From<Refused> for Fault {
    fn from(refused: Refused) -> Fault {
        match refused {
            Refused::Taken => Fault::new(StatusCode::CONFLICT, "somebody else was first"),
            Refused::Fault(fault) => fault,
        }
    }
}

/// Puts a table where it is served, after it is on disk together with `more`.
pub(crate) async fn place(
    app: &Arc<App>,
    mut table: Box<dyn Table>,
    plan: NewTable,
    client: Client,
    more: Vec<Write>,
) -> Result<String, Refused> {
    let view = table.view();
    while table.undo() {}
    let setup = Setup {
        game: view.game.into(),
        rules: view.rules,
        start: table.view().position,
        moves: view.moves,
        seats: plan.seats,
        clock: plan.clock,
        rated: plan.rated,
        public: plan.public,
        owner: plan.owner,
        over: plan.over,
    };
    let (id, created) = (id::unguessable().map_err(Fault::random)?, now_ms());
    let room = Room::new(id.clone(), setup.clone(), created).map_err(Fault::from)?;
    let mut writes = more;
    writes.push(Write::Open(row(&id, &setup, created)));
    if let Some(end) = room.result() {
        writes.push(Write::Finish { table: id.clone(), at: created, end });
    }
    match app.store.write(writes).await {
        Err(StoreError::Taken) => return Err(Refused::Taken),
        done => done.map_err(Fault::from)?,
    }
    app.tables.insert(app, room, client);
    if setup.public {
        app.lobby_changed();
    }
    Ok(id)
}

fn row(id: &str, setup: &Setup, created: u64) -> TableRow {
    let seats = [&setup.seats.black, &setup.seats.white];
    TableRow {
        id: id.into(),
        game: setup.game.clone(),
        setup: serde_json::to_string(setup).expect("a setup is plain data"),
        created,
        listed: setup.public,
        accounts: seats.map(|seat| seat.holder.account.clone()),
        names: seats.map(|seat| seat.name.clone()),
        has_clock: setup.clock.is_some(),
        rated: setup.rated,
    }
}
