//! A second opinion: the smallest subspaces solved in the plainest way, from the rules alone.
//!
//! Nothing here is shared with the builder: positions and moves come from the game, symmetry from its canonical form,
//! values from going over all positions again and again until nothing changes.

#![allow(clippy::unwrap_used)]

use std::collections::HashMap;

use trilith_games::morris::{Morris, Position, Rules, points};
use trilith_games::{Colour, Game, MoveList, Outcome};
use trilith_tablebase::{BuildPlan, Counts, TableMode, Subspace, Tables, build};

/// A class of positions, its moves' classes, and whether it has ended (lost).
struct Node {
    position: Position,
    successors: Vec<u32>,
    ended: bool,
}

fn canonical(game: &Morris, position: &Position) -> Position {
    game.canonical(&Position::moving(position.own(), position.other(), Colour::White)).0
}

/// Everything that can be reached from `starts`.
fn explore(game: &Morris, starts: impl Iterator<Item = Position>) -> Vec<Node> {
    let mut numbers = HashMap::new();
    let mut positions = Vec::new();
    let mut number = |position: Position, positions: &mut Vec<Position>| {
        *numbers.entry(position).or_insert_with(|| {
            positions.push(position);
            positions.len() as u32 - 1
        })
    };
    for position in starts {
        number(canonical(game, &position), &mut positions);
    }
    let mut nodes = Vec::new();
    while nodes.len() < positions.len() {
        let position = positions[nodes.len()];
        let mut moves = MoveList::new();
        game.moves(&position, &mut moves);
        let after = |mv: &_| canonical(game, &game.play(&position, *mv));
        let successors = moves.iter().map(after).map(|after| number(after, &mut positions)).collect();
        nodes.push(Node { position, successors, ended: game.outcome(&position) == Some(Outcome::Loss) });
    }
    nodes
}

/// Plies to the end where known: even for losses, odd for wins. A pass settles what the pass before makes certain.
fn solve(nodes: &[Node]) -> Vec<Option<u32>> {
    let mut plies: Vec<Option<u32>> = nodes.iter().map(|node| node.ended.then_some(0)).collect();
    loop {
        let value = |node: &Node| {
            let after = || node.successors.iter().map(|&number| plies[number as usize]);
            let lost = after().flatten().filter(|plies| plies % 2 == 0).min();
            let won =
                || after().map(|plies| plies.filter(|plies| plies % 2 == 1)).collect::<Option<Vec<_>>>();
            match lost {
                Some(plies) => Some(plies + 1),
                None => won().and_then(|all| all.into_iter().max()).map(|plies| plies + 1),
            }
        };
        let next: Vec<_> = nodes.iter().map(|node| if node.ended { Some(0) } else { value(node) }).collect();
        if next == plies {
            return plies;
        }
        plies = next;
    }
}

/// All ways to put so many stones, the second side's on points that the first leaves.
fn placings(own: u32, other: u32) -> impl Iterator<Item = Position> {
    let sets = |stones| -> Vec<u32> { (0_u32..1 << 24).filter(|set| set.count_ones() == stones).collect() };
    let seconds = sets(other);
    // Each class has a member whose own stones are their smallest image: the others add nothing.
    let is_smallest = |first: &u32| (0..16).all(|symmetry| points::image(*first, symmetry) >= *first);
    sets(own).into_iter().filter(is_smallest).flat_map(move |first| {
        let apart = seconds.clone().into_iter().filter(move |second| first & second == 0);
        apart.map(move |second| Position::moving(first, second, Colour::White))
    })
}

/// Classes of a subspace by value, each node being one.
fn naive_counts(nodes: &[Node], plies: &[Option<u32>], subspace: Subspace, mode: TableMode) -> Counts {
    let mut counts = Counts::default();
    for (node, plies) in nodes.iter().zip(plies) {
        let stones = [node.position.own(), node.position.other()].map(u32::count_ones);
        if stones == [subspace.own(), subspace.other()] {
            counts.add(plies.map_or(u16::MAX, |plies| plies as u16), mode);
        }
    }
    counts
}

fn agrees(rules: &str, own: u32, other: u32) {
    let game = Morris::new(rules.parse::<Rules>().unwrap());
    let nodes = explore(&game, placings(own, other).chain(placings(other, own)));
    let plies = solve(&nodes);
    let name = format!("trilith-naive-{rules}-{own}-{other}-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    for mode in [TableMode::Distance, TableMode::Wdl] {
        let plan = BuildPlan { mode, threads: 2, ..BuildPlan::up_to(own + other) };
        build(&folder.join(mode.to_string()), game.rules(), &plan, |_| {}).unwrap();
        let tables = Tables::open(&folder.join(mode.to_string()), game.rules()).unwrap();
        for (node, &plies) in nodes.iter().zip(&plies) {
            let value = tables.value(&node.position).unwrap();
            let outcome = match plies {
                None => Outcome::Draw,
                Some(plies) if plies % 2 == 1 => Outcome::Win,
                _ => Outcome::Loss,
            };
            let text = || game.position_text(&node.position);
            assert_eq!(value.outcome, outcome, "{mode}: {}", text());
            if mode == TableMode::Distance {
                assert_eq!(value.plies, plies, "{}", text());
            }
        }
        for subspace in [Subspace::new(own, other).unwrap(), Subspace::new(other, own).unwrap()] {
            let counts = tables.get(subspace).unwrap().header().counts;
            assert_eq!(counts, naive_counts(&nodes, &plies, subspace, mode), "{mode} {subspace}");
        }
    }
    assert!(nodes.len() > 169_626);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn three_against_three_by_both_presets() {
    agrees("standard", 3, 3);
    agrees("thesis", 3, 3);
}

/// Diagonals make other tables; Lasker's endgames are those of nine men, so its tables are theirs.
#[test]
fn three_against_three_with_diagonals_and_by_laskers_rules() {
    agrees("morabaraba", 3, 3);
    agrees("lasker", 3, 3);
}

#[test]
#[ignore = "minutes"]
fn four_against_three_with_diagonals() {
    agrees("morabaraba", 4, 3);
    agrees("morabaraba,flying=off", 4, 3);
}

#[test]
#[ignore = "minutes"]
fn four_against_three_by_both_presets() {
    agrees("standard", 4, 3);
    agrees("thesis", 4, 3);
}

#[test]
#[ignore = "minutes"]
fn four_against_three_without_flying_and_with_any_capture() {
    agrees("standard,flying=off", 4, 3);
    agrees("capture-from-mill=always", 4, 3);
}
