//! S5, chapter 4: ProbCut (figure 4.3 and the table of percentiles), and with it EndCut ([`super::endcut`]).

use serde::Deserialize;
use trilith_arena::statistics::Tally;
use trilith_eval::othello::{EngineEvaluation, Evaluations};
use trilith_games::othello::Othello;
use trilith_learn::probcut::{self, CollectionSettings, MeasuredSearch, ProbCutSample};
use trilith_search::SearchKit;
use trilith_search::probcut::fit;

use super::endcut::endcut;
use super::{Data, contest};
use crate::conduct::{Conduct, StudyOutcome};
use crate::error::StudyError;
use crate::report::{Axis, Block, Chart, Column, Entry, Finding, ReportTable, Section, Series};
use crate::statistics::{Estimate, half_width, shown};

/// What the study's file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SelectiveParameters {
    /// Positions for figure 4.3.
    samples: u64,
    /// Games at each percentile against full search.
    games: u64,
    /// Nodes a move.
    nodes: u64,
    /// Games that say how many discs a log odd is.
    pub(super) data: Data,
    /// Positions of them.
    pub(super) calibration: usize,
    /// Endgames to decide, as they come.
    pub(super) endgames: u64,
    /// Endgames to decide in which the heuristic search gives a won game away; S5: 35.
    pub(super) hard: usize,
    /// Endgames among which they are looked for.
    pub(super) candidates: u64,
    /// Discs at their roots; S5: 42.
    pub(super) discs: u32,
    /// Discs at which the test is made; S5: 50.
    pub(super) tested_at: u32,
    /// Plies of the heuristic search by which hard positions are told.
    pub(super) depth: u32,
}

const PERCENTILES: [&str; 6] = ["1.20", "1.35", "1.50", "1.65", "1.80", "2.00"];
const PAIR: (u32, u32) = (4, 8);
const SHOWN_DISCS: [u32; 2] = [28, 44];

/// Searches, plays, decides, compares.
pub fn procedure(conduct: &mut Conduct) -> Result<StudyOutcome, StudyError> {
    let parameters: SelectiveParameters = conduct.parameters()?;
    let (figure, fits) = figure_4_3(conduct, parameters.samples)?;
    let (percentiles, rates) = percentiles(conduct, &parameters)?;
    let (endcut, mut more) = endcut(conduct, &parameters)?;
    let mut findings = vec![foretelling_finding(&fits)];
    findings.extend(probcut_findings(&rates, parameters.nodes));
    findings.append(&mut more);
    Ok(StudyOutcome { findings, sections: vec![figure, percentiles, endcut] })
}

fn foretelling_finding(fits: &[(u32, f64, usize)]) -> Finding {
    // r^2 = 0.9 is artanh r = 1.818.
    let least = (0.9_f64.sqrt().atanh() * 1000.0).round() / 1000.0;
    let tests = fits.iter().map(|&(discs, r2, count)| {
        let words = format!("artanh r at {discs} discs, where r^2 = 0.9 is {least}");
        Estimate::correlation(words, r2.sqrt(), count).above(least)
    });
    let shown: Vec<String> = fits.iter().map(|(discs, r2, _)| format!("{r2:.3} at {discs} discs")).collect();
    Finding::tested(
        "A search of four plies foretells one of eight with r^2 above 0.9.",
        tests.collect(),
        format!("r^2 {}.", shown.join(", ")),
    )
    .published("r^2 beyond 0.9 at 28 and 44 discs (4.1; figure 4.3)")
    .differs("The production evaluation instead of LOGISTELLO's.")
}

