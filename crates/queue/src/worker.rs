//! Takes jobs from the queue, does them and answers.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::pull::{self, Config};
use async_nats::jetstream::consumer::{AckPolicy, Consumer};
use async_nats::jetstream::stream::LastRawMessageErrorKind;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use trilith_base::job::{Bench, JobAnswer, QueueError, Skills};

use super::access::Access;
use super::seal::{self, Sort};
use super::{ANSWER_SUBJECTS, JOB_SUBJECTS, Nats, insist, pack};

/// How long a worker may be silent before its job goes to another, if nobody says.
pub const USUAL_LEASE: Duration = Duration::from_secs(30);
/// All workers share this one.
const CONSUMER: &str = "workers";
/// How long one request for a job waits; how soon a stop is noticed.
const WAIT: Duration = Duration::from_secs(1);
/// Jobs in work at a time, on all machines.
const AT_ONCE: i64 = 100_000;
/// A job that so many workers were given and none has answered takes them down, and is given up.
const MOST_TRIES: i64 = 20;

/// How much longer than its time a job may take to notice that it is over, at most. One that does not takes its worker with
/// it: a thread cannot be ended from outside.
const GRACE: Duration = Duration::from_secs(60);

/// How soon a stop, or the end of a job's time, is noticed.
const GLANCE: Duration = Duration::from_millis(50);

/// The exit code of a worker that a job has not let go.
const STUCK: i32 = 75;

/// What a worker lets a job have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobBounds {
    /// Bytes of the job itself.
    pub size: usize,
    /// From its beginning to its end. A job that does not stop then ends the worker's process after as long again, or
    /// after a minute.
    pub time: Duration,
}

impl Default for JobBounds {
    fn default() -> JobBounds {
        JobBounds { size: 1 << 20, time: Duration::from_secs(24 * 3600) }
    }
}

/// Does jobs that others have offered.
pub struct Worker {
    nats: Nats,
    consumer: Consumer<Config>,
    lease: Duration,
    bounds: JobBounds,
    name: String,
}

/// How work on a job has ended.
enum Work {
    Done(JobAnswer),
    /// Its time is over.
    Late,
    /// The worker was stopped.
    Stopped,
}

