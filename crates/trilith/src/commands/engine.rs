//! `trilith engine`: a player for boards and programs that speak a protocol.

use std::io;

use trilith_arena::PlayerSpec;
use trilith_arena::protocol::{Protocol, ServedSeat, serve};
use trilith_base::Seed;

use crate::choice::known_games;

/// Be driven by another program through a protocol, on standard input and output
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith engine --protocol gtp\n  \
    trilith engine --protocol nboard --player engine:threads=2\n  \
    trilith engine --protocol uci-mill --player engine:level=5\n  \
    trilith engine abalone --protocol ugi --layout belgian-daisy\n\n\
    What is spoken, and how boards are set up: docs/protocols.md.")]
pub struct Args {
    #[arg(help = format!("{} [default: the game of the protocol]", known_games()))]
    game: Option<String>,
    /// gtp and nboard (Othello), uci-mill (Morris) or ugi (every game)
    #[arg(long, value_name = "PROTOCOL")]
    protocol: Protocol,
    /// Who plays
    #[arg(long, value_name = "PLAYER", default_value = "engine")]
    player: String,
    /// Rule switches, such as `thesis` or `standard,flying=off`
    #[arg(long, value_name = "RULES", default_value = "")]
    rules: String,
    /// Start layout (Abalone), such as `belgian-daisy`
    #[arg(long, value_name = "NAME")]
    layout: Option<String>,
    /// Where all draws come from
    #[arg(long, value_name = "N", default_value_t = Seed(1))]
    seed: Seed,
}

/// Serves until `quit` or the end of the input.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let player: PlayerSpec = args.player.parse()?;
    let game =
        args.game.as_deref().or(args.protocol.only_game()).unwrap_or(trilith_arena::GAMES[0]).to_owned();
    let rules = match &args.layout {
        Some(layout) => format!("{},layout={layout}", args.rules),
        None => args.rules.clone(),
    };
    let seat = ServedSeat { game, rules, player, seed: args.seed };
    serve(args.protocol, &seat, io::stdin(), io::stdout())?;
    Ok(())
}
