//! What Abalone has of its own.

use trilith_eval::Unknowing;
use trilith_eval::abalone::Evaluations;
use trilith_games::abalone::Abalone;

use crate::kit::GameKit;
use crate::player::levels::{COUNT, Level, nodes, plies};

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
}
