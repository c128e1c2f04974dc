//! `trilith book series`: a learning player against the same engine, game after game, and how its score grows.

use std::path::PathBuf;

use anyhow::ensure;
use trilith_arena::book::{self, SeriesReport};

use crate::choice::{known_games, rules_with_layout};

/// Play a series of a learning player against the same engine that does not learn
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith book series othello --games 100 --nodes 2000 --book new.book\n  \
    trilith book series morris --games 100 --nodes 2000 --book a.book --against b.book\n\n\
    Both sides are deterministic and begin at the usual start; colours change after each game. With --against the\n  \
    opponent learns as well, with a book of its own.")]
pub struct SeriesArgs {
    #[arg(help = known_games())]
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

impl SeriesArgs {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        ensure!(self.against.as_ref() != Some(&self.book), "two learners need two books");
        let series = book::BookSeries {
            game: self.game.clone(),
            rules: rules_with_layout(&self.rules, self.layout.as_deref()),
            book: self.book.clone(),
            against: self.against.clone(),
            games: self.games,
            nodes: self.nodes,
            plies: self.plies,
            draws_lose: self.draws_lose,
        };
        let report = series.play(|games, points| {
            if games.is_multiple_of(10) {
                eprintln!("{games} games, {points} points");
            }
        })?;
        match self.json {
            true => println!("{}", self.answer(&report)?),
            false => print(&report),
        }
        Ok(())
    }
}

impl SeriesArgs {
    /// The report with what was asked.
    fn answer(&self, report: &SeriesReport) -> anyhow::Result<serde_json::Value> {
        let mut answer = serde_json::to_value(report)?;
        answer["game"] = self.game.as_str().into();
        answer["rules"] = rules_with_layout(&self.rules, self.layout.as_deref()).into();
        answer["nodes"] = self.nodes.into();
        Ok(answer)
    }
}

fn print(report: &SeriesReport) {
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
