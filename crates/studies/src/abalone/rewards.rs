//! S4, 5.3 and 6.3: rewards and risk (table 3, figures 13 to 15).

use serde::Deserialize;
use toml::{Table as Toml, Value};

use super::{judged, mean_curve, training};
use crate::conduct::{Conduct, Outcome};
use crate::error::StudyError;
use crate::report::{Axis, Block, Chart, Column, Entry, Finding, Section, Series, Table, Verdict};
use crate::statistics::{mean, standard_error, welch};
use crate::training::Trained;

/// What the file of `abalone-rewards` says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rewards {
    /// Runs of each experiment.
    runs: u64,
    /// Parameters that all share.
    training: Toml,
}

/// Table 3: eject, be ejected, win, lose, kappa. Where S4's table says 0 for the end of the game, its text rewards the last
/// marble as all others.
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

fn experiment(at: usize) -> String {
    let ([gain, loss, win, defeat], kappa) = EXPERIMENTS[at];
    format!("({gain:+}, {loss:+}, {win:+}, {defeat:+}) kappa {kappa}")
}

/// S4, 5.3 and 6.3: rewards and risk (table 3, figures 13 to 15).
pub fn procedure(conduct: &mut Conduct) -> Result<Outcome, StudyError> {
    let Rewards { runs, training: shared } = conduct.parameters()?;
    let seed = conduct.seed();
    let mut trainings = Vec::new();
    for (at, (rewards, kappa)) in EXPERIMENTS.into_iter().enumerate() {
        for run in 0..runs {
            let rewards = Value::Array(rewards.iter().map(|&reward| Value::Float(reward)).collect());
            let own = [("rewards", rewards), ("kappa", Value::Float(kappa))];
            let name = format!("experiment {} run {run}", at + 1);
            trainings.push(training(name, seed.derive("run", run), &shared, &own));
        }
    }
    let trained = conduct.train("learning", &trainings)?;
    let each = runs as usize;
    let of = |at: usize| &trained[at * each..(at + 1) * each];
    let tests = |it: &Trained| it.column("strength").iter().map(|point| point.1).collect::<Vec<f64>>();
    let means = |at: usize| of(at).iter().map(|it| mean(&tests(it))).collect::<Vec<f64>>();
    let bests =
        |at: usize| of(at).iter().map(|it| tests(it).into_iter().fold(0.0, f64::max)).collect::<Vec<f64>>();
    let lasts = |at: usize| of(at).iter().filter_map(|it| tests(it).last().copied()).collect::<Vec<f64>>();
    let columns = [Column::label("experiment"), Column::label("eject, be ejected, win, lose; risk")]
        .into_iter()
        .chain(["won while learning, %", "\u{b1}", "best test, %", "last test, %"].map(Column::ours))
        .collect();
    let caption = format!(
        "Table 3: share of games won against the reference player; means of {runs} runs, 95% interval"
    );
    let mut table = Table::new("table-3", &caption, columns);
    for at in 0..EXPERIMENTS.len() {
        table.push(vec![
            Entry::count(at as u64 + 1),
            Entry::text(experiment(at)),
            Entry::percent(mean(&means(at))),
            Entry::number(196.0 * standard_error(&means(at)), 1),
            Entry::percent(mean(&bests(at))),
            Entry::percent(mean(&lasts(at))),
        ]);
    }
    let chart = |name: &str, caption: &str, which: &[usize]| -> Block {
        let series = which.iter().map(|&at| Series::ours(experiment(at), mean_curve(of(at)))).collect();
        Chart::lines(name, caption, Axis::even("training games"), Axis::even("won, %"), series).into()
    };
    let risk = |with: usize, without: usize| {
        let z = welch(&means(with), &means(without));
        let words = format!(
            "{} {:.1}%, kappa 0 {:.1}% (z {z:.1})",
            experiment(with),
            100.0 * mean(&means(with)),
            100.0 * mean(&means(without))
        );
        (z, words)
    };
    let (symmetric, asymmetric) = (risk(0, 1), risk(2, 3));
    let ends = mean(&bests(6)).max(mean(&bests(7)));
    let mixed = mean(&means(8)).max(mean(&means(9)));
    let others = (0..8).map(|at| mean(&means(at))).fold(0.0, f64::max);
    let findings = vec![
        Finding::new(
            "A negative risk parameter helps with symmetric rewards.",
            judged(symmetric.0),
            format!("{}.", symmetric.1),
        ),
        Finding::new(
            "It does not with rewards of +3 and -1.",
            match asymmetric.0 {
                z if z > 2.0 => Verdict::Refuted,
                _ => Verdict::Confirmed,
            },
            format!("{}.", asymmetric.1),
        ),
        Finding::new(
            "Rewards at the end of the game alone suffice to learn.",
            Verdict::of(ends > 0.5),
            format!(
                "Best test of a run, mean: {} {:.1}%, kappa 0 {:.1}%; while learning {:.1}% and {:.1}%.",
                experiment(6),
                100.0 * mean(&bests(6)),
                100.0 * mean(&bests(7)),
                100.0 * mean(&means(6)),
                100.0 * mean(&means(7))
            ),
        ),
        Finding::new(
            "The mixture (+0.5, -0.5, +1, -1) is best.",
            Verdict::of(mixed > others),
            format!("{:.1}% while learning, the best of the others {:.1}%.", 100.0 * mixed, 100.0 * others),
        ),
    ];
    let sections = vec![
        Section::new("Experiments (table 3)", vec![table.into()]),
        Section::new(
            "Learning curves (figures 13 to 15)",
            vec![
                chart(
                    "figure-13",
                    "Risk with symmetric rewards and with +3 and -1 (figure 13)",
                    &[0, 1, 2, 3],
                ),
                chart("figure-14", "Symmetric and asymmetric rewards (figure 14)", &[0, 2, 4, 5]),
                chart("figure-15", "Late rewards (figure 15)", &[0, 6, 7, 8, 9]),
            ],
        ),
    ];
    Ok(Outcome { findings, sections })
}
