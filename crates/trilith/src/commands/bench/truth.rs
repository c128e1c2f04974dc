//! How often players choose a move that keeps what a position is proved to be worth.

use std::time::{Duration, Instant};

use anyhow::ensure;
use serde::Serialize;
use trilith_arena::player::endgames::{EndgameSource, Endgames};
use trilith_arena::player::{self, Turn};
use trilith_arena::{GameKit, Visitor, with_game};
use trilith_base::Seed;
use trilith_eval::Oracle;
use trilith_games::{Game, Record, playout};
use trilith_search::{Control, Limits};

use super::Args;

/// How one player chose.
#[derive(Serialize)]
pub struct TruthShare {
    player: String,
    positions: usize,
    /// Choices that kept the proved outcome.
    kept: usize,
    share: f64,
    nodes: u64,
    seconds: f64,
}

/// Asks each player in turn about the same positions.
pub fn measure(args: &Args) -> anyhow::Result<Vec<TruthShare>> {
    with_game(&args.game, Truth(args))?
}

/// A table for people.
pub fn print(rows: &Vec<TruthShare>) {
    println!(
        "{:44} {:>9} {:>6} {:>7} {:>13} {:>9}",
        "player", "positions", "kept", "share", "nodes", "seconds"
    );
    for TruthShare { player, positions, kept, share, nodes, seconds } in rows {
        println!("{player:44} {positions:>9} {kept:>6} {:>6.1}% {nodes:>13} {seconds:>9.3}", share * 100.0);
    }
}

struct Truth<'a>(&'a Args);

/// Plies of a random game that are looked at; where nothing can go wrong is left out.
const PLIES: usize = 80;
/// Games that are looked through at most.
const GAMES: u64 = 20_000;

impl Visitor for Truth<'_> {
    type Output = anyhow::Result<Vec<TruthShare>>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let Truth(args) = self;
        let limits = Limits { time: Some(Duration::from_millis(args.time)), ..Limits::default() };
        let positions = known_positions::<G, C>(args.positions.unwrap_or(100) as usize)?;
        let own = args.player.clone().unwrap_or_else(|| "engine:tables=off,proofs=off".to_owned());
        let mut rows = Vec::new();
        for spec in std::iter::once(own).chain(args.against.clone()) {
            let mut player = player::player::<G, C>(&spec.parse()?, Seed(1))?;
            let mut row = TruthShare {
                player: spec,
                positions: positions.len(),
                kept: 0,
                share: 0.0,
                nodes: 0,
                seconds: 0.0,
            };
            for (record, keeping) in &positions {
                player.renew(Seed(1));
                let control = Control::default();
                let start = Instant::now();
                let decision = player.choose(record, Turn { control: &control, limits }, &mut |_| ())?;
                row.seconds += start.elapsed().as_secs_f64();
                row.nodes += decision.analysis.map_or(0, |analysis| analysis.nodes);
                row.kept += usize::from(keeping.contains(&decision.mv));
            }
            row.share = row.kept as f64 / positions.len() as f64;
            rows.push(row);
        }
        Ok(rows)
    }
}

/// A game that goes on, and the moves that keep what its position is worth.
type KnownPosition<G> = (Record<G>, Vec<<G as Game>::Move>);

/// Positions of random games of which a proof is at hand, and in which some moves are wrong; one of each game.
fn known_positions<G: Game, C: GameKit<G>>(count: usize) -> anyhow::Result<Vec<KnownPosition<G>>> {
    let game = G::new(G::Rules::default());
    let mut oracle = C::Endgames::new(EndgameSource::Usual, EndgameSource::Usual);
    oracle.get_ready(&game)?;
    let mut found = Vec::new();
    for number in 0..GAMES {
        if found.len() == count {
            break;
        }
        let mut rng = Seed(1).derive("truth", number).rng();
        let mut record = Record::new(game.clone());
        // Another part of each game, so that all phases come in.
        playout::play_on(&mut record, 4 + number as usize % PLIES, &mut rng);
        if record.end().is_some() {
            continue;
        }
        let known = oracle.root(&game, record.position());
        let keeping = known.map_or(Vec::new(), |known| known.moves);
        if !keeping.is_empty() && keeping.len() < game.count_moves(record.position()) {
            found.push((record, keeping));
        }
    }
    ensure!(
        !found.is_empty(),
        "nothing of {} is known by proof here: expected tables, see `trilith tablebase build`",
        G::NAME
    );
    Ok(found)
}
