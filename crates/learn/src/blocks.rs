//! Files that grow by blocks of rows, kept in columns and compressed, so that they can be read and written as a stream.
//!
//! After a frame with a line that names content, version and game come the blocks, each one zstd frame a column. Frames
//! follow each other without gaps, so any zstd tool unpacks the whole file. A block that a crash cut off is noticed, left
//! out, and written over by who goes on with the file. The first frame may have more lines, the settings that the rows
//! come from: who goes on with the file must have the same, unless there are no blocks yet.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use trilith_base::files;

/// What stands in such files.
pub trait Row: Sized {
    /// How a file is refused.
    type Error: From<BlockError>;
    /// What rows are called in the first line, such as `games`.
    const CONTENT: &'static str;
    /// Of the columns; another is refused.
    const VERSION: u32;
    /// Columns of a block.
    const COLUMNS: usize;
    /// How hard zstd tries.
    const LEVEL: i32;

    /// The [`Row::COLUMNS`] columns of a block.
    fn split(rows: &[Self]) -> Vec<Vec<u8>>;
    /// The rows of [`Row::COLUMNS`] columns, or what is wrong with them.
    fn join(columns: &[Vec<u8>]) -> Result<Vec<Self>, String>;
}

/// Why a file is refused.
#[derive(Debug, thiserror::Error)]
pub enum BlockError {
    /// It cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// Which file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// It is something else.
    #[error("{path}: not a file of {content}: its text should begin with `{expected}`")]
    Foreign {
        /// Which file.
        path: String,
        /// The game and the rows that were asked for.
        content: String,
        /// The first line.
        expected: String,
    },
    /// A block cannot be read.
    #[error("{path}: block {block}: {fault}")]
    Damaged {
        /// Which file.
        path: String,
        /// From 1.
        block: u64,
        /// What is wrong.
        fault: String,
    },
    /// It cannot be gone on with in this way.
    #[error("{path}: begun with {then}, now with {now}: go on with the same, or write another file")]
    Begun {
        /// Which file.
        path: String,
        /// The first setting that differs, as the file has it.
        then: String,
        /// As it was asked for.
        now: String,
    },
}

impl BlockError {
    fn file(path: &Path, source: io::Error) -> BlockError {
        BlockError::File { path: path.display().to_string(), source }
    }
}

fn first_line<R: Row>(game: &str) -> String {
    format!("trilith {} {} {game}\n", R::CONTENT, R::VERSION)
}

/// Refuses to go on with the file `path` unless the settings are those it was begun with.
pub fn check_settings(path: &Path, then: &[String], now: &[String]) -> Result<(), BlockError> {
    let say = |setting: Option<&String>| setting.map_or("another command".into(), |text| format!("`{text}`"));
    match (0..then.len().max(now.len())).find(|&at| then.get(at) != now.get(at)) {
        None => Ok(()),
        Some(at) => Err(BlockError::Begun {
            path: path.display().to_string(),
            then: say(then.get(at)),
            now: say(now.get(at)),
        }),
    }
}

/// Bytes of one column of a block, unpacked: far more than any has, and little enough for a hostile file.
const LARGEST: u64 = 64 << 20;

/// A file that is read block by block.
pub struct Reader<R> {
    path: PathBuf,
    input: BufReader<File>,
    settings: Vec<String>,
    /// Where the last whole block ends.
    end: u64,
    block: u64,
    rows: PhantomData<fn() -> R>,
}

impl<R: Row> Reader<R> {
    /// Opens a file with rows of `game`.
    pub fn open(path: &Path, game: &str) -> Result<Reader<R>, R::Error> {
        let file = File::open(path).map_err(|source| BlockError::file(path, source))?;
        let input = BufReader::new(file);
        let (path, settings) = (path.to_owned(), Vec::new());
        let mut reader = Reader { path, input, settings, end: 0, block: 0, rows: PhantomData };
        let head = reader.frame().ok().flatten().and_then(|bytes| String::from_utf8(bytes).ok());
        match head.as_ref().and_then(|text| text.strip_prefix(&first_line::<R>(game))) {
            Some(settings) => {
                reader.settings = settings.lines().map(str::to_owned).collect();
                reader.end = reader.place()?;
                Ok(reader)
            }
            None => Err(BlockError::Foreign {
                path: reader.path.display().to_string(),
                content: format!("{game} {}", R::CONTENT),
                expected: first_line::<R>(game).trim().into(),
            }
            .into()),
        }
    }

    /// The settings that the rows come from; none in a file that does not say.
    pub fn settings(&self) -> &[String] {
        &self.settings
    }

    /// The rows of the next block; none at the end, or where the rest of the file is cut off.
    pub fn next_block(&mut self) -> Result<Option<Vec<R>>, R::Error> {
        self.block += 1;
        let mut columns = Vec::with_capacity(R::COLUMNS);
        for _ in 0..R::COLUMNS {
            match self.frame() {
                Ok(Some(bytes)) => columns.push(bytes),
                Ok(None) => return Ok(None),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
                Err(error) => return Err(self.damaged(error.to_string())),
            }
        }
        let rows = R::join(&columns).map_err(|fault| self.damaged(fault))?;
        self.end = self.place()?;
        Ok(Some(rows))
    }

