//! `trilith tablebase sample`: positions by lot, such as drawn ones for a match to begin with.

use anyhow::{bail, ensure};
use trilith_base::Seed;
use trilith_games::{Game, Outcome};
use trilith_tablebase::answer::word;
use trilith_tablebase::{Subspace, sample};

use super::Which;

#[derive(clap::Args)]
pub struct Sample {
    #[command(flatten)]
    which: Which,
    /// Stones of the side to move and of the other, such as `6-5`
    #[arg(long, value_name = "A-B")]
    subspace: Subspace,
    /// `win`, `draw` or `loss` for the side to move
    #[arg(long, value_name = "OUTCOME", default_value = "draw")]
    outcome: String,
    /// How many
    #[arg(long, value_name = "N", default_value_t = 500)]
    count: u64,
    /// Where the lot comes from
    #[arg(long, value_name = "N", default_value_t = Seed(1))]
    seed: Seed,
}

impl Sample {
    pub fn run(&self) -> anyhow::Result<()> {
        ensure!(!self.which.json, "positions are printed one a line: leave --json out");
        let (game, tables) = self.which.open()?;
        let outcomes = [Outcome::Win, Outcome::Draw, Outcome::Loss];
        let Some(outcome) = outcomes.into_iter().find(|&outcome| word(outcome) == self.outcome) else {
            bail!("--outcome: `{}` is not win, draw or loss", self.outcome);
        };
        let table = tables.require(self.subspace)?;
        let (rules, seed) = (game.rules(), self.seed);
        println!("# morris ({rules}): a {} with {}, by lot, seed {seed}", self.outcome, self.subspace);
        for number in 0..self.count {
            match sample::sample(table, outcome, seed, number)? {
                Some(position) => println!("{}", game.position_text(&position)),
                None => bail!("no {} with {} was found", self.outcome, self.subspace),
            }
        }
        Ok(())
    }
}
