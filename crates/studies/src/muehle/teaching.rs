//! S2, figures 4.10 and 4.11: what a game teaches at several lambdas, beside the learner's own estimate and the exact value.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use trilith_base::{Artifact, Seed};
use trilith_eval::network::Network;
use trilith_eval::{Catalogue, Oracle, features, morris::Evaluations};
use trilith_games::morris::{Morris, THESIS};
use trilith_games::{Colour, Game, Outcome, Record, playout};
use trilith_learn::othilie::search;
use trilith_learn::run::RunError;
use trilith_learn::teaching::{NetworkPlayer, TeachingGame};
use trilith_tablebase::Tables;

use crate::conduct::Conduct;
use crate::error::StudyError;
use crate::report::{Axis, Block, Chart, Section, Series};

/// From the last position alone to the result for all.
const LAMBDAS: [f32; 4] = [0.0, 0.3, 0.7, 1.0];
/// How the games of the figures are played, as in learning.
const DEPTH: u32 = 3;
const OPENING: usize = 4;
const PLIES: usize = 200;
const RADIUS: f64 = 0.05;

/// A game from one player's side, position by position.
#[derive(Serialize, Deserialize)]
struct TaughtGame {
    /// The learner's estimate: win less loss.
    said: Vec<f64>,
    /// The exact value, where the tables know it.
    exact: Vec<Option<f64>>,
    /// What is taught, by lambda.
    taught: Vec<Vec<f64>>,
}

/// What is taught of a game: its end is the result, each position before `lambda` of what comes next and the rest of what
/// the network says of it.
fn taught(said: &[f64], result: f64, lambda: f64) -> Vec<f64> {
    let mut now = result;
    let mut taught: Vec<f64> = said
        .iter()
        .rev()
        .map(|said| {
            let own = now;
            now = lambda * now + (1.0 - lambda) * said;
            own
        })
        .collect();
    taught.reverse();
    taught
}

/// Two games of the network in `artifact` against itself, one that Black wins and one that it does not.
pub(super) fn section(conduct: &mut Conduct, artifact: &Path, tables: &Path) -> Result<Section, StudyError> {
    let seed = conduct.seed().derive("taught", 0);
    let games: Vec<TaughtGame> =
        conduct.here("teaching values", |_, stop| play(artifact, tables, seed, stop))?;
    let blocks = games.iter().zip(["4.10", "4.11"]).map(|(game, figure)| chart(game, figure)).collect();
    Ok(Section::new("Teaching values (figures 4.10 and 4.11)", blocks))
}

fn chart(game: &TaughtGame, figure: &str) -> Block {
    let points = |values: &[f64]| (1..).zip(values).map(|(at, value)| (f64::from(at), *value)).collect();
    let mut series = vec![Series::ours("estimate of the learner", points(&game.said))];
    let exact = (1..).zip(&game.exact).filter_map(|(at, value)| Some((f64::from(at), (*value)?)));
    series.push(Series::ours("exact value", exact.collect()));
    for (lambda, values) in LAMBDAS.iter().zip(&game.taught) {
        series.push(Series::ours(format!("taught, lambda {lambda}"), points(values)));
    }
    let caption = format!("A game of Single: what it teaches by lambda (as figure {figure})");
    let name = format!("figure-{figure}");
    Chart::lines(&name, &caption, Axis::even("own move"), Axis::even("win less loss"), series).into()
}

/// Tries games by number until there is one of each kind.
const TRIES: u64 = 40;

fn play(
    artifact: &Path,
    tables: &Path,
    seed: Seed,
    stop: &AtomicBool,
) -> Result<Vec<TaughtGame>, StudyError> {
    let file = Artifact::load(artifact).map_err(RunError::from)?;
    let network = Network::<Morris>::load_any(&file).map_err(RunError::from)?;
    let set = <Evaluations as Catalogue<Morris>>::feature_set(&file.header.features)
        .ok_or_else(|| StudyError::Procedure("the network's features are not known".into()))?;
    let tables = Tables::open(tables, &THESIS)?;
    let game = Morris::new(THESIS);
    let (mut won, mut other) = (None, None);
    for number in 0..TRIES {
        let player = NetworkPlayer { set: &*set, dense: network.dense(), radius: RADIUS, noise: seed, stop };
        let (record, winner) = one(&game, &player, seed.derive("game", number));
        let place = if winner == Some(Colour::Black) { &mut won } else { &mut other };
        if place.is_none() {
            let positions = TeachingGame::of(&record, Colour::Black, winner).positions().to_vec();
            let worth = |position| {
                let inputs = features::of(&*set, &game, position);
                network.dense().run(&inputs, |outputs| f64::from(outputs[0] - outputs[2]))
            };
            let said: Vec<f64> = positions.iter().map(worth).collect();
            let known = |position| Some(value(Oracle::probe(&tables, &game, position, u32::MAX)?.outcome));
            let result = winner.map_or(0.0, |winner| if winner == Colour::Black { 1.0 } else { -1.0 });
            *place = Some(TaughtGame {
                exact: positions.iter().map(known).collect(),
                taught: LAMBDAS.iter().map(|&lambda| taught(&said, result, lambda.into())).collect(),
                said,
            });
        }
        if won.is_some() && other.is_some() {
            break;
        }
    }
    Ok(won.into_iter().chain(other).collect())
}

fn value(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::Win => 1.0,
        Outcome::Draw => 0.0,
        Outcome::Loss => -1.0,
    }
}

fn one(game: &Morris, player: &NetworkPlayer<Morris>, seed: Seed) -> (Record<Morris>, Option<Colour>) {
    let mut record = Record::new(*game);
    playout::play_on(&mut record, OPENING, &mut seed.derive("opening", 0).rng());
    while record.end().is_none() && record.len() < PLIES {
        let player = NetworkPlayer { noise: seed.derive("noise", record.len() as u64), ..*player };
        let best = search(game, &player, record.position(), DEPTH).mv;
        record.push_legal(best);
    }
    let winner = record.end().and_then(|end| end.winner);
    (record, winner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lambda_goes_from_the_next_estimate_to_the_result() {
        let said = [0.1, -0.2, 0.4];
        assert_eq!(taught(&said, 1.0, 1.0), [1.0, 1.0, 1.0]);
        assert_eq!(taught(&said, 1.0, 0.0), [-0.2, 0.4, 1.0]);
        let half = taught(&said, 1.0, 0.5);
        assert!((half[1] - 0.7).abs() < 1e-12 && (half[0] - (0.5 * 0.7 + 0.5 * -0.2)).abs() < 1e-12);
    }
}
