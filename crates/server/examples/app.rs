//! The app alone, for work on the page: `cargo run -p trilith-server --example app -- 4681 DATA`.

use std::net::Ipv4Addr;

use trilith_server::{Config, Server};

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let mut words = std::env::args().skip(1);
    let port = words.next().and_then(|word| word.parse().ok()).unwrap_or(4681);
    let data = words.next().map(Into::into);
    let config = Config { address: (Ipv4Addr::LOCALHOST, port).into(), data, ..Config::default() };
    let server = Server::bind(config).await?;
    println!("http://{}/", server.address());
    server.run(async { tokio::signal::ctrl_c().await.unwrap_or(()) }).await
}
