//! Monte-Carlo tree search with a network: PUCT, as in AlphaZero (Silver et al., Science 362, 2018).
//!
//! The network is outside: [`Forest::gather`] collects positions of many games into one batch, the caller asks whatever
//! it likes about them, [`Forest::absorb`] takes the answers. Ended games, repetitions and what an oracle knows are exact,
//! and proofs go up the tree: a move to a lost position wins.

mod noise;
mod selfplay;
mod tree;

use std::sync::Arc;
use std::thread;

use trilith_base::Seed;
use trilith_base::seed::Rng;
use trilith_eval::{Oracle, Unknowing};
use trilith_games::{Game, Record};

pub use selfplay::{SelfPlay, SelfPlayGame, SelfPlayOptions, SelfPlaySample};
pub use tree::Tree;

/// How a tree is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PuctOptions {
    /// Visits of the root before a move is chosen.
    pub simulations: u32,
    /// How much a prior counts against a value; grows slowly with the visits.
    pub exploration: f32,
    /// How much less than its parent a move without visits is taken to be worth.
    pub first_play_reduction: f32,
    /// The share of Dirichlet noise in the priors of the root; 0 for none.
    pub noise: f32,
    /// The noise's concentration times the number of moves.
    pub concentration: f32,
    /// Leaves of one tree that may wait for the network at a time.
    pub in_flight: usize,
}

impl Default for PuctOptions {
    fn default() -> PuctOptions {
        PuctOptions {
            simulations: 200,
            exploration: 1.25,
            first_play_reduction: 0.25,
            noise: 0.0,
            concentration: 10.0,
            in_flight: 8,
        }
    }
}

/// The trees of many games, searched together.
pub struct Forest<G: Game> {
    game: G,
    options: PuctOptions,
    oracle: Arc<dyn Oracle<G>>,
    trees: Vec<Tree<G>>,
    rngs: Vec<Rng>,
    /// Which tree is asked first next time, so that a full batch leaves nobody out.
    first: usize,
    /// Trees with leaves in the batch, and how many.
    waiting: Vec<(usize, usize)>,
}

/// Positions that the network is asked about.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// One observation after the other.
    pub observations: Vec<u8>,
    /// The legal action numbers of all positions one after the other.
    pub legal: Vec<u16>,
    /// How many each position has.
    pub counts: Vec<usize>,
}

impl Batch {
    /// How many positions it holds.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    fn clear(&mut self) {
        self.observations.clear();
        self.legal.clear();
        self.counts.clear();
    }

    fn append(&mut self, other: &Batch) {
        self.observations.extend_from_slice(&other.observations);
        self.legal.extend_from_slice(&other.legal);
        self.counts.extend_from_slice(&other.counts);
    }
}

impl<G: Game> Forest<G> {
    /// No games yet.
    pub fn new(game: G, options: PuctOptions) -> Forest<G> {
        let oracle = Arc::new(Unknowing);
        Forest { game, options, oracle, trees: Vec::new(), rngs: Vec::new(), first: 0, waiting: Vec::new() }
    }

    /// The same, with an oracle that knows some positions.
    pub fn with_oracle(self, oracle: Arc<dyn Oracle<G>>) -> Forest<G> {
        Forest { oracle, ..self }
    }

    /// The rules of all games.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// How trees are searched.
    pub fn options(&self) -> &PuctOptions {
        &self.options
    }

    /// Adds a game that has not ended; its noise comes from `seed`.
    pub fn push(&mut self, record: &Record<G>, seed: Seed) {
        self.trees.push(Tree::new(record));
        self.rngs.push(seed.rng());
    }

    /// Adds a game with the tree that it has already, such as one of [`Forest::into_trees`].
    pub fn push_tree(&mut self, tree: Tree<G>, seed: Seed) {
        self.trees.push(tree);
        self.rngs.push(seed.rng());
    }

    /// The trees, to go on with them elsewhere.
    pub fn into_trees(self) -> Vec<Tree<G>> {
        self.trees
    }

    /// Puts another game, which has not ended, in the place of one.
    pub fn replace(&mut self, number: usize, record: &Record<G>) {
        self.trees[number] = Tree::new(record);
    }

    /// The trees, one a game.
    pub fn trees(&self) -> &[Tree<G>] {
        &self.trees
    }

    /// Whether the root of a tree has its visits, or its value is proved.
    pub fn is_done(&self, number: usize) -> bool {
        self.trees[number].is_done(&self.options)
    }

    /// Plays a move in a game and keeps what is known below it. Trusts that it is legal and the game goes on after it.
    pub fn advance(&mut self, number: usize, mv: G::Move) {
        self.trees[number].advance(&self.game, mv);
    }

