//! Where a book without games should grow: drop-out expansion.
//!
//! The positions beyond which play is most likely to go come first (T. R. Lincke, *Strategies for the automatic construction
//! of opening books*, 2000): each way from the start costs what its moves lose against the best ones, and something a ply.
//! Whoever follows the book plays well, and the opponent may be anybody. So ways are priced twice, once for a book that
//! plays each side: what its own side loses costs more than what the other one loses.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashMap, HashSet};

use trilith_games::{Colour, Game, MoveList, Record};

use crate::book::BookReader;
use crate::error::BookError;
use crate::key::{NodeKey, key_of_canonical, layer, next_layer, node_key};

/// What ways through a book cost, in units of the evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Growth {
    /// The first plies cost nothing.
    pub free: usize,
    /// How often what the book's own side loses is counted.
    pub own: f32,
    /// What a ply costs.
    pub ply: f32,
    /// Moves to positions that are further from 0 are left out.
    pub within: f32,
}

/// A way that leads out of a book with its last move.
pub struct Dropout<G: Game> {
    /// What it costs.
    pub cost: f32,
    /// The way, from where games begin.
    pub line: Record<G>,
}

/// A position on a way, and how it is reached.
struct Step<G: Game> {
    position: G::Position,
    layer: usize,
    plies: usize,
    from: Option<(usize, G::Move)>,
}

/// Costs are compared in thousandths.
const PART: f32 = 1000.0;

/// The cheapest ways out of the book by the best moves that it does not have, cheapest first, at most so many.
pub fn dropouts<G: Game>(
    reader: &BookReader<'_>,
    game: &G,
    growth: &Growth,
    most: usize,
) -> Result<Vec<Dropout<G>>, BookError> {
    let mut found: HashMap<NodeKey, (u64, Record<G>)> = HashMap::new();
    for asker in [Colour::Black, Colour::White] {
        let mut search = Search { reader, game, growth, asker, steps: Vec::new(), ways: Vec::new() };
        search.run()?;
        for &(cost, to, step, mv) in &search.ways {
            match found.entry(to) {
                Entry::Occupied(entry) if entry.get().0 <= cost => {}
                entry => {
                    let line = search.line(step, mv)?;
                    entry.insert_entry((cost, line));
                }
            }
        }
    }
    let mut found: Vec<(u64, NodeKey, Record<G>)> =
        found.into_iter().map(|(to, (cost, line))| (cost, to, line)).collect();
    found.sort_by_key(|&(cost, to, _)| (cost, to));
    found.truncate(most);
    Ok(found.into_iter().map(|(cost, _, line)| Dropout { cost: cost as f32 / PART, line }).collect())
}

/// The cheapest ways to all positions for a book that plays the side of `asker` (Dijkstra).
struct Search<'a, G: Game> {
    reader: &'a BookReader<'a>,
    game: &'a G,
    growth: &'a Growth,
    asker: Colour,
    steps: Vec<Step<G>>,
    /// Cost, where it leads, the last position in the book, and the move there.
    ways: Vec<(u64, NodeKey, usize, G::Move)>,
}

impl<G: Game> Search<'_, G> {
    fn run(&mut self) -> Result<(), BookError> {
        let (reader, game, growth) = (self.reader, self.game, self.growth);
        let mut waiting = BinaryHeap::new();
        let mut seen = HashSet::new();
        for (_, text) in reader.roots()? {
            let position = game.parse_position(&text).map_err(|error| damaged(reader, &error))?;
            waiting.push(Reverse((0, self.steps.len())));
            self.steps.push(Step { position, layer: 0, plies: 0, from: None });
        }
        while let Some(Reverse((cost, place))) = waiting.pop() {
            let Step { position, layer, plies, .. } = self.steps[place];
            let (canonical, symmetry) = game.canonical(&position);
            let key = key_of_canonical(game, &canonical, layer);
            let Some(node) = reader.node(key)?.filter(|_| seen.insert(key)) else { continue };
            let best = node.value(node.mover).chance;
            // What is won, lost or proved is not asked again.
            if node.own_result().is_some() || !best.is_finite() {
                continue;
            }
            let weight = if node.mover == self.asker { growth.own } else { 1.0 };
            let price = |value: f32| match plies < growth.free {
                true => 0,
                false => ((growth.ply + weight * (best - value).max(0.0)) * PART) as u64,
            };
            let back = game.inverse(symmetry);
            let move_of = |text: &str| match game.parse_move(&canonical, text) {
                Ok(mv) => Ok(game.image_move(mv, back)),
                Err(error) => Err(damaged(reader, &error)),
            };
            for edge in &node.edges {
                let value = reader.node(edge.to)?.map(|after| -after.value(node.mover).chance);
                let Some(value) = value.filter(|value| value.is_finite()) else { continue };
                let mv = move_of(&edge.mv)?;
                waiting.push(Reverse((cost + price(value), self.steps.len())));
                let after = game.play(&position, mv);
                let layer = next_layer(game, &position, mv, layer);
                self.steps.push(Step { position: after, layer, plies: plies + 1, from: Some((place, mv)) });
            }
            let Some(out) = &node.alternative else { continue };
            if out.value.abs() <= growth.within && reader.node(out.to)?.is_none() {
                self.ways.push((cost + price(out.value), out.to, place, move_of(&out.mv)?));
            }
        }
        Ok(())
    }

    /// The moves to a step and one more.
    fn line(&self, step: usize, mv: G::Move) -> Result<Record<G>, BookError> {
        let (mut moves, mut place) = (vec![mv], step);
        while let Some((before, mv)) = self.steps[place].from {
            moves.push(mv);
            place = before;
        }
        let mut line = Record::from_position(self.game.clone(), self.steps[place].position)
            .map_err(|error| damaged(self.reader, &error))?;
        moves.into_iter().rev().for_each(|mv| line.push_legal(mv));
        Ok(line)
    }
}

