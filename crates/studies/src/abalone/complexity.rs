//! S4, 2.2: how many moves a position has, how long games are, and how large the tree is.

use serde::Deserialize;

use super::contest;
use crate::conduct::{Conduct, StudyOutcome};
use crate::contest::{From, Match, MatchScore};
use crate::error::StudyError;
use crate::report::{Column, Entry, Finding, ReportTable, Section};
use crate::statistics::Estimate;

/// What the file of `abalone-complexity` says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Complexity {
    /// Games of each kind.
    games: u64,
    /// Nodes a move of the engine.
    nodes: u64,
    /// Games are drawn after so many plies.
    plies: u32,
}

/// S4, table 1: branching factor, length of games and what follows from them.
pub fn procedure(conduct: &mut Conduct) -> Result<StudyOutcome, StudyError> {
    let Complexity { games, nodes, plies } = conduct.parameters()?;
    let matches = matches(games, nodes, plies);
    let cells = conduct.match_cells("games", &matches)?;
    let sum =
        |cells: &Vec<MatchScore>| cells.iter().fold(MatchScore::default(), |sum, score| sum.merge(score));
    let scores: Vec<MatchScore> = cells.iter().map(sum).collect();
    let table = table(&matches, &scores);
    let blocks = vec![table.into(), conduct.published("1").as_table("published-1").into()];
    let sections = vec![Section::new("Complexity (table 1)", blocks)];
    Ok(StudyOutcome { findings: findings(&matches, &cells, &scores, plies), sections })
}

fn matches(games: u64, nodes: u64, plies: u32) -> Vec<Match> {
    let engine = format!("engine:nodes={nodes},radius=0.05");
    let kinds = [
        ("random moves", "random".to_owned(), From::Start, String::new()),
        ("S4's reference player", "reference".into(), From::Random(4), String::new()),
        ("the engine", engine.clone(), From::Random(4), String::new()),
        ("the engine, Belgian daisy", engine, From::Random(4), "layout=belgian-daisy".into()),
    ];
    let mut matches: Vec<Match> = kinds
        .iter()
        .map(|(name, player, openings, rules)| {
            let contest = contest(*name, player, player, games, openings.clone(), plies);
            Match { rules: rules.clone(), ..contest }
        })
        .collect();
    matches.push(Match {
        per_cell: 50,
        ..Match::new("othello", "Othello, random moves", "random", "random", games)
    });
    matches
}

fn table(matches: &[Match], scores: &[MatchScore]) -> ReportTable {
    let ours =
        ["branching factor", "mean plies", "shortest", "longest", "not decided, %", "log10 of the game tree"];
    let theirs = ["branching factor", "plies", "log10 of the game tree"];
    let columns = [Column::label("players")].into_iter().chain(ours.map(Column::ours));
    let columns = columns.chain(theirs.map(Column::published)).collect();
    let mut table = ReportTable::new(
        "complexity",
        "Table 1 and section 2.2: the game tree is branching factor to the power of plies",
        columns,
    );
    for (contest, score) in matches.iter().zip(scores) {
        let printed = if contest.game == "othello" { ["5", "", "58"] } else { ["60-80", "87", "154"] };
        let (shortest, longest) = score.extremes.unwrap_or_default();
        let mut row = vec![
            Entry::text(contest.name.as_str()),
            Entry::number(score.branching(), 1),
            Entry::number(score.mean_plies(), 1),
            Entry::count(shortest),
            Entry::count(longest),
            Entry::percent(score.cut_short as f64 / score.all().games().max(1) as f64),
            Entry::number(score.mean_plies() * score.branching().log10(), 0),
        ];
        row.extend(printed.map(Entry::text));
        table.push(row);
    }
    table
}

fn findings(matches: &[Match], cells: &[Vec<MatchScore>], scores: &[MatchScore], plies: u32) -> Vec<Finding> {
    let by_cell = |at: usize, of: fn(&MatchScore) -> f64, words: &str| {
        let numbers: Vec<f64> = cells[at].iter().map(of).collect();
        Estimate::mean(format!("{words} of {}", matches[at].name), &numbers)
    };
    let named: Vec<String> = matches[..4]
        .iter()
        .zip(scores)
        .map(|(contest, score)| format!("{} {:.1}", contest.name, score.branching()))
        .collect();
    let branching = |at| by_cell(at, MatchScore::branching, "branching factor").within(60.0, 80.0);
    let length = |at| by_cell(at, MatchScore::mean_plies, "mean plies").within(86.5, 87.5);
    let protocol = format!(
        "S4 takes its numbers from other work; ours are means over positions of whole games, cut off at {plies} plies."
    );
    let lengths: Vec<String> = matches[..4]
        .iter()
        .zip(scores)
        .map(|(contest, score)| {
            let undecided = 100.0 * score.cut_short as f64 / score.all().games().max(1) as f64;
            format!("{} {:.0} plies ({undecided:.0}% cut off)", contest.name, score.mean_plies())
        })
        .collect();
    vec![
        Finding::tested(
            "In games of S4's reference player and of the engine the branching factor lies between 60 and 80.",
            vec![branching(1), branching(2)],
            format!("{}.", named.join(", ")),
        )
        .published("60 to 80 (2.2, table 1)")
        .differs(protocol.as_str()),
        Finding::tested(
            "A game between engines takes 87 plies.",
            vec![length(2)],
            format!("{}.", lengths.join(", ")),
        )
        .published("87 (table 1)")
        .differs(protocol),
    ]
}
