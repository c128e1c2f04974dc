//! Shallow searches with the evaluation at their leaves, in hundredths of a disc.

use super::evaluation::Evaluation;
use super::last::final_score;
use super::moves::{Candidate, Candidates};
use super::worker::Worker;

trilith_games::per_technique! {
    /// The value of a position after `depth` plies of search, between `alpha` and `beta`.
    fn shallow_search(
        worker: &mut Worker<'_, impl Evaluation>,
        own: u64,
        other: u64,
        alpha: i32,
        beta: i32,
        depth: u32
    ) -> i32 {
        worker.nodes += 1;
        if depth == 0 {
            return worker.evaluation.value(own, other);
        }
        let moves = mobility(own, other);
        if moves == 0 {
            if mobility(other, own) == 0 {
                return 100 * final_score(own, other);
            }
            return -shallow_search(worker, other, own, -beta, -alpha, depth);
        }
        let mut candidates = Candidates::new();
        let mut left = moves;
        while left != 0 {
            let square = left.trailing_zeros() as u8;
            left &= left - 1;
            let turned = flips(own, other, square);
            let (child, rest) = (other ^ turned, own ^ turned ^ 1 << square);
            let score = if depth > 1 { -(mobility(child, rest).count_ones() as i32) } else { 0 };
            candidates.push(Candidate { flips: turned, score, square });
        }
        let (mut best, mut alpha) = (-9999, alpha);
        while let Some(Candidate { flips, square, .. }) = candidates.take_best() {
            let (child, rest) = (other ^ flips, own ^ flips ^ 1 << square);
            let value = -shallow_search(worker, child, rest, -beta, -alpha, depth - 1);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
