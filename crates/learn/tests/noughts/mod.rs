//! Noughts and crosses, a fourth game that exists in tests only: all that it has is its rules.

use std::fmt;
use std::str::FromStr;

use trilith_games::{
    Action, Board, Cell, Colour, Game, Ground, History, MoveError, MoveList, Outcome, PositionError,
    RulesError, Stone,
};

/// The game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Noughts(NoRules);

/// There is nothing to choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoRules;

impl FromStr for NoRules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<NoRules, RulesError> {
        match text {
            "" => Ok(NoRules),
            _ => Err(RulesError::Unknown { word: text.into(), expected: "no rules".into() }),
        }
    }
}

impl fmt::Display for NoRules {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

/// Nine cells from the top left on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    own: u16,
    other: u16,
}

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

fn has_line(stones: u16) -> bool {
    LINES.iter().any(|line| stones & line == *line)
}

fn cell(x: u8, y: u8) -> u8 {
    3 * y + x
}

/// Turns by quarters, mirrored from 4 on.
fn image_cell(at: u8, symmetry: usize) -> u8 {
    let (mut x, mut y) = (at % 3, at / 3);
    if symmetry >= 4 {
        x = 2 - x;
    }
    for _ in 0..symmetry % 4 {
        (x, y) = (2 - y, x);
    }
    cell(x, y)
}

fn image_cells(cells: u16, symmetry: usize) -> u16 {
    let images = (0..9).filter(|&at| cells >> at & 1 == 1).map(|at| 1 << image_cell(at, symmetry));
    images.fold(0, |all, image: u16| all | image)
}

impl Game for Noughts {
    const NAME: &'static str = "noughts";
    const SYMMETRIES: usize = 8;
    type Rules = NoRules;
    type Position = Position;
    type Move = u8;

    fn new(rules: NoRules) -> Noughts {
        Noughts(rules)
    }

    fn rules(&self) -> &NoRules {
        &self.0
    }

    fn start(&self) -> Position {
        Position { own: 0, other: 0 }
    }

    fn moves(&self, position: &Position, into: &mut MoveList<u8>) {
        into.clear();
        if self.outcome(position).is_none() {
            into.extend((0..9).filter(|at| (position.own | position.other) >> at & 1 == 0));
        }
    }

    fn play(&self, position: &Position, mv: u8) -> Position {
        Position { own: position.other, other: position.own | 1 << mv }
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        match position.own | position.other {
            _ if has_line(position.other) => Some(Outcome::Loss),
            0o777 => Some(Outcome::Draw),
            _ => None,
        }
    }

