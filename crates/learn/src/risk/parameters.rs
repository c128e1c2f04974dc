//! What the config of an agent's training may say.

use serde::{Deserialize, Serialize};

use super::agent::MoveChoice;
use super::game::RewardCredit;
use crate::run::RunError;

/// What the config may say; these are the defaults, those of S4's final agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RiskParameters {
    pub features: String,
    pub hidden: usize,
    pub initialisation: f32,
    /// A network of the same features and layers to go on from, in every phase; random weights if empty.
    pub start: String,
    pub inputs: Inputs,
    pub phases: Vec<usize>,
    pub games: u64,
    pub warm_up: u64,
    pub random_share: f64,
    pub opening: usize,
    pub rate: f32,
    pub rate_half_life: u64,
    pub rates: Rates,
    pub lambda: f32,
    pub kappa: f32,
    /// The risk at the end of learning, where it changes on the way (S4's outlook).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kappa_end: Option<f32>,
    pub epsilon: f64,
    pub discount: f32,
    pub rewards: [f32; 4],
    /// Whether the end is rewarded beside the last marble or instead of it (S4, 6.3).
    pub end_rewards: EndRewards,
    /// What moves are chosen by (S4, 4.3).
    pub choice: MoveChoice,
    /// Which rewards belong to a position (S4, 4.4).
    #[serde(skip_serializing_if = "is_usual")]
    pub credit: RewardCredit,
    /// Who wins a game that ends by repetition or after so many plies, in learning and in tests (S4, 6.4).
    pub undecided: Undecided,
    pub depth: u32,
    pub plies: usize,
    pub batch: u64,
    pub yardstick: String,
    pub yardstick_games: u64,
    pub yardstick_every: u64,
    pub keep: Keep,
    pub final_games: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum EndRewards {
    /// Both count.
    Added,
    /// The end's alone.
    Instead,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Undecided {
    /// Nobody.
    Drawn,
    /// Whoever leads in marbles.
    Leader,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Keep {
    /// What was learned last.
    Last,
    /// What did best against the yardstick on the way, the later of equals.
    Best,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Inputs {
    /// As they are counted.
    Raw,
    /// Divided by the largest seen in random games.
    Scaled,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Rates {
    /// The same for all weights.
    Common,
    /// One a weight, by how far its changes agree.
    Coherent,
}

/// Files of runs that say nothing of it stay as they are.
fn is_usual(credit: &RewardCredit) -> bool {
    *credit == RewardCredit::ToCome
}

impl Default for RiskParameters {
    fn default() -> RiskParameters {
        RiskParameters {
            features: String::new(),
            hidden: 16,
            initialisation: 0.01,
            start: String::new(),
            inputs: Inputs::Raw,
            phases: Vec::new(),
            games: 20_000,
            warm_up: 100,
            random_share: 0.0,
            opening: 0,
            rate: 0.05,
            rate_half_life: 0,
            rates: Rates::Common,
            lambda: 0.7,
            kappa: -0.7,
            kappa_end: None,
            epsilon: 0.01,
            discount: 0.9,
            rewards: [0.5, -0.5, 1.0, -1.0],
            end_rewards: EndRewards::Added,
            choice: MoveChoice::RewardAndValue,
            credit: RewardCredit::ToCome,
            undecided: Undecided::Drawn,
            depth: 1,
            plies: 400,
            batch: 20,
            yardstick: String::new(),
            yardstick_games: 20,
            yardstick_every: 1000,
            keep: Keep::Last,
            final_games: 200,
        }
    }
}

impl RiskParameters {
    /// Names the first number out of range.
    pub fn check(&self) -> Result<(), RunError> {
        let wrong = |key: &str, fault: &str| Err(RunError::config(&format!("parameters.{key}"), fault));
        if !(1..=64).contains(&self.hidden) {
            return wrong("hidden", "expected 1 to 64 units");
        }
        if !(1..=8).contains(&self.depth) {
            return wrong("depth", "expected 1 to 8 plies");
        }
        if self.depth > 1 && self.credit == RewardCredit::OfTheMove {
            return wrong("credit", "expected `to-come` with a depth of more than one ply");
        }
        if self.games == 0 || self.batch == 0 {
            return wrong("games", "expected at least one game and one a batch");
        }
        if ![self.epsilon, self.random_share].iter().all(|chance| (0.0..=1.0).contains(chance)) {
            return wrong("epsilon", "expected chances from 0 to 1");
        }
        if ![Some(self.kappa), self.kappa_end].iter().flatten().all(|kappa| (-1.0..=1.0).contains(kappa)) {
            return wrong("kappa", "expected a risk from -1 to 1");
        }
        let is_discount = self.discount > 0.0 && self.discount <= 1.0;
        if !is_discount || !(0.0..=1.0).contains(&self.lambda) {
            return wrong("lambda", "expected lambda from 0 to 1 and a discount above 0 up to 1");
        }
        if self.phases.len() > 7 || !self.phases.is_sorted() {
            return wrong("phases", "expected at most 7 rising phases");
        }
        match self.rewards.iter().chain([&self.rate]).all(|number| number.is_finite()) {
            true => Ok(()),
            false => wrong("rewards", "expected finite numbers"),
        }
    }

    /// The risk after so many games.
    pub fn kappa(&self, games: u64) -> f32 {
        let share = games as f32 / self.games.max(1) as f32;
        self.kappa_end.map_or(self.kappa, |end| self.kappa + share * (end - self.kappa))
    }

    /// The rate after so many games.
    pub fn rate(&self, games: u64) -> f32 {
        match self.rate_half_life {
            0 => self.rate,
            half => self.rate / (1.0 + games as f32 / half as f32),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn risk_changes_from_one_number_to_the_other() {
        let steady = RiskParameters { games: 100, kappa: -0.7, ..RiskParameters::default() };
        assert_eq!([0, 50, 100].map(|games| steady.kappa(games)), [-0.7; 3]);
        let rising = RiskParameters { kappa_end: Some(0.3), ..steady };
        let found = [0, 50, 100].map(|games| rising.kappa(games));
        assert!(found.iter().zip([-0.7, -0.2, 0.3]).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
        assert!(RiskParameters { kappa_end: Some(1.5), ..rising }.check().is_err());
    }
}
