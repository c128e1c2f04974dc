//! S5, table 4.1: EndCut at four levels against the exact search for who wins.

use serde::{Deserialize, Serialize};
use trilith_games::othello::Othello;
use trilith_learn::logistello::tree::Example;
use trilith_search::{Control, Limits};

use super::endgame::{Candidates, Endgame, EndgameDecision, engine};
use super::selective::SelectiveParameters;
use super::{examples, generate};
use crate::cell::{CellWork, StudyCell};
use crate::conduct::Conduct;
use crate::error::StudyError;
use crate::file::PublishedTable;
use crate::report::{Axis, Chart, Column, Entry, Finding, ReportTable, Section, Series};
use crate::statistics::Estimate;

/// S5's CUT_NIVEAU in log odds.
const LEVELS: [f64; 4] = [2.5, 2.1, 1.8, 1.5];

/// How many discs of a search of four plies a log odd is, at the discs of the test.
#[derive(Serialize, Deserialize)]
struct Calibration {
    positions: usize,
    discs_a_log_odd: f64,
}

fn calibrate(conduct: &mut Conduct, parameters: &SelectiveParameters) -> Result<Calibration, StudyError> {
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

/// A set of endgames and what EndCut did at each level.
struct Decided {
    name: &'static str,
    decisions: Vec<EndgameDecision>,
}

impl Decided {
    /// Nodes with EndCut, the exact search after wrong decisions included, and of the exact search, by position.
    fn pairs(&self, level: usize, is_with_again: bool) -> Vec<(f64, f64)> {
        let pair = |decision: &EndgameDecision| {
            let (nodes, is_right) = decision.levels[level];
            let again = if is_with_again && !is_right { decision.exact } else { 0 };
            ((nodes + again) as f64, decision.exact as f64)
        };
        self.decisions.iter().map(pair).collect()
    }

    fn share(&self, level: usize) -> Estimate {
        let words = format!("nodes at level {}, share of the exact search, {}", LEVELS[level], self.name);
        Estimate::ratio(words, &self.pairs(level, true), "positions")
    }

    fn wrong(&self, level: usize) -> usize {
        self.decisions.iter().filter(|decision| !decision.levels[level].1).count()
    }
}

fn endgames_seed(conduct: &Conduct) -> u64 {
    conduct.seed().derive("endgames", 0).0
}

/// Games in a cell that looks for hard endgames.
const LOOKED_AT: u64 = 10;

/// The numbers of the first endgames in which the heuristic search errs; fewer if there are not as many.
fn hard_ones(conduct: &mut Conduct, parameters: &SelectiveParameters) -> Result<Vec<u64>, StudyError> {
    let SelectiveParameters { candidates, discs, depth, hard, .. } = *parameters;
    let seed = endgames_seed(conduct);
    let cell = |number: u64| {
        let first = number * LOOKED_AT;
        let count = LOOKED_AT.min(candidates - first);
        let work = CellWork::Candidates(Candidates { first, count, seed, discs, depth });
        StudyCell { name: format!("candidates {first}"), work }
    };
    let cells = (0..candidates.div_ceil(LOOKED_AT)).map(cell).collect();
    let found: Vec<Vec<u64>> = conduct.cells("candidates", cells)?;
    Ok(found.into_iter().flatten().take(hard).collect())
}

fn decide(
    conduct: &mut Conduct,
    stage: &str,
    numbers: Vec<u64>,
    parameters: &SelectiveParameters,
    levels: &[i32],
) -> Result<Vec<EndgameDecision>, StudyError> {
    let SelectiveParameters { discs, tested_at, depth, .. } = *parameters;
    let seed = endgames_seed(conduct);
    let cell = |number: u64| {
        let work = Endgame { number, seed, discs, tested_at, levels: levels.to_vec(), depth };
        StudyCell { name: format!("endgame {number}"), work: CellWork::Endgame(work) }
    };
    let found: Vec<Option<EndgameDecision>> =
        conduct.cells(stage, numbers.into_iter().map(cell).collect())?;
    Ok(found.into_iter().flatten().collect())
}

/// The section of table 4.1 and what S5 concludes from it.
pub(super) fn endcut(
    conduct: &mut Conduct,
    parameters: &SelectiveParameters,
) -> Result<(Section, Vec<Finding>), StudyError> {
    let calibration = calibrate(conduct, parameters)?;
    let levels: Vec<i32> =
        LEVELS.iter().map(|level| (100.0 * level * calibration.discs_a_log_odd).round() as i32).collect();
    let SelectiveParameters { discs, tested_at, .. } = *parameters;
    let hard = hard_ones(conduct, parameters)?;
    let sets = [
        Decided {
            name: "as they come",
            decisions: decide(conduct, "endgames", (0..parameters.endgames).collect(), parameters, &levels)?,
        },
        Decided {
            name: "where the heuristic search errs",
            decisions: decide(conduct, "hard endgames", hard, parameters, &levels)?,
        },
    ];
    let caption = format!(
        "Table 4.1: who wins at {discs} discs, selectively with a test at {tested_at}; a log odd is {:.2} discs here",
        calibration.discs_a_log_odd
    );
    let published = conduct.published("4.1");
    let blocks = vec![
        endcut_table(&sets, &levels, &published, &caption).into(),
        endcut_chart(&sets, &published).into(),
    ];
    let protocol = format!(
        "Roots at {discs} discs, the test at {tested_at} (S5: 42 and 50); nodes instead of seconds; positions chosen as \
                 S5 chose its own, from our games and by our search of {} plies, since most diagrams of appendix D are \
                 unreadable.",
        parameters.depth
    );
    Ok((Section::new("EndCut (table 4.1)", blocks), endcut_findings(&sets, &protocol)))
}

fn endcut_table(sets: &[Decided], levels: &[i32], published: &PublishedTable, caption: &str) -> ReportTable {
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
    let mut table = ReportTable::new("table-4.1", caption, columns);
    for set in sets {
        for (at, level) in LEVELS.iter().enumerate() {
            let key = format!("{level}");
            let plain = Estimate::ratio("", &set.pairs(at, false), "positions");
            table.push(vec![
                Entry::text(set.name),
                Entry::text(key.as_str()),
                Entry::number(f64::from(levels[at]) / 100.0, 1),
                Entry::count(set.decisions.len() as u64),
                Entry::number(plain.value(), 2),
                Entry::count(set.wrong(at) as u64),
                Entry::number(set.share(at).value(), 2),
                published.entry(&key, "wrong", 0),
                published.entry(&key, "share", 2),
            ]);
        }
    }
    table
}

fn endcut_chart(sets: &[Decided], published: &PublishedTable) -> Chart {
    let ours = |set: &Decided| {
        let points = LEVELS.iter().enumerate().map(|(at, level)| (*level, set.share(at).value()));
        Series::ours(set.name, points.collect())
    };
    let theirs = LEVELS
        .iter()
        .filter_map(|level| Some((*level, published.number(&format!("{level}"), "share")?)))
        .collect();
    let mut series: Vec<Series> = sets.iter().map(ours).collect();
    series.push(Series::published("S5, time", theirs));
    Chart::lines(
        "endcut-nodes",
        "Nodes by level as a share of the exact search, exact search after wrong decisions included",
        Axis::even("level, log odds"),
        Axis::even("share"),
        series,
    )
}

fn endcut_findings(sets: &[Decided; 2], protocol: &str) -> Vec<Finding> {
    // The second of the levels is 2.1.
    const AT: usize = 1;
    let claims = [
        "EndCut at level 2.1 saves nodes of the search for who wins.",
        "It does so also where the heuristic search errs.",
    ];
    let finding = |(claim, set): (&str, &Decided)| {
        Finding::tested(
            claim,
            vec![set.share(AT).below(1.0)],
            format!(
                "{} of the exact search's nodes on {} positions, {} decided wrongly.",
                set.share(AT).shown(2),
                set.decisions.len(),
                set.wrong(AT)
            ),
        )
        .published("0.62 of the time on 35 hard positions, 6 wrong (table 4.1)")
        .differs(protocol)
    };
    claims.into_iter().zip(sets).map(finding).collect()
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
