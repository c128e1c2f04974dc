//! S5, chapter 3: three ways to weigh features, with and without consistent signs (tables 3.1 and 3.2, figures 3.3 to 3.6).

use serde::{Deserialize, Serialize};
use trilith_base::Artifact;
use trilith_eval::othello::logistello::Combination;
use trilith_learn::run::{Folder, RunError};

use super::features::training;
use super::{Data, contest, examples, generate};
use crate::conduct::{Conduct, StudyOutcome};
use crate::contest::MatchScore;
use crate::error::StudyError;
use crate::report::{Axis, Block, Chart, Column, Entry, Finding, ReportTable, Section, Series};
use crate::statistics::{Estimate, half_width, shown};
use crate::training::{StudyTraining, Trained};

/// What the study's file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WeighingParameters {
    /// Games to learn from.
    data: Data,
    /// Games of each two.
    games: u64,
    /// Nodes a move.
    nodes: u64,
    /// Discs of figures 3.3 and 3.4.
    discs: u32,
}

const FORMS: [&str; 5] = ["log", "fisher", "quad", "log+", "fisher+"];
/// Tables 3.1 and 3.2: number, pairs. QUAD is slower by a quarter (S5) and has as many nodes less; QUAD* has all of them.
const PAIRS: [(&str, [(&str, &str); 5]); 2] = [
    ("3.1", [("LOG", "QUAD"), ("FISHER", "QUAD"), ("LOG", "FISHER"), ("LOG", "QUAD*"), ("QUAD*", "FISHER")]),
    ("3.2", [("LOG+", "QUAD"), ("LOG+", "FISHER+"), ("LOG+", "QUAD*"), ("LOG+", "FISHER"), ("LOG+", "LOG")]),
];

/// The densities of a feature among won and lost positions.
#[derive(Serialize, Deserialize)]
struct Density {
    name: String,
    /// Middle of each bin, share of won and of lost positions in it.
    bins: Vec<(f64, f64, f64)>,
}

/// Fits, plays, compares.
pub fn procedure(conduct: &mut Conduct) -> Result<StudyOutcome, StudyError> {
    let WeighingParameters { data, games, nodes, discs } = conduct.parameters()?;
    let path = generate(conduct, data)?;
    let trainings: Vec<StudyTraining> = FORMS.iter().map(|form| training(conduct, data, form)).collect();
    let trained = conduct.train("fits", &trainings)?;
    let runs = conduct.runs();
    let player = |name: &str| {
        let form = name.trim_end_matches('*').to_lowercase();
        let at = FORMS.iter().position(|known| *known == form).unwrap_or(0);
        let nodes = if name == "QUAD" { nodes * 3 / 4 } else { nodes };
        format!(
            "engine:nodes={nodes},selectivity=off,eval=combination,file={}",
            trainings[at].artifact(&runs)
        )
    };
    let pairs: Vec<(&str, &str)> = PAIRS.iter().flat_map(|(_, pairs)| pairs).copied().collect();
    let matches: Vec<_> = pairs
        .iter()
        .map(|(a, b)| contest(format!("{a} against {b}"), &player(a), &player(b), games))
        .collect();
    let scores = conduct.matches("games", &matches)?;
    let artifact = runs.join(trainings[0].place()).join(Folder::ARTIFACT);
    let densities: Vec<Density> = conduct.here("densities", move |_, _| {
        let file = Artifact::load(&artifact).map_err(RunError::from)?;
        let combined = Combination::from_artifact(&file).map_err(RunError::from)?;
        densities(&combined, &examples(&path, |_| true)?, discs)
    })?;
    let mut sections = Vec::new();
    for (at, (number, pairs)) in PAIRS.iter().enumerate() {
        sections.push(results(conduct, number, pairs, &scores[5 * at..5 * at + 5], games, nodes));
    }
    sections.push(density_section(&densities, discs));
    sections.push(weights_section(&trained));
    Ok(StudyOutcome { findings: findings(&pairs, &scores, nodes), sections })
}

fn results(
    conduct: &Conduct,
    number: &str,
    pairs: &[(&str, &str)],
    scores: &[MatchScore],
    games: u64,
    nodes: u64,
) -> Section {
    let published = conduct.published(number);
    let ours = ["won", "drawn", "lost", "rate, %", "\u{b1}"].map(Column::ours);
    let theirs = ["won", "drawn", "lost", "rate, %"].map(Column::published);
    let columns = [Column::label("players")].into_iter().chain(ours).chain(theirs).collect();
    let caption = format!(
        "Table {number}: {games} games at {nodes} nodes a move (QUAD a quarter less); S5's 70 at half an hour"
    );
    let mut table = ReportTable::new(&format!("table-{number}"), &caption, columns);
    for ((a, b), score) in pairs.iter().zip(scores) {
        let (all, name) = (score.all(), format!("{a} - {b}"));
        let mut row = vec![
            Entry::text(name.as_str()),
            Entry::count(all.wins),
            Entry::count(all.draws),
            Entry::count(all.losses),
            Entry::percent(all.rate()),
            Entry::number(100.0 * half_width(&all), 1),
        ];
        row.extend(["won", "drawn", "lost"].map(|column| published.entry(&name, column, 0)));
        row.push(published.entry(&name, "rate", 1));
        table.push(row);
    }
    Section::new(&format!("Results (table {number})"), vec![table.into()])
}

const BINS: usize = 40;

