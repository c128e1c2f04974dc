//! One experiment: alpha learns in games against beta.

use serde::{Deserialize, Serialize};
use trilith_base::Seed;
use trilith_eval::FeatureSet;
use trilith_games::{Colour, MoveList, Record};

use super::games::SelfPlayed;
use super::leaf::{Leaf, random_weights};
use super::search::{BestLeaf, search_to_quiet};

/// What the value that a search finds is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Comparison {
    /// The position after alpha's last move (S1, listing 4.2).
    LastMove,
    /// The position the search began with (S1, listing 6.1).
    Now,
    /// The position after alpha's last move with the one after this move, without search: Sutton's rule on what was
    /// observed, and at the end with the result.
    Successor,
}

/// What values are divided by before they are compared (S1, 7.2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Valuation {
    /// The stones on the board, as S1's text says (7.2.3).
    Relative,
    /// The moves made, as S1's listings say (4.2 and 6.1).
    RelativeToMoves,
    /// Nothing.
    Absolute,
}

/// How weights are kept between -1 and 1: S1 says that they are (4.2.1), not how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Normalisation {
    /// All are divided by the largest if it is beyond.
    Scaled,
    /// Each that is beyond is cut off.
    Clamped,
    /// All are divided by the largest, also if it is smaller than 1.
    Stretched,
}

/// What beta plays with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BetaWeights {
    /// A copy of alpha's weights from when they were handed over, as S1's text says (4.2.1).
    Copied,
    /// Alpha's own weights, while it learns, once they have been handed over: what listing 4.4 does where its assignments
    /// in lines 6 and 26 pass on the array and not its numbers.
    Shared,
}

/// When weights move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Updates {
    /// At once (S1, 4.2.1).
    EachMove,
    /// At the end of the game, all steps together, as in Sutton's proof.
    EachGame,
}

/// How an experiment learns.
#[derive(Clone, Debug, PartialEq)]
pub struct LearningRule {
    /// Plies that both components look ahead; S1's five levels with the root are four.
    pub depth: u32,
    /// Plies that a leaf whose side to move can take a corner is searched further, at most (S1, 7.2.2).
    pub corner_plies: u32,
    /// S1's learning factor.
    pub rate: f64,
    /// S1's differentiation factor: how much stronger steps towards zero are.
    pub differentiation: f64,
    /// What values are divided by before they are compared.
    pub valuation: Valuation,
    /// What is compared.
    pub comparison: Comparison,
    /// How much of a step goes to the positions before; S1 has 0.
    pub lambda: f64,
    /// When weights move.
    pub updates: Updates,
    /// How weights stay in bounds.
    pub normalisation: Normalisation,
    /// What beta plays with.
    pub beta: BetaWeights,
    /// After so many wins of alpha beta gets its weights.
    pub wins_to_hand_over: u32,
    /// Games are drawn after so many plies.
    pub plies: usize,
}

/// Who plays with what: the game and its feature set.
pub struct GameFeatures<G: SelfPlayed> {
    /// The rules.
    pub game: G,
    /// What is weighed.
    pub set: Box<dyn FeatureSet<G>>,
    /// The most each feature can be.
    pub most: Vec<f64>,
}

impl<G: SelfPlayed> GameFeatures<G> {
    /// What evaluates leaves with these weights.
    pub fn leaf(&self, weights: &[f64]) -> G::Leaf {
        G::leaf(&*self.set, &self.most, weights)
    }

    /// The features between 0 and 1 as `side` sees them.
    fn features(&self, position: &G::Position, side: Colour) -> Vec<f64> {
        let seen = if self.game.to_move(position) == side { *position } else { G::other_to_move(position) };
        let numbers = trilith_eval::features::of(&*self.set, &self.game, &seen);
        numbers.iter().zip(&self.most).map(|(&number, most)| f64::from(number) / most).collect()
    }

    /// The polynomial's value as `side` sees it; of ended games -1, 0 or 1.
    fn value(&self, leaf: &G::Leaf, position: &G::Position, side: Colour) -> f64 {
        let to_move = self.game.to_move(position);
        match self.game.outcome(position) {
            Some(outcome) => match outcome.winner(to_move) {
                None => 0.0,
                Some(winner) if winner == side => 1.0,
                Some(_) => -1.0,
            },
            None => leaf.value(&self.game, position, to_move == side),
        }
    }

