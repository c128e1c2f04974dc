//! `studies/NAME.toml`: what a study is about, its parameters for each scale, and the published tables.
//!
//! ```toml
//! # study = "muehle-search"   # only where the file's name is not that of the study
//! title = "..."
//! source = "S2, 2.9"
//! about = "..."
//! published_time = "..."        # how long it took then, as far as the source says
//!
//! [smoke]                       # parameters of each scale; the procedure says what there is
//! games = 2
//! [quick]
//! games = 100
//! [full]
//! games = 1000
//!
//! [[published]]
//! table = "2.9"
//! caption = "..."
//! columns = ["technique", "3", "4"]
//! rows = [["minimax", 5.59, 88.89]]   # "" where the source has nothing
//! ```

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use crate::error::StudyError;
use crate::report::{self, Column, Entry};

/// How much is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scale {
    /// Seconds: that everything works.
    Smoke,
    /// Minutes: the findings, with wider intervals.
    Quick,
    /// The published sizes, or as near to them as the file says.
    Full,
}

impl Scale {
    /// All of them, the smallest first.
    pub const ALL: [Scale; 3] = [Scale::Smoke, Scale::Quick, Scale::Full];

    /// As in files and commands.
    pub fn name(self) -> &'static str {
        match self {
            Scale::Smoke => "smoke",
            Scale::Quick => "quick",
            Scale::Full => "full",
        }
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Scale {
    type Err = String;

    fn from_str(text: &str) -> Result<Scale, String> {
        let known = Scale::ALL.into_iter().find(|scale| scale.name() == text);
        known.ok_or_else(|| format!("`{text}`: expected smoke, quick or full"))
    }
}

/// A study's file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyFile {
    /// The study whose procedure it is for; none where the file's own name says it.
    #[serde(default)]
    pub study: Option<String>,
    /// Of the report.
    pub title: String,
    /// Which seed and which part of it.
    pub source: String,
    /// What is asked, in a sentence or two.
    pub about: String,
    /// How long it took then.
    pub published_time: String,
    smoke: Table,
    quick: Table,
    full: Table,
    #[serde(default)]
    published: Vec<PublishedTable>,
}

impl StudyFile {
    /// Reads a study's file; `path` is for what may be wrong with it.
    pub fn parse(path: &str, text: &str) -> Result<StudyFile, StudyError> {
        let wrong =
            |error: toml::de::Error| StudyError::Content { path: path.into(), fault: error.to_string() };
        toml::from_str(text).map_err(wrong)
    }

    /// The parameters of a scale as they stand in the file.
    pub fn table(&self, scale: Scale) -> &Table {
        match scale {
            Scale::Smoke => &self.smoke,
            Scale::Quick => &self.quick,
            Scale::Full => &self.full,
        }
    }

    /// The same, to be changed.
    pub fn table_mut(&mut self, scale: Scale) -> &mut Table {
        match scale {
            Scale::Smoke => &mut self.smoke,
            Scale::Quick => &mut self.quick,
            Scale::Full => &mut self.full,
        }
    }

    /// The parameters of a scale as the procedure wants them; `path` is for what may be wrong with them.
    pub fn parameters<P: DeserializeOwned>(&self, path: &str, scale: Scale) -> Result<P, StudyError> {
        let read = P::deserialize(self.table(scale).clone());
        let fault = |error: toml::de::Error| format!("[{scale}]: {}", error.message().trim());
        read.map_err(|error| StudyError::Content { path: path.into(), fault: fault(error) })
    }

    /// A published table; empty if the file has none of that number.
    pub fn published(&self, table: &str) -> PublishedTable {
        self.published.iter().find(|published| published.table == table).cloned().unwrap_or_default()
    }
}

/// A table as it was printed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedTable {
    /// Its number in the source.
    pub table: String,
    /// What it shows, in our words.
    #[serde(default)]
    pub caption: String,
    /// The first names the rows.
    pub columns: Vec<String>,
    /// Texts and numbers; an empty text where nothing was printed.
    pub rows: Vec<Vec<Value>>,
}

impl PublishedTable {
    /// The number in a row and a column, if there is one.
    pub fn number(&self, row: &str, column: &str) -> Option<f64> {
        let at = self.columns.iter().position(|name| name == column)?;
        let row = self.rows.iter().find(|cells| cells.first().and_then(Value::as_str) == Some(row))?;
        number(row.get(at)?)
    }

