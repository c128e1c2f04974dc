//! What each technique of the search ladder gains: nodes and time by depth over a fixed set of positions.
//!
//! Morris' positions are S2's (2.9): random ones of the placing and of the moving phase. The other games take positions
//! of random games from all their stages.

use std::time::Instant;

use serde::Serialize;
use trilith_arena::{Visitor, with_game};
use trilith_base::Seed;
use trilith_eval::{Boxed, Catalogue};
use trilith_games::{Game, Record, playout};
use trilith_search::{Ladder, Rung};

/// Mean cost of a search with one technique to one depth.
#[derive(Serialize)]
pub struct Row {
    set: &'static str,
    technique: &'static str,
    depth: u32,
    positions: usize,
    nodes: f64,
    milliseconds: f64,
}

/// Searches every position of both sets with every rung to every depth from 2 on.
pub fn measure(game: &str, depth: u32, positions: u64) -> anyhow::Result<Vec<Row>> {
    with_game(game, Measure { depth, positions })?
}

/// A table for people.
pub fn print(rows: &Vec<Row>) {
    println!("{:8} {:20} {:>5} {:>14} {:>12}", "set", "technique", "depth", "nodes", "ms");
    for Row { set, technique, depth, nodes, milliseconds, .. } in rows {
        println!("{set:8} {technique:20} {depth:>5} {nodes:>14.1} {milliseconds:>12.3}");
    }
}

struct Measure {
    depth: u32,
    positions: u64,
}

/// Where in a game a set lies: its name and the plies played at random, from and to.
type Stage = (&'static str, usize, usize);

/// In Morris the first 18 plies place.
const STAGES: [Stage; 2] = [("placing", 2, 16), ("moving", 19, 60)];
const STAGES_OF_OTHERS: [Stage; 2] = [("early", 2, 20), ("late", 21, 45)];

/// Rungs without cut-offs visit every position: they are left out past this depth.
const FULL_WIDTH_DEPTH: u32 = 4;

impl Visitor for Measure {
    type Output = anyhow::Result<Vec<Row>>;

    fn visit<G: Game, C: Catalogue<G>>(self) -> Self::Output {
        let game = G::new(G::Rules::default());
        let name =
            C::entries().iter().find(|entry| entry.name == "standard").map_or("margin", |entry| entry.name);
        let evaluator = Boxed(C::named(name, None)?);
        let radius = evaluator.0.unit().one / 4;
        let mut rows = Vec::new();
        for (set, from, to) in if G::NAME == "morris" { STAGES } else { STAGES_OF_OTHERS } {
            let positions = sample(&game, from, to, self.positions);
            for depth in 2..=self.depth {
                let rungs = Rung::ALL.into_iter().filter(|&r| r > Rung::Negamax || depth <= FULL_WIDTH_DEPTH);
                for rung in rungs {
                    let start = Instant::now();
                    let mut nodes = 0;
                    let mut ladder = Ladder::new(&game, &evaluator, rung.techniques(radius, 16));
                    for position in &positions {
                        match rung {
                            Rung::Minimax => {
                                ladder.minimax(position, depth);
                            }
                            _ => {
                                ladder.search(position, depth);
                            }
                        }
                        nodes += ladder.nodes();
                    }
                    let count = positions.len() as f64;
                    rows.push(Row {
                        set,
                        technique: rung.name(),
                        depth,
                        positions: positions.len(),
                        nodes: nodes as f64 / count,
                        milliseconds: start.elapsed().as_secs_f64() * 1e3 / count,
                    });
                }
            }
        }
        Ok(rows)
    }
}

/// Positions in which the game goes on, after `from` to `to` random plies.
fn sample<G: Game>(game: &G, from: usize, to: usize, count: u64) -> Vec<G::Position> {
    let mut positions = Vec::new();
    for number in 0.. {
        if positions.len() as u64 == count {
            break;
        }
        let mut record = Record::new(game.clone());
        let plies = from + number as usize % (to - from + 1);
        playout::play_on(&mut record, plies, &mut Seed(1).derive("ladder", number).rng());
        if record.end().is_none() && record.len() == plies {
            positions.push(*record.position());
        }
    }
    positions
}
