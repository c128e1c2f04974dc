//! Every reader of what comes from outside, fed with what fuzzing has found and with changes of it: the targets of `fuzz/`,
//! without counters of coverage, so that nothing has to be built for them. The same inputs on every machine.
//!
//! `fuzz/run` and `fuzz/long` look for new ones; `cargo test -p trilith --test fuzzed -- --ignored` keeps what they found.

#![allow(clippy::unwrap_used)]

#[path = "../../../fuzz/src/targets/mod.rs"]
mod targets;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rand::RngExt;
use targets::{TARGETS, Target};
use trilith_base::seed::{Rng, Seed};

/// Changed inputs for each target.
const CHANGED: u64 = 20_000;
const LONGEST: usize = 4096;
/// Bytes that stand at limits, and signs that texts are made of.
const SPECIAL: &[u8] = b"\0\x01\x7f\x80\xff\n\r\t \"'()[]{}<>,;:.=-+*/\\0123456789aAhHxX";

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(name)
}

/// All files of a folder, by name; none if there is no such folder.
fn files(folder: &Path) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> =
        fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(|path| fs::read(path).unwrap()).collect()
}

/// What fuzzing found for a target: a length of four bytes before each input, compressed.
fn found(name: &str) -> Vec<Vec<u8>> {
    let Ok(packed) = fs::read(folder("found").join(name)) else { return Vec::new() };
    let plain = zstd::decode_all(&packed[..]).unwrap();
    let (mut inputs, mut rest) = (Vec::new(), &plain[..]);
    while let Some((length, more)) = rest.split_first_chunk::<4>() {
        let (input, more) = more.split_at(u32::from_le_bytes(*length) as usize);
        inputs.push(input.to_vec());
        rest = more;
    }
    inputs
}

/// A place in `bytes`, or its end.
fn place(bytes: &[u8], rng: &mut Rng) -> usize {
    rng.random_range(0..=bytes.len())
}

/// Some bytes that stand side by side.
fn piece(bytes: &[u8], rng: &mut Rng) -> std::ops::Range<usize> {
    let start = place(bytes, rng);
    start..(start + rng.random_range(1..=16)).min(bytes.len())
}

/// One to six changes: bytes set, inserted, removed, doubled, or taken from another input.
fn changed(inputs: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let any = |rng: &mut Rng| &inputs[rng.random_range(0..inputs.len())];
    let mut bytes = any(rng).clone();
    for _ in 0..rng.random_range(1..=6) {
        let at = place(&bytes, rng);
        let special = SPECIAL[rng.random_range(0..SPECIAL.len())];
        match rng.random_range(0..7) {
            0 if at < bytes.len() => bytes[at] ^= 1 << rng.random_range(0..8),
            1 if at < bytes.len() => bytes[at] = special,
            2 => bytes.insert(at, special),
            3 => drop(bytes.drain(piece(&bytes, rng))),
            4 => {
                let again = bytes[piece(&bytes, rng)].to_vec();
                drop(bytes.splice(at..at, again));
            }
            5 => {
                let other = any(rng);
                drop(bytes.splice(at..at, other[piece(other, rng)].to_vec()));
            }
            _ if at < bytes.len() => bytes[at] = rng.random(),
            _ => bytes.truncate(at),
        }
    }
    bytes.truncate(LONGEST);
    bytes
}

/// Tries one input. At a fault the input is kept, and the name of its file returned.
fn fault(name: &str, target: Target, input: &[u8]) -> Option<String> {
    catch_unwind(AssertUnwindSafe(|| target.try_input(input))).err().map(|panic| {
        let path = folder("artifacts").join(format!("{name}-fault"));
        fs::create_dir_all(folder("artifacts")).unwrap();
        fs::write(&path, input).unwrap();
        let said = panic.downcast_ref::<String>().map_or("it panicked", |said| said);
        format!("{name}: {said}; the input is {}", path.display())
    })
}

fn first_fault(name: &str, target: Target) -> Option<String> {
    let mut inputs = files(&folder("seeds").join(name));
    inputs.extend(found(name));
    inputs.push(Vec::new());
    let mut rng = Seed(1).derive(name, 0).rng();
    let known = inputs.iter().find_map(|input| fault(name, target, input));
    known.or_else(|| (0..CHANGED).find_map(|_| fault(name, target, &changed(&inputs, &mut rng))))
}

#[test]
fn whatever_is_read_panics_nowhere_and_is_read_back_the_same() {
    let next = AtomicUsize::new(0);
    let work = || {
        std::iter::from_fn(|| TARGETS.get(next.fetch_add(1, Relaxed)))
            .filter_map(|&(name, target)| first_fault(name, target))
            .collect::<Vec<_>>()
    };
    let faults = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect::<Vec<_>>()
    });
    fs::remove_dir_all(targets::edits::folder()).unwrap();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_target_has_inputs_to_begin_with() {
    let poor: Vec<_> = TARGETS.iter().map(|&(name, _)| name).filter(|name| found(name).len() < 5).collect();
    assert!(poor.is_empty(), "{poor:?}");
}

/// Packs `fuzz/corpus/` into `fuzz/found/`.
#[test]
#[ignore = "writes what `fuzz/run` found into the repository"]
fn keep_what_was_found() {
    fs::create_dir_all(folder("found")).unwrap();
    for (name, _) in TARGETS {
        let mut inputs = files(&folder("corpus").join(name));
        inputs.extend(found(name));
        inputs.sort();
        inputs.dedup();
        let plain: Vec<u8> = inputs
            .iter()
            .flat_map(|input| [&(input.len() as u32).to_le_bytes()[..], input].concat())
            .collect();
        fs::write(folder("found").join(name), zstd::encode_all(&plain[..], 19).unwrap()).unwrap();
    }
}
