//! A report as one page: no script, no other file needed.

use std::fmt::Write;

use trilith_base::markup::escape;

use super::colours::Colours;
use super::{paired, svg};
use crate::protocol::changed_since;
use crate::report::{
    Block, Chart, Entry, Finding, Origin, Report, ReportTable, Section, Verdict, VerdictTest,
};
use crate::statistics::NO_INTERVAL;

/// The whole page; `stem` is what the files of numbers beside it are called.
pub fn page(report: &Report, stem: &str) -> String {
    let mut html = head(&report.title);
    let _ = writeln!(
        html,
        "<p class=\"source\"><a href=\"index.html\">all studies</a> &middot; {} &middot; {} &middot; scale {} &middot; seed \
         {}</p>\n<h1>{}</h1>\n<p>{}</p>",
        escape(&report.study),
        escape(&report.source),
        report.scale,
        report.seed,
        escape(&report.title),
        escape(&report.about)
    );
    if !report.changes.is_empty() {
        let changes = escape(&report.changes.join("; "));
        let _ = writeln!(html, "<p class=\"changed\">Run with other parameters than usual: {changes}.</p>");
    }
    let earlier = changed_since(report);
    if !earlier.is_empty() {
        let earlier = escape(&earlier.join("; "));
        let _ =
            writeln!(html, "<p class=\"changed\">An earlier run; its file has changed since: {earlier}.</p>");
    }
    if report.is_judged_earlier() {
        html.push_str(
            "<p class=\"changed\">Judged by earlier code; run the study again for today's verdicts.</p>\n",
        );
    }
    effort(report, &mut html);
    findings(&report.findings, &mut html);
    sections(&report.sections, stem, &mut html);
    let _ = writeln!(
        html,
        "<h2>Parameters</h2>\n<pre>{}</pre>\n<p>All numbers: <a href=\"{stem}.json\">{stem}.json</a>.</p>\n</body>\n</html>",
        escape(&report.parameters)
    );
    html
}

/// All blocks in their order, below tables what puts published numbers beside ours.
fn sections(sections: &[Section], stem: &str, html: &mut String) {
    let beside: Vec<Vec<Vec<Chart>>> = sections
        .iter()
        .map(|section| (0..section.blocks.len()).map(|at| paired::below(&section.blocks, at)).collect())
        .collect();
    let own = sections.iter().flat_map(|section| &section.blocks).filter_map(|block| match block {
        Block::Chart(chart) => Some(chart),
        _ => None,
    });
    let colours = Colours::of(own.chain(beside.iter().flatten().flatten()));
    for (section, beside) in sections.iter().zip(&beside) {
        let _ = writeln!(html, "<h2>{}</h2>", escape(&section.title));
        for (block, beside) in section.blocks.iter().zip(beside) {
            match block {
                Block::Text(text) => {
                    let _ = writeln!(html, "<p>{}</p>", escape(text));
                }
                Block::Table(it) => table(it, stem, html),
                Block::Chart(it) => {
                    chart(it, &colours, &format!(" {}", link(stem, &it.name, it.is_timed)), html);
                }
            }
            // Their numbers are those of the table.
            beside.iter().for_each(|it| chart(it, &colours, "", html));
        }
    }
}

fn chart(chart: &Chart, colours: &Colours, link: &str, html: &mut String) {
    let (caption, picture) = (escape(&chart.caption), svg::coloured(chart, colours));
    let _ = writeln!(html, "<figure><figcaption>{caption}{link}</figcaption>\n{picture}</figure>");
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
    findings.iter().for_each(|it| finding(it, html));
    html.push_str("</ul>\n");
}

/// A verdict in its colour.
pub(crate) fn badge(finding: &Finding) -> String {
    let name = finding.verdict.name();
    let note = if is_starred(finding) { "*" } else { "" };
    format!("<b class=\"{name}\">{name}{note}</b>")
}

/// Whether a verdict follows an earlier rule, which had no interval; those also had no word on the protocol.
fn is_starred(finding: &Finding) -> bool {
    finding.tests.is_empty() && finding.protocol.is_empty() && finding.verdict != Verdict::None
}

