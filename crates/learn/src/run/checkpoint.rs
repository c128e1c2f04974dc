//! Checkpoints: folders that are complete or not there.
//!
//! A checkpoint is written as `next`, made durable with a list of its files and their checksums, and then renamed to
//! the number of its step; the one before it is kept, older ones are removed.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::RunError;

const NEXT: &str = "next";
const MANIFEST: &str = "checkpoint.toml";
const FORMAT: u32 = 1;
const KEPT: usize = 2;

/// How far a run has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunProgress {
    /// Steps done.
    pub steps: u64,
    /// Games played.
    pub games: u64,
    /// Positions learned from.
    pub positions: u64,
    /// Seconds worked, pauses between restarts not counted.
    pub seconds: f64,
    /// Whether all steps are done and only the end is to come.
    #[serde(default)]
    pub is_complete: bool,
}

#[derive(Serialize, Deserialize)]
struct Manifest {
    format: u32,
    progress: RunProgress,
    /// blake3 of each file by its name.
    files: BTreeMap<String, String>,
}

/// Writes a checkpoint whose files `save` puts into an empty folder, unless there is one of this step already.
pub fn write(
    folder: &Path,
    progress: RunProgress,
    save: impl FnOnce(&Path) -> Result<(), RunError>,
) -> Result<(), RunError> {
    let (next, named) = (folder.join(NEXT), folder.join(format!("{:09}", progress.steps)));
    let fault = |source| RunError::file(&next, source);
    if named.exists() {
        return Ok(());
    }
    if next.exists() {
        fs::remove_dir_all(&next).map_err(fault)?;
    }
    fs::create_dir_all(&next).map_err(fault)?;
    save(&next)?;
    let mut files = BTreeMap::new();
    for path in contents(&next).map_err(fault)? {
        File::open(&path).and_then(|file| file.sync_all()).map_err(fault)?;
        files.insert(name(&path), checksum(&path).map_err(fault)?);
    }
    let manifest = Manifest { format: FORMAT, progress, files };
    let text = toml::to_string(&manifest).expect("plain tables can be written");
    trilith_base::files::write_whole(&next.join(MANIFEST), text.as_bytes()).map_err(fault)?;
    sync_folder(&next);
    fs::rename(&next, named).map_err(fault)?;
    sync_folder(folder);
    for old in complete(folder).map_err(fault)?.iter().rev().skip(KEPT) {
        fs::remove_dir_all(old).map_err(fault)?;
    }
    Ok(())
}

/// The latest checkpoint with what it says of itself, checked; none if there is none.
pub fn latest(folder: &Path) -> Result<Option<(PathBuf, RunProgress)>, RunError> {
    let all = if folder.exists() { complete(folder) } else { Ok(Vec::new()) };
    let all = all.map_err(|source| RunError::file(folder, source))?;
    let Some(path) = all.into_iter().next_back() else { return Ok(None) };
    let refuse = |fault: String| {
        RunError::checkpoint(&path, format!("{fault}; remove it to go on from the one before"))
    };
    let text = fs::read_to_string(path.join(MANIFEST)).map_err(|source| RunError::file(&path, source))?;
    let manifest: Manifest = toml::from_str(&text).map_err(|error| refuse(error.to_string()))?;
    if manifest.format != FORMAT {
        return Err(refuse(format!("format {}, expected {FORMAT}", manifest.format)));
    }
    for (name, expected) in &manifest.files {
        let found = checksum(&path.join(name)).map_err(|error| refuse(format!("{name}: {error}")))?;
        if found != *expected {
            return Err(refuse(format!("{name} has been damaged")));
        }
    }
    Ok(Some((path, manifest.progress)))
}

/// Checkpoints with numbers, oldest first.
fn complete(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all = contents(folder)?;
    all.retain(|path| name(path).parse::<u64>().is_ok());
    Ok(all)
}

fn contents(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    all.sort_unstable();
    Ok(all)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn checksum(path: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    io::copy(&mut File::open(path)?, &mut hasher)?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// Makes a renaming durable where folders can be opened; elsewhere the system sees to it.
fn sync_folder(folder: &Path) {
    drop(File::open(folder).and_then(|folder| folder.sync_all()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(steps: u64) -> RunProgress {
        RunProgress { steps, games: 2 * steps, positions: 0, seconds: 0.5, is_complete: false }
    }

    #[test]
    fn the_latest_one_is_found_and_damage_is_noticed() {
        let folder = std::env::temp_dir().join(format!("trilith-checkpoint-{}", std::process::id()));
        assert!(latest(&folder).unwrap().is_none());
        for steps in [1, 2, 10] {
            write(&folder, progress(steps), |to| {
                fs::write(to.join("a"), steps.to_string()).map_err(|source| RunError::file(to, source))
            })
            .unwrap();
        }
        // One that was being written when the program died.
        fs::create_dir(folder.join(NEXT)).unwrap();
        let (path, found) = latest(&folder).unwrap().unwrap();
        assert_eq!((found, fs::read_to_string(path.join("a")).unwrap().as_str()), (progress(10), "10"));
        assert_eq!(complete(&folder).unwrap().len(), KEPT);
        fs::write(path.join("a"), "11").unwrap();
        let fault = latest(&folder).unwrap_err().to_string();
        assert!(fault.contains("a has been damaged; remove it"), "{fault}");
        fs::remove_dir_all(folder).unwrap();
    }
}
