//! Stones on the board and in hand, and whose turn it is.

use trilith_base::seed::mix;

use super::points::{self, ALL, Points};
use crate::game::Colour;

/// The most stones each side can begin with in hand: both together fill the board.
pub const MOST_STONES: u8 = 12;

/// A position, as the side to move sees it. `Ord` only serves the canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub(super) own: Points,
    pub(super) other: Points,
    /// Plies since the last placing or removal. Saturates: past every limit the rules can set.
    pub(super) quiet: u16,
    pub(super) own_hand: u8,
    pub(super) other_hand: u8,
    pub(super) to_move: Colour,
}

impl Position {
    /// The empty board, with so many stones in either hand.
    pub(super) fn start(stones: u8) -> Position {
        Position { own: 0, other: 0, quiet: 0, own_hand: stones, other_hand: stones, to_move: Colour::White }
    }

    /// A position with no stones in hand. Trusts its caller: the two sets must be disjoint sets of points with
    /// numbers of stones that [`Game::validate`](crate::Game::validate) would pass.
    pub fn moving(own: Points, other: Points, to_move: Colour) -> Position {
        Position { own, other, quiet: 0, own_hand: 0, other_hand: 0, to_move }
    }

    /// The same stones with the other side to move.
    pub fn turned(self) -> Position {
        Position {
            own: self.other,
            other: self.own,
            own_hand: self.other_hand,
            other_hand: self.own_hand,
            to_move: !self.to_move,
            ..self
        }
    }

    /// The stones on the board of the side to move.
    #[inline(always)]
    pub fn own(&self) -> Points {
        self.own
    }

    /// The stones on the board of the side not to move.
    #[inline(always)]
    pub fn other(&self) -> Points {
        self.other
    }

    /// Stones that the side to move has yet to place.
    #[inline(always)]
    pub fn own_hand(&self) -> u8 {
        self.own_hand
    }

    /// Stones that the side not to move has yet to place.
    #[inline(always)]
    pub fn other_hand(&self) -> u8 {
        self.other_hand
    }

    /// Stones that both sides together have yet to place; none once all are placed.
    #[inline(always)]
    pub fn in_hand(&self) -> u8 {
        self.own_hand + self.other_hand
    }

    /// Plies since the last placing or removal.
    pub fn quiet(&self) -> u16 {
        self.quiet
    }

    /// Points without a stone.
    #[inline(always)]
    pub fn empty(&self) -> Points {
        !(self.own | self.other) & ALL
    }

    /// Stones of the side to move, on the board and in hand.
    #[inline(always)]
    pub fn own_total(&self) -> u32 {
        self.own.count_ones() + u32::from(self.own_hand)
    }

    /// Stones of the side not to move, on the board and in hand.
    #[inline(always)]
    pub fn other_total(&self) -> u32 {
        self.other.count_ones() + u32::from(self.other_hand)
    }

    /// The stones on the board of `colour`, and its stones in hand.
    pub fn side(&self, colour: Colour) -> (Points, u8) {
        match colour == self.to_move {
            true => (self.own, self.own_hand),
            false => (self.other, self.other_hand),
        }
    }

    /// Different for different positions, whatever their counters say: all of it fits into 57 bits, and mixing loses
    /// nothing. That is cheaper than a key kept from move to move, and never collides.
    #[inline(always)]
    pub(super) fn key(&self) -> u64 {
        let hands = u64::from(self.own_hand) | u64::from(self.other_hand) << 4;
        let side = u64::from(self.to_move == Colour::White);
        mix(u64::from(self.own) | u64::from(self.other) << 24 | hands << 48 | side << 56)
    }

    pub(super) fn image(&self, symmetry: usize) -> Position {
        let seen = |set| points::image(set, symmetry);
        Position { own: seen(self.own), other: seen(self.other), ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_small() {
        assert_eq!(size_of::<Position>(), 16);
    }

    #[test]
    fn the_key_sees_stones_hands_and_side_but_no_counter() {
        let position = Position::moving(0b111, 0b111000, Colour::White);
        assert_eq!(Position { quiet: 7, ..position }.key(), position.key());
        let others = [
            Position { own: 0b1011, ..position },
            Position { other: 0b1011000, ..position },
            Position { own_hand: 1, ..position },
            Position { other_hand: 1, ..position },
            Position { to_move: Colour::Black, ..position },
        ];
        assert!(others.iter().all(|other| other.key() != position.key()));
    }
}
