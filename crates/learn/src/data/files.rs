//! Files of games and positions as commands use them: read whatever their age, gone on with where they ended.

use std::fmt;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use trilith_base::files::rename_whole;
use trilith_games::Game;

use super::blocks::{self, BlockLayout, check_settings};
use super::error::DataError;
use super::game::{GameColumns, PlayedGame};
use super::positions;
use crate::training::Training;

/// What a person should hear while data is made or read.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// A file that is taken as finished was cut off.
    CutOff {
        /// Which file.
        path: PathBuf,
        /// Bytes that are left out.
        bytes: u64,
    },
    /// A file from before settings were kept is gone on with.
    Unknown {
        /// Which file.
        path: PathBuf,
    },
    /// How far the work is.
    Progress(String),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::CutOff { path, bytes } => write!(
                f,
                "warning: {}: its last block is cut off, {bytes} bytes are left out; \
                 the command that wrote it mends it if it is run again",
                path.display()
            ),
            Note::Unknown { path } => write!(
                f,
                "warning: {}: it does not say with which options it was begun; going on with these",
                path.display()
            ),
            Note::Progress(text) => f.write_str(text),
        }
    }
}

/// Hears notes.
pub type Notes<'a> = &'a mut dyn FnMut(Note);

/// The games of a file of a kind that is not written any more, and the settings that they come from.
pub type OldGames = (Vec<PlayedGame>, Vec<String>);

/// A file of games, whatever its age.
pub struct GamesReader<G, C> {
    path: PathBuf,
    source: Source,
    game: PhantomData<fn() -> (G, C)>,
}

enum Source {
    Blocks(blocks::BlockReader<GameColumns>),
    Old(OldGames),
}

impl<G: Game, C: Training<G>> GamesReader<G, C> {
    /// Opens a file of games.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        let source = match blocks::BlockReader::open(path, G::NAME) {
            Ok(reader) => Source::Blocks(reader),
            Err(refused @ blocks::BlockError::Foreign { .. }) => {
                let bytes = std::fs::read(path).map_err(|source| DataError::file(path, source))?;
                match C::parse_old_games(&bytes, &path.display().to_string()) {
                    Some(games) => Source::Old(games?),
                    None => return Err(refused.into()),
                }
            }
            Err(error) => return Err(error.into()),
        };
        Ok(GamesReader { path: path.to_owned(), source, game: PhantomData })
    }

    /// The settings that the games come from; none in a file that does not say.
    pub fn settings(&self) -> &[String] {
        match &self.source {
            Source::Blocks(reader) => reader.settings(),
            Source::Old((_, settings)) => settings,
        }
    }

    /// The games of the next block; none at the end, or where the rest of the file is cut off, which is noted.
    pub fn next_block(&mut self, notes: Notes) -> Result<Option<Vec<PlayedGame>>, DataError> {
        match &mut self.source {
            Source::Blocks(reader) => next_block(reader, &self.path, notes),
            Source::Old((games, _)) => Ok(Some(std::mem::take(games)).filter(|games| !games.is_empty())),
        }
    }

    fn is_current(&self) -> bool {
        matches!(&self.source, Source::Blocks(reader) if reader.is_current())
    }
}

/// The next block of a file that is taken as finished: if its end is cut off, this is noted.
pub fn next_block<L: BlockLayout>(
    reader: &mut blocks::BlockReader<L>,
    path: &Path,
    notes: Notes,
) -> Result<Option<Vec<L::Row>>, DataError> {
    let block = reader.next_block()?;
    if block.is_none() && reader.cut_off()? > 0 {
        notes(Note::CutOff { path: path.to_owned(), bytes: reader.cut_off()? });
    }
    Ok(block)
}

/// The games of all these files, one after the other.
pub fn load_games<G: Game, C: Training<G>>(
    paths: &[PathBuf],
    notes: Notes,
) -> Result<Vec<PlayedGame>, DataError> {
    let mut games = Vec::new();
    for path in paths {
        let mut reader = GamesReader::<G, C>::open(path)?;
        while let Some(block) = reader.next_block(notes)? {
            games.extend(block);
        }
    }
    Ok(games)
}

/// Writes a file of games from nothing, whole or not at all.
pub fn save_games<G: Game>(path: &Path, games: &[PlayedGame]) -> Result<(), DataError> {
    let blocks = games.chunks(GAMES_PER_BLOCK).map(<[PlayedGame]>::to_vec);
    rewrite::<GameColumns>(path, G::NAME, &[], blocks.map(Ok))
}

/// Writes a file again from its blocks, whole or not at all.
fn rewrite<L: BlockLayout>(
    path: &Path,
    game: &str,
    settings: &[String],
    blocks: impl Iterator<Item = Result<Vec<L::Row>, DataError>>,
) -> Result<(), DataError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".new-{}", std::process::id()));
    let beside = path.with_file_name(name);
    let refuse = |source| DataError::file(path, source);
    let write = || {
        let mut writer = blocks::BlockWriter::<L>::open_with(&beside, game, settings)?;
        for block in blocks {
            writer.push(&block?)?;
        }
        Ok(())
    };
    match write() {
        Ok(()) => rename_whole(&beside, path).map_err(refuse),
        Err(error) => {
            // What is left beside the file does no harm.
            let _ = std::fs::remove_file(&beside);
            Err(error)
        }
    }
}

