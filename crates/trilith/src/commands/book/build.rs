//! `trilith book build`: a book of self-play in one command, however often it is interrupted.

use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;

use serde_json::json;
use trilith_arena::GameKit;
use trilith_arena::PlayerSpec;
use trilith_arena::book::{self, BookLearned, Examination};
use trilith_arena::contest::{Adjudication, Duel, GameReport, OpeningSource, push_moves};
use trilith_base::Seed;
use trilith_base::job::Workers;
use trilith_book::Book;
use trilith_games::{Game, Record};

use super::{ExaminationArgs, GameArgs, WorkersArgs};
use crate::output::JsonArgs;
use crate::{queue, stop};

/// Play games between two copies of a player, remember them and learn from them
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    trilith book build othello.book --games 20000 --nodes 5000 --threads 2\n  \
    trilith book build othello.book --games 18500 --follow --openings random:2 --player engine:nodes=4000,radius=0.5 --least 3\n  \
    trilith book build othello.book --follow --batch 2 --openings start --player engine:time=100 --nodes 500000 --threads 2\n\n\
    Run it again to go on where it was interrupted.")]
pub struct Build {
    /// The book; made if it is not there
    pub(super) book: PathBuf,
    #[command(flatten)]
    pub(super) game: GameArgs,
    /// Different games in the book at the end
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    games: u64,
    /// Who plays, both sides; some luck makes the games differ
    #[arg(long, value_name = "PLAYER", default_value = "engine:nodes=5000,radius=0.5")]
    player: String,
    /// One side follows the book as it grows, which is learned from after every batch: lines are tried until they hold
    #[arg(long, conflicts_with = "queue")]
    follow: bool,
    /// Games added at a time: so many are lost by a kill, and with --follow played between two learnings
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(2..))]
    batch: u64,
    /// Where the players take over
    #[arg(long, value_name = "OPENINGS", default_value_t = OpeningSource::default())]
    openings: OpeningSource,
    /// A game is drawn after so many plies
    #[arg(long, value_name = "N")]
    plies: Option<u32>,
    /// Where all draws come from
    #[arg(long, value_name = "N", default_value_t = Seed(1))]
    seed: Seed,
    /// Judge only positions seen in so many games
    #[arg(long, value_name = "N", default_value_t = 1)]
    least: u64,
    #[command(flatten)]
    examination: ExaminationArgs,
    #[command(flatten)]
    workers: WorkersArgs,
    #[command(flatten)]
    json: JsonArgs,
}

/// Who follows the book has nothing more to learn from an opponent after so many batches without a new game.
const IDLE: u64 = 20;

impl Build {
    pub(super) fn run<G: Game, C: GameKit<G>>(&self) -> anyhow::Result<()> {
        let workers = queue::workers(self.workers.queue.as_deref(), self.workers.threads)?;
        let stop = stop::on_interrupt();
        let examination = Examination::from(&self.examination);
        let mut idle = 0;
        loop {
            let (mut book, game) = self.game.create::<G>(&self.book)?;
            let games = book.reader()?.statistics()?.games;
            let is_over = games >= self.games || idle >= IDLE || stop.load(Relaxed);
            if is_over || self.follow && games > 0 {
                learn::<G, C>(&mut book, &game, &examination, self.least, &workers, &stop, self.json)?;
            }
            if is_over {
                return Ok(());
            }
            // A player that follows the book must be able to read it.
            drop(book);
            let (_, played) = self.duel(&game, games, idle).play_by(&workers, &stop, |_| ())?;
            let results: Vec<GameReport> = played.into_iter().map(|(_, result)| result).collect();
            let (book, game) = self.game.create::<G>(&self.book)?;
            add(&book, &game, &results)?;
            let now = book.reader()?.statistics()?.games;
            eprintln!("{now} games");
            idle = if now == games { idle + 1 } else { 0 };
            let is_stuck = idle > 0 && !self.follow && !stop.load(Relaxed);
            anyhow::ensure!(!is_stuck, "the player plays no new games: give it a larger radius");
            if idle == IDLE {
                eprintln!("no new games in {IDLE} batches: the book knows this opponent");
            }
        }
    }

    /// The player that follows the book, if one does.
    fn follower(&self) -> String {
        let option = |key: &str, value: String| (key.to_owned(), value);
        let own = [option("file", self.book.display().to_string()), option("then", self.player.clone())];
        match self.follow {
            true => PlayerSpec { name: "book".into(), options: own.into() }.to_string(),
            false => self.player.clone(),
        }
    }

    /// The next games of a book that has so many, after so many batches without a new one.
    fn duel<G: Game>(&self, game: &G, games: u64, idle: u64) -> Duel {
        let seed = self.seed.derive("book", games);
        let next = self.batch.min(self.games - games).next_multiple_of(2);
        Duel {
            rules: game.rules().to_string(),
            openings: self.openings.clone(),
            adjudication: Adjudication { plies: self.plies, ..Adjudication::default() },
            seed: if idle == 0 { seed } else { seed.derive("again", idle) },
            threads: self.workers.threads,
            ..Duel::new(G::NAME, &self.follower(), &self.player, next)
        }
    }
}

fn add<G: Game>(book: &Book, game: &G, results: &[GameReport]) -> anyhow::Result<()> {
    let mut records = Vec::new();
    for result in results {
        let mut record = Record::new(game.clone());
        push_moves(&mut record, &result.moves)?;
        records.push((record, result.end.winner));
    }
    book.update(|draft| {
        records.iter().try_for_each(|(record, winner)| draft.add(record, *winner).map(drop))
    })?;
    Ok(())
}

/// Judges what is open and says so.
pub(super) fn learn<G: Game, C: GameKit<G>>(
    book: &mut Book,
    game: &G,
    examination: &Examination,
    least: u64,
    workers: &Workers,
    stop: &std::sync::atomic::AtomicBool,
    json: JsonArgs,
) -> anyhow::Result<()> {
    let began = std::time::Instant::now();
    let learned = book::learn::<G, C>(book, game, examination, least, workers, stop, |learned| {
        eprint!("\r{} of {} positions", learned.judged, learned.open);
    })?;
    let seconds = began.elapsed().as_secs_f64();
    eprintln!();
    let BookLearned { judged, open } = learned;
    let examination = examination.to_string();
    let result = json!({
        "game": G::NAME,
        "judged": judged,
        "open": open,
        "seconds": seconds,
        "examination": examination,
    });
    let words = format_args!("{judged} of {open} open positions judged in {seconds:.1} s: {examination}");
    json.print(&result, words);
    Ok(())
}
