//! Files that anybody may have made: no panic, no memory that the size does not explain, and what is read is written and read
//! back the same. Where a checksum would keep the fuzzer out it is made right first.

#[allow(dead_code)]
#[path = "../../crates/server/src/backup/tar.rs"]
mod tar;

use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::sync::LazyLock;

use trilith_base::Artifact;
use trilith_base::artifact::Header as ArtifactHeader;
use trilith_book::{Book, Mode as Access, Node};
use trilith_eval::{abalone, morris, othello};
use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;
use trilith_games::othello::Othello;
use trilith_games::{Colour, Game, Record};
use trilith_learn::data::GameColumns;
use trilith_learn::data::blocks::Layout;
use trilith_learn::data::positions::PositionColumns;
use trilith_learn::training::Training;
use trilith_tablebase::motion::Motion;
use trilith_tablebase::placing::Store;
use trilith_tablebase::{Header, Mode, Subspace, Table};

/// A file of this process, in memory where the system has a place for it.
fn place(name: &str) -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    let folder = if memory.is_dir() { memory } else { std::env::temp_dir() };
    folder.join(format!("trilith-fuzz-{}-{name}", std::process::id()))
}

/// `whole` with other bytes in it, three of the input for each: where and what. An odd one cuts the end off.
fn damaged(whole: &[u8], input: &[u8]) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    let changes = input.chunks_exact(3);
    if let [low, high] = changes.remainder() {
        bytes.truncate(usize::from(u16::from_le_bytes([*low, *high])) * bytes.len() / 0xffff);
    }
    for change in changes {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]]));
        if let Some(byte) = bytes.get_mut(at) {
            *byte = change[2];
        }
    }
    bytes
}

/// A learned file.
pub fn artifact(bytes: &[u8]) {
    let Ok(artifact) = Artifact::parse(bytes) else { return };
    let written = artifact.bytes().expect("what was read can be written");
    assert_eq!(Artifact::parse(&written).expect("what was written can be read"), artifact);
}

/// A learned file of another program, for which no checksum is asked: a text, a zero, and numbers.
pub fn foreign_artifact(bytes: &[u8]) {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let (text, data) = bytes.split_at(end);
    let data = data.get(1..).unwrap_or_default();
    let path = place("artifact");
    fs::write(&path, [&(text.len() as u64).to_le_bytes(), text, data].concat())
        .expect("a file can be written");
    let header: ArtifactHeader = serde_json::from_str(
        r#"{"format":1,"kind":"mlp","game":"othello","rules":"","features":"","settings":{},"provenance":{}}"#,
    )
    .expect("a header");
    let Ok(artifact) = Artifact::load_plain(&path, header) else { return };
    let written = artifact.bytes().expect("what was read can be written");
    // Numbers that are none differ from themselves: the bytes are compared.
    let again = Artifact::parse(&written).expect("what was written can be read");
    assert_eq!(again.bytes().expect("it can be written"), written);
}

/// A file that is said to be a backup: no endless reading, and never more content than there are bytes.
pub fn backup(bytes: &[u8]) {
    let mut reader = tar::Reader::new(bytes);
    let mut total = 0;
    while let Ok(Some((_, size))) = reader.next() {
        let mut content = Vec::new();
        if reader.content(size).read_to_end(&mut content).is_err() {
            break;
        }
        total += content.len();
        assert!(total <= bytes.len());
    }
}

/// A table of Morris with three stones each, all blocks alike, with right checksums.
struct Whole {
    bytes: Vec<u8>,
    header: Header,
    subspace: Subspace,
    rules: String,
}

const PAGE: usize = 4096;
const ENTRY: usize = 12;
const MAGIC: usize = 8;
const CHECKED: usize = MAGIC + blake3::OUT_LEN;

static TABLE: LazyLock<Whole> = LazyLock::new(|| {
    let subspace = Subspace::new(3, 3).expect("there is one");
    let rules = Motion::of(&Default::default()).name();
    let header = Header::new(&rules, Mode::Wdl, subspace, 0);
    let mut page = serde_json::to_vec(&header).expect("a header is plain data");
    page.resize(PAGE - CHECKED, b' ');
    let mut blocks = Vec::new();
    for block in 0..header.blocks() {
        let bytes = (header.slots.div_ceil(4) - 4096 * block).min(4096) as usize;
        let packed = zstd::bulk::compress(&vec![0b00_10_01_00; bytes], 1).expect("it can be packed");
        page.extend((packed.len() as u32).to_le_bytes());
        page.extend(&blake3::hash(&packed).as_bytes()[..8]);
        blocks.extend(packed);
    }
    let bytes = [b"TRILTB1\n", &blake3::hash(&page).as_bytes()[..], &page, &blocks].concat();
    Whole { bytes, header, subspace, rules }
});

/// Makes the checksums of a table right, as far as it has the parts.
fn seal_table(bytes: &mut [u8], blocks: u64) {
    let start = PAGE + blocks as usize * ENTRY;
    let mut from = start;
    for entry in (PAGE..start).step_by(ENTRY) {
        let Some(length) = bytes.get(entry..entry + 4) else { return };
        let to = from + u32::from_le_bytes(length.try_into().expect("four bytes")) as usize;
        let Some(block) = bytes.get(from..to) else { break };
        let check = blake3::hash(block);
        bytes[entry + 4..entry + ENTRY].copy_from_slice(&check.as_bytes()[..8]);
        from = to;
    }
    if let Some(checked) = bytes.get(CHECKED..start) {
        let check = blake3::hash(checked);
        bytes[MAGIC..CHECKED].copy_from_slice(check.as_bytes());
    }
}

