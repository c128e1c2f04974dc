//! By how much moves come late that were given a time.

use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use trilith_arena::player::{self, Turn};
use trilith_arena::{GameKit, Visitor, with_game};
use trilith_base::Seed;
use trilith_games::{Game, Record, playout};
use trilith_search::{Control, Limits};

use super::Args;

/// Milliseconds past the given time, over all moves that used it up. Negative is early.
#[derive(Serialize)]
pub struct Lateness {
    game: &'static str,
    threads: usize,
    milliseconds: u64,
    /// Timed moves, and how many of them were not decided before their time was over.
    moves: u64,
    used_up: usize,
    mean: f64,
    median: f64,
    percentile_99: f64,
    most: f64,
}

/// Times moves of games that the engine plays with itself.
pub fn measure(args: &Args) -> anyhow::Result<Lateness> {
    with_game(&args.game, Timed(args))?
}

/// Two lines for people.
pub fn print(it: &Lateness) {
    println!(
        "{}, {} threads: {} moves of {} ms, {} used up",
        it.game, it.threads, it.moves, it.milliseconds, it.used_up
    );
    println!(
        "late by, ms: mean {:.2}, median {:.2}, 99th percentile {:.2}, most {:.2}",
        it.mean, it.median, it.percentile_99, it.most
    );
}

/// A move that comes this early was decided before its time was over.
const EARLY: f64 = -1.5;
/// Random plies at the beginning of each game.
const RANDOM: usize = 6;
/// Between moves, as if the other side moved.
const PAUSE: Duration = Duration::from_millis(4);
/// Longer games are left off.
const LONGEST: usize = 80;

struct Timed<'a>(&'a Args);

impl Visitor for Timed<'_> {
    type Output = anyhow::Result<Lateness>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let Timed(args) = self;
        let mut player =
            player::player::<G, C>(&format!("engine:threads={}", args.threads()).parse()?, Seed(1))?;
        let mut late = Vec::new();
        let mut record = Record::new(G::new(G::Rules::default()));
        for number in 0..args.moves {
            while record.end().is_some() || record.len() >= LONGEST || record.is_empty() {
                record = Record::new(G::new(G::Rules::default()));
                playout::play_on(&mut record, RANDOM, &mut Seed(1).derive("time", number).rng());
                player.renew(Seed(1));
                player.prepare(&record, &Limits::time(Duration::from_millis(args.time)))?;
            }
            thread::sleep(PAUSE);
            let start = Instant::now();
            let control = Control::default();
            let turn = Turn { control: &control, limits: Limits::time(Duration::from_millis(args.time)) };
            let decision = player.choose(&record, turn, &mut |_| ())?;
            late.push(start.elapsed().as_secs_f64() * 1e3 - args.time as f64);
            record.push_legal(decision.mv);
        }
        late.retain(|&late| late >= EARLY);
        late.sort_by(f64::total_cmp);
        let at = |share: f64| {
            late.get(((late.len() as f64 * share) as usize).min(late.len().saturating_sub(1)))
                .copied()
                .unwrap_or(0.0)
        };
        Ok(Lateness {
            game: G::NAME,
            threads: args.threads(),
            milliseconds: args.time,
            moves: args.moves,
            used_up: late.len(),
            mean: late.iter().sum::<f64>() / late.len().max(1) as f64,
            median: at(0.5),
            percentile_99: at(0.99),
            most: at(1.0),
        })
    }
}
