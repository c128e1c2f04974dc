//! `.npz`, numpy's own file of arrays: a zip archive without compression, one `.npy` a column.
//!
//! A column's size stands before its numbers, so columns grow in files beside the archive until all rows are there.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use trilith_base::files;

use super::table::{BlockTable, DataColumn};

/// What numpy calls the numbers of a column.
#[derive(Clone, Copy)]
enum Kind {
    Int64,
    Int32,
    Float32,
    Text,
    Bytes([usize; 3]),
}

/// A column that grows.
struct Spool {
    name: &'static str,
    kind: Kind,
    path: PathBuf,
    file: BufWriter<File>,
    /// Of its texts.
    longest: usize,
}

/// An archive that grows.
pub struct Npz {
    out: PathBuf,
    spools: Vec<Spool>,
    rows: u64,
}

impl Npz {
    /// With the columns of an empty table; the file is there when it is [finished](Npz::finish).
    pub fn new(out: &Path, empty: BlockTable) -> io::Result<Npz> {
        let spool = |(name, column): (&'static str, DataColumn)| {
            let mut path = out.as_os_str().to_owned();
            path.push(format!(".{name}.part"));
            let path = PathBuf::from(path);
            let file = BufWriter::new(File::create(&path)?);
            let kind = match column {
                DataColumn::Int64(_) => Kind::Int64,
                DataColumn::Int32(_) => Kind::Int32,
                DataColumn::Float32(_) => Kind::Float32,
                DataColumn::Text(_) => Kind::Text,
                DataColumn::Bytes { shape, .. } => Kind::Bytes(shape),
            };
            Ok(Spool { name, kind, path, file, longest: 1 })
        };
        let spools = empty.into_columns().into_iter().map(spool).collect::<io::Result<_>>()?;
        Ok(Npz { out: out.to_owned(), spools, rows: 0 })
    }

    /// Adds rows.
    pub fn add(&mut self, table: BlockTable) -> io::Result<()> {
        self.rows += table.rows() as u64;
        for (spool, (_, column)) in self.spools.iter_mut().zip(table.into_columns()) {
            spool.add(&column)?;
        }
        Ok(())
    }

    /// Writes the archive, whole or not at all.
    pub fn finish(mut self) -> io::Result<()> {
        let mut part = self.out.as_os_str().to_owned();
        part.push(".part");
        let mut archive =
            Archive { file: BufWriter::new(File::create(&part)?), at: 0, directory: Vec::new() };
        let mut entries = 0;
        for spool in &mut self.spools {
            spool.file.flush()?;
            archive.add(spool, self.rows)?;
            entries += 1;
        }
        archive.end(entries)?;
        files::rename_whole(Path::new(&part), &self.out)
    }
}

impl Drop for Npz {
    fn drop(&mut self) {
        for spool in &self.spools {
            // What is left beside the file does no harm.
            let _ = fs::remove_file(&spool.path);
        }
    }
}

impl Spool {
    fn add(&mut self, column: &DataColumn) -> io::Result<()> {
        match column {
            DataColumn::Int64(numbers) => self.write(numbers.iter().flat_map(|number| number.to_le_bytes())),
            DataColumn::Int32(numbers) => self.write(numbers.iter().flat_map(|number| number.to_le_bytes())),
            DataColumn::Float32(numbers) => {
                self.write(numbers.iter().flat_map(|number| number.to_le_bytes()))
            }
            DataColumn::Bytes { bytes, .. } => self.file.write_all(bytes),
            DataColumn::Text(texts) => {
                for text in texts {
                    self.longest = self.longest.max(text.len());
                    self.file.write_all(&(text.len() as u32).to_le_bytes())?;
                    self.file.write_all(text.as_bytes())?;
                }
                Ok(())
            }
        }
    }

    fn write(&mut self, bytes: impl Iterator<Item = u8>) -> io::Result<()> {
        self.file.write_all(&bytes.collect::<Vec<u8>>())
    }

    /// Numpy's name of the type, and the bytes and shape of a row.
    fn layout(&self) -> (String, usize, String) {
        match self.kind {
            Kind::Int64 => ("<i8".into(), 8, String::new()),
            Kind::Int32 => ("<i4".into(), 4, String::new()),
            Kind::Float32 => ("<f4".into(), 4, String::new()),
            Kind::Text => (format!("|S{}", self.longest), self.longest, String::new()),
            Kind::Bytes([planes, rows, columns]) => {
                ("|u1".into(), planes * rows * columns, format!(" {planes}, {rows}, {columns}"))
            }
        }
    }

    /// The `.npy` head, a multiple of 64 bytes.
    fn head(&self, rows: u64) -> Vec<u8> {
        let (kind, _, shape) = self.layout();
        let text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({rows},{shape}), }}");
        let length = (10 + text.len() + 1).next_multiple_of(64) - 10;
        let mut head = b"\x93NUMPY\x01\x00".to_vec();
        head.extend_from_slice(&(length as u16).to_le_bytes());
        head.extend_from_slice(format!("{text:<width$}\n", width = length - 1).as_bytes());
        head
    }
}

struct Archive {
    file: BufWriter<File>,
    at: u64,
    directory: Vec<u8>,
}

