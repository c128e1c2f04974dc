//! Morris keeps the contract of games, with the presets and every combination of switches.

#![allow(clippy::unwrap_used)]

use trilith_base::Seed;
use trilith_games::morris::Morris;
use trilith_games::{Game, contract};

#[test]
fn presets_keep_the_contract() {
    for rules in ["standard", "thesis", "lasker", "morabaraba"] {
        contract::check(&Morris::new(rules.parse().unwrap()), Seed(1), 20, 200);
    }
}

#[test]
fn switches_of_variants_keep_the_contract() {
    for preset in ["lasker,diagonals=on", "morabaraba,move-while-placing=on", "stones=3", "stones=12"] {
        for capture in ["never", "always"] {
            for more in ["double-mill=two,full-board=draw", "flying=off,quiet-plies=20", "endgame-plies=4"] {
                let rules = format!("{preset},capture-from-mill={capture},{more}");
                contract::check(&Morris::new(rules.parse().unwrap()), Seed(4), 1, 120);
            }
        }
    }
}

#[test]
fn every_combination_of_switches_keeps_the_contract() {
    for capture in ["never", "if-all-in-mills", "always"] {
        for flying in ["on", "off"] {
            for double in ["one", "two"] {
                for draws in ["repetition=3,quiet-plies=20", "repetition=0,quiet-plies=0"] {
                    let rules =
                        format!("capture-from-mill={capture},flying={flying},double-mill={double},{draws}");
                    contract::check(&Morris::new(rules.parse().unwrap()), Seed(2), 3, 120);
                }
            }
        }
    }
}
