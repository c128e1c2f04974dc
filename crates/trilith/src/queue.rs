//! Who does the jobs of a command: threads of this machine, or the workers of a queue.

use std::sync::Arc;

use trilith_arena::book::JudgeJob;
use trilith_arena::contest::GameJob;
use trilith_arena::review::ReviewJob;
use trilith_base::job::{QueueError, Skills, Workers};
use trilith_learn::data::games::GenerationJob;
use trilith_learn::data::judge::JudgeJob as PositionsJob;
use trilith_learn::run::grid::RunJob;
use trilith_queue::{Access, Nats};
use trilith_studies::StudyCell;

/// The workers of the queue at `address`, else `threads` threads.
pub fn workers(address: Option<&str>, threads: usize) -> Result<Workers, QueueError> {
    match address {
        Some(address) => Ok(Workers::Queue(Arc::new(Nats::connect(&Access::from_environment(address)?)?))),
        None => Ok(Workers::Threads(threads)),
    }
}

/// All that `trilith worker` can do.
pub fn skills() -> Skills {
    Skills::default()
        .with::<GameJob>()
        .with::<ReviewJob>()
        .with::<JudgeJob>()
        .with::<GenerationJob>()
        .with::<PositionsJob>()
        .with::<RunJob>()
        .with::<StudyCell>()
}
