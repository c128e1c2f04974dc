//! S5, chapter 2: what contents of patterns are worth over the game (figure 2.4), and how well features rank positions
//! (figures 2.5 to 2.9).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::Value;
use trilith_base::Artifact;
use trilith_eval::othello::logistello::discordance::by_discs;
use trilith_eval::othello::logistello::feature::{FeatureSource, LogistelloFeatures};
use trilith_eval::othello::logistello::measure::MEASURES;
use trilith_eval::othello::logistello::probability::PHASES;
use trilith_eval::othello::logistello::shape::{PATTERNS, RAYS, SquareList};
use trilith_eval::othello::logistello::{Combination, Labelled};
use trilith_games::othello::Position;
use trilith_learn::logistello::tables;
use trilith_learn::logistello::tree::Example;
use trilith_learn::run::{Folder, RunError};

use super::{Data, construction, examples, games_file, generate};
use crate::conduct::{Conduct, StudyOutcome};
use crate::error::StudyError;
use crate::report::{Axis, Block, Chart, Finding, Section, Series, VerdictTest};
use crate::statistics::{Estimate, mean};
use crate::training::StudyTraining;

/// What the study's file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PatternParameters {
    /// Games to learn from.
    data: Data,
    /// Drawn games imagined with every content.
    imagined: f64,
    /// Positions that are ranked for each number of discs, at most.
    most: usize,
    /// Squares that a pattern grows to by itself, and examples that its tables are made from (2.4); none if it is missing.
    #[serde(default)]
    grown: Option<GrownParameters>,
}

/// How patterns build themselves.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GrownParameters {
    /// Squares in the end.
    pub(super) squares: usize,
    /// Examples for its tables.
    pub(super) examples: usize,
}

/// Edges as they stand from corner to corner: X for Black, O for White.
const EDGES: [(&str, &str); 8] = [
    ("1: C square taken, corner open", ".X......"),
    ("2: A squares", "..X..X.."),
    ("3: unbalanced", "..XXXXX."),
    ("4: gap of one", "..X.XX.."),
    ("5: corner", "X......."),
    ("6: corner and neighbours", "XXX....."),
    ("7: wedge of White", "..XOOX.."),
    ("8: full without corners", ".XXXXXX."),
];
/// Other patterns by name, beside those of LOGISTELLO.
const MORE: [(&str, &str); 2] = [("corner3x3", "a1b1c1a2b2c2a3b3c3"), ("X square", "a1b2")];

/// One game in so many is kept from the tables and ranked.
pub(super) const TESTED: usize = 4;

/// Numbers behind all figures.
#[derive(Serialize, Deserialize)]
struct Measured {
    positions: usize,
    edges: Vec<Vec<f64>>,
    /// By feature: discs and discordance.
    discordance: BTreeMap<String, Vec<(f64, f64)>>,
}

/// The run that fits LOG+ to the games of a plan; `logistello-weights` asks for the same.
pub(super) fn training(conduct: &Conduct, data: Data, form: &str) -> StudyTraining {
    let seed = conduct.seed().derive("examples", 0);
    let own = [
        ("data", Value::Array(vec![Value::String(games_file(data, seed))])),
        ("generate", Value::Integer(0)),
        ("form", Value::String(form.into())),
        ("strength_games", Value::Integer(0)),
    ];
    let mut training = StudyTraining::new(format!("fit {form}"), "logistello", "othello", seed.0, &own);
    training.files = &["standardised.csv"];
    training
}

/// Counts, ranks, compares.
pub fn procedure(conduct: &mut Conduct) -> Result<StudyOutcome, StudyError> {
    let PatternParameters { data, imagined, most, grown } = conduct.parameters()?;
    let path = generate(conduct, data)?;
    let training = training(conduct, data, "log+");
    conduct.train("fit", std::slice::from_ref(&training))?;
    let artifact = conduct.runs().join(training.place()).join(Folder::ARTIFACT);
    let games = path.clone();
    let measured: Measured = conduct.here("figures", move |_, _| {
        let known = examples(&path, |at| at % TESTED != 0)?;
        let tested = examples(&path, |at| at % TESTED == 0)?;
        let file = Artifact::load(&artifact).map_err(RunError::from)?;
        let combined = Combination::from_artifact(&file).map_err(RunError::from)?;
        Ok(measure(&known, &tested, imagined, most, &combined))
    })?;
    let mut sections = vec![
        Section::new("Contents of the edge (figure 2.4)", vec![edge_figure(&measured).into()]),
        Section::new("Discordance (figures 2.5 to 2.9)", discordances(&measured)),
    ];
    let mut findings = findings(&measured);
    if let Some(plan) = grown {
        let (section, finding) = construction::section(conduct, &games, plan, imagined, most)?;
        sections.push(section);
        findings.push(finding);
    }
    Ok(StudyOutcome { findings, sections })
}

