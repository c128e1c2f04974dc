//! S5's EndCut: what a selective search for the winner saves before the exact one, and how often it errs (table 4.1).

use serde::Serialize;
use trilith_base::Seed;
use trilith_eval::Evaluator;
use trilith_eval::othello::{EngineEvaluation, Evaluations};
use trilith_games::othello::{Othello, Position};
use trilith_games::{Game, Record, playout};
use trilith_search::{Control, EndCut, Engine, EngineOptions, Ladder, Limits, Rung};

use crate::commands::bench::Args;

/// What one level gives over all positions.
#[derive(Serialize)]
pub struct EndcutRow {
    /// Discs that the test must reach.
    level: i32,
    positions: usize,
    selective_nodes: u64,
    exact_nodes: u64,
    /// Winners named wrongly.
    wrong: usize,
}

const LEVELS: [i32; 5] = [4, 6, 8, 12, 16];
/// Empty squares at the root, and discs at which the test is made.
const EMPTIES: u32 = 18;
const DISCS: usize = 52;

/// Decides the same positions at every level.
pub fn measure(args: &Args) -> anyhow::Result<Vec<EndcutRow>> {
    let (game, evaluator) = (Othello::default(), EngineEvaluation::Patterns(Evaluations::patterns()));
    let one = Evaluator::<Othello>::unit(&evaluator).one;
    let positions = endgames(&game, args.positions.unwrap_or(40));
    let rows = LEVELS.map(|level| {
        let mut row =
            EndcutRow { level, positions: positions.len(), selective_nodes: 0, exact_nodes: 0, wrong: 0 };
        for position in &positions {
            let mut ladder = Ladder::new(&game, &evaluator, Rung::History.techniques(one, 16));
            let cut = EndCut { phase: DISCS - 1, depth: 4, level: level * one };
            let decided = ladder.decide(position, Some(cut));
            row.selective_nodes += decided.nodes[0];
            row.exact_nodes += decided.nodes[1];
            row.wrong += usize::from(decided.guess != decided.outcome);
        }
        row
    });
    Ok(rows.into())
}

/// A table for people.
pub fn print(rows: &Vec<EndcutRow>) {
    println!(
        "{:>5} {:>9} {:>15} {:>12} {:>6} {:>5}",
        "level", "positions", "selective nodes", "exact nodes", "share", "wrong"
    );
    for EndcutRow { level, positions, selective_nodes, exact_nodes, wrong } in rows {
        let share = *selective_nodes as f64 / *exact_nodes as f64;
        println!("{level:>5} {positions:>9} {selective_nodes:>15} {exact_nodes:>12} {share:>6.2} {wrong:>5}");
    }
}

/// Positions of games between equals: random openings, then a shallow search on both sides.
fn endgames(game: &Othello, count: u64) -> Vec<Position> {
    let mut engine = Engine::new(
        EngineEvaluation::Patterns(Evaluations::patterns()),
        trilith_eval::Unknowing,
        EngineOptions { table_mebibytes: 4, ..EngineOptions::default() },
    );
    let mut positions = Vec::new();
    for number in 0.. {
        if positions.len() as u64 == count {
            break;
        }
        let mut record = Record::new(game.clone());
        playout::play_on(&mut record, 8, &mut Seed(1).derive("endcut", number).rng());
        while record.end().is_none() && record.position().empties().count_ones() > EMPTIES {
            let answer = engine.analyse(&record, &Limits::depth(4), &Control::default(), &mut |_| ());
            record.push_legal(answer.best().expect("the game goes on"));
        }
        if record.end().is_none() && game.outcome(record.position()).is_none() {
            positions.push(*record.position());
        }
    }
    positions
}
