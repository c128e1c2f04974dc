//! One game of learning: both sides are the agent, or the other one moves at random.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use serde::{Deserialize, Serialize};
use trilith_base::Seed;
use trilith_games::{Colour, Game, Outcome, Record, playout};

use super::agent::{Agent, Rewards, turned};
use crate::online::{self, Pass};

/// How an agent learns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RiskRule {
    /// The learning rate alpha.
    pub rate: f32,
    /// How far back a reward is felt.
    pub lambda: f32,
    /// Risk, from -1 to 1: below zero good surprises count more.
    pub kappa: f32,
    /// The chance of a random move.
    pub epsilon: f64,
    /// Plies looked ahead; more than one makes it TD-leaf(lambda).
    pub depth: u32,
    /// Random plies at the beginning, from which nothing is learned.
    pub opening: usize,
    /// Games are drawn after so many plies.
    pub plies: usize,
    /// Which rewards belong to a position.
    pub credit: RewardCredit,
}

/// Which rewards belong to the position after an own move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RewardCredit {
    /// Those still to come: of the opponent's answer and of the next own move.
    ToCome,
    /// Those of the move that led there and of the answer to it, as S4 writes `R(s, a)` (4.4).
    OfTheMove,
}

impl RiskRule {
    /// The transformation chi of a surprise.
    pub fn transformed(&self, delta: f32) -> f32 {
        if delta > 0.0 { (1.0 - self.kappa) * delta } else { (1.0 + self.kappa) * delta }
    }
}

/// Rates that adapt, one a weight (temporal coherence): full while a weight's changes point one way, small when they
/// cancel out.
#[derive(Clone, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Coherence {
    /// Of all changes, by stage and weight: their sum and the sum of their sizes. Empty if rates do not adapt.
    pub sums: Vec<(Vec<f32>, Vec<f32>)>,
}

/// What a game taught.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GameUpdates {
    /// For Black: 1, 0 or -1.
    pub sign: i32,
    /// Plies.
    pub plies: u32,
    /// Updates made.
    pub updates: u64,
    /// The sum of squared surprises.
    pub squares: f64,
}

/// What one side remembers since its last move.
struct Side {
    learns: bool,
    /// One row a stage.
    traces: Vec<Vec<f32>>,
    /// What the last value came from; the network speaks for the side to move there.
    last: Option<LeafInputs>,
    /// Rewards that belong to the last position.
    reward: f32,
    /// The count at the last leaf, in a search.
    margin: i32,
}

struct LeafInputs {
    stage: usize,
    inputs: Vec<f32>,
    /// 1 if the side itself is to move at the leaf, -1 if its opponent is.
    sign: f32,
}

/// Plays a game and learns from it. `random` is the side that moves at random and learns nothing, if any. Cut short, and
/// worth nothing, if `stop` is set.
pub fn play<G: Game>(
    agent: &mut Agent<G>,
    plan: &RiskRule,
    coherence: &mut Coherence,
    random: Option<Colour>,
    seed: Seed,
    stop: &AtomicBool,
) -> GameUpdates {
    let mut rng = seed.rng();
    let mut record = Record::new(agent.game.clone());
    playout::play_on(&mut record, plan.opening, &mut rng);
    let mut taught = GameUpdates::default();
    let mut teacher = Teacher { pass: Pass::default(), row: Vec::new(), plan, coherence };
    let rows: Vec<Vec<f32>> = agent.stages.iter().map(|stage| vec![0.0; online::count(stage)]).collect();
    let side = |colour| Side {
        learns: random != Some(colour),
        traces: rows.clone(),
        last: None,
        reward: 0.0,
        margin: 0,
    };
    let mut sides = [side(Colour::Black), side(Colour::White)];
    while record.end().is_none() && record.len() < plan.plies && !stop.load(Relaxed) {
        let now = *record.position();
        let mover = agent.game.to_move(&now);
        let own = usize::from(mover == Colour::White);
        let (mv, leaf) = match sides[own].learns {
            true => {
                let choice =
                    agent.choose(&record, plan.depth, plan.epsilon, &mut rng).expect("the game goes on");
                (choice.mv, choice.leaf)
            }
            false => {
                let mv = playout::random_move(&agent.game, &now, &mut rng).expect("the game goes on");
                (mv, agent.game.play(&now, mv))
            }
        };
        record.push_legal(mv);
        let change = margin_of(agent, record.position(), mover) - agent.game.margin(&now);
        let ply = Ply { mover, leaf, change, outcome: outcome(&record, mover, plan.plies, &agent.rewards) };
        teacher.follow(agent, &mut sides, &ply, &mut taught);
    }
    taught.plies = record.len() as u32;
    let winner = record.end().and_then(|end| end.winner);
    taught.sign = winner.map_or(0, |winner| if winner == Colour::Black { 1 } else { -1 });
    taught
}

