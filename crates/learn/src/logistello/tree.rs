//! Positions labelled by NegaMax over the tree of all games.
//!
//! Games that share their beginnings correct each other: a position is worth the best of what was played from it, not
//! what happened in one game (S5, 3.3).

use std::collections::HashMap;

use trilith_games::Colour;
use trilith_games::othello::{Othello, Position};

use crate::othello::game::{OthelloGame, step};

/// A position after a disc, with the margin for Black that best play in the tree leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// Discs of the side to move.
    pub own: u64,
    /// Its opponent's.
    pub other: u64,
    /// Whether Black is to move.
    pub is_black: bool,
    /// Final margin for Black.
    pub margin: i8,
}

impl Example {
    /// The position.
    pub fn position(&self) -> Position {
        let to_move = if self.is_black { Colour::Black } else { Colour::White };
        Position { own: self.own, other: self.other, to_move }
    }

    /// How many discs there are.
    pub fn discs(&self) -> u32 {
        (self.own | self.other).count_ones()
    }
}

/// The side to move is the one that can move: a forced pass is made at once, so that each position is one node.
fn node(position: Position) -> Position {
    if position.mobility() == 0 && !position.has_ended() { position.after_pass() } else { position }
}

struct Node {
    margin: i8,
    /// Whether some game reached it after its last random move.
    is_example: bool,
}

/// The tree of all games, with the margins that best play in it leads to.
fn tree(games: &[OthelloGame]) -> HashMap<Position, Node> {
    let rules = Othello::default();
    let mut nodes: HashMap<Position, Node> = HashMap::new();
    let mut edges: Vec<Vec<(Position, Position)>> = vec![Vec::new(); 65];
    for game in games {
        let mut before = node(Position::START);
        for (ply, &square) in game.squares.iter().enumerate() {
            let after = node(step(&rules, &before, square).expect("games are checked when they are read"));
            edges[64 - before.empties().count_ones() as usize].push((before, after));
            let is_example = ply + 1 >= usize::from(game.random) && !after.has_ended();
            let seen = nodes.entry(after).or_insert(Node { margin: game.margin, is_example });
            seen.is_example |= is_example;
            if ply + 1 == game.squares.len() {
                seen.margin = game.margin;
            }
            before = after;
        }
    }
    back_up(&mut nodes, edges);
    nodes
}

/// All positions that games reached by their own moves, each once, in the order of their discs.
///
/// Positions before a game's last random move are nodes of the tree but no examples.
pub fn examples(games: &[OthelloGame]) -> Vec<Example> {
    let mut all: Vec<Example> = tree(games)
        .into_iter()
        .filter(|(_, node)| node.is_example)
        .map(|(Position { own, other, to_move }, node)| {
            let is_black = to_move == Colour::Black;
            Example { own, other, is_black, margin: node.margin }
        })
        .collect();
    all.sort_unstable_by_key(|example| (example.discs(), example.own, example.other, example.is_black));
    all
}

/// The same examples as games: parts of the games given, in their order, each with the margin that the tree gives to all
/// of its positions. So whoever learns from games learns from labels of the tree.
pub fn relabelled(games: &[OthelloGame]) -> Vec<OthelloGame> {
    let rules = Othello::default();
    let mut tree = tree(games);
    let mut parts: Vec<OthelloGame> = Vec::new();
    for game in games {
        let mut position = node(Position::START);
        let mut is_open = false;
        for (ply, &square) in game.squares.iter().enumerate() {
            position = node(step(&rules, &position, square).expect("games are checked when they are read"));
            let is_own = ply + 1 >= usize::from(game.random);
            let Some(found) = tree.get_mut(&position).filter(|node| node.is_example && is_own) else {
                is_open = false;
                continue;
            };
            found.is_example = false;
            match parts.last_mut().filter(|part| is_open && part.margin == found.margin) {
                Some(part) => part.squares.push(square),
                None => {
                    let (squares, random) = (game.squares[..=ply].to_vec(), ply as u8 + 1);
                    parts.push(OthelloGame { squares, random, margin: found.margin });
                }
            }
            is_open = true;
        }
    }
    parts
}

