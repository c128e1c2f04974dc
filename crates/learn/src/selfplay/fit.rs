//! Weights of patterns and counts fitted to games: logistic regression of the score, by stochastic gradients with a
//! rate of its own for each weight (Adagrad), the games read as a stream.

use std::path::PathBuf;

use rand::seq::SliceRandom;
use trilith_base::Seed;
use trilith_eval::patterns::{Patterned, Patterns};
use trilith_games::{Colour, Record};

use super::store::{Played, Reader};
use crate::blocks::BlockError;

/// How weights are fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// How much the game's result counts in the score to learn; the rest is the search's own estimate.
    pub lambda: f32,
    /// A game that was cut after so many plies without an irreversible move teaches a draw in the positions of the first
    /// stage, whatever the search thought of them; 0 for none.
    ///
    /// Who waits in a closed position believes itself ahead, and by its estimates would go on to believe it.
    pub still: usize,
    /// Times that all games are gone through.
    pub epochs: usize,
    /// The rate of the first epoch; it falls evenly to a tenth.
    pub rate: f32,
    /// Pull towards zero.
    pub ridge: f32,
    /// One game in so many is kept for testing.
    pub test_every: usize,
    /// Where the order of positions within a block comes from.
    pub seed: Seed,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { lambda: 0.7, still: 0, epochs: 6, rate: 0.05, ridge: 1e-6, test_every: 20, seed: Seed(1) }
    }
}

/// How well an epoch did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report {
    /// Positions learned from.
    pub positions: u64,
    /// Mean cross entropy of the scores on them, while learning.
    pub training_loss: f64,
    /// The same on games not learned from, afterwards.
    pub test_loss: f64,
    /// The least that any prediction could reach on those games: the entropy of the scores themselves.
    pub least: f64,
}

/// Why nothing was fitted.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// A file is refused.
    #[error(transparent)]
    Store(#[from] BlockError),
    /// A game in a file cannot be replayed.
    #[error("{path}: game {game}: {fault}")]
    Game {
        /// Which file.
        path: String,
        /// From 1.
        game: u64,
        /// What is wrong.
        fault: String,
    },
}

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
}

