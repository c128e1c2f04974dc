//! S4, 5.3 and 6.3: rewards and risk (table 3, figures 13 to 15).

use serde::Deserialize;
use toml::{Table as Toml, Value};

use super::{LearningProtocol, ProtocolVariant, learning_means, mean_curve, tests, text, training};
use crate::conduct::{Conduct, StudyOutcome};
use crate::error::StudyError;
use crate::report::{Axis, Block, Chart, Column, Entry, Finding, ReportTable, Section, Series, VerdictTest};
use crate::statistics::{Estimate, half_of_mean, mean};
use crate::training::Trained;

/// What the file of `abalone-rewards` says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rewards {
    /// Runs of each experiment.
    runs: u64,
    /// Runs of the experiments with rewards at the end alone, where that is another number: what they learn is little beside
    /// what runs differ by. The variant has as many as of the others.
    late_runs: Option<u64>,
    /// Parameters that all share.
    training: Toml,
    /// All experiments once more, with some parameters changed.
    variant: Option<ProtocolVariant>,
}

/// Table 3: eject, be ejected, win, lose, kappa.
const EXPERIMENTS: [([f64; 4], f64); 10] = [
    ([1.0, -1.0, 0.0, 0.0], -0.7),
    ([1.0, -1.0, 0.0, 0.0], 0.0),
    ([3.0, -1.0, 0.0, 0.0], -0.7),
    ([3.0, -1.0, 0.0, 0.0], 0.0),
    ([1.0, -3.0, 0.0, 0.0], -0.7),
    ([1.0, -3.0, 0.0, 0.0], 0.0),
    ([0.0, 0.0, 1.0, -1.0], -0.7),
    ([0.0, 0.0, 1.0, -1.0], 0.0),
    ([0.5, -0.5, 1.0, -1.0], -0.7),
    ([0.5, -0.5, 1.0, -1.0], 0.0),
];

/// Those of them that reward the end alone.
const LATE: [usize; 2] = [6, 7];

/// The parameters of an experiment. Where table 3 has 0 for the end of the game, the last marble is rewarded like all others:
/// 6.3 writes (+1, -1, +1, -1) for the same function, and 4.4 gives 0 to all but ejections. Nothing added to the marble says
/// just that; +1 instead of it would also reward the side that leads when a game is stopped.
fn parameters(at: usize) -> Vec<(&'static str, Value)> {
    let (rewards, kappa) = EXPERIMENTS[at];
    let mut own = vec![
        ("rewards", Value::Array(rewards.iter().map(|&reward| Value::Float(reward)).collect())),
        ("kappa", Value::Float(kappa)),
    ];
    if rewards[2..] == [0.0, 0.0] {
        own.push(("end_rewards", text("added")));
    }
    own
}

fn experiment(at: usize) -> String {
    let ([gain, loss, win, defeat], kappa) = EXPERIMENTS[at];
    format!("({gain:+}, {loss:+}, {win:+}, {defeat:+}) kappa {kappa}")
}

/// S4, 5.3 and 6.3: rewards and risk (table 3, figures 13 to 15).
pub fn procedure(conduct: &mut Conduct) -> Result<StudyOutcome, StudyError> {
    let Rewards { runs, late_runs, training, variant } = conduct.parameters()?;
    let mut outcome = StudyOutcome { findings: Vec::new(), sections: Vec::new() };
    for protocol in LearningProtocol::both(&training, runs, variant.as_ref()) {
        let late_runs = late_runs.filter(|_| protocol.name.is_empty());
        let runs = |at| if LATE.contains(&at) { late_runs.unwrap_or(protocol.runs) } else { protocol.runs };
        let trained = learn(conduct, &protocol, runs)?;
        let by_experiment: Vec<&[Trained]> = trained.iter().map(Vec::as_slice).collect();
        outcome.findings.extend(findings(&by_experiment, &protocol));
        outcome.sections.extend(sections(&by_experiment, &protocol));
    }
    Ok(outcome)
}

/// What came of each run of each experiment.
fn learn(
    conduct: &mut Conduct,
    protocol: &LearningProtocol,
    runs: impl Fn(usize) -> u64,
) -> Result<Vec<Vec<Trained>>, StudyError> {
    let seed = conduct.seed();
    let mut trainings = Vec::new();
    for at in 0..EXPERIMENTS.len() {
        for run in 0..runs(at) {
            let name = protocol.named(&format!("experiment {} run {run}", at + 1));
            trainings.push(training(name, seed.derive("run", run), &protocol.training, &parameters(at)));
        }
    }
    let mut trained = conduct.train(&protocol.named("learning"), &trainings)?.into_iter();
    Ok((0..EXPERIMENTS.len()).map(|at| trained.by_ref().take(runs(at) as usize).collect()).collect())
}

