//! S4, 5.2 and 6.2: which heuristics an agent needs (figures 7 to 12).

use serde::Deserialize;
use toml::Table as Toml;

use super::{
    LearningProtocol, ProtocolVariant, agent, contest, learning_means, mean_curve, tests, text, training,
};
use crate::conduct::{Conduct, StudyOutcome};
use crate::contest::{From, Match, MatchScore};
use crate::error::StudyError;
use crate::report::{Axis, Block, Chart, Column, Entry, Finding, ReportTable, Section, Series, VerdictTest};
use crate::statistics::{Estimate, mean};
use crate::training::{StudyTraining, Trained};

/// What the file of `abalone-features` says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Features {
    /// Runs of the agents with all and with four heuristics, which a conclusion compares.
    runs: u64,
    /// Runs of each other agent.
    other_runs: u64,
    /// Whether the variant leaves out all 55 pairs, or only S4's two as S4's own protocol does.
    all_pairs: bool,
    /// Games of the direct comparison.
    direct_games: u64,
    /// Games are drawn after so many plies.
    plies: u32,
    /// Parameters that all share.
    training: Toml,
    /// All agents once more, with some parameters changed.
    variant: Option<ProtocolVariant>,
}

const HEURISTICS: [&str; 11] = [
    "pairs",
    "triples",
    "centre",
    "rim",
    "ejected",
    "protected",
    "isolated",
    "sumitos",
    "threats",
    "distance",
    "cohesion",
];
const CHOSEN: [&str; 4] = ["rim", "triples", "threats", "distance"];

/// Agents that see one set of heuristics.
struct SetAgents {
    name: String,
    trainings: Vec<StudyTraining>,
    trained: Vec<Trained>,
}

/// Agents by the set of heuristics they see.
struct Agents(Vec<SetAgents>);

impl Agents {
    fn of(&self, name: &str) -> &SetAgents {
        self.0.iter().find(|agents| agents.name == name).expect("a set that was trained")
    }

    /// Mean shares won while learning, by run.
    fn strengths(&self, name: &str) -> Vec<f64> {
        learning_means(&self.of(name).trained)
    }
}

/// S4, 5.2 and 6.2: which heuristics an agent needs (figures 7 to 12).
pub fn procedure(conduct: &mut Conduct) -> Result<StudyOutcome, StudyError> {
    let parameters: Features = conduct.parameters()?;
    let Features { runs, direct_games, plies, training, variant, .. } = &parameters;
    let mut outcome = StudyOutcome { findings: Vec::new(), sections: Vec::new() };
    for protocol in LearningProtocol::both(training, *runs, variant.as_ref()) {
        let agents = train(conduct, &parameters, &protocol)?;
        let pairs = agents.of("four").trainings.iter().zip(&agents.of("all").trainings);
        let direct: Vec<Match> = pairs
            .enumerate()
            .map(|(run, (four, all))| {
                let name = protocol.named(&format!("four against all, run {run}"));
                let [four, all] = [four, all].map(|training| agent(training, conduct));
                contest(name, &four, &all, *direct_games, From::Random(2), *plies)
            })
            .collect();
        let scores = conduct.matches(&protocol.named("four against all"), &direct)?;
        let title = |title: &str| protocol.named(title);
        outcome.sections.extend([
            Section::new(&title("Learning curves (figures 7 to 11)"), charts(&agents, &protocol)),
            Section::new(&title("In numbers"), vec![rates(&agents, &protocol).into()]),
            Section::new(
                &title("Four against eleven (figure 12)"),
                vec![figure_12(&scores, &protocol).into()],
            ),
        ]);
        outcome.findings.extend(findings(&agents, &scores, &protocol));
    }
    Ok(outcome)
}

/// All heuristics, the chosen four, each one left out, and pairs left out.
fn sets(all_pairs: bool) -> Vec<(String, Vec<&'static str>)> {
    let without = |left_out: &[&str]| -> Vec<&'static str> {
        HEURISTICS.into_iter().filter(|name| !left_out.contains(name)).collect()
    };
    let mut sets: Vec<(String, Vec<&str>)> =
        vec![("all".into(), without(&[])), ("four".into(), CHOSEN.into())];
    sets.extend(HEURISTICS.iter().map(|name| (format!("without {name}"), without(&[name]))));
    for (at, a) in HEURISTICS.iter().enumerate() {
        for b in &HEURISTICS[at + 1..] {
            let published = [("centre", "distance"), ("sumitos", "threats")].contains(&(*a, *b));
            if all_pairs || published {
                sets.push((format!("without {a} and {b}"), without(&[a, b])));
            }
        }
    }
    sets
}

fn train(
    conduct: &mut Conduct,
    parameters: &Features,
    protocol: &LearningProtocol,
) -> Result<Agents, StudyError> {
    let seed = conduct.seed();
    let all_pairs = parameters.all_pairs && !protocol.name.is_empty();
    let mut agents: Vec<SetAgents> = Vec::new();
    for (name, set) in sets(all_pairs) {
        let runs =
            if ["all", "four"].contains(&name.as_str()) { protocol.runs } else { parameters.other_runs };
        let own = [("features", text(&format!("s4:{}", set.join("+"))))];
        let run = |run| {
            let name = protocol.named(&format!("{name} run {run}"));
            training(name, seed.derive("run", run), &protocol.training, &own)
        };
        agents.push(SetAgents { trainings: (0..runs).map(run).collect(), trained: Vec::new(), name });
    }
    let trainings: Vec<StudyTraining> = agents.iter().flat_map(|set| set.trainings.clone()).collect();
    let mut trained = conduct.train(&protocol.named("learning"), &trainings)?.into_iter();
    for set in &mut agents {
        set.trained = trained.by_ref().take(set.trainings.len()).collect();
    }
    Ok(Agents(agents))
}

