//! Statistics that move ordering goes by, shared by ladder and engine: history and countermoves.
//!
//! The engine adds them up with the hash move and the game's own guess in `ordering_scores` of `engine/worker.rs`.
//! Othello's null windows and solver order by replies instead: `othello/scout.rs`, `othello/ordering.rs`.

use std::hash::{Hash, Hasher};

/// A small number for a move, the same for equal moves: the place of its statistics.
#[inline]
pub fn slot<M: Hash>(mv: M) -> usize {
    let mut hasher = Mixer(0);
    mv.hash(&mut hasher);
    (hasher.0 >> (64 - SLOT_BITS)) as usize
}

const SLOT_BITS: u32 = 12;
/// How many different numbers [`slot`] gives.
pub const SLOTS: usize = 1 << SLOT_BITS;

/// Multiplies and adds: enough for the few bytes of a move.
struct Mixer(u64);

impl Mixer {
    #[inline]
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.add(u64::from(byte)));
    }

    #[inline]
    fn write_u8(&mut self, word: u8) {
        self.add(u64::from(word));
    }

    #[inline]
    fn write_u16(&mut self, word: u16) {
        self.add(u64::from(word));
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.add(u64::from(word));
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.add(word);
    }
}

/// How often a move was best, by side, growing with the square of the depth and fading with time.
pub struct History {
    counts: Box<[i32]>,
}

impl Default for History {
    fn default() -> History {
        History { counts: vec![0; 2 * SLOTS].into() }
    }
}

const MOST: i32 = 1 << 14;

impl History {
    /// How good a move has been for this side, between plus and minus 16384.
    #[inline]
    pub fn get<M: Hash>(&self, side: usize, mv: M) -> i32 {
        self.counts[side * SLOTS + slot(mv)]
    }

    /// A move caused a cut-off, or was tried before the one that did.
    pub fn learn<M: Hash>(&mut self, side: usize, mv: M, depth: u32, good: bool) {
        let count = &mut self.counts[side * SLOTS + slot(mv)];
        *count = learned(*count, depth, good);
    }

    /// Forgets half: a new search begins.
    pub fn fade(&mut self) {
        self.counts.iter_mut().for_each(|count| *count /= 2);
    }
}

/// Continuation history: how good a move has been after the opponent's last one. Pairs of moves share places.
pub struct ContinuationHistory {
    counts: Box<[i16]>,
}

const PAIRS: usize = 1 << 18;

impl Default for ContinuationHistory {
    fn default() -> ContinuationHistory {
        ContinuationHistory { counts: vec![0; PAIRS].into() }
    }
}

impl ContinuationHistory {
    #[inline]
    fn place<M: Hash>(side: usize, last: M, mv: M) -> usize {
        // The product spreads the pairs; what it wraps over counts least.
        let pair = (slot(last) * SLOTS + slot(mv)) * 2 + side;
        ((pair as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - PAIRS.ilog2())) as usize
    }

    /// How good `mv` has been as a reply of `side` to `last`, between plus and minus 16384.
    #[inline]
    pub fn get<M: Hash>(&self, side: usize, last: M, mv: M) -> i32 {
        self.counts[Self::place(side, last, mv)].into()
    }

    /// The reply caused a cut-off, or was tried before the one that did.
    pub fn learn<M: Hash>(&mut self, side: usize, last: M, mv: M, depth: u32, good: bool) {
        let count = &mut self.counts[Self::place(side, last, mv)];
        *count = learned((*count).into(), depth, good) as i16;
    }
}

/// A count after a cut-off at `depth`.
#[inline]
fn learned(count: i32, depth: u32, good: bool) -> i32 {
    let bonus = (depth * depth).min(400) as i32 * if good { 1 } else { -1 };
    count + bonus - count * bonus.abs() / MOST
}

/// Countermoves: the best known answer to each move (S5 calls them response killers).
pub struct Countermoves<M> {
    best: Box<[Option<M>]>,
}

impl<M: Copy + Eq + Hash> Default for Countermoves<M> {
    fn default() -> Countermoves<M> {
        Countermoves { best: vec![None; 2 * SLOTS].into() }
    }
}

impl<M: Copy + Eq + Hash> Countermoves<M> {
    /// The last move that refuted `mv`, played by `side`.
    #[inline]
    pub fn get(&self, side: usize, mv: M) -> Option<M> {
        self.best[side * SLOTS + slot(mv)]
    }

    /// `reply` refuted `mv`.
    #[inline]
    pub fn learn(&mut self, side: usize, mv: M, reply: M) {
        self.best[side * SLOTS + slot(mv)] = Some(reply);
    }
}
