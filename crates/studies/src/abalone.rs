//! S4, Abalone: how complex it is, and what risk-sensitive TD(lambda) learns by parameters, features and rewards.

use serde::Deserialize;
use toml::{Table as Toml, Value};
use trilith_base::Seed;

use crate::conduct::{Conduct, Outcome};
use crate::contest::{From, Match, Score};
use crate::error::StudyError;
use crate::report::{Axis, Block, Chart, Column, Entry, Finding, Section, Series, Table, Verdict};
use crate::statistics::{mean, shown, standard_error, welch};
use crate::training::{Trained, Training};

/// A match of Abalone, drawn after `plies`.
fn contest(name: impl Into<String>, a: &str, b: &str, games: u64, openings: From, plies: u32) -> Match {
    Match { game: "abalone", plies: Some(plies), per_cell: 10, openings, ..Match::othello(name, a, b, games) }
}

/// S4's agent at one ply.
fn agent(training: &Training, conduct: &Conduct) -> String {
    format!("minimax:depth=1,eval=s4,file={}", training.artifact(&conduct.runs()))
}

fn text(text: &str) -> Value {
    Value::String(text.into())
}

fn number(number: u64) -> Value {
    Value::Integer(number as i64)
}

fn training(name: String, seed: Seed, shared: &Toml, own: &[(&str, Value)]) -> Training {
    let training = Training::new(name, "risk-td", "abalone", seed.0, &[]).with(shared);
    let own: Toml = own.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    training.with(&own)
}

/// What the file of `abalone-complexity` says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Complexity {
    /// Games of each kind.
    games: u64,
    /// Nodes a move of the engine.
    nodes: u64,
    /// Games are drawn after so many plies.
    plies: u32,
}

/// S4, table 1: branching factor, length of games and what follows from them.
pub fn complexity(conduct: &mut Conduct) -> Result<Outcome, StudyError> {
    let Complexity { games, nodes, plies } = conduct.parameters()?;
    let engine = format!("engine:nodes={nodes},radius=0.05");
    let kinds = [
        ("random moves", "random".to_owned(), From::Start, String::new()),
        ("S4's reference player", "reference".into(), From::Random(4), String::new()),
        ("the engine", engine.clone(), From::Random(4), String::new()),
        ("the engine, Belgian daisy", engine, From::Random(4), "layout=belgian-daisy".into()),
    ];
    let mut matches: Vec<Match> = kinds
        .iter()
        .map(|(name, player, openings, rules)| {
            let contest = contest(*name, player, player, games, openings.clone(), plies);
            Match { rules: rules.clone(), ..contest }
        })
        .collect();
    matches
        .push(Match { per_cell: 50, ..Match::othello("Othello, random moves", "random", "random", games) });
    let scores = conduct.matches("games", &matches)?;
    let columns = vec![
        Column::label("players"),
        Column::ours("branching factor"),
        Column::ours("mean plies"),
        Column::ours("shortest"),
        Column::ours("longest"),
        Column::ours("not decided, %"),
        Column::ours("log10 of the game tree"),
        Column::published("branching factor"),
        Column::published("plies"),
        Column::published("log10 of the game tree"),
    ];
    let mut table = Table::new(
        "complexity",
        "Table 1 and section 2.2: the game tree is branching factor to the power of plies",
        columns,
    );
    let tree = |score: &Score| score.mean_plies() * score.branching().log10();
    for (contest, score) in matches.iter().zip(&scores) {
        let printed = if contest.game == "othello" { ["5", "", "58"] } else { ["60-80", "87", "154"] };
        let (shortest, longest) = score.extremes.unwrap_or_default();
        let mut row = vec![
            Entry::text(contest.name.as_str()),
            Entry::number(score.branching(), 1),
            Entry::number(score.mean_plies(), 1),
            Entry::count(shortest),
            Entry::count(longest),
            Entry::percent(score.cut_short as f64 / score.all().games().max(1) as f64),
            Entry::number(tree(score), 0),
        ];
        row.extend(printed.map(Entry::text));
        table.push(row);
    }
    let sections = vec![Section::new(
        "Complexity (table 1)",
        vec![table.into(), conduct.published("1").as_table("published-1").into()],
    )];
    let factors: Vec<f64> = scores[..4].iter().map(Score::branching).collect();
    let inside = factors.iter().filter(|factor| (60.0..=80.0).contains(*factor)).count();
    let findings = vec![
        Finding::new(
            "Abalone's branching factor lies between 60 and 80.",
            Verdict::of(inside >= 2),
            format!(
                "{}.",
                matches
                    .iter()
                    .zip(&factors)
                    .map(|(contest, factor)| format!("{} {factor:.1}", contest.name))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        ),
        Finding::new(
            "A game takes about 87 plies.",
            Verdict::of((60.0..120.0).contains(&scores[2].mean_plies())),
            format!(
                "The engine's games {:.0} plies ({:.0} from the Belgian daisy), the reference player's {:.0}, random ones {:.0} with {:.0}% cut off at {plies}.",
                scores[2].mean_plies(),
                scores[3].mean_plies(),
                scores[1].mean_plies(),
                scores[0].mean_plies(),
                100.0 * scores[0].cut_short as f64 / scores[0].all().games().max(1) as f64
            ),
        ),
    ];
    Ok(Outcome { findings, sections })
}

/// What the file of `abalone-parameters` says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    /// Runs of each combination.
    runs: u64,
    /// Combinations that are tried: every so many of the 243.
    every: usize,
    /// Games against the reference player that rank them.
    test_games: u64,
    /// Games of each two in the tournament of the best tenth.
    tournament_games: u64,
    /// Games are drawn after so many plies.
    plies: u32,
    /// Parameters that all share.
    training: Toml,
}

