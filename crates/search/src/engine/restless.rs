//! What moves the engine when nothing happens.
//!
//! In a closed game the evaluation may see one side ahead and every waiting move as good as any other: nothing in it
//! says that waiting wins nothing. So while a game stands still, freedom of movement ([`Evaluator::freedom`]) comes to
//! count beside the value: not at all for the first plies, then more and more. Who seeks it closes in on the other.
//!
//! Only who is ahead can afford that: the urge grows with the value of the position at the root, and what pressing on
//! has cost takes it back. (Without this bound a restless engine loses nine games of ten to a calm one.) Game and root
//! decide, not the tree, so that all lines of a search are measured alike.

use trilith_eval::{Evaluator, Value};
use trilith_games::{Game, Record};

/// Plies without an irreversible move after which a game begins to stand still.
const CALM: usize = 20;
/// Plies after those until freedom counts in full.
const GROWTH: usize = 40;
/// Freedom counts in full to who is ahead by one part in so many of the evaluation's unit, not at all to who is behind.
const AHEAD: Value = 2;

/// How much freedom counts in one search, in per cent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Urge(i32);

impl Urge {
    /// For the position of `record`, if freedom counts `most` per cent in the end.
    pub fn of<G: Game, E: Evaluator<G>>(record: &Record<G>, evaluator: &E, most: u32) -> Urge {
        let quiet = record.returnable().len().saturating_sub(CALM).min(GROWTH);
        if most == 0 || quiet == 0 {
            return Urge(0);
        }
        let (game, position) = (record.game(), record.position());
        let full = (evaluator.unit().one / AHEAD).max(1);
        let ahead = evaluator.value(game, position, &evaluator.begin(game, position)).clamp(0, full);
        Urge((most as usize * quiet / GROWTH) as i32 * ahead / full)
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
    use trilith_eval::Margin;
    use trilith_games::abalone::Abalone;
    use trilith_games::playout;

    #[test]
    fn the_urge_grows_while_nothing_is_ejected_and_is_of_the_side_ahead() {
        let game = Abalone::new("belgian-daisy,repetition=0,plies=0".parse().unwrap());
        let (mut record, mut rng) = (Record::new(game.clone()), Seed(7).rng());
        let (mut quiet, mut ejections, mut most) = (0, 0, 0);
        while ejections < 3 {
            let urge = Urge::of(&record, &Margin, 80);
            let margin = game.margin(record.position());
            let expected = if margin > 0 { 80 * (quiet - 20).clamp(0, 40) / 40 } else { 0 };
            assert_eq!(urge, Urge(expected), "{quiet} quiet plies, margin {margin}");
            assert_eq!(Urge::of(&record, &Margin, 0), Urge(0));
            most = most.max(expected);
            playout::play_on(&mut record, 1, &mut rng);
            // Margins are those of the side to move.
            let ejected = game.margin(record.position()) != -margin;
            (quiet, ejections) = if ejected { (0, ejections + 1) } else { (quiet + 1, ejections) };
        }
        assert!(most > 0, "somebody was ahead and waited");
    }
}
