//! S2, 2.1 to 2.9: what each search technique gains, in nodes, in time and in play (tables 2.1 to 2.11).

use serde::Deserialize;

use super::searches::{GamePart, SearchCost, Searches, TECHNIQUES};
use super::{contest, searching};
use crate::cell::{CellWork, StudyCell};
use crate::conduct::{Conduct, StudyOutcome};
use crate::contest::MatchScore;
use crate::error::StudyError;
use crate::report::{Axis, Block, Chart, Column, Entry, Finding, ReportTable, Section, Series, VerdictTest};
use crate::statistics::{Estimate, shown};

/// What the study's file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchParameters {
    /// Positions of each part by depth, from depth 3 on.
    positions: Vec<u64>,
    /// The same for plain minimax.
    positions_minimax: Vec<u64>,
    /// Games of each two programs in the tournament.
    games: u64,
    /// How long a program thinks about a move, in seconds of S2's computer; S2: 5.
    seconds: f64,
    /// Games are drawn after so many plies.
    plies: u32,
}

const FIRST_DEPTH: u32 = 3;
/// By the first and the second of two programs.
type Scores = Vec<Vec<Option<MatchScore>>>;
/// The programs of table 2.11, the rung they play with, and our name of the technique of tables 2.9 and 2.10 that this is.
const PROGRAMS: [(&str, &str, &str); 5] = [
    ("Minmax", "minimax", "minimax"),
    ("Alpha-Beta", "alpha-beta", "alpha-beta"),
    ("Minimal-Window", "minimal-window,without=aspiration", "minimal window"),
    ("Transposition-Table", "transposition-table,without=aspiration+minimal-window+table-moves", "table"),
    ("Mühle 2.43", "forcing-moves-first,without=aspiration+table-moves", "all of them (2.43)"),
];

/// What one technique took to one depth.
struct GridRow {
    part: GamePart,
    technique: &'static str,
    depth: u32,
    /// Positions and nodes of all cells.
    searched: SearchCost,
    /// Nodes cell by cell; cells of the same number have the same positions.
    cells: Vec<f64>,
    seconds: f64,
}

/// One row for each part, technique and depth.
struct Grid {
    rows: Vec<GridRow>,
}

impl Grid {
    fn find(&self, part: GamePart, technique: &str, depth: u32) -> Option<&GridRow> {
        self.rows.iter().find(|row| (row.part, row.technique, row.depth) == (part, technique, depth))
    }

    fn nodes(&self, part: GamePart, technique: &str, depth: u32) -> Option<f64> {
        let searched = self.find(part, technique, depth)?.searched;
        Some(searched.nodes as f64 / searched.positions as f64)
    }

    fn milliseconds(&self, part: GamePart, technique: &str, depth: u32) -> Option<f64> {
        let row = self.find(part, technique, depth)?;
        Some(1000.0 * row.seconds / row.searched.positions as f64)
    }

    /// Nodes of a technique as a share of another's on the same positions.
    fn share(&self, part: GamePart, technique: &str, other: &str, depth: u32) -> Option<Estimate> {
        let [a, b] = [technique, other].map(|name| self.find(part, name, depth));
        let pairs: Vec<(f64, f64)> = a?.cells.iter().copied().zip(b?.cells.iter().copied()).collect();
        let words = format!("{technique} against {other}, {}, share of nodes at depth {depth}", part.name());
        Some(Estimate::ratio(words, &pairs, "cells of positions"))
    }
}

/// Searches, plays, compares.
pub fn procedure(conduct: &mut Conduct) -> Result<StudyOutcome, StudyError> {
    let parameters: SearchParameters = conduct.parameters()?;
    let grid = search(conduct, &parameters)?;
    let deepest = FIRST_DEPTH + parameters.positions.len() as u32 - 1;
    let mut sections = Vec::new();
    for part in GamePart::ALL {
        sections.push(part_section(conduct, &grid, part, deepest));
    }
    let nodes = nodes_in(conduct, &grid, deepest, parameters.seconds)?;
    let (tournament, scores) = tournament(conduct, &parameters, nodes)?;
    sections.push(tournament);
    Ok(StudyOutcome { findings: findings(&grid, deepest, &scores, parameters.seconds), sections })
}

