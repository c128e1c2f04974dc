//! One round: what follows from the positions settled in the round before.
//!
//! In round `n` exactly the positions with `n` plies to the end are settled: in odd rounds those with a move to a
//! position lost in the round before, in even rounds those whose last open move was answered by a win. Captures join
//! in the round that their value asks for.

use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use super::arrivals::Arrivals;
use super::cell::{SlotCell, drawn};
use super::queue::CellQueue;
use super::side::{Side, SlotBlock};
use crate::cpu::{Gather, GatherWork};
use crate::motion;

/// The round for one table.
pub struct Advance<'a, C> {
    pub side: &'a Side,
    pub queue: &'a CellQueue<'a, C>,
    pub round: u32,
    /// What was settled in the other table in the round before.
    pub arrivals: &'a Arrivals,
    /// What is settled now, for the other table's next round.
    pub news: &'a Arrivals,
    /// By class: the next round in which a capture is due.
    pub dues: &'a [AtomicU16],
}

impl<C: SlotCell> GatherWork for &Advance<'_, C> {
    /// How many slots were settled.
    type Output = u64;

    #[inline(always)]
    fn run<P: Gather>(self, gather: P) -> u64 {
        let mut settled = Vec::new();
        let mut count = 0;
        while let Some(portion) = self.queue.take() {
            for (class, cells) in portion {
                let is_due = u32::from(self.dues[class as usize].load(Relaxed)) == self.round;
                if !is_due && !self.arrivals.concern(class) {
                    continue;
                }
                settled.clear();
                if is_due {
                    self.look_at_captures(class, cells, &mut settled);
                }
                let block = self.side.block(class);
                self.look_at_arrivals(gather, &block, cells, &mut settled);
                count += settled.len() as u64;
                self.announce(gather, &block, &settled);
            }
        }
        count
    }
}

impl<C: SlotCell> Advance<'_, C> {
    /// Whether the cell is settled by one more successor.
    #[inline(always)]
    fn settles(&self, cell: &mut C) -> bool {
        let raw = cell.raw();
        if raw >> C::BITS == 0 {
            return false;
        }
        if self.round.is_multiple_of(2) && raw >> C::BITS > 1 {
            *cell = C::of(raw - (1 << C::BITS));
            return false;
        }
        *cell = C::of(C::result(self.round));
        true
    }

    /// Slots whose best capture is due, and the round of the next.
    #[inline(always)]
    fn look_at_captures(&self, class: u32, cells: &mut [C], settled: &mut Vec<u32>) {
        const TOGETHER: usize = 64;
        let due = |cell: C| {
            let (open, result) = (cell.raw() >> C::BITS, cell.raw() & drawn::<C>());
            if open == 0 || result == drawn::<C>() { u32::MAX } else { C::due(result) }
        };
        let mut next = u32::MAX;
        for (first, group) in (0..).step_by(TOGETHER).zip(cells.chunks_mut(TOGETHER)) {
            let mut any = false;
            for &cell in group.iter() {
                let due = due(cell);
                any |= due == self.round;
                next = next.min(if due > self.round { due } else { u32::MAX });
            }
            if any {
                for (rank, cell) in (first..).zip(group) {
                    if due(*cell) == self.round && self.settles(cell) {
                        settled.push(rank);
                    }
                }
            }
        }
        self.dues[class as usize].store(next.min(u16::MAX.into()) as u16, Relaxed);
    }

    #[inline(always)]
    fn look_at_arrivals<P: Gather>(
        &self,
        gather: P,
        block: &SlotBlock,
        cells: &mut [C],
        settled: &mut Vec<u32>,
    ) {
        let (side, grid, flies) = (self.side, self.side.motion.grid(), self.side.flies());
        self.arrivals.take(block.class, |rank| {
            let stones = gather.scatter(side.words[rank as usize], block.free);
            // A stone in a mill closed it by coming: that was a capture.
            let movable = if block.takes { stones & !grid.in_mills(stones) } else { stones };
            motion::each_before(grid, stones, movable, block.free & !stones, flies, |before| {
                let rank = side.numbering.rank(gather.gather(before, block.free));
                if self.settles(&mut cells[rank as usize]) {
                    settled.push(rank);
                }
            });
        });
    }

    #[inline(always)]
    fn announce<P: Gather>(&self, gather: P, block: &SlotBlock, settled: &[u32]) {
        for &rank in settled {
            let stones = gather.scatter(self.side.words[rank as usize], block.free);
            self.side.turn(gather, block, stones, |class, rank| self.news.set(class, rank));
        }
    }
}
