//! S3, chapter 5: networks fitted to tables of experience (tables 8 to 20, figures 11 to 13).

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use toml::{Table as Toml, Value};
use trilith_arena::statistics::Tally;
use trilith_base::Artifact;
use trilith_eval::othello::network::FORM;
use trilith_games::Game;
use trilith_games::othello::Othello;
use trilith_learn::reversi::tabular::FILE;
use trilith_learn::run::{Folder, RunError};

use super::{minimax, others, results, rows, tabular};
use crate::conduct::{Conduct, StudyOutcome};
use crate::contest::{Match, MatchScore};
use crate::error::StudyError;
use crate::report::{Axis, Block, Chart, Column, Entry, Finding, ReportTable, Section, Series};
use crate::statistics::{Estimate, counted, mean, shown};
use crate::training::{StudyTraining, Trained};

/// What the study's file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NetworksParameters {
    /// Games that each table learns from.
    table_games: u64,
    /// Test games of tables on the way.
    table_tests: u64,
    /// Parameters of the learner `table-fit` for the perceptron and for the convolutional network.
    pub(super) fit: BTreeMap<String, Toml>,
    /// Other perceptrons for the table of Version 2, by name: what differs in `table-fit` (S3, 5.2, 5.3.1, 5.3.2.4).
    #[serde(default)]
    pub(super) others: BTreeMap<String, Toml>,
    /// Games against random, and against minimax of depth 4, with both colours.
    pub(super) games: u64,
    /// Games against minimax of depth 6.
    games_6: u64,
    /// Games of one network against minimax of depth 8.
    games_8: u64,
    /// Games of each direct comparison.
    games_direct: u64,
}

/// Name, version of the table.
const TABLES: [(&str, &str); 4] = [
    ("Version 1", "epsilon"),
    ("Version 2", "sigma"),
    ("Version Black", "black against random"),
    ("Version White", "white against random"),
];
const NETWORKS: [&str; 2] = ["mlp", "cnn"];
/// The weights of a network that is asked about positions as they are.
const PLAIN: &str = "as-it-is.safetensors";

/// A network: its table, its kind, its run.
pub(super) struct Fitted {
    name: &'static str,
    kind: &'static str,
    pub(super) training: StudyTraining,
    pub(super) trained: Trained,
}

/// Learns, fits, plays, compares.
pub fn procedure(conduct: &mut Conduct) -> Result<StudyOutcome, StudyError> {
    let parameters: NetworksParameters = conduct.parameters()?;
    let seed = conduct.seed();
    let tables: Vec<StudyTraining> = TABLES
        .iter()
        .map(|(_, version)| tabular::training(seed, version, parameters.table_games, parameters.table_tests))
        .collect();
    conduct.train("tables", &tables)?;
    let fitted = fit(conduct, &parameters, &tables)?;
    let runs = conduct.runs();
    for network in &fitted {
        let folder = runs.join(network.training.place());
        conduct.here(&format!("{} {} as it is", network.name, network.kind), |_, _| as_it_is(&folder))?;
    }
    let games = play(conduct, &parameters, &fitted, &runs)?;
    let mut sections = vec![fits(conduct, &fitted)];
    for (at, (title, numbers)) in TESTS.iter().enumerate() {
        let tables = NETWORKS.iter().enumerate().map(|(kind, name)| {
            let mut table = results(
                &format!("table-{}", numbers[kind]),
                &format!("Table {}: {name} {title}", numbers[kind]),
                "network",
            );
            for (network, scores) in
                fitted.iter().zip(&games.tests).filter(|(network, _)| network.kind == *name)
            {
                rows(&mut table, network.name, &scores[at], &conduct.published(numbers[kind]));
            }
            Block::from(table)
        });
        sections.push(Section::new(
            &format!("{title} (tables {} and {})", numbers[0], numbers[1]),
            tables.collect(),
        ));
    }
    sections.push(direct(conduct, &games));
    let mut table = results("table-20", "Table 20: Version 2 (mlp) against minimax of depth 8", "network");
    rows(&mut table, "", &games.depth_8, &conduct.published("20"));
    sections.push(Section::new(
        "Against minimax of depth 8 (table 20)",
        vec![table.into(), figure_13(&fitted, &games).into()],
    ));
    let mut findings = findings(conduct, &fitted, &games);
    if !parameters.others.is_empty() {
        let (section, finding) =
            others::compare(conduct, &parameters, &tables[1], &fitted[2], &games.tests[2])?;
        sections.push(section);
        findings.push(finding);
    }
    Ok(StudyOutcome { findings, sections })
}

