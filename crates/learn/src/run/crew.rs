//! Many hands: numbered pieces of work on all cores, results in the order of their numbers.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::RunError;
use super::learner::StepContext;

/// What `work` makes of each number in `numbers`, in their order, on `threads` threads.
///
/// The result does not depend on `threads` if `work` draws from a seed derived by the number.
pub fn all<T: Send>(threads: usize, numbers: std::ops::Range<u64>, work: impl Fn(u64) -> T + Sync) -> Vec<T> {
    pairs(threads, numbers, || (), |(), number| work(number))
}

/// The same where each thread first makes tools of its own, such as an engine, that must not carry anything from one
/// number to the next.
pub fn pairs<T: Send, W>(
    threads: usize,
    numbers: std::ops::Range<u64>,
    tools: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, u64) -> T + Sync,
) -> Vec<T> {
    pairs_until(&AtomicBool::new(false), threads, numbers, tools, work)
}

impl StepContext<'_> {
    /// [`all`] as part of a step: fails with [`RunError::Stopped`] if the run is to stop, which is looked at before each
    /// number. A learner that has not changed anything yet may hand that on.
    pub fn all<T: Send>(
        &self,
        numbers: std::ops::Range<u64>,
        work: impl Fn(u64) -> T + Sync,
    ) -> Result<Vec<T>, RunError> {
        self.pairs(numbers, || (), |(), number| work(number))
    }

    /// [`pairs`] as part of a step.
    pub fn pairs<T: Send, W>(
        &self,
        numbers: std::ops::Range<u64>,
        tools: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, u64) -> T + Sync,
    ) -> Result<Vec<T>, RunError> {
        let done = pairs_until(self.stop, self.threads, numbers, tools, work);
        self.unless_stopped(done)
    }

    /// `done`, unless the run is to stop: then it may be worth nothing.
    pub fn unless_stopped<T>(&self, done: T) -> Result<T, RunError> {
        if self.stop.load(Relaxed) { Err(RunError::Stopped) } else { Ok(done) }
    }
}

fn pairs_until<T: Send, W>(
    stop: &AtomicBool,
    threads: usize,
    numbers: std::ops::Range<u64>,
    tools: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, u64) -> T + Sync,
) -> Vec<T> {
    if threads <= 1 {
        let mut tools = tools();
        let going = numbers.take_while(|_| !stop.load(Relaxed));
        return going.map(|number| work(&mut tools, number)).collect();
    }
    let first = numbers.start;
    let done = Mutex::new(Vec::new());
    hands(stop, threads, numbers, &|next| {
        let mut tools = tools();
        while let Some(number) = next() {
            let result = work(&mut tools, number);
            put(&mut done.lock().expect("no thread panics while it holds this"), number - first, result);
        }
    });
    done.into_inner().expect("all threads are done").into_iter().flatten().collect()
}

/// Puts a result into its place of those that are done.
fn put<T>(done: &mut Vec<Option<T>>, place: u64, result: T) {
    let place = usize::try_from(place).expect("results fit into memory");
    if done.len() <= place {
        done.resize_with(place + 1, || None);
    }
    done[place] = Some(result);
}

/// Gives the next number that nobody has taken.
type Numbers<'a> = &'a mut dyn FnMut() -> Option<u64>;

/// Has every thread do `hand`, which asks for one number after the other until there is none left. Compiled once, whatever
/// the work is.
fn hands(
    stop: &AtomicBool,
    threads: usize,
    numbers: std::ops::Range<u64>,
    hand: &(dyn Fn(Numbers<'_>) + Sync),
) {
    let (next, end) = (AtomicU64::new(numbers.start), numbers.end);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                hand(&mut || {
                    let number = next.fetch_add(1, Relaxed);
                    (number < end && !stop.load(Relaxed)).then_some(number)
                });
            });
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_however_many_work() {
        let expected: Vec<u64> = (5..500).map(|number| number * number).collect();
        for threads in [0, 1, 2, 7] {
            assert_eq!(all(threads, 5..500, |number| number * number), expected);
        }
    }
}
