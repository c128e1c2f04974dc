//! `trilith data label`: games of Morris with what their positions are, by the complete tables.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, anyhow, bail};
use trilith_base::Seed;
use trilith_games::Game;
use trilith_games::morris::{Morris, Rules};
use trilith_learn::selfplay::exact::{self, Plan};
use trilith_learn::selfplay::store::{Played, Reader};
use trilith_tablebase::placing::{Effort, Solver};
use trilith_tablebase::{Tables, default_folder};

use super::generate::Blocks;
use crate::stop;

/// Label games of Morris by proof: positions without stones in hand by the complete tables, those before by search
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    trilith data generate --game morris --depth 3 --longest 36 --games 40000 --out a.games\n  \
    trilith data label --games a.games --out a.exact --threads 2\n  \
    trilith fit patterns --game morris --data a.exact --lambda 0 --out exact.safetensors.zst")]
pub struct Label {
    /// Files of games, as `trilith data generate --game morris` writes them, all by the same rules
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    games: Vec<PathBuf>,
    /// The file to write, which must not be there
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Label positions with at most so many stones in hand: eight cost some hundred times as much as two
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(..=18))]
    hand: u8,
    /// Random ways beside the game from each position with stones in hand
    #[arg(long, value_name = "N", default_value_t = 1)]
    beside: u32,
    /// Plies of the longest of them
    #[arg(long, value_name = "N", default_value_t = 3)]
    longest: u32,
    /// Stop after so many seconds
    #[arg(long, value_name = "S")]
    seconds: Option<u64>,
    /// Where all draws come from
    #[arg(long, value_name = "N", default_value_t = Seed(1))]
    seed: Seed,
    /// The folder of the tables [default: the program's own]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// MiB for what has been proved
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    memory: usize,
    /// Threads that label
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
}

impl Label {
    pub fn run(&self) -> anyhow::Result<()> {
        if self.out.exists() {
            bail!("--out {}: it is there already", self.out.display());
        }
        let plan = Plan { most_hand: self.hand, beside: self.beside, longest: self.longest, seed: self.seed };
        let (began, stop) = (Instant::now(), stop::on_interrupt());
        let readers: Vec<Reader> =
            self.games.iter().map(|path| Reader::open(path, Morris::NAME)).collect::<Result<_, _>>()?;
        // Made with the first games, when all they need is there: a mistake in the call leaves no file behind.
        let (mut ready, mut number) = (None, 0);
        for (path, mut reader) in self.games.iter().zip(readers) {
            while let Some(games) = reader.next_block()? {
                let is_over = self.seconds.is_some_and(|limit| began.elapsed().as_secs() >= limit);
                if is_over || stop.load(std::sync::atomic::Ordering::Relaxed) {
                    break;
                }
                let rules = games.first().map_or("standard", |game| &game.rules).to_owned();
                if ready.is_none() {
                    ready = Some((self.solver(&rules)?, rules, Blocks::open(&self.out, Morris::NAME)?));
                }
                let (solver, rules, blocks) = ready.as_mut().expect("made just now");
                if let Some(other) = games.iter().find(|game| game.rules != *rules) {
                    bail!("{}: a game by the rules `{}` among `{rules}`", path.display(), other.rules);
                }
                let labelled = self.label(&games, number, &plan, solver);
                blocks.add(labelled.with_context(|| path.display().to_string())?)?;
                number += games.len() as u64;
            }
        }
        let Some((_, _, mut blocks)) = ready else { bail!("--games: no games to label in these files") };
        blocks.write(1)?;
        println!("{} games labelled, {} with those beside them", number, blocks.games());
        Ok(())
    }

    fn solver(&self, rules: &str) -> anyhow::Result<Solver> {
        let rules: Rules = rules.parse()?;
        let folder = self.folder.clone().unwrap_or_else(|| default_folder(&rules));
        let tables = Tables::open(&folder, &rules)?;
        if !tables.is_complete() {
            bail!(
                "{}: the complete tables are needed; `trilith tablebase build morris --stones 18 --mode wdl` makes them",
                folder.display()
            );
        }
        Ok(Solver::new(Arc::new(tables), Morris::new(rules), 1, self.memory))
    }

    /// The games of a block in order, shared out to the threads, which all remember what any of them proved.
    fn label(
        &self,
        games: &[Played],
        first: u64,
        plan: &Plan,
        solver: &Solver,
    ) -> anyhow::Result<Vec<Played>> {
        let judge = |position: &_| {
            let outcome = solver.outcome(position, Effort::ENDLESS).map_err(|error| error.to_string())?;
            outcome.ok_or_else(|| "a search without end ended".to_owned())
        };
        let part = games.len().div_ceil(self.threads.max(1)).max(1);
        let work = |(at, games): (usize, &[Played])| {
            let numbered = games.iter().zip(first + (at * part) as u64..);
            let labelled: Result<Vec<_>, String> =
                numbered.map(|(game, number)| exact::label(game, number, plan, judge)).collect();
            labelled.map(|labelled| labelled.concat())
        };
        let parts: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> =
                games.chunks(part).enumerate().map(|chunk| scope.spawn(move || work(chunk))).collect();
            threads.into_iter().map(|thread| thread.join().expect("labelling does not panic")).collect()
        });
        let parts: Result<Vec<_>, String> = parts.into_iter().collect();
        Ok(parts.map_err(|fault| anyhow!(fault))?.concat())
    }
}
