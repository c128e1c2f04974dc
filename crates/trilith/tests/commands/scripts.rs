//! What scripts rely on: JSON as its schema says, closed pipes, many positions at once, matches that survive.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::program::schema::hold;
use crate::program::{folder, json_lines, text, trilith, trilith_with};

const ENDGAME: &str = "OOOOOOO-XOOOOOXOXXOOOXOOXXOOXOOOXXXOOOOOXXXXOOOO-XXXXOOO-XXXXX-O X; ";

#[test]
fn json_is_as_the_documents_say() {
    let folder = folder("schema");
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let plan = "name = \"t\"\ngame = \"othello\"\ngames = 40\nsprt = \"0,200,0.05,0.05\"\n\
        [[players]]\nname = \"one\"\nplayer = \"minimax:depth=2\"\n[[players]]\nname = \"two\"\nplayer = \"random\"\n";
    let (plan, game) = (write("t.toml", plan), write("g.txt", "f5d6c3d3c4f4\n"));
    let (obf, many) = (write("e.obf", ENDGAME), write("many.txt", "f5d6\nf5f6e6\n"));
    let cases = [
        ("match", "match othello --a minimax:depth=1 --b random --games 8 --passes 2".to_owned()),
        ("match", "match morris --a random --b random --games 3 --sprt 0,5,0.05,0.05".to_owned()),
        ("tournament", format!("tournament {plan}")),
        ("analyse", "analyse othello --moves f5d6 --depth 4 --lines 3 --explain".to_owned()),
        ("analyse", format!("analyse othello --positions {many} --depth 3")),
        ("solve", format!("solve othello {obf} --mode all")),
        ("perft", "perft morris --depth 2 --divide".to_owned()),
        ("players", "players".to_owned()),
        ("review", format!("review {game} --depth 3")),
        ("convert", format!("convert {game}")),
        ("openings balanced", "openings balanced othello --count 2 --depth 2 --within 9".to_owned()),
    ];
    for (command, arguments) in cases {
        let arguments: Vec<&str> = arguments.split_whitespace().chain(["--json"]).collect();
        hold(command, &text(&trilith(&arguments)));
    }
    hold("solve --jsonl", &text(&trilith(&["solve", "othello", &obf, "--jsonl"])));
    fs::remove_dir_all(folder).unwrap();
}

