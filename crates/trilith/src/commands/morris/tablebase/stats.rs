//! `trilith tablebase stats`: what was built, in numbers.

use serde::Serialize;
use trilith_tablebase::stats::{self, Distance, PublishedCount, TableStatistics};

use super::Which;

#[derive(clap::Args)]
pub struct TablebaseStatsArgs {
    #[command(flatten)]
    which: Which,
    /// Also count wins and losses by their plies to the end; reads the tables whole
    #[arg(long)]
    histogram: bool,
}

/// One table.
#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    row: TableStatistics,
    #[serde(skip_serializing_if = "Option::is_none")]
    histogram: Option<Vec<Distance>>,
}

impl TablebaseStatsArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        print(&self.which, self.histogram)
    }
}

/// Prints a line a table, and the distances if they are asked for.
pub fn print(which: &Which, histogram: bool) -> anyhow::Result<()> {
    let (_, tables) = which.open()?;
    let mut shown = Vec::new();
    for (row, table) in stats::rows(&tables).into_iter().zip(tables.iter()) {
        let histogram = if histogram { Some(stats::histogram(table)?) } else { None };
        shown.push(Shown { row, histogram });
    }
    if which.json {
        println!("{}", serde_json::to_string(&shown)?);
        return Ok(());
    }
    println!(
        "{:8} {:>13} {:>13} {:>13} {:>13} {:>9} {:8} {:>13}",
        "subspace", "wins", "draws", "losses", "classes", "max plies", "mode", "bytes"
    );
    for Shown { row, .. } in &shown {
        println!(
            "{:8} {:>13} {:>13} {:>13} {:>13} {:>9} {:8} {:>13}",
            row.subspace, row.wins, row.draws, row.losses, row.classes, row.max_plies, row.mode, row.bytes
        );
    }
    shown.iter().for_each(print_histogram);
    print_published(&stats::table_3_1(&tables));
    Ok(())
}

fn print_histogram(Shown { row, histogram }: &Shown) {
    let Some(distances) = histogram else { return };
    println!("\n{}: plies to the end, classes (odd for wins, even for losses)", row.subspace);
    if distances.is_empty() && row.wins + row.losses > 0 {
        println!("  the table has no distances: build it with --mode distance");
    }
    for distance in distances {
        println!("  {:>5} {:>13}", distance.plies, distance.classes);
    }
}

fn print_published(rows: &[PublishedCount]) {
    if rows.is_empty() {
        return;
    }
    println!("\nMühle, Table 3.1\n{:8} {:>10} {:>10} {:>10}", "", "published", "ours", "difference");
    let total = PublishedCount {
        name: "all".into(),
        published: rows.iter().map(|row| row.published).sum(),
        ours: rows.iter().map(|row| row.ours).sum(),
    };
    for row in rows.iter().chain([&total]) {
        let difference = row.ours as i64 - row.published as i64;
        println!("{:8} {:>10} {:>10} {:>10}", row.name, row.published, row.ours, difference);
    }
}
