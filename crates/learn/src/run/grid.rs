//! Grids: a run file with lists of values stands for one run with each combination of them. Runs are jobs, so that they
//! can be done side by side, here or elsewhere.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use serde::{Deserialize, Serialize};
use toml::{Table, Value};
use trilith_base::job::{Job, Unfinished, Workers};
use trilith_base::{Artifact, files};

use super::runner::{RunEnd, RunOptions, train};
use super::{Curves, Folder, RunConfig, RunError};

/// The most runs of a grid.
const MOST: usize = 100_000;

/// A run file with a table `[grid]`: keys of `[parameters]`, or `seed`, each with a list of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    config: RunConfig,
    axes: Vec<(String, Vec<Value>)>,
}

impl Grid {
    /// Reads a grid; the runs are checked when they begin.
    pub fn parse(text: &str) -> Result<Grid, RunError> {
        let mut table: Table = toml::from_str(text)?;
        let Some(Value::Table(lists)) = table.remove("grid") else {
            return Err(RunError::config("grid", "expected a table of lists, such as rate = [0.1, 0.05]"));
        };
        let config =
            RunConfig::parse(&toml::to_string(&table).expect("a table that was read can be written"))?;
        let mut axes = Vec::new();
        for (key, value) in lists {
            match value {
                Value::Array(values) if !values.is_empty() => axes.push((key, values)),
                _ => return Err(RunError::config(&format!("grid.{key}"), "expected a list of values")),
            }
        }
        let runs = axes.iter().try_fold(1_usize, |runs, (_, values)| runs.checked_mul(values.len()));
        match runs {
            Some(1..=MOST) => Ok(Grid { config, axes }),
            _ => Err(RunError::config("grid", format!("expected at most {MOST} combinations"))),
        }
    }

    /// The keys that have lists, in alphabetical order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.axes.iter().map(|(key, _)| key.as_str())
    }

    /// All combinations, the last key's values changing fastest: the values, and the config with them.
    pub fn runs(&self) -> Result<Vec<(Vec<Value>, RunConfig)>, RunError> {
        let count: usize = self.axes.iter().map(|(_, values)| values.len()).product();
        (0..count).map(|number| self.run(number)).collect()
    }

    fn run(&self, mut number: usize) -> Result<(Vec<Value>, RunConfig), RunError> {
        let mut config = self.config.clone();
        let mut chosen = Vec::new();
        for (key, values) in self.axes.iter().rev() {
            let value = &values[number % values.len()];
            number /= values.len();
            match (key.as_str(), value) {
                ("seed", Value::Integer(seed @ 0..)) => config.seed = *seed as u64,
                ("seed", _) => return Err(RunError::config("grid.seed", "expected whole numbers from 0 on")),
                _ => drop(config.parameters.insert(key.clone(), value.clone())),
            }
            chosen.push(value.clone());
        }
        chosen.reverse();
        Ok((chosen, config))
    }
}

/// A whole run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunJob {
    /// Its place in the grid, from 0.
    pub number: usize,
    /// Its config as text.
    pub config: String,
    /// Where relative paths of the config begin, on every machine that works.
    pub base: PathBuf,
    /// Which state of the program asked for it, for the artifact.
    pub revision: String,
}

/// What comes of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunOutput {
    /// The bytes of the artifact.
    pub artifact: Vec<u8>,
    /// What was measured, as comma-separated values.
    pub curves: String,
}

impl Job for RunJob {
    const KIND: &'static str = "run";
    type Output = RunOutput;
    type Error = RunError;
    type Place = ();

    fn run(&self, (): &mut (), stop: &AtomicBool) -> Result<Option<RunOutput>, RunError> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("trilith-run-{}-{}", std::process::id(), NEXT.fetch_add(1, Relaxed));
        let folder = std::env::temp_dir().join(name);
        let options = RunOptions {
            folder: &folder,
            base: &self.base,
            resume: false,
            threads: Some(1),
            revision: &self.revision,
            stop,
        };
        let ended = RunConfig::parse(&self.config).and_then(|config| train(&config, &options, |_| ()));
        let output = ended.and_then(|ended| match ended {
            RunEnd::Stopped => Ok(None),
            RunEnd::Finished(artifact) => {
                let path = folder.join(CURVES);
                let curves = fs::read_to_string(&path).map_err(|source| RunError::file(&path, source))?;
                Ok(Some(RunOutput { artifact: artifact.bytes()?, curves }))
            }
        });
        // What stays behind in the temporary folder does no harm.
        let _ = fs::remove_dir_all(&folder);
        output
    }
}