    /// The same divided as the rule says.
    fn share(&self, leaf: &G::Leaf, position: &G::Position, valuation: Valuation) -> f64 {
        self.value(leaf, position, ALPHA) / divisor::<G>(position, valuation)
    }

    /// The only move if it is a pass.
    pub fn forced_pass(&self, position: &G::Position) -> Option<G::Move> {
        let mut moves = MoveList::new();
        self.game.moves(position, &mut moves);
        moves.first().copied().filter(|&mv| moves.len() == 1 && G::is_pass(mv))
    }
}

/// What S1 reports of a game: its result for alpha and how the weights moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LearnedGame {
    /// 1, 0 or -1.
    pub sign: i32,
    /// Plies.
    pub plies: u32,
    /// The sum of delta.
    pub sum: f64,
    /// The largest absolute delta.
    pub largest: f64,
    /// The sum of the absolute changes of all weights, before scaling.
    pub change: f64,
    /// The largest change that a single step has made to a weight, before scaling (S1, 4.4.1).
    pub largest_change: f64,
}

impl LearnedGame {
    /// The names of [`LearnedGame::numbers`].
    pub const NAMES: [&str; 6] = ["result", "plies", "delta", "largest delta", "change", "largest change"];

    /// All of it, as it is kept in the run's database.
    pub fn numbers(&self) -> [f64; 6] {
        let LearnedGame { sign, plies, sum, largest, change, largest_change } = *self;
        [f64::from(sign), f64::from(plies), sum, largest, change, largest_change]
    }
}

/// Alpha and beta.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Experiment {
    /// What has been learned.
    pub alpha: Vec<f64>,
    /// What alpha plays against.
    pub beta: Vec<f64>,
    /// Wins of alpha since beta got its weights.
    pub wins: u32,
}

const ALPHA: Colour = Colour::White;

impl Experiment {
    /// At its beginning, with random weights: the same for both, or not.
    pub fn new(count: usize, is_same: bool, seed: Seed) -> Experiment {
        let alpha = random_weights(count, seed.derive("alpha", 0));
        let beta = if is_same { alpha.clone() } else { random_weights(count, seed.derive("beta", 0)) };
        Experiment { alpha, beta, wins: 0 }
    }

    /// Plays a game and learns from it. There is nothing random in it.
    pub fn learn<G: SelfPlayed>(&mut self, played: &GameFeatures<G>, rule: &LearningRule) -> LearnedGame {
        let mut record = Record::new(played.game.clone());
        let is_shared = rule.beta == BetaWeights::Shared && self.alpha == self.beta;
        let (mut alpha, mut beta) = (played.leaf(&self.alpha), played.leaf(&self.beta));
        let mut lesson = Lesson::new(self.alpha.len());
        let mut last: Option<G::Position> = None;
        while record.end().is_none() && record.len() < rule.plies {
            let now = *record.position();
            if let Some(pass) = played.forced_pass(&now) {
                record.push_legal(pass);
                continue;
            }
            if played.game.to_move(&now) != ALPHA {
                record.push_legal(look_ahead(&played.game, &beta, &now, rule).mv);
                continue;
            }
            let found = look_ahead(&played.game, &alpha, &now, rule);
            record.push_legal(found.mv);
            let after = *record.position();
            let worth = |position: &G::Position| played.share(&alpha, position, rule.valuation);
            // What is known later, what was thought before, and where: the features that are answerable.
            let compared = match rule.comparison {
                Comparison::LastMove => last.map(|last| (divided(&found, rule.valuation), worth(&last), now)),
                Comparison::Now => Some((divided(&found, rule.valuation), worth(&now), now)),
                Comparison::Successor => last.map(|last| (worth(&after), worth(&last), last)),
            };
            if let Some((later, before, place)) = compared {
                self.step(later - before, &played.features(&place, ALPHA), rule, &mut lesson);
                alpha = played.leaf(&self.alpha);
                if is_shared {
                    beta = played.leaf(&self.alpha);
                }
            }
            last = Some(after);
        }
        if let (Comparison::Successor, Some(last)) = (rule.comparison, last) {
            let end = played.share(&alpha, record.position(), rule.valuation);
            let before = played.share(&alpha, &last, rule.valuation);
            self.step(end - before, &played.features(&last, ALPHA), rule, &mut lesson);
        }
        let learned = self.close(&record, rule, lesson);
        if is_shared {
            self.beta.clone_from(&self.alpha);
        }
        learned
    }

