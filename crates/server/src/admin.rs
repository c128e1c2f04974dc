//! The administrator's key: made by `trilith admin key`, kept as a hash in the data folder, asked for by the server.

use std::io;
use std::path::{Path, PathBuf};

use trilith_base::files;

use crate::id;
use crate::token;

/// What the hash of the key is called in the data folder.
const FILE: &str = "admin.key.hash";
const PREFIX: &str = "k_";

/// Who is asked whether a key is the right one.
pub(crate) struct Admin {
    path: Option<PathBuf>,
}

impl Admin {
    /// With the key of this data folder; without a folder there is none.
    pub(crate) fn new(data: Option<&Path>) -> Admin {
        Admin { path: data.map(|data| data.join(FILE)) }
    }

    /// Whether `key` is the administrator's. The file is read each time, so a new key counts at once.
    pub(crate) fn is_key(&self, key: &str) -> bool {
        let Some(path) = &self.path else { return false };
        let Ok(hash) = std::fs::read_to_string(path) else { return false };
        key.starts_with(PREFIX) && hash.trim() == token::hash(key)
    }
}

/// Makes a new key for the server with the data folder `data` and forgets the one before. It is shown this once.
pub fn new_key(data: &Path) -> io::Result<String> {
    let draw = || id::unguessable().map_err(|error| io::Error::other(error.to_string()));
    let key = format!("{PREFIX}{}{}", draw()?, draw()?);
    std::fs::create_dir_all(data)?;
    files::write_whole(&data.join(FILE), format!("{}\n", token::hash(&key)).as_bytes())?;
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_newest_key_opens() {
        let data = std::env::temp_dir().join(format!("trilith-admin-{}", std::process::id()));
        let admin = Admin::new(Some(&data));
        assert!(!admin.is_key("") && !admin.is_key("k_x"));
        let first = new_key(&data).unwrap();
        assert!(admin.is_key(&first) && !admin.is_key(&first[..20]));
        let second = new_key(&data).unwrap();
        assert!(admin.is_key(&second) && !admin.is_key(&first));
        let kept = std::fs::read_to_string(data.join(FILE)).unwrap();
        assert!(!kept.contains(&second) && !admin.is_key(kept.trim()), "the hash is no key");
        assert!(!Admin::new(None).is_key(&second));
        std::fs::remove_dir_all(&data).unwrap();
    }
}
