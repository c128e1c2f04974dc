//! S2, 2.1 to 2.9: what each search technique gains, in nodes, in time and in play (tables 2.1 to 2.11).

use serde::Deserialize;

use super::contest;
use super::searches::{Part, Searched, Searches, TECHNIQUES};
use crate::cell::{Cell, Work};
use crate::conduct::{Conduct, Outcome};
use crate::contest::Score;
use crate::error::StudyError;
use crate::report::{Axis, Block, Chart, Column, Entry, Finding, Section, Series, Table, Verdict};
use crate::statistics::{above_half, all_of, shown};

/// What the study's file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    /// Positions of each part by depth, from depth 3 on.
    positions: Vec<u64>,
    /// The same for plain minimax.
    positions_minimax: Vec<u64>,
    /// Games of each two programs in the tournament.
    games: u64,
    /// Positions that a program visits for a move.
    nodes: u64,
    /// Games are drawn after so many plies.
    plies: u32,
}

const FIRST_DEPTH: u32 = 3;
/// By the first and the second of two programs.
type Scores = Vec<Vec<Option<Score>>>;
/// The programs of table 2.11 and the rungs they play with.
const PROGRAMS: [(&str, &str); 5] = [
    ("Minmax", "minimax"),
    ("Alpha-Beta", "alpha-beta"),
    ("Minimal-Window", "minimal-window"),
    ("Transposition-Table", "transposition-table"),
    ("Mühle 2.43", "forcing-moves-first"),
];

/// One number for each part, technique and depth.
struct Grid {
    rows: Vec<(Part, &'static str, u32, Searched, f64)>,
}

impl Grid {
    fn find(
        &self,
        part: Part,
        technique: &str,
        depth: u32,
    ) -> Option<&(Part, &'static str, u32, Searched, f64)> {
        self.rows.iter().find(|row| (row.0, row.1, row.2) == (part, technique, depth))
    }

    fn nodes(&self, part: Part, technique: &str, depth: u32) -> Option<f64> {
        let (.., searched, _) = self.find(part, technique, depth)?;
        Some(searched.nodes as f64 / searched.positions as f64)
    }