/// The game's own count as a side sees it.
fn margin_of<G: Game>(agent: &Agent<G>, position: &G::Position, side: Colour) -> i32 {
    let margin = agent.game.margin(position);
    if agent.game.to_move(position) == side { margin } else { -margin }
}

/// How the game has ended for a side, at the latest after so many plies; none if it goes on.
fn outcome<G: Game>(record: &Record<G>, side: Colour, plies: usize, rewards: &Rewards) -> Option<Outcome> {
    let end = record.end();
    if end.is_none() && record.len() < plies {
        return None;
    }
    let (game, position) = (record.game(), record.position());
    Some(match end.and_then(|end| end.winner) {
        Some(winner) if winner == side => Outcome::Win,
        Some(_) => Outcome::Loss,
        None => {
            let margin = game.margin(position);
            rewards.undecided(if game.to_move(position) == side { margin } else { -margin })
        }
    })
}

/// A move that was made and what it brought to the side that made it.
struct Ply<G: Game> {
    mover: Colour,
    /// Where the move's value comes from.
    leaf: G::Position,
    change: i32,
    outcome: Option<Outcome>,
}

struct Teacher<'a> {
    pass: Pass,
    row: Vec<f32>,
    plan: &'a RiskRule,
    coherence: &'a mut Coherence,
}

impl Teacher<'_> {
    /// Both sides take their rewards of a ply; the mover learns, at the end both do.
    fn follow<G: Game>(
        &mut self,
        agent: &mut Agent<G>,
        sides: &mut [Side; 2],
        ply: &Ply<G>,
        taught: &mut GameUpdates,
    ) {
        let Ply { mover, leaf, change, outcome } = *ply;
        let own = usize::from(mover == Colour::White);
        if sides[own].learns {
            let change = match self.plan.depth {
                1 => change,
                _ => margin_of(agent, &leaf, mover) - sides[own].margin,
            };
            sides[own].margin = margin_of(agent, &leaf, mover);
            let reward = agent.rewards.of(change, outcome);
            // A leaf where the game has ended has no value to come and no slopes.
            let next = (outcome.is_none() && agent.game.outcome(&leaf).is_none()).then_some(leaf);
            match (self.plan.credit, next) {
                (RewardCredit::ToCome, _) => sides[own].reward += reward,
                // An ended game is worth the reward of the move that ended it.
                (RewardCredit::OfTheMove, None) => sides[own].reward += agent.discount * reward,
                (RewardCredit::OfTheMove, Some(_)) => {}
            }
            self.learn(agent, &mut sides[own], mover, next, taught);
            if self.plan.credit == RewardCredit::OfTheMove {
                sides[own].reward = reward;
            }
        }
        let other = 1 - own;
        if sides[other].learns {
            let lost = if self.plan.depth == 1 { -change } else { 0 };
            sides[other].reward += agent.rewards.of(lost, outcome.map(turned));
            if outcome.is_some() {
                self.learn(agent, &mut sides[other], !mover, None, taught);
            }
        }
    }

    /// Compares the value before with rewards and value now, moves the weights, and remembers the leaf.
    fn learn<G: Game>(
        &mut self,
        agent: &mut Agent<G>,
        side: &mut Side,
        colour: Colour,
        leaf: Option<G::Position>,
        taught: &mut GameUpdates,
    ) {
        let seen = leaf.map(|leaf| {
            let mut inputs = vec![0.0; agent.scales.len()];
            agent.inputs(&leaf, &mut inputs);
            let sign = if agent.game.to_move(&leaf) == colour { 1.0 } else { -1.0 };
            LeafInputs { stage: agent.stage(&leaf), inputs, sign }
        });
        if let Some(last) = &side.last {
            let before = last.sign * self.value(agent, last);
            let now = seen.as_ref().map_or(0.0, |seen| seen.sign * self.value(agent, seen));
            let delta = side.reward + agent.discount * now - before;
            taught.updates += 1;
            taught.squares += f64::from(delta * delta);
            let step = self.plan.rate * self.plan.transformed(delta);
            self.update(agent, &side.traces, step);
        }
        side.reward = 0.0;
        let fade = agent.discount * self.plan.lambda;
        side.traces.iter_mut().flatten().for_each(|slope| *slope *= fade);
        if let Some(seen) = &seen {
            self.pass.run(&agent.stages[seen.stage], &seen.inputs);
            let errors = [seen.sign];
            self.pass.slopes(&agent.stages[seen.stage], &seen.inputs, &errors, &mut side.traces[seen.stage]);
        }
        side.last = seen;
    }

    fn value<G: Game>(&mut self, agent: &Agent<G>, seen: &LeafInputs) -> f32 {
        self.pass.run(&agent.stages[seen.stage], &seen.inputs)[0]
    }

    fn update<G: Game>(&mut self, agent: &mut Agent<G>, traces: &[Vec<f32>], step: f32) {
        for (number, (stage, trace)) in agent.stages.iter_mut().zip(traces).enumerate() {
            let Some((sums, sizes)) = self.coherence.sums.get_mut(number) else {
                online::add(stage, trace, step);
                continue;
            };
            self.row.clear();
            for ((slope, sum), size) in trace.iter().zip(sums).zip(sizes) {
                let rate = if *size > 0.0 { sum.abs() / *size } else { 1.0 };
                self.row.push(rate * slope);
                *sum += step * slope;
                *size += (step * slope).abs();
            }
            online::add(stage, &self.row, step);
        }
    }
}

