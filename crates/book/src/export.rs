//! A book as text: its games, and its tree.

use std::fmt::Write;

use trilith_games::{Colour, Game, Record};

use crate::book::BookReader;
use crate::error::BookError;
use crate::values::BookValue;
use crate::walk::Walk;

/// A game of the book.
#[derive(Clone, Debug)]
pub struct RememberedGame<G: Game> {
    /// From 1, in the order in which they were added.
    pub number: u64,
    /// Start and moves.
    pub record: Record<G>,
    /// Nobody for a draw.
    pub winner: Option<Colour>,
}

impl BookReader<'_> {
    /// All games, in the order in which they were added.
    pub fn remembered<G: Game>(&self, game: &G) -> Result<Vec<RememberedGame<G>>, BookError> {
        let games = self.games()?;
        games.into_iter().map(|(number, text)| self.read_game(game, number, &text)).collect()
    }

    fn read_game<G: Game>(&self, game: &G, number: u64, text: &str) -> Result<RememberedGame<G>, BookError> {
        let damaged = |fault: &str| self.book().damaged(&format!("game {number}: {fault}"));
        let mut lines = text.split('\n');
        let (winner, start, moves) = match (lines.next(), lines.next(), lines.next()) {
            (Some(winner), Some(start), Some(moves)) => (winner, start, moves),
            _ => return Err(damaged("it is cut")),
        };
        let winner = match winner {
            "black" => Some(Colour::Black),
            "white" => Some(Colour::White),
            _ => None,
        };
        let start = match start {
            "" => game.start(),
            text => game.parse_position(text).map_err(|error| damaged(&error.to_string()))?,
        };
        let mut record =
            Record::from_position(game.clone(), start).map_err(|error| damaged(&error.to_string()))?;
        for text in moves.split(' ').filter(|text| !text.is_empty()) {
            record.push_text(text).map_err(|error| damaged(&error.to_string()))?;
        }
        Ok(RememberedGame { number, record, winner })
    }
}

/// The first `plies` plies of the tree, one line a position, with values for the side to move.
pub fn tree_text<G: Game>(reader: &BookReader<'_>, game: &G, plies: usize) -> Result<String, BookError> {
    let mut text = String::new();
    Walk::all(reader, game, &mut |visit| {
        let name = match visit.moves.last() {
            Some(&mv) => game.move_text(mv),
            None => game.position_text(visit.start),
        };
        let value = visit.node.value(game.to_move(visit.position));
        let [wins, draws, losses] = visit.node.results;
        let indent = "  ".repeat(visit.moves.len());
        let _ = writeln!(text, "{indent}{name}  {}  +{wins} ={draws} -{losses}", value_text(value));
        visit.moves.len() < plies
    })?;
    Ok(text)
}

/// `won`, `drawn` or `lost` by the tree, with the chance.
pub fn value_text(value: BookValue) -> String {
    let tree = ["lost", "drawn", "won"][(value.tree.signum() + 1) as usize];
    match value.chance {
        f32::INFINITY => format!("{tree} +inf"),
        f32::NEG_INFINITY => format!("{tree} -inf"),
        chance => format!("{tree} {chance:+.2}"),
    }
}
