//! Jobs for workers on any number of machines, through a NATS server with JetStream.
//!
//! A job waits in the stream `trilith-jobs` under `trilith.jobs.BATCH.ID` until a worker has acknowledged it; its answer is
//! kept in `trilith-answers` under `trilith.answers.BATCH.ID`. Both names are hashes of content, and both streams take a
//! second message under a name only after the first is gone: offering a job again and answering it again change nothing.
//! A worker writes the answer before it acknowledges the job, and reports regularly that it is still working on it; the job of
//! a worker that falls silent goes to another.
//!
//! Whoever can publish can put anything there. So jobs and answers are sealed with a key that both sides share, a worker
//! starts no programs but those it was told of, and each job has a size and a time.
//!
//! ```no_run
//! // Any command that takes `Workers` then works through the queue: matches, tournaments, data, grids, books.
//! let access = trilith_queue::Access::from_environment("nats://127.0.0.1:4222")?;
//! let queue = trilith_queue::Nats::connect(&access)?;
//! # drop(queue);
//! # Ok::<(), trilith_base::job::QueueError>(())
//! ```

mod access;
mod coordinator;
mod roster;
mod seal;
mod worker;

use std::io;
use std::time::Duration;

use async_nats::ConnectOptions;
use async_nats::jetstream::context::{Context, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{self, RetentionPolicy, Stream};
use roster::Roster;
use seal::Sort;
use serde::{Deserialize, Serialize};
use tokio::runtime::{Builder, Runtime};
use trilith_base::job::{JobAnswer, QueueError};

pub use access::{Access, CA_VARIABLE, KEY_VARIABLE};
pub use seal::{SealError, SealKey};
pub use worker::{JobBounds, USUAL_LEASE, Worker};

const JOBS: &str = "trilith-jobs";
const ANSWERS: &str = "trilith-answers";
const JOB_SUBJECTS: &str = "trilith.jobs";
const ANSWER_SUBJECTS: &str = "trilith.answers";

/// How long answers wait for a coordinator that does not come back.
const ANSWERS_KEPT: Duration = Duration::from_secs(14 * 24 * 3600);
/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often something is tried again while the server is away, a second apart.
const TRIES: u32 = 60;
/// How often a server is asked again for a stream or a consumer that it does not make at once.
const ASKED_AGAIN: u32 = 10;

/// A connection to a NATS server and the two streams on it.
pub struct Nats {
    address: String,
    key: Option<SealKey>,
    runtime: Runtime,
    context: Context,
    jobs: Stream,
    answers: Stream,
    roster: Roster,
}

/// An answer on its way: what came of the job, or why nothing did, and who has tried.
#[derive(Serialize, Deserialize)]
struct Packed {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    done: Option<Box<serde_json::value::RawValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
    /// Workers of earlier versions do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    worker: Option<String>,
}

impl Nats {
    /// Connects to the server and makes the streams if they are not there.
    pub fn connect(access: &Access) -> Result<Nats, QueueError> {
        let address = access.address.as_str();
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|error| fault(address, "no runtime", error))?;
        let (context, jobs, answers) = runtime.block_on(open(access))?;
        let (address, key) = (shown(address), access.key.clone());
        Ok(Nats { address, key, runtime, context, jobs, answers, roster: Roster::default() })
    }

    fn fault(&self, what: &str, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> QueueError {
        fault(&self.address, what, error)
    }

    /// Puts a sealed message under a subject that has none; whether it was put. Waits for a server that is away for a while.
    async fn put(&self, sort: Sort, subject: &str, content: Vec<u8>) -> Result<bool, QueueError> {
        let payload = seal::seal(self.key.as_ref(), sort, subject, content);
        let mut tries = 0;
        loop {
            let message =
                PublishMessage::build().expected_last_subject_sequence(0).payload(payload.clone().into());
            let sent = match self.context.send_publish(subject.to_owned(), message).await {
                Ok(acknowledgement) => acknowledgement.await,
                Err(error) => Err(error),
            };
            match sent {
                Ok(_) => return Ok(true),
                Err(error) => match error.kind() {
                    PublishErrorKind::WrongLastSequence => return Ok(false),
                    PublishErrorKind::TimedOut | PublishErrorKind::BrokenPipe if tries < TRIES => {
                        tries += 1;
                        tokio::time::sleep(Duration::from_secs(1)).await;
                    }
                    _ => return Err(self.fault("a message was refused", error)),
                },
            }
        }
    }

    /// Removes all jobs of a batch that nobody has answered.
    async fn withdraw(&self, batch: &str) -> Result<(), QueueError> {
        let gone = self.jobs.purge().filter(format!("{JOB_SUBJECTS}.{batch}.>")).await;
        gone.map(drop).map_err(|error| self.fault("jobs cannot be withdrawn", error))
    }

    /// Removes the answers under a subject.
    async fn forget(&self, subject: String) -> Result<(), QueueError> {
        let gone = self.answers.purge().filter(subject).await;
        gone.map(drop).map_err(|error| self.fault("answers cannot be removed", error))
    }
}

async fn open(access: &Access) -> Result<(Context, Stream, Stream), QueueError> {
    let address = access.address.as_str();
    let mut options = ConnectOptions::new().name("trilith").connection_timeout(PATIENCE);
    if let Some(ca) = &access.ca {
        options = options.add_root_certificates(ca.clone());
    }
    if let Some((user, password)) = user_and_password(address) {
        options = options.user_and_password(user, password);
    }
    let client = options.connect(address).await.map_err(|error| {
        fault(address, "no NATS server answers there; `nats-server -js` starts one", error)
    })?;
    let mut context = async_nats::jetstream::new(client);
    context.set_timeout(PATIENCE);
    let jobs = stream::Config {
        name: JOBS.into(),
        subjects: vec![format!("{JOB_SUBJECTS}.>")],
        retention: RetentionPolicy::WorkQueue,
        max_messages_per_subject: 1,
        ..stream::Config::default()
    };
    let answers = stream::Config {
        name: ANSWERS.into(),
        subjects: vec![format!("{ANSWER_SUBJECTS}.>")],
        max_messages_per_subject: 1,
        max_age: ANSWERS_KEPT,
        ..stream::Config::default()
    };
    let missing = |error| {
        fault(
            address,
            "its streams cannot be made; was it started with JetStream (`nats-server -js`)?",
            error,
        )
    };
    let jobs = insist(async || context.get_or_create_stream(&jobs).await).await.map_err(missing)?;
    let answers = insist(async || context.get_or_create_stream(&answers).await).await.map_err(missing)?;
    Ok((context, jobs, answers))
}

/// What `ask` makes on the server, asked again for a while: a busy disk may take longer than `PATIENCE`, and who asks for what
/// another is just making may be refused. Everything asked for like this is the same if it is asked for twice.
async fn insist<T, E>(mut ask: impl AsyncFnMut() -> Result<T, E>) -> Result<T, E> {
    for _ in 0..ASKED_AGAIN {
        if let Ok(made) = ask().await {
            return Ok(made);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    ask().await
}

fn fault(
    address: &str,
    what: &str,
    error: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> QueueError {
    QueueError { address: shown(address), what: what.into(), source: io::Error::other(error) }
}

/// Who connects, as the first server of an address that names somebody says.
fn user_and_password(address: &str) -> Option<(String, String)> {
    let named = address.split(',').filter_map(|server| server.parse::<async_nats::ServerAddr>().ok());
    named.filter_map(|server| Some((server.username()?.to_owned(), server.password()?.to_owned()))).next()
}

/// An address without the password in it.
fn shown(address: &str) -> String {
    match (address.find("://"), address.rfind('@')) {
        (Some(scheme), Some(at)) if scheme + 3 <= at => {
            format!("{}...{}", &address[..scheme + 3], &address[at..])
        }
        _ => address.into(),
    }
}

fn pack(answer: JobAnswer, worker: &str) -> Vec<u8> {
    let answer = answer.and_then(|json| {
        let raw = String::from_utf8(json).map(serde_json::value::RawValue::from_string);
        raw.ok().and_then(Result::ok).ok_or_else(|| "its result is no JSON".to_owned())
    });
    let (done, failed) = match answer {
        Ok(raw) => (Some(raw), None),
        Err(why) => (None, Some(why)),
    };
    serde_json::to_vec(&Packed { done, failed, worker: Some(worker.into()) }).expect("answers are plain data")
}

/// The answer, and who gave it.
fn unpack(payload: &[u8]) -> (JobAnswer, Option<String>) {
    match serde_json::from_slice(payload) {
        Ok(Packed { done: Some(json), failed: None, worker }) => (Ok(json.get().as_bytes().to_vec()), worker),
        Ok(Packed { done: None, failed: Some(why), worker }) => (Err(why), worker),
        Ok(_) => (Err("its answer cannot be read: expected either `done` or `failed`".into()), None),
        Err(error) => (Err(format!("its answer cannot be read: {error}")), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_back_and_passwords_stay_secret() {
        for answer in [Ok(br#"{"a":[1,2.5]}"#.to_vec()), Err("why \"not\"".to_owned())] {
            assert_eq!(unpack(&pack(answer.clone(), "one")), (answer, Some("one".into())));
        }
        assert!(unpack(b"nonsense").0.is_err() && unpack(&pack(Ok(b"{".to_vec()), "one")).0.is_err());
        assert!(unpack(b"{}").0.is_err() && unpack(br#"{"done":1,"failed":"both"}"#).0.is_err());
        assert_eq!(unpack(br#"{"done":[1]}"#), (Ok(b"[1]".to_vec()), None), "an earlier version's");
        assert_eq!(shown("nats://me:secret@host:4222"), "nats://...@host:4222");
        assert_eq!(shown("nats://127.0.0.1:4222"), "nats://127.0.0.1:4222");
    }

    #[test]
    fn a_missing_server_is_said() {
        let connect = |address: &str| Nats::connect(&Access::new(address, None, None)?);
        let error = connect("nats://127.0.0.1:1").err().unwrap().to_string();
        assert_eq!(
            error,
            "queue `nats://127.0.0.1:1`: no NATS server answers there; `nats-server -js` starts one"
        );
        assert!(connect("no such:address").is_err());
    }
}
