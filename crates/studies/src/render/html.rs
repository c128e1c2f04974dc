//! A report as one page: no script, no other file needed.

use std::fmt::Write;

use trilith_base::markup::escape;

use super::svg::picture;
use crate::report::{Block, Entry, Finding, Origin, Report, Table};

/// The whole page; `stem` is what the files of numbers beside it are called.
pub fn page(report: &Report, stem: &str) -> String {
    let mut html = head(&report.title);
    let _ = writeln!(
        html,
        "<p class=\"source\">{} &middot; {} &middot; scale {} &middot; seed {}</p>\n<h1>{}</h1>\n<p>{}</p>",
        escape(&report.study),
        escape(&report.source),
        report.scale,
        report.seed,
        escape(&report.title),
        escape(&report.about)
    );
    effort(report, &mut html);
    findings(&report.findings, &mut html);
    for section in &report.sections {
        let _ = writeln!(html, "<h2>{}</h2>", escape(&section.title));
        for block in &section.blocks {
            match block {
                Block::Text(text) => {
                    let _ = writeln!(html, "<p>{}</p>", escape(text));
                }
                Block::Table(it) => table(it, stem, &mut html),
                Block::Chart(chart) => {
                    let link = link(stem, &chart.name, chart.is_timed);
                    let _ = writeln!(
                        html,
                        "<figure><figcaption>{} {link}</figcaption>\n{}</figure>",
                        escape(&chart.caption),
                        picture(chart)
                    );
                }
            }
        }
    }
    let _ = writeln!(
        html,
        "<h2>Parameters</h2>\n<pre>{}</pre>\n<p>All numbers: <a href=\"{stem}.json\">{stem}.json</a>.</p>\n</body>\n</html>",
        escape(&report.parameters)
    );
    html
}

/// The beginning of every page.
pub(crate) fn head(title: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n",
        escape(title)
    )
}

fn effort(report: &Report, html: &mut String) {
    let effort = &report.effort;
    let _ = writeln!(
        html,
        "<p class=\"effort\">Ours took {} on {} thread{}; its parts add up to {} ({} cells). Published: {}</p>",
        duration(effort.seconds),
        effort.threads,
        if effort.threads == 1 { "" } else { "s" },
        duration(effort.thread_seconds),
        effort.cells,
        escape(&effort.published)
    );
}

/// Seconds in the words of people.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => format!("{:.0} ms", 1000.0 * s),
        s if s < 120.0 => format!("{s:.1} s"),
        s if s < 7200.0 => format!("{:.1} minutes", s / 60.0),
        s => format!("{:.1} hours", s / 3600.0),
    }
}

fn findings(findings: &[Finding], html: &mut String) {
    if findings.is_empty() {
        return;
    }
    html.push_str("<h2>What it says about the published conclusions</h2>\n<ul class=\"findings\">\n");
    for Finding { claim, verdict, evidence } in findings {
        let (name, claim, evidence) = (verdict.name(), escape(claim), escape(evidence));
        let _ = writeln!(html, "<li><b class=\"{name}\">{name}</b> {claim} <span>{evidence}</span></li>");
    }
    html.push_str("</ul>\n");
}

fn link(stem: &str, name: &str, is_timed: bool) -> String {
    let times = if is_timed { "times/" } else { "" };
    format!("<a href=\"{stem}/{times}{name}.csv\">csv</a>")
}

fn table(table: &Table, stem: &str, html: &mut String) {
    let link = link(stem, &table.name, table.is_timed);
    let _ = writeln!(
        html,
        "<div class=\"wide\"><table>\n<caption>{} {link}</caption>\n<tr>",
        escape(&table.caption)
    );
    for column in &table.columns {
        let _ = write!(html, "<th class=\"{}\">{}</th>", class(column.origin), escape(&column.title));
    }
    html.push_str("</tr>\n");
    for row in &table.rows {
        html.push_str("<tr>");
        for (entry, column) in row.iter().zip(&table.columns) {
            let text = match entry {
                Entry::Number(number, 0) => thousands(*number),
                entry => escape(&entry.to_string()),
            };
            let _ = write!(html, "<td class=\"{}\">{text}</td>", class(column.origin));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</table></div>\n");
}

fn class(origin: Origin) -> &'static str {
    match origin {
        Origin::Label => "label",
        Origin::Ours => "ours",
        Origin::Published => "published",
    }
}

/// A whole number with commas.
fn thousands(number: f64) -> String {
    let digits = format!("{:.0}", number.abs());
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0.0 && text != "0" { format!("-{text}") } else { text }
}

const STYLE: &str = "body{font:15px/1.45 sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#222;\
background:#fff}h1{font-size:1.6rem;margin:.2rem 0}h2{font-size:1.15rem;margin-top:2rem;border-bottom:1px solid #ddd}\
.source,.effort{color:#555}.wide{overflow-x:auto}table{border-collapse:collapse;margin:1rem 0}caption{text-align:left;\
color:#444;padding-bottom:.3rem}th,td{padding:.2rem .6rem;text-align:right;border-bottom:1px solid #e4e4e4;\
font-variant-numeric:tabular-nums}th{vertical-align:bottom}.label{text-align:left}.published{background:#f3efe4;\
color:#6b4e16}figure{margin:1rem 0}figcaption{color:#444}svg{max-width:100%;height:auto}a{color:#1a5fa8}\
.findings{list-style:none;padding:0}.findings li{margin:.5rem 0}.findings b{display:inline-block;min-width:5.6rem;\
padding:0 .4rem;border-radius:.2rem;color:#fff;font-weight:normal;text-align:center}.findings span{color:#555}\
.confirmed{background:#2e7d32}.refuted{background:#b23b3b}.open{background:#777}pre{background:#f6f6f6;padding:.6rem;\
overflow-x:auto;font-size:13px}";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Column, Section, Verdict};

    #[test]
    fn pages_need_nothing_else_and_show_text_as_it_is() {
        let mut t = Table::new("t", "a < b", vec![Column::label("x"), Column::published("y")]);
        t.push(vec![Entry::text("<script>"), Entry::number(-1234567.0, 0)]);
        let report = Report {
            title: "T & U".into(),
            findings: vec![Finding::new("it holds", Verdict::of(true), "1 of 1")],
            sections: vec![Section::new("S", vec![t.into(), "words".into()])],
            ..Report::default()
        };
        let html = page(&report, "t.quick");
        assert!(html.contains("T &amp; U") && html.contains("&lt;script&gt;") && html.contains("-1,234,567"));
        assert!(!html.contains("<script") && !html.contains("src="));
        assert!(html.contains("class=\"confirmed\"") && html.contains("href=\"t.quick/t.csv\""));
    }

    #[test]
    fn durations_are_in_words() {
        let words = [0.02, 59.0, 600.0, 7200.0 * 9.0].map(duration);
        assert_eq!(words, ["20 ms", "59.0 s", "10.0 minutes", "18.0 hours"]);
    }
}
