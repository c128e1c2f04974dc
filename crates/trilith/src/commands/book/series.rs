//! `trilith book series`: a learning player against the same engine, game after game, and how its score grows.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::ensure;
use serde::Serialize;
use trilith_arena::contest::{Adjudication, Duel, GameResult, Pace, Source, push_moves};
use trilith_arena::{Visitor, with_game};
use trilith_base::Seed;
use trilith_book::{NodeKey, node_key};
use trilith_eval::Catalogue;
use trilith_games::{Game, Record};

use crate::choice::rules_with_layout;

/// Play a series of a learning player against the same engine that does not learn
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith book series othello --games 100 --nodes 2000 --book new.book\n  \
    trilith book series morris --games 100 --nodes 2000 --book a.book --against b.book\n\n\
    Both sides are deterministic and begin at the usual start; colours change after each game. With --against the\n  \
    opponent learns as well, with a book of its own.")]
pub struct Series {
    /// othello, morris or abalone
    game: String,
    /// The learner's book; should be new
    #[arg(long, value_name = "FILE")]
    book: PathBuf,
    /// The book of an opponent that learns, too
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    /// Positions both visit for a move; the learner also for judging a position
    #[arg(long, value_name = "N", default_value_t = 2000)]
    nodes: u64,
    /// Rule switches
    #[arg(long, value_name = "RULES", default_value = "")]
    rules: String,
    /// Start layout (Abalone)
    #[arg(long, value_name = "NAME")]
    layout: Option<String>,
    /// A game is drawn after so many plies
    #[arg(long, value_name = "N")]
    plies: Option<u32>,
    /// Let drawn games count as lost for the learner
    #[arg(long)]
    draws_lose: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    games: usize,
    /// Wins, draws and losses of the learner.
    results: [usize; 3],
    /// Its points in each ten games.
    tens: Vec<f64>,
    /// Its rate over the second half.
    second_half: f64,
    /// Games it has lost that are the same as an earlier one.
    repeated_losses: usize,
    /// One letter a game: W, D or L.
    letters: String,
}

impl Series {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        ensure!(self.against.as_ref() != Some(&self.book), "two learners need two books");
        let duel = self.duel();
        let (_, games) = duel.play(&Arc::default(), |progress| {
            if progress.played.is_multiple_of(10) {
                eprintln!("{} games, {} points", progress.played, progress.tally.points());
            }
        })?;
        let results: Vec<&GameResult> = games.iter().map(|(_, result)| result).collect();
        let rules = rules_with_layout(&self.rules, self.layout.as_deref());
        let names = with_game(&self.game, Names { rules: &rules, games: &results })??;
        let report = report(&results, &names);
        match self.json {
            true => println!("{}", serde_json::to_string(&report)?),
            false => print(&report),
        }
        Ok(())
    }

    fn duel(&self) -> Duel {
        let draws = if self.draws_lose { "lost" } else { "drawn" };
        let learner = |book: &PathBuf| {
            let nodes = self.nodes;
            format!("book:file=\"{}\",learn=on,draws={draws},nodes={nodes},then=engine", book.display())
        };
        Duel {
            game: self.game.clone(),
            rules: rules_with_layout(&self.rules, self.layout.as_deref()),
            a: learner(&self.book),
            b: self.against.as_ref().map_or("engine".into(), learner),
            games: self.games,
            passes: 1,
            openings: Source::Start,
            pace: Pace { nodes: Some(self.nodes), ..Pace::default() },
            adjudication: Adjudication { plies: self.plies, ..Adjudication::default() },
            sprt: None,
            seed: Seed(1),
            threads: 1,
        }
    }
}

/// The learner has Black in even games.
fn sign(result: &GameResult) -> i32 {
    use trilith_games::Colour::{Black, White};
    result.sign(if result.number.is_multiple_of(2) { Black } else { White })
}

fn points(results: &[&GameResult]) -> f64 {
    results.iter().map(|result| f64::from(sign(result) + 1) / 2.0).sum()
}

/// A name for each game, the same for mirror images.
struct Names<'a> {
    rules: &'a str,
    games: &'a [&'a GameResult],
}

impl Visitor for Names<'_> {
    type Output = anyhow::Result<Vec<Vec<NodeKey>>>;

    fn visit<G: Game, C: Catalogue<G>>(self) -> Self::Output {
        let name = |game: &&GameResult| {
            let mut record = Record::new(G::new(self.rules.parse()?));
            push_moves(&mut record, &game.moves)?;
            let positions = (0..=record.len()).filter_map(|plies| record.position_after(plies));
            Ok(positions.map(|position| node_key(record.game(), position, 0)).collect())
        };
        self.games.iter().map(name).collect()
    }
}

fn report(games: &[&GameResult], names: &[Vec<NodeKey>]) -> Report {
    let count = |wanted: i32| games.iter().filter(|game| sign(game) == wanted).count();
    let mut seen = HashSet::new();
    let mut repeated_losses = 0;
    for (game, name) in games.iter().zip(names) {
        // With changed colours the same moves are another game.
        let is_new = seen.insert((game.number % 2, name));
        repeated_losses += usize::from(!is_new && sign(game) < 0);
    }
    let second = &games[games.len() / 2..];
    Report {
        games: games.len(),
        results: [count(1), count(0), count(-1)],
        tens: games.chunks(10).map(points).collect(),
        second_half: points(second) / second.len().max(1) as f64,
        repeated_losses,
        letters: games.iter().map(|game| ['L', 'D', 'W'][(sign(game) + 1) as usize]).collect(),
    }
}

fn print(report: &Report) {
    let [wins, draws, losses] = report.results;
    println!("{}", report.letters);
    for (ten, points) in report.tens.iter().enumerate() {
        println!(
            "games {:>4} to {:>4}: {points:>4} {}",
            10 * ten + 1,
            10 * ten + 10,
            "#".repeat((4.0 * points) as usize)
        );
    }
    println!("learner +{wins} ={draws} -{losses}; second half {:.1}%", report.second_half * 100.0);
    println!("{} lost games were repeated", report.repeated_losses);
}
