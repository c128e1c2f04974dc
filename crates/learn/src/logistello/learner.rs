//! The fit of one of S5's evaluations as a run: examples, then tables, then one set of parameters a step.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use trilith_arena::statistics::Tally;
use trilith_base::job::Workers;
use trilith_base::{Artifact, Seed, files};
use trilith_eval::othello::Evaluations;
use trilith_eval::othello::logistello::Combination;
use trilith_eval::othello::logistello::combination::{CombinationParameters as Set, FIRST, Form, SETS};
use trilith_eval::othello::logistello::feature::{FeatureSource, LogistelloFeatures, logistello};
use trilith_eval::{Boxed, Evaluator, Margin, Unknowing};
use trilith_games::othello::Othello;
use trilith_games::{Colour, Game, Record, playout};
use trilith_search::{Control, Engine, EngineOptions, Limits};

use super::fit::{LabelledRows, fit};
use super::tables;
use super::tree::{self, Example};
use crate::data::files::load_games;
use crate::data::{GenerationSettings, games};
use crate::othello::game::from_played;
use crate::othello::{OthelloGame, old_file};
use crate::run::{Learner, LearnerKind, LearnerSetup, Measures, RunError, StepContext, StepReport, state};

/// This learner in the list.
pub const KIND: LearnerKind = LearnerKind {
    name: "logistello",
    about: "LOGISTELLO: pattern tables and FISHER, QUAD, LOG or LOG+ from labelled games",
    games: &[Othello::NAME],
    begin,
};

/// What the config may say; these are the defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct LogistelloParameters {
    data: Vec<String>,
    generate: u64,
    generate_depth: u32,
    generate_exact: u32,
    generate_random: u32,
    form: String,
    imagined: f64,
    most_games: u64,
    strength_games: u64,
    strength_nodes: u64,
}

impl Default for LogistelloParameters {
    fn default() -> LogistelloParameters {
        LogistelloParameters {
            data: Vec::new(),
            generate: 2000,
            generate_depth: 2,
            generate_exact: 10,
            generate_random: 20,
            form: "log+".into(),
            imagined: 8.0,
            most_games: u64::MAX >> 1,
            strength_games: 40,
            strength_nodes: 1000,
        }
    }
}

fn begin(setup: &LearnerSetup) -> Result<Box<dyn Learner>, RunError> {
    let parameters: LogistelloParameters = setup.parameters()?;
    let form = parameters.form.parse::<Form>();
    let form = form.map_err(|error| RunError::config("parameters.form", error.to_string()))?;
    if !(0.0..1e9).contains(&parameters.imagined) {
        return Err(RunError::config("parameters.imagined", "expected a number of games from 0 on"));
    }
    let files = parameters.data.iter().map(|path| setup.path(path)).collect();
    let state = LogistelloState {
        tables: Vec::new(),
        sets: Vec::new(),
        standardised: Vec::new(),
        hashes: Vec::new(),
    };
    let seed = setup.seed();
    Ok(Box::new(Fitting { parameters, form, files, seed, state, memory: None, last: Vec::new() }))
}

struct Fitting {
    parameters: LogistelloParameters,
    form: Form,
    files: Vec<PathBuf>,
    seed: Seed,
    state: LogistelloState,
    /// Made again from the files when a run goes on.
    memory: Option<Memory>,
    last: Measures,
}

struct Memory {
    /// In the order of their discs.
    examples: Vec<Example>,
    features: LogistelloFeatures,
}

#[derive(Serialize, Deserialize)]
struct LogistelloState {
    /// One a pattern, in Logistello's order.
    tables: Vec<Vec<i8>>,
    sets: Vec<(f64, Vec<f64>, Vec<f64>)>,
    /// Weights as if all features had a deviation of one.
    standardised: Vec<Vec<f64>>,
    /// Of the data, in order.
    hashes: Vec<String>,
}

