//! The production evaluations of Morris and Abalone keep the contract.

#![allow(clippy::unwrap_used)]

use trilith_base::Seed;
use trilith_eval::contract::{self, sample};
use trilith_eval::features::FeatureSet;
use trilith_eval::{Evaluator, LeafEvaluator, abalone, morris};
use trilith_games::Game;
use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;

#[test]
fn morris_production_keeps_the_contract() {
    for rules in ["standard", "thesis,flying=off"] {
        let game = Morris::new(rules.parse().unwrap());
        let evaluator = morris::HandTuned::default();
        contract::carries_are_kept(&game, &evaluator, Seed(1), 100_000);
        let positions = sample(&game, Seed(2), 7, 300);
        let value = |position: &_| Evaluator::value(&evaluator, &game, position, &());
        contract::images_are_equal(&game, &positions, value);
        for position in &positions {
            contract::explanation_is_true(
                &LeafEvaluator::explain(&evaluator, &game, position),
                Evaluator::<Morris>::unit(&evaluator),
                value(position),
            );
        }
        contract::check_features(&game, &morris::hand_tuned::ProductionFeatures, &positions);
        contract::round_trips(&game, &positions, &evaluator.artifact(), |file, position| {
            LeafEvaluator::value(&morris::HandTuned::load(file).unwrap(), &game, position)
        });
    }
}

#[test]
fn abalone_production_keeps_the_contract() {
    for rules in ["standard", "belgian-daisy,eject=3", "german-daisy,princess=on"] {
        let game = Abalone::new(rules.parse().unwrap());
        let evaluator = abalone::HandTuned::default();
        contract::carries_are_kept(&game, &evaluator, Seed(1), 100_000);
        let positions = sample(&game, Seed(2), 7, 300);
        let value =
            |position: &_| Evaluator::value(&evaluator, &game, position, &evaluator.begin(&game, position));
        contract::images_are_equal(&game, &positions, value);
        for position in &positions {
            contract::explanation_is_true(
                &LeafEvaluator::explain(&evaluator, &game, position),
                Evaluator::<Abalone>::unit(&evaluator),
                value(position),
            );
        }
        contract::check_features(&game, &abalone::hand_tuned::ProductionFeatures, &positions);
        contract::round_trips(&game, &positions, &evaluator.artifact(), |file, position| {
            LeafEvaluator::value(&abalone::HandTuned::load(file).unwrap(), &game, position)
        });
    }
}

#[test]
fn files_for_something_else_are_refused() {
    let morris = morris::HandTuned::default().artifact();
    assert_eq!(
        abalone::HandTuned::load(&morris).unwrap_err().to_string(),
        "game is `morris`, expected `abalone`"
    );
    let mut other = morris.clone();
    other.header.features = "morris-39".into();
    assert_eq!(
        morris::HandTuned::load(&other).unwrap_err().to_string(),
        "feature set is `morris-39`, expected `morris-production`"
    );
    let mut short = morris;
    short.tensors.get_mut("weights").unwrap().shape[0] = 4;
    assert!(morris::HandTuned::load(&short).unwrap_err().to_string().starts_with("shape of tensor weights"));
}

#[test]
fn weights_go_with_the_features_of_the_same_place() {
    let game = Abalone::default();
    let evaluator = abalone::HandTuned::default();
    let weights = evaluator.artifact();
    let weights = &weights.tensors["weights"].data;
    let set = abalone::hand_tuned::ProductionFeatures;
    assert_eq!(weights.len(), set.count());
    for position in sample(&game, Seed(4), 11, 100) {
        let numbers = trilith_eval::features::of(&set, &game, &position);
        let sum: f32 = numbers.iter().zip(weights).map(|(number, weight)| number * weight).sum();
        let value = Evaluator::value(&evaluator, &game, &position, &evaluator.begin(&game, &position));
        assert!((sum * 100.0 - value as f32).abs() <= 1.0);
    }
}