    /// Bytes of a block that was cut off, if no more blocks have come.
    pub fn cut_off(&self) -> Result<u64, R::Error> {
        let length =
            self.input.get_ref().metadata().map_err(|source| BlockError::file(&self.path, source))?;
        Ok(length.len().saturating_sub(self.end))
    }

    fn frame(&mut self) -> io::Result<Option<Vec<u8>>> {
        if self.input.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        let frame = zstd::Decoder::with_buffer(&mut self.input)?.single_frame();
        frame.take(LARGEST + 1).read_to_end(&mut bytes)?;
        match bytes.len() as u64 > LARGEST {
            true => Err(io::Error::new(io::ErrorKind::InvalidData, "a column is larger than any block has")),
            false => Ok(Some(bytes)),
        }
    }

    fn place(&mut self) -> Result<u64, BlockError> {
        self.input.stream_position().map_err(|source| BlockError::file(&self.path, source))
    }

    fn damaged(&self, fault: String) -> R::Error {
        BlockError::Damaged { path: self.path.display().to_string(), block: self.block, fault }.into()
    }
}

/// A file that grows by blocks.
pub struct Writer<R> {
    path: PathBuf,
    file: File,
    blocks: u64,
    count: u64,
    rows: PhantomData<fn(R)>,
}

impl<R: Row> Writer<R> {
    /// Makes a file with rows of `game`, or opens one to go on with after its last whole block.
    pub fn open(path: &Path, game: &str) -> Result<Writer<R>, R::Error> {
        Writer::open_with(path, game, &[])
    }

    /// The same with settings, each one line, that a file which has blocks must have been begun with.
    pub fn open_with(path: &Path, game: &str, settings: &[String]) -> Result<Writer<R>, R::Error> {
        let refuse = |source| BlockError::file(path, source);
        let begin = || {
            let lines: String = settings.iter().map(|line| format!("{line}\n")).collect();
            let head = zstd::encode_all((first_line::<R>(game) + &lines).as_bytes(), R::LEVEL);
            head.and_then(|head| files::write_whole(path, &head)).map_err(refuse)
        };
        if !path.exists() {
            begin()?;
        }
        let mut reader = Reader::<R>::open(path, game)?;
        if let Err(other) = check_settings(path, &reader.settings, settings) {
            // Without rows nothing is mixed: what a command that failed early was told binds nobody.
            if reader.next_block()?.is_some() {
                return Err(other.into());
            }
            begin()?;
            reader = Reader::<R>::open(path, game)?;
        }
        let (mut blocks, mut count) = (0, 0);
        while let Some(block) = reader.next_block()? {
            blocks += 1;
            count += block.len() as u64;
        }
        let mut file = OpenOptions::new().write(true).open(path).map_err(refuse)?;
        file.set_len(reader.end).map_err(refuse)?;
        file.seek(SeekFrom::End(0)).map_err(refuse)?;
        Ok(Writer { path: path.to_owned(), file, blocks, count, rows: PhantomData })
    }

    /// Blocks in the file.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// Rows in the file.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Adds a block; it is on disk when this returns.
    pub fn push(&mut self, rows: &[R]) -> Result<(), R::Error> {
        let mut write = || {
            let columns = R::split(rows);
            let frames = columns.iter().map(|column| zstd::encode_all(&column[..], R::LEVEL));
            self.file.write_all(&frames.collect::<io::Result<Vec<_>>>()?.concat())?;
            self.file.sync_data()
        };
        write().map_err(|source| BlockError::file(&self.path, source))?;
        self.blocks += 1;
        self.count += rows.len() as u64;
        Ok(())
    }
}

/// Whether a file of two blocks of `game` comes back, and goes on after the first wherever the second was cut off.
#[cfg(test)]
pub fn check_growth<R: Row<Error: std::fmt::Debug> + PartialEq + std::fmt::Debug>(
    path: &Path,
    game: &str,
    [first, second]: [&[R]; 2],
) {
    let all = || {
        let mut reader = Reader::<R>::open(path, game).unwrap();
        let rows: Vec<R> = std::iter::from_fn(|| reader.next_block().unwrap()).flatten().collect();
        (rows, reader.cut_off().unwrap())
    };
    let _ = std::fs::remove_file(path);
    let mut writer = Writer::open(path, game).unwrap();
    assert_eq!((writer.blocks(), writer.count()), (0, 0));
    writer.push(first).unwrap();
    let whole = std::fs::metadata(path).unwrap().len();
    writer.push(second).unwrap();
    let (rows, cut_off) = all();
    assert!(rows.iter().eq(first.iter().chain(second)) && cut_off == 0, "{rows:?}");
    let bytes = std::fs::read(path).unwrap();
    for cut in whole..bytes.len() as u64 {
        std::fs::write(path, &bytes[..cut as usize]).unwrap();
        let (rows, cut_off) = all();
        assert_eq!((&rows[..], cut_off), (first, cut - whole), "cut at {cut}");
        let mut writer = Writer::open(path, game).unwrap();
        assert_eq!((writer.blocks(), writer.count()), (1, first.len() as u64));
        writer.push(second).unwrap();
        assert_eq!((writer.blocks(), writer.count()), (2, (first.len() + second.len()) as u64));
        assert_eq!(std::fs::read(path).unwrap(), bytes);
    }
}
