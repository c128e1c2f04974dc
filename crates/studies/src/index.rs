//! The index of reports: one page with all conclusions at a glance, and a list for the app.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde::Serialize;
use trilith_base::markup::escape;

use crate::error::StudyError;
use crate::file::Scale;
use crate::list::studies;
use crate::render::{badge, duration, head, load, write};
use crate::report::{Report, Verdict};

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

/// The conclusions of each study by its largest usual run.
fn conclusions(entries: &[IndexEntry], html: &mut String) {
    let mut work = "";
    let mut shown: Vec<&str> = Vec::new();
    for entry in entries.iter().filter(|entry| entry.report.changes.is_empty()) {
        if shown.contains(&entry.study.as_str()) {
            continue;
        }
        shown.push(&entry.study);
        let own = entry.source.split(',').next().unwrap_or_default();
        if own != work {
            let end = if work.is_empty() { "" } else { "</ul>\n" };
            let _ = writeln!(html, "{end}<h2>{}</h2>\n<ul class=\"findings\">", escape(own));
            work = own;
        }
        for finding in &entry.report.findings {
            let claim = escape(&finding.claim);
            let (page, study) = (&entry.page, escape(&entry.study));
            let _ = writeln!(
                html,
                "<li>{} {claim} <a href=\"{page}\">{study}, {}</a></li>",
                badge(finding),
                entry.scale
            );
        }
    }
    if !work.is_empty() {
        html.push_str("</ul>\n");
    }
}

fn table(entries: &[IndexEntry], html: &mut String) {
    html.push_str(
        "<h2>All reports</h2>\n<div class=\"wide\"><table>\n<tr><th class=\"label\">study</th><th class=\"label\">what\
         </th><th class=\"label\">source</th><th>scale</th><th>took</th><th>threads</th><th>confirmed</th><th>refuted</th>\
         <th>open</th></tr>\n",
    );
    for entry in entries {
        let changed = if entry.report.changes.is_empty() { "" } else { ", other parameters" };
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
