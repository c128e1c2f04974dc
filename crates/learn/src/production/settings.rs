//! What a config of the pipeline may say.

use serde::{Deserialize, Serialize};
use trilith_arena::statistics::{Sprt, SprtError};
use trilith_base::Seed;

use crate::data::{GenerationSettings, JudgeSettings};
use crate::fit::FitSettings;
use crate::run::RunError;

/// The parameters with their defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProductionSettings {
    /// How many.
    pub generations: u32,
    /// Weights to begin with, as a path from the config's folder; those set by hand if empty.
    pub parent: String,
    /// Games of a generation, at most as many as there are openings.
    pub games: u64,
    /// Games a step.
    pub batch: u64,
    /// Rules of the games, drawn from if there are several; matches are played by the first.
    pub rules: Vec<String>,
    /// Random plies at the beginning: at least so many.
    pub random_least: u32,
    /// And at most so many.
    pub random_most: u32,
    /// All openings of so many plies instead, one a game; 0 for random ones.
    pub openings: u32,
    /// Plies searched for each move.
    pub depth: u32,
    /// Whether moves are searched with the game's pruning, as `engine` does: deeper for the same time.
    pub pruning: bool,
    /// Empty cells from which on play is perfect, in games that have perfect play.
    pub exact: u32,
    /// A game that lasts longer is scored by its last search, in games that do not end by themselves.
    pub longest: usize,
    /// Plies of the searches that judge positions of games and positions beside them; 0 to learn from the games alone.
    pub judge_depth: u32,
    /// Which part of the positions is judged, from 0 to 1.
    pub judge_share: f64,
    /// Generations whose games are learned from, the last ones; 0 for all.
    pub remembered: u32,
    /// Pull towards zero; the fit's own if negative.
    pub ridge: f32,
    /// Iterations a phase, where weights are fitted by least squares.
    pub iterations: usize,
    /// How much a result counts beside the search's estimates.
    pub lambda: f32,
    /// Times that all games are gone through, where weights are fitted by logistic regression.
    pub epochs: usize,
    /// Rate of learning, where weights are fitted by logistic regression.
    pub rate: f32,
    /// Positions that ProbCut is calibrated with; 0 for none.
    pub calibration: u64,
    /// Plies of their deepest searches.
    pub calibration_depth: u32,
    /// Positions a move of the match visits.
    pub match_nodes: u64,
    /// Games of the match, at most; if the test has not answered by then, nothing is promoted.
    pub match_games: u64,
    /// Games a step of the match.
    pub match_batch: u64,
    /// Random plies before the players take over.
    pub match_random: u32,
    /// `elo0,elo1,alpha,beta`.
    pub sprt: String,
}

impl Default for ProductionSettings {
    fn default() -> ProductionSettings {
        ProductionSettings {
            generations: 3,
            parent: String::new(),
            games: 20_000,
            batch: 512,
            rules: vec!["standard".into()],
            random_least: 1,
            random_most: 20,
            openings: 0,
            depth: 4,
            pruning: false,
            exact: 14,
            longest: 250,
            judge_depth: 0,
            judge_share: 1.0,
            remembered: 0,
            ridge: -1.0,
            iterations: 30,
            lambda: 0.7,
            epochs: 6,
            rate: 0.05,
            calibration: 3000,
            calibration_depth: 8,
            match_nodes: 5000,
            match_games: 2000,
            match_batch: 32,
            match_random: 6,
            sprt: "0,10,0.05,0.05".into(),
        }
    }
}

impl ProductionSettings {
    /// How the games of a generation are played.
    pub fn generation(&self, seed: Seed) -> GenerationSettings {
        let ProductionSettings {
            random_least, random_most, openings, depth, pruning, exact, longest, ..
        } = *self;
        let (rules, still, mobility) = (self.rules.clone(), 0, 0);
        GenerationSettings {
            rules,
            random_least,
            random_most,
            openings,
            depth,
            exact,
            longest,
            still,
            mobility,
            pruning,
            seed,
        }
    }

    /// How their positions are judged; none if they are learned from as they are.
    pub fn judging(&self, seed: Seed) -> Option<JudgeSettings> {
        let ProductionSettings { judge_depth: depth, judge_share: share, exact, .. } = *self;
        (depth > 0).then_some(JudgeSettings { depth, exact, share, seed, ..JudgeSettings::default() })
    }

    /// How weights are fitted.
    pub fn fitting(&self) -> FitSettings {
        let ProductionSettings { lambda, epochs, rate, iterations, ridge, .. } = *self;
        let ridge = (ridge >= 0.0).then_some(ridge);
        FitSettings { ridge, lambda, epochs, rate, iterations, ..FitSettings::default() }
    }

    /// The test, if all numbers make sense.
    pub fn check(&self) -> Result<Sprt, RunError> {
        let wrong = |key: &str, fault: &str| Err(RunError::config(&format!("parameters.{key}"), fault));
        if self.generations == 0 || self.games == 0 || self.batch == 0 {
            return wrong("games", "expected at least one generation, one game and one a batch");
        }
        if self.match_games < 2 || self.match_batch < 2 || self.match_nodes == 0 {
            return wrong("match_games", "expected at least two games, two a batch and one node a move");
        }
        if self.random_least > self.random_most || self.random_most.max(self.match_random) > 200 {
            return wrong("random_most", "expected random_least or more, and at most 200 random plies");
        }
        if !(1..=30).contains(&self.depth) || self.exact > 30 || self.openings > 10 {
            return wrong("depth", "expected a depth of 1 to 30, exact up to 30 and openings up to 10 plies");
        }
        if self.calibration > 0 && !(3..=30).contains(&self.calibration_depth) {
            return wrong("calibration_depth", "expected 3 to 30 plies");
        }
        if self.judge_depth > 30 || !(0.0..=1.0).contains(&self.judge_share) {
            return wrong("judge_share", "expected a part from 0 to 1, and judge_depth up to 30 plies");
        }
        if self.rules.is_empty() {
            return wrong("rules", "expected at least one set of rules");
        }
        self.sprt.parse().map_err(|error: SprtError| RunError::config("parameters.sprt", error.to_string()))
    }
}
