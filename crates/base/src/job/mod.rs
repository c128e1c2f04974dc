//! Jobs: serialisable work with the same result wherever it runs, and who does it: threads here, or workers elsewhere.

mod kept;
mod skills;
mod threads;
mod workers;

use std::error::Error;
use std::fmt;
use std::io;
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use kept::LastMade;
pub use skills::{Bench, Skills};
pub use workers::{JobAnswer, Queue, SeenWorker, Unfinished, Workers};

/// Work as plain data. What comes of it must depend on nothing but the job itself.
pub trait Job: Serialize + DeserializeOwned + Send + 'static {
    /// What workers know such jobs by; one lower-case word.
    const KIND: &'static str;
    /// What comes of it.
    type Output: Serialize + DeserializeOwned + Send + 'static;
    /// Why it cannot be done, whoever tries.
    type Error: Error + Send + 'static;
    /// What one thread keeps from job to job because it is dear to make; never what changes results.
    type Place: Default;

    /// Does it; nothing if `stop` was set before the end.
    fn run(&self, place: &mut Self::Place, stop: &AtomicBool) -> Result<Option<Self::Output>, Self::Error>;
}

/// The name of a job or of a batch of jobs: a hash of its content, so that the same work has the same name everywhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobId(String);

impl JobId {
    /// The name of this content.
    pub fn of(content: &[u8]) -> JobId {
        JobId(blake3::hash(content).to_hex()[..32].into())
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A queue that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("queue `{address}`: {what}")]
pub struct QueueError {
    /// Where it should be.
    pub address: String,
    /// What went wrong.
    pub what: String,
    /// Why.
    #[source]
    pub source: io::Error,
}
