//! A combination as a file: its form and features in the settings, tables and parameters as tensors.
//!
//! Settings `form` and `features` (names, spaces between); for each pattern `squares.NAME`. Tensors `constant` [51],
//! `weights` [51, features], for QUAD `quadratic` [51, features, features]; for each pattern `table.NAME` [12, 3^squares]
//! with whole numbers from -127 to 127.

use std::collections::BTreeMap;

use trilith_base::artifact::{ArtifactHeader, FORMAT, Tensor};
use trilith_base::{Artifact, ArtifactError};
use trilith_games::Game;
use trilith_games::othello::Othello;

use super::combination::{Combination, CombinationParameters, Form, SETS};
use super::feature::{FeatureSource, LogistelloFeatures};
use super::probability::{PHASES, SURE};
use super::shape::SquareList;

/// The kind in headers.
pub const KIND: &str = "combination";
const FORM: &str = "form";
const FEATURES: &str = "features";

impl Combination {
    /// Reads what [`Combination::to_artifact`] makes.
    pub fn from_artifact(artifact: &Artifact) -> Result<Combination, ArtifactError> {
        artifact.expect(KIND, Othello::NAME)?;
        let form: Form = setting(artifact, FORM)?;
        let names = text(artifact, FEATURES)?.split_whitespace();
        let sources = names.map(|name| Ok((name.to_owned(), source(artifact, name)?)));
        let sources = sources.collect::<Result<Vec<_>, ArtifactError>>()?;
        let found = text(artifact, FEATURES)?.to_owned();
        let features = LogistelloFeatures::new(sources)
            .map_err(|error| mismatch(FEATURES, &found, &error.to_string()))?;
        let sets = parameters(artifact, form, features.len())?;
        Ok(Combination::new(form, features, sets))
    }

    /// Tables and parameters as a file that says where they come from.
    pub fn to_artifact(&self, provenance: BTreeMap<String, String>) -> Artifact {
        let names: Vec<&str> = self.features().sources().iter().map(|(name, _)| name.as_str()).collect();
        let settings = [(FORM.to_owned(), self.form().to_string()), (FEATURES.to_owned(), names.join(" "))];
        let header = ArtifactHeader {
            format: FORMAT,
            kind: KIND.into(),
            game: Othello::NAME.into(),
            features: "logistello".into(),
            settings: settings.into(),
            provenance,
            ..ArtifactHeader::default()
        };
        let mut artifact = Artifact { header, ..Artifact::default() };
        for (name, source) in self.features().sources() {
            if let FeatureSource::Pattern { shape, tables } = source {
                artifact.header.settings.insert(format!("squares.{name}"), shape.to_string());
                let data = tables.iter().map(|&entry| entry.into()).collect();
                let tensor = Tensor { shape: vec![PHASES, shape.codes()], data };
                artifact.tensors.insert(format!("table.{name}"), tensor);
            }
        }
        self.add_parameters(&mut artifact);
        artifact
    }

    fn add_parameters(&self, artifact: &mut Artifact) {
        let count = self.features().len();
        let mut add =
            |name: &str, shape: Vec<usize>, numbers: &dyn Fn(&CombinationParameters) -> Vec<f64>| {
                let data = self.sets().iter().flat_map(numbers).map(|number| number as f32).collect();
                artifact.tensors.insert(name.into(), Tensor { shape, data });
            };
        add("constant", vec![SETS], &|set| vec![set.constant]);
        add("weights", vec![SETS, count], &|set| set.weights.clone());
        if self.form() == Form::Quad {
            add("quadratic", vec![SETS, count, count], &|set| set.quadratic.clone());
        }
    }
}

