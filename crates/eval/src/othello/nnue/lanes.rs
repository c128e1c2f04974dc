//! The lanes of a network: which of them are patterns of the linear part too, and the row that each selects.
//!
//! What stands on a pattern of the linear part is counted for that part already. Such a lane takes its number from there;
//! only the others have numbers of their own. The squares of a lane may come in another order than those of the pattern,
//! so its rows are put in the pattern's order when a network is loaded.

use super::{LANES, REST};
use crate::othello::patterns::Indices;
use crate::othello::patterns::layout::INSTANCES;
use crate::othello::ternary::{Powers, TernaryNumbers, permute};

/// The lanes of one network.
pub struct Lanes {
    /// The squares of each, those of a pattern in the pattern's order.
    squares: Vec<Vec<u8>>,
    /// For each lane the places of its squares in the file.
    orders: Vec<Vec<usize>>,
    shared: Vec<Lane>,
    rest: Vec<Lane>,
}

/// Where the number of a lane stands, and the row of the number 0.
#[derive(Clone, Copy)]
struct Lane {
    at: u8,
    centre: u32,
}

/// The instance of the linear part that looks at the same squares, in whatever order.
pub fn pattern(lane: &[u8]) -> Option<usize> {
    let set = |squares: &[u8]| squares.iter().fold(0_u64, |set, &square| set | 1 << (square & 63));
    INSTANCES.iter().position(|instance| set(instance.squares()) == set(lane))
}

impl Lanes {
    /// From the squares of each lane; trusts that they are different and that the limits are kept.
    pub fn new(file: Vec<Vec<u8>>) -> Lanes {
        let mut lanes =
            Lanes { squares: Vec::new(), orders: Vec::new(), shared: Vec::new(), rest: Vec::new() };
        let mut first = 0;
        for squares in file {
            let codes = 3_usize.pow(squares.len() as u32);
            let centre = (first + codes / 2) as u32;
            let pattern = pattern(&squares);
            match pattern {
                Some(at) => lanes.shared.push(Lane { at: at as u8, centre }),
                None => lanes.rest.push(Lane { at: lanes.rest.len() as u8, centre }),
            }
            let kept = pattern.map_or_else(|| squares.clone(), |at| INSTANCES[at].squares().to_vec());
            let place = |square: &u8| squares.iter().position(|other| other == square);
            lanes.orders.push(kept.iter().filter_map(place).collect());
            lanes.squares.push(kept);
            first += codes;
        }
        lanes
    }

    /// The squares of each lane, as its numbers count them.
    pub fn squares(&self) -> &[Vec<u8>] {
        &self.squares
    }

    /// How many rows all lanes have.
    pub fn count(&self) -> usize {
        self.squares.iter().map(|squares| 3_usize.pow(squares.len() as u32)).sum()
    }

    /// For every row the number of the file's row that belongs there.
    pub fn order(&self) -> impl Iterator<Item = usize> {
        let mut first = 0;
        self.orders.iter().flat_map(move |order| {
            let (start, codes) = (first, 3_usize.pow(order.len() as u32));
            first += codes;
            (0..codes).map(move |code| start + permute(code, order))
        })
    }

    /// What a disc on each square adds to the number of each lane that is no pattern.
    pub fn powers(&self) -> Box<Powers<REST>> {
        let mut powers = Box::new([[0; REST]; 64]);
        let rest = self.squares.iter().filter(|squares| pattern(squares).is_none());
        for (at, squares) in rest.enumerate() {
            for (place, &square) in squares.iter().enumerate() {
                powers[usize::from(square)][at] = 3_i16.pow(place as u32);
            }
        }
        powers
    }

    /// Writes down the row that each lane selects; how many those are.
    #[inline(always)]
    pub fn rows(&self, linear: &Indices, rest: &TernaryNumbers<REST>, chosen: &mut [u32; LANES]) -> usize {
        let row = |lane: &Lane, number: i16| lane.centre.wrapping_add_signed(number.into());
        let (first, second) = chosen.split_at_mut(self.shared.len().min(LANES));
        for (chosen, lane) in first.iter_mut().zip(&self.shared) {
            *chosen = row(lane, linear.0[usize::from(lane.at & 63)]);
        }
        for (chosen, lane) in second.iter_mut().zip(&self.rest) {
            *chosen = row(lane, rest.0[usize::from(lane.at) % REST]);
        }
        self.squares.len()
    }
}
