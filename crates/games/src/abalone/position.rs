//! A position: its marbles, its text, what makes it possible.
//!
//! The text is the rows, the side to move, then how many marbles Black and how many White has ejected:
//! `wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0 0`. Reading also takes the side last, and a text without the
//! numbers, in which marbles missing from the layout have been ejected.

use trilith_base::seed;

use super::cells::{BOARD, Name};
use super::rows::MarbleRows;
use super::rules::Rules;
use crate::error::PositionError;
use crate::game::Colour;

/// Marbles on the board and off it. The sets are by cell number, see [`super::cells`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Marbles of the side to move.
    pub own: u64,
    /// Marbles of its opponent.
    pub other: u64,
    /// The cell of the princess; empty without her, or once she is off.
    pub princess: u64,
    /// Marbles the side to move has lost.
    pub own_lost: u8,
    /// Marbles its opponent has lost.
    pub other_lost: u8,
    /// Whose turn it is.
    pub to_move: Colour,
}

impl Position {
    /// The same marbles with the other side to move.
    pub fn turned(self) -> Position {
        let Position { own, other, princess, own_lost, other_lost, to_move } = self;
        let (own_lost, other_lost) = (other_lost, own_lost);
        Position { own: other, other: own, princess, own_lost, other_lost, to_move: !to_move }
    }

    /// What the side to move may push, if it is strong enough.
    #[inline(always)]
    pub fn pushable(&self) -> u64 {
        self.other | self.princess
    }

    /// Marbles by colour.
    pub fn rows(&self) -> MarbleRows {
        let (black, white) = self.by_colour(self.own, self.other);
        MarbleRows { black, white, neutral: self.princess }
    }

    /// How many marbles Black and how many White has ejected.
    pub fn ejected(&self) -> (u8, u8) {
        self.by_colour(self.other_lost, self.own_lost)
    }

    fn by_colour<T>(&self, own: T, other: T) -> (T, T) {
        match self.to_move {
            Colour::Black => (own, other),
            Colour::White => (other, own),
        }
    }

    /// The same for equal positions. The words are mixed when asked for: moves touch few of a set's bits, but
    /// two rounds of mixing cost less than looking up a number for every marble a push moves.
    pub fn key(&self) -> u64 {
        let lost = u64::from(self.own_lost) << 4 | u64::from(self.other_lost);
        let rest = lost << 8 | u64::from(self.princess.trailing_zeros()) << 1 | self.to_move as u64;
        seed::mix(seed::mix(self.own ^ rest.wrapping_mul(0x9e37_79b9_7f4a_7c15)) ^ self.other)
    }

    /// One line.
    pub fn text(&self) -> String {
        let (black, white) = self.ejected();
        let side = match self.to_move {
            Colour::Black => 'b',
            Colour::White => 'w',
        };
        format!("{} {side} {black} {white}", self.rows())
    }

    /// Reads a line and checks it against `rules`.
    pub fn parse(text: &str, rules: &Rules) -> Result<Position, PositionError> {
        let mut fields = Fields { text, at: 0 };
        let (start, field) = fields.next("rows of marbles")?;
        let rows = MarbleRows::parse(field)
            .map_err(|fault| PositionError::syntax(text, start + fault.at, fault.expected))?;
        let side = "the side to move, `b` or `w`";
        let leading = fields.side();
        let missing =
            |layout: u64, marbles: u64| layout.count_ones().saturating_sub(marbles.count_ones()) as u8;
        let (black, white) = match leading.is_some() && fields.is_empty() {
            true => (missing(rules.layout.white, rows.white), missing(rules.layout.black, rows.black)),
            false if leading.is_none() && !fields.has_number() => return Err(fields.fault(side)),
            false => (
                fields.number("the number of marbles Black has ejected")?,
                fields.number("the number of marbles White has ejected")?,
            ),
        };
        let to_move = leading.or_else(|| fields.side()).ok_or_else(|| fields.fault(side))?;
        if let Ok((start, _)) = fields.next("") {
            return Err(PositionError::syntax(text, start, "the end of the position"));
        }
        let (own, other, own_lost, other_lost) = match to_move {
            Colour::Black => (rows.black, rows.white, white, black),
            Colour::White => (rows.white, rows.black, black, white),
        };
        let position = Position { own, other, princess: rows.neutral, own_lost, other_lost, to_move };
        position.validate(rules)?;
        Ok(position)
    }

