//! Files that were whole once: an input is a list of edits, so that what lies behind magic words, checksums and compression
//! is reached as well.

use std::path::PathBuf;
use std::sync::LazyLock;

/// Bytes that most edits change to something near a limit.
const NEAR_LIMITS: [u64; 8] = [0, 1, 0x7f, 0xff, 0xffff, 0x7fff_ffff, u32::MAX as u64, u64::MAX];

/// `base` after edits of five bytes each: what to do, where (three bytes, around the end), and a value.
pub fn edited(base: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut bytes = base.to_vec();
    for edit in edits.as_chunks::<5>().0 {
        let [kind, low, middle, high, value] = *edit;
        if bytes.is_empty() {
            return bytes;
        }
        let at = u32::from_le_bytes([low, middle, high, 0]) as usize % bytes.len();
        match kind % 8 {
            0 => bytes[at] = value,
            1 => bytes[at] ^= value,
            2 => bytes[at] = bytes[at].wrapping_add(value),
            3 => bytes.insert(at, value),
            4 => drop(bytes.remove(at)),
            5 if value == 0 => bytes.truncate(at),
            5 => bytes.extend(std::iter::repeat_n(value, usize::from(low))),
            _ => {
                let number = NEAR_LIMITS[usize::from(value % 8)].to_le_bytes();
                let length = (1 << (value >> 3 & 3)).min(bytes.len() - at);
                bytes[at..at + length].copy_from_slice(&number[..length]);
            }
        }
    }
    bytes
}

/// A folder of this process, for readers that want a file: in memory, where there is such a place.
pub fn folder() -> &'static PathBuf {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let memory = PathBuf::from("/dev/shm");
        let is_free = std::env::var_os("TMPDIR").is_none() && memory.is_dir();
        let base = if is_free { memory } else { std::env::temp_dir() };
        let folder = base.join(format!("trilith-fuzz-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        folder
    });
    &FOLDER
}

/// A file of this process with this content.
pub fn file(name: &str, content: &[u8]) -> PathBuf {
    let path = folder().join(name);
    std::fs::write(&path, content).expect("a temporary file");
    path
}
