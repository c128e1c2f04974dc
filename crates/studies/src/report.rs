//! What a study has shown, as plain data: findings, and sections of texts, tables and charts.

mod chart;

use serde::{Deserialize, Deserializer, Serialize};

pub use chart::{Axis, Chart, ChartKind, Series};

/// All that a report says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The study's name.
    pub study: String,
    /// For people.
    pub title: String,
    /// Which seed and which part of it.
    pub source: String,
    /// What was asked.
    pub about: String,
    /// `smoke`, `quick` or `full`.
    pub scale: String,
    /// Where all draws came from.
    pub seed: u64,
    /// The parameters of the scale as in the study's file.
    pub parameters: String,
    /// Parameters that differ from those of the study's file, in words; none in a usual run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// How long it took.
    pub effort: RunningTime,
    /// The conclusions of the source, and what ours say about them.
    pub findings: Vec<Finding>,
    /// In the order of the source.
    pub sections: Vec<Section>,
}

impl Report {
    /// Whether the code that judged it was older than today's: a verdict without a number that it rests on, without the
    /// published figure or without what differs in protocol, or an interval that does not hold its own number.
    pub fn is_judged_earlier(&self) -> bool {
        let is_whole = |finding: &Finding| {
            let is_told = !finding.published.is_empty() && !finding.protocol.is_empty();
            is_told && (matches!(finding.verdict, Verdict::Open | Verdict::None) || !finding.tests.is_empty())
        };
        let mut tests = self.findings.iter().flat_map(|finding| &finding.tests);
        !self.findings.iter().all(is_whole) || !tests.all(|test| (test.low..=test.high).contains(&test.value))
    }
}

/// How long it took, theirs and ours.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunningTime {
    /// From the beginning to the end, pauses left out.
    pub seconds: f64,
    /// The same summed over the threads that worked.
    pub thread_seconds: f64,
    /// How many worked beside each other, at most.
    pub threads: usize,
    /// Cells done.
    pub cells: usize,
    /// What the source says.
    pub published: String,
}

/// What our numbers say about a conclusion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The interval excludes the alternative.
    Confirmed,
    /// The interval excludes the conclusion.
    Refuted,
    /// It excludes neither.
    Open,
    /// Nothing was decided: the smallest scale only shows that everything works.
    None,
}

impl Verdict {
    /// Confirmed or refuted: for what is counted without chance.
    pub fn of(holds: bool) -> Verdict {
        if holds { Verdict::Confirmed } else { Verdict::Refuted }
    }

    /// As printed.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Confirmed => "confirmed",
            Verdict::Refuted => "refuted",
            Verdict::Open => "open",
            Verdict::None => "none",
        }
    }
}

/// One number that a verdict rests on: its interval against a stated alternative.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VerdictTest {
    /// What is measured.
    pub quantity: String,
    /// What we found.
    pub value: f64,
    /// The lower end of the interval; without one, as of a single run, minus infinity, which is `null` in JSON.
    #[serde(deserialize_with = "low_end")]
    pub low: f64,
    /// The upper end.
    #[serde(deserialize_with = "high_end")]
    pub high: f64,
    /// The interval's level, such as 0.95; 1 for what was counted in full.
    pub level: f64,
    /// What the conclusion says about it.
    pub claim: String,
    /// What would be the case if the conclusion were wrong.
    pub alternative: String,
    /// Confirmed if the interval excludes the alternative, refuted if it excludes the claim, else open.
    pub verdict: Verdict,
    /// How much would probably decide, where it is open: a number and what is counted, such as 4000 games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needed: Option<(u64, String)>,
}

impl VerdictTest {
    /// Whether the number has an interval. That of one run has none; reports of before 19 November 2026 say a thousand
    /// million, or an interval without the number.
    pub fn has_interval(&self) -> bool {
        let VerdictTest { value, low, high, .. } = self;
        low.abs() < 1e9 && high.abs() < 1e9 && (low..=high).contains(&value)
    }
}

fn low_end<'de, D: Deserializer<'de>>(json: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(json)?.unwrap_or(f64::NEG_INFINITY))
}

fn high_end<'de, D: Deserializer<'de>>(json: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(json)?.unwrap_or(f64::INFINITY))
}

/// A conclusion of the source beside our numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// In a sentence that names what was played.
    pub claim: String,
    /// What ours say.
    pub verdict: Verdict,
    /// The numbers.
    pub evidence: String,
    /// The figure in the source.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub published: String,
    /// What the verdict rests on; all must hold. None in reports of before 2026-11-16, whose verdicts had other rules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<VerdictTest>,
    /// What our protocol does otherwise than the source's.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub protocol: String,
}

impl Finding {
    /// A conclusion and the tests it must pass, all of them: one that fails refutes it.
    pub fn tested(claim: impl Into<String>, tests: Vec<VerdictTest>, evidence: impl Into<String>) -> Finding {
        let verdict = tests.iter().fold(Verdict::Confirmed, |all, test| match (all, test.verdict) {
            (Verdict::Refuted, _) | (_, Verdict::Refuted) => Verdict::Refuted,
            (Verdict::Confirmed, Verdict::Confirmed) => Verdict::Confirmed,
            _ => Verdict::Open,
        });
        let verdict = if tests.is_empty() { Verdict::Open } else { verdict };
        let (published, protocol) = (String::new(), String::new());
        Finding { claim: claim.into(), verdict, evidence: evidence.into(), published, tests, protocol }
    }