/// Table 2: parameter and its three values.
const VALUES: [(&str, [f64; 3]); 5] = [
    ("epsilon", [0.01, 0.05, 0.2]),
    ("rate", [0.1, 0.05, 0.005]),
    ("lambda", [0.0, 0.35, 0.7]),
    ("hidden", [8.0, 16.0, 32.0]),
    ("kappa", [0.0, -0.35, -0.7]),
];

fn combination(number: usize) -> [usize; 5] {
    [81, 27, 9, 3, 1].map(|power| number / power % 3)
}

/// S4, 5.1 and 6.1: which parameters of learning are best (tables 2, 4 and 5).
pub fn parameters(conduct: &mut Conduct) -> Result<Outcome, StudyError> {
    let Search { runs, every, test_games, tournament_games, plies, training: shared } =
        conduct.parameters()?;
    let seed = conduct.seed();
    let numbers: Vec<usize> = (0..243).step_by(every.max(1)).collect();
    let mut trainings = Vec::new();
    for &at in &numbers {
        for run in 0..runs {
            let own: Vec<(&str, Value)> = VALUES
                .iter()
                .zip(combination(at))
                .map(|((name, values), chosen)| match *name {
                    "hidden" => (*name, number(values[chosen] as u64)),
                    _ => (*name, Value::Float(values[chosen])),
                })
                .collect();
            trainings.push(training(
                format!("combination {at} run {run}"),
                seed.derive("run", run),
                &shared,
                &own,
            ));
        }
    }
    conduct.train("learning", &trainings)?;
    let against = |training: &Training| {
        let name = format!("{} against reference", training.name);
        contest(name, &agent(training, conduct), "reference", test_games, From::Random(2), plies)
    };
    let matches: Vec<Match> = trainings.iter().map(against).collect();
    let scores = conduct.matches("against the reference player", &matches)?;
    // By combination: the mean difference in marbles of its runs, and which run did best.
    let marbles =
        |score: &Score| (score.margins[0] + score.margins[1]) as f64 / score.all().games().max(1) as f64;
    let mut ranking: Vec<(usize, f64, usize)> = numbers
        .iter()
        .enumerate()
        .map(|(place, &at)| {
            let own: Vec<f64> =
                scores[place * runs as usize..(place + 1) * runs as usize].iter().map(marbles).collect();
            let best = (0..own.len()).max_by(|&a, &b| own[a].total_cmp(&own[b])).unwrap_or(0);
            (at, mean(&own), place * runs as usize + best)
        })
        .collect();
    ranking.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let best = &ranking[..(numbers.len() / 10).max(2).min(ranking.len())];
    let (tournament, first) = tournament(conduct, best, &trainings, tournament_games, plies)?;
    let counted = occurrences(conduct, best, numbers.len());
    let kappas: Vec<Vec<f64>> = (0..3)
        .map(|chosen| ranking.iter().filter(|row| combination(row.0)[4] == chosen).map(|row| row.1).collect())
        .collect();
    let lambdas: Vec<Vec<f64>> = (0..3)
        .map(|chosen| ranking.iter().filter(|row| combination(row.0)[2] == chosen).map(|row| row.1).collect())
        .collect();
    let findings = vec![
        Finding::new(
            "A negative risk parameter helps (kappa -0.7 best).",
            judged(welch(&kappas[2], &kappas[0])),
            format!(
                "Mean difference in marbles over all combinations: kappa 0 {:+.2}, -0.35 {:+.2}, -0.7 {:+.2} (z of -0.7 against 0: {:.1}).",
                mean(&kappas[0]),
                mean(&kappas[1]),
                mean(&kappas[2]),
                welch(&kappas[2], &kappas[0])
            ),
        ),
        Finding::new(
            "Lambda above zero helps (0.7 best).",
            judged(welch(&lambdas[2], &lambdas[0])),
            format!(
                "lambda 0 {:+.2}, 0.35 {:+.2}, 0.7 {:+.2} (z of 0.7 against 0: {:.1}).",
                mean(&lambdas[0]),
                mean(&lambdas[1]),
                mean(&lambdas[2]),
                welch(&lambdas[2], &lambdas[0])
            ),
        ),
    ];
    let values = Table {
        columns: ["parameter", "first", "second", "third"].map(Column::published).into(),
        rows: VALUES
            .iter()
            .map(|(name, values)| {
                [Entry::text(*name)].into_iter().chain(values.map(|value| Entry::number(value, 3))).collect()
            })
            .collect(),
        ..Table::new("table-2", "Table 2: values tried", Vec::new())
    };
    let _ = first;
    let sections = vec![
        Section::new("Values (table 2)", vec![values.into()]),
        Section::new("The best tenth (table 4)", vec![counted.into()]),
        Section::new(
            "Tournament of the best tenth (table 5)",
            vec![tournament.into(), conduct.published("5").as_table("published-5").into()],
        ),
    ];
    Ok(Outcome { findings, sections })
}

