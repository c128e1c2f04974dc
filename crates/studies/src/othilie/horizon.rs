//! S1, appendix E: what a polynomial sees along a line that ends in a lost game; and how the printed polynomials play.

use serde::{Deserialize, Serialize};
use trilith_eval::Catalogue;
use trilith_eval::othello::Evaluations;
use trilith_games::othello::{Othello, Position};
use trilith_games::{Colour, Game, Outcome};

use super::played;
use crate::conduct::{self, Conduct};
use crate::error::StudyError;
use crate::file::PublishedTable;
use crate::report::{Axis, Chart, Column, Entry, Finding, ReportTable, Section, Series};
use crate::statistics::counted;

/// What the horizon's file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Horizon {
    /// The polynomial.
    evaluation: String,
    /// The positions of figure E.1, White's turn or not, as texts.
    positions: Vec<String>,
    /// Games of each printed polynomial in each test, half of them with White; S1: 3000 with White.
    games: u64,
    /// Plies that it looks ahead; S1's five levels with the root are four.
    depth: u32,
}

/// A position of the line.
#[derive(Serialize, Deserialize)]
struct ValuedPosition {
    black: u32,
    white: u32,
    /// For White: -1 to 1.
    value: f64,
}

/// Appendix E: values along a line that ends in a lost game.
pub fn procedure(conduct: &mut Conduct) -> Result<conduct::StudyOutcome, StudyError> {
    let Horizon { evaluation, positions, games, depth } = conduct.parameters()?;
    let seen: Vec<ValuedPosition> =
        conduct.here("values", |_, _| positions.iter().map(|text| look(&evaluation, text)).collect())?;
    let published = conduct.published("E.1");
    let theirs = published.points("number", "value");
    let ours: Vec<(f64, f64)> = (1..).map(f64::from).zip(seen.iter().map(|seen| seen.value)).collect();
    let shown = |points: &[(f64, f64)]| points.iter().copied().filter(|point| point.1 > -0.9).collect();
    let chart = Chart::lines(
        "line",
        "Values for White, the ended game left out",
        Axis::even("position, a to g"),
        Axis::even("value"),
        vec![Series::ours("ours", shown(&ours)), Series::published("S1", shown(&theirs))],
    );
    let table = values_table(&seen, &published);
    let (played, more) = played::section(conduct, games, depth)?;
    let sections = vec![Section::new("The line (figure E.1)", vec![table.into(), chart.into()]), played];
    let mut findings = findings(&seen, &ours, &theirs);
    findings.extend(more);
    Ok(conduct::StudyOutcome { findings, sections })
}

fn values_table(seen: &[ValuedPosition], published: &PublishedTable) -> ReportTable {
    let columns = vec![
        Column::label("position"),
        Column::ours("black:white"),
        Column::ours("value for White"),
        Column::published("value for White"),
        Column::ours("difference"),
    ];
    let mut table = ReportTable::new("values", "Values for White along the line of figure E.1", columns);
    let letters = (b'a'..).map(|letter| char::from(letter).to_string());
    for (letter, seen) in letters.zip(seen) {
        table.push(vec![
            Entry::text(letter.as_str()),
            Entry::text(format!("{}:{}", seen.black, seen.white)),
            Entry::number(seen.value, 4),
            published.entry(&letter, "value", 4),
            Entry::maybe(published.number(&letter, "value").map(|theirs| seen.value - theirs), 4),
        ]);
    }
    table
}

fn findings(seen: &[ValuedPosition], ours: &[(f64, f64)], theirs: &[(f64, f64)]) -> Vec<Finding> {
    let early = seen.iter().take(5).filter(|seen| seen.value > 0.0).count();
    let late = seen.iter().skip(6).filter(|seen| seen.value >= 0.0).count();
    let steps =
        |points: &[(f64, f64)]| points.windows(2).map(|pair| pair[1].1 - pair[0].1).collect::<Vec<f64>>();
    let pairs: Vec<(f64, f64)> = steps(ours).into_iter().zip(steps(theirs)).take(6).collect();
    let same = pairs.iter().filter(|(ours, theirs)| (ours > &0.0) == (theirs > &0.0)).count();
    let values: Vec<String> = seen.iter().map(|seen| format!("{:+.4}", seen.value)).collect();
    let differences: Vec<String> =
        pairs.iter().map(|(ours, theirs)| format!("{:+.4}", ours - theirs)).collect();
    let seen_tests = vec![
        counted("positions a to e with White ahead", early as f64, "5", "fewer", early == 5),
        counted("positions g and h with White not behind", late as f64, "0", "some", late == 0),
    ];
    vec![
        Finding::tested(
            "The shipped polynomial of group E sees White ahead until the line is nearly at its lost end.",
            seen_tests,
            format!("Values for White: {}.", values.join(", ")),
        )
        .published("above zero from a to e, below from g on")
        .differs("The polynomial is printed to four digits."),
        Finding::tested(
            "Its values rise and fall along the line as in figure E.1.",
            vec![counted("steps with the printed sign", same as f64, "6 of 6", "fewer", same == pairs.len())],
            format!(
                "Our steps less the printed ones: {}. All values lie about 0.004 to 0.005 above the printed ones, which no \
                 printed feature explains; S1 prints two values, 0.0242 and 0.0246, for one position.",
                differences.join(", ")
            ),
        )
        .published("six steps between neighbours")
        .differs("The polynomial is printed to four digits."),
    ]
}

fn look(evaluation: &str, text: &str) -> Result<ValuedPosition, StudyError> {
    let game = Othello::default();
    let wrong = |error: trilith_games::PositionError| StudyError::Procedure(format!("`{text}`: {error}"));
    let position = Position::parse(text).map_err(wrong)?;
    let study = Evaluations::named(evaluation, None)?;
    let (black, white) = position.colours();
    // S1 looks from White's side, whoever is to move.
    let seen = Position { own: white, other: black, to_move: Colour::White };
    let value = match game.outcome(&seen) {
        Some(Outcome::Win) => 1.0,
        Some(Outcome::Draw) => 0.0,
        Some(Outcome::Loss) => -1.0,
        None => f64::from(study.value(&game, &seen)) / f64::from(study.unit().one),
    };
    Ok(ValuedPosition { black: black.count_ones(), white: white.count_ones(), value })
}
