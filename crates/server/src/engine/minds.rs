//! The minds in use: made when first needed, kept for the next move, forgotten when others need the memory.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use trilith_games::Colour;

use super::Mind;
use crate::tables::lock;

type Key = (String, Colour);
type Queue = VecDeque<(Key, Box<dyn Mind>)>;

/// The minds of so many seats, those used longest ago going first.
#[derive(Clone)]
pub(crate) struct Minds {
    most: usize,
    kept: Arc<Mutex<Queue>>,
}

impl Minds {
    pub(crate) fn new(most: usize) -> Minds {
        Minds { most: most.max(1), kept: Arc::default() }
    }

    /// The mind of a seat, which is its caller's until it is put back.
    pub(crate) fn take(&self, table: &str, side: Colour) -> Option<Box<dyn Mind>> {
        let mut kept = lock(&self.kept);
        let place = kept.iter().position(|((id, colour), _)| id == table && *colour == side)?;
        kept.remove(place).map(|(_, mind)| mind)
    }

    /// Keeps a mind for the next move.
    pub(crate) fn put(&self, table: &str, side: Colour, mind: Box<dyn Mind>) {
        let mut kept = lock(&self.kept);
        kept.push_back(((table.into(), side), mind));
        let gone = if kept.len() > self.most { kept.pop_front() } else { None };
        drop(kept);
        drop(gone);
    }
}
