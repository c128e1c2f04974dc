//! Parameter files: TOML with the evaluation they were fitted for, where they come from, and a checksum.
//!
//! The first line is the checksum of everything after it, so that a cut or altered file is refused.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;

use serde::Deserialize;
use trilith_base::files;
use trilith_eval::Evaluator;
use trilith_games::Game;

use super::{Fit, PHASES, fingerprint};

/// The version of files written now.
pub const FORMAT: u32 = 1;
/// No search is deeper.
const DEEPEST: u32 = 64;

/// What was fitted of one pair of depths.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairFits {
    /// Plies of the shallow search.
    pub shallow: u32,
    /// Plies of the search it may stand for.
    pub deep: u32,
    /// By phase; phases that are missing are not cut.
    pub fits: Vec<Fit>,
}

/// Everything ProbCut needs for one evaluation.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProbCutParameters {
    /// Version of the file.
    pub format: u32,
    /// The game.
    pub game: String,
    /// The name of the evaluation, for people.
    pub evaluation: String,
    /// What tells the evaluation from others: [`fingerprint`].
    pub fingerprint: String,
    /// What `b` and `sigma` count.
    pub unit: String,
    /// How many spreads a value must lie outside the window, unless somebody asks for another number.
    pub percentile: f64,
    /// Seed, command, positions, and what the parameters gained, by name.
    pub provenance: BTreeMap<String, String>,
    /// The pairs of depths.
    #[serde(rename = "pair", default)]
    pub pairs: Vec<PairFits>,
}

/// Why parameters are refused.
#[derive(Debug, thiserror::Error)]
pub enum ProbCutError {
    /// The file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// Which file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// The first line is no checksum.
    #[error("line 1: expected `checksum = \"...\"`: this is no file of ProbCut parameters")]
    Foreign,
    /// Content and checksum disagree.
    #[error("checksum {found}, expected {expected}: the file has been cut or altered")]
    Checksum {
        /// Of what is there.
        found: String,
        /// As written in the file.
        expected: String,
    },
    /// The text cannot be read.
    #[error("line {line} after the checksum: {message}")]
    Syntax {
        /// From 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// It was written by a later version.
    #[error("format {0}: this program reads format {FORMAT}")]
    Version(u32),
    /// A number makes no sense.
    #[error("pair {shallow} -> {deep}: {message}")]
    Pair {
        /// Which pair.
        shallow: u32,
        /// Which pair.
        deep: u32,
        /// What is wrong and what would be right.
        message: String,
    },
    /// The percentile makes no sense.
    #[error("percentile {0}: expected a number from 0.1 to 10")]
    Percentile(f64),
    /// The parameters are for something else.
    #[error(
        "fitted for {what} `{found}`, in use is `{expected}`: fit anew with `trilith fit probcut {game}`"
    )]
    Mismatch {
        /// What differs.
        what: &'static str,
        /// As in the file.
        found: String,
        /// As in use.
        expected: String,
        /// The game in use.
        game: &'static str,
    },
}

impl ProbCutParameters {
    /// Reads and checks a file.
    pub fn load(path: &Path) -> Result<ProbCutParameters, ProbCutError> {
        let text = fs::read_to_string(path).map_err(|source| file_error(path, source))?;
        ProbCutParameters::parse(&text)
    }

    /// Writes a file, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<(), ProbCutError> {
        files::write_whole(path, self.text().as_bytes()).map_err(|source| file_error(path, source))
    }

    /// Reads and checks the text of a file.
    pub fn parse(text: &str) -> Result<ProbCutParameters, ProbCutError> {
        let (first, rest) = text.split_once('\n').ok_or(ProbCutError::Foreign)?;
        let expected = first.strip_prefix("checksum = \"").and_then(|rest| rest.strip_suffix('"'));
        let expected = expected.ok_or(ProbCutError::Foreign)?;
        let found = checksum(rest);
        if found != expected {
            return Err(ProbCutError::Checksum { found, expected: expected.into() });
        }
        let parameters: ProbCutParameters = toml::from_str(rest).map_err(|error| ProbCutError::Syntax {
            line: error.span().map_or(1, |span| rest[..span.start.min(rest.len())].lines().count().max(1)),
            message: error.message().to_owned(),
        })?;
        parameters.check()?;
        Ok(parameters)
    }

    fn check(&self) -> Result<(), ProbCutError> {
        if self.format != FORMAT {
            return Err(ProbCutError::Version(self.format));
        }
        if !(0.1..=10.0).contains(&self.percentile) {
            return Err(ProbCutError::Percentile(self.percentile));
        }
        for PairFits { shallow, deep, fits } in &self.pairs {
            let fault = |message: String| ProbCutError::Pair { shallow: *shallow, deep: *deep, message };
            if shallow >= deep || *shallow == 0 || *deep > DEEPEST {
                return Err(fault(format!("expected 0 < shallow < deep <= {DEEPEST}")));
            }
            for fit in fits {
                if fit.phase >= PHASES {
                    return Err(fault(format!("phase {}, expected one below {PHASES}", fit.phase)));
                }
                if !(0.05..=20.0).contains(&fit.a) || !fit.b.is_finite() {
                    return Err(fault(format!(
                        "phase {}: a = {}, b = {}: expected 0.05 <= a <= 20",
                        fit.phase, fit.a, fit.b
                    )));
                }
                if !(fit.sigma > 0.0 && fit.sigma.is_finite()) {
                    return Err(fault(format!(
                        "phase {}: sigma {}, expected more than 0",
                        fit.phase, fit.sigma
                    )));
                }
            }
        }
        Ok(())
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let ProbCutParameters { format, game, evaluation, fingerprint, unit, percentile, .. } = self;
        let _ = writeln!(text, "format = {format}\ngame = {game:?}\nevaluation = {evaluation:?}");
        let _ = writeln!(text, "fingerprint = {fingerprint:?}\nunit = {unit:?}\npercentile = {percentile:?}");
        let _ = writeln!(text, "\n[provenance]");
        for (name, value) in &self.provenance {
            let _ = writeln!(text, "{name:?} = {value:?}");
        }
        for PairFits { shallow, deep, fits } in &self.pairs {
            let _ = writeln!(text, "\n[[pair]]\nshallow = {shallow}\ndeep = {deep}");
            let _ = writeln!(text, "# phase, positions, a, b, sigma, r2\nfits = [");
            for Fit { phase, n, a, b, sigma, r2 } in fits {
                let _ = writeln!(text, "  [{phase}, {n}, {a:.4}, {b:.4}, {sigma:.4}, {r2:.4}],");
            }
            text += "]\n";
        }
        format!("checksum = \"{}\"\n{text}", checksum(&text))
    }

    /// Refuses the parameters unless they were fitted for this game and this evaluation.
    pub fn expect<G: Game, E: Evaluator<G>>(&self, evaluator: &E) -> Result<(), ProbCutError> {
        let mismatch = |what, found: &str, expected: String| ProbCutError::Mismatch {
            what,
            found: found.into(),
            expected,
            game: G::NAME,
        };
        if self.game != G::NAME {
            return Err(mismatch("game", &self.game, G::NAME.into()));
        }
        let print = fingerprint::<G, E>(evaluator);
        if self.fingerprint != print {
            return Err(mismatch("an evaluation with the fingerprint", &self.fingerprint, print));
        }
        Ok(())
    }
}

