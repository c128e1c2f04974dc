//! What a worker can do: kinds of jobs by name, in bytes.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;

use serde::Deserialize;

use super::{Job, JobAnswer};

/// The kinds of jobs a program can do.
#[derive(Clone, Default)]
pub struct Skills {
    kinds: HashMap<&'static str, Skill>,
}

/// Makes the place of one thread for jobs of one kind.
type Skill = fn() -> Workplace;

/// Does jobs of one kind, one after another, in a place of its own.
type Workplace = Box<dyn FnMut(&str, &AtomicBool) -> Result<Option<Vec<u8>>, String>>;

impl Skills {
    /// These and jobs of the kind `J`.
    pub fn with<J: Job>(mut self) -> Skills
    where
        J::Place: 'static,
    {
        self.kinds.insert(J::KIND, workplace::<J>);
        self
    }

    /// The place of one thread that does such jobs.
    pub fn bench(&self) -> Bench<'_> {
        Bench { skills: self, places: HashMap::new() }
    }
}

/// Where one thread does jobs of all kinds.
pub struct Bench<'a> {
    skills: &'a Skills,
    places: HashMap<&'static str, Workplace>,
}

/// A job as it arrives.
#[derive(Deserialize)]
struct Arrived<'a> {
    kind: &'a str,
    #[serde(borrow)]
    job: &'a serde_json::value::RawValue,
}

impl Bench<'_> {
    /// Does a job; nothing if `stop` was set before its end. A job that panics is one that cannot be done.
    pub fn run(&mut self, packed: &[u8], stop: &AtomicBool) -> Option<JobAnswer> {
        let arrived: Arrived<'_> = match serde_json::from_slice(packed) {
            Ok(arrived) => arrived,
            Err(error) => return Some(Err(format!("the job cannot be read: {error}"))),
        };
        let Some((&kind, skill)) = self.skills.kinds.get_key_value(arrived.kind) else {
            return Some(Err(format!("this worker cannot do jobs of the kind `{}`", arrived.kind)));
        };
        let mut place = self.places.remove(kind).unwrap_or_else(skill);
        let tried = catch_unwind(AssertUnwindSafe(|| place(arrived.job.get(), stop)));
        match tried {
            Ok(answer) => {
                self.places.insert(kind, place);
                answer.transpose()
            }
            Err(_) => Some(Err("it broke down; the worker's output has the message".into())),
        }
    }
}

fn workplace<J: Job>() -> Workplace
where
    J::Place: 'static,
{
    let mut place = J::Place::default();
    Box::new(move |text, stop| {
        let job: J =
            serde_json::from_str(text).map_err(|error| format!("the job cannot be read: {error}"))?;
        let output = job.run(&mut place, stop).map_err(|error| chain(&error))?;
        Ok(output.map(|output| serde_json::to_vec(&output).expect("outputs are plain data")))
    })
}

/// An error with its causes, none of them said twice.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.ends_with(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::{JobId, Queue, QueueError, Unfinished, Workers};
    use super::*;
    use serde::Serialize;
    use std::ops::ControlFlow;
    use std::sync::Arc;

    /// Doubles a number; 13 cannot be doubled and 99 is a trap.
    #[derive(Serialize, Deserialize)]
    struct Double(u64);

    #[derive(Debug, thiserror::Error)]
    #[error("13 is not doubled")]
    struct Unlucky;

    impl Job for Double {
        const KIND: &'static str = "double";
        type Output = u64;
        type Error = Unlucky;
        type Place = u64;

        fn run(&self, done: &mut u64, _stop: &AtomicBool) -> Result<Option<u64>, Unlucky> {
            *done += 1;
            assert_ne!(self.0, 99);
            if self.0 == 13 { Err(Unlucky) } else { Ok(Some(2 * self.0)) }
        }
    }

    /// A queue in the same thread that answers everything twice, the last first.
    struct Here;

    impl Queue for Here {
        fn run(
            &self,
            _batch: &JobId,
            jobs: &mut dyn Iterator<Item = Vec<u8>>,
            stop: &AtomicBool,
            finished: &mut dyn FnMut(usize, JobAnswer) -> ControlFlow<()>,
        ) -> Result<(), QueueError> {
            let skills = Skills::default().with::<Double>();
            let mut bench = skills.bench();
            let answers: Vec<_> = jobs.map(|job| bench.run(&job, stop).unwrap()).collect();
            for (place, answer) in answers.into_iter().enumerate().rev() {
                if finished(place, answer.clone()).is_break() || finished(place, answer).is_break() {
                    break;
                }
            }
            Ok(())
        }
    }

    fn doubled(workers: &Workers, numbers: Vec<u64>) -> Result<Vec<(u64, u64)>, Unfinished<Unlucky>> {
        let mut results = Vec::new();
        let jobs = numbers.into_iter().map(Double);
        workers.run("test", jobs, &AtomicBool::new(false), |job, output| {
            results.push((job.0, output));
            ControlFlow::Continue(())
        })?;
        results.sort_unstable();
        Ok(results)
    }

    #[test]
    fn threads_and_queues_give_the_same_each_once() {
        let expected: Vec<_> = (0..13).map(|number| (number, 2 * number)).collect();
        for workers in [Workers::Threads(3), Workers::Queue(Arc::new(Here))] {
            assert_eq!(doubled(&workers, (0..13).collect()).unwrap(), expected, "{workers:?}");
            let error = doubled(&workers, vec![1, 13]).unwrap_err().to_string();
            assert!(error.ends_with("13 is not doubled"), "{error}");
        }
        let error = doubled(&Workers::Queue(Arc::new(Here)), vec![99]).unwrap_err().to_string();
        assert!(error.contains("broke down"), "{error}");
    }

    #[test]
    fn a_panic_is_not_swallowed_and_a_break_ends_early() {
        assert!(std::panic::catch_unwind(|| doubled(&Workers::Threads(2), vec![1, 99, 2])).is_err());
        let mut seen = 0;
        let jobs = (100..).map(Double);
        let ended = Workers::Threads(2).run("test", jobs, &AtomicBool::new(false), |_, _| {
            seen += 1;
            if seen < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert!(ended.is_ok() && seen == 5);
    }

    #[test]
    fn strangers_are_answered() {
        let skills = Skills::default().with::<Double>();
        let mut bench = skills.bench();
        let stop = AtomicBool::new(false);
        let mut ask = |text: &str| bench.run(text.as_bytes(), &stop).unwrap();
        assert_eq!(ask(r#"{"kind":"double","job":4}"#), Ok(b"8".to_vec()));
        assert!(ask(r#"{"kind":"halve","job":4}"#).unwrap_err().contains("kind `halve`"));
        assert!(ask(r#"{"kind":"double","job":"x"}"#).unwrap_err().contains("cannot be read"));
        assert!(ask("nonsense").unwrap_err().contains("cannot be read"));
    }

    #[test]
    fn names_are_of_the_content() {
        assert_eq!(JobId::of(b"").to_string(), "af1349b9f5f9a1a6a0404dea36dcc949", "blake3 of nothing");
        assert_ne!(JobId::of(b"a"), JobId::of(b"b"));
    }
}
