//! A second opinion: the smallest subspaces solved in the plainest way, from the rules alone.
//!
//! Nothing here is shared with the builder: positions and moves come from the game, symmetry from its canonical form,
//! values from going over all positions again and again until nothing changes.

#![allow(clippy::unwrap_used)]

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use trilith_games::morris::{Morris, Position, Rules, points};
use trilith_games::{Colour, Game, MoveList, Outcome};
use trilith_tablebase::{BuildPlan, Counts, Subspace, TableMode, Tables, build};

/// A class of positions, its moves' classes, and whether it has ended (lost).
struct Node {
    position: Position,
    successors: Vec<u32>,
    ended: bool,
}

/// Spreads the two sets of a position over a table. The usual hasher guards against people who choose keys; nobody does here,
/// and it takes half of the time.
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are numbers");
    }

    fn write_u64(&mut self, key: u64) {
        let mixed = (key ^ key >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

type Numbers = HashMap<u64, u32, BuildHasherDefault<Spread>>;

fn canonical(game: &Morris, position: &Position) -> Position {
    game.canonical(&Position::moving(position.own(), position.other(), Colour::White)).0
}

/// Everything that can be reached from `starts`.
fn explore(game: &Morris, starts: impl Iterator<Item = Position>) -> Vec<Node> {
    let mut numbers = Numbers::default();
    let mut positions = Vec::new();
    let mut number = |position: Position, positions: &mut Vec<Position>| {
        let key = u64::from(position.own()) << 32 | u64::from(position.other());
        *numbers.entry(key).or_insert_with(|| {
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
        let mut successors: Vec<u32> =
            moves.iter().map(after).map(|after| number(after, &mut positions)).collect();
        successors.sort_unstable();
        successors.dedup();
        nodes.push(Node { position, successors, ended: game.outcome(&position) == Some(Outcome::Loss) });
    }
    nodes
}

/// Plies to the end where known: even for losses, odd for wins. A pass settles what the pass before makes certain; what is
/// settled stays so.
fn solve(nodes: &[Node]) -> Vec<Option<u32>> {
    let mut plies: Vec<Option<u32>> = nodes.iter().map(|node| node.ended.then_some(0)).collect();
    let mut open: Vec<usize> = (0..nodes.len()).filter(|&number| plies[number].is_none()).collect();
    loop {
        let value = |node: &Node| {
            let after = || node.successors.iter().map(|&number| plies[number as usize]);
            let lost = after().flatten().filter(|plies| plies % 2 == 0).min();
            // The longest way, if all of them are won by the other side.
            let won = || {
                let longest =
                    |most: u32, plies: Option<u32>| Some(most.max(plies.filter(|plies| plies % 2 == 1)?));
                after().try_fold(0, longest).filter(|_| !node.successors.is_empty())
            };
            lost.or_else(won).map(|plies| plies + 1)
        };
        let settled: Vec<(usize, u32)> =
            open.iter().filter_map(|&number| Some((number, value(&nodes[number])?))).collect();
        if settled.is_empty() {
            return plies;
        }
        settled.into_iter().for_each(|(number, value)| plies[number] = Some(value));
        open.retain(|&number| plies[number].is_none());
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
            println!("{rules} {mode} {subspace}: {counts:?}");
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
#[ignore = "a minute"]
fn four_against_three_with_diagonals() {
    agrees("morabaraba", 4, 3);
}

#[test]
#[ignore = "a minute"]
fn four_against_three_with_diagonals_without_flying() {
    agrees("morabaraba,flying=off", 4, 3);
}

#[test]
#[ignore = "a minute"]
fn four_against_three_by_laskers_rules() {
    agrees("lasker", 4, 3);
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
