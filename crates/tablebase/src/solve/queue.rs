//! Classes of slots handed out to threads.

use std::iter::Enumerate;
use std::ops::Range;
use std::slice::ChunksMut;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::cpu::{GatherWork, dispatch};

/// Slots in what a thread takes at once: enough to forget the lock, few enough to share out evenly.
const PORTION: usize = 1 << 16;

/// The cells of some classes, each given to one thread.
pub struct CellQueue<'a, C> {
    chunks: Mutex<Enumerate<ChunksMut<'a, C>>>,
    first: u32,
    per_chunk: u32,
    width: usize,
}

impl<'a, C> CellQueue<'a, C> {
    /// `cells` holds the classes from `first` on, `width` slots each.
    pub fn new(cells: &'a mut [C], first: u32, width: usize) -> CellQueue<'a, C> {
        let per_chunk = (PORTION / width).max(1);
        let chunks = Mutex::new(cells.chunks_mut(per_chunk * width).enumerate());
        CellQueue { chunks, first, per_chunk: per_chunk as u32, width }
    }

    /// The next few classes with their cells.
    pub fn take(&self) -> Option<impl Iterator<Item = (u32, &'a mut [C])> + use<'a, C>> {
        let (number, chunk) = self.chunks.lock().expect("no thread panics while it holds the lock").next()?;
        let first = self.first + number as u32 * self.per_chunk;
        Some((first..).zip(chunk.chunks_mut(self.width)))
    }
}

/// Numbers of classes, each given to one thread.
pub struct ClassQueue {
    next: AtomicU32,
    end: u32,
}

impl ClassQueue {
    /// From 0 to `end`.
    pub fn new(end: u32) -> ClassQueue {
        ClassQueue { next: AtomicU32::new(0), end }
    }

    /// The next few.
    pub fn take(&self) -> Option<Range<u32>> {
        const PORTION: u32 = 16;
        let first = self.next.fetch_add(PORTION, Relaxed);
        (first < self.end).then(|| first..(first + PORTION).min(self.end))
    }
}

/// Does `work` on so many threads at once; what each gave back.
pub fn on_threads<W: GatherWork<Output = T> + Copy + Send, T: Send>(threads: usize, work: W) -> Vec<T> {
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(move || dispatch(work))).collect();
        let mut results = vec![dispatch(work)];
        results.extend(others.into_iter().map(|thread| thread.join().expect("a worker does not panic")));
        results
    })
}
