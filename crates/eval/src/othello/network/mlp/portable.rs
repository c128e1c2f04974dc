//! The perceptron as any CPU computes it: the reference for the other ways.

use trilith_games::othello::squares;

use super::{FIRST, SECOND, Weights};
use crate::activation::tanh_all;

/// The activations of both hidden layers and the output.
///
/// Even and odd inputs of the second layer are added up apart: two short chains of sums, not one long one.
pub fn forward(weights: &Weights, own: u64, other: u64) -> ([[f32; 8]; FIRST], [[f32; 8]; SECOND], f32) {
    let mut first = weights.first_bias;
    for square in squares(own) {
        each(&mut first, &weights.first[usize::from(square) & 63], |sum, weight| *sum += weight);
    }
    for square in squares(other) {
        each(&mut first, &weights.first[usize::from(square) & 63], |sum, weight| *sum -= weight);
    }
    first.iter_mut().for_each(tanh_all);
    let (mut second, mut odd) = (weights.second_bias, [[0.0; 8]; SECOND]);
    for (pair, columns) in first.as_flattened().chunks_exact(2).zip(weights.second.chunks_exact(2)) {
        each(&mut second, &columns[0], |sum, weight| *sum += pair[0] * weight);
        each(&mut odd, &columns[1], |sum, weight| *sum += pair[1] * weight);
    }
    each(&mut second, &odd, |sum, odd| *sum += odd);
    second.iter_mut().for_each(tanh_all);
    let mut lanes = [0.0; 8];
    for (activations, last) in second.iter().zip(&weights.last) {
        let products = activations.iter().zip(last).map(|(activation, weight)| activation * weight);
        lanes.iter_mut().zip(products).for_each(|(sum, product)| *sum += product);
    }
    (first, second, lanes.iter().sum::<f32>() + weights.last_bias)
}

#[inline(always)]
fn each<const COUNT: usize>(
    sums: &mut [[f32; 8]; COUNT],
    column: &[[f32; 8]; COUNT],
    add: impl Fn(&mut f32, f32),
) {
    let sums = sums.as_flattened_mut().iter_mut();
    sums.zip(column.as_flattened()).for_each(|(sum, &weight)| add(sum, weight));
}