fn sections(by_experiment: &[&[Trained]], protocol: &LearningProtocol) -> Vec<Section> {
    let chart = |name: &str, caption: &str, which: &[usize]| -> Block {
        let series =
            which.iter().map(|&at| Series::ours(experiment(at), mean_curve(by_experiment[at]))).collect();
        let (name, caption) = (protocol.file(name), protocol.named(caption));
        Chart::lines(&name, &caption, Axis::even("training games"), Axis::even("won, %"), series).into()
    };
    let risk = "Risk with symmetric rewards and with +3 and -1 (figure 13)";
    let curves = vec![
        chart("figure-13", risk, &[0, 1, 2, 3]),
        chart("figure-14", "Symmetric and asymmetric rewards (figure 14)", &[0, 2, 4, 5]),
        chart("figure-15", "Late rewards (figure 15)", &[0, 6, 7, 8, 9]),
    ];
    vec![
        Section::new(&protocol.named("Experiments (table 3)"), vec![table_3(by_experiment, protocol).into()]),
        Section::new(&protocol.named("Learning curves (figures 13 to 15)"), curves),
    ]
}

fn table_3(experiments: &[&[Trained]], protocol: &LearningProtocol) -> ReportTable {
    let columns = [Column::label("experiment"), Column::label("eject, be ejected, win, lose; risk")]
        .into_iter()
        .chain(["runs", "won while learning, %", "\u{b1}", "best test, %", "last test, %"].map(Column::ours))
        .collect();
    let caption = "Table 3: share of games won against the reference player; means of runs, 95% interval";
    let mut table = ReportTable::new(&protocol.file("table-3"), &protocol.named(caption), columns);
    for (at, own) in experiments.iter().enumerate() {
        let means = learning_means(own);
        let bests: Vec<f64> = own.iter().map(|it| tests(it).into_iter().fold(0.0, f64::max)).collect();
        table.push(vec![
            Entry::count(at as u64 + 1),
            Entry::text(experiment(at)),
            Entry::count(own.len() as u64),
            Entry::number(mean(&means), 1),
            Entry::number(half_of_mean(&means), 1),
            Entry::number(mean(&bests), 1),
            Entry::number(mean(&ends(own, true)), 1),
        ]);
    }
    table
}

/// The last test of each run, or the first one.
fn ends(runs: &[Trained], is_last: bool) -> Vec<f64> {
    let end = |run: &Trained| {
        let tests = tests(run);
        if is_last { tests.last().copied() } else { tests.first().copied() }
    };
    runs.iter().filter_map(end).collect()
}

/// Agents rewarded at the end alone learn if their last test is better than their first, with either risk, by more than
/// the least that one of S4's tests of a hundred games can show.
fn late_rewards_test(experiments: &[&[Trained]], games: u64) -> VerdictTest {
    let of = |is_last| -> Vec<f64> { LATE.iter().flat_map(|&at| ends(experiments[at], is_last)).collect() };
    let rises: Vec<f64> = of(true).iter().zip(of(false)).map(|(last, first)| last - first).collect();
    Estimate::mean("rewards at the end alone: last test of a run less its first, points", &rises)
        .of_shares(rises.len() as u64 * games)
        .above(1.0)
}

fn findings(experiments: &[&[Trained]], protocol: &LearningProtocol) -> Vec<Finding> {
    let games = protocol.test_games();
    let less = |a: usize, b: usize| {
        let words = format!("{} less {}, won while learning, points", experiment(a), experiment(b));
        // The runs that both have: they begin alike.
        let both = experiments[a].len().min(experiments[b].len());
        let [a, b] = [a, b].map(|at| &experiments[at][..both]);
        let tested: usize = a.iter().map(|run| tests(run).len()).sum();
        Estimate::between_means(words, &learning_means(a), &learning_means(b))
            .of_shares(tested as u64 * games)
    };
    let rate = |at: usize| mean(&learning_means(experiments[at]));
    let pair =
        |a: usize, b: usize| format!("{} {:.1}%, {} {:.1}%.", experiment(a), rate(a), experiment(b), rate(b));
    let best = |among: std::ops::Range<usize>| {
        among.max_by(|&a, &b| rate(a).total_cmp(&rate(b))).expect("there are some")
    };
    let (mixed, other) = (best(8..10), best(0..8));
    let finding = |claim: &str, tests: Vec<VerdictTest>, evidence: String, published: &str| {
        Finding::tested(protocol.claim(claim), tests, evidence)
            .published(published)
            .differs(protocol.differs())
    };
    vec![
        finding(
            "With rewards of +1 and -1 an agent with risk -0.7 wins more while learning than one without.",
            vec![less(0, 1).above(0.0)],
            pair(0, 1),
            "useful, in words (6.3; figure 13, a curve without printed numbers)",
        ),
        finding(
            "With rewards of +3 and -1 risk -0.7 does not help.",
            vec![less(2, 3).below(0.0)],
            pair(2, 3),
            "superfluous, in words (6.3; figure 13, a curve without printed numbers)",
        ),
        finding(
            "Agents that are rewarded at the end of the game alone learn, too.",
            vec![late_rewards_test(experiments, games)],
            pair(6, 7),
            "possible, slower and less stable, in words (6.3; figure 15, a curve without printed numbers)",
        ),
        finding(
            "The mixture (+0.5, -0.5, +1, -1) wins more while learning than any other reward.",
            vec![less(mixed, other).above(0.0)],
            pair(mixed, other),
            "faster and more stable than its rivals, in words (6.3; figure 15, a curve without printed numbers)",
        ),
    ]
}
