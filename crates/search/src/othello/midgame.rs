//! Shallow searches with the evaluation at their leaves, in hundredths of a disc.

use super::evaluation::Evaluation;
use super::last::final_score;
use super::moves::{Candidate, Candidates};
use super::worker::SolverWorker;

/// Lower than every value.
pub const LOWEST: i32 = -9999;

trilith_games::per_technique! {
    /// The value of a position after `depth` plies of search, between `alpha` and `beta`.
    fn shallow_search<E: Evaluation>(
        worker: &mut SolverWorker<'_, E>,
        (own, other): (u64, u64),
        carry: &E::Carry,
        alpha: i32,
        beta: i32,
        depth: u32
    ) -> i32 {
        worker.nodes += 1;
        if depth == 0 {
            return worker.evaluation.value(own, other, carry);
        }
        let moves = mobility(own, other);
        if moves == 0 {
            if mobility(other, own) == 0 {
                return 100 * final_score(own, other);
            }
            let carry = worker.evaluation.pass(carry);
            return -shallow_search(worker, (other, own), &carry, -beta, -alpha, depth);
        }
        if depth == 1 {
            return best_leaf(worker, (own, other), carry, moves, beta);
        }
        let mut candidates = Candidates::new();
        let mut left = moves;
        while left != 0 {
            let square = left.trailing_zeros() as u8;
            left &= left - 1;
            let turned = flips(own, other, square);
            let (child, rest) = (other ^ turned, own ^ turned ^ 1 << square);
            let replies = mobility(child, rest);
            candidates.push(Candidate { flips: turned, replies, score: -(replies.count_ones() as i32), square });
        }
        let (mut best, mut alpha) = (LOWEST, alpha);
        while let Some(Candidate { flips, square, .. }) = candidates.take_best() {
            let boards = (other ^ flips, own ^ flips ^ 1 << square);
            let carry = worker.evaluation.advance(carry, square, flips);
            let value = -shallow_search(worker, boards, &carry, -beta, -alpha, depth - 1);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The best of the evaluations after each of `moves`, or one that is at least `beta`.
    fn best_leaf<E: Evaluation>(
        worker: &mut SolverWorker<'_, E>,
        (own, other): (u64, u64),
        carry: &E::Carry,
        moves: u64,
        beta: i32
    ) -> i32 {
        let mut best = LOWEST;
        let mut left = moves;
        while left != 0 && best < beta {
            let square = left.trailing_zeros() as u8;
            left &= left - 1;
            let turned = flips(own, other, square);
            let carry = worker.evaluation.advance(carry, square, turned);
            worker.nodes += 1;
            best = best.max(-worker.evaluation.value(other ^ turned, own ^ turned ^ 1 << square, &carry));
        }
        best
    }
}
