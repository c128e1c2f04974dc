//! S3, chapter 5: networks fitted to tables of experience (tables 8 to 20, figures 11 to 13).

use std::path::Path;

use serde::Deserialize;
use toml::Value;
use trilith_base::Artifact;
use trilith_eval::othello::network::FORM;
use trilith_games::Game;
use trilith_games::othello::Othello;
use trilith_learn::run::{Folder, RunError};

use super::{minimax, results, rows, tabular};
use crate::conduct::{Conduct, Outcome};
use crate::contest::{Match, Score};
use crate::error::StudyError;
use crate::report::{Axis, Block, Chart, Column, Entry, Finding, Section, Series, Table, Verdict};
use crate::statistics::{above_half, shown, z};
use crate::training::{Trained, Training};

/// What the study's file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    /// Games that each table learns from.
    table_games: u64,
    /// Test games of tables on the way.
    table_tests: u64,
    /// Epochs of the perceptron and of the convolutional network.
    epochs: [u64; 2],
    /// Games against random, and against minimax of depth 4, with both colours.
    games: u64,
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
struct Fitted {
    name: &'static str,
    kind: &'static str,
    training: Training,
    trained: Trained,
}

/// Learns, fits, plays, compares.
pub fn procedure(conduct: &mut Conduct) -> Result<Outcome, StudyError> {
    let parameters: Parameters = conduct.parameters()?;
    let seed = conduct.seed();
    let tables: Vec<Training> = TABLES
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
    Ok(Outcome { findings: findings(&fitted, &games), sections })
}

fn fit(
    conduct: &mut Conduct,
    parameters: &Parameters,
    tables: &[Training],
) -> Result<Vec<Fitted>, StudyError> {
    let mut trainings = Vec::new();
    for ((name, _), table) in TABLES.iter().zip(tables) {
        for (at, kind) in NETWORKS.into_iter().enumerate() {
            let file = format!("{}/{}", table.place(), trilith_learn::reversi::tabular::FILE);
            let own = [
                ("table", Value::String(file)),
                ("network", Value::String(kind.into())),
                ("rate", Value::Float(if kind == "mlp" { 0.01 } else { 0.002 })),
                ("epochs", Value::Integer(parameters.epochs[at] as i64)),
                ("yardstick_games", Value::Integer(0)),
            ];
            let seed = conduct.seed().derive(kind, 0).0;
            trainings.push((
                *name,
                kind,
                Training::new(format!("{name} {kind}"), "table-fit", Othello::NAME, seed, &own),
            ));
        }
    }
    let only: Vec<Training> = trainings.iter().map(|(.., training)| training.clone()).collect();
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
    tests: Vec<[Score; 4]>,
    /// By network kind: about three, two and one digit.
    direct: Vec<[Score; 3]>,
    depth_8: Score,
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
    parameters: &Parameters,
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
            Match::othello(name(0), &own, "random", parameters.games),
            Match::othello(name(1), &own, &minimax(4), parameters.games),
            Match::othello(name(2), &plain, &minimax(4), parameters.games),
            Match { per_cell: 10, ..Match::othello(name(3), &own, &minimax(6), parameters.games_6) },
        ]);
    }
    for kind in NETWORKS {
        let of = |name: &str| fitted.iter().find(|network| network.name == name && network.kind == kind);
        if let (Some(one), Some(two)) = (of("Version 1"), of("Version 2")) {
            for (words, round) in ROUNDED {
                let [a, b] = [two, one].map(|network| player(network, Folder::ARTIFACT, round));
                matches.push(Match::othello(
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
    matches.push(Match { per_cell: 2, ..Match::othello("depth 8", &own, &minimax(8), parameters.games_8) });
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
    let mut table = Table::new(
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

fn findings(fitted: &[Fitted], games: &Games) -> Vec<Finding> {
    let find = |name: &str, kind: &str| {
        let at = fitted.iter().position(|network| network.name == name && network.kind == kind);
        at.map(|at| (&fitted[at], &games.tests[at])).expect("all combinations are fitted")
    };
    let fit = |name: &str, kind: &str| find(name, kind).0.trained.last("best r2").unwrap_or(f64::NAN);
    let (one, two) = (find("Version 1", "mlp").1, find("Version 2", "mlp").1);
    let turned: Vec<f64> =
        games.tests.iter().map(|scores| scores[1].all().rate() - scores[2].all().rate()).collect();
    let worse = turned.iter().filter(|difference| **difference > 0.0).count();
    let six = two[3].all();
    vec![
        Finding::new(
            "A network fitted to the table beats minimax of depth 6 (Version 2, mlp).",
            above_half(&six),
            format!(
                "{} against depth 6 (S3: 83.1%), {} against depth 4 (92.5%), {} against depth 8 (65.8%).",
                shown(&six),
                shown(&two[1].all()),
                shown(&games.depth_8.all())
            ),
        ),
        Finding::new(
            "A better R^2 does not mean better play.",
            Verdict::of(
                fit("Version 1", "mlp") > fit("Version 2", "mlp") && z(&one[3].all(), &two[3].all()) < -2.0,
            ),
            format!(
                "mlp: Version 1 R^2 {:.3}, {} against depth 6; Version 2 R^2 {:.3}, {}.",
                fit("Version 1", "mlp"),
                shown(&one[3].all()),
                fit("Version 2", "mlp"),
                shown(&six)
            ),
        ),
        Finding::new(
            "Turning positions to their canonical image matters.",
            Verdict::of(worse == turned.len() || crate::statistics::mean(&turned) > 0.05),
            format!(
                "Without it {worse} of {} networks play worse against depth 4, by {:.1} points in the mean.",
                turned.len(),
                100.0 * crate::statistics::mean(&turned)
            ),
        ),
        Finding::new(
            "The convolutional network is not clearly stronger than the perceptron.",
            {
                let rate = |kind: &str| {
                    TABLES.map(|(name, _)| find(name, kind).1[3].all().rate()).iter().sum::<f64>() / 4.0
                };
                Verdict::of(rate("cnn") - rate("mlp") < 0.05)
            },
            {
                let rate = |kind: &str| {
                    TABLES.map(|(name, _)| find(name, kind).1[3].all().rate()).iter().sum::<f64>() / 4.0
                };
                format!(
                    "Mean rate against depth 6: cnn {:.1}%, mlp {:.1}%.",
                    100.0 * rate("cnn"),
                    100.0 * rate("mlp")
                )
            },
        ),
    ]
}
