//! Subspaces: all positions with the same numbers of stones, numbered without storing them.
//!
//! A position is turned and mirrored until the stones of the side that waits are the representative of their class;
//! its slot is that class and, within it, the number of the mover's stones among the points left. So all positions
//! that a move of one side leads from lie side by side, and a builder can work on one class at a time (see
//! [`crate::solve`]).
//!
//! Where the representative has symmetries of its own, several slots hold one class of positions, all with the same
//! value; the lowest of them counts and is the one that is asked. With eight stones 2 % of the slots do not count,
//! with three 20 %.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use trilith_games::morris::points::{self, ALL, Points};

use crate::classes::Classes;
use crate::cpu::{Gather, Portable};
use crate::numbering::{Numbering, binomial};

/// The fewest stones a side can play on with.
pub const FEWEST: u8 = 3;
/// The most stones a side can have.
pub const MOST: u8 = 9;

/// Numbers of stones; the side to move comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subspace {
    own: u8,
    other: u8,
}

impl Subspace {
    /// None unless both numbers lie from 3 to 9.
    pub fn new(own: u32, other: u32) -> Option<Subspace> {
        let range = u32::from(FEWEST)..=u32::from(MOST);
        (range.contains(&own) && range.contains(&other))
            .then_some(Subspace { own: own as u8, other: other as u8 })
    }

    /// All subspaces with at most `stones` stones together, in an order in which captures lead back: by stones, then
    /// the twins `a-b` and `b-a` side by side.
    pub fn up_to(stones: u32) -> Vec<Subspace> {
        let mut all: Vec<_> =
            (3..=9).flat_map(|own| (3..=9).filter_map(move |other| Subspace::new(own, other))).collect();
        all.retain(|subspace| subspace.stones() <= stones);
        all.sort_by_key(|space| {
            (space.stones(), space.own.abs_diff(space.other), std::cmp::Reverse(space.own))
        });
        all
    }

    /// Stones of the side to move.
    pub fn own(self) -> u32 {
        self.own.into()
    }

    /// Stones of the side that waits.
    pub fn other(self) -> u32 {
        self.other.into()
    }

    /// Stones on the board.
    pub fn stones(self) -> u32 {
        self.own() + self.other()
    }

    /// The subspace after a move that takes nothing.
    pub fn twin(self) -> Subspace {
        Subspace { own: self.other, other: self.own }
    }

    /// The subspace after a capture; none if the side that lost the stone has lost.
    pub fn after_capture(self) -> Option<Subspace> {
        Subspace::new(self.other() - 1, self.own())
    }

    /// Slots of one class of the waiting side's stones.
    pub fn width(self) -> u32 {
        binomial(24 - self.other(), self.own())
    }

    /// Slots in all; a few more than there are classes of positions.
    pub fn slots(self) -> u64 {
        u64::from(Classes::of(self.other()).count()) * u64::from(self.width())
    }

    /// The numbers of the mover's stones among the points left.
    pub fn numbering(self) -> Numbering {
        Numbering::new(24 - self.other(), self.own())
    }

    /// The stones of the side to move and of the one that waits, in a slot. Trusts that there is such a slot.
    pub fn stones_of(self, slot: u64) -> (Points, Points) {
        let width = u64::from(self.width());
        let other = Classes::of(self.other()).representative((slot / width) as u32);
        let own = Portable.scatter(word(self.own(), (slot % width) as u32), ALL & !other);
        (own, other)
    }
}

/// The word with `stones` bits that has the number `rank`.
fn word(stones: u32, rank: u32) -> u32 {
    let (mut rest, mut word) = (rank, 0);
    for index in (1..=stones).rev() {
        let place = (index - 1..24).rev().find(|&place| binomial(place, index) <= rest).unwrap_or(index - 1);
        word |= 1 << place;
        rest -= binomial(place, index);
    }
    word
}

/// Finds slots; keeps the tables for it.
pub struct Index {
    numbering: Numbering,
    classes: &'static Classes,
    width: u64,
}

impl Index {
    /// For one subspace.
    pub fn new(subspace: Subspace) -> Index {
        Index {
            numbering: subspace.numbering(),
            classes: Classes::of(subspace.other()),
            width: subspace.width().into(),
        }
    }

    /// The slot that counts for a position, the same for all its images. Trusts that the numbers of stones are those
    /// of the subspace.
    #[inline]
    pub fn slot(&self, own: Points, other: Points) -> u64 {
        let seat = self.classes.seat(other);
        let free = ALL & !self.classes.representative(seat.class);
        let rank = |stones| self.numbering.rank(Portable.gather(stones, free));
        let own = points::image(own, seat.symmetry);
        let rank = match seat.is_symmetric {
            false => rank(own),
            true => {
                let images = self.classes.stabiliser(seat.class).map(|symmetry| points::image(own, symmetry));
                images.map(rank).min().expect("the identity is among them")
            }
        };
        u64::from(seat.class) * self.width + u64::from(rank)
    }

