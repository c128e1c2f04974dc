//! A report as files: the numbers as JSON, and what is rendered from them, a page that needs nothing else and CSV.

mod colours;
mod html;
mod numbers;
mod paired;
mod svg;

use std::fs;
use std::path::Path;

use trilith_base::files;

use crate::error::StudyError;
use crate::report::Report;

pub use html::page;
pub(crate) use html::{badge, duration, head, measured, would_decide};
pub use numbers::{chart_csv, csv_files, table_csv};
pub use svg::picture;

/// Writes `STEM.json` into `folder`: all that a study has shown.
pub fn save(report: &Report, folder: &Path, stem: &str) -> Result<(), StudyError> {
    let json = serde_json::to_vec(report).expect("a report is plain data");
    write(&folder.join(format!("{stem}.json")), &json)
}

/// The report in a file that [`save`] has written.
pub fn load(path: &Path) -> Result<Report, StudyError> {
    let bytes = fs::read(path).map_err(|source| StudyError::file(path, source))?;
    serde_json::from_slice(&bytes)
        .map_err(|error| StudyError::Content { path: path.display().to_string(), fault: error.to_string() })
}

/// Writes `STEM.html` and `STEM/*.csv` into `folder`; files of times lie in `STEM/times`.
///
/// Without the folder of times, the `.csv` files of equal runs are equal, byte by byte.
pub fn write_pages(report: &Report, folder: &Path, stem: &str) -> Result<(), StudyError> {
    for (name, is_timed, text) in csv_files(report) {
        let below = folder.join(stem);
        let below = if is_timed { below.join("times") } else { below };
        write(&below.join(format!("{name}.csv")), text.as_bytes())?;
    }
    write(&folder.join(format!("{stem}.html")), page(report, stem).as_bytes())
}

pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), StudyError> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| files::write_whole(path, bytes)).map_err(|source| StudyError::file(path, source))
}
