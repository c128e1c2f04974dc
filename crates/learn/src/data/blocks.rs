//! Files that grow by blocks of rows, kept in columns and compressed, so that they can be read and written as a stream.
//!
//! After a frame with a line that names content, version and game come the blocks, each one zstd frame a column. Frames
//! follow each other without gaps, so any zstd tool unpacks the whole file. A block that a crash cut off is noticed, left
//! out, and written over by the command that goes on with the file. The first frame may have more lines: the settings that
//! the rows come from. A command that goes on must have the same, unless there are no blocks yet.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use trilith_base::files;

/// How rows of one kind stand in columns.
pub trait BlockLayout {
    /// What a block has many of.
    type Row;
    /// What rows are called in the first line, such as `games`.
    const CONTENT: &'static str;
    /// The version that is written.
    const VERSION: u32;
    /// How hard zstd tries.
    const LEVEL: i32;

    /// How many columns a block of this version has; none if the version cannot be read.
    fn columns(version: u32) -> Option<usize>;
    /// The columns of a block of the version that is written.
    fn split(rows: &[Self::Row]) -> Vec<Vec<u8>>;
    /// The rows of the columns of a block, or what is wrong with them.
    fn join(version: u32, columns: &[Vec<u8>]) -> Result<Vec<Self::Row>, String>;
}

/// A column that unpacks to more bytes is refused: the longest games of a block are a few mebibytes.
const MOST_BYTES: u64 = 64 << 20;

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

fn first_line<L: BlockLayout>(game: &str) -> String {
    format!("trilith {} {} {game}", L::CONTENT, L::VERSION)
}

