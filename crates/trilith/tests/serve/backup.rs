//! Backups and the way back from them.

use std::path::Path;

use serde_json::json;

use crate::program::schema::hold;
use crate::program::{folder, text, trilith};
use crate::server::{Client, Game, Server, stop};

#[test]
fn a_backup_is_made_while_the_server_runs_and_can_be_served() {
    let (data, copy) = (folder("backup"), folder("backup-copy"));
    let server = Server::start(&data);
    let mut client = Client::connect(&server.address).unwrap();
    let mut game = Game::open(&mut client, "othello").unwrap();
    let play = json!({ "move": "f5", "ply": 0 });
    client.ask("POST", &format!("{}/moves", game.path), &game.token, &play).unwrap();
    let to = copy.join("monday.tar");
    let arguments = ["backup", "--data", data.to_str().unwrap(), "--to", to.to_str().unwrap(), "--json"];
    hold("backup", &text(&trilith(&arguments)));
    let again = trilith(&arguments);
    assert!(!again.status.success() && String::from_utf8_lossy(&again.stderr).contains("a new name"));
    drop(server);
    let restore = ["restore", to.to_str().unwrap(), "--data", copy.to_str().unwrap(), "--json"];
    hold("restore", &text(&trilith(&restore)));
    let restored = Server::start(&copy);
    game.moves = vec!["f5".into()];
    game.check(&mut Client::connect(&restored.address).unwrap()).unwrap();
}

/// Whether SQLite finds nothing wrong with a file.
fn is_whole(path: &Path) -> bool {
    let connection = rusqlite::Connection::open(path).unwrap();
    let said: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    said == "ok"
}

/// The documented way back, after a kill and after Ctrl-C: everything as it was then, nothing of what came later.
#[test]
fn restoring_after_a_kill_gives_back_what_was_saved() {
    for signal in ["-KILL", "-INT"] {
        let data = folder(&format!("restore{signal}"));
        let copy = folder("restore-copy").join("x.tar");
        let server = Server::start(&data);
        let mut client = Client::connect(&server.address).unwrap();
        let mut games: Vec<Game> = (0..3).map(|_| Game::open(&mut client, "othello").unwrap()).collect();
        for game in &mut games {
            let play = json!({ "move": "f5", "ply": 0 });
            client.ask("POST", &format!("{}/moves", game.path), &game.token, &play).unwrap();
            game.moves = vec!["f5".into()];
        }
        for (path, content) in
            [("books/x.book", "a book"), ("runs/one/config.toml", "a run"), ("artifacts/a/w.bin", "weights")]
        {
            std::fs::create_dir_all(data.join(path).parent().unwrap()).unwrap();
            std::fs::write(data.join(path), content).unwrap();
        }
        text(&trilith(&["backup", "--data", data.to_str().unwrap(), "--to", copy.to_str().unwrap()]));
        // What comes after the backup: more games, so that the write-ahead log is full of pages of the old file.
        for _ in 0..60 {
            Game::open(&mut client, "abalone").unwrap();
        }
        std::fs::write(data.join("books/x.book"), "another book").unwrap();
        let restore = ["restore", copy.to_str().unwrap(), "--data", data.to_str().unwrap()];
        let refused = trilith(&restore);
        assert!(!refused.status.success(), "a server runs");
        assert!(String::from_utf8_lossy(&refused.stderr).contains("stopped first"));
        stop(server, signal);
        assert!(text(&trilith(&restore)).contains("before-restore"));
        assert!(is_whole(&data.join("trilith.db")));
        assert_eq!(std::fs::read_to_string(data.join("books/x.book")).unwrap(), "a book");
        assert_eq!(std::fs::read_to_string(data.join("artifacts/a/w.bin")).unwrap(), "weights");
        let server = Server::start(&data);
        let mut client = Client::connect(&server.address).unwrap();
        for game in &mut games {
            game.check(&mut client).unwrap();
            assert_eq!(game.moves, ["f5"]);
        }
        drop(server);
        assert!(is_whole(&data.join("trilith.db")));
    }
}

