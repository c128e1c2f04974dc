//! S4, 5.2 and 6.2: which heuristics an agent needs (figures 7 to 12).

use serde::Deserialize;
use toml::Table as Toml;

use super::{REFERENCE, agent, contest, learning_means, mean_curve, tests, text, training};
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
    /// Runs of each agent.
    runs: u64,
    /// Whether all 55 pairs are left out, or only S4's two.
    all_pairs: bool,
    /// Games of the direct comparison.
    direct_games: u64,
    /// Games are drawn after so many plies.
    plies: u32,
    /// Parameters that all share.
    training: Toml,
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

/// Agents by the set of heuristics they see.
struct Agents {
    sets: Vec<(String, Vec<&'static str>)>,
    trainings: Vec<StudyTraining>,
    trained: Vec<Trained>,
    runs: usize,
}

impl Agents {
    fn of(&self, name: &str) -> &[Trained] {
        let at = self.sets.iter().position(|(known, _)| known == name).unwrap_or(0);
        &self.trained[at * self.runs..(at + 1) * self.runs]
    }

    fn training(&self, name: &str, run: usize) -> &StudyTraining {
        let wanted = format!("{name} run {run}");
        self.trainings.iter().find(|training| training.name == wanted).expect("all sets have all runs")
    }

    /// Mean shares won while learning, by run.
    fn strengths(&self, name: &str) -> Vec<f64> {
        learning_means(self.of(name))
    }
}

/// S4, 5.2 and 6.2: which heuristics an agent needs (figures 7 to 12).
pub fn procedure(conduct: &mut Conduct) -> Result<StudyOutcome, StudyError> {
    let parameters: Features = conduct.parameters()?;
    let agents = train(conduct, &parameters)?;
    let Features { direct_games, plies, .. } = parameters;
    let direct: Vec<Match> = (0..agents.runs)
        .map(|run| {
            let [four, all] = ["four", "all"].map(|name| agent(agents.training(name, run), conduct));
            let name = format!("four against all, run {run}");
            contest(name, &four, &all, direct_games, From::Random(2), plies)
        })
        .collect();
    let scores = conduct.matches("four against all", &direct)?;
    let sections = vec![
        Section::new("Learning curves (figures 7 to 11)", charts(&agents)),
        Section::new("In numbers", vec![rates(&agents).into()]),
        Section::new("Four against eleven (figure 12)", vec![figure_12(&scores).into()]),
    ];
    Ok(StudyOutcome { findings: findings(&agents, &scores), sections })
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

fn train(conduct: &mut Conduct, parameters: &Features) -> Result<Agents, StudyError> {
    let (seed, sets) = (conduct.seed(), sets(parameters.all_pairs));
    let mut trainings = Vec::new();
    for (name, set) in &sets {
        for run in 0..parameters.runs {
            let own = [("features", text(&format!("s4:{}", set.join("+"))))];
            let named = format!("{name} run {run}");
            trainings.push(training(named, seed.derive("run", run), &parameters.training, &own));
        }
    }
    let trained = conduct.train("learning", &trainings)?;
    Ok(Agents { sets, trainings, trained, runs: parameters.runs as usize })
}

fn charts(agents: &Agents) -> Vec<Block> {
    let chart = |name: &str, caption: &str, names: &[&str]| -> Block {
        let series = names.iter().map(|name| Series::ours(*name, mean_curve(agents.of(name)))).collect();
        Chart::lines(name, caption, Axis::even("training games"), Axis::even("won, %"), series).into()
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

fn rates(agents: &Agents) -> ReportTable {
    let mut columns = vec![Column::label("heuristics")];
    columns.extend(["mean of the best", "mean of all tests", "at the end"].map(Column::ours));
    let runs = agents.runs;
    let caption =
        format!("Share of games won against the reference player, in per cent; means of {runs} runs");
    let mut table = ReportTable::new("rates", &caption, columns);
    for (name, _) in &agents.sets {
        let curves: Vec<Vec<f64>> = agents.of(name).iter().map(tests).collect();
        let of =
            |part: fn(&Vec<f64>) -> f64| Entry::number(mean(&curves.iter().map(part).collect::<Vec<_>>()), 1);
        table.push(vec![
            Entry::text(name.as_str()),
            of(|curve| curve.iter().copied().fold(0.0, f64::max)),
            of(|curve| mean(curve)),
            of(|curve| curve.last().copied().unwrap_or(0.0)),
        ]);
    }
    table
}

fn figure_12(scores: &[MatchScore]) -> ReportTable {
    let mut play = ReportTable::new(
        "figure-12",
        "The chosen four against all eleven at the end of learning (figure 12 shows it by games)",
        ["run", "won", "drawn", "lost", "rate, %"].map(Column::ours).into(),
    );
    for (run, score) in (1..).zip(scores) {
        let all = score.all();
        play.push(vec![
            Entry::count(run),
            Entry::count(all.wins),
            Entry::count(all.draws),
            Entry::count(all.losses),
            Entry::percent(all.rate()),
        ]);
    }
    play
}

fn findings(agents: &Agents, scores: &[MatchScore]) -> Vec<Finding> {
    let less = |a: &str, b: &str| {
        let words = format!("{a} less {b}, won while learning, points");
        Estimate::between_means(words, &agents.strengths(a), &agents.strengths(b)).above(0.0)
    };
    let direct: Vec<f64> = scores.iter().map(|score| 100.0 * score.all().rate()).collect();
    let by_set: Vec<String> =
        agents.sets.iter().map(|(name, _)| format!("{name} {:.0}%", mean(&agents.strengths(name)))).collect();
    let words = format!("Won while learning: {}.", by_set.join(", "));
    let both = "without centre and distance";
    let finding = |claim: &str, tests: Vec<VerdictTest>, evidence: String, published: &str| {
        Finding::tested(claim, tests, evidence).published(published).differs(REFERENCE)
    };
    vec![
        finding(
            "An agent that sees four heuristics (rim, triples, threats, distance) learns faster than one with all eleven and beats it.",
            vec![
                less("four", "all"),
                Estimate::mean("four against all at the end, mean of the runs, %", &direct).above(50.0),
            ],
            format!("Four against all {:.1}% in the mean. {words}", mean(&direct)),
            "figures 11 and 12",
        ),
        finding(
            "Without triples an agent learns less than with all heuristics.",
            vec![less("all", "without triples")],
            words.clone(),
            "figure 8",
        ),
        finding(
            "Without both distance and centre an agent learns less than without one of them.",
            vec![less("without distance", both), less("without centre", both)],
            words,
            "figure 9",
        ),
    ]
}
