//! What is known of a position for certain: tables and solvers, asked of the game ([`GameKit::known`]).
//!
//! Where nothing is known the answer says what is missing and how to get it.
//!
//! [`GameKit::known`]: crate::kit::GameKit::known

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use trilith_search::Control;
use trilith_tablebase::Expert;

/// One source: what is known, or why it is not.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase", tag = "state")]
pub enum Panel<T> {
    /// This.
    Known(T),
    /// Nothing.
    Missing {
        /// What is missing, and how to get it.
        why: String,
    },
}

impl<T> Panel<T> {
    /// Nothing is known.
    pub fn missing(why: impl Into<String>) -> Panel<T> {
        Panel::Missing { why: why.into() }
    }
}

/// All that is known; nothing in a game without tables and solvers.
#[derive(Debug, Default, Serialize)]
pub struct Knowledge {
    /// By tables.
    pub tablebase: Option<Panel<Tabulated>>,
    /// By searching to the end.
    pub solver: Option<Panel<Solved>>,
}

/// What tables say of a position.
#[derive(Debug, Serialize)]
pub struct Tabulated {
    /// `win`, `draw` or `loss` for the side to move.
    pub value: &'static str,
    /// Plies to the end, where tables know them.
    pub plies: Option<u32>,
    /// Best first. While stones are placed those may be missing that could not be worked out in time.
    pub moves: Vec<TabulatedMove>,
    /// Legal moves in all.
    pub legal: usize,
}

/// What tables say of a move.
#[derive(Debug, Serialize)]
pub struct TabulatedMove {
    /// In the game's notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// `win`, `draw` or `loss` for who plays it.
    pub value: &'static str,
    /// Plies to the end with this move, where tables know them.
    pub plies: Option<u32>,
    /// Whether it may be worth more than that.
    pub at_least: bool,
    /// Of the other side's replies those that keep what it has, and all: few of many are a danger to it.
    pub replies: Option<(usize, usize)>,
}

/// What a search to the end says.
#[derive(Debug, Serialize)]
pub struct Solved {
    /// The margin at the end for the side to move.
    pub score: i32,
    /// The best move.
    pub best: Option<String>,
    /// Positions visited.
    pub nodes: u64,
    /// Time taken.
    pub seconds: f64,
    /// Best first.
    pub moves: Vec<ScoredMove>,
}

/// What a search to the end says of a move.
#[derive(Debug, Serialize)]
pub struct ScoredMove {
    /// In the game's notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// The margin at the end for who plays it.
    pub score: i32,
}

/// Who asks, and how long it may take.
pub struct Enquiry<'a> {
    /// What earlier questions have opened.
    pub library: &'a Library,
    /// Stops the search.
    pub control: &'a Control,
    /// After which the control stops it.
    pub time: Duration,
}

/// Endgame tables by folder, kept open from question to question.
#[derive(Default)]
pub struct Library(Mutex<HashMap<PathBuf, Arc<Expert>>>);

impl Library {
    /// The tables in `folder`, opened if they are not open yet.
    pub fn tables<E>(
        &self,
        folder: &Path,
        open: impl FnOnce() -> Result<Expert, E>,
    ) -> Result<Arc<Expert>, E> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = lock().get(folder) {
            return Ok(Arc::clone(kept));
        }
        let opened = Arc::new(open()?);
        lock().insert(folder.into(), Arc::clone(&opened));
        Ok(opened)
    }

    /// Closes all tables: the next question opens what is there then.
    pub fn close(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
