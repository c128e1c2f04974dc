//! S5, 4.2: an endgame decided exactly and with EndCut at several levels, as a cell.

use serde::{Deserialize, Serialize};
use trilith_base::Seed;
use trilith_eval::{Catalogue, Evaluator, Unknowing, othello::Evaluations};
use trilith_games::othello::{Othello, Position};
use trilith_games::{Game, Outcome, Record, playout};
use trilith_search::{Control, EndCut, Engine, EngineOptions, Ladder, Limits, Rung};

/// One endgame of a game between equals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Endgame {
    /// Which game.
    pub number: u64,
    /// Where all draws come from.
    pub seed: u64,
    /// Discs at the root; S5: 42.
    pub discs: u32,
    /// Discs at which the test is made; S5: 50.
    pub tested_at: u32,
    /// What the test must reach, in hundredths of a disc.
    pub levels: Vec<i32>,
    /// Plies of the heuristic search whose opinion is compared.
    pub depth: u32,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EndgameDecision {
    /// 1 if the side to move wins, -1 if it loses.
    pub outcome: i32,
    /// What the heuristic search says, in discs.
    pub heuristic: f64,
    /// Nodes of the exact decision.
    pub exact: u64,
    /// By level: nodes of the selective decision, and whether it was right.
    pub levels: Vec<(u64, bool)>,
}

impl EndgameDecision {
    /// Whether the heuristic search is on the wrong side: what S5 chose its positions by.
    pub fn is_hard(&self) -> bool {
        self.outcome != 0 && self.heuristic * f64::from(self.outcome) < 0.0
    }
}

/// Plies of the searches by which games are played.
const PLAYED_AT: u32 = 4;
const RANDOM: usize = 8;
/// Plies of the test (S5: CHK_DEPTH).
const TEST_DEPTH: u32 = 4;

impl Endgame {
    /// Plays to the endgame and decides it; nothing is known of games that end before.
    pub fn run(&self) -> Option<EndgameDecision> {
        let (game, evaluator) = (Othello::default(), Evaluations::engine_evaluator());
        let one = Evaluator::<Othello>::unit(&evaluator).one;
        let position = self.position(&game)?;
        let mut engine = engine(4);
        let record = Record::from_position(game.clone(), position).ok()?;
        let heuristic = engine.analyse(&record, &Limits::depth(self.depth), &Control::default(), &mut |_| ());
        let techniques = Rung::History.techniques(one, 16);
        let sign = |outcome: Outcome| match outcome {
            Outcome::Win => 1,
            Outcome::Draw => 0,
            Outcome::Loss => -1,
        };
        // Each search begins with nothing remembered, so that none profits from another.
        let (outcome, exact) = Ladder::new(&game, &evaluator, techniques).outcome(&position, None);
        let mut levels = Vec::new();
        for &level in &self.levels {
            let mut ladder = Ladder::new(&game, &evaluator, techniques);
            let phase = self.tested_at as usize - 1;
            let cut = EndCut { phase, depth: TEST_DEPTH, level: level * one / 100 };
            let (guess, nodes) = ladder.outcome(&position, Some(cut));
            levels.push((nodes, guess == outcome));
        }
        let heuristic = f64::from(heuristic.value()) / f64::from(one);
        Some(EndgameDecision { outcome: sign(outcome), heuristic, exact, levels })
    }

    fn position(&self, game: &Othello) -> Option<Position> {
        let mut engine = engine(4);
        let mut record = Record::new(game.clone());
        playout::play_on(&mut record, RANDOM, &mut Seed(self.seed).derive("endgame", self.number).rng());
        while record.end().is_none() && discs(record.position()) < self.discs {
            let answer = engine.analyse(&record, &Limits::depth(PLAYED_AT), &Control::default(), &mut |_| ());
            record.push_legal(answer.best()?);
        }
        let position = *record.position();
        (record.end().is_none() && game.outcome(&position).is_none()).then_some(position)
    }
}

fn discs(position: &Position) -> u32 {
    64 - position.empties().count_ones()
}

/// The production search without any finisher.
pub(super) fn engine(
    mebibytes: usize,
) -> Engine<Othello, <Evaluations as Catalogue<Othello>>::EngineEvaluator, Unknowing> {
    let options = EngineOptions { table_mebibytes: mebibytes, ..EngineOptions::default() };
    Engine::new(Evaluations::engine_evaluator(), Unknowing, options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_that_nothing_reaches_is_the_exact_search() {
        let endgame =
            |level| Endgame { number: 3, seed: 1, discs: 52, tested_at: 56, levels: vec![level], depth: 4 };
        let exact = endgame(100_000).run().unwrap();
        assert!(exact.levels[0].1, "nothing is cut, so nothing is wrong");
        let bold = endgame(0).run().unwrap();
        assert_eq!((bold.outcome, bold.exact), (exact.outcome, exact.exact));
        assert_eq!(endgame(0).run(), Some(bold), "the same each time");
    }
}
