//! The tables of a folder, opened and asked.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use trilith_games::Outcome;
use trilith_games::morris::points::Points;
use trilith_games::morris::{Position, Rules};

use crate::error::TablebaseError;
use crate::file::{TableFile, TableHeader, TableMode};
use crate::motion::Motion;
use crate::subspace::{FEWEST, MOST, Subspace};

/// What a position is for the side to move, when nobody counts repetitions or quiet plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TablebaseValue {
    /// Under best play.
    pub outcome: Outcome,
    /// To the end, if the winner hurries and the loser delays; none for draws and where the table does not know.
    pub plies: Option<u32>,
}

impl TablebaseValue {
    /// A lost game.
    pub const LOST: TablebaseValue = TablebaseValue { outcome: Outcome::Loss, plies: Some(0) };

    pub(crate) fn of(plies: u16, mode: TableMode) -> TablebaseValue {
        let outcome = match plies {
            u16::MAX => Outcome::Draw,
            _ if plies % 2 == 1 => Outcome::Win,
            _ => Outcome::Loss,
        };
        let is_known = outcome != Outcome::Draw && mode == TableMode::Distance;
        TablebaseValue { outcome, plies: is_known.then_some(plies.into()) }
    }

    /// What a position with this value is worth to the side that moved there, one ply earlier.
    pub fn before(self) -> TablebaseValue {
        let outcome = match self.outcome {
            Outcome::Win => Outcome::Loss,
            Outcome::Draw => Outcome::Draw,
            Outcome::Loss => Outcome::Win,
        };
        TablebaseValue { outcome, plies: self.plies.map(|plies| plies + 1) }
    }

    /// Rises with how good a value is: wins first, early ones before late ones; then draws; then late losses.
    pub fn preference(self) -> (Outcome, i64) {
        let plies = i64::from(self.plies.unwrap_or(0));
        (self.outcome, if self.outcome == Outcome::Win { -plies } else { plies })
    }
}

/// Tables with up to so many slots are unpacked when they are opened: those of eight stones, 25 MB together at most.
const IN_MEMORY: u64 = 4 << 20;

/// The tables of one folder.
pub struct Tables {
    folder: PathBuf,
    motion: Motion,
    /// The most stones on the board of any position known.
    most: u32,
    /// By stones of the side to move and of the other, each less three.
    tables: [[Option<TableFile>; 7]; 7],
}

impl Tables {
    /// Opens all tables in `folder`, of two for the same subspace the one with distances. What is there must be whole
    /// and for `rules`; nothing need be there.
    pub fn open(folder: &Path, rules: &Rules) -> Result<Tables, TablebaseError> {
        let mut tables =
            Tables { folder: folder.into(), motion: Motion::of(rules), most: 0, tables: Default::default() };
        Subspace::up_to(18).into_iter().try_for_each(|subspace| tables.load(subspace))?;
        Ok(tables)
    }

    /// Opens the table of a subspace again, if it is there.
    pub(crate) fn load(&mut self, subspace: Subspace) -> Result<(), TablebaseError> {
        for mode in [TableMode::Distance, TableMode::Wdl] {
            let path = self.folder.join(TableHeader::file_name(subspace, mode));
            if path.exists() {
                let table = TableFile::open(&path, subspace, &self.motion.name())?;
                if subspace.slots() <= IN_MEMORY {
                    table.keep_in_memory()?;
                }
                self.tables[place(subspace.own())][place(subspace.other())] = Some(table);
                self.most = self.most.max(subspace.stones());
                return Ok(());
            }
        }
        Ok(())
    }

    /// The table of a subspace, if it is there.
    #[inline]
    pub fn get(&self, subspace: Subspace) -> Option<&TableFile> {
        self.tables[place(subspace.own())][place(subspace.other())].as_ref()
    }

