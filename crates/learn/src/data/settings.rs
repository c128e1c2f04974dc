//! How data is made: the settings of games, judgements and questions, and the lines that files keep of them.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use trilith_base::Seed;
use trilith_games::{Game, RulesError, beginnings};

use super::error::DataError;
use super::portions::WeightsFile;
use crate::training::Training;

/// How games are played: some random plies or one of all openings, then search, then perfect play where it can be had.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GenerationSettings {
    /// The rules of the games, one drawn for each.
    pub rules: Vec<String>,
    /// Random plies at the beginning: at least so many.
    pub random_least: u32,
    /// And at most so many.
    pub random_most: u32,
    /// Instead of random plies all openings of so many plies by all rules, one a game; 0 for random ones.
    pub openings: u32,
    /// Plies searched for each move after that.
    pub depth: u32,
    /// Empty cells from which on play is perfect, in games that have perfect play.
    pub exact: u32,
    /// A game that lasts longer is scored by the last search, in games that do not end by themselves.
    pub longest: usize,
    /// So is one in which nothing irreversible has happened for so many plies; 0 for none.
    pub still: usize,
    /// The engine's option of that name for one side, by draw, in one game of two; 0 for none.
    pub mobility: u32,
    /// Whether moves are searched with the game's pruning, as `engine` does: deeper for the same time.
    #[serde(default)]
    pub pruning: bool,
    /// Where all draws come from; game `n` depends on this and `n` alone.
    pub seed: Seed,
}

impl Default for GenerationSettings {
    fn default() -> GenerationSettings {
        GenerationSettings {
            rules: vec![String::new()],
            random_least: 1,
            random_most: 20,
            openings: 0,
            depth: 4,
            exact: 16,
            longest: 250,
            still: 0,
            mobility: 0,
            pruning: false,
            seed: Seed(1),
        }
    }
}

/// Openings, each with the number of its rules.
pub(super) type Openings<G> = Vec<(usize, Vec<<G as Game>::Move>)>;

impl GenerationSettings {
    /// The games by their rules.
    pub(super) fn games<G: Game>(&self) -> Result<Vec<G>, RulesError> {
        self.rules.iter().map(|rules| rules.parse().map(G::new)).collect()
    }

    /// All openings; none if random plies are asked for.
    pub(super) fn all_openings<G: Game>(&self) -> Result<Openings<G>, RulesError> {
        let games = if self.openings > 0 { self.games::<G>()? } else { Vec::new() };
        let of = |(number, game)| {
            beginnings::all(game, self.openings).into_iter().map(move |moves| (number, moves))
        };
        Ok(games.iter().enumerate().flat_map(of).collect())
    }

    /// How many games there are: as many as openings, or without end. Refuses rules that cannot be read.
    pub fn count<G: Game>(&self) -> Result<u64, RulesError> {
        self.games::<G>()?;
        match self.openings {
            0 => Ok(u64::MAX),
            _ => self.all_openings::<G>().map(|openings| openings.len() as u64),
        }
    }

    /// All that games depend on, one setting a line, as a file keeps it.
    pub fn lines<G: Game, C: Training<G>>(&self, weights: Option<&WeightsFile>) -> Vec<String> {
        let mut lines = vec![
            "trilith data generate".into(),
            format!("--random-least {}", self.random_least),
            format!("--random-most {}", self.random_most),
            format!("--openings {}", self.openings),
            format!("--depth {}", self.depth),
            format!("--seed {}", self.seed),
            weights_line(weights),
        ];
        if C::HAS_EXACT_PLAY {
            lines.push(format!("--exact {}", self.exact));
        }
        if !C::ENDS_BY_ITSELF {
            lines.push(format!("--rules {:?}", self.rules));
            lines.push(format!("--longest {}", self.longest));
            lines.push(format!("--still {}", self.still));
            // As files have said it from the beginning: they go on under their old header.
            lines.push(format!("--restless {}", self.mobility));
        }
        // Files from before there was a choice say nothing.
        if self.pruning {
            lines.push("--pruning".into());
        }
        lines
    }
}

/// How positions of games are judged by search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgeSettings {
    /// Plies searched.
    pub depth: u32,
    /// Empty cells from which on perfect play judges, in games that have it.
    pub exact: u32,
    /// Which part of the positions of a game is judged, and for which part one beside it: 0 to 1.
    pub share: f64,
    /// The most random moves from a position of a game to the one beside it; fewer are as likely.
    pub beside: u32,
    /// Plies of a search whose principal variation is followed to its end in every second case: deeper searches end at
    /// such positions, and an evaluation that has not learned from them believes in its own mistakes.
    pub chosen: u32,
    /// Whether the position after the best move is judged as well where perfect play knows it.
    pub follow: bool,
    /// Whether positions that perfect play does not reach are left out.
    pub exact_only: bool,
    /// Fewest and most plies that a game goes on after a position that is judged, or beside which one is.
    #[serde(default = "any_left")]
    pub left: (usize, usize),
    /// Where all draws come from; what is drawn for game `n` depends on this and `n` alone.
    pub seed: Seed,
}

