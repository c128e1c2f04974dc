//! Takes jobs from the queue, does them and answers.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use async_nats::jetstream::consumer::pull::{self, Config};
use async_nats::jetstream::consumer::{AckPolicy, Consumer};
use async_nats::jetstream::stream::LastRawMessageErrorKind;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use trilith_base::job::{Bench, QueueError, Skills};

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

/// Does jobs that others have offered.
pub struct Worker {
    nats: Nats,
    consumer: Consumer<Config>,
    lease: Duration,
}

impl Worker {
    /// A worker of the queue at `address`. The job of a worker that is silent for `lease` goes to another; the last to
    /// connect decides it for all.
    pub fn connect(address: &str, lease: Duration) -> Result<Worker, QueueError> {
        let nats = Nats::connect(address)?;
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
        Ok(Worker { nats, consumer, lease })
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
                        match self.one(&mut bench, stop) {
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
    fn one(&self, bench: &mut Bench<'_>, stop: &AtomicBool) -> Result<u64, QueueError> {
        let runtime = &self.nats.runtime;
        let Some(message) = runtime.block_on(self.next())? else { return Ok(0) };
        let subject = message.subject.replacen(JOB_SUBJECTS, ANSWER_SUBJECTS, 1);
        let answer = match runtime.block_on(self.is_answered(&subject))? {
            true => None,
            false => match message.info().map_or(0, |info| info.delivered) > MOST_TRIES {
                true => Some(Err(format!("{MOST_TRIES} workers have begun it and none has ended it"))),
                false => match self.alive(&message, || bench.run(&message.payload, stop)) {
                    Some(answer) => Some(answer),
                    None => return runtime.block_on(self.hand_back(&message)).map(|()| 0),
                },
            },
        };
        runtime.block_on(async {
            let count = u64::from(answer.is_some());
            if let Some(answer) = answer {
                self.nats.put(&subject, pack(answer)).await?;
            }
            message
                .double_ack()
                .await
                .map_err(|error| self.nats.fault("a job is not acknowledged", error))?;
            Ok(count)
        })
    }

    async fn next(&self) -> Result<Option<Message>, QueueError> {
        let failed = "no job can be had";
        let batch = self.consumer.batch().max_messages(1).expires(WAIT).messages().await;
        let mut batch = batch.map_err(|error| self.nats.fault(failed, error))?;
        batch.next().await.transpose().map_err(|error| self.nats.fault(failed, error))
    }

    /// Whether somebody else has done it: then it was offered or delivered again.
    async fn is_answered(&self, subject: &str) -> Result<bool, QueueError> {
        match self.nats.answers.get_last_raw_message_by_subject(subject).await {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(false),
            Err(error) => Err(self.nats.fault("an answer cannot be asked for", error)),
        }
    }

    /// Works while the server is told that somebody does.
    fn alive<T>(&self, message: &Message, work: impl FnOnce() -> T) -> T {
        let (message, pause) = (message.clone(), self.lease / 3);
        let heart = self.nats.runtime.spawn(async move {
            loop {
                tokio::time::sleep(pause).await;
                // A beat that is lost is followed by another.
                let _ = message.ack_with(AckKind::Progress).await;
            }
        });
        let answer = work();
        heart.abort();
        answer
    }

    async fn hand_back(&self, message: &Message) -> Result<(), QueueError> {
        let sent = message.double_ack_with(AckKind::Nak(None)).await;
        sent.map_err(|error| self.nats.fault("a job cannot be handed back", error))
    }
}
