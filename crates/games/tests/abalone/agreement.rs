//! The library agrees with the naive implementation, in numbers and move by move.

use std::collections::{BTreeMap, BTreeSet};

use trilith_base::Seed;
use trilith_games::abalone::{Abalone, LAYOUTS};
use trilith_games::{Game, MoveList, Record, playout};

use crate::game;
use crate::naive::Naive;

const PERFT: &str = include_str!("../data/abalone/perft.txt");

/// Rules, depth and count of each line of the table.
fn table() -> impl Iterator<Item = (&'static str, u32, u64)> {
    PERFT.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        (fields[0], fields[1].parse().unwrap(), fields[2].parse().unwrap())
    })
}

fn naive(game: &Abalone) -> Naive {
    let rules = game.rules();
    Naive::start(&rules.layout.to_string(), rules.eject.into(), rules.princess)
}

fn library_matches_the_table(leaves_within: std::ops::Range<u64>) {
    for (rules, depth, leaves) in table().filter(|(_, _, leaves)| leaves_within.contains(leaves)) {
        let game = game(rules);
        assert_eq!(game.perft(&game.start(), depth), leaves, "{rules} at depth {depth}");
    }
}

#[test]
fn perft_matches_the_table() {
    library_matches_the_table(0..300_000_000);
}

#[test]
#[ignore = "minutes"]
fn perft_matches_the_table_where_it_is_large() {
    library_matches_the_table(300_000_000..u64::MAX);
}

#[test]
fn the_table_has_every_layout_with_and_without_princess_to_depth_five() {
    let rows: BTreeSet<_> = table().map(|(rules, depth, _)| (rules, depth)).collect();
    for (name, _) in LAYOUTS {
        for depth in 1..=5 {
            assert!(rows.contains(&(name, depth)));
            assert!(rows.contains(&(format!("{name},princess=on").as_str(), depth)));
        }
    }
}

fn naive_matches_the_table(leaves_within: std::ops::Range<u64>) {
    for (rules, depth, leaves) in table().filter(|(_, _, leaves)| leaves_within.contains(leaves)) {
        assert_eq!(naive(&game(rules)).perft(depth), leaves, "{rules} at depth {depth}");
    }
}

#[test]
fn naive_perft_matches_the_table_where_it_is_small() {
    naive_matches_the_table(0..100_000);
}

#[test]
#[ignore = "minutes"]
fn naive_perft_matches_the_table_to_depth_four() {
    naive_matches_the_table(100_000..100_000_000);
}

/// Moves by what a person does, each with the position after it.
fn library_moves(
    game: &Abalone,
    record: &Record<Abalone>,
) -> BTreeMap<(BTreeSet<String>, BTreeSet<String>), String> {
    let board = game.board();
    let names = |cells: &[usize]| cells.iter().map(|&cell| board.cells[cell].name.clone()).collect();
    let mut moves = MoveList::new();
    game.moves(record.position(), &mut moves);
    let after = |mv| game.position_text(&game.play(record.position(), mv));
    moves
        .into_iter()
        .map(|mv| {
            let action = game.action(record.position(), mv);
            ((names(&action.from), names(&action.to)), after(mv))
        })
        .collect()
}

/// Plays a game at random, comparing all moves and their results on the way, and both orders of the ends.
fn agree_along_a_game(game: &Abalone, seed: Seed, plies: usize) {
    let mut record = Record::new(game.clone());
    let mut other = naive(game);
    let mut rng = seed.rng();
    while record.end().is_none() && record.len() < plies {
        let text = game.position_text(record.position());
        assert_eq!(other.text(), text);
        let expected: BTreeMap<_, _> =
            other.moves().iter().map(|mv| (Naive::action(mv), other.play(mv).text())).collect();
        assert_eq!(library_moves(game, &record), expected, "{text}");
        for mv in other.moves() {
            for text in Naive::texts(&mv) {
                let read = game.parse_move(record.position(), &text).unwrap();
                assert_eq!(game.position_text(&game.play(record.position(), read)), other.play(&mv).text());
            }
        }
        playout::play_on(&mut record, 1, &mut rng);
        let now = game.position_text(record.position());
        other = other.moves().iter().map(|mv| other.play(mv)).find(|after| after.text() == now).unwrap();
    }
}

#[test]
fn every_position_of_random_games_agrees() {
    for (number, (name, _)) in (0..).zip(LAYOUTS) {
        for switches in ["", ",princess=on", ",eject=1"] {
            let game = game(&format!("{name}{switches}"));
            agree_along_a_game(&game, Seed(5).derive(switches, number), 60);
        }
    }
}
