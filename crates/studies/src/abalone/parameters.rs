//! S4, 5.1 and 6.1: which parameters of learning are best (tables 2, 4 and 5).

use serde::Deserialize;
use toml::{Table as Toml, Value};

use super::{LearningProtocol, ProtocolVariant, agent, contest, number, training};
use crate::conduct::{Conduct, StudyOutcome};
use crate::contest::{From, Match, MatchScore};
use crate::error::StudyError;
use crate::report::{Column, Entry, Finding, ReportTable, Section};
use crate::statistics::{Estimate, mean};
use crate::training::StudyTraining;

/// What the file of `abalone-parameters` says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    /// Runs of each combination.
    runs: u64,
    /// Combinations that are tried by S4's own protocol: every so many of the 243.
    every: usize,
    /// And by the variant.
    variant_every: usize,
    /// Games against the reference player that rank them.
    test_games: u64,
    /// Games of each two in the tournament of the best tenth.
    tournament_games: u64,
    /// Games are drawn after so many plies.
    plies: u32,
    /// Parameters that all share.
    training: Toml,
    /// Combinations once more, with some parameters changed.
    variant: Option<ProtocolVariant>,
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

/// A combination: its number, the mean difference in marbles of its runs, and which of all runs did best.
type Ranked = (usize, f64, usize);

/// S4, 5.1 and 6.1: which parameters of learning are best (tables 2, 4 and 5).
pub fn procedure(conduct: &mut Conduct) -> Result<StudyOutcome, StudyError> {
    let search: Search = conduct.parameters()?;
    let mut outcome = StudyOutcome {
        findings: Vec::new(),
        sections: vec![Section::new("Values (table 2)", vec![values().into()])],
    };
    for protocol in LearningProtocol::both(&search.training, search.runs, search.variant.as_ref()) {
        follow(conduct, &search, &protocol, &mut outcome)?;
    }
    let published = conduct.published("5").as_table("published-5");
    outcome.sections.push(Section::new("Published (table 5)", vec![published.into()]));
    Ok(outcome)
}

/// The study by one protocol.
fn follow(
    conduct: &mut Conduct,
    search: &Search,
    protocol: &LearningProtocol,
    outcome: &mut StudyOutcome,
) -> Result<(), StudyError> {
    let every = if protocol.name.is_empty() { search.every } else { search.variant_every };
    let numbers: Vec<usize> = (0..243).step_by(every.max(1)).collect();
    let trainings = trainings(conduct, protocol, &numbers);
    conduct.train(&protocol.named("learning"), &trainings)?;
    let against = |training: &StudyTraining| {
        let name = format!("{} against reference", training.name);
        let player = agent(training, conduct);
        contest(name, &player, "reference", search.test_games, From::Random(2), search.plies)
    };
    let matches: Vec<Match> = trainings.iter().map(against).collect();
    let scores = conduct.matches(&protocol.named("against the reference player"), &matches)?;
    let ranking = ranking(&numbers, &scores, protocol.runs as usize);
    let best = &ranking[..(numbers.len() / 10).max(2).min(ranking.len())];
    let tournament = tournament(conduct, best, &trainings, search, protocol)?;
    let counted = occurrences(conduct, best, numbers.len(), protocol);
    outcome.sections.extend([
        Section::new(&protocol.named("The best tenth (table 4)"), vec![counted.into()]),
        Section::new(&protocol.named("Tournament of the best tenth (table 5)"), vec![tournament.into()]),
    ]);
    outcome.findings.extend(findings(conduct, &ranking, protocol));
    Ok(())
}

fn trainings(conduct: &Conduct, protocol: &LearningProtocol, numbers: &[usize]) -> Vec<StudyTraining> {
    let mut trainings = Vec::new();
    for &at in numbers {
        for run in 0..protocol.runs {
            let own: Vec<(&str, Value)> = VALUES
                .iter()
                .zip(combination(at))
                .map(|((name, values), chosen)| match *name {
                    "hidden" => (*name, number(values[chosen] as u64)),
                    _ => (*name, Value::Float(values[chosen])),
                })
                .collect();
            let name = protocol.named(&format!("combination {at} run {run}"));
            trainings.push(training(name, conduct.seed().derive("run", run), &protocol.training, &own));
        }
    }
    trainings
}

