//! Training runs as a person uses them: killed, resumed, refused.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::program::folder;

fn train(file: &Path, folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trilith"));
    command.arg("train").arg(file).arg("--folder").arg(folder).args(args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A checkpoint after every step, so that there is much to be killed in.
fn write_config(folder: &Path, text: &str) -> PathBuf {
    let file = folder.join("run.toml");
    fs::write(&file, text).unwrap();
    file
}

fn outcomes(games: u32) -> String {
    format!(
        "kind = \"outcomes\"\ngame = \"morris\"\nseed = 5\ncheckpoint = 0.0\n[parameters]\ngames = {games}\n\
         batch = 10\nyardstick_games = 6\n"
    )
}

/// Killed again and again, each time a little later; the last time it is left to end.
fn kill_and_resume(file: &Path, run: &Path, args: &[&str]) -> u32 {
    let mut deaths = 0;
    for delay in (0..).map(|step| Duration::from_millis(15 + 40 * step)) {
        let mut child = train(file, run, &[&["--resume"], args].concat()).spawn().unwrap();
        std::thread::sleep(delay);
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success(), "{}", stderr(&child.wait_with_output().unwrap()));
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        deaths += 1;
    }
    deaths
}

#[test]
fn a_killed_run_learns_what_an_undisturbed_one_does() {
    let folder = folder("killed");
    let file = write_config(&folder, &outcomes(3000));
    let (calm, killed, many) = (folder.join("calm"), folder.join("killed"), folder.join("many"));
    let output = train(&file, &calm, &[]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stderr(&output), "", "quiet where nobody looks");
    let deaths = kill_and_resume(&file, &killed, &[]);
    assert!(deaths > 2, "killed {deaths} times");
    assert!(train(&file, &many, &["--threads", "3"]).status().unwrap().success());
    for name in ["artifact.safetensors", "curves.csv", "curves.svg"] {
        let read = |run: &Path| fs::read(run.join(name)).unwrap();
        assert!(read(&killed) == read(&calm), "{name} differs after {deaths} deaths");
        assert!(read(&many) == read(&calm), "{name} differs with three threads");
    }
    let curves = fs::read_to_string(calm.join("curves.csv")).unwrap();
    assert_eq!(curves.lines().count(), 301, "a row a step and the names");
    fs::remove_dir_all(folder).unwrap();
}

/// The pipeline of a game in small, with a promotion that is easily had.
const PIPELINE: &str = "kind = \"production\"\ngame = \"morris\"\nseed = 2\ncheckpoint = 0.0\n[parameters]\n\
    generations = 2\ngames = 120\nbatch = 20\nrandom_least = 4\nrandom_most = 10\ndepth = 1\nlongest = 80\nepochs = 2\n\
    calibration = 0\nmatch_nodes = 100\nmatch_games = 40\nmatch_batch = 4\n\
    match_random = 4\nsprt = \"-400,-200,0.1,0.1\"\n";

#[test]
fn a_killed_pipeline_promotes_what_an_undisturbed_one_does() {
    let folder = folder("pipeline");
    let file = write_config(&folder, PIPELINE);
    let (calm, killed) = (folder.join("calm"), folder.join("killed"));
    let output = train(&file, &calm, &["--threads", "2"]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("strength of generation 2: +"), "{shown}");
    let deaths = kill_and_resume(&file, &killed, &[]);
    assert!(deaths > 2, "killed {deaths} times");
    for name in ["artifact.safetensors", "generation-2/labelled.games", "curves.csv"] {
        let read = |run: &Path| fs::read(run.join(name)).unwrap();
        assert!(read(&killed) == read(&calm), "{name} differs after {deaths} deaths");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_does_not_fit_is_refused_with_the_reason() {
    let folder = folder("refused");
    let run = folder.join("run");
    let refusal = |text: &str, args: &[&str]| {
        let output = train(&write_config(&folder, text), &run, args).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        stderr(&output)
    };
    assert!(refusal("kind = \"outcome\"\ngame = \"othello\"", &[]).contains("expected `outcomes`?"));
    assert!(refusal("kind = \"outcomes\"\ngame = \"go\"", &[]).contains("`outcomes` does not learn go"));
    let fault = refusal("kind = \"outcomes\"\ngame = \"othello\"\n[parameters]\ngame = 3", &[]);
    assert!(fault.contains("`parameters`: unknown field `game`"), "{fault}");

    assert!(train(&write_config(&folder, &outcomes(20)), &run, &[]).status().unwrap().success());
    assert!(refusal(&outcomes(20), &[]).contains("holds a run already"));
    let fault = refusal(&outcomes(30), &["--resume"]);
    assert!(fault.contains("the config says parameters.games = 30, the run in"), "{fault}");
    assert!(fault.contains("was begun with 20"), "{fault}");
    let checkpoint = fs::read_dir(run.join("checkpoints")).unwrap().next().unwrap().unwrap().path();
    fs::write(checkpoint.join("state.bin"), "nonsense").unwrap();
    assert!(refusal(&outcomes(20), &["--resume"]).contains("state.bin has been damaged"));
    fs::remove_dir_all(folder).unwrap();
}

/// Ctrl-C ends the run after the step at hand and keeps what was done.
#[cfg(unix)]
#[test]
fn an_interrupt_stops_cleanly() {
    let folder = folder("interrupted");
    let file = write_config(&folder, &outcomes(1_000_000));
    let run = folder.join("run");
    let child = train(&file, &run, &[]).spawn().unwrap();
    while !run.join("checkpoints").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(stderr(&output).contains("--resume` goes on"), "{}", stderr(&output));
    let log = fs::read_to_string(run.join("log.txt")).unwrap();
    assert!(log.lines().last().unwrap().starts_with("stopped after step"), "{log}");
    fs::remove_dir_all(folder).unwrap();
}

/// A grid named without a folder lies in the one where the command is given.
#[test]
fn a_grid_is_found_beside_the_shell() {
    let folder = folder("grid");
    let grid = "kind = \"outcomes\"\ngame = \"morris\"\n[parameters]\ngames = 4\nyardstick_games = 0\n[grid]\nseed = [1, 2]\n";
    fs::write(folder.join("grid.toml"), grid).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_trilith"));
    let output =
        command.args(["train", "--grid", "grid.toml", "--folder", "runs"]).current_dir(&folder).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(folder.join("runs/grid.csv")).unwrap().lines().count(), 3);
    fs::remove_dir_all(folder).unwrap();
}