/// Games in a block of a file.
const GAMES_PER_BLOCK: usize = 512;
/// A block that is not full yet is written after so long, so that little is lost if the program is killed.
const CHECKPOINT: Duration = Duration::from_secs(30);

/// A file of games that grows. Its blocks but the last are full, whatever interruptions there were.
pub struct GamesWriter {
    writer: blocks::BlockWriter<GameColumns>,
    /// Of the block that is not full yet.
    open: Vec<PlayedGame>,
    /// When games were last written.
    saved: Instant,
    is_saved: bool,
}

impl GamesWriter {
    /// Makes a file, or goes on with one that was begun with the same settings or does not say with which. One of an old
    /// version is written anew in the present one.
    pub fn open<G: Game, C: Training<G>>(
        path: &Path,
        settings: &[String],
        notes: Notes,
    ) -> Result<GamesWriter, DataError> {
        let mut settings = settings;
        if path.exists() {
            let mut reader = GamesReader::<G, C>::open(path)?;
            let then = reader.settings().to_vec();
            let is_current = reader.is_current();
            let first = reader.next_block(&mut |_| ())?;
            if then.is_empty() && first.is_some() {
                notes(Note::Unknown { path: path.to_owned() });
                settings = &[];
            }
            if !is_current {
                if first.is_some() {
                    check_settings(path, &then, settings)?;
                }
                let more = std::iter::from_fn(|| reader.next_block(&mut |_| ()).transpose());
                let blocks = first.into_iter().map(Ok).chain(more);
                rewrite::<GameColumns>(path, G::NAME, settings, in_blocks(blocks))?;
            }
        }
        let mut writer = blocks::BlockWriter::open_with(path, G::NAME, settings)?;
        let open = writer.take_short(GAMES_PER_BLOCK);
        Ok(GamesWriter { writer, open, saved: Instant::now(), is_saved: true })
    }

    /// Games in the file, and those about to be written.
    pub fn count(&self) -> u64 {
        self.writer.count() + self.open.len() as u64
    }

    /// Adds games, and says whether some were written.
    pub fn add(&mut self, more: Vec<PlayedGame>) -> Result<bool, DataError> {
        self.is_saved &= more.is_empty();
        self.open.extend(more);
        let mut written = false;
        while self.open.len() >= GAMES_PER_BLOCK {
            let rest = self.open.split_off(GAMES_PER_BLOCK);
            self.writer.push(&self.open)?;
            self.open = rest;
            (self.saved, written) = (Instant::now(), true);
        }
        if self.saved.elapsed() >= CHECKPOINT {
            self.save()?;
            written = true;
        }
        Ok(written)
    }

    /// Writes what is not in the file yet.
    pub fn save(&mut self) -> Result<(), DataError> {
        if !self.open.is_empty() && !self.is_saved {
            self.writer.push_short(&self.open)?;
        }
        (self.saved, self.is_saved) = (Instant::now(), true);
        Ok(())
    }
}

/// The games of blocks of any length in full ones.
fn in_blocks(
    blocks: impl Iterator<Item = Result<Vec<PlayedGame>, DataError>>,
) -> impl Iterator<Item = Result<Vec<PlayedGame>, DataError>> {
    let mut blocks = blocks.fuse();
    let mut open = Vec::new();
    std::iter::from_fn(move || {
        while open.len() < GAMES_PER_BLOCK {
            match blocks.next() {
                Some(Ok(more)) => open.extend(more),
                Some(Err(error)) => return Some(Err(error)),
                None if open.is_empty() => return None,
                None => return Some(Ok(std::mem::take(&mut open))),
            }
        }
        let rest = open.split_off(GAMES_PER_BLOCK);
        Some(Ok(std::mem::replace(&mut open, rest)))
    })
}

/// Makes a file of positions, or goes on with one that was begun with the same settings or does not say with which.
pub fn open_positions<G: Game, C: Training<G>>(
    path: &Path,
    settings: &[String],
    notes: Notes,
) -> Result<positions::PositionWriter<G, C>, DataError> {
    let mut settings = settings;
    if path.exists() {
        let mut reader = positions::PositionReader::<G, C>::open(path, G::NAME)?;
        if reader.settings().is_empty() && reader.next_block()?.is_some() {
            notes(Note::Unknown { path: path.to_owned() });
            settings = &[];
        }
    }
    open_blocks(path, G::NAME, settings)
}

/// Makes a file, or goes on with one that was begun with the same settings. One of an old version is written anew in the
/// present one, block by block.
pub fn open_blocks<L: BlockLayout>(
    path: &Path,
    game: &str,
    settings: &[String],
) -> Result<blocks::BlockWriter<L>, DataError> {
    if path.exists() {
        let mut reader = blocks::BlockReader::<L>::open(path, game)?;
        if !reader.is_current() {
            let first = reader.next_block()?;
            if first.is_some() {
                check_settings(path, reader.settings(), settings)?;
            }
            let more = std::iter::from_fn(|| reader.next_block().transpose());
            let blocks = first.into_iter().map(Ok).chain(more).map(|block| block.map_err(DataError::from));
            rewrite::<L>(path, game, settings, blocks)?;
        }
    }
    Ok(blocks::BlockWriter::open_with(path, game, settings)?)
}