    /// The same as an entry of ours with so many digits.
    pub fn entry(&self, row: &str, column: &str, digits: usize) -> Entry {
        Entry::maybe(self.number(row, column), digits)
    }

    /// The numbers of a column, from the first row to the last, gaps left out.
    pub fn column(&self, column: &str) -> Vec<f64> {
        let Some(at) = self.columns.iter().position(|name| name == column) else { return Vec::new() };
        self.rows.iter().filter_map(|row| number(row.get(at)?)).collect()
    }

    /// Each row's name and its number in a column, in words: `Multi +0.299, Single +0.199`.
    pub fn words(&self, column: &str, shown: impl Fn(f64) -> String) -> String {
        let name = |row: &Vec<Value>| Some(row.first()?.as_str()?.to_owned());
        let named = self.rows.iter().filter_map(name);
        let words = named.filter_map(|name| Some(format!("{name} {}", shown(self.number(&name, column)?))));
        words.collect::<Vec<_>>().join(", ")
    }

    /// Two columns as points.
    pub fn points(&self, x: &str, y: &str) -> Vec<(f64, f64)> {
        let place = |column: &str| self.columns.iter().position(|name| name == column);
        let (Some(x), Some(y)) = (place(x), place(y)) else { return Vec::new() };
        self.rows.iter().filter_map(|row| Some((number(row.get(x)?)?, number(row.get(y)?)?))).collect()
    }

    /// The whole table as it was printed.
    pub fn as_table(&self, name: &str) -> report::ReportTable {
        let column = |(at, title): (usize, &String)| match at {
            0 => Column::label(title),
            _ => Column::published(title),
        };
        let entry = |value: &Value| match (value.as_str(), number(value)) {
            (Some(text), _) => Entry::text(text),
            (None, Some(number)) => Entry::number(number, digits(value)),
            (None, None) => Entry::Empty,
        };
        report::ReportTable {
            name: name.into(),
            caption: format!("Published, {}: {}", self.table, self.caption),
            columns: self.columns.iter().enumerate().map(column).collect(),
            rows: self.rows.iter().map(|row| row.iter().map(entry).collect()).collect(),
            is_timed: false,
        }
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|number| number as f64))
}

/// As many digits as the shortest text of the number has.
fn digits(value: &Value) -> usize {
    let text = value.as_float().map(|number| number.to_string()).unwrap_or_default();
    text.split_once('.').map_or(0, |(_, digits)| digits.len().min(6))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "title = \"T\"\nsource = \"S0\"\nabout = \"A\"\npublished_time = \"long\"\n[smoke]\ngames = 1\n\
        [quick]\ngames = 2\n[full]\ngames = 3\n[[published]]\ntable = \"1\"\ncolumns = [\"who\", \"3\"]\n\
        rows = [[\"a\", 1.25], [\"b\", \"\"], [\"c\", 7]]\n";

    #[test]
    fn parameters_and_tables_are_found_by_name() {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Games {
            games: u64,
        }
        let file = StudyFile::parse("t.toml", TEXT).unwrap();
        assert_eq!(file.parameters::<Games>("t.toml", Scale::Quick).unwrap().games, 2);
        let table = file.published("1");
        let found = ["a", "b", "c", "d"].map(|row| table.number(row, "3"));
        assert_eq!(found, [Some(1.25), None, Some(7.0), None]);
        assert_eq!(table.column("3"), [1.25, 7.0]);
        assert_eq!(table.words("3", |number| format!("{number:+.1}")), "a +1.2, c +7.0");
        assert!(file.published("2").rows.is_empty());
    }

    #[test]
    fn what_is_wrong_is_named() {
        #[derive(Debug, serde::Deserialize)]
        struct Games {
            #[allow(dead_code)]
            plies: u64,
        }
        let file = StudyFile::parse("t.toml", TEXT).unwrap();
        let error = file.parameters::<Games>("t.toml", Scale::Full).unwrap_err().to_string();
        assert_eq!(error, "t.toml: [full]: missing field `plies`");
        assert_eq!("ful".parse::<Scale>().unwrap_err(), "`ful`: expected smoke, quick or full");
    }
}
