//! S4, 6.4: the final agent against programs of several levels (tables 6 and 7).

use serde::Deserialize;
use toml::Table as Toml;

use super::{LearningProtocol, ProtocolVariant, agent, contest, training};
use crate::conduct::{Conduct, StudyOutcome};
use crate::contest::{From, MatchScore};
use crate::error::StudyError;
use crate::report::{Axis, Chart, Column, Entry, Finding, ReportTable, Section, Series};
use crate::statistics::{Estimate, shown};
use crate::training::{StudyTraining, Trained};

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
    /// Agents that learn with some parameters changed.
    variant: Option<ProtocolVariant>,
}

/// How the agents did against somebody.
struct Level {
    name: String,
    score: MatchScore,
}

impl Level {
    /// Marbles won less lost, a game.
    fn marbles(&self) -> f64 {
        (self.score.margins[0] + self.score.margins[1]) as f64 / self.score.all().games().max(1) as f64
    }

    fn lead(&self) -> Estimate {
        Estimate::rate(format!("games led or won against {}, %", self.name), &self.score.leads)
    }
}

/// S4, 6.4: the final agent against programs of several levels (tables 6 and 7).
pub fn procedure(conduct: &mut Conduct) -> Result<StudyOutcome, StudyError> {
    let last: Last = conduct.parameters()?;
    let mut outcome = StudyOutcome { findings: Vec::new(), sections: Vec::new() };
    for protocol in LearningProtocol::both(&last.training, last.runs, last.variant.as_ref()) {
        let (trained, levels) = follow(conduct, &last, &protocol)?;
        let caption = format!(
            "The final agents at one ply ({} runs of learning, {} games each); marbles won less lost",
            protocol.runs, last.games
        );
        let table = level_table(&levels, &protocol.named(&caption), &protocol.file("levels"));
        outcome.sections.extend([
            Section::new(&protocol.named("Learning"), vec![learning_chart(&trained, &protocol).into()]),
            Section::new(&protocol.named("Against programs (tables 6 and 7)"), vec![table.into()]),
        ]);
        outcome.findings.extend(findings(&levels, &protocol));
    }
    let text = "AbaPro and MyLovelyAbalone are not free programs. Their levels are stood in for by their published heuristics \
                with weights of our own, each looking 1 to 5 plies ahead.";
    let published =
        ["6", "7"].map(|table| conduct.published(table).as_table(&format!("published-{table}")).into());
    let blocks = [text.into()].into_iter().chain(published).collect();
    outcome.sections.push(Section::new("Published (tables 6 and 7)", blocks));
    Ok(outcome)
}

/// The study by one protocol.
fn follow(
    conduct: &mut Conduct,
    last: &Last,
    protocol: &LearningProtocol,
) -> Result<(Vec<Trained>, Vec<Level>), StudyError> {
    let seed = conduct.seed();
    let run = |run| {
        let name = protocol.named(&format!("agent {run}"));
        training(name, seed.derive("run", run), &protocol.training, &[])
    };
    let trainings: Vec<StudyTraining> = (0..protocol.runs).map(run).collect();
    let trained = conduct.train(&protocol.named("learning"), &trainings)?;
    let opponents = opponents(&last.depths, &last.external);
    let mut matches = Vec::new();
    for (name, player) in &opponents {
        for (run, training) in trainings.iter().enumerate() {
            let name = protocol.named(&format!("agent {run} against {name}"));
            let agent = agent(training, conduct);
            matches.push(contest(name, &agent, player, last.games, From::Random(2), last.plies));
        }
    }
    let scores = conduct.matches(&protocol.named("games"), &matches)?;
    let levels = opponents
        .into_iter()
        .zip(scores.chunks((protocol.runs as usize).max(1)))
        .map(|((name, _), scores)| {
            let score = scores.iter().fold(MatchScore::default(), |sum, score| sum.merge(score));
            Level { name, score }
        })
        .collect();
    Ok((trained, levels))
}

