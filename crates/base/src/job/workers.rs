//! Who does jobs. The same jobs, the same results: threads of this machine, or whoever listens to a queue.

use std::cell::RefCell;
use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use super::{Job, JobId, QueueError, threads};

/// What a worker elsewhere has made of a job: its output as JSON, or why it cannot be done.
pub type JobAnswer = Result<Vec<u8>, String>;

/// A queue through which jobs reach workers, in bytes.
///
/// Delivers at least once; answers are kept by the name of the job, so that none is lost or handed over twice.
pub trait Queue: Send + Sync {
    /// Has `jobs` done by workers and hands each answer over with the place of its job, in any order.
    ///
    /// Ends when all are answered, `finished` breaks or `stop` is set. Only after a stop the answers so far are kept for
    /// the next run of the same `batch`.
    fn run(
        &self,
        batch: &JobId,
        jobs: &mut dyn Iterator<Item = Vec<u8>>,
        stop: &AtomicBool,
        finished: &mut dyn FnMut(usize, JobAnswer) -> ControlFlow<()>,
    ) -> Result<(), QueueError>;

    /// Who has answered so far, in the order of their names; nobody where answers do not say whose they are.
    fn seen_workers(&self) -> Vec<SeenWorker> {
        Vec::new()
    }
}

/// A worker elsewhere, as far as its answers tell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeenWorker {
    /// What it calls itself.
    pub name: String,
    /// Jobs that it has answered.
    pub jobs: u64,
    /// Seconds since the last of them.
    pub silent: f64,
}

/// Who does jobs.
#[derive(Clone)]
pub enum Workers {
    /// So many threads of this machine.
    Threads(usize),
    /// Whoever listens to this queue.
    Queue(Arc<dyn Queue>),
}

impl fmt::Debug for Workers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Workers::Threads(threads) => write!(f, "{threads} threads"),
            Workers::Queue(_) => f.write_str("a queue"),
        }
    }
}

/// Why jobs were not all done.
#[derive(Debug, thiserror::Error)]
pub enum Unfinished<E: Error> {
    /// One cannot be done here.
    #[error(transparent)]
    Job(E),
    /// One could not be done elsewhere.
    #[error("a worker could not do its job: {0}")]
    Worker(String),
    /// They could not be handed to anybody.
    #[error(transparent)]
    Queue(#[from] QueueError),
}

/// A job on its way.
#[derive(Serialize)]
pub(super) struct Packed<'a, J> {
    pub kind: &'a str,
    pub job: &'a J,
}

impl Workers {
    /// Who works elsewhere: nobody if the threads of this machine do it all.
    pub fn seen(&self) -> Vec<SeenWorker> {
        match self {
            Workers::Threads(_) => Vec::new(),
            Workers::Queue(queue) => queue.seen_workers(),
        }
    }

    /// Has `jobs` done and hands each result to `finished`, in the order in which jobs end.
    ///
    /// `batch` says in text whose jobs these are; a queue knows an interrupted run by it. Ends early when `finished` breaks
    /// or `stop` is set; a job that cannot be done ends everything with its error.
    pub fn run<J: Job>(
        &self,
        batch: &str,
        jobs: impl Iterator<Item = J> + Send + 'static,
        stop: &AtomicBool,
        mut finished: impl FnMut(J, J::Output) -> ControlFlow<()>,
    ) -> Result<(), Unfinished<J::Error>> {
        let (jobs, finished) = (Box::new(jobs), &mut finished);
        match self {
            Workers::Threads(count) => threads::run(jobs, *count, stop, finished).map_err(Unfinished::Job),
            Workers::Queue(queue) => elsewhere(&**queue, batch, jobs, stop, finished),
        }
    }
}

fn elsewhere<J: Job>(
    queue: &dyn Queue,
    batch: &str,
    jobs: Box<dyn Iterator<Item = J> + Send>,
    stop: &AtomicBool,
    finished: &mut dyn FnMut(J, J::Output) -> ControlFlow<()>,
) -> Result<(), Unfinished<J::Error>> {
    let waiting = RefCell::new(HashMap::new());
    let mut packed = jobs.enumerate().map(|(place, job)| {
        let bytes = serde_json::to_vec(&Packed { kind: J::KIND, job: &job });
        waiting.borrow_mut().insert(place, job);
        bytes.expect("jobs are plain data")
    });
    let mut failed = None;
    queue.run(&JobId::of(batch.as_bytes()), &mut packed, stop, &mut |place, answer| {
        let Some(job) = waiting.borrow_mut().remove(&place) else { return ControlFlow::Continue(()) };
        let output = answer.and_then(|bytes| {
            serde_json::from_slice(&bytes).map_err(|error| format!("its answer cannot be read: {error}"))
        });
        match output {
            Ok(output) => finished(job, output),
            Err(why) => {
                failed = Some(Unfinished::Worker(why));
                ControlFlow::Break(())
            }
        }
    })?;
    failed.map_or(Ok(()), Err)
}
