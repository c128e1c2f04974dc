//! The trees of one game behind a face without its type.

use std::collections::{BTreeSet, HashMap};
use std::marker::PhantomData;
use std::sync::Arc;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use trilith_arena::Visitor;
use trilith_arena::kit::GameKit;
use trilith_arena::player::EndgameSource;
use trilith_base::Seed;
use trilith_eval::Oracle;
use trilith_games::{Game, Record};
use trilith_search::mcts::{
    Batch, Forest, PuctOptions, SelfPlay, SelfPlayGame, SelfPlayOptions, SelfPlaySample, Tree,
};

use crate::fault;
use crate::state::{AnySeat, Seated};

/// A forest, or games against itself, whose game is only known by name.
pub trait Grove: Send + Sync {
    fn gather(&mut self, most: usize, threads: usize, into: &mut Batch);
    fn absorb(&mut self, logits: &[f32], values: &[f32]);
    /// Replaces the trees by those of other games. With `reuse`, games that have gone on keep theirs.
    fn plant(&mut self, seats: &[&dyn AnySeat], reuse: bool) -> PyResult<()>;
    /// Visits as shares of one, for each tree, by action; values for the side to move.
    fn harvest(&self, policies: &mut [f32], values: &mut [f32]);
    fn take_finished(&mut self) -> Vec<ForestGame>;
}

/// A finished game without its type.
pub struct ForestGame {
    pub samples: Vec<SelfPlaySample>,
    pub moves: Vec<String>,
}

struct Planted<G: Game, C> {
    game: G,
    options: PuctOptions,
    seed: Seed,
    oracle: Arc<dyn Oracle<G>>,
    forest: Forest<G>,
    /// The games of the trees.
    records: Vec<Record<G>>,
    catalogue: PhantomData<fn() -> C>,
}

impl<G: Game, C: GameKit<G>> Planted<G, C> {
    fn empty_forest(&self) -> Forest<G> {
        Forest::new(self.game.clone(), self.options).with_oracle(self.oracle.clone())
    }

    fn record<'a>(&self, number: usize, seat: &'a dyn AnySeat) -> PyResult<&'a Record<G>> {
        let same = seat.as_any().downcast_ref::<Seated<G, C>>();
        let same = same.filter(|seated| seated.record.game().rules() == self.game.rules());
        let Some(seated) = same else {
            let (name, rules) = (seat.name(), seat.rules());
            let text = format!("state {number} is of {name}, `{rules}`: not the search's");
            return Err(PyValueError::new_err(text));
        };
        match seated.record.end() {
            None => Ok(&seated.record),
            Some(end) => Err(PyValueError::new_err(format!("state {number} has ended: {}", end.reason))),
        }
    }
}

/// Trees by the games that led to them.
struct Grown<G: Game> {
    trees: HashMap<(G::Position, Vec<u16>), Tree<G>>,
    /// Of those games.
    lengths: BTreeSet<usize>,
}

impl<G: Game> Grown<G> {
    fn new(records: &[Record<G>], trees: Vec<Tree<G>>) -> Grown<G> {
        let lengths = records.iter().map(Record::len).collect();
        Grown { trees: records.iter().map(played).zip(trees).collect(), lengths }
    }

    /// The tree of the longest beginning of a game, and the plies after that.
    fn take(&mut self, record: &Record<G>) -> Option<(Tree<G>, usize)> {
        let (start, moves) = played(record);
        let lengths = self.lengths.range(..=moves.len()).rev();
        lengths.copied().find_map(|length| {
            let key = (start, moves[..length].to_vec());
            self.trees.remove(&key).map(|tree| (tree, length))
        })
    }
}

/// Where a game began, and the numbers of its moves.
fn played<G: Game>(record: &Record<G>) -> (G::Position, Vec<u16>) {
    let game = record.game();
    (*record.start(), record.moves().map(|mv| game.action_number(mv) as u16).collect())
}

