//! S2, 2.10: whether following open mills at the leaves helps, with evaluations that do and do not know open mills.
//!
//! S2 names three ways and prints the second, in which nobody may stand still; the verdicts are about that one.

use serde::Deserialize;
use trilith_arena::statistics::Tally;

use super::{contest, muehle, row, won_lost_drawn};
use crate::conduct::{Conduct, StudyOutcome};
use crate::contest::{Match, MatchScore};
use crate::error::StudyError;
use crate::report::{Finding, Section, VerdictTest};
use crate::statistics::{Estimate, shown};

/// What the study's file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct QuiescenceParameters {
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
    /// The ways that are played: `noisy-only` (as printed), `all-moves`, `stand-pat`. The verdicts are about the first.
    ways: Vec<String>,
}

/// Table, evaluation, what is followed, in words.
const EXPERIMENTS: [(&str, &str, &str, &str); 3] = [
    ("2.12", "klein", "captures", "mills closed, evaluation without open mills (Klein)"),
    ("2.13", "standard", "captures", "mills closed, evaluation with open mills (Standard)"),
    ("2.14", "standard", "forks", "stones that open two mills, Standard"),
];
const LIMITS: [&str; 2] = ["depth", "time"];

/// Plays and compares.
pub fn procedure(conduct: &mut Conduct) -> Result<StudyOutcome, StudyError> {
    let parameters: QuiescenceParameters = conduct.parameters()?;
    if parameters.ways.is_empty() {
        return Err(StudyError::Procedure("ways: expected at least one".into()));
    }
    let scores = conduct.matches("games", &matches(&parameters))?;
    let each = EXPERIMENTS.len() * LIMITS.len();
    let mut sections = Vec::new();
    for (way, scores) in parameters.ways.iter().zip(scores.chunks(each)) {
        sections.extend(tables(conduct, &parameters, way, scores));
    }
    Ok(StudyOutcome { findings: findings(&parameters, &scores[..each]), sections })
}

/// For each way, experiment and limit one match; the player without quiescence is the same in all ways.
fn matches(parameters: &QuiescenceParameters) -> Vec<Match> {
    let QuiescenceParameters { games, depth, nodes, quiescence, plies, ways } = parameters;
    let mut matches = Vec::new();
    for way in ways {
        for (table, eval, noise, _) in EXPERIMENTS {
            for limit in LIMITS {
                let text = if limit == "depth" { format!("depth={depth}") } else { format!("nodes={nodes}") };
                let without = muehle(&format!("eval={eval},{text}"));
                let with = format!("{without},quiescence={quiescence},noise={noise},quiescing={way}");
                let name = format!("{table} {limit} {way}");
                matches.push(contest(name, &with, &without, *games, *plies));
            }
        }
    }
    matches
}

fn tables(
    conduct: &Conduct,
    parameters: &QuiescenceParameters,
    way: &str,
    scores: &[MatchScore],
) -> Vec<Section> {
    let QuiescenceParameters { depth, nodes, .. } = parameters;
    let section = |(at, (number, _, _, words)): (usize, (&str, &str, &str, &str))| {
        let published = conduct.published(number);
        let caption = format!("Table {number}: {words}; quiescence by {way}");
        let name = format!("table-{number}-{way}");
        let mut table = won_lost_drawn(&name, &caption, "with quiescence, at");
        let names = [format!("depth {depth}"), format!("{nodes} nodes")];
        for (limit, (key, name)) in LIMITS.into_iter().zip(names).enumerate() {
            let printed = ["won", "lost", "drawn"].map(|column| published.number(key, column));
            table.push(row(&name, &scores[2 * at + limit].all(), printed));
        }
        Section::new(&format!("{words} ({way})"), vec![table.into()])
    };
    EXPERIMENTS.into_iter().enumerate().map(section).collect()
}

fn findings(parameters: &QuiescenceParameters, scores: &[MatchScore]) -> Vec<Finding> {
    let QuiescenceParameters { depth, nodes, quiescence, ways, .. } = parameters;
    let tally = |at: usize| scores[at].all();
    let estimate =
        |at: usize, words: &str| Estimate::rate(format!("won with quiescence, {words}, %"), &tally(at));
    let at_depth = format!("depth {depth}");
    let at_nodes = format!("{nodes} nodes a move");
    let both = format!("{at_depth} and at {at_nodes}");
    let finding = |claim: String, first: usize, tests: Vec<VerdictTest>, published: &str| {
        let [one, two]: [Tally; 2] = [tally(first), tally(first + 1)];
        let evidence = format!("At {at_depth} {}, at {at_nodes} {}.", shown(&one), shown(&two));
        let protocol = format!(
            "Way {}, at most {quiescence} plies. S2 searched six levels or 700 ms; ours {depth} plies or {nodes} nodes.",
            ways[0]
        );
        Finding::tested(claim, tests, evidence).published(published).differs(protocol)
    };
    vec![
        finding(
            format!(
                "Following closed mills helps an evaluation that does not know open mills (Klein), at {both}."
            ),
            0,
            vec![estimate(0, &at_depth).above(50.0), estimate(1, &at_nodes).above(50.0)],
            "67.2% at six levels, 56.4% at 700 ms (table 2.12)",
        ),
        finding(
            format!(
                "Following closed mills hurts an evaluation that knows open mills (Standard), at {both}."
            ),
            2,
            vec![estimate(2, &at_depth).below(50.0), estimate(3, &at_nodes).below(50.0)],
            "46.7% at six levels, 29.9% at 700 ms (table 2.13)",
        ),
        finding(
            format!(
                "Following stones that open two mills helps Standard at {at_depth} and hurts it at {at_nodes}."
            ),
            4,
            vec![estimate(4, &at_depth).above(50.0), estimate(5, &at_nodes).below(50.0)],
            "56.1% at six levels, 46.4% at 700 ms (table 2.14)",
        ),
    ]
}
