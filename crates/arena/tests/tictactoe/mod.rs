//! Tic-tac-toe: the fourth game, in tests only. One folder and one line in the registry are all that a game needs.

use std::fmt;
use std::str::FromStr;

use trilith_games::board::{BoardGround, Cell, Label};
use trilith_games::{
    Action, Board, Colour, DrawRules, Game, MoveError, MoveList, Outcome, PositionError, RulesError, Stone,
    record,
};

/// Three in a row on nine squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TicTacToe {
    rules: Rules,
}

/// There is nothing to switch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules;

const STANDARD: &str = "standard";

impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Rules, RulesError> {
        match text.trim() {
            "" | STANDARD => Ok(Rules),
            word => Err(RulesError::unknown(word, [STANDARD])),
        }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(STANDARD)
    }
}

/// Nine squares by row, a bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    own: u16,
    other: u16,
}

/// A square from 0 to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Square(u8);

const FULL: u16 = 0b111_111_111;
const ROWS: [u16; 8] = [0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124];

impl Position {
    fn has_row(stones: u16) -> bool {
        ROWS.iter().any(|row| stones & row == *row)
    }

    /// Black begins, so that both have as many stones when Black is to move.
    fn to_move(self) -> Colour {
        if self.own.count_ones() == self.other.count_ones() { Colour::Black } else { Colour::White }
    }

    /// Black's stones, then White's.
    fn colours(self) -> (u16, u16) {
        match self.to_move() {
            Colour::Black => (self.own, self.other),
            Colour::White => (self.other, self.own),
        }
    }
}

/// The board turned by a quarter so many times, mirrored before that if the third bit is set.
fn turned(square: u8, symmetry: usize) -> u8 {
    let (mut row, mut column) = (square / 3, square % 3);
    if symmetry & 4 != 0 {
        column = 2 - column;
    }
    for _ in 0..symmetry & 3 {
        (row, column) = (column, 2 - row);
    }
    3 * row + column
}

fn all_turned(stones: u16, symmetry: usize) -> u16 {
    (0..9).filter(|square| stones >> square & 1 == 1).map(|square| 1 << turned(square, symmetry)).sum()
}

impl Game for TicTacToe {
    const NAME: &'static str = "tictactoe";
    const SYMMETRIES: usize = 8;

    type Rules = Rules;
    type Position = Position;
    type Move = Square;

    fn new(rules: Rules) -> TicTacToe {
        TicTacToe { rules }
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn start(&self) -> Position {
        Position { own: 0, other: 0 }
    }

    fn moves(&self, position: &Position, into: &mut MoveList<Square>) {
        into.clear();
        if !Position::has_row(position.other) {
            let empty = !(position.own | position.other);
            into.extend((0..9).filter(|square| empty >> square & 1 == 1).map(Square));
        }
    }

    fn play(&self, position: &Position, mv: Square) -> Position {
        Position { own: position.other, other: position.own | 1 << mv.0 }
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        match (Position::has_row(position.other), position.own | position.other) {
            (true, _) => Some(Outcome::Loss),
            (false, FULL) => Some(Outcome::Draw),
            _ => None,
        }
    }

    fn reason(&self, position: &Position) -> &'static str {
        if Position::has_row(position.other) { "three in a row" } else { "board full" }
    }

    fn history(&self) -> DrawRules {
        DrawRules::default()
    }

    fn is_irreversible(&self, _: &Position, _: Square) -> bool {
        true
    }

    fn to_move(&self, position: &Position) -> Colour {
        position.to_move()
    }

