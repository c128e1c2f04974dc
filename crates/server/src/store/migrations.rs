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
];

/// Brings the database up to date, or refuses one of a newer program.
pub(crate) fn migrate(database: &mut dyn Database) -> Result<(), StoreError> {
    database.script("CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY)")?;
    let known = database.query("SELECT COALESCE(MAX(version), 0) FROM migrations", &[])?;
    let version = known.first().map_or(Ok(0), |row| row.integer(0))? as usize;
    if version > STEPS.len() {
        let least = STEPS.len();
        return Err(StoreError::Newer { version, least });
    }
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
