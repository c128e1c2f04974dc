//! All that is known of a game: the tables and, where they are complete, the placing phase before them.

use std::path::Path;
use std::sync::{Arc, Mutex};

use trilith_eval::{Known, KnownRoot, Oracle};
use trilith_games::morris::{Morris, Move, Position};
use trilith_games::{Game, MoveList, Outcome};

use crate::answer::moves_valued;
use crate::build::ensure;
use crate::choice::preserving;
use crate::error::TablebaseError;
use crate::oracle::is_in_time;
use crate::placing::{self, Effort, PlacingSolver, ProvedBounds, file_name, key, shipped};
use crate::tables::{TablebaseValue, Tables};

/// MiB in which a player's search of the placing phase remembers.
const MEMORY: usize = 64;

/// Knows the game by one set of rules, as far as there are tables.
pub struct Expert {
    tables: Arc<Tables>,
    /// Only with complete tables, or where it was asked for.
    placing: Option<Mutex<Placing>>,
}

struct Placing {
    solver: PlacingSolver,
    /// What was proved before: of the tables' folder, and what comes with the program.
    stores: Vec<Arc<ProvedBounds>>,
    /// Nodes left for this turn.
    left: u64,
}

impl Placing {
    /// Answers from memory, or searches with one part in `parts` of the nodes that are left. Where a table is missing
    /// nothing is known.
    fn reaches(
        &mut self,
        position: &Position,
        goal: Outcome,
        parts: u64,
    ) -> Result<Option<bool>, TablebaseError> {
        let before = self.solver.visited();
        let effort = Effort { stop: None, nodes: self.left / parts };
        let reached = self.solver.reaches(position, goal, effort);
        self.left = self.left.saturating_sub(self.solver.visited() - before);
        match reached {
            Err(TablebaseError::Missing { .. }) => Ok(None),
            reached => reached,
        }
    }

    /// Proves the value and a move that keeps it, however long that takes, so that [`Placing::moves`] finds them known.
    fn settle(&self, game: &Morris, position: &Position) -> Result<(), TablebaseError> {
        let needed = match self.solver.outcome(position, Effort::ENDLESS)? {
            Some(Outcome::Win) => Outcome::Draw,
            Some(Outcome::Draw) => Outcome::Win,
            Some(Outcome::Loss) | None => return Ok(()),
        };
        let mut legal = MoveList::new();
        game.moves(position, &mut legal);
        let after: Vec<_> = legal.iter().map(|&mv| game.play(position, mv)).collect();
        let is_known = |after: &Position| self.solver.memory().get(key(after)).reaches(needed) == Some(false);
        if after.iter().any(is_known) {
            return Ok(());
        }
        // What was remembered of the position may come from elsewhere, without its moves.
        for after in &after {
            if self.solver.reaches(after, needed, Effort::ENDLESS)? == Some(false) {
                break;
            }
        }
        Ok(())
    }

    /// Moves with what they are known to be worth at least: those that are not lost first, then the wins among them.
    fn moves(&mut self, game: &Morris, position: &Position) -> Result<Vec<MoveBound>, TablebaseError> {
        let mut legal = MoveList::new();
        game.moves(position, &mut legal);
        let mut found = Vec::new();
        for (number, &mv) in legal.iter().enumerate() {
            let parts = (legal.len() - number) as u64 + 1;
            let after = game.play(position, mv);
            match self.reaches(&after, Outcome::Win, parts)? {
                Some(true) => found.push(MoveBound { mv, least: Outcome::Loss, is_exact: true }),
                Some(false) => found.push(MoveBound { mv, least: Outcome::Draw, is_exact: false }),
                None => {}
            }
        }
        let mut parts = found.len() as u64;
        for bound in &mut found {
            if bound.least == Outcome::Draw {
                let held = self.reaches(&game.play(position, bound.mv), Outcome::Draw, parts)?;
                bound.is_exact = held.is_some();
                bound.least = if held == Some(false) { Outcome::Win } else { Outcome::Draw };
            }
            parts -= 1;
        }
        // A lost position is known to be lost only if all moves are.
        let is_known = found.len() == legal.len() || found.iter().any(|bound| bound.least > Outcome::Loss);
        Ok(if is_known { found } else { Vec::new() })
    }
}

/// What a move of the placing phase is worth, as far as that was found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveBound {
    /// The move.
    pub mv: Move,
    /// What it is worth at least to the side that makes it.
    pub least: Outcome,
    /// Whether it is worth no more than that.
    pub is_exact: bool,
}

impl Expert {
    /// Opens the tables of a folder, after building those with up to `stones` stones that are missing; 0 builds none.
    pub fn open(folder: &Path, game: &Morris, stones: u32) -> Result<Expert, TablebaseError> {
        let tables = Arc::new(ensure(folder, game.rules(), stones)?);
        let is_complete = tables.is_complete();
        let expert = Expert { placing: None, tables };
        if is_complete { expert.with_search(folder, game) } else { Ok(expert) }
    }

    /// The same with a search of the placing phase also over tables that are not complete: it knows what their stones are
    /// enough for, and what was proved before. By rules that do not pass [`placing::check`] nothing is searched.
    pub fn with_search(self, folder: &Path, game: &Morris) -> Result<Expert, TablebaseError> {
        if self.placing.is_some() || placing::check(game.rules()).is_err() {
            return Ok(self);
        }
        let solver = PlacingSolver::new(Arc::clone(&self.tables), *game, 1, MEMORY);
        let store = ProvedBounds::load(&folder.join(file_name(game)), game)?;
        let stores = store.map(Arc::new).into_iter().chain(shipped(game)).collect();
        let expert = Expert { placing: Some(Mutex::new(Placing { solver, stores, left: 0 })), ..self };
        expert.forget();
        Ok(expert)
    }

