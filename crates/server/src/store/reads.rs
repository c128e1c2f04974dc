//! Everything that is asked of the database.

use trilith_games::{Colour, End};

use super::StoreError;
use super::sql::{Database, SqlRow, SqlValue};
use crate::arena::glicko::GlickoRating;

/// A table as it was opened, and what has happened there.
pub(crate) struct StoredTable {
    /// JSON of the setup.
    pub(crate) setup: String,
    pub(crate) created: u64,
    /// Sequence number, milliseconds since 1970 and JSON of each event, in order.
    pub(crate) events: Vec<(u64, u64, String)>,
}

/// The table called `id`.
pub(crate) fn table(db: &mut dyn Database, id: &str) -> Result<Option<StoredTable>, StoreError> {
    let Some(row) = db.query("SELECT setup, created FROM tables WHERE id = $1", &[id.into()])?.pop() else {
        return Ok(None);
    };
    let rows = db.query("SELECT seq, at, body FROM events WHERE table_id = $1 ORDER BY seq", &[id.into()])?;
    let event = |row: &SqlRow| Ok((row.integer(0)? as u64, row.integer(1)? as u64, row.text(2)?));
    let events = rows.iter().map(event).collect::<Result<_, StoreError>>()?;
    Ok(Some(StoredTable { setup: row.text(0)?, created: row.integer(1)? as u64, events }))
}

/// Tables whose clocks may run.
pub(crate) fn clocks(db: &mut dyn Database) -> Result<Vec<String>, StoreError> {
    let rows = db.query("SELECT id FROM tables WHERE finished IS NULL AND has_clock = 1", &[])?;
    rows.iter().map(|row| row.text(0)).collect()
}

/// An account and its name as its owner wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Account {
    /// In small letters: unique.
    pub(crate) name: String,
    pub(crate) shown: String,
    pub(crate) bot: bool,
    /// Whether others are not to see what it does.
    pub(crate) muted: bool,
}

const ACCOUNT: &str = "SELECT name, shown, bot, muted FROM accounts WHERE name = $1";
const ACCOUNT_BY_TOKEN: &str = "SELECT name, shown, bot, muted FROM accounts WHERE token = $1";

/// The account called `name`, in small letters.
pub(crate) fn account(db: &mut dyn Database, name: &str) -> Result<Option<Account>, StoreError> {
    one_account(db.query(ACCOUNT, &[name.into()])?)
}

/// The account with this hash of a token.
pub(crate) fn account_by_token(db: &mut dyn Database, hash: &str) -> Result<Option<Account>, StoreError> {
    one_account(db.query(ACCOUNT_BY_TOKEN, &[hash.into()])?)
}

fn one_account(mut rows: Vec<SqlRow>) -> Result<Option<Account>, StoreError> {
    rows.pop().map(|row| read_account(&row)).transpose()
}

fn read_account(row: &SqlRow) -> Result<Account, StoreError> {
    let (bot, muted) = (row.integer(2)? != 0, row.integer(3)? != 0);
    Ok(Account { name: row.text(0)?, shown: row.text(1)?, bot, muted })
}

/// All accounts by name, with when they were made and how many rated games they have played.
pub(crate) fn accounts(db: &mut dyn Database) -> Result<Vec<(Account, u64, u64)>, StoreError> {
    let rows = db.query(
        "SELECT a.name, a.shown, a.bot, a.muted, a.created, CAST(COALESCE(SUM(r.games), 0) AS BIGINT) FROM accounts a \
         LEFT JOIN ratings r ON r.account = a.name GROUP BY a.name, a.shown, a.bot, a.muted, a.created ORDER BY a.name",
        &[],
    )?;
    rows.iter().map(|row| Ok((read_account(row)?, row.integer(4)? as u64, row.integer(5)? as u64))).collect()
}

/// The last sign of life, in milliseconds since 1970.
pub(crate) fn pulse(db: &mut dyn Database) -> Result<u64, StoreError> {
    let rows = db.query("SELECT at FROM pulse WHERE id = 1", &[])?;
    rows.first().map_or(Ok(0), |row| row.integer(0).map(|at| at as u64))
}

