//! S1's tests of what was learned: games of a polynomial, always White, against three kinds of opponents.

use serde::{Deserialize, Serialize};
use trilith_arena::statistics::Tally;
use trilith_base::Seed;
use trilith_games::{Colour, Record, playout};

use super::experiment::{GameFeatures, LearningRule, look_ahead};
use super::games::SelfPlayed;
use super::leaf::random_weights;

/// Who is played against.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TrialOpponent {
    /// Searches as deep, with new random weights for each move: test 1.
    RandomWeights,
    /// Another polynomial, such as P_0: test 2.
    Weights(Vec<f64>),
    /// Any legal move: test 3.
    RandomMoves,
}

/// One game of `weights` as White; its sign for White.
pub fn play<G: SelfPlayed>(
    played: &GameFeatures<G>,
    weights: &[f64],
    opponent: &TrialOpponent,
    rule: &LearningRule,
    seed: Seed,
) -> i32 {
    let game = &played.game;
    let mut record = Record::new(game.clone());
    let white = played.leaf(weights);
    let black = match opponent {
        TrialOpponent::Weights(weights) => Some(played.leaf(weights)),
        _ => None,
    };
    let mut rng = seed.derive("moves", 0).rng();
    while record.end().is_none() && record.len() < rule.plies {
        let now = *record.position();
        let mv = match (played.forced_pass(&now), game.to_move(&now), opponent) {
            (Some(pass), _, _) => pass,
            (None, Colour::White, _) => look_ahead(game, &white, &now, rule).mv,
            (None, Colour::Black, TrialOpponent::RandomMoves) => {
                playout::random_move(game, &now, &mut rng).expect("the game goes on")
            }
            (None, Colour::Black, _) => match &black {
                Some(black) => look_ahead(game, black, &now, rule).mv,
                None => {
                    let weights = random_weights(weights.len(), seed.derive("weights", record.len() as u64));
                    look_ahead(game, &played.leaf(&weights), &now, rule).mv
                }
            },
        };
        record.push_legal(mv);
    }
    record.end().and_then(|end| end.winner).map_or(0, |winner| if winner == Colour::White { 1 } else { -1 })
}

/// The share of games won in each of several passes of equal length.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PassShares {
    /// One a pass.
    pub tallies: Vec<Tally>,
}

impl PassShares {
    /// Counts a game of a pass, from 0.
    pub fn count(&mut self, pass: usize, sign: i32) {
        if self.tallies.len() <= pass {
            self.tallies.resize(pass + 1, Tally::default());
        }
        self.tallies[pass].count(sign);
    }

    /// Mean and standard deviation (of all passes, not a sample of them) of the share of games won.
    pub fn strength(&self) -> (f64, f64) {
        let rates: Vec<f64> =
            self.tallies.iter().map(|tally| tally.wins as f64 / tally.games().max(1) as f64).collect();
        let count = rates.len().max(1) as f64;
        let mean = rates.iter().sum::<f64>() / count;
        let variance = rates.iter().map(|rate| (rate - mean).powi(2)).sum::<f64>() / count;
        (mean, variance.sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S1, table 6.3, experiment 1: 40.5, 43.0 and 40.7 per cent.
    #[test]
    fn strength_is_worked_out_as_in_the_tables() {
        let tally = |wins| Tally { wins, draws: 0, losses: 1000 - wins };
        let passes = PassShares { tallies: vec![tally(405), tally(430), tally(407)] };
        let (mean, deviation) = passes.strength();
        assert!((mean - 0.414).abs() < 1e-9 && (deviation - 0.011343).abs() < 1e-5, "{mean} {deviation}");
    }
}
