//! Othello's part: exact endings, labels by NegaMax over the tree of all games (S5) and by search, least squares by phase.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use trilith_base::job::Workers;
use trilith_base::{Artifact, Seed};
use trilith_eval::othello::Patterns;
use trilith_games::Game;
use trilith_games::othello::Othello;

use super::line::{Counts, Line, fault};
use super::parameters::Parameters;
use crate::logistello::tree;
use crate::othello::fit::{self, Plan as Fit, Source};
use crate::othello::games;
use crate::othello::generate::Plan;
use crate::othello::judge;
use crate::othello::positions::Writer;
use crate::othello::store::{self, Played};
use crate::portions::Weights;
use crate::run::{RunError, Work};

pub struct OthelloLine(pub Parameters);

impl OthelloLine {
    fn plan(&self, seed: Seed) -> Plan {
        let Parameters { random_least, random_most, openings, depth, exact, .. } = self.0;
        Plan { random_least, random_most, all: openings, depth, exact, seed }
    }
}

fn load(files: &[PathBuf]) -> Result<Vec<Played>, RunError> {
    let games: Result<Vec<_>, _> = files.iter().map(|path| store::load(path)).collect();
    Ok(games.map_err(fault)?.concat())
}

fn save(path: &Path, games: &[Played]) -> Result<(), RunError> {
    store::save(path, games).map_err(|source| RunError::file(path, source))
}

impl Line for OthelloLine {
    fn by_hand(&self) -> Artifact {
        Patterns::by_hand().to_artifact(BTreeMap::new())
    }

    fn check(&self, weights: &Artifact) -> Result<(), RunError> {
        Ok(Patterns::from_artifact(weights).map(drop)?)
    }

    fn play(
        &self,
        weights: &Path,
        seed: Seed,
        numbers: (u64, u64),
        work: &Work,
        into: &Path,
    ) -> Result<Counts, RunError> {
        let weights = Weights::of(weights).map_err(fault)?;
        let (workers, never) = (Workers::Threads(work.threads), AtomicBool::new(false));
        let games = games::collect(self.plan(seed), Some(&weights), numbers, &workers, &never);
        let games = games.map_err(fault)?;
        save(into, &games)?;
        let own = |game: &Played| (game.squares.len() - usize::from(game.random)) as u64;
        Ok(Counts { games: games.len() as u64, positions: games.iter().map(own).sum() })
    }

    fn label(
        &self,
        played: &[PathBuf],
        weights: &Path,
        seed: Seed,
        work: &Work,
        into: &Path,
    ) -> Result<(), RunError> {
        let games = tree::relabelled(&load(played)?);
        if self.0.judge_depth == 0 {
            return save(into, &games);
        }
        let Parameters { judge_depth: depth, judge_share: share, exact, .. } = self.0;
        let plan = judge::Plan { depth, exact, share, seed };
        let weights = Weights::of(weights).map_err(fault)?;
        let mut writer = Writer::open(into, Othello::NAME).map_err(fault)?;
        let (workers, never) = (Workers::Threads(work.threads), AtomicBool::new(false));
        let first = judge::PER_JOB * writer.blocks() as usize;
        let mut failed = None;
        judge::judge(&games, first, plan, &weights, &workers, &never, |block| match writer.push(&block) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        })
        .map_err(fault)?;
        failed.map_or(Ok(()), |error| Err(fault(error)))
    }

    fn fit(&self, data: &[PathBuf], _: &Path, work: &Work) -> Result<(Artifact, f64), RunError> {
        let usual = Fit::default();
        let ridge = if self.0.ridge < 0.0 { usual.ridge } else { self.0.ridge };
        let plan = Fit { ridge, iterations: self.0.iterations, ..usual };
        let games = if self.0.judge_depth == 0 { load(data)? } else { Vec::new() };
        let source = match self.0.judge_depth {
            0 => Source::Games(&games),
            _ => Source::Judged { files: data, lambda: self.0.lambda },
        };
        let (patterns, reports) = fit::fit(source, None, plan, work.threads).map_err(fault)?;
        let error = reports.iter().map(|report| report.test_error).sum::<f64>() / reports.len() as f64;
        let provenance = BTreeMap::from([
            ("method".into(), format!("least squares by phase, {plan:?}")),
            ("test error, discs".into(), format!("{error:.3}")),
        ]);
        Ok((patterns.to_artifact(provenance), error))
    }
}
