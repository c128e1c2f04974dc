//! Books as processes: formats in and out, learning, series of games, and what is left after a kill.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::program::{folder, json_lines, text, trilith};

/// Runs a command given as words.
fn run(words: &str) -> String {
    text(&trilith(&words.split_whitespace().collect::<Vec<_>>()))
}

fn json(words: &str) -> Value {
    serde_json::from_str(&run(words)).unwrap()
}

#[test]
fn games_of_all_formats_come_in_and_go_out() {
    let folder = folder("formats");
    let at = |name: &str| folder.join(name).display().to_string();
    let moves = "f5d6c3d3c4f4c5b3c2e3d2c6b4b5f2f3e2d1e1";
    let ggf = "(;GM[Othello]PC[x]PB[a]PW[b]RE[+4.000]TI[5]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[f5]W[d6]B[c3];)";
    let sgf = "(;FF[4]GM[2]SZ[8]RE[W+2];B[fe];W[df];B[cc];W[dc])";
    fs::write(at("a.ggf"), ggf).unwrap();
    fs::write(at("b.sgf"), sgf).unwrap();
    fs::write(at("c.txt"), format!("{moves}\n")).unwrap();
    fs::write(at("d.wtb"), wthor(moves, 40)).unwrap();
    run(&format!("data generate --games 3 --random-least 40 --depth 1 --exact 8 --out {}", at("e.games")));
    run(&format!("match othello --a random --b random --games 4 --save {}", at("f.txt")));
    let import = |name: &str| run(&format!("book import {} {}", at("all.book"), at(name)));
    assert!(import("a.ggf").starts_with("1 games added"));
    assert!(import("b.sgf").starts_with("1 games added"));
    assert!(import("c.txt").contains("0 games added, 0 known already, 1 without a result"));
    assert!(import("d.wtb").starts_with("1 games added"));
    let probe = |moves: &str| json(&format!("book probe {} --moves {moves} --json", at("all.book")));
    let known = probe("f5d6c3");
    assert_eq!((&known["games"], &known["results"]), (&3.into(), &serde_json::json!([1, 0, 2])));
    assert_eq!(known["advice"], Value::Null, "lost for White, and nobody has looked for something better");
    assert_eq!(probe("f5d6")["advice"]["move"], "c3", "Black has won with it");
    assert!(import("e.games").starts_with("3 games added"));
    assert!(import("f.txt").starts_with("4 games added"));
    assert!(import("f.txt").starts_with("0 games added, 4 known"));
    run(&format!("book export {} {}", at("all.book"), at("out.txt")));
    let again = run(&format!("book import {} {}", at("again.book"), at("out.txt")));
    assert!(again.starts_with("10 games added"), "{again}");
    let stats = |name: &str| json(&format!("book stats {} --json", at(name)));
    assert_eq!(stats("all.book"), stats("again.book"));
    run(&format!("book export {} {} --tree 6", at("all.book"), at("tree.txt")));
    assert!(fs::read_to_string(at("tree.txt")).unwrap().lines().count() > 10);
    run(&format!("book picture {} {} --plies 6", at("all.book"), at("tree.svg")));
    assert!(fs::read_to_string(at("tree.svg")).unwrap().starts_with("<svg"));
    for game in ["morris", "abalone"] {
        let (book, games) = (at(&format!("{game}.book")), at(&format!("{game}.txt")));
        run(&format!("match {game} --a random --b random --games 3 --plies 60 --save {games}"));
        let said = run(&format!("book import {book} {games} --game {game}"));
        assert!(said.starts_with("3 games added"), "{said}");
    }
    let wrong = trilith(&["book", "import", &at("morris.book"), &at("b.sgf"), "--game", "morris"]);
    assert_eq!(wrong.status.code(), Some(2));
    fs::remove_dir_all(folder).unwrap();
}

