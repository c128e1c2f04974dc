//! What an Othello puzzle is about, told from its first move: the first of these that is true.

use trilith_games::othello::{Move, Position};

pub const CORNERS: u64 = 0x8100_0000_0000_0081;
pub const X_SQUARES: u64 = 0x0042_0000_0000_4200;
pub const EDGES: u64 = 0xff81_8181_8181_81ff;
const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// One word for the right move of a position.
pub fn of(position: &Position, mv: Move) -> &'static str {
    let Some(square) = mv.square() else { return "pass" };
    let (bit, after) = (mv.bit(), position.after_disc(square));
    let flips = after.other.count_ones() - position.own.count_ones() - 1;
    match () {
        () if bit & CORNERS != 0 => "corner",
        () if bit & X_SQUARES != 0 && next_corner(bit) & position.empties() != 0 => "x-square",
        () if after.mobility() == 0 => "pass",
        () if bit & EDGES != 0 => "edge",
        () if flips == 1 => "quiet",
        () if region(position.empties(), bit).count_ones() % 2 == 1 => "parity",
        () => "count",
    }
}

/// The corner beside an X-square.
fn next_corner(x_square: u64) -> u64 {
    around(x_square) & CORNERS
}

/// The empty squares that hang together with one of them.
fn region(empties: u64, square: u64) -> u64 {
    let mut found = square;
    loop {
        let grown = (found | around(found)) & empties;
        if grown == found {
            return found;
        }
        found = grown;
    }
}

/// All neighbours of the squares of a set, diagonal ones too.
pub fn around(set: u64) -> u64 {
    let rows = set | (set & NOT_H) << 1 | (set & NOT_A) >> 1;
    (rows | rows << 8 | rows >> 8) & !set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_stay_on_the_board_and_regions_hang_together() {
        assert_eq!(around(1), 0x0302);
        assert_eq!(around(1 << 7), 0xc040);
        assert_eq!(next_corner(1 << 9), 1);
        assert_eq!(next_corner(1 << 54), 1 << 63);
        assert_eq!(region(0x0303_0000_0000_0001, 1 << 56), 0x0303_0000_0000_0000);
    }
}
