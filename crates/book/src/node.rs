//! A node of the book and its bytes.
//!
//! Little-endian: flags (1 byte), values (two of tree, 1, and chance, 4), results (3 x 4), evaluation (4), last game (8),
//! alternative if there is one (value 4, key 8, text), edges (count 2, each key 8 and text), parents (count 2, each 8). A
//! text is its length (1) and its bytes.

use trilith_games::Colour;

use crate::key::NodeKey;
use crate::values::{self, BookValue};

/// A move that was played, or that leads to another node of the book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// In the canonical image of the position.
    pub mv: Box<str>,
    /// Where it leads.
    pub to: NodeKey,
}

/// The best move that leads out of the book.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// In the canonical image of the position.
    pub mv: Box<str>,
    /// Where it leads; no node when it was found.
    pub to: NodeKey,
    /// For the side to move, in units of the evaluation.
    pub value: f32,
}

/// What is known of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Whose turn it is.
    pub mover: Colour,
    /// Its true result for the side to move, where rules or a solver know it.
    pub proved: Option<i8>,
    /// The result of the last game that was ended here by something else: the clock, a resignation, repetition.
    pub ended: Option<i8>,
    /// Games through here that the side to move has won, drawn and lost.
    pub results: [u32; 3],
    /// Which evaluation of the book has looked for its alternative; 0 for none.
    pub judged: u32,
    /// The number of the last game through here, from 1; 0 for a node without one.
    pub last_game: u64,
    /// Found by that evaluation; none if all moves lead into the book.
    pub alternative: Option<Alternative>,
    /// In the order in which they came.
    pub edges: Vec<Edge>,
    /// Nodes with an edge to here.
    pub parents: Vec<NodeKey>,
    /// For the side to move, as Black and as White should see it: they differ if draws count as losses.
    pub values: [BookValue; 2],
}

const PROVED: u8 = 1;
const ENDED: u8 = 2;
const WHITE: u8 = 4;
const ALTERNATIVE: u8 = 8;

impl Node {
    pub(crate) fn new(mover: Colour) -> Node {
        Node {
            mover,
            proved: None,
            ended: None,
            results: [0; 3],
            judged: 0,
            last_game: 0,
            alternative: None,
            edges: Vec::new(),
            parents: Vec::new(),
            values: [values::leaf(0); 2],
        }
    }

    /// The value as `asker` should see it.
    pub fn value(&self, asker: Colour) -> BookValue {
        self.values[asker as usize]
    }

    /// The result that the node has without looking at its successors, if it has one: proved, or of a game that ended here.
    pub fn own_result(&self) -> Option<i8> {
        self.proved.or(self.ended.filter(|_| self.edges.is_empty()))
    }

    /// Games through here.
    pub fn games(&self) -> u64 {
        self.results.iter().map(|&count| u64::from(count)).sum()
    }

    /// Its bytes in a book.
    pub fn write(&self) -> Vec<u8> {
        let sign = |result: Option<i8>| (result.unwrap_or(0) + 1) as u8;
        let mut flags = sign(self.proved) << 4 | sign(self.ended) << 6;
        for (flag, is_set) in [
            (PROVED, self.proved.is_some()),
            (ENDED, self.ended.is_some()),
            (WHITE, self.mover == Colour::White),
            (ALTERNATIVE, self.alternative.is_some()),
        ] {
            flags |= if is_set { flag } else { 0 };
        }
        let mut bytes = vec![flags];
        for value in self.values {
            bytes.push(value.tree as u8);
            bytes.extend(value.chance.to_le_bytes());
        }
        self.results.iter().for_each(|count| bytes.extend(count.to_le_bytes()));
        bytes.extend(self.judged.to_le_bytes());
        bytes.extend(self.last_game.to_le_bytes());
        if let Some(alternative) = &self.alternative {
            bytes.extend(alternative.value.to_le_bytes());
            bytes.extend(alternative.to.to_le_bytes());
            write_text(&mut bytes, &alternative.mv);
        }
        bytes.extend((self.edges.len() as u16).to_le_bytes());
        for edge in &self.edges {
            bytes.extend(edge.to.to_le_bytes());
            write_text(&mut bytes, &edge.mv);
        }
        bytes.extend((self.parents.len() as u16).to_le_bytes());
        self.parents.iter().for_each(|parent| bytes.extend(parent.to_le_bytes()));
        bytes
    }

    /// Reads what [`Node::write`] wrote; nothing if the bytes are something else.
    pub fn read(bytes: &[u8]) -> Option<Node> {
        let mut rest = Bytes(bytes);
        let flags = rest.byte()?;
        let sign = |bits: u8| Some((bits & 3) as i8 - 1).filter(|&sign| sign <= 1);
        let has = |flag: u8| flags & flag != 0;
        let mut node = Node::new(if has(WHITE) { Colour::White } else { Colour::Black });
        node.proved = if has(PROVED) { Some(sign(flags >> 4)?) } else { None };
        node.ended = if has(ENDED) { Some(sign(flags >> 6)?) } else { None };
        for value in &mut node.values {
            *value = BookValue { tree: rest.byte()? as i8, chance: f32::from_le_bytes(rest.take()?) };
        }
        for count in &mut node.results {
            *count = u32::from_le_bytes(rest.take()?);
        }
        node.judged = u32::from_le_bytes(rest.take()?);
        node.last_game = u64::from_le_bytes(rest.take()?);
        if has(ALTERNATIVE) {
            let value = f32::from_le_bytes(rest.take()?);
            let to = u64::from_le_bytes(rest.take()?);
            node.alternative = Some(Alternative { mv: rest.text()?, to, value });
        }
        for _ in 0..u16::from_le_bytes(rest.take()?) {
            let to = u64::from_le_bytes(rest.take()?);
            node.edges.push(Edge { mv: rest.text()?, to });
        }
        for _ in 0..u16::from_le_bytes(rest.take()?) {
            node.parents.push(u64::from_le_bytes(rest.take()?));
        }
        rest.0.is_empty().then_some(node)
    }
}

fn write_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.push(text.len() as u8);
    bytes.extend(text.as_bytes());
}

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn text(&mut self) -> Option<Box<str>> {
        let length = usize::from(self.byte()?);
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        std::str::from_utf8(text).ok().map(Box::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_round_trip_and_cut_ones_are_noticed() {
        let mut node = Node::new(Colour::White);
        node.proved = Some(-1);
        node.ended = Some(1);
        node.results = [1, 2, 70_000];
        (node.judged, node.last_game) = (3, 1 << 40);
        node.values = [values::leaf(-1), BookValue { tree: 1, chance: 0.25 }];
        node.alternative = Some(Alternative { mv: "a1-a4xb2".into(), to: 9, value: -1.5 });
        node.edges = vec![Edge { mv: "f5".into(), to: 1 }, Edge { mv: "pass".into(), to: u64::MAX }];
        node.parents = vec![4, 5];
        let bytes = node.write();
        assert_eq!(Node::read(&bytes), Some(node));
        for cut in 0..bytes.len() {
            assert_eq!(Node::read(&bytes[..cut]), None, "cut at {cut}");
        }
        for no_result in [PROVED | 3 << 4, ENDED | 3 << 6] {
            let wild = [&[no_result], &bytes[1..]].concat();
            assert_eq!(Node::read(&wild), None, "a result beyond a win");
        }
        assert_eq!(Node::read(&Node::new(Colour::Black).write()), Some(Node::new(Colour::Black)));
    }
}
