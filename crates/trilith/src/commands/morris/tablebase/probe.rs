//! `trilith tablebase probe`: the value of a position and of every move, of one position or of many.

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Serialize;
use trilith_games::Game;
use trilith_games::morris::{Morris, Position};
use trilith_tablebase::answer::{self, TablebaseAnswer};
use trilith_tablebase::{Tables, ensure};

use super::{FIRST, Which};
use crate::positions::{self, RefusedLines};

#[derive(clap::Args)]
pub struct TablebaseProbeArgs {
    #[command(flatten)]
    which: Which,
    /// Stones by rows, side to move, stones in hand: `www/bbb/3/6/3/3/3 w 0 0`
    #[arg(long, value_name = "POSITION", required_unless_present = "positions")]
    position: Option<String>,
    /// Answer each line of a file, `-` for standard input: number, value, best move; with --json an object each
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    positions: Option<PathBuf>,
}

/// What was asked, and the answer.
#[derive(Serialize)]
struct Asked<'a> {
    /// The line it was asked on, if there are many.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    rules: String,
    position: String,
    #[serde(flatten)]
    answer: &'a TablebaseAnswer,
}

impl TablebaseProbeArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let game = self.which.game()?;
        // Built on first use as far as the engine needs them.
        let tables = ensure(&self.which.folder(&game), game.rules(), FIRST)?;
        match (&self.positions, &self.position) {
            (Some(path), _) => self.many(&game, &tables, path),
            (None, Some(text)) => {
                let position = game.parse_position(text).context("--position")?;
                self.one(&game, &tables, &position)
            }
            (None, None) => unreachable!("one of both is required"),
        }
    }

    fn one(&self, game: &Morris, tables: &Tables, position: &Position) -> anyhow::Result<()> {
        let answer = answer::answer(tables, game, position)?;
        if self.which.json {
            return print_json(game, position, None, &answer);
        }
        println!("{}{}", answer.value, in_plies(answer.plies));
        for mv in &answer.moves {
            println!("{:12} {}{}", mv.mv, mv.value, in_plies(mv.plies));
        }
        Ok(())
    }

    fn many(&self, game: &Morris, tables: &Tables, path: &Path) -> anyhow::Result<()> {
        let mut refused = RefusedLines::default();
        for line in positions::lines(path)? {
            let (number, text) = line?;
            let position = game.parse_position(&text).map_err(anyhow::Error::from);
            let answered =
                position.and_then(|position| Ok((position, answer::answer(tables, game, &position)?)));
            match answered {
                Ok((position, answer)) if self.which.json => {
                    print_json(game, &position, Some(number), &answer)?;
                }
                Ok((_, answer)) => {
                    let best = answer.moves.first().map_or("", |mv| mv.mv.as_str());
                    println!("{number:>6} {}{} {best}", answer.value, in_plies(answer.plies));
                }
                Err(fault) => refused.add(number, &fault),
            }
        }
        refused.finish()
    }
}

fn print_json(
    game: &Morris,
    position: &Position,
    number: Option<usize>,
    answer: &TablebaseAnswer,
) -> anyhow::Result<()> {
    let (rules, position) = (game.rules().to_string(), game.position_text(position));
    println!("{}", serde_json::to_string(&Asked { number, rules, position, answer })?);
    Ok(())
}

fn in_plies(plies: Option<u32>) -> String {
    plies.map_or(String::new(), |plies| format!(" in {plies}"))
}
