//! S1's tests 1 and 3 with the polynomials as printed: what of a difference lies in the test, and what in learning.

use trilith_arena::statistics::Tally;
use trilith_games::Game;
use trilith_games::othello::Othello;

use crate::conduct::Conduct;
use crate::contest::Match;
use crate::error::StudyError;
use crate::report::{Column, Entry, Finding, ReportTable, Section};
use crate::statistics::{Estimate, mean};

/// The published table, what is played against, and two standard errors of the published share of 3000 games, in points.
const TESTS: [(&str, &str, f64); 2] =
    [("random weights", "random-weights", 1.8), ("random moves", "random", 1.3)];
const GROUPS: [char; 6] = ['a', 'b', 'c', 'd', 'e', 'f'];

/// A printed polynomial in one test, as White: S1 counts games won, a draw is no win.
struct Played {
    name: String,
    tally: Tally,
    published: f64,
}

impl Played {
    fn difference(&self) -> f64 {
        100.0 * self.tally.rate() - self.published
    }
}

/// Plays all printed polynomials, half of `games` with White.
pub(super) fn section(
    conduct: &mut Conduct,
    games: u64,
    depth: u32,
) -> Result<(Section, Vec<Finding>), StudyError> {
    let (mut tables, mut findings) = (Vec::new(), Vec::new());
    for (words, opponent, error) in TESTS {
        let played = play(conduct, games, depth, words, opponent)?;
        tables.push(table(&played, words).into());
        findings.push(finding(&played, words, error, depth));
    }
    Ok((Section::new("The printed polynomials in S1's tests (tables 5.3 to 6.4)", tables), findings))
}

fn play(
    conduct: &mut Conduct,
    games: u64,
    depth: u32,
    words: &str,
    opponent: &str,
) -> Result<Vec<Played>, StudyError> {
    let opponent = if opponent == "random" { opponent.into() } else { format!("{opponent}:depth={depth}") };
    let names: Vec<String> =
        GROUPS.iter().flat_map(|group| (1..=3).map(move |number| format!("{group}{number}"))).collect();
    let contest = |name: &String| {
        let own = format!("minimax:depth={depth},eval=polynomial-{name}");
        Match {
            per_cell: 100,
            ..Match::new(Othello::NAME, format!("{name} against {words}"), &own, &opponent, games)
        }
    };
    let matches: Vec<Match> = names.iter().map(contest).collect();
    let scores = conduct.matches(&format!("printed polynomials against {words}"), &matches)?;
    let published = conduct.published("strength");
    let played = names.into_iter().zip(scores).filter_map(|(name, score)| {
        let Tally { wins, draws, losses } = score.white;
        let published = published.number(&name, words)?;
        Some(Played { name, tally: Tally { wins, draws: 0, losses: losses + draws }, published })
    });
    Ok(played.collect())
}

fn table(played: &[Played], words: &str) -> ReportTable {
    let columns = vec![
        Column::label("polynomial"),
        Column::ours("games with White"),
        Column::ours("won, %"),
        Column::published("won, %"),
        Column::ours("difference"),
    ];
    let name = format!("printed-{}", words.replace(' ', "-"));
    let mut table = ReportTable::new(&name, &format!("Printed polynomials against {words}"), columns);
    for one in played {
        table.push(vec![
            Entry::text(one.name.to_uppercase()),
            Entry::count(one.tally.games()),
            Entry::number(100.0 * one.tally.rate(), 1),
            Entry::number(one.published, 1),
            Entry::number(one.difference(), 1),
        ]);
    }
    table
}

fn finding(played: &[Played], words: &str, error: f64, depth: u32) -> Finding {
    let test = |one: &Played| {
        let quantity = format!("{} against {words}, % won with White", one.name.to_uppercase());
        let (from, to) = (one.published - error, one.published + error);
        let rounded = |number: f64| (10.0 * number).round() / 10.0;
        Estimate::rate(quantity, &one.tally).within(rounded(from), rounded(to))
    };
    let of = |group: char| {
        let all: Vec<f64> =
            played.iter().filter(|one| one.name.starts_with(group)).map(Played::difference).collect();
        format!("{} {:+.1}", group.to_ascii_uppercase(), mean(&all))
    };
    let words_of_all: Vec<String> = GROUPS.into_iter().map(of).collect();
    let printed = |group: char| {
        let own = played.iter().filter(|one| one.name.starts_with(group));
        let shares: Vec<String> = own.map(|one| format!("{:.1}", one.published)).collect();
        format!("{} {}", group.to_ascii_uppercase(), shares.join(", "))
    };
    let theirs: Vec<String> = GROUPS.into_iter().map(printed).collect();
    Finding::tested(
        format!("The printed polynomials win here as often as published against {words}."),
        played.iter().map(test).collect(),
        format!("Ours less published, points, means of three: {}.", words_of_all.join(", ")),
    )
    .published(format!("{}, per cent (tables 5.3, 5.5, 5.7, 5.9, 5.10, 6.3, 6.4 and C.1)", theirs.join("; ")))
    .differs(format!("{depth} plies; the same polynomials, so that no learning is part of it."))
}