    /// Fills `into` with at most `most` positions, on so many threads; with none only if all trees are done. The next call
    /// must be [`Forest::absorb`].
    pub fn gather(&mut self, most: usize, threads: usize, into: &mut Batch) {
        into.clear();
        self.waiting.clear();
        let busy = (0..self.trees.len()).filter(|&number| !self.is_done(number)).count();
        if busy == 0 {
            return;
        }
        let share = self.trees.len().div_ceil(threads.max(1));
        let guide = Guide { game: &self.game, options: &self.options, oracle: &*self.oracle };
        let budget = most.max(1).div_ceil(self.trees.len().div_ceil(share));
        let first = self.first;
        let work = |trees: &mut [Tree<G>], rngs: &mut [Rng], batch: &mut Batch| {
            gather_from(&guide, trees, rngs, first, budget, batch)
        };
        let parts: Vec<_> = if share >= self.trees.len() {
            vec![(0, work(&mut self.trees, &mut self.rngs, into), None)]
        } else {
            thread::scope(|scope| {
                let chunks =
                    self.trees.chunks_mut(share).zip(self.rngs.chunks_mut(share)).zip((0..).step_by(share));
                let handles: Vec<_> = chunks
                    .map(|((trees, rngs), offset)| {
                        scope.spawn(move || {
                            let mut batch = Batch::default();
                            let waiting = work(trees, rngs, &mut batch);
                            (offset, waiting, Some(batch))
                        })
                    })
                    .collect();
                let joined = handles.into_iter().map(|handle| handle.join());
                joined.map(|part| part.expect("a search does not panic")).collect()
            })
        };
        for (offset, waiting, batch) in parts {
            self.waiting.extend(waiting.into_iter().map(|(number, leaves)| (offset + number, leaves)));
            batch.iter().for_each(|batch| into.append(batch));
        }
        self.first = self.waiting.last().map_or(0, |&(number, _)| number + 1);
    }

    /// Takes the network's answers to the last batch: `ACTIONS` logits and a value from -1 to 1, for the side to move, for
    /// each position. Trusts that there are as many as were asked for.
    pub fn absorb(&mut self, logits: &[f32], values: &[f32]) {
        let (mut rows, mut values) = (logits.chunks_exact(G::ACTIONS), values.iter());
        for &(number, leaves) in &self.waiting {
            let tree = &mut self.trees[number];
            for (row, &value) in rows.by_ref().zip(&mut values).take(leaves) {
                tree.absorb(|_, mv| row[self.game.action_number(mv)], value);
            }
        }
        self.waiting.clear();
    }

    /// The same with the logits of the legal actions alone, in the order of [`Batch::legal`].
    pub fn absorb_legal(&mut self, mut logits: &[f32], values: &[f32]) {
        let mut values = values.iter();
        for &(number, leaves) in &self.waiting {
            let tree = &mut self.trees[number];
            for &value in values.by_ref().take(leaves) {
                let count = tree.absorb(|at, _| logits[at], value);
                logits = &logits[count..];
            }
        }
        self.waiting.clear();
    }
}

/// What all trees of a forest are searched by.
struct Guide<'a, G: Game> {
    game: &'a G,
    options: &'a PuctOptions,
    oracle: &'a dyn Oracle<G>,
}

/// Walks down the trees in turn until the batch is full or nobody has a leaf to add; returns who waits for how many.
fn gather_from<G: Game>(
    guide: &Guide<'_, G>,
    trees: &mut [Tree<G>],
    rngs: &mut [Rng],
    first: usize,
    budget: usize,
    batch: &mut Batch,
) -> Vec<(usize, usize)> {
    let mut waiting = Vec::new();
    let mut turn: Vec<_> = (0..trees.len()).map(|turn| (first + turn) % trees.len()).collect();
    turn.retain(|&number| !trees[number].is_done(guide.options));
    // Each gives a fair share; what some cannot give is asked of those that have more.
    let mut given = 0;
    while batch.len() < budget && given < guide.options.in_flight.max(1) && !turn.is_empty() {
        let fair = ((budget - batch.len()) / turn.len()).max(1);
        let most = fair.min(guide.options.in_flight.max(1) - given);
        turn.retain(|&number| {
            let room = most.min(budget - batch.len());
            if room == 0 {
                return false;
            }
            let leaves = trees[number].descend(guide, room, &mut rngs[number], batch);
            if leaves > 0 {
                waiting.push((number, leaves));
            }
            leaves == most
        });
        given += most;
    }
    waiting
}
