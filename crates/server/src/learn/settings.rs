//! The config of a run as a person sends it: nothing in it may name a file, start a program or take all cores.

use std::path::Path;

use toml::{Table, Value};
use trilith_learn::run::{LearnerSetup, RunConfig, kind};

use super::{is_name, run_folder, weights};
use crate::fault::Fault;
use crate::room::wish;

/// The learner that needs files of games, which only the command line can name.
pub(super) const BY_FILES: &str = "logistello";
/// Seconds between checkpoints, at most: what a crash can cost.
const CHECKPOINT: f64 = 10.0;

/// Whole numbers of a config count games, positions or steps: no run of a server is longer.
const MOST: u64 = 100_000_000;
const YARDSTICK: i64 = 100_000;
/// Other numbers are rates and weights.
const LARGEST: f64 = 1e9;
/// Lists are the sizes of layers.
const LONGEST: usize = 16;
const WIDEST: i64 = 4096;
/// Weights between them: what the learner is checked with must fit into the server.
const WEIGHTS: i64 = 4_000_000;

fn is_large(values: &[Value]) -> bool {
    let sizes: Vec<i64> = values.iter().filter_map(Value::as_integer).collect();
    let is_wide = sizes.iter().any(|&size| size > WIDEST);
    values.len() > LONGEST || is_wide || sizes.windows(2).map(|pair| pair[0] * pair[1]).sum::<i64>() > WEIGHTS
}

/// The config that `text` from a client stands for, as the server may use it.
pub(super) fn checked(text: &str, data: &Path) -> Result<RunConfig, Fault> {
    let wrong = |error: &dyn std::fmt::Display| Fault::bad_request(error.to_string());
    let mut config = RunConfig::parse(text).map_err(|error| wrong(&error))?;
    kind(&config.kind).map_err(|error| wrong(&error))?;
    if config.kind == BY_FILES {
        return Err(Fault::bad_request(format!(
            "`{BY_FILES}` learns from files: `trilith train configs/logistello.toml` trains it"
        )));
    }
    check(&mut config.parameters, data)?;
    config.threads = 1;
    config.checkpoint = config.checkpoint.min(CHECKPOINT);
    begun(&config)?;
    Ok(config)
}

/// Refuses what the learner itself does not take.
fn begun(config: &RunConfig) -> Result<(), Fault> {
    let wrong = |error: &dyn std::fmt::Display| Fault::bad_request(error.to_string());
    let kind = kind(&config.kind).map_err(|error| wrong(&error))?;
    if !kind.games.contains(&config.game.as_str()) {
        let games = kind.games.join(", ");
        return Err(Fault::bad_request(format!(
            "`{}` does not learn {}: expected {games}",
            kind.name, config.game
        )));
    }
    (kind.begin)(&LearnerSetup::new(config, Path::new(""))).map(drop).map_err(|error| wrong(&error))
}

fn check(parameters: &mut Table, data: &Path) -> Result<(), Fault> {
    for (key, value) in parameters {
        match (key.as_str(), &mut *value) {
            ("yardstick" | "opponent", Value::String(text)) => player(text, data)?,
            ("table", Value::String(text)) => table(text, data)?,
            ("begin", Value::String(text)) => begin(text, data)?,
            ("start", Value::String(text)) => start(text, data)?,
            ("second", Value::String(text)) => player(text, data)?,
            ("tables", Value::String(text)) if !matches!(text.as_str(), "" | "usual") => {
                return Err(Fault::bad_request("`tables`: expected \"usual\" or nothing"));
            }
            (key, Value::String(text)) if text.contains(['/', '\\']) => {
                return Err(Fault::bad_request(format!("`{key}`: files cannot be named here")));
            }
            (key @ ("yardstick_games" | "second_games"), Value::Integer(games)) if *games > YARDSTICK => {
                return Err(Fault::bad_request(format!("`{key}`: {games}, expected at most {YARDSTICK}")));
            }
            (key, Value::Integer(number)) if number.unsigned_abs() > MOST && key != "seed" => {
                return Err(Fault::bad_request(format!("`{key}`: {number}, expected at most {MOST}")));
            }
            (key, Value::Float(number)) if number.is_nan() || number.abs() > LARGEST => {
                return Err(Fault::bad_request(format!("`{key}`: {number}, expected at most {LARGEST}")));
            }
            (key, Value::Array(values)) if is_large(values) => {
                let error = format!(
                    "`{key}`: expected at most {LONGEST} numbers, each at most {WIDEST}, with {WEIGHTS} weights between them"
                );
                return Err(Fault::bad_request(error));
            }
            (_, Value::Table(inner)) => check(inner, data)?,
            (key, Value::Array(values)) if values.iter().any(Value::is_str) => {
                return Err(Fault::bad_request(format!("`{key}`: files cannot be named here")));
            }
            _ => {}
        }
    }
    Ok(())
}

