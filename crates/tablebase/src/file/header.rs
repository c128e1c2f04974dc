//! What a table file says about itself.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::BLOCK;
use crate::subspace::Subspace;

/// The version of the format that this program writes and reads.
pub const VERSION: u32 = 1;

/// What a table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableMode {
    /// Win, draw or loss, and the plies to the end.
    Distance,
    /// Win, draw or loss.
    Wdl,
}

impl fmt::Display for TableMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            TableMode::Distance => "distance",
            TableMode::Wdl => "wdl",
        })
    }
}

impl FromStr for TableMode {
    type Err = String;

    fn from_str(text: &str) -> Result<TableMode, String> {
        match text {
            "distance" => Ok(TableMode::Distance),
            "wdl" => Ok(TableMode::Wdl),
            _ => Err(format!("`{text}` is not a mode: expected `distance` or `wdl`")),
        }
    }
}

/// Classes of positions by value, for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
    /// Plies of the longest win or loss; 0 if distances are not known.
    pub max_plies: u32,
}

impl Counts {
    /// All classes.
    pub fn classes(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Counts one position, given its plies.
    pub fn add(&mut self, plies: u16, mode: TableMode) {
        match plies {
            u16::MAX => self.draws += 1,
            _ if plies % 2 == 1 => self.wins += 1,
            _ => self.losses += 1,
        }
        if plies != u16::MAX && mode == TableMode::Distance {
            self.max_plies = self.max_plies.max(plies.into());
        }
    }
}

/// The header of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableHeader {
    /// Of the format.
    pub version: u32,
    /// Always `morris`.
    pub game: String,
    /// The rules that matter without stones in hand, such as `thesis`.
    pub rules: String,
    /// What is known of a position.
    pub mode: TableMode,
    /// Stones of the side to move and of the other, such as `5-3`.
    pub subspace: String,
    /// How many slots there are.
    pub slots: u64,
    /// Bits of a slot: 2, 8 or 16.
    pub bits: u32,
    /// Classes by value.
    pub counts: Counts,
}

impl TableHeader {
    /// For a table whose longest win or loss takes at most `longest` plies.
    pub fn new(rules: &str, mode: TableMode, subspace: Subspace, longest: u32) -> TableHeader {
        let bits = match mode {
            TableMode::Wdl => 2,
            TableMode::Distance if longest < 255 => 8,
            TableMode::Distance => 16,
        };
        TableHeader {
            version: VERSION,
            game: "morris".into(),
            rules: rules.into(),
            mode,
            subspace: subspace.to_string(),
            slots: subspace.slots(),
            bits,
            counts: Counts::default(),
        }
    }

    /// Slots of a block.
    pub fn per_block(&self) -> u64 {
        BLOCK as u64 * 8 / u64::from(self.bits)
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> u64 {
        self.slots.div_ceil(self.per_block())
    }
}
