//! Tables written for other programs.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::error::DataError;
use super::files::Notes;
use super::npz::Npz;
use super::parquet::Parquet;
use super::table::{BlockTable, each_table, shape_of};

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// Tables, packed; for pandas, polars, DuckDB and Arrow.
    Parquet,
    /// Numpy's arrays, as they lie in memory.
    Npz,
}

/// There is no such kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}`: expected `parquet` or `npz`")]
pub struct UnknownFormat(String);

impl FromStr for ExportFormat {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<ExportFormat, UnknownFormat> {
        match text {
            "parquet" => Ok(ExportFormat::Parquet),
            "npz" => Ok(ExportFormat::Npz),
            _ => Err(UnknownFormat(text.into())),
        }
    }
}

impl ExportFormat {
    /// The one that the ending of a file's name says.
    pub fn of(path: &Path) -> Result<ExportFormat, UnknownFormat> {
        path.extension().unwrap_or_default().to_string_lossy().parse()
    }
}

enum Sink {
    Parquet(Parquet),
    Npz(Npz),
}

/// Writes the positions of files of games or judged positions, all of one game, as one table; how many rows.
pub fn export(paths: &[PathBuf], out: &Path, format: ExportFormat, notes: Notes) -> Result<u64, DataError> {
    let refuse = |source| DataError::file(out, source);
    let shape = paths.first().map_or(Ok([1; 3]), |path| shape_of(path))?;
    let empty = BlockTable::new(shape);
    let mut sink = match format {
        ExportFormat::Parquet => Sink::Parquet(Parquet::new(out, empty).map_err(refuse)?),
        ExportFormat::Npz => Sink::Npz(Npz::new(out, empty).map_err(refuse)?),
    };
    let rows = each_table(paths, notes, &mut |table| {
        let added = match &mut sink {
            Sink::Parquet(file) => file.add(table),
            Sink::Npz(file) => file.add(table),
        };
        added.map_err(refuse)
    })?;
    match sink {
        Sink::Parquet(file) => file.finish(),
        Sink::Npz(file) => file.finish(),
    }
    .map_err(refuse)?;
    Ok(rows)
}
