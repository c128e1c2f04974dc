//! All studies by name.

use trilith_base::words;

use crate::conduct::{Conduct, StudyOutcome};
use crate::error::StudyError;
use crate::file::StudyFile;
use crate::{abalone, logistello, muehle, othilie, reversi};

/// A study: its file and what is done.
#[derive(Clone, Copy, Debug)]
pub struct Study {
    /// As in commands.
    pub name: &'static str,
    text: &'static str,
    pub(crate) procedure: fn(&mut Conduct) -> Result<StudyOutcome, StudyError>,
}

impl Study {
    /// Its file as it came with the program.
    pub fn file(&self) -> Result<StudyFile, StudyError> {
        StudyFile::parse(&self.path(), self.text)
    }

    /// Where its file lies in the repository.
    pub fn path(&self) -> String {
        format!("studies/{}.toml", self.name)
    }
}

macro_rules! list {
    ($($name:literal => $procedure:path,)+) => {
        &[$(Study {
            name: $name,
            text: include_str!(concat!("../../../studies/", $name, ".toml")),
            procedure: $procedure,
        }),+]
    };
}

const STUDIES: &[Study] = list! {
    "othilie-a" => othilie::group::procedure,
    "othilie-b" => othilie::group::procedure,
    "othilie-c" => othilie::group::procedure,
    "othilie-d" => othilie::group::procedure,
    "othilie-e" => othilie::group::procedure,
    "othilie-f" => othilie::group::procedure,
    "othilie-horizon" => othilie::horizon::procedure,
    "muehle-search" => muehle::search::procedure,
    "muehle-quiescence" => muehle::quiescence::procedure,
    "muehle-tablebase" => muehle::tablebase::procedure,
    "muehle-heuristics" => muehle::heuristics::procedure,
    "reversi-baseline" => reversi::baseline::procedure,
    "reversi-tabular" => reversi::tabular::procedure,
    "reversi-networks" => reversi::networks::procedure,
    "reversi-deep" => reversi::deep::procedure,
    "abalone-complexity" => abalone::complexity::procedure,
    "abalone-parameters" => abalone::parameters::procedure,
    "abalone-features" => abalone::features::procedure,
    "abalone-rewards" => abalone::rewards::procedure,
    "abalone-final" => abalone::last::procedure,
    "logistello-features" => logistello::features::procedure,
    "logistello-weights" => logistello::weights::procedure,
    "logistello-selective" => logistello::selective::procedure,
    "logistello-series" => logistello::series::procedure,
};

/// All of them, in the order of the spec.
pub fn studies() -> &'static [Study] {
    STUDIES
}

/// The study called `name`.
pub fn find(name: &str) -> Result<&'static Study, StudyError> {
    STUDIES.iter().find(|study| study.name == name).ok_or_else(|| StudyError::Unknown {
        name: name.into(),
        expected: words::expected(name, STUDIES.iter().map(|study| study.name)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_can_be_read_and_a_slip_is_answered() {
        for study in STUDIES {
            let plan = study.file().unwrap();
            assert!(!plan.title.is_empty() && plan.source.starts_with('S'), "{}", study.name);
        }
        let error = find("othilie").err().unwrap().to_string();
        assert!(error.starts_with("unknown study `othilie`: expected `othilie-a`?"), "{error}");
    }
}
