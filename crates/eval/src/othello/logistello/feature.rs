//! Features as sums of table entries over square lists, from numbers that are kept from move to move.

use std::collections::HashMap;

use trilith_games::othello::Position;

use super::probability::{PHASES, phase};
use super::shape::{RAYS, SquareList};
use super::{mobility, potential};
use crate::othello::ternary::{Powers, TernaryNumbers, own_symmetries, permute, sign};

/// Square lists that can be kept together.
pub const LANES: usize = 128;
/// Features that can be combined.
pub const MOST: usize = 32;
/// What is carried from move to move.
pub type LogistelloNumbers = TernaryNumbers<LANES>;

/// Where a feature's tables come from.
#[derive(Clone, Debug, PartialEq)]
pub enum FeatureSource {
    /// The approximated current mobility.
    Mobility,
    /// The approximated potential mobility.
    Potential,
    /// Chances of Black by content.
    Pattern {
        /// The squares.
        shape: SquareList,
        /// [`PHASES`] tables of `shape.codes()` entries, -127 to 127; the entry of number `n` at `codes / 2 + n`.
        tables: Vec<i8>,
    },
}

/// A feature for the side to move.
#[derive(Clone, Debug, PartialEq)]
struct Feature {
    tables: Vec<i8>,
    /// From the tables of a phase to the next; 0 if all phases share them.
    stride: usize,
    /// Lanes, and where their number 0 stands in the tables of the first phase.
    places: Vec<(usize, usize)>,
}

/// Why features cannot be taken together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FeatureError {
    /// Too many.
    #[error("{features} features on {lists} square lists: expected 1 to {MOST} on at most {LANES}")]
    TooMany {
        /// How many features.
        features: usize,
        /// On how many lists.
        lists: usize,
    },
    /// A table of the wrong size.
    #[error("pattern {squares} has {found} entries: expected {expected}")]
    Size {
        /// The squares.
        squares: String,
        /// Entries given.
        found: usize,
        /// Entries needed.
        expected: usize,
    },
}

/// Features that share their square lists.
#[derive(Clone, Debug, PartialEq)]
pub struct LogistelloFeatures {
    powers: Box<Powers<LANES>>,
    lists: Vec<Vec<u8>>,
    sources: Vec<(String, FeatureSource)>,
    features: Vec<Feature>,
}

impl LogistelloFeatures {
    /// The features in the order given, by name.
    pub fn new(sources: Vec<(String, FeatureSource)>) -> Result<LogistelloFeatures, FeatureError> {
        let mut lanes = HashMap::new();
        let mut features = Vec::with_capacity(sources.len());
        for (_, source) in &sources {
            features.push(match source {
                FeatureSource::Mobility => rays(&mut lanes, mobility::ray_table, 0),
                // The edges come first and have no potential mobility.
                FeatureSource::Potential => rays(&mut lanes, potential::ray_table, 1),
                FeatureSource::Pattern { shape, tables } => pattern(&mut lanes, shape, tables)?,
            });
        }
        if features.is_empty() || features.len() > MOST || lanes.len() > LANES {
            return Err(FeatureError::TooMany { features: features.len(), lists: lanes.len() });
        }
        let mut lists = vec![Vec::new(); lanes.len()];
        let mut powers = Box::new([[0; LANES]; 64]);
        for (list, lane) in lanes {
            for (place, &square) in list.iter().enumerate() {
                powers[usize::from(square)][lane] = 3_i16.pow(place as u32);
            }
            lists[lane] = list;
        }
        Ok(LogistelloFeatures { powers, lists, sources, features })
    }

    /// Whether symmetric positions have equal values: no table tells apart what a shape's own symmetries do not.
    pub fn is_symmetric(&self) -> bool {
        self.sources.iter().all(|(_, source)| match source {
            FeatureSource::Pattern { shape, tables } => is_symmetric(shape, tables),
            FeatureSource::Mobility | FeatureSource::Potential => true,
        })
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.features.len()
    }

