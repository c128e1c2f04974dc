//! The program as the tests run it.

#![allow(dead_code, reason = "each test file uses some of these")]

pub mod schema;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use serde_json::Value;

/// Runs it to its end.
pub fn trilith(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_trilith")).args(arguments).output().unwrap()
}

/// Runs it to its end with this on its standard input.
pub fn trilith_with(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_trilith"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// What it printed as JSON, a value a line.
pub fn json_lines(output: &Output) -> Vec<Value> {
    let printed = str::from_utf8(&output.stdout).unwrap();
    printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What it printed; panics with its complaint if it failed.
pub fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// A folder of its own, empty: no other call has the same, whatever the name.
pub fn folder(name: &str) -> PathBuf {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let (process, number) = (std::process::id(), MADE.fetch_add(1, Relaxed));
    let folder = std::env::temp_dir().join(format!("trilith-test-{process}-{number}-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The words of a file but for times such as `0.004s`: comments of moves say how long they took.
pub fn without_times(file: &Path) -> Vec<String> {
    let text = fs::read(file).unwrap();
    let is_time = |word: &str| word.strip_suffix('s').is_some_and(|number| number.parse::<f64>().is_ok());
    let words = String::from_utf8_lossy(&text).split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let bare = words.iter().map(|word| word.trim_start_matches('{').trim_end_matches('}'));
    bare.filter(|word| !is_time(word)).map(str::to_owned).collect()
}