/// Improves `weights`; `report` hears of each epoch.
pub fn fit<G: Patterned<LANES>, const LANES: usize>(
    files: &[PathBuf],
    plan: &Plan,
    weights: &mut [f32],
    report: &mut dyn FnMut(usize, Report),
) -> Result<(), FitError> {
    let mut squares = vec![1e-2_f32; weights.len()];
    for epoch in 0..plan.epochs {
        let part = epoch as f32 / plan.epochs.max(2).saturating_sub(1) as f32;
        let rate = plan.rate * (1.0 - 0.9 * part);
        let mut rng = plan.seed.derive("epoch", epoch as u64).rng();
        let (mut learned, mut loss) = (0_u64, 0.0);
        each_block::<G, LANES>(files, plan, false, |rows| {
            let mut order: Vec<usize> = (0..rows.rows.len()).collect();
            order.shuffle(&mut rng);
            for at in order {
                let (row, score) = rows.row(at);
                let prediction = predict(row, weights);
                loss += entropy(score, prediction);
                learned += 1;
                let error = prediction - score;
                for &(at, number) in row {
                    let at = at as usize;
                    let slope = error * number + plan.ridge * weights[at];
                    squares[at] += slope * slope;
                    weights[at] -= rate * slope / squares[at].sqrt();
                }
            }
        })?;
        let (mut tested, mut test, mut least) = (0_u64, 0.0, 0.0);
        each_block::<G, LANES>(files, plan, true, |rows| {
            for at in 0..rows.rows.len() {
                let (row, score) = rows.row(at);
                test += entropy(score, predict(row, weights));
                least += entropy(score, score);
                tested += 1;
            }
        })?;
        let mean = |sum: f64, count: u64| sum / count.max(1) as f64;
        report(
            epoch,
            Report {
                positions: learned,
                training_loss: mean(loss, learned),
                test_loss: mean(test, tested),
                least: mean(least, tested),
            },
        );
    }
    Ok(())
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

/// Calls `visit` with the positions of each block: those for testing or those for learning.
fn each_block<G: Patterned<LANES>, const LANES: usize>(
    files: &[PathBuf],
    plan: &Plan,
    test: bool,
    mut visit: impl FnMut(&Rows),
) -> Result<(), FitError> {
    for path in files {
        let mut reader = Reader::open(path, G::NAME)?;
        let mut number = 0;
        while let Some(block) = reader.next_block()? {
            let mut rows = Rows::default();
            for game in &block {
                number += 1;
                if (number % plan.test_every as u64 == 0) == test {
                    push_game::<G, LANES>(game, plan, &mut rows).map_err(|fault| FitError::Game {
                        path: path.display().to_string(),
                        game: number,
                        fault,
                    })?;
                }
            }
            visit(&rows);
        }
    }
    Ok(())
}

/// Adds the positions at which a search chose the move.
fn push_game<G: Patterned<LANES>, const LANES: usize>(
    played: &Played,
    &Plan { lambda, still, .. }: &Plan,
    rows: &mut Rows,
) -> Result<(), String> {
    let rules =
        played.rules.parse().map_err(|error: <G::Rules as std::str::FromStr>::Err| error.to_string())?;
    let game = G::new(rules);
    let mut record = Record::new(game.clone());
    let mut first_stage = Vec::new();
    for (ply, text) in played.moves.iter().enumerate() {
        if let Some(&value) = ply.checked_sub(played.random).and_then(|at| played.values.get(at)) {
            let position = record.position();
            let black = f32::from(played.result) / 1000.0;
            let result = if game.to_move(position) == Colour::Black { black } else { 1.0 - black };
            let score = lambda * result + (1.0 - lambda) * f32::from(value) / 1000.0;
            Patterns::<G, LANES>::describe(&game, position, |at, number| {
                rows.features.push((at as u32, number));
            });
            if game.stage(position) == 0 {
                first_stage.push(rows.rows.len());
            }
            rows.rows.push((rows.features.len(), score));
        }
        record.push_text(text).map_err(|error| error.to_string())?;
    }
    if still > 0 && record.end().is_none() && record.returnable().len() >= still {
        first_stage.into_iter().for_each(|row| rows.rows[row].1 = 0.5);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::games::collect;
    use crate::selfplay::generate;
    use crate::selfplay::store::Writer;
    use trilith_base::job::Workers;
    use trilith_eval::morris::patterns::LANES;
    use trilith_games::abalone::Abalone;
    use trilith_games::morris::Morris;

    #[test]
    fn a_game_that_stood_still_teaches_a_draw_whatever_was_thought_of_it() {
        let moves = ["c5d5", "g5f5", "d5c5", "f5g5"].map(String::from);
        let played = Played {
            rules: "standard,repetition=0".into(),
            random: 0,
            moves: moves.iter().cycle().take(8).cloned().collect(),
            values: [900, 100].repeat(4),
            result: 900,
        };
        let scores = |still| {
            let mut rows = Rows::default();
            let plan = Plan { still, ..Plan::default() };
            push_game::<Abalone, { trilith_eval::abalone::patterns::LANES }>(&played, &plan, &mut rows)
                .unwrap();
            rows.rows.iter().map(|&(_, score)| (score * 10.0).round() as i32).collect::<Vec<_>>()
        };
        assert_eq!(scores(8), [5; 8]);
        assert_eq!(scores(9), [9, 1].repeat(4), "it stood still for eight plies");
        assert_eq!(scores(0), scores(9));
    }

    #[test]
    fn weights_learned_from_games_predict_games_not_seen() {
        let plan = generate::Plan {
            rules: vec!["standard".into()],
            random_least: 4,
            random_most: 10,
            all: 0,
            depth: 1,
            longest: 100,
            still: 0,
            restless: 0,
            seed: Seed(5),
        };
        let never = false.into();
        let games = collect::<Morris>(&plan, None, (0, 150), &Workers::Threads(2), &never).unwrap();
        let path = std::env::temp_dir().join(format!("trilith-fit-{}.games", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let mut writer = Writer::open(&path, "morris").unwrap();
        games.chunks(64).for_each(|block| writer.push(block).unwrap());
        let mut weights = vec![0.0; Patterns::<Morris, LANES>::count()];
        let plan = Plan { lambda: 1.0, epochs: 3, test_every: 5, ..Plan::default() };
        let mut reports = Vec::new();
        fit::<Morris, LANES>(std::slice::from_ref(&path), &plan, &mut weights, &mut |_, report| {
            reports.push(report)
        })
        .unwrap();
        let ignorant = std::f64::consts::LN_2;
        assert!(reports.last().unwrap().test_loss < 0.97 * ignorant, "{reports:?}");
        std::fs::remove_file(&path).unwrap();
    }
}