    /// Never.
    pub fn is_empty(&self) -> bool {
        self.features.is_empty()
    }

    /// Names and sources, in order.
    pub fn sources(&self) -> &[(String, FeatureSource)] {
        &self.sources
    }

    /// The numbers of a position, from nothing.
    pub fn begin(&self, position: &Position) -> LogistelloNumbers {
        TernaryNumbers::of(&self.powers, position)
    }

    /// The numbers after a move.
    #[inline]
    pub fn advance(
        &self,
        kept: &LogistelloNumbers,
        before: &Position,
        bit: u64,
        after: &Position,
    ) -> LogistelloNumbers {
        kept.after(&self.powers, before.to_move, bit, before.other & after.other)
    }

    /// All features for the side to move; those beyond [`LogistelloFeatures::len`] are zero.
    #[inline]
    pub fn values(&self, position: &Position, kept: &LogistelloNumbers) -> [f64; MOST] {
        let phase = phase(64 - position.empties().count_ones());
        let sign = sign(position.to_move);
        let mut values = [0.0; MOST];
        for (value, feature) in values.iter_mut().zip(&self.features) {
            *value = f64::from(sign * feature.sum(phase, kept));
        }
        values
    }

    /// What each square list adds to a feature for the side to move, with its squares.
    pub fn parts<'a>(
        &'a self,
        at: usize,
        position: &Position,
        kept: &'a LogistelloNumbers,
    ) -> impl Iterator<Item = (&'a [u8], f64)> {
        let phase = phase(64 - position.empties().count_ones());
        let sign = sign(position.to_move);
        let feature = &self.features[at];
        feature.places.iter().map(move |&(lane, centre)| {
            (&*self.lists[lane], f64::from(sign * feature.entry(phase, centre, kept.0[lane])))
        })
    }
}

impl Feature {
    #[inline]
    fn entry(&self, phase: usize, centre: usize, number: i16) -> i32 {
        self.tables[(phase * self.stride + centre).wrapping_add_signed(number.into())].into()
    }

    #[inline]
    fn sum(&self, phase: usize, kept: &LogistelloNumbers) -> i32 {
        self.places.iter().map(|&(lane, centre)| self.entry(phase, centre, kept.0[lane & (LANES - 1)])).sum()
    }
}

fn is_symmetric(shape: &SquareList, tables: &[i8]) -> bool {
    let orders = own_symmetries(shape.squares());
    tables.chunks_exact(shape.codes()).all(|table| {
        let mut codes = table.iter().enumerate();
        codes.all(|(code, entry)| orders.iter().all(|order| table[permute(code, order)] == *entry))
    })
}

type Lanes = HashMap<Vec<u8>, usize>;

fn lane(lanes: &mut Lanes, list: Vec<u8>) -> usize {
    let next = lanes.len();
    *lanes.entry(list).or_insert(next)
}

/// A sum over all rays but the first so many shapes; rays of one length share a table.
fn rays(lanes: &mut Lanes, table: fn(usize) -> Vec<i8>, skipped: usize) -> Feature {
    let (mut tables, mut starts) = (Vec::new(), [0; 9]);
    for (length, start) in starts.iter_mut().enumerate().skip(3) {
        *start = tables.len();
        tables.extend(table(length));
    }
    let shapes =
        RAYS[skipped..].iter().map(|(_, text)| text.parse::<SquareList>().expect("the rays are shapes"));
    let instances = shapes.flat_map(|shape| shape.instances());
    let places = instances.map(|list| {
        let centre = starts[list.len()] + 3_usize.pow(list.len() as u32) / 2;
        (lane(lanes, list), centre)
    });
    Feature { places: places.collect(), tables, stride: 0 }
}

fn pattern(lanes: &mut Lanes, shape: &SquareList, tables: &[i8]) -> Result<Feature, FeatureError> {
    let (found, expected) = (tables.len(), PHASES * shape.codes());
    if found != expected {
        return Err(FeatureError::Size { squares: shape.to_string(), found, expected });
    }
    let places = shape.instances().into_iter().map(|list| (lane(lanes, list), shape.codes() / 2)).collect();
    Ok(Feature { tables: tables.to_vec(), stride: shape.codes(), places })
}

