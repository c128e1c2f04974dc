//! `trilith data discordance`: how well evaluations rank labelled positions.

use std::path::{Path, PathBuf};

use anyhow::Context;
use trilith_eval::Catalogue;
use trilith_eval::othello::Evaluations;
use trilith_eval::othello::logistello::discordance::by_discs;
use trilith_eval::othello::logistello::labelled::parse_labelled;
use trilith_games::othello::Othello;

/// How often Othello evaluations rank two positions the wrong way round, by disc number (LOGISTELLO, chapter 2)
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    trilith data discordance positions.txt --eval patterns --eval mobility --eval potential\n\n\
    FILE has a position and what came of it for the side to move in each line:\n  \
    ---------------------------OX------XO--------------------------- X -4")]
pub struct DiscordanceArgs {
    /// Labelled positions
    file: PathBuf,
    /// The evaluations or features to measure, `NAME` or `NAME:FILE`; `trilith players othello` lists them
    #[arg(long, value_name = "NAME", required = true)]
    eval: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl DiscordanceArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let text = std::fs::read_to_string(&self.file).with_context(|| self.file.display().to_string())?;
        let positions = parse_labelled(&text).with_context(|| self.file.display().to_string())?;
        let game = Othello::default();
        let mut columns = Vec::new();
        for eval in &self.eval {
            let (name, file) =
                eval.split_once(':').map_or((&eval[..], None), |(name, file)| (name, Some(file)));
            let study = Evaluations::named(name, file.map(Path::new))?;
            columns.push(by_discs(&positions, |position| f64::from(study.value(&game, position))));
        }
        let discs: Vec<u32> = columns[0].keys().copied().collect();
        if self.json {
            let row = |discs: &u32| {
                let values = self
                    .eval
                    .iter()
                    .zip(&columns)
                    .map(|(name, column)| (name.clone(), serde_json::json!(column[discs].value)));
                serde_json::json!({
                    "discs": discs,
                    "positions": columns[0][discs].positions,
                    "discordance": values.collect::<serde_json::Map<_, _>>(),
                })
            };
            println!("{}", serde_json::Value::from(discs.iter().map(row).collect::<Vec<_>>()));
            return Ok(());
        }
        println!(
            "discs positions {}",
            self.eval.iter().map(|name| format!("{name:>18}")).collect::<String>()
        );
        for discs in discs {
            let values = columns.iter().map(|column| format!("{:18.4}", column[&discs].value));
            println!("{discs:5} {:9} {}", columns[0][&discs].positions, values.collect::<String>());
        }
        Ok(())
    }
}