/// How a grid is carried out.
pub struct GridOptions<'a> {
    /// Where the runs go, each in a folder of its number; those that are there already are not done again.
    pub folder: &'a Path,
    /// Where relative paths of the config begin.
    pub base: &'a Path,
    /// Which state of the program this is.
    pub revision: &'a str,
    /// Who does the runs, each on one thread.
    pub workers: &'a Workers,
    /// Set to end; runs that have not ended are lost.
    pub stop: &'a AtomicBool,
}

/// Does all runs of a grid that have not been done yet and writes `grid.csv`: the values of each run, and what was
/// measured last. `told` hears how many are there, and of how many. Whether all are.
pub fn train_grid(
    grid: &Grid,
    options: &GridOptions,
    mut told: impl FnMut(usize, usize),
) -> Result<bool, RunError> {
    let runs = grid.runs()?;
    // The folder of a bare file name is empty, and means this one.
    let base = if options.base.as_os_str().is_empty() { Path::new(".") } else { options.base };
    let base = std::path::absolute(base).map_err(|source| RunError::file(base, source))?;
    let mut open = Vec::new();
    for (number, (_, config)) in runs.iter().enumerate() {
        if !is_done(&place(options.folder, number), config)? {
            let (config, revision) = (config.text(), options.revision.to_owned());
            open.push(RunJob { number, config, base: base.clone(), revision });
        }
    }
    let mut there = runs.len() - open.len();
    let mut failed = None;
    let batch = format!("grid {grid:?} {} {}", base.display(), options.revision);
    let done = options.workers.run(&batch, open.into_iter(), options.stop, |job, output| {
        there += 1;
        told(there, runs.len());
        match keep(&place(options.folder, job.number), &job, &output) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    });
    done.map_err(|unfinished| match unfinished {
        Unfinished::Job(error) => error,
        other => RunError::Learner(other.to_string()),
    })?;
    failed.map_or(Ok(()), Err)?;
    let path = options.folder.join("grid.csv");
    let text = table(grid, &runs, options.folder);
    files::write_whole(&path, text.as_bytes()).map_err(|source| RunError::file(&path, source))?;
    Ok(there == runs.len())
}

fn place(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("{number:04}"))
}

const CONFIG: &str = "config.toml";
const CURVES: &str = "curves.csv";

/// Whether the run is there; refuses a folder with another run.
fn is_done(folder: &Path, config: &RunConfig) -> Result<bool, RunError> {
    let Ok(text) = fs::read_to_string(folder.join(CONFIG)) else { return Ok(false) };
    if let Some((key, now, then)) = config.difference(&RunConfig::parse(&text)?) {
        return Err(RunError::Disagrees { key, now, then, folder: folder.display().to_string() });
    }
    Ok(folder.join(Folder::ARTIFACT).exists())
}

/// The artifact comes last: where it is, the run is complete.
fn keep(folder: &Path, job: &RunJob, output: &RunOutput) -> Result<(), RunError> {
    fs::create_dir_all(folder).map_err(|source| RunError::file(folder, source))?;
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        files::write_whole(&path, bytes).map_err(|source| RunError::file(&path, source))
    };
    write(CONFIG, job.config.as_bytes())?;
    write(CURVES, output.curves.as_bytes())?;
    Artifact::parse(&output.artifact)?;
    write(Folder::ARTIFACT, &output.artifact)
}

