//! Offers jobs, a window of them at a time, and collects their answers, those of an interrupted run first.

use std::cell::Cell;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::pull::{Ordered, OrderedConfig};
use futures_util::StreamExt;
use trilith_base::job::{Answer, JobId, Queue, QueueError};

use super::seal::{self, Sort};
use super::{ANSWER_SUBJECTS, JOB_SUBJECTS, Nats, TRIES, insist, unpack};

/// Jobs that wait or are worked on at a time: more than workers, and few enough to be done in vain by an early end.
const WINDOW: usize = 1024;
/// How soon a stop is noticed.
const GLANCE: Duration = Duration::from_millis(50);
/// After so long without an answer all open jobs are offered again, in case somebody has removed them.
const SILENCE: Duration = Duration::from_secs(30);

impl Queue for Nats {
    fn run(
        &self,
        batch: &JobId,
        jobs: &mut dyn Iterator<Item = Vec<u8>>,
        stop: &AtomicBool,
        finished: &mut dyn FnMut(usize, Answer) -> ControlFlow<()>,
    ) -> Result<(), QueueError> {
        self.runtime.block_on(async {
            let mut run = Run {
                nats: self,
                batch: batch.to_string(),
                open: HashMap::new(),
                is_deceived: Cell::new(false),
            };
            let (mut answers, known) = insist(async || run.subscribe().await).await?;
            let known = run.collect(&mut answers, known).await?;
            let ended = run.all(jobs, known, &mut answers, stop, finished).await?;
            self.withdraw(&run.batch).await?;
            if ended {
                self.forget(format!("{ANSWER_SUBJECTS}.{batch}.>")).await?;
            }
            Ok(())
        })
    }
}

/// One run of a batch.
struct Run<'a> {
    nats: &'a Nats,
    batch: String,
    /// Offered and not answered: places and content, by id.
    open: HashMap<String, (Vec<usize>, Vec<u8>)>,
    /// Whether an answer was not believed: workers may have taken it for done.
    is_deceived: Cell<bool>,
}

impl Run<'_> {
    /// All answers of this batch from the first on, and how many there are already.
    async fn subscribe(&self) -> Result<(Ordered, u64), QueueError> {
        let config = OrderedConfig {
            filter_subject: format!("{ANSWER_SUBJECTS}.{}.>", self.batch),
            ..OrderedConfig::default()
        };
        let missing = "answers cannot be asked for";
        let consumer = self.nats.answers.create_consumer(config).await;
        let consumer = consumer.map_err(|error| self.nats.fault(missing, error))?;
        let known = consumer.cached_info().num_pending;
        let messages = consumer.messages().await.map_err(|error| self.nats.fault(missing, error))?;
        Ok((messages, known))
    }

    /// The answers that an interrupted run has left. What could not be done then is tried again.
    async fn collect(
        &self,
        answers: &mut Ordered,
        count: u64,
    ) -> Result<HashMap<String, Vec<u8>>, QueueError> {
        let mut known = HashMap::new();
        for _ in 0..count {
            let Some((id, answer)) = self.next(answers, super::PATIENCE).await? else { break };
            match answer {
                Ok(output) => drop(known.insert(id, output)),
                Err(_) => self.nats.forget(format!("{ANSWER_SUBJECTS}.{}.{id}", self.batch)).await?,
            }
        }
        Ok(known)
    }

    /// The next answer, if one comes in time.
    async fn next(
        &self,
        answers: &mut Ordered,
        time: Duration,
    ) -> Result<Option<(String, Answer)>, QueueError> {
        match tokio::time::timeout(time, answers.next()).await {
            Ok(Some(Ok(message))) => {
                let id = message.subject.rsplit('.').next().unwrap_or_default().to_owned();
                match seal::open(self.nats.key.as_ref(), Sort::Answer, &message.subject, &message.payload) {
                    Ok(content) => Ok(Some((id, unpack(content)))),
                    // Somebody else's: it makes room for the true one.
                    Err(why) => {
                        tracing::warn!(subject = &*message.subject, %why, "an answer is not believed");
                        self.nats.forget(message.subject.to_string()).await?;
                        self.is_deceived.set(true);
                        Ok(None)
                    }
                }
            }
            Ok(Some(Err(error))) => Err(self.nats.fault("answers cannot be read", error)),
            Ok(None) => Err(self.nats.fault("answers cannot be read", "the server has ended them")),
            Err(_) => Ok(None),
        }
    }

    /// The next answer, if one comes soon. After a restart of the server answers are asked for again, from the first on.
    async fn next_or_again(&self, answers: &mut Ordered) -> Result<Option<(String, Answer)>, QueueError> {
        let mut tries = 0;
        loop {
            let error = match self.next(answers, GLANCE).await {
                Err(error) if tries < TRIES => error,
                answer => return answer,
            };
            tries += 1;
            tokio::time::sleep(Duration::from_secs(1)).await;
            match self.subscribe().await {
                Ok((again, _)) => *answers = again,
                Err(_) if tries < TRIES => {}
                Err(_) => return Err(error),
            }
        }
    }

    /// Offers and collects until all is done or `finished` breaks; false after a stop.
    async fn all(
        &mut self,
        jobs: &mut dyn Iterator<Item = Vec<u8>>,
        mut known: HashMap<String, Vec<u8>>,
        answers: &mut Ordered,
        stop: &AtomicBool,
        finished: &mut dyn FnMut(usize, Answer) -> ControlFlow<()>,
    ) -> Result<bool, QueueError> {
        let mut jobs = jobs.enumerate();
        let mut heard = Instant::now();
        while !stop.load(Relaxed) {
            while self.open.len() < WINDOW && !stop.load(Relaxed) {
                let Some((place, job)) = jobs.next() else { break };
                let id = JobId::of(&job).to_string();
                match known.remove(&id) {
                    Some(output) => {
                        if finished(place, Ok(output)).is_break() {
                            return Ok(true);
                        }
                    }
                    None => self.offer(id, place, job).await?,
                }
            }
            if self.open.is_empty() {
                return Ok(!stop.load(Relaxed));
            }
            if let Some((id, answer)) = self.next_or_again(answers).await? {
                heard = Instant::now();
                let (places, _) = self.open.remove(&id).unwrap_or_default();
                for place in places {
                    if finished(place, answer.clone()).is_break() {
                        return Ok(true);
                    }
                }
            } else if heard.elapsed() > SILENCE || self.is_deceived.replace(false) {
                heard = Instant::now();
                self.offer_again().await?;
            }
        }
        Ok(false)
    }

    async fn offer(&mut self, id: String, place: usize, job: Vec<u8>) -> Result<(), QueueError> {
        if let Some((places, _)) = self.open.get_mut(&id) {
            places.push(place);
            return Ok(());
        }
        self.nats.put(Sort::Job, &format!("{JOB_SUBJECTS}.{}.{id}", self.batch), job.clone()).await?;
        self.open.insert(id, (vec![place], job));
        Ok(())
    }

    async fn offer_again(&self) -> Result<(), QueueError> {
        for (id, (_, job)) in &self.open {
            self.nats.put(Sort::Job, &format!("{JOB_SUBJECTS}.{}.{id}", self.batch), job.clone()).await?;
        }
        Ok(())
    }
}
