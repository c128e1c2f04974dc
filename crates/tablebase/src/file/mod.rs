//! Table files: one for each subspace, compressed in blocks, checked, mapped into memory.
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | `TRILTB1` and a line feed |
//! | 32 | BLAKE3 of everything from here to the first block |
//! | to 4096 | the header as JSON, padded with spaces |
//! | 12 for each block | length (u32) and first 8 bytes of the BLAKE3 of the compressed block, little-endian |
//! | the rest | blocks, each a zstd frame |
//!
//! A block holds [`BLOCK`] bytes of slots, two bits each (draw 0, win 1, loss 2), or the plies to the end in one byte
//! (255 is a draw) or in two (65535 is a draw). Plies are even for losses and odd for wins.

mod header;
mod table;
mod writer;

pub use header::{Counts, TableHeader, TableMode};
pub use table::TableFile;
pub use writer::TableWriter;

/// Bytes of a block before compression.
pub const BLOCK: usize = 4096;

const MAGIC: &[u8; 8] = b"TRILTB1\n";
/// Where the index begins.
const PAGE: usize = 4096;
/// Bytes of the index for each block.
const ENTRY: usize = 12;
/// Where the part begins that the checksum at the start is for.
const CHECKED: usize = 40;

/// The first eight bytes of the BLAKE3 hash.
fn check(bytes: &[u8]) -> [u8; 8] {
    let hash = blake3::hash(bytes);
    hash.as_bytes()[..8].try_into().expect("a hash has 32 bytes")
}
