//! Changes to a book, whole or not at all: games added, values kept as the definitions want them.

use std::collections::hash_map::{Entry, HashMap};
use std::collections::{HashSet, VecDeque};

use redb::{ReadableTable, ReadableTableMetadata, Table, WriteTransaction};
use trilith_base::seed::mix;
use trilith_games::{Colour, Game, MoveList, Record};

use crate::book::{Book, GAMES, KNOWN, NODES, ROOTS};
use crate::error::BookError;
use crate::judge::BookJudgement;
use crate::key::{NodeKey, key_of_canonical, next_layer};
use crate::node::{Alternative, Edge, Node};
use crate::values::{self, BookValue};

/// A change in the making.
pub struct Draft<'book, 'txn> {
    book: &'book Book,
    nodes: Table<'txn, u64, &'static [u8]>,
    roots: Table<'txn, u64, &'static str>,
    games: Table<'txn, u64, &'static str>,
    known: Table<'txn, u64, u64>,
    /// Nodes that were read or made, none of them written yet.
    cache: HashMap<NodeKey, Node>,
    changed: HashSet<NodeKey>,
}

/// What came of adding a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// It has this number now.
    New(u64),
    /// It, or its mirror image, was there already under this number; nothing has changed.
    Known(u64),
}

/// One position of a game.
struct Step {
    key: NodeKey,
    mover: Colour,
    /// The move that was played, in the canonical image.
    mv: Option<Box<str>>,
}

impl<'book, 'txn> Draft<'book, 'txn> {
    pub(crate) fn begin(
        book: &'book Book,
        transaction: &'txn WriteTransaction,
    ) -> Result<Draft<'book, 'txn>, BookError> {
        let fault = |error| book.fault(error);
        Ok(Draft {
            book,
            nodes: transaction.open_table(NODES).map_err(fault)?,
            roots: transaction.open_table(ROOTS).map_err(fault)?,
            games: transaction.open_table(GAMES).map_err(fault)?,
            known: transaction.open_table(KNOWN).map_err(fault)?,
            cache: HashMap::new(),
            changed: HashSet::new(),
        })
    }

    pub(crate) fn flush(&mut self) -> Result<(), BookError> {
        // In the order of keys neighbours share pages: a third faster than in the order of the hash map.
        let mut changed: Vec<NodeKey> = self.changed.drain().collect();
        changed.sort_unstable();
        for key in changed {
            let bytes = self.cache[&key].write();
            self.nodes.insert(key, bytes.as_slice()).map_err(|error| self.book.fault(error))?;
        }
        Ok(())
    }

    /// Remembers a game that `winner` has won, nobody for a draw.
    pub fn add<G: Game>(&mut self, record: &Record<G>, winner: Option<Colour>) -> Result<Added, BookError> {
        let steps = steps(record);
        let id = steps.iter().fold(winner.map_or(2, |winner| winner as u64), |id, step| mix(id ^ step.key));
        if let Some(number) = self.known.get(id).map_err(|error| self.book.fault(error))? {
            return Ok(Added::Known(number.value()));
        }
        let number = self.games.len().map_err(|error| self.book.fault(error))? + 1;
        let text = game_text(record, winner);
        self.known.insert(id, number).map_err(|error| self.book.fault(error))?;
        self.games.insert(number, text.as_str()).map_err(|error| self.book.fault(error))?;
        self.add_root(record, steps[0].key)?;
        for (ply, step) in steps.iter().enumerate() {
            let result = result_for(winner, step.mover);
            let next = steps.get(ply + 1).map(|step| step.key);
            let node = self.node_or_new(step.key, step.mover)?;
            node.results[(1 - result) as usize] += 1;
            node.last_game = number;
            match (&step.mv, next) {
                (Some(mv), Some(to)) => self.link(step.key, mv.clone(), to)?,
                _ if record.game().outcome(record.position()).is_some() => node.proved = Some(result),
                _ => node.ended = Some(result),
            }
            self.changed.insert(step.key);
        }
        for pair in steps.windows(2) {
            self.add_parent(pair[1].key, pair[0].key)?;
        }
        self.refresh(steps.iter().rev().map(|step| step.key))?;
        Ok(Added::New(number))
    }

    /// Remembers the positions of a line without any result: where it ends, the book is open, and worth what a search says.
    pub fn add_line<G: Game>(&mut self, record: &Record<G>) -> Result<(), BookError> {
        let steps = steps(record);
        self.add_root(record, steps[0].key)?;
        for (ply, step) in steps.iter().enumerate() {
            self.node_or_new(step.key, step.mover)?;
            if let (Some(mv), Some(next)) = (&step.mv, steps.get(ply + 1)) {
                self.link(step.key, mv.clone(), next.key)?;
            }
            self.changed.insert(step.key);
        }
        for pair in steps.windows(2) {
            self.add_parent(pair[1].key, pair[0].key)?;
        }
        self.refresh(steps.iter().rev().map(|step| step.key))
    }

