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
    for rules in ["standard", "thesis,flying=off", "lasker", "morabaraba"] {
        let game = Morris::new(rules.parse().unwrap());
        let evaluator = morris::MorrisHandTuned::default();
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
        contract::check_features(&game, &morris::hand_tuned::MorrisHandTunedFeatures, &positions);
        contract::round_trips(&game, &positions, &evaluator.artifact(), |file, position| {
            LeafEvaluator::value(&morris::MorrisHandTuned::load(file).unwrap(), &game, position)
        });
    }
}

#[test]
fn abalone_production_keeps_the_contract() {
    for rules in ["standard", "belgian-daisy,eject=3", "german-daisy,princess=on"] {
        let game = Abalone::new(rules.parse().unwrap());
        let evaluator = abalone::AbaloneHandTuned::default();
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
        contract::check_features(&game, &abalone::hand_tuned::AbaloneHandTunedFeatures, &positions);
        contract::round_trips(&game, &positions, &evaluator.artifact(), |file, position| {
            LeafEvaluator::value(&abalone::AbaloneHandTuned::load(file).unwrap(), &game, position)
        });
    }
}

#[test]
fn files_for_something_else_are_refused() {
    let morris = morris::MorrisHandTuned::default().artifact();
    assert_eq!(
        abalone::AbaloneHandTuned::load(&morris).unwrap_err().to_string(),
        "game is `morris`, expected `abalone`"
    );
    let mut other = morris.clone();
    other.header.features = "morris-39".into();
    assert_eq!(
        morris::MorrisHandTuned::load(&other).unwrap_err().to_string(),
        "feature set is `morris-39`, expected `morris-production`"
    );
    let mut short = morris;
    short.tensors.get_mut("weights").unwrap().shape[0] = 4;
    assert!(
        morris::MorrisHandTuned::load(&short).unwrap_err().to_string().starts_with("shape of tensor weights")
    );
}

#[test]
fn weights_go_with_the_features_of_the_same_place() {
    let game = Abalone::default();
    let evaluator = abalone::AbaloneHandTuned::default();
    let weights = evaluator.artifact();
    let weights = &weights.tensors["weights"].data;
    let set = abalone::hand_tuned::AbaloneHandTunedFeatures;
    assert_eq!(weights.len(), set.count());
    for position in sample(&game, Seed(4), 11, 100) {
        let numbers = trilith_eval::features::of(&set, &game, &position);
        let sum: f32 = numbers.iter().zip(weights).map(|(number, weight)| number * weight).sum();
        let value = Evaluator::value(&evaluator, &game, &position, &evaluator.begin(&game, &position));
        assert!((sum * 100.0 - value as f32).abs() <= 1.0);
    }
}

/// A mill on a diagonal and a twelfth stone are worth something, by hand and learned.
#[test]
fn diagonals_and_stones_past_nine_count() {
    let game = Morris::new("morabaraba".parse().unwrap());
    let learned = <morris::Evaluations as trilith_eval::Catalogue<Morris>>::engine_evaluator();
    let value = |text: &str| {
        let position = game.parse_position(text).unwrap();
        let by_hand = LeafEvaluator::value(&morris::MorrisHandTuned::default(), &game, &position);
        [by_hand, LeafEvaluator::value(&*learned, &game, &position)]
    };
    // White has two on the diagonal a7-b6-c5 and one beside it; Black's three see nothing of each other.
    let [open, apart] = ["w2/w2/3/5b/3/3/wbb w 9 9 0", "w1w/3/3/5b/w2/3/1bb w 9 9 0"].map(value);
    assert!(open[0] > apart[0] + 30, "{open:?} {apart:?}");
    let [equal, fewer] = ["www/3/3/3bbb/3/3/3 w 9 9 0", "www/3/3/4bb/3/3/3 w 9 9 0"].map(value);
    assert!(fewer[0] > equal[0] + 50 && fewer[1] > equal[1], "{equal:?} {fewer:?}");
}