/// A technique to a depth and its cells.
type GridCells = (GamePart, &'static str, u32, std::ops::Range<usize>);

fn search(conduct: &mut Conduct, parameters: &SearchParameters) -> Result<Grid, StudyError> {
    let (cells, groups) = cells(parameters, conduct.seed().derive("positions", 0).0);
    let names: Vec<String> = cells.iter().map(|cell| cell.name.clone()).collect();
    let searched: Vec<SearchCost> = conduct.cells("searches", cells)?;
    let row = |(part, technique, depth, range): GridCells| {
        let own = &searched[range.clone()];
        let sum = |of: fn(&SearchCost) -> u64| own.iter().map(of).sum::<u64>();
        GridRow {
            part,
            technique,
            depth,
            searched: SearchCost { positions: sum(|it| it.positions), nodes: sum(|it| it.nodes) },
            cells: own.iter().map(|it| it.nodes as f64).collect(),
            seconds: conduct.seconds(names[range].iter().map(String::as_str)),
        }
    };
    Ok(Grid { rows: groups.into_iter().map(row).collect() })
}

/// Cells of the same part and depth have the same positions, whatever the technique.
fn cells(parameters: &SearchParameters, seed: u64) -> (Vec<StudyCell>, Vec<GridCells>) {
    let (mut cells, mut groups) = (Vec::new(), Vec::new());
    for part in GamePart::ALL {
        for (technique, techniques) in TECHNIQUES {
            let counts =
                if techniques.full_width { &parameters.positions_minimax } else { &parameters.positions };
            for (depth, &count) in (FIRST_DEPTH..).zip(counts).filter(|(_, count)| **count > 0) {
                let per_cell = (count / 50).clamp(1, 40);
                let begin = cells.len();
                for first in (0..count).step_by(per_cell as usize) {
                    let technique = technique.to_owned();
                    let name = format!("{} {technique} depth {depth} from {first}", part.name());
                    let count = per_cell.min(count - first);
                    let work = Searches { part, technique, depth, first, count, seed };
                    cells.push(StudyCell { name, work: CellWork::Searches(work) });
                }
                groups.push((part, technique, depth, begin..cells.len()));
            }
        }
    }
    (cells, groups)
}

/// Our name of a technique and S2's in tables 2.9 and 2.10.
const PRINTED: [(&str, &str); 9] = [
    ("minimax", "Minmax"),
    ("alpha-beta", "Alpha-Beta"),
    ("iterative deepening", "Iterative Deepening"),
    ("aspiration 0.1", "Aspiration Window"),
    ("minimal window", "Minimal Window"),
    ("table", "Transposition Table"),
    ("table and minimal window", "Transposition Table + Minimal Window"),
    ("mills first", "mills first"),
    ("all of them (2.43)", "Mühle 2.43"),
];

/// The table with S2's times of all techniques.
fn number(part: GamePart) -> &'static str {
    if part == GamePart::Placing { "2.9" } else { "2.10" }
}

/// S2's name of a technique in that table.
fn printed(technique: &str) -> Option<&'static str> {
    PRINTED.iter().find(|(ours, _)| *ours == technique).map(|(_, theirs)| *theirs)
}

/// How many nodes each program of the tournament visits in so many seconds of S2's computer: our mean number to the deepest depth
/// for which there is one, in S2's mean time to it, the geometric mean of both parts.
fn nodes_in(conduct: &Conduct, grid: &Grid, deepest: u32, seconds: f64) -> Result<Vec<u64>, StudyError> {
    let nodes = |technique: &str| {
        let rate = |part| {
            let published = conduct.published(number(part));
            let at = |depth: u32| {
                let milliseconds = published.number(printed(technique)?, &depth.to_string())?;
                Some(1000.0 * grid.nodes(part, technique, depth)? / milliseconds)
            };
            (FIRST_DEPTH..=deepest).rev().find_map(at)
        };
        let [placing, moving] = GamePart::ALL.map(rate);
        Some(((placing? * moving?).sqrt() * seconds) as u64)
    };
    let counted = |&(name, _, technique): &(&str, &str, &str)| {
        let missing = || {
            format!(
                "no nodes to count for {name}: `positions` and `positions_minimax` need some to a depth that S2 timed"
            )
        };
        nodes(technique).ok_or_else(|| StudyError::Procedure(missing()))
    };
    PROGRAMS.iter().map(counted).collect()
}

fn part_section(conduct: &Conduct, grid: &Grid, part: GamePart, deepest: u32) -> Section {
    let aspiration = if part == GamePart::Placing { "2.1" } else { "2.2" };
    let nodes = |technique: &str, depth| grid.nodes(part, technique, depth);
    let milliseconds = |technique: &str, depth| grid.milliseconds(part, technique, depth);
    let blocks: Vec<Block> = vec![
        nodes_table(part, deepest, &nodes).into(),
        by_depth(part, deepest, "nodes", "Nodes", "in nodes", &nodes).into(),
        times_table(conduct, part, deepest, &milliseconds).into(),
        by_depth(part, deepest, "times", "Milliseconds", "in our time", &milliseconds).timed().into(),
        conduct.published(aspiration).as_table(&format!("published-{aspiration}")).into(),
    ];
    Section::new(&format!("Positions of the {} phase (tables 2.1 to 2.10)", part.name()), blocks)
}

