//! S3, chapter 4: what a table of experience learns (tables 3 to 7 and 13, figures 5 to 8).

mod findings;

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

use findings::{colours_finding, growth_finding, play_findings, positions_finding, wrong_colour_finding};

use super::minimax;
use crate::conduct::{Conduct, StudyOutcome};
use crate::error::StudyError;
use crate::file::PublishedTable;
use crate::report::{Axis, Block, Chart, Column, Entry, ReportTable, Section, Series};
use crate::statistics::{deviation, half_of_mean, half_width, mean};
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
    /// Whether the table of the round that did best against random plays minimax, too (S3, 4.5).
    #[serde(default)]
    best: bool,
    /// Tables of each of S3's versions that play at the end, from different seeds; S3: 1. More than one shows how much a
    /// rate depends on the table.
    #[serde(default = "one")]
    runs: u64,
}

fn one() -> u64 {
    1
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

/// So many of them are S3's own.
const PUBLISHED: usize = 4;

/// The training run of a version with so many games; reversi-networks asks for the same. The position after the pass that
/// ends a game early counts, as it did in the author's program.
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
        ("last_pass", Value::Boolean(true)),
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
    let parameters: TableStudyParameters = conduct.parameters()?;
    let TableStudyParameters { games, test_games, final_games, depth, best, runs } = parameters;
    let seed = conduct.seed();
    let trainings: Vec<StudyTraining> =
        VERSIONS.iter().map(|(version, _)| training(seed, version, games, test_games)).collect();
    let trained = conduct.train("tables", &trainings)?;
    let mut against = Vec::new();
    for ((version, _), training) in VERSIONS.iter().zip(&trainings) {
        against.push(tests(conduct, version, training, final_games, depth)?);
    }
    let mut sections: Vec<Section> = VERSIONS
        .iter()
        .zip(&trained)
        .map(|((version, number), trained)| rounds(conduct, version, number, trained, test_games))
        .collect();
    sections.push(curves(conduct, &trained));
    sections.push(ends(conduct, &against, depth));
    if best {
        sections.push(best_tables(conduct, &trainings, &trained, &against, &parameters)?);
    }
    let mut findings = vec![positions_finding(&trained, games)];
    findings.extend(play_findings(&against, depth));
    if runs > 1 {
        let by_table = more_tables(conduct, &against, &parameters)?;
        sections.push(between_tables(conduct, &by_table, depth));
        findings.push(colours_finding(&by_table, depth));
    }
    findings.push(growth_finding(&trained, test_games));
    findings.push(wrong_colour_finding(&against));
    Ok(StudyOutcome { findings, sections })
}

/// Games of a version's table at the end against random and against minimax.
fn tests(
    conduct: &mut Conduct,
    name: &str,
    training: &StudyTraining,
    games: u64,
    depth: u32,
) -> Result<[Against; 2], StudyError> {
    let path = conduct.runs().join(training.place()).join(FILE);
    let seed = conduct.seed();
    let cell = format!("tests of {name}");
    conduct.remake(std::slice::from_ref(training), FILE, [cell.as_str()])?;
    conduct.here(&cell, |threads, _| {
        let loaded = value_table::load(&path, Othello::NAME).map_err(RunError::from)?;
        let random = test(&loaded.table, "random", "random", games, seed, threads)?;
        let minimax = test(&loaded.table, "minimax", &minimax(depth), games, seed, threads)?;
        Ok([random, minimax])
    })
}

/// The tests of a table that nobody needs afterwards; its file is removed.
fn tests_once(
    conduct: &mut Conduct,
    name: &str,
    training: &StudyTraining,
    parameters: &TableStudyParameters,
) -> Result<[Against; 2], StudyError> {
    let tests = tests(conduct, name, training, parameters.final_games, parameters.depth)?;
    let _ = std::fs::remove_file(conduct.runs().join(training.place()).join(FILE));
    Ok(tests)
}

/// Games against minimax by version and table: the first table of each version is that of the other tests.
type ByTable = Vec<Vec<Against>>;

/// Learns and tests tables from other seeds, one of each version beside each other: all of them do not fit on a disk.
fn more_tables(
    conduct: &mut Conduct,
    against: &[[Against; 2]],
    parameters: &TableStudyParameters,
) -> Result<ByTable, StudyError> {
    let versions = || VERSIONS.iter().take(PUBLISHED).map(|(version, _)| *version);
    let mut by_table: ByTable = against.iter().take(PUBLISHED).map(|tests| vec![tests[1]]).collect();
    for run in 1..parameters.runs {
        let seed = conduct.seed().derive("run", run);
        let another = |version: &str| {
            let training = training(seed, version, parameters.games, 0);
            StudyTraining { name: format!("table {version}, run {run}"), ..training }
        };
        let trainings: Vec<StudyTraining> = versions().map(another).collect();
        conduct.train("tables of other seeds", &trainings)?;
        for ((version, training), tables) in versions().zip(&trainings).zip(&mut by_table) {
            let name = format!("{version}, run {run}");
            tables.push(tests_once(conduct, &name, training, parameters)?[1]);
        }
    }
    Ok(by_table)
}

