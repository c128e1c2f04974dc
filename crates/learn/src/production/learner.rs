//! The pipeline as a learner: each step is a piece of one stage of one generation.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use trilith_arena::statistics::{Sprt, SprtDecision};
use trilith_base::{Artifact, Seed};
use trilith_games::Game;

use super::calibration::GenerationCalibration;
use super::line::{GameLine, ProductionLine};
use super::settings::ProductionSettings;
use super::trial::{PlayerFiles, Trial, TrialGame, TrialScore};
use crate::run::{Learner, LearnerKind, LearnerSetup, Measures, RunError, StepContext, StepReport, state};
use crate::training::{FITTED_GAMES, Training, TrainingVisitor, with_training};

/// This learner in the list.
pub const KIND: LearnerKind = LearnerKind {
    name: "production",
    about: "what `engine` plays with: generations of games, labels, fit, calibration, promotion by a match",
    games: FITTED_GAMES,
    begin,
};

fn begin(setup: &LearnerSetup) -> Result<Box<dyn Learner>, RunError> {
    with_training(&setup.config.game, Begin(setup))?
}

struct Begin<'a>(&'a LearnerSetup<'a>);

impl TrainingVisitor for Begin<'_> {
    type Output = Result<Box<dyn Learner>, RunError>;

    fn visit<G: Game, C: Training<G>>(self) -> Self::Output {
        let Begin(setup) = self;
        let settings: ProductionSettings = setup.parameters()?;
        let sprt = settings.check()?;
        let line = Box::new(GameLine::<G, C>::new(settings.clone())?);
        let parent = match settings.parent.as_str() {
            "" => None,
            path => Some(Artifact::load(&setup.path(path))?),
        };
        if let Some(parent) = &parent {
            line.check(parent)?;
        }
        let (game, seed) = (TrialGame::of::<G, C>(), setup.seed());
        let state = ProductionState { generation: 1, ..ProductionState::default() };
        Ok(Box::new(Pipeline { game, settings, sprt, line, parent, seed, state }))
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Stage {
    #[default]
    Generate,
    Label,
    Fit,
    Calibrate,
    Match,
}

/// What has come of a generation.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Past {
    games: u64,
    /// Of its labelled games.
    hash: String,
    error: f64,
    /// The generation it has played against; 0 is the parent.
    against: u32,
    score: TrialScore,
    is_promoted: bool,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct ProductionState {
    /// The one at work, from 1.
    generation: u32,
    stage: Stage,
    /// Played in this generation.
    games: u64,
    hash: String,
    error: f64,
    score: TrialScore,
    /// The generation whose weights are the best so far; 0 is the parent.
    promoted: u32,
    past: Vec<Past>,
}

struct Pipeline {
    game: TrialGame,
    settings: ProductionSettings,
    sprt: Sprt,
    line: Box<dyn ProductionLine>,
    /// Weights by hand if none.
    parent: Option<Artifact>,
    seed: Seed,
    state: ProductionState,
}

const WEIGHTS: &str = "weights.safetensors";
const CUTS: &str = "probcut.toml";
const LABELLED: &str = "labelled.games";

impl Pipeline {
    /// The seed of something in the generation at work.
    fn seed(&self, name: &str) -> Seed {
        self.seed.derive(name, self.state.generation.into())
    }

    fn weights(&self, work: &StepContext, generation: u32) -> PathBuf {
        match generation {
            0 => work.folder.join("parent.safetensors"),
            _ => folder(work, generation).join(WEIGHTS),
        }
    }

    fn player_files(&self, work: &StepContext, generation: u32) -> PlayerFiles {
        let cuts = folder(work, generation).join(CUTS);
        PlayerFiles { weights: self.weights(work, generation), cuts: cuts.exists().then_some(cuts) }
    }

    /// Plays a batch into a file of its own; the first of all also writes the parent.
    fn generate(&mut self, work: &StepContext) -> Result<StepReport, RunError> {
        let own = folder(work, self.state.generation);
        fs::create_dir_all(&own).map_err(|source| RunError::file(&own, source))?;
        if self.state.generation == 1 && self.state.games == 0 {
            let parent = self.parent.clone().map_or_else(|| self.line.by_hand(), Ok)?;
            parent.save(&self.weights(work, 0))?;
        }
        let first = self.state.games;
        let end = (first + self.settings.batch).min(self.settings.games);
        let weights = self.weights(work, self.state.promoted);
        let played = self.line.play(&weights, self.seed("games"), (first, end), work, &batch(&own, first))?;
        self.state.games += played.games;
        if self.state.games == self.settings.games || played.games < end - first {
            self.state.stage = Stage::Label;
        }
        Ok(StepReport { games: played.games, positions: played.positions, ..StepReport::default() })
    }

    fn label(&mut self, work: &StepContext) -> Result<StepReport, RunError> {
        let own = folder(work, self.state.generation);
        let starts = (0..self.state.games).step_by(self.settings.batch as usize);
        let played: Vec<PathBuf> = starts.map(|first| batch(&own, first)).collect();
        let into = own.join(LABELLED);
        let weights = self.weights(work, self.state.promoted);
        self.line.label(&played, &weights, self.seed("labels"), work, &into)?;
        let bytes = fs::read(&into).map_err(|source| RunError::file(&into, source))?;
        self.state.hash = blake3::hash(&bytes).to_hex().to_string();
        self.state.stage = Stage::Fit;
        Ok(StepReport::default())
    }

    fn fit(&mut self, work: &StepContext) -> Result<StepReport, RunError> {
        let last = self.state.generation;
        let first = match self.settings.remembered {
            0 => 1,
            count => (last + 1).saturating_sub(count).max(1),
        };
        let data: Vec<PathBuf> = (first..=last).map(|number| folder(work, number).join(LABELLED)).collect();
        let (mut artifact, error) = self.line.fit(&data, &self.weights(work, self.state.promoted), work)?;
        for number in first..=last {
            let known = self.state.past.get(number as usize - 1);
            let (games, hash) =
                known.map_or((self.state.games, &self.state.hash), |past| (past.games, &past.hash));
            let text = format!("{games} games, blake3 {hash}");
            artifact.header.provenance.insert(format!("data {number}"), text);
        }
        artifact.save(&self.weights(work, last))?;
        self.state.error = error;
        self.state.stage = Stage::Calibrate;
        Ok(StepReport { loss: Some(error), ..StepReport::default() })
    }

    fn calibrate(&mut self, work: &StepContext) -> Result<StepReport, RunError> {
        let into = folder(work, self.state.generation).join(CUTS);
        if self.settings.calibration > 0 {
            GenerationCalibration {
                settings: &self.settings,
                weights: &self.weights(work, self.state.generation),
                seed: self.seed("calibration"),
                threads: work.threads,
                into: &into,
            }
            .write(self.game.name)?;
        }
        self.state.score = TrialScore::default();
        self.state.stage = Stage::Match;
        Ok(StepReport::default())
    }

    fn contest(&mut self, work: &StepContext) -> Result<StepReport, RunError> {
        let trial = Trial {
            game: &self.game,
            settings: &self.settings,
            new: self.player_files(work, self.state.generation),
            promoted: self.player_files(work, self.state.promoted),
            seed: self.seed("match"),
            threads: work.threads,
        };
        trial.go_on(&mut self.state.score)?;
        let verdict = self.state.score.verdict(&self.sprt);
        if verdict != SprtDecision::Open || self.state.score.tally.games() >= self.settings.match_games {
            self.end_generation(verdict == SprtDecision::H1);
        }
        Ok(StepReport::default())
    }

    fn end_generation(&mut self, is_promoted: bool) {
        let ProductionState { generation, games, error, score, promoted, .. } = self.state;
        let hash = std::mem::take(&mut self.state.hash);
        self.state.past.push(Past { games, hash, error, against: promoted, score, is_promoted });
        if is_promoted {
            self.state.promoted = generation;
        }
        self.state.generation += 1;
        self.state.games = 0;
        self.state.stage = Stage::Generate;
    }

    /// Which part of the whole run is done.
    fn done(&self) -> f64 {
        let part = |done: u64, all: u64| done as f64 / all.max(1) as f64;
        let within = match self.state.stage {
            Stage::Generate => 0.5 * part(self.state.games, self.settings.games),
            Stage::Label => 0.5,
            Stage::Fit => 0.55,
            Stage::Calibrate => 0.65,
            Stage::Match => 0.7 + 0.3 * part(self.state.score.tally.games(), self.settings.match_games),
        };
        ((self.state.generation - 1) as f64 + within) / f64::from(self.settings.generations)
    }
}

fn folder(work: &StepContext, generation: u32) -> PathBuf {
    work.folder.join(format!("generation-{generation}"))
}

fn batch(folder: &Path, first: u64) -> PathBuf {
    folder.join(format!("{first:07}.games"))
}

impl Learner for Pipeline {
    fn step(&mut self, work: &StepContext) -> Result<StepReport, RunError> {
        let step = match self.state.stage {
            Stage::Generate => self.generate(work),
            Stage::Label => self.label(work),
            Stage::Fit => self.fit(work),
            Stage::Calibrate => self.calibrate(work),
            Stage::Match => self.contest(work),
        }?;
        Ok(StepReport { done: self.done(), ..step })
    }

    fn save(&self, folder: &Path) -> Result<(), RunError> {
        state::write(folder, &self.state)
    }

    fn restore(&mut self, folder: &Path, _: &StepContext) -> Result<(), RunError> {
        self.state = state::read(folder)?;
        Ok(())
    }

    fn measures(&mut self, _: &StepContext) -> Result<Option<Measures>, RunError> {
        let ProductionState { generation, games, error, score, promoted, .. } = &self.state;
        let played = score.tally.games() > 0;
        Ok(Some(vec![
            ("generation", f64::from(*generation)),
            ("games", *games as f64),
            ("error", *error),
            ("match games", score.tally.games() as f64),
            ("strength", if played { score.tally.rate() } else { 0.5 }),
            ("llr", self.sprt.pentanomial(&score.pairs)),
            ("promoted", f64::from(*promoted)),
        ]))
    }

    /// The weights promoted last, or the parent's where no generation was better.
    fn finish(&mut self, work: &StepContext) -> Result<Artifact, RunError> {
        let promoted = self.player_files(work, self.state.promoted);
        let mut artifact = Artifact::load(&promoted.weights)?;
        let provenance = &mut artifact.header.provenance;
        provenance.insert("parent".into(), Artifact::load(&self.weights(work, 0))?.checksum()?);
        provenance.insert("promoted".into(), name(self.state.promoted));
        for (number, past) in (1..).zip(&self.state.past) {
            let verdict = if past.is_promoted { "promoted" } else { "not promoted" };
            let text = format!("{} against {}, {verdict}", past.score.text(), name(past.against));
            provenance.insert(format!("strength of generation {number}"), text);
        }
        if let Some(cuts) = promoted.cuts {
            let into = work.folder.join(CUTS);
            fs::copy(cuts, &into).map_err(|source| RunError::file(&into, source))?;
        }
        Ok(artifact)
    }
}

fn name(generation: u32) -> String {
    match generation {
        0 => "the parent".into(),
        number => format!("generation {number}"),
    }
}
