//! Who does the jobs of a command: threads of this machine, or the workers of a queue.

use std::sync::Arc;

#[cfg(feature = "queue")]
use trilith_base::job::Skills;
use trilith_base::job::{Queue, QueueError, Workers};

/// The workers of the queue at `address`, else `threads` threads.
pub fn workers(address: Option<&str>, threads: usize) -> Result<Workers, QueueError> {
    match address {
        Some(address) => Ok(Workers::Queue(connect(address)?)),
        None => Ok(Workers::Threads(threads)),
    }
}

/// The queue at `address`.
#[cfg(feature = "queue")]
pub fn connect(address: &str) -> Result<Arc<dyn Queue>, QueueError> {
    use trilith_queue::{Access, Nats};
    Ok(Arc::new(Nats::connect(&Access::from_environment(address)?)?))
}

/// There is none.
#[cfg(not(feature = "queue"))]
pub fn connect(address: &str) -> Result<Arc<dyn Queue>, QueueError> {
    let reason = "this program was built without a queue (feature `queue`)";
    let what = "connect".to_owned();
    Err(QueueError { address: address.to_owned(), what, source: std::io::Error::other(reason) })
}

/// All that `trilith worker` can do.
#[cfg(feature = "queue")]
pub fn skills() -> Skills {
    use trilith_arena::book::BookJudgeJob;
    use trilith_arena::contest::GameJob;
    use trilith_arena::review::ReviewJob;
    use trilith_learn::data::games::GenerationJob;
    use trilith_learn::data::judge::PositionJudgeJob;
    use trilith_learn::run::grid::RunJob;
    use trilith_studies::StudyCell;
    Skills::default()
        .with::<GameJob>()
        .with::<ReviewJob>()
        .with::<BookJudgeJob>()
        .with::<GenerationJob>()
        .with::<PositionJudgeJob>()
        .with::<RunJob>()
        .with::<StudyCell>()
}
