//! The index of reports: one page with all conclusions at a glance, and a list for the app.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde::Serialize;
use trilith_base::markup::escape;

use crate::error::StudyError;
use crate::file::Scale;
use crate::list::studies;
use crate::protocol::changed_since;
use crate::render::{badge, duration, head, load, measured, would_decide, write};
use crate::report::{Finding, Report, Verdict, VerdictTest};

/// A report as the app lists it.
#[derive(Clone, Debug, Serialize)]
pub struct IndexEntry {
    study: String,
    title: String,
    source: String,
    about: String,
    scale: String,
    seconds: f64,
    threads: usize,
    published_time: String,
    confirmed: usize,
    refuted: usize,
    open: usize,
    /// What is older than the program, with a comma before it: the study's file has changed since, or the code that judges.
    #[serde(skip)]
    earlier: &'static str,
    /// Beside the index.
    page: String,
    #[serde(skip)]
    report: Report,
}

impl IndexEntry {
    /// The report whose page is `STEM.html`.
    pub fn new(stem: &str, report: Report) -> IndexEntry {
        let count = |verdict| report.findings.iter().filter(|finding| finding.verdict == verdict).count();
        IndexEntry {
            confirmed: count(Verdict::Confirmed),
            refuted: count(Verdict::Refuted),
            open: count(Verdict::Open),
            study: report.study.clone(),
            title: report.title.clone(),
            source: report.source.clone(),
            about: report.about.clone(),
            scale: report.scale.clone(),
            seconds: report.effort.seconds,
            threads: report.effort.threads,
            published_time: report.effort.published.clone(),
            earlier: match () {
                () if !changed_since(&report).is_empty() => ", earlier parameters",
                () if report.is_judged_earlier() => ", earlier verdicts",
                () => "",
            },
            page: format!("{stem}.html"),
            report,
        }
    }

    /// In the order of the spec, the largest scale first, usual parameters before others.
    fn place(&self) -> (usize, usize, bool, &str) {
        let study = studies().iter().position(|study| study.name == self.study).unwrap_or(usize::MAX);
        let scale =
            Scale::ALL.iter().rev().position(|scale| scale.name() == self.scale).unwrap_or(usize::MAX);
        (study, scale, !self.report.changes.is_empty(), &self.page)
    }
}

/// Brings a list into the order of [`index_page`].
pub fn sort_index(entries: &mut [IndexEntry]) {
    entries.sort_by(|a, b| a.place().cmp(&b.place()));
}

/// Writes `index.html` over all reports that lie in `folder` as JSON; how many there are.
pub fn write_index(folder: &Path) -> Result<usize, StudyError> {
    let mut entries = Vec::new();
    let files = fs::read_dir(folder).map_err(|source| StudyError::file(folder, source))?;
    for path in files.filter_map(|entry| Some(entry.ok()?.path())) {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let is_report = path.extension().is_some_and(|extension| extension == "json");
        // A JSON file that is no report is somebody else's.
        if let (true, Ok(report)) = (is_report, load(&path)) {
            entries.push(IndexEntry::new(&stem, report));
        }
    }
    sort_index(&mut entries);
    write(&folder.join("index.html"), index_page(&entries).as_bytes())?;
    Ok(entries.len())
}

/// All conclusions of the five works, then all reports; entries as [`sort_index`] leaves them.
pub fn index_page(entries: &[IndexEntry]) -> String {
    let mut html = head("The published studies, re-run");
    html.push_str(
        "<h1>The published studies, re-run</h1>\n<p>Five published systems (S1 to S5), each study run again with one \
         command. A verdict is decided by a 95% interval: confirmed if it excludes the alternative, refuted if it excludes \
         the conclusion, else open. A star marks a verdict of an earlier rule without an interval.</p>\n",
    );
    conclusions(entries, &mut html);
    table(entries, &mut html);
    html.push_str("</body>\n</html>\n");
    html
}

/// The label of each work, and what guides call it.
const WORKS: [(&str, &str); 5] = [
    ("S1", "Othilie"),
    ("S2", "Mühle"),
    ("S3", "Reversi (2025)"),
    ("S4", "Abalone TD"),
    ("S5", "LOGISTELLO"),
];

/// The conclusions of each study by its largest usual run.
fn conclusions(entries: &[IndexEntry], html: &mut String) {
    let mut usual: Vec<&IndexEntry> =
        entries.iter().filter(|entry| entry.report.changes.is_empty()).collect();
    usual.dedup_by(|next, kept| next.study == kept.study);
    for (label, name) in WORKS {
        let own = usual.iter().filter(|entry| entry.source.split(',').next() == Some(label));
        let own: Vec<&IndexEntry> = own.copied().collect();
        if own.is_empty() {
            continue;
        }
        let sum = |count: fn(&IndexEntry) -> usize| own.iter().map(|entry| count(entry)).sum::<usize>();
        let _ = writeln!(
            html,
            "<h2>{name} ({label}): {} confirmed, {} refuted, {} open</h2>\n<ul class=\"findings\">",
            sum(|entry| entry.confirmed),
            sum(|entry| entry.refuted),
            sum(|entry| entry.open)
        );
        own.iter().for_each(|entry| conclusions_of(entry, html));
        html.push_str("</ul>\n");
    }
}

