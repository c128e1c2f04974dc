//! The board as plain text, and what it does not show.

use super::moves::has_three;
use super::points;
use super::position::Position;
use super::rules::Rules;
use crate::board::{Board, Stone};
use crate::game::Colour;

/// Columns of text between neighbouring columns of the board, and lines between rows.
const WIDTH: usize = 4;
const HEIGHT: usize = 2;

/// `O` is white, `X` black.
pub(super) fn draw(board: &Board, stones: &[Option<Stone>]) -> String {
    let mut canvas = [[' '; 6 * WIDTH + 1]; 6 * HEIGHT + 1];
    let at = |point: usize| {
        let (column, row) = points::place(point);
        (column * WIDTH, (6 - row) * HEIGHT)
    };
    for &(from, to) in &board.lines {
        let (from, to) = (at(from), at(to));
        if from.0 != to.0 && from.1 != to.1 {
            // A diagonal goes one column and one row further: half-way there is room for one sign.
            let falls = (from.0 < to.0) == (from.1 < to.1);
            canvas[(from.1 + to.1) / 2][(from.0 + to.0) / 2] = if falls { '\\' } else { '/' };
            continue;
        }
        for x in from.0.min(to.0)..=from.0.max(to.0) {
            for line in &mut canvas[from.1.min(to.1)..=from.1.max(to.1)] {
                line[x] = if from.1 == to.1 { '-' } else { '|' };
            }
        }
    }
    for (point, stone) in stones.iter().enumerate() {
        let (x, y) = at(point);
        canvas[y][x] = match stone {
            Some(Stone::White) => 'O',
            Some(_) => 'X',
            None => '+',
        };
    }
    label(&canvas)
}

fn label(canvas: &[[char; 6 * WIDTH + 1]]) -> String {
    let mut text = String::new();
    for (y, line) in canvas.iter().enumerate() {
        let row = if y % HEIGHT == 0 { (7 - y / HEIGHT).to_string() } else { " ".into() };
        let line: String = line.iter().collect();
        text.push_str(format!("{row}  {line}").trim_end());
        text.push('\n');
    }
    text.push_str("\n   a   b   c   d   e   f   g\n");
    text
}

pub(super) fn status(rules: &Rules, position: &Position) -> String {
    let side = |colour| {
        let (stones, hand) = position.side(colour);
        format!("{colour} {hand} in hand, {} on board", stones.count_ones())
    };
    let mut text = format!("{}; {}", side(Colour::White), side(Colour::Black));
    let endgame = if has_three(position) { rules.endgame_plies } else { 0 };
    let limit = [rules.quiet_plies, endgame].into_iter().filter(|&limit| limit > 0).min().unwrap_or(0);
    match (position.quiet, limit) {
        (0, _) => {}
        (quiet, 0) => text.push_str(&format!("; quiet plies {quiet}")),
        (quiet, limit) => text.push_str(&format!("; quiet plies {quiet} of {limit}")),
    }
    text
}

#[cfg(test)]
mod tests {
    use crate::game::Game;
    use crate::morris::Morris;

    const BOARD: &str = "
7  O-----------X-----------+
   |           |           |
6  |   +-------O-------+   |
   |   |       |       |   |
5  |   |   +---+---+   |   |
   |   |   |       |   |   |
4  +---+---X       +---O---X
   |   |   |       |   |   |
3  |   |   +---+---+   |   |
   |   |       |       |   |
2  |   O-------+-------+   |
   |           |           |
1  +-----------+-----------O

   a   b   c   d   e   f   g
";

    #[test]
    fn draws_the_board_and_says_the_rest() {
        let game = Morris::default();
        let position = game.parse_position("wb1/1w1/3/2b1wb/3/w2/2w b 4 5 0").unwrap();
        assert_eq!(game.diagram(&position), BOARD.trim_start());
        assert_eq!(game.status(&position), "white 4 in hand, 5 on board; black 5 in hand, 3 on board");
        let moving = game.parse_position("www/bbb/3/6/3/3/3 w 0 0 12").unwrap();
        assert_eq!(
            game.status(&moving),
            "white 0 in hand, 3 on board; black 0 in hand, 3 on board; quiet plies 12 of 100"
        );
    }

    const WITH_DIAGONALS: &str = r"
7  O-----------+-----------+
   | \         |         / |
6  |   X-------+-------+   |
   |   | \     |     / |   |
5  |   |   +---+---+   |   |
   |   |   |       |   |   |
4  +---+---+       +---+---+
   |   |   |       |   |   |
3  |   |   +---+---+   |   |
   |   | /     |     \ |   |
2  |   +-------+-------+   |
   | /         |         \ |
1  +-----------+-----------+

   a   b   c   d   e   f   g
";

    #[test]
    fn diagonals_are_drawn_and_the_limit_of_the_endgame_is_told() {
        let game = Morris::new("morabaraba".parse().unwrap());
        let position = game.parse_position("w2/b2/3/6/3/3/3 w 11 11 0").unwrap();
        assert_eq!(game.diagram(&position), WITH_DIAGONALS.trim_start());
        let flying = game.parse_position("www/bbb/b2/6/3/3/3 w 0 0 4").unwrap();
        assert!(game.status(&flying).ends_with("quiet plies 4 of 10"));
        let moving = game.parse_position("www/bbb/bw1/6/3/3/3 w 0 0 4").unwrap();
        assert!(game.status(&moving).ends_with("quiet plies 4 of 100"));
    }
}
