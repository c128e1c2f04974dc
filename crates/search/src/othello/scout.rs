//! The engine's null windows in Othello: 'is the value more than `alpha`?', for any depth.
//!
//! The engine's own recursion serves every game; this one serves the pattern evaluation alone and is several times as
//! fast: boards instead of move lists, flips and mobility by the CPU's technique, leaves valued where they are made.
//! Without selective search both give the same values. They share a table, so that each orders the other's moves.
//!
//! In the last two plies moves are ordered by the replies they leave (`shallow`), in the very last not at all. Above,
//! moves are ordered by their values too (`deep`). Selective search cuts what shallower searches make probable
//! (`probable`), and two plies before the horizon what the position's own value does (`static_bound`).

use arrayvec::ArrayVec;
use trilith_eval::Value;
use trilith_eval::othello::board::BoardEvaluation;
use trilith_eval::othello::patterns::ONE;
use trilith_games::Game;
use trilith_games::othello::technique::Technique;
use trilith_games::othello::{Othello, Position};

use super::moves::{Candidate, Candidates, MOST_MOVES};
use super::squares::{BESIDE, CORNERS};
use crate::analysis::Bound;
use crate::engine::abdada::{AbdadaTable, SHARE_DEPTH};
use crate::engine::meter::{Meter, Question};
use crate::probcut::WindowSide;
use crate::table::TableEntry;

/// Lower than every value.
const LOWEST: Value = -65 * ONE;
/// More than any value.
const UNSURE: Value = 1 << 20;
/// Plies without tests by shallower searches.
const SHALLOW: u32 = 2;
/// Depth from which on transpositions are looked for before any move is searched.
const TRANSPOSE: u32 = 4;
/// Depth from which on moves are ordered by their values too.
const VALUED: u32 = 5;
/// What each reply of the other side counts in that order.
const REPLY: i32 = 3 * ONE / 2;
/// A rough value this far from the window is as good as the value: selective search asks a network no more.
const CLEAR: Value = 20 * ONE;

/// One thread at work on a null window.
struct Scout<'s, 'a, E> {
    meter: &'s mut Meter<'a>,
    evaluation: &'s E,
    game: &'s Othello,
    /// [`CLEAR`], or more than any value where the search is exact.
    clear: Value,
}

/// A bound on the value of a position after `depth` plies, above `alpha` if and only if the value is (fail-soft).
pub fn test<E: BoardEvaluation>(
    meter: &mut Meter<'_>,
    (game, evaluation): (&Othello, &E),
    position: &Position,
    alpha: Value,
    depth: u32,
) -> Value {
    let position = *position;
    let carry = &evaluation.carry(position.own, position.other);
    let clear = if meter.common.options.selective.is_some() { CLEAR } else { UNSURE };
    let scout = &mut Scout { meter, evaluation, game, clear };
    trilith_games::with_technique!(Technique::best(), search(scout, position, carry, alpha, depth))
}

impl<E: BoardEvaluation> Scout<'_, '_, E> {
    /// The value of an ended game.
    fn ended(&self, position: &Position) -> Value {
        self.game.margin(position) * ONE
    }

    /// The bound that the position's own value makes probable enough for two plies; `UNSURE` if it does not.
    #[inline(always)]
    fn static_bound(&self, position: &Position, value: impl FnOnce(Value) -> Value, alpha: Value) -> Value {
        let Some(cuts) = self.meter.common.options.selective.as_deref() else { return UNSURE };
        let margin = cuts.margin(self.game.phase(position));
        let above = value(margin + self.clear) - alpha;
        match above.abs() > margin && self.is_familiar(position) {
            true if above > 0 => alpha + 1,
            true => alpha,
            false => UNSURE,
        }
    }

    /// Whether shallow searches foretell deep ones here.
    #[inline(always)]
    fn is_familiar(&self, position: &Position) -> bool {
        self.evaluation.is_familiar_board(self.game, position)
    }

    /// The value that `entry` proves to be above `alpha` or not; `UNSURE` if it proves neither.
    #[inline(always)]
    fn known(&self, entry: Option<TableEntry>, alpha: Value, depth: u32) -> Value {
        let Some(entry) = entry.filter(|entry| self.meter.common.is_deep_enough(entry, depth)) else {
            return UNSURE;
        };
        match entry.bound {
            Bound::Lower if entry.value <= alpha => UNSURE,
            Bound::Upper if entry.value > alpha => UNSURE,
            _ => entry.value,
        }
    }

