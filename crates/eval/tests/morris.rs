//! S2's evaluations of Morris: the worked example, each feature on and off, networks from files.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use trilith_base::Seed;
use trilith_eval::contract::{self, sample};
use trilith_eval::dense::{Activation, Dense};
use trilith_eval::features::{self, Described, FeatureSet};
use trilith_eval::morris::{ByHand, Evaluations, thesis};
use trilith_eval::network::Network;
use trilith_eval::{Catalogue, LeafEvaluator};
use trilith_games::Game;
use trilith_games::morris::points::{self, Points, SpokeGrid};
use trilith_games::morris::{Morris, Position};

/// A position with the properties of S2's Figure 4.1, which is lost: eight stones each, five moves against six, one
/// closed mill each, an open mill of Black's (a7-d7), three potential moves less.
const EXAMPLE: &str = "b2/bbb/wbw/1b1bw1/2w/www/1bw w 0 0";

#[test]
fn table_4_2_adds_up() {
    let game = Morris::default();
    let position = game.parse_position(EXAMPLE).unwrap();
    let standard = ByHand::of(&thesis::STANDARD);
    assert_eq!(standard.value(&game, &position), -11);
    let explanation = standard.explain(&game, &position);
    let terms: Vec<_> =
        explanation.terms.iter().map(|term| (term.name.as_str(), term.contribution)).collect();
    assert_eq!(
        terms,
        [
            ("own stones: 8", 0.30),
            ("other stones: 8", -0.30),
            ("own moves: 4 or 5", 0.15),
            ("other moves: 6 or 7", -0.20),
            ("own closed mills: 1", 0.01),
            ("other closed mills: 1", -0.01),
            ("other open mills: 1", -0.02),
            ("potential moves: 2 to 3 less", -0.04),
        ]
    );
    assert!((explanation.total + 0.11).abs() < 1e-9);
}

#[test]
fn parts_of_standard_leave_out_what_they_say() {
    let game = Morris::default();
    let position = game.parse_position(EXAMPLE).unwrap();
    let value = |part| ByHand::of(part).value(&game, &position);
    assert_eq!(value(&thesis::MINIMAL), 0);
    assert_eq!(value(&thesis::KLEIN), -5);
    assert_eq!(value(&thesis::SMALL), -9);
    let sizes = [thesis::STANDARD, thesis::SMALL, thesis::KLEIN, thesis::MINIMAL].map(|part| part.count());
    assert_eq!(sizes, [39, 31, 22, 12]);
}

/// The 39 features from the words of Table 4.1, stone by stone and mill by mill.
fn slow(game: &Morris, position: &Position) -> Vec<bool> {
    let mills = mills(game.rules().grid);
    let empty = position.empty();
    let side = |stones: Points, hand: u8| {
        let number = stones.count_ones() as i32;
        let leaps = hand > 0 || game.rules().flying && number == 3;
        let flies = leaps && hand == 0;
        let around = |point: u8| game.rules().grid.neighbours(1 << point);
        let ways = |point: u8| (if flies { empty } else { around(point) & empty }).count_ones() as i32;
        let moves: i32 = points::each(stones).map(ways).sum();
        let closed = mills.iter().filter(|&&mill| mill & stones == mill).count() as i32;
        let is_open = |mill: Points| {
            let gap = mill & !stones;
            gap.count_ones() == 1
                && gap & empty != 0
                && (leaps || around(gap.trailing_zeros() as u8) & stones & !mill != 0)
        };
        let open = mills.iter().filter(|&&mill| is_open(mill)).count() as i32;
        let potential: i32 = points::each(stones).map(|point| around(point).count_ones() as i32).sum();
        (number, moves, closed, open, potential)
    };
    let own = side(position.own(), position.own_hand());
    let other = side(position.other(), position.other_hand());
    let mut on = Vec::new();
    for number in [own.0, other.0] {
        on.extend((4..=9).map(|wanted| number.min(9) == wanted));
    }
    for moves in [own.1, other.1] {
        on.extend([2, 4, 6, 8].map(|least| moves == least || moves == least + 1));
        on.push(moves > 10);
    }
    for mills in [own.2, other.2, own.3, other.3] {
        on.extend([mills == 1, mills > 1]);
    }
    let more = own.4 - other.4;
    on.extend([more < -7, (-6..=-4).contains(&more), (-3..=-2).contains(&more), more == -1, more == 0]);
    on.extend([more == 1, (2..=3).contains(&more), (4..=6).contains(&more), more > 7]);
    on
}

fn mills(grid: SpokeGrid) -> Vec<Points> {
    let sets = (0..24).flat_map(|a| (0..a).flat_map(move |b| (0..b).map(move |c| 1 << a | 1 << b | 1 << c)));
    sets.filter(|&set| grid.in_mills(set) == set).collect()
}

fn numbers(set: &dyn FeatureSet<Morris>, game: &Morris, position: &Position) -> Vec<bool> {
    features::of(set, game, position).into_iter().map(|number| number == 1.0).collect()
}

/// Each line: the number of a feature as in the table, a position where it is on, one where it is off.
const ON_AND_OFF: &str = include_str!("data/morris-39.txt");

