//! S3, chapter 6: networks that learn from their own games (tables 21 to 24, figures 15 to 18), and the combination that S3
//! names as missing.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::{Table as Toml, Value};
use trilith_games::Game;
use trilith_games::othello::Othello;

use super::minimax;
use crate::conduct::{Conduct, StudyOutcome};
use crate::contest::{Match, MatchScore};
use crate::error::StudyError;
use crate::file::PublishedTable;
use crate::report::{Axis, Chart, Column, Entry, Finding, ReportTable, Section, Series};
use crate::statistics::{Estimate, deviation, mean, shown};
use crate::training::{StudyTraining, Trained};

/// What the study's file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeepStudyParameters {
    /// Games against minimax of depth 6 at the end.
    games: u64,
    /// Runs of each variant, with different seeds.
    runs: u64,
    /// Games against minimax of depth 6 at the cycles whose weights S3 kept, in the first run of each variant; 0 for none.
    #[serde(default)]
    cycle_games: u64,
    /// Parameters that all share.
    training: Toml,
    /// What differs, by variant.
    variants: BTreeMap<String, Toml>,
}

/// Variant, published table, figure.
const VARIANTS: [(&str, &str, &str); 5] = [
    ("plain", "21", "15"),
    ("intensified", "22", "16"),
    ("augmented", "23", "17"),
    ("hybrid", "24", "18"),
    ("augmented-hybrid", "", ""),
];

/// Learns, tests, compares.
pub fn procedure(conduct: &mut Conduct) -> Result<StudyOutcome, StudyError> {
    let parameters: DeepStudyParameters = conduct.parameters()?;
    let empty = Toml::new();
    let mut trainings = Vec::new();
    for (variant, number, _) in VARIANTS {
        let own = parameters.variants.get(variant).unwrap_or(&empty);
        let by_cycle = by_cycle(conduct, number, parameters.cycle_games);
        for run in 0..parameters.runs {
            let seed = conduct.seed().derive("deep", run).0;
            let training =
                StudyTraining::new(format!("{variant} {run}"), "deep-value", Othello::NAME, seed, &[]);
            let training = training.with(&parameters.training).with(own);
            trainings.push(if run == 0 { training.with(&by_cycle) } else { training });
        }
    }
    let trained = conduct.train("learning", &trainings)?;
    let runs = conduct.runs();
    let matches: Vec<Match> = trainings
        .iter()
        .map(|training| {
            let own = format!("minimax:depth=1,eval=mlp,file={}", training.artifact(&runs));
            let name = format!("{} against depth 6", training.name);
            Match { per_cell: 10, ..Match::new("othello", name, &own, &minimax(6), parameters.games) }
        })
        .collect();
    let scores = conduct.matches("games", &matches)?;
    let each = parameters.runs as usize;
    let mut sections = Vec::new();
    for (at, (variant, number, figure)) in VARIANTS.into_iter().enumerate() {
        let part = at * each..(at + 1) * each;
        sections.push(section(conduct, (variant, number, figure), &trained[part.clone()], &scores[part]));
    }
    let rates: Vec<Vec<f64>> = scores
        .chunks(each.max(1))
        .map(|scores| scores.iter().map(|score| 100.0 * score.all().rate()).collect())
        .collect();
    let printed = printed(conduct);
    Ok(StudyOutcome { findings: findings(&trained, &scores, &rates, &printed), sections })
}

/// What tests a run against minimax of depth 6 as tables 21 to 24 were: from the first cycle that S3 tested on.
fn by_cycle(conduct: &Conduct, number: &str, games: u64) -> Toml {
    if games == 0 {
        return Toml::new();
    }
    let printed = conduct.published(number).points("number", "black 6");
    let from = printed.first().map_or(150.0, |point| point.0);
    let second = [("second_games", games as i64), ("second_from", from as i64)];
    second.map(|(key, value)| (key.to_owned(), Value::Integer(value))).into_iter().collect()
}

fn section(
    conduct: &Conduct,
    (variant, number, figure): (&str, &str, &str),
    trained: &[Trained],
    scores: &[MatchScore],
) -> Section {
    let published = conduct.published(number);
    let mut ends = ReportTable::new(
        &format!("depth-6-{variant}"),
        "Against minimax of depth 6 at the end",
        ["run", "black %", "white %", "both %"].map(Column::ours).into(),
    );
    for (run, score) in (1..).zip(scores) {
        ends.push(vec![
            Entry::count(run),
            Entry::percent(score.black.rate()),
            Entry::percent(score.white.rate()),
            Entry::percent(score.all().rate()),
        ]);
    }
    let title = match number {
        "" => "Augmented and hybrid together: what S3, 6.4 names as missing".into(),
        number => format!("{variant} (table {number})"),
    };
    let blocks = vec![
        rates(variant, trained.first(), &published).into(),
        ends.into(),
        curve(variant, figure, trained, &published).into(),
    ];
    Section::new(&title, blocks)
}

