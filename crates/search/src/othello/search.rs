//! The null-window recursion: 'is the score more than `alpha`?', from the last five empty squares up to any number.
//!
//! Near the end nothing but parity orders the moves (`shallow`); then fewest replies first, with the table
//! (`endgame`); then shallow searches with the evaluation (`deep`), which may also be selective.

use std::sync::Arc;

use trilith_games::othello::technique::Technique;

use super::evaluation::Evaluation;
use super::last::{self, final_score, squares_of};
use super::level;
use super::midgame;
use super::moves::{Candidate, Candidates};
use super::ordering;
use super::split::{NOTHING, Split};
use super::squares::{BESIDE, QUADRANTS, odd_quadrants};
use super::stability::upper_bound_near;
use super::table::{NO_SQUARE, SolverEntry, key};
use super::worker::SolverWorker;

/// With so many empty squares the search neither sorts moves nor uses the table.
const SHALLOW: u32 = 6;

/// From so many on, positions go to the large table.
pub const FAR: u32 = 12;

/// A search for more than `alpha` only asks for stable discs if it may be answered by them.
#[inline(always)]
fn is_stability_likely(alpha: i32, empties: u32) -> bool {
    alpha >= STABILITY[empties as usize & 63]
}

static STABILITY: [i32; 64] = stability_thresholds();

const fn stability_thresholds() -> [i32; 64] {
    let mut thresholds = [99; 64];
    let mut empties = 4;
    while empties < 40 {
        thresholds[empties] = match empties {
            0..6 => 16,
            6..10 => 2 * empties as i32 - 10,
            _ => 2 * empties as i32 - 16,
        };
        empties += 1;
    }
    thresholds
}

/// The lowest of the moves in odd quadrants, if there are any; of those one that is not beside a corner, if it can be.
#[inline(always)]
fn next_by_parity(moves: u64, odd: u64) -> u8 {
    let moves = if moves & odd != 0 { moves & odd } else { moves };
    let moves = if moves & !BESIDE != 0 { moves & !BESIDE } else { moves };
    moves.trailing_zeros() as u8
}

/// What an entry that can be trusted says to a search for more than `alpha`; `UNSURE` if its bounds leave it open.
#[inline(always)]
fn answer(entry: &SolverEntry, alpha: i32) -> i32 {
    match (entry.lower.into(), entry.upper.into()) {
        (lower, _) if lower > alpha => lower,
        (_, upper) if upper <= alpha => upper,
        _ => UNSURE,
    }
}

/// Works for other threads until there is nothing left to do.
pub fn help_others(technique: Technique, worker: &mut SolverWorker<'_, impl Evaluation>) {
    trilith_games::with_technique!(technique, help(worker))
}