    fn key(&self, position: &Position) -> u64 {
        let board = u64::from(position.own) << 9 | u64::from(position.other);
        (board + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn margin(&self, position: &Position) -> i32 {
        -i32::from(Position::has_row(position.other))
    }

    fn image(&self, position: &Position, symmetry: usize) -> Position {
        Position { own: all_turned(position.own, symmetry), other: all_turned(position.other, symmetry) }
    }

    fn image_move(&self, mv: Square, symmetry: usize) -> Square {
        Square(turned(mv.0, symmetry))
    }

    fn inverse(&self, symmetry: usize) -> usize {
        // Two reflections are none; three quarters undo one.
        if symmetry & 4 != 0 { symmetry } else { (4 - symmetry) & 3 }
    }

    const ACTIONS: usize = 9;
    const OBSERVATION: [usize; 3] = [2, 3, 3];

    fn action_number(&self, mv: Square) -> usize {
        usize::from(mv.0)
    }

    fn numbered_move(&self, _: &Position, number: usize) -> Option<Square> {
        u8::try_from(number).ok().filter(|square| *square < 9).map(Square)
    }

    fn observe(&self, position: &Position, into: &mut [u8]) {
        for (plane, stones) in into.chunks_exact_mut(9).zip([position.own, position.other]) {
            plane.iter_mut().enumerate().for_each(|(at, cell)| *cell = (stones >> at & 1) as u8);
        }
    }

    fn image_place(&self, place: usize, symmetry: usize) -> usize {
        usize::from(turned(place as u8, symmetry))
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let (mut black, mut white) = (0, 0);
        for at in 0..9 {
            match text.as_bytes().get(at) {
                Some(b'X') => black |= 1 << at,
                Some(b'O') => white |= 1 << at,
                Some(b'-') => {}
                _ => return Err(PositionError::syntax(text, at, "`X`, `O` or `-` for each of nine squares")),
            }
        }
        if text.len() > 9 {
            return Err(PositionError::syntax(text, 9, "the end"));
        }
        let position = match u16::count_ones(black) == u16::count_ones(white) {
            true => Position { own: black, other: white },
            false => Position { own: white, other: black },
        };
        self.validate(&position).map(|()| position)
    }

    fn position_text(&self, position: &Position) -> String {
        let (black, white) = position.colours();
        let square = |at: u8| match (black >> at & 1, white >> at & 1) {
            (1, _) => 'X',
            (_, 1) => 'O',
            _ => '-',
        };
        (0..9).map(square).collect()
    }

    fn validate(&self, position: &Position) -> Result<(), PositionError> {
        let (own, other) = (position.own.count_ones(), position.other.count_ones());
        if own != other && own + 1 != other {
            let fault = "expected as many X as O, or one more".into();
            return Err(PositionError::Impossible { fault });
        }
        if Position::has_row(position.own) {
            let fault = "the side to move has three in a row already".into();
            return Err(PositionError::Impossible { fault });
        }
        Ok(())
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Square, MoveError> {
        let (column, row) = match text.as_bytes() {
            [column @ b'a'..=b'c', row @ b'1'..=b'3'] => (column - b'a', row - b'1'),
            _ => {
                return Err(MoveError::Syntax {
                    text: text.into(),
                    column: 1,
                    expected: "a square from a1 to c3",
                });
            }
        };
        let mv = Square(3 * row + column);
        let mut legal = MoveList::new();
        self.moves(position, &mut legal);
        let text = text.into();
        match legal.is_empty() {
            _ if legal.contains(&mv) => Ok(mv),
            true => Err(MoveError::Ended { text, reason: self.reason(position).into() }),
            false => Err(MoveError::Illegal { text, legal: record::list(self, &legal) }),
        }
    }

    fn move_text(&self, mv: Square) -> String {
        format!("{}{}", char::from(b'a' + mv.0 % 3), mv.0 / 3 + 1)
    }

    fn board(&self) -> Board {
        let cell =
            |at: u8| Cell { name: self.move_text(Square(at)), x: f32::from(at % 3), y: f32::from(at / 3) };
        let columns =
            (0..3_u8).map(|x| Label { text: char::from(b'a' + x).into(), x: f32::from(x), y: -0.8 });
        let rows = (0..3_u8).map(|y| Label { text: (y + 1).to_string(), x: -0.8, y: f32::from(y) });
        Board {
            ground: BoardGround::Squares,
            cells: (0..9).map(cell).collect(),
            lines: Vec::new(),
            labels: columns.chain(rows).collect(),
        }
    }

    fn stones(&self, position: &Position) -> Vec<Option<Stone>> {
        let (black, white) = position.colours();
        let stone = |at: u8| match (black >> at & 1, white >> at & 1) {
            (1, _) => Some(Stone::Black),
            (_, 1) => Some(Stone::White),
            _ => None,
        };
        (0..9).map(stone).collect()
    }

    fn action(&self, _: &Position, mv: Square) -> Action {
        Action { to: vec![usize::from(mv.0)], ..Action::default() }
    }

    fn status(&self, position: &Position) -> String {
        format!("{} squares are empty", (FULL & !(position.own | position.other)).count_ones())
    }

    fn diagram(&self, position: &Position) -> String {
        let text = self.position_text(position);
        let row = |at: usize| format!("{} {}\n", at + 1, &text[3 * at..3 * at + 3]);
        format!("  abc\n{}", (0..3).map(row).collect::<String>())
    }
}