fn edge_figure(measured: &Measured) -> Chart {
    let phases: Vec<f64> = (0..PHASES).map(|phase| 10.0 + 4.0 * phase as f64).collect();
    let edges = EDGES.iter().zip(&measured.edges).map(|((name, content), values)| {
        let points = phases.iter().copied().zip(values.iter().copied()).collect();
        Series::ours(format!("{name} {content}"), points)
    });
    Chart::lines(
        "figure-2.4",
        "Worth of some edges by discs, -127 for sure loss to 127 for sure win of Black (as figure 2.4)",
        Axis::even("discs"),
        Axis::even("worth"),
        edges.collect(),
    )
}

fn discordances(measured: &Measured) -> Vec<Block> {
    let group = |name: &str, caption: &str, names: &[&str]| -> Block {
        let series = names
            .iter()
            .filter_map(|name| Some(Series::ours(*name, measured.discordance.get(*name)?.clone())))
            .collect();
        Chart::lines(name, caption, Axis::even("discs"), Axis::even("discordance"), series).into()
    };
    let rows: Vec<&str> = RAYS[..4].iter().map(|(name, _)| *name).collect();
    let diagonals: Vec<&str> = RAYS[4..].iter().map(|(name, _)| *name).collect();
    let corners = ["corner2x4", "corner2x5", "edge2x", "corner3x3", "X square"];
    let mobilities: Vec<&str> = MEASURES.iter().map(|(name, ..)| *name).collect();
    let positions = measured.positions;
    vec![
        format!("{positions} positions of games that the tables have not seen; 0 is perfect.").into(),
        group("figure-2.5", "Rows and columns (as figure 2.5)", &rows),
        group("figure-2.6", "Diagonals (as figure 2.6)", &diagonals),
        group("figure-2.7", "Corners and edges with X squares (as figures 2.7 and 2.8)", &corners),
        group("figure-2.8", "Mobilities, exact and by rays", &mobilities),
        group(
            "figure-2.9",
            "All features together (LOG+) beside the best single ones (figure 2.9)",
            &["LOG+", "corner2x4", "row2", "mobility", "potential-rays"],
        ),
    ]
}

fn measure(
    known: &[Example],
    tested: &[Example],
    imagined: f64,
    most: usize,
    combined: &Combination,
) -> Measured {
    let edge: SquareList = RAYS[0].1.parse().expect("a named shape");
    let table = tables::table(known, &edge, imagined);
    let codes = edge.codes();
    let edges = EDGES
        .iter()
        .map(|(_, content)| {
            let number: i64 = (0..)
                .zip(content.chars())
                .map(|(place, letter)| match letter {
                    'X' => 3_i64.pow(place),
                    'O' => -3_i64.pow(place),
                    _ => 0,
                })
                .sum();
            (0..PHASES)
                .map(|phase| {
                    f64::from(table[(phase * codes + codes / 2).wrapping_add_signed(number as isize)])
                })
                .collect()
        })
        .collect();
    let labelled = labelled(tested, most);
    let mut discordance = BTreeMap::new();
    let mut add = |name: &str, feature: &dyn Fn(&Position) -> f64| {
        let found = by_discs(&labelled, feature);
        let points = found.into_iter().map(|(discs, found)| (f64::from(discs), found.value)).collect();
        discordance.insert(name.to_owned(), points);
    };
    for (name, squares) in RAYS.iter().chain(&PATTERNS).chain(&MORE) {
        let shape: SquareList = squares.parse().expect("a named shape");
        let tables = tables::table(known, &shape, imagined);
        let source = vec![((*name).to_owned(), FeatureSource::Pattern { shape, tables })];
        let features = LogistelloFeatures::new(source).expect("one pattern fits");
        add(name, &|position| features.values(position, &features.begin(position))[0]);
    }
    for (name, measure, _) in MEASURES {
        add(name, &|position| f64::from(measure.value(position)));
    }
    let features = combined.features();
    add("LOG+", &|position| combined.log_odds(position, &features.begin(position)));
    Measured { positions: labelled.len(), edges, discordance }
}

