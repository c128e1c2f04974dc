//! The file of a book: one file of an embedded store whose transactions survive a kill at any moment.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use redb::{
    Database, DatabaseError, ReadOnlyDatabase, ReadOnlyTable, ReadTransaction, ReadableDatabase,
    ReadableTable, ReadableTableMetadata, StorageError, TableDefinition,
};
use trilith_games::Game;

use crate::draft::Draft;
use crate::error::BookError;
use crate::key::NodeKey;
use crate::node::Node;

pub(crate) const NODES: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("nodes");
/// Text of the position where games begin, by node.
pub(crate) const ROOTS: TableDefinition<'_, u64, &str> = TableDefinition::new("roots");
/// Games by number, from 1.
pub(crate) const GAMES: TableDefinition<'_, u64, &str> = TableDefinition::new("games");
/// Numbers of games by a hash of their positions: no game is remembered twice.
pub(crate) const KNOWN: TableDefinition<'_, u64, u64> = TableDefinition::new("known");
const HEAD: TableDefinition<'_, &str, &str> = TableDefinition::new("head");

const VERSION: &str = "1";
/// Pages kept in memory.
const CACHE_BYTES: usize = 256 << 20;

/// Whether a book is to be changed. Any number may read, or one may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookMode {
    /// Only asked.
    Read,
    /// Asked and changed.
    Write,
}

/// What a book says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The game's name.
    pub game: String,
    /// Its rules.
    pub rules: String,
    /// Whether a drawn game counts as lost, for whoever asks (S5, 5.3).
    pub draws_lose: bool,
    /// The number of the evaluation in use, from 1.
    pub evaluation: u32,
    /// Which search that evaluation is.
    pub judge: String,
}

/// How large a book is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookStatistics {
    /// Positions.
    pub nodes: u64,
    /// Games, each once.
    pub games: u64,
    /// Positions where games begin.
    pub roots: u64,
}

enum Store {
    Read(ReadOnlyDatabase),
    Write(Database),
}

/// An open book.
pub struct Book {
    path: PathBuf,
    store: Store,
    head: Head,
}

impl Book {
    /// Begins a book, or opens the one that is there, for writing. The one that is there keeps its own idea of draws.
    pub fn create<G: Game>(path: &Path, game: &G, draws_lose: bool) -> Result<Book, BookError> {
        if path.exists() {
            let book = Book::open(path, BookMode::Write)?;
            book.expect(game)?;
            return Ok(book);
        }
        let head = Head {
            game: G::NAME.into(),
            rules: game.rules().to_string(),
            draws_lose,
            evaluation: 1,
            judge: String::new(),
        };
        let store = Store::Write(open_to_write(path, true)?);
        let book = Book { path: path.into(), store, head };
        book.update(|_| Ok(()))?;
        Ok(book)
    }

    /// Opens a book. One that a killed program has left is repaired first.
    pub fn open(path: &Path, mode: BookMode) -> Result<Book, BookError> {
        whole(path, || Book::open_store(path, mode))
    }

    fn open_store(path: &Path, mode: BookMode) -> Result<Book, BookError> {
        let store = match mode {
            BookMode::Write => Store::Write(open_to_write(path, false)?),
            BookMode::Read => match ReadOnlyDatabase::open(path) {
                Ok(store) => Store::Read(store),
                Err(DatabaseError::RepairAborted) => {
                    drop(open_to_write(path, false)?);
                    Store::Read(ReadOnlyDatabase::open(path).map_err(|error| fault(path, error))?)
                }
                Err(error) => return Err(fault(path, error)),
            },
        };
        let mut book = Book { path: path.into(), store, head: Head::default() };
        book.head = book.read_head()?;
        Ok(book)
    }

    /// What it says about itself.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is of this game with these rules.
    pub fn expect<G: Game>(&self, game: &G) -> Result<(), BookError> {
        let is_same = self.head.game == G::NAME
            && self.head.rules.parse::<G::Rules>().is_ok_and(|rules| rules == *game.rules());
        let name = |game: &str, rules: &str| format!("{game} {rules}").trim_end().to_owned();
        match is_same {
            true => Ok(()),
            false => Err(BookError::Game {
                path: self.path.clone(),
                found: name(&self.head.game, &self.head.rules),
                expected: name(G::NAME, &game.rules().to_string()),
            }),
        }
    }