fn rates(variant: &str, trained: Option<&Trained>, published: &PublishedTable) -> ReportTable {
    let names = ["random, black %", "random, white %", "depth 6, black %", "depth 6, white %"];
    let (ours, theirs) = (names.map(Column::ours), names.map(Column::published));
    let columns = [Column::label("cycle")].into_iter().chain(ours).chain(theirs).collect();
    let name = format!("rates-{variant}");
    let mut table =
        ReportTable::new(&name, "Rates on the way (the first run; against depth 6 where S3 tested)", columns);
    let Some(first) = trained else { return table };
    let (black, white) = (first.curve("cycles", "with black"), first.curve("cycles", "with white"));
    for ((cycle, black), (_, white)) in black.into_iter().zip(white) {
        let cycle = format!("{cycle}");
        let mut row = vec![Entry::text(cycle.as_str())];
        row.extend([black, white].map(|rate| Entry::number(100.0 * rate, 2)));
        row.extend(["black", "white"].map(|colour| {
            let rates = first.curve("cycles", &format!("second with {colour}"));
            let rate = rates.iter().find(|point| format!("{}", point.0) == cycle);
            Entry::maybe(rate.map(|point| 100.0 * point.1), 2)
        }));
        let columns = ["black", "white", "black 6", "white 6"];
        row.extend(columns.map(|column| published.entry(&cycle, column, 2)));
        table.push(row);
    }
    table
}

fn curve(variant: &str, figure: &str, trained: &[Trained], published: &PublishedTable) -> Chart {
    let mut series: Vec<Series> = Vec::new();
    for (run, trained) in (1..).zip(trained) {
        let points = trained.curve("cycles", "strength").into_iter().map(|(x, y)| (x, 100.0 * y)).collect();
        series.push(Series::ours(format!("run {run}, random"), points));
    }
    for colour in ["black", "white"] {
        let first = trained.first();
        let points =
            first.map(|run| run.curve("cycles", &format!("second with {colour}"))).unwrap_or_default();
        if !points.is_empty() {
            let points = points.into_iter().map(|(x, y)| (x, 100.0 * y)).collect();
            series.push(Series::ours(format!("depth 6, {colour}"), points));
        }
    }
    for (column, words) in
        [("black", "random, black"), ("black 6", "depth 6, black"), ("white 6", "depth 6, white")]
    {
        let points = published.points("number", column);
        if !points.is_empty() {
            series.push(Series::published(words, points));
        }
    }
    let caption =
        if figure.is_empty() { "Rates by cycle".into() } else { format!("Rates by cycle (figure {figure})") };
    let name = format!("curve-{variant}");
    Chart::lines(&name, &caption, Axis::even("cycle"), Axis::even("rate, %"), series)
}

const PROTOCOL: &str = "Our runs end after the last cycle; S3 shows the best of several runs and tests many cycles. The author's \
                        scripts are followed where the text is silent (batch of 512, buffer filled with positions first).";

/// The mean published rate against depth 6 of each variant that S3 tried, in words.
fn printed(conduct: &Conduct) -> String {
    let tried = VARIANTS.into_iter().filter(|(_, number, _)| !number.is_empty());
    let mean_rate = |(variant, number, _): (&str, &str, &str)| {
        let published = conduct.published(number);
        let rates = ["black 6", "white 6"].map(|column| published.column(column)).concat();
        format!("{variant} {:.1}%", mean(&rates))
    };
    let words: Vec<String> = tried.map(mean_rate).collect();
    format!("{} against depth 6, means of all cycles tested (tables 21 to 24)", words.join(", "))
}

fn findings(trained: &[Trained], scores: &[MatchScore], rates: &[Vec<f64>], printed: &str) -> Vec<Finding> {
    let each = scores.len() / VARIANTS.len();
    let random: Vec<f64> =
        trained.iter().filter_map(|trained| trained.last("strength")).map(|rate| 100.0 * rate).collect();
    let words: Vec<String> = VARIANTS
        .iter()
        .zip(rates)
        .map(|((variant, ..), rates)| {
            format!("{variant} {:.1}% (spread {:.1})", mean(rates), deviation(rates))
        })
        .collect();
    let words = format!("Against depth 6, means of {each} runs: {}.", words.join(", "));
    let mut plain = scores[0].all();
    scores[1..each].iter().for_each(|score| plain += score.all());
    let apart = |a: usize, b: usize| {
        let quantity = format!("{} less {} against depth 6, points", VARIANTS[a].0, VARIANTS[b].0);
        Estimate::between_means(quantity, &rates[a], &rates[b])
    };
    vec![
        Finding::tested(
            "At the end of learning the network beats random in more than 95% of games.",
            vec![Estimate::mean("against random, all runs, %", &random).above(95.0)],
            format!("{:.1}% in the mean of all runs.", mean(&random)),
        )
        .published("98 to 99% (tables 21 to 24)")
        .differs(PROTOCOL),
        Finding::tested(
            "Plain deep learning beats minimax of depth 6.",
            vec![Estimate::rate("plain against depth 6, %", &plain).above(50.0)],
            format!("Plain: {}.", shown(&plain)),
        )
        .published("56 to 78% with Black, 58 to 72% with White (table 21)")
        .differs(PROTOCOL),
        Finding::tested(
            "Intensified, augmented and hybrid training are not clearly stronger than plain: less than five points.",
            (1..4).map(|at| apart(at, 0).below(5.0)).collect(),
            words.clone(),
        )
        .published(printed)
        .differs(PROTOCOL),
        Finding::tested(
            "The combination that S3 did not try, augmented and hybrid, is the best of all.",
            (0..4).map(|at| apart(4, at).above(0.0)).collect(),
            words,
        )
        .published("not tried (6.4)")
        .differs(PROTOCOL),
    ]
}