#[cfg(test)]
mod tests {
    use trilith_eval::dense::{Activation, Dense};
    use trilith_eval::features::Described;
    use trilith_games::abalone::Abalone;

    use super::super::MoveChoice;
    use super::*;

    /// S4, 6.4: games were stopped, and whoever had lost fewer marbles had the better of it.
    #[test]
    fn a_stopped_game_is_drawn_or_won_by_the_side_that_leads() {
        let drawn = Rewards {
            gain: 0.5,
            loss: -0.5,
            win: 1.0,
            defeat: -1.0,
            is_end_instead: true,
            leader_wins: false,
        };
        let leader = Rewards { leader_wins: true, ..drawn };
        let mut leads = [0; 3];
        for game in 0..40 {
            let mut record = Record::new(Abalone::default());
            playout::play_on(&mut record, 150, &mut Seed(game).rng());
            if record.end().is_some() {
                continue;
            }
            let margin = record.game().margin(record.position());
            let side = record.game().to_move(record.position());
            let plies = record.len();
            assert_eq!(outcome(&record, side, plies + 1, &leader), None, "the game goes on");
            assert_eq!(outcome(&record, side, plies, &drawn), Some(Outcome::Draw));
            assert_eq!(outcome(&record, side, plies, &leader), Some(Outcome::of(margin)));
            assert_eq!(outcome(&record, !side, plies, &leader), Some(Outcome::of(-margin)));
            leads[(1 + margin.signum()) as usize] += 1;
        }
        assert!(leads.iter().all(|&games| games > 0), "behind, level and ahead: {leads:?}");
    }

    /// S4, 4.4: `R(s, a)` is what the move and the answer to it bring. A marble lost to the answer belongs to the position
    /// after the move in both readings; one won does to the position before or after.
    #[test]
    fn a_marble_won_belongs_to_the_position_after_the_move_or_before() {
        let learned = |credit, gain: f32, loss: f32| {
            let rewards =
                Rewards { gain, loss, win: 0.0, defeat: 0.0, is_end_instead: false, leader_wins: false };
            let set = <Abalone as Described>::feature_set("s4-4").unwrap();
            let mut agent = Agent {
                scales: vec![1.0; set.count()],
                stages: vec![Dense::random(set.count(), &[(1, Activation::Linear)], 0.001, Seed(1))],
                game: Abalone::default(),
                set,
                limits: Vec::new(),
                rewards,
                discount: 0.5,
                choice: MoveChoice::Value,
            };
            // Every move is one by lot, so that games are the same whatever is learned.
            let plan = RiskRule {
                rate: 0.001,
                lambda: 0.0,
                kappa: 0.0,
                epsilon: 1.0,
                depth: 1,
                opening: 0,
                plies: 1000,
                credit,
            };
            let stop = AtomicBool::new(false);
            play(&mut agent, &plan, &mut Coherence::default(), None, Seed(1), &stop);
            online::numbers(&agent.stages[0])
        };
        let both = [RewardCredit::ToCome, RewardCredit::OfTheMove];
        let [to_come, of_the_move] = both.map(|credit| learned(credit, 0.0, -1.0));
        assert_eq!(to_come, of_the_move);
        let [to_come, of_the_move] = both.map(|credit| learned(credit, 1.0, 0.0));
        assert_ne!(to_come, of_the_move);
    }

    #[test]
    fn surprises_are_transformed_as_published() {
        let plan = RiskRule {
            rate: 0.1,
            lambda: 0.7,
            kappa: -0.7,
            epsilon: 0.0,
            depth: 1,
            opening: 0,
            plies: 100,
            credit: RewardCredit::ToCome,
        };
        assert!((plan.transformed(2.0) - 3.4).abs() < 1e-6 && (plan.transformed(-2.0) + 0.6).abs() < 1e-6);
        let calm = RiskRule { kappa: 0.0, ..plan };
        assert_eq!((calm.transformed(2.0), calm.transformed(-2.0)), (2.0, -2.0));
    }
}
