//! How well a player judges the positions of a file with scored moves.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use serde::Serialize;
use trilith_arena::accuracy::{Accuracy, ScoredPosition, accuracy, judge};
use trilith_eval::othello::Evaluations;
use trilith_games::Record;
use trilith_games::othello::Othello;
use trilith_games::othello::formats::obf::parse_obf;
use trilith_search::Limits;

use crate::commands::bench::Args;

/// The figures of one player.
#[derive(Serialize)]
pub struct AccuracyRow {
    player: String,
    file: String,
    depth: u32,
    #[serde(flatten)]
    accuracy: Accuracy,
}

/// Has the file judged by the player, and by the other one if there is one.
pub fn measure(args: &Args) -> anyhow::Result<Vec<AccuracyRow>> {
    if args.game != "othello" {
        bail!("files of scored moves are known for othello only: expected `bench accuracy othello FILE.obf`");
    }
    let file =
        args.file.as_deref().context("expected a file: `bench accuracy othello FILE.obf --depth N`")?;
    let positions = read(file)?;
    let depth = args.depth.unwrap_or(15);
    let specs = [args.player.as_deref().unwrap_or("engine")].into_iter().chain(args.against.as_deref());
    specs
        .map(|player| {
            let spec = player.parse()?;
            let found =
                judge::<Othello, Evaluations>(&positions, &spec, Limits::depth(depth), args.threads())?;
            let file = file.display().to_string();
            Ok(AccuracyRow { player: player.into(), file, depth, accuracy: accuracy(&found) })
        })
        .collect()
}

fn read(file: &Path) -> anyhow::Result<Vec<ScoredPosition<Othello>>> {
    let name = || file.display().to_string();
    let text = fs::read_to_string(file).with_context(name)?;
    let problems = parse_obf(&Othello::default(), &text).with_context(name)?;
    let scored = problems.into_iter().filter(|problem| !problem.scores.is_empty()).map(|problem| {
        let record = Record::from_position(Othello::default(), problem.position)?;
        Ok(ScoredPosition { record, scores: problem.scores })
    });
    let positions: Vec<_> = scored.collect::<anyhow::Result<_>>().with_context(name)?;
    if positions.is_empty() {
        bail!("{}: no position with scored moves: expected lines such as `BOARD X; G8:+18; H1:+12;`", name());
    }
    Ok(positions)
}

/// A table for people.
pub fn print(rows: &Vec<AccuracyRow>) {
    for AccuracyRow { player, file, depth, accuracy } in rows {
        let percent = |share: f64| format!("{:.1}%", 100.0 * share);
        println!("{player} at depth {depth}, {} positions of {file}", accuracy.positions);
        println!("  best move found      {:>9}", percent(accuracy.best_move));
        println!("  discs lost by it     {:>9.3}", accuracy.mean_loss);
        println!("  value within 3 discs {:>9}", percent(accuracy.within_3));
        println!("  value within 6 discs {:>9}", percent(accuracy.within_6));
        println!("  mean absolute error  {:>9.2}", accuracy.mean_error);
        println!("  mean error           {:>9.2}", accuracy.bias);
        println!("  truth = {:.2} x value {:+.2}", accuracy.slope, accuracy.offset);
        println!("  nodes                {:>9}, {:.1} s", accuracy.nodes, accuracy.seconds);
    }
}
