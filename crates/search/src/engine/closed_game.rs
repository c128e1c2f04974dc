//! The mobility term and the contempt of closed games: what moves the engine when nothing happens.
//!
//! In a closed game the evaluation may see one side ahead and every waiting move as good as any other: nothing in it
//! says that waiting wins nothing. So while a game stands still, mobility ([`Evaluator::mobility`]) comes to
//! count beside the value, for who is ahead: not at all for the first plies, then up to a bound that grows. Who seeks it
//! closes in on the other. Where games are closed from their first moves on, who is only a little behind seeks it too, and is no
//! gladder to repeat.
//!
//! At first the bound is so small that it only chooses between moves that are worth about the same; the longer that
//! leads nowhere, the more may be given away for it. (Without a bound an engine with this term loses most games to one without.)
//! A position without mobility is then worth less by the bound, so that a draw by repetition is too: it would be a way
//! out. And it is worth a little less than an even game from the beginning, for who waits is often the weaker side.
//! Game and root decide, not the tree, so that all lines of a search are measured alike.

use trilith_eval::{Evaluator, Value};
use trilith_games::{Game, Record};

/// Plies without an irreversible move after which a game begins to stand still.
const CALM: usize = 10;
/// Each ply after those lets mobility count for one part more in so many of the evaluation's unit.
const GROWTH: f64 = 400.0;
/// It may count so much to who is ahead by this part of the unit, not at all to who is further behind than
/// [`Evaluator::closed_games`] says.
const AHEAD: f64 = 0.25;
/// A draw by the game's history is always this part of the unit worse than an even game, or than what one may be behind.
const DRAWN: f64 = 0.25;

/// What one search adds to values, in steps of the evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ClosedGame {
    /// How much mobility counts at most.
    bound: Value,
    /// By how much a draw by the game's history is worse than an even game to the side at the root.
    pub contempt: Value,
}

impl ClosedGame {
    /// For the position of `record`, at `percent` of the usual bound.
    pub fn of<G: Game, E: Evaluator<G>>(record: &Record<G>, evaluator: &E, percent: u32) -> ClosedGame {
        let (game, position) = (record.game(), record.position());
        let Some(behind) = evaluator.closed_games(game).filter(|_| percent > 0) else {
            return ClosedGame::default();
        };
        let one = evaluator.unit().one;
        let share = f64::from(one) * f64::from(percent) / 100.0;
        let quiet = record.returnable().len().saturating_sub(CALM) as f64;
        let value = evaluator.value(game, position, &evaluator.begin(game, position));
        let urge = ((f64::from(value) / f64::from(one) + behind) / (AHEAD + behind)).clamp(0.0, 1.0);
        let bound = (share * quiet / GROWTH * urge).round() as Value;
        ClosedGame { bound, contempt: (share * (DRAWN + behind)) as Value + bound }
    }

    /// The value of a position with its share of mobility, for the side to move.
    #[inline(always)]
    pub fn value<G: Game, E: Evaluator<G>>(
        self,
        (game, evaluator): (&G, &E),
        position: &G::Position,
        carry: &E::Carry,
    ) -> Value {
        let value = evaluator.value(game, position, carry);
        if self.bound == 0 {
            return value;
        }
        value + evaluator.mobility(game, position).clamp(-self.bound, self.bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, EngineOptions};
    use crate::limits::{Control, Limits};
    use trilith_base::Seed;
    use trilith_eval::{Margin, Unknowing};
    use trilith_games::abalone::{Abalone, Move, Position};
    use trilith_games::playout;

    /// Ejected marbles, in games that may close; how far behind a side seeks mobility.
    struct Closing(f64);

    impl Evaluator<Abalone> for Closing {
        type Carry = ();

        fn unit(&self) -> trilith_eval::Unit {
            Evaluator::<Abalone>::unit(&Margin)
        }

        fn begin(&self, _: &Abalone, _: &Position) {}

        fn advance(&self, _: &Abalone, _: &(), _: &Position, _: Move, _: &Position) {}

        fn value(&self, game: &Abalone, position: &Position, carry: &()) -> Value {
            Margin.value(game, position, carry)
        }

        fn closed_games(&self, _: &Abalone) -> Option<f64> {
            Some(self.0)
        }
    }

    #[test]
    fn the_bound_grows_while_nothing_is_ejected_and_is_of_who_is_not_far_behind() {
        let game = Abalone::new("belgian-daisy,repetition=0,plies=0".parse().unwrap());
        let (mut record, mut rng) = (Record::new(game.clone()), Seed(7).rng());
        let one = f64::from(Evaluator::<Abalone>::unit(&Margin).one);
        let (mut quiet, mut ejections, mut most) = (0, 0, 0);
        while ejections < 3 {
            let term = ClosedGame::of(&record, &Closing(0.0), 50_000);
            let margin = game.margin(record.position());
            let share = f64::from((quiet - 10).max(0)) / 400.0;
            let expected = if margin > 0 { (share * one * 500.0).round() as Value } else { 0 };
            assert_eq!(term.bound, expected, "{quiet} quiet plies, margin {margin}");
            assert_eq!(term.contempt - term.bound, (one * 500.0 / 4.0) as Value);
            let near = ClosedGame::of(&record, &Closing(2.0), 50_000);
            let urge = f64::from(margin + 2).clamp(0.0, 2.25) / 2.25;
            assert_eq!(near.bound, (share * one * 500.0 * urge).round() as Value);
            assert_eq!(near.contempt - near.bound, (one * 500.0 * 2.25) as Value);
            assert_eq!(ClosedGame::of(&record, &Closing(0.0), 0), ClosedGame::default());
            assert_eq!(
                ClosedGame::of(&record, &Margin, 50_000),
                ClosedGame::default(),
                "games that do not close"
            );
            most = most.max(expected);
            playout::play_on(&mut record, 1, &mut rng);
            // Margins are those of the side to move.
            let ejected = game.margin(record.position()) != -margin;
            (quiet, ejections) = if ejected { (0, ejections + 1) } else { (quiet + 1, ejections) };
        }
        assert!(most > 0, "somebody was ahead and waited");
    }

    #[test]
    fn who_presses_on_contempts_to_repeat() {
        let game = Abalone::default();
        let ahead = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbb1 b 0 1";
        let mut record = Record::from_position(game.clone(), game.parse_position(ahead).unwrap()).unwrap();
        // Two and three moves there and back: after 24 plies the first position is there for the third time.
        let rounds: Vec<&str> =
            (0..12).flat_map(|n| [["c3c2", "c2c3"][n % 2], ["g5g4", "g4f4", "f4g5"][n % 3]]).collect();
        let (last, before) = rounds.split_last().unwrap();
        for text in before {
            record.push(game.parse_move(record.position(), text).unwrap()).unwrap();
        }
        let repeat = game.parse_move(record.position(), last).unwrap();
        let worth = |mobility_percent| {
            let options = EngineOptions { mobility_percent, lines: usize::MAX, ..EngineOptions::default() };
            let limits = Limits { depth: Some(1), ..Limits::default() };
            let mut engine = Engine::new(Closing(0.0), Unknowing, options);
            let analysis = engine.analyse(&record, &limits, &Control::default(), &mut |_| ());
            analysis.lines.iter().find(|line| line.moves.first() == Some(&repeat)).unwrap().value
        };
        // 23 quiet plies, 13 more than calm ones: 13 parts in 400 and a fourth of 500 marbles.
        assert_eq!((worth(0), worth(50_000)), (0, -1_625 - 12_500));
    }
}
