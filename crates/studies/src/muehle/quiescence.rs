//! S2, 2.10: whether following open mills at the leaves helps, with evaluations that do and do not know open mills.

use serde::Deserialize;

use super::{contest, row, won_lost_drawn};
use crate::conduct::{Conduct, Outcome};
use crate::error::StudyError;
use crate::report::{Finding, Section, Verdict};
use crate::statistics::{above_half, all_of, shown};

/// What the study's file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    /// Games of each match.
    games: u64,
    /// Plies at fixed depth.
    depth: u32,
    /// Nodes a move where S2 fixed the time.
    nodes: u64,
    /// Plies of quiescence.
    quiescence: u32,
    /// Games are drawn after so many plies.
    plies: u32,
}

/// Table, evaluation, what is followed, in words.
const EXPERIMENTS: [(&str, &str, &str, &str); 3] = [
    ("2.12", "klein", "captures", "mills closed, evaluation without open mills (Klein)"),
    ("2.13", "standard", "captures", "mills closed, evaluation with open mills (Standard)"),
    ("2.14", "standard", "forks", "stones that open two mills, Standard"),
];

/// Plays and compares.
pub fn procedure(conduct: &mut Conduct) -> Result<Outcome, StudyError> {
    let Parameters { games, depth, nodes, quiescence, plies } = conduct.parameters()?;
    let limits = [("depth", format!("depth={depth}")), ("time", format!("nodes={nodes}"))];
    let mut matches = Vec::new();
    for (table, eval, noise, _) in EXPERIMENTS {
        for (limit, text) in &limits {
            let player = |quiescence: u32, noise: &str| {
                format!(
                    "engine:{text},eval={eval},radius=0.05,tables=off,selectivity=off,quiescence={quiescence}{noise}"
                )
            };
            let with = player(quiescence, &format!(",noise={noise}"));
            matches.push(contest(format!("{table} {limit}"), &with, &player(0, ""), games, plies));
        }
    }
    let scores = conduct.matches("games", &matches)?;
    let mut sections = Vec::new();
    for (at, (number, _, _, words)) in EXPERIMENTS.into_iter().enumerate() {
        let published = conduct.published(number);
        let mut table = won_lost_drawn(
            &format!("table-{number}"),
            &format!("Table {number}: {words}"),
            "with quiescence, at",
        );
        for (limit, name) in [(0, format!("depth {depth}")), (1, format!("{nodes} nodes"))] {
            let key = if limit == 0 { "depth" } else { "time" };
            let printed = ["won", "lost", "drawn"].map(|column| published.number(key, column));
            table.push(row(&name, &scores[2 * at + limit].all(), printed));
        }
        sections.push(Section::new(words, vec![table.into()]));
    }
    let tally = |at: usize| scores[at].all();
    let findings = vec![
        Finding::new(
            "Quiescence helps an evaluation that does not know open mills.",
            all_of([above_half(&tally(0)), above_half(&tally(1))]),
            format!("At equal depth {}, at equal nodes {}.", shown(&tally(0)), shown(&tally(1))),
        ),
        Finding::new(
            "Quiescence by open mills hurts an evaluation that knows open mills.",
            all_of([above_half(&tally(2).reversed()), above_half(&tally(3).reversed())]),
            format!("At equal depth {}, at equal nodes {}.", shown(&tally(2)), shown(&tally(3))),
        ),
        Finding::new(
            "Following stones that open two mills helps at equal depth but not at equal time.",
            all_of([above_half(&tally(4)), not_above(above_half(&tally(5)))]),
            format!("At equal depth {}, at equal nodes {}.", shown(&tally(4)), shown(&tally(5))),
        ),
    ];
    Ok(Outcome { findings, sections })
}

/// Whether nothing was gained.
fn not_above(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Confirmed => Verdict::Refuted,
        _ => Verdict::Confirmed,
    }
}
