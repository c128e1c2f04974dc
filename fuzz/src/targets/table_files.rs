//! Tables of endgames, proved positions, tables of experience, books.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{LazyLock, Once};

use trilith_base::artifact::ArtifactHeader;
use trilith_book::{Book, BookMode, Node};
use trilith_eval::value_table::{CodeSlot, ValueTable, load, save};
use trilith_games::Game;
use trilith_games::morris::Morris;
use trilith_games::othello::Othello;
use trilith_tablebase::file::TableWriter;
use trilith_tablebase::motion::Motion;
use trilith_tablebase::placing::{Bounds, ProvedBounds};
use trilith_tablebase::{Subspace, TableFile, TableHeader, TableMode};

use super::edits::{edited, file, folder};

fn subspace() -> Subspace {
    Subspace::new(3, 3).expect("three against three")
}

fn rules() -> String {
    Motion::of(Morris::default().rules()).name()
}

fn table(mode: TableMode) -> Vec<u8> {
    let path = folder().join("whole.table");
    let mut writer =
        TableWriter::create(&path, TableHeader::new(&rules(), mode, subspace(), 30), 1).expect("a table");
    let slots: Vec<u16> = (0..subspace().slots()).map(|slot| (slot % 13) as u16).collect();
    writer.push(&slots).expect("a table");
    writer.finish().expect("a table");
    std::fs::read(&path).expect("a table")
}

static TABLES: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| [TableMode::Distance, TableMode::Wdl].map(table));
const PAGE: usize = 4096;
const ENTRY: usize = 12;
const CHECKED: usize = 40;

/// Sets the checksums of a table as its writer would.
fn mend_table(bytes: &mut [u8], blocks: usize) {
    let index = PAGE + blocks * ENTRY;
    if bytes.len() < index {
        return;
    }
    let mut start = index;
    for entry in (PAGE..index).step_by(ENTRY) {
        let size = u32::from_le_bytes(bytes[entry..entry + 4].try_into().expect("four bytes")) as usize;
        let Some(block) = start.checked_add(size).and_then(|end| bytes.get(start..end)) else { break };
        let check = blake3::hash(block);
        start += block.len();
        bytes[entry + 4..entry + ENTRY].copy_from_slice(&check.as_bytes()[..8]);
    }
    let check = blake3::hash(&bytes[CHECKED..index]);
    bytes[8..CHECKED].copy_from_slice(check.as_bytes());
}

/// A table of endgames: refused, or every slot that is asked for has an answer or is refused.
pub fn table_file(input: &[u8]) {
    let Some((&first, edits)) = input.split_first() else { return };
    let mode = usize::from(first % 2);
    let mut bytes = edited(&TABLES[mode], edits);
    let bits = [8, 2][mode];
    if first & 2 == 0 {
        mend_table(&mut bytes, (subspace().slots() * bits).div_ceil(8).div_ceil(4096) as usize);
    }
    let path = file("x.table", &bytes);
    let Ok(table) = TableFile::open(&path, subspace(), &rules()) else { return };
    for part in 0..8 {
        let _ = table.plies(subspace().slots() / 8 * part + u64::from(first));
    }
    let _ = table.read_class(u32::from(first) % 8, &mut Vec::new());
    if first & 4 != 0 && table.keep_in_memory().is_ok() {
        let _ = table.plies(subspace().slots() - 1);
    }
}

/// Proved positions: as a file, or as what a file unpacks to.
pub fn placing_file(input: &[u8]) {
    static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let bounds = (0..40_u64).map(|number| (number * number * 977, Bounds::OPEN));
        let path = folder().join("whole.proved");
        ProvedBounds::from_bounds(bounds).save(&path, &Morris::default()).expect("proved positions");
        std::fs::read(&path).expect("proved positions")
    });
    const START: usize = 40;
    /// Where the header ends, and what follows it, unpacked.
    static PLAIN: LazyLock<(usize, Vec<u8>)> = LazyLock::new(|| {
        let end = START + WHOLE[START..].iter().position(|&byte| byte == b'\n').expect("a header") + 1;
        (end, zstd::decode_all(&WHOLE[end..]).expect("whole"))
    });
    let Some((&first, edits)) = input.split_first() else { return };
    let mut bytes = match first % 4 {
        0 => edited(&WHOLE, edits),
        _ => {
            let (end, plain) = &*PLAIN;
            let packed = zstd::encode_all(&edited(plain, edits)[..], 1).expect("in memory");
            // The header may say another number of positions.
            let head = if first % 4 == 1 { WHOLE[..*end].to_vec() } else { counted(&WHOLE[..*end], first) };
            [head, packed].concat()
        }
    };
    if bytes.len() >= START && first & 128 == 0 {
        let check = blake3::hash(&bytes[START..]);
        bytes[8..START].copy_from_slice(check.as_bytes());
    }
    if let Ok(store) = ProvedBounds::parse(&bytes, &Morris::default()) {
        assert_eq!(store.iter().count(), store.len());
        assert!(store.iter().all(|(key, bounds)| store.get(key) == bounds));
        let _ = store.least_hands();
    }
}

fn counted(head: &[u8], count: u8) -> Vec<u8> {
    String::from_utf8_lossy(head)
        .replace("\"positions\":40", &format!("\"positions\":{}", count / 4))
        .into_bytes()
}

/// Tables of experience.
pub fn value_table_file(input: &[u8]) {
    static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let mut table = ValueTable::with_room(0);
        (0..50_u128).for_each(|code| table.add(CodeSlot::of(code * 7919), 3, 1));
        let header = ArtifactHeader {
            game: Othello::NAME.into(),
            settings: BTreeMap::new(),
            ..ArtifactHeader::default()
        };
        let path = folder().join("whole.values");
        save(&path, &header, &table).expect("a table of experience");
        std::fs::read(&path).expect("a table of experience")
    });
    let Some((&first, edits)) = input.split_first() else { return };
    let mut bytes = edited(&WHOLE, edits);
    if first % 4 != 0 && bytes.len() >= 32 {
        let end = bytes.len() - 32;
        let check = blake3::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(check.as_bytes());
    }
    if let Ok(loaded) = load(&file("x.values", &bytes), Othello::NAME) {
        assert_eq!(loaded.table.iter().count(), loaded.table.len());
        for (code, _) in loaded.table.iter() {
            let _ = loaded.table.get(CodeSlot::of(code));
        }
    }
}

/// Nodes of books.
pub fn book_node(bytes: &[u8]) {
    let Some(node) = Node::read(bytes) else { return };
    let again = Node::read(&node.write()).expect("what was written can be read");
    assert_eq!(again.write(), node.write());
}

/// Whole books, damaged anywhere.
pub fn book_file(edits: &[u8]) {
    static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let path = folder().join("whole.book");
        drop(Book::create(&path, &Othello::default(), false).expect("a book"));
        std::fs::read(&path).expect("a book")
    });
    // The store below books panics at some damage; that is caught where books are read, and only what is not caught counts.
    static QUIET: Once = Once::new();
    QUIET.call_once(|| std::panic::set_hook(Box::new(|_| {})));
    let path = file("x.book", &edited(&WHOLE, edits));
    let tried = catch_unwind(AssertUnwindSafe(|| {
        let Ok(book) = Book::open(&path, BookMode::Read) else { return };
        let Ok(reader) = book.reader() else { return };
        let _ = reader.statistics();
        let _ = reader.roots();
        let _ = reader.node(1);
    }));
    if let Err(panic) = tried {
        let _ = std::panic::take_hook();
        std::panic::resume_unwind(panic);
    }
}
