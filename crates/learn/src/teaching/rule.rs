//! How one pattern moves the weights: backpropagation with momentum and a rate a weight.

use serde::{Deserialize, Serialize};
use trilith_eval::dense::Dense;

use crate::online::{self, Pass};

/// The rule of learning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// The learning rate eta, or where the rates of all weights begin.
    pub rate: f32,
    /// How much of the last move a weight makes again; S2's alpha.
    pub momentum: f32,
    /// Added to a weight's rate when two slopes in a row agree; with zero all rates stay.
    pub kappa: f32,
    /// Multiplies a weight's rate when they do not.
    pub phi: f32,
    /// No rate grows beyond.
    pub most: f32,
}

/// A network while it learns.
#[derive(Clone, Debug)]
pub struct Student {
    /// What has been learned.
    pub dense: Dense,
    /// What learning remembers.
    pub memory: RateMemory,
    pass: Pass,
    row: Vec<f32>,
}

/// By weight: its rate, its last slope and its last move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RateMemory {
    rates: Vec<f32>,
    slopes: Vec<f32>,
    moves: Vec<f32>,
}

impl Student {
    /// At its beginning.
    pub fn new(dense: Dense, rule: &Rule) -> Student {
        let count = online::count(&dense);
        let memory =
            RateMemory { rates: vec![rule.rate; count], slopes: vec![0.0; count], moves: vec![0.0; count] };
        Student { dense, memory, pass: Pass::default(), row: vec![0.0; count] }
    }

    /// What the network says.
    pub fn outputs(&mut self, inputs: &[f32]) -> &[f32] {
        self.pass.run(&self.dense, inputs)
    }

    /// Moves the weights so that `inputs` lead nearer to `targets`; gives back half the squared error before.
    pub fn learn(&mut self, inputs: &[f32], targets: &[f32], rule: &Rule) -> f64 {
        let outputs = self.pass.run(&self.dense, inputs);
        let errors: Vec<f32> = targets.iter().zip(outputs).map(|(target, output)| target - output).collect();
        self.row.fill(0.0);
        self.pass.slopes(&self.dense, inputs, &errors, &mut self.row);
        let RateMemory { rates, slopes, moves } = &mut self.memory;
        for (at, &slope) in self.row.iter().enumerate() {
            if rule.kappa == 0.0 {
                rates[at] = rule.rate;
            } else if slope != 0.0 {
                let agree = slope * slopes[at] > 0.0;
                rates[at] =
                    if agree { (rates[at] + rule.kappa).min(rule.most) } else { rates[at] * rule.phi };
                slopes[at] = slope;
            }
            moves[at] = (1.0 - rule.momentum) * rates[at] * slope + rule.momentum * moves[at];
        }
        online::add(&mut self.dense, &self.memory.moves, 1.0);
        errors.iter().map(|&error| f64::from(error * error)).sum::<f64>() / 2.0
    }

    /// Whether all weights are numbers.
    pub fn is_finite(&self) -> bool {
        online::numbers(&self.dense).iter().all(|number| number.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::Seed;
    use trilith_eval::dense::Activation;

    const RULE: Rule = Rule { rate: 0.5, momentum: 0.0, kappa: 0.0, phi: 0.5, most: 5.0 };

    /// One input, one linear output: the delta rule worked out by hand.
    #[test]
    fn rates_grow_by_kappa_and_shrink_by_phi() {
        let dense = Dense::random(1, &[(1, Activation::Linear)], 0.0, Seed(1));
        let rule = Rule { kappa: 0.1, momentum: 0.5, ..RULE };
        let mut student = Student::new(dense, &rule);
        student.learn(&[1.0], &[1.0], &rule);
        // The first slope agrees with nothing: rate 0.25, half of the step by momentum.
        assert!((student.dense.layers()[0].weights[0] - 0.125).abs() < 1e-6);
        student.learn(&[1.0], &[1.0], &rule);
        // Error 1 - 0.25, rate 0.35: 0.5 * 0.35 * 0.75 + 0.5 * 0.125.
        let expected = 0.125 + 0.13125 + 0.0625;
        assert!((student.dense.layers()[0].weights[0] - expected).abs() < 1e-6);
    }

    #[test]
    fn exclusive_or_is_learned_with_and_without_momentum() {
        for rule in [RULE, Rule { momentum: 0.6, ..RULE }] {
            let shape = [(6, Activation::Tanh), (1, Activation::Logistic)];
            let mut student = Student::new(Dense::random(2, &shape, 0.8, Seed(3)), &rule);
            let patterns = [([0.0, 0.0], 0.0), ([0.0, 1.0], 1.0), ([1.0, 0.0], 1.0), ([1.0, 1.0], 0.0)];
            for _ in 0..4000 {
                for (inputs, target) in &patterns {
                    student.learn(inputs, &[*target], &rule);
                }
            }
            for (inputs, target) in patterns {
                let found = student.outputs(&inputs)[0];
                assert!((found - target).abs() < 0.2, "{rule:?}: {inputs:?} {found}");
            }
        }
    }

    #[test]
    fn either_or_both_is_learned_with_a_rate_a_weight() {
        let rule = Rule { kappa: 0.05, phi: 0.7, ..RULE };
        let mut student = Student::new(Dense::random(2, &[(1, Activation::Logistic)], 0.1, Seed(3)), &rule);
        let patterns = [([0.0, 0.0], 0.0), ([0.0, 1.0], 1.0), ([1.0, 0.0], 1.0), ([1.0, 1.0], 1.0)];
        for _ in 0..2000 {
            for (inputs, target) in &patterns {
                student.learn(inputs, &[*target], &rule);
            }
        }
        for (inputs, target) in patterns {
            let found = student.outputs(&inputs)[0];
            assert!((found - target).abs() < 0.3, "{inputs:?} {found}");
        }
    }
}
