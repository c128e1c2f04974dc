//! What a game needs so that its positions can be remembered: a code for each, and points at the end.

use trilith_games::morris::{self, Morris};
use trilith_games::othello::symmetry::{mirror, transpose, turn_over};
use trilith_games::othello::{self, Othello};
use trilith_games::{Game, Outcome};

/// A game whose positions fit into 128 bits.
pub trait Remember: Game {
    /// The most points one side can get; the other then gets none.
    const POINTS: u64 = 64;

    /// The same for all symmetric images of a position whichever colour is to move, different for all others;
    /// counters do not count.
    fn code(&self, position: &Self::Position) -> u128;

    /// Points of the side to move at the end of a game.
    fn points(&self, ended: &Self::Position) -> u64;

    /// The position after the pass of the side that ends a game because nobody can move; none where games end otherwise.
    fn after_last_pass(&self, _ended: &Self::Position) -> Option<Self::Position> {
        None
    }
}

impl Remember for Othello {
    /// The smallest image, own discs first.
    #[inline]
    fn code(&self, position: &othello::Position) -> u128 {
        let own = turns(position.own);
        let other = turns(position.other);
        let mut least = u128::MAX;
        for (own, other) in own.into_iter().zip(other) {
            least = least.min(u128::from(own) << 64 | u128::from(other));
        }
        least
    }

    /// The discs of the side to move; empty squares go to the winner (the rule of the World Othello Federation).
    fn points(&self, ended: &othello::Position) -> u64 {
        let difference = ended.disc_difference();
        let margin = difference + difference.signum() * ended.empties().count_ones() as i32;
        (64 + margin) as u64 / 2
    }

    fn after_last_pass(&self, ended: &othello::Position) -> Option<othello::Position> {
        let othello::Position { own, other, to_move } = *ended;
        (ended.empties() != 0).then_some(othello::Position { own: other, other: own, to_move: !to_move })
    }
}

/// All images of a bit board, in an order of their own.
#[inline]
fn turns(bits: u64) -> [u64; 8] {
    let (a, b) = (bits, transpose(bits));
    let (c, d) = (mirror_bytes(a), mirror_bytes(b));
    [a, b, c, d, turn_over(a), turn_over(b), turn_over(c), turn_over(d)]
}

/// [`mirror`] without reversing the whole word, which takes an instruction that x86-64 lacks.
#[inline]
fn mirror_bytes(board: u64) -> u64 {
    let bits = (board >> 1 & 0x5555_5555_5555_5555) | (board & 0x5555_5555_5555_5555) << 1;
    let bits = (bits >> 2 & 0x3333_3333_3333_3333) | (bits & 0x3333_3333_3333_3333) << 2;
    let bits = (bits >> 4 & 0x0f0f_0f0f_0f0f_0f0f) | (bits & 0x0f0f_0f0f_0f0f_0f0f) << 4;
    debug_assert_eq!(bits, mirror(board));
    bits
}

impl Remember for Morris {
    fn code(&self, position: &morris::Position) -> u128 {
        let (position, _) = self.canonical(position);
        let hands = u128::from(position.own_hand()) | u128::from(position.other_hand()) << 4;
        u128::from(position.own()) << 64 | u128::from(position.other()) << 8 | hands
    }

    /// All for a win, half for a draw.
    fn points(&self, ended: &morris::Position) -> u64 {
        match self.outcome(ended) {
            Some(Outcome::Win) => Self::POINTS,
            Some(Outcome::Loss) => 0,
            Some(Outcome::Draw) | None => Self::POINTS / 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::Seed;
    use trilith_games::{Record, playout};

    fn images_share_a_code<G: Remember>() {
        let game = G::new(G::Rules::default());
        let mut codes = std::collections::HashSet::new();
        for number in 0..40 {
            let mut record = Record::new(game.clone());
            playout::play_on(&mut record, 60, &mut Seed(number).rng());
            for plies in 0..=record.len() {
                let position = record.position_after(plies).unwrap();
                let code = game.code(position);
                for symmetry in 0..G::SYMMETRIES {
                    assert_eq!(game.code(&game.image(position, symmetry)), code);
                }
                codes.insert(code);
            }
        }
        assert!(codes.len() > 1000, "{}", codes.len());
    }

    #[test]
    fn symmetric_positions_share_a_code_in_both_games() {
        images_share_a_code::<Othello>();
        images_share_a_code::<Morris>();
    }

    #[test]
    fn the_code_of_othello_is_its_canonical_image() {
        let game = Othello::default();
        for number in 0..100 {
            let mut record = Record::new(game.clone());
            playout::play_on(&mut record, number, &mut Seed(number as u64).rng());
            let (least, _) = game.canonical(record.position());
            let code = game.code(record.position());
            assert_eq!(((code >> 64) as u64, code as u64), (least.own, least.other));
        }
    }

    #[test]
    fn points_of_both_sides_are_all_there_are() {
        let game = Othello::default();
        let wiped = othello::Position { own: 0b111, other: 0, to_move: trilith_games::Colour::Black };
        assert_eq!((game.points(&wiped), game.points(&wiped.after_pass())), (64, 0));
        let drawn = othello::Position { own: !0 << 32, other: !0 >> 32, ..wiped };
        assert_eq!(game.points(&drawn), 32);
    }
}
