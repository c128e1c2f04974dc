//! What is known of Morris by proof, at the disposal of every player.
//!
//! Players are generic in the game and tables are not. Here, and only here, the two meet: [`Endgames`] is an oracle
//! for every game that knows nothing of any but Morris, which the compiler sees, so other games pay nothing for it.

use std::any::Any;
use std::path::PathBuf;
use std::time::Duration;

use trilith_eval::{Known, KnownRoot, Oracle};
use trilith_games::Game;
use trilith_games::morris::{Morris, Position};
use trilith_search::Limits;
use trilith_tablebase::{Expert, default_folder};

use super::{Fault, Player};

/// Stones up to which tables are built on first use: a second of work.
pub const FIRST_STONES: u32 = 8;

/// Where tables come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// No tables.
    Off,
    /// The program's own folder; where it cannot be used there are no tables.
    Usual,
    /// This folder, which must be usable.
    Folder(PathBuf),
}

/// Tables, opened when the first game shows by which rules it is played.
pub struct Endgames {
    source: Source,
    stones: u32,
    /// With the rules they are for.
    expert: Option<(Morris, Option<Expert>)>,
}

impl Endgames {
    /// From `source`, built up to `stones` stones where they are missing.
    pub fn new(source: Source, stones: u32) -> Endgames {
        Endgames { source, stones, expert: None }
    }

    /// Opens the tables for a game by these rules, and builds the small ones on first use.
    pub fn get_ready<G: Game>(&mut self, game: &G) -> Result<(), Fault> {
        let Some(game) = (game as &dyn Any).downcast_ref::<Morris>() else { return Ok(()) };
        if self.expert.as_ref().is_some_and(|(ready, _)| ready == game) {
            return Ok(());
        }
        let folder = match &self.source {
            Source::Off => return Ok(()),
            Source::Usual => default_folder(game.rules()),
            Source::Folder(folder) => folder.clone(),
        };
        let expert = match Expert::open(&folder, game, self.stones) {
            Ok(expert) => Some(expert),
            Err(_) if self.source == Source::Usual => None,
            Err(error) => return Err(fault(&error)),
        };
        self.expert = Some((*game, expert));
        Ok(())
    }

    /// What is known by the rules of the last game; none without tables.
    pub fn expert(&self) -> Option<&Expert> {
        self.expert.as_ref().and_then(|(_, expert)| expert.as_ref())
    }

    /// How much of a turn may go into the placing phase, where tables are complete.
    pub fn allow(&self, limits: &Limits) {
        /// Without a time the same for every turn, so that games can be repeated.
        const USUAL: u64 = 200_000;
        /// A seventh of what a core of 2023 does that has nothing else to do.
        const NODES_PER_SECOND: f64 = 100_000.0;
        let by_time = |time: Duration| (time.as_secs_f64() / 2.0 * NODES_PER_SECOND) as u64;
        if let Some(expert) = self.expert() {
            expert.allow(limits.hard().map_or(USUAL, by_time));
        }
    }

    /// Forgets earlier games.
    pub fn forget(&self) {
        if let Some(expert) = self.expert() {
            expert.forget();
        }
    }
}

/// Tables that were asked for and cannot be used.
pub(super) fn fault(error: &trilith_tablebase::TablebaseError) -> Fault {
    let source = std::error::Error::source(error).map(|source| format!(": {source}")).unwrap_or_default();
    Fault::Start { program: "tablebase".into(), reason: format!("{error}{source}") }
}

impl<G: Game> Oracle<G> for Endgames {
    #[inline]
    fn probe(&self, _: &G, position: &G::Position, depth: u32) -> Option<Known> {
        let position = (position as &dyn Any).downcast_ref::<Position>()?;
        let (game, expert) = self.expert.as_ref()?;
        expert.as_ref()?.probe(game, position, depth)
    }

    fn root(&self, _: &G, position: &G::Position) -> Option<KnownRoot<G::Move>> {
        let position = (position as &dyn Any).downcast_ref::<Position>()?;
        let (game, expert) = self.expert.as_ref()?;
        let root: Box<dyn Any> = Box::new(expert.as_ref()?.root(game, position)?);
        root.downcast::<KnownRoot<G::Move>>().ok().map(|root| *root)
    }
}

/// The player as one of the game `G`; none unless that is Morris.
pub(super) fn for_game<G: Game>(player: Box<dyn Player<Morris>>) -> Option<Box<dyn Player<G>>> {
    let same: Box<dyn Any> = Box::new(player);
    same.downcast::<Box<dyn Player<G>>>().ok().map(|player| *player)
}
