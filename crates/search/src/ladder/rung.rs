//! The techniques of the ladder, and its rungs: each has a technique more than the one below.

use trilith_eval::Value;
use trilith_games::Noise;

use super::Quiescing;

/// What is switched on. The default is plain alpha-beta.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Techniques {
    /// No cut-offs at all: every position to the full depth.
    pub full_width: bool,
    /// Depth 1, then 2, ... so that each iteration orders the next.
    pub deepening: bool,
    /// Each iteration starts with a window of this radius around the last value.
    pub aspiration: Option<Value>,
    /// Moves after the first are only tested against the best so far (PVS).
    pub minimal_window: bool,
    /// Positions reached twice are searched once: mebibytes of memory.
    pub table: Option<usize>,
    /// Forcing moves first: mills, ejections, corners.
    pub forcing_first: bool,
    /// The best answer to the opponent's last move first (S5's response killers).
    pub countermoves: bool,
    /// Moves that were often best first.
    pub history: bool,
    /// Inner nodes are ordered by a search of one ply (S5).
    pub shallow: bool,
    /// At the leaves noisy moves are followed so many plies further.
    pub quiescence: Option<(Noise, u32)>,
    /// How they are followed.
    pub quiescing: Quiescing,
    /// What S2 prints otherwise than is usual.
    pub printed: Printed,
}

/// Techniques as S2 prints them, where they differ from the usual ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// The last iteration orders all moves at the root by its values, not only the best ones (S2, 2.4 and 2.8).
    pub root_order: bool,
    /// A search that leaves the aspiration window is repeated on its side of the window alone (S2, 2.5).
    pub half_open: bool,
    /// Moves that take something come first, in the order of the rules; threats do not count (S2, 2.8).
    pub captures_first: bool,
    /// The table knows values and bounds, but not which move to try first: S2's entries have none (S2, 2.7).
    pub plain_table: bool,
}

impl Techniques {
    /// Iterative deepening alone, for what is measured on top of it.
    pub const DEEPENING: Techniques = Techniques {
        full_width: false,
        deepening: true,
        aspiration: None,
        minimal_window: false,
        table: None,
        forcing_first: false,
        countermoves: false,
        history: false,
        shallow: false,
        quiescence: None,
        quiescing: Quiescing::StandPat,
        printed: Printed { root_order: false, half_open: false, captures_first: false, plain_table: false },
    };
}

/// The rungs of the ladder, each with everything below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rung {
    /// Two functions, one maximising, one minimising.
    Minimax,
    /// One function and a change of sign.
    Negamax,
    /// Cut-offs.
    AlphaBeta,
    /// Iterative deepening.
    Deepening,
    /// A window around the last value.
    Aspiration,
    /// Minimal windows.
    MinimalWindow,
    /// The transposition table.
    Table,
    /// Forcing moves first.
    ForcingFirst,
    /// Response killers.
    Countermoves,
    /// The history of good moves.
    History,
    /// Shallow searches for order.
    Shallow,
}

impl Rung {
    /// All rungs, lowest first. Each returns the minimax value.
    pub const ALL: [Rung; 11] = [
        Rung::Minimax,
        Rung::Negamax,
        Rung::AlphaBeta,
        Rung::Deepening,
        Rung::Aspiration,
        Rung::MinimalWindow,
        Rung::Table,
        Rung::ForcingFirst,
        Rung::Countermoves,
        Rung::History,
        Rung::Shallow,
    ];

    /// As printed in tables.
    pub fn name(self) -> &'static str {
        match self {
            Rung::Minimax => "minimax",
            Rung::Negamax => "negamax",
            Rung::AlphaBeta => "alpha-beta",
            Rung::Deepening => "iterative deepening",
            Rung::Aspiration => "aspiration window",
            Rung::MinimalWindow => "minimal window",
            Rung::Table => "transposition table",
            Rung::ForcingFirst => "forcing moves first",
            Rung::Countermoves => "response killers",
            Rung::History => "history",
            Rung::Shallow => "shallow search",
        }
    }

    /// The switches of this rung; `radius` is that of the aspiration window.
    pub fn techniques(self, radius: Value, mebibytes: usize) -> Techniques {
        Techniques {
            full_width: self <= Rung::Negamax,
            deepening: self >= Rung::Deepening,
            aspiration: (self >= Rung::Aspiration).then_some(radius),
            minimal_window: self >= Rung::MinimalWindow,
            table: (self >= Rung::Table).then_some(mebibytes),
            forcing_first: self >= Rung::ForcingFirst,
            countermoves: self >= Rung::Countermoves,
            history: self >= Rung::History,
            shallow: self >= Rung::Shallow,
            quiescence: None,
            quiescing: Quiescing::StandPat,
            printed: Printed::default(),
        }
    }

    /// The same as S2 prints them, but that a table knows which move to try first.
    pub fn as_printed(self, radius: Value, mebibytes: usize) -> Techniques {
        let usual = self.techniques(radius, mebibytes);
        let printed = Printed {
            root_order: usual.deepening,
            half_open: usual.aspiration.is_some(),
            captures_first: usual.forcing_first,
            plain_table: false,
        };
        Techniques { forcing_first: false, printed, ..usual }
    }
}
