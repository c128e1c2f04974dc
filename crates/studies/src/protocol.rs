//! What is run: a study with the parameters of one scale, as its file and the command say them.
//!
//! The file is the one in `studies/` of the working directory, or the one at a path, or the one that came with the
//! program. Parameters other than those that came with the program make another run, with a name and a report of its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};
use trilith_base::job::JobId;

use crate::error::StudyError;
use crate::file::{Scale, StudyFile};
use crate::list::{Study, find};
use crate::report::Report;

/// A study as it is to be run.
#[derive(Clone, Debug)]
pub struct StudyProtocol {
    /// Whose procedure.
    pub study: &'static Study,
    /// How much is done.
    pub scale: Scale,
    pub(crate) file: StudyFile,
    /// Where the file lies, for what may be wrong with it.
    pub(crate) path: String,
    /// Parameters that differ from those that came with the program, in words.
    pub changes: Vec<String>,
}

impl StudyProtocol {
    /// A study with the parameters that came with the program.
    pub fn embedded(study: &'static Study, scale: Scale) -> Result<StudyProtocol, StudyError> {
        Ok(StudyProtocol { study, scale, file: study.file()?, path: study.path(), changes: Vec::new() })
    }

    /// A study by its name or by the path of its file, with some parameters set: `key=value`, keys below others with dots.
    ///
    /// `beside` is the folder whose `studies/NAME.toml` comes before the file in the program.
    pub fn open(
        text: &str,
        scale: Scale,
        settings: &[String],
        beside: &Path,
    ) -> Result<StudyProtocol, StudyError> {
        let (study, file, path) = match text.ends_with(".toml") {
            true => read(Path::new(text))?,
            false => {
                let study = find(text)?;
                let path = beside.join(study.path());
                match path.exists() {
                    true => read(&path)?,
                    false => (study, study.file()?, study.path()),
                }
            }
        };
        let mut protocol = StudyProtocol { study, scale, file, path, changes: Vec::new() };
        for setting in settings {
            set(protocol.file.table_mut(scale), setting)?;
        }
        protocol.changes = differences(study.file()?.table(scale), protocol.file.table(scale), "usually");
        Ok(protocol)
    }

    /// `NAME-SCALE`, with a sign of the parameters where they are others than usual.
    pub fn run_name(&self) -> String {
        format!("{}-{}{}", self.study.name, self.scale, self.variant())
    }

    /// Where its journal lies below the folder of all studies.
    pub fn folder(&self, folder: &Path) -> PathBuf {
        folder.join(self.run_name())
    }

    /// What its report is called.
    pub fn stem(&self) -> String {
        format!("{}.{}{}", self.study.name, self.scale, self.variant())
    }

    /// The parameters as text.
    pub fn parameters(&self) -> String {
        toml::to_string(self.file.table(self.scale)).unwrap_or_default()
    }

    fn variant(&self) -> String {
        match self.changes.is_empty() {
            true => String::new(),
            false => format!("-{}", &JobId::of(self.parameters().as_bytes()).to_string()[..8]),
        }
    }
}

/// A study's file; the study is named in it, or by the file's own name.
fn read(path: &Path) -> Result<(&'static Study, StudyFile, String), StudyError> {
    let shown = path.display().to_string();
    let text = fs::read_to_string(path).map_err(|source| StudyError::file(path, source))?;
    let file = StudyFile::parse(&shown, &text)?;
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let name = file.study.clone().unwrap_or(stem);
    let study = find(&name).map_err(|error| StudyError::Content {
        path: shown.clone(),
        fault: format!("{error}; name the study with `study = \"...\"`"),
    })?;
    Ok((study, file, shown))
}

/// Sets `key=value`; a key below others is written with dots. Values are TOML; what is not counts as a text.
fn set(table: &mut Table, setting: &str) -> Result<(), StudyError> {
    let wrong = |fault: String| StudyError::Setting { text: setting.into(), fault };
    let (key, value) = setting.split_once('=').ok_or_else(|| wrong("expected `key=value`".into()))?;
    let (key, value) = (key.trim(), value.trim());
    let parsed = format!("x = {value}").parse::<Table>().ok().and_then(|mut table| table.remove("x"));
    let value = parsed.unwrap_or_else(|| Value::String(value.into()));
    let (above, last) = key.rsplit_once('.').map_or((None, key), |(above, last)| (Some(above), last));
    let mut place = table;
    for part in above.into_iter().flat_map(|above| above.split('.')) {
        let names: Vec<String> = place.keys().cloned().collect();
        let below = place.get_mut(part).and_then(Value::as_table_mut);
        place = below.ok_or_else(|| wrong(format!("no table `{part}`: there are {}", names.join(", "))))?;
    }
    // Whether there is such a parameter the procedure or the learner says: files leave out what has its usual value.
    place.insert(last.into(), value);
    Ok(())
}

/// What the study's file says otherwise today than when a usual run was made, in words; nothing for runs with parameters of
/// their own.
pub fn changed_since(report: &Report) -> Vec<String> {
    let (Ok(study), Ok(scale)) = (find(&report.study), report.scale.parse()) else { return Vec::new() };
    let (Ok(file), Ok(run)) = (study.file(), report.parameters.parse::<Table>()) else { return Vec::new() };
    match report.changes.is_empty() {
        true => differences(file.table(scale), &run, "now"),
        false => Vec::new(),
    }
}

