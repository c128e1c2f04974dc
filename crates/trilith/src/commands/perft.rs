//! `trilith perft`: counts the ways to play on for so many plies.

use std::time::Instant;

use serde::Serialize;
use trilith_arena::{GameKit, Visitor, with_game};
use trilith_games::{Game, perft};

use crate::choice::Choice;

/// Count the ways to play on for N plies (the test of a move generator)
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith perft othello --depth 9\n  \
    trilith perft morris --depth 5 --rules thesis --divide\n  \
    trilith perft abalone --depth 4 --layout belgian-daisy --json\n\n\
    The last line is the number. Nothing is hashed; the moves of the last ply are counted, not played.")]
pub struct Args {
    #[command(flatten)]
    choice: Choice,
    /// Plies to play
    #[arg(long, value_name = "N")]
    depth: u32,
    /// Show the number below each first move
    #[arg(long)]
    divide: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What is printed.
#[derive(Serialize)]
pub struct PerftAnswer {
    game: &'static str,
    rules: String,
    position: String,
    depth: u32,
    leaves: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    divide: Vec<Share>,
}

/// The number below one first move.
#[derive(Serialize)]
pub struct Share {
    #[serde(rename = "move")]
    mv: String,
    leaves: u64,
}

/// Counts and prints.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let answer = with_game(&args.choice.game, args)??;
    if args.json {
        println!("{}", serde_json::to_string(&answer)?);
        return Ok(());
    }
    for Share { mv, leaves } in &answer.divide {
        println!("{mv}: {leaves}");
    }
    println!("{}", answer.leaves);
    Ok(())
}

impl Visitor for &Args {
    type Output = anyhow::Result<PerftAnswer>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let (game, position) = self.choice.parse::<G>()?;
        let start = Instant::now();
        let divide = match self.divide && self.depth > 0 {
            true => perft::divide(&game, &position, self.depth),
            false => Vec::new(),
        };
        let leaves = match divide.is_empty() {
            true => game.perft(&position, self.depth),
            false => divide.iter().map(|(_, leaves)| leaves).sum(),
        };
        Ok(PerftAnswer {
            game: G::NAME,
            rules: game.rules().to_string(),
            position: game.position_text(&position),
            depth: self.depth,
            leaves,
            seconds: start.elapsed().as_secs_f64(),
            divide: divide.iter().map(|&(mv, leaves)| Share { mv: game.move_text(mv), leaves }).collect(),
        })
    }
}