    /// Says that from now on alternatives are found by `judge`; those found by another count as old.
    pub fn judge_by(&mut self, judge: &str) -> Result<(), BookError> {
        if self.head.judge == judge {
            return Ok(());
        }
        self.renew_evaluation(judge)
    }

    /// Lets all alternatives count as old: they are used until new ones are found.
    pub fn renew_evaluation(&mut self, judge: &str) -> Result<(), BookError> {
        self.head.evaluation += u32::from(!self.head.judge.is_empty());
        self.head.judge = judge.into();
        self.update(|_| Ok(()))
    }

    /// What is in it now.
    pub fn reader(&self) -> Result<BookReader<'_>, BookError> {
        whole(&self.path, || {
            let transaction = self.begin()?;
            let nodes = transaction.open_table(NODES).map_err(|error| self.fault(error))?;
            Ok(BookReader { book: self, transaction, nodes })
        })
    }

    /// Changes it: all that `change` does is there afterwards, or nothing of it.
    pub fn update<T>(
        &self,
        change: impl FnOnce(&mut Draft<'_, '_>) -> Result<T, BookError>,
    ) -> Result<T, BookError> {
        let (mut change, mut changed) = (Some(change), None);
        self.transact(&mut |draft| {
            let change = change.take().expect("a transaction changes once");
            changed = Some(change(draft)?);
            Ok(())
        })?;
        Ok(changed.expect("a transaction that ends well has changed"))
    }

    /// [`Book::update`], compiled once, whatever is changed.
    fn transact(
        &self,
        change: &mut dyn FnMut(&mut Draft<'_, '_>) -> Result<(), BookError>,
    ) -> Result<(), BookError> {
        let Store::Write(store) = &self.store else {
            return Err(BookError::Busy { path: self.path.clone() });
        };
        let mut transaction = store.begin_write().map_err(|error| self.fault(error))?;
        transaction.set_quick_repair(true);
        {
            let mut head = transaction.open_table(HEAD).map_err(|error| self.fault(error))?;
            for (name, value) in self.head.fields() {
                head.insert(name, value.as_str()).map_err(|error| self.fault(error))?;
            }
            let mut draft = Draft::begin(self, &transaction)?;
            change(&mut draft)?;
            draft.flush()?;
        }
        transaction.commit().map_err(|error| self.fault(error))
    }

    fn begin(&self) -> Result<ReadTransaction, BookError> {
        match &self.store {
            Store::Read(store) => store.begin_read(),
            Store::Write(store) => store.begin_read(),
        }
        .map_err(|error| self.fault(error))
    }

    fn read_head(&self) -> Result<Head, BookError> {
        let table = self.begin()?.open_table(HEAD).map_err(|_| self.foreign("it is no book of Trilith's"))?;
        let field = |name: &str| {
            let value = table.get(name).map_err(|error| self.fault(error))?;
            let value = value.ok_or_else(|| self.foreign(&format!("it does not say its {name}")))?;
            Ok(value.value().to_owned())
        };
        if field("version")? != VERSION {
            return Err(self.foreign(&format!("version {} of books: expected {VERSION}", field("version")?)));
        }
        Ok(Head {
            game: field("game")?,
            rules: field("rules")?,
            draws_lose: field("draws")? == "lost",
            evaluation: field("evaluation")?.parse().map_err(|_| self.damaged("no number of evaluation"))?,
            judge: field("judge")?,
        })
    }

    pub(crate) fn fault(&self, error: impl Into<redb::Error>) -> BookError {
        fault(&self.path, error)
    }

    pub(crate) fn damaged(&self, fault: &str) -> BookError {
        BookError::Damaged { path: self.path.clone(), fault: fault.into() }
    }

    fn foreign(&self, fault: &str) -> BookError {
        BookError::Foreign { path: self.path.clone(), fault: fault.into() }
    }
}

impl Default for Head {
    fn default() -> Head {
        Head {
            game: String::new(),
            rules: String::new(),
            draws_lose: false,
            evaluation: 1,
            judge: String::new(),
        }
    }
}