/// What differs, each as `key: new (usually old)`; `word` is for usually.
fn differences(usual: &Table, chosen: &Table, word: &str) -> Vec<String> {
    let flat = |table: &Table| {
        let mut all = BTreeMap::new();
        flatten("", table, &mut all);
        all
    };
    let (usual, chosen) = (flat(usual), flat(chosen));
    let none = || "not set".to_owned();
    let mut keys: Vec<&String> = usual.keys().chain(chosen.keys()).collect();
    keys.sort_unstable();
    keys.dedup();
    let changed = keys.into_iter().filter(|key| usual.get(*key) != chosen.get(*key));
    changed
        .map(|key| {
            let of = |table: &BTreeMap<String, String>| table.get(key).cloned().unwrap_or_else(none);
            format!("{key}: {} ({word} {})", of(&chosen), of(&usual))
        })
        .collect()
}

fn flatten(above: &str, table: &Table, into: &mut BTreeMap<String, String>) {
    for (key, value) in table {
        let key = if above.is_empty() { key.clone() } else { format!("{above}.{key}") };
        match value {
            Value::Table(below) => flatten(&key, below, into),
            value => drop(into.insert(key, value.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("trilith-protocol-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("studies")).unwrap();
        folder
    }

    #[test]
    fn the_usual_parameters_have_the_usual_name() {
        let nowhere = folder("usual");
        let protocol = StudyProtocol::open("othilie-e", Scale::Full, &[], &nowhere).unwrap();
        assert_eq!((protocol.run_name().as_str(), protocol.changes.len()), ("othilie-e-full", 0));
        let same = ["training.games=6500".to_owned()];
        assert_eq!(
            StudyProtocol::open("othilie-e", Scale::Full, &same, &nowhere).unwrap().stem(),
            "othilie-e.full"
        );
        fs::remove_dir_all(nowhere).unwrap();
    }

    #[test]
    fn other_parameters_are_another_run_and_are_told() {
        let nowhere = folder("set");
        let sets = ["training.games=50".to_owned(), "training.comparison=now".to_owned()];
        let protocol = StudyProtocol::open("othilie-e", Scale::Smoke, &sets, &nowhere).unwrap();
        assert_eq!(
            protocol.changes,
            ["training.comparison: \"now\" (usually \"last-move\")", "training.games: 50 (usually 26)"]
        );
        assert!(protocol.run_name().starts_with("othilie-e-smoke-") && protocol.run_name().len() == 24);
        let other = ["training.games=51".to_owned()];
        let other = StudyProtocol::open("othilie-e", Scale::Smoke, &other, &nowhere).unwrap();
        assert_ne!(other.run_name(), protocol.run_name());
        for (wrong, words) in [("games", "key=value"), ("trainin.games=3", "no table `trainin`")] {
            let error =
                StudyProtocol::open("othilie-e", Scale::Smoke, &[wrong.into()], &nowhere).unwrap_err();
            assert!(error.to_string().contains(words), "{error}");
        }
        fs::remove_dir_all(nowhere).unwrap();
    }

    #[test]
    fn a_report_says_what_its_file_says_otherwise_today() {
        let protocol = StudyProtocol::embedded(find("muehle-quiescence").unwrap(), Scale::Smoke).unwrap();
        let mut report = Report {
            study: "muehle-quiescence".into(),
            scale: "smoke".into(),
            parameters: protocol.parameters(),
            ..Report::default()
        };
        assert!(changed_since(&report).is_empty());
        report.parameters = report.parameters.replacen("games = 4", "games = 3", 1);
        assert_eq!(changed_since(&report), ["games: 3 (now 4)"]);
        report.changes = vec!["games: 3 (usually 4)".into()];
        assert!(changed_since(&report).is_empty(), "it says so itself");
    }

    #[test]
    fn a_file_beside_comes_first_and_a_path_may_have_any_name() {
        let here = folder("beside");
        let text = find("othilie-horizon").unwrap().file().unwrap();
        assert!(text.study.is_none());
        let original = include_str!("../../../studies/muehle-quiescence.toml");
        let edited = original.replacen("games = 4", "games = 6", 1);
        fs::write(here.join("studies/muehle-quiescence.toml"), &edited).unwrap();
        let beside = StudyProtocol::open("muehle-quiescence", Scale::Smoke, &[], &here).unwrap();
        assert_eq!(beside.changes, ["games: 6 (usually 4)"]);
        let own = here.join("mine.toml");
        fs::write(&own, &edited).unwrap();
        let path = own.display().to_string();
        let error = StudyProtocol::open(&path, Scale::Smoke, &[], &here).unwrap_err().to_string();
        assert!(error.contains("mine.toml: unknown study `mine`"), "{error}");
        fs::write(&own, format!("study = \"muehle-quiescence\"\n{edited}")).unwrap();
        let named = StudyProtocol::open(&path, Scale::Smoke, &[], &here).unwrap();
        assert_eq!(named.run_name(), beside.run_name());
        let missing = StudyProtocol::open("nowhere.toml", Scale::Smoke, &[], &here).unwrap_err().to_string();
        assert!(missing.starts_with("nowhere.toml: "), "{missing}");
        fs::remove_dir_all(here).unwrap();
    }
}
