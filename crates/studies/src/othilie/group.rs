//! S1, chapters 5 and 6: polynomials learned by temporal differences, groups A to F.

mod findings;

use serde::Deserialize;
use toml::Table as Toml;
use trilith_arena::statistics::Tally;
use trilith_eval::othello::polynomial::names;
use trilith_games::Game;
use trilith_games::othello::Othello;

use crate::conduct::{Conduct, StudyOutcome};
use crate::error::StudyError;
use crate::report::{Axis, Block, Chart, Column, Entry, ReportTable, Section, Series};
use crate::statistics::{deviation, half_of_mean, mean};
use crate::training::{StudyTraining, Trained};
use findings::{likeness_finding, searcher_finding, strength_finding};

/// What a group's file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GroupParameters {
    /// Groups of three experiments with other random starts; S1 has one. Their spread says how sure the likeness is.
    groups: u64,
    /// Parameters of the learner `othilie`.
    training: Toml,
}

/// A group that has been trained and tested.
struct Group {
    trained: Trained,
    experiments: Vec<Experiment>,
    /// `Q_0`, `Q_end` and three `Q*`, with their names.
    likeness: Vec<(String, f64)>,
}

impl Group {
    /// What its results win against random weights, in per cent.
    fn ends(&self) -> Vec<f64> {
        self.experiments.iter().map(|experiment| experiment.won(0, true)).collect()
    }
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