    fn add_root<G: Game>(&mut self, record: &Record<G>, key: NodeKey) -> Result<(), BookError> {
        let start = record.game().position_text(record.start());
        if self.roots.get(key).map_err(|error| self.book.fault(error))?.is_none() {
            self.roots.insert(key, start.as_str()).map_err(|error| self.book.fault(error))?;
        }
        Ok(())
    }

    /// The node of this name, if there is one.
    pub fn node(&mut self, key: NodeKey) -> Result<Option<&Node>, BookError> {
        Ok(self.load(key)?.map(|node| &*node))
    }

    /// Links a position to all positions of the book that a move leads to. The moves, in the canonical image that comes
    /// with them, that lead into the book.
    pub fn link_known<G: Game>(
        &mut self,
        game: &G,
        position: &G::Position,
        layer: usize,
    ) -> Result<(G::Position, Vec<G::Move>), BookError> {
        let (canonical, _) = game.canonical(position);
        let key = key_of_canonical(game, &canonical, layer);
        let mut legal = MoveList::new();
        game.moves(&canonical, &mut legal);
        let (mut inside, mut is_new) = (Vec::new(), false);
        for &mv in &legal {
            let to =
                crate::node_key(game, &game.play(&canonical, mv), next_layer(game, &canonical, mv, layer));
            if self.load(to)?.is_none() {
                continue;
            }
            inside.push(mv);
            if !self.load(key)?.is_some_and(|node| node.edges.iter().any(|edge| edge.to == to)) {
                self.link(key, game.move_text(mv).into(), to)?;
                self.add_parent(to, key)?;
                is_new = true;
            }
        }
        if is_new {
            self.refresh(std::iter::once(key))?;
        }
        Ok((canonical, inside))
    }

    /// Links a node as another book has it, to those of the other's successors that are in this one.
    pub(crate) fn link_as(&mut self, key: NodeKey, other: &Node) -> Result<(), BookError> {
        for edge in &other.edges {
            let is_linked = self.load(key)?.is_none_or(|node| node.edges.iter().any(|own| own.to == edge.to));
            if !is_linked && self.load(edge.to)?.is_some() {
                self.link(key, edge.mv.clone(), edge.to)?;
                self.add_parent(edge.to, key)?;
            }
        }
        self.refresh(std::iter::once(key))
    }

    /// Whether a search should look for the alternative of this node: it never has, with another evaluation, or what it
    /// found has been played since.
    pub fn is_open(&mut self, key: NodeKey) -> Result<bool, BookError> {
        let evaluation = self.book.head().evaluation;
        let Some(node) = self.load(key)? else { return Ok(false) };
        if node.own_result().is_some() {
            return Ok(false);
        }
        let (judged, to) = (node.judged, node.alternative.as_ref().map(|alternative| alternative.to));
        Ok(judged != evaluation || to.is_some_and(|to| matches!(self.load(to), Ok(Some(_)))))
    }

    /// Keeps what a search has found out about the position of a node.
    pub fn judge<G: Game>(
        &mut self,
        game: &G,
        canonical: &G::Position,
        layer: usize,
        judged: &BookJudgement<G::Move>,
    ) -> Result<(), BookError> {
        let key = key_of_canonical(game, canonical, layer);
        let evaluation = self.book.head().evaluation;
        let alternative = judged.alternative.map(|(mv, value)| {
            let after = game.play(canonical, mv);
            let to = crate::node_key(game, &after, next_layer(game, canonical, mv, layer));
            Alternative { mv: game.move_text(mv).into(), to, value }
        });
        let Some(node) = self.load(key)? else { return Ok(()) };
        node.proved = judged.proved.or(node.proved);
        node.judged = evaluation;
        node.alternative = alternative;
        self.changed.insert(key);
        self.refresh(std::iter::once(key))
    }

    fn load(&mut self, key: NodeKey) -> Result<Option<&mut Node>, BookError> {
        match self.cache.entry(key) {
            Entry::Occupied(entry) => Ok(Some(entry.into_mut())),
            Entry::Vacant(entry) => {
                let found = self.nodes.get(key).map_err(|error| self.book.fault(error))?;
                let Some(bytes) = found else { return Ok(None) };
                let node = Node::read(bytes.value());
                let node =
                    node.ok_or_else(|| self.book.damaged(&format!("node {key:016x} cannot be read")))?;
                Ok(Some(entry.insert(node)))
            }
        }
    }

