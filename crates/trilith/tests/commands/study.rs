//! `trilith study` as people use it: listed, run, killed, gone on with, reported.
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

fn trilith(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trilith"));
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("trilith-study-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn run(folder: &Path) -> Command {
    trilith(&["study", "run", "muehle-search", "--scale", "smoke", "--folder", folder.to_str().unwrap()])
}

/// All files of numbers but times.
fn numbers(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files =
        fs::read_dir(folder.join("reports/muehle-search.smoke")).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "csv"));
    files
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap()))
        .collect()
}

#[test]
fn a_killed_study_goes_on_to_the_same_files() {
    let (whole, killed) = (folder("whole"), folder("killed"));
    assert!(run(&whole).status().unwrap().success());
    let journal = killed.join("muehle-search-smoke/journal.jsonl");
    let lines = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    for wanted in [5, 30] {
        let mut child = run(&killed).spawn().unwrap();
        let began = Instant::now();
        while lines() < wanted
            && child.try_wait().unwrap().is_none()
            && began.elapsed() < Duration::from_secs(60)
        {
            thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(lines() >= 5);
    assert!(run(&killed).status().unwrap().success());
    assert!(numbers(&whole).len() >= 6);
    assert_eq!(numbers(&killed), numbers(&whole));
    for folder in [whole, killed] {
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn studies_are_listed_and_slips_answered() {
    let output = trilith(&["study", "list"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 24);
    let output = trilith(&["study", "run", "muehle-serch"]).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("expected `muehle-search`?"), "{error}");
    assert_eq!(output.status.code(), Some(2));
    let nowhere = folder("nowhere");
    let arguments = ["study", "report", "othilie-horizon", "--folder", nowhere.to_str().unwrap()];
    assert!(!trilith(&arguments).output().unwrap().status.success());
    let folder = folder("nothing-searched");
    let none = ["--set", "positions=[0]", "--folder", folder.to_str().unwrap()];
    let output =
        trilith(&[&["study", "run", "muehle-search", "--scale", "smoke"], &none[..]].concat()).output();
    let error = String::from_utf8_lossy(&output.unwrap().stderr).into_owned();
    assert!(error.contains("no nodes to count for Alpha-Beta: `positions`"), "{error}");
    fs::remove_dir_all(folder).unwrap();
}

/// Edited files, paths and `--set` are read, and the run and its report say so.
#[test]
fn a_study_is_an_instrument() {
    let place = folder("instrument");
    fs::create_dir_all(place.join("studies")).unwrap();
    let text = include_str!("../../../../studies/othilie-horizon.toml");
    fs::write(place.join("studies/othilie-horizon.toml"), text).unwrap();
    let run = |arguments: &[&str]| {
        let fixed = ["study", "run", "--scale", "smoke", "--folder", "f", "--no-pages"];
        let output = trilith(&[&fixed, arguments].concat()).current_dir(&place).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).lines().last().unwrap().to_owned()
    };
    assert_eq!(run(&["othilie-horizon"]), "f/reports/othilie-horizon.smoke.json");
    let set = run(&["othilie-horizon", "--set", "evaluation=discs"]);
    assert!(set.starts_with("f/reports/othilie-horizon.smoke-"), "{set}");
    let report = fs::read_to_string(place.join(&set)).unwrap();
    assert!(report.contains("evaluation: \\\"discs\\\" (usually"), "the report says what differs");
    let edited = text.replacen("evaluation = ", "evaluation = \"discs\" # ", 1);
    fs::write(place.join("studies/othilie-horizon.toml"), &edited).unwrap();
    assert_eq!(run(&["othilie-horizon"]), set, "the edited file is read");
    fs::write(place.join("mine.toml"), format!("study = \"othilie-horizon\"\n{edited}")).unwrap();
    assert_eq!(run(&["mine.toml"]), set);
    let report = ["study", "report", &set, "--out", "pages"];
    assert!(trilith(&report).current_dir(&place).status().unwrap().success());
    let page = place.join("pages").join(Path::new(&set).file_name().unwrap()).with_extension("html");
    assert!(fs::read_to_string(page).unwrap().contains("other parameters than usual"));
    fs::remove_dir_all(place).unwrap();
}
