//! What the config of a group of experiments may say.

use serde::{Deserialize, Serialize};

use super::experiment::{BetaWeights, Comparison, LearningRule, Normalisation, Updates, Valuation};
use crate::run::RunError;

/// What the config may say; these are the defaults, those of group F.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct OthilieParameters {
    /// A feature set of the game whose numbers have bounds; the usual one if empty.
    pub features: String,
    /// They differ in their random start polynomials only.
    pub experiments: u32,
    /// Learning games of each experiment.
    pub games: u32,
    /// Plies all players look ahead. S1's depth of five counts levels, the root among them (6.1, footnote 14): four plies.
    pub depth: u32,
    /// Plies that leaves whose side to move can take a corner are searched further, at most (7.2.2).
    pub corner_plies: u32,
    /// S1's learning factor alpha.
    pub rate: f64,
    /// S1's differentiation factor.
    pub differentiation: f64,
    /// What values are divided by: stones, moves, nothing.
    pub valuation: Valuation,
    /// What the search is compared with.
    pub comparison: Comparison,
    /// How much of a step goes to the positions before: TD(lambda).
    pub lambda: f64,
    /// Whether weights move after each move or after each game.
    pub updates: Updates,
    /// Whether weights beyond 1 scale all or are cut off, or the largest is always made 1.
    pub normalisation: Normalisation,
    /// Whether beta has a copy of alpha's weights or shares them.
    pub beta: BetaWeights,
    /// A file of weights to go on from, as seen from the config (7.2.4); random ones if empty.
    pub start: String,
    /// Whether both components begin with the same weights.
    pub same_start: bool,
    /// After so many wins alpha's weights go to beta.
    pub wins_to_hand_over: u32,
    /// Games are drawn after so many plies.
    pub plies: usize,
    /// Games of each experiment in a step.
    pub batch: u32,
    /// Games of the small strength test, after every tenth of the learning; 0 for none.
    pub strength_games: u32,
    /// Passes of tests 1 and 3.
    pub test_passes: u32,
    /// Games of a pass.
    pub test_games: u32,
    /// Whether test 2 is made.
    pub test_sequence: bool,
    /// Whether test 3 is made.
    pub test_random_moves: bool,
}

impl Default for OthilieParameters {
    fn default() -> OthilieParameters {
        OthilieParameters {
            features: String::new(),
            experiments: 3,
            games: 6500,
            depth: 4,
            corner_plies: 0,
            rate: 0.1,
            differentiation: 1.0,
            valuation: Valuation::Relative,
            comparison: Comparison::Now,
            lambda: 0.0,
            updates: Updates::EachMove,
            normalisation: Normalisation::Scaled,
            beta: BetaWeights::Copied,
            start: String::new(),
            same_start: true,
            wins_to_hand_over: 10,
            plies: 300,
            batch: 25,
            strength_games: 20,
            test_passes: 3,
            test_games: 1000,
            test_sequence: false,
            test_random_moves: true,
        }
    }
}

impl OthilieParameters {
    /// Names the first number out of range.
    pub fn check(&self) -> Result<(), RunError> {
        for (key, number, most) in [
            ("experiments", self.experiments, 1000),
            ("games", self.games, 100_000_000),
            ("depth", self.depth, 20),
            ("wins_to_hand_over", self.wins_to_hand_over, u32::MAX),
            ("batch", self.batch, 10_000),
            ("test_passes", self.test_passes, 1000),
            ("test_games", self.test_games, 10_000_000),
        ] {
            if !(1..=most).contains(&number) {
                return Err(RunError::config(
                    &format!("parameters.{key}"),
                    format!("{number} is not from 1 to {most}"),
                ));
            }
        }
        if self.corner_plies > 8 {
            return Err(RunError::config("parameters.corner_plies", "expected at most 8 plies"));
        }
        if !(0.0..=1.0).contains(&self.lambda) {
            return Err(RunError::config("parameters.lambda", "expected a share from 0 to 1"));
        }
        match self.rate.is_finite() && self.differentiation.is_finite() {
            true => Ok(()),
            false => Err(RunError::config("parameters.rate", "expected finite factors")),
        }
    }

    /// How each experiment learns.
    pub fn rule(&self) -> LearningRule {
        LearningRule {
            depth: self.depth,
            corner_plies: self.corner_plies,
            rate: self.rate,
            differentiation: self.differentiation,
            valuation: self.valuation,
            comparison: self.comparison,
            lambda: self.lambda,
            updates: self.updates,
            normalisation: self.normalisation,
            beta: self.beta,
            wins_to_hand_over: self.wins_to_hand_over,
            plies: self.plies,
        }
    }
}
