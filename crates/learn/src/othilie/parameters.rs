//! What the config of a group of experiments may say.

use serde::{Deserialize, Serialize};

use super::experiment::{Comparison, Plan};
use crate::run::RunError;

/// What the config may say; these are the defaults, those of group F.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Parameters {
    /// A feature set of the game whose numbers have bounds; the usual one if empty.
    pub features: String,
    /// They differ in their random start polynomials only.
    pub experiments: u32,
    /// Learning games of each experiment.
    pub games: u32,
    /// Plies all players look ahead.
    pub depth: u32,
    /// S1's learning factor alpha.
    pub rate: f64,
    /// S1's differentiation factor.
    pub differentiation: f64,
    /// Whether values are divided by the stones on the board.
    pub valuation: Valuation,
    /// What the search is compared with.
    pub comparison: Comparison,
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

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Valuation {
    /// They are.
    Relative,
    /// They are not.
    Absolute,
}

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters {
            features: String::new(),
            experiments: 3,
            games: 6500,
            depth: 5,
            rate: 0.1,
            differentiation: 1.0,
            valuation: Valuation::Relative,
            comparison: Comparison::Now,
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

impl Parameters {
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
        match self.rate.is_finite() && self.differentiation.is_finite() {
            true => Ok(()),
            false => Err(RunError::config("parameters.rate", "expected finite factors")),
        }
    }

    /// How each experiment learns.
    pub fn plan(&self) -> Plan {
        Plan {
            depth: self.depth,
            rate: self.rate,
            differentiation: self.differentiation,
            is_relative: self.valuation == Valuation::Relative,
            comparison: self.comparison,
            wins_to_hand_over: self.wins_to_hand_over,
            plies: self.plies,
        }
    }
}
