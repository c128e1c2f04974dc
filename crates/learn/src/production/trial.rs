//! The match between new weights and the promoted ones, some pairs at a time, until the test has its answer.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use trilith_arena::PlayerSpec;
use trilith_arena::contest::{Adjudication, Duel, OpeningSource, Pace};
use trilith_arena::statistics::{Pairs, Sprt, SprtDecision, Tally};
use trilith_base::Seed;
use trilith_base::job::Workers;
use trilith_games::Game;

use super::line::fault;
use super::settings::ProductionSettings;
use crate::run::RunError;
use crate::training::Training;

/// What a match asks of the game.
#[derive(Clone, Copy, Debug)]
pub struct TrialGame {
    pub name: &'static str,
    /// Of the players, beside their weights.
    options: &'static [(&'static str, &'static str)],
    ends_by_itself: bool,
}

impl TrialGame {
    pub fn of<G: Game, C: Training<G>>() -> TrialGame {
        TrialGame { name: G::NAME, options: C::TRIAL_OPTIONS, ends_by_itself: C::ENDS_BY_ITSELF }
    }
}

/// What a player is made of: weights, and ProbCut's parameters where there are any.
#[derive(Clone, Debug)]
pub struct PlayerFiles {
    pub weights: PathBuf,
    pub cuts: Option<PathBuf>,
}

impl PlayerFiles {
    fn spec(&self, game: &TrialGame) -> String {
        let option = |key: &str, path: &Path| (key.to_owned(), path.display().to_string());
        let cuts = self.cuts.iter().map(|cuts| option("probcut", cuts));
        let more = game.options.iter().map(|&(key, value)| (key.to_owned(), value.to_owned()));
        let options = [option("file", &self.weights)].into_iter().chain(cuts).chain(more).collect();
        PlayerSpec { name: "engine".into(), options }.to_string()
    }
}

/// How a match stands, from the new weights' side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialScore {
    pub tally: Tally,
    pub pairs: Pairs,
}

impl TrialScore {
    pub fn verdict(&self, sprt: &Sprt) -> SprtDecision {
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
    pub game: &'a TrialGame,
    pub settings: &'a ProductionSettings,
    pub new: PlayerFiles,
    pub promoted: PlayerFiles,
    pub seed: Seed,
    pub threads: usize,
}

impl Trial<'_> {
    /// Plays the next games of a match that stands so; whole pairs, and never more than asked for.
    pub fn go_on(&self, score: &mut TrialScore) -> Result<(), RunError> {
        let played = score.tally.games();
        let left = self.settings.match_games.next_multiple_of(2) - played;
        let (new, promoted) = (self.new.spec(self.game), self.promoted.spec(self.game));
        let games = left.min(self.settings.match_batch.next_multiple_of(2));
        let duel = Duel {
            rules: self.settings.rules[0].clone(),
            openings: OpeningSource::Random(self.settings.match_random),
            pace: Pace { nodes: Some(self.settings.match_nodes), ..Pace::default() },
            adjudication: Adjudication {
                plies: (!self.game.ends_by_itself).then_some(self.settings.longest as u32),
                ..Adjudication::default()
            },
            seed: self.seed.derive("games from", played),
            threads: self.threads,
            ..Duel::new(self.game.name, &new, &promoted, games)
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