fn fit(
    conduct: &mut Conduct,
    parameters: &NetworksParameters,
    tables: &[StudyTraining],
) -> Result<Vec<Fitted>, StudyError> {
    let (mut trainings, empty) = (Vec::new(), Toml::new());
    for ((name, _), table) in TABLES.iter().zip(tables) {
        for kind in NETWORKS {
            let file = format!("{}/{FILE}", table.place());
            let own = [
                ("table", Value::String(file)),
                ("network", Value::String(kind.into())),
                ("yardstick_games", Value::Integer(0)),
            ];
            let seed = conduct.seed().derive(kind, 0).0;
            let more = parameters.fit.get(kind).unwrap_or(&empty);
            let training =
                StudyTraining::new(format!("{name} {kind}"), "table-fit", Othello::NAME, seed, &own);
            trainings.push((*name, kind, training.with(more)));
        }
    }
    let only: Vec<StudyTraining> = trainings.iter().map(|(.., training)| training.clone()).collect();
    conduct.remake(tables, FILE, only.iter().map(|training| training.name.as_str()))?;
    let trained = conduct.train("networks", &only)?;
    let fitted = trainings.into_iter().zip(trained);
    Ok(fitted.map(|((name, kind, training), trained)| Fitted { name, kind, training, trained }).collect())
}

/// Writes the same weights without the note that positions are to be turned first.
fn as_it_is(folder: &Path) -> Result<(), StudyError> {
    let mut artifact = Artifact::load(&folder.join(Folder::ARTIFACT)).map_err(RunError::from)?;
    artifact.header.settings.remove(FORM);
    artifact.save(&folder.join(PLAIN)).map_err(RunError::from)?;
    Ok(())
}

/// What was played.
struct Games {
    /// By network: random, depth 4, depth 4 without turning, depth 6.
    tests: Vec<[MatchScore; 4]>,
    /// By network kind: about three, two and one digit.
    direct: Vec<[MatchScore; 3]>,
    depth_8: MatchScore,
}

const TESTS: [(&str, [&str; 2]); 4] = [
    ("against random", ["9", "10"]),
    ("against minimax of depth 4", ["11", "12"]),
    ("against minimax of depth 4, positions not turned", ["14", "15"]),
    ("against minimax of depth 6", ["18", "19"]),
];
/// Steps to which values are rounded. A value counts discs, twice the points of a network, in hundredths.
const ROUNDED: [(&str, &str); 3] = [("three digits", "0"), ("two digits", "0.02"), ("one digit", "0.2")];

fn play(
    conduct: &mut Conduct,
    parameters: &NetworksParameters,
    fitted: &[Fitted],
    runs: &Path,
) -> Result<Games, StudyError> {
    let player = |network: &Fitted, file: &str, round: &str| {
        format!(
            "minimax:depth=1,eval={},file={},round={round}",
            network.kind,
            network.training.file(runs, file)
        )
    };
    let mut matches = Vec::new();
    for network in fitted {
        let own = player(network, Folder::ARTIFACT, "0");
        let plain = player(network, PLAIN, "0");
        let name = |test: usize| format!("{} {} {}", network.name, network.kind, TESTS[test].0);
        matches.extend([
            Match::new("othello", name(0), &own, "random", parameters.games),
            Match::new("othello", name(1), &own, &minimax(4), parameters.games),
            Match::new("othello", name(2), &plain, &minimax(4), parameters.games),
            Match { per_cell: 10, ..Match::new("othello", name(3), &own, &minimax(6), parameters.games_6) },
        ]);
    }
    for kind in NETWORKS {
        let of = |name: &str| fitted.iter().find(|network| network.name == name && network.kind == kind);
        if let (Some(one), Some(two)) = (of("Version 1"), of("Version 2")) {
            for (words, round) in ROUNDED {
                let [a, b] = [two, one].map(|network| player(network, Folder::ARTIFACT, round));
                matches.push(Match::new(
                    "othello",
                    format!("direct {kind} {words}"),
                    &a,
                    &b,
                    parameters.games_direct,
                ));
            }
        }
    }
    let two = &fitted[2];
    let own = player(two, Folder::ARTIFACT, "0");
    matches.push(Match {
        per_cell: 2,
        ..Match::new("othello", "depth 8", &own, &minimax(8), parameters.games_8)
    });
    let scores = conduct.matches("games", &matches)?;
    let mut all = scores.into_iter();
    let tests = fitted.iter().map(|_| std::array::from_fn(|_| all.next().unwrap_or_default())).collect();
    let direct = NETWORKS.iter().map(|_| std::array::from_fn(|_| all.next().unwrap_or_default())).collect();
    Ok(Games { tests, direct, depth_8: all.next().unwrap_or_default() })
}

