//! Othello: rules, text, symmetry, fast counting, and the formats games and positions come in.
//!
//! Squares are numbered a1 = 0 (top left), b1 = 1, ... h8 = 63. A forced pass is a ply of its own.

mod actions;
pub mod formats;
mod mv;
mod perft;
mod position;
mod rules;
mod statistics;
pub mod symmetry;
pub mod technique;

pub use mv::{Move, square_name};
pub use perft::perft;
pub use position::Position;
pub use rules::{Rules, Score};
pub use statistics::{GameStatistics, statistics};

use crate::arrangement::Arrangement;
use crate::board::{Action, Board, BoardGround, Cell, Label, Stone};
use crate::error::{MoveError, PositionError};
use crate::game::{Colour, DrawRules, Game, MoveList, Noise, Outcome};
use crate::record;
use technique::Technique;

/// Othello under its rule switches.
#[derive(Clone, Debug, Default)]
pub struct Othello {
    rules: Rules,
}

const CORNERS: u64 = 0x8100_0000_0000_0081;
/// What a corner counts, in moves the other side would have less.
const CORNER_SCORE: i32 = 12;

/// The squares of a bit board, lowest first.
pub fn squares(mut bits: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = (bits != 0).then(|| bits.trailing_zeros() as u8);
        bits &= bits.wrapping_sub(1);
        square
    })
}

