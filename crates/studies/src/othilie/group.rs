//! S1, chapters 5 and 6: polynomials learned by temporal differences, groups A to F.

use serde::Deserialize;
use toml::Table as Toml;
use trilith_arena::statistics::Tally;
use trilith_eval::othello::polynomial::names;
use trilith_games::Game;
use trilith_games::othello::Othello;

use crate::conduct::{Conduct, Outcome};
use crate::error::StudyError;
use crate::plan::Scale;
use crate::report::{Axis, Block, Chart, Column, Entry, Finding, Section, Series, Table, Verdict};
use crate::statistics::{deviation, mean, z};
use crate::training::{Trained, Training};

/// What a group's file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    /// Parameters of the learner `othilie`.
    training: Toml,
}

/// What S1's tests gave for an experiment: P_0 and P_end against random weights and random moves, by pass.
#[derive(Default)]
struct Experiment {
    tests: [[Vec<Tally>; 2]; 2],
    sequence: Vec<Tally>,
}

impl Experiment {
    fn all(&self, test: usize, is_end: bool) -> Tally {
        let mut sum = Tally::default();
        self.tests[test][usize::from(is_end)].iter().for_each(|tally| sum += *tally);
        sum
    }

    /// Shares of games won in the passes, in per cent, as S1 counts: a draw is no win.
    fn shares(&self, test: usize, is_end: bool) -> Vec<f64> {
        self.tests[test][usize::from(is_end)].iter().map(|tally| 100.0 * share(tally)).collect()
    }
}

fn share(tally: &Tally) -> f64 {
    tally.wins as f64 / tally.games().max(1) as f64
}

/// One of the groups A to F: the study's last letter.
pub fn procedure(conduct: &mut Conduct) -> Result<Outcome, StudyError> {
    let Parameters { training: own } = conduct.parameters()?;
    let letter = conduct.name().chars().last().unwrap_or('a').to_ascii_uppercase();
    // All groups begin with the same random polynomials, so that they can be compared.
    let seed = conduct.seed().derive("othilie", 0).0;
    let mut training = Training::new("group", "othilie", Othello::NAME, seed, &[]).with(&own);
    let games = own.get("games").and_then(toml::Value::as_integer).unwrap_or(6500) as u32;
    training.files = &["tests.csv"];
    training.weights_every = (games / 50).max(1);
    let trained = conduct.train("learning and tests", &[training])?.remove(0);
    let experiments = experiments(&trained);
    let likeness = likeness(&trained);
    let sections = vec![
        likeness_section(conduct, letter, &likeness),
        tests_section(conduct, letter, &experiments),
        learning_section(&trained, &experiments),
        weights_section(&trained),
    ];
    Ok(Outcome { findings: findings(conduct, letter, &likeness, &experiments), sections })
}

fn experiments(trained: &Trained) -> Vec<Experiment> {
    let mut all: Vec<Experiment> = Vec::new();
    let text = trained.files.get("tests.csv").map_or("", String::as_str);
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |at: usize| cells.get(at).and_then(|cell| cell.parse::<u64>().ok()).unwrap_or_default();
        let (experiment, test) = (number(0) as usize, number(2));
        let tally = Tally { wins: number(4), draws: number(5), losses: number(6) };
        if all.len() < experiment {
            all.resize_with(experiment, Experiment::default);
        }
        let Some(found) = experiment.checked_sub(1).and_then(|at| all.get_mut(at)) else { continue };
        match (test, cells.get(1).copied()) {
            (2, _) => found.sequence.push(tally),
            (1 | 3, Some(polynomial)) => {
                found.tests[usize::from(test == 3)][usize::from(polynomial == "end")].push(tally);
            }
            _ => {}
        }
    }
    all
}

/// `Q_0`, `Q_end` and three `Q*`, with their names.
fn likeness(trained: &Trained) -> Vec<(String, f64)> {
    let text = trained.provenance.get("likeness").map_or("", String::as_str);
    let pair = |part: &str| {
        let (name, number) = part.trim().rsplit_once(' ')?;
        Some((name.to_owned(), number.parse().ok()?))
    };
    text.split(',').filter_map(pair).collect()
}

const LIKENESS: [&str; 5] = ["Q_0", "Q_6500", "Q*_5000", "Q*_5500", "Q*_6000"];

