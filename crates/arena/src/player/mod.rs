//! Players decide on one ply at a time.

mod book;
pub mod endgames;
pub(crate) mod engine;
pub(crate) mod external;
mod fault;
mod ladder;
pub mod levels;
mod mcts;
mod noisy;
pub(crate) mod perfect;
mod permission;
mod random;
mod random_weights;
mod reference;
pub mod text;

use trilith_base::{Seed, words};
use trilith_book::BookError;
use trilith_eval::EvaluationError;
use trilith_games::{Colour, Game, Record};
use trilith_search::probcut::ProbCutError;
use trilith_search::pruning::PruningError;
use trilith_search::{Analysis, Control, Limits};

pub use endgames::EndgameSource;
pub use fault::PlayerFault;
pub use permission::{Permission, restrict};

use crate::kit::GameKit;
use crate::spec::{PlayerSpec, SpecError};

/// What a player may use for one decision.
#[derive(Clone, Copy)]
pub struct Turn<'a> {
    /// Stops the player's search.
    pub control: &'a Control,
    /// What is asked for this move: a depth, a number of nodes, a time, a clock.
    pub limits: Limits,
}

impl Turn<'_> {
    /// The limits of this move where they say something, the player's own where they do not.
    pub fn limits_or(&self, own: &Limits) -> Limits {
        Limits {
            depth: self.limits.depth.or(own.depth),
            nodes: self.limits.nodes.or(own.nodes),
            time: self.limits.time.or(own.time),
            clock: self.limits.clock.or(own.clock),
        }
    }
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
    /// A legal move of a game that has not ended, or why there is none: who fails has lost by rule. `report` hears of
    /// deeper and deeper thoughts on the way.
    fn choose(
        &mut self,
        record: &Record<G>,
        turn: Turn<'_>,
        report: &mut dyn FnMut(&Analysis<G::Move>),
    ) -> Result<Decision<G::Move>, PlayerFault>;

    /// Gets ready for a game that goes on from `record`, before anybody's clock runs; `limits` are those of its first
    /// move. May be left out: then the first move takes longer.
    fn prepare(&mut self, _record: &Record<G>, _limits: &Limits) -> Result<(), PlayerFault> {
        Ok(())
    }

    /// Hears how a game has ended that it has played in; nobody has won a drawn one. No clock runs.
    fn finish(&mut self, _record: &Record<G>, _winner: Option<Colour>) {}

    /// Forgets all earlier games, but for what it keeps in a file, and is from now on as if just made with `seed`; false
    /// if it has to be made anew.
    fn renew(&mut self, _seed: Seed) -> bool {
        false
    }
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
    /// Its parameters of selective search are refused.
    #[error("parameters of ProbCut: {0}")]
    Selectivity(#[from] ProbCutError),
    /// Its techniques of pruning are refused.
    #[error("parameters of pruning: {0}")]
    Pruning(#[from] PruningError),
    /// Its book cannot be used.
    #[error(transparent)]
    Book(#[from] BookError),
}

/// A kind of player: its name, its options and what it is.
#[derive(Clone, Copy, Debug)]
pub struct PlayerKind {
    /// The name in specs.
    pub name: &'static str,
    /// The options it takes.
    pub options: &'static [&'static str],
    /// One line for people.
    pub about: &'static str,
}

/// All kinds of players.
pub const KINDS: &[PlayerKind] = &[
    random::KIND,
    random_weights::KIND,
    engine::KIND,
    ladder::KIND,
    perfect::ANY,
    perfect::TRICKY,
    reference::KIND,
    external::KIND,
    mcts::KIND,
    book::KIND,
];

/// The player that `spec` describes; all its draws come from `seed`.
pub fn player<G: Game, C: GameKit<G>>(
    spec: &PlayerSpec,
    seed: Seed,
) -> Result<Box<dyn Player<G>>, PlayerError> {
    C::player(spec, seed)
}

/// Makes the player for [`GameKit::player`]: whoever calls it has all kinds of players compiled with it.
pub(crate) fn make<G: Game, C: GameKit<G>>(
    spec: &PlayerSpec,
    seed: Seed,
) -> Result<Box<dyn Player<G>>, PlayerError> {
    let kind = KINDS.iter().find(|kind| kind.name == spec.name);
    let kind = kind.ok_or_else(|| SpecError::Unknown {
        name: spec.name.clone(),
        expected: words::expected(&spec.name, KINDS.iter().map(|kind| kind.name)),
    })?;
    spec.checked(kind.options)?;
    permission::check(spec)?;
    match kind.name {
        "random" => Ok(random::make(seed)),
        "random-weights" => random_weights::make::<G, C>(spec, seed),
        "engine" => engine::make::<G, C>(spec, seed),
        "tablebase" | "tricky" => perfect::make::<G, C>(spec, seed),
        "reference" => reference::make::<G, C>(seed),
        "external" if spec.get("protocol") == Some("batch") => mcts::make::<G, C>(spec, seed),
        "external" => external::make::<G, C>(spec),
        "mcts" => mcts::make::<G, C>(spec, seed),
        "book" => book::make::<G, C>(spec, seed),
        _ => ladder::make::<G, C>(spec, seed),
    }
}
