//! Leaf evaluations a second of the evaluations of Morris and Abalone, on one thread; networks with random weights.
//!
//! `cargo bench -p trilith-eval --bench evaluations`

use std::time::Duration;

use trilith_base::Seed;
use trilith_eval::contract::{self, Speed};
use trilith_eval::features::Described;
use trilith_eval::network::Network;
use trilith_eval::{Catalogue, abalone, morris, own};
use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;

const TIME: Duration = Duration::from_millis(500);

fn main() {
    catalogue::<Morris, morris::Production>();
    network::<Morris>("single", "morris-39", &[(3, "logistic")]);
    network::<Morris>("multi", "morris-39", &[(30, "tanh"), (3, "logistic")]);
    network::<Morris>("combi", "morris-39x39", &[(3, "logistic")]);
    catalogue::<Abalone, abalone::Production>();
    for features in ["s4-11", "s4-4", "abalearn", "lee-noh", "board-61"] {
        network::<Abalone>(features, features, &[(16, "logistic"), (1, "linear")]);
    }
}

/// The production evaluation, fresh and kept, and all that need no file.
fn catalogue<G: Described, C: Catalogue<G>>() {
    let game = G::new(G::Rules::default());
    let Speed { fresh, incremental } = contract::speed(&game, &C::production(), Seed(1), TIME);
    println!("{} engine: fresh {}, incremental {}", G::NAME, shown(fresh), shown(incremental));
    for entry in C::entries() {
        if let Ok(study) = C::named(entry.name, None) {
            let rate = contract::study_speed(&game, &*study, Seed(1), TIME);
            println!("{} {}: {}", G::NAME, entry.name, shown(rate));
        }
    }
}

/// A network of such layers over a feature set.
fn network<G: Described>(name: &str, features: &str, layers: &[(usize, &str)]) {
    let mut text = format!("game = \"{}\"\nfeatures = \"{features}\"\n", G::NAME);
    for (nodes, activation) in layers {
        text += &format!("[[layers]]\nnodes = {nodes}\nactivation = \"{activation}\"\n");
    }
    let file = own::make(&text).expect("a definition");
    let study = Network::<G>::load_any(&file).expect("a network");
    let rate = contract::study_speed(&G::new(G::Rules::default()), &study, Seed(1), TIME);
    println!("{} network {name}: {}", G::NAME, shown(rate));
}

fn shown(rate: f64) -> String {
    format!("{:.2} million/s ({:.1} ns)", rate / 1e6, 1e9 / rate)
}
