//! Abalone: the contract under every layout and switch, and the modules below.

// What tests share stands outside of test functions.
#![allow(clippy::unwrap_used)]

mod agreement;
mod cases;
mod endings;
mod naive;

use trilith_base::Seed;
use trilith_games::Game;
use trilith_games::abalone::{Abalone, LAYOUTS};
use trilith_games::contract;

fn game(rules: &str) -> Abalone {
    Abalone::new(rules.parse().expect("rules of a test"))
}

#[test]
fn every_layout_keeps_the_contract() {
    for (name, _) in LAYOUTS {
        for rules in [name.to_string(), format!("{name},princess=on"), format!("{name},eject=1")] {
            contract::check(&game(&rules), Seed(1), 4, 60);
        }
    }
}

#[test]
fn small_layouts_keep_the_contract() {
    for rules in [
        "layout=5/6/2b4/8/3bw1w2/3bw3/2b4/6/5,eject=2,princess=off,repetition=0",
        "layout=5/6/2b4/2w5/3b2w2/3bw3/2b4/6/5,eject=1,princess=on",
    ] {
        contract::check(&game(rules), Seed(2), 20, 300);
    }
}
