//! What was proved about the placing phase, kept in a file beside the tables.
//!
//! The file serves two ends: a proof that was stopped goes on from it, and players know the first moves without
//! searching. It begins with the magic word and the checksum of the rest; then come a line of JSON and, packed by zstd,
//! the keys in rising order, each as its distance from the one before with its bounds in the lowest four bits.

use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};
use trilith_base::files;
use trilith_games::Game;
use trilith_games::morris::{DoubleMill, Morris};

use super::key::{BITS, Key};
use super::memory::{Bounds, BoundsTable};
use crate::error::TablebaseError;
use crate::motion::Motion;

/// The name of the file by the rules of `game`. Placing knows one switch more than the tables do.
pub fn file_name(game: &Morris) -> &'static str {
    match game.rules().double_mill {
        DoubleMill::One => "placing.proved",
        DoubleMill::Two => "placing-double-mill-two.proved",
    }
}

const MAGIC: &[u8; 8] = b"TRILPP1\n";
const CHECK: usize = 32;
/// How hard zstd tries.
const LEVEL: i32 = 12;

#[derive(Serialize, Deserialize)]
struct Header {
    game: String,
    rules: String,
    double_mill: u32,
    /// Stones in hand that every position has at least.
    least_hands: u32,
    positions: u64,
}

/// Proved bounds by key.
pub struct ProvedBounds {
    /// Rising keys, each with its bounds above it.
    words: Vec<u64>,
}

fn rules(game: &Morris) -> (String, u32) {
    let double = if game.rules().double_mill == DoubleMill::Two { 2 } else { 1 };
    (Motion::of(game.rules()).name(), double)
}

impl ProvedBounds {
    /// All that `memory` knows of positions with at least so many stones in hand.
    pub fn of(memory: &BoundsTable, least_hands: u32) -> ProvedBounds {
        ProvedBounds::from_bounds(memory.iter(least_hands))
    }

    /// These positions; of bounds for the same one, what both say.
    pub fn from_bounds(bounds: impl IntoIterator<Item = (Key, Bounds)>) -> ProvedBounds {
        let mut all: Vec<_> = bounds.into_iter().collect();
        all.sort_unstable_by_key(|&(key, _)| key);
        let mut words: Vec<u64> = Vec::with_capacity(all.len());
        for (key, bounds) in all {
            let bounds = match words.last() {
                Some(last) if last & KEY == key => {
                    let both = bounds.and(Bounds::unpack(last >> BITS));
                    words.pop();
                    both
                }
                _ => bounds,
            };
            words.push(key | bounds.pack() << BITS);
        }
        ProvedBounds { words }
    }

    /// Stones in hand that every position has at least, `u32::MAX` without positions. Goes through all of them.
    pub fn least_hands(&self) -> u32 {
        self.iter().map(|(key, _)| super::hands(key)).min().unwrap_or(u32::MAX)
    }

    /// How many positions.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// All of them by rising key.
    pub fn iter(&self) -> impl Iterator<Item = (Key, Bounds)> + '_ {
        self.words.iter().map(|&word| (word & KEY, Bounds::unpack(word >> BITS)))
    }

    /// What is known of one.
    pub fn get(&self, key: Key) -> Bounds {
        let found = self.words.binary_search_by_key(&key, |word| word & KEY);
        found.map_or(Bounds::OPEN, |place| Bounds::unpack(self.words[place] >> BITS))
    }

    /// Writes the file.
    pub fn save(&self, path: &Path, game: &Morris) -> Result<(), TablebaseError> {
        let file = |source| TablebaseError::File { path: path.into(), source };
        let (rules, double_mill) = rules(game);
        let header = Header {
            game: Morris::NAME.into(),
            rules,
            double_mill,
            least_hands: if self.is_empty() { 0 } else { self.least_hands() },
            positions: self.words.len() as u64,
        };
        let mut rest = serde_json::to_vec(&header).map_err(|error| file(error.into()))?;
        rest.push(b'\n');
        rest.extend(zstd::bulk::compress(&self.packed(), LEVEL).map_err(file)?);
        let check = blake3::hash(&rest);
        files::write_whole(path, &[&MAGIC[..], check.as_bytes(), &rest].concat()).map_err(file)
    }

    fn packed(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut last = 0;
        for (key, bounds) in self.iter() {
            let mut number = u128::from(key - last) << 4 | u128::from(bounds.pack());
            while number >= 128 {
                bytes.push(number as u8 | 128);
                number >>= 7;
            }
            bytes.push(number as u8);
            last = key;
        }
        bytes
    }

    /// Reads the file, which must be whole and for the rules of `game`; none if there is none.
    pub fn load(path: &Path, game: &Morris) -> Result<Option<ProvedBounds>, TablebaseError> {
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(TablebaseError::File { path: path.into(), source }),
        };
        let refuse = |fault: String| TablebaseError::Refused { path: path.into(), fault };
        ProvedBounds::parse(&bytes, game).map(Some).map_err(refuse)
    }

    /// Reads the bytes of such a file; fails with what is wrong with them.
    pub fn parse(bytes: &[u8], game: &Morris) -> Result<ProvedBounds, String> {
        parse(bytes, game)
    }
}

