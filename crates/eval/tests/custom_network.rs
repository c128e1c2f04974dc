//! Users' own evaluations: from a TOML text to a network that evaluates.

#![allow(clippy::unwrap_used)]

use trilith_base::{Artifact, Seed};
use trilith_eval::contract::{self, sample};
use trilith_eval::custom_network;
use trilith_eval::features::Described;
use trilith_eval::network::Network;
use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;
use trilith_games::othello::Othello;

const MULTI: &str = r#"
game = "morris"
features = "morris-39"
rules = "thesis"
seed = 7
initialisation = 0.5

[[layers]]
nodes = 30
activation = "tanh"

[[layers]]
nodes = 3
activation = "logistic"

[learning]
rate = 0.05
lambda = 0.7
momentum = false
schedule = "adaptive"
"#;

#[test]
fn a_definition_becomes_a_network() {
    let file = custom_network::make(MULTI).unwrap();
    assert_eq!((file.header.kind.as_str(), file.header.game.as_str()), ("dense", "morris"));
    assert_eq!((file.header.features.as_str(), file.header.rules.as_str()), ("morris-39", "thesis"));
    let setting = |key: &str| file.header.settings[key].as_str();
    assert_eq!(["layers", "activations"].map(setting), ["39 30 3", "tanh logistic"]);
    assert_eq!(
        ["learning.rate", "learning.lambda", "learning.momentum", "learning.schedule"].map(setting),
        ["0.05", "0.7", "false", "adaptive"]
    );
    let weights = file.tensors.values().flat_map(|tensor| &tensor.data);
    assert!(weights.clone().all(|weight| weight.abs() <= 0.5));
    assert!(weights.clone().any(|&weight| weight > 0.45) && weights.clone().any(|&weight| weight < -0.45));
}

#[test]
fn the_seed_decides_and_nothing_else_does() {
    let file = custom_network::make(MULTI).unwrap();
    assert_eq!(custom_network::make(MULTI).unwrap(), file);
    let other = custom_network::make(&MULTI.replace("seed = 7", "seed = 8")).unwrap();
    assert_ne!(other.tensors, file.tensors);
    assert_eq!(Artifact::parse(&file.bytes().unwrap()).unwrap(), file);
}

fn every_set_makes_a_network<G: Described>() {
    let game = G::new(G::Rules::default());
    let positions = sample(&game, Seed(1), 5, 40);
    for set in G::feature_sets() {
        let text = format!(
            "game = \"{}\"\nfeatures = \"{}\"\nlayers = [{{ nodes = 8, activation = \"logistic\" }}, \
             {{ nodes = 1, activation = \"linear\" }}]",
            G::NAME,
            set.name()
        );
        let file = custom_network::make(&text).expect("a definition for a known set");
        let network = Network::<G>::load_any(&file).expect("a network for a known set");
        contract::check_study(&game, &network, &positions);
    }
}

#[test]
fn every_feature_set_of_every_game_can_be_used() {
    every_set_makes_a_network::<Othello>();
    every_set_makes_a_network::<Morris>();
    every_set_makes_a_network::<Abalone>();
}

#[test]
fn faults_name_line_and_key() {
    let fault = |from: &str, to: &str| {
        assert!(MULTI.contains(from), "{from}");
        custom_network::make(&MULTI.replacen(from, to, 1)).unwrap_err().to_string()
    };
    assert_eq!(
        fault("\"morris\"", "\"moris\""),
        "line 2, `game`: unknown `moris`: expected `morris`? Known: othello, morris, abalone"
    );
    assert!(
        fault("morris-39", "morris-38")
            .starts_with("line 3, `features`: unknown `morris-38`: expected `morris-39`?")
    );
    assert!(fault("\"thesis\"", "\"thesys\"").starts_with("line 4, `rules`: unknown rule `thesys`"));
    assert_eq!(fault("seed = 7", "seed = -7").split(": ").next(), Some("line 5, `seed`"));
    assert_eq!(
        fault("initialisation = 0.5", "initialisation = 0.0"),
        "line 6, `initialisation`: 0 is not a number above 0 and up to 10"
    );
    assert_eq!(
        fault("nodes = 30", "nodes = 3000"),
        "line 9, `nodes`: a layer of 3000 units, expected 1 to 512"
    );
    assert_eq!(fault("nodes = 30", "nodes = \"many\"").split(": ").next(), Some("line 9, `nodes`"));
    assert!(
        fault("\"tanh\"", "\"tan\"").starts_with("line 10, `activation`: unknown `tan`: expected `tanh`?")
    );
    assert_eq!(
        fault("nodes = 3\n", "nodes = 2\n"),
        "line 13, `nodes`: the last layer has 3 nodes (win, draw, loss) or 1 (the value)"
    );
    assert_eq!(
        fault("rate = 0.05", "rate = [1, 2]"),
        "line 17, `rate`: expected a number, a text or a switch"
    );
    assert!(fault("seed", "sead").starts_with("line 5, `sead`: unknown field `sead`"));
    assert_eq!(fault("features = \"morris-39\"\n", ""), "line 1, `features`: missing field `features`");
    assert!(fault("game = ", "game ").starts_with("line 2, `game \"morris\"`: "));
    let layers = "game = \"morris\"\nfeatures = \"morris-39\"\nlayers = []";
    assert_eq!(
        custom_network::make(layers).unwrap_err().to_string(),
        "line 3, `layers`: 0 layers, expected 1 to 8"
    );
}