fn fits(conduct: &Conduct, fitted: &[Fitted]) -> Section {
    let columns = vec![
        Column::label("table"),
        Column::ours("mlp, R^2 %"),
        Column::ours("cnn, R^2 %"),
        Column::published("mlp, R^2 %"),
        Column::published("cnn, R^2 %"),
    ];
    let mut table = ReportTable::new(
        "table-8",
        "Table 8: coefficients of determination on the positions kept for testing",
        columns,
    );
    let published = conduct.published("8");
    for (name, _) in TABLES {
        let of = |kind: &str| {
            let network = fitted.iter().find(|network| network.name == name && network.kind == kind);
            Entry::maybe(
                network.and_then(|network| network.trained.last("best r2")).map(|fit| 100.0 * fit),
                2,
            )
        };
        table.push(vec![
            Entry::text(name),
            of("mlp"),
            of("cnn"),
            published.entry(name, "mlp", 2),
            published.entry(name, "cnn", 2),
        ]);
    }
    let charts = NETWORKS.into_iter().zip(["11", "12"]).map(|(kind, figure)| {
        let networks = fitted.iter().filter(|network| network.kind == kind);
        let series = networks
            .map(|network| Series::ours(network.name, network.trained.curve("epoch", "r2")))
            .collect();
        let caption = format!("R^2 of the {kind} by epoch (as figure {figure}, all tables)");
        Block::from(Chart::lines(
            &format!("figure-{figure}"),
            &caption,
            Axis::even("epoch"),
            Axis::even("R^2"),
            series,
        ))
    });
    Section::new(
        "Fits (table 8, figures 11 and 12)",
        [Block::from(table)].into_iter().chain(charts).collect(),
    )
}

fn direct(conduct: &Conduct, games: &Games) -> Section {
    let blocks = NETWORKS.iter().zip(["16", "17"]).zip(&games.direct).map(|((kind, number), scores)| {
        let mut table = results(
            &format!("table-{number}"),
            &format!("Table {number}: Version 2 against Version 1 ({kind}), from Version 2's side"),
            "values",
        );
        for ((words, _), score) in ROUNDED.iter().zip(scores) {
            rows(&mut table, words, score, &conduct.published(number));
        }
        Block::from(table)
    });
    Section::new("Version 2 against Version 1 (tables 16 and 17)", blocks.collect())
}

fn figure_13(fitted: &[Fitted], games: &Games) -> Chart {
    let series = fitted.iter().zip(&games.tests).map(|(network, scores)| {
        let points =
            [(4.0, &scores[1]), (6.0, &scores[3])].map(|(depth, score)| (depth, 100.0 * score.all().rate()));
        Series::ours(format!("{} {}", network.name, network.kind), points.into())
    });
    Chart::lines(
        "figure-13",
        "Rates against minimax by its depth (figure 13)",
        Axis::even("depth of minimax"),
        Axis::even("rate, %"),
        series.collect(),
    )
}

const PROTOCOL: &str = "Fits and games of our own; Version 1 is the table as the author's program made it.";