/// A player that a client may ask for, with what it names in the words of the file system.
fn player(text: &mut String, data: &Path) -> Result<(), Fault> {
    if matches!(text.as_str(), "" | "self") {
        return Ok(());
    }
    let spec = wish::resolved(&wish::checked(text)?, &|name| weights(data, name))?;
    *text = spec.to_string();
    Ok(())
}

/// `heuristic:NAME` or `run:NAME` as the file of its network.
fn begin(text: &mut String, data: &Path) -> Result<(), Fault> {
    if text.is_empty() {
        return Ok(());
    }
    let fault =
        || Fault::bad_request("`begin`: expected `heuristic:NAME` or `run:NAME` of a network made here");
    *text = weights(data, text).filter(|found| found.evaluation == "network").ok_or_else(fault)?.file;
    Ok(())
}

/// `heuristic:NAME` or `run:NAME` as the file of its weights, whatever learner they are for: that one refuses others.
fn start(text: &mut String, data: &Path) -> Result<(), Fault> {
    if text.is_empty() {
        return Ok(());
    }
    let fault =
        || Fault::bad_request("`start`: expected `heuristic:NAME` or `run:NAME` of weights made here");
    *text = weights(data, text).ok_or_else(fault)?.file;
    Ok(())
}

/// `run:NAME` as that run's table.
fn table(text: &mut String, data: &Path) -> Result<(), Fault> {
    let name = text.strip_prefix("run:").filter(|name| is_name(name));
    let path = name.map(|name| run_folder(data, name).join("table.bin")).filter(|path| path.exists());
    let fault = || Fault::bad_request("`table`: expected `run:NAME` of a finished run of `tabular`");
    *text = path.ok_or_else(fault)?.to_string_lossy().into_owned();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        checked(text, Path::new("/nowhere")).err().map_or(String::new(), |fault| fault.message().into())
    }

    #[test]
    fn configs_name_no_files_and_start_no_programs() {
        let of =
            |parameters: &str| format!("kind = \"outcomes\"\ngame = \"othello\"\n[parameters]\n{parameters}");
        assert_eq!(fault(&of("games = 100")), "");
        for parameters in [
            "yardstick = 'external:gtp:\"rm -rf /\"'",
            "yardstick = 'engine:eval=mlp,file=/etc/passwd'",
            "yardstick = 'book:x+engine'",
            "features = '../x'",
            "features = 'no-such-set'",
            "begin = '/etc/passwd'",
            "begin = 'run:none'",
            "start = '/etc/passwd'",
            "second = 'external:gtp:\"rm -rf /\"'",
            "speed = 3",
            "games = 1000000000000",
            "yardstick_games = 1000000000000",
            "rate = inf",
            "rate = nan",
        ] {
            assert_ne!(fault(&of(parameters)), "", "{parameters}");
        }
        assert!(
            fault("kind = \"table-fit\"\ngame = \"othello\"\n[parameters]\ntable = \"/etc/passwd\"")
                .contains("run:NAME")
        );
        assert!(fault("kind = \"logistello\"\ngame = \"othello\"").contains("learns from files"));
        for hidden in
            ["[4097]", "[4000, 1001]", "[2000, 1000, 2000, 1]", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]"]
        {
            let wide = format!("kind = \"teaching\"\ngame = \"morris\"\n[parameters]\nhidden = {hidden}");
            assert!(fault(&wide).contains("weights between them"), "{hidden}: {}", fault(&wide));
        }
        assert!(fault("kind = \"x\"\ngame = \"othello\"").contains("expected"));
        assert!(fault("nonsense").len() > 5);
    }

    #[test]
    fn a_run_gets_one_thread_and_saves_often() {
        let text = "kind = \"outcomes\"\ngame = \"morris\"\nthreads = 0\ncheckpoint = 3600.0";
        let config = checked(text, Path::new("/nowhere")).unwrap();
        assert_eq!((config.threads, config.checkpoint), (1, CHECKPOINT));
    }
}
