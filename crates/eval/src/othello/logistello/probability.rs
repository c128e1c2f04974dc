//! What stands in a pattern's table: the chance that Black wins, given the content, by phase (S5, 2.3).
//!
//! S5 smooths over phases and extrapolates where a content was not seen, but gives no formula; those here are ours.

/// Phases of four disc numbers each, the first from 10 discs on.
pub const PHASES: usize = 12;
/// The largest entry: a sure win for Black; a sure loss is its negative.
pub const SURE: i8 = 127;

/// The phase of a position: 10 to 13 discs are phase 0, 54 and more phase 11.
#[inline]
pub const fn phase(discs: u32) -> usize {
    let phase = discs.saturating_sub(10) as usize / 4;
    if phase < PHASES { phase } else { PHASES - 1 }
}

/// How often a content was seen in a phase and how often Black won; a draw is half a win.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WinCount {
    /// Black's wins and half the draws.
    pub wins: f64,
    /// All.
    pub seen: f64,
}

/// The chances over all phases: counts of neighbouring phases help with half the weight a phase away,
/// `p(i) = (sum_j 2^-|i-j| wins(j) + c / 2) / (sum_j 2^-|i-j| seen(j) + c)` with `c` imagined drawn games; phases in
/// which nothing helps are [`extrapolated`].
pub fn smoothed(counts: &[WinCount; PHASES], imagined: f64) -> [f64; PHASES] {
    let near = |at: usize, field: fn(&WinCount) -> f64| -> f64 {
        let reach = at.saturating_sub(2)..PHASES.min(at + 3);
        reach.map(|other| field(&counts[other]) * 0.5_f64.powi(at.abs_diff(other) as i32)).sum()
    };
    extrapolated(&std::array::from_fn(|at| {
        let seen = near(at, |count| count.seen);
        (seen > 0.0).then(|| (near(at, |count| count.wins) + imagined / 2.0) / (seen + imagined))
    }))
}

/// Fills gaps: on a straight line between the nearest known phases, level beyond the first and the last; an even
/// chance where nothing is known at all.
pub fn extrapolated(chances: &[Option<f64>; PHASES]) -> [f64; PHASES] {
    let known = |at: usize| chances[at].map(|chance| (at, chance));
    std::array::from_fn(|at| match ((0..=at).rev().find_map(known), (at..PHASES).find_map(known)) {
        (Some((left, a)), Some((right, b))) if left < right => {
            a + (b - a) * (at - left) as f64 / (right - left) as f64
        }
        (Some((_, chance)), _) | (_, Some((_, chance))) => chance,
        (None, None) => 0.5,
    })
}

/// A chance as a table entry: 0 is -127, a half 0, 1 is 127.
pub fn quantised(chance: f64) -> i8 {
    ((chance.clamp(0.0, 1.0) * 2.0 - 1.0) * f64::from(SURE)).round() as i8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twelve_phases_of_four() {
        assert_eq!([4, 10, 13, 14, 53, 54, 57, 64].map(phase), [0, 0, 0, 1, 10, 11, 11, 11]);
    }

    #[test]
    fn gaps_are_filled_on_straight_lines() {
        let mut chances = [None; PHASES];
        (chances[2], chances[6]) = (Some(0.2), Some(0.6));
        let filled = extrapolated(&chances);
        for (at, expected) in [(0, 0.2), (2, 0.2), (3, 0.3), (5, 0.5), (6, 0.6), (11, 0.6)] {
            assert!((filled[at] - expected).abs() < 1e-12, "{at}");
        }
        assert_eq!(extrapolated(&[None; PHASES]), [0.5; PHASES]);
    }

    #[test]
    fn neighbours_help_and_imagined_games_hold_back() {
        let mut counts = [WinCount::default(); PHASES];
        counts[4] = WinCount { wins: 8.0, seen: 8.0 };
        let plain = smoothed(&counts, 0.0);
        assert_eq!(plain, [1.0; PHASES]);
        let held = smoothed(&counts, 8.0);
        assert_eq!(held[4], 12.0 / 16.0);
        assert_eq!(held[5], (4.0 + 4.0) / (4.0 + 8.0));
        counts[5] = WinCount { wins: 0.0, seen: 8.0 };
        assert_eq!(smoothed(&counts, 0.0)[4], 8.0 / 12.0);
    }

    #[test]
    fn a_byte_holds_a_chance() {
        assert_eq!([0.0, 0.5, 1.0, 0.75, -1.0].map(quantised), [-127, 0, 127, 64, -127]);
    }
}
