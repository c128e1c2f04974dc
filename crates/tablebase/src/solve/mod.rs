//! Retrograde analysis of the twins `a-b` and `b-a` (S2, chapter 3, after Gasser), one class of slots at a time.
//!
//! A quiet move of one side leaves the stones of the other where they are. So if slots are grouped by the stones of
//! the side that waits, all slots that a settled position can be reached from lie in one group, a few thousand cells
//! that fit into the fastest cache; and there the stones are numbered among the free points, with no symmetry to
//! think of. Only once, when it is settled, must a position be looked up in the order of the other table, and
//! announced there by one bit.
//!
//! Each round settles the positions with one more ply to the end; the rest, when nothing more follows, is drawn.

mod advance;
mod arrivals;
mod begin;
pub mod cell;
mod queue;
mod side;
mod store;

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use crate::error::TablebaseError;
use crate::file;
use crate::motion::Motion;
use crate::subspace::Subspace;
use advance::Advance;
use arrivals::Arrivals;
use begin::{Captures, FirstStates};
use cell::{DRAW, SlotCell, drawn};
use queue::{CellQueue, ClassQueue, on_threads};
use side::Side;
use store::CellStore;

/// What a builder may use.
#[derive(Clone, Copy, Debug)]
pub struct Means<'a> {
    /// Threads at work at once.
    pub threads: usize,
    /// Bytes of memory for the tables being solved.
    pub memory: u64,
    /// Where slices go if the tables need more.
    pub folder: &'a Path,
}

/// A pair of tables being solved, or one table that is its own twin.
pub struct Pair<C> {
    tables: Vec<Table>,
    stores: Vec<CellStore<C>>,
    threads: usize,
    round: u32,
    longest: u32,
}

/// One table and its news, without its cells.
struct Table {
    side: Side,
    arrivals: Arrivals,
    next: Arrivals,
    dues: Vec<AtomicU16>,
}

/// Bytes that a pair takes in all, and what it cannot do without.
fn needs<C: SlotCell>(subspaces: &[Subspace]) -> (u64, u64) {
    let cells: u64 = subspaces.iter().map(|space| space.slots() * size_of::<C>() as u64).sum();
    let classes = |space: &Subspace| (space.slots() / u64::from(space.width())) as u32;
    let news: u64 = subspaces.iter().map(|space| 2 * Arrivals::bytes(classes(space), space.width())).sum();
    let class = subspaces.iter().map(|space| u64::from(space.width()) * size_of::<C>() as u64).max();
    (news + cells, news + class.unwrap_or(0))
}

