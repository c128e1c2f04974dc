//! Data to learn from, as commands make it: games, judged positions, rows and answers of other programs.

use std::path::{Path, PathBuf};
use std::process::Output;

use crate::program::schema::hold;
use crate::program::{folder, text, trilith};
use trilith_eval::othello::Evaluations;
use trilith_games::othello::Othello;
use trilith_learn::data::GameColumns;
use trilith_learn::data::blocks::{BlockLayout, BlockReader, BlockWriter};
use trilith_learn::data::positions::PositionColumns;

pub fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Whether it was the input that was wrong: the file `out` was begun in another way.
pub fn assert_refused(output: &Output, out: &str, expected: &str) {
    let complaint = complaint(output);
    assert_eq!(output.status.code(), Some(2), "{expected}: {complaint}");
    assert!(complaint.starts_with(&format!("error: {out}: begun with {expected}")), "{complaint}");
    assert!(complaint.ends_with(": go on with the same, or write another file\n"), "{complaint}");
}

fn place_of(command: &[&str], option: &str) -> usize {
    command.iter().position(|&word| word == option).unwrap() + 1
}

/// The command with another value of an option that it has.
fn with<'a>(command: &[&'a str], option: &str, value: &'a str) -> Vec<&'a str> {
    let at = place_of(command, option);
    [&command[..at], &[value], &command[at + 1..]].concat()
}

/// Whether a command refuses to go on with its file with any of these values of options, and leaves the file as it is.
fn check_bound(command: &[&str], others: &[(&str, &str)]) {
    let out = command[place_of(command, "--out")];
    let bytes = std::fs::read(out).unwrap();
    for (option, other) in others {
        let then = command[place_of(command, option)];
        let expected = format!("`{option} {then}`, now with `{option} {other}`");
        assert_refused(&trilith(&with(command, option, other)), out, &expected);
    }
    assert!(std::fs::read(out).unwrap() == bytes, "what was refused changed nothing");
}

/// What is said of a file as the program wrote it before it kept settings.
fn unknown(file: &str) -> String {
    format!("warning: {file}: it does not say with which options it was begun; going on with these\n")
}

/// The first block of a file without its settings.
pub fn forget_settings<L: BlockLayout>(file: &str, game: &str) {
    let first = BlockReader::<L>::open(Path::new(file), game).unwrap().next_block().unwrap().unwrap();
    std::fs::remove_file(file).unwrap();
    BlockWriter::<L>::open(Path::new(file), game).unwrap().push(&first).unwrap();
}

