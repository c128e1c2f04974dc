//! Storage: what must not be forgotten, in SQLite or PostgreSQL.
//!
//! One thread writes. Whatever waits is committed in one transaction and acknowledged after it, so many games share
//! the cost of making a commit durable. Another thread reads.
//!
//! A write that fails says what is certain: before the commit nothing was changed; a commit that is not confirmed may have
//! been made or not, and only reading again tells.

mod erase;
#[cfg(test)]
pub(crate) mod faulty;
mod migrations;
#[cfg(feature = "postgres")]
mod postgres;
pub(crate) mod reads;
pub(crate) mod sql;
mod sqlite;
#[cfg(test)]
mod tests;
mod write;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use tokio::sync::oneshot;

use crate::tables::lock;
use crate::time::now_ms;
use sql::Database;
pub(crate) use write::{TableRow, Write};

/// What storage cannot do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The database refuses, or cannot be reached; nothing was changed.
    #[error("database: {0}")]
    Database(String),
    /// A commit was sent and not confirmed: it may have been made or not.
    #[error("a commit was not confirmed: {0}")]
    Uncertain(Box<StoreError>),
    /// There is no space left; nothing was changed.
    #[error("the disk is full: {0}")]
    Full(String),
    /// What is kept is not whole.
    #[error("the database is damaged: {0}")]
    Damaged(String),
    /// The file is not there any more, or another has taken its place: what is written now is lost.
    #[error("{}: the file of the database is gone or has been replaced while it was open", path.display())]
    Gone {
        /// Where it was.
        path: PathBuf,
    },
    /// Its folder cannot be made.
    #[error("{}: {reason}", path.display())]
    Folder {
        /// Which one.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// It was made by a newer program.
    #[error("the database is of version {version}, this program knows {least}: expected a newer program")]
    Newer {
        /// The database's.
        version: usize,
        /// The program's.
        least: usize,
    },
    /// The name is somebody else's.
    #[error("the name is taken")]
    Taken,
    /// Nobody writes any more.
    #[error("the server is stopping")]
    Stopped,
}

/// What SQLite's file is called in its folder.
pub(crate) const FILE: &str = "trilith.db";

/// Where everything is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StorePlace {
    /// Nowhere: gone with the program.
    Memory,
    /// A file of SQLite.
    File(PathBuf),
    /// A database of PostgreSQL.
    Url(String),
}

/// Whether a file of SQLite is whole and not of a newer program.
pub(crate) fn check_file(path: &Path) -> Result<(), StoreError> {
    sqlite::check(path)?;
    migrations::check(&mut sqlite::Sqlite::open(path)?)
}

/// The version of the schema that this program makes.
pub(crate) const NEWEST: usize = migrations::NEWEST;

/// Connects beside a server that may be running.
pub(crate) fn open_for_administration(place: &StorePlace) -> Result<Box<dyn Database>, StoreError> {
    if let StorePlace::File(path) = place {
        sqlite::check(path)?;
    }
    let mut database = place.open()?;
    migrations::migrate(&mut *database)?;
    Ok(database)
}

/// Makes a connection, at the start and whenever one has been lost.
pub(crate) type Opener = Arc<dyn Fn() -> Result<Box<dyn Database>, StoreError> + Send + Sync>;

impl StorePlace {
    fn open(&self) -> Result<Box<dyn Database>, StoreError> {
        Ok(match self {
            StorePlace::Memory => Box::new(sqlite::Sqlite::in_memory()?),
            StorePlace::File(path) => Box::new(sqlite::Sqlite::open(path)?),
            #[cfg(feature = "postgres")]
            StorePlace::Url(url) => Box::new(postgres::Postgres::open(url)?),
            #[cfg(not(feature = "postgres"))]
            StorePlace::Url(_) => {
                let reason =
                    "this program was built without PostgreSQL (feature `postgres`): expected a folder";
                return Err(StoreError::Database(reason.into()));
            }
        })
    }

    /// What connects to it again and again.
    pub(crate) fn opener(&self) -> Opener {
        let place = self.clone();
        Arc::new(move || place.open())
    }
}

/// What one of the threads is to do.
enum Order {
    Write(Vec<Write>, oneshot::Sender<Result<(), StoreError>>),
    Read(Reading),
    Stop,
}

type Reading = Box<dyn FnOnce(Result<&mut dyn Database, StoreError>) + Send>;

/// A handle that all parts of the server share.
#[derive(Clone)]
pub(crate) struct Store {
    writer: Sender<Order>,
    reader: Sender<Order>,
    threads: Arc<Mutex<Vec<JoinHandle<()>>>>,
    /// SQLite's file as it was opened.
    file: Option<sqlite::Identity>,
}

impl Store {
    /// Opens, checks and migrates. Call it outside of asynchronous code: it waits for the database.
    pub(crate) fn open(place: &StorePlace) -> Result<Store, StoreError> {
        if let StorePlace::File(path) = place {
            sqlite::prepare(path)?;
        }
        let mut store = Store::start(place.opener(), *place != StorePlace::Memory)?;
        if let StorePlace::File(path) = place {
            store.file = sqlite::Identity::of(path);
        }
        Ok(store)
    }

