//! S5, 2.4: a pattern that builds itself beside S5's own, and tables that several contents share.

use std::path::Path;

use serde::{Deserialize, Serialize};
use trilith_eval::othello::logistello::Labelled;
use trilith_eval::othello::logistello::shape::{PATTERNS, RAYS, SquareList};
use trilith_learn::logistello::construct::{by_counts, classes, discordance, grow};
use trilith_learn::logistello::tables;
use trilith_learn::logistello::tree::Example;

use super::examples;
use super::features::{GrownParameters, TESTED, labelled};
use crate::conduct::Conduct;
use crate::error::StudyError;
use crate::report::{Column, Entry, Finding, ReportTable, Section};
use crate::statistics::counted;

/// A pattern, how many entries its table has a phase, and its mean discordance on games that nothing was chosen by.
#[derive(Serialize, Deserialize)]
struct Constructed {
    name: String,
    squares: String,
    entries: usize,
    discordance: f64,
}

/// The names of the two that the finding compares.
const OWN: &str = "corner2x4";
const GROWN: &str = "grown from a corner";

/// Grows a pattern, shares the entries of S5's, and ranks all of them on games that neither tables nor choices have seen.
pub(super) fn section(
    conduct: &mut Conduct,
    games: &Path,
    plan: GrownParameters,
    imagined: f64,
    most: usize,
) -> Result<(Section, Finding), StudyError> {
    let path = games.to_owned();
    let all: Vec<Constructed> = conduct.here("grown patterns", move |_, _| {
        // A quarter is kept for the end, a quarter chooses, the rest makes tables.
        let fitted = some(examples(&path, |at| at % TESTED > 1)?, plan.examples);
        let chosen = labelled(&examples(&path, |at| at % TESTED == 1)?, most.min(2000));
        let tested = labelled(&examples(&path, |at| at % TESTED == 0)?, most);
        Ok(measured(&fitted, &chosen, &tested, plan.squares, imagined))
    })?;
    let columns = ["squares", "entries a phase", "discordance"].map(Column::ours);
    let columns = [Column::label("pattern")].into_iter().chain(columns).collect();
    let caption = "Patterns on games that neither tables nor choices have seen; smaller is better";
    let mut table = ReportTable::new("grown", caption, columns);
    for it in &all {
        table.push(vec![
            Entry::text(it.name.as_str()),
            Entry::text(it.squares.as_str()),
            Entry::count(it.entries as u64),
            Entry::number(it.discordance, 4),
        ]);
    }
    Ok((Section::new("Patterns that build themselves (section 2.4)", vec![table.into()]), finding(&all)))
}

/// So many of them, from all of the games.
fn some(examples: Vec<Example>, most: usize) -> Vec<Example> {
    let every = examples.len().div_ceil(most.max(1)).max(1);
    examples.into_iter().step_by(every).collect()
}

fn measured(
    fitted: &[Example],
    chosen: &[Labelled],
    tested: &[Labelled],
    squares: usize,
    imagined: f64,
) -> Vec<Constructed> {
    let mut all = Vec::new();
    let mut add = |name: &str, shape: &SquareList, classes: Option<Vec<usize>>| {
        let entries = classes.as_ref().map_or(shape.codes(), |it| it.iter().max().map_or(0, |most| most + 1));
        let table = match &classes {
            Some(classes) => tables::shared_table(fitted, shape, imagined, classes),
            None => tables::table(fitted, shape, imagined),
        };
        let discordance = discordance(shape, table, tested);
        all.push(Constructed { name: name.into(), squares: shape.to_string(), entries, discordance });
    };
    for (name, text) in RAYS[..2].iter().chain(&PATTERNS) {
        let shape: SquareList = text.parse().expect("a named shape");
        add(name, &shape, None);
        add(&format!("{name}, entries by counts of discs"), &shape, Some(classes(&shape, by_counts)));
    }
    let corner: SquareList = "a1".parse().expect("a square");
    if let Some(last) = grow(&corner, squares, fitted, chosen, imagined).pop() {
        add(GROWN, &last.shape, None);
    }
    all
}

fn finding(all: &[Constructed]) -> Finding {
    let of = |name: &str| all.iter().find(|it| it.name == name);
    let (grown, own) = (of(GROWN), of(OWN));
    let less = grown.zip(own).map(|(grown, own)| grown.discordance - own.discordance);
    let test = less.map(|less| {
        let words = format!("discordance of the grown pattern less {OWN}");
        counted(&words, less, "below 0", "0 or more", less < 0.0)
    });
    let words = grown.map_or(String::new(), |grown| format!("It grew to {}.", grown.squares));
    Finding::tested(
        "A pattern that grows square by square ranks positions better than the 2x4 corner of as many squares.",
        test.into_iter().collect(),
        words,
    )
    .published("named as promising (2.4)")
    .differs("S5 did not try it.")
}
