//! The match between new weights and the promoted ones, some pairs at a time, until the test has its answer.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use trilith_arena::PlayerSpec;
use trilith_arena::contest::{Adjudication, Duel, Pace, Source};
use trilith_arena::statistics::{Pairs, Sprt, Tally, Verdict};
use trilith_base::Seed;
use trilith_base::job::Workers;
use trilith_games::Game;
use trilith_games::morris::Morris;
use trilith_games::othello::Othello;

use super::line::fault;
use super::parameters::Parameters;
use crate::run::RunError;

/// What a player is made of: weights, and ProbCut's parameters where there are any.
#[derive(Clone, Debug)]
pub struct Outfit {
    pub weights: PathBuf,
    pub cuts: Option<PathBuf>,
}

impl Outfit {
    fn spec(&self, game: &str) -> String {
        let option = |key: &str, path: &Path| (key.to_owned(), path.display().to_string());
        let cuts = self.cuts.iter().map(|cuts| option("probcut", cuts));
        // Endgame tables are there on some machines only, and would play for both sides.
        let tables = (game == Morris::NAME).then(|| ("tables".to_owned(), "off".to_owned()));
        let options = [option("file", &self.weights)].into_iter().chain(cuts).chain(tables).collect();
        PlayerSpec { name: "engine".into(), options }.to_string()
    }
}

/// How a match stands, from the new weights' side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    pub tally: Tally,
    pub pairs: Pairs,
}

impl Score {
    pub fn verdict(&self, sprt: &Sprt) -> Verdict {
        sprt.verdict(sprt.pentanomial(&self.pairs))
    }

    /// In words, such as `+10 =2 -4, 80 [-20, 200] Elo`.
    pub fn text(&self) -> String {
        let Tally { wins, draws, losses } = self.tally;
        let interval = self.pairs.interval();
        format!(
            "+{wins} ={draws} -{losses}, {:.0} [{:.0}, {:.0}] Elo",
            interval.elo, interval.low, interval.high
        )
    }
}

/// A match.
pub struct Trial<'a> {
    pub game: &'a str,
    pub parameters: &'a Parameters,
    pub new: Outfit,
    pub promoted: Outfit,
    pub seed: Seed,
    pub threads: usize,
}

impl Trial<'_> {
    /// Plays the next games of a match that stands so; whole pairs, and never more than asked for.
    pub fn go_on(&self, score: &mut Score) -> Result<(), RunError> {
        let played = score.tally.games();
        let left = self.parameters.match_games.next_multiple_of(2) - played;
        let duel = Duel {
            game: self.game.into(),
            rules: self.parameters.rules[0].clone(),
            a: self.new.spec(self.game),
            b: self.promoted.spec(self.game),
            games: left.min(self.parameters.match_batch.next_multiple_of(2)),
            passes: 1,
            openings: Source::Random(self.parameters.match_random),
            pace: Pace { nodes: Some(self.parameters.match_nodes), ..Pace::default() },
            adjudication: Adjudication {
                plies: (self.game != Othello::NAME).then_some(self.parameters.longest as u32),
                ..Adjudication::default()
            },
            sprt: None,
            seed: self.seed.derive("games from", played),
            threads: self.threads,
        };
        let never = AtomicBool::new(false);
        let (report, _) = duel.play_by(&Workers::Threads(self.threads), &never, |_| ()).map_err(fault)?;
        if let Some(failed) = report.fault_list.first() {
            return Err(RunError::Learner(format!(
                "{} failed in its match: {:?}",
                failed.player, failed.fault
            )));
        }
        score.tally.wins += report.wins;
        score.tally.draws += report.draws;
        score.tally.losses += report.losses;
        score.pairs.0.iter_mut().zip(report.pairs).for_each(|(sum, more)| *sum += more);
        Ok(())
    }
}
