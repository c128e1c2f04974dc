//! S4, 6.4: the final agent against programs of several levels (tables 6 and 7).

use serde::Deserialize;
use toml::Table as Toml;

use super::{agent, contest, training};
use crate::conduct::{Conduct, Outcome};
use crate::contest::{From, Score};
use crate::error::StudyError;
use crate::report::{Axis, Chart, Column, Entry, Finding, Section, Series, Table, Verdict};
use crate::statistics::shown;
use crate::training::Training;

/// What the file of `abalone-final` says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Last {
    /// Agents trained, with different seeds.
    runs: u64,
    /// Games at each level.
    games: u64,
    /// Plies that the stand-ins of levels 1 to 5 look ahead.
    depths: Vec<u32>,
    /// Games are drawn after so many plies.
    plies: u32,
    /// A command that speaks UGI and plays Abalone, to be played against too; nobody if empty.
    #[serde(default)]
    external: String,
    /// Parameters of learning.
    training: Toml,
}

/// S4, 6.4: the final agent against programs of several levels (tables 6 and 7).
pub fn procedure(conduct: &mut Conduct) -> Result<Outcome, StudyError> {
    let Last { runs, games, depths, plies, external, training: own } = conduct.parameters()?;
    let seed = conduct.seed();
    let trainings: Vec<Training> =
        (0..runs).map(|run| training(format!("agent {run}"), seed.derive("run", run), &own, &[])).collect();
    let trained = conduct.train("learning", &trainings)?;
    let mut opponents: Vec<(String, String)> = vec![("reference player".into(), "reference".into())];
    for (level, depth) in (1..).zip(&depths) {
        opponents.push((
            format!("marbles, depth {depth} (level {level})"),
            format!("minimax:depth={depth},eval=margin"),
        ));
        opponents.push((
            format!("AbaPro's evaluation, depth {depth} (level {level})"),
            format!("engine:depth={depth},eval=abapro,quiescence=0,selectivity=off"),
        ));
    }
    if !external.is_empty() {
        opponents.push((format!("`{external}`"), format!("external:ugi:\"{external}\"")));
    }
    let mut matches = Vec::new();
    for (name, player) in &opponents {
        for (run, training) in trainings.iter().enumerate() {
            let name = format!("agent {run} against {name}");
            matches.push(contest(name, &agent(training, conduct), player, games, From::Random(2), plies));
        }
    }
    let scores = conduct.matches("games", &matches)?;
    let each = runs as usize;
    let columns = ["won", "drawn", "lost", "rate, %", "marbles a game"].map(Column::ours);
    let columns: Vec<Column> = [Column::label("against")].into_iter().chain(columns).collect();
    let caption = format!(
        "The final agents at one ply ({runs} runs of learning, {games} games each); marbles won less lost"
    );
    let mut table = Table::new("levels", &caption, columns);
    let mut summed = Vec::new();
    for ((name, _), scores) in opponents.iter().zip(scores.chunks(each.max(1))) {
        let score = scores.iter().fold(Score::default(), |sum, score| sum.merge(score));
        let all = score.all();
        let marbles = (score.margins[0] + score.margins[1]) as f64 / all.games().max(1) as f64;
        table.push(vec![
            Entry::text(name.as_str()),
            Entry::count(all.wins),
            Entry::count(all.draws),
            Entry::count(all.losses),
            Entry::percent(all.rate()),
            Entry::number(marbles, 2),
        ]);
        summed.push((name.clone(), score, marbles));
    }
    let series = trained.iter().enumerate().map(|(run, it)| {
        let points = it.curve("games", "strength").into_iter().map(|(x, y)| (x, 100.0 * y)).collect();
        Series::ours(format!("run {}", run + 1), points)
    });
    let chart = Chart::lines(
        "learning",
        "Share of games won against the reference player while learning",
        Axis::even("training games"),
        Axis::even("won, %"),
        series.collect(),
    );
    let rate = |at: usize| summed.get(at).map_or(0.5, |row| row.1.all().rate());
    let findings = vec![
        Finding::new(
            "The agent at one ply beats programs that search deeper but only count marbles (MyLovelyAbalone).",
            Verdict::of(summed.iter().filter(|row| row.0.starts_with("marbles")).all(|row| row.2 > 0.0)),
            summed
                .iter()
                .filter(|row| row.0.starts_with("marbles"))
                .map(|row| format!("{} {} ({:+.1} marbles)", row.0, shown(&row.1.all()), row.2))
                .collect::<Vec<_>>()
                .join("; "),
        ),
        Finding::new(
            "It beats the low levels of AbaPro and loses against level 4 and 5.",
            {
                let levels: Vec<f64> =
                    summed.iter().filter(|row| row.0.starts_with("AbaPro")).map(|row| row.2).collect();
                Verdict::of(
                    levels.first().is_some_and(|m| *m > 0.0) && levels.last().is_some_and(|m| *m < 0.0),
                )
            },
            summed
                .iter()
                .filter(|row| row.0.starts_with("AbaPro"))
                .map(|row| format!("{} {:+.1} marbles", row.0, row.2))
                .collect::<Vec<_>>()
                .join("; "),
        ),
        Finding::new(
            "The agent beats the reference player nearly always.",
            Verdict::of(rate(0) > 0.8),
            format!("{}.", shown(&summed[0].1.all())),
        ),
    ];
    let text = "AbaPro and MyLovelyAbalone are not free programs. Their levels are stood in for by AbaPro's published \
                evaluation and by counting marbles, each looking 1 to 5 plies ahead.";
    let sections = vec![
        Section::new("Learning", vec![chart.into()]),
        Section::new(
            "Against programs (tables 6 and 7)",
            vec![
                text.into(),
                table.into(),
                conduct.published("6").as_table("published-6").into(),
                conduct.published("7").as_table("published-7").into(),
            ],
        ),
    ];
    Ok(Outcome { findings, sections })
}
