//! The formats in which Othello games and positions come.
//!
//! Every reader takes the rules the games are to be played under, says where a text is wrong, and never panics.

mod cursor;
pub mod ggf;
pub mod obf;
mod properties;
pub mod sgf;
pub mod transcript;
pub mod wthor;
pub mod xot;

use super::Othello;
use crate::record::Record;

/// A game with what is known about it.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// Such as `("PB", "name of Black")`, in the order of the file: what GGF and SGF say beside board and moves.
    pub tags: Vec<(String, String)>,
    /// Start and moves, with every pass as a ply.
    pub record: Record<Othello>,
    /// What stands beside moves: the ply, from 0, and the text. GGF has a value and a time there, such as
    /// `+1.25 0.03s`; SGF any text.
    pub comments: Vec<(usize, String)>,
}

impl Sheet {
    /// The comment on the move of a ply, from 0.
    pub fn comment(&self, ply: usize) -> Option<&str> {
        self.comments.iter().find(|(at, _)| *at == ply).map(|(_, text)| text.as_str())
    }

    /// The value of the first tag called `name`.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }
}
