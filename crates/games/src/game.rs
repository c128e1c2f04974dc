//! The one abstraction that search, learning, arena and app are written against.

use std::fmt::{self, Debug, Display};
use std::hash::Hash;
use std::ops::Not;
use std::str::FromStr;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use crate::arrangement::{Arrangement, SideCounts};
use crate::board::{Action, Board, Stone};
use crate::error::{MoveError, PositionError, RulesError};

/// Moves on the stack. No position of a registered game has more than 512.
pub type MoveList<M> = ArrayVec<M, 512>;

/// The colours of rules, notation and display; inside, stones are `own` and `other`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// Begins in Othello and Abalone.
    Black,
    /// Begins in Morris.
    White,
}

impl Not for Colour {
    type Output = Colour;

    fn not(self) -> Colour {
        match self {
            Colour::Black => Colour::White,
            Colour::White => Colour::Black,
        }
    }
}

impl Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Colour::Black => "black",
            Colour::White => "white",
        })
    }
}

/// How an ended game stands for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The side to move has lost.
    Loss,
    /// Nobody has won.
    Draw,
    /// The side to move has won.
    Win,
}

impl Outcome {
    /// The outcome that a number stands for: its sign.
    pub fn of(margin: i32) -> Outcome {
        match margin.signum() {
            1 => Outcome::Win,
            -1 => Outcome::Loss,
            _ => Outcome::Draw,
        }
    }

    /// Who has won, given who is to move.
    pub fn winner(self, to_move: Colour) -> Option<Colour> {
        match self {
            Outcome::Win => Some(to_move),
            Outcome::Draw => None,
            Outcome::Loss => Some(!to_move),
        }
    }
}

/// The draw rules that only a [`Record`](crate::Record) can decide; zero turns a rule off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawRules {
    /// Drawn when a position stands for the `repetition`-th time; 1 and 2 both mean its first return.
    pub repetition: u32,
    /// Drawn after so many plies.
    pub plies: u32,
}

/// Which moves unsettle a position, so that a search should not stop before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Noise {
    /// Moves that take something at once: a mill closed, a marble ejected, a corner won. None of them can be undone.
    Captures,
    /// Moves that threaten two things at once: two mills opened by one placed stone (S2, 2.10).
    Forks,
}