/// A conclusion and its box: the published figure, ours with intervals and rules, what differs.
fn finding(finding: &Finding, html: &mut String) {
    let (claim, evidence) = (escape(&finding.claim), escape(&finding.evidence));
    let _ = writeln!(html, "<li>{} {claim} <span>{evidence}</span>\n<dl>", badge(finding));
    let mut row = |name: &str, text: &str| {
        if !text.is_empty() {
            let _ = writeln!(html, "<dt>{name}</dt><dd>{}</dd>", escape(text));
        }
    };
    row("published", &finding.published);
    for test in &finding.tests {
        row("ours", &measured(test));
        row("rule", &rule(test));
        row("would decide", &would_decide(test));
    }
    if finding.tests.is_empty() && finding.verdict == Verdict::Open {
        let why =
            if is_starred(finding) { "the earlier rule had no interval" } else { "nothing was measured" };
        row("would decide", &format!("unknown: {why}"));
    }
    if is_starred(finding) {
        row("rule", "an earlier one without an interval; run the study again for one");
    }
    row("protocol", &finding.protocol);
    html.push_str("</dl></li>\n");
}

/// A number with its interval.
pub(crate) fn measured(test: &VerdictTest) -> String {
    let VerdictTest { quantity, value, low, high, level, .. } = test;
    let is_whole = *level >= 1.0 && value.fract() == 0.0;
    let value = if is_whole { thousands(*value) } else { short(*value) };
    match () {
        () if *level >= 1.0 => format!("{quantity}: {value} (counted in full)"),
        () if !test.has_interval() => format!("{quantity}: {value} ({NO_INTERVAL})"),
        () => {
            let (low, high) = (short(*low), short(*high));
            format!("{quantity}: {value}, {:.0}% interval {low} to {high}", 100.0 * level)
        }
    }
}

/// How much would decide what is open, or why nobody can say; nothing for what is decided.
pub(crate) fn would_decide(test: &VerdictTest) -> String {
    match &test.needed {
        _ if test.verdict != Verdict::Open => String::new(),
        Some((count, what)) => format!("about {} {what}", thousands(*count as f64)),
        None if !test.has_interval() => {
            "unknown: a single run has no interval; several would give one".into()
        }
        None => "unknown: the number lies on the bound, or so near that no amount of games would do".into(),
    }
}

fn rule(test: &VerdictTest) -> String {
    let VerdictTest { claim, alternative, verdict, .. } = test;
    let name = match verdict {
        Verdict::None => "no verdict at this scale",
        verdict => verdict.name(),
    };
    format!("claim {claim}, alternative {alternative}: {name}")
}

/// Four digits that say something.
fn short(number: f64) -> String {
    let digits = match number.abs() {
        size if size >= 1000.0 => return thousands(number),
        size if size >= 100.0 => 1,
        size if size >= 10.0 => 2,
        _ => 3,
    };
    format!("{number:.digits$}")
}

fn link(stem: &str, name: &str, is_timed: bool) -> String {
    let times = if is_timed { "times/" } else { "" };
    format!("<a href=\"{stem}/{times}{name}.csv\">csv</a>")
}

