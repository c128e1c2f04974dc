//! S3's learners as a person runs them: each for seconds, killed and resumed, on the games they know.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::program::folder;

fn trilith(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trilith"));
    command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(args: &[&str]) -> String {
    let output = trilith(args).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Trains as `text` says in `folder/name`; returns the run's folder.
fn train(folder: &Path, name: &str, text: &str, args: &[&str]) -> PathBuf {
    let (file, place) = (folder.join("run.toml"), folder.join(name));
    fs::write(&file, text).unwrap();
    run(&[&["train", file.to_str().unwrap(), "--folder", place.to_str().unwrap()], args].concat());
    place
}

/// Trains undisturbed and killed again and again, and compares what both leave behind.
fn survives_kills(folder: &Path, text: &str, files: &[&str]) -> PathBuf {
    let calm = train(folder, "calm", text, &[]);
    let killed = folder.join("killed");
    let file = folder.join("run.toml");
    let args = ["train", file.to_str().unwrap(), "--folder", killed.to_str().unwrap(), "--resume"];
    let mut deaths = 0;
    for delay in (1..).map(|step| Duration::from_millis(60 * step)) {
        let mut child = trilith(&args).spawn().unwrap();
        std::thread::sleep(delay);
        if let Some(status) = child.try_wait().unwrap() {
            let output = child.wait_with_output().unwrap();
            assert!(status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        deaths += 1;
    }
    assert!(deaths > 0, "the run was over before it could be killed");
    for name in files {
        let read = |run: &Path| fs::read(run.join(name)).unwrap();
        assert!(read(&killed) == read(&calm), "{name} differs after {deaths} deaths");
    }
    calm
}

fn tabular(game: &str, games: u64, more: &str) -> String {
    format!(
        "kind = \"tabular\"\ngame = \"{game}\"\nseed = 3\ncheckpoint = 0.0\n[parameters]\ngames = {games}\n\
         yardstick_games = 10\nyardstick_every = 1000\n{more}"
    )
}

#[test]
fn a_table_survives_kills_and_networks_are_fitted_to_it() {
    let folder = folder("table");
    let text = tabular("othello", 4000, "");
    let run_folder = survives_kills(&folder, &text, &["artifact.safetensors", "table.bin", "curves.csv"]);
    let table = run_folder.join("table.bin");
    let spec = format!("minimax:depth=1,eval=table,file={}", table.display());
    let report = run(&["match", "othello", "--a", &spec, "--b", "random", "--games", "4"]);
    assert!(report.contains("games"), "{report}");
    let fit = |network: &str, optimiser: &str, rate: &str, batch: u64| {
        format!(
            "kind = \"table-fit\"\ngame = \"othello\"\ncheckpoint = 0.0\n[parameters]\ntable = \"{}\"\nnetwork = \"{network}\"\n\
             optimiser = {{ {optimiser} }}\nrate = {rate}\nbatch = {batch}\nepochs = 2\nyardstick_games = 10\n",
            table.display()
        )
    };
    let place = folder.join("mlp");
    fs::create_dir_all(&place).unwrap();
    let fitted = survives_kills(
        &place,
        &fit("mlp", "method = \"sgd\"", "0.01", 64),
        &["artifact.safetensors", "curves.csv"],
    );
    let last = |run: &Path, column: usize| -> f64 {
        let curves = fs::read_to_string(run.join("curves.csv")).unwrap();
        curves.lines().last().unwrap().split(',').nth(column).unwrap().parse().unwrap()
    };
    let header = fs::read_to_string(fitted.join("curves.csv")).unwrap().lines().next().unwrap().to_owned();
    let column =
        header.split(',').position(|name| name.trim_matches('"') == "r2").expect("R^2 in the curves");
    assert!(last(&fitted, column) > 0.05, "the fit explains something: {}", last(&fitted, column));
    let adam = train(&folder, "adam", &fit("mlp", "method = \"adam\"", "0.01", 64), &[]);
    assert!(last(&adam, column) > 0.05, "{}", last(&adam, column));
    let rprop =
        train(&folder, "rprop", &fit("mlp", "method = \"rprop\"", "0.001", 20_000), &["--threads", "2"]);
    assert!(last(&rprop, column).is_finite());
    let cnn = train(&folder, "cnn", &fit("cnn", "method = \"sgd\", momentum = 0.5", "0.001", 128), &[]);
    assert!(last(&cnn, column) > 0.05, "{}", last(&cnn, column));
    let spec = format!("minimax:depth=1,eval=cnn,file={}", cnn.join("artifact.safetensors").display());
    run(&["match", "othello", "--a", &spec, "--b", "random", "--games", "4"]);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn tables_are_filled_in_all_manners_and_in_morris() {
    let folder = folder("manners");
    let text = tabular("morris", 1500, "policy = \"epsilon\"\nplies = 150\n");
    let morris = survives_kills(&folder, &text, &["artifact.safetensors", "table.bin"]);
    let spec = format!("minimax:depth=1,eval=table,file={}", morris.join("table.bin").display());
    run(&["match", "morris", "--a", &spec, "--b", "random", "--games", "4"]);
    for (name, more) in [
        ("epsilon", "policy = \"epsilon\"\nepsilon_every = 200\n"),
        ("black", "colours = \"black\"\nopponent = \"random\"\n"),
        ("minimax", "opponent = \"minimax:depth=1,eval=discs\"\n"),
        ("batches", "batch = 100\n"),
    ] {
        train(&folder, name, &tabular("othello", 1000, more), &[]);
    }
    let threads = train(&folder, "threads", &tabular("othello", 1000, "batch = 100\n"), &["--threads", "3"]);
    let read = |run: &Path| fs::read(run.join("table.bin")).unwrap();
    assert!(read(&threads) == read(&folder.join("batches")), "threads make no difference");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn deep_learning_survives_kills_in_all_variants() {
    let deep = |more: &str| {
        format!(
            "kind = \"deep-value\"\ngame = \"othello\"\ncheckpoint = 0.0\n[parameters]\ncycles = 5\nfill = 300\n\
             games = 150\nbuffer = 20000\nsample = 8000\nyardstick_games = 6\nyardstick_every = 2\n{more}"
        )
    };
    let folder = folder("deep");
    for (name, more) in [
        ("plain", ""),
        ("intensified", "passes = 3\n"),
        ("augmented", "augmented = true\ndigits = 2\n"),
        ("hybrid", "hybrid = true\npolicy = \"epsilon\"\n"),
        ("both", "augmented = true\nhybrid = true\n"),
    ] {
        let place = folder.join(name);
        fs::create_dir_all(&place).unwrap();
        let calm = survives_kills(&place, &deep(more), &["artifact.safetensors", "curves.csv"]);
        let many = train(&place, "many", &deep(more), &["--threads", "3"]);
        let read = |run: &Path| fs::read(run.join("artifact.safetensors")).unwrap();
        assert!(read(&many) == read(&calm), "{name}: threads make no difference");
    }
    fs::remove_dir_all(folder).unwrap();
}
