//! Weights of patterns and counts fitted to games or judged positions: logistic regression of the score, by stochastic
//! gradients with a rate of its own for each weight (Adagrad), the data read as a stream.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use rand::seq::SliceRandom;
use trilith_eval::patterns::{Patterned, Patterns};
use trilith_games::{Colour, Record};

use super::{FitData, FitError, FitMethod, FitReport, FitRequest, FitSettings, Fitted, Reports};
use crate::data::files::GamesReader;
use crate::data::{DataError, LabelledPosition, PlayedGame, PlayedGameError, positions};
use crate::training::Training;

/// What people hear of this method.
pub const METHOD: FitMethod = FitMethod {
    step: "epoch",
    unit: "nats",
    places: 5,
    ridge: 1e-6,
    goes_on: true,
    settings: &["still", "epochs", "rate"],
};

/// Positions as lists of weights with their numbers.
#[derive(Default)]
struct Rows {
    features: Vec<(u32, f32)>,
    /// Where each row ends, and its score.
    rows: Vec<(usize, f32)>,
}

impl Rows {
    fn row(&self, at: usize) -> (&[(u32, f32)], f32) {
        let start = at.checked_sub(1).map_or(0, |before| self.rows[before].0);
        let (end, score) = self.rows[at];
        (&self.features[start..end], score)
    }

    fn len(&self) -> usize {
        self.rows.len()
    }
}

/// Fits the patterns of a game, beginning with the parent or with weights set by hand.
pub fn fit<G: Patterned<LANES, Counts: Default>, C: Training<G>, const LANES: usize>(
    request: &FitRequest,
    reports: Reports,
) -> Result<Fitted, FitError> {
    let parent = request.parent.map(Patterns::<G, LANES>::from_artifact).transpose()?;
    let mut weights = parent.unwrap_or_else(Patterns::by_hand).to_weights();
    let mut loss = 0.0;
    improve::<G, C, LANES>(request.data, &request.settings, &mut weights, &mut |report| {
        loss = report.test;
        reports(report);
    })?;
    let provenance = BTreeMap::from([
        ("method".into(), format!("logistic regression, {:?}", request.settings)),
        ("test loss".into(), format!("{loss:.5}")),
    ]);
    let artifact = Patterns::<G, LANES>::from_weights(&weights).to_artifact(provenance);
    Ok(Fitted { artifact, error: loss })
}

/// Improves `weights`; `reports` hears of each epoch.
pub fn improve<G: Patterned<LANES>, C: Training<G>, const LANES: usize>(
    data: FitData,
    settings: &FitSettings,
    weights: &mut [f32],
    reports: Reports,
) -> Result<(), FitError> {
    let source = Source::<G, C, LANES> { data, settings, game: PhantomData };
    let mut squares = vec![1e-2_f32; weights.len()];
    for epoch in 0..settings.epochs {
        let part = epoch as f32 / settings.epochs.max(2).saturating_sub(1) as f32;
        let rate = settings.rate * (1.0 - 0.9 * part);
        let mut rng = settings.seed.derive("epoch", epoch as u64).rng();
        let (mut positions, mut loss) = (0, 0.0);
        source.each_block(false, |rows| {
            let mut order: Vec<usize> = (0..rows.len()).collect();
            order.shuffle(&mut rng);
            positions += rows.len() as u64;
            for at in order {
                loss += learn(rows.row(at), rate, settings, weights, &mut squares);
            }
        })?;
        let (mut tested, mut test, mut least) = (0, 0.0, 0.0);
        source.each_block(true, |rows| {
            for at in 0..rows.len() {
                let (row, score) = rows.row(at);
                test += entropy(score, predict(row, weights));
                least += entropy(score, score);
                tested += 1;
            }
        })?;
        let mean = |sum: f64, count: u64| sum / count.max(1) as f64;
        let (training, test) = (mean(loss, positions), mean(test, tested));
        reports(FitReport { step: epoch + 1, positions, training, test, least: Some(mean(least, tested)) });
    }
    Ok(())
}