fn likeness_section(conduct: &Conduct, letter: char, likeness: &[(String, f64)]) -> Section {
    let published = conduct.published("likeness");
    let columns = vec![
        Column::label("measure"),
        Column::ours("ours"),
        Column::published(&format!("group {letter}")),
        Column::published("group E"),
    ];
    let mut table = Table::new(
        "likeness",
        "How alike the polynomials of the three experiments are: 0 is the same",
        columns,
    );
    for ((name, ours), theirs) in likeness.iter().zip(LIKENESS) {
        let digits = if name.contains('*') { 1 } else { 3 };
        table.push(vec![
            Entry::text(name.as_str()),
            Entry::number(*ours, digits),
            published.entry(&letter.to_string(), theirs, digits),
            published.entry("E", theirs, digits),
        ]);
    }
    Section::new("Likeness (tables 5.2, 5.4, 5.6, 5.8, 6.2)", vec![table.into()])
}

fn tests_section(conduct: &Conduct, letter: char, experiments: &[Experiment]) -> Section {
    let mut blocks = Vec::new();
    for (test, number, words) in
        [(0, "test-1", "against random weights"), (1, "test-3", "against random moves")]
    {
        let published = conduct.published(number);
        let columns = vec![
            Column::label("polynomial"),
            Column::ours("passes, % won"),
            Column::ours("mean"),
            Column::ours("deviation"),
            Column::published("mean"),
        ];
        let mut table = Table::new(number, &format!("Games won {words}, in per cent"), columns);
        for (number, experiment) in (1..).zip(experiments) {
            for (is_end, name) in [(false, "start"), (true, "end")] {
                let shares = experiment.shares(test, is_end);
                let passes: Vec<String> = shares.iter().map(|share| format!("{share:.1}")).collect();
                table.push(vec![
                    Entry::text(format!("experiment {number}, {name}")),
                    Entry::text(passes.join("  ")),
                    Entry::number(mean(&shares), 1),
                    Entry::number(deviation(&shares), 2),
                    published.entry(&format!("{letter}{number}"), name, 1),
                ]);
            }
        }
        blocks.push(Block::from(table));
    }
    let sequences: Vec<Series> = (1..)
        .zip(experiments)
        .filter(|(_, experiment)| !experiment.sequence.is_empty())
        .map(|(number, experiment)| {
            let mut sum = Tally::default();
            let points = (1..).zip(&experiment.sequence).map(|(part, tally)| {
                sum += *tally;
                (f64::from(part), 100.0 * share(&sum))
            });
            Series::ours(format!("experiment {number}"), points.collect())
        })
        .collect();
    if !sequences.is_empty() {
        let caption =
            "Test 2: share of games that P_1, P_2, ... have won against P_0 so far (figures 5.3, 5.6, 5.9)";
        let x = Axis::even("part of the learning phase, of 26");
        blocks.push(Chart::lines("test-2", caption, x, Axis::even("won, %"), sequences).into());
    }
    Section::new("Tests (tables 5.3, 5.5, 5.7, 5.9, 5.10, 6.3, 6.4, C.1)", blocks)
}

fn learning_section(trained: &Trained, experiments: &[Experiment]) -> Section {
    let series = (1..=experiments.len().min(3))
        .map(|number| {
            let mut sum = 0.0;
            let steps = trained.curve("games", &format!("wins of {number}"));
            let points = steps.into_iter().map(|(games, wins)| {
                sum += wins;
                (games, sum)
            });
            Series::ours(format!("experiment {number}"), points.collect())
        })
        .collect();
    let wins = Chart::lines(
        "wins",
        "Games that the learning component has won so far (figures 5.2, 5.5, 5.8, 5.11, 6.2, D.1)",
        Axis::even("learning games"),
        Axis::even("games won"),
        series,
    );
    let q = Chart::lines(
        "q-by-game",
        "Q after each step of learning",
        Axis::even("learning games"),
        Axis::even("Q"),
        vec![Series::ours("Q", trained.curve("games", "q"))],
    );
    Section::new("Learning", vec![wins.into(), q.into()])
}

/// Features shown one by one, as in figures 5.12, 5.14 and 6.3.
const SHOWN: [usize; 6] = [0, 16, 32, 33, 38, 39];