const KEY: u64 = (1 << BITS) - 1;

fn parse(bytes: &[u8], game: &Morris) -> Result<ProvedBounds, String> {
    let rest = bytes
        .strip_prefix(MAGIC)
        .ok_or("these are no proved positions: it does not begin with `TRILPP1`".to_string())?;
    let (check, rest) = rest.split_at_checked(CHECK).ok_or("truncated in its checksum".to_string())?;
    if blake3::hash(rest).as_bytes() != check {
        return Err("corrupt or truncated: the checksum differs; prove it again".into());
    }
    let end = rest.iter().position(|&byte| byte == b'\n').ok_or("the header has no end".to_string())?;
    let header: Header = serde_json::from_slice(&rest[..end]).map_err(|error| format!("header: {error}"))?;
    let expected = rules(game);
    if (&header.rules, header.double_mill) != (&expected.0, expected.1) {
        let (rules, double) = expected;
        let Header { rules: found, double_mill, .. } = &header;
        return Err(format!(
            "it is for the rules `{found}` with {double_mill} for a double mill, not `{rules}` with {double}"
        ));
    }
    let packed = unzip(&rest[end + 1..]).map_err(|error| format!("unpacking: {error}"))?;
    let words = unpack(&packed, header.positions)?;
    match words.len() as u64 == header.positions {
        true => Ok(ProvedBounds { words }),
        false => Err(format!("{} positions instead of {}", words.len(), header.positions)),
    }
}

/// How much larger the file may become, and what it may have beyond that. Differences of keys hardly shrink: those that come
/// with the program become one and a half times as large.
const LARGER: u64 = 10;
const BEYOND: u64 = 64 << 10;

/// What was packed, if it is no bomb.
fn unzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let most = LARGER * bytes.len() as u64 + BEYOND;
    let mut plain = Vec::new();
    zstd::Decoder::with_buffer(bytes)?.take(most + 1).read_to_end(&mut plain)?;
    match plain.len() as u64 > most {
        true => {
            Err(std::io::Error::other(format!("it becomes more than {LARGER} times larger than its file")))
        }
        false => Ok(plain),
    }
}

