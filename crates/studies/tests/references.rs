//! The tables of `docs/references.md` say of each conclusion what the kept reports say.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use trilith_studies::{Report, changed_since, render, studies};

/// Stands in a row until the report is there, made and judged by today's program.
const MISSING: &str = "TODO-NUMBERS";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A conclusion in a table: what is said here, the verdicts, and its studies with the conclusion's number and the link.
struct Row {
    line: String,
    here: String,
    verdict: String,
    studies: Vec<(String, usize, String)>,
}

fn rows() -> Vec<Row> {
    let text = fs::read_to_string(root().join("docs/references.md")).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [_, _, here, verdict, named] = cells[..] else { panic!("five cells: {line}") };
        let study = |link: &str| {
            let (words, target) = link.trim_start_matches('[').split_once("](").unwrap();
            let (name, number) = words.split_once(", ").unwrap();
            (name.to_owned(), number.parse().unwrap(), target.trim_end_matches(')').to_owned())
        };
        let studies = named.split(" [").map(study).collect();
        Row { line: line.into(), here: here.into(), verdict: verdict.into(), studies }
    };
    text.lines().filter(|line| line.starts_with("| ") && line.contains("](../studies/")).map(row).collect()
}

fn report(study: &str) -> Option<Report> {
    let path = root().join(format!("studies/reports/{study}.full.json"));
    path.exists().then(|| render::load(&path).unwrap())
}

fn is_current(report: &Report) -> bool {
    !report.is_judged_earlier() && changed_since(report).is_empty()
}

/// A row says what the reports say, or that their numbers are missing as long as they are.
#[test]
fn verdicts_are_those_of_the_kept_reports() {
    for Row { line, here, verdict, studies } in rows() {
        let reports: Vec<Option<Report>> = studies.iter().map(|(name, ..)| report(name)).collect();
        for ((name, _, target), report) in studies.iter().zip(&reports) {
            let place =
                if report.is_some() { format!("reports/{name}.full.json") } else { format!("{name}.toml") };
            assert_eq!(*target, format!("../studies/{place}"), "{line}");
        }
        if !reports.iter().all(|report| report.as_ref().is_some_and(is_current)) {
            assert!(here.contains(MISSING) && verdict == MISSING, "its report is to be made again: {line}");
            continue;
        }
        assert!(!line.contains(MISSING), "its report is there: {line}");
        let found: Vec<&str> = studies
            .iter()
            .zip(&reports)
            .map(|((_, number, _), report)| report.as_ref().unwrap().findings[number - 1].verdict.name())
            .collect();
        let said: Vec<&str> = verdict.split("; ").collect();
        let are_alike = said.len() == 1 && found.iter().all(|found| *found == said[0]);
        assert!(are_alike || said == found, "{found:?}: {line}");
    }
}

#[test]
fn every_conclusion_has_a_row() {
    let told: BTreeSet<(String, usize)> =
        rows().into_iter().flat_map(|row| row.studies).map(|(name, number, _)| (name, number)).collect();
    for study in studies() {
        let count = report(study.name).map_or(1, |report| report.findings.len());
        let missing: Vec<usize> =
            (1..=count).filter(|number| !told.contains(&(study.name.to_owned(), *number))).collect();
        assert!(missing.is_empty(), "{}: conclusions {missing:?} have no row", study.name);
    }
}
