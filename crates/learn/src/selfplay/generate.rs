//! Self-play of any game: some random moves, then search with the evaluation at hand to the end.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rand::RngExt;
use trilith_base::Seed;
use trilith_eval::{Evaluator, Unknowing, Value, WIN};
use trilith_games::{Colour, Game, Record, playout};
use trilith_search::{Control, Engine, Limits, Options};

use super::store::Played;

/// How games are played.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The rules of the games, one drawn for each.
    pub rules: Vec<String>,
    /// Random plies at the beginning: at least so many.
    pub random_least: u32,
    /// And at most so many.
    pub random_most: u32,
    /// What is spent on each move after that.
    pub limits: Limits,
    /// A game that lasts longer is scored by the last search.
    pub longest: usize,
    /// Where all draws come from; game `n` depends on this and `n` alone.
    pub seed: Seed,
}

/// One thread's player.
pub struct Generator<'a, G: Game, E> {
    plan: &'a Plan,
    games: Vec<G>,
    engine: Engine<G, E, Unknowing>,
}

impl<'a, G: Game, E: Evaluator<G>> Generator<'a, G, E> {
    /// A player that has not played yet; refuses rules that cannot be read.
    pub fn new(
        plan: &'a Plan,
        evaluator: E,
    ) -> Result<Generator<'a, G, E>, <G::Rules as std::str::FromStr>::Err> {
        let games = plan.rules.iter().map(|rules| rules.parse().map(G::new)).collect::<Result<_, _>>()?;
        let options = Options { table_mebibytes: 4, ..Options::default() };
        Ok(Generator { plan, games, engine: Engine::new(evaluator, Unknowing, options) })
    }

    /// Game number `number`. The same whatever was played before, because nothing is remembered.
    pub fn play(&mut self, number: u64) -> Played {
        let mut rng = self.plan.seed.derive("game", number).rng();
        let choice = rng.random_range(0..self.games.len());
        let game = self.games[choice].clone();
        let wanted = rng.random_range(self.plan.random_least..=self.plan.random_most) as usize;
        let mut record = Record::new(game.clone());
        playout::play_on(&mut record, wanted, &mut rng);
        let random = record.len();
        self.engine.forget();
        let mut values = Vec::new();
        while record.end().is_none() && record.len() < self.plan.longest {
            let answer = self.engine.analyse(&record, &self.plan.limits, &Control::default(), &mut |_| ());
            values.push(thousandths(score(answer.value(), answer.unit.one)));
            record.push_legal(answer.best().expect("the game goes on"));
        }
        let mover = game.to_move(record.position());
        let result = match record.end().map(|end| end.winner) {
            Some(None) => 500,
            Some(Some(winner)) => 1000 * u16::from(winner == mover),
            // The last value was that of the side that is not to move now.
            None => values.last().map_or(500, |&value| 1000 - value),
        };
        Played {
            rules: self.plan.rules[choice].clone(),
            random,
            moves: record.moves().map(|mv| game.move_text(mv)).collect(),
            values,
            result: if mover == Colour::Black { result } else { 1000 - result },
        }
    }
}

/// The expected score, 0 to 1, of a value in log odds.
pub fn score(value: Value, one: Value) -> f32 {
    if value.abs() > WIN / 2 {
        return if value > 0 { 1.0 } else { 0.0 };
    }
    1.0 / (1.0 + (-value as f32 / one as f32).exp())
}

fn thousandths(score: f32) -> u16 {
    (score * 1000.0).round() as u16
}

/// Plays games `first..` on `threads` threads until `count` are there or `time` is over, in the order of their numbers.
pub fn generate<G: Game, E: Evaluator<G> + Clone>(
    plan: &Plan,
    evaluator: &E,
    first: u64,
    count: u64,
    threads: usize,
    time: Option<Duration>,
) -> Result<Vec<Played>, <G::Rules as std::str::FromStr>::Err>
where
    <G::Rules as std::str::FromStr>::Err: Send,
{
    let start = Instant::now();
    let next = AtomicU64::new(first);
    let is_over = || time.is_some_and(|time| start.elapsed() >= time);
    let results: Vec<_> = std::thread::scope(|scope| {
        let work = || {
            let mut generator = Generator::<G, E>::new(plan, evaluator.clone())?;
            let mut games = Vec::new();
            while !is_over() {
                let number = next.fetch_add(1, Relaxed);
                if number >= first + count {
                    break;
                }
                games.push((number, generator.play(number)));
            }
            Ok(games)
        };
        let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().expect("a generating thread")).collect()
    });
    let mut games: Vec<(u64, Played)> = Vec::new();
    for result in results {
        games.extend(result?);
    }
    games.sort_unstable_by_key(|&(number, _)| number);
    Ok(games.into_iter().map(|(_, game)| game).collect())
}