fn checksum(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..32].to_owned()
}

fn file_error(path: &Path, source: io::Error) -> ProbCutError {
    ProbCutError::File { path: path.display().to_string(), source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_eval::Margin;
    use trilith_games::morris::Morris;
    use trilith_games::othello::Othello;

    fn sample() -> ProbCutParameters {
        let fit = |phase| Fit { phase, n: 120, a: 0.9375, b: -0.5, sigma: 1.25, r2: 0.875 };
        ProbCutParameters {
            format: FORMAT,
            game: "othello".into(),
            evaluation: "margin".into(),
            fingerprint: fingerprint::<Othello, _>(&Margin),
            unit: "discs".into(),
            percentile: 1.5,
            provenance: BTreeMap::from([("command \"x\"".into(), "fit\n1".into())]),
            pairs: vec![
                PairFits { shallow: 1, deep: 3, fits: vec![fit(10), fit(11)] },
                PairFits { shallow: 2, deep: 4, fits: vec![] },
            ],
        }
    }

    /// The text with a right checksum, whatever was done to it.
    fn signed(text: &str) -> String {
        let rest = text.split_once('\n').unwrap().1;
        format!("checksum = \"{}\"\n{rest}", checksum(rest))
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(ProbCutParameters::parse(&sample().text()).unwrap(), sample());
        assert!(sample().expect::<Othello, _>(&Margin).is_ok());
    }

    #[test]
    fn cut_and_altered_files_are_refused() {
        let text = sample().text();
        for at in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            if let Ok(altered) = String::from_utf8(bytes) {
                assert!(ProbCutParameters::parse(&altered).is_err(), "byte {at}");
            }
            assert!(ProbCutParameters::parse(&text[..at]).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn refusals_say_why() {
        let text = sample().text();
        let fault = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            ProbCutParameters::parse(&signed(&text.replacen(from, to, 1))).unwrap_err().to_string()
        };
        assert_eq!(fault("format = 1", "format = 2"), "format 2: this program reads format 1");
        assert!(fault("game = ", "evil = 1\ngame = ").contains("unknown field"), "unknown keys are named");
        assert_eq!(
            fault("0.9375", "-1.0"),
            "pair 1 -> 3: phase 10: a = -1, b = -0.5: expected 0.05 <= a <= 20"
        );
        assert_eq!(fault("1.2500", "0.0"), "pair 1 -> 3: phase 10: sigma 0, expected more than 0");
        assert_eq!(fault("[10,", "[64,"), "pair 1 -> 3: phase 64, expected one below 64");
        assert_eq!(fault("shallow = 1", "shallow = 3"), "pair 3 -> 3: expected 0 < shallow < deep <= 64");
        assert_eq!(
            fault("percentile = 1.5", "percentile = nan"),
            "percentile NaN: expected a number from 0.1 to 10"
        );
        assert!(fault("deep = 3", "deep = x").starts_with("line "));
        let text = ProbCutParameters::parse("hello\nworld").unwrap_err().to_string();
        assert!(text.contains("no file of ProbCut parameters"), "{text}");
    }

    #[test]
    fn parameters_of_another_game_or_evaluation_are_refused() {
        let error = sample().expect::<Morris, _>(&Margin).unwrap_err().to_string();
        assert_eq!(
            error,
            "fitted for game `othello`, in use is `morris`: fit anew with `trilith fit probcut morris`"
        );
        let other = ProbCutParameters { fingerprint: "0123456789abcdef".into(), ..sample() };
        let error = other.expect::<Othello, _>(&Margin).unwrap_err().to_string();
        assert!(
            error.starts_with("fitted for an evaluation with the fingerprint `0123456789abcdef`"),
            "{error}"
        );
    }
}