/// The twelve features of S5's Logistello without the constant: both mobilities, rows, diagonals of five to eight
/// squares and the 2x4 corner, with `table` for the entries of each pattern.
pub fn logistello(table: impl Fn(&SquareList) -> Vec<i8>) -> Vec<(String, FeatureSource)> {
    let named = RAYS[..8].iter().chain(&super::shape::PATTERNS[..1]);
    let patterns = named.map(|(name, text)| {
        let shape: SquareList = text.parse().expect("the named patterns are shapes");
        let tables = table(&shape);
        ((*name).to_owned(), FeatureSource::Pattern { shape, tables })
    });
    let mobilities = [
        ("mobility".to_owned(), FeatureSource::Mobility),
        ("potential".to_owned(), FeatureSource::Potential),
    ];
    mobilities.into_iter().chain(patterns).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::sample::positions;
    use trilith_base::Seed;

    #[test]
    fn mobilities_are_those_of_their_own_modules() {
        let sources = [("mobility", FeatureSource::Mobility), ("potential", FeatureSource::Potential)];
        let features =
            LogistelloFeatures::new(sources.map(|(name, source)| (name.into(), source)).into()).unwrap();
        for position in positions(Seed(1), 500) {
            let numbers = TernaryNumbers::of(&mobility::ALL.powers, &position);
            let values = features.values(&position, &features.begin(&position));
            assert_eq!(values[0], f64::from(mobility::approximated(&position, &numbers)));
            assert_eq!(values[1], f64::from(potential::approximated(&position, &numbers)));
        }
    }

    #[test]
    fn a_pattern_of_one_square_counts_discs_on_its_images() {
        let shape: SquareList = "a1".parse().unwrap();
        let tables = [-1, 0, 1].repeat(PHASES);
        let features =
            LogistelloFeatures::new(vec![("corners".into(), FeatureSource::Pattern { shape, tables })])
                .unwrap();
        const CORNERS: u64 = 0x8100_0000_0000_0081;
        for position in positions(Seed(2), 500) {
            let count = |side: u64| f64::from((side & CORNERS).count_ones());
            let value = features.values(&position, &features.begin(&position))[0];
            assert_eq!(value, count(position.own) - count(position.other));
        }
    }

    #[test]
    fn a_table_that_minds_the_direction_is_not_symmetric() {
        let with = |text: &str| {
            let shape: SquareList = text.parse().unwrap();
            let mut tables = vec![0; PHASES * shape.codes()];
            tables[2] = 1;
            LogistelloFeatures::new(vec![("p".into(), FeatureSource::Pattern { shape, tables })]).unwrap()
        };
        assert!(!with("a1b1c1d1e1f1g1h1").is_symmetric());
        assert!(with("a1b1c1d1a2b2c2d2").is_symmetric(), "its eight images are all different");
    }

    #[test]
    fn wrong_tables_and_too_many_lists_are_refused() {
        let shape: SquareList = "a1b1".parse().unwrap();
        let source = |shape: &SquareList, tables| {
            ("p".to_owned(), FeatureSource::Pattern { shape: shape.clone(), tables })
        };
        let short = LogistelloFeatures::new(vec![source(&shape, vec![0; 5])])
            .map(|features| features.len())
            .unwrap_err();
        assert_eq!(short.to_string(), "pattern a1b1 has 5 entries: expected 108");
        let many = (0..25).map(|at| {
            let shape: SquareList =
                format!("b1{}", trilith_games::othello::square_name(2 + at)).parse().unwrap();
            source(&shape, vec![0; 108])
        });
        let error = LogistelloFeatures::new(many.collect()).map(|features| features.len()).unwrap_err();
        assert!(error.to_string().starts_with("25 features on 1"), "{error}");
        assert!(LogistelloFeatures::new(Vec::new()).is_err());
    }
}
