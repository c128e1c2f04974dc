//! `trilith serve`, and `trilith` alone: the web app.

use std::net::SocketAddr;

use anyhow::Context;
use trilith_server::{Config, Server};

/// Start the web app and print its address
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith\n  \
    trilith serve --address 127.0.0.1:8080\n\n\
    It listens on loopback only, unless told otherwise, and stops on Ctrl-C.")]
pub struct Args {
    /// Where to listen; port 0 takes any free one
    #[arg(long, value_name = "IP:PORT", default_value_t = Config::default().address)]
    address: SocketAddr,
}

impl Default for Args {
    fn default() -> Args {
        Args { address: Config::default().address }
    }
}

/// Serves until Ctrl-C.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Runtime::new().context("the runtime of the server")?;
    runtime.block_on(async {
        let config = Config { address: args.address, ..Config::default() };
        let server = Server::bind(config).await.with_context(|| {
            format!("cannot listen on {}: another program may be there, try `trilith serve --address 127.0.0.1:0`", args.address)
        })?;
        println!("Trilith is at http://{}/ (Ctrl-C stops it)", server.address());
        server.run(async { tokio::signal::ctrl_c().await.unwrap_or(()) }).await.context("the server")
    })
}