/// A reader that takes a line and goes, as `head -1` does: the program ends quietly and with success.
#[test]
fn a_closed_pipe_ends_every_command_quietly() {
    for arguments in [
        vec!["players"],
        vec!["players", "--json"],
        vec!["perft", "othello", "--depth", "5", "--divide"],
        vec!["analyse", "othello", "--depth", "6", "--verbose"],
        vec!["artifacts", "list"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_trilith"))
            .args(&arguments)
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut complaint = String::new();
        child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
        let status = child.wait().unwrap();
        assert!(!complaint.contains("panicked"), "{arguments:?}: {complaint}");
        assert!(status.success(), "{arguments:?}: {status}: {complaint}");
    }
}

#[test]
fn positions_are_answered_a_line_each_and_wrong_ones_are_named() {
    let folder = folder("positions");
    let analyse = ["analyse", "morris", "--positions", "-", "--depth", "3", "--json"];
    let output = trilith_with(&analyse, "d6 f4\n# a comment\nd6 z9\n\n3/3/3/6/3/3/3 w 9 9\n");
    let numbers: Vec<u64> = json_lines(&output).iter().map(|line| line["number"].as_u64().unwrap()).collect();
    assert_eq!((numbers, output.status.code()), (vec![1, 5], Some(2)));
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(complaint.starts_with("line 3: ") && complaint.contains("one line could not"), "{complaint}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn nothing_to_solve_is_an_error() {
    let folder = folder("nothing");
    let path = folder.join("empty.obf");
    fs::write(&path, "% nothing\n").unwrap();
    let output = trilith(&["solve", "othello", path.to_str().unwrap()]);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert!(output.stdout.is_empty() && complaint.contains("has no position"), "{complaint}");
    fs::remove_dir_all(folder).unwrap();
}

/// Positions with so many empty squares, each once, all moves scored; what a kill left over is done by the next run.
#[test]
fn scored_positions_are_kept_and_not_solved_again() {
    let folder = folder("scored");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let start = "---------------------------OX------XO--------------------------- X;";
    let (all, out) = (path("all.obf"), path("out.obf"));
    fs::write(&all, format!("{start}\n{ENDGAME}% one\n{ENDGAME}% twice\n")).unwrap();
    let solve = ["solve", "othello", &all, "--empty", "4", "--mode", "all", "--out", &out];
    assert!(text(&trilith(&solve)).starts_with("   1  -44"));
    let scored = fs::read_to_string(&out).unwrap();
    assert_eq!(scored.lines().count(), 1, "{scored}");
    assert!(
        scored.starts_with(ENDGAME) && scored.contains(" G8:-44;") && scored.ends_with("% one\n"),
        "{scored}"
    );
    assert!(text(&trilith(&["solve", "othello", &out, "--mode", "all", "--check"])).contains("total"));
    assert!(text(&trilith(&solve)).starts_with("total 0 nodes"), "all is there");
    assert_eq!(fs::read_to_string(&out).unwrap(), scored);
    let refused = [("--empty 5 --mode all", "with 5 empty squares"), ("--mode wdl", "expected --mode all")];
    for (wrong, right) in refused {
        let wrong: Vec<&str> = wrong.split(' ').collect();
        let output = trilith(&[&["solve", "othello", &all, "--out", &out], wrong.as_slice()].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(right), "{output:?}");
    }
    fs::remove_dir_all(folder).unwrap();
}

/// The games of a file, without times, in any order.
fn games(path: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(path).unwrap();
    let is_time = |word: &&str| !(word.ends_with("s}") && word.contains('.'));
    let timeless = |game: &str| game.split_whitespace().filter(is_time).collect::<Vec<_>>().join(" ");
    text.split("[Game ").skip(1).map(timeless).collect()
}

/// 1,000 games with ten kills are the 1,000 games without one.
#[test]
fn a_match_killed_ten_times_has_the_same_games() {
    let folder = folder("killed");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let arguments = |name: &str| {
        let players = [
            "match",
            "othello",
            "--a",
            "minimax:depth=1",
            "--b",
            "random",
            "--games",
            "1000",
            "--threads",
            "2",
        ];
        let files =
            ["--journal".to_owned(), path(&format!("{name}.journal")), "--save".to_owned(), path(name)];
        players.into_iter().map(str::to_owned).chain(files).collect::<Vec<_>>()
    };
    let start = |name: &str| {
        Command::new(env!("CARGO_BIN_EXE_trilith"))
            .args(arguments(name))
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    assert!(start("whole.txt").wait().unwrap().success());
    let journal = folder.join("killed.txt.journal");
    let played = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    let mut kills = 0;
    for kill in 1..=10 {
        let mut child = start("killed.txt");
        while played() < kill * 90 && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        kills += usize::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(kills, 10);
    // The last kill may come while a game is written.
    let torn = fs::read(folder.join("killed.txt")).unwrap();
    fs::write(folder.join("killed.txt"), &torn[..torn.len() - 100]).unwrap();
    assert!(start("killed.txt").wait().unwrap().success());
    let (whole, killed) = (games(&folder.join("whole.txt")), games(&folder.join("killed.txt")));
    assert_eq!(whole.len(), 1000);
    assert_eq!(killed, whole);
    assert_eq!(played(), 1001, "no game was played twice");
    let saved = fs::read_to_string(folder.join("killed.txt")).unwrap();
    assert_eq!(saved.matches("[Game ").count(), 1000, "no game was saved twice");
    fs::remove_dir_all(folder).unwrap();
}

/// Without a journal all games are played again, but each is saved once; the games of another match stay.
#[test]
fn a_match_that_is_begun_again_saves_no_game_twice() {
    let folder = folder("twice");
    let path = folder.join("games.txt");
    let play = |seed: &str, games: &str| {
        let save = path.to_str().unwrap();
        trilith(&[
            "match", "othello", "--a", "random", "--b", "random", "--games", games, "--seed", seed, "--save",
            save,
        ])
    };
    let count = || fs::read_to_string(&path).unwrap().matches("[Game ").count();
    text(&play("1", "6"));
    text(&play("2", "4"));
    assert_eq!(count(), 10);
    let whole = fs::read(&path).unwrap();
    let again = play("1", "8");
    let complaint = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(complaint.contains("6 games were in"), "{complaint}");
    assert_eq!(count(), 12);
    assert!(fs::read(&path).unwrap().starts_with(&whole));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn reviews_go_on_where_they_were_and_write_tables_and_comments() {
    let folder = folder("review");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let save = [
        "match",
        "othello",
        "--a",
        "random",
        "--b",
        "engine:depth=3",
        "--games",
        "4",
        "--save",
        &path("g.txt"),
    ];
    text(&trilith(&save));
    let (games, journal, csv, annotated) = (path("g.txt"), path("r.journal"), path("m.csv"), path("a.txt"));
    let review = [
        "review",
        &games,
        "--nodes",
        "500",
        "--journal",
        &journal,
        "--csv",
        &csv,
        "--annotate",
        &annotated,
        "--json",
    ];
    let value = |text: String| serde_json::from_str::<Value>(&text).unwrap();
    let first = value(text(&trilith(&review)));
    assert_eq!((first["reviewed"].as_u64(), first["games"].as_array().unwrap().len()), (Some(4), 4));
    let losses = |player: &str| first["players"][player]["average_loss"].as_f64().unwrap();
    assert!(losses("random") > losses("engine:depth=3"), "{}", first["players"]);
    let again = value(text(&trilith(&review)));
    assert_eq!((again["reviewed"].as_u64(), &again["games"]), (Some(0), &first["games"]));
    let moves: usize =
        first["games"].as_array().unwrap().iter().map(|game| game["moves"].as_array().unwrap().len()).sum();
    assert_eq!(fs::read_to_string(&csv).unwrap().lines().count(), moves + 1);
    let back = value(text(&trilith(&["convert", &annotated, "--json"])));
    assert_eq!(back["games"].as_array().unwrap().len(), 4);
    assert!(fs::read_to_string(&annotated).unwrap().contains("blunder ("));
    let ggf = text(&trilith(&["convert", &games, "--to", "ggf"]));
    assert_eq!((ggf.matches("(;GM[Othello]").count(), ggf.matches("PB[random]").count()), (4, 2));
    fs::remove_dir_all(folder).unwrap();
}
