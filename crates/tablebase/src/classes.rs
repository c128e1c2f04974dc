//! Sets of points that are the same set, turned, mirrored or with rings swapped.
//!
//! Every class is represented by its smallest member. What is stored for each set is which class it belongs to and
//! one symmetry that leads to the representative; where the representative has symmetries of its own, others do too.

use std::sync::OnceLock;

use trilith_games::morris::points::{self, Points, SYMMETRIES};

use crate::numbering::Numbering;

/// The classes of the sets of so many points.
pub struct Classes {
    numbering: Numbering,
    /// By number of the set: class, whether the representative has symmetries, symmetry to it.
    seats: Vec<u32>,
    representatives: Vec<Points>,
    /// By class: bit `s` is set if symmetry `s` keeps the representative.
    stabilisers: Vec<u16>,
}

/// Where a set belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassSeat {
    /// The number of the class, from 0.
    pub class: u32,
    /// Maps the set to the representative of its class.
    pub symmetry: usize,
    /// Whether the representative is kept by more than the identity.
    pub is_symmetric: bool,
}

const NO_SEAT: u32 = u32::MAX;

impl Classes {
    /// The classes of sets of `stones` points, from 3 to 9; computed once in a process.
    pub fn of(stones: u32) -> &'static Classes {
        static ALL: [OnceLock<Classes>; 10] = [const { OnceLock::new() }; 10];
        ALL[stones as usize].get_or_init(|| Classes::new(stones))
    }

    fn new(stones: u32) -> Classes {
        let numbering = Numbering::new(points::COUNT as u32, stones);
        let mut seats = vec![NO_SEAT; numbering.len() as usize];
        let (mut representatives, mut stabilisers) = (Vec::new(), Vec::new());
        for set in numbering.words() {
            if seats[numbering.rank(set) as usize] != NO_SEAT {
                continue;
            }
            let images: [Points; SYMMETRIES] = std::array::from_fn(|symmetry| points::image(set, symmetry));
            let keeps = |symmetry: &usize| images[*symmetry] == set;
            let stabiliser = (0..SYMMETRIES).filter(keeps).fold(0_u16, |bits, symmetry| bits | 1 << symmetry);
            let class = representatives.len() as u32;
            for (symmetry, image) in images.into_iter().enumerate() {
                let seat = &mut seats[numbering.rank(image) as usize];
                if *seat == NO_SEAT {
                    let is_symmetric = u32::from(stabiliser != 1);
                    *seat = class << 5 | is_symmetric << 4 | points::inverse(symmetry) as u32;
                }
            }
            representatives.push(set);
            stabilisers.push(stabiliser);
        }
        Classes { numbering, seats, representatives, stabilisers }
    }

    /// How many classes there are.
    pub fn count(&self) -> u32 {
        self.representatives.len() as u32
    }

    /// The smallest member of a class.
    #[inline(always)]
    pub fn representative(&self, class: u32) -> Points {
        self.representatives[class as usize]
    }

    /// Where `set` belongs. Trusts that it has the right number of points.
    #[inline(always)]
    pub fn seat(&self, set: Points) -> ClassSeat {
        let seat = self.seats[self.numbering.rank(set) as usize];
        ClassSeat { class: seat >> 5, symmetry: (seat & 15) as usize, is_symmetric: seat & 16 != 0 }
    }

    /// Whether only the identity keeps the representative.
    pub fn is_plain(&self, class: u32) -> bool {
        self.stabilisers[class as usize] == 1
    }

    /// The symmetries that keep the representative, the identity among them.
    pub fn stabiliser(&self, class: u32) -> impl Iterator<Item = usize> + use<> {
        points::each(self.stabilisers[class as usize].into()).map(usize::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_lead_to_the_representative() {
        for stones in [3, 4, 7] {
            let classes = Classes::of(stones);
            for set in classes.numbering.words() {
                let seat = classes.seat(set);
                let representative = classes.representative(seat.class);
                assert_eq!(points::image(set, seat.symmetry), representative);
                assert!(representative <= set);
                assert_eq!(seat.is_symmetric, !classes.is_plain(seat.class));
            }
        }
    }

    /// By Burnside's lemma the classes number the mean of the sets kept by each symmetry.
    #[test]
    fn classes_are_as_many_as_burnside_says() {
        for stones in 3..=9 {
            let words = Numbering::new(24, stones).words();
            let kept: u32 =
                words.map(|set| (0..16).filter(|&s| points::image(set, s) == set).count() as u32).sum();
            assert_eq!(Classes::of(stones).count() * 16, kept, "{stones} stones");
        }
    }
}