    /// Remembers what a search with this `alpha` found, unless it was stopped.
    #[inline(always)]
    fn remember(&self, key: u64, value: Value, alpha: Value, depth: u32, best: Option<u16>) {
        if !self.meter.stopped {
            let bound = if value > alpha { Bound::Lower } else { Bound::Upper };
            self.meter.common.table.store(key, TableEntry { value, depth: depth as u8, bound, best });
        }
    }
}

/// After a disc on `square` that turned `flips`.
#[inline(always)]
fn after(position: &Position, flips: u64, square: u8) -> Position {
    let (own, other) = (position.other ^ flips, position.own ^ flips ^ 1 << square);
    Position { own, other, to_move: !position.to_move }
}

trilith_games::per_technique! {
    /// Any depth.
    fn search<E: BoardEvaluation>(scout: &mut Scout<'_, '_, E>, position: Position, carry: &E::Carry, alpha: Value, depth: u32) -> Value {
        match depth {
            0 => leaf(scout, &position, carry),
            1 => shallow(scout, &position, carry, alpha, 1),
            2..=SHALLOW => remembered(scout, &position, carry, alpha, depth),
            _ if scout.meter.common.options.threads > 1 && depth >= SHARE_DEPTH => shared(scout, &position, carry, alpha, depth),
            _ => deep(scout, &position, carry, alpha, depth),
        }
    }

    /// A node that other threads may search too: it ends when the first of them has the answer.
    fn shared<E: BoardEvaluation>(scout: &mut Scout<'_, '_, E>, position: &Position, carry: &E::Carry, alpha: Value, depth: u32) -> Value {
        let question = Question { key: position.key(), depth, alpha, beta: alpha + 1, ply: 0 };
        loop {
            scout.meter.open(question);
            let value = deep(scout, position, carry, alpha, depth);
            if !scout.meter.close() {
                return value;
            }
            if let Some(value) = scout.meter.common.ask(&question) {
                return value;
            }
        }
    }

    /// No search at all.
    fn leaf<E: BoardEvaluation>(scout: &mut Scout<'_, '_, E>, position: &Position, carry: &E::Carry) -> Value {
        scout.meter.count(1);
        if mobility(position.own, position.other) == 0 && mobility(position.other, position.own) == 0 {
            return scout.ended(position);
        }
        here(scout.evaluation, position, carry)
    }

    /// The value of a position whose game goes on.
    #[inline]
    fn here<E: BoardEvaluation>(evaluation: &E, position: &Position, carry: &E::Carry) -> Value {
        let Position { own, other, .. } = *position;
        let moves = || [mobility(own, other), mobility(other, own)].map(u64::count_ones);
        evaluation.board_value(position, moves, carry)
    }

    /// As [`here`], or a value on the same side of `alpha` that is further than `clear` from it.
    #[inline]
    fn near<E: BoardEvaluation>(evaluation: &E, position: &Position, carry: &E::Carry, alpha: Value, clear: Value) -> Value {
        let discs = (position.own | position.other).count_ones();
        let rough = evaluation.clear_value(discs, carry, alpha, clear);
        rough.unwrap_or_else(|| here(evaluation, position, carry))
    }

    /// Without a move: the end, or the other side's turn, which counts as a ply.
    fn pass<E: BoardEvaluation>(scout: &mut Scout<'_, '_, E>, position: &Position, carry: &E::Carry, alpha: Value, depth: u32) -> Value {
        if mobility(position.other, position.own) == 0 {
            return scout.ended(position);
        }
        let carry = scout.evaluation.carry_after_pass(carry);
        -search(scout, position.after_pass(), &carry, -alpha - 1, depth - 1)
    }

    /// The last plies, from the table where it knows them.
    fn remembered<E: BoardEvaluation>(scout: &mut Scout<'_, '_, E>, position: &Position, carry: &E::Carry, alpha: Value, depth: u32) -> Value {
        let key = position.key();
        let known = scout.known(scout.meter.common.table.probe(key), alpha, depth);
        if known != UNSURE {
            return known;
        }
        let value = shallow(scout, position, carry, alpha, depth);
        scout.remember(key, value, alpha, depth, None);
        value
    }

    /// The last plies: fewest replies first.
    fn shallow<E: BoardEvaluation>(scout: &mut Scout<'_, '_, E>, position: &Position, carry: &E::Carry, alpha: Value, depth: u32) -> Value {
        if scout.meter.count(1) {
            return alpha;
        }
        let moves = mobility(position.own, position.other);
        if moves == 0 {
            return pass(scout, position, carry, alpha, depth);
        }
        if depth == 1 {
            return best_leaf(scout, position, carry, moves, alpha);
        }
        let value = |clear| near(scout.evaluation, position, carry, alpha, clear);
        let static_bound = scout.static_bound(position, value, alpha);
        if static_bound != UNSURE {
            return static_bound;
        }
        let mut candidates = Candidates::new();
        by_replies(&mut candidates, position, moves);
        let mut best = LOWEST;
        while best <= alpha && let Some(Candidate { flips, square, .. }) = candidates.take_best() {
            let carry = scout.evaluation.carry_after(carry, square, flips);
            let child = after(position, flips, square);
            best = best.max(-shallow(scout, &child, &carry, -alpha - 1, depth - 1));
        }
        best
    }

    /// The best of the values after each of `moves`, or one above `alpha`.
    fn best_leaf<E: BoardEvaluation>(scout: &mut Scout<'_, '_, E>, position: &Position, carry: &E::Carry, moves: u64, alpha: Value) -> Value {
        let (mut best, mut nodes) = (LOWEST, 0);
        let discs = (position.own | position.other).count_ones() + 1;
        for part in [moves & CORNERS, moves & !(CORNERS | BESIDE), moves & BESIDE] {
            let mut left = part;
            while left != 0 && best <= alpha {
                let square = left.trailing_zeros() as u8;
                left &= left - 1;
                nodes += 1;
                let turned = flips(position.own, position.other, square);
                let child = after(position, turned, square);
                let replies = mobility(child.own, child.other);
                let again = || mobility(child.other, child.own);
                best = best.max(match replies == 0 && again() == 0 {
                    true => -scout.ended(&child),
                    false => {
                        let moves = || [replies, again()].map(u64::count_ones);
                        -scout.evaluation.leaf_value(carry, (square, turned), (&child, discs, moves), (-alpha, scout.clear))
                    }
                });
            }
        }
        scout.meter.count(nodes);
        best
    }

    /// Lists moves; the fewer replies one leaves, the higher its score. Corners are two replies.
    fn by_replies(candidates: &mut Candidates, position: &Position, moves: u64) {
        let mut left = moves;
        while left != 0 {
            let square = left.trailing_zeros() as u8;
            left &= left - 1;
            let turned = flips(position.own, position.other, square);
            let child = after(position, turned, square);
            let replies = mobility(child.own, child.other);
            let score = -REPLY * (replies.count_ones() + (replies & CORNERS).count_ones()) as i32;
            candidates.push(Candidate { flips: turned, replies, score, square });
        }
    }

    /// Adds to the scores of listed moves what they are worth.
    fn by_value<E: BoardEvaluation>(scout: &mut Scout<'_, '_, E>, candidates: &mut Candidates, position: &Position, carry: &E::Carry) {
        let discs = (position.own | position.other).count_ones() + 1;
        for Candidate { flips, score, square, .. } in candidates.as_mut() {
            *score -= scout.evaluation.rough_value(discs, &scout.evaluation.carry_after(carry, *square, *flips));
        }
        scout.meter.count(candidates.as_mut().len() as u64);
    }

    /// Three plies and more: the table, what is probable, then the moves.
    fn deep<E: BoardEvaluation>(scout: &mut Scout<'_, '_, E>, position: &Position, carry: &E::Carry, alpha: Value, depth: u32) -> Value {
        let common = scout.meter.common;
        if scout.meter.count(1) {
            return alpha;
        }
        let moves = mobility(position.own, position.other);
        if moves == 0 {
            return pass(scout, position, carry, alpha, depth);
        }
        // 1. What the table knows.
        let key = position.key();
        let mut entry = common.table.probe(key);
        let known = scout.known(entry, alpha, depth);
        if known != UNSURE {
            return known;
        }
        // 2. What shallower searches make probable; if nothing, they may have found a move to begin with.
        if common.options.selective.is_some() {
            let probable = probable(scout, position, carry, alpha, depth);
            if probable != UNSURE {
                return probable;
            }
            entry = entry.or_else(|| common.table.probe(key));
        }
        // 3. The known move, before the others are even listed.
        let (mut best, mut best_square, mut left) = (LOWEST, 0, moves);
        let known = entry.and_then(|entry| entry.best).filter(|&best| best < 64 && moves >> best & 1 == 1);
        if let Some(known) = known {
            best_square = known as u8;
            left ^= 1 << best_square;
            let turned = flips(position.own, position.other, best_square);
            best = child_value(scout, position, carry, (turned, best_square), alpha, depth);
        }
        // 4. The others, best guess first.
        if best <= alpha {
            let search = (key, left, alpha, depth);
            match others(scout, position, carry, search, (best, best_square)) {
                Ok(found) => (best, best_square) = found,
                Err(known) => return known,
            }
        }
        // 5. What to remember.
        scout.remember(key, best, alpha, depth, Some(best_square.into()));
        best
    }

    /// The moves in `left` after the hash move: the best one and its value; a bound that a transposition knows instead.
    #[inline]
    fn others<E: BoardEvaluation>(
        scout: &mut Scout<'_, '_, E>,
        position: &Position,
        carry: &E::Carry,
        (key, left, alpha, depth): (u64, u64, Value, u32),
        (best, best_square): (Value, u8)
    ) -> Result<(Value, u8), Value> {
        let (mut best, mut best_square, common) = (best, best_square, scout.meter.common);
        let mut candidates = Candidates::new();
        by_replies(&mut candidates, position, left);
        if depth >= TRANSPOSE {
            let known = transposed(scout, &mut candidates, position, alpha, depth);
            if known != UNSURE {
                return Err(known);
            }
        }
        if depth >= VALUED {
            by_value(scout, &mut candidates, position, carry);
        }
        let mut put_off = Candidates::new();
        loop {
            let new = candidates.take_best();
            let Some(candidate) = new.or_else(|| put_off.take_best()) else { break };
            let Candidate { flips, square, .. } = candidate;
            let busy = AbdadaTable::key(key, square.into());
            let shares = common.options.threads > 1 && depth >= SHARE_DEPTH && best > LOWEST;
            if shares && new.is_some() && common.abdada.contains(busy) {
                put_off.push(candidate);
                continue;
            }
            if shares {
                // Another thread may have come to the end of this node in the meantime.
                if let Some(known) = common.ask(&Question { key, depth, alpha, beta: alpha + 1, ply: 0 }) {
                    return Err(known);
                }
                common.abdada.enter(busy);
            }
            let value = child_value(scout, position, carry, (flips, square), alpha, depth);
            if shares {
                common.abdada.leave(busy);
            }
            if value > best {
                (best, best_square) = (value, square);
            }
            if best > alpha || scout.meter.stopped {
                break;
            }
        }
        Ok((best, best_square))
    }

    /// The value of a move that turns `flips`, for who makes it.
    #[inline]
    fn child_value<E: BoardEvaluation>(
        scout: &mut Scout<'_, '_, E>,
        position: &Position,
        carry: &E::Carry,
        (flips, square): (u64, u8),
        alpha: Value,
        depth: u32
    ) -> Value {
        let child = after(position, flips, square);
        scout.meter.common.table.prefetch(child.key());
        let carry = scout.evaluation.carry_after(carry, square, flips);
        -search(scout, child, &carry, -alpha - 1, depth - 1)
    }

    /// A value above `alpha` that the table knows of one of the listed moves; `UNSURE` if of none.
    fn transposed<E: BoardEvaluation>(
        scout: &Scout<'_, '_, E>,
        candidates: &mut Candidates,
        position: &Position,
        alpha: Value,
        depth: u32
    ) -> Value {
        let table = scout.meter.common.table;
        // All are asked for before the first is waited for.
        let keys: ArrayVec<u64, MOST_MOVES> = candidates.as_mut().iter().map(|candidate| {
            let key = after(position, candidate.flips, candidate.square).key();
            table.prefetch(key);
            key
        }).collect();
        for key in keys {
            let known = scout.known(table.probe(key), -alpha - 1, depth - 1);
            if known != UNSURE && -known > alpha {
                return -known;
            }
        }
        UNSURE
    }

    /// The bound that a shallower search makes probable enough; `UNSURE` if there is none.
    fn probable<E: BoardEvaluation>(scout: &mut Scout<'_, '_, E>, position: &Position, carry: &E::Carry, alpha: Value, depth: u32) -> Value {
        let Some(cuts) = scout.meter.common.options.selective.as_deref() else { return UNSURE };
        let tests = cuts.tests(depth);
        if tests.is_empty() || !scout.is_familiar(position) {
            return UNSURE;
        }
        let phase = scout.game.phase(position);
        let still = near(scout.evaluation, position, carry, alpha, scout.clear);
        // The side on which the node seems to lie already is the only one worth a search.
        let (side, limit) = if still > alpha { (WindowSide::High, alpha + 1) } else { (WindowSide::Low, alpha) };
        for test in tests {
            let Some(bound) = test.bound(phase, side, limit) else { continue };
            let below = if side == WindowSide::High { bound - 1 } else { bound };
            let value = match test.shallow {
                // Asked again and again from one iteration to the next.
                1..=SHALLOW => remembered(scout, position, carry, below, test.shallow),
                shallow => search(scout, *position, carry, below, shallow),
            };
            if (value > below) == (side == WindowSide::High) {
                return limit;
            }
        }
        UNSURE
    }
}
