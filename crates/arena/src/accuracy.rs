//! How well a player judges positions whose moves have known scores.
//!
//! The first measure of a change to an evaluation or a search: cheaper than matches, and it says what is wrong. Each
//! position is searched by a player that remembers nothing of the others.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use serde::Serialize;
use trilith_base::Seed;
use trilith_games::{Game, Record};
use trilith_search::{Control, Limits};

use crate::kit::GameKit;
use crate::player::{self, Player, PlayerError, PlayerFault, Turn};
use crate::spec::PlayerSpec;

/// A position and the true scores of its moves, in the game's own count for the side to move.
#[derive(Clone, Debug)]
pub struct ScoredPosition<G: Game> {
    /// Where the question is asked.
    pub record: Record<G>,
    /// Every legal move with its score.
    pub scores: Vec<(G::Move, i32)>,
}

impl<G: Game> ScoredPosition<G> {
    fn best(&self) -> Option<i32> {
        self.scores.iter().map(|&(_, score)| score).max()
    }

    fn score(&self, mv: G::Move) -> Option<i32> {
        self.scores.iter().find(|(known, _)| *known == mv).map(|&(_, score)| score)
    }
}

/// How one position was judged.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Judgement {
    /// The true score of the best move.
    pub truth: i32,
    /// What the player says it is worth, in the same count; none if it says nothing.
    pub value: Option<f64>,
    /// What the move chosen loses.
    pub loss: i32,
    /// Positions visited.
    pub nodes: u64,
    /// Wall time.
    pub seconds: f64,
}

/// All judgements in figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Accuracy {
    /// Positions judged.
    pub positions: usize,
    /// Share in which the move chosen is one of the best.
    pub best_move: f64,
    /// Discs, stones or marbles that the move chosen loses on average.
    pub mean_loss: f64,
    /// Share of values within 3 of the truth.
    pub within_3: f64,
    /// Share of values within 6.
    pub within_6: f64,
    /// Mean absolute error of the values.
    pub mean_error: f64,
    /// Mean error with its sign: above 0 where values are too high.
    pub bias: f64,
    /// The straight line that fits best: truth = slope * value + offset.
    pub slope: f64,
    /// See `slope`.
    pub offset: f64,
    /// Positions visited in all.
    pub nodes: u64,
    /// Wall time of all searches, added up.
    pub seconds: f64,
}

/// Why positions could not be judged.
#[derive(Debug, thiserror::Error)]
pub enum AccuracyError {
    /// The player cannot be had.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// It failed.
    #[error("position {number}: {fault}")]
    Fault {
        /// From 1 on.
        number: usize,
        /// How.
        fault: PlayerFault,
    },
    /// Nothing to compare with.
    #[error("position {number} has no score for {mv}: expected scores of all legal moves")]
    Unscored {
        /// From 1 on.
        number: usize,
        /// The move chosen.
        mv: String,
    },
}

/// Has `positions` judged by players made from `spec`, one for each of `threads` threads. The figures do not depend on how
/// many there are, as long as `limits` is no time.
pub fn judge<G: Game, C: GameKit<G>>(
    positions: &[ScoredPosition<G>],
    spec: &PlayerSpec,
    limits: Limits,
    threads: usize,
) -> Result<Vec<Judgement>, AccuracyError> {
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let found = Mutex::new(vec![None; positions.len()]);
    let work = || -> Result<(), AccuracyError> {
        let mut player = player::player::<G, C>(spec, Seed(1))?;
        while !failed.load(Relaxed) {
            let at = next.fetch_add(1, Relaxed);
            let Some(position) = positions.get(at) else { return Ok(()) };
            if !player.renew(Seed(1)) && at > 0 {
                player = player::player::<G, C>(spec, Seed(1))?;
            }
            let judgement = judge_one(&mut *player, position, limits, at + 1)?;
            found.lock().expect("no judge panics while it holds the list")[at] = judgement;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let guarded = || work().inspect_err(|_| failed.store(true, Relaxed));
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(guarded)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("judges do not panic"))
    })?;
    Ok(found.into_inner().expect("all judges have gone").into_iter().flatten().collect())
}

/// Nothing for a position without scores.
fn judge_one<G: Game>(
    player: &mut dyn Player<G>,
    position: &ScoredPosition<G>,
    limits: Limits,
    number: usize,
) -> Result<Option<Judgement>, AccuracyError> {
    let Some(truth) = position.best() else { return Ok(None) };
    let control = Control::default();
    let decision = player
        .choose(&position.record, Turn { control: &control, limits }, &mut |_| ())
        .map_err(|fault| AccuracyError::Fault { number, fault })?;
    let score = position.score(decision.mv).ok_or_else(|| AccuracyError::Unscored {
        number,
        mv: position.record.game().move_text(decision.mv),
    })?;
    let analysis = decision.analysis.as_ref();
    let most = position.scores.iter().fold(64, |most, (_, score)| most.max(score.abs()));
    Ok(Some(Judgement {
        truth,
        value: analysis.map(|analysis| {
            let value = f64::from(analysis.value()) / f64::from(analysis.unit.one);
            value.clamp(f64::from(-most), f64::from(most))
        }),
        loss: truth - score,
        nodes: analysis.map_or(0, |analysis| analysis.nodes),
        seconds: analysis.map_or(0.0, |analysis| analysis.seconds),
    }))
}