impl Game for Othello {
    const NAME: &'static str = "othello";
    const SYMMETRIES: usize = symmetry::SYMMETRIES;
    const PERFT_KEEPS_ENDED: bool = true;
    const CHOICES: &'static [&'static [&'static str]] = &[&["score=wof", "score=discs"]];

    type Rules = Rules;
    type Position = Position;
    type Move = Move;

    fn new(rules: Rules) -> Othello {
        Othello { rules }
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn start(&self) -> Position {
        Position::START
    }

    fn moves(&self, position: &Position, into: &mut MoveList<Move>) {
        into.clear();
        let mobility = position.mobility();
        into.extend(squares(mobility).map(Move::on));
        if mobility == 0 && !position.has_ended() {
            into.push(Move::PASS);
        }
    }

    fn count_moves(&self, position: &Position) -> usize {
        match position.mobility() {
            0 => usize::from(!position.has_ended()),
            mobility => mobility.count_ones() as usize,
        }
    }

    #[inline]
    fn play(&self, position: &Position, mv: Move) -> Position {
        match mv.square() {
            Some(square) => position.after_disc(square),
            None => position.after_pass(),
        }
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        position.has_ended().then(|| Outcome::of(position.disc_difference()))
    }

    fn reason(&self, position: &Position) -> &'static str {
        match (position.empties(), position.own, position.other) {
            (0, _, _) => "board full",
            (_, 0, _) | (_, _, 0) => "one side has no discs left",
            _ => "neither side can move",
        }
    }

    fn history(&self) -> DrawRules {
        DrawRules::default()
    }

    fn is_irreversible(&self, _: &Position, _: Move) -> bool {
        // Discs never leave the board, and after a pass the other side must put one.
        true
    }

    fn to_move(&self, position: &Position) -> Colour {
        position.to_move
    }

    #[inline]
    fn key(&self, position: &Position) -> u64 {
        position.key()
    }

    fn margin(&self, position: &Position) -> i32 {
        let difference = position.disc_difference();
        match self.rules.score {
            Score::Wof if position.has_ended() => {
                difference + difference.signum() * position.empties().count_ones() as i32
            }
            _ => difference,
        }
    }

    fn perft(&self, position: &Position, depth: u32) -> u64 {
        perft(Technique::best(), position, depth)
    }

    /// Few answers for the other side first, its corners counted twice; an own corner before nearly everything.
    #[inline]
    fn ordering_score(&self, position: &Position, mv: Move) -> i32 {
        let Some(square) = mv.square() else { return 0 };
        let answers = position.after_disc(square).mobility();
        let corner = (CORNERS >> square & 1) as i32 * CORNER_SCORE;
        corner - (answers.count_ones() + (answers & CORNERS).count_ones()) as i32
    }

    fn is_noisy(&self, _: &Position, mv: Move, noise: Noise) -> bool {
        noise == Noise::Captures && mv.square().is_some_and(|square| CORNERS >> square & 1 == 1)
    }

    fn noisy_moves(&self, position: &Position, noise: Noise, into: &mut MoveList<Move>) {
        into.clear();
        if noise == Noise::Captures && position.empties() & CORNERS != 0 {
            into.extend(squares(position.mobility() & CORNERS).map(Move::on));
        }
    }

    /// Discs on the board, less one.
    fn phase(&self, position: &Position) -> usize {
        63 - position.empties().count_ones() as usize
    }

    fn image(&self, position: &Position, symmetry: usize) -> Position {
        Position {
            own: symmetry::image(position.own, symmetry),
            other: symmetry::image(position.other, symmetry),
            to_move: position.to_move,
        }
    }

    fn image_move(&self, mv: Move, symmetry: usize) -> Move {
        mv.square().map_or(Move::PASS, |square| Move::on(symmetry::image_square(square, symmetry)))
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
    fn numbered_move(&self, _: &Position, number: usize) -> Option<Move> {
        actions::numbered(number)
    }

    #[inline]
    fn observe(&self, position: &Position, into: &mut [u8]) {
        actions::observe(position, into);
    }

    fn image_place(&self, place: usize, symmetry: usize) -> usize {
        actions::image_place(place, symmetry)
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        Position::parse(text)
    }

    fn position_text(&self, position: &Position) -> String {
        position.text()
    }

    fn arrangement_text(&self, arrangement: &Arrangement<'_>) -> String {
        let side = if arrangement.to_move == Colour::Black { 'X' } else { 'O' };
        format!("{} {side}", arrangement.signs(&self.board()))
    }

    fn validate(&self, position: &Position) -> Result<(), PositionError> {
        position.validate()
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, MoveError> {
        let mv: Move = text.parse()?;
        let mobility = position.mobility();
        let is_legal = match mv.square() {
            Some(square) => mobility >> square & 1 == 1,
            None => mobility == 0 && !position.has_ended(),
        };
        if is_legal {
            return Ok(mv);
        }
        let mut legal = MoveList::new();
        self.moves(position, &mut legal);
        let text = text.into();
        Err(match legal.is_empty() {
            true => MoveError::Ended { text, reason: self.reason(position).into() },
            false => MoveError::Illegal { text, legal: record::list(self, &legal) },
        })
    }

    fn move_text(&self, mv: Move) -> String {
        mv.to_string()
    }

    fn board(&self) -> Board {
        let cell = |square: u8| Cell {
            name: square_name(square),
            x: f32::from(square % 8),
            y: f32::from(square / 8),
        };
        let columns =
            (0..8_u8).map(|x| Label { text: char::from(b'a' + x).to_string(), x: f32::from(x), y: -0.8 });
        let rows = (0..8_u8).map(|y| Label { text: (y + 1).to_string(), x: -0.8, y: f32::from(y) });
        Board {
            ground: BoardGround::Squares,
            cells: (0..64).map(cell).collect(),
            lines: Vec::new(),
            labels: columns.chain(rows).collect(),
        }
    }

    fn stones(&self, position: &Position) -> Vec<Option<Stone>> {
        let (black, white) = position.colours();
        (0..64)
            .map(|square| match (black >> square & 1, white >> square & 1) {
                (1, _) => Some(Stone::Black),
                (_, 1) => Some(Stone::White),
                _ => None,
            })
            .collect()
    }

    fn action(&self, _: &Position, mv: Move) -> Action {
        Action { to: mv.square().map(usize::from).into_iter().collect(), ..Action::default() }
    }

    fn status(&self, position: &Position) -> String {
        let (black, white) = position.colours();
        format!("black {}, white {}", black.count_ones(), white.count_ones())
    }

    fn diagram(&self, position: &Position) -> String {
        let text = position.text();
        let mut diagram = String::from("  a b c d e f g h\n");
        for (row, squares) in text.as_bytes()[..64].chunks(8).enumerate() {
            diagram.push_str(&(row + 1).to_string());
            for &square in squares {
                diagram.push(' ');
                diagram.push(char::from(square));
            }
            diagram.push('\n');
        }
        diagram
    }
}
