//! Discordance: how often a feature ranks two positions the wrong way round (S5, chapter 2).
//!
//! `d(X) = |{(p, q): X(p) >= X(q) and K(p) < K(q)}| / |{(p, q): X(p) >= X(q)}|` over all ordered pairs of a set of
//! positions, where `K` is loss, draw or win for the side to move. 0 is perfect; smaller is better.

use std::collections::BTreeMap;

use trilith_games::othello::Position;

use super::labelled::Labelled;

/// The measure with the number of positions it rests on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Discordance {
    /// Between 0 and 1.
    pub value: f64,
    /// How many positions were ranked.
    pub positions: usize,
}

/// The discordance of a feature, which must be for the side to move, for each number of discs.
pub fn by_discs(positions: &[Labelled], feature: impl Fn(&Position) -> f64) -> BTreeMap<u32, Discordance> {
    let mut groups: BTreeMap<u32, Vec<(f64, f64)>> = BTreeMap::new();
    for Labelled { position, label } in positions {
        let discs = 64 - position.empties().count_ones();
        groups.entry(discs).or_default().push((feature(position), *label));
    }
    groups.into_iter().map(|(discs, mut group)| (discs, discordance(&mut group))).collect()
}

/// The discordance of pairs of feature and label; sorts them. No pair at all has discordance 0.
pub fn discordance(pairs: &mut [(f64, f64)]) -> Discordance {
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Losses, draws and wins among the positions with a feature up to that of the group.
    let mut below = [0_u64; 3];
    let (mut wrong, mut all) = (0, 0);
    for group in pairs.chunk_by(|a, b| a.0 == b.0) {
        let mut counts = [0_u64; 3];
        group.iter().for_each(|&(_, label)| counts[class(label)] += 1);
        (0..3).for_each(|class| below[class] += counts[class]);
        wrong += counts[0] * (below[1] + below[2]) + counts[1] * below[2];
        all += group.len() as u64 * below.iter().sum::<u64>();
    }
    let value = if all == 0 { 0.0 } else { wrong as f64 / all as f64 };
    Discordance { value, positions: pairs.len() }
}

fn class(label: f64) -> usize {
    match label {
        won if won > 0.0 => 2,
        lost if lost < 0.0 => 0,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;
    use trilith_base::Seed;

    /// The definition as written.
    fn slowly(pairs: &[(f64, f64)]) -> f64 {
        let (mut wrong, mut all) = (0, 0);
        for p in pairs {
            for q in pairs.iter().filter(|q| p.0 >= q.0) {
                all += 1;
                wrong += u64::from(class(p.1) < class(q.1));
            }
        }
        wrong as f64 / f64::from(all)
    }

    #[test]
    fn counts_by_sorting_are_the_definition() {
        let mut rng = Seed(1).rng();
        for _ in 0..50 {
            let mut pairs: Vec<(f64, f64)> = (0..60)
                .map(|_| (f64::from(rng.random_range(-5..5)), f64::from(rng.random_range(-2..3))))
                .collect();
            let expected = slowly(&pairs);
            assert!((discordance(&mut pairs).value - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn perfect_blind_and_reversed_features() {
        let labels = [-2.0, -1.0, 1.0, 2.0];
        assert_eq!(discordance(&mut labels.map(|label| (label, label))).value, 0.0);
        assert_eq!(discordance(&mut labels.map(|label| (0.0, label))).value, 4.0 / 16.0);
        assert_eq!(discordance(&mut labels.map(|label| (-label, label))).value, 4.0 / 10.0);
        assert_eq!(discordance(&mut []).value, 0.0);
    }
}
