//! `trilith tablebase sample`: positions by lot, such as drawn ones for a match to begin with.

use anyhow::bail;
use trilith_base::Seed;
use trilith_games::morris::Morris;
use trilith_games::{Game, Outcome};
use trilith_tablebase::answer::word;
use trilith_tablebase::{Subspace, TableFile, sample};

use super::Which;

#[derive(clap::Args)]
pub struct SampleArgs {
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

impl SampleArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let (game, tables) = self.which.open()?;
        let outcomes = [Outcome::Win, Outcome::Draw, Outcome::Loss];
        let Some(outcome) = outcomes.into_iter().find(|&outcome| word(outcome) == self.outcome) else {
            bail!("--outcome: `{}` is not win, draw or loss", self.outcome);
        };
        let table = tables.require(self.subspace)?;
        let (rules, seed) = (game.rules(), self.seed);
        if self.which.json {
            return self.print_json(&game, table, outcome);
        }
        println!("# morris ({rules}): a {} with {}, by lot, seed {seed}", self.outcome, self.subspace);
        for number in 0..self.count {
            match sample::sample(table, outcome, seed, number)? {
                Some(position) => println!("{}", game.position_text(&position)),
                None => bail!("no {} with {} was found", self.outcome, self.subspace),
            }
        }
        Ok(())
    }

    fn print_json(&self, game: &Morris, table: &TableFile, outcome: Outcome) -> anyhow::Result<()> {
        let mut positions = Vec::new();
        for number in 0..self.count {
            match sample::sample(table, outcome, self.seed, number)? {
                Some(position) => positions.push(game.position_text(&position)),
                None => bail!("no {} with {} was found", self.outcome, self.subspace),
            }
        }
        let object = serde_json::json!({
            "rules": game.rules().to_string(),
            "subspace": self.subspace,
            "outcome": self.outcome,
            "seed": self.seed.0,
            "positions": positions,
        });
        println!("{object}");
        Ok(())
    }
}