/// A damaged table: refused, or every slot that can be asked has a value.
pub fn table(input: &[u8]) {
    let Some((&first, input)) = input.split_first() else { return };
    let mut bytes = damaged(&TABLE.bytes, input);
    if first & 1 == 0 {
        seal_table(&mut bytes, TABLE.header.blocks());
    }
    let path = place("table");
    fs::write(&path, bytes).expect("a file can be written");
    let Ok(table) = Table::open(&path, TABLE.subspace, &TABLE.rules) else { return };
    let slots = TABLE.header.slots;
    for slot in [0, slots / 3, slots / 2, slots - 1] {
        let _ = table.plies(slot);
    }
    let _ = table.read_class(u32::from(first), &mut Vec::new());
    if first & 2 == 0 && table.keep_in_memory().is_ok() {
        assert!(table.plies(slots - 1).is_ok());
    }
}

/// A proof of the placing phase with its checksum right: the packed part is the input.
pub fn placing(input: &[u8]) {
    let Some((&first, input)) = input.split_first() else { return };
    let header = format!(
        "{{\"game\":\"morris\",\"rules\":\"standard\",\"double_mill\":1,\"least_hands\":0,\"positions\":{first}}}\n"
    );
    let packed = match first & 128 == 0 {
        true => zstd::bulk::compress(input, 1).expect("it can be packed"),
        false => input.to_vec(),
    };
    let rest = [header.as_bytes(), &packed].concat();
    let bytes = [b"TRILPP1\n", &blake3::hash(&rest).as_bytes()[..], &rest].concat();
    let Ok(store) = Store::parse(&bytes, &Morris::default()) else { return };
    assert_eq!(store.len(), usize::from(first));
    assert!(store.iter().is_sorted_by_key(|(key, _)| key));
}

/// A node of a book.
pub fn book_node(bytes: &[u8]) {
    let Some(node) = Node::read(bytes) else { return };
    let written = node.write();
    assert_eq!(Node::read(&written).expect("what was written can be read").write(), written);
    assert!([node.proved, node.ended].into_iter().flatten().all(|result| (-1..=1).contains(&result)));
}

static BOOK: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let path = place("whole-book");
    let _ = fs::remove_file(&path);
    let book = Book::create(&path, &Othello::default(), false).expect("a book can be made");
    for (moves, winner) in [(["f5", "d6", "c3"], Colour::Black), (["f5", "f6", "e6"], Colour::White)] {
        let mut record = Record::new(Othello::default());
        moves.iter().for_each(|mv| drop(record.push_text(mv)));
        book.update(|draft| draft.add(&record, Some(winner))).expect("a game can be added");
    }
    drop(book);
    fs::read(&path).expect("it is there")
});

/// A damaged book: refused, or it can be asked.
pub fn book(input: &[u8]) {
    let path = place("book");
    fs::write(&path, damaged(&BOOK, input)).expect("a file can be written");
    let Ok(book) = Book::open(&path, Access::Read) else { return };
    let Ok(reader) = book.reader() else { return };
    let _ = reader.look(&Record::new(Othello::default()));
}

/// So many columns: first their lengths but the last.
fn columns(bytes: &[u8], count: usize) -> Option<Vec<Vec<u8>>> {
    let (lengths, mut rest) = bytes.split_at_checked(2 * (count - 1))?;
    let mut columns = Vec::new();
    for length in lengths.chunks_exact(2) {
        let (column, after) = rest.split_at_checked(u16::from_le_bytes([length[0], length[1]]).into())?;
        columns.push(column.to_vec());
        rest = after;
    }
    columns.push(rest.to_vec());
    Some(columns)
}

/// A block of a file of games, of either version.
pub fn games(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let version = 2 + u32::from(first & 1);
    let count = GameColumns::columns(version).expect("a version that can be read");
    let Some(columns) = columns(rest, count) else { return };
    let Ok(games) = GameColumns::join(version, &columns) else { return };
    for game in &games {
        match first >> 6 {
            0 => drop(game.taught::<Othello, othello::Evaluations>()),
            1 => drop(game.taught::<Morris, morris::Evaluations>()),
            _ => drop(game.taught::<Abalone, abalone::Evaluations>()),
        }
    }
    let split = GameColumns::split(&games);
    let again = GameColumns::join(GameColumns::VERSION, &split).expect("what was written can be read");
    assert_eq!(again.len(), games.len());
    assert_eq!(GameColumns::split(&again), split);
}

/// A block of a file of positions, of either version.
pub fn positions(bytes: &[u8]) {
    fn block<G: Game, C: Training<G>>(version: u32, bytes: &[u8]) {
        let Some(columns) = columns(bytes, 4) else { return };
        let Ok(rows) = PositionColumns::<G, C>::join(version, &columns) else { return };
        let split = PositionColumns::<G, C>::split(&rows);
        let again = PositionColumns::<G, C>::join(PositionColumns::<G, C>::VERSION, &split);
        assert!(again.expect("what was written can be read") == rows);
        rows.iter().for_each(|row| row.game.validate(&row.position).expect("a position can be played from"));
    }
    let Some((&first, rest)) = bytes.split_first() else { return };
    let version = 1 + u32::from(first & 1);
    match first >> 6 {
        0 => block::<Othello, othello::Evaluations>(version, rest),
        1 => block::<Morris, morris::Evaluations>(version, rest),
        _ => block::<Abalone, abalone::Evaluations>(version, rest),
    }
}
