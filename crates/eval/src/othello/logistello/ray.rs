//! One line of squares by itself: who could move where, and what a table over all contents holds.

/// Discs of one line, bit `k` for its `k`-th square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RayDiscs {
    pub black: u8,
    pub white: u8,
    pub length: usize,
}

impl RayDiscs {
    /// The content that the balanced ternary number `code - codes / 2` stands for.
    pub fn of(mut code: usize, length: usize) -> RayDiscs {
        let mut line = RayDiscs { black: 0, white: 0, length };
        for place in 0..length {
            match code % 3 {
                2 => line.black |= 1 << place,
                0 => line.white |= 1 << place,
                _ => {}
            }
            code /= 3;
        }
        line
    }

    /// The same with colours changed.
    pub fn swapped(self) -> RayDiscs {
        RayDiscs { black: self.white, white: self.black, ..self }
    }

    /// Squares without a disc.
    pub fn empties(self) -> u8 {
        !(self.black | self.white) & (((1_u16 << self.length) - 1) as u8)
    }

    /// Squares where Black could move as far as this line tells.
    pub fn moves(self) -> u8 {
        (0..self.length)
            .filter(|&place| self.empties() >> place & 1 == 1 && self.turns(place))
            .fold(0, |all, place| all | 1 << place)
    }

    /// Whether a black disc on `place` would turn any.
    fn turns(self, place: usize) -> bool {
        let up = (place + 1..self.length).collect::<Vec<_>>();
        let down = (0..place).rev().collect::<Vec<_>>();
        [up, down].iter().any(|way| {
            let run = way.iter().take_while(|&&at| self.white >> at & 1 == 1).count();
            run > 0 && way.get(run).is_some_and(|&end| self.black >> end & 1 == 1)
        })
    }
}

/// The table of `entry` over all contents of a line.
pub fn table(length: usize, entry: impl Fn(RayDiscs) -> i8) -> Vec<i8> {
    (0..3_usize.pow(length as u32)).map(|code| entry(RayDiscs::of(code, length))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> RayDiscs {
        let set =
            |letter| text.char_indices().filter(|&(_, l)| l == letter).fold(0, |all, (at, _)| all | 1 << at);
        RayDiscs { black: set('X'), white: set('O'), length: text.len() }
    }

    #[test]
    fn moves_on_a_line_by_hand() {
        assert_eq!(line("-OOX-OX-").moves(), 0b0001_0001);
        assert_eq!(line("-OOX-OX-").swapped().moves(), 0b1001_0000);
        assert_eq!(line("-OO").moves(), 0);
        assert_eq!(line("XO-OX").moves(), 0b100, "once, though it turns both ways");
    }

    #[test]
    fn codes_are_the_numbers_of_the_lines() {
        let code = |text: &str| {
            let digit = |letter| match letter {
                'X' => 2,
                'O' => 0,
                _ => 1,
            };
            text.chars().rev().fold(0, |code, letter| 3 * code + digit(letter))
        };
        for text in ["XO-", "----", "OXOXOXO-", "-XXXO"] {
            assert_eq!(RayDiscs::of(code(text), text.len()), line(text));
        }
    }
}
