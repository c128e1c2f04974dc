//! S4, 5.1 and 6.1: which parameters of learning are best (tables 2, 4 and 5).

use serde::Deserialize;
use toml::{Table as Toml, Value};

use super::{agent, contest, judged, number, training};
use crate::conduct::{Conduct, Outcome};
use crate::contest::{From, Match, Score};
use crate::error::StudyError;
use crate::report::{Column, Entry, Finding, Section, Table};
use crate::statistics::{mean, welch};
use crate::training::Training;

/// What the file of `abalone-parameters` says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    /// Runs of each combination.
    runs: u64,
    /// Combinations that are tried: every so many of the 243.
    every: usize,
    /// Games against the reference player that rank them.
    test_games: u64,
    /// Games of each two in the tournament of the best tenth.
    tournament_games: u64,
    /// Games are drawn after so many plies.
    plies: u32,
    /// Parameters that all share.
    training: Toml,
}

/// Table 2: parameter and its three values.
const VALUES: [(&str, [f64; 3]); 5] = [
    ("epsilon", [0.01, 0.05, 0.2]),
    ("rate", [0.1, 0.05, 0.005]),
    ("lambda", [0.0, 0.35, 0.7]),
    ("hidden", [8.0, 16.0, 32.0]),
    ("kappa", [0.0, -0.35, -0.7]),
];

fn combination(number: usize) -> [usize; 5] {
    [81, 27, 9, 3, 1].map(|power| number / power % 3)
}

/// S4, 5.1 and 6.1: which parameters of learning are best (tables 2, 4 and 5).
pub fn procedure(conduct: &mut Conduct) -> Result<Outcome, StudyError> {
    let Search { runs, every, test_games, tournament_games, plies, training: shared } =
        conduct.parameters()?;
    let seed = conduct.seed();
    let numbers: Vec<usize> = (0..243).step_by(every.max(1)).collect();
    let mut trainings = Vec::new();
    for &at in &numbers {
        for run in 0..runs {
            let own: Vec<(&str, Value)> = VALUES
                .iter()
                .zip(combination(at))
                .map(|((name, values), chosen)| match *name {
                    "hidden" => (*name, number(values[chosen] as u64)),
                    _ => (*name, Value::Float(values[chosen])),
                })
                .collect();
            trainings.push(training(
                format!("combination {at} run {run}"),
                seed.derive("run", run),
                &shared,
                &own,
            ));
        }
    }
    conduct.train("learning", &trainings)?;
    let against = |training: &Training| {
        let name = format!("{} against reference", training.name);
        contest(name, &agent(training, conduct), "reference", test_games, From::Random(2), plies)
    };
    let matches: Vec<Match> = trainings.iter().map(against).collect();
    let scores = conduct.matches("against the reference player", &matches)?;
    // By combination: the mean difference in marbles of its runs, and which run did best.
    let marbles =
        |score: &Score| (score.margins[0] + score.margins[1]) as f64 / score.all().games().max(1) as f64;
    let mut ranking: Vec<(usize, f64, usize)> = numbers
        .iter()
        .enumerate()
        .map(|(place, &at)| {
            let own: Vec<f64> =
                scores[place * runs as usize..(place + 1) * runs as usize].iter().map(marbles).collect();
            let best = (0..own.len()).max_by(|&a, &b| own[a].total_cmp(&own[b])).unwrap_or(0);
            (at, mean(&own), place * runs as usize + best)
        })
        .collect();
    ranking.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let best = &ranking[..(numbers.len() / 10).max(2).min(ranking.len())];
    let tournament = tournament(conduct, best, &trainings, tournament_games, plies)?;
    let counted = occurrences(conduct, best, numbers.len());
    let kappas: Vec<Vec<f64>> = (0..3)
        .map(|chosen| ranking.iter().filter(|row| combination(row.0)[4] == chosen).map(|row| row.1).collect())
        .collect();
    let lambdas: Vec<Vec<f64>> = (0..3)
        .map(|chosen| ranking.iter().filter(|row| combination(row.0)[2] == chosen).map(|row| row.1).collect())
        .collect();
    let findings = vec![
        Finding::new(
            "A negative risk parameter helps (kappa -0.7 best).",
            judged(welch(&kappas[2], &kappas[0])),
            format!(
                "Mean difference in marbles over all combinations: kappa 0 {:+.2}, -0.35 {:+.2}, -0.7 {:+.2} (z of -0.7 against 0: {:.1}).",
                mean(&kappas[0]),
                mean(&kappas[1]),
                mean(&kappas[2]),
                welch(&kappas[2], &kappas[0])
            ),
        ),
        Finding::new(
            "Lambda above zero helps (0.7 best).",
            judged(welch(&lambdas[2], &lambdas[0])),
            format!(
                "lambda 0 {:+.2}, 0.35 {:+.2}, 0.7 {:+.2} (z of 0.7 against 0: {:.1}).",
                mean(&lambdas[0]),
                mean(&lambdas[1]),
                mean(&lambdas[2]),
                welch(&lambdas[2], &lambdas[0])
            ),
        ),
    ];
    let values = Table {
        columns: ["parameter", "first", "second", "third"].map(Column::published).into(),
        rows: VALUES
            .iter()
            .map(|(name, values)| {
                [Entry::text(*name)].into_iter().chain(values.map(|value| Entry::number(value, 3))).collect()
            })
            .collect(),
        ..Table::new("table-2", "Table 2: values tried", Vec::new())
    };
    let sections = vec![
        Section::new("Values (table 2)", vec![values.into()]),
        Section::new("The best tenth (table 4)", vec![counted.into()]),
        Section::new(
            "Tournament of the best tenth (table 5)",
            vec![tournament.into(), conduct.published("5").as_table("published-5").into()],
        ),
    ];
    Ok(Outcome { findings, sections })
}

