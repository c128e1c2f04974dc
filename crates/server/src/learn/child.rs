//! Training in a process of its own: whatever it does to its memory or its stack, the server goes on.
//!
//! The process is `trilith train FILE --attended`: it says how far it is, a line of JSON at a time, and stops with a
//! checkpoint when its input ends, which it also does when the server dies.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use serde::Deserialize;
use trilith_base::files;
use trilith_learn::run::RunConfig;

use super::training::{Progress, Pupil};

/// The program that trains, and what it may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingProgram {
    /// `trilith`.
    pub program: PathBuf,
    /// The most mebibytes of a run.
    pub memory: u64,
}

/// What the process was told to train, and what it had to complain of.
const BEGUN: &str = "begun.toml";
const COMPLAINT: &str = "complaint.txt";
/// Bytes of a complaint that are shown.
const LONGEST: usize = 2000;

/// A line of the process.
#[derive(Deserialize)]
#[serde(untagged)]
enum ChildLine {
    Status {
        #[serde(flatten)]
        progress: Progress,
        measures: Vec<(String, Option<f64>)>,
    },
    End {
        ended: String,
    },
}

/// Trains until the run is complete, which is true, or was stopped; or why it failed.
pub(super) fn train(
    trainer: &TrainingProgram,
    config: &RunConfig,
    folder: &Path,
    resume: bool,
    pupil: &Pupil,
) -> Result<bool, String> {
    let failed = |error: std::io::Error| format!("the process for training cannot be had: {error}");
    let mut child = start(trainer, config, folder, resume).map_err(failed)?;
    pupil.tie(child.stdin.take());
    let mut end = None;
    let lines = child.stdout.take().map(BufReader::new).into_iter().flat_map(BufRead::lines);
    for line in lines.map_while(Result::ok) {
        match serde_json::from_str(&line) {
            Ok(ChildLine::Status { progress, measures }) => {
                let number = |(name, number): (String, Option<f64>)| (name, number.unwrap_or(f64::NAN));
                pupil.note(progress, measures.into_iter().map(number).collect());
            }
            Ok(ChildLine::End { ended }) => end = Some(ended),
            // A number that is none, in a status: another follows.
            Err(_) => {}
        }
    }
    let status = child.wait().map_err(failed)?;
    pupil.tie(None);
    match end.as_deref() {
        Some("finished") if status.success() => Ok(true),
        Some("stopped") if status.success() => Ok(false),
        _ => Err(complaint(status, folder, trainer.memory)),
    }
}

fn start(
    trainer: &TrainingProgram,
    config: &RunConfig,
    folder: &Path,
    resume: bool,
) -> std::io::Result<Child> {
    let begun = folder.join(BEGUN);
    files::write_whole(&begun, config.text().as_bytes())?;
    let mut command = Command::new(&trainer.program);
    command.arg("train").arg(&begun).arg("--folder").arg(folder);
    command.args(["--threads", "1", "--attended", "--memory", &trainer.memory.to_string()]);
    if resume {
        command.arg("--resume");
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(File::create(folder.join(COMPLAINT))?);
    command.spawn()
}

/// Why the process has ended without an end.
fn complaint(status: ExitStatus, folder: &Path, memory: u64) -> String {
    let said = std::fs::read(folder.join(COMPLAINT)).unwrap_or_default();
    let said = String::from_utf8_lossy(&said[said.len().saturating_sub(LONGEST)..]).trim().to_owned();
    match status.code() {
        Some(_) if !said.is_empty() => said.strip_prefix("error: ").unwrap_or(&said).to_owned(),
        Some(code) => format!("the process for training has ended with {code}"),
        None => format!("the process for training was ended ({status}); it may have {memory} MiB. {said}"),
    }
}
