//! Pattern tables from examples: how often Black won with each content, in each phase.
//!
//! Each example also counts with colours changed, and each pattern is read in every direction its symmetries allow, so
//! that tables tell neither colours nor directions apart.

use trilith_eval::othello::logistello::feature::{LogistelloFeatures, logistello};
use trilith_eval::othello::logistello::probability::{PHASES, WinCount, phase, quantised, smoothed};
use trilith_eval::othello::logistello::shape::SquareList;
use trilith_games::othello::Position;
use trilith_games::othello::symmetry::{SYMMETRIES, image_square};

use super::tree::Example;

/// Logistello's features with tables estimated from `examples`; `imagined` drawn games hold rare contents back.
pub fn features(examples: &[Example], imagined: f64) -> LogistelloFeatures {
    LogistelloFeatures::new(logistello(|shape| table(examples, shape, imagined)))
        .expect("Logistello's features fit")
}

/// The entries of one pattern.
pub fn table(examples: &[Example], shape: &SquareList, imagined: f64) -> Vec<i8> {
    let own: Vec<usize> = (0..shape.codes()).collect();
    shared_table(examples, shape, imagined, &own)
}

/// The same where contents of one class share an entry (S5, 2.4): `classes` has the class of each code.
pub fn shared_table(examples: &[Example], shape: &SquareList, imagined: f64, classes: &[usize]) -> Vec<i8> {
    let codes = shape.codes();
    let counts = shared(&counts(examples, shape), classes);
    let mut table = vec![0; PHASES * codes];
    for code in 0..codes {
        let by_phase = std::array::from_fn(|phase| counts[phase * codes + code]);
        for (phase, chance) in smoothed(&by_phase, imagined).into_iter().enumerate() {
            table[phase * codes + code] = quantised(chance);
        }
    }
    table
}

/// Each code with the counts of its whole class.
fn shared(counts: &[WinCount], classes: &[usize]) -> Vec<WinCount> {
    let codes = classes.len();
    let mut sums = vec![WinCount::default(); counts.len()];
    for (at, count) in counts.iter().enumerate() {
        let sum = &mut sums[at / codes * codes + classes[at % codes]];
        sum.wins += count.wins;
        sum.seen += count.seen;
    }
    (0..counts.len()).map(|at| sums[at / codes * codes + classes[at % codes]]).collect()
}

fn counts(examples: &[Example], shape: &SquareList) -> Vec<WinCount> {
    let codes = shape.codes();
    let lists: Vec<Vec<(u32, i32)>> = (0..SYMMETRIES)
        .map(|symmetry| {
            let squares = shape.squares().iter().zip(0..);
            squares
                .map(|(&square, place)| (u32::from(image_square(square, symmetry)), 3_i32.pow(place)))
                .collect()
        })
        .collect();
    let mut counts = vec![WinCount::default(); PHASES * codes];
    for example in examples {
        let (black, white) = example.position().colours();
        let wins = 0.5 * (1.0 + f64::from(example.margin.signum()));
        let first = phase(example.discs()) * codes + codes / 2;
        for list in &lists {
            let number = content(list, black, white);
            for (number, wins) in [(number, wins), (-number, 1.0 - wins)] {
                let count = &mut counts[first.wrapping_add_signed(number as isize)];
                count.wins += wins;
                count.seen += 1.0;
            }
        }
    }
    counts
}

#[inline]
fn content(list: &[(u32, i32)], black: u64, white: u64) -> i32 {
    list.iter()
        .map(|&(square, power)| power * ((black >> square & 1) as i32 - (white >> square & 1) as i32))
        .sum()
}

/// The features of an example for the side to move.
pub fn row(features: &LogistelloFeatures, position: &Position) -> Vec<f64> {
    features.values(position, &features.begin(position))[..features.len()].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner_won() -> Example {
        Example { own: 1 | 1 << 27, other: 1 << 28, is_black: true, margin: 10 }
    }

    #[test]
    fn what_won_is_worth_more_and_colours_count_the_same() {
        let shape: SquareList = "a1".parse().unwrap();
        let table = table(&[corner_won()], &shape, 1.0);
        let first = &table[..3];
        assert!(first[2] > 0 && first[1] == 0, "{first:?}");
        assert_eq!(first[0], -first[2]);
    }

    #[test]
    fn tables_tell_no_directions_apart() {
        let shape: SquareList = "a1b1c1d1e1f1g1h1".parse().unwrap();
        let table = table(&[corner_won()], &shape, 1.0);
        let corner = |power: i32| table[(shape.codes() as i32 / 2 + power) as usize];
        assert!(corner(1) == corner(3_i32.pow(7)) && corner(1) > 0);
    }
}
