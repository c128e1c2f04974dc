//! From samples to parameters: one line a pair of depths and phase.

use trilith_search::probcut::{Fit, PHASES, PairFits, fit};

use super::samples::ProbCutSample;

/// A phase is fitted from its neighbours too until so many samples are there.
const ENOUGH: usize = 250;
/// With fewer, a phase is left out and not cut.
const LEAST: usize = 40;
/// Neighbours at most so far away.
const REACH: usize = 4;
/// Below this the shallow search says too little about the deep one.
const LEAST_R2: f64 = 0.1;

/// For each height from 3 on up to `deepest` a search of half the depth, odd for odd heights and even for even ones:
/// values swing with who moves last.
pub fn pairs_up_to(deepest: u32) -> Vec<(u32, u32)> {
    let shallow = |deep: u32| deep / 2 - u32::from((deep / 2) % 2 != deep % 2);
    (3..=deepest).map(|deep| (shallow(deep).max(2 - deep % 2), deep)).collect()
}

/// Pairs in the form `1-3,2-4,4-8`: the shallow depth first.
pub fn parse_pairs(text: &str) -> Option<Vec<(u32, u32)>> {
    let pair = |word: &str| {
        let (shallow, deep) = word.trim().split_once('-')?;
        let (shallow, deep) = (shallow.parse().ok()?, deep.parse().ok()?);
        (0 < shallow && shallow < deep && deep <= 64).then_some((shallow, deep))
    };
    text.split(',').map(pair).collect()
}

/// The points of a pair in a phase and, if they are too few, in the phases next to it.
pub fn points(samples: &[ProbCutSample], (shallow, deep): (u32, u32), phase: usize) -> Vec<(f64, f64)> {
    let within = |reach: usize| {
        let near = samples.iter().filter(|sample| sample.phase.abs_diff(phase) <= reach);
        near.filter_map(|sample| Some((sample.value(shallow)?, sample.value(deep)?))).collect::<Vec<_>>()
    };
    (0..=REACH).map(within).find(|points| points.len() >= ENOUGH).unwrap_or_else(|| within(REACH))
}

/// Lines for all pairs in all phases that have enough samples.
pub fn estimate(samples: &[ProbCutSample], pairs: &[(u32, u32)]) -> Vec<PairFits> {
    let one = |&(shallow, deep): &(u32, u32)| {
        let phases = (0..PHASES).filter(|phase| samples.iter().any(|sample| sample.phase == *phase));
        let fits = phases.filter_map(|phase| usable(fit(phase, &points(samples, (shallow, deep), phase))?));
        PairFits { shallow, deep, fits: fits.collect() }
    };
    pairs.iter().map(one).filter(|pair| !pair.fits.is_empty()).collect()
}

fn usable(fit: Fit) -> Option<Fit> {
    // A spread of nothing would make every test certain.
    let fit = Fit { sigma: fit.sigma.max(0.01), ..fit };
    (fit.n >= LEAST && fit.r2 >= LEAST_R2 && (0.2..5.0).contains(&fit.a)).then_some(fit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_height_has_a_pair_of_the_same_parity() {
        assert_eq!(pairs_up_to(8), [(1, 3), (2, 4), (1, 5), (2, 6), (3, 7), (4, 8)]);
        assert!(
            pairs_up_to(20)
                .iter()
                .all(|(shallow, deep)| (deep - shallow) % 2 == 0 && 2 * shallow <= *deep + 1)
        );
        assert_eq!(parse_pairs("1-3, 4-8"), Some(vec![(1, 3), (4, 8)]));
        for text in ["", "3-1", "0-2", "4", "1-3,", "1-65"] {
            assert_eq!(parse_pairs(text), None, "{text}");
        }
    }

    #[test]
    fn phases_borrow_from_their_neighbours_and_empty_ones_are_left_out() {
        // Values after 1 and 3 plies: v_b = 2 v_s + phase, without error.
        let sample = |number: usize, phase: usize| {
            let value = number as f32 - 50.0;
            ProbCutSample { game: 0, phase, values: vec![value, 0.0, 2.0 * value + phase as f32] }
        };
        let samples: Vec<ProbCutSample> = (0..300)
            .map(|number| sample(number, 10))
            .chain((0..20).map(|number| sample(number, 12)))
            .chain((0..20).map(|number| sample(number, 30)))
            .collect();
        let fits = estimate(&samples, &[(1, 3), (1, 5)]);
        assert_eq!(fits.len(), 1, "nothing was searched five plies");
        let phases: Vec<(usize, usize)> = fits[0].fits.iter().map(|fit| (fit.phase, fit.n)).collect();
        assert_eq!(phases, [(10, 300), (12, 320)]);
        assert!((fits[0].fits[0].a - 2.0).abs() < 1e-9 && (fits[0].fits[0].b - 10.0).abs() < 1e-6);
    }
}
