//! A tournament as one TOML file.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::contest::{Adjudication, OpeningSource, Pace};
use crate::statistics::Sprt;

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentKind {
    /// Everybody against everybody.
    RoundRobin,
    /// The first player against all others.
    Gauntlet,
    /// Each game between two players drawn by lot (S2, 4.5).
    RandomPairs,
}

/// A player of the tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Entrant {
    /// In tables and charts.
    pub name: String,
    /// The player spec.
    pub player: String,
    /// How many times the others' time it has (S5's QUAD*).
    #[serde(default = "one")]
    pub time_factor: f64,
}

fn one() -> f64 {
    1.0
}

/// Everything that decides the games of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TournamentPlan {
    /// What it is called.
    pub name: String,
    /// The game's name.
    pub game: String,
    /// Rule switches.
    #[serde(default)]
    pub rules: String,
    /// Who meets whom; see [`TournamentPlan::kind`] for the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<TournamentKind>,
    /// Games of each two players that meet; in all for random pairs.
    pub games: u64,
    /// `random:K`, `all:K`, `start`, or a file beside the plan.
    #[serde(default = "usual_openings")]
    pub openings: String,
    /// Where all draws come from.
    #[serde(default = "usual_seed")]
    pub seed: u64,
    /// For all players.
    #[serde(default)]
    pub pace: Pace,
    /// When games are ended early.
    #[serde(default)]
    pub adjudication: Adjudication,
    /// A sequential test such as `0,5,0.05,0.05`: each two players that meet stop when theirs has an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<String>,
    /// At least two.
    pub players: Vec<Entrant>,
    /// Where the plan's file is: what its paths start from.
    #[serde(skip)]
    pub(super) folder: PathBuf,
}

fn usual_openings() -> String {
    OpeningSource::default().to_string()
}

fn usual_seed() -> u64 {
    1
}

/// A plan that cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The file cannot be read.
    #[error("`{}`: {source}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The text is not a plan.
    #[error("`{}`: {source}", path.display())]
    Text {
        /// Which one.
        path: PathBuf,
        /// Where and why.
        source: toml::de::Error,
    },
    /// What it says makes no tournament.
    #[error("{0}")]
    Content(String),
}

impl TournamentPlan {
    /// Reads and checks the file of a plan.
    pub fn load(path: &Path) -> Result<TournamentPlan, PlanError> {
        let text =
            std::fs::read_to_string(path).map_err(|source| PlanError::File { path: path.into(), source })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        TournamentPlan::parse(&text, folder).map_err(|error| match error {
            PlanError::Text { source, .. } => PlanError::Text { path: path.into(), source },
            PlanError::Content(fault) => PlanError::Content(format!("`{}`: {fault}", path.display())),
            file @ PlanError::File { .. } => file,
        })
    }

    /// Reads and checks the text of a plan whose paths start from `folder`.
    pub fn parse(text: &str, folder: &Path) -> Result<TournamentPlan, PlanError> {
        let mut plan: TournamentPlan =
            toml::from_str(text).map_err(|source| PlanError::Text { path: PathBuf::new(), source })?;
        plan.folder = folder.into();
        let wrong = |fault: &str| Err(PlanError::Content(fault.into()));
        if plan.players.len() < 2 {
            return wrong("a tournament has at least two [[players]]");
        }
        if plan.games == 0 {
            return wrong("`games` is 0: expected at least 1");
        }
        if plan.sprt()?.is_some() && plan.kind() == TournamentKind::RandomPairs {
            return wrong(
                "`sprt` needs players that meet in pairs of games: expected kind round-robin or gauntlet",
            );
        }
        let mut names = HashSet::new();
        for entrant in &plan.players {
            if !names.insert(&entrant.name) {
                return wrong(&format!("two players are called `{}`: names must differ", entrant.name));
            }
            if !(entrant.time_factor > 0.0 && entrant.time_factor <= 1000.0) {
                return wrong(&format!(
                    "time-factor of `{}`: expected a number from 0 to 1000",
                    entrant.name
                ));
            }
        }
        Ok(plan)
    }

    /// Who meets whom. A plan that does not say it means a gauntlet if it has a test, since then the first player is on
    /// trial, and a round robin if not.
    pub fn kind(&self) -> TournamentKind {
        let usual = if self.sprt.is_some() { TournamentKind::Gauntlet } else { TournamentKind::RoundRobin };
        self.kind.unwrap_or(usual)
    }

    /// The test of each two players that meet.
    pub fn sprt(&self) -> Result<Option<Sprt>, PlanError> {
        let parsed = self.sprt.as_deref().map(str::parse).transpose();
        parsed.map_err(|error: crate::statistics::SprtError| PlanError::Content(format!("`sprt`: {error}")))
    }

    /// Where openings come from, files found from the plan's folder.
    pub fn openings(&self) -> Result<OpeningSource, PlanError> {
        match self.openings.parse() {
            Ok(OpeningSource::File(path)) => Ok(OpeningSource::File(self.folder.join(path))),
            Ok(source) => Ok(source),
            Err(error) => Err(PlanError::Content(error.to_string())),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub const SMALL: &str = r#"
        name = "small"
        game = "othello"
        kind = "round-robin"
        games = 6
        openings = "random:4"
        [pace]
        depth = 2
        [[players]]
        name = "one"
        player = "minimax:depth=1"
        [[players]]
        name = "two"
        player = "minimax:depth=2"
        time-factor = 1.5
        [[players]]
        name = "lot"
        player = "random"
    "#;

    pub fn small() -> TournamentPlan {
        TournamentPlan::parse(SMALL, Path::new("")).unwrap()
    }

    #[test]
    fn plans_are_read_with_defaults() {
        let plan = small();
        assert_eq!(
            (plan.kind(), plan.games, plan.seed, plan.pace.depth),
            (TournamentKind::RoundRobin, 6, 1, Some(2))
        );
        assert_eq!(plan.players[0].time_factor, 1.0);
    }

    #[test]
    fn faults_are_named_with_their_place() {
        let fault = |from: &str, to: &str| {
            TournamentPlan::parse(&SMALL.replace(from, to), Path::new("")).unwrap_err().to_string()
        };
        assert!(fault("games = 6", "gams = 6").contains("gams"));
        assert!(fault("round-robin", "swiss").contains("line 4"), "{}", fault("round-robin", "swiss"));
        assert!(fault("\"two\"", "\"one\"").contains("two players are called `one`"));
        assert!(fault("games = 6", "games = 0").contains("at least 1"));
        assert!(fault("1.5", "-1").contains("time-factor of `two`"));
        assert!(
            TournamentPlan::load(Path::new("no/such.toml")).unwrap_err().to_string().contains("no/such.toml")
        );
    }

    #[test]
    fn the_kind_is_guessed_and_tests_are_checked() {
        let plan =
            |to: &str| TournamentPlan::parse(&SMALL.replace("kind = \"round-robin\"", to), Path::new(""));
        assert_eq!(plan("").unwrap().kind(), TournamentKind::RoundRobin);
        assert_eq!(plan("sprt = \"0,5,0.05,0.05\"").unwrap().kind(), TournamentKind::Gauntlet);
        let fault = plan("sprt = \"5,0,0.05,0.05\"").unwrap_err().to_string();
        assert!(fault.contains("elo0 must be less"), "{fault}");
        let fault = plan("kind = \"random-pairs\"\nsprt = \"0,5,0.05,0.05\"").unwrap_err().to_string();
        assert!(fault.contains("round-robin or gauntlet"), "{fault}");
    }
}
