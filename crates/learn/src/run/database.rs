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
            series integer not null,
            number integer not null,
            numbers blob not null,
            primary key (series, number)
        ) strict, without rowid;
        create table if not exists measures (
            series integer not null,
            number integer not null,
            numbers blob not null,
            primary key (series, number)
        ) strict, without rowid;",
    )?;
    Ok(connection)
}

/// Which weights: those number `number` of a series, such as after that game of one of several experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// From 1; learners with one line of weights have but series 1.
    pub series: u32,
    /// From 0, the beginning.
    pub number: u32,
}

/// Keeps weights; older ones of the same place are replaced.
pub fn keep(connection: &Connection, place: Place, weights: &[f64]) -> Result<(), RunError> {
    let mut insert = connection
        .prepare_cached("insert or replace into weights (series, number, numbers) values (?1, ?2, ?3)")?;
    insert.execute(params![place.series, place.number, to_bytes(weights)])?;
    Ok(())
}

/// Keeps what was measured at a place, such as in that game; older measures of the same place are replaced.
pub fn keep_measures(connection: &Connection, place: Place, measures: &[f64]) -> Result<(), RunError> {
    let mut insert = connection
        .prepare_cached("insert or replace into measures (series, number, numbers) values (?1, ?2, ?3)")?;
    insert.execute(params![place.series, place.number, to_bytes(measures)])?;
    Ok(())
}

/// All measures that were kept, in the order of their places.
pub fn measures(connection: &Connection) -> Result<Vec<(Place, Vec<f64>)>, RunError> {
    let mut query =
        connection.prepare("select series, number, numbers from measures order by series, number")?;
    let measure = |row: &rusqlite::Row| {
        let bytes: Vec<u8> = row.get(2)?;
        Ok((Place { series: row.get(0)?, number: row.get(1)? }, from_bytes(&bytes)))
    };
    let measures = query.query_map([], measure)?.collect::<Result<_, _>>()?;
    Ok(measures)
}

fn to_bytes(numbers: &[f64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn from_bytes(bytes: &[u8]) -> Vec<f64> {
    let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().expect("eight bytes a number"));
    bytes.chunks_exact(8).map(number).collect()
}

/// The weights of a place, to the last bit; none if they were not kept.
pub fn kept(connection: &Connection, place: Place) -> Result<Option<Vec<f64>>, RunError> {
    let mut query =
        connection.prepare_cached("select numbers from weights where series = ?1 and number = ?2")?;
    let found = query.query_row([place.series, place.number], |row| row.get(0)).optional()?;
    Ok(found.map(|bytes: Vec<u8>| from_bytes(&bytes)))
}

/// All places where weights are kept, in order.
pub fn places(connection: &Connection) -> Result<Vec<Place>, RunError> {
    let mut query = connection.prepare("select series, number from weights order by series, number")?;
    let place = |row: &rusqlite::Row| Ok(Place { series: row.get(0)?, number: row.get(1)? });
    let places = query.query_map([], place)?.collect::<Result<_, _>>()?;
    Ok(places)
}

/// Takes back all weights and measures with a greater number, of all series.
pub fn forget_after(connection: &Connection, number: u32) -> Result<(), RunError> {
    connection.execute("delete from weights where number > ?1", [number])?;
    connection.execute("delete from measures where number > ?1", [number])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_comes_back_bit_by_bit_and_can_be_forgotten() {
        let folder = std::env::temp_dir().join(format!("trilith-database-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let connection = open(&folder).unwrap();
        let weights = [0.1, -0.0, f64::MIN_POSITIVE];
        let place = |number| Place { series: 2, number };
        for number in 0..5 {
            keep(&connection, place(number), &weights).unwrap();
            keep_measures(&connection, place(number), &[f64::from(number), 0.5]).unwrap();
        }
        forget_after(&connection, 2).unwrap();
        assert_eq!(places(&connection).unwrap(), [place(0), place(1), place(2)]);
        let measured: Vec<_> = (0..3).map(|number| (place(number), vec![f64::from(number), 0.5])).collect();
        assert_eq!(measures(&connection).unwrap(), measured);
        let found = kept(&open(&folder).unwrap(), place(2)).unwrap().unwrap();
        assert_eq!(found.iter().map(|w| w.to_bits()).collect::<Vec<_>>(), weights.map(f64::to_bits));
        assert!(kept(&connection, place(3)).unwrap().is_none());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
