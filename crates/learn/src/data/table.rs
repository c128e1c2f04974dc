//! Positions as tables: named columns for other programs, from files of games or of judged positions of any game.
//!
//! Every number is for the side to move. What a file does not say is NaN, -1 or an empty text. `docs/python.md` describes
//! the columns.

use std::path::{Path, PathBuf};

use trilith_games::{Game, Record};

use super::error::DataError;
use super::files::{GamesReader, Notes, next_block};
use super::game::{PlayedGame, PlayedGameError};
use super::positions::{self, LabelledPosition};
use super::show;
use crate::training::{Training, TrainingVisitor, with_training};

/// Numbers or texts, one a row.
#[derive(Clone, Debug, PartialEq)]
pub enum DataColumn {
    /// Whole numbers.
    Int64(Vec<i64>),
    /// Small whole numbers.
    Int32(Vec<i32>),
    /// Other numbers.
    Float32(Vec<f32>),
    /// Texts in ASCII.
    Text(Vec<String>),
    /// As many bytes in each row.
    Bytes {
        /// Of a row: planes, rows and columns.
        shape: [usize; 3],
        /// One row after the other.
        bytes: Vec<u8>,
    },
}

/// Rows of one block of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockTable {
    /// The number of the game, from 0 over all files; -1 in files that do not say.
    pub game: Vec<i64>,
    /// Plies before this one; -1 in files that do not say.
    pub ply: Vec<i32>,
    /// The rules' switches.
    pub rules: Vec<String>,
    /// The position as one line.
    pub position: Vec<String>,
    /// 0 if the side that begins games is to move, else 1.
    pub to_play: Vec<i32>,
    /// The move that was played; empty in files that do not say.
    pub mv: Vec<String>,
    /// Its number, or -1.
    pub action: Vec<i32>,
    /// 1 if the move was drawn by lot, else 0; -1 in files that do not say.
    pub random: Vec<i32>,
    /// The result that the search expected, -1 to 1.
    pub value: Vec<f32>,
    /// What the search thought in the evaluation's unit: discs in Othello, else log odds.
    pub evaluation: Vec<f32>,
    /// How the game ended, -1 to 1.
    pub result: Vec<f32>,
    /// The game's own count at its end: discs, stones, ejected marbles.
    pub margin: Vec<f32>,
    /// What the side to move sees; `shape` is planes, rows and columns.
    pub observations: Vec<u8>,
    /// Of one observation.
    pub shape: [usize; 3],
}

impl BlockTable {
    /// No rows of a game with observations of this shape.
    pub fn new(shape: [usize; 3]) -> BlockTable {
        BlockTable {
            game: Vec::new(),
            ply: Vec::new(),
            rules: Vec::new(),
            position: Vec::new(),
            to_play: Vec::new(),
            mv: Vec::new(),
            action: Vec::new(),
            random: Vec::new(),
            value: Vec::new(),
            evaluation: Vec::new(),
            result: Vec::new(),
            margin: Vec::new(),
            observations: Vec::new(),
            shape,
        }
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.game.len()
    }

    /// All columns with their names, in the order of files.
    pub fn into_columns(self) -> Vec<(&'static str, DataColumn)> {
        vec![
            ("game", DataColumn::Int64(self.game)),
            ("ply", DataColumn::Int32(self.ply)),
            ("rules", DataColumn::Text(self.rules)),
            ("position", DataColumn::Text(self.position)),
            ("to_play", DataColumn::Int32(self.to_play)),
            ("move", DataColumn::Text(self.mv)),
            ("action", DataColumn::Int32(self.action)),
            ("random", DataColumn::Int32(self.random)),
            ("value", DataColumn::Float32(self.value)),
            ("evaluation", DataColumn::Float32(self.evaluation)),
            ("result", DataColumn::Float32(self.result)),
            ("margin", DataColumn::Float32(self.margin)),
            ("obs", DataColumn::Bytes { shape: self.shape, bytes: self.observations }),
        ]
    }

    /// Adds what every row has.
    fn push_position<G: Game>(&mut self, game: &G, position: &G::Position) {
        self.rules.push(game.rules().to_string());
        self.position.push(game.position_text(position));
        self.to_play.push(i32::from(game.to_move(position) != game.to_move(&game.start())));
        let from = self.observations.len();
        self.observations.resize(from + G::OBSERVATION.iter().product::<usize>(), 0);
        game.observe(position, &mut self.observations[from..]);
    }

    fn push_end(&mut self, result: Option<u16>, margin: Option<i16>) {
        self.result.push(result.map_or(f32::NAN, score));
        self.margin.push(margin.map_or(f32::NAN, f32::from));
    }

    fn push_game<G: Game>(&mut self, number: i64, played: &PlayedGame) -> Result<(), PlayedGameError> {
        let record: Record<G> = played.record()?;
        let game = record.game();
        for (ply, mv) in record.moves().enumerate() {
            let position = record.position_after(ply).expect("the game has this ply");
            let ended = played.ended(game, *position);
            self.push_position(game, position);
            self.push_end(Some(ended.result), ended.margin);
            self.game.push(number);
            self.ply.push(ply as i32);
            self.mv.push(game.move_text(mv));
            self.action.push(game.action_number(mv) as i32);
            self.random.push(i32::from(ply < played.random));
            let value = ply.checked_sub(played.random).and_then(|at| played.values.get(at));
            self.value.push(value.map_or(f32::NAN, |&value| score(value)));
            self.evaluation.push(f32::NAN);
        }
        Ok(())
    }

