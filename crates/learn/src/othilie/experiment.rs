//! One experiment: alpha learns in games against beta.

use serde::{Deserialize, Serialize};
use trilith_base::Seed;
use trilith_eval::FeatureSet;
use trilith_games::{Colour, MoveList, Record};

use super::games::SelfPlayed;
use super::leaf::{Leaf, random_weights};
use super::search::search;

/// What the value that a search finds is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Comparison {
    /// The position after alpha's last move (S1, listing 4.2).
    LastMove,
    /// The position the search began with (S1, listing 6.1).
    Now,
}

/// How an experiment learns.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Plies that both components look ahead.
    pub depth: u32,
    /// S1's learning factor.
    pub rate: f64,
    /// S1's differentiation factor: how much stronger steps towards zero are.
    pub differentiation: f64,
    /// Whether values are divided by the stones on the board before they are compared.
    pub is_relative: bool,
    /// What is compared.
    pub comparison: Comparison,
    /// After so many wins of alpha beta gets its weights.
    pub wins_to_hand_over: u32,
    /// Games are drawn after so many plies.
    pub plies: usize,
}

/// Who plays with what: the game and its feature set.
pub struct Played<G: SelfPlayed> {
    /// The rules.
    pub game: G,
    /// What is weighed.
    pub set: Box<dyn FeatureSet<G>>,
    /// The most each feature can be.
    pub most: Vec<f64>,
}

impl<G: SelfPlayed> Played<G> {
    /// What evaluates leaves with these weights.
    pub fn leaf(&self, weights: &[f64]) -> G::Leaf {
        G::leaf(&*self.set, &self.most, weights)
    }

    /// The features between 0 and 1 as `side` sees them.
    fn features(&self, position: &G::Position, side: Colour) -> Vec<f64> {
        let seen = if self.game.to_move(position) == side { *position } else { G::turned(position) };
        let numbers = trilith_eval::features::of(&*self.set, &self.game, &seen);
        numbers.iter().zip(&self.most).map(|(&number, most)| f64::from(number) / most).collect()
    }

    /// The polynomial's value as `side` sees it; of ended games -1, 0 or 1.
    fn value(&self, leaf: &G::Leaf, position: &G::Position, side: Colour) -> f64 {
        let to_move = self.game.to_move(position);
        match self.game.outcome(position) {
            Some(outcome) => match outcome.winner(to_move) {
                None => 0.0,
                Some(winner) if winner == side => 1.0,
                Some(_) => -1.0,
            },
            None => leaf.value(&self.game, position, to_move == side),
        }
    }

    /// The only move if it is a pass.
    pub fn forced_pass(&self, position: &G::Position) -> Option<G::Move> {
        let mut moves = MoveList::new();
        self.game.moves(position, &mut moves);
        moves.first().copied().filter(|&mv| moves.len() == 1 && G::is_pass(mv))
    }
}

/// What S1 reports of a game: its result for alpha and how the weights moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Learned {
    /// 1, 0 or -1.
    pub sign: i32,
    /// Plies.
    pub plies: u32,
    /// The sum of delta.
    pub sum: f64,
    /// The largest absolute delta.
    pub largest: f64,
    /// The sum of the absolute changes of all weights, before scaling.
    pub change: f64,
}

/// Alpha and beta.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Experiment {
    /// What has been learned.
    pub alpha: Vec<f64>,
    /// What alpha plays against.
    pub beta: Vec<f64>,
    /// Wins of alpha since beta got its weights.
    pub wins: u32,
}

const ALPHA: Colour = Colour::White;

impl Experiment {
    /// At its beginning, with random weights: the same for both, or not.
    pub fn new(count: usize, is_same: bool, seed: Seed) -> Experiment {
        let alpha = random_weights(count, seed.derive("alpha", 0));
        let beta = if is_same { alpha.clone() } else { random_weights(count, seed.derive("beta", 0)) };
        Experiment { alpha, beta, wins: 0 }
    }