    fn reason(&self, position: &Position) -> &'static str {
        if has_line(position.other) { "three in a line" } else { "no cell is left" }
    }

    fn history(&self) -> History {
        History::default()
    }

    fn is_irreversible(&self, _: &Position, _: u8) -> bool {
        true
    }

    fn to_move(&self, position: &Position) -> Colour {
        let is_even = (position.own | position.other).count_ones().is_multiple_of(2);
        if is_even { Colour::Black } else { Colour::White }
    }

    fn key(&self, position: &Position) -> u64 {
        trilith_base::seed::mix(u64::from(position.own) << 16 | u64::from(position.other))
    }

    /// Lines that only one side has stones on.
    fn margin(&self, position: &Position) -> i32 {
        let open = |own: u16, other: u16| {
            LINES.iter().filter(|&line| own & line != 0 && other & line == 0).count() as i32
        };
        open(position.own, position.other) - open(position.other, position.own)
    }

    fn image(&self, position: &Position, symmetry: usize) -> Position {
        let image = |cells| image_cells(cells, symmetry);
        Position { own: image(position.own), other: image(position.other) }
    }

    fn image_move(&self, mv: u8, symmetry: usize) -> u8 {
        image_cell(mv, symmetry)
    }

    fn inverse(&self, symmetry: usize) -> usize {
        (0..8)
            .find(|&back| {
                image_cell(image_cell(1, symmetry), back) == 1
                    && image_cell(image_cell(0, symmetry), back) == 0
            })
            .expect("every image can be undone")
    }

    const ACTIONS: usize = 9;
    const OBSERVATION: [usize; 3] = [2, 3, 3];

    fn action_number(&self, mv: u8) -> usize {
        mv.into()
    }

    fn numbered_move(&self, _: &Position, number: usize) -> Option<u8> {
        (number < 9).then_some(number as u8)
    }

    fn observe(&self, position: &Position, into: &mut [u8]) {
        let planes = [position.own, position.other];
        let bits = planes.iter().flat_map(|cells| (0..9).map(move |at| (cells >> at & 1) as u8));
        into.iter_mut().zip(bits).for_each(|(number, bit)| *number = bit);
    }

    fn image_place(&self, place: usize, symmetry: usize) -> usize {
        image_cell(place as u8, symmetry).into()
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let mut position = self.start();
        let mut sides = [0_u16; 2];
        for (at, sign) in text.char_indices() {
            match sign {
                'x' => sides[0] |= 1 << at.min(15),
                'o' => sides[1] |= 1 << at.min(15),
                '-' => {}
                _ => return Err(PositionError::syntax(text, at, "x, o or -")),
            }
        }
        let is_black = (sides[0] | sides[1]).count_ones().is_multiple_of(2);
        (position.own, position.other) = if is_black { (sides[0], sides[1]) } else { (sides[1], sides[0]) };
        match text.len() {
            9 => self.validate(&position).map(|()| position),
            length => Err(PositionError::syntax(text, length, "nine cells")),
        }
    }

    fn position_text(&self, position: &Position) -> String {
        let sign = |stone: &Option<Stone>| match stone {
            Some(Stone::Black) => 'x',
            Some(_) => 'o',
            None => '-',
        };
        self.stones(position).iter().map(sign).collect()
    }

    fn validate(&self, position: &Position) -> Result<(), PositionError> {
        let counts = [position.own, position.other].map(u16::count_ones);
        let is_possible = counts[1] == counts[0] || counts[1] == counts[0] + 1;
        match is_possible && position.own & position.other == 0 && !has_line(position.own) {
            true => Ok(()),
            false => Err(PositionError::Impossible { fault: "sides take turns".into() }),
        }
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<u8, MoveError> {
        let mut legal = MoveList::new();
        self.moves(position, &mut legal);
        let found = legal.iter().find(|&&mv| self.move_text(mv) == text);
        let list = || legal.iter().map(|&mv| self.move_text(mv)).collect::<Vec<_>>().join(" ");
        found.copied().ok_or_else(|| MoveError::Illegal { text: text.into(), legal: list() })
    }

    fn move_text(&self, mv: u8) -> String {
        format!("{}{}", char::from(b'a' + mv % 3), mv / 3 + 1)
    }

    fn board(&self) -> Board {
        let cell = |at: u8| Cell { name: self.move_text(at), x: f32::from(at % 3), y: f32::from(at / 3) };
        let cells = (0..9).map(cell).collect();
        Board { ground: Ground::Squares, cells, lines: Vec::new(), labels: Vec::new() }
    }

    fn stones(&self, position: &Position) -> Vec<Option<Stone>> {
        let mover = self.to_move(position);
        let stone = |at: u16| match (position.own >> at & 1, position.other >> at & 1) {
            (1, _) => Some(mover.into()),
            (_, 1) => Some((!mover).into()),
            _ => None,
        };
        (0..9).map(stone).collect()
    }

    fn action(&self, _: &Position, mv: u8) -> Action {
        Action { to: vec![mv.into()], ..Action::default() }
    }

    fn status(&self, position: &Position) -> String {
        format!("{} stones", (position.own | position.other).count_ones())
    }

    fn diagram(&self, position: &Position) -> String {
        self.position_text(position)
            .as_bytes()
            .chunks(3)
            .map(|row| format!("{}\n", String::from_utf8_lossy(row)))
            .collect()
    }
}
