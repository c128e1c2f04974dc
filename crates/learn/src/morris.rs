//! What Morris brings to data and fitting: patterns, and the complete tables that prove positions.
//!
//! The tables know positions without stones in hand; those before are solved by search down to them, which is quick for
//! the last stones.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use trilith_base::Artifact;
use trilith_eval::morris::patterns::LANES;
use trilith_eval::morris::{Evaluations, MorrisPatterns};
use trilith_games::morris::{Morris, Position, Rules};
use trilith_games::{Game, Outcome};
use trilith_tablebase::placing::{self, Effort, PlacingSolver};
use trilith_tablebase::{Tables, default_folder};

use crate::data::{DataError, LabelSettings, Prover};
use crate::fit::{FitError, FitMethod, FitRequest, Fitted, Reports, logistic};
use crate::training::{Boards, EndgameTables, Training};

impl Training<Morris> for Evaluations {
    type Bootstrap = Arc<MorrisPatterns>;
    const FIT_METHOD: Option<FitMethod> = Some(logistic::METHOD);

    fn bootstrap() -> Arc<MorrisPatterns> {
        Arc::new(MorrisPatterns::by_hand())
    }

    const HAS_HAND: bool = true;

    fn boards(_: &Morris, position: &Position) -> Boards {
        Boards {
            own: position.own().into(),
            other: position.other().into(),
            hand: [position.own_hand(), position.other_hand()],
        }
    }

    fn label_prover(rules: &str, settings: &LabelSettings) -> Result<Box<dyn Prover<Morris>>, DataError> {
        let rules: Rules = rules.parse()?;
        placing::check(&rules).map_err(|error| DataError::Prover(error.to_string()))?;
        let folder = settings.folder.clone().unwrap_or_else(|| default_folder(&rules));
        let tables = Tables::open(&folder, &rules).map_err(|error| DataError::Prover(error.to_string()))?;
        if !tables.is_complete() {
            return Err(DataError::Prover(format!(
                "{}: the complete tables are needed; `trilith tablebase build morris --stones 18 --mode wdl` makes them",
                folder.display()
            )));
        }
        let solver = PlacingSolver::new(Arc::new(tables), Morris::new(rules), 1, settings.memory);
        Ok(Box::new(TableProver { solver, hand: settings.hand }))
    }

    fn endgame_tables(game: &Morris, folder: Option<&Path>) -> Option<Result<EndgameTables<Morris>, String>> {
        let usual = || default_folder(game.rules());
        Some(open_tables(game, &folder.map_or_else(usual, Path::to_owned)))
    }

    fn by_hand() -> Option<Artifact> {
        Some(MorrisPatterns::by_hand().to_artifact(BTreeMap::new()))
    }

    fn fit(request: &FitRequest, reports: Reports) -> Result<Fitted, FitError> {
        logistic::fit::<Morris, Evaluations, LANES>(request, reports)
    }

    /// Endgame tables are there on some machines only, and would play for both sides.
    const TRIAL_OPTIONS: &'static [(&'static str, &'static str)] = &[("tables", "off")];
}

fn open_tables(game: &Morris, folder: &Path) -> Result<EndgameTables<Morris>, String> {
    let tables = Tables::open(folder, game.rules()).map_err(|error| error.to_string())?;
    let subspaces: Vec<String> = tables.iter().map(|table| table.subspace().to_string()).collect();
    match subspaces.is_empty() {
        true => {
            Err(format!("no tables in {}: `trilith tablebase build morris` makes them", folder.display()))
        }
        false => Ok(EndgameTables { oracle: Box::new(tables), subspaces: subspaces.join(" ") }),
    }
}

/// The complete tables, and search down to them with at most so many stones in hand. All threads remember what any of them
/// proved.
struct TableProver {
    solver: PlacingSolver,
    hand: u8,
}

impl Prover<Morris> for TableProver {
    fn covers(&self, position: &Position) -> bool {
        position.in_hand() <= self.hand
    }

    fn leaves(&self, position: &Position) -> bool {
        (1..=self.hand + 1).contains(&position.in_hand())
    }

    fn outcome(&self, position: &Position, stop: &AtomicBool) -> Result<Outcome, String> {
        let effort = Effort { stop: Some(stop), ..Effort::ENDLESS };
        let outcome = self.solver.outcome(position, effort).map_err(|error| error.to_string())?;
        outcome.ok_or_else(|| "a search without end ended".to_owned())
    }
}
