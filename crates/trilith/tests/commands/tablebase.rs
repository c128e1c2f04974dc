//! The tablebase commands as a person or a script uses them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::program::json_lines;

fn folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("trilith-command-{name}-{}", std::process::id()))
}

fn tablebase(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trilith"));
    let (name, rest) = args.split_first().unwrap();
    command.args(["tablebase", name, "morris", "--folder"]).arg(folder).args(rest);
    command
}

fn run(folder: &Path, args: &[&str]) -> Output {
    tablebase(folder, args).output().unwrap()
}

fn json(folder: &Path, args: &[&str]) -> Value {
    let output = run(folder, &[args, &["--json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Killed again and again, each time a little later, with too little memory for more than slices: in the end the
/// files are those of a build that nobody disturbed.
#[test]
fn a_killed_build_goes_on() {
    let (killed, calm) = (folder("killed"), folder("calm"));
    let build = ["build", "--stones", "7", "--memory", "1M", "--threads", "1"];
    let mut deaths = 0;
    for delay in (0..).map(|step| Duration::from_millis(15 + 30 * step)) {
        let mut child =
            tablebase(&killed, &build).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(delay);
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success());
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        deaths += 1;
    }
    assert!(deaths > 2, "killed {deaths} times");
    assert!(run(&calm, &["build", "--stones", "7"]).status.success());
    for name in ["3-3", "4-3", "3-4"] {
        let read = |folder: &Path| std::fs::read(folder.join(format!("{name}.distance"))).unwrap();
        assert!(read(&killed) == read(&calm), "{name} differs");
    }
    let left = std::fs::read_dir(&killed).unwrap().count();
    assert_eq!(left, 4, "three tables and the lock");
    std::fs::remove_dir_all(killed).unwrap();
    std::fs::remove_dir_all(calm).unwrap();
}

#[test]
fn the_commands_answer_as_scripts_expect() {
    let folder = folder("answers");
    let output = run(&folder, &["stats"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("`trilith tablebase build morris"));

    assert!(run(&folder, &["build", "--stones", "6", "--rules", "thesis"]).status.success());
    numbers_are_told(&folder);
    positions_are_probed(&folder);
    placing_is_proved(&folder);

    let output = run(&folder, &["stats", "--rules", "standard"]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("it is for the rules `thesis`, not `standard`"), "{error}");
    assert_eq!(run(&folder, &["build", "--stones", "19"]).status.code(), Some(2));
    assert_eq!(run(&folder, &["build", "--memory", "much"]).status.code(), Some(2));
    std::fs::remove_dir_all(folder).unwrap();
}

fn numbers_are_told(folder: &Path) {
    let stats = json(folder, &["stats", "--rules", "thesis"]);
    let row = &stats[0];
    assert_eq!((row["subspace"].as_str(), row["to_move"].as_u64()), (Some("3-3"), Some(3)));
    let numbers =
        ["wins", "draws", "losses", "classes", "max_plies"].map(|field| row[field].as_u64().unwrap());
    assert_eq!(numbers, [140_621, 269, 28_736, 169_626, 26]);

    let wdl = |row: &Value, rest: u64| -> u64 {
        let distances = row["histogram"].as_array().unwrap().iter();
        let plies = |distance: &&Value| distance["plies"].as_u64().unwrap() % 2 == rest;
        distances.filter(plies).map(|distance| distance["classes"].as_u64().unwrap()).sum()
    };
    let with = json(folder, &["stats", "--rules", "thesis", "--histogram"]);
    assert_eq!((wdl(&with[0], 1), wdl(&with[0], 0)), (140_621, 28_736), "wins and losses add up");
    assert_eq!(with[0]["histogram"].as_array().unwrap().last().unwrap()["plies"].as_u64(), Some(26));
}

fn positions_are_probed(folder: &Path) {
    let example = ["--rules", "thesis", "--position", "3/3/b2/2w3/w1b/b2/1w1 w 0 0"];
    let probe = json(folder, &[&["probe"], &example[..]].concat());
    assert_eq!((probe["value"].as_str(), probe["plies"].as_u64()), (Some("win"), Some(5)));
    assert_eq!(probe["moves"][0]["plies"].as_u64(), Some(5));
    let line = json(folder, &[&["line"], &example[..]].concat());
    assert_eq!(line["line"].as_array().unwrap().len(), 5);

    let verified = json(folder, &["verify", "--rules", "thesis", "--stones", "6", "--sample", "1000"]);
    assert_eq!((verified[0]["checked"].as_u64(), verified[0]["wrong"].as_u64()), (Some(1000), Some(0)));
    let sample = ["sample", "--rules", "thesis", "--subspace", "3-3", "--outcome", "loss", "--count", "5"];
    let output = run(folder, &sample);
    let lines: Vec<_> = output.stdout.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.len(), 6, "a comment and five positions");
    let position = String::from_utf8(lines[5].to_vec()).unwrap();
    let probe = json(folder, &["probe", "--rules", "thesis", "--position", &position]);
    assert_eq!(probe["value"].as_str(), Some("loss"));
    let list = folder.join("positions.txt");
    std::fs::write(&list, &output.stdout).unwrap();
    let many = run(folder, &["probe", "--rules", "thesis", "--positions", list.to_str().unwrap(), "--json"]);
    let values = json_lines(&many);
    assert!(values.len() == 5 && values.iter().all(|value| value["value"] == "loss"), "{values:?}");
    assert_eq!((&values[4]["moves"], values[4]["number"].as_u64()), (&probe["moves"], Some(6)));
}

/// Black can stop one of two mills; what is proved is kept, and the second run need not search.
fn placing_is_proved(folder: &Path) {
    let list = folder.join("positions.txt");
    let placing = ["prove", "--rules", "thesis", "--position", "ww1/3/3/w5/b2/1b1/3 b 0 1", "--memory", "1M"];
    let proved = json(folder, &placing);
    assert_eq!((proved["value"].as_str(), proved["visited"].as_u64() > Some(0)), (Some("loss"), true));
    assert!(proved["moves"].as_array().unwrap().iter().all(|mv| mv["value"] == "loss"));
    let again = json(folder, &[&placing[..], &["--keep", "1"]].concat());
    assert_eq!(again["value"], proved["value"]);
    assert!(folder.join("placing.proved").exists());
    std::fs::write(&list, format!("{}\nnonsense\n# no line\n{}\n", placing[4], placing[4])).unwrap();
    let many =
        ["prove", "--rules", "thesis", "--positions", list.to_str().unwrap(), "--memory", "1M", "--json"];
    let many = run(folder, &many);
    assert_eq!(many.status.code(), Some(2), "one line is wrong");
    let lines = json_lines(&many);
    let numbers: Vec<_> = lines.iter().map(|line| line["number"].as_u64().unwrap()).collect();
    assert_eq!((numbers, &lines[1]["moves"]), (vec![1, 4], &proved["moves"]));
    assert!(lines[0]["position"].as_str().unwrap().starts_with(placing[4]), "{}", lines[0]);
    let empty = run(folder, &["prove", "--rules", "thesis", "--memory", "1M"]);
    assert!(String::from_utf8_lossy(&empty.stderr).contains("no table for"), "{empty:?}");
}
