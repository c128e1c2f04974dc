//! Tournaments: many players, a plan in one file, a journal that survives everything, standings and a page.

mod curve;
mod page;
mod plan;
mod schedule;
mod standings;
mod trials;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use trilith_base::job::Workers;
use trilith_games::Colour;

use crate::contest::{GameJob, GameReport, Host, JobError, JournalError, Journaled};

pub use page::{chart, page};
pub use plan::{Entrant, PlanError, TournamentKind, TournamentPlan};
pub use schedule::Schedule;
pub use standings::{PairingTest, Standing, Standings, TournamentFault};
use trials::Trials;

/// What can go wrong in a tournament.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// The plan is wrong.
    #[error(transparent)]
    TournamentPlan(#[from] PlanError),
    /// A game cannot be played.
    #[error(transparent)]
    Job(#[from] JobError),
    /// The journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Plays all games of `plan` that `journal` does not have yet and returns all results, in the order of their numbers.
///
/// A result is on the disk before `told` hears of it, with the number of games played so far. Games of the journal are
/// told first. After `stop` the results are those played by then; a later call goes on from there.
pub fn play(
    plan: &TournamentPlan,
    journal: &Path,
    workers: &Workers,
    stop: &AtomicBool,
    mut told: impl FnMut(&GameJob, &GameReport, u64),
) -> Result<Vec<GameReport>, TournamentError> {
    let schedule = Schedule::new(plan)?;
    let mut host = Host::default();
    schedule.probes().try_for_each(|job| host.check(&job))?;
    drop(host);
    let mut journal = Journaled::open(journal, &plan.game)?;
    let rounds = Schedule::new(plan)?;
    let mut desk = Desk::new(plan, &rounds)?;
    for job in Schedule::new(plan)?.into_jobs() {
        if journal.is_used_up() {
            break;
        }
        if let Some(result) = journal.take(&job) {
            desk.add(&job, result, &mut told);
        }
    }
    let (done, decided) = (desk.done(), Arc::clone(&desk.decided));
    let is_open = move |job: &GameJob, pairing: Option<(usize, u64)>| {
        let is_decided = pairing.is_some_and(|(pairing, _)| lock(&decided).contains(&pairing));
        !is_decided && !done.contains(&job.number)
    };
    let pairings = Schedule::new(plan)?;
    let jobs = schedule.into_jobs().filter(move |job| is_open(job, pairings.round(job.number)));
    let mut failed = None;
    let played = workers.run(&batch(plan)?, jobs, stop, |job, result| {
        failed = journal.add(&job, &result).err();
        if failed.is_some() {
            return ControlFlow::Break(());
        }
        desk.add(&job, result, &mut told);
        ControlFlow::Continue(())
    });
    played.map_err(JobError::from)?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    desk.results.sort_by_key(|result| result.number);
    Ok(desk.results)
}

/// What a queue knows the games of this plan by.
fn batch(plan: &TournamentPlan) -> Result<String, PlanError> {
    let text = serde_json::to_string(plan).map_err(|error| PlanError::Content(error.to_string()))?;
    Ok(format!("tournament {text}"))
}

/// The results so far, and which pairings need no more of them.
struct Desk<'a> {
    schedule: &'a Schedule,
    trials: Option<Trials>,
    decided: Arc<Mutex<HashSet<usize>>>,
    results: Vec<GameReport>,
}

impl<'a> Desk<'a> {
    fn new(plan: &TournamentPlan, schedule: &'a Schedule) -> Result<Desk<'a>, PlanError> {
        let trials = plan.sprt()?.map(|sprt| Trials::new(sprt, schedule.pairings().len()));
        Ok(Desk { schedule, trials, decided: Arc::default(), results: Vec::new() })
    }

    fn done(&self) -> HashSet<u64> {
        self.results.iter().map(|result| result.number).collect()
    }

    fn add(&mut self, job: &GameJob, result: GameReport, told: &mut impl FnMut(&GameJob, &GameReport, u64)) {
        if let (Some(trials), Some((pairing, round))) = (&mut self.trials, self.schedule.round(job.number))
            && trials.add(pairing, round, sign(round, &result), &result.moves)
        {
            lock(&self.decided).insert(pairing);
        }
        told(job, &result, self.results.len() as u64 + 1);
        self.results.push(result);
    }
}

/// The result of a pairing's first player, which is Black in even rounds.
fn sign(round: u64, result: &GameReport) -> i32 {
    result.sign(if round.is_multiple_of(2) { Colour::Black } else { Colour::White })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