/// The figures of some judgements; those of values only where the player said any.
pub fn accuracy(judgements: &[Judgement]) -> Accuracy {
    let mean = |sum: f64, count: usize| if count > 0 { sum / count as f64 } else { 0.0 };
    let valued: Vec<(f64, f64)> =
        judgements.iter().filter_map(|j| j.value.map(|value| (value, f64::from(j.truth)))).collect();
    let error = |&(value, truth): &(f64, f64)| value - truth;
    let within = |most: f64| valued.iter().filter(|pair| error(pair).abs() <= most).count() as f64;
    let (slope, offset) = straight_line(&valued);
    Accuracy {
        positions: judgements.len(),
        best_move: mean(judgements.iter().filter(|j| j.loss == 0).count() as f64, judgements.len()),
        mean_loss: mean(judgements.iter().map(|j| f64::from(j.loss)).sum(), judgements.len()),
        within_3: mean(within(3.0), valued.len()),
        within_6: mean(within(6.0), valued.len()),
        mean_error: mean(valued.iter().map(|pair| error(pair).abs()).sum(), valued.len()),
        bias: mean(valued.iter().map(error).sum(), valued.len()),
        slope,
        offset,
        nodes: judgements.iter().map(|j| j.nodes).sum(),
        seconds: judgements.iter().map(|j| j.seconds).sum(),
    }
}

/// Slope and offset of the least squares line of truth over value; a flat one where all values are equal.
fn straight_line(pairs: &[(f64, f64)]) -> (f64, f64) {
    let count = pairs.len().max(1) as f64;
    let (x, y) = pairs.iter().fold((0.0, 0.0), |(x, y), pair| (x + pair.0 / count, y + pair.1 / count));
    let spread: f64 = pairs.iter().map(|pair| (pair.0 - x).powi(2)).sum();
    let common: f64 = pairs.iter().map(|pair| (pair.0 - x) * (pair.1 - y)).sum();
    let slope = if spread > 0.0 { common / spread } else { 0.0 };
    (slope, y - slope * x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_eval::othello::Evaluations;
    use trilith_games::othello::Othello;
    use trilith_games::othello::formats::obf::parse_obf;

    fn problems() -> Vec<ScoredPosition<Othello>> {
        let suite = include_str!("../../games/tests/data/othello/fforum-1-19.obf");
        let problems = parse_obf(&Othello::default(), suite).unwrap();
        let scored = problems.into_iter().filter(|problem| !problem.scores.is_empty()).map(|problem| {
            let record = Record::from_position(Othello::default(), problem.position).unwrap();
            ScoredPosition { record, scores: problem.scores }
        });
        scored.collect()
    }

    #[test]
    fn who_solves_makes_no_mistake_and_who_counts_discs_does() {
        let (problems, limits) = (problems(), Limits::depth(1));
        let solver = "engine:endgame=20".parse().unwrap();
        let perfect = accuracy(&judge::<Othello, Evaluations>(&problems, &solver, limits, 2).unwrap());
        assert_eq!((perfect.positions, perfect.best_move, perfect.mean_loss), (19, 1.0, 0.0));
        assert_eq!((perfect.mean_error, perfect.within_3, perfect.slope), (0.0, 1.0, 1.0));
        let greedy = "minimax:depth=1,eval=discs".parse().unwrap();
        let one = judge::<Othello, Evaluations>(&problems, &greedy, limits, 1).unwrap();
        let two = judge::<Othello, Evaluations>(&problems, &greedy, limits, 2).unwrap();
        assert!(one.iter().zip(&two).all(|(a, b)| (a.loss, a.value, a.nodes) == (b.loss, b.value, b.nodes)));
        let greedy = accuracy(&one);
        assert!(greedy.best_move < 0.7 && greedy.mean_loss > 3.0, "{greedy:?}");
    }

    #[test]
    fn figures_of_a_worked_example() {
        let judgement = |truth, value, loss| Judgement { truth, value, loss, nodes: 10, seconds: 0.5 };
        let judgements = [judgement(4, Some(3.0), 0), judgement(-8, Some(-3.0), 2), judgement(20, None, 0)];
        let found = accuracy(&judgements);
        assert_eq!((found.positions, found.nodes, found.seconds), (3, 30, 1.5));
        assert_eq!((found.mean_error, found.bias, found.within_3, found.within_6), (3.0, 2.0, 0.5, 1.0));
        assert_eq!((found.slope, found.offset), (2.0, -2.0));
        assert!((found.best_move - 2.0 / 3.0).abs() < 1e-12 && (found.mean_loss - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(accuracy(&[]), Accuracy::default());
    }
}
