//! What Abalone has of its own.

use trilith_base::Seed;
use trilith_book::Judge;
use trilith_eval::abalone::Evaluations;
use trilith_eval::{EvaluationError, Unknowing};
use trilith_games::abalone::{Abalone, Position};

use crate::book::examination::{self, Examination};
use crate::kit::{Face, GameKit};
use crate::player::levels::{COUNT, Level, nodes, plies};
use crate::player::{self, Player, PlayerError};
use crate::spec::PlayerSpec;

impl GameKit<Abalone> for Evaluations {
    type Endgames = Unknowing;

    const LEVELS: [Level; COUNT] = [
        plies(1, 900).rated(214),
        plies(1, 550).rated(389),
        plies(1, 450).rated(447),
        plies(1, 340).rated(645),
        plies(1, 210).rated(846),
        plies(2, 350).rated(923),
        plies(2, 220).rated(1115),
        plies(2, 130).rated(1304),
        plies(3, 80).rated(1438),
        nodes(20, 1_000_000).rated(1784),
    ];

    const PERFT_WORKLOADS: &'static [(&'static str, u32)] = &[("", 6), ("layout=belgian-daisy", 5)];

    const STAGES: &'static [(&'static str, usize, usize)] = &[("early", 2, 20), ("late", 21, 45)];

    const WORDS: &'static str = include_str!("abalone/words.json");
    const FACES: &'static [Face] = &[Face::published("abaloneReference", "reference")];

    fn player(spec: &PlayerSpec, seed: Seed) -> Result<Box<dyn Player<Abalone>>, PlayerError> {
        player::make::<Abalone, Evaluations>(spec, seed)
    }

    fn judge(examination: &Examination) -> Result<Box<dyn Judge<Abalone> + Send>, EvaluationError> {
        examination::make::<Abalone, Evaluations>(examination)
    }

    /// The opening is how both sides come to the centre; with four marbles gone every push can be the last but one.
    fn phase(_: &Abalone, position: &Position, plies: usize) -> Option<&'static str> {
        const OPENING: usize = 20;
        const MANY: u8 = 4;
        let (own, other) = position.ejected();
        Some(match own.max(other) {
            MANY.. => "endgame",
            0 if plies < OPENING => "opening",
            _ => "middlegame",
        })
    }
}
