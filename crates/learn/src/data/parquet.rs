//! Parquet, the usual file of tables: a row group a block, one page a column, plain numbers packed with zstd.
//!
//! The format is that of `parquet-format` 2: pages, then a footer in Thrift's compact protocol. Only what our columns need
//! is written; no column has missing values, so there are no levels.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use trilith_base::files;

use super::table::{BlockTable, DataColumn};

const MAGIC: &[u8] = b"PAR1";
/// How hard zstd tries.
const LEVEL: i32 = 3;

/// A file that grows by row groups.
pub struct Parquet {
    out: PathBuf,
    part: PathBuf,
    file: BufWriter<File>,
    at: u64,
    rows: u64,
    /// Names and kinds.
    columns: Vec<(&'static str, DataColumn)>,
    groups: Vec<Group>,
}

struct Group {
    rows: u64,
    chunks: Vec<Chunk>,
}

struct Chunk {
    offset: u64,
    plain: u64,
    packed: u64,
}

impl Parquet {
    /// With the columns of an empty table; the file is there when it is [finished](Parquet::finish).
    pub fn new(out: &Path, empty: BlockTable) -> io::Result<Parquet> {
        let mut part = out.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        let mut file = BufWriter::new(File::create(&part)?);
        file.write_all(MAGIC)?;
        let columns = empty.into_columns();
        let (out, at) = (out.to_owned(), MAGIC.len() as u64);
        Ok(Parquet { out, part, file, at, rows: 0, columns, groups: Vec::new() })
    }

    /// Adds rows, as one group.
    pub fn add(&mut self, table: BlockTable) -> io::Result<()> {
        let rows = table.rows() as u64;
        if rows == 0 {
            return Ok(());
        }
        let columns = table.into_columns();
        let chunks = columns.iter().map(|(_, column)| self.page(column, rows)).collect::<io::Result<_>>()?;
        self.groups.push(Group { rows, chunks });
        self.rows += rows;
        Ok(())
    }

    fn page(&mut self, column: &DataColumn, rows: u64) -> io::Result<Chunk> {
        let plain = plain(column);
        let packed = zstd::encode_all(&plain[..], LEVEL)?;
        let mut header = Thrift::default();
        header.int(1, 0).int(2, plain.len() as i64).int(3, packed.len() as i64);
        let mut data = Thrift::default();
        // Plain numbers; levels would be run lengths.
        data.int(1, rows as i64).int(2, 0).int(3, 3).int(4, 3);
        header.nested(5, data);
        let header = header.end();
        self.file.write_all(&header)?;
        self.file.write_all(&packed)?;
        let (offset, head) = (self.at, header.len() as u64);
        self.at += head + packed.len() as u64;
        Ok(Chunk { offset, plain: head + plain.len() as u64, packed: head + packed.len() as u64 })
    }

    /// Writes the footer; the file is whole or not there at all.
    pub fn finish(mut self) -> io::Result<()> {
        let mut footer = Thrift::default();
        footer.int(1, 2).list(2, 12, self.schema());
        footer.long(3, self.rows as i64).list(
            4,
            12,
            self.groups.iter().map(|group| self.group(group)).collect(),
        );
        footer.text(6, concat!("trilith version ", env!("CARGO_PKG_VERSION")));
        let footer = footer.end();
        self.file.write_all(&footer)?;
        self.file.write_all(&(footer.len() as u32).to_le_bytes())?;
        self.file.write_all(MAGIC)?;
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        files::rename_whole(&self.part, &self.out)
    }

    fn schema(&self) -> Vec<Vec<u8>> {
        let mut root = Thrift::default();
        root.text(4, "positions").int(5, self.columns.len() as i64);
        let element = |(name, column): &(&str, DataColumn)| {
            let mut element = Thrift::default();
            element.int(1, kind(column));
            if let DataColumn::Bytes { shape, .. } = column {
                element.int(2, shape.iter().product::<usize>() as i64);
            }
            // Never missing.
            element.int(3, 0).text(4, name);
            if matches!(column, DataColumn::Text(_)) {
                // UTF-8.
                element.int(6, 0);
            }
            element.end()
        };
        std::iter::once(root.end()).chain(self.columns.iter().map(element)).collect()
    }

