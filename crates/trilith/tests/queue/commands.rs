//! Every command with `--queue`, and what is said where something is missing.

use std::fs;
use std::path::Path;

use crate::machines::{Server, jobs_done, run};

const GRID: &str = "kind = \"outcomes\"\ngame = \"morris\"\n[parameters]\ngames = 40\nyardstick_games = 2\n\
    [grid]\nseed = [1, 2]\nrate = [0.01, 0.001]\n";

/// Every other command with `--queue` makes the files that one machine makes.
#[test]
fn data_grids_and_books_are_those_of_one_machine() {
    let server = Server::start("rest", &["-js"]);
    let grid = server.folder.join("grid.toml");
    fs::write(&grid, GRID).unwrap();
    let (here, there) = (server.folder.join("here"), server.folder.join("there"));
    let commands = |to: &Path| {
        let at = |name: &str| to.join(name).to_str().unwrap().to_owned();
        let examination = "--nodes 60 --exact 10";
        [
            format!("data generate --game morris --games 30 --depth 2 --longest 60 --out {}", at("m.games")),
            format!(
                "data generate --game abalone --openings 1 --depth 1 --longest 20 --out {}",
                at("a.games")
            ),
            format!("train --grid {} --folder {}", grid.display(), at("grid")),
            format!("book build {} --games 12 --player engine:nodes=60,radius=2 {examination}", at("x.book")),
            format!(
                "book correct {} --games 4 --margin -9 --player engine:nodes=80 {examination}",
                at("x.book")
            ),
            format!("book reevaluate {} --nodes 90 --exact 10", at("x.book")),
            format!(
                "study run muehle-search --scale smoke --folder {} --out {}",
                at("studies"),
                at("reports")
            ),
        ]
    };
    [&here, &there].into_iter().for_each(|folder| fs::create_dir_all(folder).unwrap());
    for command in commands(&here) {
        let output = run(&command.split(' ').collect::<Vec<_>>());
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let worker = server.worker();
    for command in commands(&there) {
        server.coordinator(&command.split(' ').collect::<Vec<_>>()).text();
    }
    assert!(jobs_done(worker) > 100, "the worker has done them");
    for folder in [&here, &there] {
        let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        for (out, more) in [("games.txt", &[][..]), ("tree.txt", &["--tree", "60"])] {
            assert!(run(&[&["book", "export", &at("x.book"), &at(out)], more].concat()).status.success());
        }
    }
    for name in [
        "m.games",
        "a.games",
        "grid/grid.csv",
        "grid/0003/artifact.safetensors",
        "games.txt",
        "tree.txt",
        "reports/muehle-search.smoke/nodes-placing.csv",
        "reports/muehle-search.smoke/tournament.csv",
    ] {
        assert_eq!(fs::read(there.join(name)).unwrap(), fs::read(here.join(name)).unwrap(), "{name}");
    }
}

#[test]
fn what_is_missing_is_said() {
    let fault = |url: &str, more: &[&str]| {
        let output = run(&[more, &["--queue", url]].concat());
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let random = ["match", "othello", "--a", "random", "--b", "random", "--games", "2"];
    for arguments in [&random[..], &["worker"]] {
        let (code, text) = fault("nats://127.0.0.1:1", arguments);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains("no NATS server answers there"), "{text}");
    }
    let server = Server::start("no-streams", &[]);
    let (code, text) = fault(&server.url(), &random);
    assert!(code == Some(1) && text.contains("nats-server -js"), "{text}");

    let server = Server::start("missing-weights", &["-js"]);
    let weights = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../artifacts/othello");
    let weights = fs::read_dir(weights).unwrap().map(|entry| entry.unwrap().path());
    let original = weights.into_iter().find(|path| path.to_str().unwrap().contains("patterns")).unwrap();
    let copy = server.folder.join(original.file_name().unwrap());
    fs::copy(original, &copy).unwrap();
    let out = server.folder.join("x.games");
    let arguments = [
        "data",
        "generate",
        "--games",
        "1",
        "--weights",
        copy.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ];
    let coordinator = server.coordinator(&arguments);
    server.wait("a job is offered", |server| {
        server.stream("trilith-jobs")["state"]["messages"].as_u64() == Some(1)
    });
    fs::remove_file(&copy).unwrap();
    let _worker = server.worker();
    let output = coordinator.fault();
    assert!(
        output.contains("a worker could not play its games") && output.contains("No such file"),
        "{output}"
    );
}