    /// Whether a game under `rules` can come to this as far as marbles, counts and turn can tell.
    pub fn validate(&self, rules: &Rules) -> Result<(), PositionError> {
        self.fault(rules).map_or(Ok(()), |fault| Err(PositionError::Impossible { fault }))
    }

    fn fault(&self, rules: &Rules) -> Option<String> {
        self.fault_of_cells()
            .or_else(|| self.fault_of_princess(rules))
            .or_else(|| self.fault_of_numbers(rules))
            .or_else(|| self.fault_of_turn(rules))
    }

    fn fault_of_cells(&self) -> Option<String> {
        let twice = self.own & self.other | (self.own | self.other) & self.princess;
        if (self.own | self.other | self.princess) & !BOARD != 0 {
            return Some("a marble beyond the 61 cells".into());
        }
        (twice != 0).then(|| format!("two marbles on {}", Name(twice.trailing_zeros() as u8)))
    }

    fn fault_of_princess(&self, rules: &Rules) -> Option<String> {
        let cell = Name(self.princess.trailing_zeros() as u8);
        match self.princess.count_ones() {
            0 => None,
            1 if rules.princess => None,
            1 => Some(format!("a neutral marble on {cell}, but the rules have princess=off")),
            marbles => Some(format!("{marbles} neutral marbles, expected at most one")),
        }
    }

    fn fault_of_numbers(&self, rules: &Rules) -> Option<String> {
        let (black_ejected, white_ejected) = self.ejected();
        let rows = self.rows();
        let sides = [
            (Colour::Black, rows.black, white_ejected, rules.layout.black),
            (Colour::White, rows.white, black_ejected, rules.layout.white),
        ];
        sides.into_iter().find_map(|(colour, set, lost, layout)| {
            let (marbles, full) = (set.count_ones(), layout.count_ones());
            if lost > rules.eject {
                return Some(format!("{} has ejected {lost}, but {} win", !colour, rules.eject));
            }
            (marbles + u32::from(lost) > full).then(|| {
                format!(
                    "{marbles} {colour} marbles on the board and {lost} ejected by {}, \
                     but the layout has only {full}",
                    !colour
                )
            })
        })
    }

    fn fault_of_turn(&self, rules: &Rules) -> Option<String> {
        let princess_off = rules.princess && self.princess == 0;
        if self.other_lost == rules.eject {
            return Some(format!(
                "{} is to move, but has already won by ejecting {}",
                self.to_move, rules.eject
            ));
        }
        (princess_off && self.own_lost == rules.eject).then(|| {
            format!("{} has won twice: by the princess and by ejecting {}", !self.to_move, rules.eject)
        })
    }
}

