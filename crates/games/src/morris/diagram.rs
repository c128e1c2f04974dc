//! The board as plain text, and what it does not show.

use super::points;
use super::position::Position;
use super::rules::Rules;
use crate::board::Stone;
use crate::game::Colour;

/// Columns of text between neighbouring columns of the board, and lines between rows.
const WIDTH: usize = 4;
const HEIGHT: usize = 2;

/// `O` is white, `X` black.
pub(super) fn draw(stones: &[Option<Stone>]) -> String {
    let mut canvas = [[' '; 6 * WIDTH + 1]; 6 * HEIGHT + 1];
    let at = |point: usize| {
        let (column, row) = points::place(point);
        (column * WIDTH, (6 - row) * HEIGHT)
    };
    for (from, to) in points::board().lines {
        let (from, to) = (at(from), at(to));
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
    match (position.quiet, rules.quiet_plies) {
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
}