impl Archive {
    fn add(&mut self, spool: &Spool, rows: u64) -> io::Result<()> {
        let head = spool.head(rows);
        let width = spool.layout().1;
        let length = head.len() as u64 + rows * width as u64;
        if self.at + length > u64::from(u32::MAX) - (1 << 20) {
            return Err(io::Error::other("more than 4 GiB do not fit into .npz: write .parquet"));
        }
        let name = format!("{}.npy", spool.name);
        let start = self.at;
        self.file.write_all(&local_header(&name, 0, length as u32))?;
        let mut crc = Crc::default();
        crc.add(&head);
        self.file.write_all(&head)?;
        let mut input = BufReader::new(File::open(&spool.path)?);
        let mut row = vec![0; width];
        for _ in 0..rows {
            if matches!(spool.kind, Kind::Text) {
                let mut size = [0; 4];
                input.read_exact(&mut size)?;
                row.fill(0);
                input.read_exact(&mut row[..u32::from_le_bytes(size) as usize])?;
            } else {
                input.read_exact(&mut row)?;
            }
            crc.add(&row);
            self.file.write_all(&row)?;
        }
        let header = local_header(&name, crc.value(), length as u32);
        self.file.seek(SeekFrom::Start(start))?;
        self.file.write_all(&header)?;
        self.at = start + header.len() as u64 + length;
        self.file.seek(SeekFrom::Start(self.at))?;
        self.directory.extend_from_slice(b"PK\x01\x02\x14\x00");
        self.directory.extend_from_slice(&header[4..28]);
        // No extra field, no comment, one disk, no attributes.
        self.directory.extend_from_slice(&[0; 2 + 2 + 2 + 2 + 4]);
        self.directory.extend_from_slice(&(start as u32).to_le_bytes());
        self.directory.extend_from_slice(name.as_bytes());
        Ok(())
    }

    fn end(mut self, entries: u16) -> io::Result<()> {
        self.file.write_all(&self.directory)?;
        let mut end = b"PK\x05\x06\0\0\0\0".to_vec();
        end.extend_from_slice(&entries.to_le_bytes());
        end.extend_from_slice(&entries.to_le_bytes());
        end.extend_from_slice(&(self.directory.len() as u32).to_le_bytes());
        end.extend_from_slice(&(self.at as u32).to_le_bytes());
        end.extend_from_slice(&[0; 2]);
        self.file.write_all(&end)?;
        self.file.flush()?;
        self.file.get_ref().sync_all()
    }
}

/// What stands before a file in an archive; the same words stand in its directory.
fn local_header(name: &str, crc: u32, length: u32) -> Vec<u8> {
    // Version 2.0, no flags, stored, midnight of the first of January 1980.
    let mut header = b"PK\x03\x04\x14\x00\0\0\0\0\0\0\x21\0".to_vec();
    header.extend_from_slice(&crc.to_le_bytes());
    header.extend_from_slice(&length.to_le_bytes());
    header.extend_from_slice(&length.to_le_bytes());
    header.extend_from_slice(&(name.len() as u16).to_le_bytes());
    header.extend_from_slice(&[0; 2]);
    header.extend_from_slice(name.as_bytes());
    header
}

/// The checksum of zip archives (CRC-32 of IEEE 802.3).
struct Crc(u32);

impl Default for Crc {
    fn default() -> Crc {
        Crc(u32::MAX)
    }
}

const CRC_TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut value = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 1 { 0xedb8_8320 ^ (value >> 1) } else { value >> 1 };
            bit += 1;
        }
        table[byte] = value;
        byte += 1;
    }
    table
};

impl Crc {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = CRC_TABLE[usize::from(self.0 as u8 ^ byte)] ^ (self.0 >> 8);
        }
    }

    fn value(&self) -> u32 {
        !self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_published_one() {
        let mut crc = Crc::default();
        crc.add(b"1234");
        crc.add(b"56789");
        assert_eq!(crc.value(), 0xcbf4_3926, "the check value of CRC-32");
    }

    #[test]
    fn an_archive_has_a_head_for_each_column() {
        let out = std::env::temp_dir().join(format!("trilith-npz-{}.npz", std::process::id()));
        let mut npz = Npz::new(&out, BlockTable::new([1, 2, 2])).unwrap();
        let mut table = BlockTable::new([1, 2, 2]);
        table.game = vec![1, 2];
        table.ply = vec![3, 4];
        table.to_play = vec![0, 1];
        (table.action, table.random) = (vec![5, 6], vec![0, 0]);
        (table.value, table.evaluation) = (vec![0.5, 0.25], vec![f32::NAN; 2]);
        (table.result, table.margin) = (vec![1.0, -1.0], vec![0.0; 2]);
        table.rules = vec!["standard".into(), "standard".into()];
        (table.position, table.mv) = (vec!["x".into(), "yy".into()], vec!["f5".into(), String::new()]);
        table.observations = (0..8).collect();
        npz.add(table).unwrap();
        npz.finish().unwrap();
        let bytes = fs::read(&out).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        for head in
            ["'<i8', 'fortran_order': False, 'shape': (2,)", "'|S8'", "'|S2'", "'shape': (2, 1, 2, 2)"]
        {
            assert!(text.contains(head), "{head}");
        }
        assert!(bytes.ends_with(&[0, 0]) && bytes.starts_with(b"PK\x03\x04"));
        let folder = out.parent().unwrap();
        let name = out.file_name().unwrap().to_string_lossy().into_owned();
        let left = fs::read_dir(folder).unwrap().flatten();
        let left = left.filter(|entry| entry.file_name().to_string_lossy().starts_with(&name)).count();
        assert_eq!(left, 1, "the columns beside it are gone");
        fs::remove_file(out).unwrap();
    }
}
