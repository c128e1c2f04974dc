//! Forgetting: tables that nobody needs, accounts that do not want to be known any more.

use super::StoreError;
use super::reads;
use super::sql::{Database, SqlRow};
use crate::room::{Event, Setup};

/// What stands where a name was.
const NOBODY: &str = "(deleted)";

/// Removes a table with all its events.
pub(super) fn table(db: &mut dyn Database, id: &str) -> Result<(), StoreError> {
    db.execute("DELETE FROM events WHERE table_id = $1", &[id.into()])?;
    db.execute("DELETE FROM events_lost WHERE table_id = $1", &[id.into()])?;
    db.execute("DELETE FROM tables WHERE id = $1", &[id.into()]).map(drop)
}

/// Removes an account, its ratings and challenges; its games stay, since they are another's too, without its name.
pub(super) fn account(db: &mut dyn Database, name: &str) -> Result<(), StoreError> {
    for row in db.query("SELECT id, setup FROM tables WHERE black = $1 OR white = $1", &[name.into()])? {
        forget_at(db, &row.text(0)?, &row.text(1)?, name)?;
    }
    let named = [NOBODY.into(), name.into()];
    db.execute("UPDATE tables SET black = NULL, black_name = $1 WHERE black = $2", &named)?;
    db.execute("UPDATE tables SET white = NULL, white_name = $1 WHERE white = $2", &named)?;
    for body in reads::challenges(db)? {
        let challenge: serde_json::Value = serde_json::from_str(&body).unwrap_or_default();
        if [&challenge["account"], &challenge["to"]].contains(&&serde_json::Value::from(name)) {
            let id = challenge["id"].as_str().unwrap_or_default();
            db.execute("DELETE FROM challenges WHERE id = $1", &[id.into()])?;
        }
    }
    db.execute("DELETE FROM ratings WHERE account = $1", &[name.into()])?;
    match db.execute("DELETE FROM accounts WHERE name = $1", &[name.into()])? {
        1 => Ok(()),
        _ => Err(StoreError::Taken),
    }
}

/// Takes an account out of the setup and the events of one table.
fn forget_at(db: &mut dyn Database, id: &str, setup: &str, name: &str) -> Result<(), StoreError> {
    let broken = |error: serde_json::Error| StoreError::Database(format!("table {id}: {error}"));
    let mut setup: Setup = serde_json::from_str(setup).map_err(broken)?;
    for seat in [&mut setup.seats.black, &mut setup.seats.white] {
        if seat.holder.account.as_deref() == Some(name) {
            (seat.name, seat.holder) = (NOBODY.into(), Default::default());
        }
    }
    let text = serde_json::to_string(&setup).map_err(broken)?;
    db.execute("UPDATE tables SET setup = $1 WHERE id = $2", &[text.into(), id.into()])?;
    let rows = db.query("SELECT seq, body FROM events WHERE table_id = $1", &[id.into()])?;
    let event = |row: &SqlRow| Ok((row.integer(0)?, row.text(1)?));
    for (seq, body) in rows.iter().map(event).collect::<Result<Vec<_>, StoreError>>()? {
        let mut event: Event = serde_json::from_str(&body).map_err(broken)?;
        let Event::Join { name: shown, holder, .. } = &mut event else { continue };
        if holder.account.as_deref() != Some(name) {
            continue;
        }
        (*shown, *holder) = (NOBODY.into(), Default::default());
        let text = serde_json::to_string(&event).map_err(broken)?;
        let values = [text.into(), id.into(), seq.into()];
        db.execute("UPDATE events SET body = $1 WHERE table_id = $2 AND seq = $3", &values)?;
    }
    Ok(())
}
