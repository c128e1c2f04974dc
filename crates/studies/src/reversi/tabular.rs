//! S3, chapter 4: what a table of experience learns (tables 3 to 7 and 13, figures 5 to 8).

use std::path::Path;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use toml::Value;
use trilith_arena::statistics::Tally;
use trilith_base::Seed;
use trilith_eval::othello::Evaluations;
use trilith_eval::value_table;
use trilith_games::othello::Othello;
use trilith_games::{Game, Record};
use trilith_learn::reversi::tabular::{FILE, best_known};
use trilith_learn::run::yardstick::Yardstick;
use trilith_learn::run::{RunError, StepContext};

use super::minimax;
use crate::conduct::{Conduct, StudyOutcome};
use crate::error::StudyError;
use crate::file::PublishedTable;
use crate::report::{Axis, Block, Chart, Column, Entry, Finding, ReportTable, Section, Series};
use crate::statistics::{Estimate, counted, half_width, shown};
use crate::training::{StudyTraining, Trained};

/// What the study's file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableStudyParameters {
    /// Games that each table learns from.
    games: u64,
    /// Games with both colours, half with each, of the tests on the way.
    test_games: u64,
    /// Games of the tests at the end.
    final_games: u64,
    /// Plies that minimax looks ahead in table 7.
    depth: u32,
}

/// S3's versions of the table and the published tables about them. `epsilon` is what the author's program did: its
/// greedy move is the last legal one; `epsilon as described` follows the text.
const VERSIONS: [(&str, &str); 5] = [
    ("epsilon", "3"),
    ("sigma", "4"),
    ("black against random", "5"),
    ("white against random", "6"),
    ("epsilon as described", "3"),
];