/// At most so many positions with 12, 16, 20, ... discs, labelled for the side to move.
pub(super) fn labelled(examples: &[Example], most: usize) -> Vec<Labelled> {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    let wanted =
        examples.iter().filter(|example| example.discs() % 4 == 0 && (12..=60).contains(&example.discs()));
    let kept = wanted.filter(|example| {
        let count = counts.entry(example.discs()).or_default();
        *count += 1;
        *count <= most
    });
    kept.map(|example| {
        let margin = f64::from(example.margin);
        Labelled { position: example.position(), label: if example.is_black { margin } else { -margin } }
    })
    .collect()
}

/// The discordance of a feature at so many discs, from and to.
fn between(measured: &Measured, name: &str, from: f64, to: f64) -> Vec<f64> {
    let points = measured.discordance.get(name).map(Vec::as_slice).unwrap_or_default();
    points.iter().filter(|point| (from..=to).contains(&point.0)).map(|point| point.1).collect()
}

fn findings(measured: &Measured) -> Vec<Finding> {
    let middle = |name: &str| between(measured, name, 24.0, 52.0);
    // The same numbers of discs for both, so that what differs from one to the next does not count.
    let less = |a: &str, b: &str| {
        let pairs = middle(a).into_iter().zip(middle(b));
        let differences: Vec<f64> = pairs.map(|(a, b)| a - b).collect();
        Estimate::mean(format!("discordance of {a} less {b}, mean over 24 to 52 discs"), &differences)
    };
    let singles = measured.discordance.keys().filter(|name| *name != "LOG+");
    let single = singles.min_by(|a, b| mean(&middle(a)).total_cmp(&mean(&middle(b))));
    let single = single.map_or("", String::as_str);
    let falls: Vec<f64> = RAYS
        .iter()
        .map(|(name, _)| {
            mean(&between(measured, name, 48.0, 60.0)) - mean(&between(measured, name, 20.0, 32.0))
        })
        .collect();
    let shown = |names: &[&str]| {
        let one = |name: &&str| format!("{name} {:.3}", mean(&middle(name)));
        format!("From 24 to 52 discs: {}.", names.iter().map(one).collect::<Vec<_>>().join(", "))
    };
    let finding = |claim: &str, test: VerdictTest, evidence: String, published: &str| {
        let protocol = "Our games, and positions that the tables have not seen.";
        Finding::tested(claim, vec![test], evidence).published(published).differs(protocol)
    };
    vec![
        finding(
            "All features together (LOG+) rank positions better than any one of them.",
            less("LOG+", single).below(0.0),
            shown(&["LOG+", single]),
            "clearly smaller discordance than any single one, in words (2.3; figure 2.9, curves without printed numbers)",
        ),
        finding(
            "The 2x5 corner ranks positions better than the edge with its X squares.",
            less("corner2x5", "edge2x").below(0.0),
            shown(&["corner2x5", "corner2x4", "edge2x"]),
            "clearly better, in words (2.3; figures 2.7 and 2.8, curves without printed numbers)",
        ),
        finding(
            "The discordance of rays falls as the board fills.",
            Estimate::mean("48 to 60 discs less 20 to 32, mean of ten rays", &falls).below(0.0),
            format!(
                "It falls for {} of {} rays.",
                falls.iter().filter(|fall| **fall < 0.0).count(),
                falls.len()
            ),
            "falls for many patterns, in words (2.3; figures 2.5 and 2.6, curves without printed numbers)",
        ),
        finding(
            "Mobility by rays ranks positions nearly as well as exact mobility: less than 0.02 apart.",
            less("mobility-rays", "mobility").within(-0.02, 0.02),
            shown(&["mobility", "mobility-rays"]),
            "only slightly lower quality, about three times as fast, in words (2.1)",
        ),
    ]
}
