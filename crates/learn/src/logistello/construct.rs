//! Patterns that build themselves, and tables that several contents share (S5, 2.4: what it names as the next steps).
//!
//! A pattern grows by the square beside it that ranks positions best, as far as examples it was not fitted to can tell. With
//! four billion patterns of eight squares that is the way to look at some hundred.

use std::collections::HashMap;

use trilith_eval::othello::logistello::Labelled;
use trilith_eval::othello::logistello::discordance::by_discs;
use trilith_eval::othello::logistello::feature::{FeatureSource, LogistelloFeatures};
use trilith_eval::othello::logistello::shape::{LONGEST, SquareList};
use trilith_games::othello::square_name;

use super::tables;
use super::tree::Example;

/// A pattern on its way, and its mean discordance over the numbers of discs that were ranked.
#[derive(Clone, Debug, PartialEq)]
pub struct GrownPattern {
    /// Its squares.
    pub shape: SquareList,
    /// On the positions that choose, not those of the tables.
    pub discordance: f64,
}

/// The mean discordance of a table over the numbers of discs of `ranked`.
pub fn discordance(shape: &SquareList, table: Vec<i8>, ranked: &[Labelled]) -> f64 {
    let source = vec![("pattern".to_owned(), FeatureSource::Pattern { shape: shape.clone(), tables: table })];
    let features = LogistelloFeatures::new(source).expect("one pattern fits");
    let found = by_discs(ranked, |position| features.values(position, &features.begin(position))[0]);
    found.values().map(|it| it.value).sum::<f64>() / found.len().max(1) as f64
}

/// The pattern that `start` grows into, square by square, up to so many; the first entry is `start` itself.
pub fn grow(
    start: &SquareList,
    squares: usize,
    fitted: &[Example],
    ranked: &[Labelled],
    imagined: f64,
) -> Vec<GrownPattern> {
    let measured = |shape: SquareList| {
        let discordance = discordance(&shape, tables::table(fitted, &shape, imagined), ranked);
        GrownPattern { shape, discordance }
    };
    let mut grown = vec![measured(start.clone())];
    while grown[grown.len() - 1].shape.squares().len() < squares.min(LONGEST) {
        let now = &grown[grown.len() - 1].shape;
        let candidates = neighbours(now).into_iter().map(|square| with(now, square));
        let best = candidates.map(measured).min_by(|a, b| a.discordance.total_cmp(&b.discordance));
        let Some(best) = best else { break };
        grown.push(best);
    }
    grown
}

/// The squares that touch a pattern.
fn neighbours(shape: &SquareList) -> Vec<u8> {
    let touches = |square: u8| {
        shape.squares().iter().any(|&own| {
            let (file, rank) = (own % 8, own / 8);
            own != square && file.abs_diff(square % 8) <= 1 && rank.abs_diff(square / 8) <= 1
        })
    };
    (0..64).filter(|square| !shape.squares().contains(square) && touches(*square)).collect()
}

fn with(shape: &SquareList, square: u8) -> SquareList {
    format!("{shape}{}", square_name(square)).parse().expect("a new square, and few enough")
}

/// A class of contents that share an entry of a table: by how many squares each side has. Reads the content square by square
/// as 1 (Black's), -1 (White's) and 0.
pub fn by_counts(content: &[i8]) -> u64 {
    let count = |wanted: i8| content.iter().filter(|&&disc| disc == wanted).count() as u64;
    16 * count(1) + count(-1)
}

/// For each code of a shape the class of its content.
pub fn classes(shape: &SquareList, class: impl Fn(&[i8]) -> u64) -> Vec<usize> {
    let places = shape.squares().len();
    let mut numbers: HashMap<u64, usize> = HashMap::new();
    (0..shape.codes())
        .map(|code| {
            let digit = |place: usize| (code / 3_usize.pow(place as u32) % 3) as i8 - 1;
            let content: Vec<i8> = (0..places).map(digit).collect();
            let next = numbers.len();
            *numbers.entry(class(&content)).or_insert(next)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Won if the corner a1 is taken, whatever else lies there.
    fn examples(count: u64) -> Vec<Example> {
        let noise = |number: u64| trilith_base::seed::mix(number) & 0x0000_7e7e_7e7e_0000;
        (0..count)
            .map(|number| {
                let is_won = number % 2 == 0;
                let own = noise(number) & noise(number + 7_000) | u64::from(is_won);
                let other = noise(number + 9_000) & !own;
                Example { own, other, is_black: true, margin: if is_won { 10 } else { -10 } }
            })
            .collect()
    }

    fn labelled(examples: &[Example]) -> Vec<Labelled> {
        let one = |it: &Example| Labelled { position: it.position(), label: f64::from(it.margin) };
        examples.iter().map(one).collect()
    }

    #[test]
    fn a_pattern_grows_towards_what_decides() {
        let (fitted, chosen) = (examples(2_000), labelled(&examples(3_000)[2_000..]));
        let grown = grow(&"b2".parse().unwrap(), 3, &fitted, &chosen, 4.0);
        assert_eq!(grown.len(), 3);
        assert_eq!(grown[1].shape.to_string(), "b2a1", "the corner decides");
        assert!(grown[1].discordance < grown[0].discordance);
    }

    #[test]
    fn contents_with_as_many_discs_share_an_entry() {
        let shape: SquareList = "a1b1c1".parse().unwrap();
        let classes = classes(&shape, by_counts);
        let kinds: std::collections::HashSet<usize> = classes.iter().copied().collect();
        assert_eq!((classes.len(), kinds.len()), (27, 10));
        let table = tables::shared_table(&examples(400), &shape, 4.0, &classes);
        let code = |digits: [i32; 3]| (13 + digits[0] + 3 * digits[1] + 9 * digits[2]) as usize;
        assert_eq!(table[code([1, 0, 0])], table[code([0, 0, 1])]);
        assert_ne!(table[code([1, 0, 0])], table[code([0, 0, 0])]);
    }
}
