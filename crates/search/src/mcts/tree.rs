//! One tree: selection, proofs, visits.

mod exact;
mod reuse;

use std::collections::VecDeque;
use std::ops::Range;

use rand::RngExt;
use trilith_base::seed::Rng;
use trilith_games::{Game, MoveList, Outcome, Record};

use super::noise::dirichlet;
use super::{Batch, Guide, PuctOptions};
use exact::ProvedOutcome;

/// No child yet.
const NONE: u32 = u32::MAX;

/// Visits after which exploration has grown by log 2 (AlphaZero's `c_base`).
const SLOW: f32 = 19_652.0;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    /// The network has been asked.
    Waiting,
    /// It has answered.
    Open,
    /// By rule, oracle or proof.
    Known(ProvedOutcome),
}

#[derive(Clone)]
struct Node<G: Game> {
    position: G::Position,
    key: u64,
    /// Whether no position from before the move that led here can come again.
    is_new: bool,
    status: Status,
    first: u32,
    count: u32,
    visits: u32,
    /// For the side to move.
    total: f32,
}

#[derive(Clone, Copy)]
struct Edge<M> {
    mv: M,
    prior: f32,
    child: u32,
    visits: u32,
    /// Visits that have not been answered yet; each counts as a loss until it is (virtual loss).
    in_flight: u32,
    /// For the side that makes the move.
    total: f32,
}

/// A way from the root to a leaf.
#[derive(Clone, Default)]
struct Path {
    edges: Vec<u32>,
    nodes: Vec<u32>,
}

/// The tree of one game.
#[derive(Clone)]
pub struct Tree<G: Game> {
    nodes: Vec<Node<G>>,
    edges: Vec<Edge<G::Move>>,
    /// Keys of positions before the root that can still come again.
    past: Vec<u64>,
    /// Plies before the root.
    plies: usize,
    has_noise: bool,
    /// Whether all moves of the root have been asked about.
    is_probed: bool,
    waiting: VecDeque<Path>,
    /// Ways that have been gone, to be used again.
    spare: Vec<Path>,
}

const ROOT: usize = 0;

impl<G: Game> Tree<G> {
    /// The root alone, of a game that has not ended.
    pub fn new(record: &Record<G>) -> Tree<G> {
        let (game, position) = (record.game(), *record.position());
        let mut tree = Tree { past: record.returnable(), plies: record.len(), ..Tree::empty() };
        tree.add(game, position, false);
        tree
    }

    fn empty() -> Tree<G> {
        let (nodes, edges, past, waiting, spare) = Default::default();
        Tree { nodes, edges, past, plies: 0, has_noise: false, is_probed: false, waiting, spare }
    }

    /// The position at the root.
    pub fn position(&self) -> &G::Position {
        &self.nodes[ROOT].position
    }

    /// Visits of the root.
    pub fn visits(&self) -> u32 {
        self.nodes[ROOT].visits
    }

    /// What the root is worth for the side to move, -1 to 1: the mean of its visits, or exactly if it is proved.
    pub fn value(&self) -> f32 {
        let root = &self.nodes[ROOT];
        match root.status {
            Status::Known(certain) => worth(certain.outcome),
            _ => root.total / root.visits.max(1) as f32,
        }
    }

    /// What is proved of the root, for the side to move.
    pub fn proved(&self) -> Option<Outcome> {
        self.certain().map(|certain| certain.outcome)
    }

    fn certain(&self) -> Option<ProvedOutcome> {
        match self.nodes[ROOT].status {
            Status::Known(certain) => Some(certain),
            _ => None,
        }
    }

    pub(super) fn is_done(&self, options: &PuctOptions) -> bool {
        self.proved().is_some() || self.visits() > options.simulations
    }

    /// The moves at the root with the share of the visits that each deserves: none for moves that are proved to be worse
    /// than the root's value, or slower to win.
    pub fn policy(&self) -> Vec<(G::Move, f32)> {
        let edges = self.edges_of(ROOT);
        let best = self.certain().map(ProvedOutcome::merit);
        // A proved root may have been reached with few visits: then its best moves share.
        let weight = |edge: &Edge<G::Move>| match (best, self.known(edge)) {
            (Some(best), Some(known)) if known.merit() >= best => edge.visits.max(1),
            (Some(_), _) => 0,
            (None, Some(known)) if known.outcome == Outcome::Loss => 0,
            (None, _) => edge.visits,
        };
        let sum: u32 = edges.iter().map(weight).sum();
        if sum == 0 {
            return edges.iter().map(|edge| (edge.mv, 1.0 / edges.len() as f32)).collect();
        }
        edges.iter().map(|edge| (edge.mv, weight(edge) as f32 / sum as f32)).collect()
    }

