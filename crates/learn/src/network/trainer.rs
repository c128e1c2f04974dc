//! Batches shared among threads: each works out the gradient of its part, then one step is made with their sum.

use super::{Network, Optimiser};

/// A network being trained.
pub struct Trainer<N: Network> {
    /// The network.
    pub network: N,
    /// What moves its parameters.
    pub optimiser: Optimiser,
    parts: Vec<Part<N>>,
    most: usize,
}

struct Part<N: Network> {
    work: N::Work,
    gradient: Vec<f32>,
}

impl<N: Network> Trainer<N> {
    /// For batches of up to `most` samples on `threads` threads.
    pub fn new(network: N, optimiser: Optimiser, most: usize, threads: usize) -> Trainer<N> {
        let threads = threads.max(1);
        let part = |_| Part {
            work: network.work(most.div_ceil(threads)),
            gradient: vec![0.0; network.parameters().len()],
        };
        let parts = (0..threads).map(part).collect();
        Trainer { network, optimiser, parts, most }
    }

    /// One step on the mean squared error of a batch, at most as large as announced; returns that error's sum over the
    /// samples. The result depends on how many threads there are, not on how fast they are.
    pub fn step(&mut self, rate: f32, inputs: &[f32], targets: &[f32]) -> f64 {
        let network = &self.network;
        let batch = targets.len() / network.outputs();
        assert!(batch <= self.most && inputs.len() == batch * network.inputs(), "a batch is as announced");
        let share = batch.div_ceil(self.parts.len()).max(1);
        let scale = 1.0 / targets.len() as f32;
        let slices = inputs.chunks(share * network.inputs()).zip(targets.chunks(share * network.outputs()));
        let work = |part: &mut Part<N>, inputs: &[f32], targets: &[f32]| {
            part.gradient.fill(0.0);
            network.backward(inputs, targets, scale, &mut part.work, &mut part.gradient)
        };
        let mut jobs: Vec<_> = self.parts.iter_mut().zip(slices).collect();
        let parts = jobs.len();
        let squared = std::thread::scope(|scope| {
            let (part, (inputs, targets)) = jobs.remove(0);
            let spawn = |(part, (inputs, targets))| scope.spawn(move || work(part, inputs, targets));
            let others: Vec<_> = jobs.drain(..).map(spawn).collect();
            let own = work(part, inputs, targets);
            own + others.into_iter().map(|other| other.join().expect("no part panics")).sum::<f64>()
        });
        let (first, others) = self.parts.split_at_mut(1);
        for other in &others[..parts - 1] {
            first[0].gradient.iter_mut().zip(&other.gradient).for_each(|(sum, part)| *sum += part);
        }
        self.optimiser.step(rate, &first[0].gradient, self.network.parameters_mut());
        squared
    }

    /// The outputs for a batch at most as large as a thread's part; calls `read` with them.
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
    use super::super::{Method, Mlp};
    use super::*;
    use rand::RngExt;
    use trilith_base::Seed;
    use trilith_eval::dense::Activation;

    fn learn(method: Method, rate: f32, threads: usize) -> (f64, Vec<f32>) {
        let mlp = Mlp::random(2, &[(8, Activation::Tanh), (1, Activation::Logistic)], Seed(2));
        let optimiser = Optimiser::new(method, mlp.parameters().len());
        let mut trainer = Trainer::new(mlp, optimiser, 64, threads);
        let mut rng = Seed(5).rng();
        let mut error = 0.0;
        for _ in 0..3000 {
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
            let (error, parameters) = learn(method, rate, 1);
            assert!(error < 0.02, "{method:?}: {error}");
            assert_eq!(learn(method, rate, 1).1, parameters, "{method:?}");
            let (error, parameters) = learn(method, rate, 2);
            assert!(error < 0.02, "{method:?} on two threads: {error}");
            assert_eq!(learn(method, rate, 2).1, parameters, "{method:?}");
        }
    }
}
