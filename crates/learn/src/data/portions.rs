//! Games in portions that many workers can play: what jobs of games of all kinds share.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use serde::{Deserialize, Serialize};
use trilith_base::Artifact;
use trilith_base::job::{Job, Workers};

use super::error::DataError;

/// Pattern weights by name and content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WeightsFile {
    /// Where the file lies, on every machine that works.
    pub path: PathBuf,
    /// Of its content.
    pub checksum: String,
}

impl WeightsFile {
    /// The weights in this file as they are now.
    pub fn of(path: &Path) -> Result<WeightsFile, DataError> {
        let checksum = Artifact::load(path)?.checksum()?;
        Ok(WeightsFile { path: path.into(), checksum })
    }

    /// The file, if it is still the one that was meant.
    pub fn load(&self) -> Result<Artifact, DataError> {
        let artifact = Artifact::load(&self.path)?;
        match artifact.checksum()? == self.checksum {
            true => Ok(artifact),
            false => Err(DataError::Changed { path: self.path.clone() }),
        }
    }
}

/// The numbers `first..end` in portions: the first of each, and how many.
pub(crate) fn portions(first: u64, end: u64, most: u64) -> impl Iterator<Item = (u64, u64)> + Send + 'static {
    let starts = (0..).map(move |portion: u64| first + portion * most).take_while(move |&start| start < end);
    starts.map(move |start| (start, most.min(end - start)))
}

/// Plays the games of a portion; nothing if `stop` was set before the last.
pub(crate) fn all_of<P>(
    (first, count): (u64, u64),
    stop: &AtomicBool,
    mut play: impl FnMut(u64) -> P,
) -> Option<Vec<P>> {
    (first..first + count).map(|number| (!stop.load(Relaxed)).then(|| play(number))).collect()
}

/// Has jobs done and hands what comes of them over in the order of their games, from game `due` on. `portion` says which
/// games a job has: the first, and how many.
pub(crate) fn in_order<J: Job<Error = DataError>>(
    batch: &str,
    jobs: impl Iterator<Item = J> + Send + 'static,
    portion: impl Fn(&J) -> (u64, u64),
    mut due: u64,
    workers: &Workers,
    stop: &AtomicBool,
    mut hand_over: impl FnMut(J::Output) -> ControlFlow<()>,
) -> Result<(), DataError> {
    let mut waiting = BTreeMap::new();
    workers.run(batch, jobs, stop, |job, output| {
        let (first, count) = portion(&job);
        waiting.insert(first, (count, output));
        while let Some((count, output)) = waiting.remove(&due) {
            due += count;
            hand_over(output)?;
        }
        ControlFlow::Continue(())
    })?;
    Ok(())
}