/// A WTHOR file of one game.
fn wthor(moves: &str, black_discs: u8) -> Vec<u8> {
    let mut bytes = vec![20, 5, 1, 1, 1, 0, 0, 0, 0, 0, 213, 7, 0, 0, 22, 0];
    bytes.extend([0, 0, 0, 0, 0, 0, black_discs, black_discs]);
    let squares = moves.as_bytes().chunks(2).map(|square| 10 * (square[1] - b'0') + square[0] - b'a' + 1);
    bytes.extend(squares.chain(std::iter::repeat(0)).take(60));
    bytes
}

#[test]
fn one_game_is_added_and_played_again() {
    let folder = folder("add");
    let book = folder.join("x.book").display().to_string();
    let added = text(&trilith(&["book", "add", &book, "--moves", "f5 d6 c3", "--result", "0-1"]));
    assert_eq!(added, "game 1\n");
    let again = text(&trilith(&["book", "add", &book, "--moves", "d3 c5 f6", "--result", "0-1"]));
    assert_eq!(again, "known as game 1\n", "its mirror image");
    let open = trilith(&["book", "add", &book, "--moves", "f5"]);
    assert!(String::from_utf8_lossy(&open.stderr).contains("say who has won"));
    assert_eq!(json(&format!("book probe {book} --moves f5 --json"))["advice"]["move"], "d6");
    let unknown = json(&format!("book probe {book} --moves f5f6 --json"));
    assert_eq!(
        (&unknown["in_book"], &unknown["game"], unknown.get("value")),
        (&false.into(), &"othello".into(), None)
    );
    let positions = folder.join("many.txt").display().to_string();
    fs::write(&positions, "f5\nz9\n\nf5f6\n").unwrap();
    let many = trilith(&["book", "probe", &book, "--positions", &positions, "--json"]);
    assert_eq!(many.status.code(), Some(2), "one line is wrong");
    let lines = json_lines(&many);
    let told: Vec<_> =
        lines.iter().map(|line| (line["number"].as_u64().unwrap(), &line["advice"]["move"])).collect();
    assert_eq!(told, [(1, &"d6".into()), (4, &Value::Null)]);
    fs::remove_dir_all(folder).unwrap();
}

/// The tree of a book as text.
fn tree(folder: &Path, book: &str) -> String {
    let out = folder.join("tree.txt").display().to_string();
    run(&format!("book export {book} {out} --tree 99"));
    fs::read_to_string(out).unwrap()
}

