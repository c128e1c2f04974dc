//! Steps against the gradient: plain, with momentum, Adam and Rprop, as PyTorch defines them.

use serde::{Deserialize, Serialize};

/// How parameters follow the gradient.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields, tag = "method")]
pub enum Method {
    /// `w -= rate v` with `v = momentum v + g`; no momentum if zero.
    Sgd {
        /// Of the velocity kept from step to step, 0 to below 1.
        #[serde(default)]
        momentum: f32,
    },
    /// Kingma and Ba: mean and mean square of the gradient, with their start corrected.
    Adam {
        /// How slowly the mean moves.
        #[serde(default = "nine_tenths")]
        beta1: f32,
        /// How slowly the mean square moves.
        #[serde(default = "nearly_one")]
        beta2: f32,
    },
    /// Riedmiller and Braun: only signs count, each parameter has its own step. For large batches; `rate` is the
    /// first step.
    Rprop,
}

fn nine_tenths() -> f32 {
    0.9
}

fn nearly_one() -> f32 {
    0.999
}

const TINY: f32 = 1e-8;
/// Rprop: factors when signs disagree and agree, and the bounds of a step.
const SHRINK: f32 = 0.5;
const GROW: f32 = 1.2;
const SHORTEST: f32 = 1e-6;
const LONGEST: f32 = 50.0;

/// A method with what it remembers; a run that stops must keep all of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Optimiser {
    /// The method.
    pub method: Method,
    /// Steps taken.
    pub steps: u64,
    /// Velocity, mean gradient or last gradient.
    pub first: Vec<f32>,
    /// Mean square of the gradient or step lengths.
    pub second: Vec<f32>,
}

impl Optimiser {
    /// For so many parameters.
    pub fn new(method: Method, parameters: usize) -> Optimiser {
        let second = if let Method::Sgd { .. } = method { 0 } else { parameters };
        Optimiser { method, steps: 0, first: vec![0.0; parameters], second: vec![0.0; second] }
    }

    /// One step of length `rate` against `gradient`.
    pub fn step(&mut self, rate: f32, gradient: &[f32], parameters: &mut [f32]) {
        self.steps += 1;
        match self.method {
            Method::Sgd { momentum } => self.sgd(rate, momentum, gradient, parameters),
            Method::Adam { beta1, beta2 } => self.adam(rate, beta1, beta2, gradient, parameters),
            Method::Rprop => self.rprop(rate, gradient, parameters),
        }
    }

    fn sgd(&mut self, rate: f32, momentum: f32, gradient: &[f32], parameters: &mut [f32]) {
        for ((parameter, gradient), velocity) in parameters.iter_mut().zip(gradient).zip(&mut self.first) {
            *velocity = momentum * *velocity + gradient;
            *parameter -= rate * *velocity;
        }
    }

    fn adam(&mut self, rate: f32, beta1: f32, beta2: f32, gradient: &[f32], parameters: &mut [f32]) {
        let power = self.steps.min(1 << 20) as i32;
        let (start1, start2) = (1.0 - beta1.powi(power), 1.0 - beta2.powi(power));
        let kept = self.first.iter_mut().zip(&mut self.second);
        for ((parameter, gradient), (mean, square)) in parameters.iter_mut().zip(gradient).zip(kept) {
            *mean = beta1 * *mean + (1.0 - beta1) * gradient;
            *square = beta2 * *square + (1.0 - beta2) * gradient * gradient;
            *parameter -= rate * (*mean / start1) / ((*square / start2).sqrt() + TINY);
        }
    }

    fn rprop(&mut self, rate: f32, gradient: &[f32], parameters: &mut [f32]) {
        if self.steps == 1 {
            self.second.fill(rate);
        }
        let kept = self.first.iter_mut().zip(&mut self.second);
        for ((parameter, &gradient), (last, step)) in parameters.iter_mut().zip(gradient).zip(kept) {
            let agreement = gradient * *last;
            if agreement > 0.0 {
                *step = (*step * GROW).min(LONGEST);
            } else if agreement < 0.0 {
                *step = (*step * SHRINK).max(SHORTEST);
            }
            let gradient = if agreement < 0.0 { 0.0 } else { gradient };
            if gradient != 0.0 {
                *parameter -= step.copysign(gradient);
            }
            *last = gradient;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two steps from (1, -2) with gradients (0.5, -1) and (-0.25, -1), against numbers worked out by hand.
    fn two_steps(method: Method, rate: f32) -> [f32; 2] {
        let mut parameters = [1.0, -2.0];
        let mut optimiser = Optimiser::new(method, 2);
        optimiser.step(rate, &[0.5, -1.0], &mut parameters);
        optimiser.step(rate, &[-0.25, -1.0], &mut parameters);
        parameters
    }

    #[test]
    fn steps_are_those_of_the_formulas() {
        let near = |found: [f32; 2], expected: [f32; 2]| {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5), "{found:?} {expected:?}");
        };
        near(two_steps(Method::Sgd { momentum: 0.0 }, 0.1), [1.0 - 0.05 + 0.025, -2.0 + 0.1 + 0.1]);
        near(two_steps(Method::Sgd { momentum: 0.5 }, 0.1), [0.95, -1.9 + 0.15]);
        near(two_steps(Method::Rprop, 0.1), [0.9, -2.0 + 0.1 + 0.12]);
        // Second step of the first parameter: mean 0.02 / 0.19, square 0.000312375 / 0.001999.
        let adam = 1.0 - 0.1 - 0.1 * (0.02 / 0.19) / (0.000_312_187_5_f32 / 0.001_999).sqrt();
        near(two_steps(Method::Adam { beta1: 0.9, beta2: 0.999 }, 0.1), [adam, -1.8]);
    }
}