/// The words of a text, with the bytes they start at.
struct Fields<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Fields<'a> {
    fn next(&mut self, expected: &str) -> Result<(usize, &'a str), PositionError> {
        let rest = &self.text[self.at..];
        let start = self.at + rest.len() - rest.trim_start().len();
        let word = self.text[start..].split_whitespace().next();
        let word = word.ok_or_else(|| PositionError::syntax(self.text, self.text.len(), expected))?;
        self.at = start + word.len();
        Ok((start, word))
    }

    /// What comes next is not what was expected.
    fn fault(&mut self, expected: &str) -> PositionError {
        match self.next(expected) {
            Ok((start, _)) => PositionError::syntax(self.text, start, expected),
            Err(end) => end,
        }
    }

    fn is_empty(&self) -> bool {
        self.text[self.at..].trim_start().is_empty()
    }

    fn has_number(&self) -> bool {
        self.text[self.at..].trim_start().starts_with(|letter: char| letter.is_ascii_digit())
    }

    /// The side to move, if it comes next.
    fn side(&mut self) -> Option<Colour> {
        let before = self.at;
        let colour = match self.next("") {
            Ok((_, "b")) => Some(Colour::Black),
            Ok((_, "w")) => Some(Colour::White),
            _ => None,
        };
        if colour.is_none() {
            self.at = before;
        }
        colour
    }

    fn number(&mut self, expected: &str) -> Result<u8, PositionError> {
        let (start, word) = self.next(expected)?;
        word.parse().map_err(|_| PositionError::syntax(self.text, start, expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str, rules: &str) -> String {
        Position::parse(text, &rules.parse().unwrap()).unwrap_err().to_string()
    }

    #[test]
    fn syntax_faults_name_the_column() {
        let rows = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb";
        let syntax = |rest: &str| fault(&format!("{rows}{rest}"), "");
        assert_eq!(fault("", ""), "position, column 1: found the end, expected rows of marbles");
        assert_eq!(
            fault("wwwwx/", ""),
            "position, column 5: found `x`, expected `b`, `w`, `n` or a digit: 1 more cells in row I"
        );
        assert!(syntax("").starts_with("position, column 44: found the end, expected the side to move"));
        assert!(syntax(" x 0 0").starts_with("position, column 45: found `x`, expected the side to move"));
        assert!(syntax(" b 0").contains("column 48: found the end, expected the number of marbles White"));
        assert!(syntax(" 0 0").contains("column 48: found the end, expected the side to move"));
        assert!(syntax(" b 0 -1").contains("column 49: found `-`, expected the number of marbles White"));
        assert!(syntax(" b 0 0 é").contains("column 51: found `é`, expected the end"));
    }

    #[test]
    fn the_side_may_come_last_and_the_numbers_may_be_missing() {
        let rows = "4w/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb";
        let read = |rest: &str| Position::parse(&format!("{rows} {rest}"), &Rules::default());
        assert_eq!(read("w 4 0"), read("4 0 w"));
        assert_eq!(read("w 4 0"), read("w"));
        assert!(read("w 0 0").is_ok(), "a study may have fewer marbles");
    }

    #[test]
    fn impossible_positions_are_refused_by_name() {
        let impossible = |text: &str, rules| fault(text, rules).replace("impossible position: ", "");
        let short = "4w/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb";
        assert_eq!(
            impossible(&format!("{short} b 5 0"), ""),
            "10 white marbles on the board and 5 ejected by black, but the layout has only 14"
        );
        assert_eq!(impossible(&format!("{short} b 4 0"), "eject=3"), "black has ejected 4, but 3 win");
        assert_eq!(
            impossible(&format!("{short} b 4 0"), "eject=4"),
            "black is to move, but has already won by ejecting 4"
        );
        let full = |centre: &str| format!("wwwww/wwwwww/2www2/8/{centre}/8/2bbb2/bbbbbb/bbbbb b 0 0");
        assert_eq!(impossible(&full("4n4"), ""), "a neutral marble on e5, but the rules have princess=off");
        assert_eq!(impossible(&full("4nn3"), "princess=on"), "2 neutral marbles, expected at most one");
        assert_eq!(
            impossible(&format!("{short} w 4 0"), "eject=4,princess=on"),
            "black has won twice: by the princess and by ejecting 4"
        );
        assert!(Position::parse(&full("9"), &"princess=on".parse().unwrap()).is_ok(), "the princess is off");
    }

    #[test]
    fn sets_that_no_text_can_say_are_refused_too() {
        let rules = Rules::default();
        let text = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0 0";
        let position = Position::parse(text, &rules).unwrap();
        let fault = |position: Position| position.validate(&rules).unwrap_err().to_string();
        assert!(fault(Position { own: position.own | 1 << 61, ..position }).contains("beyond the 61"));
        assert!(fault(Position { other: position.other | 1, ..position }).contains("two marbles on a1"));
    }
}
