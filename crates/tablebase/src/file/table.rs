//! Reading a table: mapped into memory, blocks unpacked as they are asked for.

#![allow(unsafe_code)]

use std::cell::RefCell;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use memmap2::Mmap;

use super::{BLOCK, CHECKED, ENTRY, MAGIC, PAGE, TableHeader, TableMode, check, header};
use crate::error::TablebaseError;
use crate::subspace::{Index, Subspace};

/// A table that can be asked.
pub struct TableFile {
    /// Different for every table opened by this process.
    id: u64,
    path: PathBuf,
    header: TableHeader,
    subspace: Subspace,
    index: Index,
    map: Mmap,
    /// Where each block begins, and where the last ends.
    offsets: Vec<u64>,
    /// All blocks unpacked, for tables kept in memory.
    whole: OnceLock<Vec<u8>>,
}

impl TableFile {
    /// Opens a file and checks it all but for the blocks, which are checked when they are unpacked. It must be for
    /// `subspace` by `rules`.
    pub fn open(path: &Path, subspace: Subspace, rules: &str) -> Result<TableFile, TablebaseError> {
        let map = map(path).map_err(|source| TablebaseError::File { path: path.into(), source })?;
        let refuse = |fault| TablebaseError::Refused { path: path.into(), fault };
        let header = read_header(&map).map_err(refuse)?;
        check_header(&header, subspace, rules).map_err(refuse)?;
        let offsets = read_offsets(&map, &header).map_err(refuse)?;
        static OPENED: AtomicU64 = AtomicU64::new(0);
        let id = OPENED.fetch_add(1, Relaxed);
        let (index, whole) = (Index::new(subspace), OnceLock::new());
        Ok(TableFile { id, path: path.into(), header, subspace, index, map, offsets, whole })
    }

    /// What the file says of itself.
    pub fn header(&self) -> &TableHeader {
        &self.header
    }

    /// Which positions it is for.
    pub fn subspace(&self) -> Subspace {
        self.subspace
    }

    /// Where positions lie.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Bytes of the file.
    pub fn bytes(&self) -> u64 {
        self.map.len() as u64
    }

    /// Unpacks all of it, so that it is asked without searching or checking.
    pub fn keep_in_memory(&self) -> Result<(), TablebaseError> {
        if self.whole.get().is_none() {
            let bytes = (self.header.slots * u64::from(self.header.bits)).div_ceil(8) as usize;
            let mut whole = Vec::with_capacity(bytes);
            let mut block = Vec::new();
            for number in 0..self.header.blocks() {
                self.unpack(number, &mut block)?;
                whole.extend_from_slice(&block);
            }
            // Another thread may have been first: with the same bytes.
            let _ = self.whole.set(whole);
        }
        Ok(())
    }

    /// Whether it is unpacked.
    #[inline]
    pub fn is_in_memory(&self) -> bool {
        self.whole.get().is_some()
    }

    /// The plies of a slot; 65535 is a draw, and without distances 1 is a win and 0 a loss.
    pub fn plies(&self, slot: u64) -> Result<u16, TablebaseError> {
        if let Some(whole) = self.whole.get() {
            return Ok(plies(whole, slot as usize, self.header.bits));
        }
        let per_block = self.header.per_block();
        CACHE.with_borrow_mut(|cache| {
            let block = cache.block(self, slot / per_block)?;
            Ok(plies(block, (slot % per_block) as usize, self.header.bits))
        })
    }

    /// The plies of all slots of one class.
    pub fn read_class(&self, class: u32, into: &mut Vec<u16>) -> Result<(), TablebaseError> {
        let width = u64::from(self.subspace.width());
        let (first, per_block) = (u64::from(class) * width, self.header.per_block());
        into.clear();
        let mut slot = first;
        while slot < first + width {
            let number = slot / per_block;
            let end = (first + width).min((number + 1) * per_block);
            let range = (slot % per_block) as usize..(slot % per_block + end - slot) as usize;
            CACHE.with_borrow_mut(|cache| {
                let block = cache.block(self, number)?;
                into.extend(range.map(|place| plies(block, place, self.header.bits)));
                Ok::<_, TablebaseError>(())
            })?;
            slot = end;
        }
        Ok(())
    }

    fn unpack(&self, number: u64, into: &mut Vec<u8>) -> Result<(), TablebaseError> {
        let refuse = |fault| TablebaseError::Refused { path: self.path.clone(), fault };
        let [start, end] = [number, number + 1].map(|number| self.offsets[number as usize] as usize);
        let packed = &self.map[start..end];
        let entry = PAGE + number as usize * ENTRY;
        if self.map[entry + 4..entry + ENTRY] != check(packed) {
            return Err(refuse(format!(
                "block {number} is corrupt: its checksum differs; build the file again"
            )));
        }
        let left = self.header.slots - number * self.header.per_block();
        let bytes = (left * u64::from(self.header.bits)).div_ceil(8).min(BLOCK as u64) as usize;
        into.resize(bytes, 0);
        let unpacked = DECOMPRESSOR.with_borrow_mut(|decompressor| {
            decompressor.as_mut().map_err(|error| error.to_string()).and_then(|decompressor| {
                decompressor
                    .decompress_to_buffer(packed, into.as_mut_slice())
                    .map_err(|error| error.to_string())
            })
        });
        match unpacked {
            Ok(length) if length == bytes => Ok(()),
            Ok(length) => Err(refuse(format!("block {number} has {length} bytes instead of {bytes}"))),
            Err(fault) => Err(refuse(format!("block {number} cannot be unpacked: {fault}"))),
        }
    }
}

