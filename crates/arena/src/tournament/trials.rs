//! Sequential tests in a tournament: each two players that meet stop as soon as their own test has an answer.

use std::collections::{BTreeMap, HashSet};

use crate::statistics::{Pairs, Sprt, SprtDecision, Tally};

/// The tests of all pairings; what they say does not depend on the order in which games end.
#[derive(Clone, Debug)]
pub(super) struct Trials {
    sprt: Sprt,
    pairings: Vec<Trial>,
}

/// One pairing's test, from the side of the player that is Black in its first game.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    /// By round: the result and the moves.
    games: BTreeMap<u64, (i32, String)>,
    known: HashSet<(String, String)>,
    /// Rounds that the test has looked at.
    settled: u64,
    /// Each different pair once.
    pub pairs: Pairs,
    pub tally: Tally,
    /// After so many games that count, the log-likelihood ratio.
    pub curve: Vec<(u64, f64)>,
    pub verdict: SprtDecision,
}

impl Trials {
    pub fn new(sprt: Sprt, pairings: usize) -> Trials {
        let trial = Trial {
            games: BTreeMap::new(),
            known: HashSet::new(),
            settled: 0,
            pairs: Pairs::default(),
            tally: Tally::default(),
            curve: Vec::new(),
            verdict: SprtDecision::Open,
        };
        Trials { sprt, pairings: vec![trial; pairings] }
    }

    /// Adds a game: 1 if the pairing's first player has won, -1 if it has lost. Whether the pairing has its answer.
    pub fn add(&mut self, pairing: usize, round: u64, sign: i32, moves: &str) -> bool {
        let sprt = self.sprt;
        let trial = &mut self.pairings[pairing];
        trial.games.insert(round, (sign, moves.to_owned()));
        trial.settle(&sprt);
        trial.verdict != SprtDecision::Open
    }

    /// Whether a game counts: those after the pair that decided do not.
    pub fn counts(&self, pairing: usize, round: u64) -> bool {
        let trial = &self.pairings[pairing];
        trial.verdict == SprtDecision::Open || round < trial.settled
    }

    pub fn pairings(&self) -> &[Trial] {
        &self.pairings
    }
}

impl Trial {
    fn settle(&mut self, sprt: &Sprt) {
        while self.verdict == SprtDecision::Open {
            let at = |round: u64| self.games.get(&round);
            let (Some((first, opened)), Some((second, answered))) = (at(self.settled), at(self.settled + 1))
            else {
                return;
            };
            let (first, second) = (*first, *second);
            self.settled += 2;
            if self.known.insert((opened.clone(), answered.clone())) {
                [first, second].into_iter().for_each(|sign| self.tally.count(sign));
                self.pairs.add(first + second);
                let ratio = sprt.pentanomial(&self.pairs);
                self.curve.push((self.tally.games(), ratio));
                self.verdict = sprt.verdict(ratio);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trials() -> Trials {
        Trials::new("0,200,0.05,0.05".parse().unwrap(), 2)
    }

    #[test]
    fn a_pairing_ends_at_the_same_game_in_any_order() {
        let mut forwards = trials();
        let ended = (0..400).find(|&round| forwards.add(0, round, 1, &round.to_string())).unwrap();
        assert!((4..100).contains(&ended) && forwards.counts(0, ended) && !forwards.counts(0, ended + 1));
        let mut backwards = trials();
        for round in (0..400).rev() {
            backwards.add(0, round, 1, &round.to_string());
        }
        assert!(backwards.counts(0, ended) && !backwards.counts(0, ended + 1));
        assert_eq!(backwards.pairings()[0].pairs, forwards.pairings()[0].pairs);
        assert!(backwards.counts(1, 399), "the other pairing goes on");
    }

    #[test]
    fn a_game_played_again_proves_nothing() {
        let mut same = trials();
        assert!((0..400).all(|round| !same.add(0, round, 1, "f5 d6")));
        assert_eq!(same.pairings()[0].pairs.count(), 1);
    }
}
