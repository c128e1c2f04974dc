//! AbaPro's evaluation (S4, 3.1): how far the marbles of each side lie from a point of reference between the centres
//! of mass of both sides and the middle of the board.
//!
//! S4 names neither the weights of the three points, here one each, nor what an ejected marble counts. Without a place
//! on the board it would count nothing, and losing it would look like a gain: it is taken as one step farther than any
//! cell can be from another.

use trilith_games::abalone::cells::CENTRE;
use trilith_games::abalone::{Abalone, Position};

use super::heuristics::{centre_of_mass, place_of, sum_of_steps};
use crate::catalogue::LeafEvaluator;
use crate::evaluator::{Unit, Value};
use crate::explanation::{Explanation, Term};

/// The evaluation; weights of the own centre of mass, the other's, and the middle of the board.
#[derive(Clone, Copy, Debug)]
pub struct AbaPro {
    weights: [f32; 3],
}

const UNIT: Unit = Unit { name: "steps", one: 100 };
const LOST: f32 = 9.0;

impl Default for AbaPro {
    fn default() -> AbaPro {
        AbaPro { weights: [1.0; 3] }
    }
}

impl AbaPro {
    /// Steps of the own marbles and of the other's to the point of reference.
    fn steps(&self, position: &Position) -> [f32; 2] {
        let points = [centre_of_mass(position.own), centre_of_mass(position.other), place_of(CENTRE)];
        let whole: f32 = self.weights.iter().sum();
        let mean = |part: fn(&(f32, f32)) -> f32| {
            points.iter().zip(self.weights).map(|(point, weight)| part(point) * weight).sum::<f32>() / whole
        };
        let reference = (mean(|point| point.0), mean(|point| point.1));
        [position.own, position.other].map(|set| sum_of_steps(set, reference))
    }
}

impl LeafEvaluator<Abalone> for AbaPro {
    fn unit(&self) -> Unit {
        UNIT
    }

    fn value(&self, _: &Abalone, position: &Position) -> Value {
        let [own, other] = self.steps(position);
        let lost = f32::from(position.other_lost) - f32::from(position.own_lost);
        ((other - own + LOST * lost) * UNIT.one as f32).round() as Value
    }

    fn explain(&self, _: &Abalone, position: &Position) -> Explanation {
        let [own, other] = self.steps(position);
        let terms = vec![
            Term::weighted("own steps to the point of reference", f64::from(own), -1.0),
            Term::weighted("other steps to the point of reference", f64::from(other), 1.0),
            Term::weighted("own marbles lost", f64::from(position.own_lost), -f64::from(LOST)),
            Term::weighted("other marbles lost", f64::from(position.other_lost), f64::from(LOST)),
        ];
        Explanation::sum(UNIT.name, terms)
    }
}