    /// Starts the threads; only what `reopens` is connected to a second time.
    pub(crate) fn start(opener: Opener, reopens: bool) -> Result<Store, StoreError> {
        let mut database = opener()?;
        migrations::migrate(&mut *database)?;
        let threads = Arc::new(Mutex::new(Vec::new()));
        let start = |database| {
            let (sender, orders) = channel();
            let worker = Worker { opener: reopens.then(|| Arc::clone(&opener)), database, is_lost: false };
            lock(&threads).push(thread::spawn(move || worker.work(&orders)));
            sender
        };
        let writer = start(database);
        let reader = if reopens { start(opener()?) } else { writer.clone() };
        Ok(Store { writer, reader, threads, file: None })
    }

    /// Does all of `writes` or none; they are durable when this returns.
    pub(crate) async fn write(&self, writes: Vec<Write>) -> Result<(), StoreError> {
        let (reply, done) = oneshot::channel();
        self.writer.send(Order::Write(writes, reply)).map_err(|_| StoreError::Stopped)?;
        done.await.map_err(|_| StoreError::Stopped)?
    }

    /// Asks the database; see [`reads`].
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&mut dyn Database) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (reply, done) = oneshot::channel();
        // Nobody may wait for the answer any more.
        let work = Box::new(move |database: Result<&mut dyn Database, StoreError>| {
            drop(reply.send(database.and_then(read)));
        });
        self.reader.send(Order::Read(work)).map_err(|_| StoreError::Stopped)?;
        done.await.map_err(|_| StoreError::Stopped)?
    }

    /// Whether what is written now can be read, and is where it should be.
    pub(crate) async fn check(&self) -> Result<(), StoreError> {
        let at = now_ms();
        self.write(vec![Write::Pulse { at }]).await?;
        if self.read(reads::pulse).await? < at {
            return Err(StoreError::Damaged("what was written cannot be read again".into()));
        }
        self.file.as_ref().map_or(Ok(()), sqlite::Identity::check)
    }

    /// Ends both threads after what they were told before, and waits for them: the last connection that closes brings
    /// the write-ahead log home. Call it outside of asynchronous code.
    pub(crate) fn close(&self) {
        // One after the other: of two connections that close at once neither is the last, and SQLite's write-ahead log
        // would stay.
        let mut threads = std::mem::take(&mut *lock(&self.threads));
        drop(self.reader.send(Order::Stop));
        threads.pop().into_iter().for_each(|reader| drop(reader.join()));
        drop(self.writer.send(Order::Stop));
        threads.into_iter().for_each(|writer| drop(writer.join()));
    }
}

/// The most transactions that are made one.
const GROUP: usize = 256;

struct Worker {
    /// None for what cannot be opened twice.
    opener: Option<Opener>,
    database: Box<dyn Database>,
    /// Whether the connection is in a state that nobody knows.
    is_lost: bool,
}

type Waiting = (Vec<Write>, oneshot::Sender<Result<(), StoreError>>);

impl Worker {
    fn work(mut self, orders: &Receiver<Order>) {
        let mut group = Vec::new();
        while let Ok(first) = orders.recv() {
            for order in std::iter::once(first).chain(orders.try_iter()).take(GROUP) {
                match order {
                    Order::Write(writes, reply) => group.push((writes, reply)),
                    Order::Read(read) => {
                        self.commit(&mut group);
                        self.read(read);
                    }
                    Order::Stop => return self.commit(&mut group),
                }
            }
            self.commit(&mut group);
        }
    }

    /// A reading that breaks down is alone in that.
    fn read(&mut self, read: Reading) {
        let opened = self.reopen();
        let database = &mut self.database;
        let done = catch_unwind(AssertUnwindSafe(move || match opened {
            Ok(()) => read(Ok(&mut **database)),
            Err(error) => read(Err(error)),
        }));
        if done.is_err() {
            tracing::error!("a reading has broken down");
        }
    }

    /// Connects again if the connection has been lost.
    fn reopen(&mut self) -> Result<(), StoreError> {
        if let Some(opener) = self.opener.as_ref().filter(|_| self.is_lost || self.database.is_lost()) {
            self.database = opener()?;
            self.is_lost = false;
        }
        Ok(())
    }

    /// All in one transaction; if that was not made, each in its own, so that one fault is only one's own.
    fn commit(&mut self, group: &mut Vec<Waiting>) {
        let all: Vec<&Write> = group.iter().flat_map(|(writes, _)| writes).collect();
        if group.len() > 1 {
            let done = self.transaction(&all);
            if matches!(done, Ok(()) | Err(StoreError::Uncertain(_))) {
                return group.drain(..).for_each(|(_, reply)| drop(reply.send(done.clone())));
            }
        }
        for (writes, reply) in group.drain(..) {
            let result = self.transaction(&writes.iter().collect::<Vec<_>>());
            drop(reply.send(result));
        }
    }

    fn transaction(&mut self, writes: &[&Write]) -> Result<(), StoreError> {
        self.reopen()?;
        let database = &mut *self.database;
        let mut done = database.script("BEGIN");
        done = done.and_then(|()| writes.iter().try_for_each(|write| write.apply(database)));
        if done.is_ok() {
            done = database.script("COMMIT").map_err(|error| StoreError::Uncertain(error.into()));
        }
        // Whatever cannot be rolled back is closed: the next transaction begins on a connection of its own.
        if done.is_err() && database.script("ROLLBACK").is_err() {
            self.is_lost = true;
        }
        done
    }
}
