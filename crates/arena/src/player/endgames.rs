//! What is known of Morris by proof, at the disposal of every player.
//!
//! Players are generic in the game and tables are not. Here, and only here, the two meet: [`Endgames`] is an oracle
//! for every game that knows nothing of any but Morris, which the compiler sees, so other games pay nothing for it.

use std::any::Any;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use trilith_eval::{Known, KnownRoot, Oracle};
use trilith_games::morris::{Morris, Position};
use trilith_games::{Game, Outcome};
use trilith_search::Limits;
use trilith_tablebase::placing::{Store, key, shipped};
use trilith_tablebase::{Expert, default_folder};

use super::{Fault, Player};

/// Where tables, or proved positions, come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// None.
    Off,
    /// The program's own; where they cannot be used there are none.
    Usual,
    /// This folder or file, which must be usable.
    Path(PathBuf),
}

/// Tables and proved positions, opened when the first game shows by which rules it is played.
pub struct Endgames {
    source: Source,
    stones: u32,
    proofs: Source,
    /// With the rules they are for.
    ready: Option<Ready>,
}

struct Ready {
    game: Morris,
    expert: Option<Expert>,
    /// Positions with stones in hand, and how many of these each has at least.
    proved: Option<(Arc<Store>, u32)>,
}

impl Endgames {
    /// From `source`, built up to `stones` stones where they are missing; without proved positions.
    pub fn new(source: Source, stones: u32) -> Endgames {
        Endgames { source, stones, proofs: Source::Off, ready: None }
    }

    /// The same with proved positions of the placing phase.
    pub fn with_proofs(self, proofs: Source) -> Endgames {
        Endgames { proofs, ..self }
    }

    /// Opens the tables for a game by these rules, and builds the small ones on first use.
    pub fn get_ready<G: Game>(&mut self, game: &G) -> Result<(), Fault> {
        let Some(game) = (game as &dyn Any).downcast_ref::<Morris>() else { return Ok(()) };
        if self.ready.as_ref().is_some_and(|ready| ready.game == *game) {
            return Ok(());
        }
        let (expert, proved) = (self.open_tables(game)?, self.open_proofs(game)?);
        let proved = proved.map(|store| {
            let least = store.least_hands();
            (store, least)
        });
        self.ready = Some(Ready { game: *game, expert, proved });
        Ok(())
    }

    fn open_tables(&self, game: &Morris) -> Result<Option<Expert>, Fault> {
        let folder = match &self.source {
            Source::Off => return Ok(None),
            Source::Usual => default_folder(game.rules()),
            Source::Path(folder) => folder.clone(),
        };
        match Expert::open(&folder, game, self.stones) {
            Ok(expert) => Ok(Some(expert)),
            Err(_) if self.source == Source::Usual => Ok(None),
            Err(error) => Err(fault(&error)),
        }
    }

    fn open_proofs(&self, game: &Morris) -> Result<Option<Arc<Store>>, Fault> {
        match &self.proofs {
            Source::Off => Ok(None),
            Source::Usual => Ok(shipped(game)),
            Source::Path(file) => match Store::load(file, game).map_err(|error| fault(&error))? {
                Some(store) => Ok(Some(Arc::new(store))),
                None => {
                    let reason = format!("{}: no such file", file.display());
                    Err(Fault::Start { program: "proofs".into(), reason })
                }
            },
        }
    }

    /// What is known by the rules of the last game; none without tables.
    pub fn expert(&self) -> Option<&Expert> {
        self.ready.as_ref().and_then(|ready| ready.expert.as_ref())
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

impl Ready {
    /// What is proved to be won or lost with stones in hand, where a search of some plies is saved. Drawn positions are
    /// not told: some are easier to lose than others.
    #[inline]
    fn proved(&self, position: &Position, depth: u32) -> Option<Known> {
        const WORTH_LOOKING_UP: u32 = 2;
        let (store, least) = self.proved.as_ref()?;
        let hands = u32::from(position.in_hand());
        if depth < WORTH_LOOKING_UP || hands == 0 || hands < *least {
            return None;
        }
        let bounds = store.get(key(position));
        match (bounds.low, bounds.high) {
            (Outcome::Win, _) => Some(Known { outcome: Outcome::Win, plies: None }),
            (_, Outcome::Loss) => Some(Known { outcome: Outcome::Loss, plies: None }),
            _ => None,
        }
    }
}

impl<G: Game> Oracle<G> for Endgames {
    #[inline]
    fn probe(&self, _: &G, position: &G::Position, depth: u32) -> Option<Known> {
        let position = (position as &dyn Any).downcast_ref::<Position>()?;
        let ready = self.ready.as_ref()?;
        let by_tables = || ready.expert.as_ref()?.probe(&ready.game, position, depth);
        ready.proved(position, depth).or_else(by_tables)
    }

    fn root(&self, _: &G, position: &G::Position) -> Option<KnownRoot<G::Move>> {
        let position = (position as &dyn Any).downcast_ref::<Position>()?;
        let ready = self.ready.as_ref()?;
        let root: Box<dyn Any> = Box::new(ready.expert.as_ref()?.root(&ready.game, position)?);
        root.downcast::<KnownRoot<G::Move>>().ok().map(|root| *root)
    }
}

/// The player as one of the game `G`; none unless that is Morris.
pub(super) fn for_game<G: Game>(player: Box<dyn Player<Morris>>) -> Option<Box<dyn Player<G>>> {
    let same: Box<dyn Any> = Box::new(player);
    same.downcast::<Box<dyn Player<G>>>().ok().map(|player| *player)
}
