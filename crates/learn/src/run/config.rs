//! The config of a run: one TOML file.
//!
//! ```toml
//! kind = "outcomes"      # the learner
//! game = "othello"
//! rules = ""             # optional: rule switches
//! seed = 1               # optional: where all draws come from
//! threads = 1            # optional: 0 stands for all cores
//! checkpoint = 30.0      # optional: seconds between checkpoints
//!
//! [parameters]           # the learner's own, each with a default
//! games = 1000
//! ```

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::RunError;

/// What a run is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunConfig {
    /// The learner's name.
    pub kind: String,
    /// The game's name.
    pub game: String,
    /// Rule switches; the usual rules if empty.
    #[serde(default)]
    pub rules: String,
    /// Where all draws come from.
    #[serde(default = "one")]
    pub seed: u64,
    /// How many threads work; 0 stands for all cores. Results do not depend on it unless the artifact says so.
    #[serde(default = "one_thread")]
    pub threads: usize,
    /// Seconds between checkpoints. Results do not depend on it.
    #[serde(default = "half_a_minute")]
    pub checkpoint: f64,
    /// What the learner is told.
    #[serde(default)]
    pub parameters: Table,
}

fn one() -> u64 {
    1
}

fn one_thread() -> usize {
    1
}

fn half_a_minute() -> f64 {
    30.0
}

/// Keys that a resumed run may change.
const FREE: [&str; 2] = ["threads", "checkpoint"];

impl RunConfig {
    /// Reads a config; the learner's parameters are checked when it begins.
    pub fn parse(text: &str) -> Result<RunConfig, RunError> {
        let config: RunConfig = toml::from_str(text)?;
        if !(0.0..=1e9).contains(&config.checkpoint) {
            return Err(RunError::config("checkpoint", "expected seconds from 0 on"));
        }
        if config.seed > i64::MAX as u64 {
            return Err(RunError::config("seed", "expected a number below 2^63"));
        }
        Ok(config)
    }

    /// The text that [`RunConfig::parse`] reads back.
    pub fn text(&self) -> String {
        toml::to_string(self).expect("plain tables with text keys can be written")
    }

    /// How many threads are meant.
    pub fn workers(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }

    /// The first key whose value is another one in `then`, with both values; keys that may change are left out.
    pub fn difference(&self, then: &RunConfig) -> Option<(String, String, String)> {
        let table = |config: &RunConfig| match Value::try_from(config) {
            Ok(Value::Table(mut table)) => {
                FREE.iter().for_each(|key| drop(table.remove(*key)));
                table
            }
            _ => Table::new(),
        };
        difference("", &table(self), &table(then))
    }
}

fn difference(path: &str, now: &Table, then: &Table) -> Option<(String, String, String)> {
    let shown = |value: Option<&Value>| value.map_or("nothing".into(), ToString::to_string);
    let keys: std::collections::BTreeSet<&String> = now.keys().chain(then.keys()).collect();
    keys.into_iter().find_map(|key| {
        let full = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match (now.get(key), then.get(key)) {
            (Some(Value::Table(now)), Some(Value::Table(then))) => difference(&full, now, then),
            (now, then) if now == then => None,
            (now, then) => Some((full, shown(now), shown(then))),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "kind = \"outcomes\"\ngame = \"morris\"\n[parameters]\nrate = 0.1\ngames = 5\n";

    #[test]
    fn texts_round_trip_and_defaults_are_filled_in() {
        let config = RunConfig::parse(TEXT).unwrap();
        assert_eq!((config.seed, config.threads, config.checkpoint), (1, 1, 30.0));
        assert_eq!(RunConfig::parse(&config.text()).unwrap(), config);
    }

    #[test]
    fn the_first_difference_is_named_and_threads_do_not_count() {
        let then = RunConfig::parse(TEXT).unwrap();
        let now = RunConfig { threads: 7, checkpoint: 1.0, ..then.clone() };
        assert_eq!(now.difference(&then), None);
        let mut now = then.clone();
        now.parameters.insert("rate".into(), Value::Float(0.2));
        let found = now.difference(&then).unwrap();
        assert_eq!(found, ("parameters.rate".into(), "0.2".into(), "0.1".into()));
        now.parameters.remove("rate");
        assert_eq!(now.difference(&then).unwrap().1, "nothing");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let fault = |text: &str| RunConfig::parse(text).unwrap_err().to_string();
        assert!(fault("kind = \"a\"").contains("missing field `game`"));
        assert!(fault("kind = \"a\"\ngame = \"b\"\nsed = 1").contains("unknown field `sed`"));
        assert!(fault("kind = \"a\"\ngame = \"b\"\ncheckpoint = -1.0").starts_with("`checkpoint`: expected"));
    }
}
