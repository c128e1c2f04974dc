//! Scores between two bounds: the first move with the whole window, the others only asked if they are better (PVS).

use trilith_games::othello::Position;
use trilith_games::othello::technique::Technique;

use super::evaluation::Evaluation;
use super::last::final_score;
use super::level;
use super::moves::{Candidate, Candidates};
use super::ordering;
use super::search::{self, FAR};
use super::split::NOTHING;
use super::squares::odd_quadrants;
use super::table::{NO_SQUARE, key};
use super::worker::SolverWorker;

/// The score of a position in a window, or a bound outside, with the move that gives it.
pub fn search_root(
    technique: Technique,
    worker: &mut SolverWorker<'_, impl Evaluation>,
    position: &Position,
    window: (i32, i32),
    level: u8,
) -> (i32, u8) {
    let Position { own, other, .. } = *position;
    let empties = position.empties().count_ones();
    trilith_games::with_technique!(technique, principal(worker, own, other, window, empties, level))
}

trilith_games::per_technique! {
    with ordering, search;

    /// The score between `window.0` and `window.1`, or a bound outside, with the move that gives it.
    fn principal(
        worker: &mut SolverWorker<'_, impl Evaluation>,
        own: u64,
        other: u64,
        window: (i32, i32),
        empties: u32,
        level: u8
    ) -> (i32, u8) {
        worker.nodes += 1;
        let (mut alpha, beta) = window;
        if worker.must_stop() {
            return (alpha, NO_SQUARE);
        }
        let moves = mobility(own, other);
        if moves == 0 {
            if mobility(other, own) == 0 {
                return (final_score(own, other), NO_SQUARE);
            }
            return (-principal(worker, other, own, (-beta, -alpha), empties, level).0, NO_SQUARE);
        }
        let key = key(own, other);
        let known = worker.table.probe(key).map_or([NO_SQUARE; 2], |entry| entry.best);
        let mut candidates = Candidates::new();
        by_replies(&mut candidates, own, other, moves, odd_quadrants(!(own | other)), known);
        let is_deep = empties >= worker.evaluation.worthwhile_from();
        if is_deep {
            candidates.as_mut().iter_mut().for_each(|candidate| candidate.score = 0);
            let carry = worker.evaluation.begin(own, other);
            by_search(worker, &mut candidates, (own, other), &carry, empties, known);
        }
        let (mut best, mut best_square) = NOTHING;
        while let Some(candidate) = candidates.take_best() {
            let is_first = best_square == NO_SQUARE;
            let (search, found) = ((alpha, empties, level), (best, best_square));
            let (Candidate { flips, square, .. }, mut score) = match is_first {
                true => (candidate, alpha + 1),
                false => better(worker, (own, other), search, candidate, &mut candidates, found),
            };
            if score > alpha && (is_first || score < beta) {
                let (child, rest) = (other ^ flips, own ^ flips ^ 1 << square);
                score = -principal(worker, child, rest, (-beta, -alpha), empties - 1, level).0;
            }
            if worker.is_stopped() {
                return (alpha, NO_SQUARE);
            }
            if score > best {
                (best, best_square) = (score, square);
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        if empties >= FAR {
            let level = if is_deep { level } else { level::EXACT };
            worker.table.store(key, level, empties as u8, window, best, best_square);
        }
        (best, best_square)
    }

    /// Whether `candidate` is better than `search.0`, which its score then says. With other threads all moves that are
    /// left are asked at once: one that is better comes back and the others stay, or else none stays.
    fn better(
        worker: &mut SolverWorker<'_, impl Evaluation>,
        (own, other): (u64, u64),
        search: (i32, u32, u8),
        candidate: Candidate,
        candidates: &mut Candidates,
        best: (i32, u8)
    ) -> (Candidate, i32) {
        let (alpha, empties, level) = search;
        if !worker.should_share_principal(empties) {
            let Candidate { flips, square, .. } = candidate;
            let (child, rest) = (other ^ flips, own ^ flips ^ 1 << square);
            return (candidate, -null_window(worker, child, rest, -alpha - 1, empties - 1, level));
        }
        let split = worker.split((own, other), search, candidate, candidates.clone(), best);
        share(worker, &split);
        let (score, square) = split.best();
        candidates.push(candidate);
        let found = candidates.take(square).unwrap_or(candidate);
        if score <= alpha {
            *candidates = Candidates::new();
        }
        (found, score)
    }
}
