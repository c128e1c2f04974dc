//! What each technique of the search ladder gains: nodes and time by depth over a fixed set of positions.
//!
//! The positions are random ones of the stages that the game names ([`GameKit::STAGES`]). Above the ladder's own rungs
//! stand those of the engine: without selective search, then with one technique of [`trilith_search::pruning`] after the
//! other, each with all before it, by the game's own numbers or the usual ones; ProbCut is the last. What can never act in a
//! game is left out.

use std::time::Instant;

use serde::Serialize;
use trilith_arena::{GameKit, Visitor, with_game};
use trilith_base::Seed;
use trilith_eval::{Boxed, Unknowing};
use trilith_games::{Game, Record, playout};
use trilith_search::probcut::Cuts;
use trilith_search::pruning;
use trilith_search::{Control, Engine, EngineOptions, Ladder, Limits, Rung, Techniques};

use super::Args;

/// Mean cost of a search with one technique to one depth.
#[derive(Serialize)]
pub struct LadderRow {
    set: &'static str,
    technique: String,
    depth: u32,
    positions: usize,
    nodes: f64,
    milliseconds: f64,
}

/// Searches every position of both sets with every technique to every depth from 2 on.
pub fn measure(args: &Args) -> anyhow::Result<Vec<LadderRow>> {
    let (depth, positions) = (args.depth.unwrap_or(4), args.positions.unwrap_or(200));
    with_game(&args.game, Measure { depth, positions, eval: args.eval.as_deref() })?
}

/// A table for people.
pub fn print(rows: &Vec<LadderRow>) {
    println!("{:8} {:42} {:>5} {:>14} {:>12}", "set", "technique", "depth", "nodes", "ms");
    for LadderRow { set, technique, depth, nodes, milliseconds, .. } in rows {
        println!("{set:8} {technique:42} {depth:>5} {nodes:>14.1} {milliseconds:>12.3}");
    }
}

struct Measure<'a> {
    depth: u32,
    positions: u64,
    eval: Option<&'a str>,
}

/// Rungs without cut-offs visit every position: they are left out past this depth.
const FULL_WIDTH_DEPTH: u32 = 4;

/// The techniques of S2, table 2.9: each alone on top of iterative deepening, and what its program used.
const ALONE: [(&str, Techniques); 4] = [
    ("deepening, minimal window", Techniques { minimal_window: true, ..DEEPENING }),
    ("deepening, table", Techniques { table: Some(MEBIBYTES), ..DEEPENING }),
    ("deepening, forcing moves first", Techniques { forcing_first: true, ..DEEPENING }),
    (
        "deepening, minimal window, table, forcing",
        Techniques { minimal_window: true, table: Some(MEBIBYTES), forcing_first: true, ..DEEPENING },
    ),
];
const DEEPENING: Techniques = Techniques::DEEPENING;
const MEBIBYTES: usize = 16;

impl Visitor for Measure<'_> {
    type Output = anyhow::Result<Vec<LadderRow>>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let game = G::new(G::Rules::default());
        let entries = C::entries();
        let usual = ["standard", "production", "patterns"];
        let usual = usual.into_iter().find(|name| entries.iter().any(|entry| entry.name == *name));
        let evaluator = Boxed(C::named(self.eval.or(usual).unwrap_or("margin"), None)?);
        let cuts = C::probcut(&evaluator).map(|it| Cuts::new(&it, evaluator.0.unit(), None));
        let rungs = Rung::ALL.map(|rung| {
            (rung.name(), rung.techniques(evaluator.0.unit().one / 4, MEBIBYTES), rung == Rung::Minimax, None)
        });
        let alone = ALONE.map(|(name, techniques)| (name, techniques, false, None));
        let last = Rung::Shallow.techniques(evaluator.0.unit().one / 4, MEBIBYTES);
        let selective = cuts.iter().map(|cuts| ("probcut", last, false, Some(cuts)));
        let searches: Vec<_> = rungs.into_iter().chain(alone).chain(selective).collect();
        let options = EngineOptions { table_mebibytes: MEBIBYTES, ..EngineOptions::default() };
        let engines = pruning::engine_rungs::<G, C>(&game, options)?;
        let mut rows = Vec::new();
        for &(set, from, to) in C::STAGES {
            let positions = sample(&game, from, to, self.positions);
            for depth in 2..=self.depth {
                for &(technique, techniques, minimax, cuts) in &searches {
                    if techniques.full_width && depth > FULL_WIDTH_DEPTH {
                        continue;
                    }
                    rows.push(mean((set, technique, depth), &positions, |position| {
                        let mut ladder = Ladder::new(&game, &evaluator, techniques);
                        ladder.cut_by(cuts);
                        match minimax {
                            true => drop(ladder.minimax(position, depth)),
                            false => drop(ladder.search(position, depth)),
                        }
                        ladder.nodes()
                    }));
                }
                for rung in &engines {
                    let name =
                        rung.technique.map_or("engine".into(), |name| format!("engine, ... and {name}"));
                    rows.push(mean((set, &name, depth), &positions, |position| {
                        engine_nodes::<G, C>(&game, position, &rung.options, depth)
                    }));
                }
            }
        }
        Ok(rows)
    }
}

/// Nodes that the engine's own recursion needs.
fn engine_nodes<G: Game, C: GameKit<G>>(
    game: &G,
    position: &G::Position,
    options: &EngineOptions,
    depth: u32,
) -> u64 {
    let mut engine = Engine::new(C::engine_evaluator(), Unknowing, options.clone());
    let Ok(record) = Record::from_position(game.clone(), *position) else { return 0 };
    engine.analyse(&record, &Limits::depth(depth), &Control::default(), &mut |_| ()).nodes
}

/// The mean cost of a search of each position; `search` answers with its nodes.
fn mean<P>(
    (set, technique, depth): (&'static str, &str, u32),
    positions: &[P],
    search: impl Fn(&P) -> u64,
) -> LadderRow {
    let start = Instant::now();
    let count = positions.len() as f64;
    let nodes = positions.iter().map(search).sum::<u64>() as f64 / count;
    eprintln!("{set}, depth {depth}, {technique}: {nodes:.1} nodes");
    let milliseconds = start.elapsed().as_secs_f64() * 1e3 / count;
    LadderRow { set, technique: technique.to_owned(), depth, positions: positions.len(), nodes, milliseconds }
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
