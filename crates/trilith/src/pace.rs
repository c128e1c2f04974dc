//! The options by which commands limit the players' thinking.

use clap::Args;
use trilith_arena::contest::{ClockSetting, Pace};

/// How long both players may think; without any of these, as long as they like.
#[derive(Args, Clone)]
pub struct PaceArgs {
    /// Plies both players look ahead
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Positions both players visit for a move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds for each move
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    time: Option<u64>,
    /// Minutes for the game and seconds added after each move, such as `30` or `3+2`
    #[arg(long, value_name = "MIN+SEC")]
    clock: Option<ClockSetting>,
    /// Milliseconds by which a player may be late before it has lost on time [default: 100]
    #[arg(long, value_name = "MS")]
    margin: Option<u64>,
}

impl From<&PaceArgs> for Pace {
    fn from(args: &PaceArgs) -> Pace {
        Pace { depth: args.depth, nodes: args.nodes, time: args.time, clock: args.clock, margin: args.margin }
    }
}
