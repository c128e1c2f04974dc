//! A game so far. Checks what is played and decides the endings that need history.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::error::{MoveError, PositionError};
use crate::game::{Colour, Game, MoveList};

/// How and why a game has ended: by its rules, by a clock, a resignation, an adjudication, a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Nobody for a draw.
    pub winner: Option<Colour>,
    /// In words, such as `repetition`, `two stones left` or `resignation`.
    pub reason: Cow<'static, str>,
}

impl End {
    /// An end for this reason.
    pub fn new(winner: Option<Colour>, reason: impl Into<Cow<'static, str>>) -> End {
        End { winner, reason: reason.into() }
    }
}

/// Start, moves and keys of a game: what a player is shown when it is to decide.
#[derive(Clone, Debug)]
pub struct Record<G: Game> {
    game: G,
    start: G::Position,
    plies: Vec<Ply<G>>,
}

#[derive(Clone, Copy, Debug)]
struct Ply<G: Game> {
    mv: G::Move,
    after: G::Position,
    key: u64,
    irreversible: bool,
}

impl<G: Game> Record<G> {
    /// A game from its usual start.
    pub fn new(game: G) -> Record<G> {
        let start = game.start();
        Record { game, start, plies: Vec::new() }
    }

    /// A game from any position the rules allow.
    pub fn from_position(game: G, start: G::Position) -> Result<Record<G>, PositionError> {
        game.validate(&start)?;
        Ok(Record { game, start, plies: Vec::new() })
    }

    /// The rules this game is played by.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The position before the first move.
    pub fn start(&self) -> &G::Position {
        &self.start
    }

    /// The position now.
    pub fn position(&self) -> &G::Position {
        self.plies.last().map_or(&self.start, |ply| &ply.after)
    }

    /// The position after so many plies.
    pub fn position_after(&self, plies: usize) -> Option<&G::Position> {
        match plies {
            0 => Some(&self.start),
            _ => self.plies.get(plies - 1).map(|ply| &ply.after),
        }
    }

    /// The moves so far.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = G::Move> + DoubleEndedIterator + '_ {
        self.plies.iter().map(|ply| ply.mv)
    }

    /// Plies played.
    pub fn len(&self) -> usize {
        self.plies.len()
    }

    /// Whether nothing has been played yet.
    pub fn is_empty(&self) -> bool {
        self.plies.is_empty()
    }

    /// Plays `mv` if it is legal and the game goes on.
    pub fn push(&mut self, mv: G::Move) -> Result<(), MoveError> {
        if let Some(end) = self.end() {
            return Err(MoveError::Ended { text: self.game.move_text(mv), reason: end.reason });
        }
        let mut legal = MoveList::new();
        self.game.moves(self.position(), &mut legal);
        if !legal.contains(&mv) {
            let text = self.game.move_text(mv);
            return Err(MoveError::Illegal { text, legal: list(&self.game, &legal) });
        }
        self.push_legal(mv);
        Ok(())
    }

    /// Plays the move that `text` stands for.
    pub fn push_text(&mut self, text: &str) -> Result<(), MoveError> {
        if let Some(end) = self.end() {
            return Err(MoveError::Ended { text: text.into(), reason: end.reason });
        }
        let mv = self.game.parse_move(self.position(), text)?;
        self.push_legal(mv);
        Ok(())
    }

    /// Plays `mv`. Trusts that it is legal and the game goes on.
    pub fn push_legal(&mut self, mv: G::Move) {
        let before = *self.position();
        let after = self.game.play(&before, mv);
        let irreversible = self.game.is_irreversible(&before, mv);
        self.plies.push(Ply { mv, after, key: self.game.key(&after), irreversible });
    }

    /// Takes the last move back and returns it.
    pub fn pop(&mut self) -> Option<G::Move> {
        self.plies.pop().map(|ply| ply.mv)
    }

    /// The keys of earlier positions that can still come again, oldest first, without the position now.
    pub fn returnable(&self) -> Vec<u64> {
        let first = self.plies.iter().rposition(|ply| ply.irreversible).map_or(0, |last| last + 1);
        let keys = (first..self.plies.len())
            .map(|plies| self.position_after(plies).expect("not past the end"))
            .map(|position| self.game.key(position));
        keys.collect()
    }

    /// How often the position now has stood on the board, this time included.
    pub fn occurrences(&self) -> u32 {
        self.stood(self.game.key(self.position())).max(1)
    }

    /// How often a position with this key has stood since it could last be new.
    fn stood(&self, key: u64) -> u32 {
        let last = self.plies.iter().rposition(|ply| ply.irreversible);
        let start = u32::from(last.is_none() && self.game.key(&self.start) == key);
        let since = &self.plies[last.unwrap_or(0)..];
        start + since.iter().filter(|ply| ply.key == key).count() as u32
    }

    /// Whether `mv` would end the game as a draw by repetition or length. Trusts that `mv` is legal.
    pub fn is_drawn_by(&self, mv: G::Move) -> bool {
        let history = self.game.history();
        let now = self.position();
        let after = self.game.play(now, mv);
        let returns = || {
            let is_new = self.game.is_irreversible(now, mv);
            !is_new && self.stood(self.game.key(&after)) + 1 >= history.repetition.max(2)
        };
        let is_long = history.plies > 0 && self.plies.len() + 1 >= history.plies as usize;
        (is_long || history.repetition > 0 && returns()) && self.game.outcome(&after).is_none()
    }

    /// How the game has ended, if it has: by the position, else by repetition, else by length.
    pub fn end(&self) -> Option<End> {
        let position = self.position();
        if let Some(outcome) = self.game.outcome(position) {
            let winner = outcome.winner(self.game.to_move(position));
            return Some(End::new(winner, self.game.reason(position)));
        }
        let history = self.game.history();
        let draw = |reason: &'static str| Some(End::new(None, reason));
        if history.repetition > 0 && self.occurrences() >= history.repetition.max(2) {
            return draw(REPETITION);
        }
        if history.plies > 0 && self.plies.len() >= history.plies as usize {
            return draw(PLY_LIMIT);
        }
        None
    }
}

/// The reason of a draw by repeated positions.
pub const REPETITION: &str = "repetition";
/// The reason of a draw by the length of the game.
pub const PLY_LIMIT: &str = "ply limit";

/// Move texts for an error message; long lists are cut.
pub fn list<G: Game>(game: &G, moves: &[G::Move]) -> String {
    const SHOWN: usize = 12;
    let mut text = moves.iter().take(SHOWN).map(|&mv| game.move_text(mv)).collect::<Vec<_>>().join(" ");
    if moves.len() > SHOWN {
        text.push_str(&format!(" and {} more", moves.len() - SHOWN));
    }
    text
}
