//! Batches in parts, shared among threads: the gradient of each part, then one step with their sum.
//!
//! How many parts there are belongs to the result, since sums are rounded; how many threads work on them does not.

use super::{Optimiser, TrainableNetwork};

/// A network being trained.
pub struct Trainer<N: TrainableNetwork> {
    /// The network.
    pub network: N,
    /// What moves its parameters.
    pub optimiser: Optimiser,
    parts: Vec<Part<N>>,
    most: usize,
    threads: usize,
}

struct Part<N: TrainableNetwork> {
    work: N::Batch,
    gradient: Vec<f32>,
    squared: f64,
}

/// A part with its inputs and targets.
type Job<'a, N> = (&'a mut Part<N>, (&'a [f32], &'a [f32]));

impl<N: TrainableNetwork> Trainer<N> {
    /// For batches of up to `most` samples in so many parts, on up to as many threads.
    pub fn new(network: N, optimiser: Optimiser, most: usize, parts: usize, threads: usize) -> Trainer<N> {
        let parts = parts.max(1);
        let part = |_| Part {
            work: network.work(most.div_ceil(parts)),
            gradient: vec![0.0; network.parameters().len()],
            squared: 0.0,
        };
        let parts = (0..parts).map(part).collect();
        Trainer { network, optimiser, parts, most, threads: threads.max(1) }
    }

    /// How many threads work from now on.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// One step on the mean squared error of a batch, at most as large as announced; returns that error's sum over the
    /// samples.
    pub fn step(&mut self, rate: f32, inputs: &[f32], targets: &[f32]) -> f64 {
        let network = &self.network;
        let batch = targets.len() / network.outputs();
        assert!(batch <= self.most && inputs.len() == batch * network.inputs(), "a batch is as announced");
        let share = batch.div_ceil(self.parts.len()).max(1);
        let scale = 1.0 / targets.len() as f32;
        let slices = inputs.chunks(share * network.inputs()).zip(targets.chunks(share * network.outputs()));
        let mut jobs: Vec<_> = self.parts.iter_mut().zip(slices).collect();
        let count = jobs.len();
        let work = |jobs: &mut [Job<N>]| {
            for (part, (inputs, targets)) in jobs {
                part.gradient.fill(0.0);
                part.squared = network.backward(inputs, targets, scale, &mut part.work, &mut part.gradient);
            }
        };
        let each = count.div_ceil(self.threads).max(1);
        let (own, others) = jobs.split_at_mut(each.min(count));
        match others {
            [] => work(own),
            others => std::thread::scope(|scope| {
                others.chunks_mut(each).for_each(|jobs| drop(scope.spawn(move || work(jobs))));
                work(own);
            }),
        }
        self.sum_up(count, rate)
    }

    /// Adds the gradients of the first `count` parts, makes the step and gives back the sum of their errors.
    fn sum_up(&mut self, count: usize, rate: f32) -> f64 {
        let (first, others) = self.parts.split_at_mut(1);
        for other in &others[..count.max(1) - 1] {
            first[0].gradient.iter_mut().zip(&other.gradient).for_each(|(sum, part)| *sum += part);
        }
        self.optimiser.step(rate, &first[0].gradient, self.network.parameters_mut());
        self.parts[..count].iter().map(|part| part.squared).sum()
    }

    /// The outputs for a batch at most as large as a part; calls `read` with them.
    pub fn outputs<T>(&mut self, inputs: &[f32], read: impl FnOnce(&[f32]) -> T) -> T {
        read(self.network.forward(inputs, &mut self.parts[0].work))
    }

    /// How many samples [`Trainer::outputs`] takes at once.
    pub fn most_outputs(&self) -> usize {
        self.most.div_ceil(self.parts.len())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Method, TrainableMlp};
    use super::*;
    use rand::RngExt;
    use trilith_base::Seed;
    use trilith_eval::dense::Activation;

    fn learn(method: Method, rate: f32, parts: usize, threads: usize) -> (f64, Vec<f32>) {
        let mlp = TrainableMlp::random(2, &[(8, Activation::Tanh), (1, Activation::Logistic)], Seed(2));
        let optimiser = Optimiser::new(method, mlp.parameters().len());
        let mut trainer = Trainer::new(mlp, optimiser, 64, parts, threads);
        let mut rng = Seed(5).rng();
        let mut error = 0.0;
        for _ in 0..1500 {
            let inputs: Vec<f32> = (0..128).map(|_| rng.random_range(0..2) as f32).collect();
            let targets: Vec<f32> = inputs.chunks(2).map(|pair| f32::from(pair[0] != pair[1])).collect();
            error = trainer.step(rate, &inputs, &targets) / 64.0;
        }
        (error, trainer.network.parameters().to_vec())
    }

    #[test]
    fn exclusive_or_is_learned_by_every_method_and_repeats() {
        for (method, rate) in [
            (Method::Sgd { momentum: 0.0 }, 2.0),
            (Method::Sgd { momentum: 0.9 }, 0.3),
            (Method::Adam { beta1: 0.9, beta2: 0.999 }, 0.02),
            (Method::Rprop, 0.01),
        ] {
            let (error, parameters) = learn(method, rate, 1, 1);
            assert!(error < 0.02, "{method:?}: {error}");
            assert_eq!(learn(method, rate, 1, 4).1, parameters, "{method:?}");
            let (error, parameters) = learn(method, rate, 3, 1);
            assert!(error < 0.02, "{method:?} in three parts: {error}");
            assert_eq!(learn(method, rate, 3, 2).1, parameters, "{method:?} on two threads");
        }
    }
}
