//! `trilith ggs` as a process, against the small server of the arena's tests.

#[path = "../../../arena/tests/ggs_server/mod.rs"]
mod ggs_server;
use std::fs;
use std::process::Command;

use crate::program::schema::hold;
use crate::program::{folder, text, trilith};
use ggs_server::{Plan, start};
use serde_json::Value;

#[test]
fn a_visit_is_played_kept_reviewed_and_remembered() {
    let folder = folder("ggs");
    let at = |name: &str| folder.join(name).display().to_string();
    let (games, log) = (at("ggs.txt"), at("ggs.log"));
    let (address, server) = start(Plan { requests: vec!["10:00//02:00 s8r12 R"], ..Plan::default() });
    fs::write(at("secret"), "secret\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_trilith"))
        .args(["ggs", "--login", "guest", "--password-file", &at("secret"), "--server", &address])
        .args([
            "--player",
            "engine:depth=2,hash=1",
            "--matches",
            "1",
            "--out",
            &games,
            "--log",
            &log,
            "--json",
        ])
        .output()
        .unwrap();
    let printed = text(&output);
    server.join().unwrap();
    assert_eq!(printed.lines().count(), 2, "{printed}");
    hold("ggs", &printed);
    let saved = fs::read_to_string(&games).unwrap();
    assert_eq!(saved.matches("[Game \"othello\"]").count(), 2);
    assert!(saved.contains("[Key \"ggs.20.0-") && saved.contains("[BlackElo \"1700.0\"]"), "{saved}");
    let log = fs::read_to_string(log).unwrap();
    assert!(log.contains("> tell /os accept .20") && !log.contains("> secret"), "{log}");

    let review = text(&trilith(&["review", &games, "--depth", "2", "--json"]));
    let review: Value = serde_json::from_str(&review).unwrap();
    assert_eq!(review["games"].as_array().unwrap().len(), 2);
    let loss = |player: &str| review["players"][player]["average_loss"].as_f64().unwrap();
    assert!(loss("guest") < loss("robot"), "{}", review["players"]);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn wrong_passwords_and_missing_ones_are_said() {
    let ggs = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trilith"));
        command.args(["ggs", "--login", "guest"]).args(more).env_remove("TRILITH_GGS_PASSWORD");
        command
    };
    let none = ggs(&["--server", "127.0.0.1:1"]).output().unwrap();
    assert!(String::from_utf8_lossy(&none.stderr).contains("TRILITH_GGS_PASSWORD"), "{none:?}");
    let nobody = ggs(&["--server", "127.0.0.1:1"]).env("TRILITH_GGS_PASSWORD", "x").output().unwrap();
    assert_eq!(nobody.status.code(), Some(1));
    let (address, server) = start(Plan::default());
    let wrong = ggs(&["--server", &address]).env("TRILITH_GGS_PASSWORD", "wrong").output().unwrap();
    server.join().unwrap();
    let complaint = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(wrong.status.code() == Some(2) && complaint.contains("refuses name or password"), "{complaint}");
    let kind = ggs(&["--seek", "10 5:00"]).env("TRILITH_GGS_PASSWORD", "x").output().unwrap();
    assert!(String::from_utf8_lossy(&kind.stderr).contains("cannot be played here"), "{kind:?}");
}