fn densities(
    combined: &Combination,
    examples: &[trilith_learn::logistello::tree::Example],
    discs: u32,
) -> Result<Vec<Density>, StudyError> {
    let features = combined.features();
    let chosen: Vec<_> = examples.iter().filter(|it| it.discs() == discs && it.margin != 0).collect();
    let names = ["corner2x4", "mobility"];
    let density = |name: &str| {
        let at = features.sources().iter().position(|(known, _)| known == name)?;
        let numbers: Vec<(f64, bool)> = chosen
            .iter()
            .map(|example| {
                let position = example.position();
                let value = features.values(&position, &features.begin(&position))[at];
                (value, (example.margin > 0) == example.is_black)
            })
            .collect();
        let most = numbers.iter().map(|pair| pair.0.abs()).fold(1.0, f64::max);
        let mut counts = vec![(0.0, 0.0); BINS];
        for (value, is_won) in &numbers {
            let bin = (((value / most + 1.0) / 2.0 * BINS as f64) as usize).min(BINS - 1);
            let count = &mut counts[bin];
            if *is_won { count.0 += 1.0 } else { count.1 += 1.0 }
        }
        let all = counts.iter().fold((0.0_f64, 0.0_f64), |sum, count| (sum.0 + count.0, sum.1 + count.1));
        let bins = counts.iter().enumerate().map(|(at, count)| {
            let middle = ((at as f64 + 0.5) / BINS as f64 * 2.0 - 1.0) * most;
            (middle, count.0 / all.0.max(1.0), count.1 / all.1.max(1.0))
        });
        Some(Density { name: name.into(), bins: bins.collect() })
    };
    Ok(names.iter().filter_map(|name| density(name)).collect())
}

fn density_section(densities: &[Density], discs: u32) -> Section {
    let chart = |(density, figure): (&Density, &str)| -> Block {
        let points =
            |of: fn(&(f64, f64, f64)) -> f64| density.bins.iter().map(|bin| (bin.0, of(bin))).collect();
        let chance = density
            .bins
            .iter()
            .filter(|bin| bin.1 + bin.2 > 0.002)
            .map(|bin| (bin.0, 0.1 * bin.1 / (bin.1 + bin.2)))
            .collect();
        let series = vec![
            Series::ours("won positions", points(|bin| bin.1)),
            Series::ours("lost positions", points(|bin| bin.2)),
            Series::ours("chance of winning, tenths", chance),
        ];
        let caption = format!("`{}` at {discs} discs for the side to move (figure {figure})", density.name);
        let name = format!("figure-{figure}");
        Chart::lines(&name, &caption, Axis::even("feature"), Axis::even("share of positions"), series).into()
    };
    Section::new("Densities (figures 3.3 and 3.4)", densities.iter().zip(["3.3", "3.4"]).map(chart).collect())
}

fn weights_section(trained: &[Trained]) -> Section {
    let chart = |at: usize, figure: &str, words: &str| -> Block {
        let text = trained[at].files.get("standardised.csv").map_or("", String::as_str);
        let mut lines = text.lines();
        let names: Vec<&str> = lines.next().unwrap_or_default().split(',').skip(1).collect();
        let rows: Vec<Vec<f64>> = lines
            .map(|line| line.split(',').map(|cell| cell.parse().unwrap_or(f64::NAN)).collect())
            .collect();
        let series = names.iter().enumerate().map(|(column, name)| {
            let points = rows.iter().filter_map(|row| Some((*row.first()?, *row.get(column + 1)?)));
            Series::ours(*name, points.collect())
        });
        let caption = format!("Standardised weights of {words} by discs (figure {figure})");
        let name = format!("figure-{figure}");
        Chart::lines(&name, &caption, Axis::even("discs"), Axis::even("weight"), series.collect()).into()
    };
    Section::new(
        "Weights (figures 3.5 and 3.6)",
        vec![chart(0, "3.5", "LOG"), chart(3, "3.6", "LOG+, features with the wrong sign taken out")],
    )
}

fn findings(pairs: &[(&str, &str)], scores: &[MatchScore], nodes: u64) -> Vec<Finding> {
    let one = |claim: &str, a: &str, b: &str, bound: f64, printed: &str| {
        let at = pairs.iter().position(|pair| *pair == (a, b)).unwrap_or(0);
        let tally = scores[at].all();
        Finding::tested(
            format!("With {nodes} nodes a move {claim}"),
            vec![Estimate::rate(format!("{a} against {b}, %"), &tally).above(bound)],
            format!("{a} against {b}: {}.", shown(&tally)),
        )
        .published(printed)
        .differs("Equal nodes a move instead of half an hour a game; QUAD has a quarter less, as it is slower by a quarter.")
    };
    vec![
        one("logistic regression beats Fisher's discriminant.", "LOG", "FISHER", 50.0, "57.1% (table 3.1)"),
        one(
            "Fisher's discriminant beats the quadratic one, which has a quarter less.",
            "FISHER",
            "QUAD",
            50.0,
            "59.3% (table 3.1)",
        ),
        one(
            "logistic regression beats the quadratic discriminant, which has a quarter less.",
            "LOG",
            "QUAD",
            50.0,
            "62.1% (table 3.1)",
        ),
        one(
            "consistent signs (LOG+) cost less than five points against LOG.",
            "LOG+",
            "LOG",
            45.0,
            "50.7% (table 3.2)",
        ),
    ]
}