    fn group(&self, group: &Group) -> Vec<u8> {
        let chunk = |(chunk, (name, column)): (&Chunk, &(&str, DataColumn))| {
            const ZSTD: i64 = 6;
            let mut meta = Thrift::default();
            meta.int(1, kind(column)).list(2, 5, vec![vec![0]]).list(3, 8, vec![binary(name)]).int(4, ZSTD);
            meta.long(5, group.rows as i64).long(6, chunk.plain as i64).long(7, chunk.packed as i64);
            meta.long(9, chunk.offset as i64);
            let mut outer = Thrift::default();
            outer.long(2, chunk.offset as i64).nested(3, meta);
            outer.end()
        };
        let chunks = group.chunks.iter().zip(&self.columns).map(chunk).collect();
        let plain: u64 = group.chunks.iter().map(|chunk| chunk.plain).sum();
        let mut whole = Thrift::default();
        whole.list(1, 12, chunks).long(2, plain as i64).long(3, group.rows as i64);
        whole.end()
    }
}

impl Drop for Parquet {
    fn drop(&mut self) {
        // Only there if the file was not finished.
        let _ = std::fs::remove_file(&self.part);
    }
}

/// The number of a type in the schema.
fn kind(column: &DataColumn) -> i64 {
    match column {
        DataColumn::Int32(_) => 1,
        DataColumn::Int64(_) => 2,
        DataColumn::Float32(_) => 4,
        DataColumn::Text(_) => 6,
        DataColumn::Bytes { .. } => 7,
    }
}

fn plain(column: &DataColumn) -> Vec<u8> {
    match column {
        DataColumn::Int64(numbers) => numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
        DataColumn::Int32(numbers) => numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
        DataColumn::Float32(numbers) => numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
        DataColumn::Bytes { bytes, .. } => bytes.clone(),
        DataColumn::Text(texts) => {
            let text = |text: &String| [&(text.len() as u32).to_le_bytes()[..], text.as_bytes()].concat();
            texts.iter().flat_map(text).collect()
        }
    }
}

/// A struct in Thrift's compact protocol; fields must come in rising order.
#[derive(Default)]
struct Thrift {
    bytes: Vec<u8>,
    last: u8,
}

impl Thrift {
    fn field(&mut self, number: u8, kind: u8) {
        self.bytes.push((number - self.last) << 4 | kind);
        self.last = number;
    }

    fn int(&mut self, number: u8, value: i64) -> &mut Thrift {
        self.field(number, 5);
        varint(zigzag(value), &mut self.bytes);
        self
    }

    fn long(&mut self, number: u8, value: i64) -> &mut Thrift {
        self.field(number, 6);
        varint(zigzag(value), &mut self.bytes);
        self
    }

    fn text(&mut self, number: u8, text: &str) -> &mut Thrift {
        self.field(number, 8);
        self.bytes.extend(binary(text));
        self
    }

    fn nested(&mut self, number: u8, other: Thrift) -> &mut Thrift {
        self.field(number, 12);
        self.bytes.extend(other.end());
        self
    }

    /// Elements are written already.
    fn list(&mut self, number: u8, kind: u8, elements: Vec<Vec<u8>>) -> &mut Thrift {
        self.field(number, 9);
        match elements.len() {
            short @ 0..15 => self.bytes.push((short as u8) << 4 | kind),
            long => {
                self.bytes.push(0xf0 | kind);
                varint(long as u64, &mut self.bytes);
            }
        }
        self.bytes.extend(elements.concat());
        self
    }

    fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

/// Small numbers of both signs become small ones without sign.
fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

fn varint(mut value: u64, into: &mut Vec<u8>) {
    while value >= 0x80 {
        into.push(value as u8 | 0x80);
        value >>= 7;
    }
    into.push(value as u8);
}

fn binary(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    varint(text.len() as u64, &mut bytes);
    bytes.extend_from_slice(text.as_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_in_the_compact_protocol() {
        assert_eq!([0, -1, 1, -2, i64::MAX].map(zigzag), [0, 1, 2, 3, u64::MAX - 1]);
        let mut bytes = Vec::new();
        varint(300, &mut bytes);
        assert_eq!(bytes, [0xac, 0x02], "the example of the specification");
        let mut thrift = Thrift::default();
        thrift.int(1, 2).text(4, "ab").list(5, 5, vec![vec![0]; 16]);
        let text = thrift.end();
        assert_eq!(text[..6], [0x15, 4, 0x38, 2, b'a', b'b']);
        assert_eq!((&text[6..9], text.len()), (&[0x19, 0xf5, 16][..], 9 + 16 + 1));
    }

    #[test]
    fn a_file_begins_and_ends_with_its_name() {
        let out = std::env::temp_dir().join(format!("trilith-{}.parquet", std::process::id()));
        let parquet = Parquet::new(&out, BlockTable::new([1, 1, 1])).unwrap();
        parquet.finish().unwrap();
        let bytes = std::fs::read(&out).unwrap();
        let (body, end) = bytes.split_at(bytes.len() - 8);
        let length = u32::from_le_bytes([end[0], end[1], end[2], end[3]]) as usize;
        assert!(bytes.starts_with(MAGIC) && bytes.ends_with(MAGIC) && body.len() == 4 + length);
        std::fs::remove_file(out).unwrap();
    }
}
