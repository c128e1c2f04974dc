//! The folder of a run: config, log, curves, checkpoints, artifact.

use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use trilith_base::files;

use super::{Curves, RunConfig, RunError};

/// A run's folder, held by one program at a time.
pub struct Folder {
    path: PathBuf,
    log: File,
    _lock: File,
}

impl Folder {
    /// The name of the artifact in it.
    pub const ARTIFACT: &'static str = "artifact.safetensors";

    /// The folder of the runs called `name` where no other is asked for: `runs/NAME` in the program's home.
    pub fn usual(name: &str) -> PathBuf {
        files::home().join("runs").join(name)
    }

    /// The folder at `path`, made if it is not there; refused while another program works in it.
    pub fn open(path: &Path) -> Result<Folder, RunError> {
        let fault = |source| RunError::file(path, source);
        fs::create_dir_all(path).map_err(fault)?;
        let lock = File::create(path.join("run.lock")).map_err(fault)?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => {
                RunError::Learner(format!("{}: another program is training here", path.display()))
            }
            TryLockError::Error(source) => fault(source),
        })?;
        let log = File::options().create(true).append(true).open(path.join("log.txt")).map_err(fault)?;
        Ok(Folder { path: path.into(), log, _lock: lock })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where its checkpoints are.
    pub fn checkpoints(&self) -> PathBuf {
        self.path.join("checkpoints")
    }

    /// The config that a run was begun with here; none if none was.
    pub fn config(&self) -> Result<Option<RunConfig>, RunError> {
        let path = self.path.join("config.toml");
        match path.exists() {
            true => {
                let text = fs::read_to_string(&path).map_err(|source| RunError::file(&path, source))?;
                RunConfig::parse(&text).map(Some)
            }
            false => Ok(None),
        }
    }

    /// Keeps the complete config.
    pub fn keep_config(&self, config: &RunConfig) -> Result<(), RunError> {
        self.write("config.toml", config.text().as_bytes())
    }

    /// The curves so far.
    pub fn curves(&self) -> Curves {
        Curves::parse(&fs::read_to_string(self.path.join("curves.csv")).unwrap_or_default())
    }

    /// Writes the curves, as numbers and as a picture.
    pub fn keep_curves(&self, curves: &Curves, title: &str) -> Result<(), RunError> {
        self.write("curves.csv", curves.csv().as_bytes())?;
        self.write("curves.svg", curves.svg(title).as_bytes())
    }

    /// Adds a line to the log.
    pub fn log(&mut self, line: &str) -> Result<(), RunError> {
        writeln!(self.log, "{line}").map_err(|source| RunError::file(&self.path, source))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        let path = self.path.join(name);
        files::write_whole(&path, bytes).map_err(|source| RunError::file(&path, source))
    }
}
