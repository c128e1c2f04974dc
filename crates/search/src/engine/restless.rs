//! What moves the engine when nothing happens.
//!
//! In a closed game the evaluation may see one side ahead and every waiting move as good as any other: nothing in it
//! says that waiting wins nothing. So while a game stands still, freedom of movement ([`Evaluator::freedom`]) comes to
//! count beside the value: not at all for the first plies, then more and more. Who seeks it closes in on the other.
//! The moves of the game count, not those of the tree, so that all lines of a search are measured alike.

use trilith_eval::{Evaluator, Value};
use trilith_games::{Game, Record};

/// Plies without an irreversible move after which a game begins to stand still.
const CALM: usize = 20;
/// Plies after those until freedom counts in full.
const GROWTH: usize = 40;

/// How much freedom counts in one search, in per cent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Urge(i32);

impl Urge {
    /// For the position of `record`, if freedom counts `most` per cent in the end.
    pub fn of<G: Game>(record: &Record<G>, most: u32) -> Urge {
        let quiet = record.returnable().len().saturating_sub(CALM).min(GROWTH);
        Urge((most as usize * quiet / GROWTH) as i32)
    }

    /// The value of a position with its share of freedom, for the side to move.
    #[inline(always)]
    pub fn value<G: Game, E: Evaluator<G>>(
        self,
        (game, evaluator): (&G, &E),
        position: &G::Position,
        carry: &E::Carry,
    ) -> Value {
        let value = evaluator.value(game, position, carry);
        if self.0 == 0 {
            return value;
        }
        value + evaluator.freedom(game, position) * self.0 / 100
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::Seed;
    use trilith_games::abalone::Abalone;
    use trilith_games::playout;

    #[test]
    fn the_urge_grows_while_nothing_is_ejected() {
        let game = Abalone::new("belgian-daisy,repetition=0,plies=0".parse().unwrap());
        let (mut record, mut rng) = (Record::new(game.clone()), Seed(7).rng());
        let (mut quiet, mut ejections) = (0, 0);
        while ejections < 3 {
            let expected = 80 * (quiet - 20).clamp(0, 40) / 40;
            assert_eq!(Urge::of(&record, 80), Urge(expected), "{quiet} quiet plies");
            assert_eq!(Urge::of(&record, 0), Urge(0));
            let before = game.margin(record.position());
            playout::play_on(&mut record, 1, &mut rng);
            // Margins are those of the side to move.
            let ejected = game.margin(record.position()) != -before;
            (quiet, ejections) = if ejected { (0, ejections + 1) } else { (quiet + 1, ejections) };
        }
        assert!(record.len() > 90, "it has grown to the full");
    }
}