    /// Moves with their visits and mean values for the side to move, most visits first.
    pub fn lines(&self) -> Vec<(G::Move, u32, f32)> {
        let mut lines: Vec<_> =
            self.edges_of(ROOT).iter().map(|edge| (edge.mv, edge.visits, self.mean(edge))).collect();
        lines.sort_by_key(|line| std::cmp::Reverse(line.1));
        lines
    }

    fn mean(&self, edge: &Edge<G::Move>) -> f32 {
        self.known(edge).map_or(edge.total / edge.visits.max(1) as f32, |known| worth(known.outcome))
    }

    fn edges_of(&self, node: usize) -> &[Edge<G::Move>] {
        &self.edges[self.edge_range(node)]
    }

    fn edge_range(&self, node: usize) -> Range<usize> {
        let Node { first, count, .. } = self.nodes[node];
        first as usize..(first + count) as usize
    }

    /// Adds a position without moves.
    fn add(&mut self, game: &G, position: G::Position, is_new: bool) -> u32 {
        let key = game.key(&position);
        let (status, first) = (Status::Waiting, self.edges.len() as u32);
        self.nodes.push(Node { position, key, is_new, status, first, count: 0, visits: 0, total: 0.0 });
        self.nodes.len() as u32 - 1
    }

    /// Walks down until `room` leaves wait for the network, or all walks end in what is known or already asked. Their
    /// positions are added to the batch.
    pub(super) fn descend(
        &mut self,
        guide: &Guide<'_, G>,
        room: usize,
        rng: &mut Rng,
        batch: &mut Batch,
    ) -> usize {
        let Guide { game, options, oracle } = *guide;
        if options.noise > 0.0 && !self.has_noise && self.nodes[ROOT].status == Status::Open {
            self.add_noise(options, rng);
        }
        if !self.is_probed && self.nodes[ROOT].status == Status::Open {
            self.prove_root(game, oracle);
        }
        let mut leaves = 0;
        while leaves < room && !self.is_done(options) {
            let (path, is_new) = self.select(game, options);
            let leaf = *path.nodes.last().expect("a path has the root") as usize;
            match self.nodes[leaf].status {
                // Already asked: nothing new can be learnt before the answers come.
                Status::Waiting if !is_new => {
                    self.give_up(path);
                    break;
                }
                Status::Waiting => match self.exact(game, oracle, &path) {
                    Some(certain) => self.settle(path, certain),
                    None => {
                        self.ask(game, leaf, batch);
                        self.waiting.push_back(path);
                        leaves += 1;
                    }
                },
                Status::Known(certain) => self.settle(path, certain),
                Status::Open => unreachable!("a path ends at a node without an answer"),
            }
        }
        leaves
    }

    /// The root alone.
    fn begin_path(&mut self) -> Path {
        let mut path = self.spare.pop().unwrap_or_default();
        path.edges.clear();
        path.nodes.clear();
        path.nodes.push(ROOT as u32);
        path
    }

    /// From the root along the most promising edges to a node that is not open; true if it was added just now.
    fn select(&mut self, game: &G, options: &PuctOptions) -> (Path, bool) {
        let mut path = self.begin_path();
        let mut node = ROOT;
        while self.nodes[node].status == Status::Open {
            let at = self.best_edge(node, options);
            self.edges[at].in_flight += 1;
            path.edges.push(at as u32);
            let is_fresh = self.edges[at].child == NONE;
            if is_fresh {
                let (before, mv) = (self.nodes[node].position, self.edges[at].mv);
                let is_new = game.is_irreversible(&before, mv);
                self.edges[at].child = self.add(game, game.play(&before, mv), is_new);
            }
            node = self.edges[at].child as usize;
            path.nodes.push(node as u32);
            if is_fresh {
                return (path, true);
            }
        }
        (path, node == ROOT && self.waiting.is_empty())
    }

    /// The edge with the largest sum of value and exploration; moves that are proved to lose come last.
    fn best_edge(&self, node: usize, options: &PuctOptions) -> usize {
        let Node { first, visits, total, .. } = self.nodes[node];
        let explore = options.exploration + ((visits as f32 + SLOW + 1.0) / SLOW).ln();
        let scale = explore * (visits.max(1) as f32).sqrt();
        let unseen = (total / visits.max(1) as f32 - options.first_play_reduction).max(-1.0);
        let score = |edge: &Edge<G::Move>| {
            let tries = (edge.visits + edge.in_flight) as f32;
            let value = match self.known(edge) {
                Some(ProvedOutcome { outcome: Outcome::Loss, .. }) => return -1.0e9 + edge.prior,
                Some(known) => worth(known.outcome),
                None if tries == 0.0 => unseen,
                None => (edge.total - edge.in_flight as f32) / tries,
            };
            value + scale * edge.prior / (1.0 + tries)
        };
        let mut best = (f32::NEG_INFINITY, 0);
        for (at, edge) in self.edges_of(node).iter().enumerate() {
            let score = score(edge);
            if score > best.0 {
                best = (score, at);
            }
        }
        first as usize + best.1
    }

