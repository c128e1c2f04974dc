//! Tables as files: a line that says so, the header as a line of JSON, how many positions and slots there are, the
//! scrambled codes in their order with their scores, a checksum over all of it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use trilith_base::artifact::ArtifactHeader;
use trilith_base::files::rename_whole;

use super::table::{Slot, ValueTable};

/// Why a file is refused.
#[derive(Debug, thiserror::Error)]
pub enum ValueTableError {
    /// It cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// Which file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// It is something else.
    #[error("{path}: not a table of experience: it should begin with `{MAGIC}`")]
    Foreign {
        /// Which file.
        path: String,
    },
    /// It has been cut or damaged.
    #[error("{path}: cut or damaged: {fault}")]
    Damaged {
        /// Which file.
        path: String,
        /// What is wrong.
        fault: String,
    },
    /// It is for another game.
    #[error("{path}: a table for {found}, expected one for {expected}")]
    Game {
        /// Which file.
        path: String,
        /// As in the file.
        found: String,
        /// As needed.
        expected: &'static str,
    },
}

const MAGIC: &str = "trilith table 1";
const RECORD: usize = 24;
const CHECKSUM: usize = 32;
/// Records written or read at once.
const BLOCK: usize = 1 << 15;
/// No header is longer; a hostile file cannot fill the memory with one.
const LONGEST: u64 = 1 << 20;

/// Writes a table, whole or not at all; returns its checksum in hexadecimal.
pub fn save(path: &Path, header: &ArtifactHeader, table: &ValueTable) -> Result<String, ValueTableError> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    write(Path::new(&part), header, table)
        .and_then(|checksum| rename_whole(Path::new(&part), path).map(|()| checksum))
        .map_err(|source| ValueTableError::File { path: path.display().to_string(), source })
}

fn write(path: &Path, header: &ArtifactHeader, table: &ValueTable) -> io::Result<String> {
    let mut file = File::create(path)?;
    let mut hasher = blake3::Hasher::new();
    let mut put = |bytes: &[u8]| {
        hasher.update(bytes);
        file.write_all(bytes)
    };
    put(format!("{MAGIC}\n{}\n", serde_json::to_string(header)?).as_bytes())?;
    put(&(table.len() as u64).to_le_bytes())?;
    put(&(table.capacity() as u64).to_le_bytes())?;
    let mut block = Vec::with_capacity(BLOCK * RECORD);
    for slot in table.used() {
        for word in [slot.high, slot.low, slot.score] {
            block.extend_from_slice(&word.to_le_bytes());
        }
        if block.len() == BLOCK * RECORD {
            put(&block)?;
            block.clear();
        }
    }
    put(&block)?;
    let checksum = hasher.finalize();
    file.write_all(checksum.as_bytes())?;
    file.sync_all()?;
    Ok(checksum.to_hex().to_string())
}

/// What a file says about itself, without reading its content or checking it.
pub fn read_header(path: &Path) -> Result<ArtifactHeader, ValueTableError> {
    Reader::open(path).map(|(header, _)| header)
}

/// A table with what its file says about it.
#[derive(Debug)]
pub struct Loaded {
    /// What it is.
    pub header: ArtifactHeader,
    /// Of the file, in hexadecimal.
    pub checksum: String,
    /// Its content.
    pub table: ValueTable,
}

/// Reads and checks a file that must be for `game`.
pub fn load(path: &Path, game: &'static str) -> Result<Loaded, ValueTableError> {
    let (header, mut reader) = Reader::open(path)?;
    if header.game != game {
        let path = path.display().to_string();
        return Err(ValueTableError::Game { path, found: header.game, expected: game });
    }
    let (table, checksum) = reader.table()?;
    Ok(Loaded { header, checksum, table })
}

struct Reader {
    path: String,
    file: BufReader<File>,
    hasher: blake3::Hasher,
    /// Bytes after the header.
    rest: u64,
}

