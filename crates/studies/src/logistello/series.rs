//! S5, chapter 5: a player that learns from its games against one that does not, over a series.

use std::path::Path;

use serde::{Deserialize, Serialize};
use trilith_arena::book::{BookSeries as Contest, SeriesReport};
use trilith_arena::statistics::Tally;

use crate::conduct::{Conduct, StudyOutcome};
use crate::error::StudyError;
use crate::report::{Axis, Chart, Column, Entry, Finding, ReportTable, Section, Series};
use crate::statistics::{Estimate, counted, shown};

/// What the study's file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeriesParameters {
    /// Games of each series.
    games: u64,
    /// Nodes a move.
    nodes: u64,
    /// Games of Morris and Abalone are drawn after so many plies.
    plies: u32,
}

/// Name, game, rules, whether the opponent learns as well.
const SERIES: [(&str, &str, &str, bool); 4] = [
    ("Othello", "othello", "", false),
    ("Morris", "morris", "", false),
    ("Abalone, Belgian daisy", "abalone", "layout=belgian-daisy", false),
    ("Othello, both learn", "othello", "", true),
];

/// How all series went.
#[derive(Serialize, Deserialize)]
struct Went(Vec<SeriesReport>);

/// Plays all series beside each other.
pub fn procedure(conduct: &mut Conduct) -> Result<StudyOutcome, StudyError> {
    let SeriesParameters { games, nodes, plies } = conduct.parameters()?;
    let folder = conduct.runs().join(format!("series-{games}-{nodes}-{}", conduct.seed()));
    let Went(reports) = conduct.here("series", move |_, _| play(&folder, games, nodes, plies))?;
    let caption = format!(
        "The learner's results in {games} games at {nodes} nodes a move, from the usual start, colours changing"
    );
    let text = "S5 gives no numbers: it reports hundreds of games on a server. Both players are deterministic, so that what \
                changes is what was learned.";
    let blocks = vec![text.into(), table(&reports, &caption).into(), chart(&reports).into()];
    Ok(StudyOutcome {
        findings: findings(&reports),
        sections: vec![Section::new("Series (chapter 5)", blocks)],
    })
}

fn play(folder: &Path, games: u64, nodes: u64, plies: u32) -> Result<Went, StudyError> {
    // A book that a killed run has left would be a learner with experience.
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder).map_err(|source| StudyError::file(folder, source))?;
    let play = |&(name, game, rules, both): &(&str, &str, &str, bool)| {
        let book = |side: &str| folder.join(format!("{name} {side}.book"));
        let contest = Contest {
            game: game.into(),
            rules: rules.into(),
            book: book("a"),
            against: both.then(|| book("b")),
            games,
            nodes,
            plies: (game != "othello").then_some(plies),
            draws_lose: false,
        };
        contest.play(|_, _| ())
    };
    let played: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = SERIES.iter().map(|series| scope.spawn(move || play(series))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a series does not panic")).collect()
    });
    Ok(Went(played.into_iter().collect::<Result<_, _>>()?))
}

fn table(reports: &[SeriesReport], caption: &str) -> ReportTable {
    let columns =
        ["won", "drawn", "lost", "first ten", "second ten", "second half, %", "lost games repeated"];
    let columns = [Column::label("series")].into_iter().chain(columns.map(Column::ours)).collect();
    let mut table = ReportTable::new("series", caption, columns);
    for ((name, ..), report) in SERIES.iter().zip(reports) {
        let [won, drawn, lost] = report.results.map(|count| Entry::count(count as u64));
        let ten = |at: usize| Entry::maybe(report.tens.get(at).copied(), 1);
        table.push(vec![
            Entry::text(*name),
            won,
            drawn,
            lost,
            ten(0),
            ten(1),
            Entry::percent(report.second_half),
            Entry::count(report.repeated_losses as u64),
        ]);
    }
    table
}

fn chart(reports: &[SeriesReport]) -> Chart {
    let series = SERIES.iter().zip(reports).map(|((name, ..), report)| {
        let mut sum = 0.0;
        let points = (1..).zip(report.letters.chars()).map(|(game, letter)| {
            sum += match letter {
                'W' => 1.0,
                'D' => 0.5,
                _ => 0.0,
            };
            (f64::from(game), 100.0 * sum / f64::from(game))
        });
        Series::ours(*name, points.collect())
    });
    Chart::lines(
        "rates",
        "The learner's rate over all games so far",
        Axis::even("games"),
        Axis::even("rate, %"),
        series.collect(),
    )
}

/// The second half of a series as a tally.
fn second_half(report: &SeriesReport) -> Tally {
    let letters: Vec<char> = report.letters.chars().collect();
    let half = &letters[letters.len() / 2..];
    let count = |wanted: char| half.iter().filter(|letter| **letter == wanted).count() as u64;
    let (wins, draws) = (count('W'), count('D'));
    Tally { wins, draws, losses: half.len() as u64 - wins - draws }
}

fn findings(reports: &[SeriesReport]) -> Vec<Finding> {
    let repeated: usize = reports.iter().map(|report| report.repeated_losses).sum();
    let losses: usize = reports.iter().map(|report| report.results[2]).sum();
    let alone = || reports.iter().zip(SERIES).take(3);
    let beats = alone().map(|(report, (name, ..))| {
        Estimate::rate(format!("{name}: second half, %"), &second_half(report)).above(50.0)
    });
    let words: Vec<String> = alone()
        .map(|(report, (name, ..))| format!("{name}: second half {}", shown(&second_half(report))))
        .collect();
    let protocol = "Games of our engine and book in three games; S5 tells of hundreds of games on a server.";
    vec![
        Finding::tested(
            "A program that remembers its games does not lose twice in the same way.",
            vec![counted("lost games repeated", repeated as f64, "0", "some", repeated == 0)],
            format!("{repeated} of {losses} lost games were repetitions."),
        )
        .published("'does not lose twice in the same way' (5.1), without numbers")
        .differs(protocol),
        Finding::tested(
            "In the second half of a series it beats the same program that does not learn.",
            beats.collect(),
            format!("{}.", words.join(", ")),
        )
        .published("a stronger player that does not learn can be overcome in a series (5.1), without numbers")
        .differs(protocol),
    ]
}
