//! The server as a process of its own: killed in mid-game again and again, backed up, told to stop.

#![allow(clippy::unwrap_used)]
#![cfg(unix)]

mod backup;
mod disk;
mod idle;
mod kills;
#[path = "../program/mod.rs"]
mod program;
mod server;
mod training;

use std::thread;
use std::time::{Duration, Instant};

use program::schema::hold;
use program::{folder, text, trilith};
use serde_json::json;
use server::{Client, Game, Server};

#[test]
fn administrators_list_mute_remove_and_export() {
    let data = folder("admin");
    let server = Server::start(&data);
    let mut client = Client::connect(&server.address).unwrap();
    let mut account = |name: &str| {
        let (_, account) = client.ask("POST", "/api/accounts", "", &json!({ "name": name })).unwrap();
        account["token"].as_str().unwrap().to_owned()
    };
    let (anna, bert) = (account("Anna"), account("Bert"));
    let game = Game::open(&mut client, "othello").unwrap();
    let admin =
        |arguments: &[&str]| trilith(&[&["admin", "--data", data.to_str().unwrap()], arguments].concat());
    assert!(text(&admin(&["accounts"])).contains("Anna"));
    hold("admin accounts", &text(&admin(&["accounts", "--json"])));
    hold("admin tables", &text(&admin(&["tables", "--json"])));
    text(&admin(&["mute", "anna"]));
    assert!(text(&admin(&["accounts"])).contains("muted"));
    let wait = Instant::now();
    let challenge = json!({ "game": "othello" });
    while client.ask("POST", "/api/challenges", &anna, &challenge).unwrap().0 != 403 {
        assert!(wait.elapsed() < Duration::from_secs(10), "a muted account is heard");
        thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(client.ask("POST", "/api/challenges", &bert, &challenge).unwrap().0, 201);
    let id = game.path.rsplit('/').next().unwrap();
    assert!(text(&admin(&["tables"])).contains(id));
    let file = data.join("all.jsonl");
    text(&admin(&["export", file.to_str().unwrap()]));
    let exported = std::fs::read_to_string(&file).unwrap();
    assert!(
        exported.contains("\"anna\"") && exported.contains(id) && exported.lines().count() == 3,
        "{exported}"
    );
    for secret in [&anna, &bert, &game.token] {
        assert!(
            !exported.contains(secret)
                && !exported.contains(&blake3::hash(secret.as_bytes()).to_hex().to_string())
        );
    }
    text(&admin(&["remove-table", id]));
    text(&admin(&["remove-account", "anna"]));
    assert!(!text(&admin(&["accounts"])).contains("Anna") && !text(&admin(&["tables"])).contains(id));
    let none = admin(&["mute", "anna"]);
    assert!(!none.status.success() && String::from_utf8_lossy(&none.stderr).contains("no account `anna`"));
    assert!(text(&admin(&["key"])).starts_with("k_"));
}

#[test]
fn tables_of_morris_are_built_while_it_serves() {
    let data = folder("serve-tables");
    let server = Server::start(&data);
    let last = data.join("tablebases/morris-standard/4-3.distance");
    let start = Instant::now();
    while !last.exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "{} is not there", last.display());
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(server);
    std::fs::remove_dir_all(&data).unwrap();
}
