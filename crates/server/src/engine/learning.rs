//! The learning opponent: plays from the server's own book of its game and rules, and adds every game it has ended; or is a
//! network that was made to learn from games, and does.
//!
//! A book has one writer or many readers, so it is opened for a moment only, under a lock of the whole program.

use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use trilith_arena::GameKit;
use trilith_arena::PlayerSpec;
use trilith_arena::player::{self, Player};
use trilith_base::{Artifact, Seed};
use trilith_book::{Book, BookMode, BookReading};
use trilith_games::{Colour, Game, Record};
use trilith_learn::teaching::{self, PupilRates};
use trilith_search::Limits;

static BOOKS: RwLock<()> = RwLock::new(());

/// Positions looked at for each better move sought after a game.
const NODES: &str = "20000";

/// Where the book of a game with these rules lies under `data`.
pub(crate) fn book_path(data: &Path, game: &str, rules: &str) -> PathBuf {
    let name = blake3::hash(rules.as_bytes()).to_hex();
    data.join("books").join(format!("{game}-{}.book", &name[..16]))
}

/// What the book plays; nothing if it is silent, not there yet or cannot be read: then the player thinks for itself.
pub(super) fn advice<G: Game>(path: &Path, record: &Record<G>) -> Option<G::Move> {
    look(path, record)?.advice.map(|advice| advice.mv)
}

/// All that the book says about a position, if it knows it.
pub(crate) fn look<G: Game>(path: &Path, record: &Record<G>) -> Option<BookReading<G::Move>> {
    let _guard = BOOKS.read().unwrap_or_else(PoisonError::into_inner);
    if !path.exists() {
        return None;
    }
    let book = Book::open(path, BookMode::Read).ok()?;
    book.expect(record.game()).ok()?;
    book.reader().and_then(|reader| reader.look(record)).ok()?
}

/// The file of the network that `spec` plays with, if it is one that learns from games.
pub(super) fn pupil(spec: &PlayerSpec) -> Option<PathBuf> {
    let path = PathBuf::from(spec.get("file")?);
    let file = Artifact::load(&path).ok()?;
    PupilRates::of(&file).map(|_| path)
}

/// Teaches it a game.
pub(super) fn teach<G: Game, C: GameKit<G>>(
    path: &Path,
    record: &Record<G>,
    winner: Option<Colour>,
) -> Result<(), String> {
    let _guard = BOOKS.write().unwrap_or_else(PoisonError::into_inner);
    teaching::teach_game::<G, C>(path, record, winner).map(drop)
}

/// Adds a game as the arena's `book` player does after each of its own.
pub(super) fn learn<G: Game, C: GameKit<G>>(
    path: &Path,
    spec: &PlayerSpec,
    record: &Record<G>,
    winner: Option<Colour>,
) -> Result<(), String> {
    let _guard = BOOKS.write().unwrap_or_else(PoisonError::into_inner);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let mut options = vec![
        ("file".to_owned(), path.to_string_lossy().into_owned()),
        ("learn".into(), "on".into()),
        ("nodes".into(), NODES.into()),
        ("then".into(), "random".into()),
    ];
    let has_file = spec.get("file").is_some();
    options.extend(spec.get("eval").filter(|_| !has_file).map(|eval| ("eval".into(), eval.into())));
    let spec = PlayerSpec { name: "book".into(), options };
    let mut learner: Box<dyn Player<G>> =
        player::player::<G, C>(&spec, Seed(1)).map_err(|error| error.to_string())?;
    learner.prepare(record, &Limits::default()).map_err(|fault| fault.to_string())?;
    learner.finish(record, winner);
    Ok(())
}
