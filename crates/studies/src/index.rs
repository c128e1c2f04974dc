//! The index of reports: a page for people and a list for the app.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde::Serialize;
use trilith_base::files;
use trilith_base::markup::escape;

use crate::error::StudyError;
use crate::list::studies;
use crate::plan::Scale;
use crate::render::{duration, head};
use crate::report::{Report, Verdict};

/// A report as the app lists it.
#[derive(Serialize)]
struct Item {
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
    numbers: String,
}

/// Writes `index.html` and `index.json` over all reports that lie in `folder`.
pub fn write_index(folder: &Path) -> Result<usize, StudyError> {
    let mut items = Vec::new();
    for study in studies() {
        for scale in Scale::ALL {
            let stem = study.stem(scale);
            let path = folder.join(format!("{stem}.json"));
            if let Ok(bytes) = fs::read(&path) {
                let report: Report = serde_json::from_slice(&bytes)
                    .map_err(|error| StudyError::Procedure(format!("{}: {error}", path.display())))?;
                items.push(item(report, &stem));
            }
        }
    }
    let write = |name: &str, text: String| {
        let path = folder.join(name);
        files::write_whole(&path, text.as_bytes()).map_err(|source| StudyError::file(&path, source))
    };
    write("index.json", serde_json::to_string_pretty(&items).expect("items are plain data") + "\n")?;
    write("index.html", page(&items))?;
    Ok(items.len())
}

fn item(report: Report, stem: &str) -> Item {
    let count = |verdict| report.findings.iter().filter(|finding| finding.verdict == verdict).count();
    Item {
        confirmed: count(Verdict::Confirmed),
        refuted: count(Verdict::Refuted),
        open: count(Verdict::Open),
        study: report.study,
        title: report.title,
        source: report.source,
        about: report.about,
        scale: report.scale,
        seconds: report.effort.seconds,
        threads: report.effort.threads,
        published_time: report.effort.published,
        page: format!("{stem}.html"),
        numbers: format!("{stem}.json"),
    }
}

fn page(items: &[Item]) -> String {
    let mut html = head("The published studies, re-run");
    html.push_str(
        "<h1>The published studies, re-run</h1>\n<p>Five published systems (S1 to S5), each study run again with one \
         command, the published figures beside ours.</p>\n<div class=\"wide\"><table>\n<tr><th class=\"label\">study</th>\
         <th class=\"label\">what</th><th class=\"label\">source</th><th>scale</th><th>took</th><th>threads</th>\
         <th>confirmed</th><th>refuted</th><th>open</th></tr>\n",
    );
    for item in items {
        let _ = writeln!(
            html,
            "<tr><td class=\"label\"><a href=\"{}\">{}</a></td><td class=\"label\">{}</td><td class=\"label\">{}</td>\
             <td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            item.page,
            escape(&item.study),
            escape(&item.title),
            escape(&item.source),
            item.scale,
            duration(item.seconds),
            item.threads,
            item.confirmed,
            item.refuted,
            item.open
        );
    }
    html.push_str("</table></div>\n</body>\n</html>\n");
    html
}