/// The rates of one colour, by table, in per cent.
fn colour_rates(tables: &[Against], colour: &str) -> Vec<f64> {
    let tally = |tests: &Against| if colour == "black" { tests.black } else { tests.white };
    tables.iter().map(|tests| 100.0 * tally(tests).rate()).collect()
}

fn between_tables(conduct: &Conduct, by_table: &ByTable, depth: u32) -> Section {
    let published = conduct.published("7");
    let ours = ["tables", "mean, %", "\u{b1} of the mean", "deviation between tables", "least, %", "most, %"];
    let columns = [Column::label("table"), Column::label("colour")]
        .into_iter()
        .chain(ours.map(Column::ours))
        .chain([Column::published("one table, %")])
        .collect();
    let caption = format!(
        "Against minimax of depth {depth}: tables of the same version from different seeds. The interval is over tables"
    );
    let mut table = ReportTable::new("between-tables", &caption, columns);
    for ((version, _), tables) in VERSIONS.iter().zip(by_table) {
        for colour in ["black", "white"] {
            let rates = colour_rates(tables, colour);
            table.push(vec![
                Entry::text(*version),
                Entry::text(colour),
                Entry::count(rates.len() as u64),
                Entry::number(mean(&rates), 2),
                Entry::number(half_of_mean(&rates), 1),
                Entry::number(deviation(&rates), 1),
                Entry::number(rates.iter().copied().fold(f64::MAX, f64::min), 2),
                Entry::number(rates.iter().copied().fold(0.0, f64::max), 2),
                Entry::maybe(published.number(version, colour), 2),
            ]);
        }
    }
    let text = "A table's best move and minimax are nearly without chance, so that the games of one table are much alike: its rate \
                says more about the table than its number of games suggests.";
    Section::new("From table to table (table 7)", vec![text.into(), table.into()])
}

/// The games after which a version did best against random; its table is that of a run that ends there.
fn best_round(trained: &Trained) -> Option<(u64, f64)> {
    let points = trained.curve("games", "strength").into_iter().map(|(games, rate)| (games as u64, rate));
    points.max_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)))
}

/// S3, 4.5: minimax against the table that did best against random instead of the last one.
fn best_tables(
    conduct: &mut Conduct,
    trainings: &[StudyTraining],
    trained: &[Trained],
    against: &[[Against; 2]],
    parameters: &TableStudyParameters,
) -> Result<Section, StudyError> {
    let columns =
        ["games of the best", "random then, %", "minimax, %", "\u{b1}", "minimax at the end, %", "\u{b1} "];
    let columns = [Column::label("table")].into_iter().chain(columns.map(Column::ours)).collect();
    let caption = "The table of the round that did best against random, and the last one, against minimax";
    let mut table = ReportTable::new("best-tables", caption, columns);
    let best: Vec<(u64, f64)> = trained.iter().filter_map(best_round).collect();
    let mut trainings = trainings.to_vec();
    for ((training, (version, _)), &(games, _)) in trainings.iter_mut().zip(VERSIONS).zip(&best) {
        training.name = format!("best table {version}");
        training.config.parameters.insert("games".into(), Value::Integer(games as i64));
    }
    conduct.train("best tables", &trainings)?;
    for (((version, _), training), (&(games, rate), ends)) in
        VERSIONS.iter().zip(&trainings).zip(best.iter().zip(against))
    {
        let name = format!("the best of {version}");
        // The whole table is for reversi-networks, too.
        let tests = match games < parameters.games {
            true => tests_once(conduct, &name, training, parameters)?,
            false => tests(conduct, &name, training, parameters.final_games, parameters.depth)?,
        };
        let mut row = vec![Entry::text(*version), Entry::count(games), Entry::percent(rate)];
        for tally in [both(&tests[1]), both(&ends[1])] {
            row.extend([Entry::percent(tally.rate()), Entry::number(100.0 * half_width(&tally), 1)]);
        }
        table.push(row);
    }
    Ok(Section::new("The best instead of the last table (section 4.5)", vec![table.into()]))
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
    Chart::bars(name, &caption, Axis::even("rate, %"), names, vec![("rate".into(), ours)])
        .beside("rate", theirs.collect())
}

fn both(tests: &Against) -> Tally {
    let mut all = tests.black;
    all += tests.white;
    all
}
