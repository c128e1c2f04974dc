//! What won and what lost in the placing phases of games: every move of their positions is proved, and what is decided is
//! kept for the engine to know.

use std::collections::HashSet;

use trilith_games::morris::{Morris, Position};
use trilith_games::{Game, MoveList, Outcome};

use super::{Bounds, Effort, Key, PlacingSolver, ProvedBounds, key};
use crate::error::TablebaseError;

/// Which positions of games are looked at, and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LessonSettings {
    /// Positions with at least so many stones in hand.
    pub least: u32,
    /// And at most so many.
    pub most: u32,
    /// Positions visited for each question; what they do not settle is left out.
    pub effort: u64,
    /// Everything decided that came up on the way is kept as well, with at least so many stones in hand.
    pub keep: u32,
}

/// Lessons as they are learned.
pub struct PlacingLessons<'a> {
    solver: &'a PlacingSolver,
    game: Morris,
    settings: LessonSettings,
    kept: Vec<(Key, Bounds)>,
    seen: HashSet<Key>,
    mistakes: u64,
}

fn is_decided(bounds: Bounds) -> bool {
    bounds.low == Outcome::Win || bounds.high == Outcome::Loss
}

impl<'a> PlacingLessons<'a> {
    /// None so far. The solver must be for the rules of `game`.
    pub fn new(solver: &'a PlacingSolver, game: Morris, settings: LessonSettings) -> PlacingLessons<'a> {
        PlacingLessons { solver, game, settings, kept: Vec::new(), seen: HashSet::new(), mistakes: 0 }
    }

    /// Begins with what is proved already: it is kept, and helps.
    pub fn add(&mut self, store: &ProvedBounds) {
        store.iter().for_each(|(key, bounds)| self.solver.memory().put(key, bounds));
        self.kept.extend(store.iter());
    }

    /// Learns from the positions of a game, one after the other, until `is_over`; whether all were looked at.
    pub fn learn_game(
        &mut self,
        positions: &[Position],
        is_over: &dyn Fn() -> bool,
    ) -> Result<bool, TablebaseError> {
        for (position, after) in positions.iter().zip(positions.iter().skip(1)) {
            if is_over() {
                return Ok(false);
            }
            let hand = u32::from(position.in_hand());
            let is_wanted = (self.settings.least..=self.settings.most).contains(&hand);
            if is_wanted && self.seen.insert(key(position)) {
                self.mistakes += u64::from(self.learn(position, after)?);
            }
        }
        Ok(true)
    }

    /// Values every move, and keeps those that win or lose; whether the move played lost something.
    fn learn(&mut self, position: &Position, played: &Position) -> Result<bool, TablebaseError> {
        let mut moves = MoveList::new();
        self.game.moves(position, &mut moves);
        let (mut best, mut got) = (Some(Outcome::Win), None);
        for &mv in &moves {
            let after = self.game.play(position, mv);
            if after.in_hand() == 0 {
                return Ok(false);
            }
            let value = self.solver.outcome(&after, Effort { stop: None, nodes: self.settings.effort })?;
            if let Some(value @ (Outcome::Win | Outcome::Loss)) = value {
                self.kept.push((key(&after), Bounds { low: value, high: value }));
            }
            best = best.zip(value).map(|(best, value)| best.min(value));
            if after == *played {
                got = value;
            }
        }
        Ok(best.zip(got).is_some_and(|(best, got)| got > best))
    }

    /// Positions of games that were looked at, and those of them with a mistake.
    pub fn counts(&self) -> (usize, u64) {
        (self.seen.len(), self.mistakes)
    }

    /// All that was learned.
    pub fn into_store(mut self) -> ProvedBounds {
        let on_the_way = self.solver.memory().iter(self.settings.keep);
        self.kept.extend(on_the_way.filter(|&(_, bounds)| is_decided(bounds)));
        ProvedBounds::from_bounds(self.kept)
    }
}