impl Fitting {
    fn games(&mut self, work: &StepContext) -> Result<Vec<OthelloGame>, RunError> {
        let mut games = Vec::new();
        self.state.hashes.clear();
        for file in &self.files {
            let wrong =
                |error: &dyn std::fmt::Display| RunError::config("parameters.data", error.to_string());
            let more = load_games::<Othello, Evaluations>(std::slice::from_ref(file), &mut |_| ());
            let more = from_played(&more.map_err(|error| wrong(&error))?).map_err(|fault| wrong(&fault))?;
            self.state.hashes.push(old_file::content_hash(&more));
            games.extend(more);
        }
        if self.files.is_empty() {
            games = self.generate(work)?;
            self.state.hashes.push(old_file::content_hash(&games));
        }
        games.truncate(self.parameters.most_games as usize);
        match games.is_empty() {
            true => {
                Err(RunError::config("parameters.data", "expected files with games, or generate above 0"))
            }
            false => Ok(games),
        }
    }

    fn generate(&self, work: &StepContext) -> Result<Vec<OthelloGame>, RunError> {
        let settings = GenerationSettings {
            random_most: self.parameters.generate_random.max(1),
            depth: self.parameters.generate_depth.max(1),
            exact: self.parameters.generate_exact,
            seed: self.seed.derive("games", 0),
            ..GenerationSettings::default()
        };
        let workers = Workers::Threads(work.threads);
        let numbers = (0, self.parameters.generate);
        let wrong =
            |error: &dyn std::fmt::Display| RunError::config("parameters.generate", error.to_string());
        let played = games::collect::<Othello, Evaluations>(&settings, None, numbers, &workers, work.stop);
        let played = work.unless_stopped(played.map_err(|error| wrong(&error))?)?;
        from_played(&played).map_err(|fault| wrong(&fault))
    }

    /// Examples and features; tables are only estimated where no checkpoint has them.
    fn memory(&mut self, work: &StepContext) -> Result<&Memory, RunError> {
        if self.memory.is_none() {
            let examples = tree::examples(&self.games(work)?);
            let features = match self.state.tables.is_empty() {
                true => tables::features(&examples, self.parameters.imagined),
                false => self.features(),
            };
            let tables = features.sources().iter().filter_map(|(_, source)| match source {
                FeatureSource::Pattern { tables, .. } => Some(tables.clone()),
                _ => None,
            });
            self.state.tables = tables.collect();
            self.memory = Some(Memory { examples, features });
        }
        Ok(self.memory.as_ref().expect("just made"))
    }

    /// From the tables of the state.
    fn features(&self) -> LogistelloFeatures {
        let next = std::cell::Cell::new(0);
        let sources = logistello(|_| {
            let at = next.replace(next.get() + 1);
            self.state.tables[at].clone()
        });
        LogistelloFeatures::new(sources).expect("Logistello's features fit")
    }

    /// Examples with `discs` and one more, without draws: both sides are to move equally often.
    fn rows(memory: &Memory, discs: u32) -> LabelledRows {
        let from = memory.examples.partition_point(|example| example.discs() < discs);
        let to = memory.examples.partition_point(|example| example.discs() < discs + 2);
        let mut rows = LabelledRows { width: memory.features.len(), ..LabelledRows::default() };
        for example in memory.examples[from..to].iter().filter(|example| example.margin != 0) {
            rows.features.extend(tables::row(&memory.features, &example.position()));
            rows.won.push((example.margin > 0) == example.is_black);
        }
        rows
    }

    fn combination(&self) -> Combination {
        let sets = self.state.sets.iter().map(|(constant, weights, quadratic)| Set {
            constant: *constant,
            weights: weights.clone(),
            quadratic: quadratic.clone(),
        });
        Combination::new(self.form, self.features(), sets.collect())
    }

    /// Games at equal nodes against the difference in discs.
    fn strength(&self, work: &StepContext) -> Result<Tally, RunError> {
        let nodes = self.parameters.strength_nodes.max(1);
        let games = self.parameters.strength_games;
        let signs = work.all(0..games, |number| {
            let own = engine(Boxed(Box::new(self.combination())));
            play(own, engine(Margin), number, nodes, self.seed.derive("strength", number / 2))
        })?;
        let mut tally = Tally::default();
        signs.into_iter().for_each(|sign| tally.count(sign));
        Ok(tally)
    }

