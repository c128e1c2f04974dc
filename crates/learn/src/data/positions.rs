//! Judged positions, and how they stand in files: one block a group of games.
//!
//! The four columns are the positions as the game packs them, and three of two-byte numbers: values, results and margins.
//! Files of version 1 had the positions in two columns and margins of one byte.

use std::marker::PhantomData;

use trilith_games::Game;

use super::blocks::{self, BlockLayout};
use super::columns::{join_planes, split_planes};
use crate::training::Training;

/// A position with what a search or a program thinks of it.
#[derive(Clone, Debug)]
pub struct LabelledPosition<G: Game> {
    /// The rules it stands by.
    pub game: G,
    /// The position.
    pub position: G::Position,
    /// Hundredths of the evaluation's unit for the side to move.
    pub value: i16,
    /// The score of the side to move in the game that it stood in, in thousandths; none if it stood beside a game.
    pub result: Option<u16>,
    /// The game's own count at the end of that game for the side to move.
    pub margin: Option<i16>,
}

impl<G: Game> PartialEq for LabelledPosition<G> {
    fn eq(&self, other: &LabelledPosition<G>) -> bool {
        let rest = |row: &LabelledPosition<G>| (row.position, row.value, row.result, row.margin);
        self.game.rules() == other.game.rules() && rest(self) == rest(other)
    }
}

/// The columns of files of positions.
pub struct PositionColumns<G, C>(PhantomData<fn() -> (G, C)>);
/// A file that is read block by block.
pub type PositionReader<G, C> = blocks::BlockReader<PositionColumns<G, C>>;
/// A file that grows by blocks.
pub type PositionWriter<G, C> = blocks::BlockWriter<PositionColumns<G, C>>;

const NO_RESULT: u16 = u16::MAX;
const NO_MARGIN: i16 = i16::MIN;

impl<G: Game, C: Training<G>> BlockLayout for PositionColumns<G, C> {
    type Row = LabelledPosition<G>;
    const CONTENT: &'static str = "positions";
    const VERSION: u32 = 2;
    const LEVEL: i32 = 3;

    fn columns(version: u32) -> Option<usize> {
        matches!(version, 1 | 2).then_some(4)
    }

    fn split(rows: &[LabelledPosition<G>]) -> Vec<Vec<u8>> {
        vec![
            C::pack(rows),
            split_planes(rows.iter().map(|row| row.value as u16)),
            split_planes(rows.iter().map(|row| row.result.unwrap_or(NO_RESULT))),
            split_planes(rows.iter().map(|row| row.margin.unwrap_or(NO_MARGIN) as u16)),
        ]
    }

    fn join(version: u32, columns: &[Vec<u8>]) -> Result<Vec<LabelledPosition<G>>, String> {
        let [first, second, third, fourth] = columns else { return Err("four columns expected".into()) };
        if version == 1 {
            let margins: Vec<Option<i16>> = fourth.iter().map(|&margin| old_margin(margin as i8)).collect();
            let results = margins.iter().map(|margin| margin.map(result_of)).collect();
            return join::<G, C>(&[&first[..], second].concat(), third, results, margins);
        }
        let uneven = || "a column of half numbers".to_owned();
        let results = join_planes(third).ok_or_else(uneven)?.into_iter();
        let margins = join_planes(fourth).ok_or_else(uneven)?.into_iter();
        let results = results.map(|result| (result != NO_RESULT).then_some(result)).collect();
        let margins = margins.map(|margin| (margin as i16 != NO_MARGIN).then_some(margin as i16)).collect();
        join::<G, C>(first, second, results, margins)
    }
}

fn old_margin(margin: i8) -> Option<i16> {
    (margin != i8::MIN).then_some(margin.into())
}

/// The score in thousandths that a margin stands for.
pub(crate) fn result_of(margin: i16) -> u16 {
    (500 + 500 * margin.signum()) as u16
}

fn join<G: Game, C: Training<G>>(
    positions: &[u8],
    values: &[u8],
    results: Vec<Option<u16>>,
    margins: Vec<Option<i16>>,
) -> Result<Vec<LabelledPosition<G>>, String> {
    let values = join_planes(values).ok_or("a column of half numbers")?;
    let count = values.len();
    if results.len() != count || margins.len() != count {
        return Err("columns of different lengths".into());
    }
    if results.iter().flatten().any(|&result| result > 1000) {
        return Err("a score above 1000".into());
    }
    let positions = C::unpack(positions, count)?;
    let rows = positions.into_iter().zip(values).zip(results).zip(margins);
    let row = |((((game, position), value), result), margin)| LabelledPosition {
        game,
        position,
        value: value as i16,
        result,
        margin,
    };
    Ok(rows.map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::Seed;
    use trilith_eval::{abalone, contract, morris, othello};
    use trilith_games::abalone::Abalone;
    use trilith_games::morris::Morris;
    use trilith_games::othello::Othello;

    fn rows<G: Game, C: Training<G>>(seed: u64) -> Vec<LabelledPosition<G>> {
        let game = G::new(G::Rules::default());
        let positions = contract::sample(&game, Seed(seed), 2, 20);
        let row = |(number, position): (i16, _)| LabelledPosition {
            game: game.clone(),
            position: C::for_mover(position),
            value: 300 * number - 2000,
            result: (number % 3 == 0).then_some(1000 - 10 * number as u16),
            margin: (number % 2 == 0).then_some(-number),
        };
        (0..).zip(positions).map(row).collect()
    }

    fn check<G: Game, C: Training<G>>() {
        let path = std::env::temp_dir().join(format!("trilith-{}-{}.positions", G::NAME, std::process::id()));
        let (first, second) = (rows::<G, C>(1), rows::<G, C>(2));
        blocks::check_growth::<PositionColumns<G, C>>(&path, G::NAME, [&first, &second]);
        std::fs::write(&path, "something else").unwrap();
        let refused = PositionReader::<G, C>::open(&path, G::NAME).err().unwrap().to_string();
        let expected = format!("its text should begin with `trilith positions 2 {}`", G::NAME);
        assert!(refused.ends_with(&expected), "{refused}");
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn files_grow_by_blocks_and_a_cut_block_is_written_again() {
        check::<Othello, othello::Evaluations>();
        check::<Morris, morris::Evaluations>();
        check::<Abalone, abalone::Evaluations>();
    }
}