/// Moves the weights of a row; the error before.
fn learn(
    (row, score): (&[(u32, f32)], f32),
    rate: f32,
    settings: &FitSettings,
    weights: &mut [f32],
    squares: &mut [f32],
) -> f64 {
    let ridge = settings.ridge.unwrap_or(METHOD.ridge);
    let prediction = predict(row, weights);
    let error = prediction - score;
    for &(at, number) in row {
        let at = at as usize;
        let slope = error * number + ridge * weights[at];
        squares[at] += slope * slope;
        weights[at] -= rate * slope / squares[at].sqrt();
    }
    entropy(score, prediction)
}

fn predict(row: &[(u32, f32)], weights: &[f32]) -> f32 {
    let sum: f32 = row.iter().map(|&(at, number)| weights[at as usize] * number).sum();
    1.0 / (1.0 + (-sum).exp())
}

fn entropy(score: f32, prediction: f32) -> f64 {
    let (score, prediction) = (f64::from(score), f64::from(prediction).clamp(1e-6, 1.0 - 1e-6));
    let part = |share: f64, chance: f64| if share > 0.0 { -share * chance.max(1e-6).ln() } else { 0.0 };
    part(score, prediction) + part(1.0 - score, 1.0 - prediction)
}

/// What is learned from, read again for each epoch.
struct Source<'a, G, C, const LANES: usize> {
    data: FitData<'a>,
    settings: &'a FitSettings,
    game: PhantomData<fn() -> (G, C)>,
}