impl Head {
    fn fields(&self) -> [(&'static str, String); 6] {
        let draws = if self.draws_lose { "lost" } else { "drawn" };
        [
            ("version", VERSION.into()),
            ("game", self.game.clone()),
            ("rules", self.rules.clone()),
            ("draws", draws.into()),
            ("evaluation", self.evaluation.to_string()),
            ("judge", self.judge.clone()),
        ]
    }
}

/// What `read` says. The store trusts its pages where it reads them, and panics at some that nobody can have written: then
/// the book is damaged.
fn whole<T>(path: &Path, read: impl FnOnce() -> Result<T, BookError>) -> Result<T, BookError> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
        Err(BookError::Damaged {
            path: path.into(),
            fault: "a page of its store is none; restore it from a copy".into(),
        })
    })
}

fn open_to_write(path: &Path, is_new: bool) -> Result<Database, BookError> {
    let mut builder = Database::builder();
    builder.set_cache_size(CACHE_BYTES);
    let opened = if is_new { builder.create(path) } else { builder.open(path) };
    opened.map_err(|error| fault(path, error))
}

fn fault(path: &Path, error: impl Into<redb::Error>) -> BookError {
    let path = path.to_owned();
    match error.into() {
        redb::Error::DatabaseAlreadyOpen => BookError::Busy { path },
        redb::Error::Io(source) if source.kind() == std::io::ErrorKind::InvalidData => {
            BookError::Foreign { path, fault: "it is no book of Trilith's".into() }
        }
        redb::Error::Io(source) if source.kind() == std::io::ErrorKind::UnexpectedEof => BookError::Damaged {
            path,
            fault: "a page of its store lies beyond its end; restore it from a copy".into(),
        },
        redb::Error::Io(source) => BookError::File { path, source },
        redb::Error::UpgradeRequired(_) => BookError::Foreign { path, fault: "its store is too old".into() },
        error => BookError::Damaged { path, fault: error.to_string() },
    }
}

/// A book as it is at one moment, whatever is changed meanwhile.
pub struct BookReader<'a> {
    book: &'a Book,
    transaction: ReadTransaction,
    nodes: ReadOnlyTable<u64, &'static [u8]>,
}

impl BookReader<'_> {
    /// The book.
    pub fn book(&self) -> &Book {
        self.book
    }

    /// The node of this name; costs microseconds.
    pub fn node(&self, key: NodeKey) -> Result<Option<Node>, BookError> {
        whole(&self.book.path, || {
            let found = self.nodes.get(key).map_err(|error| self.book.fault(error))?;
            match found {
                None => Ok(None),
                Some(bytes) => Node::read(bytes.value())
                    .map(Some)
                    .ok_or_else(|| self.book.damaged(&format!("node {key:016x} cannot be read"))),
            }
        })
    }

    /// How large it is.
    pub fn statistics(&self) -> Result<BookStatistics, BookError> {
        whole(&self.book.path, || {
            let nodes = self.count(self.nodes.len())?;
            let games = self.transaction.open_table(GAMES).map_err(|error| self.book.fault(error))?;
            let roots = self.transaction.open_table(ROOTS).map_err(|error| self.book.fault(error))?;
            Ok(BookStatistics { nodes, games: self.count(games.len())?, roots: self.count(roots.len())? })
        })
    }

    fn count(&self, length: Result<u64, StorageError>) -> Result<u64, BookError> {
        length.map_err(|error| self.book.fault(error))
    }

    /// Where games begin: node and text of the position.
    pub fn roots(&self) -> Result<Vec<(NodeKey, String)>, BookError> {
        self.rows(ROOTS)
    }

    /// All games as they are kept, by number.
    pub(crate) fn games(&self) -> Result<Vec<(u64, String)>, BookError> {
        self.rows(GAMES)
    }

    fn rows(&self, table: TableDefinition<'_, u64, &str>) -> Result<Vec<(u64, String)>, BookError> {
        whole(&self.book.path, || {
            let table = self.transaction.open_table(table).map_err(|error| self.book.fault(error))?;
            let rows = table.iter().map_err(|error| self.book.fault(error))?;
            rows.map(|row| {
                let (key, text) = row.map_err(|error| self.book.fault(error))?;
                Ok((key.value(), text.value().to_owned()))
            })
            .collect()
        })
    }
}
