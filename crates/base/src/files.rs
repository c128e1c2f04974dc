//! Files written so that a reader never sees half of one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes `bytes` beside `path`, makes them durable and renames: after a crash the old file or the new one is there.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let mut file = File::create(&part)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    rename_whole(Path::new(&part), path)
}

/// Renames a file that is durable already, and makes its new name durable too.
pub fn rename_whole(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    sync_folder(folder)
}

/// Makes the names in a folder durable: files that were made, renamed or removed in it.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    // Only Unix opens folders.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Where the program keeps what it makes: `$TRILITH_HOME` or, without it, the place for a program's data
/// (`$XDG_DATA_HOME/trilith`, `~/.local/share/trilith`, `%APPDATA%\trilith`). It need not be there yet.
pub fn home() -> PathBuf {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = || variable("XDG_DATA_HOME").or_else(|| variable("APPDATA")).map(|data| data.join("trilith"));
    let home = || variable("HOME").map(|home| home.join(".local/share/trilith"));
    variable("TRILITH_HOME").or_else(data).or_else(home).unwrap_or_else(|| ".".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_the_old_file_and_leaves_no_part() {
        let folder = std::env::temp_dir().join(format!("trilith-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.txt");
        write_whole(&path, b"one").unwrap();
        write_whole(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }
}