/// Six games of Othello in a file.
fn games(name: &str) -> (PathBuf, String) {
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
fn games_become_positions_of_other_formats() {
    let (folder, games) = games("convert");
    let obf = folder.join("all.obf").display().to_string();
    assert!(text(&trilith(&["convert", &games, "--out", &obf])).starts_with("6 games to "));
    let positions = std::fs::read_to_string(&obf).unwrap();
    let empty = |count| positions.lines().filter(|line| line[..64].matches('-').count() == count).count();
    assert_eq!((empty(60), empty(30)), (6, 6), "{positions}");
    std::fs::remove_dir_all(folder).unwrap();
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
fn positions_are_exported_as_tables() {
    let (folder, games) = games("export");
    let path = |name: &str| folder.join(name).display().to_string();
    let (npz, parquet) = (path("a.npz"), path("a.table"));
    let said = text(&trilith(&["data", "export", &games, "--out", &npz]));
    let rows: usize = said.split(' ').next().unwrap().parse().unwrap();
    assert!(rows > 200 && said == format!("{rows} rows in {npz}\n"), "{said}");
    let bytes = std::fs::read(&npz).unwrap();
    let listed = String::from_utf8_lossy(&bytes);
    for column in ["game", "ply", "rules", "position", "to_play", "move", "action", "random", "value", "obs"]
    {
        assert!(listed.contains(&format!("{column}.npy")), "{column}");
    }
    assert!(listed.contains(&format!("'shape': ({rows}, 3, 8, 8)")));
    let said = text(&trilith(&["data", "export", &games, &games, "--format", "parquet", "--out", &parquet]));
    assert_eq!(said, format!("{} rows in {parquet}\n", 2 * rows));
    let bytes = std::fs::read(&parquet).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    hold("data export", &text(&trilith(&["data", "export", &games, "--out", &npz, "--json"])));
    let wrong = trilith(&["data", "export", &games, "--out", &path("a.csv")]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(complaint(&wrong).contains("`csv`: expected `parquet` or `npz`"), "{}", complaint(&wrong));
    let left = std::fs::read_dir(&folder).unwrap().flatten();
    assert!(left.into_iter().all(|entry| !entry.path().to_string_lossy().ends_with(".part")));
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
    hold("data ask", &text(&ask(&[&["--json"], &zeros[..]].concat())));
    let another = ["--", "sh", "-c", "yes"];
    for more in [["--further", "2"], ["--seed", "2"]] {
        let expected = format!("`{} 1`, now with `{} 2`", more[0], more[0]);
        assert_refused(&ask(&[&more[..], &zeros].concat()), &asked, &expected);
    }
    let share = ["data", "ask", "--games", &games, "--share", "1", "--out", &asked];
    let share = trilith(&[&share[..], &zeros].concat());
    assert_refused(&share, &asked, "`--share 0.5`, now with `--share 1`");
    assert_refused(
        &ask(&another),
        &asked,
        r#"`-- ["sh", "-c", "head -c 1000000 /dev/zero"]`, now with `-- ["sh", "-c", "yes"]`"#,
    );
    assert!(text(&trilith(&["data", "show", &asked])).starts_with(&format!("{count} judged positions")));
    let other = trilith(&["fit", "patterns", "--positions", &asked, "--epochs", "2", "--out", &weights]);
    assert!(String::from_utf8_lossy(&other.stderr).contains("--epochs: weights of othello"));
    let wrong = trilith(&["fit", "patterns", "--positions", &asked, "--near", "0", "--out", &weights]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("--near: expected a number of discs above 0"));
    let fitted =
        text(&trilith(&["fit", "patterns", "--positions", &asked, "--near", "5", "--out", &weights]));
    assert!(fitted.contains("mean error on games not learned from: 0.000 discs"), "{fitted}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn othello_games_go_on_only_as_they_were_begun() {
    let (folder, games) = games("generate-begun");
    let path = |name: &str| folder.join(name).display().to_string();
    let (weights, out, calm) = (path("w.safetensors"), path("b.games"), path("calm.games"));
    text(&trilith(&["fit", "patterns", "--data", &games, "--iterations", "1", "--out", &weights]));
    let begin =
        ["data", "generate", "--random-least", "40", "--random-most", "44", "--depth", "1", "--exact", "6"];
    let begin = [&begin[..], &["--seed", "1", "--games", "5", "--out", &out]].concat();
    text(&trilith(&begin));
    let others = [
        ("--random-least", "41"),
        ("--random-most", "45"),
        ("--depth", "2"),
        ("--exact", "7"),
        ("--seed", "2"),
    ];
    check_bound(&begin, &others);
    let taught = trilith(&[&begin[..], &["--weights", &weights]].concat());
    assert_refused(&taught, &out, "`no --weights`, now with `--weights (blake3 ");

    let more = with(&begin, "--games", "40");
    let said = text(&trilith(&[&more[..], &["--threads", "2", "--seconds", "600"]].concat()));
    assert!(said.starts_with("40 games"), "how many games and threads does not matter: {said}");
    text(&trilith(&with(&more, "--out", &calm)));
    assert!(std::fs::read(&out).unwrap() == std::fs::read(&calm).unwrap());

    text(&trilith(&with(&begin, "--out", &path("c.games"))));
    std::fs::copy(path("c.games"), &out).unwrap();
    forget_settings::<GameColumns>(&out, "othello");
    let output = trilith(&with(&more, "--seed", "2"));
    assert!(complaint(&output).starts_with(&unknown(&out)), "{}", complaint(&output));
    assert!(text(&output).starts_with("40 games"));
    assert!(
        complaint(&trilith(&with(&more, "--seed", "3"))).starts_with(&unknown(&out)),
        "it still does not say"
    );
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn morris_games_go_on_only_as_they_were_begun() {
    let folder = folder("selfplay-begun");
    let path = |name: &str| folder.join(name).display().to_string();
    let (out, calm) = (path("a.games"), path("calm.games"));
    let begin =
        ["data", "generate", "--game", "morris", "--random-least", "8", "--random-most", "9", "--depth", "1"];
    let rest = [
        "--longest",
        "20",
        "--still",
        "12",
        "--restless",
        "0",
        "--seed",
        "1",
        "--games",
        "300",
        "--out",
        &out,
    ];
    let begin = [&begin[..], &rest].concat();
    let wrong = trilith(&[&begin[..], &["--rules", "none-such"]].concat());
    assert!(complaint(&wrong).contains("none-such"), "no games come of it: the file is not bound");
    assert!(text(&trilith(&begin)).starts_with("300 games"));
    let others = [("--random-least", "7"), ("--random-most", "10"), ("--depth", "2"), ("--seed", "2")];
    check_bound(&begin, &others);
    check_bound(&begin, &[("--longest", "21"), ("--still", "13"), ("--restless", "100")]);
    let rules = trilith(&[&begin[..], &["--rules", "thesis"]].concat());
    assert_refused(&rules, &out, r#"`--rules ["standard"]`, now with `--rules ["thesis"]`"#);

    let more = with(&begin, "--games", "1024");
    let some = with(&begin, "--games", "700");
    assert!(text(&trilith(&some)).starts_with("700 games"), "two blocks, one of them full");
    assert!(text(&trilith(&[&more[..], &["--threads", "2"]].concat())).starts_with("1024 games"));
    text(&trilith(&with(&more, "--out", &calm)));
    assert!(std::fs::read(&out).unwrap() == std::fs::read(&calm).unwrap(), "pauses leave no trace");

    forget_settings::<GameColumns>(&out, "morris");
    let output = trilith(&with(&more, "--seed", "2"));
    assert!(complaint(&output).starts_with(&unknown(&out)), "{}", complaint(&output));
    assert!(text(&output).starts_with("1024 games"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn judgements_go_on_only_as_they_were_begun() {
    let (folder, games) = games("judge-begun");
    let path = |name: &str| folder.join(name).display().to_string();
    let (weights, others, copy) = (path("w.safetensors"), path("v.safetensors"), path("u.safetensors"));
    for (iterations, weights) in [("1", &weights), ("2", &others)] {
        text(&trilith(&["fit", "patterns", "--data", &games, "--iterations", iterations, "--out", weights]));
    }
    let longer =
        ["data", "generate", "--depth", "1", "--exact", "6", "--random-least", "20", "--games", "40"];
    text(&trilith(&[&longer[..], &["--out", &games]].concat()));
    let (out, calm) = (path("a.positions"), path("calm.positions"));
    let judge = ["data", "judge", "--games", &games, "--weights", &weights, "--depth", "1", "--exact", "6"];
    let judge = [&judge[..], &["--share", "0.5", "--seed", "1", "--out", &out]].concat();
    text(&trilith(&[&judge[..], &["--seconds", "0"]].concat()));
    let first = std::fs::read(&out).unwrap();
    check_bound(&judge, &[("--depth", "2"), ("--exact", "7"), ("--share", "0.25"), ("--seed", "2")]);
    assert_refused(&trilith(&with(&judge, "--weights", &others)), &out, "`--weights (blake3 ");
    let two = [&judge[..3], &[games.as_str()], &judge[3..]].concat();
    assert_refused(&trilith(&two), &out, "`--games \"a.games\" (blake3 ");

    std::fs::copy(&weights, &copy).unwrap();
    let said = text(&trilith(&[&with(&judge, "--weights", &copy)[..], &["--threads", "2"]].concat()));
    text(&trilith(&with(&judge, "--out", &calm)));
    let whole = std::fs::read(&out).unwrap();
    assert!(whole.len() > first.len() && whole == std::fs::read(&calm).unwrap(), "{said}");
    let ask = ["data", "ask", "--games", &games, "--out", &out, "--", "cat"];
    assert_refused(&trilith(&ask), &out, "`trilith data judge`, now with `trilith data ask`");

    forget_settings::<PositionColumns<Othello, Evaluations>>(&out, "othello");
    let output = trilith(&judge);
    assert_eq!((text(&output), complaint(&output)), (said, unknown(&out)));
    std::fs::remove_dir_all(folder).unwrap();
}

/// A file as a killed writer leaves it: after its whole blocks there are 30 bytes of another.
pub fn tear(file: &str) -> Vec<u8> {
    let whole = std::fs::read(file).unwrap();
    std::fs::write(file, [&whole[..], &whole[..30]].concat()).unwrap();
    whole
}

pub fn warning(file: &str) -> String {
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
    let fitted = path("v.safetensors");
    text(&trilith(&["fit", "patterns", "--data", &games, "--iterations", "2", "--out", &weights]));
    let judge = ["data", "judge", "--games", &games, "--weights", &weights, "--depth", "1", "--out", &judged];
    text(&trilith(&judge));
    let readers: [&[&str]; 3] = [
        &["data", "show", &judged],
        &["data", "rows", "--positions", &judged, "--out", &rows],
        &["fit", "patterns", "--positions", &judged, "--iterations", "1", "--out", &fitted],
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
