//! Random games in numbers: how long they are and who wins them.
//!
//! S3, section 3.2, reports 4 million of them: 10 to 70 plies, 60.42 on average, first pass at ply 9. Games are
//! played 64 at a time, as in `perft.rs`; each draws from a seed of its own, so results do not depend on the rows.

use std::ops::Range;

use rand::Rng as _;
use trilith_base::Seed;
use trilith_base::seed::Rng;

use super::Position;
use super::technique::{Technique, portable as plain};

/// What happened in a number of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameStatistics {
    /// Games played.
    pub games: u64,
    /// Plies of all games together, passes included.
    pub plies: u64,
    /// Plies of the shortest game.
    pub shortest: u32,
    /// Plies of the longest game.
    pub longest: u32,
    /// Passes of all games together.
    pub passes: u64,
    /// The earliest ply of any game that was a pass, from 1.
    pub first_pass: Option<u32>,
    /// Games Black won.
    pub black_wins: u64,
    /// Games nobody won.
    pub draws: u64,
}

impl GameStatistics {
    const NONE: GameStatistics = GameStatistics {
        games: 0,
        plies: 0,
        shortest: u32::MAX,
        longest: 0,
        passes: 0,
        first_pass: None,
        black_wins: 0,
        draws: 0,
    };

    /// Mean length of a game in plies.
    pub fn mean_plies(&self) -> f64 {
        self.plies as f64 / self.games as f64
    }

    /// Black's wins and half its draws, as a part of all games.
    pub fn black_score(&self) -> f64 {
        (self.black_wins as f64 + 0.5 * self.draws as f64) / self.games as f64
    }

    /// Both together; the order of merging does not matter.
    pub fn merge(&self, more: &GameStatistics) -> GameStatistics {
        GameStatistics {
            games: self.games + more.games,
            plies: self.plies + more.plies,
            shortest: self.shortest.min(more.shortest),
            longest: self.longest.max(more.longest),
            passes: self.passes + more.passes,
            first_pass: self.first_pass.into_iter().chain(more.first_pass).min(),
            black_wins: self.black_wins + more.black_wins,
            draws: self.draws + more.draws,
        }
    }

    fn add(&mut self, end: &Position, plies: u32) {
        self.games += 1;
        self.plies += u64::from(plies);
        self.shortest = self.shortest.min(plies);
        self.longest = self.longest.max(plies);
        let (black, white) = end.colours();
        self.black_wins += u64::from(black.count_ones() > white.count_ones());
        self.draws += u64::from(black.count_ones() == white.count_ones());
    }

    fn add_pass(&mut self, ply: u32) {
        self.passes += 1;
        self.first_pass = Some(self.first_pass.map_or(ply, |first| first.min(ply)));
    }
}

/// Plays the random games with these numbers from `start` to their end; every legal move is equally likely to within
/// one part in 10^8.
pub fn statistics(technique: Technique, start: &Position, numbers: Range<u64>, seed: Seed) -> GameStatistics {
    let mut all = GameStatistics::NONE;
    let mut next = numbers.start;
    while next < numbers.end {
        let row = next..numbers.end.min(next + ROW as u64);
        next = row.end;
        let done = crate::with_technique!(technique, play_row(start, row, seed));
        all = all.merge(&done);
    }
    all
}

/// Games that are played together.
const ROW: usize = 64;

crate::per_technique! {
    /// Plays at most [`ROW`] games side by side.
    fn play_row(start: &Position, numbers: Range<u64>, seed: Seed) -> GameStatistics {
        let mut done = GameStatistics::NONE;
        let mut rngs: Vec<Rng> = numbers.map(|number| seed.derive("game", number).rng()).collect();
        let (mut own, mut other) = ([start.own; ROW], [start.other; ROW]);
        let mut ended = [false; ROW];
        let mut to_move = start.to_move;
        for ply in 1.. {
            let mut moves = [0; ROW];
            for (at, moves) in moves.iter_mut().enumerate() {
                *moves = plain::mobility(own[at], other[at]);
            }
            let mut bits = [0; ROW];
            for (at, rng) in rngs.iter_mut().enumerate() {
                if ended[at] {
                    continue;
                } else if moves[at] != 0 {
                    let count = u64::from(moves[at].count_ones());
                    bits[at] = nth_bit(moves[at], ((u64::from(rng.next_u32()) * count) >> 32) as u32);
                } else if mobility(other[at], own[at]) != 0 {
                    done.add_pass(ply);
                } else {
                    ended[at] = true;
                    done.add(&Position { own: own[at], other: other[at], to_move }, ply - 1);
                }
            }
            if done.games == rngs.len() as u64 {
                break;
            }
            for at in 0..ROW {
                (own[at], other[at]) = plain::played(own[at], other[at], bits[at]);
            }
            to_move = !to_move;
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Colour, Game, MoveList};
    use crate::othello::Othello;

    /// One game after the other by the rules of [`Game`], with the same draws.
    fn slowly(games: u64, seed: Seed) -> GameStatistics {
        let game = Othello::default();
        let mut all = GameStatistics::NONE;
        for number in 0..games {
            let mut rng = seed.derive("game", number).rng();
            let (mut position, mut plies) = (game.start(), 0);
            let mut moves = MoveList::new();
            loop {
                game.moves(&position, &mut moves);
                let Some(&first) = moves.first() else { break };
                plies += 1;
                let mv = match first.square() {
                    Some(_) => moves[((u64::from(rng.next_u32()) * moves.len() as u64) >> 32) as usize],
                    None => {
                        all.add_pass(plies);
                        first
                    }
                };
                position = game.play(&position, mv);
            }
            all.add(&position, plies);
        }
        all
    }

    #[test]
    fn rows_play_the_same_games_as_the_rules() {
        let expected = slowly(300, Seed(5));
        for technique in Technique::available() {
            let found = statistics(technique, &Position::START, 0..300, Seed(5));
            assert_eq!(found, expected, "{technique}");
            let parts =
                [0..1, 1..130, 130..300].map(|part| statistics(technique, &Position::START, part, Seed(5)));
            assert_eq!(parts[2].merge(&parts[0]).merge(&parts[1]), expected);
        }
    }

    #[test]
    fn a_game_that_has_ended_has_no_plies() {
        let full = Position { own: 0, other: !0, to_move: Colour::Black };
        let found = statistics(Technique::PORTABLE, &full, 0..3, Seed(1));
        assert_eq!((found.games, found.plies, found.black_wins), (3, 0, 0));
        assert_eq!(statistics(Technique::PORTABLE, &full, 3..3, Seed(1)), GameStatistics::NONE);
    }
}