fn parameters(
    artifact: &Artifact,
    form: Form,
    count: usize,
) -> Result<Vec<CombinationParameters>, ArtifactError> {
    let constants = artifact.tensor("constant", &[SETS])?;
    let weights = artifact.tensor("weights", &[SETS, count])?;
    let quadratic = match form {
        Form::Quad => artifact.tensor("quadratic", &[SETS, count, count])?,
        _ => &[],
    };
    let row = |numbers: &[f32], length: usize, at: usize| -> Vec<f64> {
        numbers.iter().skip(at * length).take(length).map(|&number| number.into()).collect()
    };
    let set = |at: usize| CombinationParameters {
        constant: constants[at].into(),
        weights: row(weights, count, at),
        quadratic: row(quadratic, count * count, at),
    };
    Ok((0..SETS).map(set).collect())
}

/// The mobilities by their names, everything else a pattern.
fn source(artifact: &Artifact, name: &str) -> Result<FeatureSource, ArtifactError> {
    match name {
        "mobility" => Ok(FeatureSource::Mobility),
        "potential" => Ok(FeatureSource::Potential),
        _ => {
            let shape: SquareList = setting(artifact, &format!("squares.{name}"))?;
            let tensor = format!("table.{name}");
            let numbers = artifact.tensor(&tensor, &[PHASES, shape.codes()])?;
            let tables = numbers.iter().map(|&number| entry(&tensor, number)).collect::<Result<_, _>>()?;
            Ok(FeatureSource::Pattern { shape, tables })
        }
    }
}

fn entry(tensor: &str, number: f32) -> Result<i8, ArtifactError> {
    match number.fract() == 0.0 && number.abs() <= f32::from(SURE) {
        true => Ok(number as i8),
        false => Err(mismatch(&format!("an entry of {tensor}"), &number.to_string(), "-127 to 127")),
    }
}

fn text<'a>(artifact: &'a Artifact, name: &str) -> Result<&'a str, ArtifactError> {
    let found = artifact.header.settings.get(name);
    found.map(String::as_str).ok_or_else(|| mismatch(&format!("setting {name}"), "", "a text"))
}

fn setting<T>(artifact: &Artifact, name: &str) -> Result<T, ArtifactError>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    let found = text(artifact, name)?;
    found.parse().map_err(|error: T::Err| mismatch(&format!("setting {name}"), found, &error.to_string()))
}

fn mismatch(what: &str, found: &str, expected: &str) -> ArtifactError {
    ArtifactError::Mismatch { what: what.into(), found: found.into(), expected: expected.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::LeafEvaluator;
    use crate::othello::logistello::combination::tests::sample;
    use crate::othello::sample::positions;
    use trilith_base::Seed;

    #[test]
    fn files_give_the_same_values() {
        let game = Othello::default();
        for form in [Form::Quad, Form::LogPlus] {
            let combination = sample(form);
            let bytes = combination.to_artifact(BTreeMap::new()).bytes().unwrap();
            let read = Combination::from_artifact(&Artifact::parse(&bytes).unwrap()).unwrap();
            assert_eq!(read.form(), form);
            for position in positions(Seed(1), 50) {
                let difference = LeafEvaluator::value(&read, &game, &position)
                    - LeafEvaluator::value(&combination, &game, &position);
                assert!(difference.abs() <= 1, "rounded to 32 bits in the file");
            }
        }
    }

    #[test]
    fn wrong_files_are_refused_with_the_reason() {
        let artifact = sample(Form::Log).to_artifact(BTreeMap::new());
        let refusal = |change: fn(&mut Artifact)| {
            let mut artifact = artifact.clone();
            change(&mut artifact);
            Combination::from_artifact(&artifact).unwrap_err().to_string()
        };
        assert_eq!(refusal(|a| a.header.game = "morris".into()), "game is `morris`, expected `othello`");
        assert!(refusal(|a| drop(a.header.settings.insert("form".into(), "cubic".into()))).contains("log+"));
        assert_eq!(refusal(|a| drop(a.tensors.remove("weights"))), "no tensor `weights` in it");
        assert_eq!(
            refusal(|a| a.tensors.get_mut("table.row1").unwrap().data[7] = 200.0),
            "an entry of table.row1 is `200`, expected `-127 to 127`"
        );
        assert!(
            refusal(|a| drop(a.header.settings.insert("features".into(), "wedge".into())))
                .contains("squares.wedge")
        );
    }
}
