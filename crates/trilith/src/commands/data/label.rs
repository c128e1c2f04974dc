//! `trilith data label`: games of Morris with what their positions are, by the complete tables.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use anyhow::{anyhow, bail};
use trilith_base::Seed;
use trilith_games::Game;
use trilith_games::morris::{Morris, Rules};
use trilith_learn::selfplay::exact::{self, PER_BLOCK, Plan};
use trilith_learn::selfplay::store::{Played, Writer};
use trilith_tablebase::placing::{Effort, Solver};
use trilith_tablebase::{Tables, default_folder};

use super::{TOLD, Until, blocks, games_setting};
use crate::stop;

/// Label games of Morris by proof: positions without stones in hand by the complete tables, those before by search
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    trilith data generate --game morris --depth 3 --longest 36 --games 40000 --out a.games\n  \
    trilith data label --games a.games --out a.exact --threads 2\n  \
    trilith fit patterns --game morris --data a.exact --lambda 0 --out exact.safetensors.zst\n\n\
    If OUT is there already, the run goes on after its last whole block; games, --hand, --beside, --longest and --seed must\n  \
    be those that it was begun with.")]
pub struct Label {
    /// Files of games, as `trilith data generate --game morris` writes them, all by the same rules
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    games: Vec<PathBuf>,
    /// The file to write
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
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let (mut until, stop) = (Until::new(self.seconds), stop::on_interrupt());
        // Before the games are read: a file that grows meanwhile does not fit its checksum any more.
        let settings = self.settings()?;
        let games = self.load()?;
        let Some(first) = games.first() else { bail!("--games: no games to label in these files") };
        let plan = Plan { most_hand: self.hand, beside: self.beside, longest: self.longest, seed: self.seed };
        let solver = self.solver(&first.rules)?;
        // Opened when all that the games need is there: a mistake in the call leaves no file behind.
        let mut writer = Writer::open_with(&self.out, Morris::NAME, &settings)?;
        let mut told = until.began;
        let report = |writer: &Writer| {
            let labelled = (PER_BLOCK * writer.blocks() as usize).min(games.len());
            let (all, count) = (games.len(), writer.count());
            format!("{labelled} of {all} games labelled, {count} with those beside them")
        };
        for (number, block) in games.chunks(PER_BLOCK).enumerate().skip(writer.blocks() as usize) {
            let Some(labelled) = self.label(block, number * PER_BLOCK, &plan, &solver, &stop)? else { break };
            let kept = writer.push(&labelled);
            if told.elapsed() >= TOLD {
                told = Instant::now();
                eprintln!("{}, {} s", report(&writer), until.began.elapsed().as_secs());
            }
            if until.after(kept).is_break() {
                break;
            }
        }
        until.end()?;
        println!("{}", report(&writer));
        Ok(())
    }

    /// The games of all files, which must be by the same rules.
    fn load(&self) -> anyhow::Result<Vec<Played>> {
        let mut games: Vec<Played> = Vec::new();
        for path in &self.games {
            for block in blocks::<Played>(path, Morris::NAME)? {
                games.extend(block?);
            }
            if let Some(other) = games.iter().find(|game| game.rules != games[0].rules) {
                let (rules, other) = (&games[0].rules, &other.rules);
                bail!("{}: a game by the rules `{other}` among `{rules}`", path.display());
            }
        }
        Ok(games)
    }

    /// All that the labels depend on, one setting a line.
    fn settings(&self) -> anyhow::Result<Vec<String>> {
        Ok(vec![
            "trilith data label".into(),
            format!("--hand {}", self.hand),
            format!("--beside {}", self.beside),
            format!("--longest {}", self.longest),
            format!("--seed {}", self.seed),
            games_setting(&self.games)?,
        ])
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

    /// The games of a block with those beside them, in order; none if it was stopped. The threads take one game after
    /// another and all remember what any of them proved.
    fn label(
        &self,
        games: &[Played],
        first: usize,
        plan: &Plan,
        solver: &Solver,
        stop: &AtomicBool,
    ) -> anyhow::Result<Option<Vec<Played>>> {
        let effort = Effort { stop: Some(stop), ..Effort::ENDLESS };
        let judge = |position: &_| {
            let outcome = solver.outcome(position, effort).map_err(|error| error.to_string())?;
            outcome.ok_or_else(|| "a search without end ended".to_owned())
        };
        let next = AtomicUsize::new(0);
        let work = || {
            let numbers = std::iter::repeat_with(|| next.fetch_add(1, Relaxed));
            let taken = numbers.take_while(|&at| at < games.len() && !stop.load(Relaxed));
            let label = |at: usize| (at, exact::label(&games[at], (first + at) as u64, plan, judge));
            taken.map(label).collect::<Vec<_>>()
        };
        let mut labelled = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads.max(1)).map(|_| scope.spawn(work)).collect();
            let parts = threads.into_iter().map(|thread| thread.join().expect("labelling does not panic"));
            parts.flatten().collect::<Vec<_>>()
        });
        if stop.load(Relaxed) {
            return Ok(None);
        }
        labelled.sort_unstable_by_key(|&(at, _)| at);
        let mut all = Vec::new();
        for (at, labelled) in labelled {
            all.extend(labelled.map_err(|fault| anyhow!("--games: game {}: {fault}", first + at + 1))?);
        }
        Ok(Some(all))
    }
}
