//! Counts the games of a match as they come in, in any order.

use std::collections::HashSet;
use std::time::Instant;

use super::report::{DuelReport, ReportedGame};
use super::{Duel, DuelProgress, colour_of_a};
use crate::contest::{GameJob, GameReport};
use crate::statistics::{Pairs, SprtDecision, Tally};

pub(super) struct Score<'a> {
    duel: &'a Duel,
    began: Instant,
    games: Vec<Option<ReportedGame>>,
    last: usize,
    played: u64,
    tally: Tally,
    /// Seconds that players thought in this run.
    thought: f64,
    /// The test looks at whole pairs in their order, at each different one once: what it has seen so far.
    settled: usize,
    settled_pairs: Pairs,
    known: HashSet<(Option<String>, String, String)>,
    pub verdict: SprtDecision,
}

impl Score<'_> {
    pub fn new(duel: &Duel) -> Score<'_> {
        Score {
            duel,
            began: Instant::now(),
            games: Vec::new(),
            last: 0,
            played: 0,
            tally: Tally::default(),
            thought: 0.0,
            settled: 0,
            settled_pairs: Pairs::default(),
            known: HashSet::new(),
            verdict: SprtDecision::Open,
        }
    }

    /// Takes over a game that an earlier run has played.
    pub fn recall(&mut self, job: GameJob, result: GameReport) {
        let number = result.number as usize;
        if self.games.len() <= number {
            self.games.resize(number + 1, None);
        }
        self.tally.count(result.sign(colour_of_a(result.number)));
        self.games[number] = Some((job, result));
        self.played += 1;
        self.last = number;
        self.settle();
    }

    /// Takes over a game of this run.
    pub fn add(&mut self, job: GameJob, result: GameReport) {
        self.thought += result.seconds.iter().sum::<f64>();
        self.recall(job, result);
    }

    /// What there is to tell of the game that came last.
    pub fn progress(&self) -> DuelProgress<'_> {
        let (job, result) = self.games[self.last].as_ref().expect("it was added just now");
        DuelProgress { job, result, played: self.played, tally: self.tally }
    }

    /// Lets the test see the pairs that have become whole, one by one, until it has an answer.
    fn settle(&mut self) {
        let Some(sprt) = self.duel.sprt else { return };
        while self.verdict == SprtDecision::Open {
            let at = |number: usize| self.games.get(number).and_then(Option::as_ref);
            let (Some((job, first)), Some((_, second))) = (at(self.settled), at(self.settled + 1)) else {
                return;
            };
            let sign = |result: &GameReport| result.sign(colour_of_a(result.number));
            let signs = sign(first) + sign(second);
            let key = (job.opening.position.clone(), first.moves.clone(), second.moves.clone());
            self.settled += 2;
            if self.known.insert(key) {
                self.settled_pairs.add(signs);
                self.verdict = sprt.verdict(sprt.pentanomial(&self.settled_pairs));
            }
        }
    }

    /// All games that count, in their order, and the report.
    pub fn finish(mut self) -> (DuelReport, Vec<ReportedGame>) {
        let wall = self.began.elapsed().as_secs_f64();
        if self.verdict != SprtDecision::Open {
            self.games.truncate(self.settled);
        }
        let games: Vec<ReportedGame> = self.games.into_iter().flatten().collect();
        (self.duel.report(&games, wall, self.thought), games)
    }
}
