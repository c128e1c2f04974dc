//! What was built, in numbers: for every table the classes by value, and S2's Table 3.1 beside the published one.

use serde::Serialize;
use trilith_games::morris::THESIS;

use crate::error::TablebaseError;
use crate::file::{TableFile, TableMode};
use crate::motion::Motion;
use crate::subspace::{Index, Subspace};
use crate::tables::Tables;

/// One table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableStatistics {
    /// Such as `5-3`; the side to move comes first.
    pub subspace: Subspace,
    /// Stones of the side to move.
    pub to_move: u32,
    /// Classes won by the side to move.
    pub wins: u64,
    /// Classes drawn.
    pub draws: u64,
    /// Classes lost.
    pub losses: u64,
    /// All classes.
    pub classes: u64,
    /// Plies of the longest win or loss; 0 if distances are not known.
    pub max_plies: u32,
    /// What the table knows.
    pub mode: TableMode,
    /// Bytes of its file.
    pub bytes: u64,
}

/// All tables that are there.
pub fn rows(tables: &Tables) -> Vec<TableStatistics> {
    let row = |table: &TableFile| {
        let (subspace, counts) = (table.subspace(), table.header().counts);
        TableStatistics {
            subspace,
            to_move: subspace.own(),
            wins: counts.wins,
            draws: counts.draws,
            losses: counts.losses,
            classes: counts.classes(),
            max_plies: counts.max_plies,
            mode: table.header().mode,
            bytes: table.bytes(),
        }
    };
    tables.iter().map(row).collect()
}

/// How many classes are so far from their end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Distance {
    /// To the end under best play: odd for wins, even for losses.
    pub plies: u32,
    /// Classes with this distance.
    pub classes: u64,
}

/// The wins and losses of a table by their distance, the nearest first; empty if it does not know distances. Reads the
/// whole table.
pub fn histogram(table: &TableFile) -> Result<Vec<Distance>, TablebaseError> {
    let subspace = table.subspace();
    if table.header().mode != TableMode::Distance {
        return Ok(Vec::new());
    }
    let index = Index::new(subspace);
    let mut counts: Vec<u64> = Vec::new();
    let mut plies = Vec::new();
    for class in 0..(subspace.slots() / u64::from(subspace.width())) as u32 {
        table.read_class(class, &mut plies)?;
        index.each_counting(class, |rank| {
            let plies = usize::from(plies[rank as usize]);
            if plies != usize::from(u16::MAX) {
                if counts.len() <= plies {
                    counts.resize(plies + 1, 0);
                }
                counts[plies] += 1;
            }
        });
    }
    let distance = |(plies, classes)| Distance { plies, classes };
    Ok((0..).zip(counts).map(distance).filter(|distance| distance.classes > 0).collect())
}

/// A row of S2's Table 3.1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PublishedCount {
    /// `win5-3` has five to move against three, `loss5-3` three against five.
    pub name: String,
    /// The number in the table.
    pub published: u64,
    /// Our number.
    pub ours: u64,
}

/// The rows of the table in its order: whether won, stones, positions. What is not listed there had none.
const TABLE_3_1: [(bool, (u32, u32), u64); 10] = [
    (true, (3, 3), 140_621),
    (true, (3, 4), 102_281),
    (true, (3, 5), 6_301),
    (true, (4, 3), 74_649),
    (true, (4, 4), 152),
    (true, (5, 3), 577_309),
    (false, (3, 3), 28_736),
    (false, (3, 4), 3_095),
    (false, (4, 4), 28),
    (false, (5, 3), 10_145),
];

/// S2's Table 3.1 beside our numbers; empty for other rules or where a table is missing.
pub fn table_3_1(tables: &Tables) -> Vec<PublishedCount> {
    if tables.motion() != Motion::of(&THESIS) {
        return Vec::new();
    }
    let row = |&(won, (first, second), published): &(bool, (u32, u32), u64)| {
        let subspace = if won { Subspace::new(first, second) } else { Subspace::new(second, first) };
        let counts = tables.get(subspace?)?.header().counts;
        let name = format!("{}{first}-{second}", if won { "win" } else { "loss" });
        Some(PublishedCount { name, published, ours: if won { counts.wins } else { counts.losses } })
    };
    TABLE_3_1.iter().map(row).collect::<Option<_>>().unwrap_or_default()
}