/// A number by technique and depth.
type Measure<'a> = dyn Fn(&str, u32) -> Option<f64> + 'a;

fn nodes_table(part: GamePart, deepest: u32, nodes: &Measure) -> ReportTable {
    let mut columns = vec![Column::label("technique")];
    columns.extend((FIRST_DEPTH..=deepest).map(|depth| Column::ours(&format!("depth {depth}"))));
    let mut table = ReportTable::new(&format!("nodes-{}", part.name()), "Mean nodes of a search", columns);
    for (technique, _) in TECHNIQUES {
        let mut row = vec![Entry::text(technique)];
        row.extend((FIRST_DEPTH..=deepest).map(|depth| Entry::maybe(nodes(technique, depth), 0)));
        table.push(row);
    }
    table
}

fn times_table(conduct: &Conduct, part: GamePart, deepest: u32, times: &Measure) -> ReportTable {
    let number = number(part);
    let published = conduct.published(number);
    let depths = || FIRST_DEPTH..=deepest;
    let mut columns = vec![Column::label("technique")];
    columns.extend(depths().map(|depth| Column::ours(&format!("depth {depth}"))));
    columns.extend(depths().map(|depth| Column::published(&format!("depth {depth}"))));
    let caption = format!("Mean milliseconds of a search, ours and S2's (table {number})");
    let mut table = ReportTable::new(&format!("times-{}", part.name()), &caption, columns).timed();
    for (technique, _) in TECHNIQUES {
        let printed = printed(technique);
        let mut row = vec![Entry::text(technique)];
        row.extend(depths().map(|depth| Entry::maybe(times(technique, depth), 3)));
        row.extend(depths().map(|depth| {
            printed.map_or(Entry::Empty, |printed| published.entry(printed, &depth.to_string(), 2))
        }));
        table.push(row);
    }
    table
}

fn by_depth(part: GamePart, deepest: u32, name: &str, words: &str, unit: &str, of: &Measure) -> Chart {
    let line = |technique: &str| -> Vec<(f64, f64)> {
        let point = |depth: u32| Some((f64::from(depth), of(technique, depth)?));
        (FIRST_DEPTH..=deepest).filter_map(point).collect()
    };
    Chart::lines(
        &format!("{name}-by-depth-{}", part.name()),
        &format!("{words} by depth, {} (as S2's figure 2.11, {unit})", part.name()),
        Axis::even("depth"),
        Axis::logarithmic(&format!("{name} of a search")),
        TECHNIQUES.iter().map(|(name, _)| Series::ours(*name, line(name))).collect(),
    )
}

fn tournament(
    conduct: &mut Conduct,
    parameters: &SearchParameters,
    nodes: Vec<u64>,
) -> Result<(Section, Scores), StudyError> {
    let SearchParameters { games, seconds, plies, .. } = *parameters;
    let player = |at: usize| searching(PROGRAMS[at].1, &format!("eval=standard,nodes={}", nodes[at]));
    let pairs: Vec<(usize, usize)> = (0..5).flat_map(|a| (a + 1..5).map(move |b| (a, b))).collect();
    let matches: Vec<_> = pairs
        .iter()
        .map(|&(a, b)| {
            let name = format!("{} against {}", PROGRAMS[a].0, PROGRAMS[b].0);
            contest(name, &player(a), &player(b), games, plies)
        })
        .collect();
    let played = conduct.matches("tournament", &matches)?;
    let mut scores: Scores = vec![vec![None; 5]; 5];
    for (&(a, b), score) in pairs.iter().zip(played) {
        scores[a][b] = Some(score);
    }
    let wins = |a: usize, b: usize| match (&scores[a][b], &scores[b][a]) {
        (Some(score), _) => Some(score.all().wins),
        (None, Some(score)) => Some(score.all().losses),
        _ => None,
    };
    let published = conduct.published("2.11");
    let mut columns = vec![Column::label("wins of")];
    columns.extend(PROGRAMS.map(|(name, ..)| Column::ours(&format!("against {name}"))));
    columns.push(Column::ours("wins"));
    columns.extend(PROGRAMS.map(|(name, ..)| Column::published(&format!("against {name}"))));
    columns.push(Column::published("wins"));
    let caption = format!(
        "Games won: {games} of each two at {seconds} seconds of S2's computer; S2's 1000 at five seconds (table 2.11)"
    );
    let mut table = ReportTable::new("tournament", &caption, columns);
    for (a, (name, ..)) in PROGRAMS.iter().enumerate() {
        let mut row = vec![Entry::text(*name)];
        row.extend((0..5).map(|b| wins(a, b).map_or(Entry::Empty, Entry::count)));
        row.push(Entry::count((0..5).filter_map(|b| wins(a, b)).sum()));
        row.extend(PROGRAMS.map(|(column, ..)| published.entry(name, column, 0)));
        row.push(published.entry(name, "wins", 0));
        table.push(row);
    }
    let each: Vec<String> =
        PROGRAMS.iter().zip(nodes).map(|((name, ..), nodes)| format!("{name} {nodes}")).collect();
    let text = format!(
        "Ours are limited by nodes instead of time, so that the games can be played again. A node costs S2's programs unlike \
         times, above all where there is a table, so each has the nodes that it visits in the same time: our mean number of \
         nodes to the deepest depth above, in S2's time to it (tables 2.9 and 2.10). {}.",
        each.join(", ")
    );
    Ok((Section::new("In play (table 2.11)", vec![text.into(), table.into()]), scores))
}

