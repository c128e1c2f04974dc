//! Abalone: 61 cells, lines of up to three marbles, pushes, six ejected win.
//!
//! A side to move that has no legal move has lost; no known layout leads there, but a custom one can.

mod actions;
pub mod cells;
mod display;
mod hints;
mod moves;
mod notation;
mod perft;
mod position;
pub mod rows;
mod rules;
mod symmetry;

pub use hints::RINGS;
pub use moves::Move;
pub use position::Position;
pub use rules::{LAYOUTS, Rules};

use crate::arrangement::{Arrangement, SideCounts};
use crate::board::{Action, Board, Stone};
use crate::error::{MoveError, PositionError};
use crate::game::{Colour, DrawRules, Game, MoveList, Noise, Outcome};

/// The game under its switches.
#[derive(Clone, Debug)]
pub struct Abalone {
    rules: Rules,
}

impl Abalone {
    /// Whether the last move has won.
    #[inline(always)]
    fn is_won(&self, position: &Position) -> bool {
        position.own_lost >= self.rules.eject || self.rules.princess && position.princess == 0
    }
}

impl Default for Abalone {
    fn default() -> Abalone {
        Abalone::new(Rules::default())
    }
}

impl Game for Abalone {
    const NAME: &'static str = "abalone";
    const SYMMETRIES: usize = symmetry::SYMMETRIES;
    const STONES: &'static [Stone] = &[Stone::Black, Stone::White, Stone::Neutral];
    const COUNTED: Option<&'static str> = Some("ejected");
    const CHOICES: &'static [&'static [&'static str]] = &[
        &[
            "layout=standard",
            "layout=belgian-daisy",
            "layout=german-daisy",
            "layout=dutch-daisy",
            "layout=swiss-daisy",
            "layout=snakes",
        ],
        &["eject=6", "eject=3", "eject=1"],
        &["princess=off", "princess=on"],
    ];

    type Rules = Rules;
    type Position = Position;
    type Move = Move;

    fn new(rules: Rules) -> Abalone {
        Abalone { rules }
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn start(&self) -> Position {
        Position {
            own: self.rules.layout.black,
            other: self.rules.layout.white,
            princess: u64::from(self.rules.princess) << cells::CENTRE,
            own_lost: 0,
            other_lost: 0,
            to_move: Colour::Black,
        }
    }

    fn moves(&self, position: &Position, into: &mut MoveList<Move>) {
        into.clear();
        if !self.is_won(position) {
            moves::list(position, into);
        }
    }

    fn count_moves(&self, position: &Position) -> usize {
        if self.is_won(position) {
            return 0;
        }
        moves::count(position.own, position.pushable()) as usize
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        mv.play(position)
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let lost = self.is_won(position) || moves::is_blocked(position.own, position.pushable());
        lost.then_some(Outcome::Loss)
    }

    fn reason(&self, position: &Position) -> &'static str {
        if position.own_lost >= self.rules.eject {
            EJECTED[usize::from(self.rules.eject)]
        } else if self.is_won(position) {
            "princess pushed off"
        } else {
            "no legal move"
        }
    }

    fn history(&self) -> DrawRules {
        self.rules.history
    }

    fn is_irreversible(&self, position: &Position, mv: Move) -> bool {
        mv.ejects(position)
    }

    fn to_move(&self, position: &Position) -> Colour {
        position.to_move
    }

    fn key(&self, position: &Position) -> u64 {
        position.key()
    }

    fn margin(&self, position: &Position) -> i32 {
        i32::from(position.other_lost) - i32::from(position.own_lost)
    }

    fn perft(&self, position: &Position, depth: u32) -> u64 {
        perft::perft(self, position, depth)
    }

    fn ordering_score(&self, position: &Position, mv: Move) -> i32 {
        hints::ordering_score(position, mv)
    }

    fn is_noisy(&self, position: &Position, mv: Move, noise: Noise) -> bool {
        noise == Noise::Captures && mv.ejects(position)
    }