#[test]
fn each_feature_is_on_and_off_where_it_should() {
    let game = Morris::default();
    let mut lines = ON_AND_OFF.lines();
    for number in 1..=thesis::COUNT {
        let fields: Vec<_> = lines.next().unwrap().split('\t').collect();
        let [on, off] = [fields[1], fields[2]].map(|text| game.parse_position(text).unwrap());
        assert_eq!(fields[0], number.to_string());
        for (position, expected) in [(on, true), (off, false)] {
            assert_eq!(slow(&game, &position)[number - 1], expected, "{number}");
            assert_eq!(numbers(&thesis::STANDARD, &game, &position)[number - 1], expected, "{number}");
        }
    }
}

#[test]
fn features_agree_with_their_words_in_every_phase() {
    for rules in ["standard", "thesis,flying=off", "lasker", "morabaraba"] {
        let game = Morris::new(rules.parse().unwrap());
        let mut seen = [[false; 2]; thesis::COUNT];
        contract::each_position(&game, Seed(3), 50_000, |record| {
            let slow = slow(&game, record.position());
            let text = game.position_text(record.position());
            assert_eq!(numbers(&thesis::STANDARD, &game, record.position()), slow, "{text}");
            for (seen, on) in seen.iter_mut().zip(slow) {
                seen[usize::from(on)] = true;
            }
        });
        assert!(seen.as_flattened().iter().all(|&seen| seen), "{rules}: {seen:?}");
    }
}

#[test]
fn smaller_sets_and_pairs_are_made_of_the_39() {
    let game = Morris::default();
    for position in sample(&game, Seed(4), 5, 200) {
        let all = numbers(&thesis::STANDARD, &game, &position);
        for part in [thesis::SMALL, thesis::KLEIN, thesis::MINIMAL] {
            let expected: Vec<_> = part.places().map(|place| all[place]).collect();
            assert_eq!(numbers(&part, &game, &position), expected);
        }
        let pairs = numbers(&thesis::MuehleFeaturePairs, &game, &position);
        assert_eq!(pairs.len(), 1521);
        for (at, on) in pairs.into_iter().enumerate() {
            assert_eq!(on, all[at / 39] && all[at % 39]);
        }
    }
}

#[test]
fn catalogue_and_sets_keep_the_contract() {
    for rules in ["standard", "thesis,flying=off", "lasker", "morabaraba"] {
        let game = Morris::new(rules.parse().unwrap());
        let positions = sample(&game, Seed(5), 5, 200);
        contract::check_catalogue::<Morris, Evaluations>(&game, &positions);
        for set in Morris::feature_sets() {
            contract::check_features(&game, &*set, &positions);
        }
    }
}

fn network(set: &dyn FeatureSet<Morris>, units: &[(usize, Activation)]) -> trilith_base::Artifact {
    let dense = Dense::random(set.count(), units, 0.5, Seed(6));
    dense.artifact("morris", set.name(), BTreeMap::new())
}

#[test]
fn networks_come_from_files_of_their_shape() {
    let game = Morris::default();
    let positions = sample(&game, Seed(7), 5, 60);
    let folder = std::env::temp_dir().join(format!("trilith-morris-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let out = (3, Activation::Logistic);
    let files = [
        ("single", network(&thesis::STANDARD, &[out])),
        ("singleperf", network(&thesis::STANDARD, &[out])),
        ("small", network(&thesis::SMALL, &[out])),
        ("multi", network(&thesis::STANDARD, &[(30, Activation::Tanh), out])),
        ("combi", network(&thesis::MuehleFeaturePairs, &[out])),
        ("network", network(&thesis::KLEIN, &[(7, Activation::Relu), (1, Activation::Tanh)])),
    ];
    for (name, file) in &files {
        let path = folder.join(name);
        file.save(&path).unwrap();
        let study = Evaluations::named(name, Some(&path)).unwrap();
        contract::check_study(&game, &*study, &positions);
        contract::round_trips(&game, &positions, file, |file, position| {
            Network::<Morris>::load_any(file).unwrap().value(&game, position)
        });
        let different =
            positions.iter().filter(|&at| study.value(&game, at) != study.value(&game, &positions[0]));
        assert!(different.count() > 10, "{name} says the same of everything");
    }
    let refused = |name: &str, path: &str| {
        Evaluations::named(name, Some(&folder.join(path))).err().map(|error| error.to_string())
    };
    assert_eq!(refused("multi", "single").unwrap(), "layers is `39 3`, expected `39 30 3`");
    assert_eq!(refused("combi", "single").unwrap(), "feature set is `morris-39`, expected `morris-39x39`");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_value_is_the_chance_to_win_less_the_chance_to_lose() {
    let game = Morris::default();
    let position = game.parse_position(EXAMPLE).unwrap();
    let file = network(&thesis::STANDARD, &[(3, Activation::Logistic)]);
    let weights = &file.tensors["layer.1.weights"].data;
    let biases = &file.tensors["layer.1.biases"].data;
    let chance = |output: usize| {
        let active = thesis::active(&game, &position).into_iter().filter(|&place| place != thesis::NONE);
        let sum: f64 = active.map(|place| f64::from(weights[place * 3 + output])).sum();
        1.0 / (1.0 + (-sum - f64::from(biases[output])).exp())
    };
    let expected = ((chance(0) - chance(2)) * 10_000.0).round() as i32;
    assert!((Network::<Morris>::load_any(&file).unwrap().value(&game, &position) - expected).abs() <= 1);
}
