//! What is known by proof, at the disposal of players: tables of endgames, proved positions.

use std::path::PathBuf;

use trilith_eval::{Oracle, Unknowing};
use trilith_games::Game;
use trilith_search::Limits;

use super::PlayerFault;

/// Where tables, or proved positions, come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndgameSource {
    /// None.
    Off,
    /// The program's own; where they cannot be used there are none.
    Usual,
    /// This folder or file, which must be usable.
    Path(PathBuf),
}

/// An oracle that is opened when the first game shows by which rules it is played.
pub trait Endgames<G: Game>: Oracle<G> + 'static {
    /// With tables and proved positions from these places; nothing is opened yet.
    fn new(tables: EndgameSource, proofs: EndgameSource) -> Self;

    /// Opens what belongs to a game by these rules.
    fn get_ready(&mut self, _game: &G) -> Result<(), PlayerFault> {
        Ok(())
    }

    /// How much of a turn may go into proofs.
    fn allow(&self, _limits: &Limits) {}

    /// Forgets earlier games.
    fn forget(&self) {}
}

/// A game of which nothing is known by proof.
impl<G: Game> Endgames<G> for Unknowing {
    fn new(_: EndgameSource, _: EndgameSource) -> Unknowing {
        Unknowing
    }
}
