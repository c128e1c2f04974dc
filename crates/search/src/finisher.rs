//! Finishers: searches of their own that take over where the end of the game is in reach.
//!
//! The engine asks once a move, so a finisher stands behind a pointer; inside it is as static as it likes.

use trilith_eval::Unit;
use trilith_games::Game;

use crate::analysis::Line;
use crate::limits::{Control, Limits};

/// Searches to the end of the game. Knows positions only: for games whose rules need no history.
pub trait Finisher<G: Game>: Send {
    /// Whether the end is in reach within `limits`, and then the limits of the ordinary search that comes first and
    /// gives a move to fall back on.
    fn plan(&self, game: &G, position: &G::Position, limits: &Limits, lines: usize) -> Option<Limits>;

    /// Searches to the end with at most so many nodes until `control` is stopped; `report` hears what was found, better
    /// and better. The game must not have ended.
    fn finish(
        &mut self,
        position: &G::Position,
        lines: usize,
        nodes: Option<u64>,
        control: &Control,
        report: &mut dyn FnMut(FinishedSearch<G::Move>),
    );

    /// Forgets earlier positions.
    fn forget(&mut self);
}

/// What a search to the end has found.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedSearch<M> {
    /// Best first; only as many as were asked for.
    pub lines: Vec<Line<M>>,
    /// What the values count.
    pub unit: Unit,
    /// Plies to the longest end.
    pub plies: u32,
    /// Nothing was taken for certain that is only probable.
    pub proved: bool,
    /// Positions visited.
    pub nodes: u64,
}

/// When a finisher is asked, and how it works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FinisherSettings {
    /// From so many plies before the end on, whatever the depth limit; none leaves it to the limits.
    pub plies: Option<u32>,
    /// Threads that search.
    pub threads: usize,
}
