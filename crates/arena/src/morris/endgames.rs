//! What is known of Morris by proof, at the disposal of every player.

use std::sync::Arc;
use std::time::Duration;

use trilith_eval::{Known, KnownRoot, Oracle};
use trilith_games::morris::{Morris, Move, Position};
use trilith_games::{Game, Outcome};
use trilith_search::Limits;
use trilith_tablebase::placing::{ProvedBounds, key, shipped};
use trilith_tablebase::{Expert, FIRST_STONES, default_folder};

use crate::player::PlayerFault;
use crate::player::endgames::{EndgameSource, Endgames};

/// Tables and proved positions, opened when the first game shows by which rules it is played.
pub struct MorrisEndgames {
    source: EndgameSource,
    stones: u32,
    proofs: EndgameSource,
    /// With the rules they are for.
    ready: Option<Ready>,
}

struct Ready {
    game: Morris,
    expert: Option<Expert>,
    /// Positions with stones in hand, and how many of these each has at least.
    proved: Option<(Arc<ProvedBounds>, u32)>,
}

impl MorrisEndgames {
    /// The same, built up to `stones` stones where they are missing.
    pub fn up_to(self, stones: u32) -> MorrisEndgames {
        MorrisEndgames { stones, ..self }
    }

    fn open_tables(&self, game: &Morris) -> Result<Option<Expert>, PlayerFault> {
        let folder = match &self.source {
            EndgameSource::Off => return Ok(None),
            EndgameSource::Usual => default_folder(game.rules()),
            EndgameSource::Path(folder) => folder.clone(),
        };
        match Expert::open(&folder, game, self.stones) {
            Ok(expert) => Ok(Some(expert)),
            Err(_) if self.source == EndgameSource::Usual => Ok(None),
            Err(error) => Err(fault(&error)),
        }
    }

    fn open_proofs(&self, game: &Morris) -> Result<Option<Arc<ProvedBounds>>, PlayerFault> {
        match &self.proofs {
            EndgameSource::Off => Ok(None),
            EndgameSource::Usual => Ok(shipped(game)),
            EndgameSource::Path(file) => {
                match ProvedBounds::load(file, game).map_err(|error| fault(&error))? {
                    Some(store) => Ok(Some(Arc::new(store))),
                    None => {
                        let reason = format!("{}: no such file", file.display());
                        Err(PlayerFault::Start { program: "proofs".into(), reason })
                    }
                }
            }
        }
    }

    /// What is known by the rules of the last game; none without tables.
    pub fn expert(&self) -> Option<&Expert> {
        self.ready.as_ref().and_then(|ready| ready.expert.as_ref())
    }
}

impl Endgames<Morris> for MorrisEndgames {
    fn new(tables: EndgameSource, proofs: EndgameSource) -> MorrisEndgames {
        MorrisEndgames { source: tables, stones: FIRST_STONES, proofs, ready: None }
    }

    /// Builds the small tables on first use.
    fn get_ready(&mut self, game: &Morris) -> Result<(), PlayerFault> {
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

    /// Only where tables are complete, in the placing phase.
    fn allow(&self, limits: &Limits) {
        /// Without a time the same for every turn, so that games can be repeated.
        const USUAL: u64 = 200_000;
        /// A seventh of what a core of 2023 does that has nothing else to do.
        const NODES_PER_SECOND: f64 = 100_000.0;
        let by_time = |time: Duration| (time.as_secs_f64() / 2.0 * NODES_PER_SECOND) as u64;
        if let Some(expert) = self.expert() {
            expert.allow(limits.hard().map_or(USUAL, by_time));
        }
    }

    fn forget(&self) {
        if let Some(expert) = self.expert() {
            expert.forget();
        }
    }
}

/// Tables that were asked for and cannot be used.
pub(super) fn fault(error: &trilith_tablebase::TablebaseError) -> PlayerFault {
    let source = std::error::Error::source(error).map(|source| format!(": {source}")).unwrap_or_default();
    PlayerFault::Start { program: "tablebase".into(), reason: format!("{error}{source}") }
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

impl Oracle<Morris> for MorrisEndgames {
    #[inline]
    fn probe(&self, _: &Morris, position: &Position, depth: u32) -> Option<Known> {
        let ready = self.ready.as_ref()?;
        let by_tables = || ready.expert.as_ref()?.probe(&ready.game, position, depth);
        ready.proved(position, depth).or_else(by_tables)
    }

    fn root(&self, _: &Morris, position: &Position) -> Option<KnownRoot<Move>> {
        let ready = self.ready.as_ref()?;
        ready.expert.as_ref()?.root(&ready.game, position)
    }
}
