//! S4, 5.2 and 6.2: which heuristics an agent needs (figures 7 to 12).

use serde::Deserialize;
use toml::Table as Toml;

use super::{agent, contest, judged, mean_curve, text, training};
use crate::conduct::{Conduct, Outcome};
use crate::contest::{From, Match, Score};
use crate::error::StudyError;
use crate::report::{Axis, Block, Chart, Column, Entry, Finding, Section, Series, Table, Verdict};
use crate::statistics::{above_half, mean, shown, standard_error, welch};
use crate::training::Trained;

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

/// S4, 5.2 and 6.2: which heuristics an agent needs (figures 7 to 12).
pub fn procedure(conduct: &mut Conduct) -> Result<Outcome, StudyError> {
    let Features { runs, all_pairs, direct_games, plies, training: shared } = conduct.parameters()?;
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
    let seed = conduct.seed();
    let mut trainings = Vec::new();
    for (name, set) in &sets {
        for run in 0..runs {
            let own = [("features", text(&format!("s4:{}", set.join("+"))))];
            trainings.push(training(format!("{name} run {run}"), seed.derive("run", run), &shared, &own));
        }
    }
    let trained = conduct.train("learning", &trainings)?;
    let each = runs as usize;
    let of = |name: &str| -> &[Trained] {
        let at = sets.iter().position(|(known, _)| known == name).unwrap_or(0);
        &trained[at * each..(at + 1) * each]
    };
    let direct: Vec<Match> = (0..runs)
        .map(|run| {
            let find = |name: &str| {
                let wanted = format!("{name} run {run}");
                trainings.iter().find(|training| training.name == wanted).expect("both are among the sets")
            };
            let (four, all) = (agent(find("four"), conduct), agent(find("all"), conduct));
            contest(format!("four against all, run {run}"), &four, &all, direct_games, From::Random(2), plies)
        })
        .collect();
    let scores = conduct.matches("four against all", &direct)?;
    let score = scores.iter().fold(Score::default(), |sum, score| sum.merge(score));
    let mut columns = vec![Column::label("heuristics")];
    columns.extend(["mean of the best", "mean of all tests", "at the end"].map(Column::ours));
    let mut table = Table::new(
        "rates",
        &format!("Share of games won against the reference player, in per cent; means of {runs} runs"),
        columns,
    );
    for (name, _) in &sets {
        let own = of(name);
        let curve =
            |it: &Trained| it.column("strength").iter().map(|point| 100.0 * point.1).collect::<Vec<f64>>();
        let best: Vec<f64> = own.iter().map(|it| curve(it).into_iter().fold(0.0, f64::max)).collect();
        let middle: Vec<f64> = own.iter().map(|it| mean(&curve(it))).collect();
        let last: Vec<f64> = own.iter().map(|it| curve(it).last().copied().unwrap_or(0.0)).collect();
        table.push(vec![
            Entry::text(name.as_str()),
            Entry::number(mean(&best), 1),
            Entry::number(mean(&middle), 1),
            Entry::number(mean(&last), 1),
        ]);
    }
    let chart = |name: &str, caption: &str, names: &[&str]| -> Block {
        let series = names.iter().map(|name| Series::ours(*name, mean_curve(of(name)))).collect();
        Chart::lines(name, caption, Axis::even("training games"), Axis::even("won, %"), series).into()
    };
    let singles: Vec<String> = HEURISTICS.iter().map(|name| format!("without {name}")).collect();
    let singles: Vec<&str> = singles.iter().map(String::as_str).collect();
    let charts = vec![
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
    ];
    let strengths = |name: &str| -> Vec<f64> {
        of(name)
            .iter()
            .map(|it| mean(&it.column("strength").iter().map(|point| point.1).collect::<Vec<_>>()))
            .collect()
    };
    let lacking: Vec<String> = HEURISTICS
        .iter()
        .map(|name| (name, mean(&strengths(&format!("without {name}")))))
        .map(|(name, rate)| format!("{name} {:.0}%", 100.0 * rate))
        .collect();
    let z = welch(&strengths("four"), &strengths("all"));
    let findings = vec![
        Finding::new(
            "Four heuristics (rim, triples, threats, distance) suffice.",
            match above_half(&score.all()) {
                Verdict::Refuted => Verdict::Refuted,
                _ if z < -2.0 => Verdict::Refuted,
                _ => Verdict::Confirmed,
            },
            format!(
                "Mean share won while learning: four {:.1}% \u{b1} {:.1}, all eleven {:.1}% \u{b1} {:.1}; four against all {}.",
                100.0 * mean(&strengths("four")),
                196.0 * standard_error(&strengths("four")),
                100.0 * mean(&strengths("all")),
                196.0 * standard_error(&strengths("all")),
                shown(&score.all())
            ),
        ),
        Finding::new(
            "Without triples an agent hardly learns.",
            judged(-welch(&strengths("without triples"), &strengths("all"))),
            format!(
                "Mean share won while learning, by the heuristic left out: {}; with all {:.0}%.",
                lacking.join(", "),
                100.0 * mean(&strengths("all"))
            ),
        ),
        Finding::new(
            "Without both distance and centre nothing is learned; one of them suffices.",
            judged(-welch(&strengths("without centre and distance"), &strengths("all"))),
            format!(
                "Without both {:.0}%, without distance {:.0}%, without centre {:.0}%.",
                100.0 * mean(&strengths("without centre and distance")),
                100.0 * mean(&strengths("without distance")),
                100.0 * mean(&strengths("without centre"))
            ),
        ),
    ];
    let mut play = Table::new(
        "figure-12",
        "The chosen four against all eleven at the end of learning (figure 12 shows it by games)",
        ["won", "drawn", "lost", "rate, %"].map(Column::ours).into(),
    );
    let all = score.all();
    play.push(vec![
        Entry::count(all.wins),
        Entry::count(all.draws),
        Entry::count(all.losses),
        Entry::percent(all.rate()),
    ]);
    let sections = vec![
        Section::new("Learning curves (figures 7 to 11)", charts),
        Section::new("In numbers", vec![table.into()]),
        Section::new("Four against eleven (figure 12)", vec![play.into()]),
    ];
    Ok(Outcome { findings, sections })
}