/// The version and the settings in the text of a first frame; none if it is something else.
fn parse_head<L: BlockLayout>(text: &str, game: &str) -> Option<(u32, Vec<String>)> {
    let mut lines = text.lines();
    let words: Vec<&str> = lines.next()?.split(' ').collect();
    let [program, content, version, of] = words[..] else { return None };
    let version = version.parse().ok().filter(|&version| L::columns(version).is_some())?;
    let is_one = program == "trilith" && content == L::CONTENT && of == game;
    is_one.then(|| (version, lines.map(str::to_owned).collect()))
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

/// A file that is read block by block.
pub struct BlockReader<L> {
    path: PathBuf,
    input: BufReader<File>,
    version: u32,
    settings: Vec<String>,
    /// Where the last whole block ends.
    end: u64,
    block: u64,
    layout: PhantomData<fn() -> L>,
}

impl<L: BlockLayout> BlockReader<L> {
    /// Opens a file with rows of `game`.
    pub fn open(path: &Path, game: &str) -> Result<BlockReader<L>, BlockError> {
        let file = File::open(path).map_err(|source| BlockError::file(path, source))?;
        let input = BufReader::new(file);
        let (path, settings) = (path.to_owned(), Vec::new());
        let mut reader =
            BlockReader { path, input, version: 0, settings, end: 0, block: 0, layout: PhantomData };
        let head = reader.frame().ok().flatten().and_then(|bytes| String::from_utf8(bytes).ok());
        match head.and_then(|text| parse_head::<L>(&text, game)) {
            Some((version, settings)) => {
                (reader.version, reader.settings) = (version, settings);
                reader.end = reader.place()?;
                Ok(reader)
            }
            None => Err(BlockError::Foreign {
                path: reader.path.display().to_string(),
                content: format!("{game} {}", L::CONTENT),
                expected: first_line::<L>(game),
            }),
        }
    }

    /// The settings that the rows come from; none in a file that does not say.
    pub fn settings(&self) -> &[String] {
        &self.settings
    }

    /// Whether the file is of the version that is written now.
    pub fn is_current(&self) -> bool {
        self.version == L::VERSION
    }

    /// The rows of the next block; none at the end, or where the rest of the file is cut off.
    pub fn next_block(&mut self) -> Result<Option<Vec<L::Row>>, BlockError> {
        self.block += 1;
        let count = L::columns(self.version).unwrap_or_default();
        let mut columns = Vec::with_capacity(count);
        for _ in 0..count {
            match self.frame() {
                Ok(Some(bytes)) => columns.push(bytes),
                Ok(None) => return Ok(None),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
                Err(error) => return Err(self.damaged(error.to_string())),
            }
        }
        let rows = L::join(self.version, &columns).map_err(|fault| self.damaged(fault))?;
        self.end = self.place()?;
        Ok(Some(rows))
    }

    /// Bytes of a block that was cut off, if no more blocks have come.
    pub fn cut_off(&self) -> Result<u64, BlockError> {
        let length =
            self.input.get_ref().metadata().map_err(|source| BlockError::file(&self.path, source))?;
        Ok(length.len().saturating_sub(self.end))
    }

    fn frame(&mut self) -> io::Result<Option<Vec<u8>>> {
        if self.input.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        let decoder = zstd::Decoder::with_buffer(&mut self.input)?.single_frame();
        decoder.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
        match bytes.len() as u64 > MOST_BYTES {
            true => Err(io::Error::other(format!("a column of more than {MOST_BYTES} bytes"))),
            false => Ok(Some(bytes)),
        }
    }

    fn place(&mut self) -> Result<u64, BlockError> {
        self.input.stream_position().map_err(|source| BlockError::file(&self.path, source))
    }

    fn damaged(&self, fault: String) -> BlockError {
        BlockError::Damaged { path: self.path.display().to_string(), block: self.block, fault }
    }
}

/// A file that grows by blocks.
pub struct BlockWriter<L: BlockLayout> {
    path: PathBuf,
    file: File,
    blocks: u64,
    count: u64,
    /// Where the next block is written.
    end: u64,
    /// The rows of the last block, and where it begins.
    last: Option<(u64, Vec<L::Row>)>,
}

impl<L: BlockLayout> BlockWriter<L> {
    /// Makes a file with rows of `game`, or opens one to go on with after its last whole block.
    pub fn open(path: &Path, game: &str) -> Result<BlockWriter<L>, BlockError> {
        BlockWriter::open_with(path, game, &[])
    }

    /// The same with settings, each one line, that a file which has blocks must have been begun with. Trusts that a file
    /// that is there is of the version that is written now.
    pub fn open_with(path: &Path, game: &str, settings: &[String]) -> Result<BlockWriter<L>, BlockError> {
        let refuse = |source| BlockError::file(path, source);
        let begin = || {
            let head: String = std::iter::once(&first_line::<L>(game))
                .chain(settings)
                .map(|line| format!("{line}\n"))
                .collect();
            let head = zstd::encode_all(head.as_bytes(), L::LEVEL);
            head.and_then(|head| files::write_whole(path, &head)).map_err(refuse)
        };
        if !path.exists() {
            begin()?;
        }
        let mut reader = BlockReader::<L>::open(path, game)?;
        if let Err(other) = check_settings(path, &reader.settings, settings) {
            // Without rows nothing is mixed: what a command that failed early was told binds nobody.
            if reader.next_block()?.is_some() {
                return Err(other);
            }
            begin()?;
            reader = BlockReader::<L>::open(path, game)?;
        }
        let (mut blocks, mut count, mut last) = (0, 0, None);
        let mut start = reader.end;
        while let Some(block) = reader.next_block()? {
            blocks += 1;
            count += block.len() as u64;
            last = Some((start, block));
            start = reader.end;
        }
        let file = OpenOptions::new().write(true).open(path).map_err(refuse)?;
        file.set_len(reader.end).map_err(refuse)?;
        Ok(BlockWriter { path: path.to_owned(), file, blocks, count, end: reader.end, last })
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
    pub fn push(&mut self, rows: &[L::Row]) -> Result<(), BlockError> {
        let (begin, mut end) = (self.end, self.end);
        let mut write = || {
            let columns = L::split(rows);
            let frames = columns.iter().map(|column| zstd::encode_all(&column[..], L::LEVEL));
            let bytes = frames.collect::<io::Result<Vec<_>>>()?.concat();
            end += bytes.len() as u64;
            self.file.seek(SeekFrom::Start(begin))?;
            self.file.write_all(&bytes)?;
            self.file.set_len(end)?;
            self.file.sync_data()
        };
        write().map_err(|source| BlockError::file(&self.path, source))?;
        self.blocks += 1;
        self.count += rows.len() as u64;
        (self.end, self.last) = (end, None);
        Ok(())
    }

    /// The last block of a file that was opened, if it has fewer rows than `least`: the next block is written over it.
    /// Until then the file keeps it.
    pub fn take_short(&mut self, least: usize) -> Vec<L::Row> {
        match self.last.take() {
            Some((start, rows)) if rows.len() < least => {
                self.blocks -= 1;
                self.count -= rows.len() as u64;
                self.end = start;
                rows
            }
            _ => Vec::new(),
        }
    }

    /// Adds a block that the next one is written over.
    pub fn push_short(&mut self, rows: &[L::Row]) -> Result<(), BlockError> {
        let (end, blocks, count) = (self.end, self.blocks, self.count);
        self.push(rows)?;
        (self.end, self.blocks, self.count) = (end, blocks, count);
        Ok(())
    }
}

/// Whether a file of two blocks of `game` comes back, and goes on after the first wherever the second was cut off.
#[cfg(test)]
pub fn check_growth<L: BlockLayout<Row: PartialEq + std::fmt::Debug>>(
    path: &Path,
    game: &str,
    [first, second]: [&[L::Row]; 2],
) {
    let all = || {
        let mut reader = BlockReader::<L>::open(path, game).unwrap();
        let rows: Vec<L::Row> = std::iter::from_fn(|| reader.next_block().unwrap()).flatten().collect();
        (rows, reader.cut_off().unwrap())
    };
    let _ = std::fs::remove_file(path);
    let mut writer = BlockWriter::<L>::open(path, game).unwrap();
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
        let mut writer = BlockWriter::<L>::open(path, game).unwrap();
        assert_eq!((writer.blocks(), writer.count()), (1, first.len() as u64));
        writer.push(second).unwrap();
        assert_eq!((writer.blocks(), writer.count()), (2, (first.len() + second.len()) as u64));
        assert_eq!(std::fs::read(path).unwrap(), bytes);
    }
    let mut writer = BlockWriter::<L>::open(path, game).unwrap();
    assert!(writer.take_short(second.len()).is_empty(), "it is long enough");
    let mut writer = BlockWriter::<L>::open(path, game).unwrap();
    assert_eq!(writer.take_short(second.len() + 1), second);
    assert_eq!(std::fs::read(path).unwrap(), bytes, "the file keeps it for now");
    writer.push_short(first).unwrap();
    assert_eq!((writer.blocks(), writer.count()), (1, first.len() as u64));
    assert!(all().0.iter().eq(first.iter().chain(first)));
    writer.push(second).unwrap();
    assert_eq!(std::fs::read(path).unwrap(), bytes, "what was short is written over");
}