fn occurrences(conduct: &Conduct, best: &[(usize, f64, usize)], all: usize) -> Table {
    let published = conduct.published("4");
    let columns = vec![
        Column::label("parameter"),
        Column::label("value"),
        Column::ours("among the best"),
        Column::published("among the best"),
    ];
    let caption = format!(
        "Table 4: how often a value occurs among the best {} of {all} combinations (published: 22 of 243)",
        best.len()
    );
    let mut table = Table::new("table-4", &caption, columns);
    for (place, (name, values)) in VALUES.iter().enumerate() {
        for (chosen, value) in values.iter().enumerate() {
            let count = best.iter().filter(|row| combination(row.0)[place] == chosen).count() as u64;
            let key = format!("{name} {value}");
            table.push(vec![
                Entry::text(*name),
                Entry::text(value.to_string()),
                Entry::count(count),
                published.entry(&key, "count", 0),
            ]);
        }
    }
    table
}

fn tournament(
    conduct: &mut Conduct,
    best: &[(usize, f64, usize)],
    trainings: &[Training],
    games: u64,
    plies: u32,
) -> Result<Table, StudyError> {
    let pairs: Vec<(usize, usize)> =
        (0..best.len()).flat_map(|a| (a + 1..best.len()).map(move |b| (a, b))).collect();
    let player = |at: usize| agent(&trainings[best[at].2], conduct);
    let matches: Vec<Match> = pairs
        .iter()
        .map(|&(a, b)| {
            let name = format!("tournament {} {}", best[a].0, best[b].0);
            contest(name, &player(a), &player(b), games, From::Random(2), plies)
        })
        .collect();
    let scores = conduct.matches("tournament", &matches)?;
    let mut points = vec![0_i64; best.len()];
    for (&(a, b), score) in pairs.iter().zip(&scores) {
        let margin = score.margins[0] + score.margins[1];
        points[a] += margin;
        points[b] -= margin;
    }
    let mut order: Vec<usize> = (0..best.len()).collect();
    order.sort_by_key(|&at| (-points[at], best[at].0));
    let columns = ["place", "marbles", "hidden", "epsilon", "rate", "lambda", "kappa"].map(Column::ours);
    let mut table =
        Table::new("table-5", "Table 5: the best of the tournament by marbles won less lost", columns.into());
    for (place, &at) in order.iter().take(5).enumerate() {
        let chosen = combination(best[at].0);
        let value = |parameter: usize| Entry::text(VALUES[parameter].1[chosen[parameter]].to_string());
        table.push(vec![
            Entry::count(place as u64 + 1),
            Entry::number(points[at] as f64, 0),
            value(3),
            value(0),
            value(1),
            value(2),
            value(4),
        ]);
    }
    Ok(table)
}
