//! S5, chapter 5: a player that learns from its games against one that does not, over a series.

use serde::{Deserialize, Serialize};
use trilith_arena::book::{Series as Contest, SeriesReport};

use crate::conduct::{Conduct, Outcome};
use crate::error::StudyError;
use crate::report::{Axis, Chart, Column, Entry, Finding, Section, Series, Table, Verdict};

/// What the study's file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
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
pub fn procedure(conduct: &mut Conduct) -> Result<Outcome, StudyError> {
    let Parameters { games, nodes, plies } = conduct.parameters()?;
    let folder = conduct.runs().join(format!("series-{games}-{nodes}-{}", conduct.seed()));
    let Went(reports) = conduct.here("series", move |_, _| {
        // A book that a killed run has left would be a learner with experience.
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).map_err(|source| StudyError::file(&folder, source))?;
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
    })?;
    let columns =
        ["won", "drawn", "lost", "first ten", "second ten", "second half, %", "lost games repeated"];
    let columns = [Column::label("series")].into_iter().chain(columns.map(Column::ours)).collect();
    let caption = format!(
        "The learner's results in {games} games at {nodes} nodes a move, from the usual start, colours changing"
    );
    let mut table = Table::new("series", &caption, columns);
    let mut series = Vec::new();
    for ((name, ..), report) in SERIES.iter().zip(&reports) {
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
        let mut sum = 0.0;
        let points = (1..).zip(report.letters.chars()).map(|(game, letter)| {
            sum += match letter {
                'W' => 1.0,
                'D' => 0.5,
                _ => 0.0,
            };
            (f64::from(game), 100.0 * sum / f64::from(game))
        });
        series.push(Series::ours(*name, points.collect()));
    }
    let chart = Chart::lines(
        "rates",
        "The learner's rate over all games so far",
        Axis::even("games"),
        Axis::even("rate, %"),
        series,
    );
    let alone = &reports[..3];
    let repeated: usize = reports.iter().map(|report| report.repeated_losses).sum();
    let findings = vec![
        Finding::new(
            "A program that remembers its games does not lose twice in the same way.",
            Verdict::of(repeated == 0),
            format!(
                "{repeated} of {} lost games were repetitions.",
                reports.iter().map(|report| report.results[2]).sum::<usize>()
            ),
        ),
        Finding::new(
            "It soon beats the same program that does not learn.",
            Verdict::of(alone.iter().all(|report| report.second_half > 0.6)),
            alone
                .iter()
                .zip(SERIES)
                .map(|(report, (name, ..))| format!("{name}: second half {:.0}%", 100.0 * report.second_half))
                .collect::<Vec<_>>()
                .join(", "),
        ),
    ];
    let text = "S5 gives no numbers: it reports hundreds of games on a server. Both players are deterministic, so that what \
                changes is what was learned.";
    let sections = vec![Section::new("Series (chapter 5)", vec![text.into(), table.into(), chart.into()])];
    Ok(Outcome { findings, sections })
}
