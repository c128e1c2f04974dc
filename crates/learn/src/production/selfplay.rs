//! The part of Morris and Abalone: games come with the search's estimate of every position, and weights are fitted to
//! estimates and results by logistic regression.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use trilith_base::job::Workers;
use trilith_base::{Artifact, Seed};
use trilith_eval::patterns::{Patterned, Patterns};

use super::line::{Counts, Line, fault};
use super::parameters::Parameters;
use crate::portions::Weights;
use crate::run::{RunError, Work};
use crate::selfplay::fit::{self, Plan as Fit};
use crate::selfplay::games;
use crate::selfplay::generate::Plan;
use crate::selfplay::store::{Reader, Writer};

pub struct SelfplayLine<G, const LANES: usize> {
    parameters: Parameters,
    game: PhantomData<fn() -> G>,
}

impl<G, const LANES: usize> SelfplayLine<G, LANES> {
    pub fn new(parameters: Parameters) -> Self {
        SelfplayLine { parameters, game: PhantomData }
    }

    fn plan(&self, seed: Seed) -> Plan {
        let Parameters { random_least, random_most, openings, depth, longest, .. } = self.parameters;
        let rules = self.parameters.rules.clone();
        Plan { rules, random_least, random_most, all: openings, depth, longest, still: 0, restless: 0, seed }
    }
}

/// An empty file.
fn fresh(path: &Path, game: &str) -> Result<Writer, RunError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(RunError::file(path, error)),
        _ => Writer::open(path, game).map_err(fault),
    }
}

impl<G: Patterned<LANES>, const LANES: usize> Line for SelfplayLine<G, LANES>
where
    G::Counts: Default,
{
    fn by_hand(&self) -> Artifact {
        Patterns::<G, LANES>::by_hand().to_artifact(BTreeMap::new())
    }

    fn check(&self, weights: &Artifact) -> Result<(), RunError> {
        Ok(Patterns::<G, LANES>::from_artifact(weights).map(drop)?)
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
        let played = games::collect::<G>(&self.plan(seed), Some(&weights), numbers, &workers, &never);
        let played = played.map_err(fault)?;
        fresh(into, G::NAME)?.push(&played).map_err(fault)?;
        let positions = played.iter().map(|game| game.values.len() as u64).sum();
        Ok(Counts { games: played.len() as u64, positions })
    }

    /// Labels are in the games: each position's own estimate, and the result of the game.
    fn label(&self, played: &[PathBuf], _: &Path, _: Seed, _: &Work, into: &Path) -> Result<(), RunError> {
        let mut writer = fresh(into, G::NAME)?;
        for path in played {
            let mut reader = Reader::open(path, G::NAME).map_err(fault)?;
            while let Some(block) = reader.next_block().map_err(fault)? {
                writer.push(&block).map_err(fault)?;
            }
        }
        Ok(())
    }

    fn fit(&self, data: &[PathBuf], parent: &Path, _: &Work) -> Result<(Artifact, f64), RunError> {
        let Parameters { lambda, epochs, rate, ridge, .. } = self.parameters;
        let usual = Fit::default();
        let ridge = if ridge < 0.0 { usual.ridge } else { ridge };
        let plan = Fit { lambda, epochs, rate, ridge, ..usual };
        let mut weights = Patterns::<G, LANES>::from_artifact(&Artifact::load(parent)?)?.to_weights();
        let mut loss = 0.0;
        fit::fit::<G, LANES>(data, &plan, &mut weights, &mut |_, report| loss = report.test_loss)
            .map_err(fault)?;
        let provenance = BTreeMap::from([
            ("method".into(), format!("logistic regression, {plan:?}")),
            ("test loss".into(), format!("{loss:.5}")),
        ]);
        Ok((Patterns::<G, LANES>::from_weights(&weights).to_artifact(provenance), loss))
    }
}
