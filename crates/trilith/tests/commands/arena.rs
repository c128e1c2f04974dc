//! Matches and tournaments as processes: what is printed, and what is left after a kill.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program::{folder, text, trilith, without_times};

/// Compares with a file under `tests/golden`; `UPDATE_GOLDEN=1` writes it.
fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap_or_default(), text, "{}", path.display());
}

/// JSON with what the clock says taken out, fields in order of their names.
fn timeless(text: &str) -> String {
    let mut value: Value = serde_json::from_str(text).unwrap();
    for field in ["seconds", "thinking"] {
        assert!(value[field].as_f64().unwrap() >= 0.0);
        value[field] = Value::Null;
    }
    serde_json::to_string_pretty(&sorted(value)).unwrap() + "\n"
}

/// The same JSON, with the fields of every object in order of their names whatever features serde_json was built with.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields: std::collections::BTreeMap<String, Value> =
                fields.into_iter().map(|(name, value)| (name, sorted(value))).collect();
            fields.into_iter().collect()
        }
        other => other,
    }
}

const MATCH: &[&str] = &[
    "match",
    "othello",
    "--a",
    "minimax:depth=2",
    "--b",
    "random",
    "--games",
    "11",
    "--seed",
    "3",
    "--sprt",
    "0,300,0.05,0.05",
    "--json",
];

#[test]
fn the_json_of_a_match_is_as_scripts_expect_it() {
    let one = timeless(&text(&trilith(MATCH)));
    golden("match.json", &one);
    let value: Value = serde_json::from_str(&one).unwrap();
    let fields = [
        "a", "b", "games", "wins", "draws", "losses", "rate", "elo", "elo_low", "elo_high", "los", "pairs",
        "faults",
    ];
    assert!(fields.iter().all(|field| !value[field].is_null()));
    let threads = [MATCH, &["--threads", "3"]].concat();
    assert_eq!(timeless(&text(&trilith(&threads))), one);
}

#[test]
fn games_are_saved_and_the_last_line_is_the_result() {
    let folder = folder("save");
    let path = folder.join("games.txt");
    let arguments = [
        "match",
        "morris",
        "--a",
        "random",
        "--b",
        "random",
        "--games",
        "4",
        "--save",
        path.to_str().unwrap(),
    ];
    let shown = text(&trilith(&arguments));
    assert!(shown.lines().last().unwrap().starts_with("a: +"), "{shown}");
    let games = fs::read_to_string(&path).unwrap();
    assert_eq!(games.matches("[Game \"morris\"]").count(), 4);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_wrong_is_said_with_exit_code_2() {
    let folder = folder("wrong");
    let openings = folder.join("openings.txt");
    fs::write(&openings, "f5d6\nf5 x9\n").unwrap();
    let cases = [
        (vec!["--a", "randm", "--b", "random"], "`random`?"),
        (
            vec!["--a", "random", "--b", "random", "--openings", openings.to_str().unwrap()],
            "line 2: column 4",
        ),
        (vec!["--a", "random", "--b", "random", "--sprt", "5,0,0.05,0.05"], "elo0 must be less"),
        (vec!["--a", "random", "--b", "random", "--clock", "x"], "expected minutes"),
    ];
    for (arguments, expected) in cases {
        let output = trilith(&[&["match", "othello", "--games", "2"], arguments.as_slice()].concat());
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(expected), "{error}");
    }
    fs::remove_dir_all(folder).unwrap();
}

const PLAN: &str = r#"
name = "a small one"
game = "othello"
kind = "round-robin"
games = 40
openings = "random:4"
[pace]
depth = 3
[[players]]
name = "three"
player = "minimax:depth=3"
[[players]]
name = "two"
player = "minimax:depth=2,eval=margin"
[[players]]
name = "lot"
player = "random"
"#;