/// The best combination first.
fn ranking(numbers: &[usize], scores: &[MatchScore], runs: usize) -> Vec<Ranked> {
    let marbles =
        |score: &MatchScore| (score.margins[0] + score.margins[1]) as f64 / score.all().games().max(1) as f64;
    let mut ranking: Vec<Ranked> = numbers
        .iter()
        .enumerate()
        .map(|(place, &at)| {
            let own: Vec<f64> = scores[place * runs..(place + 1) * runs].iter().map(marbles).collect();
            let best = (0..own.len()).max_by(|&a, &b| own[a].total_cmp(&own[b])).unwrap_or(0);
            (at, mean(&own), place * runs + best)
        })
        .collect();
    ranking.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    ranking
}

fn values() -> ReportTable {
    ReportTable {
        columns: ["parameter", "first", "second", "third"].map(Column::published).into(),
        rows: VALUES
            .iter()
            .map(|(name, values)| {
                [Entry::text(*name)].into_iter().chain(values.map(|value| Entry::number(value, 3))).collect()
            })
            .collect(),
        ..ReportTable::new("table-2", "Table 2: values tried", Vec::new())
    }
}

fn findings(conduct: &Conduct, ranking: &[Ranked], protocol: &LearningProtocol) -> Vec<Finding> {
    let printed = conduct.published("4");
    let by_value = |place: usize| -> [Vec<f64>; 3] {
        std::array::from_fn(|chosen| {
            ranking.iter().filter(|row| combination(row.0)[place] == chosen).map(|row| row.1).collect()
        })
    };
    let finding = |place: usize, claim: &str| {
        let (name, values) = VALUES[place];
        let times = |value: f64| {
            let count = printed.number(&format!("{name} {value}"), "count").unwrap_or_default();
            format!("{value} in {count}")
        };
        let [least, middle, most] = values.map(times);
        let published = format!("of the best 22 combinations {name} {most}, {middle}, {least} (table 4)");
        let marbles = by_value(place);
        let words = format!("{name} {} less {}, marbles a game", values[2], values[0]);
        let means: Vec<String> = values
            .iter()
            .zip(&marbles)
            .map(|(value, marbles)| format!("{name} {value} {:+.2}", mean(marbles)))
            .collect();
        let test = Estimate::between_means(words, &marbles[2], &marbles[0]).above(0.0);
        let evidence = format!("Mean difference in marbles over all combinations: {}.", means.join(", "));
        Finding::tested(protocol.claim(claim), vec![test], evidence)
            .published(published)
            .differs(protocol.differs())
    };
    let risk =
        "Over all combinations a risk of -0.7 wins more marbles against the reference player than none.";
    let lambda =
        "Over all combinations a lambda of 0.7 wins more marbles against the reference player than 0.";
    vec![finding(4, risk), finding(2, lambda)]
}

fn occurrences(conduct: &Conduct, best: &[Ranked], all: usize, protocol: &LearningProtocol) -> ReportTable {
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
    let mut table = ReportTable::new(&protocol.file("table-4"), &protocol.named(&caption), columns);
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
    best: &[Ranked],
    trainings: &[StudyTraining],
    search: &Search,
    protocol: &LearningProtocol,
) -> Result<ReportTable, StudyError> {
    let pairs: Vec<(usize, usize)> =
        (0..best.len()).flat_map(|a| (a + 1..best.len()).map(move |b| (a, b))).collect();
    let player = |at: usize| agent(&trainings[best[at].2], conduct);
    let matches: Vec<Match> = pairs
        .iter()
        .map(|&(a, b)| {
            let name = protocol.named(&format!("tournament {} {}", best[a].0, best[b].0));
            let (a, b, games) = (player(a), player(b), search.tournament_games);
            contest(name, &a, &b, games, From::Random(2), search.plies)
        })
        .collect();
    let scores = conduct.matches(&protocol.named("tournament"), &matches)?;
    let mut points = vec![0_i64; best.len()];
    for (&(a, b), score) in pairs.iter().zip(&scores) {
        let margin = score.margins[0] + score.margins[1];
        points[a] += margin;
        points[b] -= margin;
    }
    let mut order: Vec<usize> = (0..best.len()).collect();
    order.sort_by_key(|&at| (-points[at], best[at].0));
    let columns = ["place", "marbles", "hidden", "epsilon", "rate", "lambda", "kappa"].map(Column::ours);
    let mut table = ReportTable::new(
        &protocol.file("table-5"),
        &protocol.named("Table 5: the best of the tournament by marbles won less lost"),
        columns.into(),
    );
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
