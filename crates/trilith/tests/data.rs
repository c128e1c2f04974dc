//! Data to learn from, as commands make it: games, judged positions, rows and answers of other programs.

#![allow(clippy::unwrap_used)]

mod program;

use std::process::Output;

use program::{folder, text, trilith};

fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Six games of Othello in a file.
fn games(name: &str) -> (std::path::PathBuf, String) {
    let folder = folder(name);
    let games = folder.join("a.games").display().to_string();
    text(&trilith(&[
        "data",
        "generate",
        "--depth",
        "1",
        "--exact",
        "6",
        "--random-least",
        "20",
        "--games",
        "6",
        "--out",
        &games,
    ]));
    (folder, games)
}

#[test]
fn judged_positions_and_games_become_rows() {
    let (folder, games) = games("rows");
    let path = |name: &str| folder.join(name).display().to_string();
    let (weights, judged, rows) = (path("w.safetensors"), path("a.positions"), path("rows.bin"));
    text(&trilith(&["fit", "patterns", "--data", &games, "--iterations", "2", "--out", &weights]));
    text(&trilith(&[
        "data",
        "judge",
        "--games",
        &games,
        "--weights",
        &weights,
        "--depth",
        "2",
        "--out",
        &judged,
    ]));
    let said = text(&trilith(&["data", "rows", "--positions", &judged, "--games", &games, "--out", &rows]));
    let bytes = std::fs::read(&rows).unwrap();
    assert_eq!(said, format!("{} rows in {rows}\n", bytes.len() / 20));
    let (searched, played): (Vec<_>, Vec<_>) =
        bytes.chunks_exact(20).partition(|row| row[16..18] != i16::MIN.to_le_bytes());
    assert!(searched.len() > 50 && played.len() > 100, "{} {}", searched.len(), played.len());
    assert!(played.iter().all(|row| (-64..=64).contains(&(row[18] as i8))), "games have results");
    for row in bytes.chunks_exact(20) {
        let board = |at: usize| u64::from_le_bytes(row[at..at + 8].try_into().unwrap());
        assert_eq!(board(0) & board(8), 0);
        assert_eq!(row[19], 1, "six games are one block, and the first block is for testing");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
#[cfg(unix)]
fn another_program_is_asked_and_patterns_learn_from_its_answers() {
    let (folder, games) = games("ask");
    let path = |name: &str| folder.join(name).display().to_string();
    let (asked, weights) = (path("q.positions"), path("w.safetensors"));
    let zeros = ["--", "sh", "-c", "head -c 1000000 /dev/zero"];
    let ask = |more: &[&str]| {
        trilith(&[&["data", "ask", "--games", &games, "--share", "0.5", "--out", &asked], more].concat())
    };
    let missing = ask(&["--", "no-such-program"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("no-such-program: "), "{missing:?}");
    let silent = ask(&["--", "true"]);
    assert!(String::from_utf8_lossy(&silent.stderr).contains("true: no values from it"), "{silent:?}");

    let said = text(&ask(&zeros));
    let count: u64 = said.split(' ').next().unwrap().parse().unwrap();
    assert!(count > 200, "{said}");
    assert_eq!(text(&ask(&zeros)), said, "nothing is left to ask");
    assert!(text(&trilith(&["data", "show", &asked])).starts_with(&format!("{count} judged positions")));
    let wrong = trilith(&["fit", "patterns", "--positions", &asked, "--near", "0", "--out", &weights]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("--near: expected a number of discs above 0"));
    let fitted =
        text(&trilith(&["fit", "patterns", "--positions", &asked, "--near", "5", "--out", &weights]));
    assert!(fitted.contains("mean error on games not learned from: 0.000 discs"), "{fitted}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// A file as a killed writer leaves it: after its whole blocks there are 30 bytes of another.
fn tear(file: &str) -> Vec<u8> {
    let whole = std::fs::read(file).unwrap();
    std::fs::write(file, [&whole[..], &whole[..30]].concat()).unwrap();
    whole
}

fn warning(file: &str) -> String {
    format!(
        "warning: {file}: its last block is cut off, 30 bytes are left out; \
         the command that wrote it mends it if it is run again\n"
    )
}

/// Whoever takes a file as finished says that its end is missing; who goes on with it mends it without a word.
#[test]
fn positions_that_were_cut_off_are_told_once_and_mended() {
    let (folder, games) = games("cut");
    let path = |name: &str| folder.join(name).display().to_string();
    let (weights, judged, rows) = (path("w.safetensors"), path("a.positions"), path("rows.bin"));
    text(&trilith(&["fit", "patterns", "--data", &games, "--iterations", "2", "--out", &weights]));
    let judge = ["data", "judge", "--games", &games, "--weights", &weights, "--depth", "1", "--out", &judged];
    text(&trilith(&judge));
    let readers: [&[&str]; 3] = [
        &["data", "show", &judged],
        &["data", "rows", "--positions", &judged, "--out", &rows],
        &["fit", "patterns", "--positions", &judged, "--iterations", "1", "--out", &weights],
    ];
    let whole_say = readers.map(trilith);
    let whole = tear(&judged);
    for (reader, before) in readers.iter().zip(whole_say) {
        let output = trilith(reader);
        assert_eq!((complaint(&before), complaint(&output)), (String::new(), warning(&judged)), "{reader:?}");
        assert_eq!(text(&output), text(&before), "whole blocks are read as before");
    }
    assert_eq!(complaint(&trilith(&judge)), "");
    assert!(std::fs::read(&judged).unwrap() == whole);
    std::fs::remove_dir_all(folder).unwrap();
}
