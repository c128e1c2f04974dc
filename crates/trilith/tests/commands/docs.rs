//! The pages under `docs/`: links lead somewhere, guides stay short, the lab is complete.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Words a guide may have: what is read in a few minutes.
const MOST_WORDS: usize = 850;

/// Pages to look things up in, which grow with the project.
const LOOKED_UP: [&str; 4] = ["dependencies.md", "formats.md", "json.md", "references.md"];

struct Page {
    path: PathBuf,
    /// Everything outside blocks of code.
    prose: String,
    code_free: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn markdown_in(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    files.sort();
    files
}

fn read(path: PathBuf) -> Page {
    let text = fs::read_to_string(&path).unwrap();
    let mut in_code = false;
    let mut prose = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if !in_code {
            prose += line;
            prose.push('\n');
        }
    }
    let code_free = prose.split('`').step_by(2).collect();
    Page { path, prose, code_free }
}

/// All pages a reader may come to: those of the root, the guides and the lab.
fn pages() -> Vec<Page> {
    let folders = [root(), root().join("docs"), root().join("docs/lab")];
    folders.iter().flat_map(|folder| markdown_in(folder)).map(read).collect()
}

fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

/// The targets of `[text](target)`, `![picture](target)` and `src="target"`.
fn targets(prose: &str) -> Vec<&str> {
    let after = |opening: &'static str, closing: char| {
        prose
            .split(opening)
            .skip(1)
            .filter_map(move |rest| rest.split_once(closing))
            .map(|(target, _)| target)
    };
    after("](", ')').chain(after("src=\"", '"')).collect()
}

/// The anchors of a page's headings, as GitHub makes them.
fn anchors(page: &Page) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let headings = page.prose.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|heading| {
            let text = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            let slug: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
            let times = seen.entry(slug.clone()).or_default();
            *times += 1;
            if *times == 1 { slug } else { format!("{slug}-{}", *times - 1) }
        })
        .collect()
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    let mut checked = 0;
    for page in pages() {
        for target in targets(&page.code_free) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            checked += 1;
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path =
                if file.is_empty() { page.path.clone() } else { page.path.parent().unwrap().join(file) };
            let found = path.exists()
                && (anchor.is_empty() || anchors(&read(path)).iter().any(|known| known == anchor));
            if !found {
                broken.push(format!("{}: {target}", page.path.display()));
            }
        }
    }
    assert!(checked > 100, "only {checked} links were found");
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}

#[test]
fn guides_are_short() {
    for path in markdown_in(&root().join("docs")) {
        let page = read(path);
        let words = page.prose.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
        let name = name(&page.path);
        assert!(
            words <= MOST_WORDS || LOOKED_UP.contains(&name),
            "docs/{name} has {words} words, more than {MOST_WORDS}: move measurements to docs/lab/, or split it"
        );
    }
}

#[test]
fn every_page_is_in_its_index() {
    for folder in ["docs", "docs/lab"] {
        let folder = root().join(folder);
        let index = read(folder.join("README.md"));
        let listed = targets(&index.prose);
        for path in markdown_in(&folder) {
            let name = name(&path);
            assert!(
                name == "README.md" || listed.contains(&name),
                "{} does not list {name}",
                index.path.display()
            );
        }
    }
}

#[test]
fn lab_entries_have_a_date_and_a_question() {
    for path in markdown_in(&root().join("docs/lab")) {
        let name = name(&path).to_owned();
        if name == "README.md" {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let date = name.get(..10).unwrap_or_default();
        let is_date = date.len() == 10
            && date
                .char_indices()
                .all(|(at, c)| if at == 4 || at == 7 { c == '-' } else { c.is_ascii_digit() });
        assert!(is_date, "{name} does not begin with a date such as 2026-11-15");
        assert!(text.contains(date), "{name} does not state its date");
        assert!(text.contains("**Question.**"), "{name} has no question");
    }
}

#[test]
fn anchors_are_those_of_github() {
    let text = "# A `b`, c\n## Mühle\n## Reversi (2025)\n## Mühle\n";
    let page = Page { path: PathBuf::new(), prose: text.into(), code_free: text.into() };
    assert_eq!(anchors(&page), ["a-b-c", "mühle", "reversi-2025", "mühle-1"]);
}
