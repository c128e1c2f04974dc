//! Every entry derived again from its successors, by the rules of the game and not by those of the builder.
//!
//! With distances this is a proof: an entry of `n` plies follows from entries of fewer, down to ended games. Without
//! them it is a check: a set of wins that only lead to each other would pass.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rand::RngExt;
use serde::Serialize;
use trilith_base::Seed;
use trilith_games::morris::{Morris, Position};
use trilith_games::{Colour, Game, MoveList, Outcome};

use crate::error::TablebaseError;
use crate::file::{Counts, TableFile, TableMode};
use crate::subspace::Index;
use crate::tables::{TablebaseValue, Tables};

/// The result for one table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// Such as `5-3`.
    pub subspace: crate::subspace::Subspace,
    /// Entries derived again.
    pub checked: u64,
    /// Entries that were wrong.
    pub wrong: u64,
    /// The first of them, in words; also if the counts in the header are wrong.
    pub fault: Option<String>,
}

/// How much to check.
#[derive(Clone, Copy, Debug)]
pub enum Extent {
    /// Every slot, and the counts in the header.
    Complete,
    /// So many slots by lot.
    Sample(u64, Seed),
}

/// Checks one table of `tables` on `threads` threads. Errors are files that cannot be read or are corrupt.
pub fn verify(
    tables: &Tables,
    game: &Morris,
    table: &TableFile,
    extent: Extent,
    threads: usize,
) -> Result<Verified, TablebaseError> {
    let work = Check { tables, game, table, wrong: AtomicU64::new(0), fault: Mutex::new(None) };
    let slots = table.subspace().slots();
    let checked = match extent {
        Extent::Complete => slots,
        Extent::Sample(number, _) => number,
    };
    work.on_threads(threads, checked, |number| match extent {
        Extent::Complete => number,
        Extent::Sample(_, seed) => seed.derive("slot", number).rng().random_range(0..slots),
    })?;
    if matches!(extent, Extent::Complete) {
        work.check_counts()?;
    }
    let fault = work.fault.into_inner().expect("no thread panics");
    Ok(Verified { subspace: table.subspace(), checked, wrong: work.wrong.into_inner(), fault })
}

struct Check<'a> {
    tables: &'a Tables,
    game: &'a Morris,
    table: &'a TableFile,
    wrong: AtomicU64,
    fault: Mutex<Option<String>>,
}

impl Check<'_> {
    fn on_threads(
        &self,
        threads: usize,
        all: u64,
        slot: impl Fn(u64) -> u64 + Sync,
    ) -> Result<(), TablebaseError> {
        const PORTION: u64 = 4096;
        let next = AtomicU64::new(0);
        let work = || {
            loop {
                let first = next.fetch_add(PORTION, Relaxed);
                if first >= all {
                    return Ok(());
                }
                (first..(first + PORTION).min(all)).try_for_each(|number| self.check(slot(number)))?;
            }
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
            threads.into_iter().try_for_each(|thread| thread.join().expect("a check does not panic"))
        })
    }

    fn check(&self, slot: u64) -> Result<(), TablebaseError> {
        let (own, other) = self.table.subspace().stones_of(slot);
        let position = Position::moving(own, other, Colour::White);
        let found = TablebaseValue::of(self.table.plies(slot)?, self.table.header().mode);
        let expected = self.derive(&position)?;
        let is_right = match self.table.header().mode {
            TableMode::Distance => found == expected,
            TableMode::Wdl => found.outcome == expected.outcome,
        };
        if !is_right {
            self.wrong.fetch_add(1, Relaxed);
            let text = self.game.position_text(&position);
            self.note(format!("{text}: the table says {found:?}, its successors {expected:?}"));
        }
        Ok(())
    }

    fn note(&self, fault: String) {
        self.fault.lock().expect("no thread panics").get_or_insert(fault);
    }

    /// The value by the values of all successors. What a wdl table leads to has no plies.
    fn derive(&self, position: &Position) -> Result<TablebaseValue, TablebaseError> {
        if self.game.outcome(position) == Some(Outcome::Loss) {
            return Ok(TablebaseValue::LOST);
        }
        let mut moves = MoveList::new();
        self.game.moves(position, &mut moves);
        let mut best: Option<TablebaseValue> = None;
        for &mv in &moves {
            let value = self.tables.value(&self.game.play(position, mv))?.before();
            if best.is_none_or(|best| value.preference() > best.preference()) {
                best = Some(value);
            }
        }
        Ok(best.map_or(TablebaseValue::LOST, |best| match best.outcome {
            Outcome::Draw => TablebaseValue { plies: None, ..best },
            _ => best,
        }))
    }

    fn check_counts(&self) -> Result<(), TablebaseError> {
        let (subspace, header) = (self.table.subspace(), self.table.header());
        let index = Index::new(subspace);
        let mut counts = Counts::default();
        let mut plies = Vec::new();
        for class in 0..(subspace.slots() / u64::from(subspace.width())) as u32 {
            self.table.read_class(class, &mut plies)?;
            index.each_counting(class, |rank| counts.add(plies[rank as usize], header.mode));
        }
        if counts != header.counts {
            self.note(format!("the header counts {:?}, the entries are {counts:?}", header.counts));
        }
        Ok(())
    }
}