fn table(table: &ReportTable, stem: &str, html: &mut String) {
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
pub(crate) fn thousands(number: f64) -> String {
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

/// Light, or dark where the reader's machine is.
const STYLE: &str = ":root{color-scheme:light dark;--text:#222;--soft:#555;--page:#fff;--line:#ddd;--theirs:#f3efe4;\
--theirs-text:#6b4e16;--code:#f6f6f6;--link:#1a5fa8}@media(prefers-color-scheme:dark){:root{--text:#ddd;--soft:#aaa;\
--page:#1b1d1f;--line:#3a3d40;--theirs:#332d1f;--theirs-text:#e0c48a;--code:#26292c;--link:#7db7ee}\
svg{background:#f4f4f2;border-radius:.3rem}}\
body{font:15px/1.45 sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:var(--text);\
background:var(--page)}h1{font-size:1.6rem;margin:.2rem 0}h2{font-size:1.15rem;margin-top:2rem;border-bottom:1px solid \
var(--line)}.source,.effort{color:var(--soft)}.changed{border-left:.3rem solid #b98a00;padding-left:.6rem}\
.wide{overflow-x:auto}table{border-collapse:collapse;margin:1rem 0}caption{text-align:left;\
color:var(--soft);padding-bottom:.3rem}th,td{padding:.2rem .6rem;text-align:right;border-bottom:1px solid var(--line);\
font-variant-numeric:tabular-nums}th{vertical-align:bottom}.label{text-align:left}.published{background:var(--theirs);\
color:var(--theirs-text)}figure{margin:1rem 0}figcaption{color:var(--soft)}svg{max-width:100%;height:auto}\
a{color:var(--link)}.findings{list-style:none;padding:0}.findings li{margin:.8rem 0}b.confirmed,b.refuted,b.open,b.none\
{display:inline-block;min-width:5.6rem;padding:0 .4rem;border-radius:.2rem;color:#fff;font-weight:normal;\
text-align:center}.findings span{color:var(--soft)}.findings dl{display:grid;grid-template-columns:7rem 1fr;gap:.1rem .6rem;\
margin:.3rem 0 0 1rem;font-size:13px;color:var(--soft)}.findings dd{margin:0}.confirmed{background:#2e7d32}\
.refuted{background:#b23b3b}.open{background:#777}.none{background:#999}pre{background:var(--code);padding:.6rem;\
overflow-x:auto;font-size:13px}";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Axis, Column};
    use crate::statistics::{Estimate, counted};

    #[test]
    fn pages_need_nothing_else_and_show_text_as_it_is() {
        let mut t = ReportTable::new("t", "a < b", vec![Column::label("x"), Column::published("y")]);
        t.push(vec![Entry::text("<script>"), Entry::number(-1234567.0, 0)]);
        let report = Report {
            title: "T & U".into(),
            findings: vec![Finding::tested(
                "it holds",
                vec![counted("n", 1.0, "1", "not 1", true)],
                "1 of 1",
            )],
            changes: vec!["games: 6 (usually 4)".into()],
            sections: vec![Section::new("S", vec![t.into(), "words".into()])],
            ..Report::default()
        };
        let html = page(&report, "t.quick");
        assert!(html.contains("T &amp; U") && html.contains("&lt;script&gt;") && html.contains("-1,234,567"));
        assert!(!html.contains("<script") && !html.contains("src="));
        assert!(html.contains("counted in full") && html.contains("other parameters than usual: games: 6"));
        assert!(html.contains("class=\"confirmed\"") && html.contains("href=\"t.quick/t.csv\""));
    }

    #[test]
    fn one_run_has_no_interval() {
        let test = Estimate::mean("Q at the end", &[2.786]).below(5.8);
        assert_eq!(measured(&test), "Q at the end: 2.786 (one run: no interval)");
        let earlier = VerdictTest { low: -1e9, high: 1e9, ..test };
        assert_eq!(measured(&earlier), "Q at the end: 2.786 (one run: no interval)");
        let three = Estimate::mean("Q", &[1.0, 2.0, 3.0]).below(5.8);
        assert_eq!(measured(&three), "Q: 2.000, 95% interval -0.484 to 4.484");
    }

    #[test]
    fn what_is_open_says_what_would_decide_or_why_nobody_knows() {
        let words = |runs: &[f64]| would_decide(&Estimate::mean("n", runs).above(2.0));
        assert_eq!(words(&[1.0, 3.5]), "about 8,100 runs");
        assert!(words(&[2.5]).starts_with("unknown: a single run"));
        assert!(words(&[1.0, 3.0]).starts_with("unknown: the number lies on the bound"));
        assert_eq!(words(&[3.0, 3.0]), "");
        let mut html = String::new();
        finding(&Finding::tested("c", Vec::new(), "e").published("p").differs("d"), &mut html);
        assert!(html.contains("open</b>") && html.contains("unknown: nothing was measured"), "{html}");
    }

    #[test]
    fn no_kept_conclusion_is_open_without_a_word() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies/reports");
        let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        for path in paths.filter(|path| path.extension().is_some_and(|extension| extension == "json")) {
            let report = crate::render::load(&path).unwrap();
            for it in report.findings.iter().filter(|finding| finding.verdict == Verdict::Open) {
                let mut html = String::new();
                finding(it, &mut html);
                assert!(html.contains("<dt>would decide</dt>"), "{}: {html}", path.display());
            }
        }
    }

    #[test]
    fn tables_of_both_have_a_chart_unless_the_next_one_shows_both() {
        let columns = vec![Column::label("who"), Column::ours("won, %"), Column::published("won, %")];
        let mut both = ReportTable::new("t", "", columns);
        both.push(vec![Entry::text("one"), Entry::number(61.0, 1), Entry::number(59.0, 1)]);
        both.push(vec![Entry::text("two"), Entry::number(62.0, 1), Entry::Empty]);
        let own = Chart::bars("c", "", Axis::even(""), vec!["one".into()], vec![("won".into(), vec![61.0])]);
        let pictures = |blocks: Vec<Block>| {
            let mut html = String::new();
            sections(&[Section::new("S", blocks)], "t", &mut html);
            html.matches("<svg").count()
        };
        let table = || Block::from(both.clone());
        assert_eq!(pictures(vec![table()]), 1);
        assert_eq!(pictures(vec![table(), own.clone().into()]), 2);
        assert_eq!(pictures(vec![table(), own.beside("won", vec![59.0]).into()]), 1);
    }

    #[test]
    fn durations_are_in_words() {
        let words = [0.02, 59.0, 600.0, 7200.0 * 9.0].map(duration);
        assert_eq!(words, ["20 ms", "59.0 s", "10.0 minutes", "18.0 hours"]);
    }
}
