//! `trilith tablebase prove`: the value of a position with stones in hand, by search down to the complete tables.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use serde::Serialize;
use trilith_games::Game;
use trilith_games::morris::{Morris, Position};
use trilith_tablebase::answer::word;
use trilith_tablebase::placing::{self, Effort, PlacingSolver, ProvedBounds, ProvedMove, file_name};

use super::{Which, parse_size, threads};
use crate::positions::{self, RefusedLines};
use crate::stop;

#[derive(clap::Args)]
pub struct ProveArgs {
    #[command(flatten)]
    which: Which,
    /// The position [default: the empty board]
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
    /// Prove each line of a file, `-` for standard input: number, value; with --json an object each
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    positions: Option<PathBuf>,
    /// Also value every move for so many plies
    #[arg(long, value_name = "N", default_value_t = 1)]
    plies: u32,
    /// Keep positions with at least so many stones in hand in the file beside the tables
    #[arg(long, value_name = "N", default_value_t = 9)]
    keep: u32,
    /// Memory for what has been proved, such as `512M` or `4G`
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = parse_size)]
    memory: u64,
    /// Leave the tables packed: 2.6 GB less memory, but several times slower
    #[arg(long)]
    packed: bool,
    /// Threads at work at once [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: Option<u64>,
}

/// What was proved.
#[derive(Serialize)]
struct ProveAnswer {
    /// The line it was asked on, if there are many.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    rules: String,
    position: String,
    /// For the side to move.
    value: &'static str,
    visited: u64,
    seconds: f64,
    moves: Vec<Valued>,
}

/// A move of each class, with those that can follow.
#[derive(Serialize)]
struct Valued {
    #[serde(rename = "move")]
    mv: String,
    /// For the side that makes it.
    value: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    replies: Vec<Valued>,
}

impl ProveArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let (game, tables) = self.which.open()?;
        placing::check(game.rules())?;
        let one = match (&self.positions, &self.position) {
            (Some(_), _) => None,
            (None, Some(text)) => Some(game.parse_position(text).context("--position")?),
            (None, None) => Some(game.start()),
        };
        let threads = threads(self.threads);
        if !self.packed {
            tables.keep_in_memory(threads)?;
        }
        let solver = PlacingSolver::new(Arc::new(tables), game, threads, (self.memory >> 20) as usize);
        let file = self.which.folder(&game).join(file_name(&game));
        let before = ProvedBounds::load(&file, &game)?;
        for (key, bounds) in before.iter().flat_map(ProvedBounds::iter) {
            solver.memory().put(key, bounds);
        }
        // What an earlier proof has left is not thrown away.
        let keep = before.map_or(self.keep, |store| store.least_hands().min(self.keep));
        let watch =
            Watch { solver: &solver, game, file, keep, stop: stop::on_interrupt(), start: Instant::now() };
        match (&self.positions, one) {
            (Some(path), _) => self.many(&watch, path),
            (None, position) => {
                let answer = self.prove(&watch, &position.unwrap_or_else(|| game.start()), None);
                watch.save()?;
                self.print(&answer?)
            }
        }
    }

    /// A line each as they go; what is proved for one helps with the next.
    fn many(&self, watch: &Watch<'_>, path: &Path) -> anyhow::Result<()> {
        let mut refused = RefusedLines::default();
        for line in positions::lines(path)? {
            let (number, text) = line?;
            let position = watch.game.parse_position(&text).map_err(anyhow::Error::from);
            match position.and_then(|position| self.prove(watch, &position, Some(number))) {
                Ok(answer) if self.which.json => self.print(&answer)?,
                Ok(answer) => {
                    let best = answer.moves.first().map_or("", |mv| mv.mv.as_str());
                    println!("{number:>6} {} {best}", answer.value);
                }
                Err(_) if watch.stop.load(Relaxed) => break,
                Err(fault) => refused.add(number, &fault),
            }
        }
        watch.save()?;
        ensure!(!watch.stop.load(Relaxed), STOPPED);
        refused.finish()
    }

    fn prove(
        &self,
        watch: &Watch<'_>,
        position: &Position,
        number: Option<usize>,
    ) -> anyhow::Result<ProveAnswer> {
        let (solver, game, start) = (watch.solver, watch.game, Instant::now());
        let effort = Effort { stop: Some(&watch.stop), ..Effort::ENDLESS };
        let before = solver.visited();
        match watch.over(|| solver.prove(position, self.plies, effort))? {
            None if watch.stop.load(Relaxed) => bail!(STOPPED),
            None => bail!("the search ended without an answer"),
            Some((value, moves)) => Ok(ProveAnswer {
                number,
                rules: game.rules().to_string(),
                position: game.position_text(position),
                value: word(value),
                visited: solver.visited() - before,
                seconds: start.elapsed().as_secs_f64(),
                moves: valued(&game, &moves),
            }),
        }
    }

    fn print(&self, answer: &ProveAnswer) -> anyhow::Result<()> {
        if self.which.json {
            println!("{}", serde_json::to_string(answer)?);
            return Ok(());
        }
        println!("{}: {} positions visited in {:.1} s", answer.value, answer.visited, answer.seconds);
        print_moves(&answer.moves, 0);
        Ok(())
    }
}

const STOPPED: &str = "stopped; what was proved is kept, the same command goes on";

fn print_moves(moves: &[Valued], indent: usize) {
    for Valued { mv, value, replies } in moves {
        println!("{:indent$}{mv:8} {value}", "");
        print_moves(replies, indent + 2);
    }
}

/// Moves for people.
fn valued(game: &Morris, moves: &[ProvedMove]) -> Vec<Valued> {
    let one = |ProvedMove { mv, value, replies }: &ProvedMove| Valued {
        mv: game.move_text(*mv),
        value: word(*value),
        replies: valued(game, replies),
    };
    moves.iter().map(one).collect()
}

/// Looks on while the work goes on: shows how far it is and keeps what was proved.
struct Watch<'a> {
    solver: &'a PlacingSolver,
    game: Morris,
    file: PathBuf,
    keep: u32,
    stop: Arc<AtomicBool>,
    start: Instant,
}

impl Watch<'_> {
    fn over<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        const LOOK: Duration = Duration::from_millis(100);
        const SAVE: Duration = Duration::from_secs(30);
        let shown = io::stderr().is_terminal();
        let mut saved = Instant::now();
        std::thread::scope(|scope| {
            let worker = scope.spawn(work);
            while !worker.is_finished() {
                std::thread::sleep(LOOK);
                if shown {
                    let seconds = self.start.elapsed().as_secs_f64();
                    let visited = self.solver.visited() as f64 / 1e6;
                    eprint!(
                        "\r{visited:.1} million positions in {seconds:.0} s, {:.2} a second ",
                        visited / seconds
                    );
                    let _ = io::stderr().flush();
                }
                if saved.elapsed() > SAVE {
                    // A disk that is full now may have room at the end.
                    let _ = self.save();
                    saved = Instant::now();
                }
            }
            if shown {
                eprint!("\r{:<70}\r", "");
            }
            worker.join().expect("the search does not panic")
        })
    }

    fn save(&self) -> Result<(), trilith_tablebase::TablebaseError> {
        ProvedBounds::of(self.solver.memory(), self.keep).save(&self.file, &self.game)
    }
}
