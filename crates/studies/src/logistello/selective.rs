//! S5, chapter 4: ProbCut (figure 4.3 and the table of percentiles) and EndCut (table 4.1).

use serde::{Deserialize, Serialize};
use trilith_arena::statistics::Tally;
use trilith_base::Seed;
use trilith_eval::{Catalogue, othello::Evaluations};
use trilith_games::othello::Othello;
use trilith_learn::logistello::tree::Example;
use trilith_learn::probcut::{self, Plan, Sample, Searched};
use trilith_search::probcut::fit;
use trilith_search::{Control, Limits, SearchKit};

use super::endgame::{Decision, Endgame, engine};
use super::{Data, contest, examples, generate};
use crate::cell::{Cell, Work};
use crate::conduct::{Conduct, Outcome};
use crate::error::StudyError;
use crate::report::{Axis, Block, Chart, Column, Entry, Finding, Section, Series, Table, Verdict};
use crate::statistics::{above_half, half_width, shown};

/// What the study's file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    /// Positions for figure 4.3.
    samples: u64,
    /// Games at each percentile against full search.
    games: u64,
    /// Nodes a move.
    nodes: u64,
    /// Games that say how many discs a log odd is.
    data: Data,
    /// Positions of them.
    calibration: usize,
    /// Endgames to decide.
    endgames: u64,
    /// Discs at their roots; S5: 42.
    discs: u32,
    /// Discs at which the test is made; S5: 50.
    tested_at: u32,
    /// Plies of the heuristic search by which hard positions are told.
    depth: u32,
}

const PERCENTILES: [&str; 6] = ["1.20", "1.35", "1.50", "1.65", "1.80", "2.00"];
/// S5's CUT_NIVEAU in log odds.
const LEVELS: [f64; 4] = [2.5, 2.1, 1.8, 1.5];
const PAIR: (u32, u32) = (4, 8);
const SHOWN_DISCS: [u32; 2] = [28, 44];

/// Searches, plays, decides, compares.
pub fn procedure(conduct: &mut Conduct) -> Result<Outcome, StudyError> {
    let parameters: Parameters = conduct.parameters()?;
    let (figure, r2) = figure_4_3(conduct, parameters.samples)?;
    let (percentiles, rates) = percentiles(conduct, &parameters)?;
    let (endcut, mut more) = endcut(conduct, &parameters)?;
    let best =
        (0..PERCENTILES.len()).max_by(|&a, &b| rates[a].rate().total_cmp(&rates[b].rate())).unwrap_or(0);
    let words: Vec<String> =
        PERCENTILES.iter().zip(&rates).map(|(name, tally)| format!("{name} {}", shown(tally))).collect();
    let at_15 = rates[2];
    let mut together = Tally::default();
    rates.iter().for_each(|tally| together += *tally);
    let mut findings = vec![
        Finding::new(
            "A search of four plies foretells one of eight well (r^2 above 0.9).",
            Verdict::of(r2.iter().all(|r2| *r2 > 0.9)),
            format!("r^2 {}.", r2.iter().map(|r2| format!("{r2:.3}")).collect::<Vec<_>>().join(" and ")),
        ),
        Finding::new(
            "ProbCut makes the program much stronger.",
            above_half(&together),
            format!("{}; all together {}.", words.join(", "), shown(&together)),
        ),
        Finding::new(
            "A percentile of 1.5 gains most.",
            match () {
                () if best == 2 => Verdict::Confirmed,
                () if rates[best].rate() - at_15.rate() > half_width(&at_15) => Verdict::Refuted,
                () => Verdict::Open,
            },
            format!(
                "Best here: {} with {}; 1.50 has {}.",
                PERCENTILES[best],
                shown(&rates[best]),
                shown(&at_15)
            ),
        ),
    ];
    findings.append(&mut more);
    Ok(Outcome { findings, sections: vec![figure, percentiles, endcut] })
}