/// Names and specs.
fn opponents(depths: &[u32], external: &str) -> Vec<(String, String)> {
    let mut opponents: Vec<(String, String)> = vec![("the reference player".into(), "reference".into())];
    for (level, depth) in (1..).zip(depths) {
        opponents.push((
            format!("MyLovelyAbalone's evaluation, depth {depth} (level {level})"),
            format!("engine:depth={depth},eval=lovely,quiescence=0,selectivity=off"),
        ));
        opponents.push((
            format!("AbaPro's evaluation, depth {depth} (level {level})"),
            format!("engine:depth={depth},eval=abapro,quiescence=0,selectivity=off"),
        ));
    }
    if !external.is_empty() {
        opponents.push((format!("`{external}`"), format!("external:ugi:\"{external}\"")));
    }
    opponents
}

fn level_table(levels: &[Level], caption: &str, name: &str) -> ReportTable {
    let columns = ["won", "drawn", "lost", "rate, %", "led or won, %", "marbles a game"].map(Column::ours);
    let columns: Vec<Column> = [Column::label("against")].into_iter().chain(columns).collect();
    let mut table = ReportTable::new(name, caption, columns);
    for level in levels {
        let all = level.score.all();
        table.push(vec![
            Entry::text(level.name.as_str()),
            Entry::count(all.wins),
            Entry::count(all.draws),
            Entry::count(all.losses),
            Entry::percent(all.rate()),
            Entry::percent(level.score.leads.rate()),
            Entry::number(level.marbles(), 2),
        ]);
    }
    table
}

fn learning_chart(trained: &[Trained], protocol: &LearningProtocol) -> Chart {
    let series = trained.iter().enumerate().map(|(run, it)| {
        let points = it.curve("games", "strength").into_iter().map(|(x, y)| (x, 100.0 * y)).collect();
        Series::ours(format!("run {}", run + 1), points)
    });
    Chart::lines(
        &protocol.file("learning"),
        &protocol.named("Share of games won against the reference player while learning"),
        Axis::even("training games"),
        Axis::even("won, %"),
        series.collect(),
    )
}

fn findings(levels: &[Level], protocol: &LearningProtocol) -> Vec<Finding> {
    let of = |start: &str| levels.iter().filter(|level| level.name.starts_with(start)).collect::<Vec<_>>();
    let words = |levels: &[&Level]| {
        let one = |level: &&Level| {
            format!(
                "{} {} led or won, {:+.1} marbles",
                level.name,
                shown(&level.score.leads),
                level.marbles()
            )
        };
        format!("{}.", levels.iter().map(one).collect::<Vec<_>>().join("; "))
    };
    let (marbles, abapro) = (of("MyLovely"), of("AbaPro"));
    let ends = [
        abapro.first().map(|level| level.lead().above(50.0)),
        abapro.last().map(|level| level.lead().below(50.0)),
    ];
    let stood_in = format!(
        "Stand-ins for programs that are not free. Games end at the first repetition and count for whoever leads in \
         marbles, as S4's did; many games instead of one. {}",
        protocol.differs()
    );
    let reference = of("the reference");
    vec![
        Finding::tested(
            protocol.claim("the agent at one ply leads against all levels of MyLovelyAbalone's evaluation."),
            marbles.iter().map(|level| level.lead().above(50.0)).collect(),
            words(&marbles),
        )
        .published("five games, all led: 6:1, 4:0, 5:0, 5:0, 4:0 (table 6)")
        .differs(stood_in.as_str()),
        Finding::tested(
            protocol.claim("the agent leads against the lowest level of AbaPro's evaluation and trails against the highest."),
            ends.into_iter().flatten().collect(),
            words(&abapro),
        )
        .published("5:2, 5:2, 4:4, 3:6, 3:6 (table 7)")
        .differs(stood_in),
        Finding::tested(
            protocol.claim("the agent leads against the reference player."),
            reference.iter().map(|level| level.lead().above(50.0)).collect(),
            words(&reference),
        )
        .published("hardly beaten any more (6.2)")
        .differs(protocol.differs()),
    ]
}