impl<C: SlotCell> Pair<C> {
    /// The state before the first round. `child(subspace)` opens what captures lead to.
    pub fn begin<'t>(
        subspace: Subspace,
        motion: Motion,
        means: Means<'_>,
        child: impl Fn(Subspace) -> Result<&'t file::TableFile, TablebaseError>,
    ) -> Result<Pair<C>, TablebaseError> {
        let mut subspaces = vec![subspace, subspace.twin()];
        subspaces.dedup();
        let (all, least) = needs::<C>(&subspaces);
        if means.memory < least {
            return Err(TablebaseError::Memory { subspace, least, given: means.memory });
        }
        let store = |side: &Side| match means.memory >= all {
            true => CellStore::in_memory(side),
            // One slice at a time, of either table, is in memory.
            false => CellStore::on_disk(side, (means.memory - least) / subspaces.len() as u64, means.folder),
        };
        let table = |&subspace: &Subspace| {
            let side = Side::new(subspace, motion);
            let news = || Arrivals::new(side.waiting.count(), side.width() as u32);
            let dues = (0..side.waiting.count()).map(|_| AtomicU16::new(u16::MAX)).collect();
            Table { arrivals: news(), next: news(), dues, side }
        };
        let tables: Vec<_> = subspaces.iter().map(table).collect();
        let stores = tables.iter().map(|table| store(&table.side)).collect();
        let mut pair = Pair { tables, stores, threads: means.threads, round: 0, longest: 0 };
        for (number, subspace) in subspaces.iter().enumerate() {
            let child = subspace.after_capture().map(&child).transpose()?;
            pair.begin_table(number, child)?;
        }
        Ok(pair)
    }

    fn begin_table(&mut self, number: usize, child: Option<&file::TableFile>) -> Result<(), TablebaseError> {
        let threads = self.threads;
        let (table, twin) = (&self.tables[number], &self.tables[self.tables.len() - 1 - number]);
        let width = table.side.width();
        self.stores[number].fill(|classes, cells| {
            let closers = ClassQueue::new(twin.side.waiting.count());
            let shared = C::share(cells);
            let captures: Captures<'_, C> = Captures {
                twin: &twin.side,
                child,
                closers: &closers,
                cells: shared,
                classes: classes.clone(),
                width,
            };
            on_threads(threads, &captures).into_iter().collect::<Result<(), _>>()?;
            let queue = CellQueue::new(cells, classes.start, width);
            let begin =
                FirstStates { side: &table.side, queue: &queue, news: &twin.arrivals, dues: &table.dues };
            on_threads(threads, &begin);
            Ok(())
        })
    }

    /// Plays one round; false if nothing was settled and nothing can follow.
    pub fn advance(&mut self) -> Result<bool, TablebaseError> {
        self.round += 1;
        if self.round > C::MOST_PLIES {
            return Err(TablebaseError::TooLong {
                subspace: self.tables[0].side.subspace,
                most: C::MOST_PLIES,
            });
        }
        let mut settled = 0;
        for number in 0..self.tables.len() {
            settled += self.advance_table(number)?;
        }
        if settled > 0 {
            self.longest = self.round;
        }
        for table in &mut self.tables {
            std::mem::swap(&mut table.arrivals, &mut table.next);
        }
        let is_due = |table: &Table| table.dues.iter().any(|due| due.load(Relaxed) != u16::MAX);
        Ok(settled > 0 || self.tables.iter().any(is_due))
    }

    fn advance_table(&mut self, number: usize) -> Result<u64, TablebaseError> {
        let (threads, round) = (self.threads, self.round);
        let (table, twin) = (&self.tables[number], &self.tables[self.tables.len() - 1 - number]);
        let is_wanted = |mut classes: Range<u32>| {
            let is_due = |class: u32| u32::from(table.dues[class as usize].load(Relaxed)) == round;
            classes.any(|class| is_due(class) || table.arrivals.concern(class))
        };
        let mut settled = 0;
        self.stores[number].change(is_wanted, |classes, cells| {
            let queue = CellQueue::new(cells, classes.start, table.side.width());
            let (arrivals, news) = (&table.arrivals, &twin.next);
            let work = Advance { side: &table.side, queue: &queue, round, arrivals, news, dues: &table.dues };
            settled += on_threads(threads, &work).into_iter().sum::<u64>();
        })?;
        Ok(settled)
    }

    /// The number of the last round.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// The most plies to the end of any position, with distances; rounds if not.
    pub fn longest(&self) -> u32 {
        self.longest
    }

    /// Gives every table's plies away, class by class, in order of slots. Without distances a win has 1, a loss 0.
    pub fn finish(
        self,
        mut give: impl FnMut(Subspace, u32, &[u16]) -> Result<(), TablebaseError>,
    ) -> Result<(), TablebaseError> {
        let plies = |cell: &C| match cell.raw() {
            raw if raw >> C::BITS > 0 || raw == drawn::<C>() => DRAW,
            raw => raw as u16,
        };
        for (table, mut store) in self.tables.iter().zip(self.stores) {
            let (width, subspace) = (table.side.width(), table.side.subspace);
            let mut values = Vec::new();
            store.drain(|classes, cells| {
                classes.zip(cells.chunks(width)).try_for_each(|(class, cells)| {
                    values.clear();
                    values.extend(cells.iter().map(plies));
                    give(subspace, class, &values)
                })
            })?;
        }
        Ok(())
    }
}
