//! S4's reference player (4.8): four plies, at each of which only the three best moves so far are followed.
//!
//! Moves are judged alone, by whether they eject and by how many marbles they move, own and pushed; a line is worth
//! its moves, the opponent's taken away. S4 calls the weights optimised and does not print them; here an ejection
//! counts ten marbles. What looks equal is chosen among by lot.

use rand::RngExt;
use rand::seq::SliceRandom;
use trilith_base::Seed;
use trilith_base::seed::Rng;
use trilith_games::abalone::cells::neighbour;
use trilith_games::abalone::{Abalone, Move, Position};
use trilith_games::{Game, MoveList, Outcome, Record};

const DEPTH: u32 = 4;
const KEPT: usize = 3;
const EJECTION: i32 = 10;
/// A game won: more than any line of moves.
const WON: i32 = 1000;

/// The move of the reference player in a game that goes on; none in a position that has ended.
pub fn choose(record: &Record<Abalone>, seed: Seed) -> Option<Move> {
    let mut rng = seed.derive("reference", record.len() as u64).rng();
    let lines = followed(record.game(), record.position(), &mut rng)
        .into_iter()
        .map(|(worth, mv)| (worth - answer(record.game(), record.position(), mv, DEPTH - 1, &mut rng), mv));
    let lines: Vec<_> = lines.collect();
    let best = lines.iter().map(|line| line.0).max()?;
    let best: Vec<_> = lines.into_iter().filter(|line| line.0 == best).collect();
    Some(best[rng.random_range(0..best.len())].1)
}

/// What a move is worth by itself.
fn worth(position: &Position, mv: Move) -> i32 {
    let pushed = if mv.is_broadside() { 0 } else { pushed(position, mv) };
    EJECTION * i32::from(mv.ejects(position)) + i32::from(mv.marbles()) + pushed
}

/// How many marbles lie in the way of an in-line move.
fn pushed(position: &Position, mv: Move) -> i32 {
    let next = |cell| neighbour(cell, mv.direction());
    let ahead = std::iter::successors(next(mv.last()), |&cell| next(cell));
    ahead.take_while(|&cell| position.pushable() >> cell & 1 == 1).count() as i32
}

/// The best moves by themselves, at most three.
fn followed(game: &Abalone, position: &Position, rng: &mut Rng) -> Vec<(i32, Move)> {
    let mut moves = MoveList::new();
    game.moves(position, &mut moves);
    moves.shuffle(rng);
    let mut judged: Vec<_> = moves.into_iter().map(|mv| (worth(position, mv), mv)).collect();
    judged.sort_by_key(|&(worth, _)| -worth);
    judged.truncate(KEPT);
    judged
}

/// What the opponent can make of the position after `mv`, with `depth` plies left.
fn answer(game: &Abalone, position: &Position, mv: Move, depth: u32, rng: &mut Rng) -> i32 {
    let after = game.play(position, mv);
    match game.outcome(&after) {
        Some(Outcome::Loss) => -WON * (depth as i32 + 1),
        Some(Outcome::Win) => WON * (depth as i32 + 1),
        Some(Outcome::Draw) => 0,
        None if depth == 0 => 0,
        None => {
            let lines = followed(game, &after, rng).into_iter();
            let worth = lines.map(|(worth, mv)| worth - answer(game, &after, mv, depth - 1, rng));
            worth.max().unwrap_or(0)
        }
    }
}
