//! Othello against the contract of games, its published numbers and known games.

#![allow(clippy::unwrap_used)]

use trilith_base::Seed;
use trilith_games::othello::{Move, Othello, Position};
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
        let (depth, leaves) = line.split_once(' ').unwrap();
        (depth.parse().unwrap(), leaves.parse().unwrap())
    })
}

#[test]
fn generic_perft_gives_the_published_numbers() {
    let game = Othello::default();
    for (depth, leaves) in perft_table().take(9) {
        assert_eq!(perft::perft(&game, &game.start(), depth), leaves, "depth {depth}");
    }
}
