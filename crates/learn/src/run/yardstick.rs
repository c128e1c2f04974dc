//! Small strength tests: a learner's play against a fixed player.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rand::RngExt;
use trilith_arena::player::{self, Turn};
use trilith_arena::statistics::Tally;
use trilith_arena::{GameKit, PlayerError, PlayerSpec};
use trilith_base::Seed;
use trilith_games::{Colour, Game, Record, playout};
use trilith_search::{Control, Limits};

use super::RunError;
use super::learner::StepContext;

/// A fixed player and how it is played against.
#[derive(Clone, Debug)]
pub struct Yardstick {
    /// Such as `random` or `minimax:depth=2`.
    pub spec: PlayerSpec,
    /// How many games; colours alternate.
    pub games: u64,
    /// Random plies before both take over, the same for two games in a row.
    pub opening: usize,
    /// Undecided after so many plies if nothing else has ended the game.
    pub plies: usize,
    /// Whether the side that leads wins an undecided game; else it is drawn.
    pub leader_wins: bool,
}

impl Yardstick {
    /// The player that a config names, checked.
    pub fn parse<G: Game, C: GameKit<G>>(
        text: &str,
        games: u64,
        opening: usize,
    ) -> Result<Yardstick, RunError> {
        let spec: PlayerSpec = text.parse().map_err(PlayerError::Spec)?;
        player::player::<G, C>(&spec, Seed(1))?;
        Ok(Yardstick { spec, games, opening, plies: 400, leader_wins: false })
    }

    /// What provenance says of a rate of points, 0 to 1.
    pub fn result(&self, rate: f64) -> String {
        format!("{rate:.3} of {} games against {}", self.games, self.spec)
    }

    /// How `choose` fares: it gets the record and a seed for its draws and gives back a legal move. The result does not
    /// depend on the number of threads. Looks before each ply whether the run is to stop.
    pub fn measure<G: Game, C: GameKit<G>>(
        &self,
        game: &G,
        seed: Seed,
        work: &StepContext,
        choose: impl Fn(&Record<G>, Seed) -> G::Move + Sync,
    ) -> Result<Tally, RunError> {
        let [mut all, white] = self.by_colour::<G, C>(game, seed, work, choose)?;
        all += white;
        Ok(all)
    }

    /// The same, with Black and with White.
    pub fn by_colour<G: Game, C: GameKit<G>>(
        &self,
        game: &G,
        seed: Seed,
        work: &StepContext,
        choose: impl Fn(&Record<G>, Seed) -> G::Move + Sync,
    ) -> Result<[Tally; 2], RunError> {
        let play = |number| self.play::<G, C>(game, (seed, number), work.stop, &choose);
        let signs: Result<Vec<i32>, RunError> = work.all(0..self.games, play)?.into_iter().collect();
        let mut tallies = [Tally::default(); 2];
        signs?.into_iter().enumerate().for_each(|(number, sign)| tallies[number % 2].count(sign));
        Ok(tallies)
    }

    /// The sign of one game for `choose`.
    fn play<G: Game, C: GameKit<G>>(
        &self,
        game: &G,
        (seed, number): (Seed, u64),
        stop: &AtomicBool,
        choose: &impl Fn(&Record<G>, Seed) -> G::Move,
    ) -> Result<i32, RunError> {
        let mut record = Record::new(game.clone());
        playout::play_on(&mut record, self.opening, &mut seed.derive("opening", number / 2).rng());
        let seed = seed.derive("game", number);
        let mut other = player::player::<G, C>(&self.spec, seed.derive("yardstick", 0))?;
        let own = if number.is_multiple_of(2) { Colour::Black } else { Colour::White };
        let control = Control::default();
        while record.end().is_none() && record.len() < self.plies {
            if stop.load(Relaxed) {
                return Err(RunError::Stopped);
            }
            let mv = if game.to_move(record.position()) == own {
                choose(&record, seed.derive("ply", record.len() as u64))
            } else {
                let turn = Turn { control: &control, limits: Limits::default() };
                let decision = other.choose(&record, turn, &mut |_| ());
                decision.map_err(|fault| RunError::Learner(format!("yardstick {}: {fault}", self.spec)))?.mv
            };
            record.push_legal(mv);
        }
        Ok(match record.end().and_then(|end| end.winner) {
            Some(winner) if winner == own => 1,
            Some(_) => -1,
            None if self.leader_wins => {
                let lead = game.margin(record.position()).signum();
                if game.to_move(record.position()) == own { lead } else { -lead }
            }
            None => 0,
        })
    }
}

/// Results as measures of a run: all together, with Black, with White.
pub fn measures([black, white]: [Tally; 2]) -> [(&'static str, f64); 3] {
    let mut all = black;
    all += white;
    [("strength", all.rate()), ("with black", black.rate()), ("with white", white.rate())]
}

/// One of the moves that are worth most, by lot, where `worth` is what a move leads to for who makes it; what is not a
/// number, as after learning too fast, is worth least.
pub fn best<G: Game>(
    record: &Record<G>,
    seed: Seed,
    mut worth: impl FnMut(&G::Position, G::Move) -> f32,
) -> G::Move {
    let mut moves = trilith_games::MoveList::new();
    record.game().moves(record.position(), &mut moves);
    let mut number = |mv| match worth(record.position(), mv) {
        worth if worth.is_nan() => f32::NEG_INFINITY,
        worth => worth,
    };
    let valued: Vec<_> = moves.into_iter().map(|mv| (number(mv), mv)).collect();
    let best = valued.iter().map(|valued| valued.0).fold(f32::NEG_INFINITY, f32::max);
    let near: Vec<_> = valued.into_iter().filter(|valued| valued.0 >= best).collect();
    near[seed.rng().random_range(0..near.len())].1
}
