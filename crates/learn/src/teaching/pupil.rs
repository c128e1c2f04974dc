//! A network in a file that learns from games as they are played: S2's opponent that trains while you play against it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use trilith_arena::GameKit;
use trilith_base::{Artifact, Seed};
use trilith_eval::dense::{Activation, Dense, check_shape};
use trilith_games::{Colour, Game, Record};

use super::game::{Labels, TeachingGame};
use super::rule::{Rule, Student};
use crate::run::example::feature_set;

/// How a pupil learns, kept with its weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PupilRates {
    /// The learning rate eta.
    pub rate: f32,
    /// How much of its last move a weight makes again.
    pub momentum: f32,
    /// How much of what the next position was taught; the rest is what the network says of it.
    pub lambda: f32,
}

impl Default for PupilRates {
    fn default() -> PupilRates {
        PupilRates { rate: 0.05, momentum: 0.0, lambda: 0.7 }
    }
}

const RATE: &str = "rate";
const MOMENTUM: &str = "momentum";
const LAMBDA: &str = "lambda";
const GAMES: &str = "games";

impl PupilRates {
    /// Those of a file; none if it is no pupil's.
    pub fn of(file: &Artifact) -> Option<PupilRates> {
        let number = |key: &str| file.header.settings.get(key)?.parse().ok();
        Some(PupilRates { rate: number(RATE)?, momentum: number(MOMENTUM)?, lambda: number(LAMBDA)? })
    }

    /// What is wrong with them, if something is.
    pub fn check(&self) -> Result<(), String> {
        let PupilRates { rate, momentum, lambda } = *self;
        let is_sound =
            (0.0..=10.0).contains(&rate) && (0.0..1.0).contains(&momentum) && (0.0..=1.0).contains(&lambda);
        match is_sound {
            true => Ok(()),
            false => Err("expected a rate from 0 to 10, a momentum below 1 and lambda from 0 to 1".into()),
        }
    }
}

/// Games that the pupil of a file has learned from.
pub fn games_learned(file: &Artifact) -> u64 {
    file.header.settings.get(GAMES).and_then(|games| games.parse().ok()).unwrap_or(0)
}

/// A new pupil: random weights up to `range`, hidden layers, and three logistic outputs for win, draw and loss.
pub fn new_pupil(
    game: &str,
    features: &str,
    inputs: usize,
    hidden: &[(usize, Activation)],
    range: f32,
    rates: &PupilRates,
    seed: Seed,
) -> Result<Artifact, String> {
    rates.check()?;
    let units: Vec<_> = hidden.iter().copied().chain([(3, Activation::Logistic)]).collect();
    let sizes: Vec<usize> = units.iter().map(|&(size, _)| size).collect();
    check_shape(inputs, &sizes)?;
    let settings = BTreeMap::from([
        (RATE.into(), rates.rate.to_string()),
        (MOMENTUM.into(), rates.momentum.to_string()),
        (LAMBDA.into(), rates.lambda.to_string()),
        (GAMES.into(), "0".into()),
    ]);
    Ok(Dense::random(inputs, &units, range, seed).artifact(game, features, settings))
}

/// Teaches the pupil of `path` a game, both sides of it; gives back the mean error before.
pub fn teach_game<G: Game, C: GameKit<G>>(
    path: &Path,
    record: &Record<G>,
    winner: Option<Colour>,
) -> Result<f64, String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let file = Artifact::load(path).map_err(|error| text(&error))?;
    let rates = PupilRates::of(&file).ok_or("this network does not learn from games")?;
    let features = &file.header.features;
    let set = feature_set::<G, C>(features).map_err(|error| text(&error))?;
    let dense = Dense::load(&file, G::NAME, features, set.count()).map_err(|error| text(&error))?;
    let rule = Rule { rate: rates.rate, momentum: rates.momentum, kappa: 0.0, phi: 0.5, most: 1.0 };
    let mut student = Student::new(dense, &rule);
    let labels = Labels::<G>::Play { lambda: rates.lambda, oracle: None };
    let (mut error, mut positions, never) = (0.0, 0, AtomicBool::new(false));
    for colour in [Colour::Black, Colour::White] {
        let lesson = TeachingGame::of(record, colour, winner);
        let taught = labels.teach(record.game(), &*set, &mut student, &lesson, &rule, &never);
        let (more, count) = taught.expect("nobody stops the lesson of one game");
        error += more;
        positions += count;
    }
    if !student.is_finite() {
        return Err("weights have grown beyond all bounds: try a smaller rate".into());
    }
    let mut taught = student.dense.artifact(G::NAME, features, file.header.settings.clone());
    taught.header.provenance = file.header.provenance.clone();
    taught.header.settings.insert(GAMES.into(), (games_learned(&file) + 1).to_string());
    taught.save(path).map_err(|error| text(&error))?;
    Ok(error / positions.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use trilith_arena::registry::Visitor;
    use trilith_games::playout;

    use super::*;

    struct Teach<'a> {
        path: &'a Path,
        times: u32,
    }

    impl Visitor for Teach<'_> {
        type Output = Vec<f64>;

        fn visit<G: Game, C: GameKit<G>>(self) -> Vec<f64> {
            let mut record = Record::new(G::new(G::Rules::default()));
            playout::play_on(&mut record, 60, &mut Seed(5).rng());
            let teach = |_| teach_game::<G, C>(self.path, &record, Some(Colour::Black)).unwrap();
            (0..self.times).map(teach).collect()
        }
    }

    /// The same game again and again: what it was worth is known better and better.
    #[test]
    fn a_pupil_learns_what_it_is_taught_and_counts_the_games() {
        let path = std::env::temp_dir().join(format!("trilith-pupil-{}.safetensors", std::process::id()));
        let rates = PupilRates { rate: 0.1, ..PupilRates::default() };
        let hidden = [(6, Activation::Tanh), (4, Activation::Logistic)];
        let inputs = 39;
        let made = new_pupil("morris", "morris-39", inputs, &hidden, 0.1, &rates, Seed(1)).unwrap();
        made.save(&path).unwrap();
        let errors = trilith_arena::with_game("morris", Teach { path: &path, times: 40 }).unwrap();
        assert!(errors[39] < 0.8 * errors[0], "{} to {}", errors[0], errors[39]);
        assert_eq!(games_learned(&Artifact::load(&path).unwrap()), 40);
        assert_eq!(PupilRates::of(&Artifact::load(&path).unwrap()), Some(rates));
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn shapes_and_rates_that_cannot_be_are_refused() {
        let make = |hidden: &[(usize, Activation)], rate: f32| {
            let rates = PupilRates { rate, ..PupilRates::default() };
            new_pupil("morris", "morris-39", 39, hidden, 0.1, &rates, Seed(1)).map(drop)
        };
        assert!(make(&[], 0.05).is_ok());
        assert!(make(&[(0, Activation::Tanh)], 0.05).is_err());
        assert!(make(&[(1_000_000, Activation::Tanh)], 0.05).is_err());
        assert!(make(&[], f32::NAN).is_err() && make(&[], -1.0).is_err());
    }
}