fn figure_4_3(conduct: &mut Conduct, positions: u64) -> Result<(Section, Vec<f64>), StudyError> {
    let seed = conduct.seed().derive("samples", 0);
    let samples: Vec<(usize, f64, f64)> = conduct.here("samples", |threads, stop| {
        let plan = Plan { positions, depth: PAIR.1, seed, threads };
        let search = Searched {
            evaluator: Evaluations::production(),
            null_window: Evaluations::null_window(),
            options: Evaluations::options(),
        };
        let samples = probcut::collect(&Othello::default(), &search, plan, stop, &|_| ());
        let pair = |sample: &Sample| Some((sample.phase, sample.value(PAIR.0)?, sample.value(PAIR.1)?));
        Ok(samples.iter().filter_map(pair).collect())
    })?;
    let columns = ["discs", "positions", "a", "b, discs", "sigma, discs", "r^2"].map(Column::ours).into();
    let mut table =
        Table::new("fits", "The line from four to eight plies, positions within two discs together", columns);
    let mut blocks: Vec<Block> = Vec::new();
    let mut r2 = Vec::new();
    for discs in (12..=56).step_by(4) {
        let near = samples.iter().filter(|sample| (sample.0 + 1).abs_diff(discs as usize) <= 2);
        let points: Vec<(f64, f64)> = near.map(|sample| (sample.1, sample.2)).collect();
        let Some(found) = fit(0, &points) else { continue };
        table.push(vec![
            Entry::count(u64::from(discs)),
            Entry::count(found.n as u64),
            Entry::number(found.a, 3),
            Entry::number(found.b, 2),
            Entry::number(found.sigma, 2),
            Entry::number(found.r2, 3),
        ]);
        if SHOWN_DISCS.contains(&discs) {
            r2.push(found.r2);
            blocks.push(
                Chart::scatter(
                    &format!("figure-4.3-{discs}"),
                    &format!("Values after four and after eight plies at {discs} discs (figure 4.3)"),
                    Axis::even("four plies, discs"),
                    Axis::even("eight plies, discs"),
                    vec![Series::ours("", points)],
                )
                .into(),
            );
        }
    }
    blocks.push(table.into());
    Ok((Section::new("Shallow and deep searches (figure 4.3)", blocks), r2))
}

type Rates = Vec<Tally>;

fn percentiles(conduct: &mut Conduct, parameters: &Parameters) -> Result<(Section, Rates), StudyError> {
    let Parameters { games, nodes, .. } = *parameters;
    let player = |selectivity: &str| format!("engine:nodes={nodes},selectivity={selectivity}");
    let mut matches: Vec<_> = PERCENTILES
        .iter()
        .map(|it| contest(format!("percentile {it}"), &player(it), &player("off"), games))
        .collect();
    let twice = format!("engine:nodes={},selectivity=off", 2 * nodes);
    matches.push(contest("1.50 against twice the nodes", &player("1.50"), &twice, games));
    let scores = conduct.matches("percentiles", &matches)?;
    let published = conduct.published("probcut");
    let ours = ["won", "drawn", "lost", "rate, %", "\u{b1}"].map(Column::ours);
    let theirs = ["won", "drawn", "lost", "rate, %"].map(Column::published);
    let columns = [Column::label("percentile")].into_iter().chain(ours).chain(theirs).collect();
    let caption = format!(
        "ProbCut against full search: {games} games at {nodes} nodes a move; S5's 70 at half an hour"
    );
    let mut table = Table::new("probcut", &caption, columns);
    for (name, score) in PERCENTILES.iter().copied().chain(["1.50, half the effort"]).zip(&scores) {
        let all = score.all();
        let mut row = vec![
            Entry::text(name),
            Entry::count(all.wins),
            Entry::count(all.draws),
            Entry::count(all.losses),
            Entry::percent(all.rate()),
            Entry::number(100.0 * half_width(&all), 1),
        ];
        row.extend(["won", "drawn", "lost"].map(|column| published.entry(name, column, 0)));
        row.push(published.entry(name, "rate", 1));
        table.push(row);
    }
    let points = |rate: &dyn Fn(usize) -> Option<f64>| -> Vec<(f64, f64)> {
        let at = |(place, name): (usize, &&str)| Some((name.parse().ok()?, rate(place)?));
        PERCENTILES.iter().enumerate().filter_map(at).collect()
    };
    let chart = Chart::lines(
        "probcut-rates",
        "Rate against full search by percentile",
        Axis::even("percentile"),
        Axis::even("rate, %"),
        vec![
            Series::ours("ours", points(&|at| Some(100.0 * scores[at].all().rate()))),
            Series::published("S5", points(&|at| published.number(PERCENTILES[at], "rate"))),
        ],
    );
    let rates = scores.iter().take(PERCENTILES.len()).map(|score| score.all()).collect();
    Ok((Section::new("ProbCut in play", vec![table.into(), chart.into()]), rates))
}