impl Reader {
    fn open(path: &Path) -> Result<(ArtifactHeader, Reader), ValueTableError> {
        let name = path.display().to_string();
        let fault = |source| ValueTableError::File { path: name.clone(), source };
        let file = File::open(path).map_err(fault)?;
        let length = file.metadata().map_err(fault)?.len();
        let mut file = BufReader::with_capacity(1 << 20, file);
        let mut lines = [const { Vec::new() }; 2];
        for line in &mut lines {
            (&mut file).take(LONGEST).read_until(b'\n', line).map_err(fault)?;
        }
        if lines[0] != format!("{MAGIC}\n").as_bytes() {
            return Err(ValueTableError::Foreign { path: name });
        }
        let damaged = |fault: String| ValueTableError::Damaged { path: name.clone(), fault };
        let header =
            serde_json::from_slice(&lines[1]).map_err(|error| damaged(format!("header: {error}")))?;
        let mut hasher = blake3::Hasher::new();
        for line in &lines {
            hasher.update(line);
        }
        let rest = length - lines.iter().map(|line| line.len() as u64).sum::<u64>();
        Ok((header, Reader { path: name, file, hasher, rest }))
    }

    fn damaged(&self, fault: &str) -> ValueTableError {
        ValueTableError::Damaged { path: self.path.clone(), fault: fault.into() }
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), ValueTableError> {
        let path = &self.path;
        self.file.read_exact(bytes).map_err(|source| ValueTableError::File { path: path.clone(), source })?;
        self.hasher.update(bytes);
        Ok(())
    }

    fn table(&mut self) -> Result<(ValueTable, String), ValueTableError> {
        let mut sizes = [[0; 8]; 2];
        self.fill(sizes.as_flattened_mut())?;
        let [count, capacity] = sizes.map(u64::from_le_bytes);
        let expected =
            count.checked_mul(RECORD as u64).and_then(|bytes| bytes.checked_add(16 + CHECKSUM as u64));
        if expected != Some(self.rest) {
            return Err(self.damaged(&format!("{count} positions do not take {} bytes", self.rest)));
        }
        let Some(mut table) = ValueTable::with_capacity(count as usize, capacity as usize) else {
            return Err(self.damaged(&format!("no table for {count} positions has {capacity} slots")));
        };
        let (mut next, mut last) = (0, None);
        let mut block = vec![0; BLOCK * RECORD];
        let mut left = count as usize;
        while left > 0 {
            let records = left.min(BLOCK);
            self.fill(&mut block[..records * RECORD])?;
            for record in block[..records * RECORD].as_chunks::<RECORD>().0 {
                let word =
                    |at: usize| u64::from_le_bytes(record[at..at + 8].try_into().expect("eight bytes"));
                let slot = Slot { high: word(0), low: word(8), score: word(16) };
                if !table.append(slot, &mut next, &mut last) {
                    return Err(self.damaged("positions out of order"));
                }
            }
            left -= records;
        }
        let found = self.hasher.finalize();
        let mut checksum = [0; CHECKSUM];
        self.fill(&mut checksum)?;
        match found == checksum {
            true => Ok((table, found.to_hex().to_string())),
            false => Err(self.damaged("content and checksum disagree")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::table::CodeSlot;
    use super::*;

    #[test]
    fn tables_come_back_and_damage_is_noticed() {
        let path = std::env::temp_dir().join(format!("trilith-table-{}", std::process::id()));
        let header = ArtifactHeader { game: "othello".into(), ..ArtifactHeader::default() };
        let mut table = ValueTable::default();
        (0..50_u64).for_each(|code| table.add(CodeSlot::of(u128::from(code * code)), code, code + 1));
        let checksum = save(&path, &header, &table).unwrap();
        let again = load(&path, "othello").unwrap();
        assert!(again.header == header && again.checksum == checksum);
        assert!(again.table.iter().eq(table.iter()) && again.table.len() == 50);
        assert!(
            load(&path, "morris").unwrap_err().to_string().contains("for othello, expected one for morris")
        );
        let bytes = fs::read(&path).unwrap();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x04;
            fs::write(&path, damaged).unwrap();
            assert!(load(&path, "othello").is_err(), "byte {at}");
            fs::write(&path, &bytes[..at]).unwrap();
            assert!(load(&path, "othello").is_err(), "cut at {at}");
        }
        fs::remove_file(&path).unwrap();
    }
}