/// The words of at most `most` positions.
fn unpack(bytes: &[u8], most: u64) -> Result<Vec<u64>, String> {
    let mut words = Vec::new();
    let (mut number, mut shift, mut last) = (0_u128, 0, 0);
    for &byte in bytes {
        if shift > 63 {
            return Err("a number is too long".into());
        }
        number |= u128::from(byte & 127) << shift;
        shift += 7;
        if byte < 128 {
            let key = u64::try_from(u128::from(last) + (number >> 4)).ok().filter(|&key| key <= KEY);
            let key = key.ok_or("a key is too large")?;
            if key == last && !words.is_empty() {
                return Err("a key comes twice".into());
            }
            if words.len() as u64 == most {
                return Err(format!("more than the {most} positions of its header"));
            }
            words.push(key | Bounds::unpack((number & 15) as u64).pack() << BITS);
            (last, number, shift) = (key, 0, 0);
        }
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_games::Outcome::{Draw, Win};

    /// A file with a right checksum, whatever is packed in it.
    fn sealed(positions: u64, packed: &[u8]) -> Vec<u8> {
        let header = format!(
            "{{\"game\":\"morris\",\"rules\":\"standard\",\"double_mill\":1,\"least_hands\":0,\"positions\":{positions}}}\n"
        );
        let rest = [header.as_bytes(), packed].concat();
        [&MAGIC[..], blake3::hash(&rest).as_bytes(), &rest].concat()
    }

    #[test]
    fn what_a_hostile_file_can_ask_for_is_bounded() {
        let parse = |positions, plain: &[u8]| {
            let packed = zstd::bulk::compress(plain, LEVEL).unwrap();
            ProvedBounds::parse(&sealed(positions, &packed), &Morris::default()).map(|store| store.len())
        };
        assert_eq!(parse(2, &[16, 16]), Ok(2));
        // A gibibyte of keys in some thirty kilobytes: little of it is ever unpacked.
        let nothing = std::io::repeat(16).take(1 << 30);
        let bomb = zstd::encode_all(nothing, 1).unwrap();
        assert!(bomb.len() < 1 << 17, "{}", bomb.len());
        let fault = ProvedBounds::parse(&sealed(1 << 30, &bomb), &Morris::default()).err().unwrap();
        assert!(fault.contains("10 times larger"), "{fault}");
        assert!(parse(1, &[16, 16]).unwrap_err().contains("more than the 1 positions"));
        assert!(parse(3, &[16, 16]).unwrap_err().contains("2 positions instead of 3"));
        assert!(parse(2, &[16, 0]).unwrap_err().contains("twice"));
        // A difference that leads past the last key, and past what fits into 64 bits.
        let [far, farther] = [9, 10].map(|length| [&vec![255; length - 1][..], &[127]].concat());
        assert!(parse(2, &[&[16][..], &far].concat()).unwrap_err().contains("too large"));
        assert!(parse(2, &[&[16][..], &farther].concat()).unwrap_err().contains("too l"));
    }

    #[test]
    fn what_is_saved_is_loaded_and_damage_is_refused() {
        let memory = BoundsTable::new(1);
        let drawn = Bounds::OPEN.with(Win, false).with(Draw, true);
        let keys: Vec<u64> = (1..2000).map(|n: u64| ((n % 9 + 1) << 48) | (n * n * 7919)).collect();
        keys.iter().for_each(|&key| memory.put(key, drawn));
        let path = std::env::temp_dir().join(format!("trilith-proved-{}", std::process::id()));
        let game = Morris::default();
        assert!(ProvedBounds::load(&path, &game).unwrap().is_none());
        let store = ProvedBounds::of(&memory, 3);
        store.save(&path, &game).unwrap();
        let loaded = ProvedBounds::load(&path, &game).unwrap().unwrap();
        assert_eq!(loaded.words, store.words);
        let wanted = keys.iter().filter(|&&key| super::super::hands(key) >= 3).count();
        assert_eq!((loaded.len(), loaded.is_empty()), (wanted, false));
        assert_eq!((loaded.get(keys[10]), loaded.get(7)), (drawn, Bounds::OPEN));
        assert_eq!((loaded.least_hands(), ProvedBounds::from_bounds([]).least_hands()), (3, u32::MAX));
        let halves = [(9, Bounds::OPEN.with(Win, false)), (4, drawn), (9, Bounds::OPEN.with(Draw, true))];
        assert_eq!(ProvedBounds::from_bounds(halves).iter().collect::<Vec<_>>(), [(4, drawn), (9, drawn)]);
        let whole = std::fs::read(&path).unwrap();
        let refused = |bytes: &[u8], game: &Morris| {
            std::fs::write(&path, bytes).unwrap();
            ProvedBounds::load(&path, game).err().unwrap().to_string()
        };
        assert!(refused(b"x", &game).ends_with("does not begin with `TRILPP1`"));
        assert!(refused(&whole[..20], &game).ends_with("truncated in its checksum"));
        assert!(refused(&whole[..whole.len() - 1], &game).contains("checksum differs"));
        let thesis = Morris::new("thesis".parse().unwrap());
        assert!(
            refused(&whole, &thesis).contains("for the rules `standard`"),
            "{}",
            refused(&whole, &thesis)
        );
        let double = Morris::new("double-mill=two".parse().unwrap());
        assert!(refused(&whole, &double).contains("not `standard` with 2"));
        std::fs::remove_file(path).unwrap();
    }
}