/// How many discs of a search of four plies a log odd is, at the discs of the test.
#[derive(Serialize, Deserialize)]
struct Calibration {
    positions: usize,
    discs_a_log_odd: f64,
}

fn calibrate(conduct: &mut Conduct, parameters: &Parameters) -> Result<Calibration, StudyError> {
    let path = generate(conduct, parameters.data)?;
    let (discs, most) = (parameters.tested_at, parameters.calibration);
    conduct.here("calibration", move |threads, _| {
        let all = examples(&path, |_| true)?;
        let chosen: Vec<Example> = all
            .into_iter()
            .filter(|example| example.discs() == discs && example.margin != 0)
            .take(most)
            .collect();
        let pairs = trilith_learn::run::pairs(
            threads,
            0..chosen.len() as u64,
            || engine(1),
            |engine, number| {
                let example = &chosen[number as usize];
                let record =
                    trilith_games::Record::from_position(Othello::default(), example.position()).ok()?;
                engine.forget();
                let answer = engine.analyse(&record, &Limits::depth(4), &Control::default(), &mut |_| ());
                Some((
                    f64::from(answer.value()) / f64::from(answer.unit.one),
                    (example.margin > 0) == example.is_black,
                ))
            },
        );
        let pairs: Vec<(f64, bool)> =
            pairs.into_iter().flatten().filter(|pair| pair.0.abs() < 64.0).collect();
        Ok(Calibration { positions: pairs.len(), discs_a_log_odd: 1.0 / slope(&pairs) })
    })
}

/// The factor by which a value becomes log odds: logistic regression through zero, by Newton's method.
fn slope(pairs: &[(f64, bool)]) -> f64 {
    let mut slope = 0.1;
    for _ in 0..50 {
        let (mut gradient, mut curvature) = (0.0, 1e-9);
        for &(value, is_won) in pairs {
            let chance = 1.0 / (1.0 + (-slope * value).exp());
            gradient += value * (f64::from(u8::from(is_won)) - chance);
            curvature += value * value * chance * (1.0 - chance);
        }
        slope = (slope + (gradient / curvature).clamp(-0.1, 0.1)).clamp(1e-3, 5.0);
    }
    slope
}

