//! Searches of random Morris positions with one technique to one depth (S2, 2.9), as cells.

use serde::{Deserialize, Serialize};
use trilith_base::Seed;
use trilith_eval::{Boxed, Catalogue, morris::Evaluations};
use trilith_games::morris::{Morris, Position};
use trilith_games::{Record, playout};
use trilith_search::{Ladder, Printed, Techniques};

use super::RULES;
use crate::error::StudyError;

/// S2's techniques as printed, each on top of iterative deepening but for the first two, then what this program does
/// otherwise; aspiration by its radius in points.
pub const TECHNIQUES: [(&str, Techniques); 14] = [
    ("minimax", Techniques { full_width: true, deepening: false, ..PLAIN }),
    ("alpha-beta", Techniques { deepening: false, ..PLAIN }),
    ("iterative deepening", DEEPENING),
    ("aspiration 0.05", Techniques { aspiration: Some(5), printed: HALF_OPEN, ..DEEPENING }),
    ("aspiration 0.1", Techniques { aspiration: Some(10), printed: HALF_OPEN, ..DEEPENING }),
    ("aspiration 0.2", Techniques { aspiration: Some(20), printed: HALF_OPEN, ..DEEPENING }),
    ("minimal window", Techniques { minimal_window: true, ..DEEPENING }),
    ("table", TABLE),
    ("table and minimal window", Techniques { minimal_window: true, ..TABLE }),
    ("mills first", Techniques { printed: MILLS_FIRST, ..DEEPENING }),
    ("all of them (2.43)", Techniques { minimal_window: true, printed: ALL, ..TABLE }),
    ("ours: only best moves first at the root", PLAIN),
    ("ours: the table's move first", Techniques { printed: ROOT_ORDER, ..TABLE }),
    ("ours: mills and threats first", Techniques { forcing_first: true, ..DEEPENING }),
];

const PLAIN: Techniques = Techniques::DEEPENING;
/// All root moves in the order of the last iteration (S2, 2.4).
const DEEPENING: Techniques = Techniques { printed: ROOT_ORDER, ..PLAIN };
/// Values and bounds alone (S2, 2.7).
const TABLE: Techniques = Techniques { table: Some(MEBIBYTES), printed: PLAIN_TABLE, ..DEEPENING };
const ROOT_ORDER: Printed = Printed { root_order: true, ..PLAIN.printed };
const HALF_OPEN: Printed = Printed { half_open: true, ..ROOT_ORDER };
const PLAIN_TABLE: Printed = Printed { plain_table: true, ..ROOT_ORDER };
const MILLS_FIRST: Printed = Printed { captures_first: true, ..ROOT_ORDER };
const ALL: Printed = Printed { captures_first: true, ..PLAIN_TABLE };
const MEBIBYTES: usize = 8;

/// Part of the game that positions are from: plies played at random, from and to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GamePart {
    /// While stones are placed.
    Placing,
    /// When all are on the board.
    Moving,
}

impl GamePart {
    /// Both.
    pub const ALL: [GamePart; 2] = [GamePart::Placing, GamePart::Moving];

    /// In tables.
    pub fn name(self) -> &'static str {
        match self {
            GamePart::Placing => "placing",
            GamePart::Moving => "moving",
        }
    }

    fn plies(self) -> (usize, usize) {
        match self {
            GamePart::Placing => (2, 16),
            GamePart::Moving => (19, 60),
        }
    }
}

/// Some positions, each searched once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Searches {
    /// Where positions are from.
    pub part: GamePart,
    /// Of [`TECHNIQUES`], by name.
    pub technique: String,
    /// Plies.
    pub depth: u32,
    /// The number of the first position.
    pub first: u64,
    /// How many.
    pub count: u64,
    /// Where positions are drawn from.
    pub seed: u64,
}

/// What searches took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchCost {
    /// Positions searched.
    pub positions: u64,
    /// Nodes of all of them.
    pub nodes: u64,
}

impl Searches {
    /// Searches them one after the other, each with an empty table.
    pub fn run(&self) -> Result<SearchCost, StudyError> {
        let game = Morris::new_thesis();
        let evaluator = Boxed(Evaluations::named("standard", None)?);
        let known = TECHNIQUES.iter().find(|(name, _)| *name == self.technique);
        let Some((_, techniques)) = known else {
            return Err(StudyError::Procedure(format!("unknown technique `{}`", self.technique)));
        };
        let one = evaluator.0.unit().one;
        let aspiration = techniques.aspiration.map(|hundredths| hundredths * one / 100);
        let techniques = Techniques { aspiration, ..*techniques };
        let mut searched = SearchCost { positions: self.count, nodes: 0 };
        for number in self.first..self.first + self.count {
            let position = position(&game, self.part, number, Seed(self.seed));
            let mut ladder = Ladder::new(&game, &evaluator, techniques);
            match techniques.full_width {
                true => drop(ladder.minimax(&position, self.depth)),
                false => drop(ladder.search(&position, self.depth)),
            }
            searched.nodes += ladder.nodes();
        }
        Ok(searched)
    }
}

/// The rules of S2 as a game.
trait Thesis {
    fn new_thesis() -> Morris;
}

impl Thesis for Morris {
    fn new_thesis() -> Morris {
        trilith_games::Game::new(RULES.parse().expect("the name of a set of rules"))
    }
}

/// Position `number` of a part of the game, in which the game goes on.
fn position(game: &Morris, part: GamePart, number: u64, seed: Seed) -> Position {
    let (from, to) = part.plies();
    let plies = from + number as usize % (to - from + 1);
    let seed = seed.derive(part.name(), number);
    let tries = (0..).map(|attempt| {
        let mut record = Record::new(*game);
        playout::play_on(&mut record, plies, &mut seed.derive("try", attempt).rng());
        record
    });
    let mut going_on = tries.filter(|record| record.end().is_none() && record.len() == plies);
    *going_on.next().expect("some random game is long enough").position()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(technique: &str, depth: u32) -> u64 {
        let technique = technique.into();
        Searches { part: GamePart::Moving, technique, depth, first: 0, count: 6, seed: 1 }
            .run()
            .unwrap()
            .nodes
    }

    #[test]
    fn what_cuts_more_visits_less() {
        let full = nodes("minimax", 3);
        let cut = nodes("alpha-beta", 3);
        assert!(cut < full, "{cut} of {full}");
        assert!(nodes("all of them (2.43)", 5) < nodes("iterative deepening", 5));
        assert_eq!(cut, nodes("alpha-beta", 3), "the same positions each time");
    }
}