trilith_games::per_technique! {
    with last, ordering, midgame;

    /// Any number of empty squares.
    fn null_window(
        worker: &mut SolverWorker<'_, impl Evaluation>,
        own: u64,
        other: u64,
        alpha: i32,
        empties: u32,
        level: u8
    ) -> i32 {
        if empties >= worker.evaluation.worthwhile_from() {
            return deep(worker, own, other, alpha, empties, level);
        }
        let odd = odd_quadrants(!(own | other));
        let moves = mobility(own, other);
        if empties > SHALLOW {
            return endgame(worker, own, other, moves, alpha, odd, empties);
        }
        let nodes = &mut worker.nodes;
        if empties > 4 {
            return shallow(nodes, own, other, moves, alpha, odd, empties);
        }
        few(nodes, own, other, alpha, odd, empties)
    }

    /// At most four empty squares.
    fn few(nodes: &mut u64, own: u64, other: u64, alpha: i32, odd: u64, empties: u32) -> i32 {
        if empties == 0 {
            return final_score(own, other);
        }
        *nodes += 1;
        let [a, b, c, _] = squares_of(!(own | other));
        match empties {
            4 => last_4(nodes, own, other, alpha, odd),
            3 => last_3(nodes, own, other, alpha, [a, b, c], odd),
            2 => last_2(nodes, own, other, alpha, a, b),
            _ => last_1(own, alpha, a),
        }
    }

    /// Five and a few more empty squares and the moves known: those of odd quadrants first, those beside corners last.
    fn shallow(nodes: &mut u64, own: u64, other: u64, moves: u64, alpha: i32, odd: u64, empties: u32) -> i32 {
        *nodes += 1;
        if is_stability_likely(alpha, empties) {
            let bound = upper_bound_near(own, other, alpha);
            if bound <= alpha {
                return bound;
            }
        }
        if moves == 0 {
            let replies = mobility(other, own);
            if replies == 0 {
                return final_score(own, other);
            }
            return -shallow(nodes, other, own, replies, -alpha - 1, odd, empties);
        }
        let (mut best, mut left) = (-64, moves);
        while left != 0 {
            let square = next_by_parity(left, odd);
            left &= !(1 << square);
            let turned = flips(own, other, square);
            let (child, rest) = (other ^ turned, own ^ turned ^ 1 << square);
            let odd = odd ^ QUADRANTS[usize::from(square) & 63];
            let score = match empties {
                5 => {
                    *nodes += 1;
                    -last_4(nodes, child, rest, -alpha - 1, odd)
                }
                _ => -shallow(nodes, child, rest, mobility(child, rest), -alpha - 1, odd, empties - 1),
            };
            if score > alpha {
                return score;
            }
            best = best.max(score);
        }
        best
    }

    /// More empty squares and the moves known: the table, then fewest replies first.
    fn endgame(
        worker: &mut SolverWorker<'_, impl Evaluation>,
        own: u64,
        other: u64,
        moves: u64,
        alpha: i32,
        odd: u64,
        empties: u32
    ) -> i32 {
        worker.nodes += 1;
        let key = key(own, other);
        let table = if empties >= FAR { worker.table } else { worker.near };
        table.prefetch(key);
        if is_stability_likely(alpha, empties) {
            let bound = upper_bound_near(own, other, alpha);
            if bound <= alpha {
                return bound;
            }
        }
        let mut known = [NO_SQUARE; 2];
        if let Some(entry) = table.probe(key) {
            let answer = if entry.level == level::EXACT { answer(&entry, alpha) } else { UNSURE };
            if answer != UNSURE {
                return answer;
            }
            known = entry.best;
        }
        if moves == 0 {
            let replies = mobility(other, own);
            if replies == 0 {
                return final_score(own, other);
            }
            return -endgame(worker, other, own, replies, -alpha - 1, odd, empties);
        }
        let mut candidates = Candidates::new();
        if by_replies(&mut candidates, own, other, moves, odd, known) {
            return 64;
        }
        let (mut best, mut best_square) = NOTHING;
        while let Some(Candidate { flips, replies, square, .. }) = candidates.take_best() {
            let (child, rest) = (other ^ flips, own ^ flips ^ 1 << square);
            let odd = odd ^ QUADRANTS[usize::from(square) & 63];
            let score = match empties - 1 {
                left if left > SHALLOW => -endgame(worker, child, rest, replies, -alpha - 1, odd, left),
                left => -shallow(&mut worker.nodes, child, rest, replies, -alpha - 1, odd, left),
            };
            if score > best {
                (best, best_square) = (score, square);
                if score > alpha {
                    break;
                }
            }
        }
        table.store(key, level::EXACT, empties as u8, (alpha, alpha + 1), best, best_square);
        best
    }

    /// Many empty squares: moves ordered by shallow searches, answers of other threads and of transpositions used,
    /// and below `level::EXACT` the probable taken for certain.
    fn deep(worker: &mut SolverWorker<'_, impl Evaluation>, own: u64, other: u64, alpha: i32, empties: u32, level: u8) -> i32 {
        if empties < worker.evaluation.worthwhile_from() {
            let odd = odd_quadrants(!(own | other));
            return endgame(worker, own, other, mobility(own, other), alpha, odd, empties);
        }
        worker.nodes += 1;
        if worker.must_stop() {
            return alpha;
        }
        if is_stability_likely(alpha, empties) {
            let bound = upper_bound_near(own, other, alpha);
            if bound <= alpha {
                return bound;
            }
        }
        let key = key(own, other);
        let (mut known, mut patience) = ([NO_SQUARE; 2], 1);
        if let Some(entry) = worker.table.probe(key) {
            let answer = if entry.level >= level { answer(&entry, alpha) } else { UNSURE };
            if answer != UNSURE {
                return answer;
            }
            (known, patience) = (entry.best, self::patience(&entry, alpha));
        }
        let moves = mobility(own, other);
        if moves == 0 {
            if mobility(other, own) == 0 {
                return final_score(own, other);
            }
            return -deep(worker, other, own, -alpha - 1, empties, level);
        }
        if level < level::EXACT {
            let carry = worker.evaluation.begin(own, other);
            let probable = probable(worker, (own, other), &carry, alpha, empties, level);
            if probable != UNSURE {
                return probable;
            }
        }
        let mut candidates = Candidates::new();
        let enough = expand(worker, &mut candidates, own, other, moves, alpha, level);
        if enough > alpha {
            return enough;
        }
        let (mut best, mut best_square) = NOTHING;
        if (patience > 0 || !worker.should_share(empties))
            && let Some(Candidate { flips, square, .. }) = candidates.take(known[0])
        {
            let (child, rest) = (other ^ flips, own ^ flips ^ 1 << square);
            (best, best_square) = (-deep(worker, child, rest, -alpha - 1, empties - 1, level), square);
        }
        if best <= alpha && !worker.is_stopped() {
            let carry = worker.evaluation.begin(own, other);
            by_search(worker, &mut candidates, (own, other), &carry, empties, known);
            let (search, found) = ((alpha, empties, level), (best, best_square));
            (best, best_square) = others(worker, (own, other), search, &mut candidates, found, patience);
        }
        if worker.is_stopped() {
            return alpha;
        }
        worker.table.store(key, level, empties as u8, (alpha, alpha + 1), best, best_square);
        best
    }

    /// The moves after the hash move, by score; with other threads where they are free, once `patience` of them have
    /// been searched. The best move so far and its score come back; whether they mean anything,
    /// `SolverWorker::is_stopped` says.
    #[inline]
    fn others(
        worker: &mut SolverWorker<'_, impl Evaluation>,
        (own, other): (u64, u64),
        search: (i32, u32, u8),
        candidates: &mut Candidates,
        best: (i32, u8),
        patience: u32
    ) -> (i32, u8) {
        let ((alpha, empties, level), (mut best, mut best_square)) = (search, best);
        let mut tried = u32::from(best_square != NO_SQUARE);
        while let Some(candidate) = candidates.take_best() {
            if tried >= patience && worker.should_share(empties) {
                let rest = std::mem::replace(candidates, Candidates::new());
                let split = worker.split((own, other), search, candidate, rest, (best, best_square));
                share(worker, &split);
                return split.best();
            }
            let Candidate { flips, square, .. } = candidate;
            let (child, rest) = (other ^ flips, own ^ flips ^ 1 << square);
            let score = -deep(worker, child, rest, -alpha - 1, empties - 1, level);
            tried += 1;
            if score > best && !worker.is_stopped() {
                (best, best_square) = (score, square);
            }
            if best > alpha || worker.is_stopped() {
                break;
            }
        }
        (best, best_square)
    }

    /// Searches shared moves together with whoever joins, and waits until all are back.
    fn share(worker: &mut SolverWorker<'_, impl Evaluation>, split: &Arc<Split>) {
        let Some(pool) = worker.pool else { return };
        pool.publish(split);
        work(worker, split);
        pool.withdraw(split);
        while let Some(below) = pool.join_below(split) {
            work(worker, &below);
            pool.leave(&below);
        }
        worker.leave(split);
    }

    /// Searches moves of `split` until none is left or one was enough.
    fn work(worker: &mut SolverWorker<'_, impl Evaluation>, split: &Arc<Split>) {
        worker.enter(split);
        while !worker.must_stop() && let Some(Candidate { flips, square, .. }) = split.take() {
            let (child, rest) = (split.other ^ flips, split.own ^ flips ^ 1 << square);
            let score = -deep(worker, child, rest, -split.alpha - 1, split.empties - 1, split.level);
            if !worker.is_stopped() {
                split.offer(score, square);
            }
        }
        worker.leave(split);
    }

    /// Works for others until there is nothing left to do.
    fn help(worker: &mut SolverWorker<'_, impl Evaluation>) {
        let Some(pool) = worker.pool else { return };
        while let Some(split) = pool.join_any() {
            work(worker, &split);
            pool.leave(&split);
        }
    }

    /// Lists the moves with their flips, unless one of them is known to be enough: then its score is returned.
    fn expand(
        worker: &mut SolverWorker<'_, impl Evaluation>,
        candidates: &mut Candidates,
        own: u64,
        other: u64,
        moves: u64,
        alpha: i32,
        level: u8
    ) -> i32 {
        let mut left = moves;
        while left != 0 {
            let square = left.trailing_zeros() as u8;
            left &= left - 1;
            let turned = flips(own, other, square);
            if turned == other {
                return 64;
            }
            worker.table.prefetch(key(other ^ turned, own ^ turned ^ 1 << square));
            candidates.push(Candidate { flips: turned, replies: 0, score: 0, square });
        }
        for candidate in candidates.as_mut() {
            let (child, rest) = (other ^ candidate.flips, own ^ candidate.flips ^ 1 << candidate.square);
            if let Some(entry) = worker.table.probe(key(child, rest))
                && -i32::from(entry.upper) > alpha
            {
                if entry.level >= level {
                    return -i32::from(entry.upper);
                }
                candidate.score = PROMISING;
            }
        }
        -65
    }

    /// A bound that a shallow search makes probable enough at this level; `UNSURE` if there is none.
    fn probable<E: Evaluation>(
        worker: &mut SolverWorker<'_, E>,
        (own, other): (u64, u64),
        carry: &E::Carry,
        alpha: i32,
        empties: u32,
        level: u8
    ) -> i32 {
        let depth = level::depth(empties);
        let margin = worker.evaluation.error(empties, depth) * level::percent(level) / 100;
        let value = worker.evaluation.value(own, other, carry);
        let high = 100 * (alpha + 1) + margin;
        if high < 6400 && value > high - margin / 2
            && shallow_search(worker, (own, other), carry, high - 1, high, depth) >= high
        {
            return alpha + 1;
        }
        let low = 100 * alpha - margin;
        if low > -6400 && value < low + margin / 2
            && shallow_search(worker, (own, other), carry, low, low + 1, depth) <= low
        {
            return alpha;
        }
        UNSURE
    }
}

/// For a move that was enough in a less exact search.
const PROMISING: i32 = 400;

/// More than any score.
const UNSURE: i32 = 999;

/// How many moves of a position are searched before the others are shared: none where a bolder search has found none that
/// is enough, since then all have to be searched; several where it has found one, since most of the work would be in vain.
fn patience(entry: &SolverEntry, alpha: i32) -> u32 {
    match (i32::from(entry.lower) > alpha, i32::from(entry.upper) <= alpha) {
        (true, _) => 3,
        (_, true) => 0,
        _ => 1,
    }
}
