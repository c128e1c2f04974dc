//! Time to a depth in the middle of games: one thread, more threads, other players.

use std::time::Instant;

use serde::Serialize;
use trilith_arena::player::{self, Player, Turn};
use trilith_arena::{GameKit, Visitor, with_game};
use trilith_base::Seed;
use trilith_games::{Game, Record, playout};
use trilith_search::{Analysis, Control, Limits};

use super::Args;

/// What searches of all positions cost one kind of engine.
#[derive(Serialize)]
pub struct DepthCost {
    player: String,
    positions: usize,
    depth: u32,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
    /// Time of the first engine in relation to this one's.
    speed: f64,
    /// Nodes more than the first engine's, as a share: what threads do twice or in vain.
    overhead: f64,
}

/// Searches the same positions with each engine in turn.
pub fn measure(args: &Args) -> anyhow::Result<Vec<DepthCost>> {
    with_game(&args.game, args)?
}

/// A table for people.
pub fn print(costs: &Vec<DepthCost>) {
    println!(
        "{:36} {:>9} {:>5} {:>13} {:>9} {:>12} {:>6} {:>8}",
        "player", "positions", "depth", "nodes", "seconds", "nodes/s", "speed", "overhead"
    );
    for DepthCost { player, positions, depth, nodes, seconds, nodes_per_second, speed, overhead } in costs {
        println!(
            "{player:36} {positions:>9} {depth:>5} {nodes:>13} {seconds:>9.3} {nodes_per_second:>12.0} {speed:>6.2} \
             {:>7.0}%",
            overhead * 100.0
        );
    }
}

/// Plies at random, then plies of a shallow search: from such positions on the depth is timed.
const RANDOM: usize = 8;
const PLAYED: usize = 12;
/// Mebibytes of table: enough for searches of some seconds on many threads.
const HASH: usize = 256;

impl Visitor for &Args {
    type Output = anyhow::Result<Vec<DepthCost>>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let depth = self.depth.unwrap_or(10);
        let records = middle_games::<G, C>(self.positions.unwrap_or(10))?;
        let more = if self.threads.is_empty() { &[2][..] } else { &self.threads };
        let threads = std::iter::once(1).chain(more.iter().copied().filter(|&threads| threads != 1));
        let specs = threads.map(|threads| format!("engine:threads={threads},hash={HASH}"));
        let specs = specs.chain(self.against.clone());
        let mut costs: Vec<DepthCost> = specs
            .map(|player| DepthCost {
                player,
                positions: records.len(),
                depth,
                nodes: 0,
                seconds: 0.0,
                nodes_per_second: 0.0,
                speed: 1.0,
                overhead: 0.0,
            })
            .collect();
        let mut players = Vec::new();
        for cost in &costs {
            players.push(player::player::<G, C>(&cost.player.parse()?, Seed(1))?);
        }
        // One position after the other, so that a busy moment of the machine slows all engines.
        for record in &records {
            for (cost, player) in costs.iter_mut().zip(&mut players) {
                player.renew(Seed(1));
                let start = Instant::now();
                let analysis = search(player, record, Limits::depth(depth))?;
                cost.seconds += start.elapsed().as_secs_f64();
                cost.nodes += analysis.map_or(0, |analysis| analysis.nodes);
            }
        }
        let (seconds, nodes) = (costs[0].seconds, costs[0].nodes as f64);
        for cost in &mut costs {
            cost.nodes_per_second = cost.nodes as f64 / cost.seconds;
            cost.speed = seconds / cost.seconds;
            cost.overhead = cost.nodes as f64 / nodes - 1.0;
        }
        Ok(costs)
    }
}

fn search<G: Game>(
    player: &mut Box<dyn Player<G>>,
    record: &Record<G>,
    limits: Limits,
) -> anyhow::Result<Option<Analysis<G::Move>>> {
    let control = Control::default();
    let decision = player.choose(record, Turn { control: &control, limits }, &mut |_| ())?;
    Ok(decision.analysis)
}

/// Games that go on, some plies after a random opening.
fn middle_games<G: Game, C: GameKit<G>>(count: u64) -> anyhow::Result<Vec<Record<G>>> {
    let mut records = Vec::new();
    let mut player = player::player::<G, C>(&"engine:hash=1,selectivity=off".parse()?, Seed(1))?;
    for number in 0.. {
        if records.len() as u64 == count {
            break;
        }
        let mut record = Record::new(G::new(G::Rules::default()));
        playout::play_on(&mut record, RANDOM, &mut Seed(1).derive("depth", number).rng());
        for _ in 0..PLAYED {
            if record.end().is_none() {
                let answer = search(&mut player, &record, Limits::nodes(2000))?;
                record.push_legal(answer.and_then(|answer| answer.best()).expect("engines search"));
            }
        }
        if record.end().is_none() {
            records.push(record);
        }
    }
    Ok(records)
}
