//! Games of two equal players and what is taught of them.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use trilith_base::Seed;
use trilith_base::seed::mix;
use trilith_eval::dense::{Dense, MOST_INPUTS};
use trilith_eval::{FeatureSet, Oracle};
use trilith_games::{Colour, Game, Outcome, Record, playout};

use super::rule::{Rule, Student};
use crate::othilie::{Leaf, search};

/// A network as a player with a random number added to each estimate.
pub struct NetworkPlayer<'a, G: Game> {
    /// What the network sees.
    pub set: &'a dyn FeatureSet<G>,
    /// Says how likely win, draw and loss are.
    pub dense: &'a Dense,
    /// The largest random number.
    pub radius: f64,
    /// Where the random numbers come from: in one search a position has one.
    pub noise: Seed,
    /// Once it is set, any move will do.
    pub stop: &'a AtomicBool,
}

/// Few inputs need little room on the stack.
const FEW: usize = 64;

impl<G: Game> NetworkPlayer<'_, G> {
    fn worth<const WIDTH: usize>(&self, game: &G, position: &G::Position) -> f64 {
        let mut inputs = [0.0; WIDTH];
        let inputs = &mut inputs[..self.set.count()];
        self.set.fill(game, position, inputs);
        self.dense.run(inputs, |outputs| f64::from(outputs[0] - outputs[2]))
    }
}