    /// What is known of the moves of a position with stones in hand; nothing if that is not known of the best one.
    pub fn bounds(&self, game: &Morris, position: &Position) -> Result<Vec<MoveBound>, TablebaseError> {
        self.with_placing(|placing| placing.moves(game, position)).unwrap_or(Ok(Vec::new()))
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

    /// Proves what a position with stones in hand is worth and a move that keeps it, so that [`Expert::moves`] knows the
    /// best move and its value for sure. Seconds early in a game, a minute at worst; nothing without complete tables.
    pub fn settle(&self, game: &Morris, position: &Position) -> Result<(), TablebaseError> {
        if position.in_hand() == 0 {
            return Ok(());
        }
        self.with_placing(|placing| placing.settle(game, position)).unwrap_or(Ok(()))
    }

    /// Forgets what was found out since it was opened.
    pub fn forget(&self) {
        self.with_placing(|placing| {
            placing.solver.forget();
            for (key, bounds) in placing.stores.iter().flat_map(|store| store.iter()) {
                placing.solver.memory().put(key, bounds);
            }
        });
    }

    fn with_placing<T>(&self, work: impl FnOnce(&mut Placing) -> T) -> Option<T> {
        let placing = self.placing.as_ref()?;
        Some(work(&mut placing.lock().expect("no thread panics while it holds the lock")))
    }

    /// Legal moves with what each is worth to the side that makes it, the best first. None if that is not known of the
    /// best one, or if the game has ended.
    ///
    /// While stones are placed the nodes allowed may be too few to know it of all moves, or to tell a draw from a win:
    /// then moves are left out, or worth at least what is said.
    pub fn moves(
        &self,
        game: &Morris,
        position: &Position,
    ) -> Result<Vec<(Move, TablebaseValue)>, TablebaseError> {
        if position.in_hand() == 0 {
            return match moves_valued(&self.tables, game, position) {
                Err(TablebaseError::Missing { .. }) => Ok(Vec::new()),
                valued => valued,
            };
        }
        let valued = |bound: MoveBound| (bound.mv, TablebaseValue { outcome: bound.least, plies: None });
        let mut valued: Vec<_> = self.bounds(game, position)?.into_iter().map(valued).collect();
        valued.sort_by_key(|(_, value)| std::cmp::Reverse(value.preference()));
        Ok(valued)
    }
}

impl Oracle<Morris> for Expert {
    #[inline]
    fn probe(&self, game: &Morris, position: &Position, depth: u32) -> Option<Known> {
        Oracle::probe(&*self.tables, game, position, depth)
    }

    /// What it says of positions with stones in hand is what is kept at least.
    fn root(&self, game: &Morris, position: &Position) -> Option<KnownRoot<Move>> {
        let valued = self.moves(game, position).ok()?;
        let kept = preserving(&valued);
        let outcome = kept.first()?.1.outcome;
        let stands = |value| is_in_time(game.rules(), position, value);
        if !stands(kept.first()?.1) {
            return None;
        }
        // A win that comes too late is none; a loss is one whatever is played.
        let moves = kept.iter().filter(|&&(_, value)| outcome != Outcome::Win || stands(value));
        Some(KnownRoot { outcome, moves: moves.map(|&(mv, _)| mv).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight stones in all, so that the tables that are built in a second are enough.
    #[test]
    fn what_is_settled_is_known_without_further_search() {
        let folder = std::env::temp_dir().join(format!("trilith-settle-{}", std::process::id()));
        let game = Morris::default();
        let tables = Arc::new(ensure(&folder, game.rules(), 8).unwrap());
        let (mut seen, mut hard) = ([0; 3], 0);
        for text in [
            "ww1/bb1/3/6/3/3/3 w 1 1",
            "w1w/bb1/3/6/3/b2/w2 w 1 1",
            "w1w/bb1/3/6/3/3/3 w 2 2",
            "w2/w2/3/b5/3/b2/3 w 1 1",
            "www/bb1/3/6/3/3/3 b 0 1",
            "w2/3/3/5b/3/b2/2w w 2 2",
            "1w1/3/2b/6/b2/3/2w w 2 2",
        ] {
            let position = game.parse_position(text).unwrap();
            let solver = || PlacingSolver::new(Arc::clone(&tables), game, 1, 1);
            let truth = solver().outcome(&position, Effort::ENDLESS).unwrap().unwrap();
            let mut placing = Placing { solver: solver(), stores: Vec::new(), left: 0 };
            hard += u32::from(placing.moves(&game, &position).unwrap().is_empty());
            placing.settle(&game, &position).unwrap();
            let best = placing.moves(&game, &position).unwrap().into_iter().map(|bound| bound.least).max();
            if truth > Outcome::Loss {
                assert_eq!(best, Some(truth), "{text}");
            }
            seen[truth as usize] += 1;
        }
        assert!(seen[Outcome::Win as usize] > 0 && seen[Outcome::Draw as usize] > 0, "{seen:?}");
        assert!(hard > 0, "none of them needs to be settled");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
