//! Files of games and positions as columns for numpy and Arrow.

use std::path::{Path, PathBuf};

use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use trilith_games::{Colour, Game, Record};
use trilith_learn::data::export::{ExportFormat, export};
use trilith_learn::data::files::save_games;
use trilith_learn::data::show::load_any;
use trilith_learn::data::table::{BlockTable, DataColumn, each_table};
use trilith_learn::data::{Note, PlayedGame, PlayedGameError};
use trilith_learn::training::{Training, TrainingVisitor, with_training};

use crate::fault;

/// What should be heard of files becomes Python's warnings.
fn warn(py: Python<'_>, notes: Vec<Note>) -> PyResult<()> {
    for note in notes {
        let text = std::ffi::CString::new(note.to_string().replace('\0', " "))?;
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 2)?;
    }
    Ok(())
}

/// The positions of files of games or judged positions, all of one game: a dict of columns for each block.
#[pyfunction]
pub fn position_blocks<'py>(py: Python<'py>, paths: Vec<PathBuf>) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let (mut tables, mut notes) = (Vec::<BlockTable>::new(), Vec::new());
    let read = py.detach(|| {
        each_table(&paths, &mut |note| notes.push(note), &mut |table| {
            tables.push(table);
            Ok(())
        })
    });
    read.map_err(fault::value)?;
    warn(py, notes)?;
    tables.into_iter().map(|table| columns(py, table)).collect()
}

fn columns(py: Python<'_>, table: BlockTable) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    let rows = table.rows();
    for (name, column) in table.into_columns() {
        match column {
            DataColumn::Int64(numbers) => dict.set_item(name, PyArray1::from_vec(py, numbers))?,
            DataColumn::Int32(numbers) => dict.set_item(name, PyArray1::from_vec(py, numbers))?,
            DataColumn::Float32(numbers) => dict.set_item(name, PyArray1::from_vec(py, numbers))?,
            DataColumn::Text(texts) => dict.set_item(name, texts)?,
            DataColumn::Bytes { shape: [planes, rows_of, columns], bytes } => {
                let array = PyArray1::from_vec(py, bytes);
                dict.set_item(name, array.reshape([rows, planes, rows_of, columns])?)?;
            }
        }
    }
    Ok(dict)
}

/// Writes the positions of files as `.parquet` or `.npz`, by the ending of the name; how many rows.
#[pyfunction]
pub fn export_positions(py: Python<'_>, paths: Vec<PathBuf>, out: PathBuf) -> PyResult<u64> {
    if paths.is_empty() {
        return Err(PyValueError::new_err("no files: expected at least one of games or positions"));
    }
    let format = ExportFormat::of(&out).map_err(fault::value)?;
    let mut notes = Vec::new();
    let rows = py.detach(|| export(&paths, &out, format, &mut |note| notes.push(note)));
    let rows = rows.map_err(fault::value)?;
    warn(py, notes)?;
    Ok(rows)
}

/// One game; numbers are for the side that began.
struct GameRow {
    rules: String,
    moves: Vec<String>,
    actions: Vec<i32>,
    /// For the side to move at each ply.
    values: Vec<f32>,
    random: usize,
    result: f32,
    margin: Option<f32>,
}

struct Rows<'a>(&'a [PlayedGame]);

impl TrainingVisitor for Rows<'_> {
    type Output = Result<Vec<GameRow>, (usize, PlayedGameError)>;

    fn visit<G: Game, C: Training<G>>(self) -> Self::Output {
        let row = |(number, played): (usize, &PlayedGame)| {
            let record: Record<G> = played.record().map_err(|fault| (number, fault))?;
            Ok(row(&record, played))
        };
        self.0.iter().enumerate().map(row).collect()
    }
}

fn row<G: Game>(record: &Record<G>, played: &PlayedGame) -> GameRow {
    let game = record.game();
    let score = |thousandths: u16| f32::from(thousandths) / 500.0 - 1.0;
    let sign = if game.to_move(record.start()) == Colour::Black { 1.0 } else { -1.0 };
    let unknown = record.len() - played.values.len();
    let values =
        std::iter::repeat_n(f32::NAN, unknown).chain(played.values.iter().map(|&value| score(value)));
    GameRow {
        rules: game.rules().to_string(),
        moves: record.moves().map(|mv| game.move_text(mv)).collect(),
        actions: record.moves().map(|mv| game.action_number(mv) as i32).collect(),
        values: values.collect(),
        random: played.random,
        result: sign * score(played.result),
        margin: played.margin.map(|margin| sign * f32::from(margin)),
    }
}

