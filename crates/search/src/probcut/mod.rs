//! ProbCut and Multi-ProbCut (S5, chapter 4): shallow searches say which subtrees a deep search would only cut off.
//!
//! The value of a deep search is taken to be that of a shallow one and an error: `v_b = a * v_s + b + e`, with `e`
//! normal of spread `sigma`. Then `v_b >= beta` is at least as likely as the percentile says if
//! `v_s >= (percentile * sigma + beta - b) / a`, which a search with a null window decides; the same below `alpha`.
//! S5 tests at one height; here each height may have tests of its own, so that the distance grows with the depth, which
//! S5 names as what its method lacked. The numbers are fitted from searches ([`regression`]) and kept in a file
//! ([`file`]) that names the evaluation they belong to.

pub mod file;
pub mod fingerprint;
pub mod regression;

pub use file::{PairFits, ProbCutError, ProbCutParameters};
pub use fingerprint::fingerprint;
pub use regression::{Fit, fit};

use trilith_eval::{Unit, Value};

/// Phases are below this ([`trilith_games::Game::phase`]).
pub const PHASES: usize = 64;

/// Which side of the window a node is thought to lie on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowSide {
    /// At or above `beta`.
    High,
    /// At or below `alpha`.
    Low,
}

/// A fit in the steps of an evaluation, with the percentile in it.
#[derive(Clone, Copy, Debug)]
struct Estimate {
    a: f32,
    b: f32,
    spread: f32,
}

/// A shallow search that may stand for a deep one.
#[derive(Clone, Debug)]
pub struct ProbCutTest {
    /// Plies of the shallow search.
    pub shallow: u32,
    phases: [Option<Estimate>; PHASES],
}

/// All tests at one percentile, by height.
#[derive(Clone, Debug)]
pub struct Cuts {
    percentile: f64,
    by_depth: Vec<Vec<ProbCutTest>>,
    margins: [Value; PHASES],
}

/// The height of the lowest tests that are fitted.
const LOWEST: usize = 3;
/// A position's own value strays from a search of two plies by less than so many times what the lowest test allows.
const STILL: f32 = 2.0;

/// No bound of a test is larger: past this lie proofs, not estimates.
const MOST: f32 = (1 << 25) as f32;

impl ProbCutTest {
    /// The value from which on a shallow search says that `limit` (`beta` or `alpha`) is passed; none where nothing was
    /// fitted.
    #[inline]
    pub fn bound(&self, phase: usize, side: WindowSide, limit: Value) -> Option<Value> {
        let Estimate { a, b, spread } = self.phases[phase]?;
        let spread = if side == WindowSide::High { spread } else { -spread };
        let bound = ((limit as f32 + spread - b) / a).round();
        (bound.abs() < MOST).then_some(bound as Value)
    }
}

impl Cuts {
    /// The tests of `parameters` for an evaluation whose values count `unit`s, at the given percentile or its own.
    pub fn new(parameters: &ProbCutParameters, unit: Unit, percentile: Option<f64>) -> Cuts {
        let percentile = percentile.unwrap_or(parameters.percentile);
        let one = f64::from(unit.one);
        let deepest = parameters.pairs.iter().map(|pair| pair.deep).max().unwrap_or(0);
        let mut by_depth = vec![Vec::new(); deepest as usize + 1];
        for pair in &parameters.pairs {
            let mut phases = [None; PHASES];
            for fit in &pair.fits {
                phases[fit.phase] = Some(Estimate {
                    a: fit.a as f32,
                    b: (fit.b * one) as f32,
                    spread: (percentile * fit.sigma * one) as f32,
                });
            }
            by_depth[pair.deep as usize].push(ProbCutTest { shallow: pair.shallow, phases });
        }
        by_depth.iter_mut().for_each(|tests: &mut Vec<ProbCutTest>| tests.sort_by_key(|test| test.shallow));
        let lowest = by_depth.get(LOWEST).and_then(|tests| tests.first());
        let margins = std::array::from_fn(|phase| {
            let spread = lowest.and_then(|test| test.phases[phase]).map_or(MOST, |fit| STILL * fit.spread);
            spread.min(MOST) as Value
        });
        Cuts { percentile, by_depth, margins }
    }

    /// How far outside the window a position's own value must lie to stand for a search of two plies; farther than any
    /// lies where nothing was fitted.
    #[inline]
    pub fn margin(&self, phase: usize) -> Value {
        self.margins[phase]
    }

    /// How many spreads a value must lie outside the window.
    pub fn percentile(&self) -> f64 {
        self.percentile
    }

    /// The tests at nodes of this height, the cheapest first.
    #[inline]
    pub fn tests(&self, depth: u32) -> &[ProbCutTest] {
        self.by_depth.get(depth as usize).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_those_of_the_formula() {
        let fit = Fit { phase: 7, n: 100, a: 0.5, b: 2.0, sigma: 3.0, r2: 0.9 };
        let pairs = vec![
            PairFits { shallow: 4, deep: 8, fits: vec![fit] },
            PairFits { shallow: 2, deep: 8, fits: vec![] },
        ];
        let parameters = ProbCutParameters { pairs, percentile: 1.5, ..ProbCutParameters::default() };
        let cuts = Cuts::new(&parameters, Unit { name: "discs", one: 10 }, None);
        assert_eq!(cuts.tests(8).iter().map(|test| test.shallow).collect::<Vec<_>>(), [2, 4]);
        assert!(cuts.tests(7).is_empty() && cuts.tests(9).is_empty());
        let test = &cuts.tests(8)[1];
        // (1.5 * 30 + 100 - 20) / 0.5 and (-1.5 * 30 + 100 - 20) / 0.5
        assert_eq!(test.bound(7, WindowSide::High, 100), Some(250));
        assert_eq!(test.bound(7, WindowSide::Low, 100), Some(70));
        assert_eq!(test.bound(8, WindowSide::Low, 100), None);
        assert!(cuts.margin(7) > 1 << 24, "nothing is known of height 3");
    }

    #[test]
    fn a_value_stands_for_two_plies_at_twice_the_spread_of_the_lowest_test() {
        let fit = Fit { phase: 7, n: 100, a: 1.0, b: 0.0, sigma: 3.0, r2: 0.9 };
        let pairs = vec![PairFits { shallow: 1, deep: 3, fits: vec![fit] }];
        let parameters = ProbCutParameters { pairs, percentile: 1.5, ..ProbCutParameters::default() };
        let cuts = Cuts::new(&parameters, Unit { name: "discs", one: 10 }, None);
        assert_eq!(cuts.margin(7), 90);
        assert!(cuts.margin(8) > 1 << 24);
    }
}
