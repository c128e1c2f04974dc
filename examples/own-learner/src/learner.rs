//! A learner of one's own: the three weights follow how random games end, `w += rate * (outcome - w . x) * x`.

use std::path::Path;

use serde::{Deserialize, Serialize};
use trilith_base::{Artifact, Seed};
use trilith_games::othello::Othello;
use trilith_games::{Colour, Game, Record, playout};
use trilith_learn::run::{
    Learner, LearnerKind, LearnerSetup, Measures, RunError, StepContext, StepReport, state,
};

use crate::evaluation::{NAME, Three, features};

/// What the program's list of learners would have.
pub const KIND: LearnerKind = LearnerKind {
    name: NAME,
    about: "corners, mobility and discs, from how random games end",
    games: &["othello"],
    begin,
};

/// What a run file may say; these are the defaults.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ThreeSettings {
    /// Games in all.
    games: u64,
    /// How far a weight is moved.
    rate: f32,
}

impl Default for ThreeSettings {
    fn default() -> ThreeSettings {
        ThreeSettings { games: 400, rate: 0.01 }
    }
}

/// Games a step.
const BATCH: u64 = 20;

fn begin(setup: &LearnerSetup) -> Result<Box<dyn Learner>, RunError> {
    let state = State { games: 0, weights: [0.0; 3] };
    let (settings, seed) = (setup.parameters()?, setup.seed());
    Ok(Box::new(ThreeLearner { settings, seed, state, loss: 0.0 }))
}

#[derive(Serialize, Deserialize)]
struct State {
    games: u64,
    weights: [f32; 3],
}

struct ThreeLearner {
    settings: ThreeSettings,
    seed: Seed,
    state: State,
    loss: f64,
}

impl ThreeLearner {
    /// Plays a game and learns from all its positions; their number and the sum of squared errors.
    fn learn_game(&mut self, number: u64) -> (u64, f64) {
        let mut record = Record::new(Othello::default());
        playout::play_on(&mut record, 200, &mut self.seed.derive("game", number).rng());
        let winner = record.end().and_then(|end| end.winner);
        let sign = |side: Colour| winner.map_or(0.0, |winner| if winner == side { 1.0 } else { -1.0 });
        let mut loss = 0.0;
        for position in (0..record.len()).filter_map(|ply| record.position_after(ply)) {
            let values = features(position);
            let guess: f32 = values.iter().zip(self.state.weights).map(|(x, weight)| x * weight).sum();
            let error = sign(record.game().to_move(position)) - guess;
            for (weight, x) in self.state.weights.iter_mut().zip(values) {
                *weight += self.settings.rate * error * x;
            }
            loss += f64::from(error * error);
        }
        (record.len() as u64, loss)
    }
}

impl Learner for ThreeLearner {
    fn step(&mut self, _: &StepContext) -> Result<StepReport, RunError> {
        let first = self.state.games;
        let last = (first + BATCH).min(self.settings.games);
        let (mut positions, mut loss) = (0, 0.0);
        for number in first..last {
            let (count, sum) = self.learn_game(number);
            (positions, loss) = (positions + count, loss + sum);
        }
        self.state.games = last;
        self.loss = loss / positions.max(1) as f64;
        let done = last as f64 / self.settings.games.max(1) as f64;
        Ok(StepReport { games: last - first, positions, loss: Some(self.loss), done })
    }

    fn save(&self, folder: &Path) -> Result<(), RunError> {
        state::write(folder, &self.state)
    }

    fn restore(&mut self, folder: &Path, _: &StepContext) -> Result<(), RunError> {
        self.state = state::read(folder)?;
        Ok(())
    }

    fn measures(&mut self, _: &StepContext) -> Result<Option<Measures>, RunError> {
        Ok(Some(vec![("games", self.state.games as f64), ("loss", self.loss)]))
    }

    fn finish(&mut self, _: &StepContext) -> Result<Artifact, RunError> {
        Ok(Three::artifact(self.state.weights))
    }
}
