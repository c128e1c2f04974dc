//! S3, chapter 6: networks that learn from their own games (tables 21 to 24, figures 15 to 18), and the combination that S3
//! names as missing.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Table as Toml;
use trilith_games::Game;
use trilith_games::othello::Othello;

use super::minimax;
use crate::conduct::{Conduct, Outcome};
use crate::contest::{Match, Score};
use crate::error::StudyError;
use crate::report::{Axis, Chart, Column, Entry, Finding, Section, Series, Table, Verdict};
use crate::statistics::{above_half, deviation, mean, shown};
use crate::training::{Trained, Training};

/// What the study's file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    /// Games against minimax of depth 6 at the end.
    games: u64,
    /// Runs of each variant, with different seeds.
    runs: u64,
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
pub fn procedure(conduct: &mut Conduct) -> Result<Outcome, StudyError> {
    let parameters: Parameters = conduct.parameters()?;
    let empty = Toml::new();
    let mut trainings = Vec::new();
    for (variant, ..) in VARIANTS {
        let own = parameters.variants.get(variant).unwrap_or(&empty);
        for run in 0..parameters.runs {
            let seed = conduct.seed().derive("deep", run).0;
            let training = Training::new(format!("{variant} {run}"), "deep-value", Othello::NAME, seed, &[]);
            trainings.push(training.with(&parameters.training).with(own));
        }
    }
    let trained = conduct.train("learning", &trainings)?;
    let runs = conduct.runs();
    let matches: Vec<Match> = trainings
        .iter()
        .map(|training| {
            let own = format!("minimax:depth=1,eval=mlp,file={}", training.artifact(&runs));
            let name = format!("{} against depth 6", training.name);
            Match { per_cell: 10, ..Match::othello(name, &own, &minimax(6), parameters.games) }
        })
        .collect();
    let scores = conduct.matches("games", &matches)?;
    let each = parameters.runs as usize;
    let mut sections = Vec::new();
    for (at, (variant, number, figure)) in VARIANTS.into_iter().enumerate() {
        let part = at * each..(at + 1) * each;
        sections.push(section(conduct, variant, number, figure, &trained[part.clone()], &scores[part]));
    }
    let rates: Vec<Vec<f64>> = scores
        .chunks(each.max(1))
        .map(|scores| scores.iter().map(|score| score.all().rate()).collect())
        .collect();
    Ok(Outcome { findings: findings(&trained, &scores, &rates, each), sections })
}

fn section(
    conduct: &Conduct,
    variant: &str,
    number: &str,
    figure: &str,
    trained: &[Trained],
    scores: &[Score],
) -> Section {
    let published = conduct.published(number);
    let columns = vec![
        Column::label("cycle"),
        Column::ours("random, black %"),
        Column::ours("random, white %"),
        Column::published("random, black %"),
        Column::published("random, white %"),
        Column::published("depth 6, black %"),
        Column::published("depth 6, white %"),
    ];
    let name = format!("rates-{variant}");
    let mut table = Table::new(&name, "Rates against random on the way (the first run)", columns);
    if let Some(first) = trained.first() {
        let (black, white) = (first.curve("cycles", "with black"), first.curve("cycles", "with white"));
        for ((cycle, black), (_, white)) in black.into_iter().zip(white) {
            let cycle = format!("{cycle}");
            let mut row = vec![
                Entry::text(cycle.as_str()),
                Entry::number(100.0 * black, 2),
                Entry::number(100.0 * white, 2),
            ];
            row.extend(
                ["black", "white", "black 6", "white 6"].map(|column| published.entry(&cycle, column, 2)),
            );
            table.push(row);
        }
    }
    let mut ends = Table::new(
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
    let mut series: Vec<Series> = Vec::new();
    for (run, trained) in (1..).zip(trained) {
        let points = trained.curve("cycles", "strength").into_iter().map(|(x, y)| (x, 100.0 * y)).collect();
        series.push(Series::ours(format!("run {run}, random"), points));
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
    let chart = Chart::lines(
        &format!("curve-{variant}"),
        &caption,
        Axis::even("cycle"),
        Axis::even("rate, %"),
        series,
    );
    let title = match number {
        "" => "Augmented and hybrid together: what S3, 6.4 names as missing".into(),
        number => format!("{variant} (table {number})"),
    };
    Section::new(&title, vec![table.into(), ends.into(), chart.into()])
}

fn findings(trained: &[Trained], scores: &[Score], rates: &[Vec<f64>], each: usize) -> Vec<Finding> {
    let random: Vec<f64> = trained.iter().filter_map(|trained| trained.last("strength")).collect();
    let words: Vec<String> = VARIANTS
        .iter()
        .zip(rates)
        .map(|((variant, ..), rates)| {
            format!("{variant} {:.1}% (spread {:.1})", 100.0 * mean(rates), 100.0 * deviation(rates))
        })
        .collect();
    let words = format!("Against depth 6, means of {each} runs: {}.", words.join(", "));
    let mut all = scores[0].all();
    scores[1..each].iter().for_each(|score| all += score.all());
    let best = rates.iter().map(|rates| mean(rates)).fold(0.0, f64::max);
    vec![
        Finding::new(
            "Within a few cycles the network beats random nearly always.",
            Verdict::of(random.iter().all(|rate| *rate > 0.95)),
            format!("At the end {:.1}% in the mean of all runs.", 100.0 * mean(&random)),
        ),
        Finding::new(
            "Deep learning beats minimax of depth 6.",
            above_half(&all),
            format!("Plain: {} (S3: 56% to 78% with Black, 58% to 72% with White).", shown(&all)),
        ),
        Finding::new(
            "Intensified, augmented and hybrid training are not clearly stronger than plain.",
            Verdict::of(rates[1..4].iter().all(|variant| mean(variant) < mean(&rates[0]) + 0.05)),
            words.clone(),
        ),
        Finding::new(
            "The combination that S3 did not try, augmented and hybrid, is the best of all.",
            match each {
                0..2 => Verdict::Open,
                _ => Verdict::of(mean(&rates[4]) >= best),
            },
            words,
        ),
    ]
}