fn endcut(conduct: &mut Conduct, parameters: &Parameters) -> Result<(Section, Vec<Finding>), StudyError> {
    let calibration = calibrate(conduct, parameters)?;
    let levels: Vec<i32> =
        LEVELS.iter().map(|level| (100.0 * level * calibration.discs_a_log_odd).round() as i32).collect();
    let Parameters { discs, tested_at, depth, .. } = *parameters;
    let seed: Seed = conduct.seed().derive("endgames", 0);
    let cell = |number: u64| {
        let work = Endgame { number, seed: seed.0, discs, tested_at, levels: levels.clone(), depth };
        Cell { name: format!("endgame {number}"), work: Work::Endgame(work) }
    };
    let found: Vec<Option<Decision>> =
        conduct.cells("endgames", (0..parameters.endgames).map(cell).collect())?;
    let all: Vec<Decision> = found.into_iter().flatten().collect();
    let hard: Vec<Decision> = all.iter().filter(|decision| decision.is_hard()).cloned().collect();
    let columns = vec![
        Column::label("positions"),
        Column::label("level, log odds"),
        Column::ours("level, discs"),
        Column::ours("decided"),
        Column::ours("nodes, share of exact"),
        Column::ours("wrong"),
        Column::ours("with exact search where wrong, share"),
        Column::published("wrong, of 35"),
        Column::published("share"),
    ];
    let published = conduct.published("4.1");
    let caption = format!(
        "Table 4.1: who wins at {discs} discs, selectively with a test at {tested_at}; a log odd is {:.2} discs here",
        calibration.discs_a_log_odd
    );
    let mut table = Table::new("table-4.1", &caption, columns);
    let mut shares = Vec::new();
    for (name, set) in [("all", &all), ("where the heuristic search errs", &hard)] {
        let exact: u64 = set.iter().map(|decision| decision.exact).sum();
        for (at, level) in LEVELS.iter().enumerate() {
            let nodes: u64 = set.iter().map(|decision| decision.levels[at].0).sum();
            let wrong: Vec<&Decision> = set.iter().filter(|decision| !decision.levels[at].1).collect();
            let again: u64 = wrong.iter().map(|decision| decision.exact).sum();
            let share = |nodes: u64| nodes as f64 / exact.max(1) as f64;
            let key = format!("{level}");
            table.push(vec![
                Entry::text(name),
                Entry::text(key.as_str()),
                Entry::number(f64::from(levels[at]) / 100.0, 1),
                Entry::count(set.len() as u64),
                Entry::number(share(nodes), 2),
                Entry::count(wrong.len() as u64),
                Entry::number(share(nodes + again), 2),
                published.entry(&key, "wrong", 0),
                published.entry(&key, "share", 2),
            ]);
            shares.push((share(nodes + again), wrong.len(), set.len()));
        }
    }
    let (all_at, hard_at) = (shares[1], shares[5]);
    let findings = vec![
        Finding::new(
            "EndCut at level 2.1 saves much of the search.",
            Verdict::of(all_at.0 < 0.9),
            format!(
                "{:.2} of the exact search's nodes on {} positions, the exact search after {} wrong decisions included.",
                all_at.0, all_at.2, all_at.1
            ),
        ),
        Finding::new(
            "It does so also where the heuristic search errs.",
            match hard_at.2 {
                0..5 => Verdict::Open,
                _ => Verdict::of(hard_at.0 < 1.0),
            },
            format!(
                "{:.2} of the nodes on {} such positions, {} wrong (S5: 0.62 of the time on 35, 6 wrong).",
                hard_at.0, hard_at.2, hard_at.1
            ),
        ),
    ];
    let chart = Chart::lines(
        "endcut-nodes",
        "Nodes by level as a share of the exact search, exact search after wrong decisions included",
        Axis::even("level, log odds"),
        Axis::even("share"),
        vec![
            Series::ours(
                "all",
                LEVELS.iter().copied().zip(shares[..4].iter().map(|share| share.0)).collect(),
            ),
            Series::ours(
                "where the heuristic search errs",
                LEVELS.iter().copied().zip(shares[4..].iter().map(|share| share.0)).collect(),
            ),
            Series::published(
                "S5, time",
                LEVELS
                    .iter()
                    .filter_map(|level| Some((*level, published.number(&format!("{level}"), "share")?)))
                    .collect(),
            ),
        ],
    );
    Ok((Section::new("EndCut (table 4.1)", vec![table.into(), chart.into()]), findings))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_free::uniform;

    mod rand_free {
        /// A number between 0 and 1, by number.
        pub fn uniform(number: u64) -> f64 {
            trilith_base::seed::mix(number) as f64 / u64::MAX as f64
        }
    }

    #[test]
    fn a_known_slope_is_found_again() {
        let pairs: Vec<(f64, bool)> = (0..20_000)
            .map(|number| {
                let value = 40.0 * uniform(2 * number) - 20.0;
                (value, uniform(2 * number + 1) < 1.0 / (1.0 + (-0.2 * value).exp()))
            })
            .collect();
        assert!((slope(&pairs) - 0.2).abs() < 0.01, "{}", slope(&pairs));
    }
}