    /// Takes back the visits of a path that led nowhere.
    fn give_up(&mut self, path: Path) {
        for &edge in &path.edges {
            self.edges[edge as usize].in_flight -= 1;
        }
        self.spare.push(path);
    }

    /// Lists the moves of a leaf and adds its position to the batch.
    fn ask(&mut self, game: &G, leaf: usize, batch: &mut Batch) {
        let position = self.nodes[leaf].position;
        if self.nodes[leaf].count == 0 {
            let mut moves = MoveList::new();
            game.moves(&position, &mut moves);
            self.nodes[leaf].first = self.edges.len() as u32;
            self.nodes[leaf].count = moves.len() as u32;
            let edge = |mv| Edge { mv, prior: 0.0, child: NONE, visits: 0, in_flight: 0, total: 0.0 };
            self.edges.extend(moves.into_iter().map(edge));
        }
        let size = G::OBSERVATION.iter().product::<usize>();
        let from = batch.observations.len();
        batch.observations.resize(from + size, 0);
        game.observe(&position, &mut batch.observations[from..]);
        let edges = self.edges_of(leaf);
        batch.legal.extend(edges.iter().map(|edge| game.action_number(edge.mv) as u16));
        batch.counts.push(edges.len());
    }

    /// Takes the answer for the leaf that has waited longest; `logit` knows its moves by place and move. Returns how many
    /// moves it has.
    pub(super) fn absorb(&mut self, logit: impl Fn(usize, G::Move) -> f32, value: f32) -> usize {
        let path = self.waiting.pop_front().expect("only asked-for answers are absorbed");
        let leaf = *path.nodes.last().expect("a path has the root") as usize;
        let range = self.edge_range(leaf);
        let edges = &mut self.edges[range];
        let count = edges.len();
        let mut highest = f32::NEG_INFINITY;
        for (at, edge) in edges.iter_mut().enumerate() {
            let logit = logit(at, edge.mv);
            edge.prior = if logit.is_finite() { logit } else { -1.0e9 };
            highest = highest.max(edge.prior);
        }
        let mut sum = 0.0;
        for edge in edges.iter_mut() {
            edge.prior = (edge.prior - highest).exp();
            sum += edge.prior;
        }
        edges.iter_mut().for_each(|edge| edge.prior /= sum);
        self.nodes[leaf].status = Status::Open;
        let value = if value.is_finite() { value.clamp(-1.0, 1.0) } else { 0.0 };
        self.back_up(&path, value);
        self.spare.push(path);
        count
    }

    /// Adds a visit worth `value`, for the side to move at the leaf, to all on the way.
    fn back_up(&mut self, path: &Path, mut value: f32) {
        for at in (0..path.nodes.len()).rev() {
            let node = &mut self.nodes[path.nodes[at] as usize];
            node.visits += 1;
            node.total += value;
            value = -value;
            if let Some(edge) = at.checked_sub(1).map(|edge| &mut self.edges[path.edges[edge] as usize]) {
                edge.visits += 1;
                edge.in_flight -= 1;
                edge.total += value;
            }
        }
    }

    fn add_noise(&mut self, options: &PuctOptions, rng: &mut Rng) {
        let range = self.edge_range(ROOT);
        let alpha = f64::from(options.concentration) / range.len() as f64;
        let shares = dirichlet(alpha, range.len(), rng);
        for (edge, share) in self.edges[range].iter_mut().zip(shares) {
            edge.prior += options.noise * (share - edge.prior);
        }
        self.has_noise = true;
    }

    /// A move by lot, each as likely as its share of the policy to the power of one over `temperature`; the best one at 0.
    pub fn choose(&self, temperature: f32, rng: &mut Rng) -> G::Move {
        let policy = self.policy();
        let best = policy.iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("a game that goes on has a move");
        if temperature <= 0.0 {
            return best.0;
        }
        let weight = |share: f32| (share / best.1).powf(1.0 / temperature);
        let mut draw = rng.random::<f32>() * policy.iter().map(|&(_, share)| weight(share)).sum::<f32>();
        for &(mv, share) in &policy {
            draw -= weight(share);
            if draw < 0.0 && share > 0.0 {
                return mv;
            }
        }
        best.0
    }
}

fn worth(outcome: Outcome) -> f32 {
    match outcome {
        Outcome::Win => 1.0,
        Outcome::Draw => 0.0,
        Outcome::Loss => -1.0,
    }
}
