//! What Othello's engine plays with: pattern weights alone, or a network on patterns.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use trilith_base::{Artifact, ArtifactError};
use trilith_games::othello::{Move, Othello, Position};
use trilith_games::{Game, Outcome};

use super::nnue::{self, Accumulator, Nnue};
use super::patterns::{Indices, ONE, OthelloPatterns};
use crate::evaluator::{Evaluator, Unit, Value};

/// Either of the two, by the kind of its file. A search decides once which one it is for.
#[derive(Clone)]
pub enum EngineEvaluation {
    /// Pattern weights.
    Patterns(Arc<OthelloPatterns>),
    /// A network on patterns.
    Nnue(Arc<Nnue>),
}

/// What the one in use keeps up to date.
#[derive(Clone, Copy)]
pub enum EngineCarry {
    /// Of pattern weights.
    Patterns(Indices),
    /// Of a network.
    Nnue(Accumulator),
}

impl EngineEvaluation {
    /// Reads a file of either kind.
    pub fn from_artifact(file: &Artifact) -> Result<EngineEvaluation, ArtifactError> {
        match file.header.kind.as_str() {
            nnue::file::KIND => shared(file).map(EngineEvaluation::Nnue),
            _ => Ok(EngineEvaluation::Patterns(Arc::new(OthelloPatterns::from_artifact(file)?))),
        }
    }
}

/// The networks in use, by the checksums of their files.
static IN_USE: Mutex<Vec<(String, Weak<Nnue>)>> = Mutex::new(Vec::new());

/// The network of a file, the same one for all who use it: sixteen players with rows of their own would fill every cache
/// with the same numbers.
fn shared(file: &Artifact) -> Result<Arc<Nnue>, ArtifactError> {
    let checksum = file.checksum()?;
    let mut in_use = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
    in_use.retain(|(_, network)| network.strong_count() > 0);
    let known = in_use.iter().find(|(known, _)| *known == checksum);
    if let Some(network) = known.and_then(|(_, network)| network.upgrade()) {
        return Ok(network);
    }
    let network = Arc::new(Nnue::from_artifact(file)?);
    in_use.push((checksum, Arc::downgrade(&network)));
    Ok(network)
}

impl Evaluator<Othello> for EngineEvaluation {
    type Carry = EngineCarry;

    fn unit(&self) -> Unit {
        Unit { name: "discs", one: ONE }
    }

    fn begin(&self, game: &Othello, position: &Position) -> EngineCarry {
        match self {
            EngineEvaluation::Patterns(patterns) => EngineCarry::Patterns(patterns.begin(game, position)),
            EngineEvaluation::Nnue(nnue) => EngineCarry::Nnue(nnue.begin(game, position)),
        }
    }

    fn advance(
        &self,
        game: &Othello,
        carry: &EngineCarry,
        before: &Position,
        mv: Move,
        after: &Position,
    ) -> EngineCarry {
        match (self, carry) {
            (EngineEvaluation::Patterns(patterns), EngineCarry::Patterns(carry)) => {
                EngineCarry::Patterns(patterns.advance(game, carry, before, mv, after))
            }
            (EngineEvaluation::Nnue(nnue), EngineCarry::Nnue(carry)) => {
                EngineCarry::Nnue(nnue.advance(game, carry, before, mv, after))
            }
            _ => unreachable!("a carry is begun by the evaluation that it is for"),
        }
    }

    fn value(&self, game: &Othello, position: &Position, carry: &EngineCarry) -> Value {
        match (self, carry) {
            (EngineEvaluation::Patterns(patterns), EngineCarry::Patterns(carry)) => {
                Evaluator::value(&**patterns, game, position, carry)
            }
            (EngineEvaluation::Nnue(nnue), EngineCarry::Nnue(carry)) => {
                Evaluator::value(&**nnue, game, position, carry)
            }
            _ => unreachable!("a carry is begun by the evaluation that it is for"),
        }
    }

    fn ended(&self, game: &Othello, position: &Position, _: Outcome) -> Value {
        game.margin(position) * ONE
    }

    fn is_familiar(&self, game: &Othello, position: &Position) -> bool {
        match self {
            EngineEvaluation::Patterns(patterns) => patterns.is_familiar(game, position),
            EngineEvaluation::Nnue(nnue) => nnue.is_familiar(game, position),
        }
    }
}