/// Rated games of two accounts with each other that have ended after `since`.
pub(crate) fn met(db: &mut dyn Database, accounts: &[String; 2], since: u64) -> Result<u64, StoreError> {
    let [black, white] = accounts.each_ref().map(|name| SqlValue::from(name.as_str()));
    let rows = db.query(
        "SELECT COUNT(*) FROM tables WHERE ((black = $1 AND white = $2) OR (black = $2 AND white = $1)) \
         AND rated = 1 AND finished > $3",
        &[black, white, since.into()],
    )?;
    rows.first().map_or(Ok(0), |row| row.integer(0).map(|count| count as u64))
}

/// Games of an account that have not ended.
pub(crate) fn unfinished(db: &mut dyn Database, account: &str) -> Result<u64, StoreError> {
    let rows = db.query(
        "SELECT COUNT(*) FROM tables WHERE (black = $1 OR white = $1) AND finished IS NULL",
        &[account.into()],
    )?;
    rows.first().map_or(Ok(0), |row| row.integer(0).map(|count| count as u64))
}

/// Games without an end in which nothing has happened since `before`, at most `limit`.
pub(crate) fn abandoned(db: &mut dyn Database, before: u64, limit: u64) -> Result<Vec<String>, StoreError> {
    let rows = db.query(
        "SELECT id FROM tables WHERE finished IS NULL AND created < $1 AND NOT EXISTS \
         (SELECT 1 FROM events WHERE events.table_id = tables.id AND events.at >= $1) ORDER BY created LIMIT $2",
        &[before.into(), limit.into()],
    )?;
    rows.iter().map(|row| row.text(0)).collect()
}

/// Games that no list shows and that have ended before `before`, at most `limit`.
pub(crate) fn outdated(db: &mut dyn Database, before: u64, limit: u64) -> Result<Vec<String>, StoreError> {
    let rows = db.query(
        "SELECT id FROM tables WHERE finished < $1 AND listed = 0 AND rated = 0 ORDER BY finished LIMIT $2",
        &[before.into(), limit.into()],
    )?;
    rows.iter().map(|row| row.text(0)).collect()
}

/// All tables, the newest first, at most `limit`.
pub(crate) fn tables(db: &mut dyn Database, limit: u64) -> Result<Vec<Listed>, StoreError> {
    let rows = db.query(
        "SELECT id, game, black_name, white_name, black, white, plies, created, finished, winner, reason FROM tables \
         ORDER BY created DESC, id LIMIT $1",
        &[limit.into()],
    )?;
    rows.iter().map(listed).collect()
}

/// What `account` is rated in `game`; nothing before the first rated game.
pub(crate) fn rating(
    db: &mut dyn Database,
    account: &str,
    game: &str,
) -> Result<Option<GlickoRating>, StoreError> {
    let rows = db.query(
        "SELECT rating, deviation, volatility, games FROM ratings WHERE account = $1 AND game = $2",
        &[account.into(), game.into()],
    )?;
    rows.first().map(|row| read_rating(row, 0)).transpose()
}

fn read_rating(row: &SqlRow, first: usize) -> Result<GlickoRating, StoreError> {
    Ok(GlickoRating {
        rating: row.real(first)?,
        deviation: row.real(first + 1)?,
        volatility: row.real(first + 2)?,
        games: row.integer(first + 3)? as u64,
    })
}

/// All ratings of an account, by game.
pub(crate) fn ratings_of(
    db: &mut dyn Database,
    account: &str,
) -> Result<Vec<(String, GlickoRating)>, StoreError> {
    let rows = db.query(
        "SELECT game, rating, deviation, volatility, games FROM ratings WHERE account = $1 ORDER BY game",
        &[account.into()],
    )?;
    rows.iter().map(|row| Ok((row.text(0)?, read_rating(row, 1)?))).collect()
}

/// The best of a game, at most `limit`.
pub(crate) fn ratings(
    db: &mut dyn Database,
    game: &str,
    limit: u64,
) -> Result<Vec<(Account, GlickoRating)>, StoreError> {
    let rows = db.query(
        "SELECT a.name, a.shown, a.bot, a.muted, r.rating, r.deviation, r.volatility, r.games FROM ratings r \
         JOIN accounts a ON a.name = r.account WHERE r.game = $1 ORDER BY r.rating DESC, a.name LIMIT $2",
        &[game.into(), limit.into()],
    )?;
    let read = |row: &SqlRow| Ok((read_account(row)?, read_rating(row, 4)?));
    rows.iter().map(read).collect()
}