    /// The end of a game: what waited for it, its result, and beta's weights.
    fn close<G: SelfPlayed>(
        &mut self,
        record: &Record<G>,
        rule: &LearningRule,
        lesson: Lesson,
    ) -> LearnedGame {
        let Lesson { mut learned, waiting, .. } = lesson;
        if rule.updates == Updates::EachGame {
            self.alpha.iter_mut().zip(&waiting).for_each(|(weight, step)| *weight += step);
            self.normalise(rule.normalisation);
        }
        learned.plies = record.len() as u32;
        let winner = record.end().and_then(|end| end.winner);
        learned.sign = winner.map_or(0, |winner| if winner == ALPHA { 1 } else { -1 });
        self.hand_over(learned.sign, rule);
        learned
    }

    fn hand_over(&mut self, sign: i32, rule: &LearningRule) {
        self.wins += u32::from(sign > 0);
        if self.wins >= rule.wins_to_hand_over {
            self.wins = 0;
            self.beta.clone_from(&self.alpha);
        }
    }

    /// Moves all weights by `delta`, or notes how they will move at the end of the game.
    fn step(&mut self, delta: f64, features: &[f64], rule: &LearningRule, lesson: &mut Lesson) {
        let Lesson { learned, traces, waiting } = lesson;
        learned.sum += delta;
        learned.largest = learned.largest.max(delta.abs());
        for (at, feature) in features.iter().enumerate() {
            traces[at] = rule.lambda * traces[at] + feature;
            let is_towards_zero = (self.alpha[at] >= 0.0) == (delta < 0.0);
            let factor = if is_towards_zero { rule.differentiation } else { 1.0 };
            let step = rule.rate * delta * traces[at] * factor;
            learned.change += step.abs();
            learned.largest_change = learned.largest_change.max(step.abs());
            match rule.updates {
                Updates::EachMove => self.alpha[at] += step,
                Updates::EachGame => waiting[at] += step,
            }
        }
        if rule.updates == Updates::EachMove {
            self.normalise(rule.normalisation);
        }
    }

    /// Brings all weights into [-1, 1].
    fn normalise(&mut self, how: Normalisation) {
        let largest = self.alpha.iter().fold(0.0_f64, |largest, weight| largest.max(weight.abs()));
        match how {
            Normalisation::Scaled if largest <= 1.0 => {}
            Normalisation::Scaled | Normalisation::Stretched if largest > 0.0 => {
                self.alpha.iter_mut().for_each(|weight| *weight /= largest);
            }
            Normalisation::Scaled | Normalisation::Stretched => {}
            Normalisation::Clamped => {
                self.alpha.iter_mut().for_each(|weight| *weight = weight.clamp(-1.0, 1.0));
            }
        }
    }
}

/// What a game has taught so far.
struct Lesson {
    learned: LearnedGame,
    /// Features of the positions before, faded.
    traces: Vec<f64>,
    /// Steps to be made at the end.
    waiting: Vec<f64>,
}

impl Lesson {
    fn new(count: usize) -> Lesson {
        Lesson { learned: LearnedGame::default(), traces: vec![0.0; count], waiting: vec![0.0; count] }
    }
}

/// What a component finds.
pub fn look_ahead<G: SelfPlayed>(
    game: &G,
    leaf: &G::Leaf,
    position: &G::Position,
    rule: &LearningRule,
) -> BestLeaf<G> {
    search_to_quiet(game, leaf, position, rule.depth, rule.corner_plies)
}

/// The value of the best leaf as it is compared.
fn divided<G: SelfPlayed>(found: &BestLeaf<G>, valuation: Valuation) -> f64 {
    found.value / divisor::<G>(&found.leaf, valuation)
}

/// What a position's value is divided by.
fn divisor<G: SelfPlayed>(position: &G::Position, valuation: Valuation) -> f64 {
    let stones = G::stones_on_board(position);
    match valuation {
        Valuation::Absolute => 1.0,
        Valuation::Relative => f64::from(stones.max(1)),
        Valuation::RelativeToMoves => f64::from((stones - G::STONES_AT_START.min(stones)).max(1)),
    }
}

#[cfg(test)]
mod tests;
