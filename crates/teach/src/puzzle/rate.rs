//! How hard a puzzle is: the levels try it, and its rating is that of an opponent with these results.
//!
//! A level that finds the first move has beaten the puzzle. The rating is the most likely one under the logistic formula
//! of Elo, with one win and one loss against [`PRIOR`] added, so that puzzles which all or none find stay on the scale.

use trilith_arena::player::levels::{COUNT, Level};
use trilith_arena::player::text::{TextPlayer, TextPlayerError, TextRecord, text_player};
use trilith_base::Seed;
use trilith_search::Limits;

/// How often each level tries; one that never strays tries once, and that counts as often.
pub const TRIALS: u32 = 4;
/// The strongest level does not try: its kind has proved the puzzles.
const TRYING: usize = COUNT - 1;
const PRIOR: f64 = 1000.0;

/// What a level did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatedLevel {
    /// In the list of the game.
    pub rating: f64,
    /// How often it found the first move, of [`TRIALS`].
    pub found: u32,
}

/// The levels of one game, ready to try.
pub struct Examiners {
    players: Vec<(Level, Box<dyn TextPlayer>)>,
}

impl Examiners {
    /// Levels that have a rating.
    pub fn new(game: &str, levels: &[Level; COUNT]) -> Result<Examiners, TextPlayerError> {
        let make = |(number, level): (usize, &Level)| {
            // Without tables, so that ratings do not depend on what a home has built.
            let spec = format!("engine:level={},hash=2,tables=off", number + 1);
            Ok((*level, text_player(game, &spec, Seed(1))?))
        };
        let rated = levels[..TRYING].iter().enumerate().filter(|(_, level)| level.rating.is_some());
        Ok(Examiners { players: rated.map(make).collect::<Result<_, TextPlayerError>>()? })
    }

    /// The player of a level, from 1.
    pub fn level(&mut self, number: u8) -> &mut dyn TextPlayer {
        let place = usize::from(number).clamp(1, self.players.len()) - 1;
        &mut *self.players[place].1
    }

    /// How each level does with a position whose right move is `right`.
    pub fn examine(
        &mut self,
        position: &str,
        right: &str,
        seed: Seed,
    ) -> Result<Vec<RatedLevel>, TextPlayerError> {
        let record = TextRecord::at(position);
        let mut results = Vec::new();
        for (number, (level, player)) in (1..).zip(&mut self.players) {
            let trials = if level.radius_permille == 0 { 1 } else { TRIALS };
            let mut found = 0;
            for trial in 0..trials {
                player.renew(seed.derive("level", number).derive("trial", trial.into()))?;
                let mv = player.choose(&record, Limits::default())?.mv;
                found += u32::from(mv == right);
            }
            results.push(RatedLevel {
                rating: f64::from(level.rating.unwrap_or(0)),
                found: found * TRIALS / trials,
            });
        }
        Ok(results)
    }
}

/// The most likely rating of a puzzle with these results.
pub fn rating(results: &[RatedLevel]) -> i32 {
    let expected = |puzzle: f64, other: f64| 1.0 / (1.0 + 10f64.powf((other - puzzle) / 400.0));
    // Falls with the rating: points won less points expected.
    let excess = |puzzle: f64| {
        let against = |level: &RatedLevel| {
            f64::from(TRIALS - level.found) - f64::from(TRIALS) * expected(puzzle, level.rating)
        };
        results.iter().map(against).sum::<f64>() + 1.0 - 2.0 * expected(puzzle, PRIOR)
    };
    let (mut low, mut high) = (-1000.0, 4000.0);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    low.round() as i32
}

/// The weakest level, from 1, that finds it more often than not, as all stronger ones do.
pub fn first_level(results: &[RatedLevel]) -> Option<u8> {
    let finds = |level: &RatedLevel| 2 * level.found > TRIALS;
    let finding = results.iter().rev().take_while(|level| finds(level)).count();
    (finding > 0).then(|| (results.len() - finding + 1) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(found: [u32; 4]) -> Vec<RatedLevel> {
        let ratings = [400.0, 800.0, 1200.0, 1600.0];
        ratings.into_iter().zip(found).map(|(rating, found)| RatedLevel { rating, found }).collect()
    }

    #[test]
    fn the_fewer_levels_find_it_the_higher_it_is_rated() {
        let ratings = [[4, 4, 4, 4], [0, 4, 4, 4], [0, 2, 4, 4], [0, 0, 0, 4], [0, 0, 0, 0]]
            .map(|found| rating(&results(found)));
        assert!(ratings.is_sorted_by(|a, b| a < b), "{ratings:?}");
        // Half of the points against levels about 1000 is 1000.
        assert_eq!(rating(&results([0, 0, 4, 4])), 1000);
    }

    #[test]
    fn the_first_level_is_the_one_from_which_on_all_find_it() {
        assert_eq!(first_level(&results([4, 4, 4, 4])), Some(1));
        assert_eq!(first_level(&results([4, 1, 3, 4])), Some(3));
        assert_eq!(first_level(&results([4, 4, 4, 2])), None);
    }
}
