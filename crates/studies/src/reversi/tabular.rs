//! S3, chapter 4: what a table of experience learns (tables 3 to 7 and 13, figures 5 to 8).

use serde::{Deserialize, Serialize};
use toml::Value;
use trilith_arena::statistics::Tally;
use trilith_base::Seed;
use trilith_eval::experience;
use trilith_eval::othello::Evaluations;
use trilith_games::othello::Othello;
use trilith_games::{Game, Record};
use trilith_learn::reversi::tabular::{FILE, best_known};
use trilith_learn::run::RunError;
use trilith_learn::run::yardstick::Yardstick;

use super::minimax;
use crate::conduct::{Conduct, Outcome};
use crate::error::StudyError;
use crate::report::{Axis, Block, Chart, Column, Entry, Finding, Section, Series, Table, Verdict};
use crate::statistics::{half_width, mean, shown};
use crate::training::{Trained, Training};

/// What the study's file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    /// Games that each table learns from.
    games: u64,
    /// Games with both colours, half with each, of the tests on the way.
    test_games: u64,
    /// Games of the tests at the end.
    final_games: u64,
    /// Plies that minimax looks ahead in table 7.
    depth: u32,
}

/// S3's versions of the table: name, published table, parameters.
const VERSIONS: [(&str, &str); 4] =
    [("epsilon", "3"), ("sigma", "4"), ("black against random", "5"), ("white against random", "6")];

/// The training run of a version with so many games; reversi-networks asks for the same.
pub fn training(seed: Seed, version: &str, games: u64, test_games: u64) -> Training {
    let text = |text: &str| Value::String(text.into());
    let number = |number: u64| Value::Integer(number as i64);
    let mut parameters = vec![
        ("games", number(games)),
        ("policy", text("sigma")),
        ("epsilon_every", number((games / 10).max(1))),
        ("yardstick", text("random")),
        ("yardstick_games", number(test_games)),
        ("yardstick_every", number((games / 10).max(1))),
    ];
    match version {
        "epsilon" => parameters[1].1 = text("epsilon"),
        "sigma" => {}
        _ => {
            let colour = version.split(' ').next().unwrap_or_default();
            parameters.extend([("colours", text(colour)), ("opponent", text("random"))]);
        }
    }
    let seed = seed.derive("table", 0).0;
    let mut training = Training::new(format!("table {version}"), "tabular", Othello::NAME, seed, &parameters);
    // A checkpoint is a copy of the table.
    training.config.checkpoint = 600.0;
    training
}

/// Games of a table against somebody, with Black and with White.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Against {
    black: Tally,
    white: Tally,
}

/// Learns, tests, compares.
pub fn procedure(conduct: &mut Conduct) -> Result<Outcome, StudyError> {
    let Parameters { games, test_games, final_games, depth } = conduct.parameters()?;
    let seed = conduct.seed();
    let trainings: Vec<Training> =
        VERSIONS.iter().map(|(version, _)| training(seed, version, games, test_games)).collect();
    let trained = conduct.train("tables", &trainings)?;
    let mut against = Vec::new();
    for ((version, _), training) in VERSIONS.iter().zip(&trainings) {
        let path = conduct.runs().join(training.place()).join(FILE);
        let tests: [Against; 2] = conduct.here(&format!("tests of {version}"), |threads, _| {
            let loaded = experience::load(&path, Othello::NAME).map_err(RunError::from)?;
            let test = |name: &str, player: &str| -> Result<Against, StudyError> {
                let yardstick = Yardstick::parse::<Othello, Evaluations>(player, final_games, 0)?;
                let choose =
                    |record: &Record<Othello>, seed: Seed| best_known(&loaded.table, record, &mut seed.rng());
                let game = Othello::default();
                let seed = seed.derive(name, 0);
                let [black, white] =
                    yardstick.by_colour::<Othello, Evaluations>(&game, seed, threads, choose)?;
                Ok(Against { black, white })
            };
            Ok([test("random", "random")?, test("minimax", &minimax(depth))?])
        })?;
        against.push(tests);
    }
    let mut sections: Vec<Section> = VERSIONS
        .iter()
        .zip(&trained)
        .map(|((version, number), trained)| rounds(conduct, version, number, trained, test_games))
        .collect();
    sections.push(curves(conduct, &trained));
    sections.push(ends(conduct, &against, depth));
    Ok(Outcome { findings: findings(&trained, &against), sections })
}

fn rounds(conduct: &Conduct, version: &str, number: &str, trained: &Trained, games: u64) -> Section {
    let published = conduct.published(number);
    let columns = vec![
        Column::label("round"),
        Column::ours("games"),
        Column::ours("positions"),
        Column::ours("black, %"),
        Column::ours("white, %"),
        Column::published("positions"),
        Column::published("black, %"),
        Column::published("white, %"),
    ];
    let caption =
        format!("Table {number}: {version}; {} test games with each colour against random", games / 2);
    let mut table = Table::new(&format!("table-{number}"), &caption, columns);
    let column = |name: &str| trained.column(name);
    let (counts, black, white) = (column("games"), column("with black"), column("with white"));
    for (at, (games, positions)) in counts.iter().zip(column("positions")).enumerate() {
        let round = (at + 1).to_string();
        let share = |values: &[(u64, f64)]| Entry::maybe(values.get(at).map(|value| 100.0 * value.1), 2);
        table.push(vec![
            Entry::text(round.as_str()),
            Entry::number(games.1, 0),
            Entry::number(positions.1, 0),
            share(&black),
            share(&white),
            published.entry(&round, "positions", 0),
            published.entry(&round, "black", 2),
            published.entry(&round, "white", 2),
        ]);
    }
    Section::new(&format!("Learning: {version} (table {number})"), vec![table.into()])
}

