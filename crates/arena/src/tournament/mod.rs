//! Tournaments: many players, a plan in one file, a journal that survives everything, standings and a page.

mod journal;
mod page;
mod plan;
mod schedule;
mod standings;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use trilith_base::job::Workers;

use crate::contest::{GameJob, GameResult, Host, JobError};

pub use journal::{Journal, JournalError};
pub use page::{chart, page};
pub use plan::{Entrant, Kind, Plan, PlanError};
pub use schedule::Schedule;
pub use standings::{Standing, Standings};

/// What can go wrong in a tournament.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// The plan is wrong.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A game cannot be played.
    #[error(transparent)]
    Job(#[from] JobError),
    /// The journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Plays all games of `plan` that `journal` does not have yet and returns all results, in the order of their numbers.
///
/// A result is on the disk before `told` hears of it, with the number of games played so far. After `stop` the results
/// are those played by then; a later call goes on from there.
pub fn play(
    plan: &Plan,
    journal: &Path,
    workers: &Workers,
    stop: &AtomicBool,
    mut told: impl FnMut(&GameJob, &GameResult, u64),
) -> Result<Vec<GameResult>, TournamentError> {
    let schedule = Schedule::new(plan)?;
    let mut host = Host::default();
    schedule.probes().try_for_each(|job| host.check(&job))?;
    drop(host);
    let fingerprint = plan.fingerprint()?;
    let (mut journal, mut results) = Journal::open(journal, &fingerprint)?;
    let done: HashSet<u64> = results.iter().map(|result| result.number).collect();
    let jobs = schedule.into_jobs().filter(move |job| !done.contains(&job.number));
    let mut failed = None;
    let played = workers.run(&format!("tournament {fingerprint}"), jobs, stop, |job, result| {
        if let Err(error) = journal.append(&result) {
            failed = Some(error);
            return ControlFlow::Break(());
        }
        told(&job, &result, results.len() as u64 + 1);
        results.push(result);
        ControlFlow::Continue(())
    });
    played.map_err(JobError::from)?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    results.sort_by_key(|result| result.number);
    Ok(results)
}
