//! The board for people: a hexagon of hollows with letters on the left and numbers along the lower right.

use std::fmt::Write;

use super::cells::{CELLS, Name, cell_at, columns, place};
use super::position::Position;
use crate::board::{Board, BoardGround, Cell, Label, Stone};

/// The height of a row; neighbours are one unit apart.
const ROW: f32 = 0.866_025_4;

/// Where a cell of `row` and `column` lies, whether it is on the board or beside it.
fn spot(row: i32, column: i32) -> (f32, f32) {
    ((column + 4) as f32 - row as f32 / 2.0 - 2.0, (8 - row) as f32 * ROW)
}

/// Where the numbers of the diagonals stand: one step down to the right of each diagonal's last cell.
fn numbers() -> impl Iterator<Item = (i32, i32)> {
    (0..9).map(|column| ((column - 5).max(-1), column))
}

/// Where the cells lie.
pub fn board() -> Board {
    let cells = (0..CELLS as u8).map(|cell| {
        let (row, column) = place(cell);
        let (x, y) = spot(row.into(), column.into());
        Cell { name: Name(cell).to_string(), x, y }
    });
    let letters = (0..9).map(|row| {
        let (x, y) = spot(row, *columns(row as usize).start() as i32 - 1);
        Label { text: char::from(b'A' + row as u8).to_string(), x, y }
    });
    let numbers = numbers().map(|(row, column)| {
        let (x, y) = spot(row, column);
        Label { text: (column + 1).to_string(), x, y }
    });
    Board {
        ground: BoardGround::Hollows,
        cells: cells.collect(),
        lines: Vec::new(),
        labels: letters.chain(numbers).collect(),
    }
}

/// The marble on each cell, by number.
pub fn stones(position: &Position) -> Vec<Option<Stone>> {
    let rows = position.rows();
    let stone = |cell| match rows.letter(cell)? {
        'b' => Some(Stone::Black),
        'w' => Some(Stone::White),
        _ => Some(Stone::Neutral),
    };
    (0..CELLS as u8).map(stone).collect()
}

/// The board as text, ten lines, ending with a line break.
pub fn diagram(position: &Position) -> String {
    let rows = position.rows();
    let mut text = String::new();
    for row in (0..9_usize).rev() {
        let _ = write!(text, "{} {:indent$}", char::from(b'A' + row as u8), "", indent = row.abs_diff(4));
        for column in columns(row) {
            let marble = cell_at(row, column).and_then(|cell| rows.letter(cell));
            let _ = write!(text, " {}", marble.unwrap_or('.'));
        }
        if row < 4 {
            let _ = write!(text, " {}", row + 6);
        }
        text.push('\n');
    }
    text.push_str("        1 2 3 4 5\n");
    text
}

/// How many marbles each side has ejected.
pub fn status(position: &Position) -> String {
    let (black, white) = position.ejected();
    format!("black ejected {black}, white ejected {white}")
}
