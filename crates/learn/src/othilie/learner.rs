//! A group of experiments as a training run.

use std::path::Path;

use serde::{Deserialize, Serialize};
use trilith_base::{Artifact, Seed};

use super::experiment::{Experiment, GameFeatures, LearnedGame, LearningRule};
use super::games::{self, SelfPlayed};
use super::parameters::OthilieParameters;
use super::report::{Results, described, games_table, table};
use super::similarity;
use super::trials::{self, TrialOpponent};
use crate::run::database::{self, Place};
use crate::run::{Learner, LearnerKind, LearnerSetup, Measures, RunError, StepContext, StepReport, state};

/// This learner in the list.
pub const KIND: LearnerKind = LearnerKind {
    name: "othilie",
    about: "Othilie: a polynomial by temporal differences in alpha-beta self-play, with the three tests of that work",
    games: &games::NAMES,
    begin,
};

fn begin(setup: &LearnerSetup) -> Result<Box<dyn Learner>, RunError> {
    games::begin(setup)
}

/// Begins with the game `G`.
pub(super) fn begin_with<G: SelfPlayed>(setup: &LearnerSetup) -> Result<Box<dyn Learner>, RunError> {
    let mut parameters: OthilieParameters = setup.parameters()?;
    parameters.check()?;
    if parameters.features.is_empty() {
        parameters.features = G::FEATURES.into();
    }
    let sets = G::feature_sets();
    let usable =
        || sets.iter().filter(|set| set.count() <= 64 && G::most(&***set).is_some()).map(|set| set.name());
    let set = G::feature_set(&parameters.features).filter(|set| set.count() <= 64);
    let chosen = set.and_then(|set| G::most(&*set).map(|most| (set, most)));
    let (set, most) = chosen.ok_or_else(|| {
        let names: Vec<&str> = usable().collect();
        RunError::unknown("parameters.features", &parameters.features, names.iter().copied())
    })?;
    let played = GameFeatures { game: setup.game::<G>()?, set, most };
    let (seed, count) = (setup.seed(), played.most.len());
    let experiment =
        |number| Experiment::new(count, parameters.same_start, seed.derive("experiment", number));
    let mut experiments: Vec<_> = (1..=u64::from(parameters.experiments)).map(experiment).collect();
    if !parameters.start.is_empty() {
        let weights = start_weights::<G>(setup, &parameters.start, count)?;
        experiments.iter_mut().for_each(|experiment| {
            (experiment.alpha, experiment.beta) = (weights.clone(), weights.clone());
        });
    }
    let starts = experiments.iter().map(|experiment| experiment.alpha.clone()).collect();
    let stage = Stage::Learning { games: 0 };
    let results = vec![Results::default(); experiments.len()];
    let state = OthilieState { stage, experiments, starts, results, q: Vec::new() };
    let rule = parameters.rule();
    Ok(Box::new(Group { played, rule, parameters, seed, state, last: Vec::new() }))
}