#[inline]
fn plies(block: &[u8], place: usize, bits: u32) -> u16 {
    match bits {
        8 if block[place] == 255 => u16::MAX,
        8 => block[place].into(),
        16 => u16::from_le_bytes([block[2 * place], block[2 * place + 1]]),
        _ => match block[place / 4] >> (2 * (place % 4)) & 3 {
            1 => 1,
            2 => 0,
            _ => u16::MAX,
        },
    }
}

fn map(path: &Path) -> std::io::Result<Mmap> {
    let file = File::open(path)?;
    // SAFETY: files are written under another name and never changed once they have their own, so the bytes stay as
    // they are while mapped. A person who truncates one in place can make a read fault; nothing can be done about it.
    unsafe { Mmap::map(&file) }
}

fn read_header(map: &[u8]) -> Result<TableHeader, String> {
    if map.len() < MAGIC.len() || map[..7] != MAGIC[..7] {
        return Err("this is not a table: it does not begin with `TRILTB1`".into());
    }
    let page = map
        .get(CHECKED..PAGE)
        .ok_or_else(|| format!("truncated: {} bytes, less than a header", map.len()))?;
    serde_json::from_slice(page).map_err(|error| format!("the header is corrupt: {error}"))
}

fn check_header(header: &TableHeader, subspace: Subspace, rules: &str) -> Result<(), String> {
    let differs = |what: &str, found: &str, expected: &str| {
        (found != expected).then(|| format!("it is for the {what} `{found}`, not `{expected}`"))
    };
    let fault = differs("format", &header.version.to_string(), &header::VERSION.to_string())
        .or_else(|| differs("game", &header.game, "morris"))
        .or_else(|| differs("rules", &header.rules, rules))
        .or_else(|| differs("subspace", &header.subspace, &subspace.to_string()))
        .or_else(|| differs("number of slots", &header.slots.to_string(), &subspace.slots().to_string()));
    let is_known = match header.mode {
        TableMode::Wdl => header.bits == 2,
        TableMode::Distance => header.bits == 8 || header.bits == 16,
    };
    match fault {
        Some(fault) => Err(fault),
        None if !is_known => {
            Err(format!("{} bits a slot do not go with the mode `{}`", header.bits, header.mode))
        }
        None => Ok(()),
    }
}

fn read_offsets(map: &[u8], header: &TableHeader) -> Result<Vec<u64>, String> {
    let start = PAGE + header.blocks() as usize * ENTRY;
    let index =
        map.get(PAGE..start).ok_or_else(|| format!("truncated: {} bytes, less than its index", map.len()))?;
    if blake3::hash(&map[CHECKED..start]).as_bytes() != &map[MAGIC.len()..CHECKED] {
        return Err("header or index is corrupt: the checksum differs; build the file again".into());
    }
    let mut offsets = vec![start as u64];
    let mut end = start as u64;
    for entry in index.chunks_exact(ENTRY) {
        end += u64::from(u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]));
        offsets.push(end);
    }
    match map.len() as u64 {
        length if length < end => Err(format!("truncated: {length} bytes of {end}")),
        length if length > end => Err(format!("{} bytes too many", length - end)),
        _ => Ok(offsets),
    }
}

/// Blocks that a thread keeps unpacked: 16 MiB, once it has asked for as many.
const KEPT: usize = 4096;

/// The unpacked blocks of one thread, each in the one place where it can be.
struct Cache {
    blocks: Vec<(u64, u64, Vec<u8>)>,
}

impl Cache {
    fn block(&mut self, table: &TableFile, number: u64) -> Result<&[u8], TablebaseError> {
        let place = trilith_base::seed::mix(table.id << 40 ^ number) as usize % KEPT;
        let (id, kept, bytes) = &mut self.blocks[place];
        if (*id, *kept) != (table.id, number) {
            *id = u64::MAX;
            table.unpack(number, bytes)?;
            (*id, *kept) = (table.id, number);
        }
        Ok(bytes)
    }
}

thread_local! {
    static CACHE: RefCell<Cache> =
        RefCell::new(Cache { blocks: (0..KEPT).map(|_| (u64::MAX, 0, Vec::new())).collect() });
    static DECOMPRESSOR: RefCell<std::io::Result<zstd::bulk::Decompressor<'static>>> =
        RefCell::new(zstd::bulk::Decompressor::new());
}