/// One row a run: its number, its values, and the last of each curve.
fn table(grid: &Grid, runs: &[(Vec<Value>, RunConfig)], folder: &Path) -> String {
    let rows: Vec<Curves> = (0..runs.len())
        .map(|number| {
            let text = fs::read_to_string(place(folder, number).join(CURVES));
            Curves::parse(&text.unwrap_or_default())
        })
        .collect();
    let names: Vec<&str> = rows.iter().map(Curves::names).max_by_key(Vec::len).unwrap_or_default();
    let keys: Vec<&str> = grid.keys().collect();
    let mut text = format!("{}\n", [&["run"][..], &keys, &names].concat().join(","));
    for (number, ((values, _), curves)) in runs.iter().zip(&rows).enumerate() {
        let last =
            |name: &&str| curves.column(name).last().map_or(String::new(), |(_, number)| number.to_string());
        let cells =
            [format!("{number:04}")].into_iter().chain(values.iter().map(cell)).chain(names.iter().map(last));
        text += &cells.collect::<Vec<_>>().join(",");
        text.push('\n');
    }
    text
}

/// A value without what would end a cell.
fn cell(value: &Value) -> String {
    match value {
        Value::String(text) => text.replace([',', '\n', '"'], " "),
        other => other.to_string().replace([',', '\n', '"'], " "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "kind = \"outcomes\"\ngame = \"othello\"\n[parameters]\ngames = 10\nbatch = 5\n\
        yardstick_games = 2\n[grid]\nseed = [1, 2, 3]\nrate = [0.1, 0.01]\n";

    #[test]
    fn a_grid_is_all_combinations() {
        let grid = Grid::parse(TEXT).unwrap();
        assert_eq!(grid.keys().collect::<Vec<_>>(), ["rate", "seed"]);
        let runs = grid.runs().unwrap();
        let shown: Vec<_> = runs
            .iter()
            .map(|(values, config)| (values[0].as_float().unwrap(), config.seed, &config.parameters["rate"]))
            .map(|(rate, seed, inside)| (rate, seed, inside.as_float() == Some(rate)))
            .collect();
        let expected = [0.1, 0.01].into_iter().flat_map(|rate| (1..=3).map(move |seed| (rate, seed, true)));
        assert_eq!(shown, expected.collect::<Vec<_>>());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let fault = |text: &str| Grid::parse(text).and_then(|grid| grid.runs()).unwrap_err().to_string();
        assert!(fault("kind = \"a\"\ngame = \"b\"").starts_with("`grid`: expected a table"));
        assert!(fault("kind = \"a\"\ngame = \"b\"\n[grid]\nx = 1").starts_with("`grid.x`: expected a list"));
        assert!(fault("kind = \"a\"\ngame = \"b\"\n[grid]\nseed = [-1]").starts_with("`grid.seed`"));
    }

    #[test]
    fn runs_side_by_side_are_those_of_single_runs_and_are_not_done_twice() {
        let folder = std::env::temp_dir().join(format!("trilith-grid-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let grid = Grid::parse(TEXT).unwrap();
        let never = AtomicBool::new(false);
        let all = |threads: usize, folder: &Path| {
            let workers = Workers::Threads(threads);
            let base = Path::new(".");
            let options = GridOptions { folder, base, revision: "test", workers: &workers, stop: &never };
            let mut done = 0;
            assert!(train_grid(&grid, &options, |_, _| done += 1).unwrap());
            done
        };
        let (one, two) = (folder.join("one"), folder.join("two"));
        assert_eq!(all(1, &one), 6);
        fs::remove_file(place(&one, 3).join(Folder::ARTIFACT)).unwrap();
        assert_eq!((all(1, &one), all(2, &two)), (1, 6));
        for name in ["0000/artifact.safetensors", "0003/artifact.safetensors", "0005/curves.csv", "grid.csv"]
        {
            assert_eq!(fs::read(one.join(name)).unwrap(), fs::read(two.join(name)).unwrap(), "{name}");
        }
        let lines = fs::read_to_string(one.join("grid.csv")).unwrap();
        assert!(lines.starts_with("run,rate,seed,games,"), "{lines}");
        assert!(lines.contains("\n0003,0.01,1,10,"), "{lines}");
        fs::remove_dir_all(&folder).unwrap();
    }
}
