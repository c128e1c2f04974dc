//! What an agent has learned and how it chooses its moves.

use rand::RngExt;
use serde::{Deserialize, Serialize};
use trilith_base::seed::Rng;
use trilith_eval::FeatureSet;
use trilith_eval::dense::Dense;
use trilith_games::{Game, MoveList, Outcome, Record};

use crate::othilie::{Leaf, search};

/// What an agent is rewarded with; penalties are negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rewards {
    /// For each of the game's own count won: a marble ejected, a stone removed.
    pub gain: f32,
    /// For each one lost.
    pub loss: f32,
    /// For the game won.
    pub win: f32,
    /// For the game lost.
    pub defeat: f32,
    /// Whether the end of the game is rewarded instead of the marble that ended it, as S4 writes its rewards (6.3): then
    /// (+1, -1, +1, -1) rewards every marble alike. Else both count.
    pub is_end_instead: bool,
    /// Whether a game that ends undecided, by repetition or after so many plies, is won by the side that leads (S4, 6.4).
    pub leader_wins: bool,
}

/// What a move is chosen by, at one ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MoveChoice {
    /// The reward of the move and the discounted value of what it leads to.
    RewardAndValue,
    /// The value of what it leads to alone, as S4 says (4.3); an ended game is worth its reward.
    Value,
}

impl Rewards {
    /// For a change of the count and the end of the game as seen by the side that is rewarded.
    pub fn of(&self, change: i32, outcome: Option<Outcome>) -> f32 {
        let counted = if change > 0 { self.gain } else { -self.loss };
        let ended = match outcome {
            Some(Outcome::Win) => self.win,
            Some(Outcome::Loss) => self.defeat,
            _ => return counted * change as f32,
        };
        if self.is_end_instead { ended } else { counted * change as f32 + ended }
    }

    /// How a game that nobody has won ends for a side that leads by `margin`.
    pub fn undecided(&self, margin: i32) -> Outcome {
        if self.leader_wins { Outcome::of(margin) } else { Outcome::Draw }
    }
}

/// A network a phase over a feature set.
pub struct Agent<G: Game> {
    /// The rules.
    pub game: G,
    /// What the networks see.
    pub set: Box<dyn FeatureSet<G>>,
    /// Each input is multiplied by its number.
    pub scales: Vec<f32>,
    /// One a phase.
    pub stages: Vec<Dense>,
    /// The phases from which on the second, the third and so on take over.
    pub limits: Vec<usize>,
    /// What it is rewarded with.
    pub rewards: Rewards,
    /// How much a reward is worth that comes a move later.
    pub discount: f32,
    /// What moves are chosen by.
    pub choice: MoveChoice,
}

/// The most inputs on the stack.
pub const MOST: usize = 128;

/// A move that has been chosen.
#[derive(Clone, Copy, Debug)]
pub struct ChosenMove<G: Game> {
    /// The move.
    pub mv: G::Move,
    /// Where the value comes from: the position after the move, or the best leaf of a search.
    pub leaf: G::Position,
}

impl<G: Game> Agent<G> {
    /// Which network is for a position.
    #[inline]
    pub fn stage(&self, position: &G::Position) -> usize {
        if self.limits.is_empty() {
            return 0;
        }
        let phase = self.game.phase(position);
        self.limits.iter().take_while(|&&limit| phase >= limit).count()
    }

    /// Writes the scaled inputs of a position. Trusts that `into` has room for exactly one a feature.
    #[inline]
    pub fn inputs(&self, position: &G::Position, into: &mut [f32]) {
        self.set.fill(&self.game, position, into);
        into.iter_mut().zip(&self.scales).for_each(|(input, scale)| *input *= scale);
    }

    /// What the network says of a game that goes on, for the side to move.
    #[inline]
    pub fn worth(&self, position: &G::Position) -> f32 {
        let mut inputs = [0.0; MOST];
        let inputs = &mut inputs[..self.scales.len()];
        self.inputs(position, inputs);
        self.stages[self.stage(position)].run(inputs, |outputs| outputs[0])
    }