fn weights_section(trained: &Trained) -> Section {
    let names: Vec<String> = names().collect();
    let experiments = trained.weights.iter().map(|(series, ..)| *series).max().unwrap_or(0);
    // Four digits are more than a picture shows, and keep files small.
    let rounded = |weight: f64| (1e4 * weight).round() / 1e4;
    let line = |series: u32, feature: usize| -> Vec<(f64, f64)> {
        let rows = trained.weights.iter().filter(|row| row.0 == series);
        rows.filter_map(|(_, number, weights)| Some((f64::from(*number), rounded(*weights.get(feature)?))))
            .collect()
    };
    let mut blocks: Vec<Block> = Vec::new();
    for series in 1..=experiments {
        for (side, slug, words) in [("own", "own", "the player's"), ("other", "other", "the opponent's")] {
            let features = (0..names.len()).filter(|&at| names[at].starts_with(side));
            let lines = features.map(|at| Series::ours(names[at].as_str(), line(series, at))).collect();
            blocks.push(
                Chart::lines(
                    &format!("weights-{series}-{slug}"),
                    &format!("Experiment {series}: all weights of {words} features (figures 5.1, 5.4, 5.7, 5.10, 5.13, 6.1, C.1)"),
                    Axis::even("learning games"),
                    Axis::even("weight"),
                    lines,
                )
                .into(),
            );
        }
    }
    for feature in SHOWN {
        let lines = (1..=experiments)
            .map(|series| Series::ours(format!("experiment {series}"), line(series, feature)));
        blocks.push(
            Chart::lines(
                &format!("feature-{feature}"),
                &format!("The weight of `{}` in all experiments (figures 5.12, 5.14, 6.3)", names[feature]),
                Axis::even("learning games"),
                Axis::even("weight"),
                lines.collect(),
            )
            .into(),
        );
    }
    Section::new("Weights", blocks)
}

fn findings(
    conduct: &Conduct,
    letter: char,
    likeness: &[(String, f64)],
    experiments: &[Experiment],
) -> Vec<Finding> {
    let published = conduct.published("likeness");
    let q = |at: usize| likeness.get(at).map_or(f64::NAN, |pair| pair.1);
    let theirs = published.number(&letter.to_string(), "Q_6500").unwrap_or(f64::NAN);
    // Published: A to C end at 5.8 to 9.8, E and F at 1.2 and 2.4; the middle between them on a scale of factors.
    const APART: f64 = 3.7;
    let is_alike = q(1) < APART;
    let printed =
        if theirs.is_nan() { "none published".into() } else { format!("published: to {theirs:.3}") };
    let evidence = format!("Q from {:.2} to {:.3} ({printed}).", q(0), q(1));
    let expected = matches!(letter, 'E' | 'F');
    // Polynomials settle over thousands of games: fewer say nothing about where they end.
    let likeness_verdict = match conduct.scale() {
        Scale::Full => Verdict::of(is_alike == expected),
        _ => Verdict::Open,
    };
    let claim = match letter {
        'E' => "With a differentiation factor of 1.5 the three experiments end in similar polynomials.",
        'F' => "With the modified difference the three experiments end in similar polynomials.",
        _ => "Without either change the three experiments end in different polynomials.",
    };
    let ends: Vec<f64> =
        experiments.iter().map(|experiment| 100.0 * share(&experiment.all(0, true))).collect();
    let words: Vec<String> = ends.iter().map(|end| format!("{end:.1}%")).collect();
    let stronger = experiments
        .iter()
        .filter(|experiment| z(&experiment.all(0, true), &experiment.all(0, false)) > 2.0)
        .count();
    let mut all = vec![
        Finding::new(claim, likeness_verdict, evidence),
        Finding::new(
            "The random player that searches is much stronger than the one that moves at random.",
            Verdict::of(experiments.iter().all(|it| share(&it.all(1, true)) > share(&it.all(0, true)))),
            format!(
                "Against it the results win {}, against random moves {:.1}% in the mean.",
                words.join(", "),
                mean(&experiments.iter().map(|it| 100.0 * share(&it.all(1, true))).collect::<Vec<_>>())
            ),
        ),
    ];
    if letter == 'F' {
        all.push(Finding::new(
            "With the modified difference the results are stronger than their random starts.",
            Verdict::of(stronger == experiments.len()),
            format!("{stronger} of {} are, beyond two standard errors.", experiments.len()),
        ));
    } else {
        let spread = deviation(&ends);
        let is_close = spread < 4.0;
        all.push(Finding::new(
            match letter {
                'E' => "With a differentiation factor of 1.5 the results are equally strong.",
                _ => "Without either change the results differ in strength.",
            },
            Verdict::of(is_close == expected),
            format!("Won against random weights: {}; deviation {spread:.1}.", words.join(", ")),
        ));
    }
    all
}
