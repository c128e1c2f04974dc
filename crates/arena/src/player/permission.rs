//! Which players a program makes: all of them, unless it has been told to be careful before the first one.
//!
//! A worker gets its players from whoever can reach its queue. What starts programs or writes files is refused here, where
//! players are made, and not where texts are read: a text can hide a name, a player cannot.

use std::sync::OnceLock;

use crate::spec::{PlayerSpec, SpecError};

/// What is allowed to a program that does what others ask.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permission {
    /// Commands that `external` may run, word for word.
    pub commands: Vec<String>,
    /// The largest `hash=` in mebibytes.
    pub hash: u64,
}

/// Belongs to the process and not to a value that is handed down: players are made in games, reviews, books, runs and
/// studies, by code that learners and programs of others may add to. What is passed along can be forgotten in one of these
/// places, and that one would be the way in. It can only be set once, and only to allow less.
static GIVEN: OnceLock<Permission> = OnceLock::new();

/// Options by which players write files or read them where they like, and a value that is harmless.
const WRITING: [(&str, &str); 2] = [("log", ""), ("learn", "off")];

/// Restricts all players that are made from now on. Only the first call counts: nothing can be allowed again.
pub fn restrict(permission: Permission) {
    let _ = GIVEN.set(permission);
}

/// Refuses what is not allowed, and more memory than the machine has.
pub(super) fn check(spec: &PlayerSpec) -> Result<(), SpecError> {
    check_against(spec, GIVEN.get())
}

fn check_against(spec: &PlayerSpec, given: Option<&Permission>) -> Result<(), SpecError> {
    if let Some(hash) = spec.get("hash") {
        let most = given.map_or_else(memory, |given| given.hash.min(memory()));
        if hash.parse().is_ok_and(|hash: u64| hash > most) {
            return Err(spec.wrong("hash", hash, format!("at most {most} on this machine")));
        }
    }
    let Some(given) = given else { return Ok(()) };
    if spec.name == "external" || spec.get("run").is_some() {
        let run = spec.get("run").unwrap_or_default();
        if !given.commands.iter().any(|command| command == run) || spec.get("cwd").is_some() {
            return Err(spec.wrong("run", run, "a command that this worker was started with (--external)"));
        }
    }
    for (key, harmless) in WRITING {
        if let Some(value) = spec.get(key).filter(|value| *value != harmless) {
            return Err(spec.wrong(key, value, "nothing: this worker writes no files for others"));
        }
    }
    Ok(())
}

/// Mebibytes of this machine; where it does not say, a size that few are below.
fn memory() -> u64 {
    const USUAL: u64 = 16 << 10;
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let kibibytes = total.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kibibytes.map_or(USUAL, |kibibytes| kibibytes >> 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_allowed_is_made() {
        let given = Permission { commands: vec!["edax -gtp".into()], hash: 256 };
        let is_allowed = |text: &str, given| check_against(&text.parse().unwrap(), given).is_ok();
        for text in ["engine:hash=256", "random", r#"external:gtp:"edax -gtp""#, "book:x,learn=off+engine"] {
            assert!(is_allowed(text, Some(&given)), "{text}");
        }
        for text in [
            "engine:hash=257",
            r#"external:gtp:"edax -gtp -q""#,
            r#"external:gtp:"rm -rf /""#,
            r#"external:gtp:"edax -gtp",cwd=/tmp"#,
            r#"external:gtp:"edax -gtp",log=/tmp/x"#,
            r#"external:batch:"rm -rf /""#,
            r#"mcts:run="rm -rf /""#,
            "book:x,learn=on+engine",
        ] {
            assert!(!is_allowed(text, Some(&given)), "{text}");
        }
        assert!(is_allowed(r#"external:gtp:"anything""#, None));
        assert!(!is_allowed("engine:hash=1048576", None), "a tebibyte");
    }
}
