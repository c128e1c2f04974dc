//! Balanced openings: short beginnings from which a search sees neither side ahead.
//!
//! S5 (3.4) took positions with 12 discs that were nearly even at depth 10, so that a match tells the players apart and
//! not the colours. Here beginnings of random plies are searched instead of those of a database.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use trilith_base::Seed;
use trilith_games::{Game, Record};
use trilith_search::{Control, Limits};

use super::host::JobError;
use super::openings::{Opening, beginning, moves_text};
use crate::kit::GameKit;
use crate::player::{self, Player, PlayerError, Turn};
use crate::registry::{Visitor, with_game};
use crate::spec::PlayerSpec;

/// What to look for.
#[derive(Clone, Debug)]
pub struct Balanced {
    /// The game's name.
    pub game: String,
    /// Rule switches.
    pub rules: String,
    /// How many.
    pub count: usize,
    /// Random plies; 8 lead to 12 discs in Othello.
    pub plies: usize,
    /// Plies to search.
    pub depth: u32,
    /// How far from 0 a value may lie, in units of the evaluation.
    pub within: f64,
    /// Who searches.
    pub player: String,
    /// Where all draws come from.
    pub seed: Seed,
    /// Searches at the same time; the answer does not depend on it.
    pub threads: usize,
}

/// A balanced opening.
#[derive(Clone, Debug, PartialEq)]
pub struct BalancedOpening {
    /// As moves from the start.
    pub opening: Opening,
    /// For the side to move, in units of the evaluation.
    pub value: f64,
}

/// Beginnings looked at for each one wanted, before the search is given up.
const PATIENCE: u64 = 1000;
/// Beginnings searched by one thread at a time.
const BATCH: u64 = 4;

impl Balanced {
    /// The openings, fewer if `stop` was set or there are too few. `told` hears how many have been found, and of how
    /// many looked at.
    pub fn find(
        &self,
        stop: &AtomicBool,
        told: &mut dyn FnMut(usize, u64),
    ) -> Result<Vec<BalancedOpening>, JobError> {
        with_game(&self.game, Find { wanted: self, stop, told })?
    }
}

struct Find<'a> {
    wanted: &'a Balanced,
    stop: &'a AtomicBool,
    told: &'a mut dyn FnMut(usize, u64),
}

impl Visitor for Find<'_> {
    type Output = Result<Vec<BalancedOpening>, JobError>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let Find { wanted, stop, told } = self;
        let game = G::new(wanted.rules.parse()?);
        let spec: PlayerSpec = wanted.player.parse().map_err(PlayerError::Spec)?;
        let mut players: Vec<_> = (0..wanted.threads.max(1))
            .map(|_| player::player::<G, C>(&spec, wanted.seed))
            .collect::<Result<_, _>>()?;
        let (mut found, mut seen, mut looked) = (Vec::new(), HashSet::new(), 0);
        while found.len() < wanted.count && looked < PATIENCE * wanted.count as u64 && !stop.load(Relaxed) {
            for candidate in wanted.search(&game, &mut players, looked)? {
                let Some((record, value)) = candidate else { continue };
                let key = game.key(&game.canonical(record.position()).0);
                if value.abs() <= wanted.within && found.len() < wanted.count && seen.insert(key) {
                    let opening = Opening { position: None, moves: moves_text(&record) };
                    found.push(BalancedOpening { opening, value });
                }
            }
            looked += BATCH * players.len() as u64;
            told(found.len(), looked);
        }
        Ok(found)
    }
}

type Candidate<G> = Option<(Record<G>, f64)>;

impl Balanced {
    /// The next batch of beginnings from `first` on, in their order, with their values.
    fn search<G: Game>(
        &self,
        game: &G,
        players: &mut [Box<dyn Player<G>>],
        first: u64,
    ) -> Result<Vec<Candidate<G>>, PlayerError> {
        let threads = players.len() as u64;
        let mut shares: Vec<Vec<Candidate<G>>> = thread::scope(|scope| {
            let workers: Vec<_> = (first..)
                .zip(players)
                .map(|(start, player)| {
                    let numbers = (0..BATCH).map(move |step| start + step * threads);
                    scope.spawn(move || numbers.map(|number| self.value(game, player, number)).collect())
                })
                .collect();
            workers.into_iter().map(|worker| worker.join().expect("a search does not panic")).collect()
        });
        let mut candidates = Vec::new();
        for step in 0..BATCH as usize {
            candidates.extend(shares.iter_mut().map(|share| share[step].take()));
        }
        Ok(candidates)
    }

    /// Beginning `number` and its value; none if the game is over or the player has no value.
    fn value<G: Game>(&self, game: &G, player: &mut Box<dyn Player<G>>, number: u64) -> Candidate<G> {
        let record = beginning(game, self.plies, self.seed.derive("balanced", number));
        if record.end().is_some() {
            return None;
        }
        player.renew(self.seed);
        let control = Control::default();
        let turn = Turn { control: &control, limits: Limits::depth(self.depth) };
        let analysis = player.choose(&record, turn, &mut |_| ()).ok()?.analysis?;
        Some((record, f64::from(analysis.value()) / f64::from(analysis.unit.one)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::GAMES;

    #[test]
    fn openings_are_even_different_and_the_same_on_any_number_of_threads() {
        for game in GAMES {
            let wanted = Balanced {
                game: game.to_string(),
                rules: String::new(),
                count: 7,
                plies: 8,
                depth: 2,
                within: 0.0,
                player: "engine:quiescence=0,hash=1,eval=margin".into(),
                seed: Seed(1),
                threads: 1,
            };
            let find = |threads| {
                let wanted = Balanced { threads, ..wanted.clone() };
                wanted.find(&AtomicBool::new(false), &mut |_, _| ()).unwrap()
            };
            let found = find(1);
            assert_eq!(found, find(3));
            assert_eq!(found.len(), 7);
            assert!(
                found.iter().all(|found| found.value == 0.0 && found.opening.moves.split(' ').count() == 8)
            );
            let different: HashSet<_> = found.iter().map(|found| &found.opening.moves).collect();
            assert_eq!(different.len(), 7);
        }
    }
}
