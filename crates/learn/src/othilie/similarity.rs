//! How alike the polynomials of a group's experiments are (S1, chapter 5).
//!
//! `Q_game` is the sum over all weights of the standard deviation among the experiments after that game, and
//! `Q*_game` the sum of all `Q` from that game to the last.

/// The sum of standard deviations, one polynomial an experiment.
pub fn q(polynomials: &[&[f64]]) -> f64 {
    let count = polynomials.len().max(1) as f64;
    let weights = polynomials.first().map_or(0, |first| first.len());
    (0..weights)
        .map(|at| {
            let mean = polynomials.iter().map(|weights| weights[at]).sum::<f64>() / count;
            (polynomials.iter().map(|weights| (weights[at] - mean).powi(2)).sum::<f64>() / count).sqrt()
        })
        .sum()
}

/// The sum of the values of `q` from game `from` to the last; `q[0]` is that of the start polynomials.
pub fn q_star(q: &[f64], from: usize) -> f64 {
    q.iter().skip(from).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_polynomials_have_no_distance() {
        assert_eq!(q(&[&[0.5, 1.0], &[0.5, 1.0]]), 0.0);
        assert!((q(&[&[0.0, 1.0], &[1.0, 1.0], &[2.0, 1.0]]) - (2.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!(q_star(&[5.0, 1.0, 2.0, 3.0], 2), 5.0);
    }

    /// S1's published result polynomials of group F: table 6.2 says Q_6500 = 2.355.
    #[test]
    fn the_published_polynomials_of_group_f_are_as_alike_as_published() {
        use trilith_eval::othello::polynomial::published;
        let weights: Vec<Vec<f64>> = published::all()
            .into_iter()
            .filter(|(name, _)| name.starts_with('f'))
            .map(|(_, file)| file.tensors["weights"].data.iter().map(|&weight| weight.into()).collect())
            .collect();
        let all: Vec<&[f64]> = weights.iter().map(Vec::as_slice).collect();
        let found = q(&all);
        assert!((found - 2.355).abs() < 0.01, "{found}");
    }
}