    /// One row a number of discs, for plots like S5's figure 3.5.
    fn table(&self) -> String {
        let names: Vec<String> = self.features().sources().iter().map(|(name, _)| name.clone()).collect();
        let mut text = format!("discs,{}\n", names.join(","));
        for (discs, row) in (FIRST..).zip(&self.state.standardised) {
            let numbers: Vec<String> = row.iter().map(f64::to_string).collect();
            writeln!(text, "{discs},{}", numbers.join(",")).expect("texts can be written to");
        }
        text
    }
}

fn engine<E: Evaluator<Othello>>(evaluator: E) -> Engine<Othello, E, Unknowing> {
    Engine::new(evaluator, Unknowing, EngineOptions { table_mebibytes: 1, ..EngineOptions::default() })
}

/// The sign of a game from a random opening, for the first player, which has Black in games of even number.
fn play<A: Evaluator<Othello>, B: Evaluator<Othello>>(
    mut a: Engine<Othello, A, Unknowing>,
    mut b: Engine<Othello, B, Unknowing>,
    number: u64,
    nodes: u64,
    seed: Seed,
) -> i32 {
    let mut record = Record::new(Othello::default());
    playout::play_on(&mut record, 8, &mut seed.rng());
    let own = if number.is_multiple_of(2) { Colour::Black } else { Colour::White };
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let control = Control::default();
    while record.end().is_none() {
        let analysis = match record.position().to_move == own {
            true => a.analyse(&record, &limits, &control, &mut |_| ()),
            false => b.analyse(&record, &limits, &control, &mut |_| ()),
        };
        record.push_legal(analysis.lines[0].moves[0]);
    }
    record.end().and_then(|end| end.winner).map_or(0, |winner| if winner == own { 1 } else { -1 })
}

impl Learner for Fitting {
    fn step(&mut self, work: &StepContext) -> Result<StepReport, RunError> {
        let discs = FIRST + self.state.sets.len() as u32;
        let form = self.form;
        let memory = self.memory(work)?;
        let rows = Fitting::rows(memory, discs);
        let set = fit(&rows, form);
        let standardised = set.weights.iter().zip(rows.deviations()).map(|(weight, d)| weight * d).collect();
        let likelihood = rows.log_likelihood(&set);
        self.last = vec![
            ("discs", discs.into()),
            ("examples", rows.won.len() as f64),
            ("log_likelihood", likelihood),
        ];
        self.state.standardised.push(standardised);
        self.state.sets.push((set.constant, set.weights, set.quadratic));
        let done = self.state.sets.len() as f64 / SETS as f64;
        Ok(StepReport { games: 0, positions: rows.won.len() as u64, loss: Some(-likelihood), done })
    }

    fn save(&self, folder: &Path) -> Result<(), RunError> {
        state::write(folder, &self.state)
    }

    fn restore(&mut self, folder: &Path, _: &StepContext) -> Result<(), RunError> {
        self.state = state::read(folder)?;
        Ok(())
    }

    fn measures(&mut self, _: &StepContext) -> Result<Option<Measures>, RunError> {
        Ok(Some(self.last.clone()))
    }

    fn finish(&mut self, work: &StepContext) -> Result<Artifact, RunError> {
        let mut provenance = BTreeMap::new();
        for (number, hash) in (1..).zip(&self.state.hashes) {
            provenance.insert(format!("data {number}"), format!("blake3 {hash}"));
        }
        let path = work.folder.join("standardised.csv");
        files::write_whole(&path, self.table().as_bytes()).map_err(|source| RunError::file(&path, source))?;
        if self.parameters.strength_games > 0 {
            let Tally { wins, draws, losses } = self.strength(work)?;
            let nodes = self.parameters.strength_nodes;
            let text = format!("+{wins} ={draws} -{losses} against discs at {nodes} nodes");
            provenance.insert("strength".into(), text);
        }
        Ok(self.combination().to_artifact(provenance))
    }
}
