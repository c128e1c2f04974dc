//! Loops over whole arrays, compiled for each CPU technique: without that they would run on four numbers at a time.

use trilith_eval::activation::tanh_all;
use trilith_eval::dense::Activation;
use trilith_games::Technique;

/// Numbers handled side by side.
pub const LANES: usize = 32;

trilith_games::per_technique! {
    /// Replaces sums by what the units make of them.
    fn activate(activation: Activation, numbers: &mut [f32]) {
        match activation {
            Activation::Linear => {}
            Activation::Relu => numbers.iter_mut().for_each(|number| *number = number.max(0.0)),
            Activation::Tanh => tanh(numbers),
            Activation::Logistic => {
                numbers.iter_mut().for_each(|number| *number *= 0.5);
                tanh(numbers);
                numbers.iter_mut().for_each(|number| *number = 0.5 * *number + 0.5);
            }
        }
    }

    fn tanh(numbers: &mut [f32]) {
        let (blocks, rest) = numbers.as_chunks_mut::<LANES>();
        blocks.iter_mut().for_each(tanh_all);
        rest.as_chunks_mut::<1>().0.iter_mut().for_each(tanh_all);
    }

    /// Multiplies what is wanted of the outputs by the slopes there.
    fn slope(activation: Activation, outputs: &[f32], wanted: &mut [f32]) {
        let pairs = wanted.iter_mut().zip(outputs);
        match activation {
            Activation::Linear => {}
            Activation::Relu => pairs.for_each(|(wanted, &output)| if output <= 0.0 { *wanted = 0.0 }),
            Activation::Tanh => pairs.for_each(|(wanted, &output)| *wanted *= 1.0 - output * output),
            Activation::Logistic => pairs.for_each(|(wanted, &output)| *wanted *= output * (1.0 - output)),
        }
    }

    /// Adds all rows to `sums`.
    fn add_rows(rows: &[f32], sums: &mut [f32]) {
        for row in rows.chunks_exact(sums.len()) {
            sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
        }
    }

    /// One output a row: bias and weighted sum.
    fn weigh_rows(rows: &[f32], weights: &[f32], bias: f32, into: &mut [f32]) {
        for (sum, row) in into.iter_mut().zip(rows.chunks_exact(weights.len())) {
            let mut lanes = [0.0; 16];
            let (row, row_rest) = row.as_chunks::<16>();
            let (weights, weights_rest) = weights.as_chunks::<16>();
            for (numbers, weights) in row.iter().zip(weights) {
                for (lane, (number, weight)) in lanes.iter_mut().zip(numbers.iter().zip(weights)) {
                    *lane += number * weight;
                }
            }
            let rest: f32 = row_rest.iter().zip(weights_rest).map(|(number, weight)| number * weight).sum();
            *sum = bias + rest + lanes.iter().sum::<f32>();
        }
    }

    /// The other way: each row of `into` is its factor times the weights.
    fn spread(factors: &[f32], weights: &[f32], into: &mut [f32]) {
        for (factor, row) in factors.iter().zip(into.chunks_exact_mut(weights.len())) {
            row.iter_mut().zip(weights).for_each(|(number, weight)| *number = factor * weight);
        }
    }

    /// Adds to `sums` each row times its factor.
    fn gather(factors: &[f32], rows: &[f32], sums: &mut [f32]) {
        for (factor, row) in factors.iter().zip(rows.chunks_exact(sums.len())) {
            sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += factor * number);
        }
    }

    /// For each output row (map and square) the weighted sum of the input rows that `taps` names, from `biases` on.
    fn convolve(inputs: &[f32], taps: &[Vec<(usize, f32)>], biases: &[f32], width: usize, into: &mut [f32]) {
        for ((taps, &bias), row) in taps.iter().zip(biases).zip(into.chunks_exact_mut(width)) {
            let (blocks, _) = row.as_chunks_mut::<LANES>();
            for (number, block) in blocks.iter_mut().enumerate() {
                let mut sums = [bias; LANES];
                for &(from, weight) in taps {
                    let (inputs, _) = inputs[from * width + number * LANES..].as_chunks::<LANES>();
                    sums.iter_mut().zip(&inputs[0]).for_each(|(sum, input)| *sum += weight * input);
                }
                *block = sums;
            }
        }
    }

    /// The sum of products of the pairs of rows named.
    fn correlate(a: &[f32], b: &[f32], pairs: &[(usize, usize)], width: usize) -> f32 {
        let mut sums = [0.0; LANES];
        for &(from, to) in pairs {
            let (a, _) = a[from * width..][..width].as_chunks::<LANES>();
            let (b, _) = b[to * width..][..width].as_chunks::<LANES>();
            for (a, b) in a.iter().zip(b) {
                sums.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum += a * b);
            }
        }
        sums.iter().sum()
    }

    /// `rows` samples of `columns` numbers, turned: row `column` holds that number of each sample, `width` apart.
    fn turn(samples: &[f32], columns: usize, width: usize, into: &mut [f32]) {
        for (number, sample) in samples.chunks_exact(columns).enumerate() {
            for (column, value) in sample.iter().enumerate() {
                into[column * width + number] = *value;
            }
        }
    }
}

/// The loops by the best technique of this CPU.
#[derive(Clone, Copy, Debug)]
pub struct Vectors(Technique);

macro_rules! offer {
    ($($name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)+) => {
        impl Vectors {
            $(pub fn $name(self, $($argument: $type),*) $(-> $result)? {
                trilith_games::with_technique!(self.0, $name($($argument),*))
            })+
        }
    };
}

offer! {
    activate(activation: Activation, numbers: &mut [f32]);
    slope(activation: Activation, outputs: &[f32], wanted: &mut [f32]);
    add_rows(rows: &[f32], sums: &mut [f32]);
    weigh_rows(rows: &[f32], weights: &[f32], bias: f32, into: &mut [f32]);
    spread(factors: &[f32], weights: &[f32], into: &mut [f32]);
    gather(factors: &[f32], rows: &[f32], sums: &mut [f32]);
    convolve(inputs: &[f32], taps: &[Vec<(usize, f32)>], biases: &[f32], width: usize, into: &mut [f32]);
    correlate(a: &[f32], b: &[f32], pairs: &[(usize, usize)], width: usize) -> f32;
    turn(samples: &[f32], columns: usize, width: usize, into: &mut [f32]);
}

impl Default for Vectors {
    fn default() -> Vectors {
        Vectors(Technique::best())
    }
}