fn charts(agents: &Agents, protocol: &LearningProtocol) -> Vec<Block> {
    let chart = |name: &str, caption: &str, names: &[&str]| -> Block {
        let series =
            names.iter().map(|name| Series::ours(*name, mean_curve(&agents.of(name).trained))).collect();
        let (name, caption) = (protocol.file(name), protocol.named(caption));
        Chart::lines(&name, &caption, Axis::even("training games"), Axis::even("won, %"), series).into()
    };
    let singles: Vec<String> = HEURISTICS.iter().map(|name| format!("without {name}")).collect();
    let singles: Vec<&str> = singles.iter().map(String::as_str).collect();
    vec![
        chart("figure-7", "All heuristics against the reference player (figure 7)", &["all"]),
        chart("figure-8", "One heuristic left out (figure 8)", &singles),
        chart(
            "figure-9",
            "Distance and centre (figure 9)",
            &["without distance", "without centre", "without centre and distance", "all"],
        ),
        chart(
            "figure-10",
            "Threats and sumitos (figure 10)",
            &["without threats", "without sumitos", "without sumitos and threats", "all"],
        ),
        chart("figure-11", "All and the chosen four (figure 11)", &["all", "four"]),
    ]
}

fn rates(agents: &Agents, protocol: &LearningProtocol) -> ReportTable {
    let mut columns = vec![Column::label("heuristics"), Column::ours("runs")];
    columns.extend(["mean of the best", "mean of all tests", "at the end"].map(Column::ours));
    let caption =
        protocol.named("Share of games won against the reference player, in per cent; means of the runs");
    let mut table = ReportTable::new(&protocol.file("rates"), &caption, columns);
    for set in &agents.0 {
        let curves: Vec<Vec<f64>> = set.trained.iter().map(tests).collect();
        let of =
            |part: fn(&Vec<f64>) -> f64| Entry::number(mean(&curves.iter().map(part).collect::<Vec<_>>()), 1);
        table.push(vec![
            Entry::text(set.name.as_str()),
            Entry::count(set.trained.len() as u64),
            of(|curve| curve.iter().copied().fold(0.0, f64::max)),
            of(|curve| mean(curve)),
            of(|curve| curve.last().copied().unwrap_or(0.0)),
        ]);
    }
    table
}

fn figure_12(scores: &[MatchScore], protocol: &LearningProtocol) -> ReportTable {
    let caption = "The chosen four against all eleven at the end of learning (figure 12 shows it by games)";
    let mut play = ReportTable::new(
        &protocol.file("figure-12"),
        &protocol.named(caption),
        ["run", "won", "drawn", "lost", "rate, %", "led or won, %"].map(Column::ours).into(),
    );
    for (run, score) in (1..).zip(scores) {
        let all = score.all();
        play.push(vec![
            Entry::count(run),
            Entry::count(all.wins),
            Entry::count(all.draws),
            Entry::count(all.losses),
            Entry::percent(all.rate()),
            Entry::percent(score.leads.rate()),
        ]);
    }
    play
}

fn findings(agents: &Agents, scores: &[MatchScore], protocol: &LearningProtocol) -> Vec<Finding> {
    let games = protocol.test_games();
    let less = |a: &str, b: &str| {
        let words = format!("{a} less {b}, won while learning, points");
        let tested: usize = agents.of(a).trained.iter().map(|run| tests(run).len()).sum();
        Estimate::between_means(words, &agents.strengths(a), &agents.strengths(b))
            .of_shares(tested as u64 * games)
            .above(0.0)
    };
    let direct: Vec<f64> = scores.iter().map(|score| 100.0 * score.leads.rate()).collect();
    let by_set: Vec<String> = agents
        .0
        .iter()
        .map(|set| format!("{} {:.0}%", set.name, mean(&learning_means(&set.trained))))
        .collect();
    let words = format!("Won while learning: {}.", by_set.join(", "));
    let both = "without centre and distance";
    let finding = |claim: &str, tests: Vec<VerdictTest>, evidence: String, published: &str| {
        Finding::tested(protocol.claim(claim), tests, evidence)
            .published(published)
            .differs(protocol.differs())
    };
    vec![
        finding(
            "An agent that sees four heuristics (rim, triples, threats, distance) learns faster than one with all eleven and beats it.",
            vec![
                less("four", "all"),
                Estimate::mean("four leads or wins against all at the end, mean of the runs, %", &direct)
                    .above(50.0),
            ],
            format!("Four against all {:.1}% in the mean. {words}", mean(&direct)),
            "four learn faster, in words (6.2; figure 11, and figure 12 for games between them: curves without printed numbers)",
        ),
        finding(
            "Without triples an agent learns less than with all heuristics.",
            vec![less("all", "without triples")],
            words.clone(),
            "without triples at no time more than 50% won (6.2; figure 8, a curve without printed numbers)",
        ),
        finding(
            "Without both distance and centre an agent learns less than without one of them.",
            vec![less("without distance", both), less("without centre", both)],
            words,
            "without both nothing worth mentioning is learned, in words (6.2; figure 9, a curve without printed numbers)",
        ),
    ]
}
