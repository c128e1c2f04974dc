//! Does jobs on the threads of this machine.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use super::Job;

/// How soon a stop is noticed.
const PATIENCE: Duration = Duration::from_millis(50);

/// What a thread has made of a job; the outer error is a panic.
type Tried<J> = thread::Result<Result<Option<<J as Job>::Output>, <J as Job>::Error>>;

/// Does `jobs` on `threads` threads and hands each result to `finished`, in the order in which jobs end.
///
/// Ends early when `finished` breaks or `stop` is set: threads then leave as soon as their jobs notice. A job that cannot
/// be done ends everything with its error, one that panics with its panic.
pub(super) fn run<J: Job>(
    jobs: Box<dyn Iterator<Item = J> + Send>,
    threads: usize,
    stop: &AtomicBool,
    finished: &mut dyn FnMut(J, J::Output) -> ControlFlow<()>,
) -> Result<(), J::Error> {
    let jobs = Arc::new(Mutex::new(jobs));
    let leave = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel::<(J, Tried<J>)>();
    for _ in 0..threads.max(1) {
        let (jobs, leave, sender) = (Arc::clone(&jobs), Arc::clone(&leave), sender.clone());
        start(Box::new(move || {
            let mut place = J::Place::default();
            while let Some(job) = next(&jobs, &leave) {
                let tried = catch_unwind(AssertUnwindSafe(|| job.run(&mut place, &leave)));
                if sender.send((job, tried)).is_err() {
                    return;
                }
            }
        }));
    }
    drop(sender);
    let answer = collect(&receiver, stop, finished);
    leave.store(true, Relaxed);
    match answer {
        Ok(answer) => answer,
        Err(panic) => resume_unwind(panic),
    }
}

/// Compiled once, whatever the jobs are.
fn start(work: Box<dyn FnOnce() + Send>) {
    thread::spawn(work);
}

fn next<J>(jobs: &Mutex<Box<dyn Iterator<Item = J> + Send>>, leave: &AtomicBool) -> Option<J> {
    if leave.load(Relaxed) {
        return None;
    }
    jobs.lock().ok()?.next()
}

fn collect<J: Job>(
    receiver: &mpsc::Receiver<(J, Tried<J>)>,
    stop: &AtomicBool,
    finished: &mut dyn FnMut(J, J::Output) -> ControlFlow<()>,
) -> thread::Result<Result<(), J::Error>> {
    while !stop.load(Relaxed) {
        match receiver.recv_timeout(PATIENCE) {
            Ok((job, tried)) => match tried? {
                Ok(Some(output)) => {
                    if finished(job, output).is_break() {
                        break;
                    }
                }
                Ok(None) => {}
                Err(error) => return Ok(Err(error)),
            },
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    Ok(Ok(()))
}