    /// The move with the largest promise ([`MoveChoice`]); any one with chance `epsilon`. Looks `depth` plies ahead.
    /// None if the game has ended.
    pub fn choose(
        &self,
        record: &Record<G>,
        depth: u32,
        epsilon: f64,
        rng: &mut Rng,
    ) -> Option<ChosenMove<G>> {
        let position = record.position();
        let mut moves = MoveList::new();
        self.game.moves(position, &mut moves);
        if moves.is_empty() {
            return None;
        }
        if epsilon > 0.0 && rng.random_bool(epsilon.min(1.0)) {
            let mv = moves[rng.random_range(0..moves.len())];
            return Some(ChosenMove { mv, leaf: self.game.play(position, mv) });
        }
        if depth > 1 {
            let found = search(&self.game, self, position, depth);
            return Some(ChosenMove { mv: found.mv, leaf: found.leaf });
        }
        let margin = self.game.margin(position);
        let promise = |&mv: &G::Move| self.promise(margin, &self.game.play(position, mv));
        let mut promises: MoveList<f32> = moves.iter().map(promise).collect();
        // Only the best is looked up in the history: hashing all of them would take as long as valuing them.
        loop {
            let best = one_of_the_best(&promises, rng);
            let mv = moves[best];
            let leaf = self.game.play(position, mv);
            let lead = -self.game.margin(&leaf);
            let undecided = self.rewards.of(lead - margin, Some(self.rewards.undecided(lead)));
            if promises[best] == undecided || !record.is_drawn_by(mv) {
                return Some(ChosenMove { mv, leaf });
            }
            promises[best] = undecided;
        }
    }

    /// What is promised by a position after a move by a side whose count was `margin`.
    #[inline]
    fn promise(&self, margin: i32, after: &G::Position) -> f32 {
        let outcome = self.game.outcome(after);
        let reward = self.rewards.of(-self.game.margin(after) - margin, outcome.map(turned));
        match (outcome, self.choice) {
            (Some(_), _) => reward,
            (None, MoveChoice::RewardAndValue) => reward - self.discount * self.worth(after),
            (None, MoveChoice::Value) => -self.worth(after),
        }
    }
}

/// Which is the largest; each of several with the same chance.
fn one_of_the_best(promises: &[f32], rng: &mut Rng) -> usize {
    let (mut chosen, mut equal) = (0, 1);
    for (at, promise) in promises.iter().enumerate().skip(1) {
        if *promise > promises[chosen] {
            (chosen, equal) = (at, 1);
        } else if *promise == promises[chosen] {
            equal += 1;
            if rng.random_range(0..equal) == 0 {
                chosen = at;
            }
        }
    }
    chosen
}

/// An outcome as the other side sees it.
pub fn turned(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Win => Outcome::Loss,
        Outcome::Draw => Outcome::Draw,
        Outcome::Loss => Outcome::Win,
    }
}

/// Values in a search are scaled so far down that an ended game is always worth more.
const SCALE: f64 = 1e-4;

impl<G: Game> Leaf<G> for Agent<G> {
    fn value(&self, game: &G, position: &G::Position, is_own: bool) -> f64 {
        let counted = self.rewards.gain / self.discount * game.margin(position) as f32;
        let value = f64::from(self.worth(position) + counted) * SCALE;
        if is_own { value } else { -value }
    }
}

#[cfg(test)]
mod tests {
    use trilith_base::Seed;
    use trilith_eval::contract;
    use trilith_eval::dense::Activation;
    use trilith_eval::features::Described;
    use trilith_games::abalone::Abalone;

    use super::*;

    const MARBLES: Rewards =
        Rewards { gain: 1.0, loss: -1.0, win: 1.0, defeat: -1.0, is_end_instead: true, leader_wins: false };

    fn agent(choice: MoveChoice, rewards: Rewards) -> Agent<Abalone> {
        let set = <Abalone as Described>::feature_set("s4-4").expect("S4's final set");
        let shape = [(16, Activation::Logistic), (1, Activation::Linear)];
        Agent {
            scales: vec![1.0; set.count()],
            stages: vec![Dense::random(set.count(), &shape, 0.5, Seed(1))],
            game: Abalone::default(),
            set,
            limits: Vec::new(),
            rewards,
            discount: 0.9,
            choice,
        }
    }

    /// S4's (+1, -1, +1, -1): with the end instead, the last marble is worth as much as any other.
    #[test]
    fn the_end_is_rewarded_beside_the_last_marble_or_instead_of_it() {
        let both = Rewards { is_end_instead: false, ..MARBLES };
        for (change, outcome, instead, beside) in [
            (1, None, 1.0, 1.0),
            (-1, None, -1.0, -1.0),
            (1, Some(Outcome::Win), 1.0, 2.0),
            (-1, Some(Outcome::Loss), -1.0, -2.0),
            (1, Some(Outcome::Draw), 1.0, 1.0),
        ] {
            assert_eq!((MARBLES.of(change, outcome), both.of(change, outcome)), (instead, beside));
        }
    }

