//! Files of judged positions: columns in blocks, compressed, read and written as a stream.
//!
//! After a frame that names the format come blocks, one a group of games. A block is four zstd frames: the bit boards of
//! the side to move and of its opponent (eight bytes each, little end first, all first bytes, then all second ones, and so
//! on), the values (two bytes) and the margins (one byte). A block that a crash cut off is noticed and left out.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use trilith_games::Colour;
use trilith_games::othello::Position;

use super::store::StoreError;

/// A position with what a search thinks of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// Discs of the side to move.
    pub own: u64,
    /// Discs of its opponent.
    pub other: u64,
    /// Hundredths of a disc for the side to move.
    pub value: i16,
    /// How the game ended that it stood in, for the side to move; nothing if it stood beside a game.
    pub margin: Option<i8>,
}

impl Judged {
    /// The position, as if Black were to move.
    pub fn position(&self) -> Position {
        Position { own: self.own, other: self.other, to_move: Colour::Black }
    }

    /// What is to be learned, in discs: the result counts for `lambda`, the search for the rest.
    pub fn target(&self, lambda: f32) -> f32 {
        let value = f32::from(self.value) / 100.0;
        self.margin.map_or(value, |margin| value + lambda * (f32::from(margin) - value))
    }
}

const FIRST_LINE: &str = "trilith positions 1 othello\n";
const LEVEL: i32 = 3;
const NO_MARGIN: i8 = i8::MIN;

/// A file that is read block by block.
pub struct Reader {
    path: PathBuf,
    input: BufReader<File>,
    /// Where the last whole block ends.
    end: u64,
    block: usize,
}

impl Reader {
    /// Opens a file of judged positions.
    pub fn open(path: &Path) -> Result<Reader, StoreError> {
        let file = File::open(path).map_err(|source| file_error(path, source))?;
        let mut reader = Reader { path: path.to_owned(), input: BufReader::new(file), end: 0, block: 0 };
        match reader.frame() {
            Ok(Some(bytes)) if bytes == FIRST_LINE.as_bytes() => {
                reader.end = reader.input.stream_position().map_err(|source| file_error(path, source))?;
                Ok(reader)
            }
            _ => Err(StoreError::Foreign { path: path.display().to_string(), expected: FIRST_LINE.trim() }),
        }
    }

    /// The positions of the next block; none at the end, or where the rest of the file is cut off.
    pub fn next_block(&mut self) -> Result<Option<Vec<Judged>>, StoreError> {
        self.block += 1;
        let mut columns = Vec::with_capacity(4);
        for _ in 0..4 {
            match self.frame() {
                Ok(Some(bytes)) => columns.push(bytes),
                Ok(None) => return Ok(None),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
                Err(error) => return Err(self.damaged(&error.to_string())),
            }
        }
        let positions = join(&columns).map_err(|fault| self.damaged(fault))?;
        self.end = self.input.stream_position().map_err(|source| file_error(&self.path, source))?;
        Ok(Some(positions))
    }

    fn frame(&mut self) -> io::Result<Option<Vec<u8>>> {
        if self.input.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        zstd::Decoder::with_buffer(&mut self.input)?.single_frame().read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }

    fn damaged(&self, fault: &str) -> StoreError {
        let path = self.path.display().to_string();
        StoreError::Damaged { path, fault: format!("block {}: {fault}", self.block) }
    }
}

fn join(columns: &[Vec<u8>]) -> Result<Vec<Judged>, &'static str> {
    let [own, other, values, margins] = columns else { return Err("four columns expected") };
    let count = margins.len();
    if own.len() != 8 * count || other.len() != 8 * count || values.len() != 2 * count {
        return Err("columns of different lengths");
    }
    let judged = (0..count).map(|at| {
        let margin = margins[at] as i8;
        let position = Judged {
            own: u64::from_le_bytes(std::array::from_fn(|byte| own[byte * count + at])),
            other: u64::from_le_bytes(std::array::from_fn(|byte| other[byte * count + at])),
            value: i16::from_le_bytes([values[at], values[count + at]]),
            margin: (margin != NO_MARGIN).then_some(margin),
        };
        match position.own & position.other == 0 && (position.own | position.other).count_ones() >= 4 {
            true => Ok(position),
            false => Err("two discs on one square, or fewer than four in all"),
        }
    });
    judged.collect()
}

