//! The learned evaluations of Morris and Abalone keep the contract.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use rand::RngExt;
use trilith_base::{Artifact, Seed};
use trilith_eval::contract::{self, sample};
use trilith_eval::patterns::{CountedEvaluator, Patterned, Patterns};
use trilith_eval::{Catalogue, Evaluator, LeafEvaluator, abalone, morris};
use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;

/// Weights drawn by lot, whole steps of the file's rounding.
fn drawn<G: Patterned<LANES>, const LANES: usize>() -> Patterns<G, LANES> {
    let mut rng = Seed(3).rng();
    let weights: Vec<f32> =
        (0..Patterns::<G, LANES>::count()).map(|_| rng.random_range(-800..800) as f32 / 1600.0).collect();
    Patterns::from_weights(&weights)
}

fn keeps_the_contract<G: Patterned<LANES>, const LANES: usize>(rules: &str) {
    let game = G::new(rules.parse().ok().unwrap());
    let evaluator = drawn::<G, LANES>();
    contract::carries_are_kept(&game, &evaluator, Seed(1), 100_000);
    let positions = sample(&game, Seed(2), 7, 300);
    let value = |position: &_| LeafEvaluator::value(&evaluator, &game, position);
    contract::images_are_equal(&game, &positions, value);
    let weights = evaluator.to_weights();
    for position in &positions {
        let explanation = evaluator.explain(&game, position);
        contract::explanation_is_true(&explanation, Evaluator::<G>::unit(&evaluator), value(position));
        let mut sum = 0.0;
        Patterns::<G, LANES>::describe(&game, position, |at, number| sum += weights[at] * number);
        assert!((sum * 100.0 - value(position) as f32).abs() < 3.0, "{sum} {}", value(position));
    }
    let artifact = evaluator.to_artifact(BTreeMap::new());
    contract::round_trips(&game, &positions, &artifact, |file, position| {
        LeafEvaluator::value(&Patterns::<G, LANES>::from_artifact(file).unwrap(), &game, position)
    });
}

#[test]
fn morris_patterns_keep_the_contract() {
    keeps_the_contract::<Morris, { morris::patterns::LANES }>("standard");
    keeps_the_contract::<Morris, { morris::patterns::LANES }>("thesis,flying=off");
    keeps_the_contract::<Morris, { morris::patterns::LANES }>("lasker");
    keeps_the_contract::<Morris, { morris::patterns::LANES }>("morabaraba");
}

#[test]
fn abalone_patterns_keep_the_contract() {
    keeps_the_contract::<Abalone, { abalone::patterns::LANES }>("belgian-daisy");
    keeps_the_contract::<Abalone, { abalone::patterns::LANES }>("german-daisy,princess=on");
}

#[test]
fn files_of_the_other_game_or_another_shape_are_refused() {
    let mut artifact = drawn::<Morris, { morris::patterns::LANES }>().to_artifact(BTreeMap::new());
    let refused = abalone::Evaluations::engine_evaluator_from(&artifact).unwrap_err().to_string();
    assert_eq!(refused, "game is `morris`, expected `abalone`");
    artifact.tensors.get_mut("corner").unwrap().shape = vec![1, 2];
    let refused = morris::Evaluations::engine_evaluator_from(&artifact).unwrap_err().to_string();
    assert!(refused.starts_with("shape of tensor corner is `[1, 2]`, expected `[22, "), "{refused}");
}

/// Coarser stages and counts of five phases are a special case of finer ones.
#[test]
fn weights_of_older_files_keep_their_values() {
    let game = Morris::default();
    let mut rng = Seed(4).rng();
    let mut tensor = |shape: Vec<usize>| {
        let data = (0..shape.iter().product()).map(|_| rng.random_range(-800..800) as f32 / 1600.0).collect();
        trilith_base::artifact::Tensor { shape, data }
    };
    let mut old = drawn::<Morris, { morris::patterns::LANES }>().to_artifact(BTreeMap::new());
    old.header.features = "morris-patterns-4".into();
    for (name, values) in &mut old.tensors {
        let shape = if name == "counts" { vec![5 * 37] } else { vec![16, values.shape[1]] };
        *values = tensor(shape);
    }
    let counts = morris::MorrisHandTuned::from_weights(&old.tensors["counts"].data);
    let new = morris::MorrisPatterns::from_artifact(&old).unwrap();
    for position in sample(&game, Seed(5), 7, 300) {
        let explanation = LeafEvaluator::explain(&new, &game, &position);
        let patterns: f64 = explanation.terms[..11].iter().map(|term| term.contribution).sum();
        let expected = patterns * 100.0 + f64::from(LeafEvaluator::value(&counts, &game, &position));
        let found = f64::from(LeafEvaluator::value(&new, &game, &position));
        assert!((found - expected).abs() < 3.0, "{found} {expected}");
    }
}

/// Lines alone are a special case of lines and surroundings.
#[test]
fn abalone_files_without_surroundings_keep_their_values() {
    let game = Abalone::default();
    let mut old = drawn::<Abalone, { abalone::patterns::LANES }>().to_artifact(BTreeMap::new());
    old.header.features = "abalone-patterns-5".into();
    old.tensors.retain(|name, _| !name.starts_with("around"));
    assert_eq!(old.tensors.len(), 6, "five lengths of lines and the counts");
    let new = abalone::AbalonePatterns::from_artifact(&old).unwrap();
    for position in sample(&game, Seed(6), 7, 300) {
        let terms = LeafEvaluator::explain(&new, &game, &position).terms;
        let (lines, around): (Vec<_>, Vec<_>) =
            terms[..64].iter().partition(|term| term.name.starts_with("line"));
        assert_eq!((lines.len(), around.len()), (27, 37), "three times nine lines, all inner cells");
        assert!(around.iter().all(|term| term.contribution == 0.0));
        assert!(lines.iter().any(|term| term.contribution != 0.0));
    }
}

#[test]
fn shipped_weights_can_be_read() {
    for (game, shipped) in [
        ("morris", &include_bytes!("../../../artifacts/morris/patterns.safetensors.zst")[..]),
        ("abalone", &include_bytes!("../../../artifacts/abalone/patterns.safetensors.zst")[..]),
    ] {
        let artifact = Artifact::parse(shipped).unwrap();
        assert_eq!(artifact.header.game, game);
        assert!(!artifact.header.provenance.is_empty());
    }
    morris::Evaluations::engine_evaluator();
    abalone::Evaluations::engine_evaluator();
}