#[test]
fn a_damaged_backup_changes_nothing_and_a_damaged_database_is_not_served() {
    let data = folder("restore-damaged");
    let copy = data.join("x.tar");
    let server = Server::start(&data);
    let mut client = Client::connect(&server.address).unwrap();
    let mut game = Game::open(&mut client, "morris").unwrap();
    text(&trilith(&["backup", "--data", data.to_str().unwrap(), "--to", copy.to_str().unwrap()]));
    stop(server, "-INT");
    assert!(!data.join("trilith.db-wal").exists(), "a stopped server leaves no write-ahead log");
    let whole = std::fs::read(&copy).unwrap();
    for damage in [0, 700, whole.len() / 2, whole.len() - 1030] {
        let mut bytes = whole.clone();
        bytes[damage] ^= 0xff;
        std::fs::write(data.join("bad.tar"), &bytes).unwrap();
        std::fs::write(data.join("cut.tar"), &whole[..damage]).unwrap();
        for bad in ["bad.tar", "cut.tar"] {
            let said =
                trilith(&["restore", data.join(bad).to_str().unwrap(), "--data", data.to_str().unwrap()]);
            assert!(!said.status.success(), "{bad} at {damage}");
        }
    }
    let server = Server::start(&data);
    game.check(&mut Client::connect(&server.address).unwrap()).unwrap();
    stop(server, "-INT");
    // Pages of the middle are overwritten, as a foreign write-ahead log would do it.
    let path = data.join("trilith.db");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[4096..middle].fill(0x5a);
    std::fs::write(&path, bytes).unwrap();
    let said =
        trilith(&["serve", "--address", "127.0.0.1:0", "--data", data.to_str().unwrap(), "--tables", "0"]);
    let error = String::from_utf8_lossy(&said.stderr);
    assert!(
        !said.status.success() && error.contains("damaged") && error.contains("trilith restore"),
        "{error}"
    );
    let doctor = trilith(&["doctor", "--data", data.to_str().unwrap()]);
    assert!(!doctor.status.success() && String::from_utf8_lossy(&doctor.stdout).contains("BAD database"));
    text(&trilith(&["restore", copy.to_str().unwrap(), "--data", data.to_str().unwrap()]));
    let server = Server::start(&data);
    game.check(&mut Client::connect(&server.address).unwrap()).unwrap();
    let healthy = trilith(&["doctor", "--server", &format!("http://{}", server.address)]);
    assert!(text(&healthy).contains("ready"));
}

/// A restoring that was stopped between any two of its steps is ended by the next start.
#[test]
fn a_half_restored_home_is_completed() {
    let data = folder("restore-half");
    let copy = data.join("x.tar");
    let server = Server::start(&data);
    let mut game = Game::open(&mut Client::connect(&server.address).unwrap(), "othello").unwrap();
    std::fs::create_dir_all(data.join("books")).unwrap();
    std::fs::write(data.join("books/a.book"), "new").unwrap();
    text(&trilith(&["backup", "--data", data.to_str().unwrap(), "--to", copy.to_str().unwrap()]));
    stop(server, "-INT");
    // As it lies when everything is checked and nothing has been moved.
    let stage = data.join(".restore");
    std::fs::create_dir_all(stage.join("books")).unwrap();
    std::fs::copy(data.join("trilith.db"), stage.join("trilith.db")).unwrap();
    std::fs::write(stage.join("books/a.book"), "restored").unwrap();
    std::fs::write(data.join("trilith.db-wal"), "the log of another file").unwrap();
    std::fs::write(data.join(".restore.ready"), "before-restore-1\n").unwrap();
    let server = Server::start(&data);
    game.check(&mut Client::connect(&server.address).unwrap()).unwrap();
    assert_eq!(std::fs::read_to_string(data.join("books/a.book")).unwrap(), "restored");
    assert_eq!(std::fs::read_to_string(data.join("before-restore-1/books/a.book")).unwrap(), "new");
    assert!(data.join("before-restore-1/trilith.db-wal").exists() && !data.join(".restore.ready").exists());
}
