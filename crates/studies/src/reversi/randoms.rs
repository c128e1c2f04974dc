//! Random games of Othello in numbers (S3, 3.2), as cells.

use serde::{Deserialize, Serialize};
use trilith_base::Seed;
use trilith_games::othello::Position;
use trilith_games::othello::technique::Technique;
use trilith_games::othello::{GameStatistics, statistics};

/// Some random games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Randoms {
    /// The number of the first.
    pub first: u64,
    /// How many.
    pub count: u64,
    /// Where all draws come from.
    pub seed: u64,
}

/// What happened in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lengths {
    /// Games played.
    pub games: u64,
    /// Plies of all together, passes included.
    pub plies: u64,
    /// Of the shortest.
    pub shortest: u32,
    /// Of the longest.
    pub longest: u32,
    /// The earliest ply that was a pass.
    pub first_pass: Option<u32>,
    /// Games Black won.
    pub black_wins: u64,
    /// Games nobody won.
    pub draws: u64,
}

impl Randoms {
    /// Plays them.
    pub fn run(&self) -> Lengths {
        let numbers = self.first..self.first + self.count;
        let found: GameStatistics = statistics(Technique::best(), &Position::START, numbers, Seed(self.seed));
        Lengths {
            games: found.games,
            plies: found.plies,
            shortest: found.shortest,
            longest: found.longest,
            first_pass: found.first_pass,
            black_wins: found.black_wins,
            draws: found.draws,
        }
    }
}

impl Lengths {
    /// Both together.
    pub fn merge(self, more: Lengths) -> Lengths {
        Lengths {
            games: self.games + more.games,
            plies: self.plies + more.plies,
            shortest: self.shortest.min(more.shortest),
            longest: self.longest.max(more.longest),
            first_pass: self.first_pass.into_iter().chain(more.first_pass).min(),
            black_wins: self.black_wins + more.black_wins,
            draws: self.draws + more.draws,
        }
    }
}
