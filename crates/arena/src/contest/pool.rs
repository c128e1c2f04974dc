//! Plays many jobs on several threads.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use super::host::{Host, JobError};
use super::job::{GameJob, GameResult};

/// How soon a stop is noticed.
const PATIENCE: Duration = Duration::from_millis(50);

/// Plays `jobs` on `threads` threads and hands each result to `finished`, in the order in which games end.
///
/// Ends early when `finished` breaks or `stop` is set: games on the board are then given up, and their threads leave
/// after the move they are thinking about. A job that cannot be played ends everything with its error.
pub fn play_all(
    jobs: impl Iterator<Item = GameJob> + Send + 'static,
    threads: usize,
    stop: &Arc<AtomicBool>,
    mut finished: impl FnMut(GameJob, GameResult) -> ControlFlow<()>,
) -> Result<(), JobError> {
    let jobs = Arc::new(Mutex::new(jobs));
    let leave = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    for _ in 0..threads.max(1) {
        let (jobs, leave, sender) = (Arc::clone(&jobs), Arc::clone(&leave), sender.clone());
        thread::spawn(move || {
            let mut host = Host::default();
            while let Some(job) = next(&jobs, &leave) {
                let result = host.play(&job, &leave);
                if sender.send((job, result)).is_err() {
                    return;
                }
            }
        });
    }
    drop(sender);
    let mut answer = Ok(());
    while !stop.load(Relaxed) {
        match receiver.recv_timeout(PATIENCE) {
            Ok((job, Ok(Some(result)))) => {
                if finished(job, result).is_break() {
                    break;
                }
            }
            Ok((_, Ok(None))) | Err(mpsc::RecvTimeoutError::Timeout) => {}
            Ok((_, Err(error))) => {
                answer = Err(error);
                break;
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    leave.store(true, Relaxed);
    answer
}

fn next(jobs: &Mutex<impl Iterator<Item = GameJob>>, leave: &AtomicBool) -> Option<GameJob> {
    if leave.load(Relaxed) {
        return None;
    }
    jobs.lock().ok()?.next()
}
