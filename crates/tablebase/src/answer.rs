//! What tables say about a position: its value, the value of every move, and an optimal line.

use serde::Serialize;
use trilith_games::morris::{Morris, Move, Position};
use trilith_games::{Game, MoveList, Outcome};

use crate::error::TablebaseError;
use crate::tables::{TablebaseValue, Tables};

/// All legal moves with what the position is then worth to the side that moves, the best first. The plies count the
/// move itself. None if the game has ended.
pub fn moves_valued(
    tables: &Tables,
    game: &Morris,
    position: &Position,
) -> Result<Vec<(Move, TablebaseValue)>, TablebaseError> {
    let mut moves = MoveList::new();
    game.moves(position, &mut moves);
    let valued = |&mv: &Move| Ok((mv, tables.value(&game.play(position, mv))?.before()));
    let mut valued = moves.iter().map(valued).collect::<Result<Vec<_>, TablebaseError>>()?;
    valued.sort_by_key(|(_, value)| std::cmp::Reverse(value.preference()));
    Ok(valued)
}

/// The answer to a question, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TablebaseAnswer {
    /// `win`, `draw` or `loss` for the side to move.
    pub value: &'static str,
    /// To the end; null for draws and where only the outcome is known.
    pub plies: Option<u32>,
    /// Every legal move, the best first.
    pub moves: Vec<MoveAnswer>,
}

/// The same for one move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveAnswer {
    /// In the notation of the game.
    #[serde(rename = "move")]
    pub mv: String,
    /// `win`, `draw` or `loss` for the side that makes it.
    pub value: &'static str,
    /// To the end, this move counted.
    pub plies: Option<u32>,
}

/// The outcome in one word.
pub fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "win",
        Outcome::Draw => "draw",
        Outcome::Loss => "loss",
    }
}

/// Answers for a position and all its moves.
pub fn answer(
    tables: &Tables,
    game: &Morris,
    position: &Position,
) -> Result<TablebaseAnswer, TablebaseError> {
    let value = tables.value(position)?;
    let moves = moves_valued(tables, game, position)?;
    let name = |(mv, value): (Move, TablebaseValue)| MoveAnswer {
        mv: game.move_text(mv),
        value: word(value.outcome),
        plies: value.plies,
    };
    Ok(TablebaseAnswer {
        value: word(value.outcome),
        plies: value.plies,
        moves: moves.into_iter().map(name).collect(),
    })
}

/// Best play of both sides, to the end of the game but at most `most` plies. Needs distances: without them a winner
/// can go round in circles.
pub fn line(
    tables: &Tables,
    game: &Morris,
    position: &Position,
    most: usize,
) -> Result<Vec<Move>, TablebaseError> {
    let mut position = *position;
    let mut line = Vec::new();
    while line.len() < most {
        let Some(&(mv, _)) = moves_valued(tables, game, &position)?.first() else { break };
        line.push(mv);
        position = game.play(&position, mv);
    }
    Ok(line)
}
