//! Where S2's Table 3.1 differs from ours: its procedure repeated with faults put in (see docs/tablebases.md).
//!
//! Loss-backup and win-backup as in S2, 3.3, over the plain rules; captures lead into our tables of seven stones, which
//! agree with the published ones.

#![allow(clippy::unwrap_used)]

use trilith_games::morris::{Morris, Position, Rules};
use trilith_games::{Colour, Game, MoveList, Outcome};
use trilith_tablebase::subspace::Index;
use trilith_tablebase::{Subspace, Tables, ensure};

/// What one position leads to. Positions that stand for none of their class have no moves and count for nothing.
#[derive(Default)]
struct Node {
    counts: bool,
    blocked: bool,
    quiet: Vec<u32>,
    /// What closing a mill leads to if nothing is taken.
    closed: Vec<u32>,
    /// Whether a capture wins, and whether one at least does not lose.
    wins: bool,
    holds: bool,
}

struct Pair {
    subspaces: Vec<Subspace>,
    nodes: Vec<Vec<Node>>,
}

/// A fault of the procedure.
#[derive(Clone, Copy)]
enum Fault {
    None,
    /// Looking for losses it closes mills without taking a stone.
    Untaken,
    /// It does not see that this one position is blocked.
    Unseen(u64),
}

impl Pair {
    fn new(tables: &Tables, game: &Morris, first: &str) -> Pair {
        let first: Subspace = first.parse().unwrap();
        let mut subspaces = vec![first, first.twin()];
        subspaces.dedup();
        let indices: Vec<_> = subspaces.iter().map(|&subspace| Index::new(subspace)).collect();
        let nodes = |number: usize| {
            let subspace = subspaces[number];
            let node = |slot| {
                let (own, other) = subspace.stones_of(slot);
                let counts = indices[number].slot(own, other) == slot;
                let mut node = Node { counts, ..Node::default() };
                if !node.counts {
                    return node;
                }
                let position = Position::moving(own, other, Colour::White);
                let mut moves = MoveList::new();
                game.moves(&position, &mut moves);
                node.blocked = moves.is_empty();
                for &mv in &moves {
                    let after = game.play(&position, mv);
                    if mv.removed_set() == 0 {
                        let twin = &indices[subspaces.len() - 1 - number];
                        node.quiet.push(twin.slot(after.own(), after.other()) as u32);
                        continue;
                    }
                    let twin = &indices[subspaces.len() - 1 - number];
                    let untaken = twin.slot(after.own() | mv.removed_set(), after.other()) as u32;
                    if !node.closed.contains(&untaken) {
                        node.closed.push(untaken);
                    }
                    let outcome = tables.value(&after).unwrap().outcome;
                    node.wins |= outcome == Outcome::Loss;
                    node.holds |= outcome != Outcome::Win;
                }
                node
            };
            (0..subspace.slots()).map(node).collect()
        };
        Pair { nodes: (0..subspaces.len()).map(nodes).collect(), subspaces }
    }

    /// Wins and losses of each table, the side to move first.
    fn solve(&self, fault: Fault) -> Vec<(usize, usize)> {
        let unseen = |slot: usize| matches!(fault, Fault::Unseen(position) if position == slot as u64);
        let is_blocked =
            |(slot, node): (usize, &Node)| (node.blocked && !unseen(slot)).then_some(Outcome::Loss);
        let mut known: Vec<Vec<Option<Outcome>>> =
            self.nodes.iter().map(|nodes| nodes.iter().enumerate().map(is_blocked).collect()).collect();
        loop {
            let mut changed = false;
            for number in 0..self.nodes.len() {
                let twin = self.nodes.len() - 1 - number;
                for (slot, node) in self.nodes[number].iter().enumerate() {
                    if !node.counts || node.blocked || known[number][slot].is_some() {
                        continue;
                    }
                    let after = |&slot: &u32| known[twin][slot as usize];
                    let holds = match fault {
                        Fault::Untaken => node.closed.iter().any(|slot| after(slot) != Some(Outcome::Win)),
                        _ => node.holds,
                    };
                    let found =
                        if node.wins || node.quiet.iter().any(|slot| after(slot) == Some(Outcome::Loss)) {
                            Some(Outcome::Win)
                        } else if !holds && node.quiet.iter().all(|slot| after(slot) == Some(Outcome::Win)) {
                            Some(Outcome::Loss)
                        } else {
                            None
                        };
                    changed |= found.is_some();
                    known[number][slot] = found;
                }
            }
            if !changed {
                let count = |known: &Vec<Option<Outcome>>, outcome| {
                    known.iter().filter(|&&k| k == Some(outcome)).count()
                };
                return known.iter().map(|k| (count(k, Outcome::Win), count(k, Outcome::Loss))).collect();
            }
        }
    }
}

#[test]
#[ignore = "minutes"]
fn faults_that_give_the_published_rows() {
    let game = Morris::new("thesis".parse::<Rules>().unwrap());
    let folder = std::env::temp_dir().join(format!("trilith-published-{}", std::process::id()));
    let tables = ensure(&folder, game.rules(), 8).unwrap();

    let three = Pair::new(&tables, &game, "4-3");
    let rows = three.solve(Fault::None);
    assert_eq!(rows, [(74_649, 3_095), (102_281, 0)]);
    assert_eq!(three.solve(Fault::Untaken), rows, "with seven stones the fault does not show");
    drop(three);

    let four = Pair::new(&tables, &game, "4-4");
    assert_eq!(four.solve(Fault::None), [(159, 29)]);
    let blocked = game.parse_position("www/wb1/3/bb3b/3/3/3 w 0 0").unwrap();
    assert!(game.outcome(&blocked) == Some(Outcome::Loss));
    let slot = Index::new(four.subspaces[0]).slot(blocked.own(), blocked.other());
    assert_eq!(four.solve(Fault::Unseen(slot)), [(152, 28)], "the published rows");
    assert_eq!(four.solve(Fault::Untaken), [(1570, 287)], "so only sides that fly can have had that fault");
    drop(four);

    let five = Pair::new(&tables, &game, "5-3");
    assert_eq!(five.solve(Fault::None), [(576_601, 0), (6_301, 9_677)]);
    assert_eq!(five.solve(Fault::Untaken), [(577_309, 0), (6_301, 10_145)], "the published rows");
    std::fs::remove_dir_all(folder).unwrap();
}
