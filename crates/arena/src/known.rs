//! What is known of a position for certain: tables and solvers, asked of the game ([`GameKit::known`]).
//!
//! Where nothing is known the answer says what is missing and how to get it.
//!
//! [`GameKit::known`]: crate::kit::GameKit::known

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use trilith_search::Control;
use trilith_tablebase::answer::Answer;

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
    pub tablebase: Option<Panel<Answer>>,
    /// By searching to the end.
    pub solver: Option<Panel<Solved>>,
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

/// Opened files by name, kept from question to question.
#[derive(Default)]
pub struct Library(Mutex<HashMap<String, Arc<dyn Any + Send + Sync>>>);

impl Library {
    /// What is kept as `name`, opened if it is not there yet.
    pub fn get<T: Send + Sync + 'static, E>(
        &self,
        name: &str,
        open: impl FnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        if let Some(kept) = kept.and_then(|kept| kept.downcast().ok()) {
            return Ok(kept);
        }
        let opened = Arc::new(open()?);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name.into(), opened.clone());
        Ok(opened)
    }
}