/// All positions of a game.
fn any_left() -> (usize, usize) {
    (0, usize::MAX)
}

impl Default for JudgeSettings {
    fn default() -> JudgeSettings {
        JudgeSettings {
            depth: 6,
            exact: 16,
            share: 0.5,
            beside: 1,
            chosen: 0,
            follow: false,
            exact_only: false,
            left: any_left(),
            seed: Seed(1),
        }
    }
}

impl JudgeSettings {
    /// All that judgements depend on, one setting a line.
    pub fn lines(&self, weights: Option<&WeightsFile>, games: &[PathBuf]) -> Result<Vec<String>, DataError> {
        let mut lines = vec![
            "trilith data judge".into(),
            format!("--depth {}", self.depth),
            format!("--exact {}", self.exact),
            format!("--share {}", self.share),
            format!("--seed {}", self.seed),
            weights_line(weights),
            games_line(games)?,
        ];
        // Files from before there was a choice say nothing.
        if self.beside != 1 {
            lines.push(format!("--beside {}", self.beside));
        }
        match self.chosen {
            0 => (),
            1 => lines.push("--chosen".into()),
            plies => lines.push(format!("--chosen {plies}")),
        }
        if self.follow {
            lines.push("--follow".into());
        }
        if self.exact_only {
            lines.push("--exact-only".into());
        }
        if self.left != any_left() {
            lines.push(format!("--left {}-{}", self.left.0, self.left.1));
        }
        Ok(lines)
    }
}

/// Which positions beside games another program is asked about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AskSettings {
    /// Which part of the moves in a game's positions is followed: 0 to 1.
    pub share: f64,
    /// Random plies after each of these: as many as drawn, from none to this.
    pub further: u32,
    /// Where all draws come from; what is drawn for game `n` depends on this and `n` alone.
    pub seed: Seed,
}

impl AskSettings {
    /// All that answers depend on, one setting a line; what the program itself reads is not known.
    pub fn lines(&self, program: &[String], games: &[PathBuf]) -> Result<Vec<String>, DataError> {
        Ok(vec![
            "trilith data ask".into(),
            format!("--share {}", self.share),
            format!("--further {}", self.further),
            format!("--seed {}", self.seed),
            format!("-- {program:?}"),
            games_line(games)?,
        ])
    }
}

/// What is labelled by proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelSettings {
    /// Positions at most so many plies from where everything is known: stones in hand of both sides together in Morris.
    pub hand: u8,
    /// Ways beside the game from each of its positions before that.
    pub beside: u32,
    /// The longest of them; shorter ones are as likely.
    pub longest: u32,
    /// How many thousandths a drawn position is worth less whose every move but one loses, in proportion: what the side
    /// to move may do wrong. 0 to know nothing of traps.
    pub traps: u16,
    /// Where all draws come from; what becomes of a game depends on this and its number alone.
    pub seed: Seed,
    /// Where the tables are; the program's own folder if none.
    pub folder: Option<PathBuf>,
    /// MiB for what has been proved.
    pub memory: usize,
}

impl LabelSettings {
    /// All that labels depend on, one setting a line.
    pub fn lines(&self, games: &[PathBuf]) -> Result<Vec<String>, DataError> {
        let mut lines = vec![
            "trilith data label".into(),
            format!("--hand {}", self.hand),
            format!("--beside {}", self.beside),
            format!("--longest {}", self.longest),
            format!("--seed {}", self.seed),
            games_line(games)?,
        ];
        // Files from before there were traps say nothing.
        if self.traps > 0 {
            lines.push(format!("--traps {}", self.traps));
        }
        Ok(lines)
    }
}

/// Which games rows come from. To be asked before they are read: a file that grows meanwhile does not fit it any more.
fn games_line(paths: &[PathBuf]) -> Result<String, DataError> {
    let mut line = String::from("--games");
    for path in paths {
        let bytes = std::fs::read(path).map_err(|source| DataError::file(path, source))?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        line += &format!(" {name:?} (blake3 {:.16})", blake3::hash(&bytes).to_hex());
    }
    Ok(line)
}

/// Which weights rows come from: what counts is their content.
fn weights_line(weights: Option<&WeightsFile>) -> String {
    weights.map_or("no --weights".into(), |weights| format!("--weights (blake3 {:.16})", weights.checksum))
}
