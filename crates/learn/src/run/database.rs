//! The database of a run: what is too much for curves, such as the weights after every game.
//!
//! Write a step's rows in one transaction. A resumed run takes back what was written after the checkpoint it goes on
//! from ([`forget_after`]).

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, params};

use super::RunError;

/// The file's name in the run's folder.
pub const NAME: &str = "run.sqlite";

/// Opens the database of the run in `folder`, which is made if it is not there.
pub fn open(folder: &Path) -> Result<Connection, RunError> {
    let connection = Connection::open(folder.join(NAME))?;
    // What a step wrote must outlast a crash as surely as the checkpoint that counts on it.
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.execute_batch(
        "create table if not exists weights (
            number integer primary key,
            tag text not null default '',
            numbers blob not null
        ) strict;",
    )?;
    Ok(connection)
}

/// Keeps the weights with this number, such as those after game `number`; older ones of that number are replaced.
pub fn keep(connection: &Connection, number: u32, tag: &str, weights: &[f32]) -> Result<(), RunError> {
    let bytes: Vec<u8> = weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
    let mut insert = connection
        .prepare_cached("insert or replace into weights (number, tag, numbers) values (?1, ?2, ?3)")?;
    insert.execute(params![number, tag, bytes])?;
    Ok(())
}

/// The weights with this number and their tag, if they were kept.
pub fn kept(connection: &Connection, number: u32) -> Result<Option<(String, Vec<f32>)>, RunError> {
    let mut query = connection.prepare_cached("select tag, numbers from weights where number = ?1")?;
    let found: Option<(String, Vec<u8>)> =
        query.query_row([number], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    Ok(found.map(|(tag, bytes)| {
        (tag, bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
    }))
}

/// The numbers of all weights kept, in order.
pub fn numbers(connection: &Connection) -> Result<Vec<u32>, RunError> {
    let mut query = connection.prepare("select number from weights order by number")?;
    let numbers = query.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    Ok(numbers)
}

/// Takes back all weights with a greater number.
pub fn forget_after(connection: &Connection, number: u32) -> Result<(), RunError> {
    connection.execute("delete from weights where number > ?1", [number])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_come_back_bit_by_bit_and_can_be_forgotten() {
        let folder = std::env::temp_dir().join(format!("trilith-database-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let connection = open(&folder).unwrap();
        let weights = [0.1_f32, -0.0, f32::MIN_POSITIVE];
        for number in 0..5 {
            keep(&connection, number, "won", &weights).unwrap();
        }
        forget_after(&connection, 2).unwrap();
        assert_eq!(numbers(&connection).unwrap(), [0, 1, 2]);
        let (tag, found) = kept(&open(&folder).unwrap(), 2).unwrap().unwrap();
        assert_eq!(
            (tag.as_str(), found.iter().map(|w| w.to_bits()).collect::<Vec<_>>()),
            ("won", weights.map(f32::to_bits).to_vec())
        );
        assert!(kept(&connection, 3).unwrap().is_none());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
