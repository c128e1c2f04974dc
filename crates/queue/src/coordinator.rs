//! Offers jobs, a window of them at a time, and collects their answers, those of an interrupted run first.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::pull::{Ordered, OrderedConfig};
use futures_util::StreamExt;
use trilith_base::job::{JobAnswer, JobId, Queue, QueueError, SeenWorker};

use super::seal::{self, SealError, Sort};
use super::{ANSWER_SUBJECTS, JOB_SUBJECTS, Nats, TRIES, insist, unpack};

/// Jobs that wait or are worked on at a time: more than workers, and few enough to be done in vain by an early end.
const WINDOW: usize = 1024;
/// How soon a stop is noticed.
const GLANCE: Duration = Duration::from_millis(50);
/// After so long without an answer all open jobs are offered again, in case somebody has removed them.
const SILENCE: Duration = Duration::from_secs(30);
/// After so many answers of workers with another key, and none of one with ours, nothing is to be hoped for. One alone may be
/// somebody's who wants to stop us.
const STRANGERS: u32 = 10;

/// What has come.
enum Arrival {
    Answer(String, JobAnswer),
    /// It was not believed, and removed.
    Foreign(String, SealError),
    /// Nothing in time.
    Nothing,
}

impl Queue for Nats {
    fn run(
        &self,
        batch: &JobId,
        jobs: &mut dyn Iterator<Item = Vec<u8>>,
        stop: &AtomicBool,
        finished: &mut dyn FnMut(usize, JobAnswer) -> ControlFlow<()>,
    ) -> Result<(), QueueError> {
        self.runtime.block_on(async {
            let mut run = Run {
                nats: self,
                batch: batch.to_string(),
                open: HashMap::new(),
                doubted: HashSet::new(),
                strangers: 0,
                is_known: false,
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

    fn seen_workers(&self) -> Vec<SeenWorker> {
        self.roster.seen()
    }
}

/// One run of a batch.
struct Run<'a> {
    nats: &'a Nats,
    batch: String,
    /// Offered and not answered: places and content, by id.
    open: HashMap<String, (Vec<usize>, Vec<u8>)>,
    /// Those of them whose answer was not believed: workers may have taken it for done.
    doubted: HashSet<String>,
    /// Answers that another key has sealed.
    strangers: u32,
    /// Whether an answer was believed.
    is_known: bool,
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
            match self.next(answers, super::PATIENCE).await? {
                Arrival::Answer(id, Ok(output)) => drop(known.insert(id, output)),
                Arrival::Answer(id, Err(_)) => {
                    self.nats.forget(format!("{ANSWER_SUBJECTS}.{}.{id}", self.batch)).await?;
                }
                // The job is offered again with the others.
                Arrival::Foreign(..) => {}
                Arrival::Nothing => break,
            }
        }
        Ok(known)
    }

    /// The next answer, if one comes in time.
    async fn next(&self, answers: &mut Ordered, time: Duration) -> Result<Arrival, QueueError> {
        match tokio::time::timeout(time, answers.next()).await {
            Ok(Some(Ok(message))) => {
                let id = message.subject.rsplit('.').next().unwrap_or_default().to_owned();
                match seal::open(self.nats.key.as_ref(), Sort::Answer, &message.subject, &message.payload) {
                    Ok(content) => {
                        let (answer, worker) = unpack(content);
                        worker.iter().for_each(|name| self.nats.roster.count(name));
                        Ok(Arrival::Answer(id, answer))
                    }
                    // Somebody else's: it makes room for the true one.
                    Err(why) => {
                        tracing::warn!(subject = &*message.subject, %why, "an answer is not believed");
                        self.nats.forget(message.subject.to_string()).await?;
                        Ok(Arrival::Foreign(id, why))
                    }
                }
            }
            Ok(Some(Err(error))) => Err(self.nats.fault("answers cannot be read", error)),
            Ok(None) => Err(self.nats.fault("answers cannot be read", "the server has ended them")),
            Err(_) => Ok(Arrival::Nothing),
        }
    }

    /// What comes next, if anything does soon. After a restart of the server answers are asked for again, from the first on.
    async fn next_or_again(&self, answers: &mut Ordered) -> Result<Arrival, QueueError> {
        let mut tries = 0;
        loop {
            let error = match self.next(answers, GLANCE).await {
                Err(error) if tries < TRIES => error,
                arrival => return arrival,
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

    /// An answer that was not believed. Its job is offered again, unless the workers have another key than we: then nothing
    /// will ever be believed.
    fn doubt(&mut self, id: String, why: SealError) -> Result<(), QueueError> {
        self.strangers += u32::from(why != SealError::Missing);
        // Without a key nothing is sealed here, so what is sealed comes from a worker that has one.
        let most = if why == SealError::NoKey { 1 } else { STRANGERS };
        if !self.is_known && self.strangers >= most {
            return Err(self.nats.fault("the workers have another key than this command", why));
        }
        self.doubted.insert(id);
        Ok(())
    }

    /// Offers and collects until all is done or `finished` breaks; false after a stop.
    async fn all(
        &mut self,
        jobs: &mut dyn Iterator<Item = Vec<u8>>,
        mut known: HashMap<String, Vec<u8>>,
        answers: &mut Ordered,
        stop: &AtomicBool,
        finished: &mut dyn FnMut(usize, JobAnswer) -> ControlFlow<()>,
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
            match self.next_or_again(answers).await? {
                Arrival::Answer(id, answer) => {
                    (heard, self.is_known) = (Instant::now(), true);
                    let (places, _) = self.open.remove(&id).unwrap_or_default();
                    for place in places {
                        if finished(place, answer.clone()).is_break() {
                            return Ok(true);
                        }
                    }
                }
                Arrival::Foreign(id, why) => self.doubt(id, why)?,
                Arrival::Nothing => {
                    if heard.elapsed() > SILENCE {
                        heard = Instant::now();
                        self.offer_again(self.open.keys().cloned().collect()).await?;
                    }
                    // A job that is still there stays doubtful: who has it may just be done with it.
                    let doubted = std::mem::take(&mut self.doubted);
                    self.doubted = self.offer_again(doubted).await?;
                }
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

    /// Offers open jobs again; which of them are still there.
    async fn offer_again(&self, mut ids: HashSet<String>) -> Result<HashSet<String>, QueueError> {
        ids.retain(|id| self.open.contains_key(id));
        for id in ids.clone() {
            let subject = format!("{JOB_SUBJECTS}.{}.{id}", self.batch);
            if self.nats.put(Sort::Job, &subject, self.open[&id].1.clone()).await? {
                ids.remove(&id);
            }
        }
        Ok(ids)
    }
}