    /// The same with the figure in the source.
    pub fn published(mut self, figure: impl Into<String>) -> Finding {
        self.published = figure.into();
        self
    }

    /// The same with what our protocol does otherwise.
    pub fn differs(mut self, protocol: impl Into<String>) -> Finding {
        self.protocol = protocol.into();
        self
    }

    /// The same without a verdict.
    pub(crate) fn unjudged(mut self) -> Finding {
        self.verdict = Verdict::None;
        self.tests.iter_mut().for_each(|test| {
            (test.verdict, test.needed) = (Verdict::None, None);
        });
        self
    }
}

/// A part of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// Above it.
    pub title: String,
    /// One below the other.
    pub blocks: Vec<Block>,
}

impl Section {
    /// A section with these blocks.
    pub fn new(title: &str, blocks: Vec<Block>) -> Section {
        Section { title: title.into(), blocks }
    }
}

/// What stands in a section.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Block {
    /// A paragraph.
    Text(String),
    /// Numbers in rows.
    Table(ReportTable),
    /// Numbers as a picture.
    Chart(Chart),
}

impl From<&str> for Block {
    fn from(text: &str) -> Block {
        Block::Text(text.into())
    }
}

impl From<String> for Block {
    fn from(text: String) -> Block {
        Block::Text(text)
    }
}

impl From<ReportTable> for Block {
    fn from(table: ReportTable) -> Block {
        Block::Table(table)
    }
}

impl From<Chart> for Block {
    fn from(chart: Chart) -> Block {
        Block::Chart(chart)
    }
}

/// Where the numbers of a column come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Names the rows.
    Label,
    /// Measured here.
    Ours,
    /// As printed in the source.
    Published,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Above it.
    pub title: String,
    /// Whose numbers.
    pub origin: Origin,
}

impl Column {
    /// One that names the rows.
    pub fn label(title: &str) -> Column {
        Column { title: title.into(), origin: Origin::Label }
    }

    /// One of ours.
    pub fn ours(title: &str) -> Column {
        Column { title: title.into(), origin: Origin::Ours }
    }

    /// One of theirs.
    pub fn published(title: &str) -> Column {
        Column { title: title.into(), origin: Origin::Published }
    }
}

/// What stands in a cell of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Entry {
    /// Nothing.
    Empty,
    /// A number and how many digits after the point are shown.
    Number(f64, usize),
    /// Words.
    Text(String),
}

impl Entry {
    /// Words.
    pub fn text(text: impl Into<String>) -> Entry {
        let text = text.into();
        if text.is_empty() { Entry::Empty } else { Entry::Text(text) }
    }

    /// A number with so many digits after the point; nothing if it is not finite.
    pub fn number(number: f64, digits: usize) -> Entry {
        if number.is_finite() { Entry::Number(number, digits) } else { Entry::Empty }
    }

    /// A number if there is one.
    pub fn maybe(number: Option<f64>, digits: usize) -> Entry {
        number.map_or(Entry::Empty, |number| Entry::number(number, digits))
    }

    /// A count.
    pub fn count(number: u64) -> Entry {
        Entry::Number(number as f64, 0)
    }

    /// A share of one as a percentage with one digit.
    pub fn percent(share: f64) -> Entry {
        Entry::number(100.0 * share, 1)
    }
}

impl std::fmt::Display for Entry {
    /// As in a file of comma-separated values, without quotes.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Entry::Empty => Ok(()),
            Entry::Number(number, digits) => write!(f, "{number:.digits$}"),
            Entry::Text(text) => f.write_str(text),
        }
    }
}

/// Numbers in rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReportTable {
    /// Of its file of comma-separated values; no other table or chart of the report has it.
    pub name: String,
    /// Above it.
    pub caption: String,
    /// Titles and origins.
    pub columns: Vec<Column>,
    /// As many entries as columns in each.
    pub rows: Vec<Vec<Entry>>,
    /// Whether it shows times, which differ from run to run.
    pub is_timed: bool,
}

impl ReportTable {
    /// A table without rows.
    pub fn new(name: &str, caption: &str, columns: Vec<Column>) -> ReportTable {
        ReportTable { name: name.into(), caption: caption.into(), columns, rows: Vec::new(), is_timed: false }
    }

    /// The same table, which shows times.
    pub fn timed(mut self) -> ReportTable {
        self.is_timed = true;
        self
    }

    /// Adds a row.
    pub fn push(&mut self, row: Vec<Entry>) {
        debug_assert_eq!(row.len(), self.columns.len(), "{}", self.name);
        self.rows.push(row);
    }
}

#[cfg(test)]
mod tests {
    use crate::statistics::Estimate;

    use super::*;

    #[test]
    fn an_interval_without_ends_comes_back_from_json() {
        let test = Estimate::mean("won, %", &[49.75]).above(50.0);
        let json = serde_json::to_string(&test).unwrap();
        assert!(json.contains("\"low\":null,\"high\":null"), "{json}");
        assert_eq!(serde_json::from_str::<VerdictTest>(&json).unwrap(), test);
        assert!(!test.has_interval());
        let earlier = [(-1e9, 1e9), (0.0, 0.0)];
        assert!(earlier.iter().all(|&(low, high)| !VerdictTest { low, high, ..test.clone() }.has_interval()));
        assert!(VerdictTest { low: 49.0, high: 51.0, ..test }.has_interval());
    }
}
