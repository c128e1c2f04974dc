//! A tree goes on after a move with what lies below it.

use std::mem::replace;

use trilith_games::Game;

use super::{Edge, NONE, Node, ROOT, Status, Tree};

impl<G: Game> Tree<G> {
    /// Makes the position after `mv` the root and keeps what lies below it.
    pub(in super::super) fn advance(&mut self, game: &G, mv: G::Move) {
        debug_assert!(self.waiting.is_empty(), "answers are missing");
        let child = self.edges_of(ROOT).iter().find(|edge| edge.mv == mv).map_or(NONE, |edge| edge.child);
        let root = &self.nodes[ROOT];
        let is_new = game.is_irreversible(&root.position, mv);
        let (key, after) = (root.key, game.play(&root.position, mv));
        self.past.push(key);
        if is_new {
            self.past.clear();
        }
        self.plies += 1;
        (self.has_noise, self.is_probed) = (false, false);
        // It grows to about the same size again.
        let room = (Vec::with_capacity(self.nodes.len()), Vec::with_capacity(self.edges.len()));
        let (nodes, edges) = (replace(&mut self.nodes, room.0), replace(&mut self.edges, room.1));
        match child {
            NONE => drop(self.add(game, after, false)),
            child => self.copy(&nodes, &edges, child as usize),
        }
    }

    /// Takes over a node of another tree as the root, with all below it, breadth first.
    fn copy(&mut self, nodes: &[Node<G>], edges: &[Edge<G::Move>], root: usize) {
        // The root's past is known by its keys from here on.
        self.nodes.push(Node { is_new: false, ..nodes[root].clone() });
        let root_node = &mut self.nodes[ROOT];
        match root_node.status {
            // Known, but not by its moves: those are wanted now.
            Status::Known(_) if root_node.count == 0 => {
                *root_node = Node { status: Status::Waiting, visits: 0, total: 0.0, ..root_node.clone() };
            }
            // Known by some of its moves: the others are asked about too.
            Status::Known(_) => root_node.status = Status::Open,
            _ => {}
        }
        let mut at = 0;
        while at < self.nodes.len() {
            // Until here it says where its edges were.
            let before = self.edge_range(at);
            self.nodes[at].first = self.edges.len() as u32;
            for edge in &edges[before] {
                let mut edge = *edge;
                if edge.child != NONE {
                    self.nodes.push(nodes[edge.child as usize].clone());
                    edge.child = self.nodes.len() as u32 - 1;
                }
                self.edges.push(edge);
            }
            at += 1;
        }
    }
}
