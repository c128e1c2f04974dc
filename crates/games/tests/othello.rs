//! Othello against the contract of games, its published numbers and known games.

#![allow(clippy::unwrap_used)]

use trilith_base::Seed;
use trilith_games::othello::technique::Technique;
use trilith_games::othello::{self, Move, Othello, Position};
use trilith_games::{Game, contract, perft};

#[test]
fn keeps_the_contract_under_both_scores() {
    for rules in ["standard", "score=discs"] {
        contract::check(&Othello::new(rules.parse().unwrap()), Seed(1), 100, 200);
    }
}

#[test]
fn positions_and_moves_are_small() {
    assert_eq!(size_of::<Position>(), 24);
    assert_eq!(size_of::<Move>(), 1);
}

/// Depths and leaves as published.
fn perft_table() -> impl Iterator<Item = (u32, u64)> {
    let lines = include_str!("data/othello/perft.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let (depth, leaves) = line.split_once(' ').expect("two numbers");
        (depth.parse().expect("a depth"), leaves.parse().expect("a number"))
    })
}

#[test]
fn generic_perft_gives_the_published_numbers() {
    let game = Othello::default();
    for (depth, leaves) in perft_table().take(10) {
        assert_eq!(perft::perft(&game, &game.start(), depth), leaves, "depth {depth}");
    }
}

#[test]
fn every_technique_gives_the_published_perft_numbers() {
    for technique in Technique::available() {
        for (depth, leaves) in perft_table().take(11) {
            assert_eq!(
                othello::perft(technique, &Position::START, depth),
                leaves,
                "{technique}, depth {depth}"
            );
        }
    }
}

#[test]
#[ignore = "seconds: two thousand million leaves a technique"]
fn every_technique_gives_the_deepest_published_perft_number() {
    for technique in Technique::available() {
        for (depth, leaves) in perft_table() {
            assert_eq!(
                othello::perft(technique, &Position::START, depth),
                leaves,
                "{technique}, depth {depth}"
            );
        }
    }
}
