//! All that is known of a game: the tables and, where they are complete, the placing phase before them.

use std::path::Path;
use std::sync::{Arc, Mutex};

use trilith_eval::{AT_ROOT, Known, Oracle};
use trilith_games::morris::{Morris, Move, Position};
use trilith_games::{Game, MoveList};

use crate::build::ensure;
use crate::error::TablebaseError;
use crate::placing::{Effort, Solver, Store, file_name};
use crate::tables::{Tables, Value};

/// MiB in which a player's search of the placing phase remembers.
const MEMORY: usize = 32;
/// Which share of what is left one question may take.
const SHARE: u64 = 4;

/// Knows the game by one set of rules, as far as there are tables.
pub struct Expert {
    tables: Arc<Tables>,
    /// Only with complete tables.
    placing: Option<Mutex<Placing>>,
}

struct Placing {
    solver: Solver,
    store: Option<Store>,
    /// Nodes left for this turn.
    left: u64,
}

impl Placing {
    /// By store, memory and search, within a share of what is left.
    fn outcome(&mut self, position: &Position) -> Result<Option<Value>, TablebaseError> {
        let (before, nodes) = (self.solver.visited(), self.left / SHARE);
        let outcome = self.solver.outcome(position, Effort { stop: None, nodes })?;
        self.left = self.left.saturating_sub(self.solver.visited() - before);
        Ok(outcome.map(|outcome| Value { outcome, plies: None }))
    }
}

impl Expert {
    /// Opens the tables of a folder, after building those with up to `stones` stones that are missing; 0 builds none.
    pub fn open(folder: &Path, game: &Morris, stones: u32) -> Result<Expert, TablebaseError> {
        let tables = Arc::new(ensure(folder, game.rules(), stones)?);
        let placing = match tables.is_complete() {
            false => None,
            true => {
                let solver = Solver::new(Arc::clone(&tables), *game, 1, MEMORY);
                let store = Store::load(&folder.join(file_name(game)), game)?;
                Some(Mutex::new(Placing { solver, store, left: 0 }))
            }
        };
        let expert = Expert { tables, placing };
        expert.forget();
        Ok(expert)
    }

    /// The tables.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// How many positions may be visited from now on to answer questions about the placing phase. What is answered
    /// does not depend on time or on other threads.
    pub fn allow(&self, nodes: u64) {
        self.with_placing(|placing| placing.left = nodes);
    }

    /// Forgets what was found out since it was opened.
    pub fn forget(&self) {
        self.with_placing(|placing| {
            placing.solver.forget();
            for (key, bounds) in placing.store.iter().flat_map(Store::iter) {
                placing.solver.memory().put(key, bounds);
            }
        });
    }

    fn with_placing<T>(&self, work: impl FnOnce(&mut Placing) -> T) -> Option<T> {
        let placing = self.placing.as_ref()?;
        Some(work(&mut placing.lock().expect("no thread panics while it holds the lock")))
    }

    /// What a position is, if it is known or found out within the nodes allowed.
    pub fn value(&self, position: &Position) -> Result<Option<Value>, TablebaseError> {
        if position.own_hand() + position.other_hand() > 0 {
            return self.with_placing(|placing| placing.outcome(position)).unwrap_or(Ok(None));
        }
        match self.tables.value(position) {
            Err(TablebaseError::Missing { .. }) => Ok(None),
            value => value.map(Some),
        }
    }

    /// All legal moves with what each is worth to the side that makes it, the best first; none if that of the position
    /// is not known. Moves of which nothing is known are left out.
    pub fn moves(
        &self,
        game: &Morris,
        position: &Position,
    ) -> Result<Option<Vec<(Move, Value)>>, TablebaseError> {
        let Some(best) = self.value(position)? else { return Ok(None) };
        let mut legal = MoveList::new();
        game.moves(position, &mut legal);
        let mut valued = Vec::new();
        for &mv in &legal {
            valued.extend(self.value(&game.play(position, mv))?.map(|value| (mv, value.before())));
        }
        valued.sort_by_key(|(_, value)| std::cmp::Reverse(value.preference()));
        let is_found = valued.first().is_some_and(|(_, value)| value.outcome == best.outcome);
        Ok(is_found.then_some(valued))
    }
}

impl Oracle<Morris> for Expert {
    #[inline]
    fn probe(&self, game: &Morris, position: &Position, depth: u32) -> Option<Known> {
        match depth {
            AT_ROOT if position.own_hand() + position.other_hand() > 0 => {
                self.value(position).ok().flatten().map(Known::from)
            }
            _ => Oracle::probe(&*self.tables, game, position, depth),
        }
    }
}
