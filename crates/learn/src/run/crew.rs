//! Many hands: numbered pieces of work on all cores, results in the order of their numbers.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

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
    if threads <= 1 {
        let mut tools = tools();
        return numbers.map(|number| work(&mut tools, number)).collect();
    }
    let (next, end) = (AtomicU64::new(numbers.start), numbers.end);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut tools = tools();
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= end {
                        break;
                    }
                    let result = work(&mut tools, number);
                    done.lock().expect("no thread panics while it holds this").push((number, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("all threads are done");
    done.sort_unstable_by_key(|&(number, _)| number);
    done.into_iter().map(|(_, result)| result).collect()
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