/// A file that grows by blocks.
pub struct Writer {
    path: PathBuf,
    file: File,
}

impl Writer {
    /// Makes a file, or opens one to go on with after its last whole block; also says how many blocks and positions are in it.
    pub fn open(path: &Path) -> Result<(Writer, u64, u64), StoreError> {
        let (mut end, mut blocks, mut positions) = (0, 0, 0);
        if path.exists() {
            let mut reader = Reader::open(path)?;
            while let Some(block) = reader.next_block()? {
                blocks += 1;
                positions += block.len() as u64;
            }
            end = reader.end;
        }
        let open = || {
            let mut file = OpenOptions::new().create(true).write(true).truncate(false).open(path)?;
            file.set_len(end)?;
            file.seek(SeekFrom::End(0))?;
            if end == 0 {
                file.write_all(&zstd::encode_all(FIRST_LINE.as_bytes(), LEVEL)?)?;
            }
            Ok(file)
        };
        let file = open().map_err(|source| file_error(path, source))?;
        Ok((Writer { path: path.to_owned(), file }, blocks, positions))
    }

    /// Adds a block; it is on disk when this returns.
    pub fn push(&mut self, positions: &[Judged]) -> Result<(), StoreError> {
        let plane = |byte: usize, of: fn(&Judged) -> u64| {
            positions.iter().map(move |position| of(position).to_le_bytes()[byte]).collect::<Vec<u8>>()
        };
        let planes = |count: usize, of: fn(&Judged) -> u64| -> Vec<u8> {
            (0..count).flat_map(|byte| plane(byte, of)).collect()
        };
        let columns = [
            planes(8, |position| position.own),
            planes(8, |position| position.other),
            planes(2, |position| position.value as u64),
            planes(1, |position| position.margin.unwrap_or(NO_MARGIN) as u64),
        ];
        let mut write = || {
            let frames: io::Result<Vec<_>> =
                columns.iter().map(|column| zstd::encode_all(&column[..], LEVEL)).collect();
            self.file.write_all(&frames?.concat())?;
            self.file.sync_data()
        };
        write().map_err(|source| file_error(&self.path, source))
    }
}

fn file_error(path: &Path, source: io::Error) -> StoreError {
    StoreError::File { path: path.display().to_string(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(from: u64) -> Vec<Judged> {
        let judged = |number: u64| Judged {
            own: 0xF0 << number,
            other: 0xF << number,
            value: -300 + number as i16,
            margin: number.is_multiple_of(2).then_some(-(number as i8)),
        };
        (from..from + 20).map(judged).collect()
    }

    fn all(path: &Path) -> Vec<Judged> {
        let mut reader = Reader::open(path).unwrap();
        let mut all = Vec::new();
        while let Some(block) = reader.next_block().unwrap() {
            all.extend(block);
        }
        all
    }

    #[test]
    fn files_grow_by_blocks_and_a_cut_block_is_written_again() {
        let path = std::env::temp_dir().join(format!("trilith-{}.positions", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let (mut writer, blocks, _) = Writer::open(&path).unwrap();
        assert_eq!(blocks, 0);
        writer.push(&block(0)).unwrap();
        let whole = std::fs::metadata(&path).unwrap().len();
        writer.push(&block(20)).unwrap();
        drop(writer);
        assert_eq!(all(&path), [block(0), block(20)].concat());
        let bytes = std::fs::read(&path).unwrap();
        for cut in whole..bytes.len() as u64 {
            std::fs::write(&path, &bytes[..cut as usize]).unwrap();
            assert_eq!(all(&path), block(0), "cut at {cut}");
            let (mut writer, blocks, positions) = Writer::open(&path).unwrap();
            assert_eq!((blocks, positions), (1, 20));
            writer.push(&block(20)).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
        std::fs::write(&path, "something else").unwrap();
        assert!(Reader::open(&path).err().unwrap().to_string().contains("trilith positions 1"));
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn targets_mix_result_and_search() {
        let judged = Judged { own: 0xF, other: 0, value: 250, margin: Some(10) };
        assert_eq!((judged.target(0.0), judged.target(1.0), judged.target(0.5)), (2.5, 10.0, 6.25));
        assert_eq!(Judged { margin: None, ..judged }.target(1.0), 2.5);
    }
}