/// The training run of a version with so many games; reversi-networks asks for the same.
pub fn training(seed: Seed, version: &str, games: u64, test_games: u64) -> StudyTraining {
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
        "epsilon" => parameters[1].1 = text("epsilon-last"),
        "epsilon as described" => parameters[1].1 = text("epsilon"),
        "sigma" => {}
        _ => {
            let colour = version.split(' ').next().unwrap_or_default();
            parameters.extend([("colours", text(colour)), ("opponent", text("random"))]);
        }
    }
    let seed = seed.derive("table", 0).0;
    let mut training =
        StudyTraining::new(format!("table {version}"), "tabular", Othello::NAME, seed, &parameters);
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
pub fn procedure(conduct: &mut Conduct) -> Result<StudyOutcome, StudyError> {
    let TableStudyParameters { games, test_games, final_games, depth } = conduct.parameters()?;
    let seed = conduct.seed();
    let trainings: Vec<StudyTraining> =
        VERSIONS.iter().map(|(version, _)| training(seed, version, games, test_games)).collect();
    let trained = conduct.train("tables", &trainings)?;
    let mut against = Vec::new();
    for ((version, _), training) in VERSIONS.iter().zip(&trainings) {
        let path = conduct.runs().join(training.place()).join(FILE);
        let tests: [Against; 2] = conduct.here(&format!("tests of {version}"), |threads, _| {
            let loaded = value_table::load(&path, Othello::NAME).map_err(RunError::from)?;
            let random = test(&loaded.table, "random", "random", final_games, seed, threads)?;
            let minimax = test(&loaded.table, "minimax", &minimax(depth), final_games, seed, threads)?;
            Ok([random, minimax])
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
    let mut findings = vec![positions_finding(&trained, games)];
    findings.extend(play_findings(&against, depth));
    findings.push(growth_finding(&trained, test_games));
    findings.push(wrong_colour_finding(&against));
    Ok(StudyOutcome { findings, sections })
}

/// Games of a table's best moves against a player.
fn test(
    table: &value_table::ValueTable,
    name: &str,
    player: &str,
    games: u64,
    seed: Seed,
    threads: usize,
) -> Result<Against, StudyError> {
    let yardstick = Yardstick::parse::<Othello, Evaluations>(player, games, 0)?;
    let choose = |record: &Record<Othello>, seed: Seed| best_known(table, record, &mut seed.rng());
    let game = Othello::default();
    let never = AtomicBool::new(false);
    let work = StepContext { threads, folder: Path::new(""), stop: &never };
    let [black, white] =
        yardstick.by_colour::<Othello, Evaluations>(&game, seed.derive(name, 0), &work, choose)?;
    Ok(Against { black, white })
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
    let place = if version.ends_with("described") { "-described" } else { "" };
    let mut table = ReportTable::new(&format!("table-{number}{place}"), &caption, columns);
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

/// A row of tables 7 and 13.
fn end_row(name: &str, tests: &Against, printed: [Option<f64>; 2]) -> Vec<Entry> {
    let mut row = vec![Entry::text(name)];
    for tally in [&tests.black, &tests.white] {
        row.extend([Entry::number(100.0 * tally.rate(), 2), Entry::number(100.0 * half_width(tally), 1)]);
    }
    row.extend(printed.map(|number| Entry::maybe(number, 2)));
    row
}

fn ends(conduct: &Conduct, against: &[[Against; 2]], depth: u32) -> Section {
    let ours = ["black, %", "\u{b1}", "white, %", "\u{b1} "].map(Column::ours);
    let theirs = ["black, %", "white, %"].map(Column::published);
    let columns: Vec<Column> = [Column::label("table")].into_iter().chain(ours).chain(theirs).collect();
    let [published, printed] = ["7", "13"].map(|table| conduct.published(table));
    let mut table =
        ReportTable::new("table-7", &format!("Table 7: against minimax of depth {depth}"), columns.clone());
    let caption =
        "Table 13: tables of one colour against random with both colours; the wrong one is as good as random";
    let mut wrong = ReportTable::new("table-13", caption, columns);
    let colours = ["black", "white"];
    for ((version, _), tests) in VERSIONS.iter().zip(against) {
        table.push(end_row(version, &tests[1], colours.map(|colour| published.number(version, colour))));
    }
    for at in [2, 3] {
        let version = VERSIONS[at].0;
        let printed = colours.map(|colour| printed.number(version, colour));
        wrong.push(end_row(version, &against[at][0], printed));
    }
    let charts = [("figure-7", "black"), ("figure-8", "white")]
        .map(|(name, colour)| Block::from(end_chart(&published, against, name, colour, depth)));
    let blocks = [Block::from(table), wrong.into()].into_iter().chain(charts).collect();
    Section::new("At the end (tables 7 and 13, figures 7 and 8)", blocks)
}

fn end_chart(
    published: &PublishedTable,
    against: &[[Against; 2]],
    name: &str,
    colour: &str,
    depth: u32,
) -> Chart {
    let tally = |tests: &Against| if colour == "black" { tests.black } else { tests.white };
    let ours = against.iter().map(|tests| 100.0 * tally(&tests[1]).rate()).collect();
    let theirs = VERSIONS.iter().map(|(version, _)| published.number(version, colour).unwrap_or(f64::NAN));
    let caption = format!("Rate with {colour} against minimax of depth {depth} ({})", name.replace('-', " "));
    let names = VERSIONS.iter().map(|(version, _)| (*version).to_owned()).collect();
    let series = vec![("ours".into(), ours), ("published".into(), theirs.collect())];
    Chart::bars(name, &caption, Axis::even("rate, %"), names, series)
}

fn both(tests: &Against) -> Tally {
    let mut all = tests.black;
    all += tests.white;
    all
}

/// Table 3's last row: how many positions the epsilon table holds after a million games.
fn positions_finding(trained: &[Trained], games: u64) -> Finding {
    const PRINTED: f64 = 28_921_926.0;
    let positions = |at: usize| trained[at].last("positions").unwrap_or(0.0);
    let is_near = (positions(0) / PRINTED - 1.0).abs() < 0.001;
    let test =
        counted("positions, as run", positions(0), "28,921,926 within 0.1%", "another number", is_near);
    let tests = if games == 1_000_000 { vec![test] } else { Vec::new() };
    Finding::tested(
        "After a million games the table of Version 1 holds 28.9 million positions.",
        tests,
        format!(
            "Greedy as the author's program was (the last legal move): {:.0} after {games} games; as described: {:.0}.",
            positions(0),
            positions(4)
        ),
    )
    .published("28,921,926 positions (table 3)")
    .differs("The policy of the author's program instead of the one that the text describes; other draws.")
}

fn play_findings(against: &[[Against; 2]], depth: u32) -> [Finding; 2] {
    let words = |test: usize| {
        let one = |((version, _), tests): (&(&str, &str), &[Against; 2])| {
            format!("{version} {}", shown(&both(&tests[test])))
        };
        VERSIONS.iter().zip(against).map(one).collect::<Vec<_>>().join(", ")
    };
    let estimates = |test: usize| {
        let one = move |((version, _), tests): (&(&str, &str), &[Against; 2])| {
            Estimate::rate(format!("{version}, %"), &both(&tests[test]))
        };
        VERSIONS.iter().zip(against).take(4).map(one).collect::<Vec<_>>()
    };
    // The best rate that S3 prints of any table at any time: White against random after a million games (table 6).
    const BEST: f64 = 60.15;
    let random = estimates(0).into_iter().map(|it| it.below(BEST)).collect();
    let minimax = estimates(1).into_iter().map(|it| it.below(50.0)).collect();
    let protocol = "Rates over both colours; tables of one colour play the other by lot.";
    [
        Finding::tested(
            "A table alone plays little better than random.",
            random,
            format!("Against random: {}.", words(0)),
        )
        .published("50 to 60% (tables 3 to 6)")
        .differs(protocol),
        Finding::tested(
            "A table alone loses to minimax of depth 4.",
            minimax,
            format!("Against minimax of depth {depth}: {}.", words(1)),
        )
        .published("10 to 37% (table 7)")
        .differs(protocol),
    ]
}

fn growth_finding(trained: &[Trained], test_games: u64) -> Finding {
    let gain = |((version, _), trained): (&(&str, &str), &Trained)| {
        let strength = trained.column("strength");
        let (first, last) = (strength.first()?.1, strength.last()?.1);
        let half = 100.0 * 1.96 * (0.5 / test_games.max(1) as f64).sqrt();
        let words = format!("{version}: last rate less first, points");
        Some(Estimate::known(words, 100.0 * (last - first), half, (test_games, "test games")))
    };
    let gains: Vec<Estimate> = VERSIONS.iter().zip(trained).take(4).filter_map(gain).collect();
    let words: Vec<String> = gains.iter().map(|gain| gain.shown(1)).collect();
    // The most that S3's tables gained from the first round to the last: White against random, 53.80 to 60.15.
    const MOST: f64 = 6.35;
    Finding::tested(
        "Ten times the games help a table only slowly.",
        gains.into_iter().map(|gain| gain.below(MOST)).collect(),
        format!("From a tenth of the games to all of them, points against random: {}.", words.join(", ")),
    )
    .published("at most 6.35 points (tables 3 to 6)")
    .differs("Rates over both colours.")
}

fn wrong_colour_finding(against: &[[Against; 2]]) -> Finding {
    let (white, black) = (&against[2][0].white, &against[3][0].black);
    // S3's band of random games is 44.37 to 51.47 for Black (table 1).
    let tests = vec![
        Estimate::rate("White with the table of Black, %", white).within(48.53, 55.63),
        Estimate::rate("Black with the table of White, %", black).within(44.37, 51.47),
    ];
    let evidence =
        format!("White with the table of Black {}, Black with that of White {}.", shown(white), shown(black));
    Finding::tested("With the colour it has not learned a table is as good as random.", tests, evidence)
        .published("50.25% and 48.8% (table 13)")
        .differs("The claim is S3's band of random games (table 1).")
}
