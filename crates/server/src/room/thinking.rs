//! An engine at a table: when it thinks, with what limits, and what it learns.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Duration;

use trilith_arena::player::levels;
use trilith_base::Seed;
use trilith_games::Colour;
use trilith_search::limits::GameClock;
use trilith_search::{Control, Limits};

use super::actor::{Actor, Message, Update};
use super::seat::{COLOURS, Kind, Seat};
use super::wish;
use crate::app::App;
use crate::engine::{self, Class, Mind, Situation, Span, Thought, Ticket, learning};
use crate::time::now_ms;

/// An engine that is deciding. Dropping it stops the engine.
pub(crate) struct Thinking {
    pub(super) number: u64,
    pub(super) side: Colour,
    moves: Vec<String>,
    _ticket: Ticket,
}

/// The most that learning from one game may take.
const LEARNING: Duration = Duration::from_secs(120);
/// Games shorter than this teach nothing.
const LEAST_PLIES: usize = 4;

/// Lets an engine think if one is to move, and stops one that is not.
pub(super) fn consider(actor: &mut Actor) {
    let Some(side) = actor.room.engine_to_move() else {
        actor.thinking = None;
        return;
    };
    let situation = actor.room.situation();
    if actor.thinking.as_ref().is_some_and(|thinking| thinking.moves == situation.moves) {
        return;
    }
    actor.thinking = Some(begin(actor, side, situation));
}

fn begin(actor: &Actor, side: Colour, situation: Situation) -> Thinking {
    let number = actor.app.number();
    let seat = actor.room.seats()[side].clone();
    let (app, id) = (actor.app.clone(), actor.room.id.clone());
    let (mailbox, updates) = (actor.mailbox.clone(), actor.updates.clone());
    let (limits, moves) = (limits(actor, side), situation.moves.clone());
    let span = span(actor, &seat, limits);
    let owner = actor.client.address().to_owned();
    let work = move |control: &Control| {
        let choose = || {
            let mut mind = mind(&app, &id, side, &seat, &situation)?;
            let tell = |thought: &Thought| {
                drop(updates.send(Update::Thinking(Actor::thinking_text(side, thought))));
            };
            // A level that strays from its best move does not show that move: what it plays is what it thought of.
            let strays = strays(&situation.game, &seat);
            let chosen = mind.choose(&situation, limits, control, &mut |thought| {
                if !strays {
                    tell(&thought);
                }
            });
            if let Ok((_, Some(thought))) = &chosen {
                tell(thought);
            }
            app.minds.put(&shelved(&id, side), &owner, mind);
            chosen.map(|(mv, _)| mv)
        };
        let result =
            catch_unwind(AssertUnwindSafe(choose)).unwrap_or_else(|_| Err("the engine broke down".into()));
        drop(mailbox.send(Message::Chosen { number, result }));
    };
    let ticket = actor.app.pool.submit(&actor.client, Class::Move, span, work);
    Thinking { number, side, moves, _ticket: ticket }
}

/// Whether a seat's level may play another move than the best it has found.
fn strays(game: &str, seat: &Seat) -> bool {
    let spec = seat.spec.as_deref().and_then(|spec| wish::checked(spec).ok());
    let level = spec.as_ref().and_then(|spec| spec.get("level")?.parse().ok());
    let has_radius =
        spec.as_ref().is_some_and(|spec| spec.get("radius").is_some() || spec.get("noise").is_some());
    let level = level.and_then(|level| levels::level(game, level).ok());
    has_radius || level.is_some_and(|level| level.radius_permille > 0)
}

/// The name of a seat's mind on the shelf.
fn shelved(id: &str, side: Colour) -> String {
    format!("{id} {side}")
}

/// How long a move will probably take: its time or its share of the clock if that is told, else as long as a level takes.
fn span(actor: &Actor, seat: &Seat, limits: Limits) -> Span {
    const USUAL: Duration = Duration::from_secs(1);
    let told = seat.spec.as_deref().and_then(|spec| wish::checked(spec).ok());
    let told = told.and_then(|spec| spec.get("time")?.parse().ok()).map(Duration::from_millis);
    let cap = actor.app.config.engine_time;
    Span { cap, expected: told.or(limits.soft()).unwrap_or(USUAL).min(cap) }
}

/// What the clock leaves; without one the player's own limits count.
fn limits(actor: &Actor, side: Colour) -> Limits {
    let clock = actor.room.clock().map(|clock| GameClock {
        left: Duration::from_millis(clock.left(side, now_ms())),
        increment: Duration::from_millis(clock.increment()),
    });
    Limits { clock, ..Limits::default() }
}

/// The mind of a seat: the one that has played here before, or a new one.
fn mind(
    app: &App,
    id: &str,
    side: Colour,
    seat: &Seat,
    situation: &Situation,
) -> Result<Box<dyn Mind>, String> {
    if let Some(mind) = app.minds.take(&shelved(id, side)) {
        return Ok(mind);
    }
    let spec = wish::checked(seat.spec.as_deref().unwrap_or("engine"))
        .and_then(|spec| wish::resolved(&spec, &|file| app.resolve_file(file)))
        .map_err(|fault| fault.message().to_owned())?;
    let book = (seat.kind == Kind::Learning).then(|| book(app, situation)).flatten();
    let seed = Seed(u64::from_str_radix(&id[..16], 16).unwrap_or(1)).derive(&side.to_string(), 0);
    engine::make(&situation.game, &spec, seed, book).map_err(|error| error.to_string())
}

/// Where the learning player remembers; nowhere if nothing is kept.
fn book(app: &App, situation: &Situation) -> Option<PathBuf> {
    app.config.data.as_deref().map(|data| learning::book_path(data, &situation.game, &situation.rules))
}

/// Lets the players of an ended game hear of it, after everything else.
pub(super) fn learn(actor: &Actor, winner: Option<Colour>) {
    let situation = actor.room.situation();
    if situation.moves.len() < LEAST_PLIES {
        return;
    }
    let learns = |side: &Colour| actor.room.seats()[*side].kind == Kind::Learning;
    // Both sides would learn the same.
    let Some(side) = COLOURS.into_iter().find(learns) else { return };
    let seat = actor.room.seats()[side].clone();
    let (app, id, client) = (actor.app.clone(), actor.room.id.clone(), actor.client.clone());
    tokio::spawn(async move {
        let place = app.clone();
        let work = move |_: &Control| {
            let done = mind(&place, &id, side, &seat, &situation)
                .and_then(|mut mind| mind.finish(&situation, winner));
            if let Err(reason) = done {
                tracing::warn!(table = id, reason, "nothing was learnt");
            }
            place.metrics.learnt();
        };
        app.pool.run(&client, Class::Analysis, LEARNING, work).await;
    });
}
