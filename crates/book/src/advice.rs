//! What the book says about a position, and the move it plays there.

use serde::Serialize;
use trilith_games::{Colour, Game, Record};

use crate::book::BookReader;
use crate::error::BookError;
use crate::key::{key_of_canonical, layer};
use crate::node::Node;
use crate::values::{self, BookValue, Way};

/// A move into the book and what is known beyond it.
#[derive(Clone, Debug, PartialEq)]
pub struct Successor<M> {
    /// Legal in the position asked about.
    pub mv: M,
    /// For the side to move after it.
    pub value: BookValue,
    /// Games that the side to move here has won, drawn and lost with it.
    pub results: [u32; 3],
}

/// A position of the book as whoever is to move sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct BookReading<M> {
    /// All that is kept.
    pub node: Node,
    /// For the side to move.
    pub value: BookValue,
    /// Moves into the book, in the order in which they came.
    pub successors: Vec<Successor<M>>,
    /// The best move out of the book, unless somebody has played it since, and its value.
    pub alternative: Option<(M, f32)>,
    /// What to play, if the book knows anything worth playing.
    pub advice: Option<Advice<M>>,
}

/// A move to play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advice<M> {
    /// Legal in the position asked about.
    pub mv: M,
    /// What it is hoped to lead to, in units of the evaluation, or infinite.
    pub chance: f32,
    /// Games in which it was played; none for a move out of the book.
    pub games: Option<u64>,
    /// By which strategy.
    pub reason: BookReason,
}

/// Why a move is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BookReason {
    /// It has won, for us or against us (strategies I and II).
    Win,
    /// It leads to the best deviation, further on (III).
    Line,
    /// It is the best deviation (III).
    Deviation,
}

impl BookReader<'_> {
    /// What the book says about the position of a game, for the side to move; nothing if it does not know it.
    pub fn look<G: Game>(&self, record: &Record<G>) -> Result<Option<BookReading<G::Move>>, BookError> {
        let (game, position) = (record.game(), record.position());
        let (canonical, symmetry) = game.canonical(position);
        let Some(node) = self.node(key_of_canonical(game, &canonical, layer(record)))? else {
            return Ok(None);
        };
        let asker = game.to_move(position);
        let back = game.inverse(symmetry);
        let read = |text: &str| match game.parse_move(&canonical, text) {
            Ok(mv) => Ok(game.image_move(mv, back)),
            Err(error) => Err(self.book().damaged(&error.to_string())),
        };
        let mut successors = Vec::new();
        for edge in &node.edges {
            successors.extend(self.successor(read(&edge.mv)?, edge.to, asker)?);
        }
        let mut alternative = None;
        if let Some(found) = &node.alternative {
            match self.successor(read(&found.mv)?, found.to, asker)? {
                Some(played) => successors.push(played),
                None => alternative = Some((read(&found.mv)?, found.value)),
            }
        }
        let advice = advise(&node, &successors, alternative);
        Ok(Some(BookReading { value: node.value(asker), node, successors, alternative, advice }))
    }

    fn successor<M>(&self, mv: M, to: u64, asker: Colour) -> Result<Option<Successor<M>>, BookError> {
        let Some(node) = self.node(to)? else { return Ok(None) };
        let [wins, draws, losses] = node.results;
        Ok(Some(Successor { mv, value: node.value(asker), results: [losses, draws, wins] }))
    }
}

/// The choice of S5, 5.2. Nothing where the game is as good as over, where nobody has looked for alternatives to a position
/// that is not won, or where all is lost: a search does better there.
fn advise<M: Copy>(
    node: &Node,
    successors: &[Successor<M>],
    alternative: Option<(M, f32)>,
) -> Option<Advice<M>> {
    let values = successors.iter().map(|successor| successor.value);
    let found = alternative.map(|(_, value)| value);
    // Where a line without result ends there are no successors, and the search's move is all that is known.
    let open = found.filter(|_| node.own_result().is_none());
    let end = open.map(|chance| (BookValue { tree: 0, chance }, Way::Alternative));
    let (value, way) = values::inner(values, found).or(end)?;
    let is_unknown = value.tree <= 0 && node.judged == 0;
    if node.proved.is_some() || is_unknown || value.chance == f32::NEG_INFINITY {
        return None;
    }
    let (mv, games, reason) = match way {
        Way::Played(place) => {
            let Successor { mv, results, .. } = successors[place];
            let games = results.iter().map(|&count| u64::from(count)).sum();
            (mv, Some(games), if value.tree > 0 { BookReason::Win } else { BookReason::Line })
        }
        Way::Alternative => (alternative?.0, None, BookReason::Deviation),
    };
    Some(Advice { mv, chance: value.chance, games, reason })
}
