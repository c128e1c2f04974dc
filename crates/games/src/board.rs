//! What a person sees and does: cells in the plane, stones, actions; and the board as SVG.
//!
//! Neighbouring cells are one unit apart, y grows downwards. The web page draws from the same data, so no rules
//! and no geometry are needed in the browser.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::game::Colour;

/// A place where a stone can stand. Its index in [`Board::cells`] is its number everywhere.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// As in the notation, such as `f5`.
    pub name: String,
    /// To the right.
    pub x: f32,
    /// Downwards.
    pub y: f32,
}

/// What is drawn under the stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BoardGround {
    /// Unit squares around the cells (Othello).
    Squares,
    /// Lines that join points (Morris).
    Lines,
    /// Round hollows on a hexagon (Abalone).
    Hollows,
}

/// A coordinate beside the board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Label {
    /// A letter or a number.
    pub text: String,
    /// To the right.
    pub x: f32,
    /// Downwards.
    pub y: f32,
}

/// Where the cells lie and what is drawn under them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Board {
    /// How to draw the ground.
    pub ground: BoardGround,
    /// All cells, by number.
    pub cells: Vec<Cell>,
    /// Lines between cells, by number; empty but for [`BoardGround::Lines`].
    pub lines: Vec<(usize, usize)>,
    /// Coordinates beside the board.
    pub labels: Vec<Label>,
}

/// A stone on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stone {
    /// Black's.
    Black,
    /// White's.
    White,
    /// Nobody's: the princess in Abalone.
    Neutral,
}

impl From<Colour> for Stone {
    fn from(colour: Colour) -> Stone {
        match colour {
            Colour::Black => Stone::Black,
            Colour::White => Stone::White,
        }
    }
}

/// A move as a person makes it with stones.
///
/// Othello's f5 is `from [] to [f5]`, Morris' `a1-a4xb6` is `from [a1] to [a4] remove [b6]`, an Abalone move names
/// all its marbles in `from` and, in the same order, where each goes in `to`. A pass has nothing at all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Action {
    /// Own stones taken up; none when a stone is placed from the hand.
    pub from: Vec<usize>,
    /// Where they are put down, in the order of `from`.
    pub to: Vec<usize>,
    /// Opposing stones chosen to be taken off the board.
    pub remove: Vec<usize>,
}

impl Board {
    /// The number of the cell called `name`.
    pub fn cell(&self, name: &str) -> Option<usize> {
        self.cells.iter().position(|cell| cell.name == name)
    }

    /// A number in the place of each cell, such as what it adds to a value; empty text where it is zero.
    pub fn numbers(&self, numbers: &[f64]) -> String {
        const WIDTH: f32 = 7.0;
        let left = self.cells.iter().map(|cell| cell.x).fold(f32::MAX, f32::min);
        let mut cells: Vec<(&Cell, f64)> = self.cells.iter().zip(numbers.iter().copied()).collect();
        cells.sort_by(|(a, _), (b, _)| a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x)));
        let mut text = String::new();
        for row in cells.chunk_by(|(a, _), (b, _)| (a.y - b.y).abs() < 0.1) {
            let mut line = String::new();
            for (cell, number) in row {
                let end = ((cell.x - left + 1.0) * WIDTH).round() as usize;
                let shown = if number.abs() < 0.005 { "\u{b7}".into() } else { format!("{number:+.2}") };
                let gap = end.saturating_sub(line.chars().count());
                let _ = write!(line, "{shown:>gap$}");
            }
            let _ = writeln!(text, "{line}");
        }
        text
    }

    /// The board with its stones as a picture of its own; cells in `marked` get a ring, such as the last move's.
    pub fn svg(&self, stones: &[Option<Stone>], marked: &[usize]) -> String {
        let (left, top, right, bottom) = self.frame();
        let mut svg = String::new();
        let (width, height) = (right - left, bottom - top);
        let _ = writeln!(
            svg,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {width} {height}" width="{}" height="{}">"#,
            (width * 48.0).round(),
            (height * 48.0).round(),
        );
        self.draw_ground(&mut svg);
        self.draw_labels(&mut svg);
        for (cell, stone) in self.cells.iter().zip(stones) {
            if let Some(stone) = stone {
                draw_stone(&mut svg, cell, *stone);
            }
        }
        for cell in marked.iter().filter_map(|&number| self.cells.get(number)) {
            let (x, y) = (cell.x, cell.y);
            let _ = writeln!(svg, r##"<circle cx="{x}" cy="{y}" r="0.14" fill="#d9480f"/>"##);
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// Left, top, right and bottom of everything drawn.
    fn frame(&self) -> (f32, f32, f32, f32) {
        let places = self.cells.iter().map(|c| (c.x, c.y)).chain(self.labels.iter().map(|l| (l.x, l.y)));
        let start = (f32::MAX, f32::MAX, f32::MIN, f32::MIN);
        let (left, top, right, bottom) =
            places.fold(start, |f, (x, y)| (f.0.min(x), f.1.min(y), f.2.max(x), f.3.max(y)));
        const RIM: f32 = 0.7;
        (left - RIM, top - RIM, right + RIM, bottom + RIM)
    }

    fn draw_ground(&self, svg: &mut String) {
        match self.ground {
            BoardGround::Squares => {
                for Cell { x, y, .. } in &self.cells {
                    let (x, y) = (x - 0.5, y - 0.5);
                    let _ = writeln!(
                        svg,
                        r##"<rect x="{x}" y="{y}" width="1" height="1" fill="#2f855a" stroke="#1c4532" stroke-width="0.03"/>"##
                    );
                }
            }
            BoardGround::Lines => {
                for &(a, b) in &self.lines {
                    let (a, b) = (&self.cells[a], &self.cells[b]);
                    let _ = writeln!(
                        svg,
                        r##"<line x1="{}" y1="{}" x2="{}" y2="{}" stroke="#5c4322" stroke-width="0.06"/>"##,
                        a.x, a.y, b.x, b.y
                    );
                }
                for Cell { x, y, .. } in &self.cells {
                    let _ = writeln!(svg, r##"<circle cx="{x}" cy="{y}" r="0.1" fill="#5c4322"/>"##);
                }
            }
            BoardGround::Hollows => {
                for Cell { x, y, .. } in &self.cells {
                    let _ = writeln!(
                        svg,
                        r##"<circle cx="{x}" cy="{y}" r="0.46" fill="#c8b18b" stroke="#8a6d3b" stroke-width="0.03"/>"##
                    );
                }
            }
        }
    }

    fn draw_labels(&self, svg: &mut String) {
        for Label { text, x, y } in &self.labels {
            let _ = writeln!(
                svg,
                r##"<text x="{x}" y="{y}" dy="0.12" font-family="sans-serif" font-size="0.36" text-anchor="middle" fill="#666">{text}</text>"##
            );
        }
    }
}

fn draw_stone(svg: &mut String, cell: &Cell, stone: Stone) {
    let (fill, rim) = match stone {
        Stone::Black => ("#1a202c", "#000"),
        Stone::White => ("#fdfdf8", "#555"),
        Stone::Neutral => ("#c53030", "#742a2a"),
    };
    let _ = writeln!(
        svg,
        r#"<circle cx="{}" cy="{}" r="0.4" fill="{fill}" stroke="{rim}" stroke-width="0.04"/>"#,
        cell.x, cell.y
    );
}