impl<G: Game> Leaf<G> for NetworkPlayer<'_, G> {
    fn value(&self, game: &G, position: &G::Position, is_own: bool) -> f64 {
        let worth = match self.set.count() {
            0..=FEW => self.worth::<FEW>(game, position),
            _ => self.worth::<MOST_INPUTS>(game, position),
        };
        let word = mix(game.key(position) ^ self.noise.0);
        let noise = self.radius * ((word >> 11) as f64 / (1_u64 << 52) as f64 - 1.0);
        let value = (worth + noise).clamp(-0.999, 0.999);
        if is_own { value } else { -value }
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

/// Where teaching values come from.
pub enum Labels<G: Game> {
    /// The result of the game, mixed with what the network says on the way.
    Play {
        /// How much of what the next position was taught; the rest is what the network says of it.
        lambda: f32,
        /// Ends a game as soon as its result is known.
        oracle: Option<Box<dyn Oracle<G>>>,
    },
    /// An oracle, where it knows; other positions teach nothing.
    Oracle(Box<dyn Oracle<G>>),
}

/// The positions of one player in a game, in order, and the result for it if no oracle says more.
pub struct TeachingGame<G: Game> {
    positions: Vec<G::Position>,
    outcome: Outcome,
}

impl<G: Game> TeachingGame<G> {
    /// What `colour` can learn from a game, whoever has played it.
    pub fn of(record: &Record<G>, colour: Colour, winner: Option<Colour>) -> TeachingGame<G> {
        let game = record.game();
        let own = (0..record.len()).filter_map(|plies| record.position_after(plies));
        let positions = own.filter(|position| game.to_move(position) == colour).copied().collect();
        let outcome = Outcome::of(winner.map_or(0, |winner| if winner == colour { 1 } else { -1 }));
        TeachingGame { positions, outcome }
    }

    /// The positions in order.
    pub fn positions(&self) -> &[G::Position] {
        &self.positions
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Whether the game was drawn.
    pub fn is_drawn(&self) -> bool {
        self.outcome == Outcome::Draw
    }
}

/// How a game is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LessonPace {
    /// Plies looked ahead.
    pub depth: u32,
    /// Random plies at the beginning.
    pub opening: usize,
    /// Drawn after so many plies.
    pub plies: usize,
}

/// What perfect play makes of a position, however long it takes to know: no search waits for it.
fn truth<G: Game>(oracle: &dyn Oracle<G>, game: &G, position: &G::Position) -> Option<Outcome> {
    oracle.probe(game, position, u32::MAX).map(|known| known.outcome)
}

impl<G: Game> Labels<G> {
    fn known(&self, game: &G, position: &G::Position) -> Option<Outcome> {
        match self {
            Labels::Play { oracle: Some(oracle), .. } => {
                oracle.probe(game, position, 0).map(|known| known.outcome)
            }
            _ => None,
        }
    }

    /// A game of a player against itself, as two lessons; cut short where the player is stopped.
    pub fn play(
        &self,
        game: &G,
        player: &NetworkPlayer<G>,
        pace: &LessonPace,
        seed: Seed,
    ) -> [TeachingGame<G>; 2] {
        let mut record = Record::new(game.clone());
        playout::play_on(&mut record, pace.opening, &mut seed.derive("opening", 0).rng());
        let mut seen = [Vec::new(), Vec::new()];
        let mut winner = None;
        while record.end().is_none() && record.len() < pace.plies && !player.is_stopped() {
            let now = *record.position();
            let mover = game.to_move(&now);
            if let Some(outcome) = self.known(game, &now) {
                winner = outcome.winner(mover);
                break;
            }
            seen[usize::from(mover == Colour::White)].push(now);
            let noise = seed.derive("noise", record.len() as u64);
            let player = NetworkPlayer { noise, ..*player };
            record.push_legal(search(game, &player, &now, pace.depth).mv);
        }
        winner = record.end().map_or(winner, |end| end.winner);
        let [black, white] = seen;
        let lesson = |positions, colour| TeachingGame {
            positions,
            outcome: Outcome::of(winner.map_or(0, |winner| if winner == colour { 1 } else { -1 })),
        };
        [lesson(black, Colour::Black), lesson(white, Colour::White)]
    }

    /// Teaches a lesson; gives back the sum of the errors and how many positions were learned, or nothing if `stop` was set
    /// on the way.
    pub fn teach(
        &self,
        game: &G,
        set: &dyn FeatureSet<G>,
        student: &mut Student,
        lesson: &TeachingGame<G>,
        rule: &Rule,
        stop: &AtomicBool,
    ) -> Option<(f64, u64)> {
        let goes_on = || (!stop.load(Relaxed)).then_some(());
        let inputs = |position: &G::Position| trilith_eval::features::of(set, game, position);
        let taught: Vec<(Vec<f32>, [f32; 3])> = match self {
            Labels::Oracle(oracle) => lesson
                .positions
                .iter()
                .filter_map(|position| Some((inputs(position), target(truth(&**oracle, game, position)?))))
                .collect(),
            Labels::Play { lambda, .. } => {
                let mut now = target(lesson.outcome);
                let mut taught = Vec::with_capacity(lesson.positions.len());
                for position in lesson.positions.iter().rev() {
                    goes_on()?;
                    let inputs = inputs(position);
                    let said = student.outputs(&inputs);
                    let before = std::array::from_fn(|at| lambda * now[at] + (1.0 - lambda) * said[at]);
                    taught.push((inputs, now));
                    now = before;
                }
                taught.reverse();
                taught
            }
        };
        let mut errors = 0.0;
        for (inputs, target) in &taught {
            goes_on()?;
            errors += student.learn(inputs, target, rule);
        }
        Some((errors, taught.len() as u64))
    }
}

/// Win, draw and loss as certain.
fn target(outcome: Outcome) -> [f32; 3] {
    match outcome {
        Outcome::Win => [1.0, 0.0, 0.0],
        Outcome::Draw => [0.0, 1.0, 0.0],
        Outcome::Loss => [0.0, 0.0, 1.0],
    }
}

/// A seed that stands for no noise.
pub const QUIET: Seed = Seed(0);

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_eval::Known;
    use trilith_games::morris::{Morris, Position};

    /// Knows everything, but not at once: as packed tables do.
    struct Packed;

    impl Oracle<Morris> for Packed {
        fn probe(&self, _: &Morris, _: &Position, depth: u32) -> Option<Known> {
            (depth >= 2).then_some(Known { outcome: Outcome::Draw, plies: None })
        }
    }

    #[test]
    fn lessons_wait_for_what_has_to_be_unpacked() {
        let game = Morris::default();
        assert_eq!(truth(&Packed, &game, &game.start()), Some(Outcome::Draw));
    }
}