fn probcut_findings(rates: &[Tally], nodes: u64) -> [Finding; 2] {
    let words: Vec<String> =
        PERCENTILES.iter().zip(rates).map(|(name, tally)| format!("{name} {}", shown(tally))).collect();
    let mut together = Tally::default();
    rates.iter().for_each(|tally| together += *tally);
    let best = |at: usize| {
        let words = format!("1.50 less {}, points", PERCENTILES[at]);
        Estimate::between_rates(words, &rates[2], &rates[at]).above(0.0)
    };
    let protocol = format!("{nodes} nodes a move instead of half an hour a game.");
    let evidence = format!("{}; all together {}.", words.join(", "), shown(&together));
    [
        Finding::tested(
            format!(
                "With {nodes} nodes a move a program with ProbCut beats the same program with full search."
            ),
            vec![Estimate::rate("all percentiles together, %", &together).above(50.0)],
            evidence.clone(),
        )
        .published("60.0 to 74.2% of 70 games by percentile (4.1)")
        .differs(protocol.as_str()),
        Finding::tested(
            format!(
                "With {nodes} nodes a move a percentile of 1.5 gains more than any other that was tried."
            ),
            (0..PERCENTILES.len()).filter(|at| *at != 2).map(best).collect(),
            evidence,
        )
        .published(
            "1.20 62.9%, 1.35 65.7%, 1.50 74.2%, 1.65 70.0%, 1.80 70.7%, 2.00 60.0% of 70 games each (4.1)",
        )
        .differs(protocol),
    ]
}

/// The section, and by discs r^2 and how many positions it rests on.
type Foretold = (Section, Vec<(u32, f64, usize)>);

fn figure_4_3(conduct: &mut Conduct, positions: u64) -> Result<Foretold, StudyError> {
    let seed = conduct.seed().derive("samples", 0);
    let samples: Vec<(usize, f64, f64)> = conduct.here("samples", |threads, stop| {
        let collection = CollectionSettings { positions, depth: PAIR.1, seed, threads };
        let search = MeasuredSearch {
            evaluator: EngineEvaluation::Patterns(Evaluations::patterns()),
            null_window: Evaluations::null_window(),
            options: Evaluations::options(),
        };
        let samples = probcut::collect(&Othello::default(), &search, collection, stop, &|_| ());
        let pair =
            |sample: &ProbCutSample| Some((sample.phase, sample.value(PAIR.0)?, sample.value(PAIR.1)?));
        Ok(samples.iter().filter_map(pair).collect())
    })?;
    let columns = ["discs", "positions", "a", "b, discs", "sigma, discs", "r^2"].map(Column::ours).into();
    let mut table = ReportTable::new(
        "fits",
        "The line from four to eight plies, positions within two discs together",
        columns,
    );
    let mut blocks: Vec<Block> = Vec::new();
    let mut fits = Vec::new();
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
            fits.push((discs, found.r2, points.len()));
            blocks.push(cloud(discs, points).into());
        }
    }
    blocks.push(table.into());
    Ok((Section::new("Shallow and deep searches (figure 4.3)", blocks), fits))
}

fn cloud(discs: u32, points: Vec<(f64, f64)>) -> Chart {
    Chart::scatter(
        &format!("figure-4.3-{discs}"),
        &format!("Values after four and after eight plies at {discs} discs (figure 4.3)"),
        Axis::even("four plies, discs"),
        Axis::even("eight plies, discs"),
        vec![Series::ours("", points)],
    )
}

type Rates = Vec<Tally>;

fn percentiles(
    conduct: &mut Conduct,
    parameters: &SelectiveParameters,
) -> Result<(Section, Rates), StudyError> {
    let SelectiveParameters { games, nodes, .. } = *parameters;
    let player = |selectivity: &str| format!("engine:eval=patterns,nodes={nodes},selectivity={selectivity}");
    let mut matches: Vec<_> = PERCENTILES
        .iter()
        .map(|it| contest(format!("percentile {it}"), &player(it), &player("off"), games))
        .collect();
    let twice = format!("engine:eval=patterns,nodes={},selectivity=off", 2 * nodes);
    matches.push(contest("1.50 against twice the nodes", &player("1.50"), &twice, games));
    let scores = conduct.matches("percentiles", &matches)?;
    let published = conduct.published("probcut");
    let ours = ["won", "drawn", "lost", "rate, %", "\u{b1}"].map(Column::ours);
    let theirs = ["won", "drawn", "lost", "rate, %"].map(Column::published);
    let columns = [Column::label("percentile")].into_iter().chain(ours).chain(theirs).collect();
    let caption = format!(
        "ProbCut against full search: {games} games at {nodes} nodes a move; S5's 70 at half an hour"
    );
    let mut table = ReportTable::new("probcut", &caption, columns);
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
