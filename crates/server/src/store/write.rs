//! Everything that changes the database.

use trilith_games::{Colour, End};

use super::sql::{Database, SqlValue};
use super::{StoreError, erase};
use crate::arena::glicko::{self, GlickoRating};
use crate::store::reads;

/// A new table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TableRow {
    pub(crate) id: String,
    pub(crate) game: String,
    /// JSON of the table's setup.
    pub(crate) setup: String,
    /// Milliseconds since 1970.
    pub(crate) created: u64,
    /// Whether lobby and archive show it.
    pub(crate) listed: bool,
    /// Accounts, where there are any.
    pub(crate) accounts: [Option<String>; 2],
    /// What is shown as the players' names.
    pub(crate) names: [String; 2],
    pub(crate) has_clock: bool,
    pub(crate) rated: bool,
}

/// One change; a list of them is done as a whole or not at all.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Write {
    Open(TableRow),
    /// What happened at a table; `seq` counts from 1 and is never given twice.
    Event {
        table: String,
        seq: u64,
        at: u64,
        body: String,
        plies: u64,
    },
    /// Somebody sits down: an account, if there is one, and a name.
    Seat {
        table: String,
        colour: Colour,
        account: Option<String>,
        name: String,
    },
    Finish {
        table: String,
        /// Milliseconds since 1970.
        at: u64,
        end: End,
    },
    /// An ended game goes on, because its last move was taken back.
    Reopen {
        table: String,
    },
    Account {
        name: String,
        shown: String,
        token: String,
        bot: bool,
        created: u64,
    },
    /// Another token for an account; the one before is good for nothing any more.
    Token {
        account: String,
        token: String,
    },
    /// Whether an account may be seen by others.
    Mute {
        account: String,
        muted: bool,
    },
    /// Nothing is left of an account but games without its name.
    Erase {
        account: String,
    },
    /// Nothing is left of a table.
    Discard {
        table: String,
    },
    /// Both ratings change by one game that has ended at `at`.
    Rate {
        game: String,
        accounts: [String; 2],
        winner: Option<Colour>,
        at: u64,
    },
    /// A sign of life, to be read again.
    Pulse {
        at: u64,
    },
    Challenge {
        id: String,
        body: String,
    },
    /// Fails if there is none: two who accept cannot both have it.
    Unchallenge {
        id: String,
    },
}

impl Write {
    pub(crate) fn apply(&self, db: &mut dyn Database) -> Result<(), StoreError> {
        match self {
            Write::Open(row) => open(db, row),
            Write::Event { table, seq, at, body, plies } => {
                let before = (*seq > 1).then(|| seq - 1);
                let values =
                    [table.as_str().into(), (*seq).into(), before.into(), (*at).into(), body.as_str().into()];
                event(db, &values, &[(*plies).into(), table.as_str().into()])
            }
            Write::Seat { table, colour, account, name } => {
                let sql = match colour {
                    Colour::Black => "UPDATE tables SET black = $1, black_name = $2 WHERE id = $3",
                    Colour::White => "UPDATE tables SET white = $1, white_name = $2 WHERE id = $3",
                };
                db.execute(sql, &[account.clone().into(), name.as_str().into(), table.as_str().into()])
                    .map(drop)
            }
            Write::Finish { table, at, end } => {
                let winner = end.winner.map(|winner| winner.to_string());
                let values = [(*at).into(), winner.into(), end.reason.as_ref().into(), table.as_str().into()];
                db.execute("UPDATE tables SET finished = $1, winner = $2, reason = $3 WHERE id = $4", &values)
                    .map(drop)
            }
            Write::Reopen { table } => db
                .execute(
                    "UPDATE tables SET finished = NULL, winner = NULL, reason = NULL WHERE id = $1",
                    &[table.as_str().into()],
                )
                .map(drop),
            Write::Account { name, shown, token, bot, created } => {
                let values = [
                    name.as_str().into(),
                    shown.as_str().into(),
                    token.as_str().into(),
                    (*bot).into(),
                    (*created).into(),
                ];
                account(db, &values)
            }
            Write::Token { account, token } => one(db.execute(
                "UPDATE accounts SET token = $1 WHERE name = $2",
                &[token.as_str().into(), account.as_str().into()],
            )?),
            Write::Mute { account, muted } => one(db.execute(
                "UPDATE accounts SET muted = $1 WHERE name = $2",
                &[(*muted).into(), account.as_str().into()],
            )?),
            Write::Erase { account } => erase::account(db, account),
            Write::Discard { table } => erase::table(db, table),
            Write::Pulse { at } => one(db.execute("UPDATE pulse SET at = $1 WHERE id = 1", &[(*at).into()])?),
            Write::Rate { game, accounts, winner, at } => rate(db, game, accounts, *winner, *at),
            Write::Challenge { id, body } => {
                let values = [id.as_str().into(), body.as_str().into()];
                db.execute("INSERT INTO challenges (id, body) VALUES ($1, $2)", &values).map(drop)
            }
            Write::Unchallenge { id } => {
                one(db.execute("DELETE FROM challenges WHERE id = $1", &[id.as_str().into()])?)
            }
        }
    }
}