fn start(plan: &Path) -> std::process::Child {
    Command::new(env!("CARGO_BIN_EXE_trilith"))
        .args(["tournament", plan.to_str().unwrap(), "--threads", "2", "--json"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

fn lines(journal: &Path) -> usize {
    fs::read(journal).map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count())
}

#[test]
fn a_killed_tournament_goes_on_without_losing_or_repeating_a_game() {
    let folder = folder("kill");
    let (plan, journal) = (folder.join("plan.toml"), folder.join("plan.journal"));
    fs::write(&plan, PLAN).unwrap();
    let mut before = Vec::new();
    let mut kills = 0;
    while kills < 6 {
        let had = lines(&journal);
        let mut child = start(&plan);
        let deadline = Instant::now() + Duration::from_secs(60);
        while lines(&journal) < had + 3 && child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < deadline, "no game was played");
            thread::sleep(Duration::from_millis(1));
        }
        let is_over = child.try_wait().unwrap().is_some();
        child.kill().unwrap();
        child.wait().unwrap();
        let now = fs::read(&journal).unwrap();
        assert!(now.starts_with(&before), "what was written is not changed");
        before = now[..now.iter().rposition(|&byte| byte == b'\n').unwrap() + 1].to_vec();
        kills += 1;
        if is_over {
            break;
        }
    }
    assert!(kills > 2, "the tournament was too short to be killed often");
    let shown: Value =
        serde_json::from_str(&text(&trilith(&["tournament", plan.to_str().unwrap(), "--json"]))).unwrap();
    assert_eq!((&shown["games"], &shown["planned"]), (&120.into(), &120.into()));

    let numbers: Vec<u64> = fs::read_to_string(&journal)
        .unwrap()
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["number"].as_u64().unwrap())
        .collect();
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (0..120).collect::<Vec<_>>(), "each game once");

    let whole = folder.join("whole.toml");
    fs::write(&whole, PLAN).unwrap();
    let uninterrupted: Value =
        serde_json::from_str(&text(&trilith(&["tournament", whole.to_str().unwrap(), "--json"]))).unwrap();
    assert_eq!(shown, uninterrupted);
    for ending in ["html", "svg", "json", "games.txt"] {
        let [one, other] =
            ["plan", "whole"].map(|name| without_times(&folder.join(format!("{name}.{ending}"))));
        assert!(one == other, "{ending}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_longer_plan_goes_on_with_the_games_of_the_old_one() {
    let folder = folder("changed");
    let plan = folder.join("plan.toml");
    fs::write(&plan, PLAN.replace("games = 40", "games = 2")).unwrap();
    text(&trilith(&["tournament", plan.to_str().unwrap()]));
    let journal = folder.join("plan.journal");
    let before = fs::read_to_string(&journal).unwrap();
    fs::write(&plan, PLAN.replace("games = 40", "games = 4")).unwrap();
    text(&trilith(&["tournament", plan.to_str().unwrap()]));
    let after = fs::read_to_string(&journal).unwrap();
    assert!(after.starts_with(&before), "no game is played again");
    assert_eq!((lines(&journal), before.lines().count()), (13, 7), "a head and four games a pair");
    fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_was_played() {
    let interrupted_after = |milliseconds: u64| {
        let child = Command::new(env!("CARGO_BIN_EXE_trilith"))
            .args(["match", "othello", "--a", "random", "--b", "random", "--games", "100000000", "--json"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(milliseconds));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        child.wait_with_output().unwrap()
    };
    // On a busy machine the program may not yet listen after half a second.
    let outputs = [500, 2000, 8000].into_iter().map(interrupted_after);
    let output = outputs.into_iter().find(|output| output.status.success()).expect("it ends by itself");
    let value: Value = serde_json::from_str(&text(&output)).unwrap();
    let games = value["games"].as_u64().unwrap();
    assert!(games > 0 && games < 100_000_000, "{games}");
}

/// A short form of each ready tournament is played, as far as its evaluations are there: weights are learned, not shipped.
#[test]
fn the_published_tournaments_are_ready() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tournaments");
    let folder = folder("published");
    let copy = |name: &str, short: &[(&str, &str)]| {
        let mut text = fs::read_to_string(root.join(name)).unwrap();
        for (long, short) in short {
            assert!(text.contains(long), "{name} has `{long}`");
            text = text.replace(long, short);
        }
        fs::write(folder.join(name), text).unwrap();
    };
    copy("balanced-35.txt", &[]);
    copy("muehle-2.11.toml", &[("games = 1000\n", "games = 2\n"), ("nodes=20553", "depth=2")]);
    copy("muehle-4.5.toml", &[("games = 5000\n", "games = 2\n"), ("nodes=10000", "depth=2")]);
    let short = [("games = 70\n", "games = 2\n"), ("nodes=20000", "depth=2"), ("nodes=15000", "depth=2")];
    copy("logistello-3.1.toml", &short);
    for name in ["muehle-2.11", "muehle-4.5", "logistello-3.1"] {
        let output = trilith(&[
            "tournament",
            folder.join(name).with_added_extension("toml").to_str().unwrap(),
            "--json",
        ]);
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(shown["games"], shown["planned"], "{name}");
    }
    fs::remove_dir_all(folder).unwrap();
}