    fn node_or_new(&mut self, key: NodeKey, mover: Colour) -> Result<&mut Node, BookError> {
        if self.load(key)?.is_none() {
            self.cache.insert(key, Node::new(mover));
        }
        Ok(self.cache.get_mut(&key).expect("it was loaded or made just now"))
    }

    /// Adds an edge unless one leads there already. An alternative that leads there is none any more.
    fn link(&mut self, from: NodeKey, mv: Box<str>, to: NodeKey) -> Result<(), BookError> {
        let Some(node) = self.load(from)? else { return Ok(()) };
        if node.edges.iter().all(|edge| edge.to != to) {
            node.edges.push(Edge { mv, to });
        }
        if node.alternative.as_ref().is_some_and(|alternative| alternative.to == to) {
            node.alternative = None;
            node.judged = 0;
        }
        self.changed.insert(from);
        Ok(())
    }

    fn add_parent(&mut self, of: NodeKey, parent: NodeKey) -> Result<(), BookError> {
        if let Some(node) = self.load(of)?.filter(|node| !node.parents.contains(&parent)) {
            node.parents.push(parent);
            self.changed.insert(of);
        }
        Ok(())
    }

    /// Reckons values anew, in this order, and then those of all nodes above that they change.
    fn refresh(&mut self, keys: impl Iterator<Item = NodeKey>) -> Result<(), BookError> {
        let mut waiting: VecDeque<NodeKey> = keys.collect();
        while let Some(key) = waiting.pop_front() {
            let values = self.reckon(key)?;
            let Some(node) = self.load(key)? else { continue };
            if node.values != values {
                node.values = values;
                waiting.extend(&node.parents);
                self.changed.insert(key);
            }
        }
        Ok(())
    }

    /// The values of a node, for Black and for White as the one who asks.
    fn reckon(&mut self, key: NodeKey) -> Result<[BookValue; 2], BookError> {
        let draws_lose = self.book.head().draws_lose;
        let Some(node) = self.load(key)? else { return Ok([values::leaf(0); 2]) };
        let (mover, own) = (node.mover, node.own_result());
        let alternative = node.alternative.as_ref().map(|alternative| alternative.value);
        match (own, alternative) {
            (Some(result), _) => return Ok(leaf_values(result, mover, draws_lose)),
            (None, Some(chance)) if node.edges.is_empty() => return Ok([BookValue { tree: 0, chance }; 2]),
            (None, None) if node.edges.is_empty() => return Ok([values::leaf(0); 2]),
            _ => {}
        }
        let targets: Vec<NodeKey> = node.edges.iter().map(|edge| edge.to).collect();
        let mut successors = Vec::with_capacity(targets.len());
        for to in targets {
            let node = self.load(to)?.map(|node| node.values);
            successors.push(node.ok_or_else(|| self.book.damaged("an edge leads nowhere"))?);
        }
        let value = |asker: usize| {
            let found = values::inner(successors.iter().map(|values| values[asker]), alternative);
            found.expect("there are successors").0
        };
        Ok([value(0), value(1)])
    }
}

/// The values of a leaf: a draw may count as lost, for whoever asks.
fn leaf_values(result: i8, mover: Colour, draws_lose: bool) -> [BookValue; 2] {
    [Colour::Black, Colour::White].map(|asker| match (result, draws_lose) {
        (0, true) if asker == mover => values::leaf(-1),
        (0, true) => values::leaf(1),
        _ => values::leaf(result),
    })
}

fn result_for(winner: Option<Colour>, mover: Colour) -> i8 {
    winner.map_or(0, |winner| if winner == mover { 1 } else { -1 })
}

/// The positions of a game by name, from its start on.
fn steps<G: Game>(record: &Record<G>) -> Vec<Step> {
    let game = record.game();
    let mut layer = 0;
    let mut moves = record.moves();
    let positions = (0..=record.len()).map(|plies| record.position_after(plies).expect("not past the end"));
    positions
        .map(|position| {
            let (canonical, symmetry) = game.canonical(position);
            let key = key_of_canonical(game, &canonical, layer);
            let mv = moves.next();
            layer = mv.map_or(layer, |mv| next_layer(game, position, mv, layer));
            let mv = mv.map(|mv| game.move_text(game.image_move(mv, symmetry)).into());
            Step { key, mover: game.to_move(position), mv }
        })
        .collect()
}

/// A game as it is kept: winner, start (empty for the usual one) and moves.
fn game_text<G: Game>(record: &Record<G>, winner: Option<Colour>) -> String {
    let game = record.game();
    let winner = winner.map_or("draw".into(), |winner| winner.to_string());
    let start = match *record.start() == game.start() {
        true => String::new(),
        false => game.position_text(record.start()),
    };
    let moves: Vec<String> = record.moves().map(|mv| game.move_text(mv)).collect();
    format!("{winner}\n{start}\n{}", moves.join(" "))
}
