//! The part of a generation that depends on the type of the game: games played and kept, labelled, and weights fitted to
//! them, by the same code that `trilith data` and `trilith fit` call.

use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use trilith_base::job::Workers;
use trilith_base::{Artifact, Seed};
use trilith_games::Game;

use super::settings::ProductionSettings;
use crate::data::files::{load_games, open_positions, save_games};
use crate::data::{PlayedGame, WeightsFile, games, judge};
use crate::fit::{FitData, FitRequest};
use crate::run::{RunError, StepContext};
use crate::training::Training;

/// Games that were played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayedCounts {
    /// How many.
    pub games: u64,
    /// Plies in them that were not random.
    pub positions: u64,
}

/// A game's part of the pipeline. Files that are there already are written over, unless said otherwise.
pub trait ProductionLine: Send {
    /// Weights before anything was learned.
    fn by_hand(&self) -> Result<Artifact, RunError>;

    /// Refuses weights of another game or shape.
    fn check(&self, weights: &Artifact) -> Result<(), RunError>;

    /// Plays games of these numbers, as far as there are so many, and writes them to a file.
    fn play(
        &self,
        weights: &Path,
        seed: Seed,
        numbers: (u64, u64),
        work: &StepContext,
        into: &Path,
    ) -> Result<PlayedCounts, RunError>;

    /// Writes the games of several files, or their positions judged with `weights`, to one file to be learned from. Goes on
    /// with a file of positions that is there.
    fn label(
        &self,
        played: &[PathBuf],
        weights: &Path,
        seed: Seed,
        work: &StepContext,
        into: &Path,
    ) -> Result<(), RunError>;

    /// Weights fitted to labelled files, and the error on data not learned from.
    fn fit(&self, data: &[PathBuf], parent: &Path, work: &StepContext) -> Result<(Artifact, f64), RunError>;
}

/// What a learner says of any error.
pub fn fault(error: impl std::fmt::Display) -> RunError {
    RunError::Learner(error.to_string())
}

/// The part of the game `G` with what `C` brings.
pub struct GameLine<G, C> {
    settings: ProductionSettings,
    game: PhantomData<fn() -> (G, C)>,
}

impl<G: Game, C: Training<G>> GameLine<G, C> {
    /// Refuses rules that cannot be read, and games without weights to fit.
    pub fn new(settings: ProductionSettings) -> Result<GameLine<G, C>, RunError> {
        settings.rules.iter().try_for_each(|rules| rules.parse::<G::Rules>().map(drop))?;
        let line = GameLine { settings, game: PhantomData };
        line.by_hand().map(|_| line)
    }
}

impl<G: Game, C: Training<G>> ProductionLine for GameLine<G, C> {
    fn by_hand(&self) -> Result<Artifact, RunError> {
        C::by_hand().ok_or_else(|| fault(crate::fit::FitError::NoWeights { game: G::NAME }))
    }

    fn check(&self, weights: &Artifact) -> Result<(), RunError> {
        Ok(C::engine_evaluator_from(weights).map(drop)?)
    }

    fn play(
        &self,
        weights: &Path,
        seed: Seed,
        numbers: (u64, u64),
        work: &StepContext,
        into: &Path,
    ) -> Result<PlayedCounts, RunError> {
        let weights = WeightsFile::of(weights).map_err(fault)?;
        let (workers, never) = (Workers::Threads(work.threads), AtomicBool::new(false));
        let settings = self.settings.generation(seed);
        let played = games::collect::<G, C>(&settings, Some(&weights), numbers, &workers, &never);
        let played = played.map_err(fault)?;
        save_games::<G>(into, &played).map_err(fault)?;
        let own = |game: &PlayedGame| (game.plies().count() - game.random) as u64;
        Ok(PlayedCounts { games: played.len() as u64, positions: played.iter().map(own).sum() })
    }

    fn label(
        &self,
        played: &[PathBuf],
        weights: &Path,
        seed: Seed,
        work: &StepContext,
        into: &Path,
    ) -> Result<(), RunError> {
        let played = load_games::<G, C>(played, &mut |_| ()).map_err(fault)?;
        let games = C::relabel(played).map_err(fault)?;
        let Some(settings) = self.settings.judging(seed) else {
            return save_games::<G>(into, &games).map_err(fault);
        };
        let weights = WeightsFile::of(weights).map_err(fault)?;
        let mut writer = open_positions::<G, C>(into, &[], &mut |_| ()).map_err(fault)?;
        let (workers, never) = (Workers::Threads(work.threads), AtomicBool::new(false));
        let first = judge::GAMES_PER_BLOCK * writer.blocks() as usize;
        let mut kept = Ok(());
        judge::judge::<G, C>(&games, first, settings, Some(&weights), (&workers, &never), |block| {
            kept = writer.push(&block);
            if kept.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
        .map_err(fault)?;
        kept.map_err(fault)
    }

    fn fit(&self, data: &[PathBuf], parent: &Path, work: &StepContext) -> Result<(Artifact, f64), RunError> {
        let data = match self.settings.judge_depth {
            0 => FitData::Games(data),
            _ => FitData::Positions(data),
        };
        let parent = Artifact::load(parent)?;
        let goes_on = C::FIT_METHOD.is_some_and(|method| method.goes_on);
        let parent = goes_on.then_some(&parent);
        let request = FitRequest { data, parent, settings: self.settings.fitting(), threads: work.threads };
        let fitted = C::fit(&request, &mut |_| ()).map_err(fault)?;
        Ok((fitted.artifact, fitted.error))
    }
}
