//! What a search answers: the same for app, protocols and JSON.

use trilith_eval::{Unit, Value, WIN};

/// What a value says about the truth at its depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The value itself.
    Exact,
    /// At least this.
    Lower,
    /// At most this.
    Upper,
}

impl Bound {
    /// In words: `exact`, `lower`, `upper`.
    pub fn name(self) -> &'static str {
        match self {
            Bound::Exact => "exact",
            Bound::Lower => "lower",
            Bound::Upper => "upper",
        }
    }
}

/// One line of play with its value for the side to move at its root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<M> {
    /// In steps of the analysis' unit.
    pub value: Value,
    /// What the value says.
    pub bound: Bound,
    /// Plies searched to the full for this value; where time ends a search of several lines, the first ones may have been
    /// searched one ply deeper than the others.
    pub depth: u32,
    /// Best play from the root on, as far as it is known.
    pub moves: Vec<M>,
}

/// The answer of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis<M> {
    /// The best lines, best first; one unless more were asked for, none only if the game has ended.
    pub lines: Vec<Line<M>>,
    /// What the values count.
    pub unit: Unit,
    /// Plies searched to the full.
    pub depth: u32,
    /// Plies of the longest line looked at.
    pub seldepth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Wall time.
    pub seconds: f64,
    /// Entries of the transposition table in use, in thousandths.
    pub hash_permille: u32,
}

impl<M: Copy> Analysis<M> {
    /// The value of the best line; 0 without one.
    pub fn value(&self) -> Value {
        self.lines.first().map_or(0, |line| line.value)
    }

    /// The move to play.
    pub fn best(&self) -> Option<M> {
        self.lines.first().and_then(|line| line.moves.first().copied())
    }

    /// The mean number of moves that would give as many nodes at this depth.
    pub fn branching(&self) -> f64 {
        (self.nodes.max(1) as f64).powf(1.0 / f64::from(self.depth.max(1)))
    }
}

/// The value of losing or winning `ply` plies from the root on; other values stay as they are.
#[inline]
pub fn at_ply(ended: Value, ply: u32) -> Value {
    match ended {
        WIN => WIN - ply as Value,
        value if value == -WIN => -WIN + ply as Value,
        value => value,
    }
}

/// No line is so long that its win could be taken for an estimate.
pub const LONGEST: Value = 4096;

/// Plies that a win or loss counts for whose length is not known: more than any search sees, so that a win it sees itself
/// is preferred.
pub const FAR: u32 = 2048;

/// Plies to the end, [`FAR`] or more where only the outcome is known, if `value` is a proved win or loss: positive for a win.
pub fn plies_to_end(value: Value) -> Option<i32> {
    if value > WIN - LONGEST {
        Some(WIN - value)
    } else if value < LONGEST - WIN {
        Some(-(WIN + value))
    } else {
        None
    }
}