fn findings(conduct: &Conduct, fitted: &[Fitted], games: &Games) -> Vec<Finding> {
    let all = Found { fitted, games };
    let (one, two) = (all.tests("Version 1", "mlp"), all.tests("Version 2", "mlp"));
    let (four, six, eight) = (two[1].all(), two[3].all(), games.depth_8.all());
    let beats = Finding::tested(
        "The perceptron fitted to the table of Version 2 beats minimax of depth 6.",
        vec![Estimate::rate("against depth 6, %", &six).above(50.0)],
        format!(
            "{} against depth 6, {} against depth 4, {} against depth 8.",
            shown(&six),
            shown(&four),
            shown(&eight)
        ),
    )
    .published("83.1% against depth 6, 92.5% against depth 4, 65.8% against depth 8")
    .differs(PROTOCOL);
    let [fit_1, fit_2] = ["Version 1", "Version 2"].map(|name| all.fit(name, "mlp"));
    let apart =
        Estimate::between_rates("Version 2 less Version 1 against depth 6, points", &six, &one[3].all());
    let better = Finding::tested(
        "A better fit does not mean better play: Version 1 is fitted better and plays worse (perceptron).",
        vec![
            counted("R^2 of Version 1 less Version 2", fit_1 - fit_2, "above 0", "0 or less", fit_1 > fit_2),
            apart.above(0.0),
        ],
        format!(
            "R^2 {fit_1:.3} and {fit_2:.3}; {} and {} against depth 6.",
            shown(&one[3].all()),
            shown(&six)
        ),
    )
    .published("R^2 86.11% and 28.95% (table 8), 45.9% and 83.1% against depth 6 (table 18)")
    .differs(PROTOCOL);
    vec![beats, better, turning_finding(conduct, games), kinds_finding(conduct, &all)]
}

/// Networks by name and kind.
struct Found<'a> {
    fitted: &'a [Fitted],
    games: &'a Games,
}

impl Found<'_> {
    fn place(&self, name: &str, kind: &str) -> usize {
        let known = self.fitted.iter().position(|network| network.name == name && network.kind == kind);
        known.expect("all combinations are fitted")
    }

    fn tests(&self, name: &str, kind: &str) -> &[MatchScore; 4] {
        &self.games.tests[self.place(name, kind)]
    }

    fn fit(&self, name: &str, kind: &str) -> f64 {
        self.fitted[self.place(name, kind)].trained.last("best r2").unwrap_or(f64::NAN)
    }
}

/// The mean of all published rates in some tables, in words.
fn published_mean(conduct: &Conduct, tables: &[&str]) -> String {
    let rates: Vec<f64> = tables.iter().flat_map(|table| conduct.published(table).column("rate")).collect();
    format!("{:.1}%", mean(&rates))
}

fn turning_finding(conduct: &Conduct, games: &Games) -> Finding {
    let [turned, plain] = [["11", "12"], ["14", "15"]].map(|tables| published_mean(conduct, &tables));
    let sum = |test: usize| {
        let mut all = Tally::default();
        games.tests.iter().for_each(|scores| all += scores[test].all());
        all
    };
    let words = "all eight networks against depth 4: turned less as it is, points";
    Finding::tested(
        "Networks play better if positions are turned to their canonical image first.",
        vec![Estimate::between_rates(words, &sum(1), &sum(2)).above(0.0)],
        format!("Against depth 4 {} turned, {} as they are.", shown(&sum(1)), shown(&sum(2))),
    )
    .published(format!(
        "{turned} turned (tables 11 and 12), {plain} as they are (tables 14 and 15), means of all eight"
    ))
    .differs(PROTOCOL)
}

fn kinds_finding(conduct: &Conduct, all: &Found) -> Finding {
    let [printed_cnn, printed_mlp] = ["19", "18"].map(|table| published_mean(conduct, &[table]));
    let sum = |kind: &str| {
        let mut sum = Tally::default();
        TABLES.iter().for_each(|(name, _)| sum += all.tests(name, kind)[3].all());
        sum
    };
    let (cnn, mlp) = (sum("cnn"), sum("mlp"));
    let apart = Estimate::between_rates("cnn less mlp against depth 6, all tables, points", &cnn, &mlp);
    Finding::tested(
        "The convolutional network is not clearly stronger than the perceptron: less than five points.",
        vec![apart.below(5.0)],
        format!("Against depth 6: cnn {}, mlp {}.", shown(&cnn), shown(&mlp)),
    )
    .published(format!("cnn {printed_cnn} (table 19), mlp {printed_mlp} (table 18), means of four"))
    .differs(PROTOCOL)
}