fn damaged(reader: &BookReader<'_>, fault: &impl ToString) -> BookError {
    reader.book().damaged(&fault.to_string())
}

/// A way to every position of so many plies, symmetric ones once, and to each game that ends before.
pub fn all_lines<G: Game>(game: &G, plies: usize) -> Vec<Record<G>> {
    let mut lines = vec![Record::new(game.clone())];
    for _ in 0..plies {
        let mut seen = HashSet::new();
        lines = lines.iter().flat_map(|line| longer(game, line)).collect();
        lines.retain(|line| seen.insert(node_key(game, line.position(), layer(line))));
    }
    lines
}

/// A line with each legal move after it, or as it is if its game has ended.
fn longer<G: Game>(game: &G, line: &Record<G>) -> Vec<Record<G>> {
    if line.end().is_some() {
        return vec![line.clone()];
    }
    let mut legal = MoveList::new();
    game.moves(line.position(), &mut legal);
    let with = |&mv| {
        let mut line = line.clone();
        line.push_legal(mv);
        line
    };
    legal.iter().map(with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Book;
    use crate::judge::BookJudgement;
    use trilith_games::othello::Othello;

    const GROWTH: Growth = Growth { free: 0, own: 3.0, ply: 0.5, within: 20.0 };

    fn line(moves: &str) -> Record<Othello> {
        let mut record = Record::new(Othello::default());
        moves.split(' ').for_each(|mv| record.push_text(mv).unwrap());
        record
    }

    /// A book of lines in which searches have found these moves, with these values, after these moves.
    fn book(name: &str, lines: &[&str], found: &[(&str, &str, f32)]) -> (std::path::PathBuf, Book) {
        let path = std::env::temp_dir().join(format!("trilith-growth-{name}-{}.book", std::process::id()));
        let game = Othello::default();
        let book = Book::create(&path, &game, false).unwrap();
        book.update(|draft| {
            lines.iter().try_for_each(|moves| draft.add_line(&line(moves)))?;
            for &(moves, best, value) in found {
                let way = line(moves);
                let (canonical, symmetry) = game.canonical(way.position());
                let mv = game.parse_move(way.position(), best).unwrap();
                let alternative = Some((game.image_move(mv, symmetry), value));
                draft.judge(&game, &canonical, 0, &BookJudgement { proved: None, alternative })?;
            }
            Ok(())
        })
        .unwrap();
        (path, book)
    }

    fn costs(book: &Book, growth: &Growth, most: usize) -> Vec<(String, f32)> {
        let found = dropouts(&book.reader().unwrap(), &Othello::default(), growth, most).unwrap();
        let text =
            |line: &Record<Othello>| line.moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ");
        found.iter().map(|way| (text(&way.line), way.cost)).collect()
    }

    #[test]
    fn the_best_continuation_comes_first_and_own_losses_cost_more() {
        // White's best answer leads to 2 for White; the unplayed one is 1 worse; Black's unplayed move in the end gives -3.
        let found = [("f5", "f4", 1.0), ("f5 d6", "c4", -3.0), ("f5 d6 c3", "d3", 2.0)];
        let (path, book) = book("order", &["f5 d6 c3"], &found);
        // After c3 White has 2, so after d6 Black has -2 and c4 is 1 worse; after f5 White has 2 and f4 is 1 worse.
        let (white, black, end) =
            (("f5 f4".into(), 2.0), ("f5 d6 c4".into(), 2.5), ("f5 d6 c3 d3".into(), 2.0));
        let mut all = costs(&book, &GROWTH, 9);
        all.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(all, [end, black, white]);
        assert_eq!(costs(&book, &GROWTH, 1).len(), 1);
        let free = Growth { free: 2, ..GROWTH };
        assert_eq!(costs(&book, &free, 1), [("f5 f4".to_owned(), 0.0)]);
        let near = Growth { within: 1.5, ..GROWTH };
        assert_eq!(costs(&book, &near, 9), [("f5 f4".to_owned(), 2.0)]);
        drop(book);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn all_lines_are_those_that_symmetry_leaves() {
        let counts = [0, 1, 2, 3, 4, 5].map(|plies| all_lines(&Othello::default(), plies).len());
        assert_eq!(counts, [1, 1, 3, 14, 60, 322]);
    }
}
