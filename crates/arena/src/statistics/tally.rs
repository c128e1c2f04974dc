//! Wins, draws and losses.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::elo::{Interval, Sample};

/// The results of single games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
}

impl Tally {
    /// Games in all.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// One for a win, a half for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points a game, from 0 to 1; a half without games.
    pub fn rate(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / self.games() as f64 }
    }

    /// S2's p: how many more games were won than lost, as a share of all.
    pub fn lead(&self) -> f64 {
        (self.wins as f64 - self.losses as f64) / self.games().max(1) as f64
    }

    /// The Elo difference if all games are independent. Games of a pair are not: see [`Pairs`](super::Pairs).
    pub fn interval(&self) -> Interval {
        Sample::new([0.0, 0.5, 1.0], [self.losses, self.draws, self.wins]).interval()
    }

    /// The same results as the other side sees them.
    pub fn reversed(&self) -> Tally {
        Tally { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// Counts one game: 1 for a win, 0 for a draw, -1 for a loss.
    pub fn count(&mut self, sign: i32) {
        match sign.signum() {
            1 => self.wins += 1,
            -1 => self.losses += 1,
            _ => self.draws += 1,
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(wins: u64, draws: u64, losses: u64) -> Tally {
        Tally { wins, draws, losses }
    }

    /// S5, table 3.1, and its ProbCut tournament: results as won, drawn, lost.
    #[test]
    fn rates_are_those_of_s5() {
        let published = [
            ((38, 11, 21), 62.1),
            ((39, 5, 26), 59.3),
            ((36, 8, 26), 57.1),
            ((35, 8, 27), 55.7),
            ((33, 5, 32), 50.7),
        ];
        for ((wins, draws, losses), percent) in published {
            assert!((tally(wins, draws, losses).rate() * 100.0 - percent).abs() < 0.05 + 1e-9);
        }
    }

    /// S2, table 4.5: wins, losses, draws and p, which is printed one off in the last digit here and there.
    #[test]
    fn leads_are_those_of_s2() {
        let published = [
            ((686, 205, 722), 0.299),
            ((621, 282, 801), 0.199),
            ((424, 428, 891), -0.003),
            ((424, 467, 763), -0.026),
            ((426, 588, 585), -0.101),
            ((186, 796, 705), -0.361),
        ];
        for ((wins, losses, draws), p) in published {
            assert!((tally(wins, draws, losses).lead() - p).abs() < 0.001, "{wins}");
        }
    }

    /// fastchess' own test of its trinomial model: 136 wins, 96 losses, 111 draws give 40.70 +- 30.43, LOS 99.60%;
    /// 76 wins, 89 losses and 123 draws LOS 15.53%.
    #[test]
    fn differences_are_those_of_fastchess() {
        let interval = tally(136, 111, 96).interval();
        assert!((interval.elo - 40.70).abs() < 0.005, "{interval:?}");
        assert!(((interval.high - interval.low) / 2.0 - 30.43).abs() < 0.005, "{interval:?}");
        assert!((interval.los - 0.9960).abs() < 0.00005, "{interval:?}");
        assert!((tally(76, 123, 89).interval().los - 0.1553).abs() < 0.00005);
    }
}