    fn push_judged<G: Game>(&mut self, judged: &LabelledPosition<G>) {
        self.push_position(&judged.game, &judged.position);
        self.push_end(judged.result, judged.margin);
        self.game.push(-1);
        self.ply.push(-1);
        self.mv.push(String::new());
        self.action.push(-1);
        self.random.push(-1);
        self.value.push(f32::NAN);
        self.evaluation.push(f32::from(judged.value) / 100.0);
    }
}

/// A score in thousandths as a result from -1 to 1.
fn score(thousandths: u16) -> f32 {
    f32::from(thousandths) / 500.0 - 1.0
}

/// Hands the rows of all files to `take`, a table a block; all files must be of one game. Returns how many there were.
pub fn each_table(
    paths: &[PathBuf],
    notes: Notes,
    take: &mut dyn FnMut(BlockTable) -> Result<(), DataError>,
) -> Result<u64, DataError> {
    let Some(first) = paths.first() else { return Ok(0) };
    with_training(&show::game_of(first)?, EachTable { paths, notes, take })?
}

/// The shape of observations of the game that a file is about.
pub fn shape_of(path: &Path) -> Result<[usize; 3], DataError> {
    struct Shape;
    impl TrainingVisitor for Shape {
        type Output = [usize; 3];

        fn visit<G: Game, C: Training<G>>(self) -> [usize; 3] {
            G::OBSERVATION
        }
    }
    Ok(with_training(&show::game_of(path)?, Shape)?)
}

struct EachTable<'a, 'n, 't> {
    paths: &'a [PathBuf],
    notes: Notes<'n>,
    take: &'t mut dyn FnMut(BlockTable) -> Result<(), DataError>,
}

impl TrainingVisitor for EachTable<'_, '_, '_> {
    type Output = Result<u64, DataError>;

    fn visit<G: Game, C: Training<G>>(self) -> Self::Output {
        let EachTable { paths, notes, take } = self;
        let (mut rows, mut games) = (0, 0);
        let mut hand = |table: BlockTable| {
            rows += table.rows() as u64;
            take(table)
        };
        for path in paths {
            if show::is_games(path)? {
                each_game_block::<G, C>(path, notes, &mut games, &mut hand)?;
                continue;
            }
            let mut reader = positions::PositionReader::<G, C>::open(path, G::NAME)?;
            while let Some(block) = next_block(&mut reader, path, notes)? {
                let mut table = BlockTable::new(G::OBSERVATION);
                block.iter().for_each(|judged| table.push_judged(judged));
                hand(table)?;
            }
        }
        Ok(rows)
    }
}

/// The blocks of one file of games; `games` counts over all files.
fn each_game_block<G: Game, C: Training<G>>(
    path: &Path,
    notes: Notes,
    games: &mut i64,
    hand: &mut dyn FnMut(BlockTable) -> Result<(), DataError>,
) -> Result<(), DataError> {
    let mut reader = GamesReader::<G, C>::open(path)?;
    let mut of_file = 0;
    while let Some(block) = reader.next_block(notes)? {
        let mut table = BlockTable::new(G::OBSERVATION);
        for played in &block {
            of_file += 1;
            let fault = |fault| DataError::Game { path: path.display().to_string(), game: of_file, fault };
            table.push_game::<G>(*games, played).map_err(fault)?;
            *games += 1;
        }
        hand(table)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_games::morris::Morris;
    use trilith_games::othello::Othello;

    #[test]
    fn a_game_becomes_rows_for_the_side_to_move() {
        let played = PlayedGame {
            rules: String::new(),
            random: 1,
            moves: "f5 d6 c3".into(),
            values: vec![750, 250],
            result: 1000,
            margin: Some(12),
        };
        let mut table = BlockTable::new(Othello::OBSERVATION);
        table.push_game::<Othello>(7, &played).unwrap();
        assert_eq!((table.rows(), &table.game[..], &table.ply[..]), (3, &[7; 3][..], &[0, 1, 2][..]));
        assert_eq!((&table.to_play[..], &table.action[..]), (&[0, 1, 0][..], &[37, 43, 18][..]));
        assert_eq!((&table.result[..], &table.margin[..]), (&[1.0, -1.0, 1.0][..], &[12.0, -12.0, 12.0][..]));
        assert!(table.value[0].is_nan() && table.value[1..] == [0.5, -0.5] && table.random == [1, 0, 0]);
        assert_eq!((&*table.mv[2], &*table.rules[0]), ("c3", "standard"));
        assert_eq!(table.observations.len(), 3 * 192);
        let stones: u32 = table.observations[192..][..128].iter().map(|&byte| u32::from(byte)).sum();
        assert_eq!(stones, 5, "after the first move five discs lie on the board");
        let columns = table.into_columns();
        assert_eq!(columns.len(), 13);
    }

    /// White begins Morris, files count for Black.
    #[test]
    fn the_side_that_begins_is_0_in_every_game() {
        let played = PlayedGame {
            rules: String::new(),
            random: 0,
            moves: "d6 f4".into(),
            values: Vec::new(),
            result: 0,
            margin: None,
        };
        let mut table = BlockTable::new(Morris::OBSERVATION);
        table.push_game::<Morris>(0, &played).unwrap();
        assert_eq!((&table.to_play[..], &table.result[..]), (&[0, 1][..], &[1.0, -1.0][..]));
        assert!(table.margin[0].is_nan() && table.value[1].is_nan());
    }
}
