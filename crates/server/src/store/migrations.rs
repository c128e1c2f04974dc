//! How the database came to be what it is: numbered steps, each made once, in order.

use super::StoreError;
use super::sql::Database;

/// Texts that every database understands. Never change one that has been released: add another.
const STEPS: &[&str] = &[
    "CREATE TABLE tables (
        id TEXT PRIMARY KEY, game TEXT NOT NULL, setup TEXT NOT NULL, created BIGINT NOT NULL,
        listed BIGINT NOT NULL, black TEXT, white TEXT, black_name TEXT NOT NULL, white_name TEXT NOT NULL,
        has_clock BIGINT NOT NULL, finished BIGINT, winner TEXT, reason TEXT, plies BIGINT NOT NULL);
     CREATE INDEX tables_finished ON tables (finished);
     CREATE TABLE events (
        table_id TEXT NOT NULL REFERENCES tables (id), seq BIGINT NOT NULL, at BIGINT NOT NULL, body TEXT NOT NULL,
        PRIMARY KEY (table_id, seq));",
    "CREATE TABLE accounts (
        name TEXT PRIMARY KEY, shown TEXT NOT NULL, token TEXT NOT NULL UNIQUE, bot BIGINT NOT NULL,
        created BIGINT NOT NULL);
     CREATE TABLE ratings (
        account TEXT NOT NULL REFERENCES accounts (name), game TEXT NOT NULL, rating DOUBLE PRECISION NOT NULL,
        deviation DOUBLE PRECISION NOT NULL, volatility DOUBLE PRECISION NOT NULL, games BIGINT NOT NULL,
        PRIMARY KEY (account, game));
     CREATE TABLE challenges (id TEXT PRIMARY KEY, body TEXT NOT NULL);
     CREATE INDEX tables_black ON tables (black, finished);
     CREATE INDEX tables_white ON tables (white, finished);",
    // Each event but the first stands on the one before it: the database itself refuses a gap. What an earlier program wrote
    // after a gap cannot be replayed; it is kept aside.
    "CREATE TABLE events_lost (
        table_id TEXT NOT NULL, seq BIGINT NOT NULL, at BIGINT NOT NULL, body TEXT NOT NULL);
     INSERT INTO events_lost (table_id, seq, at, body) SELECT table_id, seq, at, body FROM (
        SELECT table_id, seq, at, body, ROW_NUMBER() OVER (PARTITION BY table_id ORDER BY seq) AS place FROM events
        ) AS numbered WHERE seq <> place;
     CREATE TABLE events_whole (
        table_id TEXT NOT NULL REFERENCES tables (id), seq BIGINT NOT NULL, before BIGINT, at BIGINT NOT NULL,
        body TEXT NOT NULL, PRIMARY KEY (table_id, seq),
        FOREIGN KEY (table_id, before) REFERENCES events_whole (table_id, seq),
        CHECK ((seq = 1 AND before IS NULL) OR (seq > 1 AND before IS NOT NULL AND before = seq - 1)));
     INSERT INTO events_whole (table_id, seq, before, at, body)
        SELECT table_id, seq, CASE WHEN seq > 1 THEN seq - 1 END, at, body FROM (
        SELECT table_id, seq, at, body, ROW_NUMBER() OVER (PARTITION BY table_id ORDER BY seq) AS place FROM events
        ) AS numbered WHERE seq = place;
     DROP TABLE events;
     ALTER TABLE events_whole RENAME TO events;
     CREATE TABLE pulse (id BIGINT PRIMARY KEY, at BIGINT NOT NULL);
     INSERT INTO pulse (id, at) VALUES (1, 0);
     ALTER TABLE accounts ADD COLUMN muted BIGINT NOT NULL DEFAULT 0;
     ALTER TABLE tables ADD COLUMN rated BIGINT NOT NULL DEFAULT 0;",
];

/// The version that all steps make.
pub(super) const NEWEST: usize = STEPS.len();

/// Refuses a database of a newer program; its version.
fn version(database: &mut dyn Database) -> Result<usize, StoreError> {
    let known = database.query("SELECT COALESCE(MAX(version), 0) FROM migrations", &[])?;
    let version = known.first().map_or(Ok(0), |row| row.integer(0))? as usize;
    match version > STEPS.len() {
        true => Err(StoreError::Newer { version, least: STEPS.len() }),
        false => Ok(version),
    }
}

/// Refuses what is no database of this or an earlier program.
pub(crate) fn check(database: &mut dyn Database) -> Result<(), StoreError> {
    version(database).map(drop)
}

/// Brings the database up to date, or refuses one of a newer program.
pub(crate) fn migrate(database: &mut dyn Database) -> Result<(), StoreError> {
    database.script("CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY)")?;
    let version = version(database)?;
    for (number, step) in STEPS.iter().enumerate().skip(version) {
        let number = number + 1;
        let done = format!("BEGIN; {step} INSERT INTO migrations (version) VALUES ({number}); COMMIT");
        if let Err(error) = database.script(&done) {
            // Whatever was begun is gone with it, also if there was nothing to roll back.
            let _ = database.script("ROLLBACK");
            return Err(error);
        }
    }
    Ok(())
}