/// From the most discs to the fewest: each node gets the best of its successors.
fn back_up(nodes: &mut HashMap<Position, Node>, edges: Vec<Vec<(Position, Position)>>) {
    for mut level in edges.into_iter().rev() {
        level.sort_unstable();
        level.dedup();
        for successors in level.chunk_by(|a, b| a.0 == b.0) {
            let margins = successors.iter().filter_map(|(_, after)| Some(nodes.get(after)?.margin));
            let before = successors[0].0;
            let best = match before.to_move {
                Colour::Black => margins.max(),
                Colour::White => margins.min(),
            };
            if let (Some(node), Some(best)) = (nodes.get_mut(&before), best) {
                node.margin = best;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::Seed;
    use trilith_games::{Game, Record, playout};

    /// The same by looking at all games again at every node, without levels, from any node down.
    fn slowly(games: &[OthelloGame], prefix: &[u8]) -> i8 {
        let with: Vec<&OthelloGame> = games.iter().filter(|game| game.squares.starts_with(prefix)).collect();
        let mut next: Vec<u8> =
            with.iter().filter_map(|game| game.squares.get(prefix.len()).copied()).collect();
        next.sort_unstable();
        next.dedup();
        if next.is_empty() {
            return with[0].margin;
        }
        let rules = Othello::default();
        let position =
            prefix.iter().fold(Position::START, |now, &square| step(&rules, &now, square).unwrap());
        let values = next.iter().map(|&square| slowly(games, &[prefix, &[square]].concat()));
        let black = node(position).to_move == Colour::Black;
        if black { values.max().unwrap() } else { values.min().unwrap() }
    }

    fn random_game(number: u64) -> OthelloGame {
        let mut record = Record::new(Othello::default());
        // Few different first moves, so that games share their beginnings.
        playout::play_on(&mut record, 3, &mut Seed(1).derive("opening", number % 5).rng());
        playout::play_on(&mut record, 100, &mut Seed(2).derive("game", number).rng());
        let squares = record.moves().filter_map(|mv| mv.square()).collect();
        let position = record.position();
        let margin = record.game().margin(position) as i8;
        let black = position.to_move == Colour::Black;
        OthelloGame { squares, random: 0, margin: if black { margin } else { -margin } }
    }

    #[test]
    fn labels_are_those_of_the_tree_of_all_games() {
        let games: Vec<OthelloGame> = (0..40).map(random_game).collect();
        let all: HashMap<Position, i8> =
            examples(&games).into_iter().map(|example| (example.position(), example.margin)).collect();
        let rules = Othello::default();
        let mut corrected = 0;
        for game in &games {
            let mut position = Position::START;
            for ply in 0..game.squares.len().min(8) {
                position = step(&rules, &position, game.squares[ply]).unwrap();
                let truth = slowly(&games, &game.squares[..=ply]);
                // Other orders of the same moves may add more ways on; from the third move of these games on they do not.
                if ply >= 3 {
                    assert_eq!(all[&node(position)], truth, "ply {ply}");
                }
                corrected += usize::from(all[&node(position)] != game.margin);
            }
        }
        assert!(corrected > 20, "{corrected} labels differ from their own game's result");
    }

    #[test]
    fn relabelled_games_teach_the_same_examples() {
        let games: Vec<OthelloGame> =
            (0..40).map(|number| OthelloGame { random: (number % 7) as u8, ..random_game(number) }).collect();
        let mut taught = Vec::new();
        for part in relabelled(&games) {
            part.labelled(|position, margin| {
                let margin = if position.to_move == Colour::Black { margin } else { -margin };
                let Position { own, other, to_move } = node(*position);
                taught.push(Example { own, other, is_black: to_move == Colour::Black, margin });
            });
        }
        taught
            .sort_unstable_by_key(|example| (example.discs(), example.own, example.other, example.is_black));
        assert_eq!(taught, examples(&games));
        assert!(games.iter().map(|game| game.squares.len()).sum::<usize>() > taught.len());
    }

    #[test]
    fn positions_before_the_last_random_move_are_no_examples() {
        let mut game = random_game(1);
        let before = examples(std::slice::from_ref(&game)).len();
        game.random = 10;
        assert_eq!(examples(&[game]).len(), before - 9);
    }
}
