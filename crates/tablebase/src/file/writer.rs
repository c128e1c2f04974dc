//! Writing a table: slots in order, compressed by all threads, under another name until it is whole.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use trilith_base::files::rename_whole;

use super::{BLOCK, CHECKED, ENTRY, MAGIC, PAGE, TableHeader, TableMode, check};
use crate::error::TablebaseError;

/// How hard zstd tries; measured in docs/tablebases.md.
const LEVEL: i32 = 12;
/// Blocks compressed together.
const BATCH: usize = 1024;

/// A table being written.
pub struct TableWriter {
    header: TableHeader,
    path: PathBuf,
    file: BufWriter<File>,
    index: Vec<u8>,
    /// Whole blocks and the beginning of the next.
    pending: Vec<u8>,
    /// Slots of the last byte that are set, where a slot is less than a byte.
    filled: usize,
    threads: usize,
}

/// The name of a file until it is whole.
pub fn unfinished(path: &Path) -> PathBuf {
    path.with_added_extension("part")
}

impl TableWriter {
    /// Begins a file. Nobody else may write it at the same time.
    pub fn create(path: &Path, header: TableHeader, threads: usize) -> Result<TableWriter, TablebaseError> {
        let start = PAGE as u64 + header.blocks() * ENTRY as u64;
        let create = || {
            let mut file = BufWriter::new(File::create(unfinished(path))?);
            file.seek(SeekFrom::Start(start))?;
            Ok(file)
        };
        let file = create().map_err(|source| TablebaseError::File { path: path.into(), source })?;
        let (index, pending) = (Vec::new(), Vec::with_capacity(BATCH * BLOCK));
        Ok(TableWriter { header, path: path.into(), file, index, pending, filled: 0, threads })
    }

    /// Adds slots, given as plies.
    pub fn push(&mut self, plies: &[u16]) -> Result<(), TablebaseError> {
        for &plies in plies {
            self.add(plies);
            if self.pending.len() == BATCH * BLOCK && self.filled == 0 {
                self.flush().map_err(|source| TablebaseError::File { path: self.path.clone(), source })?;
            }
        }
        Ok(())
    }

    /// Counts one class of positions. With stabilisers there are fewer of them than slots.
    pub fn count(&mut self, plies: u16) {
        self.header.counts.add(plies, self.header.mode);
    }

    #[inline]
    fn add(&mut self, plies: u16) {
        match self.header.bits {
            8 => self.pending.push(plies.min(255) as u8),
            16 => self.pending.extend_from_slice(&plies.to_le_bytes()),
            _ => {
                let value = if plies == u16::MAX { 0 } else { 2 - (plies & 1) as u8 };
                if self.filled == 0 {
                    self.pending.push(0);
                }
                let last = self.pending.len() - 1;
                self.pending[last] |= value << (2 * self.filled);
                self.filled = (self.filled + 1) % 4;
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let blocks: Vec<&[u8]> = self.pending.chunks(BLOCK).collect();
        let share = blocks.len().div_ceil(self.threads).max(1);
        let compressed = std::thread::scope(|scope| {
            let threads: Vec<_> =
                blocks.chunks(share).map(|blocks| scope.spawn(move || compress(blocks))).collect();
            let parts = threads.into_iter().map(|thread| thread.join().expect("compressing does not panic"));
            parts.collect::<io::Result<Vec<_>>>()
        })?;
        for block in compressed.iter().flatten() {
            self.index.extend_from_slice(&(block.len() as u32).to_le_bytes());
            self.index.extend_from_slice(&check(block));
            self.file.write_all(block)?;
        }
        self.pending.clear();
        Ok(())
    }

    /// Writes header and index, makes all of it durable and gives the file its name.
    pub fn finish(mut self) -> Result<TableHeader, TablebaseError> {
        self.complete().map_err(|source| TablebaseError::File { path: self.path.clone(), source })?;
        Ok(self.header)
    }

    fn complete(&mut self) -> io::Result<()> {
        self.flush()?;
        let mut page = serde_json::to_vec(&self.header)?;
        page.resize(PAGE - CHECKED, b' ');
        page.extend_from_slice(&self.index);
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(MAGIC)?;
        self.file.write_all(blake3::hash(&page).as_bytes())?;
        self.file.write_all(&page)?;
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        rename_whole(&unfinished(&self.path), &self.path)
    }
}

fn compress(blocks: &[&[u8]]) -> io::Result<Vec<Vec<u8>>> {
    let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
    // The header and the index say what these would.
    compressor.include_contentsize(false)?;
    compressor.include_checksum(false)?;
    blocks.iter().map(|block| compressor.compress(block)).collect()
}

impl TableHeader {
    /// The name of the file of a subspace.
    pub fn file_name(subspace: crate::subspace::Subspace, mode: TableMode) -> String {
        format!("{subspace}.{mode}")
    }
}
