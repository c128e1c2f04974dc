//! Selective search by rules of thumb: which moves and nodes a search looks at less deeply, or not at all.
//!
//! Each technique is a section of [`PruningParameters`] that may be missing; without any, the search is exact. Which
//! ones a game uses and with which numbers is told by its [`crate::SearchKit`]; where they come from, in
//! `docs/lab/`. [`crate::probcut`] is the technique that is fitted from searches instead.
//!
//! All of them act where the window is null and no forced end is in sight. Captures, or all moves that cannot be undone
//! ([`Spare`]), are neither reduced nor left out.

mod parameters;
mod rungs;

pub use parameters::{
    CaptureHistory, Futility, HistoryOrder, InternalReduction, LateMoves, MoveCount, NullMove, PruningError,
    PruningParameters, ReverseFutility, SingularExtension, Spare, ThreatExtension,
};
pub use rungs::{EngineRung, engine_rungs};

use trilith_eval::{Unit, Value};

/// Depths and move numbers beyond these count as these.
const DEPTHS: usize = 32;
const NUMBERS: usize = 128;
/// History counts up to this, either way (see [`crate::ordering::History`]).
const HISTORY: f64 = 16384.0;

/// The techniques in the steps of one evaluation, ready for a search.
#[derive(Clone, Debug)]
pub struct Pruning {
    parameters: PruningParameters,
    /// Reductions in thousandths of a ply, by depth and move number; 0 without the technique.
    reductions: Box<[[u16; NUMBERS]; DEPTHS]>,
    /// Moves looked at, by depth; all without the technique.
    move_counts: [usize; DEPTHS],
    /// By depth; larger than any value without the technique.
    futility: [Value; DEPTHS],
    reverse_futility: [Value; DEPTHS],
    order: Option<OrderWeights>,
    /// For each ply of depth.
    singular_margin: Value,
}

/// How quiet moves are ordered by [`HistoryOrder`], in parts of which history counts [`HISTORY`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OrderWeights {
    /// Of a point of the game's own guess.
    pub guess: i32,
    /// Of continuation history, in 256th parts.
    pub continuation: i32,
}

impl Pruning {
    /// The techniques of `parameters` for an evaluation whose values count `unit`s.
    pub fn new(parameters: &PruningParameters, unit: Unit) -> Pruning {
        let one = f64::from(unit.one);
        let steps = |units: f64| (units * one) as Value;
        let mut pruning = Pruning {
            parameters: parameters.clone(),
            reductions: Box::new([[0; NUMBERS]; DEPTHS]),
            move_counts: [usize::MAX; DEPTHS],
            futility: [NEVER; DEPTHS],
            reverse_futility: [NEVER; DEPTHS],
            order: parameters.history_order.as_ref().map(|order| OrderWeights {
                guess: (order.guess * HISTORY) as i32,
                continuation: (order.continuation * 256.0) as i32,
            }),
            singular_margin: parameters.singular_extension.as_ref().map_or(0, |it| steps(it.margin)),
        };
        if let Some(late) = &parameters.late_moves {
            for depth in late.depth as usize..DEPTHS {
                for number in late.first as usize..NUMBERS {
                    let plies = late.base + (depth as f64).ln() * (number as f64 + 1.0).ln() / late.divisor;
                    pruning.reductions[depth][number] = (plies.max(0.0) * 1000.0) as u16;
                }
            }
        }
        for depth in 1..DEPTHS {
            let plies = depth as f64;
            if let Some(count) = parameters.move_count.as_ref().filter(|it| depth <= it.depth as usize) {
                pruning.move_counts[depth] = (count.base + count.growth * plies * plies) as usize;
            }
            if let Some(futility) = parameters.futility.as_ref().filter(|it| depth <= it.depth as usize) {
                pruning.futility[depth] = steps(futility.base + futility.margin * plies);
            }
            if let Some(reverse) =
                parameters.reverse_futility.as_ref().filter(|it| depth <= it.depth as usize)
            {
                pruning.reverse_futility[depth] = steps(reverse.margin * plies);
            }
        }
        pruning
    }