#[test]
fn learning_does_not_depend_on_threads_or_kills_and_doubts_are_played_out() {
    let folder = folder("learn");
    let at = |name: &str| folder.join(name).display().to_string();
    run(&format!("data generate --games 12 --random-least 6 --depth 2 --exact 12 --out {}", at("x.games")));
    for name in ["one.book", "two.book"] {
        run(&format!("book import {} {}", at(name), at("x.games")));
    }
    run(&format!("book learn {} --nodes 300 --exact 12 --threads 3", at("one.book")));
    for _ in 0..40 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_trilith"))
            .args(["book", "learn", &at("two.book"), "--nodes", "300", "--exact", "12"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(60));
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let last = run(&format!("book learn {} --nodes 300 --exact 12", at("two.book")));
    assert!(last.contains("open positions judged"), "{last}");
    assert_eq!(tree(&folder, &at("one.book")), tree(&folder, &at("two.book")));
    let nothing = run(&format!("book learn {} --nodes 300 --exact 12", at("two.book")));
    assert!(nothing.starts_with("0 of 0 open"), "{nothing}");

    let doubts = run(&format!("book suspicious {} --margin 0.5", at("one.book")));
    let count: usize = doubts.lines().last().unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(count > 0, "{doubts}");
    let corrected = run(&format!(
        "book correct {} --margin 0.5 --games 3 --player engine:nodes=300 --nodes 300 --exact 12",
        at("one.book")
    ));
    assert!(corrected.contains("3 played out"), "{corrected}");
    assert_eq!(json(&format!("book stats {} --json", at("one.book")))["games"], 15);
    let anew = run(&format!("book reevaluate {} --nodes 100 --exact 12", at("two.book")));
    let again = run(&format!("book reevaluate {} --nodes 100 --exact 12", at("two.book")));
    assert!(!anew.starts_with("0 ") && anew.split(' ').next() == again.split(' ').next(), "{anew}{again}");
    fs::remove_dir_all(folder).unwrap();
}

/// A book that grows at once, and one that grows in three runs, are the same; it plays what its searches found.
#[test]
fn a_book_grows_without_games_and_goes_on_where_it_stopped() {
    let folder = folder("expand");
    let at = |name: &str| folder.join(name).display().to_string();
    let expand = |name: &str, more: &str| {
        run(&format!("book expand {} --plies 2 --batch 4 --depth 3 --within 30 {more}", at(name)))
    };
    expand("one.book", "--positions 25 --threads 2");
    for positions in [1, 13, 25] {
        expand("two.book", &format!("--positions {positions}"));
    }
    assert_eq!(tree(&folder, &at("one.book")), tree(&folder, &at("two.book")));
    let told = expand("two.book", "--positions 25");
    assert!(told.contains(" positions, 0 judged in "), "{told}");
    for moves in ["f5", "f5d6", "f5f6", "f5f4"] {
        let probe = json(&format!("book probe {} --moves {moves} --json", at("one.book")));
        assert!(probe["advice"]["move"].is_string(), "{moves}: {probe}");
    }
    run(&format!("book add {} --moves f5d6c3 --result 0-1", at("games.book")));
    for wrong in ["--own=nan", "--ply=-1", "--within=much"] {
        let output = trilith(&["book", "expand", &at("none.book"), wrong]);
        assert!(String::from_utf8_lossy(&output.stderr).contains("a number from 0 on"), "{output:?}");
        assert!(!folder.join("none.book").exists(), "{wrong}");
    }
    let wrong = trilith(&["book", "expand", &at("games.book")]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("has games"), "{wrong:?}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_kill_during_writes_leaves_a_valid_book() {
    let folder = folder("kill");
    let at = |name: &str| folder.join(name).display().to_string();
    run(&format!("match othello --a random --b random --games 6000 --threads 2 --save {}", at("games.txt")));
    let mut seen = 0;
    let mut kills = 0;
    for milliseconds in (0..).map(|round| 40 + 35 * (round % 17)).take(17) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_trilith"))
            .args(["book", "import", &at("x.book"), &at("games.txt")])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(milliseconds));
        kills += usize::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        if !folder.join("x.book").exists() {
            continue;
        }
        let output = trilith(&["book", "stats", &at("x.book"), "--json"]);
        // A book that was killed before its first transaction is not one yet, and says so.
        let Ok(stats) = serde_json::from_slice::<Value>(&output.stdout) else {
            assert!(String::from_utf8_lossy(&output.stderr).contains("no book"), "{output:?}");
            fs::remove_file(folder.join("x.book")).unwrap();
            continue;
        };
        let games = stats["games"].as_u64().unwrap();
        assert!(games >= seen && games % 2000 == 0, "whole transactions only: {seen} -> {games}");
        assert_eq!(stats["reached"], stats["positions"]);
        seen = games;
    }
    assert!(kills > 8, "most were killed");
    run(&format!("book import {} {}", at("x.book"), at("games.txt")));
    run(&format!("book import {} {}", at("whole.book"), at("games.txt")));
    assert_eq!(
        json(&format!("book stats {} --json", at("x.book"))),
        json(&format!("book stats {} --json", at("whole.book")))
    );
    assert_eq!(tree(&folder, &at("x.book")), tree(&folder, &at("whole.book")));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_learner_does_not_lose_twice_the_same_way() {
    let folder = folder("series");
    let at = |name: &str| folder.join(name).display().to_string();
    let series = |words: &str| json(&format!("book series {words} --json"));
    let report = series(&format!("othello --games 100 --nodes 400 --book {}", at("othello.book")));
    assert_eq!(report["repeated_losses"], 0, "{report}");
    assert!(report["second_half"].as_f64().unwrap() >= 0.75, "{report}");
    let copy =
        series(&format!("othello --games 60 --nodes 200 --book {} --against {}", at("a.book"), at("b.book")));
    assert_eq!(copy["repeated_losses"], 0, "{copy}");
    let rate = (copy["results"][0].as_f64().unwrap() + copy["results"][1].as_f64().unwrap() / 2.0) / 60.0;
    assert!((0.3..=0.7).contains(&rate), "{copy}");
    for (game, more) in [("morris", ""), ("abalone", "--layout belgian-daisy")] {
        let book = at(&format!("{game}.book"));
        let report = series(&format!("{game} --games 16 --nodes 150 --plies 120 --book {book} {more}"));
        assert_eq!(report["repeated_losses"], 0, "{report}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_small_book_is_built_by_one_command() {
    let folder = folder("build");
    let book = folder.join("x.book").display().to_string();
    let words =
        format!("book build {book} --games 30 --player engine:nodes=200,radius=1 --nodes 100 --threads 2");
    run(&words);
    assert_eq!(json(&format!("book stats {book} --json"))["games"], 30);
    let arguments = ["match", "othello", "--a", &format!("book:{book}+engine"), "--b", "engine"];
    let rest = ["--games", "4", "--nodes", "100", "--json"];
    let report: Value = serde_json::from_str(&text(&trilith(&[&arguments[..], &rest].concat()))).unwrap();
    assert_eq!((&report["games"], &report["faults"]), (&4.into(), &0.into()));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_followed_book_is_done_when_it_knows_its_opponent() {
    let folder = folder("known");
    let book = folder.join("known.book").display().to_string();
    let build = format!(
        "book build {book} --games 500 --follow --batch 2 --openings start --player engine:nodes=100 --nodes 100"
    );
    let output = trilith(&build.split(' ').collect::<Vec<_>>());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("no new games in 20 batches: the book knows this opponent"), "{said}");
    text(&output);
    // A player without a book plays the same game for ever, which is no way to make one.
    let alone = build.replace(" --follow", "").replace("known.book", "alone.book");
    let output = trilith(&alone.split(' ').collect::<Vec<_>>());
    assert!(String::from_utf8_lossy(&output.stderr).contains("give it a larger radius"));
    let played = format!(
        "match othello --a book:{book}+engine --b engine --nodes 100 --games 2 --openings start --json"
    );
    assert_eq!(json(&played)["wins"], 2);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_book_grows_by_being_followed_and_plays_trimmed_and_packed() {
    let folder = folder("follow");
    let at = |name: &str| folder.join(name).display().to_string();
    let build = format!(
        "book build {} --openings random:2 --player engine:nodes=100,radius=1 --nodes 80 --exact 10 --threads 2",
        at("x.book")
    );
    run(&format!("{build} --games 20"));
    run(&format!("{build} --games 40 --follow"));
    let games = json(&format!("book stats {} --json", at("x.book")))["games"].as_u64();
    assert!(games >= Some(40), "{games:?}");
    run(&format!("book trim {} {}", at("x.book"), at("small.book.zst")));
    let play = |more: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_trilith"));
        let words =
            format!("match othello --a book:{}{more}+engine --b engine --games 4", at("small.book.zst"));
        let rest = "--openings random:2 --nodes 100 --json";
        command.args(words.split(' ').chain(rest.split(' '))).env("TRILITH_HOME", &folder).output().unwrap()
    };
    let report: Value = serde_json::from_str(&text(&play(""))).unwrap();
    assert_eq!((&report["games"], &report["faults"]), (&4.into(), &0.into()));
    assert_eq!(fs::read_dir(folder.join("books")).unwrap().count(), 1, "unpacked once");
    let refused = String::from_utf8(play(",learn=on").stderr).unwrap();
    assert!(refused.contains("unpack it first"), "{refused}");
    fs::remove_dir_all(folder).unwrap();
}
