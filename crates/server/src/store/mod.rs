//! Storage: what must not be forgotten, in SQLite or PostgreSQL.
//!
//! One thread writes. Whatever waits is committed in one transaction and acknowledged after it, so many games share
//! the cost of making a commit durable. Another thread reads.

mod backup;
mod migrations;
mod postgres;
pub(crate) mod reads;
pub(crate) mod sql;
mod sqlite;
#[cfg(test)]
mod tests;
mod write;

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use tokio::sync::oneshot;

pub use backup::backup;
use sql::Database;
pub(crate) use write::{Finish, TableRow, Write};

/// What storage cannot do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The database refuses, or cannot be reached.
    #[error("database: {0}")]
    Database(String),
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
pub enum Place {
    /// Nowhere: gone with the program.
    Memory,
    /// A file of SQLite.
    File(PathBuf),
    /// A database of PostgreSQL.
    Url(String),
}

impl Place {
    fn open(&self) -> Result<Box<dyn Database>, StoreError> {
        Ok(match self {
            Place::Memory => Box::new(sqlite::Sqlite::in_memory()?),
            Place::File(path) => {
                make_folder(path)?;
                Box::new(sqlite::Sqlite::open(path)?)
            }
            Place::Url(url) => Box::new(postgres::Postgres::open(url)?),
        })
    }
}

fn make_folder(path: &Path) -> Result<(), StoreError> {
    let Some(folder) = path.parent() else { return Ok(()) };
    std::fs::create_dir_all(folder)
        .map_err(|error| StoreError::Folder { path: folder.into(), reason: error.to_string() })
}

/// What one of the threads is to do.
enum Order {
    Write(Vec<Write>, oneshot::Sender<Result<(), StoreError>>),
    Read(Reading),
}

type Reading = Box<dyn FnOnce(Result<&mut dyn Database, StoreError>) + Send>;

/// A handle that all parts of the server share.
#[derive(Clone)]
pub(crate) struct Store {
    writer: Sender<Order>,
    reader: Sender<Order>,
}

impl Store {
    /// Opens and migrates. Call it outside of asynchronous code: it waits for the database.
    pub(crate) fn open(place: &Place) -> Result<Store, StoreError> {
        let mut database = place.open()?;
        migrations::migrate(&mut *database)?;
        let writer = start(place.clone(), database);
        let reader = match place {
            Place::Memory => writer.clone(),
            _ => start(place.clone(), place.open()?),
        };
        Ok(Store { writer, reader })
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

    /// Whether both threads can still do their work.
    pub(crate) async fn check(&self) -> Result<(), StoreError> {
        self.write(Vec::new()).await?;
        self.read(|database| database.query("SELECT COUNT(*) FROM migrations", &[]).map(drop)).await
    }
}

fn start(place: Place, database: Box<dyn Database>) -> Sender<Order> {
    let (sender, orders) = channel();
    thread::spawn(move || Worker { place, database }.work(&orders));
    sender
}

/// The most transactions that are made one.
const GROUP: usize = 256;

struct Worker {
    place: Place,
    database: Box<dyn Database>,
}

type Waiting = (Vec<Write>, oneshot::Sender<Result<(), StoreError>>);

impl Worker {
    fn work(&mut self, orders: &Receiver<Order>) {
        let mut group = Vec::new();
        while let Ok(first) = orders.recv() {
            for order in std::iter::once(first).chain(orders.try_iter()).take(GROUP) {
                match order {
                    Order::Write(writes, reply) => group.push((writes, reply)),
                    Order::Read(read) => {
                        self.commit(&mut group);
                        match self.reopen() {
                            Ok(()) => read(Ok(&mut *self.database)),
                            Err(error) => read(Err(error)),
                        }
                    }
                }
            }
            self.commit(&mut group);
        }
    }

    /// Connects again if the connection has been lost.
    fn reopen(&mut self) -> Result<(), StoreError> {
        if self.database.is_lost() {
            self.database = self.place.open()?;
        }
        Ok(())
    }

    /// All in one transaction; if that fails, each in its own, so that one fault is only one's own.
    fn commit(&mut self, group: &mut Vec<Waiting>) {
        let all: Vec<&Write> = group.iter().flat_map(|(writes, _)| writes).collect();
        if group.len() > 1 && self.transaction(&all).is_ok() {
            group.drain(..).for_each(|(_, reply)| drop(reply.send(Ok(()))));
            return;
        }
        for (writes, reply) in group.drain(..) {
            let result = self.transaction(&writes.iter().collect::<Vec<_>>());
            drop(reply.send(result));
        }
    }

    fn transaction(&mut self, writes: &[&Write]) -> Result<(), StoreError> {
        self.reopen()?;
        let database = &mut *self.database;
        database.script("BEGIN")?;
        let done = writes.iter().try_for_each(|write| write.apply(database));
        let done = done.and_then(|()| database.script("COMMIT"));
        if done.is_err() {
            // A lost connection has rolled back by itself.
            let _ = database.script("ROLLBACK");
        }
        done
    }
}