fn conclusions_of(entry: &IndexEntry, html: &mut String) {
    let earlier = entry.earlier;
    for finding in &entry.report.findings {
        let (claim, strength) = (escape(&finding.claim), escape(&strength(finding)));
        let (page, study) = (&entry.page, escape(&entry.study));
        let _ = writeln!(
            html,
            "<li>{} {claim} <span>{strength}</span> <a href=\"{page}\">{study}, {}{earlier}</a></li>",
            badge(finding),
            entry.scale
        );
    }
}

/// How strong the evidence is: the number that the verdict rests on, with its interval.
fn strength(finding: &Finding) -> String {
    let decides = |test: &&VerdictTest| test.verdict == finding.verdict;
    let Some(test) = finding.tests.iter().find(decides) else { return String::new() };
    let others = match finding.tests.len() {
        1 => String::new(),
        count => format!(" (one of {count} numbers)"),
    };
    let decides = would_decide(test);
    let decides = if decides.is_empty() { decides } else { format!("; would decide: {decides}") };
    format!("{}, claim {}{others}{decides}.", measured(test), test.claim)
}

fn table(entries: &[IndexEntry], html: &mut String) {
    html.push_str(
        "<h2>All reports</h2>\n<div class=\"wide\"><table>\n<tr><th class=\"label\">study</th><th class=\"label\">what\
         </th><th class=\"label\">source</th><th>scale</th><th>took</th><th>threads</th><th>confirmed</th><th>refuted</th>\
         <th>open</th></tr>\n",
    );
    for entry in entries {
        let changed = if entry.report.changes.is_empty() { entry.earlier } else { ", other parameters" };
        let _ = writeln!(
            html,
            "<tr><td class=\"label\"><a href=\"{}\">{}</a></td><td class=\"label\">{}</td><td class=\"label\">{}</td>\
             <td>{}{changed}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            entry.page,
            escape(&entry.study),
            escape(&entry.title),
            escape(&entry.source),
            entry.scale,
            duration(entry.seconds),
            entry.threads,
            entry.confirmed,
            entry.refuted,
            entry.open
        );
    }
    html.push_str("</table></div>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reports at full that are still to be made again, with what their files say today and judged by today's code.
    const EARLIER: &[&str] = &[];

    #[test]
    fn reports_at_full_were_made_with_what_their_files_say_and_judged_by_todays_code() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies/reports");
        for study in studies() {
            let path = folder.join(format!("{}.full.json", study.name));
            if !path.exists() {
                continue;
            }
            let report = load(&path).unwrap();
            let (changed, is_judged_earlier) = (changed_since(&report), report.is_judged_earlier());
            let is_earlier = is_judged_earlier || !changed.is_empty();
            assert_eq!(
                EARLIER.contains(&study.name),
                is_earlier,
                "{}: judged earlier {is_judged_earlier}, {changed:?}",
                study.name
            );
        }
    }

    #[test]
    fn a_report_that_earlier_code_has_judged_says_so() {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies/reports/muehle-tablebase.full.json");
        let report = load(&path).unwrap();
        assert!(!report.is_judged_earlier());
        let changes: [fn(&mut Finding); 4] = [
            |finding| finding.tests.clear(),
            |finding| finding.published.clear(),
            |finding| finding.protocol.clear(),
            |finding| (finding.tests[0].low, finding.tests[0].high) = (0.0, 0.0),
        ];
        for change in changes {
            let mut report = report.clone();
            change(&mut report.findings[1]);
            assert!(report.is_judged_earlier());
            let page = index_page(&[IndexEntry::new("muehle-tablebase.full", report)]);
            assert!(page.contains(", earlier verdicts"));
        }
    }

    #[test]
    fn earlier_parameters_are_told_beside_each_conclusion() {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies/reports/muehle-tablebase.full.json");
        let mut report = load(&path).unwrap();
        let page = |report: &Report| index_page(&[IndexEntry::new("muehle-tablebase.full", report.clone())]);
        assert!(!page(&report).contains("earlier parameters"));
        report.parameters = report.parameters.replacen("games", "matches", 1);
        assert_eq!(page(&report).matches(", earlier parameters").count(), report.findings.len() + 1);
    }

    #[test]
    fn each_conclusion_has_the_number_it_rests_on() {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies/reports/muehle-tablebase.full.json");
        let page = index_page(&[IndexEntry::new("muehle-tablebase.full", load(&path).unwrap())]);
        assert!(page.contains("<h2>Mühle (S2): 1 confirmed, 1 refuted, 0 open</h2>"), "{page}");
        assert!(
            page.contains("won with tables, %: 67.27, 95% interval 66.10 to 68.44, claim above 50"),
            "{page}"
        );
        assert!(page.contains("rows of table 3.1 that are the same: 6 (counted in full)"), "{page}");
    }
}