    /// S4, 4.3: the move whose successor is worth most; 4.4's reward of a marble makes another choice in some positions.
    #[test]
    fn a_move_is_chosen_by_the_value_of_what_it_leads_to() {
        let [by_value, by_both] =
            [MoveChoice::Value, MoveChoice::RewardAndValue].map(|choice| agent(choice, MARBLES));
        let game = &by_value.game;
        let mut others = 0;
        for position in contract::sample(game, Seed(2), 7, 300) {
            let record = Record::from_position(game.clone(), position).expect("a position of a game");
            let mut moves = MoveList::new();
            game.moves(&position, &mut moves);
            let successors: Vec<_> = moves.iter().map(|&mv| game.play(&position, mv)).collect();
            if successors.iter().any(|after| game.outcome(after).is_some()) {
                continue;
            }
            let best = successors.iter().map(|after| -by_value.worth(after)).fold(f32::MIN, f32::max);
            let choose = |agent: &Agent<Abalone>| {
                agent.choose(&record, 1, 0.0, &mut Seed(3).rng()).expect("the game goes on").leaf
            };
            assert_eq!(-by_value.worth(&choose(&by_value)), best, "{}", game.diagram(&position));
            others += usize::from(-by_value.worth(&choose(&by_both)) < best);
        }
        assert!(others > 0, "a marble was never taken at the cost of the value");
    }

    /// Three plies from a start where White lacks so many marbles and Black so many, and White's move that repeats it.
    fn cycle(
        game: &Abalone,
        black_lost: u32,
        white_lost: u32,
    ) -> (Record<Abalone>, Vec<<Abalone as Game>::Move>) {
        let mut start = game.start();
        for _ in 0..black_lost {
            (start.own, start.own_lost) = (start.own & (start.own - 1), start.own_lost + 1);
        }
        for _ in 0..white_lost {
            (start.other, start.other_lost) = (start.other & (start.other - 1), start.other_lost + 1);
        }
        let moves = |record: &Record<Abalone>| {
            let mut moves = MoveList::new();
            game.moves(record.position(), &mut moves);
            moves
        };
        let mut record = Record::from_position(game.clone(), start).expect("marbles may be missing");
        (0..2).for_each(|_| record.push_legal(moves(&record)[0]));
        for mv in moves(&record) {
            record.push_legal(mv);
            let repeating: Vec<_> = moves(&record).into_iter().filter(|&mv| record.is_drawn_by(mv)).collect();
            if !repeating.is_empty() {
                return (record, repeating);
            }
            record.pop();
        }
        unreachable!("a marble that stepped can step back")
    }

    /// A move that ends the game by repetition is worth what that end brings, not what the network says of the position.
    #[test]
    fn who_trails_goes_round_a_repetition_that_the_network_likes() {
        let game = Abalone::new("thesis".parse().expect("a preset"));
        for (black_lost, white_lost, is_repeated) in [(3, 0, true), (0, 3, false)] {
            let rewards = Rewards { win: 100.0, defeat: -100.0, leader_wins: true, ..MARBLES };
            let (record, repeating) = cycle(&game, black_lost, white_lost);
            let fresh =
                Record::from_position(game.clone(), *record.position()).expect("a position of a game");
            let choose = |agent: &Agent<Abalone>, record| {
                agent.choose(record, 1, 0.0, &mut Seed(4).rng()).expect("the game goes on").mv
            };
            let liking = (0..5000).find_map(|seed| {
                let mut agent = Agent { game: game.clone(), ..agent(MoveChoice::Value, rewards) };
                let shape = [(16, Activation::Logistic), (1, Activation::Linear)];
                agent.stages = vec![Dense::random(agent.set.count(), &shape, 0.5, Seed(seed))];
                repeating.contains(&choose(&agent, &fresh)).then_some(agent)
            });
            let chosen = choose(&liking.expect("some network likes the move"), &record);
            assert_eq!(
                repeating.contains(&chosen),
                is_repeated,
                "White leads by {black_lost} - {white_lost}"
            );
        }
    }
}
