//! Backups of SQLite while the server goes on: one whole, consistent file.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::StoreError;

/// Copies the database of the folder `data` to `to`, which must not be there yet, and says how many bytes it has.
/// Whoever plays meanwhile is not disturbed.
pub fn backup(data: &Path, to: &Path) -> Result<u64, StoreError> {
    let from = data.join(super::FILE);
    let fault =
        |path: &Path, error: io::Error| StoreError::Folder { path: path.into(), reason: error.to_string() };
    if to.exists() {
        return Err(fault(to, io::Error::other("there is a file already: expected a new name")));
    }
    let connection = Connection::open_with_flags(&from, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.busy_timeout(std::time::Duration::from_secs(10))?;
    let mut part = to.as_os_str().to_owned();
    part.push(".part");
    let part = Path::new(&part);
    let _ = fs::remove_file(part);
    connection.execute("VACUUM INTO ?1", [part.to_string_lossy()])?;
    let whole = File::options().write(true).open(part).and_then(|file| file.sync_all());
    whole.and_then(|()| fs::rename(part, to)).map_err(|error| fault(to, error))?;
    fs::metadata(to).map(|file| file.len()).map_err(|error| fault(to, error))
}