fn curves(conduct: &Conduct, trained: &[Trained]) -> Section {
    let blocks = [("black", "5", [0, 1, 2]), ("white", "6", [0, 1, 3])].map(|(colour, figure, versions)| {
        let mut series = Vec::new();
        for at in versions {
            let (version, number) = VERSIONS[at];
            let points = trained[at].curve("games", &format!("with {colour}"));
            let last = points.last().map_or(1.0, |point| point.0);
            let ours = points.iter().map(|(x, y)| (10.0 * x / last, 100.0 * y)).collect();
            series.push(Series::ours(version, ours));
            series.push(Series::published(version, conduct.published(number).points("number", colour)));
        }
        let caption = format!("Rate with {colour} against random by round (figure {figure})");
        let name = format!("figure-{figure}");
        Block::from(Chart::lines(
            &name,
            &caption,
            Axis::even("round, tenths of all games"),
            Axis::even("rate, %"),
            series,
        ))
    });
    Section::new("Curves (figures 5 and 6)", blocks.into())
}

fn ends(conduct: &Conduct, against: &[[Against; 2]], depth: u32) -> Section {
    let columns = vec![
        Column::label("table"),
        Column::ours("black, %"),
        Column::ours("\u{b1}"),
        Column::ours("white, %"),
        Column::ours("\u{b1} "),
        Column::published("black, %"),
        Column::published("white, %"),
    ];
    let published = conduct.published("7");
    let mut table =
        Table::new("table-7", &format!("Table 7: against minimax of depth {depth}"), columns.clone());
    let mut wrong = Table::new(
        "table-13",
        "Table 13: tables of one colour against random with both colours; the wrong one is as good as random",
        columns,
    );
    let row = |name: &str, tests: &Against, printed: [Option<f64>; 2]| {
        let mut row = vec![Entry::text(name)];
        for tally in [&tests.black, &tests.white] {
            row.extend([Entry::number(100.0 * tally.rate(), 2), Entry::number(100.0 * half_width(tally), 1)]);
        }
        row.extend(printed.map(|number| Entry::maybe(number, 2)));
        row
    };
    for ((version, _), tests) in VERSIONS.iter().zip(against) {
        let printed = ["black", "white"].map(|colour| published.number(version, colour));
        table.push(row(version, &tests[1], printed));
    }
    let printed = conduct.published("13");
    for at in [2, 3] {
        let version = VERSIONS[at].0;
        let printed = ["black", "white"].map(|colour| printed.number(version, colour));
        wrong.push(row(version, &against[at][0], printed));
    }
    let names = || VERSIONS.iter().map(|(version, _)| (*version).to_owned()).collect();
    let share =
        |of: fn(&Against) -> Tally| against.iter().map(|tests| 100.0 * of(&tests[1]).rate()).collect();
    let theirs = |colour: &str| {
        VERSIONS.iter().map(|(version, _)| published.number(version, colour).unwrap_or(f64::NAN)).collect()
    };
    let charts = [
        ("figure-7", "black", share(|tests| tests.black), theirs("black")),
        ("figure-8", "white", share(|tests| tests.white), theirs("white")),
    ]
    .map(|(name, colour, ours, theirs)| {
        let caption =
            format!("Rate with {colour} against minimax of depth {depth} ({})", name.replace('-', " "));
        let series = vec![("ours".into(), ours), ("published".into(), theirs)];
        Block::from(Chart::bars(name, &caption, Axis::even("rate, %"), names(), series))
    });
    let blocks = [Block::from(table), wrong.into()].into_iter().chain(charts).collect();
    Section::new("At the end (tables 7 and 13, figures 7 and 8)", blocks)
}

fn findings(trained: &[Trained], against: &[[Against; 2]]) -> Vec<Finding> {
    let both = |tests: &Against| {
        let mut all = tests.black;
        all += tests.white;
        all
    };
    let last: Vec<f64> = trained.iter().map(|trained| trained.last("strength").unwrap_or(0.5)).collect();
    let random: Vec<String> = VERSIONS
        .iter()
        .zip(against)
        .map(|((version, _), tests)| format!("{version} {}", shown(&both(&tests[0]))))
        .collect();
    let minimax: Vec<String> = VERSIONS
        .iter()
        .zip(against)
        .map(|((version, _), tests)| format!("{version} {}", shown(&both(&tests[1]))))
        .collect();
    let wrong = [against[2][0].white.rate(), against[3][0].black.rate()];
    let early: Vec<f64> =
        trained.iter().filter_map(|it| it.column("strength").first().map(|point| point.1)).collect();
    vec![
        Finding::new(
            "A table alone plays little better than random.",
            Verdict::of(against.iter().all(|tests| both(&tests[0]).rate() < 0.65)),
            format!("Against random: {}.", random.join(", ")),
        ),
        Finding::new(
            "It stays far below minimax of depth 4.",
            Verdict::of(against.iter().all(|tests| both(&tests[1]).rate() < 0.45)),
            format!("Against minimax: {}.", minimax.join(", ")),
        ),
        Finding::new(
            "More games help the table only slowly.",
            Verdict::of(mean(&last) - mean(&early) < 0.1),
            format!(
                "Mean rate against random after a tenth of the games {:.1}%, after all {:.1}%.",
                100.0 * mean(&early),
                100.0 * mean(&last)
            ),
        ),
        Finding::new(
            "With the colour it has not learned a table is as good as random.",
            Verdict::of(wrong.iter().all(|rate| (0.42..0.58).contains(rate))),
            format!(
                "White with the table of Black {:.1}%, Black with that of White {:.1}%.",
                100.0 * wrong[0],
                100.0 * wrong[1]
            ),
        ),
    ]
}
