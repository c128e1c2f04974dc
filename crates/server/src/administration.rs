//! What who runs a server does to its database: look, mute, remove, export. It may run meanwhile.

use std::io::{self, Write as Out};

use serde::Serialize;
use serde_json::json;

use crate::store::reads::{self, Listed};
use crate::store::sql::Database;
use crate::store::{StoreError, StorePlace, Write, open_for_administration};
use crate::tables;

/// An account as its server's administrator sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AccountLine {
    /// Unique, in small letters.
    pub name: String,
    /// As its owner writes it.
    pub shown: String,
    /// Whether it says of itself that it is a program.
    pub bot: bool,
    /// Whether others do not see what it does.
    pub muted: bool,
    /// Milliseconds since 1970.
    pub created: u64,
    /// Rated games that have counted.
    pub rated_games: u64,
}

/// A table as its server's administrator sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableLine {
    /// Its unguessable name.
    pub id: String,
    /// What is played there.
    pub game: String,
    /// What the players are called, Black first.
    pub players: [String; 2],
    /// Moves played.
    pub plies: u64,
    /// Milliseconds since 1970.
    pub created: u64,
    /// The same, once it has ended.
    pub finished: Option<u64>,
    /// How it has ended.
    pub reason: Option<String>,
}

impl From<Listed> for TableLine {
    fn from(row: Listed) -> TableLine {
        let Listed { id, game, names, plies, created, finished, end, .. } = row;
        let reason = end.map(|end| end.reason.into_owned());
        TableLine { id, game, players: names, plies, created, finished, reason }
    }
}

/// How large a database is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Examined {
    /// The version of its schema.
    pub version: usize,
    /// The version that this program makes.
    pub newest: usize,
    /// Tables, and how many of them cannot be read.
    pub tables: u64,
    /// Accounts.
    pub accounts: u64,
    /// Events that stand after a gap and belong to no game any more.
    pub lost_events: u64,
}

/// A connection to the database of a server.
pub struct Administration(Box<dyn Database>);

impl Administration {
    /// Connects; a database of an earlier program is brought up to date.
    pub fn open(place: &StorePlace) -> Result<Administration, StoreError> {
        open_for_administration(place).map(Administration)
    }

    /// All accounts by name.
    pub fn accounts(&mut self) -> Result<Vec<AccountLine>, StoreError> {
        let line = |(account, created, rated_games): (reads::Account, u64, u64)| AccountLine {
            name: account.name,
            shown: account.shown,
            bot: account.bot,
            muted: account.muted,
            created,
            rated_games,
        };
        Ok(reads::accounts(&mut *self.0)?.into_iter().map(line).collect())
    }

    /// The newest tables, at most `limit`.
    pub fn tables(&mut self, limit: u64) -> Result<Vec<TableLine>, StoreError> {
        Ok(reads::tables(&mut *self.0, limit)?.into_iter().map(TableLine::from).collect())
    }

    /// Hides from others what an account does, or shows it again.
    pub fn mute(&mut self, account: &str, muted: bool) -> Result<(), StoreError> {
        self.write(&Write::Mute { account: account.to_ascii_lowercase(), muted })
    }

    /// Removes an account, its ratings and challenges; its games stay without its name.
    pub fn remove_account(&mut self, account: &str) -> Result<(), StoreError> {
        self.write(&Write::Erase { account: account.to_ascii_lowercase() })
    }

    /// Removes a table.
    pub fn remove_table(&mut self, table: &str) -> Result<(), StoreError> {
        match reads::table(&mut *self.0, table)? {
            Some(_) => self.write(&Write::Discard { table: table.into() }),
            None => Err(StoreError::Taken),
        }
    }

    /// Writes everything that is nobody's secret, a line of JSON for each account and each game; how many.
    pub fn export(&mut self, out: &mut dyn Out) -> Result<u64, StoreError> {
        let mut count = 0;
        let mut line = |value: serde_json::Value| -> Result<(), StoreError> {
            count += 1;
            writeln!(out, "{value}").map_err(|error: io::Error| StoreError::Database(error.to_string()))
        };
        for account in self.accounts()? {
            let ratings = reads::ratings_of(&mut *self.0, &account.name)?;
            let ratings: serde_json::Map<_, _> =
                ratings.into_iter().map(|(game, rating)| (game, json!(rating))).collect();
            line(json!({ "account": account, "ratings": ratings }))?;
        }
        for row in reads::tables(&mut *self.0, i64::MAX as u64)? {
            let kept = reads::table(&mut *self.0, &row.id)?;
            let room = kept.map(|kept| tables::rebuild(row.id.clone(), &kept));
            let game = match room {
                Some(Ok(room)) => json!({
                    "rules": room.setup.rules, "start": room.setup.start, "moves": room.view().moves,
                    "rated": room.setup.rated, "winner": row.end.as_ref().and_then(|end| end.winner),
                }),
                Some(Err(error)) => json!({ "error": error }),
                None => continue,
            };
            line(json!({ "table": TableLine::from(row), "game": game }))?;
        }
        Ok(count)
    }

    /// How large it is.
    pub fn examine(&mut self) -> Result<Examined, StoreError> {
        let mut count = |sql| -> Result<u64, StoreError> {
            let rows = self.0.query(sql, &[])?;
            rows.first().map_or(Ok(0), |row| row.integer(0).map(|count| count as u64))
        };
        let version = count("SELECT COALESCE(MAX(version), 0) FROM migrations")? as usize;
        Ok(Examined {
            version,
            newest: crate::store::NEWEST,
            tables: count("SELECT COUNT(*) FROM tables")?,
            accounts: count("SELECT COUNT(*) FROM accounts")?,
            lost_events: count("SELECT COUNT(*) FROM events_lost")?,
        })
    }

    fn write(&mut self, write: &Write) -> Result<(), StoreError> {
        self.0.script("BEGIN")?;
        let done = write.apply(&mut *self.0).and_then(|()| self.0.script("COMMIT"));
        if done.is_err() {
            drop(self.0.script("ROLLBACK"));
        }
        done
    }
}
