//! What is known before any quiet move: captures, blocked sides, and how many successors are open.
//!
//! A capture goes through a half-way position: the mill is closed, the stone not yet taken. Its value, the best of all
//! takings, is worked out first, class by class of the closing side (the order of the smaller subspace, so that it is
//! read once), and put into the cell where the position *after* closing has its slot. Then each class of slots is
//! begun: a slot looks for its closing moves' values among its neighbours.

use std::ops::Range;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use trilith_games::morris::points;

use super::arrivals::Arrivals;
use super::cell::{DRAW, SlotCell, drawn};
use super::queue::{CellQueue, ClassQueue};
use super::side::{Side, SlotBlock};
use crate::cpu::{Gather, GatherWork};
use crate::error::TablebaseError;
use crate::file::TableFile;
use crate::motion;
use crate::numbering::Numbering;

/// Plies as a number that rises with how good they are: early wins first, then draws, then late losses.
type Worth = i16;
const END: Worth = 1 << 10;

/// What the side that took a stone gets from the plies of the other side, which is to move.
fn worth_after(plies: u16) -> Worth {
    match plies {
        DRAW => 0,
        _ if plies.is_multiple_of(2) => END - (plies as Worth + 1),
        _ => plies as Worth + 1 - END,
    }
}

#[inline(always)]
fn result<C: SlotCell>(worth: Worth) -> u32 {
    match worth {
        0 => drawn::<C>(),
        1.. => C::result((END - worth) as u32),
        _ => C::result((END + worth) as u32),
    }
}

#[inline(always)]
fn worth<C: SlotCell>(result: u32) -> Worth {
    match result {
        _ if result == drawn::<C>() => 0,
        _ if result % 2 == 1 => END - result as Worth,
        _ => result as Worth - END,
    }
}

/// Puts the values of half-way positions into the cells of one table.
pub struct Captures<'a, C: SlotCell> {
    /// The table of the side that loses a stone, grouped by the side that closes the mill.
    pub twin: &'a Side,
    /// The subspace after the capture; none if that ends the game.
    pub child: Option<&'a TableFile>,
    pub closers: &'a ClassQueue,
    pub cells: &'a [C::Shared],
    /// The classes that the cells belong to.
    pub classes: Range<u32>,
    /// Slots of one of them.
    pub width: usize,
}

impl<C: SlotCell> Clone for Captures<'_, C> {
    fn clone(&self) -> Self {
        Captures { classes: self.classes.clone(), ..*self }
    }
}

impl<C: SlotCell> GatherWork for &Captures<'_, C> {
    type Output = Result<(), TablebaseError>;

    #[inline(always)]
    fn run<P: Gather>(self, gather: P) -> Self::Output {
        let numbering = self.child.map(|child| child.subspace().numbering());
        let (mut plies, mut worths) = (Vec::new(), Vec::new());
        while let Some(classes) = self.closers.take() {
            for class in classes {
                if self.twin.motion.grid().in_mills(self.twin.waiting.representative(class)) == 0 {
                    continue;
                }
                if let Some(child) = self.child {
                    child.read_class(class, &mut plies)?;
                    worths.clear();
                    worths.extend(plies.iter().map(|&plies| worth_after(plies)));
                }
                self.put_class(gather, &self.twin.block(class), numbering.as_ref(), &worths);
            }
        }
        Ok(())
    }
}

impl<C: SlotCell> Captures<'_, C> {
    #[inline(always)]
    fn put_class<P: Gather>(
        &self,
        gather: P,
        block: &SlotBlock,
        child: Option<&Numbering>,
        worths: &[Worth],
    ) {
        for &word in &self.twin.words {
            let stones = gather.scatter(word, block.free);
            let removable = gather.gather(self.twin.motion.removable(stones), block.free);
            if removable == 0 {
                continue;
            }
            let best = match child {
                None => END - 1,
                Some(child) => points::each(removable)
                    .map(|taken| worths[child.rank(word ^ (1 << taken)) as usize])
                    .max()
                    .unwrap_or(0),
            };
            let cell = C::of(result::<C>(best));
            self.twin.turn(gather, block, stones, |class, rank| {
                if self.classes.contains(&class) {
                    let place = (class - self.classes.start) as usize * self.width + rank as usize;
                    C::put(&self.cells[place], cell);
                }
            });
        }
    }
}

/// Turns the values of half-way positions into the first state of each slot.
pub struct FirstStates<'a, C> {
    pub side: &'a Side,
    pub queue: &'a CellQueue<'a, C>,
    /// News for the other table: blocked sides have lost.
    pub news: &'a Arrivals,
    /// By class: the first round in which a capture is due.
    pub dues: &'a [AtomicU16],
}

impl<C: SlotCell> GatherWork for &FirstStates<'_, C> {
    type Output = u64;

    #[inline(always)]
    fn run<P: Gather>(self, gather: P) -> u64 {
        let mut halfway = Vec::new();
        let mut blocked = 0;
        while let Some(portion) = self.queue.take() {
            for (class, cells) in portion {
                halfway.clear();
                halfway.extend_from_slice(cells);
                blocked += self.begin_class(gather, &self.side.block(class), &halfway, cells);
            }
        }
        blocked
    }
}

impl<C: SlotCell> FirstStates<'_, C> {
    /// How many slots of the class are lost at once.
    #[inline(always)]
    fn begin_class<P: Gather>(&self, gather: P, block: &SlotBlock, halfway: &[C], cells: &mut [C]) -> u64 {
        let (side, flies) = (self.side, self.side.flies());
        let (mut blocked, mut due) = (0, u32::MAX);
        for (cell, &word) in cells.iter_mut().zip(&side.words) {
            let stones = gather.scatter(word, block.free);
            let (mut closing, mut best) = (0, Worth::MIN);
            let all =
                motion::each_closing(side.motion.grid(), stones, block.free & !stones, flies, |after| {
                    if block.takes {
                        closing += 1;
                        let rank = side.numbering.rank(gather.gather(after, block.free));
                        best = best.max(worth::<C>(halfway[rank as usize].raw()));
                    }
                });
            if all == 0 {
                *cell = C::of(C::result(0));
                side.turn(gather, block, stones, |class, rank| self.news.set(class, rank));
                blocked += 1;
                continue;
            }
            let result = if closing == 0 { drawn::<C>() } else { result::<C>(best) };
            if result != drawn::<C>() {
                due = due.min(C::due(result));
            }
            let open = all - closing + u32::from(closing > 0);
            *cell = C::of(open << C::BITS | result);
        }
        self.dues[block.class as usize].store(due.min(u16::MAX.into()) as u16, Relaxed);
        blocked
    }
}