    fn noisy_moves(&self, position: &Position, noise: Noise, into: &mut MoveList<Move>) {
        into.clear();
        if noise == Noise::Captures && !self.is_won(position) {
            hints::ejections(position, into);
        }
    }

    const MOVE_STAGES: usize = moves::MOVE_STAGES;

    fn stage_moves(&self, position: &Position, stage: usize, into: &mut MoveList<Move>) {
        into.clear();
        if !self.is_won(position) {
            moves::list_stage(position, stage, into);
        }
    }

    fn is_legal(&self, position: &Position, mv: Move) -> bool {
        mv.is_legal(position)
    }

    fn turned(&self, position: &Position) -> Option<Position> {
        Some(position.turned())
    }

    /// A side that may stay as it is has hardly ever anything to lose by a move.
    fn null_move(&self, position: &Position) -> Option<Position> {
        self.turned(position).filter(|_| !self.is_won(position))
    }

    fn phase(&self, position: &Position) -> usize {
        hints::phase(position)
    }

    fn image(&self, position: &Position, symmetry: usize) -> Position {
        symmetry::image(position, symmetry)
    }

    fn image_move(&self, mv: Move, symmetry: usize) -> Move {
        symmetry::image_move(mv, symmetry)
    }

    fn inverse(&self, symmetry: usize) -> usize {
        symmetry::inverse(symmetry)
    }

    const ACTIONS: usize = actions::ACTIONS;
    const OBSERVATION: [usize; 3] = actions::OBSERVATION;

    #[inline]
    fn action_number(&self, mv: Move) -> usize {
        actions::number(mv)
    }

    #[inline]
    fn numbered_move(&self, position: &Position, number: usize) -> Option<Move> {
        actions::numbered(position, number)
    }

    #[inline]
    fn observe(&self, position: &Position, into: &mut [u8]) {
        actions::observe(position, into);
    }

    fn image_place(&self, place: usize, symmetry: usize) -> usize {
        actions::image_place(place, symmetry)
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        Position::parse(text, &self.rules)
    }

    fn position_text(&self, position: &Position) -> String {
        position.text()
    }

    fn arrangement_text(&self, arrangement: &Arrangement<'_>) -> String {
        let SideCounts { black, white } = arrangement.counts;
        format!("{} {black} {white}", arrangement.packed(&self.board()))
    }

    fn counts(&self, position: &Position) -> Option<SideCounts> {
        let (black, white) = position.ejected();
        Some(SideCounts { black, white })
    }

    fn validate(&self, position: &Position) -> Result<(), PositionError> {
        position.validate(&self.rules)
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, MoveError> {
        notation::parse(self, position, text)
    }

    fn move_text(&self, mv: Move) -> String {
        notation::write(mv)
    }

    fn board(&self) -> Board {
        display::board()
    }

    fn stones(&self, position: &Position) -> Vec<Option<Stone>> {
        display::stones(position)
    }

    fn action(&self, _: &Position, mv: Move) -> Action {
        let from: Vec<_> = mv.line().map(usize::from).collect();
        let to = mv.line().map(|cell| cells::far(cell, mv.direction, 1).into()).collect();
        Action { from, to, remove: Vec::new() }
    }

    fn status(&self, position: &Position) -> String {
        display::status(position)
    }

    fn diagram(&self, position: &Position) -> String {
        display::diagram(position)
    }
}

const EJECTED: [&str; 15] = [
    "no marble ejected",
    "one marble ejected",
    "two marbles ejected",
    "three marbles ejected",
    "four marbles ejected",
    "five marbles ejected",
    "six marbles ejected",
    "seven marbles ejected",
    "eight marbles ejected",
    "nine marbles ejected",
    "ten marbles ejected",
    "eleven marbles ejected",
    "twelve marbles ejected",
    "thirteen marbles ejected",
    "fourteen marbles ejected",
];