    /// The share of games won in a test, in per cent.
    fn won(&self, test: usize, is_end: bool) -> f64 {
        100.0 * share(&self.all(test, is_end))
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
pub fn procedure(conduct: &mut Conduct) -> Result<StudyOutcome, StudyError> {
    let letter = conduct.name().chars().last().unwrap_or('a').to_ascii_uppercase();
    let groups = train(conduct)?;
    let first = &groups[0];
    let sections = vec![
        likeness_section(conduct, letter, &groups),
        tests_section(conduct, letter, &groups),
        learning_section(&first.trained, &first.experiments),
        weights_section(&first.trained),
    ];
    let mut findings = vec![likeness_finding(conduct, letter, &groups), searcher_finding(&groups)];
    findings.push(strength_finding(conduct, letter, &groups));
    Ok(StudyOutcome { findings, sections })
}

fn train(conduct: &mut Conduct) -> Result<Vec<Group>, StudyError> {
    let GroupParameters { groups, training: own } = conduct.parameters()?;
    let games = own.get("games").and_then(toml::Value::as_integer).unwrap_or(6500) as u32;
    let training = |number: u64| {
        // The groups A to F begin with the same random polynomials, so that they can be compared.
        let seed = conduct.seed().derive("othilie", number).0;
        let name = if number == 0 { "group".into() } else { format!("group {}", number + 1) };
        let mut training = StudyTraining::new(name, "othilie", Othello::NAME, seed, &[]).with(&own);
        training.files = &["tests.csv"];
        training.weights_every = if number == 0 { (games / 50).max(1) } else { 0 };
        training
    };
    let trainings: Vec<StudyTraining> = (0..groups.max(1)).map(training).collect();
    let trained = conduct.train("learning and tests", &trainings)?;
    let group = |trained: Trained| {
        let (experiments, likeness) = (experiments(&trained), likeness(&trained));
        Group { trained, experiments, likeness }
    };
    Ok(trained.into_iter().map(group).collect())
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

fn likeness(trained: &Trained) -> Vec<(String, f64)> {
    let text = trained.provenance.get("likeness").map_or("", String::as_str);
    let pair = |part: &str| {
        let (name, number) = part.trim().rsplit_once(' ')?;
        Some((name.to_owned(), number.parse().ok()?))
    };
    text.split(',').filter_map(pair).collect()
}

const LIKENESS: [&str; 5] = ["Q_0", "Q_6500", "Q*_5000", "Q*_5500", "Q*_6000"];

fn likeness_section(conduct: &Conduct, letter: char, groups: &[Group]) -> Section {
    let published = conduct.published("likeness");
    let ours = ["ours, mean", "\u{b1}", "least", "most"].map(Column::ours);
    let theirs = [format!("group {letter}"), "group E".into()].map(|title| Column::published(&title));
    let columns = [Column::label("measure")].into_iter().chain(ours).chain(theirs).collect();
    let caption = format!(
        "How alike the polynomials of the three experiments are: 0 is the same. {} of ours, 95% interval of their mean",
        counted_groups(groups.len())
    );
    let mut table = ReportTable::new("likeness", &caption, columns);
    for (at, theirs) in LIKENESS.into_iter().enumerate() {
        let name = groups[0].likeness.get(at).map_or(theirs, |pair| pair.0.as_str());
        let digits = if name.contains('*') { 1 } else { 3 };
        let all = measured(groups, at);
        let mut row = vec![Entry::text(name)];
        let [least, most] = extremes(&all);
        row.extend([mean(&all), half_of_mean(&all), least, most].map(|number| Entry::number(number, digits)));
        row.extend([letter, 'E'].map(|group| published.entry(&group.to_string(), theirs, digits)));
        table.push(row);
    }
    let mut blocks: Vec<Block> = vec![table.into()];
    if groups.len() > 1 {
        blocks.push(by_group(groups).into());
    }
    Section::new("Likeness (tables 5.2, 5.4, 5.6, 5.8, 6.2)", blocks)
}

fn counted_groups(count: usize) -> String {
    if count == 1 { "One group".into() } else { format!("{count} groups") }
}

/// A measure of likeness, by group.
fn measured(groups: &[Group], at: usize) -> Vec<f64> {
    groups.iter().filter_map(|group| group.likeness.get(at).map(|pair| pair.1)).collect()
}

/// What the groups differ in.
fn by_group(groups: &[Group]) -> ReportTable {
    let titles =
        ["group", "Q at the start", "Q at the end", "results against random weights, % won", "range, points"];
    let columns = titles.map(Column::ours).into();
    let mut table = ReportTable::new("by-group", "Each group of three experiments", columns);
    for (number, group) in (1..).zip(groups) {
        let q = |at: usize| Entry::maybe(group.likeness.get(at).map(|pair| pair.1), 3);
        let shown: Vec<String> = group.ends().iter().map(|share| format!("{share:.1}")).collect();
        let range = Entry::number(range(&group.ends()), 1);
        table.push(vec![Entry::count(number), q(0), q(1), Entry::text(shown.join("  ")), range]);
    }
    table
}

/// The strongest less the weakest.
fn range(shares: &[f64]) -> f64 {
    let [least, most] = extremes(shares);
    most - least
}

/// The least and the most of all; infinities if there are none.
fn extremes(numbers: &[f64]) -> [f64; 2] {
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    [least, numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max)]
}

fn tests_section(conduct: &Conduct, letter: char, groups: &[Group]) -> Section {
    let tests = [(0, "test-1", "against random weights"), (1, "test-3", "against random moves")];
    let first = &groups[0].experiments;
    let mut blocks: Vec<Block> = Vec::new();
    for (test, number, words) in tests {
        blocks.push(test_table(conduct, letter, first, test, number, words).into());
        blocks.push(test_chart(conduct, letter, groups, test, number, words).into());
        blocks.extend((groups.len() > 1).then(|| all_table(conduct, groups, test, number, words).into()));
    }
    blocks.extend(sequence_chart(first).map(Block::from));
    Section::new("Tests (tables 5.3, 5.5, 5.7, 5.9, 5.10, 6.3, 6.4, C.1)", blocks)
}

fn test_table(
    conduct: &Conduct,
    letter: char,
    experiments: &[Experiment],
    test: usize,
    number: &str,
    words: &str,
) -> ReportTable {
    let published = conduct.published(number);
    let columns = vec![
        Column::label("polynomial"),
        Column::ours("passes, % won"),
        Column::ours("mean"),
        Column::ours("deviation"),
        Column::published("mean"),
    ];
    let caption = format!("Games won {words}, in per cent; our first group");
    let mut table = ReportTable::new(number, &caption, columns);
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
    table
}

/// All experiments of all groups together beside the three published ones.
fn all_table(conduct: &Conduct, groups: &[Group], test: usize, number: &str, words: &str) -> ReportTable {
    let published = conduct.published(number);
    let ours = ["experiments", "mean", "\u{b1}", "least", "most"].map(Column::ours);
    let theirs = ["mean", "least", "most"].map(Column::published);
    let columns = [Column::label("polynomial")].into_iter().chain(ours).chain(theirs).collect();
    let name = format!("{number}-all");
    let caption = format!(
        "Games won {words}, in per cent; all experiments, 95% interval of their mean; published: three"
    );
    let mut table = ReportTable::new(&name, &caption, columns);
    for (is_end, name) in [(false, "start"), (true, "end")] {
        let all: Vec<f64> =
            groups.iter().flat_map(|group| &group.experiments).map(|it| it.won(test, is_end)).collect();
        let theirs = published.column(name);
        let ends = |all: &[f64]| extremes(all).map(|share| Entry::number(share, 1));
        let mut row = vec![Entry::text(name), Entry::count(all.len() as u64)];
        row.extend([mean(&all), half_of_mean(&all)].map(|number| Entry::number(number, 1)));
        row.extend(ends(&all));
        row.push(if theirs.is_empty() { Entry::Empty } else { Entry::number(mean(&theirs), 1) });
        row.extend(ends(&theirs));
        table.push(row);
    }
    table
}

/// Start and end of each experiment, ours of the first group beside the published.
fn test_chart(
    conduct: &Conduct,
    letter: char,
    groups: &[Group],
    test: usize,
    number: &str,
    words: &str,
) -> Chart {
    let published = conduct.published(number);
    let experiments = &groups[0].experiments;
    let places: Vec<(String, bool)> = (1..=experiments.len())
        .flat_map(|number| ["start", "end"].map(|name| (format!("{number}, {name}"), name == "end")))
        .collect();
    let ours = (0..).zip(&places).map(|(at, (_, is_end))| experiments[at / 2].won(test, *is_end)).collect();
    let theirs = (0..).zip(&places).map(|(at, (_, is_end))| {
        let name = if *is_end { "end" } else { "start" };
        published.number(&format!("{letter}{}", at / 2 + 1), name).unwrap_or(f64::NAN)
    });
    let theirs: Vec<f64> = theirs.collect();
    let caption = format!("Games won {words} by experiment, ours (first group) and published");
    let places = places.into_iter().map(|(name, _)| name).collect();
    let series = vec![("won".into(), ours)];
    Chart::bars(&format!("{number}-chart"), &caption, Axis::even("won, %"), places, series)
        .beside("won", theirs)
}

/// None where test 2 was not made.
fn sequence_chart(experiments: &[Experiment]) -> Option<Chart> {
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
    let caption =
        "Test 2: share of games that P_1, P_2, ... have won against P_0 so far (figures 5.3, 5.6, 5.9)";
    let x = Axis::even("part of the learning phase, of 26");
    let chart = || Chart::lines("test-2", caption, x, Axis::even("won, %"), sequences.clone());
    (!sequences.is_empty()).then(chart)
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
        "Games that the learning component has won so far in our first group (figures 5.2, 5.5, 5.8, 5.11, 6.2, D.1)",
        Axis::even("learning games"),
        Axis::even("games won"),
        series,
    );
    let q = Chart::lines(
        "q-by-game",
        "Q after each step of learning of our first group",
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
    let mut blocks: Vec<Block> = Vec::new();
    for series in 1..=experiments {
        for (side, words) in [("own", "the player's"), ("other", "the opponent's")] {
            let features = (0..names.len()).filter(|&at| names[at].starts_with(side));
            let lines = features.map(|at| Series::ours(names[at].as_str(), weight_line(trained, series, at)));
            let caption = format!(
                "First group, experiment {series}: all weights of {words} features (figures 5.1, 5.4, 5.7, 5.10, 5.13, 6.1, C.1)"
            );
            blocks.push(weight_chart(&format!("weights-{series}-{side}"), &caption, lines.collect()));
        }
    }
    for feature in SHOWN {
        let line =
            |series| Series::ours(format!("experiment {series}"), weight_line(trained, series, feature));
        let caption = format!(
            "The weight of `{}` in the first group's experiments (figures 5.12, 5.14, 6.3)",
            names[feature]
        );
        blocks.push(weight_chart(
            &format!("feature-{feature}"),
            &caption,
            (1..=experiments).map(line).collect(),
        ));
    }
    Section::new("Weights", blocks)
}

/// A weight by learning games; four digits are more than a picture shows, and keep files small.
fn weight_line(trained: &Trained, series: u32, feature: usize) -> Vec<(f64, f64)> {
    let rounded = |weight: f64| (1e4 * weight).round() / 1e4;
    let rows = trained.weights.iter().filter(|row| row.0 == series);
    rows.filter_map(|(_, number, weights)| Some((f64::from(*number), rounded(*weights.get(feature)?))))
        .collect()
}

fn weight_chart(name: &str, caption: &str, lines: Vec<Series>) -> Block {
    Chart::lines(name, caption, Axis::even("learning games"), Axis::even("weight"), lines).into()
}