/// A rule set with its switches. Lists and plays moves on small `Copy` positions; knows no history.
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// The name in commands, files and addresses: one lower-case word.
    const NAME: &'static str;
    /// How many symmetries the board has; number 0 is the identity.
    const SYMMETRIES: usize;
    /// What people are offered when a game begins: groups of rule words, one of each group is taken. The first of a
    /// group is the usual one; those taken, joined by commas in this order, are a rule text.
    const CHOICES: &'static [&'static [&'static str]] = &[];
    /// Whether perft counts a game that has ended as one leaf of every greater depth, as published numbers of some
    /// games do; else it adds nothing.
    const PERFT_KEEPS_ENDED: bool = false;
    /// The stones that can stand on its board.
    const STONES: &'static [Stone] = &[Stone::Black, Stone::White];
    /// What a position counts beside its stones, one number a side, as a word for the page: `hand`, `ejected`.
    const COUNTED: Option<&'static str> = None;

    /// The switches; text such as `thesis,flying=off` that round-trips.
    type Rules: Clone + Debug + Default + PartialEq + FromStr<Err = RulesError> + Display + Send + Sync;
    /// At most 64 bytes, with the counters that rules look at. `Ord` only serves to choose the canonical image.
    type Position: Copy + Eq + Ord + Hash + Debug + Send + Sync;
    /// A ply: everything one side does in its turn.
    type Move: Copy + Eq + Hash + Debug + Send + Sync;

    // Rules

    /// The game under `rules`.
    fn new(rules: Self::Rules) -> Self;
    /// The switches this game was made with.
    fn rules(&self) -> &Self::Rules;
    /// The position games begin with.
    fn start(&self) -> Self::Position;
    /// Puts all legal moves, each once, into the emptied list: none if the game has ended, else at least one.
    fn moves(&self, position: &Self::Position, into: &mut MoveList<Self::Move>);
    /// How many moves are legal; games override it where counting is faster than listing.
    fn count_moves(&self, position: &Self::Position) -> usize {
        let mut moves = MoveList::new();
        self.moves(position, &mut moves);
        moves.len()
    }
    /// The position after `mv`. Trusts that `mv` is legal. Input is checked before, by `Record::push`.
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;
    /// Whether the game has ended as far as the position alone can tell, and how, for the side to move.
    fn outcome(&self, position: &Self::Position) -> Option<Outcome>;
    /// Why an ended position has ended, in words, such as `two stones left`.
    fn reason(&self, position: &Self::Position) -> &'static str;
    /// The draw rules that need history.
    fn history(&self) -> DrawRules;
    /// Whether no position from before `mv` can come again after it.
    fn is_irreversible(&self, position: &Self::Position, mv: Self::Move) -> bool;
    /// Whose turn it is.
    fn to_move(&self, position: &Self::Position) -> Colour;
    /// The same for positions that count as repeated, whatever their counters say.
    fn key(&self, position: &Self::Position) -> u64;
    /// The game's own count for the side to move: discs, stones, ejected marbles.
    fn margin(&self, position: &Self::Position) -> i32;
    /// Leaves at `depth`, without hashing; the last ply may be counted without being played.
    fn perft(&self, position: &Self::Position, depth: u32) -> u64 {
        crate::perft::perft(self, position, depth)
    }

    // Hints to a search; a game without them is searched all the same

    /// How forcing a legal move looks before it is tried: larger ones first.
    fn ordering_score(&self, _position: &Self::Position, _mv: Self::Move) -> i32 {
        0
    }
    /// Whether quiescence follows a legal move.
    fn is_noisy(&self, _position: &Self::Position, _mv: Self::Move, _noise: Noise) -> bool {
        false
    }
    /// Puts the noisy moves into the emptied list; games override it where finding them is faster than filtering.
    fn noisy_moves(&self, position: &Self::Position, noise: Noise, into: &mut MoveList<Self::Move>) {
        self.moves(position, into);
        into.retain(|mv| self.is_noisy(position, *mv, noise));
    }
    /// In how many stages [`Game::stage_moves`] gives the moves: more than one where a search that is cut short early
    /// should not pay for all of them.
    const MOVE_STAGES: usize = 1;
    /// Puts the moves of one stage, `stage < MOVE_STAGES`, into the emptied list. All stages together are [`Game::moves`] in any
    /// order. If there is more than one, the first has the moves that cannot be undone and the others have none of them.
    fn stage_moves(&self, position: &Self::Position, _stage: usize, into: &mut MoveList<Self::Move>) {
        self.moves(position, into);
    }
    /// Whether a move that was legal in another position, or came from [`Game::numbered_move`], is legal in this one, in
    /// which the game goes on; games override it where that is faster than listing.
    fn is_legal(&self, position: &Self::Position, mv: Self::Move) -> bool {
        let mut moves = MoveList::new();
        self.moves(position, &mut moves);
        moves.contains(&mv)
    }
    /// The same position with the other side to move, for searches that ask what that one threatens; none where turns cannot
    /// be changed.
    fn turned(&self, _position: &Self::Position) -> Option<Self::Position> {
        None
    }
    /// The position if the side to move could pass, for searches that ask what a free move would bring; none where passing
    /// may be better than every move, so that the answer would say nothing.
    fn null_move(&self, _position: &Self::Position) -> Option<Self::Position> {
        None
    }
    /// How far the game has come, below 64: what statistics are kept apart by.
    fn phase(&self, _position: &Self::Position) -> usize {
        0
    }

    // Symmetry

    /// The position as seen through a symmetry, `symmetry < SYMMETRIES`; counters and sides stay.
    fn image(&self, position: &Self::Position, symmetry: usize) -> Self::Position;
    /// The move that does in the image what `mv` does in the original.
    fn image_move(&self, mv: Self::Move, symmetry: usize) -> Self::Move;
    /// The symmetry that undoes `symmetry`.
    fn inverse(&self, symmetry: usize) -> usize;
    /// The smallest image and the symmetry that leads to it.
    fn canonical(&self, position: &Self::Position) -> (Self::Position, usize) {
        (0..Self::SYMMETRIES)
            .map(|symmetry| (self.image(position, symmetry), symmetry))
            .min()
            .expect("every board has the identity")
    }

    // Numbers, for learning programs; docs/python.md has a picture of each

    /// How many action numbers there are. What a number means never changes.
    const ACTIONS: usize;
    /// Planes, rows and columns of an observation; row 0 is the top one of the diagram.
    const OBSERVATION: [usize; 3];
    /// The number of a move, below `ACTIONS`. Moves that are legal in the same position have different ones.
    fn action_number(&self, mv: Self::Move) -> usize;
    /// The move that a number stands for in `position`, whether it is legal or not; none if it stands for no move.
    fn numbered_move(&self, position: &Self::Position, number: usize) -> Option<Self::Move>;
    /// Writes the position as the side to move sees it: all planes, row by row. Trusts that `into` is as long as the
    /// product of `OBSERVATION`.
    fn observe(&self, position: &Self::Position, into: &mut [u8]);
    /// Where a place of a plane, `columns * row + column`, lies through a symmetry; places that are no cells stay.
    fn image_place(&self, place: usize, symmetry: usize) -> usize;
    /// The number of the image of the moves that `number` stands for; a number without a move stays.
    fn image_number(&self, number: usize, symmetry: usize) -> usize {
        let mv = self.numbered_move(&self.start(), number);
        mv.map_or(number, |mv| self.action_number(self.image_move(mv, symmetry)))
    }

    // Text

    /// Reads and validates a position.
    fn parse_position(&self, text: &str) -> Result<Self::Position, PositionError>;
    /// One line that [`Game::parse_position`] reads back to an equal position.
    fn position_text(&self, position: &Self::Position) -> String;
    /// The text of a position set up by hand, for [`Game::parse_position`] to judge. A position whose text is a sign a
    /// cell need not override it.
    fn arrangement_text(&self, arrangement: &Arrangement<'_>) -> String {
        arrangement.signs(&self.board())
    }
    /// The numbers of [`Game::COUNTED`].
    fn counts(&self, _position: &Self::Position) -> Option<SideCounts> {
        None
    }
    /// Whether the stones, counters and side to move can be played from; names the fault if not.
    fn validate(&self, position: &Self::Position) -> Result<(), PositionError>;
    /// Reads a move that must be legal in `position`.
    fn parse_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, MoveError>;
    /// The one notation in which this program writes a move; no spaces.
    fn move_text(&self, mv: Self::Move) -> String;

    // Display

    /// Where the cells lie and what is drawn under the stones.
    fn board(&self) -> Board;
    /// The stone on each cell of [`Game::board`].
    fn stones(&self, position: &Self::Position) -> Vec<Option<Stone>>;
    /// What a person does with the stones to make this move.
    fn action(&self, position: &Self::Position, mv: Self::Move) -> Action;
    /// What the board does not show, for people: `black 32, white 30`, stones in hand, marbles ejected.
    fn status(&self, position: &Self::Position) -> String;
    /// The board as plain text with coordinates.
    fn diagram(&self, position: &Self::Position) -> String;
}