    /// The table of a subspace.
    pub fn require(&self, subspace: Subspace) -> Result<&TableFile, TablebaseError> {
        self.get(subspace).ok_or_else(|| TablebaseError::Missing {
            subspace,
            folder: self.folder.clone(),
            rules: self.motion.name(),
        })
    }

    /// All tables that are there, in the order in which they were built.
    pub fn iter(&self) -> impl Iterator<Item = &TableFile> {
        Subspace::up_to(18).into_iter().filter_map(|subspace| self.get(subspace))
    }

    /// Whether every subspace is there, so that play can be followed from the last stone placed to the end.
    pub fn is_complete(&self) -> bool {
        self.tables.iter().flatten().all(Option::is_some)
    }

    /// Unpacks all tables on so many threads; the complete set takes 2.6 GB.
    pub fn keep_in_memory(&self, threads: usize) -> Result<(), TablebaseError> {
        let next = AtomicUsize::new(0);
        let tables: Vec<_> = self.iter().collect();
        let unpack = || {
            // The largest first, so that the threads end together.
            while let Some(place) = tables.len().checked_sub(1 + next.fetch_add(1, Relaxed)) {
                tables[place].keep_in_memory()?;
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(unpack)).collect();
            threads.into_iter().try_for_each(|thread| thread.join().expect("unpacking does not panic"))
        })
    }

    /// The rules that matter to the tables.
    pub fn motion(&self) -> Motion {
        self.motion
    }

    /// The value of a position. Takes microseconds; a table that is large and not in the computer's memory yet is
    /// read from disk.
    pub fn value(&self, position: &Position) -> Result<TablebaseValue, TablebaseError> {
        let subspace = suitable(position)?;
        match subspace {
            None => Ok(TablebaseValue::LOST),
            Some(subspace) => self.table_value(self.require(subspace)?, position.own(), position.other()),
        }
    }

    /// The same for a search: none wherever [`Tables::value`] gives an error.
    #[inline]
    pub fn probe(&self, position: &Position) -> Option<TablebaseValue> {
        self.probe_if(position, |_| true)
    }

    /// The same if `is_wanted` says so of the table.
    #[inline]
    pub(crate) fn probe_if(
        &self,
        position: &Position,
        is_wanted: impl FnOnce(&TableFile) -> bool,
    ) -> Option<TablebaseValue> {
        match suitable(position).ok()? {
            None => Some(TablebaseValue::LOST),
            Some(subspace) => {
                let table = self.get(subspace).filter(|table| is_wanted(table))?;
                self.table_value(table, position.own(), position.other()).ok()
            }
        }
    }

    /// Whether the position has few enough stones: quick, and false for nearly all positions of most searches.
    #[inline]
    pub(crate) fn may_know(&self, position: &Position) -> bool {
        (position.own() | position.other()).count_ones() <= self.most
    }

    #[inline]
    fn table_value(
        &self,
        table: &TableFile,
        own: Points,
        other: Points,
    ) -> Result<TablebaseValue, TablebaseError> {
        let plies = table.plies(table.index().slot(own, other))?;
        Ok(TablebaseValue::of(plies, table.header().mode))
    }
}

fn place(stones: u32) -> usize {
    (stones - u32::from(FEWEST)) as usize
}

/// The subspace of a position; none if the side to move has too few stones.
#[inline]
fn suitable(position: &Position) -> Result<Option<Subspace>, TablebaseError> {
    let (own, other) = (position.own().count_ones(), position.other().count_ones());
    let hands = position.in_hand();
    let range = u32::from(FEWEST)..=u32::from(MOST);
    match Subspace::new(own, other) {
        Some(subspace) if hands == 0 => Ok(Some(subspace)),
        None if hands == 0 && own < u32::from(FEWEST) && range.contains(&other) => Ok(None),
        _ => Err(unsuitable(own, other, hands)),
    }
}

#[cold]
fn unsuitable(own: u32, other: u32, hands: u8) -> TablebaseError {
    TablebaseError::Unsuitable { what: format!("{own}-{other} with {hands} in hand") }
}
