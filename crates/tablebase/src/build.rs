//! Building tables, pair after pair, each file complete before the next pair begins.
//!
//! A build that is stopped, by whatever means, goes on with the pair it was at: what has its name is whole. Two builds
//! in one folder wait for each other.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use trilith_base::files;
use trilith_games::morris::Rules;

use crate::error::TablebaseError;
use crate::file::{TableFile, TableHeader, TableMode, TableWriter};
use crate::motion::Motion;
use crate::solve::cell::SlotCell;
use crate::solve::{Means, Pair};
use crate::subspace::{Index, Subspace};
use crate::tables::Tables;

/// How to build.
#[derive(Clone, Copy, Debug)]
pub struct BuildPlan {
    /// All subspaces with at most so many stones, from 6 to 18.
    pub stones: u32,
    /// What to find out about each position.
    pub mode: TableMode,
    /// Threads at work at once, at least 1.
    pub threads: usize,
    /// Bytes of memory for the tables being solved; what does not fit is kept on disk.
    pub memory: u64,
}

impl BuildPlan {
    /// With distances, on all cores, with a gibibyte.
    pub fn up_to(stones: u32) -> BuildPlan {
        let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get());
        BuildPlan { stones, mode: TableMode::Distance, threads, memory: 1 << 30 }
    }
}

/// How far a build has come.
#[derive(Clone, Copy, Debug)]
pub struct BuildProgress {
    /// The pair at work, named by its first table.
    pub subspace: Subspace,
    /// The round, which is the plies to the end of what is settled in it; 0 before the first.
    pub round: u32,
    /// Slots of the pairs that are done, of those that were not there at the start.
    pub done: u64,
    /// Slots of all pairs that were not there at the start.
    pub all: u64,
    /// Seconds since the start.
    pub seconds: f64,
}

impl BuildProgress {
    /// Seconds still to go if slots take as long as before; none at the start.
    pub fn remaining(&self) -> Option<f64> {
        (self.done > 0).then(|| self.seconds * (self.all - self.done) as f64 / self.done as f64)
    }
}

/// The name of the folder for `rules` in the folder of all tables.
pub fn folder_name(rules: &Rules) -> String {
    format!("morris-{}", Motion::of(rules).name())
}

/// The folder for `rules` where no other is asked for: `tablebases/morris-RULES` in `$TRILITH_HOME` or, without it, in
/// the place for a program's data (`$XDG_DATA_HOME/trilith`, `~/.local/share/trilith`, `%APPDATA%\trilith`).
pub fn default_folder(rules: &Rules) -> PathBuf {
    files::home().join("tablebases").join(folder_name(rules))
}

/// Builds what `plan` asks for and `folder` does not have; gives back how many tables were built.
pub fn build(
    folder: &Path,
    rules: &Rules,
    plan: &BuildPlan,
    progress: impl FnMut(&BuildProgress),
) -> Result<usize, TablebaseError> {
    let built = build_until(folder, rules, plan, &AtomicBool::new(false), progress)?;
    Ok(built.unwrap_or(0))
}

/// How often a build that waits for another one looks again.
const WAIT: Duration = Duration::from_millis(100);

/// The same until `stop` is set, which is looked at after each round; then none. What was begun is lost, what was
/// written stays.
pub fn build_until(
    folder: &Path,
    rules: &Rules,
    plan: &BuildPlan,
    stop: &AtomicBool,
    mut progress: impl FnMut(&BuildProgress),
) -> Result<Option<usize>, TablebaseError> {
    let fault = |source| TablebaseError::File { path: folder.into(), source };
    fs::create_dir_all(folder).map_err(fault)?;
    let lock = File::create(folder.join("build.lock")).map_err(fault)?;
    while let Err(error) = lock.try_lock() {
        match error {
            TryLockError::Error(source) => return Err(fault(source)),
            TryLockError::WouldBlock if stop.load(Relaxed) => return Ok(None),
            TryLockError::WouldBlock => std::thread::sleep(WAIT),
        }
    }
    sweep(folder).map_err(fault)?;
    let motion = Motion::of(rules);
    let mut work = Build { folder, motion, plan, stop, tables: Tables::open(folder, rules)? };
    let missing: Vec<_> = work.missing();
    let slots = |pair: &[Subspace]| pair.iter().map(|space| space.slots()).sum::<u64>();
    let start = Instant::now();
    let mut at = BuildProgress {
        subspace: Subspace::up_to(6)[0],
        round: 0,
        done: 0,
        all: missing.iter().map(|pair| slots(pair)).sum(),
        seconds: 0.0,
    };
    for pair in &missing {
        let mut report = |round| {
            (at.subspace, at.round, at.seconds) = (pair[0], round, start.elapsed().as_secs_f64());
            progress(&at);
        };
        let is_built = match plan.mode {
            TableMode::Distance => work.build_pair::<u16>(pair, &mut report)?,
            TableMode::Wdl => work.build_pair::<u8>(pair, &mut report)?,
        };
        if !is_built {
            return Ok(None);
        }
        at.done += slots(pair);
    }
    Ok(Some(missing.iter().map(Vec::len).sum()))
}

