//! Players decide on one ply at a time.

mod engine;
mod ladder;
pub mod levels;
mod random;

use trilith_base::{Seed, words};
use trilith_eval::{Catalogue, EvaluationError};
use trilith_games::{Game, Record};
use trilith_search::limits::Clock;
use trilith_search::{Analysis, Control};

use crate::spec::{PlayerSpec, SpecError};

/// What a player may use for one decision.
#[derive(Clone, Copy)]
pub struct Turn<'a> {
    /// Stops the player's search.
    pub control: &'a Control,
    /// The player's clock, if the game is played with one.
    pub clock: Option<Clock>,
}

/// What a player decided and what it thought.
#[derive(Clone, Debug)]
pub struct Decision<M> {
    /// A legal move.
    pub mv: M,
    /// The search behind it, if there was one.
    pub analysis: Option<Analysis<M>>,
}

/// Decides on one ply.
pub trait Player<G: Game>: Send {
    /// A legal move of a game that has not ended. `report` hears of deeper and deeper thoughts on the way.
    fn choose(
        &mut self,
        record: &Record<G>,
        turn: Turn<'_>,
        report: &mut dyn FnMut(&Analysis<G::Move>),
    ) -> Decision<G::Move>;
}

/// Why a player cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// The text is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// Its evaluation cannot be had.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}

/// A kind of player: its name, its options and what it is.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The name in specs.
    pub name: &'static str,
    /// The options it takes.
    pub options: &'static [&'static str],
    /// One line for people.
    pub about: &'static str,
}

/// All kinds of players.
pub const KINDS: &[Kind] = &[random::KIND, engine::KIND, ladder::KIND];

/// The player that `spec` describes; all its draws come from `seed`.
pub fn player<G: Game, C: Catalogue<G>>(
    spec: &PlayerSpec,
    seed: Seed,
) -> Result<Box<dyn Player<G>>, PlayerError> {
    let kind = KINDS.iter().find(|kind| kind.name == spec.name);
    let kind = kind.ok_or_else(|| SpecError::Unknown {
        name: spec.name.clone(),
        expected: words::expected(&spec.name, KINDS.iter().map(|kind| kind.name)),
    })?;
    spec.checked(kind.options)?;
    match kind.name {
        "random" => Ok(random::make(seed)),
        "engine" => engine::make::<G, C>(spec, seed),
        _ => ladder::make::<G, C>(spec, seed),
    }
}
