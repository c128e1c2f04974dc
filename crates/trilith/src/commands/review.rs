//! `trilith review`: every move of every game in files, judged.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use trilith_arena::contest::Pace;
use trilith_arena::review::{GameReview, ReviewJob, SideReview, USUAL_NODES};
use trilith_arena::sheets::{self, Format};
use trilith_base::files;
use trilith_base::journal::Journal;
use trilith_games::Colour;

use crate::choice::known_games;
use crate::output::ProgressLine;
use crate::pace::PaceArgs;
use crate::{queue, stop};

/// Judge every move of every game in files of any format
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith review games.ggf --nodes 20000 --threads 2\n  \
    trilith review WTH_2023.wtb --nodes 20000 --journal r.journal --csv moves.csv --json > reviews.json\n  \
    trilith review game.txt --time 500 --annotate annotated.txt\n\n\
    Files: our game texts, and of Othello transcripts, GGF, SGF and WTHOR; told by their names and contents.\n\
    Every position is searched from the end of the game to its start, with --nodes 20000 if nothing is said. A loss is\n\
    in discs for Othello, else in the chance of winning. A move is `best` (the engine's own choice), `good`, `forced`, or\n\
    from a loss of 3, 6, 10 discs or 0.07, 0.14, 0.25 chance an `inaccuracy`, `mistake`, `blunder`. Accuracy is the share\n\
    of moves that are best or good. Values are Black's; a `=` behind one says that it is exact.\n\
    With --journal each reviewed game is on the disk at once, and the same command goes on after whatever happened.")]
pub struct Args {
    /// The games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[arg(help = format!("Which game it is, where the file does not say it: {}", known_games()))]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// The format of the files, if name and content do not tell: text, transcript, ggf, sgf, obf or wthor
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// Who judges
    #[arg(long, value_name = "PLAYER", default_value = "engine")]
    player: String,
    #[command(flatten)]
    pace: PaceArgs,
    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Let the workers of this queue judge, such as nats://127.0.0.1:4222
    #[arg(long, value_name = "URL", conflicts_with = "threads")]
    queue: Option<String>,
    /// Keep each review here as it is done, and go on from here if it was interrupted
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Write every move as a line of this table
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the games with comments, in the format that the name stands for: .ggf, .sgf, else our game text
    #[arg(long, value_name = "FILE")]
    annotate: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ReviewAnswer {
    games: Vec<GameReview>,
    players: BTreeMap<String, SideReview>,
    /// Of this run; reviews from the journal are not among them.
    reviewed: u64,
    seconds: f64,
    games_per_second: f64,
}

#[derive(Serialize, Deserialize)]
struct ReviewLine {
    key: String,
    review: GameReview,
}

/// Reviews and prints.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let jobs = args.jobs()?;
    let (mut journal, known) = args.journal()?;
    let mut reviews: BTreeMap<usize, GameReview> = BTreeMap::new();
    let mut open = Vec::new();
    for job in jobs {
        match known.get(&job.key()) {
            Some(review) => {
                drop(reviews.insert(job.number, GameReview { number: job.number, ..review.clone() }))
            }
            None => open.push(job),
        }
    }
    let (all, began) = (reviews.len() + open.len(), Instant::now());
    let (mut line, mut reviewed, mut failed) = (ProgressLine::new(), 0u64, None);
    let workers = queue::workers(args.queue.as_deref(), args.threads)?;
    let done = workers.run("review", open.into_iter(), &stop::on_interrupt(), |job, review| {
        if let Some(journal) = &mut journal {
            failed = journal.add(&ReviewLine { key: job.key(), review: review.clone() }).err();
        }
        reviewed += 1;
        reviews.insert(review.number, review);
        let rate = reviewed as f64 / began.elapsed().as_secs_f64();
        line.show(|| format!("{}/{all} games  {rate:.2} a second", reviews.len()));
        if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    line.clear();
    done?;
    if let Some(error) = failed {
        return Err(error).context("--journal");
    }
    let seconds = began.elapsed().as_secs_f64();
    let games: Vec<GameReview> = reviews.into_values().collect();
    let players = players(&games);
    let games_per_second = reviewed as f64 / seconds.max(1e-9);
    let answer = ReviewAnswer { games, players, reviewed, seconds, games_per_second };
    args.write(&answer)?;
    match args.json {
        true => println!("{}", serde_json::to_string(&answer)?),
        false => print(&answer, all),
    }
    Ok(())
}

impl Args {
    fn jobs(&self) -> anyhow::Result<Vec<ReviewJob>> {
        let mut pace = Pace::from(&self.pace);
        if (pace.depth, pace.nodes, pace.time, pace.clock) == (None, None, None, None) {
            pace.nodes = Some(USUAL_NODES);
        }
        let mut jobs = Vec::new();
        for path in &self.files {
            for sheet in sheets::read(path, self.game.as_deref(), self.format)? {
                jobs.push(ReviewJob { number: jobs.len() + 1, sheet, player: self.player.clone(), pace });
            }
        }
        if jobs.is_empty() {
            bail!("there is no game in these files");
        }
        Ok(jobs)
    }

    fn journal(&self) -> anyhow::Result<(Option<Journal>, HashMap<String, GameReview>)> {
        let Some(path) = &self.journal else { return Ok((None, HashMap::new())) };
        let opened = Journal::open::<ReviewLine>(path, "trilith_reviews", "reviews");
        let (journal, lines) = opened.with_context(|| path.display().to_string())?;
        Ok((Some(journal), lines.into_iter().map(|line| (line.key, line.review)).collect()))
    }

    fn write(&self, answer: &ReviewAnswer) -> anyhow::Result<()> {
        let write = |path: &Path, bytes: &[u8]| {
            files::write_whole(path, bytes).with_context(|| path.display().to_string())
        };
        if let Some(path) = &self.csv {
            write(path, table(&answer.games).as_bytes())?;
        }
        if let Some(path) = &self.annotate {
            let annotated: Vec<_> = answer.games.iter().map(GameReview::annotated).collect();
            let format = Format::of_path(path).unwrap_or(Format::TEXT);
            let written = sheets::write(format, &annotated)?;
            written.lost.iter().for_each(|lost| eprintln!("{lost}"));
            for (_, bytes) in written.files.iter().take(1) {
                write(path, bytes)?;
            }
        }
        Ok(())
    }
}

/// All games of each player together; who has no name is called by its colour.
fn players(games: &[GameReview]) -> BTreeMap<String, SideReview> {
    let mut players: BTreeMap<String, SideReview> = BTreeMap::new();
    for game in games {
        for (colour, side) in [("black", &game.black), ("white", &game.white)] {
            let name = if side.player.is_empty() { colour } else { &side.player };
            let sum = players.get(name).map_or_else(|| side.clone(), |sum| sum.join(side));
            players.insert(name.to_owned(), sum);
        }
    }
    players
}

/// A line a move; names are quoted.
fn table(games: &[GameReview]) -> String {
    let mut text = String::from(
        "game,ply,side,player,move,value_before,value_after,exact,depth,best,loss,loss_unit,class\n",
    );
    for game in games {
        for mv in &game.moves {
            let side = if mv.side == Colour::Black { &game.black } else { &game.white };
            text += &format!(
                "{},{},{},\"{}\",{},{:.2},{:.2},{},{},{},{:.4},{},{}\n",
                game.number,
                mv.ply,
                mv.side,
                side.player.replace('"', "\"\""),
                mv.mv,
                mv.value_before,
                mv.value_after,
                mv.exact,
                mv.depth,
                mv.best.as_deref().unwrap_or_default(),
                mv.loss,
                game.loss_unit,
                mv.class,
            );
        }
    }
    text
}

fn print(answer: &ReviewAnswer, all: usize) {
    for game in answer.games.iter().filter(|_| answer.games.len() == 1) {
        for mv in &game.moves {
            let best = mv.best.as_deref().filter(|_| mv.class != "best" && mv.class != "forced");
            println!(
                "{:>3} {:5} {:8} {:>+7.2}{} {:>6.2} {:10} {}",
                mv.ply,
                mv.side.to_string(),
                mv.mv,
                mv.value_after,
                if mv.exact { "=" } else { " " },
                mv.loss,
                mv.class,
                best.map_or(String::new(), |best| format!("best {best}")),
            );
        }
    }
    println!(
        "{:24} {:>7} {:>9} {:>9} {:>7} {:>7} {:>7} {:>7}",
        "player", "moves", "accuracy", "avg loss", "best", "inacc", "mist", "blund"
    );
    for (name, side) in &answer.players {
        println!(
            "{name:24} {:>7} {:>8.1}% {:>9.3} {:>7} {:>7} {:>7} {:>7}",
            side.moves,
            side.accuracy * 100.0,
            side.average_loss,
            side.best,
            side.inaccuracies,
            side.mistakes,
            side.blunders,
        );
    }
    println!(
        "{} of {all} games, {} in this run in {:.1} s: {:.2} games a second",
        answer.games.len(),
        answer.reviewed,
        answer.seconds,
        answer.games_per_second
    );
}
