//! The moves of a position with stones in hand, each with what it is worth, some plies deep.

use trilith_games::morris::{Move, Position};
use trilith_games::{Game, Outcome};

use super::{Effort, PlacingSolver};
use crate::error::TablebaseError;

/// A move of each class, with those that can follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvedMove {
    /// The move.
    pub mv: Move,
    /// For the side that makes it.
    pub value: Outcome,
    /// Those of the other side after it; none at the last ply.
    pub replies: Vec<ProvedMove>,
}

impl PlacingSolver {
    /// The value of a position for the side to move, and those of its moves for `plies` plies; none if it was stopped.
    pub fn prove(
        &self,
        position: &Position,
        plies: u32,
        effort: Effort,
    ) -> Result<Option<(Outcome, Vec<ProvedMove>)>, TablebaseError> {
        let Some(value) = self.outcome(position, effort)? else { return Ok(None) };
        let mut moves = Vec::new();
        for (mv, value) in if plies > 0 { self.moves(position, effort)? } else { Vec::new() } {
            let Some(value) = value else { return Ok(None) };
            let replies = match plies {
                1 => Some(Vec::new()),
                _ => {
                    self.prove(&self.game.play(position, mv), plies - 1, effort)?.map(|(_, replies)| replies)
                }
            };
            let Some(replies) = replies else { return Ok(None) };
            moves.push(ProvedMove { mv, value, replies });
        }
        Ok(Some((value, moves)))
    }
}