impl<G: Patterned<LANES>, C: Training<G>, const LANES: usize> Source<'_, G, C, LANES> {
    /// Calls `visit` with the positions of each block: those for testing or those for learning.
    fn each_block(&self, test: bool, mut visit: impl FnMut(&Rows)) -> Result<(), DataError> {
        match self.data {
            FitData::Games(files) => files.iter().try_for_each(|path| self.games(path, test, &mut visit)),
            FitData::Positions(files) => {
                files.iter().try_for_each(|path: &PathBuf| self.positions(path, test, &mut visit))
            }
        }
    }

    fn games(&self, path: &Path, test: bool, visit: &mut impl FnMut(&Rows)) -> Result<(), DataError> {
        let mut reader = GamesReader::<G, C>::open(path)?;
        let mut number = 0;
        while let Some(block) = reader.next_block(&mut |_| ())? {
            let mut rows = Rows::default();
            for game in &block {
                number += 1;
                if (number % self.settings.test_every as u64 == 0) == test {
                    self.push_game(game, &mut rows).map_err(|fault| DataError::Game {
                        path: path.display().to_string(),
                        game: number,
                        fault,
                    })?;
                }
            }
            visit(&rows);
        }
        Ok(())
    }

    fn positions(&self, path: &Path, test: bool, visit: &mut impl FnMut(&Rows)) -> Result<(), DataError> {
        let mut reader = positions::PositionReader::<G, C>::open(path, G::NAME)?;
        let mut number = 0_usize;
        while let Some(block) = reader.next_block()? {
            if number.is_multiple_of(self.settings.test_every) == test {
                let mut rows = Rows::default();
                block.iter().for_each(|judged| self.push_judged(judged, &mut rows));
                visit(&rows);
            }
            number += 1;
        }
        Ok(())
    }

    fn push(&self, game: &G, position: &G::Position, score: f32, rows: &mut Rows) {
        Patterns::<G, LANES>::describe(game, position, |at, number| rows.features.push((at as u32, number)));
        rows.rows.push((rows.features.len(), score));
    }

    /// What is to be learned of a position, from 0 to 1.
    fn score(&self, result: f32, estimate: f32) -> f32 {
        self.settings.lambda * result + (1.0 - self.settings.lambda) * estimate
    }

    fn push_judged(&self, judged: &LabelledPosition<G>, rows: &mut Rows) {
        let estimate = 1.0 / (1.0 + (-f32::from(judged.value) / 100.0).exp());
        let result = judged.result.map(|result| f32::from(result) / 1000.0);
        let score = result.map_or(estimate, |result| self.score(result, estimate));
        self.push(&judged.game, &judged.position, score, rows);
    }

    /// Adds the positions at which a search chose the move.
    fn push_game(&self, played: &PlayedGame, rows: &mut Rows) -> Result<(), PlayedGameError> {
        let game: G = played.game()?;
        let mut record = Record::new(game.clone());
        let mut first_stage = Vec::new();
        for (ply, text) in played.plies().enumerate() {
            if let Some(&value) = ply.checked_sub(played.random).and_then(|at| played.values.get(at)) {
                let position = *record.position();
                let black = f32::from(played.result) / 1000.0;
                let result = if game.to_move(&position) == Colour::Black { black } else { 1.0 - black };
                if game.stage(&position) == 0 {
                    first_stage.push(rows.len());
                }
                self.push(&game, &position, self.score(result, f32::from(value) / 1000.0), rows);
            }
            record.push_text(text).map_err(PlayedGameError::new)?;
        }
        let still = self.settings.still;
        if still > 0 && record.end().is_none() && record.returnable().len() >= still {
            first_stage.into_iter().for_each(|row| rows.rows[row].1 = 0.5);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::files::save_games;
    use crate::data::{GenerationSettings, games};
    use trilith_base::Seed;
    use trilith_base::job::Workers;
    use trilith_eval::abalone::patterns::LANES as ABALONE_LANES;
    use trilith_eval::morris::patterns::LANES;
    use trilith_eval::{abalone, morris};
    use trilith_games::abalone::Abalone;
    use trilith_games::morris::Morris;

    #[test]
    fn a_game_that_stood_still_teaches_a_draw_whatever_was_thought_of_it() {
        let moves = ["c5d5", "g5f5", "d5c5", "f5g5"];
        let played = PlayedGame {
            rules: "standard,repetition=0".into(),
            random: 0,
            moves: moves.iter().cycle().take(8).copied().collect::<Vec<_>>().join(" "),
            values: [900, 100].repeat(4),
            result: 900,
            margin: None,
        };
        let scores = |still| {
            let mut rows = Rows::default();
            let settings = FitSettings { still, ..FitSettings::default() };
            let data = FitData::Games(&[]);
            let source: Source<'_, Abalone, abalone::Evaluations, ABALONE_LANES> =
                Source { data, settings: &settings, game: PhantomData };
            source.push_game(&played, &mut rows).unwrap();
            rows.rows.iter().map(|&(_, score)| (score * 10.0).round() as i32).collect::<Vec<_>>()
        };
        assert_eq!(scores(8), [5; 8]);
        assert_eq!(scores(9), [9, 1].repeat(4), "it stood still for eight plies");
        assert_eq!(scores(0), scores(9));
    }

    #[test]
    fn weights_learned_from_games_predict_games_not_seen() {
        let settings = GenerationSettings {
            random_least: 4,
            random_most: 10,
            depth: 1,
            longest: 100,
            seed: Seed(5),
            ..GenerationSettings::default()
        };
        let (never, workers) = (false.into(), Workers::Threads(2));
        let played =
            games::collect::<Morris, morris::Evaluations>(&settings, None, (0, 150), &workers, &never);
        let path = std::env::temp_dir().join(format!("trilith-fit-{}.games", std::process::id()));
        save_games::<Morris>(&path, &played.unwrap()).unwrap();
        let mut weights = vec![0.0; Patterns::<Morris, LANES>::count()];
        let settings = FitSettings { lambda: 1.0, epochs: 3, test_every: 5, ..FitSettings::default() };
        let mut reports = Vec::new();
        let files = [path];
        improve::<Morris, morris::Evaluations, LANES>(
            FitData::Games(&files),
            &settings,
            &mut weights,
            &mut |report| reports.push(report),
        )
        .unwrap();
        let ignorant = std::f64::consts::LN_2;
        assert!(reports.last().unwrap().test < 0.97 * ignorant, "{reports:?}");
        std::fs::remove_file(&files[0]).unwrap();
    }
}
