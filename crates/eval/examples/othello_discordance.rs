//! Discordance of S5's features on games of shallow searches: `cargo run --release --example othello_discordance`.
//!
//! Games begin with 20 random plies (Lee and Mahajan, as told in S5, 3.3), go on by a search of three plies with
//! the patterns by hand, and label all their positions with the final difference. Prints one line a disc number.

use std::collections::BTreeMap;

use trilith_base::Seed;
use trilith_eval::othello::logistello::Labelled;
use trilith_eval::othello::logistello::discordance::by_discs;
use trilith_eval::othello::logistello::measure::MEASURES;
use trilith_eval::othello::{Evaluations, OthelloPatterns};
use trilith_eval::{Evaluator, Value};
use trilith_games::othello::{Othello, Position};
use trilith_games::{Game, MoveList, playout};

const GAMES: u64 = 3000;
const RANDOM_PLIES: usize = 20;
const DEPTH: u32 = 3;

fn main() {
    let game = Othello::default();
    let patterns = Evaluations::patterns();
    let positions: Vec<Labelled> = (0..GAMES).flat_map(|number| play(&game, &patterns, number)).collect();
    let columns: Vec<(&str, BTreeMap<_, _>)> = MEASURES
        .iter()
        .map(|(name, measure, _)| {
            (*name, by_discs(&positions, |position| f64::from(measure.value(position))))
        })
        .collect();
    println!("discs positions {}", columns.iter().map(|(name, _)| format!("{name:>15}")).collect::<String>());
    for discs in (12..=62).step_by(5) {
        let Some(first) = columns[0].1.get(&discs) else { continue };
        let values = columns.iter().map(|(_, column)| format!("{:15.4}", column[&discs].value));
        println!("{discs:5} {:9} {}", first.positions, values.collect::<String>());
    }
}

/// The positions of one game with its result.
fn play(game: &Othello, patterns: &OthelloPatterns, number: u64) -> Vec<Labelled> {
    let mut rng = Seed(1).derive("game", number).rng();
    let mut seen = vec![game.start()];
    while let Some(random) = playout::random_move(game, seen.last().expect("begins with one"), &mut rng) {
        let position = *seen.last().expect("begins with one");
        let mv = if seen.len() <= RANDOM_PLIES { random } else { best(game, patterns, &position) };
        seen.push(game.play(&position, mv));
    }
    let end = seen.last().expect("begins with one");
    let margin = f64::from(game.margin(end));
    let label = |position: &Position| if position.to_move == end.to_move { margin } else { -margin };
    seen.iter().map(|position| Labelled { position: *position, label: label(position) }).collect()
}

fn best(game: &Othello, patterns: &OthelloPatterns, position: &Position) -> <Othello as Game>::Move {
    let mut moves = MoveList::new();
    game.moves(position, &mut moves);
    let value = |mv| -negamax(game, patterns, &game.play(position, mv), DEPTH - 1, -Value::MAX, Value::MAX);
    moves.iter().copied().max_by_key(|&mv| value(mv)).expect("the game goes on")
}

fn negamax(
    game: &Othello,
    patterns: &OthelloPatterns,
    position: &Position,
    depth: u32,
    alpha: Value,
    beta: Value,
) -> Value {
    if let Some(outcome) = game.outcome(position) {
        return Evaluator::ended(patterns, game, position, outcome);
    }
    if depth == 0 {
        return Evaluator::value(patterns, game, position, &patterns.begin(game, position));
    }
    let mut moves = MoveList::new();
    game.moves(position, &mut moves);
    let mut alpha = alpha;
    for &mv in &moves {
        alpha = alpha.max(-negamax(game, patterns, &game.play(position, mv), depth - 1, -beta, -alpha));
        if alpha >= beta {
            break;
        }
    }
    alpha
}