impl<G: Game, C: GameKit<G>> Grove for Planted<G, C> {
    fn gather(&mut self, most: usize, threads: usize, into: &mut Batch) {
        self.forest.gather(most, threads, into);
    }

    fn absorb(&mut self, logits: &[f32], values: &[f32]) {
        self.forest.absorb(logits, values);
    }

    fn plant(&mut self, seats: &[&dyn AnySeat], reuse: bool) -> PyResult<()> {
        let numbered = seats.iter().enumerate().map(|(number, &seat)| self.record(number, seat).cloned());
        let records = numbered.collect::<PyResult<Vec<_>>>()?;
        let empty = self.empty_forest();
        let old = std::mem::replace(&mut self.forest, empty).into_trees();
        let mut grown = Grown::new(if reuse { &self.records } else { &[] }, old);
        for (number, record) in records.iter().enumerate() {
            let seed = self.seed.derive("tree", number as u64);
            match grown.take(record) {
                Some((tree, plies)) => {
                    self.forest.push_tree(tree, seed);
                    record.moves().skip(plies).for_each(|mv| self.forest.advance(number, mv));
                }
                None => self.forest.push(record, seed),
            }
        }
        self.records = records;
        Ok(())
    }

    fn harvest(&self, policies: &mut [f32], values: &mut [f32]) {
        for ((tree, policy), value) in
            self.forest.trees().iter().zip(policies.chunks_exact_mut(G::ACTIONS)).zip(values)
        {
            tree.policy().into_iter().for_each(|(mv, share)| policy[self.game.action_number(mv)] = share);
            *value = tree.value();
        }
    }

    fn take_finished(&mut self) -> Vec<ForestGame> {
        Vec::new()
    }
}

impl<G: Game> Grove for SelfPlay<G> {
    fn gather(&mut self, most: usize, threads: usize, into: &mut Batch) {
        SelfPlay::gather(self, most, threads, into);
    }

    fn absorb(&mut self, logits: &[f32], values: &[f32]) {
        SelfPlay::absorb(self, logits, values);
    }

    fn plant(&mut self, _: &[&dyn AnySeat], _: bool) -> PyResult<()> {
        Err(PyRuntimeError::new_err("games against itself begin by themselves"))
    }

    fn harvest(&self, _: &mut [f32], _: &mut [f32]) {}

    fn take_finished(&mut self) -> Vec<ForestGame> {
        let plain = |ended: SelfPlayGame<G>| {
            let game = ended.record.game();
            let moves = ended.record.moves().map(|mv| game.move_text(mv)).collect();
            ForestGame { samples: ended.samples, moves }
        };
        SelfPlay::take_finished(self).into_iter().map(plain).collect()
    }
}

/// What trees are made from.
pub struct Plant<'a> {
    pub rules: &'a str,
    pub options: PuctOptions,
    pub seed: Seed,
    /// Games against itself instead of given ones.
    pub selfplay: Option<SelfPlayOptions>,
    /// What is known by proof.
    pub tables: EndgameSource,
}

impl Visitor for Plant<'_> {
    type Output = PyResult<(Box<dyn Grove>, usize, [usize; 3])>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let game = G::new(self.rules.parse().map_err(fault::value)?);
        let oracle = C::leaf_oracle(self.tables, &game).map_err(fault::value)?;
        let forest = Forest::new(game.clone(), self.options).with_oracle(oracle.clone());
        let grove: Box<dyn Grove> = match self.selfplay {
            Some(options) => Box::new(SelfPlay::new(forest, options)),
            None => {
                let catalogue = PhantomData::<fn() -> C>;
                let (options, seed, records) = (self.options, self.seed, Vec::new());
                Box::new(Planted { game, options, seed, oracle, forest, records, catalogue })
            }
        };
        Ok((grove, G::ACTIONS, G::OBSERVATION))
    }
}
