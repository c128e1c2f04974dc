//! Building the tables: with distances as far as those cost little, then with outcomes alone.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use trilith_games::morris::Rules;
use trilith_tablebase::{BuildPlan, BuildProgress, Subspace, TableMode, Tables, build_until, default_folder};

use crate::tablebase::{BuildStatus, TableSet, Tablebase};

/// Sets that are offered: stones, bytes on disk, seconds of one core (docs/lab/2026-11-15-tables-cost.md).
const SETS: [(u32, u64, u32); 4] =
    [(9, 1_800_000, 4), (10, 17_300_000, 13), (11, 89_300_000, 59), (18, 746_000_000, 1_400)];
/// Stones up to which distances are kept.
const WITH_DISTANCES: u32 = 11;
/// All stones of both sides.
const ALL: u32 = 18;
/// Bytes for the tables being solved; what does not fit lies on disk meanwhile.
const MEMORY: u64 = 2 << 30;

pub(super) struct Files {
    rules: Rules,
    folder: PathBuf,
}

impl Files {
    pub(super) fn of(rules: &Rules) -> Files {
        Files { rules: *rules, folder: default_folder(rules) }
    }

    /// Positions of the set with so many stones, and those of them that are there.
    fn slots(&self, tables: &Tables, stones: u32) -> (u64, u64) {
        let all = Subspace::up_to(stones);
        let there = all.iter().filter(|&&subspace| tables.get(subspace).is_some());
        (all.iter().map(|space| space.slots()).sum(), there.map(|space| space.slots()).sum())
    }
}

impl Tablebase for Files {
    fn sets(&self) -> Result<Vec<TableSet>, String> {
        let tables = Tables::open(&self.folder, &self.rules).map_err(told)?;
        let set = |(stones, bytes, seconds)| {
            let (all, there) = self.slots(&tables, stones);
            TableSet { stones, complete: stones == ALL, bytes, seconds, built: there as f64 / all as f64 }
        };
        Ok(SETS.map(set).into())
    }

    fn build(
        &self,
        stones: u32,
        threads: usize,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&BuildStatus),
    ) -> Result<bool, String> {
        let tables = Tables::open(&self.folder, &self.rules).map_err(told)?;
        let (all, there) = self.slots(&tables, stones);
        let mut report = |at: &BuildProgress| {
            let left = at.all - at.done;
            progress(&BuildStatus {
                at: at.subspace.to_string(),
                built: all.saturating_sub(left) as f64 / all as f64,
                remaining: at.remaining(),
            });
        };
        let mut parts = vec![(stones.min(WITH_DISTANCES), TableMode::Distance)];
        if stones > WITH_DISTANCES {
            parts.push((stones, TableMode::Wdl));
        }
        for (part, mode) in parts {
            let plan = BuildPlan { stones: part, mode, threads, memory: MEMORY };
            // What is missing beyond this part is still to be done, whatever the part says of itself.
            let (of_part, there_of_part) = self.slots(&tables, part);
            let beyond = (all - of_part) - (there - there_of_part);
            let mut report = |at: &BuildProgress| report(&BuildProgress { all: at.all + beyond, ..*at });
            if build_until(&self.folder, &self.rules, &plan, stop, &mut report).map_err(told)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// What went wrong, without folders of this machine.
fn told(error: trilith_tablebase::TablebaseError) -> String {
    use trilith_tablebase::TablebaseError as Error;
    match error {
        Error::File { source, .. } | Error::Scratch(source) => {
            format!("the tables cannot be written: {source}")
        }
        Error::Refused { fault, .. } => format!("a table is damaged: {fault}"),
        Error::Missing { .. } => "a table is missing".into(),
        other => other.to_string(),
    }
}