/// The weights that all experiments go on from.
fn start_weights<G: SelfPlayed>(
    setup: &LearnerSetup,
    file: &str,
    count: usize,
) -> Result<Vec<f64>, RunError> {
    let artifact = Artifact::load(&setup.path(file))?;
    let weights = G::weights(&artifact).filter(|weights| weights.len() == count);
    weights.ok_or_else(|| {
        let fault = format!("`{file}` has no {count} weights of a polynomial for {}", G::NAME);
        RunError::config("parameters.start", fault)
    })
}

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Stage {
    Learning { games: u32 },
    Testing { test: Test, games: u64 },
    Done,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Test {
    /// P_0 and P_end against random weights.
    One,
    /// P_1, P_2, ... against P_0.
    Two,
    /// P_0 and P_end against random moves.
    Three,
}

#[derive(Serialize, Deserialize)]
struct OthilieState {
    stage: Stage,
    experiments: Vec<Experiment>,
    starts: Vec<Vec<f64>>,
    results: Vec<Results>,
    /// Of every game.
    q: Vec<f64>,
}

/// What a game reported, and alpha's weights after it.
type Lesson = (LearnedGame, Vec<f64>);

struct Group<G: SelfPlayed> {
    played: GameFeatures<G>,
    rule: LearningRule,
    parameters: OthilieParameters,
    seed: Seed,
    state: OthilieState,
    /// What the last step of learning reported.
    last: Vec<LearnedGame>,
}

impl<G: SelfPlayed> Group<G> {
    /// The next games of all experiments, which are independent of each other.
    fn learn(&mut self, work: &StepContext, from: u32) -> Result<StepReport, RunError> {
        let count = self.parameters.batch.min(self.parameters.games - from);
        let (played, rule, experiments) = (&self.played, &self.rule, &self.state.experiments);
        let learned: Vec<_> = work.all(0..experiments.len() as u64, |number| {
            let mut experiment = experiments[number as usize].clone();
            let games: Vec<_> = (0..count)
                .map(|_| {
                    let learned = experiment.learn(played, rule);
                    (learned, experiment.alpha.clone())
                })
                .collect();
            (experiment, games)
        })?;
        self.keep(work, from, &learned)?;
        self.last.clear();
        for (number, (experiment, games)) in learned.into_iter().enumerate() {
            self.state.experiments[number] = experiment;
            self.state.results[number].wins +=
                games.iter().filter(|(learned, _)| learned.sign > 0).count() as u64;
            self.last.extend(games.into_iter().map(|(learned, _)| learned));
        }
        let games = from + count;
        self.state.stage = match games < self.parameters.games {
            true => Stage::Learning { games },
            false => Stage::Testing { test: Test::One, games: 0 },
        };
        let positions: u64 = self.last.iter().map(|learned| u64::from(learned.plies)).sum();
        let loss = self.last.iter().map(|learned| learned.largest).sum::<f64>() / self.last.len() as f64;
        Ok(StepReport { games: self.last.len() as u64, positions, loss: Some(loss), done: self.done() })
    }

    /// Every polynomial goes into the database with what its game reported; the likeness of the experiments is noted.
    fn keep(
        &mut self,
        work: &StepContext,
        from: u32,
        learned: &[(Experiment, Vec<Lesson>)],
    ) -> Result<(), RunError> {
        if from == 0 {
            let starts: Vec<&[f64]> = self.state.starts.iter().map(Vec::as_slice).collect();
            self.state.q = vec![similarity::q(&starts)];
        }
        for game in 0..learned[0].1.len() {
            let now: Vec<&[f64]> = learned.iter().map(|(_, games)| games[game].1.as_slice()).collect();
            self.state.q.push(similarity::q(&now));
        }
        let connection = work.database()?;
        let transaction = connection.unchecked_transaction()?;
        for (series, ((_, games), start)) in (1..).zip(learned.iter().zip(&self.state.starts)) {
            if from == 0 {
                database::keep(&transaction, Place { series, number: 0 }, start)?;
            }
            for (number, (learned, weights)) in (from + 1..).zip(games) {
                let place = Place { series, number };
                database::keep(&transaction, place, weights)?;
                database::keep_measures(&transaction, place, &learned.numbers())?;
            }
        }
        transaction.commit()?;
        Ok(())
    }

    fn test(&mut self, work: &StepContext, test: Test, from: u64) -> Result<StepReport, RunError> {
        let most = self.test_games(test);
        let last = (from + TEST_BATCH).min(most);
        let signs = match test {
            Test::Two => self.sequence(work, from, last)?,
            _ => self.against(work, test, from, last)?,
        };
        for (number, sign) in (from..last).zip(signs) {
            let Trial { experiment, is_end, pass, .. } = self.trial(test, number);
            let results = &mut self.state.results[experiment];
            match test {
                Test::One => results.passes[0][usize::from(is_end)].count(pass, sign),
                Test::Two => results.sequence.count(pass, sign),
                Test::Three => results.passes[1][usize::from(is_end)].count(pass, sign),
            }
        }
        self.state.stage = match last < most {
            true => Stage::Testing { test, games: last },
            false => self.after(test),
        };
        Ok(StepReport { games: last - from, positions: 0, loss: None, done: self.done() })
    }

    fn after(&self, test: Test) -> Stage {
        let next = |test| Stage::Testing { test, games: 0 };
        match test {
            Test::One if self.parameters.test_sequence => next(Test::Two),
            Test::One | Test::Two if self.parameters.test_random_moves => next(Test::Three),
            _ => Stage::Done,
        }
    }

    fn against(&self, work: &StepContext, test: Test, from: u64, last: u64) -> Result<Vec<i32>, RunError> {
        let opponent =
            if test == Test::One { TrialOpponent::RandomWeights } else { TrialOpponent::RandomMoves };
        work.all(from..last, |number| {
            let Trial { experiment, is_end, .. } = self.trial(test, number);
            let weights = match is_end {
                true => &self.state.experiments[experiment].alpha,
                false => &self.state.starts[experiment],
            };
            let seed = self.seed.derive(if test == Test::One { "test 1" } else { "test 3" }, number);
            trials::play(&self.played, weights, &opponent, &self.rule, seed)
        })
    }

    fn sequence(&self, work: &StepContext, from: u64, last: u64) -> Result<Vec<i32>, RunError> {
        let places: Vec<_> = (from..last).map(|number| self.trial(Test::Two, number)).collect();
        let connection = work.database()?;
        let weights: Result<Vec<Vec<f64>>, RunError> = places
            .iter()
            .map(|trial| {
                let place = Place { series: trial.experiment as u32 + 1, number: trial.number };
                database::kept(&connection, place)?
                    .ok_or_else(|| RunError::Learner(format!("{place:?} is missing in the run's database")))
            })
            .collect();
        let weights = weights?;
        work.all(0..places.len() as u64, |at| {
            let opponent = TrialOpponent::Weights(self.state.starts[places[at as usize].experiment].clone());
            let weights = &weights[at as usize];
            trials::play(&self.played, weights, &opponent, &self.rule, self.seed)
        })
    }

    fn test_games(&self, test: Test) -> u64 {
        let experiments = u64::from(self.parameters.experiments);
        match test {
            Test::Two => experiments * u64::from(self.parameters.games),
            _ => {
                experiments
                    * 2
                    * u64::from(self.parameters.test_passes)
                    * u64::from(self.parameters.test_games)
            }
        }
    }

    /// What game `number` of a test is.
    fn trial(&self, test: Test, number: u64) -> Trial {
        let each = self.test_games(test) / u64::from(self.parameters.experiments);
        let (experiment, rest) = ((number / each) as usize, number % each);
        let half = each / 2;
        let pass = match test {
            Test::Two => rest * SEQUENCE_PARTS / each.max(1),
            _ => (rest % half.max(1)) / u64::from(self.parameters.test_games),
        };
        Trial { experiment, is_end: rest >= half, pass: pass as usize, number: rest as u32 + 1 }
    }

    fn done(&self) -> f64 {
        let learning = u64::from(self.parameters.games) * u64::from(self.parameters.experiments);
        let mut games = learning;
        let mut before = 0;
        let mut stage = Stage::Testing { test: Test::One, games: 0 };
        if let Stage::Learning { games } = self.state.stage {
            before = u64::from(games) * u64::from(self.parameters.experiments);
        }
        let mut passed = learning;
        while let Stage::Testing { test, .. } = stage {
            if let Stage::Testing { test: now, games } = self.state.stage
                && now == test
            {
                before = passed + games;
            }
            passed += self.test_games(test);
            games += self.test_games(test);
            stage = self.after(test);
        }
        if self.state.stage == Stage::Done { 1.0 } else { before as f64 / games as f64 }
    }

    /// A few games of the first experiment's polynomial against random weights.
    fn strength(&self, work: &StepContext, games: u32) -> Result<f64, RunError> {
        let weights = &self.state.experiments[0].alpha;
        let seed = self.seed.derive("strength", u64::from(games));
        let count = u64::from(self.parameters.strength_games);
        let signs = work.all(0..count, |number| {
            let seed = seed.derive("game", number);
            let opponent = TrialOpponent::RandomWeights;
            trials::play(&self.played, weights, &opponent, &self.rule, seed)
        })?;
        Ok(signs.iter().filter(|&&sign| sign > 0).count() as f64 / count.max(1) as f64)
    }
}

struct Trial {
    experiment: usize,
    is_end: bool,
    pass: usize,
    /// Of a polynomial, in test 2.
    number: u32,
}

/// Games that the first experiments won in a step of learning.
const WINS: [&str; 3] = ["wins of 1", "wins of 2", "wins of 3"];

/// Test 2 is counted in so many parts, so that it can be drawn as a curve.
const SEQUENCE_PARTS: u64 = 26;

/// Test games a step.
const TEST_BATCH: u64 = 200;

impl<G: SelfPlayed> Learner for Group<G> {
    fn step(&mut self, work: &StepContext) -> Result<StepReport, RunError> {
        match self.state.stage {
            Stage::Learning { games } => self.learn(work, games),
            Stage::Testing { test, games } => self.test(work, test, games),
            Stage::Done => Ok(StepReport { done: 1.0, ..StepReport::default() }),
        }
    }

    fn save(&self, folder: &Path) -> Result<(), RunError> {
        state::write(folder, &self.state)
    }

    fn restore(&mut self, folder: &Path, work: &StepContext) -> Result<(), RunError> {
        self.state = state::read(folder)?;
        if let Stage::Learning { games } = self.state.stage {
            database::forget_after(&work.database()?, games)?;
        }
        Ok(())
    }

    fn measures(&mut self, work: &StepContext) -> Result<Option<Measures>, RunError> {
        if self.last.is_empty() {
            return Ok(None);
        }
        let last = std::mem::take(&mut self.last);
        let count = last.len() as f64;
        let mean = |of: fn(&LearnedGame) -> f64| last.iter().map(of).sum::<f64>() / count;
        let games = self.state.q.len() as u32 - 1;
        let mut measures = vec![
            ("games", f64::from(games)),
            ("wins", mean(|learned| f64::from(learned.sign > 0))),
            ("delta", mean(|learned| learned.sum)),
            ("change", mean(|learned| learned.change)),
            ("largest change", last.iter().map(|learned| learned.largest_change).fold(0.0, f64::max)),
            ("q", self.state.q.last().copied().unwrap_or_default()),
        ];
        let each = last.len() / self.state.experiments.len().max(1);
        for (name, games) in WINS.into_iter().zip(last.chunks(each.max(1))) {
            measures.push((name, games.iter().filter(|learned| learned.sign > 0).count() as f64));
        }
        let tenth = (self.parameters.games / 10).max(self.parameters.batch);
        if self.parameters.strength_games > 0 && games % tenth < self.parameters.batch {
            measures.push(("strength", self.strength(work, games)?));
        }
        Ok(Some(measures))
    }

    /// The strongest polynomial by test 1, and all of them beside it.
    fn finish(&mut self, work: &StepContext) -> Result<Artifact, RunError> {
        let file = |weights: &[f64]| G::file(&*self.played.set, &self.played.most, weights);
        let strength = |number: usize| self.state.results[number].passes[0][1].strength().0;
        let mut best = 0;
        for number in 0..self.state.experiments.len() {
            let path = work.folder.join(format!("experiment-{}.safetensors", number + 1));
            file(&self.state.experiments[number].alpha).save(&path)?;
            if strength(number) > strength(best) {
                best = number;
            }
        }
        let path = work.folder.join("tests.csv");
        trilith_base::files::write_whole(&path, table(&self.state.results).as_bytes())
            .map_err(|source| RunError::file(&path, source))?;
        let path = work.folder.join("games.csv");
        let games = games_table(&database::measures(&work.database()?)?);
        trilith_base::files::write_whole(&path, games.as_bytes())
            .map_err(|source| RunError::file(&path, source))?;
        let mut artifact = file(&self.state.experiments[best].alpha);
        let provenance = &mut artifact.header.provenance;
        provenance.insert("experiment".into(), format!("{} of {}", best + 1, self.state.experiments.len()));
        for (number, results) in (1..).zip(&self.state.results) {
            provenance.insert(format!("strength of experiment {number}"), described(results));
        }
        let last = self.state.q.len() - 1;
        let stars: Vec<String> = [10, 11, 12]
            .map(|part| last * part / 13)
            .iter()
            .map(|&from| format!("Q*_{from} {:.1}", similarity::q_star(&self.state.q, from)))
            .collect();
        let (first, end) = (self.state.q[0], self.state.q[last]);
        provenance
            .insert("likeness".into(), format!("Q_0 {first:.3}, Q_{last} {end:.3}, {}", stars.join(", ")));
        Ok(artifact)
    }

    fn kept(&self, weights: &[f64]) -> Option<Artifact> {
        Some(G::file(&*self.played.set, &self.played.most, weights))
    }
}
