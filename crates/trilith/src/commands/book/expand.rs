//! `trilith book expand`: a book without games that grows where play is most likely to go.

use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use serde_json::json;
use trilith_arena::GameKit;
use trilith_arena::book::{self, Examination};
use trilith_book::{Book, Growth, all_lines, dropouts};
use trilith_games::{Game, Record};

use super::{ExaminationArgs, GameArgs, WorkersArgs};
use crate::output::JsonArgs;
use crate::{queue, stop};

/// Judge the likeliest positions by deep searches, without games (drop-out expansion)
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    trilith book expand openings.book --plies 4 --positions 10000 --nodes 3000000 --within 16 --threads 16\n\n\
    All positions of --plies plies are judged first. Then the book grows by the best move it does not have, where the way\n  \
    there costs least: a way costs what its moves lose against the best ones, and --ply for each ply after the first.\n  \
    Run it again to go on where it was interrupted. The book must be one without games.")]
pub struct Expand {
    /// The book; made if it is not there
    pub(super) book: PathBuf,
    #[command(flatten)]
    pub(super) game: GameArgs,
    /// Begin with all positions of so many plies; ways that far cost nothing
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(..=8))]
    plies: u8,
    /// Stop as soon as the book has so many positions
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    positions: u64,
    /// How often a loss of the side that plays from the book counts
    #[arg(long, value_name = "X", default_value_t = 2.0, value_parser = amount)]
    own: f32,
    /// What a ply costs, in units of the evaluation
    #[arg(long, value_name = "V", default_value_t = 0.5, value_parser = amount)]
    ply: f32,
    /// Leave out moves to positions further from 0
    #[arg(long, value_name = "V", default_value_t = f32::INFINITY, value_parser = amount)]
    within: f32,
    /// Positions added at a time [default: 8 a thread]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    batch: Option<u64>,
    /// Stop after so many seconds
    #[arg(long, value_name = "S")]
    seconds: Option<u64>,
    #[command(flatten)]
    examination: ExaminationArgs,
    #[command(flatten)]
    workers: WorkersArgs,
    #[command(flatten)]
    json: JsonArgs,
}

/// A number that is not below 0; without end is one.
fn amount(text: &str) -> Result<f32, String> {
    let number: Option<f32> = text.parse().ok();
    number.filter(|number| *number >= 0.0).ok_or_else(|| "expected a number from 0 on".into())
}

impl Expand {
    pub(super) fn run<G: Game, C: GameKit<G>>(&self) -> anyhow::Result<()> {
        let (began, stop) = (Instant::now(), stop::on_interrupt());
        let workers = queue::workers(self.workers.queue.as_deref(), self.workers.threads)?;
        let examination = Examination::from(&self.examination);
        let (mut book, game) = self.game.create::<G>(&self.book)?;
        anyhow::ensure!(book.reader()?.statistics()?.games == 0, "{} has games", self.book.display());
        add(&book, &all_lines(&game, self.plies.into()))?;
        let mut judged = 0;
        loop {
            let learned = book::learn::<G, C>(&mut book, &game, &examination, 0, &workers, &stop, |now| {
                eprint!("\r{} of {} positions    ", now.judged, now.open);
            })?;
            judged += learned.judged;
            let is_late = self.seconds.is_some_and(|most| began.elapsed() >= Duration::from_secs(most));
            let more = if is_late || stop.load(Relaxed) { Vec::new() } else { self.next(&book, &game)? };
            if more.is_empty() {
                break;
            }
            add(&book, &more)?;
        }
        eprintln!();
        let (positions, seconds) = (book.reader()?.statistics()?.nodes, began.elapsed().as_secs_f64());
        let result = json!({ "game": G::NAME, "positions": positions, "judged": judged, "seconds": seconds });
        let words = format_args!("{positions} positions, {judged} judged in {seconds:.1} s: {examination}");
        self.json.print(&result, words);
        Ok(())
    }

    /// The next lines that the book should have; none if it is large enough.
    fn next<G: Game>(&self, book: &Book, game: &G) -> anyhow::Result<Vec<Record<G>>> {
        let reader = book.reader()?;
        let positions = reader.statistics()?.nodes;
        if positions >= self.positions {
            return Ok(Vec::new());
        }
        // A batch is never cut short: then it does not matter where an earlier run has stopped.
        let most = self.batch.unwrap_or(8 * self.workers.threads as u64) as usize;
        let growth = Growth { free: self.plies.into(), own: self.own, ply: self.ply, within: self.within };
        let found = dropouts(&reader, game, &growth, most)?;
        if let Some(last) = found.last() {
            eprint!("\r{positions} positions, ways of {:.2}    ", last.cost);
        }
        Ok(found.into_iter().map(|way| way.line).collect())
    }
}

/// Lines added in one transaction.
const TOGETHER: usize = 1024;

fn add<G: Game>(book: &Book, lines: &[Record<G>]) -> anyhow::Result<()> {
    for some in lines.chunks(TOGETHER) {
        book.update(|draft| some.iter().try_for_each(|line| draft.add_line(line)))?;
    }
    Ok(())
}
