//! One program for all fuzz targets, so that all of them are linked once: `FUZZ_TARGET=morris_rules trilith-fuzz
//! [libFuzzer's options] CORPUS`, or without a target their names. Built with `FUZZ_ONLY=morris_rules` it is that one.
//! `fuzz/run` and `fuzz/long` do the rest.
#![no_main]

mod targets;

use std::sync::LazyLock;

use targets::{TARGETS, Target};

/// The only target of this program, if it was built for one: libFuzzer looks at all counters of a program after every
/// input, and those of 34 targets cost ten times what a quick one does itself.
const ONLY: Option<Target> = match option_env!("FUZZ_ONLY") {
    Some(name) => Some(TARGETS[place(name)].1),
    None => None,
};

/// Where a target is in the list.
const fn place(name: &str) -> usize {
    let mut at = 0;
    while !same(TARGETS[at].0.as_bytes(), name.as_bytes()) {
        at += 1;
    }
    at
}

/// Whether two names are the same, asked by the compiler.
const fn same(one: &[u8], two: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < two.len() && one[at] == two[at] {
        at += 1;
    }
    at == one.len() && at == two.len()
}

/// The target that was asked for.
static CHOSEN: LazyLock<Target> = LazyLock::new(|| match ONLY {
    Some(only) => only,
    None => asked(),
});

/// By its name; without one all names are printed.
fn asked() -> Target {
    let asked = std::env::var("FUZZ_TARGET").unwrap_or_default();
    let found = TARGETS.into_iter().find(|(name, _)| *name == asked);
    found.map(|(_, target)| target).unwrap_or_else(|| {
        TARGETS.iter().for_each(|(name, _)| println!("{name}"));
        std::process::exit(i32::from(!asked.is_empty()))
    })
}

libfuzzer_sys::fuzz_target!(
    init: { LazyLock::force(&CHOSEN); },
    |bytes: &[u8]| CHOSEN.try_input(bytes)
);
