//! A game as a job: plain data in, plain data out, with the same result wherever it is played.

use std::fmt;

use serde::{Deserialize, Serialize};
use trilith_games::{Colour, End};

use super::adjudication::Adjudication;
use super::openings::Opening;
use super::pace::Pace;

/// Who sits at one side of the board, and how long they may think.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameSeat {
    /// A player spec.
    pub player: String,
    /// Depth, nodes, time or clock; a player's own limits hold where this says nothing.
    #[serde(default)]
    pub pace: Pace,
}

/// Everything that decides a game. With limits by depth or nodes the same job gives the same game everywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameJob {
    /// Its place in the match or tournament, from 0: what makes results idempotent.
    pub number: u64,
    /// The game's name.
    pub game: String,
    /// Rule switches.
    pub rules: String,
    /// Where the players take over.
    pub opening: Opening,
    /// Plays Black.
    pub black: GameSeat,
    /// Plays White.
    pub white: GameSeat,
    /// When a game is ended before its rules end it.
    #[serde(default)]
    pub adjudication: Adjudication,
    /// Where the players' draws come from.
    pub seed: u64,
}

impl GameJob {
    /// A text by which a journal knows the game again, whatever its number: the same for the same game, rules, opening,
    /// players, limits and seed.
    pub fn key(&self) -> String {
        let job = GameJob { number: 0, ..self.clone() };
        let text = serde_json::to_string(&job).expect("jobs are plain data");
        blake3::hash(text.as_bytes()).to_hex()[..32].into()
    }

    /// The seat of a colour.
    pub fn seat(&self, colour: Colour) -> &GameSeat {
        match colour {
            Colour::Black => &self.black,
            Colour::White => &self.white,
        }
    }
}

/// A player that failed and has lost by rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameFault {
    /// Who failed.
    pub by: Colour,
    /// One word: `illegal`, `time`, `gone`, `timeout`, ...
    pub kind: String,
    /// What happened.
    pub text: String,
}

/// What a player said about one of its moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveNote {
    /// How long it took.
    pub seconds: f64,
    /// What the position was worth before the move, for the side to move, in units of the player's evaluation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Plies searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions visited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// `+1.25/12 20000n 0.034s`; what a player did not say is left out.
impl fmt::Display for MoveNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(value) = self.value {
            write!(f, "{value:+.2}")?;
            self.depth.iter().try_for_each(|depth| write!(f, "/{depth}"))?;
            f.write_str(" ")?;
        }
        if let Some(nodes) = self.nodes {
            write!(f, "{nodes}n ")?;
        }
        write!(f, "{:.3}s", self.seconds)
    }
}

/// How a game went. All but the seconds is the same wherever it was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameReport {
    /// The job's number.
    pub number: u64,
    /// Who has won, and why.
    #[serde(flatten)]
    pub end: End,
    /// Whether the game was ended by a fault, the clock, a resignation or adjudication instead of its rules.
    pub cut_short: bool,
    /// All moves with spaces between them, the opening's first.
    pub moves: String,
    /// Who failed, if anybody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<GameFault>,
    /// How long Black and White thought, in all.
    pub seconds: [f64; 2],
    /// What the players said about their moves, the first after the opening first; none in results of old journals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<MoveNote>,
}

impl GameReport {
    /// Plies played, the opening's among them.
    pub fn plies(&self) -> usize {
        self.moves.split_whitespace().count()
    }

    /// The same game without what the clock says: equal wherever it was played.
    pub fn timeless(mut self) -> GameReport {
        self.seconds = [0.0; 2];
        self.notes.iter_mut().for_each(|note| note.seconds = 0.0);
        self
    }

    /// 1 if `colour` has won, -1 if it has lost, 0 for a draw.
    pub fn sign(&self, colour: Colour) -> i32 {
        self.end.winner.map_or(0, |winner| if winner == colour { 1 } else { -1 })
    }
}
