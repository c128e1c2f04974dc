//! A series: a learning player against the same engine, game after game, and how its score grows (S5, chapter 5).

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use trilith_book::{NodeKey, node_key};
use trilith_games::{Colour, Game, Record};

use crate::contest::{Adjudication, Duel, GameReport, JobError, OpeningSource, Pace, push_moves};
use crate::kit::GameKit;
use crate::registry::{Visitor, with_game};

/// Everything that decides a series. Both sides are deterministic and begin at the usual start; colours change after each
/// game.
#[derive(Clone, Debug, PartialEq)]
pub struct BookSeries {
    /// The game's name.
    pub game: String,
    /// Rule switches.
    pub rules: String,
    /// The learner's book; should be new.
    pub book: PathBuf,
    /// The book of an opponent that learns, too.
    pub against: Option<PathBuf>,
    /// Games to play.
    pub games: u64,
    /// Positions both visit for a move; the learner also for judging a position.
    pub nodes: u64,
    /// A game is drawn after so many plies.
    pub plies: Option<u32>,
    /// Whether drawn games count as lost for the learner.
    pub draws_lose: bool,
}

/// How a series went, from the learner's side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeriesReport {
    /// Games played.
    pub games: usize,
    /// Wins, draws and losses of the learner.
    pub results: [usize; 3],
    /// Its points in each ten games.
    pub tens: Vec<f64>,
    /// Its rate over the second half.
    pub second_half: f64,
    /// Games it has lost that are the same as an earlier one.
    pub repeated_losses: usize,
    /// One letter a game: W, D or L.
    pub letters: String,
}

impl BookSeries {
    /// Plays it; `told` hears the number of games played and the learner's points.
    pub fn play(&self, mut told: impl FnMut(u64, f64)) -> Result<SeriesReport, JobError> {
        let (_, games) =
            self.duel().play(&Arc::default(), |progress| told(progress.played, progress.tally.points()))?;
        let results: Vec<&GameReport> = games.iter().map(|(_, result)| result).collect();
        let names = with_game(&self.game, Names { rules: &self.rules, games: &results })??;
        Ok(report(&results, &names))
    }

    fn duel(&self) -> Duel {
        let draws = if self.draws_lose { "lost" } else { "drawn" };
        let learner = |book: &Path| {
            let nodes = self.nodes;
            format!("book:file=\"{}\",learn=on,draws={draws},nodes={nodes},then=engine", book.display())
        };
        let against = self.against.as_deref().map_or("engine".into(), learner);
        Duel {
            rules: self.rules.clone(),
            openings: OpeningSource::Start,
            pace: Pace { nodes: Some(self.nodes), ..Pace::default() },
            adjudication: Adjudication { plies: self.plies, ..Adjudication::default() },
            ..Duel::new(&self.game, &learner(&self.book), &against, self.games)
        }
    }
}

/// The learner has Black in even games.
fn sign(result: &GameReport) -> i32 {
    result.sign(if result.number.is_multiple_of(2) { Colour::Black } else { Colour::White })
}

fn points(results: &[&GameReport]) -> f64 {
    results.iter().map(|result| f64::from(sign(result) + 1) / 2.0).sum()
}

/// A name for each game, the same for mirror images.
struct Names<'a> {
    rules: &'a str,
    games: &'a [&'a GameReport],
}

impl Visitor for Names<'_> {
    type Output = Result<Vec<Vec<NodeKey>>, JobError>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let name = |game: &&GameReport| {
            let mut record = Record::new(G::new(self.rules.parse()?));
            push_moves(&mut record, &game.moves)?;
            let positions = (0..=record.len()).filter_map(|plies| record.position_after(plies));
            Ok(positions.map(|position| node_key(record.game(), position, 0)).collect())
        };
        self.games.iter().map(name).collect()
    }
}

fn report(games: &[&GameReport], names: &[Vec<NodeKey>]) -> SeriesReport {
    let count = |wanted: i32| games.iter().filter(|game| sign(game) == wanted).count();
    let mut seen = HashSet::new();
    let mut repeated_losses = 0;
    for (game, name) in games.iter().zip(names) {
        // With changed colours the same moves are another game.
        let is_new = seen.insert((game.number % 2, name));
        repeated_losses += usize::from(!is_new && sign(game) < 0);
    }
    let second = &games[games.len() / 2..];
    SeriesReport {
        games: games.len(),
        results: [count(1), count(0), count(-1)],
        tens: games.chunks(10).map(points).collect(),
        second_half: points(second) / second.len().max(1) as f64,
        repeated_losses,
        letters: games.iter().map(|game| ['L', 'D', 'W'][(sign(game) + 1) as usize]).collect(),
    }
}