/// What lists say about a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Listed {
    pub(crate) id: String,
    pub(crate) game: String,
    pub(crate) names: [String; 2],
    pub(crate) accounts: [Option<String>; 2],
    pub(crate) plies: u64,
    pub(crate) created: u64,
    pub(crate) finished: Option<u64>,
    pub(crate) end: Option<End>,
}

fn listed(row: &SqlRow) -> Result<Listed, StoreError> {
    let winner = row.maybe_text(9)?;
    let winner = [Colour::Black, Colour::White].into_iter().find(|side| winner == Some(side.to_string()));
    Ok(Listed {
        id: row.text(0)?,
        game: row.text(1)?,
        names: [row.text(2)?, row.text(3)?],
        accounts: [row.maybe_text(4)?, row.maybe_text(5)?],
        plies: row.integer(6)? as u64,
        created: row.integer(7)? as u64,
        finished: row.maybe_integer(8)?.map(|at| at as u64),
        end: row.maybe_text(10)?.map(|reason| End::new(winner, reason)),
    })
}

/// Finished public games, the latest first, ended before `before`; of one game and one player's, if given.
pub(crate) fn archive(
    db: &mut dyn Database,
    game: &str,
    player: &str,
    before: u64,
    limit: u64,
) -> Result<Vec<Listed>, StoreError> {
    let values: [SqlValue; 4] = [before.into(), game.into(), player.into(), limit.into()];
    let rows = db.query(
        "SELECT id, game, black_name, white_name, black, white, plies, created, finished, winner, reason FROM tables \
         WHERE finished < $1 AND listed = 1 AND ($2 = '' OR game = $2) \
         AND ($3 = '' OR black = $3 OR white = $3) ORDER BY finished DESC, id LIMIT $4",
        &values,
    )?;
    rows.iter().map(listed).collect()
}

/// All games of an account opened before `before`, the newest first.
pub(crate) fn games_of(
    db: &mut dyn Database,
    account: &str,
    before: u64,
    limit: u64,
) -> Result<Vec<Listed>, StoreError> {
    let rows = db.query(
        "SELECT id, game, black_name, white_name, black, white, plies, created, finished, winner, reason FROM tables \
         WHERE (black = $1 OR white = $1) AND created < $2 ORDER BY created DESC, id LIMIT $3",
        &[account.into(), before.into(), limit.into()],
    )?;
    rows.iter().map(listed).collect()
}

/// Rated games that go on.
pub(crate) fn rated(db: &mut dyn Database) -> Result<Vec<String>, StoreError> {
    let rows = db.query("SELECT id FROM tables WHERE finished IS NULL AND rated = 1", &[])?;
    rows.iter().map(|row| row.text(0)).collect()
}

/// Public games that go on, the newest first.
pub(crate) fn running(db: &mut dyn Database, limit: u64) -> Result<Vec<Listed>, StoreError> {
    let rows = db.query(
        "SELECT id, game, black_name, white_name, black, white, plies, created, finished, winner, reason FROM tables \
         WHERE finished IS NULL AND listed = 1 ORDER BY created DESC, id LIMIT $1",
        &[limit.into()],
    )?;
    rows.iter().map(listed).collect()
}

/// One public finished game.
pub(crate) fn archived(db: &mut dyn Database, id: &str) -> Result<Option<Listed>, StoreError> {
    let rows = db.query(
        "SELECT id, game, black_name, white_name, black, white, plies, created, finished, winner, reason FROM tables \
         WHERE id = $1 AND finished IS NOT NULL AND listed = 1",
        &[id.into()],
    )?;
    rows.first().map(listed).transpose()
}

/// Open challenges as JSON.
pub(crate) fn challenges(db: &mut dyn Database) -> Result<Vec<String>, StoreError> {
    let rows = db.query("SELECT body FROM challenges ORDER BY id", &[])?;
    rows.iter().map(|row| row.text(0)).collect()
}

/// Games of an account that go on, with its colour in words.
pub(crate) fn running_of(db: &mut dyn Database, account: &str) -> Result<Vec<(String, String)>, StoreError> {
    let rows = db.query(
        "SELECT id, 'black' FROM tables WHERE black = $1 AND finished IS NULL AND white IS NOT NULL \
         UNION ALL SELECT id, 'white' FROM tables WHERE white = $1 AND finished IS NULL AND black IS NOT NULL",
        &[account.into()],
    )?;
    rows.iter().map(|row| Ok((row.text(0)?, row.text(1)?))).collect()
}