    /// Calls `visit` with the rank of each slot of a class that counts for a class of positions.
    pub fn each_counting(&self, class: u32, mut visit: impl FnMut(u32)) {
        if self.classes.is_plain(class) {
            return (0..self.width as u32).for_each(visit);
        }
        let free = ALL & !self.classes.representative(class);
        for (rank, word) in (0..).zip(self.numbering.words()) {
            let own = Portable.scatter(word, free);
            let number = |symmetry| self.numbering.rank(Portable.gather(points::image(own, symmetry), free));
            if self.classes.stabiliser(class).all(|symmetry| number(symmetry) >= rank) {
                visit(rank);
            }
        }
    }
}

impl fmt::Display for Subspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}-{}", self.own, self.other))
    }
}

impl Serialize for Subspace {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for Subspace {
    type Err = SubspaceError;

    fn from_str(text: &str) -> Result<Subspace, SubspaceError> {
        let parts =
            text.split_once('-').and_then(|(own, other)| Some((own.parse().ok()?, other.parse().ok()?)));
        let found = parts.and_then(|(own, other)| Subspace::new(own, other));
        found.ok_or_else(|| SubspaceError { text: text.into() })
    }
}

/// What was wrong with the name of a subspace.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("`{text}` is not a subspace: expected two numbers from 3 to 9, such as `5-3`")]
pub struct SubspaceError {
    text: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_and_positions_lead_to_each_other() {
        for text in ["3-3", "4-3", "3-4", "9-3", "3-9"] {
            let subspace: Subspace = text.parse().unwrap();
            let index = Index::new(subspace);
            let step = (subspace.slots() / 50_000).max(1) as usize;
            for slot in (0..subspace.slots()).step_by(step) {
                let (own, other) = subspace.stones_of(slot);
                assert_eq!((own.count_ones(), other.count_ones()), (subspace.own(), subspace.other()));
                assert_eq!(own & other, 0);
                let counting = index.slot(own, other);
                assert!(counting <= slot);
                for symmetry in 0..16 {
                    let image = |set| points::image(set, symmetry);
                    assert_eq!(index.slot(image(own), image(other)), counting);
                }
            }
        }
    }

    /// Classes by Burnside's lemma: the mean number of positions kept by a symmetry. Of each of its cycles all points
    /// are own, or all are the other side's, or all are empty.
    fn burnside(subspace: Subspace) -> u64 {
        let kept = |symmetry| {
            let mut ways = [[0_u64; 10]; 10];
            ways[0][0] = 1;
            let mut seen = 0;
            for point in 0..24 {
                let mut cycle: Points = 0;
                let mut at = point;
                while (seen | cycle) >> at & 1 == 0 {
                    cycle |= 1 << at;
                    at = points::image_point(at, symmetry);
                }
                seen |= cycle;
                let length = cycle.count_ones() as usize;
                for own in (0..10).rev().filter(|_| length > 0) {
                    for other in (0..10).rev() {
                        let fewer = |stones: usize| stones.checked_sub(length);
                        let more = fewer(own).map_or(0, |own| ways[own][other])
                            + fewer(other).map_or(0, |other| ways[own][other]);
                        ways[own][other] += more;
                    }
                }
            }
            ways[subspace.own() as usize][subspace.other() as usize]
        };
        (0..16).map(kept).sum::<u64>() / 16
    }

    #[test]
    fn all_classes_are_8_904_593_601() {
        assert_eq!(burnside(Subspace::new(3, 3).unwrap()), 169_626);
        assert_eq!(Subspace::up_to(18).into_iter().map(burnside).sum::<u64>(), 8_904_593_601);
    }

    #[test]
    fn every_class_counts_once() {
        for text in ["3-3", "4-3", "3-4"] {
            let subspace: Subspace = text.parse().unwrap();
            let index = Index::new(subspace);
            let mut count = 0;
            for class in 0..Classes::of(subspace.other()).count() {
                index.each_counting(class, |rank| {
                    let slot = u64::from(class) * u64::from(subspace.width()) + u64::from(rank);
                    let (own, other) = subspace.stones_of(slot);
                    assert_eq!(index.slot(own, other), slot);
                    count += 1;
                });
            }
            assert_eq!(count, burnside(subspace), "{text}");
        }
    }

    #[test]
    fn the_order_solves_what_captures_lead_to_first() {
        let all = Subspace::up_to(18);
        assert_eq!(all.len(), 49);
        for (place, subspace) in all.iter().enumerate() {
            let before =
                |wanted: Option<Subspace>| wanted.is_none_or(|wanted| all[..place].contains(&wanted));
            assert!(before(subspace.after_capture()), "{subspace}");
        }
        let names: Vec<_> = Subspace::up_to(8).iter().map(Subspace::to_string).collect();
        assert_eq!(names, ["3-3", "4-3", "3-4", "4-4", "5-3", "3-5"]);
    }

    #[test]
    fn names_are_checked() {
        assert_eq!("5-3".parse::<Subspace>().unwrap().to_string(), "5-3");
        for wrong in ["", "5", "2-5", "5-10", "a-b"] {
            assert!(wrong.parse::<Subspace>().is_err());
        }
    }
}
