//! Killed in mid-game again and again.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crate::program::folder;
use crate::server::{Client, GAMES, Game, Server};

#[test]
fn thirty_kills_lose_no_acknowledged_move() {
    kill_again_and_again(30);
}

#[test]
#[ignore = "minutes"]
fn two_hundred_kills_lose_no_acknowledged_move() {
    kill_again_and_again(200);
}

/// Moves that each life has acknowledged at least before it ends: also a busy machine has something to lose each time.
const LEAST: u64 = 9;
const PATIENCE: Duration = Duration::from_secs(120);

fn kill_again_and_again(kills: u64) {
    let data = folder(&format!("kills-{kills}"));
    let mut games: Vec<Vec<Game>> = GAMES.iter().map(|_| Vec::new()).collect();
    for life in 0..kills {
        let mut server = Server::start(&data);
        let address = server.address.clone();
        let (is_dying, acknowledged) = (AtomicBool::new(false), AtomicU64::new(0));
        thread::scope(|scope| {
            for (game, own) in GAMES.iter().zip(&mut games) {
                let (address, is_dying, acknowledged) = (&address, &is_dying, &acknowledged);
                scope.spawn(move || {
                    let survived = Client::connect(address)
                        .and_then(|mut client| live(&mut client, game, own, acknowledged));
                    assert!(survived.is_some() || is_dying.load(Relaxed), "the server died by itself");
                });
            }
            let start = Instant::now();
            while acknowledged.load(Relaxed) < LEAST && start.elapsed() < PATIENCE {
                thread::sleep(Duration::from_millis(1));
            }
            thread::sleep(Duration::from_millis(life * 13 % 120));
            is_dying.store(true, Relaxed);
            server.process.kill().unwrap();
        });
    }
    let server = Server::start(&data);
    let mut client = Client::connect(&server.address).unwrap();
    let all: Vec<&mut Game> = games.iter_mut().flatten().collect();
    let acknowledged: usize = all.iter().map(|game| game.moves.len()).sum();
    assert!(
        acknowledged > kills as usize * 3,
        "only {acknowledged} moves were acknowledged: nothing was tried"
    );
    for game in all {
        game.check(&mut client).unwrap();
    }
    println!("{kills} kills, {acknowledged} acknowledged moves, none lost");
}

/// One client's games, until the server dies; counts the moves that were acknowledged.
fn live(client: &mut Client, name: &str, own: &mut Vec<Game>, acknowledged: &AtomicU64) -> Option<()> {
    loop {
        if own.is_empty() || own.last_mut()?.play(client, acknowledged)? {
            own.push(Game::open(client, name)?);
        }
    }
}