    /// By how many plies a late move is searched less deeply, before the deeper search that it may still earn.
    #[inline]
    pub(crate) fn reduction(&self, depth: u32, number: usize, is_pv: bool, history: i32) -> u32 {
        let plain = i32::from(self.reductions[(depth as usize).min(DEPTHS - 1)][number.min(NUMBERS - 1)]);
        if plain == 0 {
            return 0;
        }
        let late = self.parameters.late_moves.as_ref().expect("only they reduce");
        let by_history = (late.history * 1000.0 * f64::from(history) / HISTORY) as i32;
        let by_window = if is_pv { (late.principal * 1000.0) as i32 } else { 0 };
        ((plain - by_history - by_window).max(0) / 1000) as u32
    }

    /// Which moves are not reduced.
    #[inline]
    pub(crate) fn unreduced(&self) -> Spare {
        self.parameters.late_moves.as_ref().map_or(Spare::Captures, |it| it.spare)
    }

    /// How many moves of a node are looked at before the quiet ones that are left are left out.
    #[inline]
    pub(crate) fn move_count(&self, depth: u32) -> usize {
        self.move_counts[(depth as usize).min(DEPTHS - 1)]
    }

    /// Which moves are looked at however many have been.
    #[inline]
    pub(crate) fn uncounted(&self) -> Spare {
        self.parameters.move_count.as_ref().map_or(Spare::Captures, |it| it.spare)
    }

    /// The most that a quiet move is hoped to bring; more than anything where nothing is given up.
    #[inline]
    pub(crate) fn hope(&self, depth: u32) -> Value {
        self.futility[(depth as usize).min(DEPTHS - 1)]
    }

    /// By how much a position's own value must lie above the window to stand for a search.
    #[inline]
    pub(crate) fn safety(&self, depth: u32) -> Value {
        self.reverse_futility[(depth as usize).min(DEPTHS - 1)]
    }

    /// The depth of the search after a null move, where one is tried.
    #[inline]
    pub(crate) fn null_move(&self, depth: u32) -> Option<u32> {
        let null = self.parameters.null_move.as_ref().filter(|null| depth >= null.depth)?;
        let reduction = null.base + f64::from(depth) / null.divisor;
        Some((depth - 1).saturating_sub(reduction as u32))
    }

    /// The depth of a node whose best move nobody knows.
    #[inline]
    pub(crate) fn unguided(&self, depth: u32) -> u32 {
        match &self.parameters.internal_reduction {
            Some(internal) if depth >= internal.depth => depth - 1,
            _ => depth,
        }
    }

    /// How quiet moves are ordered; none by the game's guess first.
    #[inline]
    pub(crate) fn order(&self) -> Option<OrderWeights> {
        self.order
    }

    /// Whether a search of `depth` plies in a line that has become longer by `extended` goes a ply on if there is a threat.
    #[inline]
    pub(crate) fn minds_threats(&self, depth: u32, extended: u32) -> bool {
        self.parameters.threat_extension.as_ref().is_some_and(|it| depth <= it.depth && extended < it.most)
    }

    /// By how much all other moves must be worse than the hash move for its extension; none where it is not asked.
    #[inline]
    pub(crate) fn singular_margin(&self, depth: u32, extended: u32) -> Option<Value> {
        let singular = self.parameters.singular_extension.as_ref()?;
        (depth >= singular.depth && extended < singular.most).then(|| self.singular_margin * depth as Value)
    }

    /// Whether captures have a history of their own.
    #[inline]
    pub(crate) fn has_capture_history(&self) -> bool {
        self.parameters.capture_history.is_some()
    }

