//! S4, 2.2: how many moves a position has, how long games are, and how large the tree is.

use serde::Deserialize;

use super::contest;
use crate::conduct::{Conduct, Outcome};
use crate::contest::{From, Match, Score};
use crate::error::StudyError;
use crate::report::{Column, Entry, Finding, Section, Table, Verdict};

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
pub fn procedure(conduct: &mut Conduct) -> Result<Outcome, StudyError> {
    let Complexity { games, nodes, plies } = conduct.parameters()?;
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
    matches
        .push(Match { per_cell: 50, ..Match::othello("Othello, random moves", "random", "random", games) });
    let scores = conduct.matches("games", &matches)?;
    let columns = vec![
        Column::label("players"),
        Column::ours("branching factor"),
        Column::ours("mean plies"),
        Column::ours("shortest"),
        Column::ours("longest"),
        Column::ours("not decided, %"),
        Column::ours("log10 of the game tree"),
        Column::published("branching factor"),
        Column::published("plies"),
        Column::published("log10 of the game tree"),
    ];
    let mut table = Table::new(
        "complexity",
        "Table 1 and section 2.2: the game tree is branching factor to the power of plies",
        columns,
    );
    let tree = |score: &Score| score.mean_plies() * score.branching().log10();
    for (contest, score) in matches.iter().zip(&scores) {
        let printed = if contest.game == "othello" { ["5", "", "58"] } else { ["60-80", "87", "154"] };
        let (shortest, longest) = score.extremes.unwrap_or_default();
        let mut row = vec![
            Entry::text(contest.name.as_str()),
            Entry::number(score.branching(), 1),
            Entry::number(score.mean_plies(), 1),
            Entry::count(shortest),
            Entry::count(longest),
            Entry::percent(score.cut_short as f64 / score.all().games().max(1) as f64),
            Entry::number(tree(score), 0),
        ];
        row.extend(printed.map(Entry::text));
        table.push(row);
    }
    let sections = vec![Section::new(
        "Complexity (table 1)",
        vec![table.into(), conduct.published("1").as_table("published-1").into()],
    )];
    let factors: Vec<f64> = scores[..4].iter().map(Score::branching).collect();
    let inside = factors.iter().filter(|factor| (60.0..=80.0).contains(*factor)).count();
    let findings = vec![
        Finding::new(
            "Abalone's branching factor lies between 60 and 80.",
            Verdict::of(inside >= 2),
            format!(
                "{}.",
                matches
                    .iter()
                    .zip(&factors)
                    .map(|(contest, factor)| format!("{} {factor:.1}", contest.name))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        ),
        Finding::new(
            "A game takes about 87 plies.",
            Verdict::of((60.0..120.0).contains(&scores[2].mean_plies())),
            format!(
                "The engine's games {:.0} plies ({:.0} from the Belgian daisy), the reference player's {:.0}, random ones {:.0} with {:.0}% cut off at {plies}.",
                scores[2].mean_plies(),
                scores[3].mean_plies(),
                scores[1].mean_plies(),
                scores[0].mean_plies(),
                100.0 * scores[0].cut_short as f64 / scores[0].all().games().max(1) as f64
            ),
        ),
    ];
    Ok(Outcome { findings, sections })
}
