//! The trees of one game behind a face without its type.

use std::collections::{BTreeSet, HashMap};
use std::marker::PhantomData;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use trilith_arena::Visitor;
use trilith_arena::kit::GameKit;
use trilith_arena::player::EndgameSource;
use trilith_base::Seed;
use trilith_eval::Oracle;
use trilith_games::{Game, Record};
use trilith_search::mcts::{Batch, Forest, PuctOptions, SelfPlayOptions, SelfPlaySample, Tree};

use crate::fault;
use crate::selfplay::SelfPlays;
use crate::state::{AnySeat, Seated};

/// What a network answers: the logits of all actions or of the legal ones, and values.
#[derive(Clone, Copy)]
pub enum Answers<'a> {
    All(&'a [f32], &'a [f32]),
    Legal(&'a [f32], &'a [f32]),
}

/// A forest, or games against itself, whose game is only known by name.
pub trait Grove: Send + Sync {
    /// Takes the answers to the last positions, if there are any, and gathers the next ones, whose
    /// observations are written into `observations` one after the other.
    fn turn(&mut self, answers: Option<Answers<'_>>, observations: &mut [u8]);
    /// Takes the answers alone.
    fn absorb(&mut self, answers: Answers<'_>);
    /// Gathered positions without answers yet, and their legal actions: the parts follow one another.
    fn asked(&self) -> Vec<&Asked>;
    /// Replaces the trees by those of other games. With `reuse`, games that have gone on keep theirs.
    fn plant(&mut self, seats: &[&dyn AnySeat], reuse: bool) -> PyResult<()>;
    /// Visits as shares of one, for each tree, by action; values for the side to move.
    fn harvest(&self, policies: &mut [f32], values: &mut [f32]);
    fn take_finished(&mut self) -> Vec<ForestGame>;
}

/// Gathered positions.
#[derive(Default)]
pub struct Asked {
    /// The observations have gone where they were wanted.
    pub batch: Batch,
    /// The legal actions as places in a table of all positions' actions.
    pub places: Vec<i32>,
}

impl Asked {
    /// When the answers have come.
    pub fn clear(&mut self) {
        self.batch.counts.clear();
        self.places.clear();
    }

    /// Numbers the legal actions if `first` positions stand before these.
    pub fn number<G: Game>(&mut self, first: usize) {
        self.places.clear();
        let mut legal = self.batch.legal.iter();
        for (row, &count) in self.batch.counts.iter().enumerate() {
            let from = ((first + row) * G::ACTIONS) as i32;
            self.places.extend(legal.by_ref().take(count).map(|&number| from + i32::from(number)));
        }
    }
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
    asked: Asked,
    most: usize,
    threads: usize,
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
    fn turn(&mut self, answers: Option<Answers<'_>>, observations: &mut [u8]) {
        answers.into_iter().for_each(|answers| self.absorb(answers));
        self.forest.gather(self.most, self.threads, &mut self.asked.batch);
        let gathered = &self.asked.batch.observations;
        observations[..gathered.len()].copy_from_slice(gathered);
        self.asked.number::<G>(0);
    }

    fn absorb(&mut self, answers: Answers<'_>) {
        match answers {
            Answers::All(logits, values) => self.forest.absorb(logits, values),
            Answers::Legal(logits, values) => self.forest.absorb_legal(logits, values),
        }
        self.asked.clear();
    }

    fn asked(&self) -> Vec<&Asked> {
        vec![&self.asked]
    }

    fn plant(&mut self, seats: &[&dyn AnySeat], reuse: bool) -> PyResult<()> {
        let numbered = seats.iter().enumerate().map(|(number, &seat)| self.record(number, seat).cloned());
        let records = numbered.collect::<PyResult<Vec<_>>>()?;
        // Trees that still wait for answers are of no use.
        let reuse = reuse && self.asked.batch.is_empty();
        self.asked.clear();
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

/// What trees are made from.
pub struct Plant<'a> {
    pub rules: &'a str,
    pub options: PuctOptions,
    pub seed: Seed,
    /// Games against itself instead of given ones.
    pub selfplay: Option<SelfPlayOptions>,
    /// Positions that are gathered at most, or one more for each thread.
    pub most: usize,
    pub threads: usize,
    /// What is known by proof.
    pub tables: EndgameSource,
}

impl Visitor for Plant<'_> {
    type Output = PyResult<(Box<dyn Grove>, usize, [usize; 3])>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let game = G::new(self.rules.parse().map_err(fault::value)?);
        let oracle = C::leaf_oracle(self.tables, &game).map_err(fault::value)?;
        let grove: Box<dyn Grove> = match self.selfplay {
            Some(options) => {
                let empty = || Forest::new(game.clone(), self.options).with_oracle(oracle.clone());
                Box::new(SelfPlays::new(empty, options, self.most, self.threads))
            }
            None => {
                let forest = Forest::new(game.clone(), self.options).with_oracle(oracle.clone());
                let catalogue = PhantomData::<fn() -> C>;
                let (options, seed, records, asked) = (self.options, self.seed, Vec::new(), Asked::default());
                let (most, threads) = (self.most, self.threads);
                Box::new(Planted {
                    game,
                    options,
                    seed,
                    oracle,
                    forest,
                    asked,
                    most,
                    threads,
                    records,
                    catalogue,
                })
            }
        };
        Ok((grove, G::ACTIONS, G::OBSERVATION))
    }
}
