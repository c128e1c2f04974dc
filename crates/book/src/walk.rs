//! Goes through all positions of a book.

use std::collections::HashSet;

use trilith_games::Game;

use crate::book::BookReader;
use crate::error::BookError;
use crate::key::{NodeKey, next_layer};
use crate::node::Node;

/// A position of the book on the way to which it was first met.
pub struct BookVisit<'a, G: Game> {
    /// Its name.
    pub key: NodeKey,
    /// What is known of it.
    pub node: &'a Node,
    /// The position itself, as it lies after the moves.
    pub position: &'a G::Position,
    /// Plies since the last move that cannot be undone.
    pub layer: usize,
    /// Where the way begins.
    pub start: &'a G::Position,
    /// The way.
    pub moves: &'a [G::Move],
}

/// A way through a book that meets each position once.
pub struct Walk<'a, G: Game> {
    reader: &'a BookReader<'a>,
    game: &'a G,
    seen: HashSet<NodeKey>,
    start: G::Position,
    moves: Vec<G::Move>,
}

impl<'a, G: Game> Walk<'a, G> {
    /// Meets every position that can be reached through positions for which `visit` says to go on, parents first.
    pub fn all(
        reader: &'a BookReader<'a>,
        game: &'a G,
        visit: &mut dyn FnMut(BookVisit<'_, G>) -> bool,
    ) -> Result<(), BookError> {
        let mut walk = Walk { reader, game, seen: HashSet::new(), start: game.start(), moves: Vec::new() };
        for (key, text) in reader.roots()? {
            let start = game.parse_position(&text);
            walk.start = start.map_err(|error| reader.book().damaged(&error.to_string()))?;
            let start = walk.start;
            walk.from(key, &start, 0, visit)?;
        }
        Ok(())
    }

    fn from(
        &mut self,
        key: NodeKey,
        position: &G::Position,
        layer: usize,
        visit: &mut dyn FnMut(BookVisit<'_, G>) -> bool,
    ) -> Result<(), BookError> {
        if !self.seen.insert(key) {
            return Ok(());
        }
        let damaged = |fault: &str| self.reader.book().damaged(fault);
        let node = self.reader.node(key)?.ok_or_else(|| damaged("an edge leads nowhere"))?;
        let (start, moves) = (&self.start, &self.moves);
        if !visit(BookVisit { key, node: &node, position, layer, start, moves }) {
            return Ok(());
        }
        let (canonical, symmetry) = self.game.canonical(position);
        let back = self.game.inverse(symmetry);
        for edge in &node.edges {
            let mv = self.game.parse_move(&canonical, &edge.mv);
            let mv = mv.map_err(|error| self.reader.book().damaged(&error.to_string()))?;
            let mv = self.game.image_move(mv, back);
            self.moves.push(mv);
            let after = self.game.play(position, mv);
            self.from(edge.to, &after, next_layer(self.game, position, mv, layer), visit)?;
            self.moves.pop();
        }
        Ok(())
    }
}