impl Worker {
    /// A worker of a queue, which its answers call `name`. The job of a worker that is silent for `lease` goes to another;
    /// the last to connect decides it for all.
    pub fn connect(
        access: &Access,
        name: &str,
        lease: Duration,
        bounds: JobBounds,
    ) -> Result<Worker, QueueError> {
        let nats = Nats::connect(access)?;
        let config = pull::Config {
            durable_name: Some(CONSUMER.into()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: lease,
            max_ack_pending: AT_ONCE,
            ..pull::Config::default()
        };
        let consumer =
            nats.runtime.block_on(insist(async || nats.jobs.create_consumer(config.clone()).await));
        let consumer = consumer.map_err(|error| nats.fault("jobs cannot be asked for", error))?;
        Ok(Worker { nats, consumer, lease, bounds, name: name.into() })
    }

    /// Works on `threads` threads until `stop`; how many jobs were done. Jobs then given up go to others at once. While the
    /// server is away it waits; `told` hears of troubles.
    pub fn work(
        &self,
        skills: &Skills,
        threads: usize,
        stop: &AtomicBool,
        told: &(dyn Fn(String) + Sync),
    ) -> u64 {
        let done = AtomicU64::new(0);
        thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(|| {
                    let mut bench = skills.bench();
                    while !stop.load(Relaxed) {
                        match self.one(&mut bench, stop, told) {
                            Ok(count) => drop(done.fetch_add(count, Relaxed)),
                            Err(error) => {
                                told(format!("{error}: {}", error.source));
                                thread::sleep(WAIT);
                            }
                        }
                    }
                });
            }
        });
        done.into_inner()
    }

    /// Waits a while for a job and does it; how many were done.
    fn one(
        &self,
        bench: &mut Bench<'_>,
        stop: &AtomicBool,
        told: &(dyn Fn(String) + Sync),
    ) -> Result<u64, QueueError> {
        let runtime = &self.nats.runtime;
        let Some(message) = runtime.block_on(self.next())? else { return Ok(0) };
        let subject = message.subject.replacen(JOB_SUBJECTS, ANSWER_SUBJECTS, 1);
        let answer = match runtime.block_on(self.is_answered(&subject))? {
            true => None,
            false => match self.answer(bench, &message, stop, told) {
                Some(answer) => Some(answer),
                None => return runtime.block_on(self.hand_back(&message)).map(|()| 0),
            },
        };
        runtime.block_on(async {
            let count = u64::from(answer.is_some());
            if let Some(answer) = answer {
                self.nats.put(Sort::Answer, &subject, pack(answer, &self.name)).await?;
            }
            message
                .double_ack()
                .await
                .map_err(|error| self.nats.fault("a job is not acknowledged", error))?;
            Ok(count)
        })
    }

    /// What comes of a job, or why nothing does; none if it is handed back.
    fn answer(
        &self,
        bench: &mut Bench<'_>,
        message: &Message,
        stop: &AtomicBool,
        told: &(dyn Fn(String) + Sync),
    ) -> Option<JobAnswer> {
        let JobBounds { size, time } = self.bounds;
        let content = seal::open(self.nats.key.as_ref(), Sort::Job, &message.subject, &message.payload);
        let content = match content {
            Ok(content) => content,
            Err(why) => {
                let why = format!("a job is not believed: {why}");
                told(why.clone());
                return Some(Err(why));
            }
        };
        if content.len() > size {
            return Some(Err(format!("the job has {} bytes: this worker takes up to {size}", content.len())));
        }
        if message.info().map_or(0, |info| info.delivered) > MOST_TRIES {
            return Some(Err(format!("{MOST_TRIES} workers have begun it and none has ended it")));
        }
        let late = || format!("it takes longer than the {} s of this worker", time.as_secs());
        let stuck = || {
            told(format!("{}, and does not stop: this worker ends", late()));
            let subject = message.subject.replacen(JOB_SUBJECTS, ANSWER_SUBJECTS, 1);
            // If neither comes through, the next workers are given it, up to a number.
            let _ = self.nats.runtime.block_on(async {
                self.nats.put(Sort::Answer, &subject, pack(Err(late()), &self.name)).await?;
                message
                    .double_ack()
                    .await
                    .map_err(|error| self.nats.fault("a job is not acknowledged", error))
            });
            std::process::exit(STUCK);
        };
        match self.alive(message, stop, |stop| bench.run(content, stop), &stuck) {
            Work::Done(answer) => Some(answer),
            Work::Late => Some(Err(late())),
            Work::Stopped => None,
        }
    }

    async fn next(&self) -> Result<Option<Message>, QueueError> {
        let failed = "no job can be had";
        let batch = self.consumer.batch().max_messages(1).expires(WAIT).messages().await;
        let mut batch = batch.map_err(|error| self.nats.fault(failed, error))?;
        batch.next().await.transpose().map_err(|error| self.nats.fault(failed, error))
    }

    /// Whether somebody else has done it: then it was offered or delivered again. What is not believed is no answer, and
    /// makes room for one.
    async fn is_answered(&self, subject: &str) -> Result<bool, QueueError> {
        match self.nats.answers.get_last_raw_message_by_subject(subject).await {
            Ok(known) => {
                let is_true =
                    seal::open(self.nats.key.as_ref(), Sort::Answer, subject, &known.payload).is_ok();
                if !is_true {
                    self.nats.forget(subject.to_owned()).await?;
                }
                Ok(is_true)
            }
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(false),
            Err(error) => Err(self.nats.fault("an answer cannot be asked for", error)),
        }
    }

    /// Works while the server is told that somebody does, until the job's time is over or the worker is stopped. Calls
    /// `stuck` if the job has not noticed for long that its time is over.
    fn alive(
        &self,
        message: &Message,
        stop: &AtomicBool,
        work: impl FnOnce(&AtomicBool) -> Option<JobAnswer>,
        stuck: &(dyn Fn() + Sync),
    ) -> Work {
        let (is_done, is_late, ends) =
            (AtomicBool::new(false), AtomicBool::new(false), AtomicBool::new(false));
        let (start, pause) = (Instant::now(), self.lease / 3);
        let time = self.bounds.time;
        let longest = time.saturating_add(GRACE.min(time));
        let answer = thread::scope(|scope| {
            let heart = scope.spawn(|| {
                let mut beaten = start;
                while !is_done.load(Relaxed) {
                    thread::park_timeout(GLANCE);
                    is_late.store(start.elapsed() > time, Relaxed);
                    if start.elapsed() > longest && !is_done.load(Relaxed) {
                        stuck();
                    }
                    if is_late.load(Relaxed) || stop.load(Relaxed) {
                        ends.store(true, Relaxed);
                    }
                    if beaten.elapsed() >= pause {
                        beaten = Instant::now();
                        // A beat that is lost is followed by another.
                        let _ = self.nats.runtime.block_on(message.ack_with(AckKind::Progress));
                    }
                }
            });
            let answer = work(&ends);
            is_done.store(true, Relaxed);
            heart.thread().unpark();
            answer
        });
        match answer {
            Some(answer) => Work::Done(answer),
            None if is_late.load(Relaxed) => Work::Late,
            None => Work::Stopped,
        }
    }

    async fn hand_back(&self, message: &Message) -> Result<(), QueueError> {
        let sent = message.double_ack_with(AckKind::Nak(None)).await;
        sent.map_err(|error| self.nats.fault("a job cannot be handed back", error))
    }
}