/// Beyond two standard errors it holds or it does not; between them nobody knows.
fn judged(z: f64) -> Verdict {
    match z {
        z if z > 2.0 => Verdict::Confirmed,
        z if z < -2.0 => Verdict::Refuted,
        _ => Verdict::Open,
    }
}

fn occurrences(conduct: &Conduct, best: &[(usize, f64, usize)], all: usize) -> Table {
    let published = conduct.published("4");
    let columns = vec![
        Column::label("parameter"),
        Column::label("value"),
        Column::ours("among the best"),
        Column::published("among the best"),
    ];
    let caption = format!(
        "Table 4: how often a value occurs among the best {} of {all} combinations (published: 22 of 243)",
        best.len()
    );
    let mut table = Table::new("table-4", &caption, columns);
    for (place, (name, values)) in VALUES.iter().enumerate() {
        for (chosen, value) in values.iter().enumerate() {
            let count = best.iter().filter(|row| combination(row.0)[place] == chosen).count() as u64;
            let key = format!("{name} {value}");
            table.push(vec![
                Entry::text(*name),
                Entry::text(value.to_string()),
                Entry::count(count),
                published.entry(&key, "count", 0),
            ]);
        }
    }
    table
}

fn tournament(
    conduct: &mut Conduct,
    best: &[(usize, f64, usize)],
    trainings: &[Training],
    games: u64,
    plies: u32,
) -> Result<(Table, usize), StudyError> {
    let pairs: Vec<(usize, usize)> =
        (0..best.len()).flat_map(|a| (a + 1..best.len()).map(move |b| (a, b))).collect();
    let player = |at: usize| agent(&trainings[best[at].2], conduct);
    let matches: Vec<Match> = pairs
        .iter()
        .map(|&(a, b)| {
            let name = format!("tournament {} {}", best[a].0, best[b].0);
            contest(name, &player(a), &player(b), games, From::Random(2), plies)
        })
        .collect();
    let scores = conduct.matches("tournament", &matches)?;
    let mut points = vec![0_i64; best.len()];
    for (&(a, b), score) in pairs.iter().zip(&scores) {
        let margin = score.margins[0] + score.margins[1];
        points[a] += margin;
        points[b] -= margin;
    }
    let mut order: Vec<usize> = (0..best.len()).collect();
    order.sort_by_key(|&at| (-points[at], best[at].0));
    let columns = ["place", "marbles", "hidden", "epsilon", "rate", "lambda", "kappa"].map(Column::ours);
    let mut table =
        Table::new("table-5", "Table 5: the best of the tournament by marbles won less lost", columns.into());
    for (place, &at) in order.iter().take(5).enumerate() {
        let chosen = combination(best[at].0);
        let value = |parameter: usize| Entry::text(VALUES[parameter].1[chosen[parameter]].to_string());
        table.push(vec![
            Entry::count(place as u64 + 1),
            Entry::number(points[at] as f64, 0),
            value(3),
            value(0),
            value(1),
            value(2),
            value(4),
        ]);
    }
    Ok((table, order.first().copied().unwrap_or(0)))
}

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
pub fn features(conduct: &mut Conduct) -> Result<Outcome, StudyError> {
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
            if z > -2.0 { Verdict::Confirmed } else { Verdict::Refuted },
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

/// The mean share won of several runs after so many games, in per cent.
fn mean_curve(runs: &[Trained]) -> Vec<(f64, f64)> {
    let curves: Vec<Vec<(f64, f64)>> = runs.iter().map(|it| it.curve("games", "strength")).collect();
    let Some(first) = curves.first() else { return Vec::new() };
    let at =
        |place: usize| -> Vec<f64> { curves.iter().filter_map(|curve| Some(curve.get(place)?.1)).collect() };
    first.iter().enumerate().map(|(place, point)| (point.0, 100.0 * mean(&at(place)))).collect()
}

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
pub fn rewards(conduct: &mut Conduct) -> Result<Outcome, StudyError> {
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
pub fn last(conduct: &mut Conduct) -> Result<Outcome, StudyError> {
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
