//! Every study at its smallest scale: it runs, its report is whole, and equal seeds give equal numbers, also after a kill.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use trilith_base::Seed;
use trilith_base::job::Workers;
use trilith_studies::report::{Block, Verdict};
use trilith_studies::{
    Report, Scale, Study, StudyOptions, StudyProtocol, changed_since, find, read, render, run, studies,
};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("trilith-studies-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn smallest(study: &'static Study) -> StudyProtocol {
    StudyProtocol::embedded(study, Scale::Smoke).unwrap()
}

fn smoke(study: &'static Study, folder: &Path, threads: usize) -> Report {
    let stop = AtomicBool::new(false);
    let options =
        StudyOptions { seed: Seed(1), folder, workers: Workers::Threads(threads), threads, stop: &stop };
    run(&smallest(study), options, &mut |_| ()).unwrap_or_else(|error| panic!("{}: {error}", study.name))
}

/// The files whose bytes must not differ.
fn numbers(report: &Report) -> BTreeMap<String, String> {
    let files = render::csv_files(report).into_iter().filter(|(_, is_timed, _)| !is_timed);
    files.map(|(name, _, text)| (name, text)).collect()
}

fn check(report: &Report) {
    assert!(!report.findings.is_empty() && !report.sections.is_empty(), "{}", report.study);
    assert!(report.effort.seconds > 0.0 && !report.effort.published.is_empty());
    let mut names = HashSet::new();
    for block in report.sections.iter().flat_map(|section| &section.blocks) {
        match block {
            Block::Text(text) => assert!(!text.is_empty()),
            Block::Table(table) => {
                assert!(names.insert(table.name.clone()), "{}: {} twice", report.study, table.name);
                assert!(table.rows.iter().all(|row| row.len() == table.columns.len()), "{}", table.name);
            }
            Block::Chart(chart) => {
                assert!(names.insert(chart.name.clone()), "{}: {} twice", report.study, chart.name);
            }
        }
    }
    let page = render::page(report, "stem");
    assert!(
        page.ends_with("</html>\n") && !page.contains("<script") && !page.contains("NaN"),
        "{}",
        report.study
    );
}

/// A conclusion and its published figure; numbers in the claim depend on the scale.
fn judged(report: &Report) -> Vec<(String, String)> {
    let words = |text: &str| text.chars().filter(|c| !c.is_ascii_digit() && *c != '.').collect();
    report.findings.iter().map(|finding| (words(&finding.claim), finding.published.clone())).collect()
}

/// Kept reports at full whose conclusions or published figures are not those of today's code, beside those that `index.rs`
/// knows; to be made again.
const EARLIER: &[&str] = &["othilie-horizon"];

/// What a kept report says that today's code does not. It may have every field and yet be older.
fn said_earlier(report: &Report) -> Vec<(String, String)> {
    let name = format!("../../studies/reports/{}.full.json", report.study);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let Some(kept) = path.exists().then(|| render::load(&path).unwrap()) else { return Vec::new() };
    if kept.is_judged_earlier() || !changed_since(&kept).is_empty() {
        return Vec::new();
    }
    let today = judged(report);
    // What is said about games against perfect play needs complete tables.
    let is_other =
        |said: &(String, String)| !today.contains(said) && !said.0.contains("against perfect play");
    judged(&kept).into_iter().filter(is_other).collect()
}

/// The published figure itself, not only where it stands.
fn is_figure(published: &str) -> bool {
    !["table", "figure", "in words", "chapter"].iter().any(|pointer| published.starts_with(pointer))
}

#[test]
fn every_study_runs_and_its_report_is_whole() {
    let folder = folder("all");
    for study in studies() {
        let report = smoke(study, &folder, 2);
        check(&report);
        assert!(report.findings.iter().all(|finding| finding.verdict == Verdict::None), "{}", study.name);
        let again = read(&smallest(study), &folder, Seed(1)).unwrap();
        assert_eq!(numbers(&again), numbers(&report), "{}: from the journal alone", study.name);
        let (reports, stem) = (folder.join("reports"), smallest(study).stem());
        render::save(&report, &reports, &stem).unwrap();
        let kept = render::load(&reports.join(format!("{stem}.json"))).unwrap();
        assert_eq!(numbers(&kept), numbers(&report), "{}: kept as JSON", study.name);
        assert_eq!(kept.findings.len(), report.findings.len());
        assert!(report.findings.iter().all(|it| is_figure(&it.published) && !it.protocol.is_empty()));
        assert!(!report.is_judged_earlier(), "{}", study.name);
        let earlier = said_earlier(&report);
        assert_eq!(EARLIER.contains(&study.name), !earlier.is_empty(), "{}: {earlier:#?}", study.name);
    }
    assert_eq!(trilith_studies::write_index(&folder.join("reports")).unwrap(), studies().len());
    let index = fs::read_to_string(folder.join("reports/index.html")).unwrap();
    assert_eq!(index.matches("<td>smoke</td>").count(), studies().len());
    fs::remove_dir_all(folder).unwrap();
}

/// One of each family, and all kinds of work: games, searches, training, tables, endgames.
const SOME: [&str; 6] = [
    "othilie-e",
    "muehle-search",
    "muehle-tablebase",
    "reversi-baseline",
    "abalone-rewards",
    "logistello-selective",
];

#[test]
fn the_same_seed_gives_the_same_bytes_on_any_number_of_threads() {
    for name in SOME {
        let study = find(name).unwrap();
        let (one, two) = (folder(&format!("{name}-one")), folder(&format!("{name}-two")));
        let (first, second) = (smoke(study, &one, 1), smoke(study, &two, 3));
        assert_eq!(numbers(&first), numbers(&second), "{name}");
        fs::remove_dir_all(one).unwrap();
        fs::remove_dir_all(two).unwrap();
    }
}

#[test]
fn a_study_cut_off_anywhere_goes_on_to_the_same_numbers() {
    for name in ["muehle-search", "reversi-baseline"] {
        let study = find(name).unwrap();
        let folder = folder(&format!("{name}-cut"));
        let whole = smoke(study, &folder, 2);
        let journal = smallest(study).folder(&folder).join("journal.jsonl");
        let bytes = fs::read(&journal).unwrap();
        for share in [0.3, 0.8] {
            // A crash can leave half a line.
            fs::write(&journal, &bytes[..(share * bytes.len() as f64) as usize]).unwrap();
            assert!(read(&smallest(study), &folder, Seed(1)).is_err(), "it is not done");
            assert_eq!(numbers(&smoke(study, &folder, 2)), numbers(&whole), "{name} cut at {share}");
        }
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn a_journal_of_another_seed_is_refused() {
    let study = find("othilie-horizon").unwrap();
    let folder = folder("seed");
    smoke(study, &folder, 1);
    let error = read(&smallest(study), &folder, Seed(2)).unwrap_err().to_string();
    assert!(error.contains("seed 2") && error.contains("seed 1"), "{error}");
    fs::remove_dir_all(folder).unwrap();
}
