//! A book as a picture: positions as dots from left to right, with the move that leads there and the chance.

use std::fmt::Write;

use trilith_games::{Colour, Game};

use crate::book::BookReader;
use crate::error::BookError;
use crate::walk::Walk;

const STEP: f64 = 110.0;
const ROW: f64 = 20.0;
const EDGE: f64 = 30.0;

struct Dot {
    parent: Option<usize>,
    depth: usize,
    row: f64,
    name: String,
    chance: f32,
    games: u64,
    tree: i8,
    is_leaf: bool,
}

/// An SVG of the first `plies` plies: green for positions that the tree gives to the side that begins, red for the other
/// side; larger dots for more games. Positions seen in fewer than `games` games are left out.
pub fn picture<G: Game>(
    reader: &BookReader<'_>,
    game: &G,
    plies: usize,
    games: u64,
) -> Result<String, BookError> {
    let mut dots: Vec<Dot> = Vec::new();
    let mut way: Vec<usize> = Vec::new();
    let first = game.to_move(&game.start());
    Walk::all(reader, game, &mut |visit| {
        if visit.node.games() < games {
            return false;
        }
        let depth = visit.moves.len();
        way.truncate(depth);
        let name = visit.moves.last().map_or(String::new(), |&mv| game.move_text(mv));
        dots.push(dot(visit.node, depth, way.last().copied(), name, first));
        if let Some(&parent) = way.last() {
            dots[parent].is_leaf = false;
        }
        way.push(dots.len() - 1);
        depth < plies
    })?;
    let rows = lay_out(&mut dots);
    Ok(draw(&dots, rows))
}

fn dot(node: &crate::Node, depth: usize, parent: Option<usize>, name: String, first: Colour) -> Dot {
    let value = node.value(node.mover);
    let sign = if node.mover == first { 1 } else { -1 };
    Dot {
        parent,
        depth,
        row: 0.0,
        name,
        chance: value.chance * f32::from(sign),
        games: node.games(),
        tree: value.tree * sign,
        is_leaf: true,
    }
}

/// Leaves one below the other, parents beside the middle of their children; how many rows there are.
fn lay_out(dots: &mut [Dot]) -> f64 {
    let mut next = 0.0;
    for dot in dots.iter_mut().filter(|dot| dot.is_leaf) {
        dot.row = next;
        next += 1.0;
    }
    let mut span: Vec<Option<(f64, f64)>> = vec![None; dots.len()];
    for number in (0..dots.len()).rev() {
        if let Some((low, high)) = span[number] {
            dots[number].row = (low + high) / 2.0;
        }
        if let Some(parent) = dots[number].parent {
            let row = dots[number].row;
            let (low, high) = span[parent].unwrap_or((row, row));
            span[parent] = Some((low.min(row), high.max(row)));
        }
    }
    next
}

fn draw(dots: &[Dot], rows: f64) -> String {
    let place = |dot: &Dot| (EDGE + dot.depth as f64 * STEP, EDGE + dot.row * ROW);
    let depth = dots.iter().map(|dot| dot.depth).max().unwrap_or(0) as f64;
    let (width, height) = (2.0 * EDGE + depth * STEP + 90.0, 2.0 * EDGE + rows * ROW);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"11\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    for dot in dots {
        let (x, y) = place(dot);
        if let Some(parent) = dot.parent {
            let (from_x, from_y) = place(&dots[parent]);
            let _ = writeln!(
                svg,
                "<path d=\"M{from_x} {from_y} C{0} {from_y} {0} {y} {x} {y}\" fill=\"none\" stroke=\"#bbb\"/>",
                (from_x + x) / 2.0
            );
        }
    }
    for dot in dots {
        let (x, y) = place(dot);
        let colour = ["#c0392b", "#888", "#27813c"][(dot.tree.signum() + 1) as usize];
        let radius = 3.0 + (dot.games as f64).ln_1p() / 2.0;
        let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius:.1}\" fill=\"{colour}\"/>");
        let chance = match dot.chance {
            chance if chance.is_infinite() => if chance > 0.0 { "+\u{221e}" } else { "-\u{221e}" }.to_owned(),
            // A little below 0 is 0, not -0.
            chance => format!("{:+.1}", (10.0 * chance).round() / 10.0 + 0.0),
        };
        let _ =
            writeln!(svg, "<text x=\"{}\" y=\"{}\">{} {chance}</text>", x + radius + 2.0, y + 4.0, dot.name);
    }
    svg + "</svg>\n"
}