    /// Whether moves that were tried before the one that cut count as bad ones.
    pub(crate) fn has_late_moves(&self) -> bool {
        self.parameters.late_moves.is_some()
    }
}

/// More than two values differ by.
const NEVER: Value = 1 << 28;

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: Unit = Unit { name: "discs", one: 100 };

    #[test]
    fn late_moves_are_reduced_by_the_formula() {
        let parameters = PruningParameters::parse(
            "[late-move-reductions]\nfirst = 3\ndepth = 3\nbase = 0.3\ndivisor = 2.2\nhistory = 1.0\nprincipal = 1.0",
        )
        .unwrap();
        let pruning = Pruning::new(&parameters, UNIT);
        assert_eq!(pruning.reduction(2, 30, false, 0), 0, "not near the leaves");
        assert_eq!(pruning.reduction(9, 2, false, 0), 0, "not the first moves");
        // 0.3 + ln 9 * ln 31 / 2.2 = 3.73
        assert_eq!(pruning.reduction(9, 30, false, 0), 3);
        assert_eq!(pruning.reduction(9, 30, true, 0), 2);
        assert_eq!(pruning.reduction(9, 30, false, 16384), 2);
        assert_eq!(pruning.reduction(9, 30, false, -16384), 4);
        assert_eq!(pruning.reduction(200, 400, false, 0), pruning.reduction(31, 127, false, 0));
    }

    #[test]
    fn without_sections_nothing_is_left_out() {
        let pruning = Pruning::new(&PruningParameters::default(), UNIT);
        for depth in 1..40 {
            assert_eq!(pruning.reduction(depth, 100, false, -16384), 0);
            assert_eq!(pruning.move_count(depth), usize::MAX);
            assert_eq!((pruning.hope(depth), pruning.safety(depth)), (NEVER, NEVER));
            assert_eq!((pruning.null_move(depth), pruning.unguided(depth)), (None, depth));
            assert!(!pruning.minds_threats(depth, 0) && pruning.singular_margin(depth, 0).is_none());
        }
    }

    #[test]
    fn margins_are_in_steps_and_end_with_their_depth() {
        let text = "[futility]\ndepth = 3\nbase = 0.5\nmargin = 1.0\n[reverse-futility]\ndepth = 2\nmargin = 0.25\n\
                    [move-count]\ndepth = 2\nbase = 4.0\ngrowth = 3.0\n[null-move]\ndepth = 3\nbase = 2.0\ndivisor = 4.0\n\
                    [internal-reduction]\ndepth = 4\n[threat-extension]\ndepth = 1\nmost = 2\n\
                    [singular-extension]\ndepth = 5\nmargin = 0.1\nmost = 3\n\
                    [history-order]\nguess = 0.5\ncontinuation = 2.0\n";
        let pruning = Pruning::new(&PruningParameters::parse(text).unwrap(), UNIT);
        assert_eq!([1, 3, 4].map(|depth| pruning.hope(depth)), [150, 350, NEVER]);
        assert_eq!([1, 2, 3].map(|depth| pruning.safety(depth)), [25, 50, NEVER]);
        assert_eq!([1, 2, 3].map(|depth| pruning.move_count(depth)), [7, 16, usize::MAX]);
        assert_eq!([2, 3, 8].map(|depth| pruning.null_move(depth)), [None, Some(0), Some(3)]);
        assert_eq!([3, 4].map(|depth| pruning.unguided(depth)), [3, 3]);
        assert_eq!(
            [(1, 1), (2, 0), (1, 2)].map(|(depth, so_far)| pruning.minds_threats(depth, so_far)),
            [true, false, false]
        );
        assert_eq!([4, 5, 8].map(|depth| pruning.singular_margin(depth, 2)), [None, Some(50), Some(80)]);
        assert_eq!(pruning.singular_margin(8, 3), None);
        assert_eq!(pruning.order(), Some(OrderWeights { guess: 8192, continuation: 512 }));
    }
}