    fn milliseconds(&self, part: Part, technique: &str, depth: u32) -> Option<f64> {
        let (.., searched, seconds) = self.find(part, technique, depth)?;
        Some(1000.0 * seconds / searched.positions as f64)
    }
}

/// Searches, plays, compares.
pub fn procedure(conduct: &mut Conduct) -> Result<Outcome, StudyError> {
    let parameters: Parameters = conduct.parameters()?;
    let grid = search(conduct, &parameters)?;
    let deepest = FIRST_DEPTH + parameters.positions.len() as u32 - 1;
    let mut sections = Vec::new();
    for part in Part::ALL {
        let table = if part == Part::Placing { "2.9" } else { "2.10" };
        sections.push(part_section(conduct, &grid, part, table, deepest));
    }
    let (tournament, scores) = tournament(conduct, &parameters)?;
    sections.push(tournament);
    Ok(Outcome { findings: findings(&grid, deepest, &scores), sections })
}

fn search(conduct: &mut Conduct, parameters: &Parameters) -> Result<Grid, StudyError> {
    let seed = conduct.seed().derive("positions", 0).0;
    let mut cells = Vec::new();
    let mut groups = Vec::new();
    for part in Part::ALL {
        for (technique, techniques) in TECHNIQUES {
            let counts =
                if techniques.full_width { &parameters.positions_minimax } else { &parameters.positions };
            for (depth, &count) in (FIRST_DEPTH..).zip(counts).filter(|(_, count)| **count > 0) {
                let per_cell = (count / 50).clamp(1, 40);
                let first = cells.len();
                for number in 0..count.div_ceil(per_cell) {
                    let first = number * per_cell;
                    let work = Searches {
                        part,
                        technique: technique.into(),
                        depth,
                        first,
                        count: per_cell.min(count - first),
                        seed,
                    };
                    let name = format!("{} {technique} depth {depth} from {first}", part.name());
                    cells.push(Cell { name, work: Work::Searches(work) });
                }
                groups.push((part, technique, depth, first..cells.len()));
            }
        }
    }
    let names: Vec<String> = cells.iter().map(|cell| cell.name.clone()).collect();
    let searched: Vec<Searched> = conduct.cells("searches", cells)?;
    let row = |(part, technique, depth, range): (Part, &'static str, u32, std::ops::Range<usize>)| {
        let mut sum = Searched::default();
        for searched in &searched[range.clone()] {
            sum =
                Searched { positions: sum.positions + searched.positions, nodes: sum.nodes + searched.nodes };
        }
        let seconds = conduct.seconds(names[range].iter().map(String::as_str));
        (part, technique, depth, sum, seconds)
    };
    Ok(Grid { rows: groups.into_iter().map(row).collect() })
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

fn part_section(conduct: &Conduct, grid: &Grid, part: Part, number: &str, deepest: u32) -> Section {
    let published = conduct.published(number);
    let depths: Vec<u32> = (FIRST_DEPTH..=deepest).collect();
    let mut columns = vec![Column::label("technique")];
    columns.extend(depths.iter().map(|depth| Column::ours(&format!("depth {depth}"))));
    let slug = part.name();
    let mut nodes = Table::new(&format!("nodes-{slug}"), "Mean nodes of a search", columns.clone());
    let mut times = Table::new(
        &format!("times-{slug}"),
        &format!("Mean milliseconds of a search, ours and S2's (table {number})"),
        columns
            .into_iter()
            .chain(depths.iter().map(|depth| Column::published(&format!("depth {depth}"))))
            .collect(),
    )
    .timed();
    for (technique, _) in TECHNIQUES {
        let printed = PRINTED.iter().find(|(ours, _)| *ours == technique).map(|(_, theirs)| *theirs);
        let name = || Entry::text(technique);
        let ours = |of: &dyn Fn(u32) -> Option<f64>, digits| -> Vec<Entry> {
            depths.iter().map(|&depth| Entry::maybe(of(depth), digits)).collect()
        };
        let mut row = vec![name()];
        row.extend(ours(&|depth| grid.nodes(part, technique, depth), 0));
        nodes.push(row);
        let mut row = vec![name()];
        row.extend(ours(&|depth| grid.milliseconds(part, technique, depth), 3));
        row.extend(depths.iter().map(|depth| {
            printed.map_or(Entry::Empty, |printed| published.entry(printed, &depth.to_string(), 2))
        }));
        times.push(row);
    }
    let line = |of: &dyn Fn(u32) -> Option<f64>| -> Vec<(f64, f64)> {
        depths.iter().filter_map(|&depth| Some((f64::from(depth), of(depth)?))).collect()
    };
    let series = |of: &dyn Fn(&str, u32) -> Option<f64>| -> Vec<Series> {
        TECHNIQUES.iter().map(|(name, _)| Series::ours(*name, line(&|depth| of(name, depth)))).collect()
    };
    let depth = || Axis::even("depth");
    let nodes_chart = Chart::lines(
        &format!("nodes-by-depth-{slug}"),
        &format!("Nodes by depth, {slug} (as S2's figure 2.11, in nodes)"),
        depth(),
        Axis::logarithmic("nodes of a search"),
        series(&|technique, depth| grid.nodes(part, technique, depth)),
    );
    let times_chart = Chart::lines(
        &format!("times-by-depth-{slug}"),
        &format!("Milliseconds by depth, {slug} (S2's figure 2.11)"),
        depth(),
        Axis::logarithmic("milliseconds of a search"),
        series(&|technique, depth| grid.milliseconds(part, technique, depth)),
    )
    .timed();
    let aspiration = if part == Part::Placing { "2.1" } else { "2.2" };
    let mut blocks: Vec<Block> = vec![nodes.into(), nodes_chart.into(), times.into(), times_chart.into()];
    blocks.push(conduct.published(aspiration).as_table(&format!("published-{aspiration}")).into());
    Section::new(&format!("Positions of the {slug} phase (tables 2.1 to 2.10)"), blocks)
}

fn tournament(conduct: &mut Conduct, parameters: &Parameters) -> Result<(Section, Scores), StudyError> {
    let Parameters { games, nodes, plies, .. } = *parameters;
    let player = |rung: &str| format!("minimax:rung={rung},eval=standard,radius=0.05,nodes={nodes}");
    let pairs: Vec<(usize, usize)> = (0..5).flat_map(|a| (a + 1..5).map(move |b| (a, b))).collect();
    let matches: Vec<_> = pairs
        .iter()
        .map(|&(a, b)| {
            let name = format!("{} against {}", PROGRAMS[a].0, PROGRAMS[b].0);
            contest(name, &player(PROGRAMS[a].1), &player(PROGRAMS[b].1), games, plies)
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
    columns.extend(PROGRAMS.map(|(name, _)| Column::ours(&format!("against {name}"))));
    columns.push(Column::ours("wins"));
    columns.extend(PROGRAMS.map(|(name, _)| Column::published(&format!("against {name}"))));
    columns.push(Column::published("wins"));
    let caption = format!(
        "Games won: {games} of each two at {nodes} nodes a move; S2's 1000 at five seconds (table 2.11)"
    );
    let mut table = Table::new("tournament", &caption, columns);
    for (a, (name, _)) in PROGRAMS.iter().enumerate() {
        let mut row = vec![Entry::text(*name)];
        row.extend((0..5).map(|b| wins(a, b).map_or(Entry::Empty, Entry::count)));
        row.push(Entry::count((0..5).filter_map(|b| wins(a, b)).sum()));
        row.extend(PROGRAMS.map(|(column, _)| published.entry(name, column, 0)));
        row.push(published.entry(name, "wins", 0));
        table.push(row);
    }
    let text = "Ours are limited by nodes instead of time, so that the games can be played again; a node costs the five \
                programs about the same.";
    Ok((Section::new("In play (table 2.11)", vec![text.into(), table.into()]), scores))
}

fn findings(grid: &Grid, deepest: u32, scores: &Scores) -> Vec<Finding> {
    let share = |part: Part, technique: &str| {
        let base = grid.nodes(part, "iterative deepening", deepest)?;
        Some(grid.nodes(part, technique, deepest)? / base)
    };
    let both = |technique: &str| Part::ALL.map(|part| share(part, technique).unwrap_or(f64::NAN));
    let words = |shares: [f64; 2]| format!("{:.2} (placing) and {:.2} (moving)", shares[0], shares[1]);
    let aspiration = ["aspiration 0.05", "aspiration 0.1", "aspiration 0.2"].map(|name| (name, both(name)));
    let helped = aspiration.iter().flat_map(|(_, shares)| shares).filter(|share| **share < 0.9).count();
    let evidence: Vec<String> =
        aspiration.iter().map(|(name, shares)| format!("{name} {}", words(*shares))).collect();
    let mut all = vec![Finding::new(
        "An aspiration window gains nothing.",
        match helped {
            0 => Verdict::Confirmed,
            6 => Verdict::Refuted,
            _ => Verdict::Open,
        },
        format!("Nodes at depth {deepest} as a share of iterative deepening alone: {}.", evidence.join("; ")),
    )];
    let gains =
        ["minimal window", "table", "mills first", "all of them (2.43)"].map(|name| (name, both(name)));
    let each = gains.iter().all(|(_, shares)| shares.iter().all(|share| *share < 0.8));
    let evidence: Vec<String> =
        gains.iter().map(|(name, shares)| format!("{name} {}", words(*shares))).collect();
    all.push(Finding::new(
        "Minimal window, table and mills first each gain much, and all together most.",
        Verdict::of(each),
        format!("Nodes at depth {deepest} as a share of iterative deepening alone: {}.", evidence.join("; ")),
    ));
    let mut lead = Vec::new();
    for a in 0..4 {
        if let Some(score) = &scores[a][a + 1] {
            let tally = score.all().reversed();
            lead.push((format!("{} against {}", PROGRAMS[a + 1].0, PROGRAMS[a].0), tally));
        }
    }
    let evidence: Vec<String> = lead.iter().map(|(name, tally)| format!("{name} {}", shown(tally))).collect();
    all.push(Finding::new(
        "The faster the search, the stronger the play.",
        all_of(lead.iter().map(|(_, tally)| above_half(tally))),
        format!("{}.", evidence.join("; ")),
    ));
    all
}