fn findings(grid: &Grid, deepest: u32, scores: &Scores, seconds: f64) -> Vec<Finding> {
    vec![aspiration_finding(grid, deepest), gains_finding(grid, deepest), play_finding(scores, seconds)]
}

const BASE: &str = "iterative deepening";
/// What S2 measured and we do not.
const PROTOCOL: &str = "Ours counts nodes, S2 milliseconds of its computer; the positions are ours.";

fn shares(grid: &Grid, deepest: u32, techniques: &[&str]) -> Vec<Estimate> {
    let both = |technique: &&str| GamePart::ALL.map(|part| grid.share(part, technique, BASE, deepest));
    techniques.iter().flat_map(both).flatten().collect()
}

fn words(shares: &[Estimate]) -> String {
    let shown: Vec<String> = shares.iter().map(|it| it.shown(2)).collect();
    format!("Shares of the nodes of iterative deepening, placing then moving: {}.", shown.join(", "))
}

fn aspiration_finding(grid: &Grid, deepest: u32) -> Finding {
    let shares = shares(grid, deepest, &["aspiration 0.05", "aspiration 0.1", "aspiration 0.2"]);
    let evidence = words(&shares);
    // The most that any of S2's windows saved at any depth: 100.73 of 103.37 ms (table 2.1).
    const LEAST: f64 = 0.974;
    let tests = shares.into_iter().map(|share| share.above(LEAST)).collect();
    Finding::tested(
        format!(
            "At depth {deepest} an aspiration window of radius 0.05, 0.1 or 0.2 saves no nodes worth while."
        ),
        tests,
        evidence,
    )
    .published("0.97 to 1.31 of the time without (tables 2.1 and 2.2)")
    .differs(PROTOCOL)
}

fn gains_finding(grid: &Grid, deepest: u32) -> Finding {
    let single = ["minimal window", "table", "mills first"];
    let all = "all of them (2.43)";
    let gains = shares(grid, deepest, &[single[0], single[1], single[2], all]);
    let evidence = words(&gains);
    let mut tests: Vec<VerdictTest> = gains.into_iter().map(|share| share.below(1.0)).collect();
    let against = |name: &str| GamePart::ALL.map(|part| grid.share(part, all, name, deepest));
    let most = single.iter().flat_map(|name| against(name)).flatten();
    tests.extend(most.map(|share| share.below(1.0)));
    let claim = format!(
        "At depth {deepest} minimal window, transposition table and mills first each save nodes, and all together most."
    );
    Finding::tested(claim, tests, evidence)
        .published("0.59, 0.40 and 0.37 of the time when placing, 0.66, 0.38 and 0.33 when moving, together 0.16 and 0.14 (depth 7)")
        .differs(PROTOCOL)
}

fn play_finding(scores: &Scores, seconds: f64) -> Finding {
    let mut lead = Vec::new();
    for a in 0..4 {
        if let Some(score) = &scores[a][a + 1] {
            let tally = score.all().reversed();
            lead.push((format!("{} against {}", PROGRAMS[a + 1].0, PROGRAMS[a].0), tally));
        }
    }
    let evidence: Vec<String> = lead.iter().map(|(name, tally)| format!("{name} {}", shown(tally))).collect();
    let tests = lead.iter().map(|(name, tally)| Estimate::rate(format!("{name}, %"), tally).above(50.0));
    Finding::tested(
        format!("Of five programs with the nodes of {seconds} s of S2's computer each beats the one whose search is slower."),
        tests.collect(),
        format!("{}.", evidence.join("; ")),
    )
    .published(
        "wins less losses of 1000 games: Alpha-Beta against Minmax +398, Minimal-Window against Alpha-Beta +127, \
         Transposition-Table against Minimal-Window +20, Mühle 2.43 against Transposition-Table +497 (table 2.11)",
    )
    .differs(format!(
        "Ours have the nodes of {seconds} seconds a move on S2's computer, S2's five seconds. All add a random number of at most \
         0.05 to every evaluation, as S2 says of its other tests (4.6)."
    ))
}
