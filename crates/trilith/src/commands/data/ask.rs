//! `trilith data ask` and `trilith data rows`: a program of any kind as the teacher of Othello's patterns.

use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use anyhow::Context;
use trilith_base::{Seed, files};
use trilith_games::Game;
use trilith_games::othello::Othello;
use trilith_learn::othello::ask::{self, Labeller, Plan};
use trilith_learn::othello::positions::{Judged, Writer};
use trilith_learn::othello::{fit, judge, store};

use super::{TOLD, Until, blocks, games_setting, go_on, load, part};
use crate::stop;

/// Have positions beside Othello games valued by another program, to learn from
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    trilith data ask --games g1.games --out taught.positions -- python3 examples/pytorch_teacher.py label --net teacher.pt\n\n\
    The program gets batches of positions on its standard input: the number of rows (4 bytes), then the discs of the side to\n  \
    move and of the other (8 bytes each), little end first; for each it answers with what a search would\n  \
    think of it (2 bytes, hundredths of a disc) and how the game will end (1 byte, discs).\n  \
    If OUT is there already, the run goes on after its last whole block; games, --share, --further, --seed and the program\n  \
    with its arguments must be those that it was begun with.")]
pub struct Ask {
    /// Files of games, as `trilith data generate` writes them
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    games: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Which part of the moves in the games' positions is followed
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = part)]
    share: f64,
    /// Random plies after each of these, at most
    #[arg(long, value_name = "N", default_value_t = 1)]
    further: u32,
    /// Stop after so many seconds
    #[arg(long, value_name = "S")]
    seconds: Option<u64>,
    /// Where all draws come from
    #[arg(long, value_name = "N", default_value_t = Seed(1))]
    seed: Seed,
    /// The program that values, with its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    labeller: Vec<String>,
}

impl Ask {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        // Before the games are read, as in `label`.
        let settings = self.settings()?;
        let games = load(&self.games)?;
        let program = &self.labeller[0];
        let mut labeller = Labeller::start(program, &self.labeller[1..]).with_context(|| program.clone())?;
        let mut writer: Writer = go_on(&self.out, Othello::NAME, &settings)?;
        let (mut until, stop) = (Until::new(self.seconds), stop::on_interrupt());
        let plan = Plan { share: self.share, further: self.further };
        let (all, done) = (games.len().div_ceil(ask::PER_BATCH), writer.blocks() as usize);
        let mut told = Instant::now();
        for (batch, games) in games.chunks(ask::PER_BATCH).enumerate().skip(done) {
            if stop.load(Relaxed) {
                break;
            }
            let mut about = Vec::new();
            for (number, game) in ((batch * ask::PER_BATCH) as u64..).zip(games) {
                ask::beside(game, &plan, &mut self.seed.derive("ask", number).rng(), &mut about);
            }
            let judged = labeller.ask(&about).with_context(|| format!("{program}: no values from it"))?;
            let kept = writer.push(&judged);
            if told.elapsed() >= TOLD {
                told = Instant::now();
                eprintln!("{} positions, {}/{all} batches", writer.count(), writer.blocks());
            }
            if until.after(kept).is_break() {
                break;
            }
        }
        until.end()?;
        println!("{} positions in {}", writer.count(), self.out.display());
        Ok(())
    }

    /// All that the answers depend on, one setting a line; what the program itself reads is not known.
    fn settings(&self) -> anyhow::Result<Vec<String>> {
        Ok(vec![
            "trilith data ask".into(),
            format!("--share {}", self.share),
            format!("--further {}", self.further),
            format!("--seed {}", self.seed),
            format!("-- {:?}", self.labeller),
            games_setting(&self.games)?,
        ])
    }
}

/// Write Othello positions as plain rows of twenty bytes, for other programs
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    trilith data rows --positions p1.positions p2.positions --games g1.games --out rows.bin\n\n\
    A row: discs of the side to move and of the other (8 bytes each), the search's value (2, hundredths of a disc; -32768 if\n  \
    there is none), the final margin (1; -128 if there is none), and 1 if it is kept for testing, else 0 (1); little end first.")]
pub struct Rows {
    /// Files of judged positions
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "games")]
    positions: Vec<PathBuf>,
    /// Files of games, whose positions have results only
    #[arg(long, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl Rows {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let mut rows = Vec::new();
        let is_test = |number: usize| number.is_multiple_of(fit::Plan::default().test_every);
        for path in &self.positions {
            for (number, block) in blocks::<Judged>(path, Othello::NAME)?.enumerate() {
                for judged in &block? {
                    let (position, value) = (judged.position(), Some(judged.value));
                    rows.extend(ask::row(&position, value, judged.margin, is_test(number)));
                }
            }
        }
        for path in &self.games {
            // A block of judged positions comes from so many games: what is kept for testing there is kept here.
            for (number, game) in store::load(path)?.iter().enumerate() {
                let is_test = is_test(number / judge::PER_JOB);
                game.labelled(|position, margin| {
                    rows.extend(ask::row(position, None, Some(margin), is_test));
                });
            }
        }
        files::write_whole(&self.out, &rows).with_context(|| self.out.display().to_string())?;
        println!("{} rows in {}", rows.len() / ask::ROW, self.out.display());
        Ok(())
    }
}