/// Something has happened at a table: `values` of the event, and how many plies the table then has.
fn event(db: &mut dyn Database, values: &[SqlValue], plies: &[SqlValue]) -> Result<(), StoreError> {
    db.execute("INSERT INTO events (table_id, seq, before, at, body) VALUES ($1, $2, $3, $4, $5)", values)?;
    db.execute("UPDATE tables SET plies = $1 WHERE id = $2", plies).map(drop)
}

fn account(db: &mut dyn Database, values: &[SqlValue]) -> Result<(), StoreError> {
    one(db.execute(
        "INSERT INTO accounts (name, shown, token, bot, created) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
        values,
    )?)
}

/// Nothing changed: somebody else was first.
fn one(changed: u64) -> Result<(), StoreError> {
    if changed == 1 { Ok(()) } else { Err(StoreError::Taken) }
}

fn open(db: &mut dyn Database, row: &TableRow) -> Result<(), StoreError> {
    let [black, white] = row.accounts.clone();
    let [black_name, white_name] = row.names.clone();
    let values = [
        row.id.as_str().into(),
        row.game.as_str().into(),
        row.setup.as_str().into(),
        row.created.into(),
        row.listed.into(),
        black.into(),
        white.into(),
        black_name.into(),
        white_name.into(),
        row.has_clock.into(),
        row.rated.into(),
    ];
    db.execute(
        "INSERT INTO tables (id, game, setup, created, listed, black, white, black_name, white_name, has_clock, rated, plies) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0)",
        &values,
    )
    .map(drop)
}

/// Rated games of the same two in a day that count; whoever plays more of them may be playing with himself.
const OFTEN: u64 = 12;
const DAY_MS: u64 = 24 * 3_600_000;

/// Reads both ratings and writes both inside the transaction, so that no game is lost between two.
fn rate(
    db: &mut dyn Database,
    game: &str,
    accounts: &[String; 2],
    winner: Option<Colour>,
    at: u64,
) -> Result<(), StoreError> {
    if reads::met(db, accounts, at.saturating_sub(DAY_MS))? > OFTEN {
        return Ok(());
    }
    let score = match winner {
        Some(Colour::Black) => 1.0,
        None => 0.5,
        Some(Colour::White) => 0.0,
    };
    let [black, white] = [0, 1].map(|side| reads::rating(db, &accounts[side], game));
    let (black, white) = (black?.unwrap_or_default(), white?.unwrap_or_default());
    write_rating(db, &accounts[0], game, &glicko::after(&black, &[(white, score)]))?;
    write_rating(db, &accounts[1], game, &glicko::after(&white, &[(black, 1.0 - score)]))
}

fn write_rating(
    db: &mut dyn Database,
    account: &str,
    game: &str,
    rating: &GlickoRating,
) -> Result<(), StoreError> {
    let values = [
        account.into(),
        game.into(),
        rating.rating.into(),
        rating.deviation.into(),
        rating.volatility.into(),
        rating.games.into(),
    ];
    db.execute(
        "INSERT INTO ratings (account, game, rating, deviation, volatility, games) VALUES ($1, $2, $3, $4, $5, $6) \
         ON CONFLICT (account, game) DO UPDATE SET rating = excluded.rating, deviation = excluded.deviation, \
         volatility = excluded.volatility, games = excluded.games",
        &values,
    )
    .map(drop)
}