    /// Plays a game and learns from it. There is nothing random in it.
    pub fn learn<G: SelfPlayed>(&mut self, played: &Played<G>, plan: &Plan) -> Learned {
        let mut record = Record::new(played.game.clone());
        let (mut alpha, beta) = (played.leaf(&self.alpha), played.leaf(&self.beta));
        let mut learned = Learned::default();
        let mut last: Option<G::Position> = None;
        while record.end().is_none() && record.len() < plan.plies {
            let now = *record.position();
            if let Some(pass) = played.forced_pass(&now) {
                record.push_legal(pass);
                continue;
            }
            if played.game.to_move(&now) != ALPHA {
                record.push_legal(search(&played.game, &beta, &now, plan.depth).mv);
                continue;
            }
            let found = search(&played.game, &alpha, &now, plan.depth);
            let compared = match plan.comparison {
                Comparison::LastMove => last,
                Comparison::Now => Some(now),
            };
            if let Some(compared) = compared {
                let share = |value: f64, position: &G::Position| match plan.is_relative {
                    true => value / f64::from(G::stones_on_board(position).max(1)),
                    false => value,
                };
                let before = played.value(&alpha, &compared, ALPHA);
                let delta = share(found.value, &found.leaf) - share(before, &compared);
                learned.sum += delta;
                learned.largest = learned.largest.max(delta.abs());
                learned.change += self.update(delta, &played.features(&now, ALPHA), plan);
                alpha = played.leaf(&self.alpha);
            }
            record.push_legal(found.mv);
            last = Some(*record.position());
        }
        learned.plies = record.len() as u32;
        let winner = record.end().and_then(|end| end.winner);
        learned.sign = winner.map_or(0, |winner| if winner == ALPHA { 1 } else { -1 });
        self.hand_over(learned.sign, plan);
        learned
    }

    fn hand_over(&mut self, sign: i32, plan: &Plan) {
        self.wins += u32::from(sign > 0);
        if self.wins >= plan.wins_to_hand_over {
            self.wins = 0;
            self.beta.clone_from(&self.alpha);
        }
    }

    /// Moves all weights and scales them into [-1, 1]; gives back the sum of the absolute changes before scaling.
    fn update(&mut self, delta: f64, features: &[f64], plan: &Plan) -> f64 {
        let mut change = 0.0;
        for (weight, feature) in self.alpha.iter_mut().zip(features) {
            let is_towards_zero = (*weight >= 0.0) == (delta < 0.0);
            let factor = if is_towards_zero { plan.differentiation } else { 1.0 };
            let step = plan.rate * delta * feature * factor;
            *weight += step;
            change += step.abs();
        }
        let largest = self.alpha.iter().fold(0.0_f64, |largest, weight| largest.max(weight.abs()));
        if largest > 1.0 {
            self.alpha.iter_mut().for_each(|weight| *weight /= largest);
        }
        change
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Plan {
        Plan {
            depth: 2,
            rate: 0.5,
            differentiation: 1.5,
            is_relative: true,
            comparison: Comparison::LastMove,
            wins_to_hand_over: 10,
            plies: 200,
        }
    }

    /// Listing 4.2 worked out by hand: delta -0.2, features 1, 1, 0.5, 0.
    #[test]
    fn weights_move_as_in_the_listing() {
        let mut experiment = Experiment { alpha: vec![0.4, -0.4, 0.0, 0.9], beta: vec![], wins: 0 };
        let change = experiment.update(-0.2, &[1.0, 1.0, 0.5, 0.0], &plan());
        let expected = [0.4 - 0.15, -0.4 - 0.1, -0.075, 0.9];
        assert!(
            experiment.alpha.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12),
            "{:?}",
            experiment.alpha
        );
        assert!((change - 0.325).abs() < 1e-12);
        experiment.update(4.0, &[0.0, 0.0, 0.0, 1.0], &plan());
        assert_eq!(experiment.alpha[3], 1.0, "scaled by the largest");
        assert!((experiment.alpha[0] - 0.25 / 2.9).abs() < 1e-12);
    }

    #[test]
    fn beta_gets_the_weights_after_the_tenth_win() {
        let mut experiment = Experiment { alpha: vec![1.0], beta: vec![0.0], wins: 0 };
        for _ in 0..9 {
            experiment.hand_over(1, &plan());
            experiment.hand_over(-1, &plan());
        }
        assert_eq!((experiment.beta[0], experiment.wins), (0.0, 9));
        experiment.hand_over(1, &plan());
        assert_eq!((experiment.beta[0], experiment.wins), (1.0, 0));
    }
}