/// The games of one file: the game's name and a dict of lists, one entry a game.
#[pyfunction]
pub fn game_lists(py: Python<'_>, path: PathBuf) -> PyResult<(String, Bound<'_, PyDict>)> {
    let mut notes = Vec::new();
    let (name, rows) = py.detach(|| read(&path, &mut notes))?;
    warn(py, notes)?;
    let dict = PyDict::new(py);
    dict.set_item("rules", rows.iter().map(|row| &*row.rules).collect::<Vec<_>>())?;
    dict.set_item("moves", rows.iter().map(|row| row.moves.clone()).collect::<Vec<_>>())?;
    dict.set_item("actions", rows.iter().map(|row| row.actions.clone()).collect::<Vec<_>>())?;
    dict.set_item("values", rows.iter().map(|row| row.values.clone()).collect::<Vec<_>>())?;
    dict.set_item("random", rows.iter().map(|row| row.random).collect::<Vec<_>>())?;
    dict.set_item("result", rows.iter().map(|row| row.result).collect::<Vec<_>>())?;
    dict.set_item("margin", rows.iter().map(|row| row.margin).collect::<Vec<_>>())?;
    Ok((name, dict))
}

fn read(path: &Path, notes: &mut Vec<Note>) -> PyResult<(String, Vec<GameRow>)> {
    let (name, games) = load_any(path, &mut |note| notes.push(note)).map_err(fault::value)?;
    let rows = with_training(&name, Rows(&games)).map_err(fault::value)?;
    let rows = rows.map_err(|(number, fault)| {
        PyValueError::new_err(format!("{}: game {}: {fault}", path.display(), number + 1))
    })?;
    Ok((name, rows))
}

struct Write<'a> {
    path: &'a Path,
    rules: &'a str,
    games: &'a [Vec<String>],
    values: Option<&'a [Vec<f32>]>,
    random: usize,
}

impl TrainingVisitor for Write<'_> {
    type Output = PyResult<()>;

    fn visit<G: Game, C: Training<G>>(self) -> Self::Output {
        let game = G::new(self.rules.parse().map_err(fault::value)?);
        let played = |(number, moves): (usize, &Vec<String>)| {
            let values = self.values.map_or(&[][..], |values| &values[number]);
            let played = played_game(&game, moves, values, self.random);
            played.map_err(|text| PyValueError::new_err(format!("game {number}: {text}")))
        };
        let games = self.games.iter().enumerate().map(played).collect::<PyResult<Vec<_>>>()?;
        save_games::<G>(self.path, &games).map_err(fault::failure)
    }
}

/// A game as files have it, or what is wrong with it.
fn played_game<G: Game>(
    game: &G,
    moves: &[String],
    values: &[f32],
    random: usize,
) -> Result<PlayedGame, String> {
    let mut record = Record::new(game.clone());
    moves.iter().try_for_each(|mv| record.push_text(mv)).map_err(|error| error.to_string())?;
    let end = record.end().ok_or("it has not ended")?;
    let random = random.min(record.len());
    if !values.is_empty() && values.len() != record.len() {
        return Err(format!("{} values for {} plies", values.len(), record.len()));
    }
    if values.iter().any(|value| !(-1.0..=1.0).contains(value)) {
        return Err("a value that is not from -1 to 1".into());
    }
    let is_black = game.to_move(record.position()) == Colour::Black;
    let margin = game.margin(record.position()) as i16;
    Ok(PlayedGame {
        rules: game.rules().to_string(),
        random,
        moves: record.moves().map(|mv| game.move_text(mv)).collect::<Vec<_>>().join(" "),
        values: values.iter().skip(random).map(|value| ((value + 1.0) * 500.0).round() as u16).collect(),
        result: end.winner.map_or(500, |winner| if winner == Colour::Black { 1000 } else { 0 }),
        margin: Some(if is_black { margin } else { -margin }),
    })
}

/// Writes ended games, given as texts of their moves, as a file of games; `values` has the expected result of each ply for
/// the side to move. The first `random` plies were drawn by lot.
#[pyfunction]
#[pyo3(signature = (path, game, games, rules="", values=None, random=0))]
pub fn write_games(
    py: Python<'_>,
    path: PathBuf,
    game: &str,
    games: Vec<Vec<String>>,
    rules: &str,
    values: Option<Vec<Vec<f32>>>,
    random: usize,
) -> PyResult<()> {
    if let Some(values) = values.as_ref().filter(|values| values.len() != games.len()) {
        let text = format!("values of {} games for {} games", values.len(), games.len());
        return Err(PyValueError::new_err(text));
    }
    let write = Write { path: &path, rules, games: &games, values: values.as_deref(), random };
    py.detach(|| with_training(game, write)).map_err(fault::value)?
}