/// Stones up to which tables are built on first use: a second of work.
pub const FIRST_STONES: u32 = 8;

/// Builds the tables with distances up to `stones` if they are not there, and opens what is.
pub fn ensure(folder: &Path, rules: &Rules, stones: u32) -> Result<Tables, TablebaseError> {
    let tables = Tables::open(folder, rules)?;
    if Subspace::up_to(stones).into_iter().all(|subspace| tables.get(subspace).is_some()) {
        return Ok(tables);
    }
    build(folder, rules, &BuildPlan::up_to(stones), |_| {})?;
    Tables::open(folder, rules)
}

/// Removes what a stopped build has left. Only the holder of the lock may.
fn sweep(folder: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "part") {
            fs::remove_file(path)?;
        }
    }
    match fs::remove_dir_all(folder.join(SCRATCH)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The folder for slices of tables being solved.
const SCRATCH: &str = "build";

struct Build<'a> {
    folder: &'a Path,
    motion: Motion,
    plan: &'a BuildPlan,
    stop: &'a AtomicBool,
    tables: Tables,
}

impl Build<'_> {
    /// The pairs of which a table is missing, or is there without the distances asked for, in order.
    fn missing(&self) -> Vec<Vec<Subspace>> {
        let all = Subspace::up_to(self.plan.stones);
        let firsts = all.into_iter().filter(|subspace| subspace.own() >= subspace.other());
        let pairs = firsts.map(|subspace| {
            let mut pair = vec![subspace, subspace.twin()];
            pair.dedup();
            pair
        });
        let serves = |table: &TableFile| {
            self.plan.mode == TableMode::Wdl || table.header().mode == TableMode::Distance
        };
        let is_there = |&subspace: &Subspace| self.tables.get(subspace).is_some_and(serves);
        pairs.filter(|pair| !pair.iter().all(is_there)).collect()
    }

    /// Solves and writes a pair; false if it was stopped before.
    fn build_pair<C: SlotCell>(
        &mut self,
        subspaces: &[Subspace],
        report: &mut impl FnMut(u32),
    ) -> Result<bool, TablebaseError> {
        if self.stop.load(Relaxed) {
            return Ok(false);
        }
        report(0);
        let scratch = self.folder.join(SCRATCH);
        fs::create_dir_all(&scratch)?;
        let means = Means { threads: self.plan.threads, memory: self.plan.memory, folder: &scratch };
        let mut pair =
            Pair::<C>::begin(subspaces[0], self.motion, means, |subspace| self.tables.require(subspace))?;
        while pair.advance()? {
            report(pair.round());
            if self.stop.load(Relaxed) {
                drop(pair);
                fs::remove_dir_all(&scratch)?;
                return Ok(false);
            }
        }
        self.write(pair)?;
        fs::remove_dir_all(&scratch)?;
        subspaces.iter().try_for_each(|&subspace| self.tables.load(subspace))?;
        Ok(true)
    }

    fn write<C: SlotCell>(&self, pair: Pair<C>) -> Result<(), TablebaseError> {
        let (mode, longest, name) = (self.plan.mode, pair.longest(), self.motion.name());
        let mut current: Option<(Subspace, Index, TableWriter)> = None;
        pair.finish(|subspace, class, plies| {
            if current.as_ref().is_none_or(|(at, ..)| *at != subspace) {
                if let Some((.., writer)) = current.take() {
                    writer.finish()?;
                }
                let header = TableHeader::new(&name, mode, subspace, longest);
                let path = self.folder.join(TableHeader::file_name(subspace, mode));
                let writer = TableWriter::create(&path, header, self.plan.threads)?;
                current = Some((subspace, Index::new(subspace), writer));
            }
            let (_, index, writer) = current.as_mut().expect("one was just begun");
            index.each_counting(class, |rank| writer.count(plies[rank as usize]));
            writer.push(plies)
        })?;
        current.map_or(Ok(()), |(.., writer)| writer.finish().map(|_| ()))
    }
}
